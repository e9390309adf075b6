"""The pieces of a page. All text of a log passes through `safe`."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from html import escape

from fasturl import __version__
from fasturl.cli.report.charts import style, time_text
from fasturl.cli.summary import Example
from fasturl.cli.summary.summary import Summary
from fasturl.cli.summary.text import SIZES, scaled
from fasturl.logs.shown import visible

TORN = "<p><b>An input broke off</b>, cut or damaged. The numbers are those of what came before.</p>\n"
_MAX_KEY = 300  # characters shown of a key: a path may have millions of bytes
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def document(title: str, body: str) -> str:
    """Return a page; title and body are markup."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        f'<link rel="icon" href="data:,"><title>{title}</title><style>{style()}</style></head>\n'
        f"<body>{body}</body></html>\n"
    )


def period(summary: Summary, zone: tzinfo | None) -> str:
    """Return the times of a summary, or "" without a time."""
    if summary.period is None:
        return ""
    first, last = (time_text(moment, zone) for moment in summary.period)
    return f"From {first} to {last}, {zone_name(zone)}."


def zone_name(zone: tzinfo | None) -> str:
    return "UTC" if zone is None else escape(str(zone))


def foot(summaries: Sequence[Summary], top: int, zone: tzinfo | None, formats: Sequence[str]) -> str:
    """Return the end of a page: how its numbers were counted."""
    lines, empty, rejected = (
        exact(sum(summary.totals()[name] for summary in summaries)) for name in ("lines", "empty", "rejected")
    )
    rejects = [reject for summary in summaries for reject in summary.rejects]
    shown = f'<h3>First rejected lines</h3><div class="rejects">{examples(rejects)}</div>\n' if rejects else ""
    return (
        f'<footer id="counted"><h2>How this was counted</h2><p class="faint">{lines} lines were read, of which {empty} '
        f"were empty and {rejected} in no known form. Tables show the first {top} rows; counts are exact, and those of "
        f"<i>fasturl stats</i>. Durations have three digits. Times are those of {zone_name(zone)}.</p>\n"
        + "".join(f"{faint(f'{safe(told)}.')}\n" for told in formats)
        + f"{shown}{faint(f'Made by fasturl {__version__}.')}</footer>\n"
    )


def name_of(file: str) -> str:
    """Return the name of an input without its folders, which readers of the page need not know."""
    return "standard input" if file == "-" else os.path.basename(file)


def section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}"><h2>{title}</h2>{body}</section>\n'


def faint(text: str) -> str:
    return f'<p class="faint">{text}</p>'


# A cell of a table: the class of its column, which says how it fits a phone, and its content.
Cell = tuple[str, str]


def line(key: str, cells: Iterable[Cell], share_of_bar: float = 0) -> str:
    style = f' style="background-size:{100 * share_of_bar:.1f}% 100%"' if share_of_bar else ""
    found = "".join(f'<td class="{name}">{each}</td>' for name, each in cells)
    return f'<tr><th scope="row"{style}>{key}</th>{found}</tr>\n'


def html_table(name: str, title: str, heads: Iterable[Cell], lines: str) -> str:
    head = "".join(f'<th scope="col" class="{column}">{each}</th>' for column, each in heads)
    start = f'<table id="{name}"><caption>{title}</caption><thead><tr>{head}</tr></thead>'
    return f"{start}<tbody>{lines}</tbody></table>"


def examples(examples: Sequence[Example]) -> str:
    places = ((each.url, f"{safe(name_of(each.file))}:{each.line}") for each in examples)
    return "".join(f'<code>{safe(url)} <span class="where">{place}</span></code>\n' for url, place in places)


def many(number: int, what: str) -> str:
    return f"{exact(number)} {what}{'' if number == 1 else 's'}"


def both(svg_by_width: dict[str, str]) -> str:
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
    size, unit = scaled(number, "byte" if number == 1 else "bytes", SIZES)
    shown = f"{number}" if number < 1000 else f"{size:.1f}".removesuffix(".0") if size < 100 else f"{size:.0f}"
    return f'<data value="{number}">{shown}{f" {unit}" if number else ""}</data>'


def seconds_text(seconds: float) -> str:
    """
    >>> seconds_text(0.0523), seconds_text(3.1), seconds_text(24802)
    ('<data value="0.0523">52.3 ms</data>', '<data value="3.1">3.1 s</data>', '<data value="24802">6.9 h</data>')
    >>> seconds_text(0), seconds_text(600)
    ('<data value="0">0</data>', '<data value="600">10 min</data>')
    """
    size, unit = scaled(seconds * 1000, "ms", ((1000, "s"), (60, "min"), (60, "h")))
    shown = f"{size:.0f}" if size >= 100 else f"{size:.3g}" if unit in ("ms", "s") else f"{size:.1f}".removesuffix(".0")
    return f'<data value="{seconds:g}">{shown}{f" {unit}" if seconds else ""}</data>'


def strip(percentiles: Sequence[float], low: float, high: float) -> str:
    """Return a strip from p50 to p99 with a mark at p95, on a logarithmic scale from `low` to `high` seconds."""
    least = max(low, high / 1e6, 1e-9)
    width = math.log(max(high, least) / least) or 1.0
    at = [97 * math.log(max(each, least) / least) / width for each in percentiles]
    return (
        '<svg class="strip" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect x="{at[0]:.1f}" y="2" width="{at[-1] - at[0] + 3:.1f}" height="4"/>'
        f'<rect class="mark" x="{at[1]:.1f}" y="0" width="3" height="8"/></svg>'
    )


def share(part: float, whole: float) -> str:
    """
    >>> share(1, 3), share(1, 100_000), share(0, 0)
    ('33\xa0%', '&lt;\xa00.1\xa0%', '0\xa0%')
    """
    percent = 100 * part / whole if whole else 0
    if 0 < percent < 0.1:
        return "&lt;\N{NO-BREAK SPACE}0.1\N{NO-BREAK SPACE}%"
    return f"{percent:.1f}\N{NO-BREAK SPACE}%" if 0 < percent < 10 else f"{percent:.0f}\N{NO-BREAK SPACE}%"
