"""Text that strangers wrote, as HTML that can hold none of their markup; numbers that people read and programs too."""

from __future__ import annotations

from html import escape

from fasturl.logs.shown import visible

# A longer key is cut: a path may have millions of octets.
_MOST = 300


def safe(text: str | bytes) -> str:
    r"""The text as characters of a page, in content or in an attribute: no control, no markup, nothing that reorders.

    >>> safe(b'<script>\x00"\xff')
    '&lt;script&gt;\\x00&quot;\\xff'
    """
    seen = visible(text[: 4 * _MOST + 8])  # a character has four octets at most
    return escape(seen if len(seen) <= _MOST else seen[:_MOST] + "…", quote=True)


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
