"""The HTML page of a report. It contains no script, fetches nothing, and escapes all text of the log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from fasturl import Finding
from fasturl._terms import example_citation
from fasturl._version import __version__
from fasturl.cli.report import charts
from fasturl.cli.report.drawing import style
from fasturl.cli.summary.summary import Row, Summary
from fasturl.logs.shown import visible

_MAX_KEY = 300  # characters shown of a key: a path may have millions of bytes
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Table:
    name: str  # of the summary
    title: str
    key: str  # the heading of its keys


PAGES = (
    Table("path", "Pages", "path"),
    Table("path_template", "Kinds of pages", "path, numbers and the like as {n}"),
    Table("extension", "Kinds of files", "extension"),
    Table("query_key", "Query keys", "name"),
)
VISITORS = (
    Table("referer_domain", "Referrers", "registrable domain"),
    Table("client", "Clients", "address"),
    Table("agent", "Agents", "as they call themselves"),
)
REQUESTS = (
    Table("status", "Statuses", "status"),
    Table("method", "Methods", "method"),
    Table("host", "Hosts", "host"),
    Table("scheme", "Schemes", "scheme"),
)
# All tables of the summary.
TABLES = ("finding", "referer_finding", *(table.name for table in (*PAGES, *VISITORS, *REQUESTS)))


class Report:
    """Writes the page of a summary.

    summary : with the tables of `TABLES`, and examples
    names : the inputs, as the user named them
    top : rows per table
    torn : True if an input broke off, so that the counts cover only the data before it
    docs : the address of fasturl's pages, which have one for each finding; None for no external links
    """

    def __init__(
        self, summary: Summary, names: list[str], *, top: int, torn: bool = False, docs: str | None = None
    ) -> None:
        self._summary = summary
        self._names = names
        self._top = top
        self._torn = torn
        self._docs = docs
        self._totals = summary.totals()
        self._steps = charts.steps_of(moment.start for moment in summary.over_time("hour"))
        self._what = "requests" if summary.has_log else "URLs"

    def html(self) -> str:
        shown = ", ".join(safe(name_of(name)) for name in self._names[:3]) + (" …" if len(self._names) > 3 else "")
        title = f"Report of {shown}"
        body = "".join([*self._head(title), *self._over_time(), *self._tables(), *self._findings(), *self._foot()])
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
            f'<link rel="icon" href="data:,"><title>{title}</title><style>{style()}</style></head>\n'
            f"<body>{body}</body></html>\n"
        )

    def _head(self, title: str) -> Iterator[str]:
        totals = self._totals
        yield f"<header><h1>{title}</h1>"
        if self._steps:
            first, last = self._steps.first, self._steps.after(self._steps.last)
            yield f'<p class="faint">From {charts.utc(first)} to {charts.utc(last)} UTC.</p>'
        cards = [(exact(totals["urls"]), self._what)]
        if "size" in totals:
            cards.append((octets(totals["size"]), "sent"))
        cards.append((exact(totals["invalid"]), f"invalid by RFC 1738 ({share(totals['invalid'], totals['urls'])})"))
        if totals.get("referers"):
            cards.append((exact(totals["referers"]), "with a referrer"))
        cards.append((exact(totals["rejected"]), "lines rejected: in no known form"))
        told = "".join(f"<div><b>{number}</b><span>{what}</span></div>\n" for number, what in cards)
        yield f'</header>\n<div class="cards" id="totals">{told}</div>\n'
        if self._torn:
            yield "<p><b>An input broke off</b>, cut or damaged. The numbers are those of what came before.</p>\n"
        if not totals["urls"]:
            yield "<p>There is no request and no URL in what was read.</p>\n"

    def _over_time(self) -> Iterator[str]:
        steps = self._steps
        if not steps:
            return
        moments = self._summary.over_time(steps.asked)
        told = f"by {steps.name} (UTC) and class of status"
        yield f"<section><h2>Requests over time</h2><p class='faint'>A bar for each {steps.name}, UTC.</p>\n"
        yield _both(charts.over_time(moments, steps, "count", f"Requests {told}"))
        if any(moment.size for moment in moments if moment.start is not None):
            yield "<h3>Octets sent</h3>\n"
            yield _both(charts.over_time(moments, steps, "size", f"Octets {told}"))
        without = sum(moment.count for moment in moments if moment.start is None)
        if without:
            yield f"<p class='faint'>Not in the charts: {_many(without, 'request')} without a time.</p>\n"
        yield "</section>\n"

    def _tables(self) -> Iterator[str]:
        last = "Answers, methods, hosts" if self._summary.has_log else "Hosts and schemes"
        for title, tables in ((f"{self._what} by page", PAGES), ("Who asks", VISITORS), (last, REQUESTS)):
            made = [made for table in tables if (made := self._table(table))]
            if made:
                heading = title[0].upper() + title[1:]
                yield f'<section><h2>{heading}</h2><div class="tables">{"".join(made)}</div></section>\n'

    def _table(self, table: Table) -> str:
        rows = self._summary.top(table.name, self._top)
        if not rows:
            return ""
        with_octets = "size" in self._totals
        most = max(row.count for row in rows)
        head = f"<th>{table.key}</th><th>{self._what}</th>" + ("<th>octets</th>" if with_octets else "")
        lines = "".join(self._row(row, most, with_octets) for row in rows)
        rows_told = f'<table id="{table.name}"><tr>{head}</tr>{lines}</table>'
        return f'<div id="box-{table.name}"><h3>{table.title}</h3>{rows_told}</div>\n'

    def _row(self, row: Row, most: int, with_octets: bool) -> str:
        key = safe(row.key) or '<span class="where">(empty)</span>'
        width = f"{100 * row.count / most:.1f}%"
        cells = f"<td>{exact(row.count)}</td>" + (f"<td>{octets(row.size)}</td>" if with_octets else "")
        return f'<tr><td style="background-size:{width} 100%">{key}</td>{cells}</tr>\n'

    def _findings(self) -> Iterator[str]:
        if not self._totals["urls"]:
            return
        targets = {row.key.decode(): row.count for row in self._summary.top("finding", None)}
        referers = {row.key.decode(): row.count for row in self._summary.top("referer_finding", None)}
        yield "<section><h2>Findings</h2>\n"
        if not targets and not referers:
            yield "<p>None: every URL is valid by RFC 1738, and free of what its section 6 warns of.</p></section>\n"
            return
        yield (
            "<p>A <b>hazard</b> can mislead a reader, a filter or a program; in a log it is often a probe. A "
            "<b>violation</b> makes a URL invalid by RFC 1738; browsers send some of them every day. "
            "Passwords and secret values are shown as ***.</p>\n"
        )
        found = self._summary.findings_over_time(self._steps.asked) if self._steps else []
        if self._steps and any(then.start is not None for then in found):
            told = f"Findings by {self._steps.name}: the stronger the colour, the more of this finding at that time"
            yield "<h3>Over time</h3><p class='faint'>The stronger the colour, the more: each row by itself.</p>\n"
            yield _both(charts.findings_over_time(found, self._steps, told))
        # Hazards first; in each kind the most frequent first.
        for kind, mask in (("hazard", Finding.HAZARDS), ("violation", Finding.VIOLATIONS)):
            names = [str(finding.name) for finding in mask if finding.name in targets or finding.name in referers]
            for name in sorted(names, key=lambda name: -targets.get(name, 0) - referers.get(name, 0)):
                yield self._finding(Finding[name], kind, targets.get(name, 0), referers.get(name, 0))
        yield "</section>\n"

    def _finding(self, finding: Finding, kind: str, targets: int, referers: int) -> str:
        name = str(finding.name)
        counted = [_many(targets, self._what.removesuffix("s"))] if targets else []
        counted += [_many(referers, "referrer")] if referers else []
        more = ""
        if self._docs is not None:
            more = f' <a href="{safe(self._docs.rstrip("/"))}/findings/#{name.lower()}" rel="noreferrer">More</a>'
        seen = [(False, each) for each in self._summary.examples(name)] if targets else []
        seen += [(True, each) for each in self._summary.examples(name, referers=True)] if referers else []
        examples = "".join(
            f'<code>{safe(each.url)} <span class="where">{safe(name_of(each.file))}:{each.line}'
            f"{', referrer' if referer else ''}</span></code>\n"
            for referer, each in seen
        )
        anchor = f"finding-{name.lower()}"
        return (
            f'<div class="finding {kind}" id="{anchor}"><h3><a href="#{anchor}">{name}</a></h3>'
            f"<p><b>{safe(finding.sentence[0].upper() + finding.sentence[1:])}.</b> "
            f"A {kind}, {safe(example_citation(finding))}: "
            f"{', '.join(counted)}.</p>\n{examples}"
            f'<p class="faint">{safe(finding.reason)} <b>What to do:</b> {safe(finding.advice)}{more}</p></div>\n'
        )

    def _foot(self) -> Iterator[str]:
        totals = self._totals
        yield (
            f'<footer><h2>How this was counted</h2><p class="faint">{exact(totals["lines"])} lines were read, of which '
            f"{exact(totals['empty'])} were empty and {exact(totals['rejected'])} in no known form. Tables show the "
            f"first {self._top} rows; counts are exact, and those of <i>fasturl stats</i>. Made by fasturl "
            f"{__version__}.</p></footer>\n"
        )


def name_of(file: str) -> str:
    """Return the name of an input without its folders, which readers of the page need not know."""
    return "standard input" if file == "-" else os.path.basename(file)


def _many(number: int, what: str) -> str:
    return f"{exact(number)} {what}{'' if number == 1 else 's'}"


def _both(made: dict[str, str]) -> str:
    """Return a chart for a desk and one for a phone. The page shows the one that fits."""
    return "".join(f'<div class="chart {name}">{svg}</div>\n' for name, svg in made.items())


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


def octets(number: int) -> str:
    """
    >>> octets(1_250_000), octets(12)
    ('<data value="1250000">1.2 MB</data>', '<data value="12">12 B</data>')
    """
    size, unit = float(number), "B"
    for larger in ("kB", "MB", "GB", "TB", "PB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    shown = f"{number}" if unit == "B" else f"{size:.1f}" if size < 100 else f"{size:.0f}"
    return f'<data value="{number}">{shown} {unit}</data>'


def share(part: int, whole: int) -> str:
    """
    >>> share(1, 3), share(1, 100_000), share(0, 0)
    ('33\xa0%', '&lt;\xa00.1\xa0%', '0\xa0%')
    """
    percent = 100 * part / whole if whole else 0
    if 0 < percent < 0.1:
        return "&lt;\N{NO-BREAK SPACE}0.1\N{NO-BREAK SPACE}%"
    return f"{percent:.1f}\N{NO-BREAK SPACE}%" if 0 < percent < 10 else f"{percent:.0f}\N{NO-BREAK SPACE}%"
