"""Altair's charts as static SVG: no script, no font from elsewhere, light and dark by style alone."""

from __future__ import annotations

import re
from typing import Any

FONT = "system-ui, sans-serif"
INK, FAINT, GRID = "#1f2933", "#52606d", "#dde3e8"
TEAL, BLUE, AMBER, RED, GREY = "#00796b", "#3b6fb6", "#b7791f", "#b3264a", "#7b8794"
# What each colour is in the dark. Charts are drawn in the light's, which paper has too.
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
    """Style that turns a chart's colours to those of the dark; `within` is the selector of what holds the charts."""
    rules = (
        f'{within}[{what}="{light}"]{{{what}:{dark}}}' for light, dark in DARK.items() for what in ("fill", "stroke")
    )
    return f"@media screen and (prefers-color-scheme:dark){{{''.join(rules)}}}"


def drawn(chart: Any, told: str) -> str:
    """A chart as an SVG element of the page; `told` is what it shows, for who cannot see it.

    It names no resource, and what it is drawn of may name none either.
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
    # The words for a reader who cannot see stand once, before all that is drawn.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size[1]}" width="{width}" height="{height}" role="img">'
        f"<title>{told}</title>{inner}</svg>"
    )
