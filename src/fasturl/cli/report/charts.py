"""The charts of a report: requests, bytes and findings over time. They contain no text of a log.

They are static SVG: no script, no external font, light and dark by style.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from html import escape
from typing import Any

from fasturl import Finding
from fasturl.cli.inputs import plural
from fasturl.cli.summary import MALFORMED, FoundThen, Moment
from fasturl.cli.summary.tables import STEPS
from fasturl.logs.columns import HAZARDS

FONT = "system-ui, sans-serif"
INK, FAINT, GRID = "#1f2933", "#52606d", "#dde3e8"
TEAL, BLUE, AMBER, RED, GREY = "#00796b", "#3b6fb6", "#b7791f", "#b3264a", "#7b8794"
# Maps the light colours, in which charts are drawn and printed, to the dark ones.
_DARK = ("#e4e7eb", "#a9b8c6", "#3a4552", "#4db6ac", "#82aaff", "#ecc15e", "#ff7d9c", "#9aa5b1")
DARK = dict(zip((INK, FAINT, GRID, TEAL, BLUE, AMBER, RED, GREY), _DARK, strict=True))


def dark_style(within: str = "") -> str:
    """Return style rules that map the light colours to the dark ones; `within` selects the parent of the charts."""
    pairs = ((what, *colours) for colours in DARK.items() for what in ("fill", "stroke"))
    rules = (f'{within}[{what}="{light}"]{{{what}:{dark}}}' for what, light, dark in pairs)
    return f"@media screen and (prefers-color-scheme:dark){{{''.join(rules)}}}"


def drawn(chart: Any, title: str, description: str = "") -> str:
    """Return a chart as an SVG element, with a title and, if there is one, a description for screen readers.

    Neither the SVG nor the chart's data may name external resources.
    """
    import vl_convert

    axis = dict.fromkeys(("labelColor", "titleColor"), FAINT) | {"titleFontWeight": "normal", "labelFontSize": 12}
    axis |= dict.fromkeys(("gridColor", "domainColor", "tickColor"), GRID)
    legend = {"labelColor": INK, "titleColor": FAINT, "labelFontSize": 12, "orient": "top", "symbolType": "square"}
    styled = chart.configure(
        background="transparent",
        font=FONT,
        axis=axis,
        legend=legend | {"title": None},
        view={"stroke": None},
        padding=4,
    ).configure_text(color=INK)
    svg: str = vl_convert.vegalite_to_svg(styled.to_dict(), allowed_base_urls=[])
    found = re.search(r'<svg[^>]* viewBox="([\d. ]+)"[^>]*>(.*)</svg>', svg, re.DOTALL)
    assert found
    inner = re.sub(r'\s+(?:aria-\w+|role|tabindex|class)="[^"]*"', "", found[2])
    width, height = found[1].split()[2:]
    described = f"<desc>{escape(description)}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{found[1]}" width="{width}" height="{height}" role="img">'
        f"<title>{escape(title)}</title>{described}{inner}</svg>"
    )


_STYLE = """
:root{--ink:#1f2933;--faint:#52606d;--page:#fff;--card:#f3f6f6;--edge:#dde3e8;--bar:#cfe8e4;--strip:#7fbfb5;--link:#00695c;--bad:#9f1239}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4e7eb;--faint:#a9b8c6;--page:#171c23;--card:#212832;
--edge:#3a4552;--bar:#1d4742;--strip:#2f7a70;--link:#4db6ac;--bad:#ff9db3}}
*{box-sizing:border-box}
html{color-scheme:light dark}
body{margin:0 auto;max-width:1080px;padding:16px 20px 60px;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .2em;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.2em 0 .5em;padding-top:.4em;border-top:1px solid var(--edge)}
#failed h2{margin-top:.6em;border:0;padding:0}#failed caption{margin-top:.4em}
h3{font-size:1rem;margin:1.4em 0 .3em}
p{margin:.4em 0}
a{color:var(--link)}
.faint{color:var(--faint);font-size:.87rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:10px;margin:12px 0}
.cards div{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:6px 12px}
.cards b{display:block;font-size:1.35rem;font-weight:600;line-height:1.3}
.cards span{color:var(--faint);font-size:.82rem}
.tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:6px 36px}
table{width:100%;border-collapse:collapse;font-size:.87rem}
caption{text-align:left;font-weight:600;font-size:1rem;margin:1.4em 0 .3em}
thead th{font-weight:400;color:var(--faint);text-align:right;padding:3px 0 3px 12px;
border-bottom:1px solid var(--edge)}
thead th:first-child{width:100%;text-align:left;padding-left:6px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:.8em 0 0;padding:0;font-size:.9rem}
#box-agent{grid-column:1/-1}
td{padding:3px 0 3px 12px;text-align:right;vertical-align:top;white-space:nowrap;font-variant-numeric:tabular-nums;
border-bottom:1px solid var(--edge)}
td.text{text-align:left;white-space:normal;overflow-wrap:anywhere}
th.client,td.client{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:8.5em}
svg.strip{display:block;width:110px;height:12px;margin:4px 0 0 auto;fill:var(--strip)}.mark{fill:var(--link)}
.bad{color:var(--bad)}
#referer_finding thead th:first-child{width:auto}#referer_finding th:last-child{width:100%;text-align:left}
#referer_finding tbody th{white-space:nowrap}
tbody th{font-weight:400;text-align:left;vertical-align:top;overflow-wrap:anywhere;padding:3px 6px;
border-bottom:1px solid var(--edge);background:linear-gradient(var(--bar),var(--bar)) no-repeat 0 0/0 100%;
-webkit-print-color-adjust:exact;
print-color-adjust:exact}
.rejects code{display:block;overflow-wrap:anywhere;padding:2px 0}
code,tbody th{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.82rem}
.chart svg{display:block;width:100%;height:auto}
.narrow{display:none}
.finding{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:2px 14px 12px;margin:12px 0}
.finding code{display:block;overflow-wrap:anywhere;padding:2px 0}
.hazard h3{color:var(--bad)}
.where{unicode-bidi:isolate;color:var(--faint);font-family:system-ui,sans-serif}
@media screen and (max-width:640px){.wide{display:none}.narrow{display:block}body{padding:16px 14px 40px}
.first,.last,.clients,.p50,.p99,.requests,.worse,#duration .count{display:none}svg.strip{width:80px}
td.both{white-space:normal}.both data{white-space:nowrap}}
@page{margin:14mm}
@media print{html{font-size:13px}body{max-width:none;padding:0;font-size:9.5pt}
.finding,.cards div,tr,svg{break-inside:avoid}
h2,h3,caption,thead,tbody tr:nth-child(-n+3):not(:last-child){break-after:avoid}
tbody tr:nth-last-child(-n+3):not(:first-child){break-before:avoid}thead{display:table-header-group}nav{display:none}
.tables{grid-template-columns:1fr 1fr;gap:0 28px}
.chart,#counted{break-inside:avoid}h2{margin-top:1.2em}h2+p:not(:last-child),h3+p:not(:last-child){break-after:avoid}
.narrow{display:none}.wide{display:block}a{color:inherit}}
"""


def style() -> str:
    """Return the style sheet of the page: light or dark, for a phone, a desk or paper."""
    return _STYLE.replace("\n", "") + dark_style(".chart ")


# Labels of the time axis: the time, or the date at midnight; else the day, once, or the month, or the year.
_DAY = "utcFormat(datum.value, '%-d %b')"
_MONTH = "utcFormat(datum.value, '%b %Y')"
_IN_DAY = "utchours(datum.value) || utcminutes(datum.value)"
_TIME = f"{_IN_DAY} ? utcFormat(datum.value, '%H:%M') : {_DAY}"
_LABELS = {"day": f"{_IN_DAY} ? '' : {_DAY}", "month": _MONTH, "year": "utcFormat(datum.value, '%Y')"}
# Days that the labels of days cover without the year.
_MAX_DAYS_WITHOUT_YEAR = timedelta(days=90)
_BYTES = (
    "datum.value < 1000 ? datum.value ? datum.value + ' bytes' : '0' : "
    "replace(format(datum.value, '~s'), regexp('([a-zA-Z])$'), ' $1B')"
)
# Widths of the plot, for a desk and for a phone. The page shows the one that fits.
WIDTHS = {"wide": 780, "narrow": 290}
MAX_BARS = 120
CLASSES = {"2xx": TEAL, "3xx": BLUE, "4xx": AMBER, "5xx": RED, "other": GREY}
# The lengths of bars. Months and years have at least this length.
_LENGTHS = {name: timedelta(minutes=length) for name, length in STEPS.items()}
_LENGTHS |= {"month": timedelta(days=28), "year": timedelta(days=365)}
# What the starts of long bars have.
_STARTS: dict[str, Any] = {"month": {"day": 1}, "year": {"day": 1, "month": 1}}


@dataclass(frozen=True)
class Steps:
    """The bars of the time axis."""

    name: str  # one of _LENGTHS
    first: datetime
    last: datetime  # start of the last bar

    @property
    def words(self) -> str:
        return self.name.replace("min", " minutes") if self.name[0].isdigit() else self.name

    def start(self, moment: datetime) -> datetime:
        return moment.replace(**_STARTS.get(self.name, {}))

    def after(self, start: datetime) -> datetime:
        length = _LENGTHS[self.name]
        try:
            return start + length if self.name in STEPS else self.start(start + length + timedelta(days=4))
        except OverflowError:  # after the end of the year 9999
            return datetime.max.replace(tzinfo=UTC)

    def when(self, start: datetime) -> str:
        """Return the start of a bar in words."""
        return f"{start.day} {start:%B} {start.year}" + ("" if self.name in ("day", *_STARTS) else f", {start:%H:%M}")


def steps_of(step: str, starts: Iterable[datetime | None]) -> Steps | None:
    """Return bars of this step of the summary, or of months or years if days are too many; None without a time."""
    known = sorted(start for start in starts if start is not None)
    steps = None
    for name in (step, *_STARTS) if known else ():
        steps = Steps(name, known[0], known[-1])
        steps = Steps(name, steps.start(known[0]), steps.start(known[-1]))
        if step != "day" or steps.last - steps.first < MAX_BARS * _LENGTHS[name]:
            break
    return steps


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _place(steps: Steps, start: datetime) -> dict[str, int]:
    """Return the start and end of a bar, with a gap to the next bar."""
    first, after = _milliseconds(start), _milliseconds(steps.after(start))
    gap = (after - first) // 12
    return {"from": first + gap, "to": after - gap}


def _time_axis(steps: Steps, width: str) -> Any:
    import altair as alt

    domain = [_milliseconds(steps.first), _milliseconds(steps.after(steps.last))]
    scale = alt.Scale(type="utc", domain=domain, nice=False)
    labels = _LABELS.get(steps.name, _TIME)
    if steps.name == "day" and steps.last - steps.first > _MAX_DAYS_WITHOUT_YEAR:
        labels = _MONTH
    # Labels with a year need more room, and the reader's font may be wider than the one that measures here.
    ticks = (6 if labels == _MONTH else 9) if width == "wide" else 3
    axis = alt.Axis(grid=False, tickCount=ticks, labelOverlap="greedy", labelSeparation=16, labelExpr=labels)
    return alt.X("from:T", scale=scale, title=None, axis=axis)


def _bar_rows(moments: Sequence[Moment], steps: Steps, what: str) -> list[dict[str, Any]]:
    """Return one row per bar, with its status class and its lower and upper end."""
    sums: dict[datetime, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for moment in moments:
        if moment.start is not None:
            name = f"{moment.status_class}xx" if moment.status_class in (2, 3, 4, 5) else "other"
            sums[steps.start(moment.start)][name] += getattr(moment, what)
    rows = []
    for start, by_class in sorted(sums.items()):
        low = 0
        for name in CLASSES:
            if by_class[name]:
                high = low + by_class[name]
                # A number of JSON has at most 64 bits, and a forged log may send more bytes.
                rows.append({**_place(steps, start), "class": name, "low": float(low), "high": float(high)})
                low = high
    return rows


def _by_bar(moments: Sequence[Moment], steps: Steps, what: str) -> Counter[datetime]:
    sums: Counter[datetime] = Counter()
    for moment in moments:
        if moment.start is not None:
            sums[steps.start(moment.start)] += getattr(moment, what)
    return sums


def failures(moments: Sequence[Moment]) -> list[Moment]:
    return [moment for moment in moments if moment.status_class == 5]


def worst(moments: Sequence[Moment], steps: Steps) -> tuple[datetime, int] | None:
    """Return the bar with the most answers of 5xx and their number; None without any."""
    return max(_by_bar(failures(moments), steps, "count").items(), key=lambda item: item[1], default=None)


def _description(moments: Sequence[Moment], steps: Steps, what: str) -> str:
    """Return the total of a chart, its peak, and the bar with the most answers of 5xx, in words."""
    tops, unit = _by_bar(moments, steps, what), "byte" if what == "size" else "request"
    peak, most = max(tops.items(), key=lambda item: item[1])
    words = f"Total {plural(tops.total(), unit)}. Peak: {most:,} in the {steps.words} from {steps.when(peak)}."
    if found := worst(moments, steps):
        words += f" Worst {steps.words}: {steps.when(found[0])}, with {plural(found[1], 'answer')} of 5xx."
    return words


def over_time(moments: Sequence[Moment], steps: Steps, what: str, title: str) -> dict[str, str]:
    """Return the chart of requests (`what` is "count") or bytes ("size") by time and status class, for each width.

    title : its title; its description names the peak, the total and the time with most answers of 5xx
    """
    import altair as alt

    rows = _bar_rows(moments, steps, what)
    present = [name for name in CLASSES if any(row["class"] == name for row in rows)]
    colours = [CLASSES[name] for name in present]
    labels = {"labelExpr": _BYTES} if what == "size" else {"format": "~s", "tickMinStep": 1}
    # One class of errors is a small chart, whose title names it.
    legend, height = (None, 90) if present == ["5xx"] else (alt.Undefined, 170)
    bars = alt.Chart(alt.Data(values=rows)).mark_bar().encode(
        x2="to:T",
        y=alt.Y("low:Q", title=None, axis=alt.Axis(tickCount=4, minExtent=52, **labels)),
        y2="high:Q",
        color=alt.Color("class:N", scale=alt.Scale(domain=present, range=colours), legend=legend),
    )  # fmt: skip
    return _in_widths(bars, steps, height, title, _description(moments, steps, what))


def _in_widths(chart: Any, steps: Steps, height: int, title: str, description: str, room: int = 0) -> dict[str, str]:
    """Return a chart for each width of the page; `room` is what its labels take beyond those of other charts."""
    return {
        name: drawn(
            chart.encode(x=_time_axis(steps, name)).properties(width=width - room, height=height), title, description
        )
        for name, width in WIDTHS.items()
    }


def findings_over_time(found: Sequence[FoundThen], steps: Steps, title: str) -> dict[str, str]:
    """Return the chart of findings, for each width: one row per finding, with a stronger colour for more of it."""
    import altair as alt

    sums: dict[tuple[str, datetime], int] = defaultdict(int)
    for then in found:
        if then.start is not None:
            sums[then.finding, steps.start(then.start)] += then.count
    there = {name for name, _ in sums}
    names = [name for name in (MALFORMED, *(str(finding.name) for finding in Finding)) if name in there]
    most = {name: max(count for (other, _), count in sums.items() if other == name) for name in names}
    rows = [
        {
            **_place(steps, start),
            "finding": name,
            "strength": 0.2 + 0.8 * (count / most[name]) ** 0.5,
            "kind": "hazard" if name in HAZARDS else "violation",
        }
        for (name, start), count in sums.items()
    ]
    kinds = [kind for kind in ("hazard", "violation") if any(row["kind"] == kind for row in rows)]
    colours = [{"hazard": RED, "violation": AMBER}[kind] for kind in kinds]
    # The reader's font may be wider than the font that measures labels here.
    room = max(42, max(map(len, names)) * 8)
    axis = alt.Axis(grid=True, labelLimit=300, minExtent=room)
    marks = alt.Chart(alt.Data(values=rows)).mark_bar(height=14).encode(
        x2="to:T",
        y=alt.Y("finding:N", sort=names, title=None, axis=axis),
        color=alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=colours)),
        opacity=alt.Opacity("strength:Q", scale=None),
    )  # fmt: skip
    description = f"{len(names)} findings, {sum(sums.values()):,} in total."
    return _in_widths(marks, steps, 22 * len(names), title, description, room - 42)


def time_text(moment: datetime, zone: tzinfo | None) -> str:
    """Return a time in words, in a zone or in UTC."""
    try:
        moment = moment.astimezone(zone or UTC)
    except OverflowError:  # at the ends of the years that datetime supports
        pass
    return f"{moment.day} {moment:%B} {moment.year}, {moment:%H:%M:%S}"
