"""The counts of `fasturl stats` and `fasturl report`.

    reading = Reading(options)
    with summarized(reading, TABLES, command="report", examples=3) as summary:
        summary.totals()                       # {"lines": ..., "urls": ..., "valid": ..., "referers": ..., ...}
        summary.top("path", 10, by="size")     # [Row(key="/a", count=7, size=1234), ...], the largest first
        summary.over_time("hour")              # [Moment(start, status_class, count, size), ...], by time
        summary.findings_over_time("day")      # [FoundThen(start, finding, count), ...]; referers=True for referers
        summary.examples("DOUBLE_ENCODED")     # [Example(file, line, url), ...]; referers=True for referers

Each row is a request of a log, or a URL of another input. Tables of requests (clients, statuses, hours, referers)
are empty for inputs that are not logs.
"""
