"""The HTML page of a report. It contains no script, fetches nothing, and escapes all text of the log."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import tzinfo
from html import escape

from fasturl import Finding, __version__
from fasturl._extras import is_installed
from fasturl._terms import example_citation
from fasturl.cli.report import charts
from fasturl.cli.report.charts import style
from fasturl.cli.summary import MALFORMED, Example, Row, tables
from fasturl.cli.summary.summary import Summary
from fasturl.cli.summary.tables import PERCENTILES, Section, Table
from fasturl.logs.columns import Standard
from fasturl.logs.shown import visible

_NAMES: dict[Standard, str] = {"rfc1738": "RFC 1738", "rfc3986": "RFC 3986"}
_MAX_KEY = 300  # characters shown of a key: a path may have millions of bytes
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


# All tables of the summary.
TABLES = tuple(
    name
    for name, table in tables.TABLES.items()
    if table.section and (not name.startswith("agent_") or is_installed("crawleruseragents"))
)
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
        self._zone_name = "UTC" if self.zone is None else str(self.zone)
        self._totals = self.summary.totals()
        self._steps = charts.steps_of(moment.start for moment in self.summary.over_time("hour"))
        self._what = "requests" if self.summary.has_log else "URLs"

    def html(self) -> str:
        shown = ", ".join(safe(name_of(name)) for name in self.names[:3]) + (" …" if len(self.names) > 3 else "")
        title = f"Report of {shown}"
        parts = self._errors, self._over_time, self._durations, self._tables, self._findings, self._attacks, self._noise
        sections = "".join(part for make in parts for part in make())
        headings = re.findall(r'<section id="([a-z-]+)"><h2>([^<]+)', sections)
        links = "".join(f'<li><a href="#{name}">{heading}</a></li>' for name, heading in headings)
        contents = (
            f'<nav aria-label="Contents"><ul>{links}<li><a href="#counted">How this was counted</a></li></ul></nav>'
        )
        body = "".join((*self._head(title, contents), sections, "</main>\n", *self._foot()))
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
            f'<link rel="icon" href="data:,"><title>{title}</title><style>{style()}</style></head>\n'
            f"<body>{body}</body></html>\n"
        )

    def _head(self, title: str, contents: str) -> Iterator[str]:
        totals = self._totals
        yield f"<header><h1>{title}</h1>"
        if self.summary.period is not None:
            first, last = (charts.time_text(moment, self.zone) for moment in self.summary.period)
            yield f'<p class="faint">From {first} to {last}, {escape(self._zone_name)}.</p>'
        cards = [(exact(totals["urls"]), self._what)]
        if self.summary.has_log:
            errors = totals["client_errors"] + totals["server_errors"]
            cards.append((exact(totals.get("visitors", 0)), "visitors"))
            cards.append((exact(errors), f"errors ({share(errors, totals['urls'])})"))
            cards.append((size_text(totals["size"]), "sent"))
        standards = self.summary.standards
        if "rfc3986" in standards and not self.summary.has_log:
            malformed = sum(row.count for row in self.summary.top("finding", None) if row.key == MALFORMED.encode())
            cards.append((exact(malformed), f"{MALFORMED} ({share(malformed, totals['urls'])})"))
        if "rfc1738" in standards and not self.summary.has_log:
            told = f"invalid by RFC 1738 ({share(totals['invalid'], totals['urls'])})"
            cards.append((exact(totals["invalid"]), told))
        cards.append((exact(totals["rejected"]), "lines rejected: in no known form"))
        told = "".join(f"<div><b>{number}</b><span>{what}</span></div>\n" for number, what in cards)
        yield f'{contents}</header>\n<main><div class="cards" id="totals">{told}</div>\n'
        if self.torn:
            yield "<p><b>An input broke off</b>, cut or damaged. The numbers are those of what came before.</p>\n"
        if not totals["urls"]:
            yield "<p>There is no request and no URL in what was read.</p>\n"

    def _errors(self) -> Iterator[str]:
        totals = self._totals
        if html := self._tables_of("errors"):
            shares = ", ".join(
                f"{exact(totals[name])} {what} ({share(totals[name], totals['urls'])} of all requests)"
                for name, what in (("server_errors", "with a status of 5xx"), ("client_errors", "with 4xx"))
            )
            yield _section("errors", "Errors", f"<p>{shares}.</p>{html}")

    def _durations(self) -> Iterator[str]:
        rows = self.summary.top("duration", self.top)
        lines = "".join(
            _line(safe(row.key), exact(row.count), *(f"{row.figures[each]:g}" for each in PERCENTILES)) for row in rows
        )
        if rows:
            heads = ("route", "requests", *PERCENTILES)
            told = _faint("Half of the requests took at most p50 seconds, 95 of 100 at most p95.")
            table = _html_table("duration", "Seconds per route", heads, lines)
            yield _section("durations", "Durations", told + table)

    def _over_time(self) -> Iterator[str]:
        steps = self._steps
        if not steps:
            return
        moments = self.summary.over_time(steps.summary_step)
        told = f"by {steps.name} ({self._zone_name}) and class of status"
        yield '<section id="time"><h2>Requests over time</h2>'
        yield f"<p class='faint'>A bar for each {steps.name}, {escape(self._zone_name)}.</p>\n"
        yield _both(charts.over_time(moments, steps, "count", f"Requests {told}"))
        if any(moment.size for moment in moments if moment.start is not None):
            yield "<h3>Bytes sent</h3>\n"
            yield _both(charts.over_time(moments, steps, "size", f"Bytes {told}"))
        without = sum(moment.count for moment in moments if moment.start is None)
        if without:
            yield f"<p class='faint'>Not in the charts: {_many(without, 'request')} without a time.</p>\n"
        yield "</section>\n"

    def _tables(self) -> Iterator[str]:
        last = "Answers, methods, hosts" if self.summary.has_log else "Hosts and schemes"
        page = f"{self._what} by page"
        sections: tuple[tuple[Section, str], ...] = ("pages", page), ("who", "Who asks"), ("answers", last)
        for name, title in sections:
            html = self._tables_of(name)
            if html:
                yield _section(name, title[0].upper() + title[1:], html)

    def _tables_of(self, section: Section) -> str:
        """Return the tables of a section that have rows."""
        html = "".join(self._table(table) for table in tables.tables_of(section))
        return f'<div class="tables">{html}</div>' if html else ""

    def _table(self, table: Table) -> str:
        rows = self.summary.top(table.name, self.top) if table.name in TABLES else []
        if not rows:
            return ""
        with_bytes = "size" in self._totals
        most = max(row.count for row in rows)
        heads = (table.heading, self._what, *(("bytes",) if with_bytes else ()))
        lines = "".join(self._row(row, most, with_bytes) for row in rows)
        return f'<div id="box-{table.name}">{_html_table(table.name, table.title, heads, lines)}</div>\n'

    def _row(self, row: Row, most: int, with_bytes: bool) -> str:
        key = safe(row.key) or '<span class="where">(empty)</span>'
        style = f' style="background-size:{100 * row.count / most:.1f}% 100%"'
        return _line(key, exact(row.count), *((size_text(row.size),) if with_bytes else ()), style=style)

    def _findings(self) -> Iterator[str]:
        if not self._totals["urls"]:
            return
        targets = {row.key.decode(): row.count for row in self.summary.top("finding", None)}
        yield '<section id="findings"><h2>Findings</h2>\n'
        if not targets:
            standards = " and ".join(_NAMES[one] for one in self.summary.standards)
            yield (
                f"<p>None: every URL is valid by {standards}, and free of what section 6 of RFC 1738 warns of."
                "</p></section>\n"
            )
            return
        yield (
            "<p>A <b>hazard</b> can mislead a reader, a filter or a program; in a log it is often a probe. A "
            f"<b>violation</b> makes a URL invalid by RFC 1738; browsers send some of them every day. "
            f"{_many(self._totals['invalid'], 'URL')} of {exact(self._totals['urls'])} "
            f"{'is' if self._totals['invalid'] == 1 else 'are'} invalid. "
            "Passwords and secret values are shown as ***.</p>\n"
        )
        found = self.summary.findings_over_time(self._steps.summary_step) if self._steps else []
        if self._steps and any(then.start is not None for then in found):
            told = f"Findings by {self._steps.name}: the stronger the colour, the more of this finding at that time"
            yield "<h3>Over time</h3><p class='faint'>The stronger the colour, the more: each row by itself.</p>\n"
            yield _both(charts.findings_over_time(found, self._steps, told))
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
            examples = _examples(self.summary.attacks)
            yield _section("attacks", "Attacks", (
                '<div class="finding hazard" id="attack-jndi"><h3>JNDI</h3>'
                f"<p><b>{_JNDI[0]}</b> {_many(row.count, 'request')}.</p>\n{examples}"
                f"{_faint(f'<b>What to do:</b> {_JNDI[1]}')}</div>"
            ))  # fmt: skip

    def _noise(self) -> Iterator[str]:
        """The findings of referrers, which say nothing of this site."""
        if rows := self.summary.top("referer_finding", None):
            title, heads = "Findings in referrers", ("finding", "referrers", "example")
            table = _html_table("referer_finding", title, heads, "".join(map(self._referer_finding, rows)))
            invalid, every = exact(self._totals["invalid_referers"]), exact(self._totals["referers"])
            told = _faint(f"Other sites and robots write these URLs: {invalid} of {every} are invalid.")
            yield _section("referrers", title, told + table)

    def _referer_finding(self, row: Row) -> str:
        name = row.key.decode()
        shown = _examples(self.summary.examples(name, referers=True)[:1])
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
            f"<p><b>{sentence}.</b> A {kind}, {citation}: {_many(count, self._what.removesuffix('s'))}.</p>\n"
            f"{_examples(self.summary.examples(name))}{_faint(f'{reason} <b>What to do:</b> {advice}')}</div>\n"
        )

    def _foot(self) -> Iterator[str]:
        totals = self._totals
        yield (
            f'<footer id="counted"><h2>How this was counted</h2><p class="faint">{exact(totals["lines"])} lines were '
            f"read, of which {exact(totals['empty'])} were empty and {exact(totals['rejected'])} in no known form. "
            f"Tables show the first {self.top} rows; counts are exact, and those of <i>fasturl stats</i>. Durations "
            f"have three digits. Hours and days are those of {escape(self._zone_name)}.</p>\n"
        )
        yield "".join(f'<p class="faint">{safe(told)}.</p>\n' for told in self.formats)
        if self.summary.rejects:
            yield f'<h3>First rejected lines</h3><div class="rejects">{_examples(self.summary.rejects)}</div>\n'
        yield f'<p class="faint">Made by fasturl {__version__}.</p></footer>\n'


def name_of(file: str) -> str:
    """Return the name of an input without its folders, which readers of the page need not know."""
    return "standard input" if file == "-" else os.path.basename(file)


def _section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}"><h2>{title}</h2>{body}</section>\n'


def _faint(text: str) -> str:
    return f'<p class="faint">{text}</p>'


def _line(key: str, *cells: str, style: str = "") -> str:
    return f'<tr><th scope="row"{style}>{key}</th>{"".join(f"<td>{each}</td>" for each in cells)}</tr>\n'


def _html_table(name: str, title: str, heads: Sequence[str], lines: str) -> str:
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    start = f'<table id="{name}"><caption>{title}</caption><thead><tr>{head}</tr></thead>'
    return f"{start}<tbody>{lines}</tbody></table>"


def _examples(examples: Sequence[Example]) -> str:
    places = ((each.url, f"{safe(name_of(each.file))}:{each.line}") for each in examples)
    return "".join(f'<code>{safe(url)} <span class="where">{place}</span></code>\n' for url, place in places)


def _many(number: int, what: str) -> str:
    return f"{exact(number)} {what}{'' if number == 1 else 's'}"


def _both(svg_by_width: dict[str, str]) -> str:
    """Return a chart for a desk and one for a phone. The page shows the one that fits."""
    return "".join(f'<div class="chart {name}">{svg}</div>\n' for name, svg in svg_by_width.items())


def safe(text: str | bytes) -> str:
    r"""Return the text for content or an attribute: no markup, control character or bidirectional override.

    >>> safe(b'<script>\x00"\xff')
    '&lt;script&gt;\\x00&quot;\\xff'
    """
    seen = visible(text[: 4 * _MAX_KEY + 8])  # a character has at most four bytes
    return escape(seen if len(seen) <= _MAX_KEY else seen[:_MAX_KEY] + "…", quote=True)


def exact(number: int) -> str:
    """
    >>> exact(1234)
    '<data value="1234">1,234</data>'
    """
    return f'<data value="{number}">{number:,}</data>'


def size_text(number: int) -> str:
    """
    >>> size_text(1_250_000), size_text(200_000_000), size_text(12)
    ('<data value="1250000">1.2 MB</data>', '<data value="200000000">200 MB</data>', '<data value="12">12 bytes</data>')
    >>> size_text(20_000), size_text(1), size_text(0)
    ('<data value="20000">20 kB</data>', '<data value="1">1 byte</data>', '<data value="0">0</data>')
    """
    size, unit = float(number), "byte" if number == 1 else "bytes"
    for larger in ("kB", "MB", "GB", "TB", "PB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    shown = f"{number}" if number < 1000 else f"{size:.1f}".removesuffix(".0") if size < 100 else f"{size:.0f}"
    return f'<data value="{number}">{shown}{f" {unit}" if number else ""}</data>'


def share(part: int, whole: int) -> str:
    """
    >>> share(1, 3), share(1, 100_000), share(0, 0)
    ('33\xa0%', '&lt;\xa00.1\xa0%', '0\xa0%')
    """
    percent = 100 * part / whole if whole else 0
    if 0 < percent < 0.1:
        return "&lt;\N{NO-BREAK SPACE}0.1\N{NO-BREAK SPACE}%"
    return f"{percent:.1f}\N{NO-BREAK SPACE}%" if 0 < percent < 10 else f"{percent:.0f}\N{NO-BREAK SPACE}%"
