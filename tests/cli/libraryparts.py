"""What rows must say of URLs, asked of `fasturl.parse` part by part."""

from typing import Any

import fasturl as library

PARTS = ("scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment")
COLUMNS = ["file", "line", "field", "url", *PARTS, "valid", "findings", "error_offset"]


def parts_by_the_library(text: bytes, form: str = "url") -> dict[str, Any]:
    """The values of a URL's columns but the first three, texts as octets."""
    url = library.parse(text, form=form)

    def part(name: str) -> bytes | None:
        span = url.span(name)
        return None if span is None else text[slice(*span)]

    try:
        port = url.port
    except ValueError:
        port = None
    return {
        "url": text,
        "scheme": url.scheme or None,
        **{name: part(name) for name in PARTS if name not in ("scheme", "port")},
        "port": port,
        "valid": url.valid,
        "findings": [f.name for f in library.Finding if f.value.bit_count() == 1 and f in url.findings],
        "error_offset": url.error_offset,
    }


def as_octets(row: dict[str, Any]) -> dict[str, Any]:
    """A JSON row with its strings as the octets they stand for."""
    return {
        key: value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value for key, value in row.items()
    }
