"""Draw the pictures for the pages as SVG. When you change a picture here, run `python docs/hooks/pictures.py`.

The pictures need no script and no font. They follow the reader's light or dark theme.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

IMAGES = Path(__file__).resolve().parents[1] / "images"
STYLE = """
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #1f2933; }
.word { font-family: system-ui, sans-serif; } .small { font-size: 11px; fill: #52606d; } .strong { font-weight: 600; }
.box { fill: #f0f4f4; stroke: #829ab1; } .main { fill: #d7efec; stroke: #00695c; } .set { fill: #00695c; }
.clear { fill: none; stroke: #cbd2d9; }
.line { stroke: #52606d; fill: none; stroke-width: 1.5; } .head { fill: #52606d; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e7eb; } .small { fill: #9fb3c8; } .box { fill: #252a34; stroke: #627d98; }
.main { fill: #12403b; stroke: #4db6ac; } .set { fill: #4db6ac; } .clear { stroke: #3e4c59; }
.line { stroke: #9fb3c8; } .head { fill: #9fb3c8; }
}
"""
URL = "http://www.shop.example:8080/cart/items.html?id=7&note=a%20b#top"


def text(x: float, y: float, what: str, kind: str = "word", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}" xml:space="preserve">{escape(what)}</text>'


def box(x: float, y: float, width: float, lines: tuple[str, ...], kind: str = "box") -> list[str]:
    """Draw a box with a bold first line and small further lines."""
    height = 20 + 16 * len(lines)
    drawn = [f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" rx="6" class="{kind}"/>']
    for row, line in enumerate(lines):
        drawn.append(text(x + width / 2, y + 23 + 16 * row, line, "word small" if row else "word strong", "middle"))
    return drawn


def arrow(*points: tuple[float, float]) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" class="line" marker-end="url(#tip)"/>'


def picture(width: int, height: int, told: str, drawn: list[str]) -> str:
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'role="img">',
            f"<title>{escape(told)}</title>",
            f"<style>{STYLE}</style>",
            f'<defs>{tip}<path d="M0 0 8 4 0 8z" class="head"/></marker></defs>',
            *drawn,
            "</svg>\n",
        )
    )


def way_of_the_data() -> str:
    """Draw how a text becomes parts, findings and columns."""
    drawn = box(10, 20, 150, ("text", "str, bytes, Arrow", "columns, log lines"))
    drawn += box(200, 20, 130, ("bytes", "where they are,", "without a copy"))
    drawn += box(370, 20, 160, ("split", "one kernel for", "the processor"), "main")
    drawn += box(570, 20, 150, ("spans", "where each part", "begins and ends"))
    drawn += [arrow((x, 54), (x + 38, 54)) for x in (161, 331, 531)]
    drawn += box(570, 128, 150, ("validate", "only what the split", "has not proven"))
    drawn += box(370, 128, 160, ("findings", "bits, places,", "the first violation"))
    drawn += [arrow((645, 89), (645, 126)), arrow((569, 162), (532, 162))]
    drawn += [arrow((450, 197), (450, 216), (95, 216), (95, 244))]
    drawn += [arrow((450, 216), (x, 216), (x, 244)) for x in (325, 590)]
    drawn += box(10, 246, 170, ("urllib's own results", "_urllib"))
    drawn += box(240, 246, 170, ("URL object", "_fastparse"))
    drawn += box(480, 246, 220, ("columns", "_columns, _accesslog"))
    drawn += [arrow((325, 299), (325, 330)), arrow((590, 299), (590, 316), (515, 316), (515, 330))]
    drawn += [arrow((590, 316), (665, 316), (665, 330))]
    drawn += box(240, 332, 170, ("decompose", "one dataclass per scheme"))
    drawn += box(440, 332, 140, ("engines", "Polars, Spark, …"))
    drawn += box(600, 332, 125, ("command line", "and logs"))
    return picture(735, 400, "The way of the data: text, bytes, split, spans, validation, results", drawn)


def bytes_become_bits() -> str:
    """Draw a block of 64 bytes, and the masks that the kernel computes from it."""
    assert len(URL) == 64
    step, left = 14, 96
    hosts = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    rows = (
        ("colon", lambda c: c == ":"),
        ("slash", lambda c: c == "/"),
        ("qmark", lambda c: c == "?"),
        ("hash", lambda c: c == "#"),
        ("alnum", lambda c: c in hosts),
        ("suspect", lambda c: c in "%#"),
    )
    drawn = [text(left + step * (place + 0.5), 14, str(place), "small", "middle") for place in range(0, 64, 8)]
    drawn += [text(left + step * (i + 0.5), 34, byte, "strong", "middle") for i, byte in enumerate(URL)]
    drawn.append(text(0, 34, "bytes", "word strong"))
    for row, (name, holds) in enumerate(rows):
        y = 46 + 20 * row
        drawn.append(text(0, y + 12, name))
        for i, byte in enumerate(URL):
            kind = "set" if holds(byte) else "clear"
            drawn.append(f'<rect x="{left + step * i + 1}" y="{y}" width="12" height="14" rx="2" class="{kind}"/>')
    y = 46 + 20 * len(rows) + 14
    places = {name: [i for i, byte in enumerate(URL) if holds(byte)] for name, holds in rows}
    netloc = places["colon"][0] + 3
    path = next(place for place in places["slash"] if place >= netloc)
    parts = (
        ("scheme", 0, places["colon"][0]),
        ("netloc", netloc, path),
        ("path", path, places["qmark"][0]),
        ("query", places["qmark"][0] + 1, places["hash"][0]),
        ("frag.", places["hash"][0] + 1, 64),
    )
    drawn.append(text(0, y + 16, "spans", "word strong"))
    for name, start, end in parts:
        x, width = left + step * start, step * (end - start)
        drawn.append(f'<rect x="{x}" y="{y}" width="{width}" height="24" rx="4" class="main"/>')
        drawn.append(text(x + width / 2, y + 16, name, "word small", "middle"))
    return picture(left + step * 64 + 4, y + 34, "64 bytes of a URL, and a row of 64 bits for each kind of byte", drawn)


def steps_of_the_kernels() -> str:
    """Draw how many bytes an instruction reads in each kernel."""
    kernels = (("scalar", 1), ("sse2, neon", 16), ("avx2", 32), ("avx512", 64))
    drawn, left, step = [], 110, 9
    for row, (name, data) in enumerate(kernels):
        y = 8 + 34 * row
        drawn.append(text(0, y + 16, name))
        for start in range(0, 64, data):
            x, width = left + step * start, step * data
            kind = "main" if data > 1 else "clear"
            drawn.append(f'<rect x="{x + 0.5}" y="{y}" width="{width - 1.5}" height="24" rx="3" class="{kind}"/>')
            if data > 1:
                drawn.append(text(x + width / 2, y + 16, f"{data} bytes", "word small", "middle"))
        steps = 64 // data
        drawn.append(text(left + step * 64 + 10, y + 16, f"{steps} step{'s' if steps > 1 else ''}", "word small"))
    return picture(left + step * 64 + 80, 8 + 34 * len(kernels), "One block by kernel: 64, 4, 2 or 1 steps", drawn)


PICTURES = {
    "way-of-the-data.svg": way_of_the_data,
    "bytes-become-bits.svg": bytes_become_bits,
    "steps-of-the-kernels.svg": steps_of_the_kernels,
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        IMAGES.joinpath(name).write_text(draw(), encoding="utf-8")
