"""Decompose a column into structs with the components that a scheme defines."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fasturl._docstrings import documented
from fasturl._quoted import quoted
from fasturl.arrow import compute as pc
from fasturl.arrow.columns_in import as_arrays, is_binary, plain_arrays, spread
from fasturl.arrow.parsing import parse

if TYPE_CHECKING:
    from fasturl.schemes import SchemeParts

_MOST_OF_A_NUMBER = (1 << 64) - 1


@documented(parse)
def decompose(column: Any, scheme: str) -> pa.Array | pa.ChunkedArray:
    """Decompose each URL with a scheme. This is the column form of ``fasturl.decompose``.

    When a URL is invalid, you get the components that can be read, as with ``strict=False``.

    Parameters
    ----------
    scheme : str
        "ftp", "http", "https", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file" or "prospero". "generic"
        selects URLs whose scheme has no class.

    Returns
    -------
    pyarrow.Array or pyarrow.ChunkedArray
        Structs with the fields in the scheme's class in ``fasturl.schemes``. A URL with another scheme is null. Texts
        are decoded, and in text columns invalid UTF-8 becomes U+FFFD. Tuples become lists, and pairs become structs.
        ``port`` is uint16. ``article`` is uint64, or null when the number is too large.

    Raises
    ------
    TypeError
        If the column holds neither text nor bytes.
    ValueError
        If the scheme has no class.

    See Also
    --------
    parse : The column ``findings`` lists the problems in each URL.

    Notes
    -----
    Time: about 0.1 microseconds per valid http or https URL. Each other distinct URL takes about 10 microseconds,
    because it is decomposed in Python. Source: RFC 1738 section 3.

    Examples
    --------
    >>> decompose(["ftp://me@h/a%2Fb/c;type=i", "http://h/"], "ftp").to_pylist()[0]["cwd"]
    ['a/b']
    """
    arrays, kind, chunked = as_arrays(column)
    binary = is_binary(kind)
    cls = _class_of(scheme)
    text = pa.binary() if binary else pa.string()
    target = pa.struct([(field.name, _TYPES[str(field.type)](text)) for field in _fields(cls)])
    results = []
    for rows, indices in plain_arrays(arrays):
        results.append(spread(_taken_apart(rows.array, scheme, cls, target, binary), indices))
    return pa.chunked_array(results, target) if chunked else results[0]


_TYPES: dict[str, Callable[[pa.DataType], pa.DataType]] = {
    "str": lambda text: text,
    "str | None": lambda text: text,
    "int": lambda text: pa.uint16(),
    "int | None": lambda text: pa.uint64(),
    "tuple[str, ...]": lambda text: pa.list_(text),
    "tuple[tuple[str, str], ...]": lambda text: pa.list_(pa.struct([("name", text), ("value", text)])),
    "tuple[tuple[str, str], ...] | None": lambda text: pa.list_(pa.struct([("name", text), ("value", text)])),
    "tuple[tuple[str, int | None], ...]": lambda text: pa.list_(pa.struct([("host", text), ("port", pa.uint16())])),
}


def _fields(cls: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(cls)


def schemes() -> list[str]:
    """Return one scheme for each set of fields. For example, https is omitted because http has the same fields."""
    from fasturl.schemes import registered

    return [name for name, scheme in registered().items() if scheme.shape in (name, "custom") and _has_columns(name)]


def _has_columns(scheme: str) -> bool:
    try:
        return scheme.isidentifier() and bool(_class_of(scheme))
    except ValueError:
        return False


def _class_of(scheme: str) -> type[SchemeParts]:
    """Return the class of a scheme. ValueError if it has none, or if a field of the class has no Arrow type."""
    from fasturl.schemes import Generic
    from fasturl.schemes.base import dataclass_of

    cls = Generic if scheme == "generic" else dataclass_of(scheme)
    if cls is Generic and scheme != "generic":
        raise ValueError(f"{quoted(scheme)} has no components of its own: see fasturl.schemes, or take 'generic'")
    if not all(str(field.type) in _TYPES for field in _fields(cls)):
        raise ValueError(f"the components of {quoted(scheme)} are of types that no column here has")
    return cls


def _taken_apart(
    array: pa.Array, scheme: str, cls: type[SchemeParts], target: pa.StructType, binary: bool
) -> pa.StructArray:
    if scheme in ("http", "https"):
        found, is_left = _valid_http(array, scheme, cls, target, binary)
    else:
        found, is_left = pa.nulls(len(array), target), array.is_valid()
        if scheme != "generic":
            is_left = _is_scheme(parse(array, ["scheme"])["scheme"], scheme, binary)
    left = _as_structs(_decompose_rows(array, is_left, cls), target, binary)
    if len(left) in (0, len(array)):
        return left if len(left) else found
    own = pc.subtract(pc.cumulative_sum(pa.repeat(pa.scalar(1, pa.int64()), len(array))), 1)
    behind = pc.add(pc.cumulative_sum(is_left.cast(pa.int64())), len(array) - 1)
    return pa.concat_arrays([found, left]).take(pc.if_else(is_left, behind, own))


def _valid_http(
    array: pa.Array, scheme: str, cls: type[SchemeParts], target: pa.StructType, binary: bool
) -> tuple[pa.StructArray, pa.Array]:
    """Return structs for the scheme's valid URLs, and a mask for the URLs that must be decomposed one by one.

    If a URL is valid, `parse` has all components, because section 5 allows no login, and no search without a path.
    """
    fields = parse(array, ["scheme", "valid_rfc1738", "host", "port", "path", "query"])
    is_wanted = _is_scheme(fields["scheme"], scheme, binary)
    is_valid = pc.and_(is_wanted, pc.fill_null(fields["valid_rfc1738"], False))
    path = fields["path"]
    path = pc.if_else(pc.starts_with(path, "/"), path, pa.scalar(None, path.type))
    bare = pc.binary_replace_slice(path.view(pa.binary()), 0, 1, b"").view(path.type)  # The slash is one byte.
    columns = {
        "host": fields["host"],
        "port": pc.fill_null(fields["port"], cls.default_port),
        "path": bare,
        "search": fields["query"],
    }
    parts = [columns[field.name] for field in target]
    found = pa.StructArray.from_arrays(parts, fields=list(target), mask=pc.invert(is_valid))
    return found, pc.and_not(is_wanted, is_valid)


def _is_scheme(schemes: pa.Array, scheme: str, binary: bool) -> pa.Array:
    return pc.fill_null(pc.equal(schemes, scheme.encode() if binary else scheme), False)


def _decompose_rows(array: pa.Array, is_wanted: pa.Array, cls: type[SchemeParts]) -> list[SchemeParts | None]:
    """Decompose the selected rows. Return None for rows of another class."""
    from fasturl.schemes import decompose as decompose_one

    found: list[SchemeParts | None] = []
    for row in pc.indices_nonzero(is_wanted).to_pylist():
        parts = decompose_one(array[row].as_py(), strict=False)
        found.append(parts if type(parts) is cls else None)
    return found


def _as_structs(found: list[SchemeParts | None], target: pa.StructType, binary: bool) -> pa.Array:
    to_value = _bytes if binary else _text
    columns = [
        pa.array([None if parts is None else to_value(getattr(parts, field.name)) for parts in found], field.type)
        for field in target
    ]
    absent = pa.array([parts is None for parts in found], pa.bool_())
    return pa.StructArray.from_arrays(columns, fields=list(target), mask=absent)


def _bytes(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    return _to_structs(value, _bytes)


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return _to_structs(value, _text)


def _to_structs(value: Any, convert: Callable[[Any], Any]) -> Any:
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple) and not isinstance(value[0][1], str):
            return [{"host": convert(host), "port": port} for host, port in value]
        if value and isinstance(value[0], tuple):
            return [{"name": convert(name), "value": convert(other)} for name, other in value]
        return [convert(item) for item in value]
    return None if isinstance(value, int) and value > _MOST_OF_A_NUMBER else value
