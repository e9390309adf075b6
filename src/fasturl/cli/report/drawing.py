"""Colours, style sheet and static SVG charts of a report: no script, no external font, light and dark by style."""

from __future__ import annotations

import re
from html import escape
from typing import Any

FONT = "system-ui, sans-serif"
INK, FAINT, GRID = "#1f2933", "#52606d", "#dde3e8"
TEAL, BLUE, AMBER, RED, GREY = "#00796b", "#3b6fb6", "#b7791f", "#b3264a", "#7b8794"
# Maps the light colours, in which charts are drawn and printed, to the dark ones.
DARK = {
    INK: "#e4e7eb",
    FAINT: "#a9b8c6",
    GRID: "#3a4552",
    TEAL: "#4db6ac",
    BLUE: "#82aaff",
    AMBER: "#ecc15e",
    RED: "#ff7d9c",
    GREY: "#9aa5b1",
}


def dark_style(within: str = "") -> str:
    """Return style rules that map the light colours to the dark ones; `within` selects the parent of the charts."""
    rules = (
        f'{within}[{what}="{light}"]{{{what}:{dark}}}' for light, dark in DARK.items() for what in ("fill", "stroke")
    )
    return f"@media screen and (prefers-color-scheme:dark){{{''.join(rules)}}}"


def drawn(chart: Any, title: str, description: str = "") -> str:
    """Return a chart as an SVG element, with a title and, if there is one, a description for screen readers.

    Neither the SVG nor the chart's data may name external resources.
    """
    import vl_convert

    axis = {
        "labelColor": FAINT,
        "titleColor": FAINT,
        "gridColor": GRID,
        "domainColor": GRID,
        "tickColor": GRID,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
    }
    legend = {
        "labelColor": INK,
        "titleColor": FAINT,
        "orient": "top",
        "title": None,
        "symbolType": "square",
        "labelFontSize": 12,
    }
    styled = chart.configure(
        background="transparent", font=FONT, axis=axis, legend=legend, view={"stroke": None}, padding=4
    ).configure_text(color=INK)
    svg: str = vl_convert.vegalite_to_svg(styled.to_dict(), allowed_base_urls=[])
    size = re.search(r'<svg[^>]* viewBox="([\d. ]+)"', svg)
    body = re.search(r"<svg[^>]*>(.*)</svg>", svg, re.DOTALL)
    assert size and body
    inner = re.sub(r'\s+(?:aria-\w+|role|tabindex|class)="[^"]*"', "", body[1])
    width, height = size[1].split()[2:]
    described = f"<desc>{escape(description)}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size[1]}" width="{width}" height="{height}" role="img">'
        f"<title>{escape(title)}</title>{described}{inner}</svg>"
    )


_STYLE = """
:root{--ink:#1f2933;--faint:#52606d;--page:#fff;--card:#f3f6f6;--edge:#dde3e8;--bar:#cfe8e4;--link:#00695c;--bad:#9f1239}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4e7eb;--faint:#a9b8c6;--page:#171c23;--card:#212832;
--edge:#3a4552;--bar:#1d4742;--link:#4db6ac;--bad:#ff9db3}}
*{box-sizing:border-box}
html{color-scheme:light dark}
body{margin:0 auto;max-width:1080px;padding:24px 20px 60px;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .2em;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.2em 0 .5em;padding-top:.4em;border-top:1px solid var(--edge)}
h3{font-size:1rem;margin:1.4em 0 .3em}
p{margin:.4em 0}
a{color:var(--link)}
.faint{color:var(--faint);font-size:.87rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:10px;margin:18px 0}
.cards div{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:10px 14px}
.cards b{display:block;font-size:1.35rem;font-weight:600;line-height:1.3}
.cards span{color:var(--faint);font-size:.82rem}
.tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:6px 36px}
table{width:100%;border-collapse:collapse;font-size:.87rem}
caption{text-align:left;font-weight:600;font-size:1rem;margin:1.4em 0 .3em}
thead th{font-weight:400;color:var(--faint);text-align:right;padding:3px 0 3px 12px;
border-bottom:1px solid var(--edge)}
thead th:first-child{width:100%;text-align:left;padding-left:6px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:.8em 0 0;padding:0;font-size:.9rem}
#box-agent{grid-column:1/-1}
td{padding:3px 0 3px 12px;text-align:right;vertical-align:top;white-space:nowrap;font-variant-numeric:tabular-nums;
border-bottom:1px solid var(--edge)}
td.text{text-align:left;white-space:normal;overflow-wrap:anywhere}
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
@media (max-width:640px){.wide{display:none}.narrow{display:block}body{padding:16px 14px 40px}}
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
