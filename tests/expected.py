"""Expected rows of columns, worked out by the functions of one text."""

from typing import Any

import fasturl
from fasturl.arrow import FIELDS


def octets_of(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def parsed(octets: bytes | None, form: str = "url") -> dict[str, Any]:
    """Return a row of fasturl.arrow.parse for these bytes, worked out by fasturl.parse."""
    if octets is None:
        return dict.fromkeys(FIELDS)
    url = fasturl.parse(octets, form=form)

    def span(name: str) -> bytes | None:
        found = url.span(name)
        return None if found is None else octets[found[0] : found[1]]

    row = {name: span(name) for name in ("netloc", "username", "password", "host", "path", "query", "fragment")}
    row["scheme"] = None if url.span("scheme") is None else url.scheme
    row["hostname"] = url.hostname
    row["host_kind"], row["address_scope"] = fasturl.host_kind(url, form=form), fasturl.address_scope(url, form=form)
    try:
        row["port"] = url.port
    except ValueError:
        row["port"] = None
    row |= {"findings": int(url.findings), "valid": url.valid, "error_offset": url.error_offset}
    row["valid_3986"] = url.valid_3986
    return {name: row[name] for name in FIELDS}


def rows(found: Any) -> list[dict[str, Any]]:
    """Return the rows of a batch or a table, with texts as bytes."""

    def in_octets(value: Any) -> Any:
        return octets_of(value) if isinstance(value, str) else value

    return [{name: in_octets(value) for name, value in row.items()} for row in found.to_pylist()]
