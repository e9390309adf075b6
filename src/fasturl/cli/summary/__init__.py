"""What inputs hold, in numbers: one set of queries for every command that shows numbers.

    reading = Reading(options)
    with summarized(reading, TABLES, command="report", examples=3) as summary:
        summary.totals()                       # {"lines": ..., "urls": ..., "valid": ..., "referers": ..., ...}
        summary.top("path", 10, by="size")     # [Row(key="/a", count=7, size=1234), ...], the largest first
        summary.over_time("hour")              # [Moment(start, status_class, count, size), ...], by time
        summary.findings_over_time("day")      # [FoundThen(start, finding, count), ...]; referers=True for theirs
        summary.examples("DOUBLE_ENCODED")     # [Example(file, line, url), ...]; referers=True for theirs

All of it is in `fasturl.cli.summary.summary`, whose docstrings tell types and cost; `TABLES` in
`fasturl.cli.summary.tables` names the tables. A row is a request of a log, or a URL of another input. What a log says
of requests (clients, statuses, hours, octets, referers) is left out of inputs that are no log: their tables are empty.
"""
