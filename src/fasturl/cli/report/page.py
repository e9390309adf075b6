"""The HTML pages of a report and of two compared summaries.

They contain no script, fetch nothing, and escape all text of the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime, tzinfo
from typing import Any

from fasturl import Finding
from fasturl._extras import is_installed
from fasturl._terms import example_citation
from fasturl.cli.report import charts, markup
from fasturl.cli.report.markup import exact, examples, faint, html_table, line, many, safe, section, share
from fasturl.cli.summary import MALFORMED, Moment, Row, tables
from fasturl.cli.summary.routes import compare
from fasturl.cli.summary.summary import Summary
from fasturl.cli.summary.tables import AGENT_PURPOSE, PERCENTILES, PROBE, Section, Table
from fasturl.logs.agents import AI_PURPOSES
from fasturl.logs.columns import Standard

_NAMES: dict[Standard, str] = {"rfc1738": "RFC 1738", "rfc3986": "RFC 3986"}
# All tables of the summary.
TABLES = tuple(
    name
    for name, table in tables.TABLES.items()
    if table.section and (not name.startswith("agent_") or is_installed("crawleruseragents"))
)
COMPARED_TABLES = ("route",)
# The sentence, citation, reason and advice of a URL that RFC 3986 does not derive.
_MALFORMED = (
    "Not in the grammar of today's URLs",
    "RFC 3986 Appendix A, and RFC 9112 section 3.2 for a request target",
    "Browsers repair such a URL, servers may refuse it, and programs read it differently.",
    "<i>fasturl explain --standard rfc3986 URL</i> shows the place.",
)
_JNDI = (
    "A lookup of Java's naming service in a field of the request: the attack on Log4j 2 (CVE-2021-44228).",
    "Servers in Java with Log4j before 2.17.1 run what it names. Update them.",
)

# The columns after the count, of a table that does not show bytes; the heading of its count if it is not the requests'
# number; and the headings of columns whose names do not say what they are.
_BY_ROBOTS = "robots_only"
_OF_ERRORS = ("requests", "share", "first", "last")
_FIGURES = {
    "server_error": _OF_ERRORS,
    "not_found": _OF_ERRORS,
    "duration": (*PERCENTILES, "seconds"),
    PROBE: ("clients", "client", "first", "last"),
    _BY_ROBOTS: ("clients", "client"),
}
_COUNTED = {"server_error": "5xx", "not_found": "404"}
_HEADS = {"size": "bytes", "seconds": "total", "client": "asks most"}
_AI = {"training": "to train models", "user": "because a user asked", "ai": "for another reason"}
_WAYS: dict[str, Callable[[Any], str]] = dict.fromkeys((*PERCENTILES, "seconds"), markup.seconds_text)
_WAYS |= {"size": markup.size_text, "share": lambda part: share(part, 1), "client": safe}
_ARROW, _NOTHING = "\N{NO-BREAK SPACE}\N{RIGHTWARDS ARROW} ", "\N{EN DASH}"
_VARYING = 1.25  # the hours of the day vary if one has at least this many times the requests of another


@dataclass(eq=False, repr=False)
class Report:
    """Writes the page of a summary.

    summary : with the tables of `TABLES`, and examples
    names : the inputs, as the user named them
    top : rows per table
    torn : True if an input broke off, so that the counts cover only the data before it
    docs : the address of fasturl's pages, which have one for each finding; None for no external links
    formats : a sentence per input that names its format
    zone : the time zone of the summary
    """

    summary: Summary
    names: list[str]
    _: KW_ONLY
    top: int
    torn: bool = False
    docs: str | None = None
    formats: Sequence[str] = ()
    zone: tzinfo | None = None

    def __post_init__(self) -> None:
        self._totals = self.summary.totals()
        self._step = self.summary.step(charts.MAX_BARS)
        self._moments = self.summary.over_time(self._step)
        self._steps = charts.steps_of(self._step, (moment.start for moment in self._moments))
        starts = [moment.start for moment in self._moments if moment.start is not None]
        self._in_a_day = not starts or starts[0].date() == starts[-1].date()
        self._what = "requests" if self.summary.has_log else "URLs"

    def html(self) -> str:
        shown = ", ".join(safe(markup.name_of(name)) for name in self.names[:3]) + (" …" if len(self.names) > 3 else "")
        title = f"Report of {shown}"
        parts = (
            self._failed, self._latency, self._over_time, self._tables, self._robots, self._probes,
            self._findings, self._attacks, self._noise, self._rest,
        )  # fmt: skip
        sections = "".join(part for make in parts for part in make())
        headings = re.findall(r'<section id="([a-z-]+)"><h2>([^<]+)', sections)
        links = "".join(f'<li><a href="#{name}">{heading}</a></li>' for name, heading in headings)
        links += '<li><a href="#counted">How this was counted</a></li>'
        end = markup.foot([self.summary], self.top, self.zone, self.formats)
        return markup.document(title, "".join((*self._head(title, links), sections, "</main>\n", end)))

    def _head(self, title: str, links: str) -> Iterator[str]:
        totals = self._totals
        yield f"<header><h1>{title}</h1>"
        yield faint(markup.period(self.summary, self.zone)) if self.summary.period else ""
        cards = [(exact(totals["urls"]), self._what)]
        if self.summary.has_log:
            cards.append((exact(totals.get("visitors", 0)), "visitors"))
            for name, status in (("server_errors", "5xx"), ("client_errors", "4xx")):
                cards.append((exact(totals[name]), f"status {status} ({share(totals[name], totals['urls'])})"))
            cards.append((markup.size_text(totals["size"]), "sent"))
        standards = () if self.summary.has_log else self.summary.standards
        if "rfc3986" in standards:
            malformed = sum(row.count for row in self.summary.top("finding", None) if row.key == MALFORMED.encode())
            cards.append((exact(malformed), f"{MALFORMED} ({share(malformed, totals['urls'])})"))
        if "rfc1738" in standards:
            told = f"invalid by RFC 1738 ({share(totals['invalid'], totals['urls'])})"
            cards.append((exact(totals["invalid"]), told))
        cards.append((exact(totals["rejected"]), "rejected lines"))
        told = "".join(f"<div><b>{number}</b><span>{what}</span></div>\n" for number, what in cards)
        yield f'<nav aria-label="Contents"><ul>{links}</ul></nav></header>\n<main>'
        yield f'<div class="cards" id="totals">{told}</div>\n'
        if self.torn:
            yield markup.TORN
        if not totals["urls"]:
            yield "<p>There is no request and no URL in what was read.</p>\n"

    def _failed(self) -> Iterator[str]:
        """What failed: the worst time, then by route, then over time."""
        if not any(moment.status_class for moment in self._moments):
            return
        failed, chart = self._totals["server_errors"], ""
        told = f"{many(failed, 'answer')} of status 5xx." if failed else "No answer has a status of 5xx."
        if self._steps and (worst := charts.worst(self._moments, self._steps)):
            told += f" <b>Worst {self._steps.words}: {self._steps.when(worst[0])}, with {exact(worst[1])}.</b>"
            chart = self._chart(charts.failures(self._moments), "count", "Answers of status 5xx")
        yield section("failed", "What failed", f"<p>{told}</p>{self._table('server_error')}{chart}")

    def _chart(self, moments: Sequence[Moment], what: str, title: str) -> str:
        assert self._steps
        told = f"{title} per {self._steps.words}, {markup.zone_name(self.zone)}"
        return f"<h3>{told}</h3>\n{markup.both(charts.over_time(moments, self._steps, what, told))}"

    def _latency(self) -> Iterator[str]:
        if html := self._table("duration"):
            all_ = self.summary.by_route.durations()
            told = ", ".join(f"{name} {markup.seconds_text(all_[name] or 0)}" for name in PERCENTILES)
            yield section("latency", "Latency", faint(
                f"Half of the requests of a route took at most p50, 95 of 100 at most p95. Of all requests: {told}. "
                "A strip goes from p50 to p99, with a mark at p95."
            ) + html)  # fmt: skip

    def _over_time(self) -> Iterator[str]:
        if not self._steps:
            return
        body = self._chart(self._moments, "count", "Requests by class of status")
        if without := sum(moment.count for moment in self._moments if moment.start is None):
            body += faint(f"Not in the charts: {many(without, 'request')} without a time.")
        yield section("time", "Over time", body)

    def _tables(self) -> Iterator[str]:
        last = "Answers" if self.summary.has_log else "Hosts and schemes"
        sections: tuple[tuple[Section, str], ...] = ("pages", "Pages"), ("who", "Who asks"), ("answers", last)
        for name, title in sections:
            if html := self._tables_of(name):
                yield section(name, title, html)

    def _robots(self) -> Iterator[str]:
        """The share of robots for AI, and what they fetch."""
        rows = self.summary.top(AGENT_PURPOSE, None) if AGENT_PURPOSE in TABLES else []
        counts = {row.key.decode(): row.count for row in rows if row.key.decode() in AI_PURPOSES}
        if every := sum(counts.values()):
            told = ", ".join(f"{exact(count)} {_AI[name]}" for name, count in counts.items())
            part = share(every, self._totals["urls"])
            told = f"<p>{many(every, 'request')} ({part} of all) come from robots for AI: {told}.</p>"
            fetched = self.summary.by_route.fetched(AI_PURPOSES, self.top)
            yield section("ai", "AI robots", told + self._table("route", fetched, "ai_route", "What they fetch"))

    def _probes(self) -> Iterator[str]:
        """The paths that only get 404, those that only robots ask for, and the other routes with a 404."""
        missing = self.summary.top(PROBE, self.top)
        keys = {row.key for row in missing}
        asked = self.summary.by_route.probes(2 * self.top, of_robots=True) if AGENT_PURPOSE in TABLES else []
        robots = [row for row in asked if row.key not in keys][: self.top]
        robots = robots if len(robots) < self.top or robots[0].count > 1 else []  # a crawler's reading of a long tail
        found = [row for row in self.summary.top("not_found", 4 * self.top) if row.figures["share"] < 1][: self.top]
        html = self._table(PROBE, missing) + self._table(PROBE, robots, _BY_ROBOTS, "Paths that only robots ask for")
        if html := html + self._table("not_found", found):
            told = "A path that only gets 404 is a probe, or a link to a page that is gone."
            yield section("probes", "Probes", faint(f"{told} Robots are known by what they call themselves.") + html)

    def _rest(self) -> Iterator[str]:
        """What is looked at last: static files, hours of the day, query keys, bytes."""
        body = self._tables_of("rest")
        if self._steps and any(moment.size for moment in self._moments if moment.start is not None):
            body += self._chart(self._moments, "size", "Bytes by class of status")
        if body:
            yield section("rest", "Files and bytes" if self.summary.has_log else "Files", body)

    def _tables_of(self, section: Section) -> str:
        """Return the tables of a section that have rows."""
        html = "".join(map(self._varied, tables.tables_of(section)))
        return f'<div class="tables">{html}</div>' if html else ""

    def _varied(self, table: Table) -> str:
        """Return a table, without one whose rows are equal: it shows no more than the totals."""
        of_hours = table.name == "hour_of_day"
        rows = self.summary.top(table.name, None if of_hours else self.top) if table.name in TABLES else []
        counts = {row.count for row in rows}
        varies = len(counts) > 1 and not (of_hours and max(counts) < _VARYING * min(counts))
        return self._table(table.name, rows) if varies or (len(rows) == 1 and not of_hours) else ""

    def _table(self, name: str, rows: Sequence[Row] | None = None, anchor: str = "", title: str = "") -> str:
        """Return a table with the bytes, or with what _FIGURES names for it."""
        rows = self.summary.top(name, self.top) if rows is None else rows
        if not rows:
            return ""
        table, named = tables.TABLES[name], anchor or name
        measures = [row.figures["seconds"] if name == "duration" else row.count for row in rows]
        most = max(measures) or 1
        figures = _FIGURES.get(named, ("size",) if "size" in self._totals else ())
        ends = [row.figures[end] for row in rows for end in ("p50", "p99") if name == "duration"]
        heads = [("", table.heading), ("count", _COUNTED.get(name, self._what))]
        heads += [(each, _HEADS.get(each, each)) for each in figures]
        if ends:
            heads.append(("strip", f"{markup.seconds_text(min(ends))} to {markup.seconds_text(max(ends))}"))
        lines = ""
        for row, measure in zip(rows, measures, strict=True):
            cells = [("count", exact(row.count)), *((each, self._figure(each, row)) for each in figures)]
            if ends:
                cells.append(("strip", markup.strip([row.figures[each] for each in PERCENTILES], min(ends), max(ends))))
            key = safe(row.key) or '<span class="where">(empty)</span>'
            lines += line(key, cells, measure / most)
        return f'<div id="box-{named}">{html_table(named, title or table.title, heads, lines)}</div>\n'

    def _figure(self, name: str, row: Row) -> str:
        value = row.size if name == "size" else row.figures[name]
        if isinstance(value, datetime):
            return f"{value:%H:%M}" if self._in_a_day else f"{value.day} {value:%b %H:%M}"
        return "" if value is None else _WAYS.get(name, exact)(value)

    def _findings(self) -> Iterator[str]:
        if not self._totals["urls"]:
            return
        targets = {row.key.decode(): row.count for row in self.summary.top("finding", None)}
        yield '<section id="findings"><h2>Findings</h2>\n'
        if not targets:
            standards = " and ".join(_NAMES[one] for one in self.summary.standards)
            yield f"<p>Every URL is valid by {standards}, without what RFC 1738 section 6 warns of.</p></section>\n"
            return
        yield (
            "<p>A <b>hazard</b> can mislead a reader, a filter or a program; in a log it is often a probe. A "
            f"<b>violation</b> makes a URL invalid by RFC 1738; browsers send some of them every day. "
            f"{many(self._totals['invalid'], 'URL')} of {exact(self._totals['urls'])} "
            f"{'is' if self._totals['invalid'] == 1 else 'are'} invalid. "
            "Passwords and secret values are shown as ***.</p>\n"
        )
        found = self.summary.findings_over_time(self._step) if self._steps else []
        if self._steps and any(then.start is not None for then in found):
            told = f"Findings by {self._steps.words}: the stronger the colour, the more of this finding at that time"
            yield "<h3>Over time</h3><p class='faint'>The stronger the colour, the more: each row by itself.</p>\n"
            yield markup.both(charts.findings_over_time(found, self._steps, told))
        if MALFORMED in targets:
            yield self._finding_of(MALFORMED, "malformed", "violation", targets[MALFORMED], *_MALFORMED)
        # Hazards follow, then violations, each sorted by frequency.
        for kind, mask in (("hazard", Finding.HAZARDS), ("violation", Finding.VIOLATIONS)):
            names = [str(finding.name) for finding in mask if finding.name in targets]
            for name in sorted(names, key=lambda name: -targets[name]):
                yield self._finding(Finding[name], kind, targets[name])
        yield "</section>\n"

    def _attacks(self) -> Iterator[str]:
        for row in self.summary.top("attack", None):
            yield section("attacks", "Attacks", (
                '<div class="finding hazard" id="attack-jndi"><h3>JNDI</h3>'
                f"<p><b>{_JNDI[0]}</b> {many(row.count, 'request')}.</p>\n{examples(self.summary.attacks)}"
                f"{faint(f'<b>What to do:</b> {_JNDI[1]}')}</div>"
            ))  # fmt: skip

    def _noise(self) -> Iterator[str]:
        """The findings of referrers, which say nothing of this site."""
        if rows := self.summary.top("referer_finding", None):
            title, heads = "Findings in referrers", (("", "finding"), ("", "referrers"), ("text", "example"))
            table = html_table("referer_finding", title, heads, "".join(map(self._referer_finding, rows)))
            invalid, every = exact(self._totals["invalid_referers"]), exact(self._totals["referers"])
            told = faint(f"Other sites and robots write these URLs: {invalid} of {every} are invalid.")
            yield section("referrers", title, told + table)

    def _referer_finding(self, row: Row) -> str:
        name = row.key.decode()
        shown = examples(self.summary.examples(name, referers=True)[:1])
        return f'<tr><th scope="row">{safe(name)}</th><td>{exact(row.count)}</td><td class="text">{shown}</td></tr>\n'

    def _finding(self, finding: Finding, kind: str, count: int) -> str:
        name = str(finding.name)
        more = ""
        if self.docs is not None:
            more = f' <a href="{safe(self.docs.rstrip("/"))}/findings/#{name.lower()}" rel="noreferrer">More</a>'
        sentence = safe(finding.sentence[0].upper() + finding.sentence[1:])
        told = sentence, safe(example_citation(finding)), safe(finding.reason), f"{safe(finding.advice)}{more}"
        return self._finding_of(name, f"finding-{name.lower()}", kind, count, *told)

    def _finding_of(
        self, name: str, anchor: str, kind: str, count: int, sentence: str, citation: str, reason: str, advice: str
    ) -> str:
        return (
            f'<div class="finding {kind}" id="{anchor}"><h3><a href="#{anchor}">{name}</a></h3>'
            f"<p><b>{sentence}.</b> A {kind}, {citation}: {many(count, self._what.removesuffix('s'))}.</p>\n"
            f"{examples(self.summary.examples(name))}{faint(f'{reason} <b>What to do:</b> {advice}')}</div>\n"
        )


def comparison(
    summaries: Sequence[Summary], names: Sequence[str], zone: tzinfo | None, top: int, formats: list[str], torn: bool
) -> str:
    """Return the page of an old and a new summary with `COMPARED_TABLES`; the further arguments are those of Report."""
    old, new = summaries
    was, is_ = (safe(name) for name in names)
    title = f"{is_} compared with {was}"
    head = "".join(
        faint(f"<b>{name}</b>: {markup.period(summary, zone) or 'no request with a time'}")
        for name, summary in ((was, old), (is_, new))
    )
    changes = compare(old.by_route, new.by_route, top)
    most = max((change.worse for change in changes), default=0) or 1
    lines = _compared_line("all routes", _whole(old), _whole(new))
    for change in changes:
        lines += _compared_line(safe(change.key), change.old, change.new, change.worse, change.worse / most)
    told = faint(
        "Sorted by <i>worse</i>: how many requests more than at the old rates got a status of 5xx, or took longer than "
        "the old p95."
    )
    heads = ("", "route"), ("", "requests"), ("", "5xx"), ("", "p95"), ("worse", "worse")
    table = html_table("compared", "Routes, what got worse first", heads, lines)
    body = f"<header><h1>{title}</h1>{head}</header>\n<main>{markup.TORN if torn else ''}{told}{table}</main>\n"
    return markup.document(title, body + markup.foot(summaries, top, zone, formats))


def _whole(summary: Summary) -> dict[str, Any]:
    """Return the figures of all requests of a summary."""
    totals = summary.totals()
    failed = totals.get("server_errors", 0) / max(totals["urls"], 1)
    return {"requests": totals["urls"], "share": failed, "p95": summary.by_route.durations()["p95"]}


def _compared_line(
    key: str, old: dict[str, Any], new: dict[str, Any], worse: float | None = None, bar: float = 0
) -> str:
    cells: list[markup.Cell] = []
    for name in ("requests", "share", "p95"):
        way = _WAYS.get(name, exact)
        there = [each[name] is not None and each["requests"] > 0 for each in (old, new)]
        shown = [way(each[name]) if is_there else _NOTHING for each, is_there in zip((old, new), there, strict=True)]
        is_bad = name != "requests" and there[1] and new[name] > (old[name] if there[0] else 0)
        cells.append((f"both {'bad' if is_bad and bar else ''}", _ARROW.join(shown)))
    return line(key, [*cells, ("worse", "" if worse is None else exact(round(worse)))], bar)
