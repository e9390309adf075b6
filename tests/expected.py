"""Expected rows of columns, worked out by the functions of one text."""

from typing import Any

import fasturl
from fasturl import schemes
from fasturl.arrow import FIELDS


def bytes_of(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def parsed(text: str | bytes | None, form: str = "url") -> dict[str, Any]:
    """Return a row of fasturl.arrow.parse for this text, with texts as bytes, worked out by fasturl.parse."""
    data = bytes_of(text)
    if text is None or data is None:
        return dict.fromkeys(FIELDS)
    url = fasturl.parse(data, form=form)

    def span(name: str) -> bytes | None:
        found = url.span(name)
        return None if found is None else data[found[0] : found[1]]

    row = {name: span(name) for name in ("netloc", "username", "password", "host", "path", "query", "fragment")}
    row["scheme"] = None if url.span("scheme") is None else url.scheme
    row["hostname"] = bytes_of(fasturl.parse(text, form=form).hostname)  # of bytes, only A to Z have a case
    row["host_kind"], row["address_scope"] = fasturl.host_kind(url, form=form), fasturl.address_scope(url, form=form)
    try:
        row["port"] = url.port
    except ValueError:
        row["port"] = None
    row |= {"finding_bits": int(url.findings), "valid_rfc1738": url.valid_rfc1738, "error_offset": url.error_offset}
    row |= {"valid_rfc3986": url.valid_rfc3986, "findings": [str(finding.name) for finding in url.findings]}
    return {name: row[name] for name in FIELDS}


def rows(found: Any) -> list[dict[str, Any]]:
    """Return the rows of a batch or a table, with texts as bytes."""

    def in_bytes(value: Any) -> Any:
        return bytes_of(value) if isinstance(value, str) else value

    return [{name: in_bytes(value) for name, value in row.items()} for row in found.to_pylist()]


def joined(url: Any, base: str | bytes) -> Any:
    """Return urljoin's answer, or None if it refuses the URL."""
    if url is None:
        return None
    base = base if isinstance(base, str) else base.decode("utf-8", "surrogateescape")
    text = url.decode("utf-8", "surrogateescape") if isinstance(url, bytes) else url
    try:
        found = fasturl.urljoin(base, text)
    except ValueError:
        return None
    return found.encode("utf-8", "surrogateescape") if isinstance(url, bytes) else found


def of_pair(name: str, url: Any, other: Any) -> Any:
    """Return the answer of a function of two columns for one row."""
    if url is None or other is None:
        return None
    return joined(url, other) if name == "urljoin" else getattr(fasturl, name)(url, other)


def problems_of(url: str | bytes, form: Any = "url") -> list[dict[str, int]]:
    """Return the problems with spans in bytes."""
    found = fasturl.problems(url.encode() if isinstance(url, str) else url, form=form)
    return [{"finding": int(one.finding), "start": one.start, "end": one.end} for one in found]


def decomposed(url: str | bytes | None, scheme: str) -> Any:
    """Return the parts of a URL of this scheme, or of "generic" ones, as Arrow has them."""
    if url is None:
        return None
    parts = fasturl.decompose(url, strict=False)
    cls = schemes.Generic if scheme == "generic" else schemes.base.dataclass_of(scheme)
    if type(parts) is not cls:
        return None
    return {name: _as_arrow(getattr(parts, name), isinstance(url, bytes)) for name in parts.__dataclass_fields__}


def _as_arrow(value: Any, binary: bool) -> Any:
    if isinstance(value, str):
        data = value.encode("utf-8", "surrogateescape")
        return data if binary else data.decode("utf-8", "replace")
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            if not isinstance(value[0][1], str):
                return [{"host": _as_arrow(host, binary), "port": port} for host, port in value]
            return [{"name": _as_arrow(a, binary), "value": _as_arrow(b, binary)} for a, b in value]
        return [_as_arrow(item, binary) for item in value]
    return None if isinstance(value, int) and value >= 1 << 64 else value
