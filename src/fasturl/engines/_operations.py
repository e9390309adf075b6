"""What every engine offers on a column of URLs, said once: from an Arrow column to an Arrow column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import pyarrow as pa

from fasturl import arrow

Column: TypeAlias = pa.Array | pa.ChunkedArray
Result = TypeVar("Result")

_OCTETS_A_PIECE = 1 << 30  # so that a part of each URL in a piece, copied, fits 32-bit offsets


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of a column, which can be sent to another process, and the type of what it gives.

    kind : None where that is text, str or octets as the column is
    """

    function: Callable[..., Column]
    kind: pa.DataType | None

    def __call__(self, column: Column, *, copied: bool = False, threads: int | None = None) -> Column:
        """Apply it. copied: give plain string or binary arrays, not views, for engines that read no views."""
        found = self.function(column, threads=threads)
        return _plain(found) if copied or pa.types.is_dictionary(found.type) else found


def _plain(column: Column) -> Column:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type == pa.string_view():
        return column.cast(pa.string())
    if column.type == pa.binary_view():
        return column.cast(pa.binary())
    return column


def schema(fields: Sequence[str], form: str, *, binary: bool = False) -> pa.Schema:
    """The schema of a parse, copied; ValueError for what is no field or form, before any row is read."""
    arrow.parse(pa.array([], pa.string()), fields, form=form)
    return arrow.schema(fields, binary=binary, strings="string")


def is_binary(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return is_binary(kind.value_type)
    return bool(kind in (pa.binary(), pa.large_binary(), pa.binary_view()) or pa.types.is_fixed_size_binary(kind))


@lru_cache(maxsize=64)  # engines ask again for each batch of theirs, which may hold few rows
def field(name: str, form: str) -> Operation:
    kind = schema([name], form).field(0).type
    return Operation(partial(_field, name=name, form=form), None if kind == pa.string() else kind)


def _field(column: Column, *, name: str, form: str, threads: int | None) -> Column:
    return arrow.parse(column, [name], form=form, threads=threads).column(0)


@lru_cache(maxsize=64)
def struct(fields: tuple[str, ...], form: str, *, copied: bool) -> Operation:
    """A struct of the fields for each row, null where the URL is."""
    return Operation(partial(_struct, fields=fields, form=form, copied=copied), pa.struct(schema(fields, form)))


def _struct(
    column: Column, *, fields: Sequence[str], form: str, copied: bool, threads: int | None
) -> pa.ChunkedArray | pa.StructArray:
    chunked = isinstance(column, pa.ChunkedArray)
    texts = pa.chunked_array([chunk for chunk in column.chunks if len(chunk)], column.type) if chunked else column
    strings: Literal["view", "string"] = "string" if copied else "view"
    found = arrow.parse(texts, fields, form=form, threads=threads, strings=strings)
    if not isinstance(texts, pa.ChunkedArray):
        return _struct_of(found, texts)
    pairs = zip(found.to_batches(), texts.chunks, strict=True)
    return pa.chunked_array([_struct_of(batch, chunk) for batch, chunk in pairs], pa.struct(found.schema))


def _struct_of(batch: pa.RecordBatch, given: pa.Array) -> pa.StructArray:
    absent = given.is_null() if given.null_count else None
    return pa.StructArray.from_arrays(batch.columns, fields=list(batch.schema), mask=absent)


def _call(column: Column, *, name: str, arguments: tuple[Any, ...], threads: int | None) -> Column:
    """Apply a function of fasturl.arrow that gives a column like the one given."""
    if is_binary(column.type):  # of which a plan may know nothing when it is made
        arguments = tuple(value.encode() if isinstance(value, str) else value for value in arguments)
    found: Column = getattr(arrow, name)(column, *arguments, threads=threads)
    return found


def function(name: str, *arguments: Any) -> Operation:
    return Operation(partial(_call, name=name, arguments=arguments), None)


class Shortcuts(ABC, Generic[Result]):
    """The methods of a namespace ``.url`` that give one column: an engine says how one operation is applied."""

    @abstractmethod
    def _apply(self, operation: Operation) -> Result: ...

    def scheme(self, *, form: str = "url") -> Result:
        """The scheme in lower case; null where there is none."""
        return self._apply(field("scheme", form))

    def netloc(self, *, form: str = "url") -> Result:
        """What stands between ``//`` and the path, as written; null where there is no ``//``."""
        return self._apply(field("netloc", form))

    def username(self, *, form: str = "url") -> Result:
        """The user, as written; null where there is no ``@``."""
        return self._apply(field("username", form))

    def password(self, *, form: str = "url") -> Result:
        """The password, as written; null where there is none."""
        return self._apply(field("password", form))

    def host(self, *, form: str = "url") -> Result:
        """The host, as written, without brackets; null where there is none."""
        return self._apply(field("host", form))

    def hostname(self, *, form: str = "url") -> Result:
        """The host in lower case, as urlsplit's ``hostname``."""
        return self._apply(field("hostname", form))

    def port(self, *, form: str = "url") -> Result:
        """The port as a number; null where there is none, or none below 65536."""
        return self._apply(field("port", form))

    def path(self, *, form: str = "url") -> Result:
        """The path, as written; never null where there is a URL."""
        return self._apply(field("path", form))

    def query(self, *, form: str = "url") -> Result:
        """What follows ``?``, as written; null where there is no ``?``."""
        return self._apply(field("query", form))

    def fragment(self, *, form: str = "url") -> Result:
        """What follows ``#``, as written; null where there is no ``#``."""
        return self._apply(field("fragment", form))

    def findings(self, *, form: str = "url") -> Result:
        """What is wrong or risky, as the bits of ``fasturl.Finding``."""
        return self._apply(field("findings", form))

    def valid(self, *, form: str = "url") -> Result:
        """Whether RFC 1738, section 5, derives the URL."""
        return self._apply(field("valid", form))

    def error_offset(self, *, form: str = "url") -> Result:
        """The octet at which the first violation is; null where there is none."""
        return self._apply(field("error_offset", form))

    def quote(self, safe: str = "/") -> Result:
        """Escape, as ``fasturl.quote``."""
        return self._apply(function("quote", safe))

    def unquote(self) -> Result:
        """Undo escapes, as ``fasturl.unquote``."""
        return self._apply(function("unquote"))

    def query_value(self, name: str, default: str | None = None) -> Result:
        """The first value of this name in the query, decoded; default where there is none."""
        return self._apply(function("query_value", name, default))

    def normalize(self) -> Result:
        """One spelling for URLs that mean the same, as ``fasturl.normalize``."""
        return self._apply(function("normalize"))

    def redact(self, keys: str | Iterable[str] = ()) -> Result:
        """``***`` for passwords and the values of these names in the query, as ``fasturl.redact``."""
        return self._apply(function("redact", (keys,) if isinstance(keys, str) else tuple(keys)))


def bounded(column: Column) -> pa.ChunkedArray:
    """The column in chunks of at most 2**30 octets (a chunk of views, or of one row, stays whole)."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return pa.chunked_array([piece for chunk in chunks for piece in _halves(chunk)], column.type)


def _halves(array: pa.Array) -> Iterator[pa.Array]:
    if len(array) < 2 or array.type in (pa.string_view(), pa.binary_view()) or array.nbytes <= _OCTETS_A_PIECE:
        yield array
    else:
        middle = len(array) // 2
        yield from _halves(array.slice(0, middle))
        yield from _halves(array.slice(middle))


def added(columns: Sequence[str], column: str, names: Sequence[str], prefix: str) -> list[str]:
    """What the new columns of a table are called; ValueError where it has no such column, or has such a name."""
    if column not in columns:
        raise ValueError(f"there is no column {column!r}: expected one of {', '.join(map(repr, columns))}")
    have = {name.lower() for name in columns}  # SQL does not tell u from U
    taken = [prefix + name for name in names if (prefix + name).lower() in have]
    if taken:
        raise ValueError(f"there are columns of these names already, give a prefix: {', '.join(taken)}")
    return [prefix + name for name in names]
