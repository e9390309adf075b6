"""What every engine offers on a column of URLs, made from the one list of functions in ``fasturl.arrow``.

An ``Operation`` is one function with its arguments, from an Arrow column to an Arrow column; a ``Plan`` is what a parse
gives, a column for each field or function that it names. Both can be sent to another process. ``Shortcuts`` has a
method for each field and each function. A function that is new in the list needs no line here, nor in any engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeAlias, TypeVar

import pyarrow as pa

from fasturl import arrow
from fasturl.engines._shapes import FUNCTIONS, encoded, holds_octets, shape

Column: TypeAlias = pa.Array | pa.ChunkedArray
# Names of fields and of functions; or, by the name that a column is to have, one of them or a function with arguments.
Fields: TypeAlias = Sequence[str] | Mapping[str, "str | tuple[Any, ...]"]
Result = TypeVar("Result")

_OCTETS_A_PIECE = 1 << 30  # so that a part of each URL in a piece, copied, fits 32-bit offsets


@dataclass(frozen=True, slots=True)
class Beside:
    """Another column of the table, where a function of two columns has the second."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A field or a function, with the arguments that follow its columns."""

    name: str
    arguments: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __call__(
        self,
        *columns: Column,
        strings: arrow.Strings = "string",
        threads: int | None = None,
        beside: Callable[[str], Column] | None = None,
    ) -> pa.Array | pa.ChunkedArray:
        """Apply it. strings : as for ``fasturl.arrow.parse``; a dictionary never comes out. beside : the columns of the
        table by name"""
        if self.name in arrow.FIELDS:
            batch = arrow.parse(columns[0], [self.name], threads=threads, strings=strings, **dict(self.options))
            return _plain(batch.column(0))
        how = shape(self.name)
        given, options = list(columns), dict(self.options)
        constants = how.constants(self.arguments)
        for value in self.arguments[:constants]:
            given.append(beside(value.name) if beside and isinstance(value, Beside) else _repeated(value, columns[0]))
        arguments = self.arguments[constants:]
        if is_binary(columns[0].type):  # of which a plan may know nothing when it is made
            arguments, options = encoded(self.name, arguments, options)
        if how.strings:
            options["strings"] = strings
        if how.threads:
            options["threads"] = threads
        return _plain(FUNCTIONS[self.name](*how.placed(given, arguments), **options))

    def kind(self, binary: bool) -> pa.DataType:
        """The type of what it gives for text or for octets, copied; whatever is wrong with the arguments is raised."""
        return _kind(self, binary)

    @property
    def kinds(self) -> tuple[pa.DataType, pa.DataType]:
        """The types for text and for octets; arguments of octets leave the second alone."""
        octets = self.kind(True)
        return (octets if holds_octets((self.arguments, self.options)) else self.kind(False)), octets


@lru_cache(maxsize=256)  # engines ask again for each batch of theirs, which may hold few rows
def _kind(operation: Operation, binary: bool) -> pa.DataType:
    count = 1
    if operation.name not in arrow.FIELDS:
        how = shape(operation.name)
        count = how.columns - how.constants(operation.arguments)
    empty = pa.array([], pa.binary() if binary else pa.string())
    return operation(*[empty] * count, beside=lambda name: empty).type


def _repeated(value: str | bytes, like: Column) -> Column:
    """A text for each row of a column, of text or of octets as that is, in as many chunks."""
    if isinstance(like, pa.ChunkedArray):
        chunks = [_repeated(value, chunk) for chunk in like.chunks]
        return pa.chunked_array(chunks, pa.binary() if is_binary(like.type) else pa.string())
    if is_binary(like.type) and isinstance(value, str):
        value = value.encode()
    return pa.repeat(value, len(like))


def _plain(column: Column) -> Column:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def is_binary(kind: pa.DataType) -> bool:
    """Whether it holds octets; of no text neither.

    >>> is_binary(pa.binary_view()), is_binary(pa.int8())
    (True, False)
    """
    if pa.types.is_dictionary(kind):
        return is_binary(kind.value_type)
    return bool(kind in (pa.binary(), pa.large_binary(), pa.binary_view()) or pa.types.is_fixed_size_binary(kind))


def _frozen(value: Any) -> Any:
    """What can be hashed and iterated again, for a list or a generator."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return tuple(_frozen(one) for one in value)
    return value


def operation(name: str, *arguments: Any, **options: Any) -> Operation:
    """The field or function of this name; ValueError or TypeError for arguments that it does not take.

    >>> operation("query_value", "a")(pa.array(["/?a=1"])).to_pylist()
    ['1']
    """
    made = Operation(name, _frozen(arguments), tuple(sorted((key, _frozen(value)) for key, value in options.items())))
    made.kind(holds_octets((made.arguments, made.options)))
    return made


@dataclass(frozen=True, slots=True)
class Plan:
    """The columns that a parse gives: the fields in one pass, and each function in one of its own.

    columns : the name of each, and the field or the function
    """

    columns: tuple[tuple[str, str | Operation], ...]
    form: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.columns)

    def schema(self, *, binary: bool = False) -> pa.Schema:
        """The names and the types, copied."""
        kinds = [what if isinstance(what, Operation) else Operation(what) for _, what in self.columns]
        return pa.schema([(name, kind.kind(binary)) for name, kind in zip(self.names, kinds, strict=True)])

    def only(self, names: Iterable[str]) -> Plan:
        """Of its columns those of these names, in their own order."""
        wanted = set(names)
        return Plan(tuple(column for column in self.columns if column[0] in wanted), self.form)

    def read(
        self,
        column: Column,
        *,
        strings: arrow.Strings = "string",
        threads: int | None = None,
        beside: Callable[[str], Column] | None = None,
    ) -> pa.RecordBatch | pa.Table:
        """A Table for a ChunkedArray, of as many chunks, and a RecordBatch for an Array. beside : as for Operation"""
        fields = list(dict.fromkeys(what for _, what in self.columns if isinstance(what, str)))
        parsed = arrow.parse(column, fields, form=self.form, threads=threads, strings=strings)
        found = [
            _plain(parsed.column(what))
            if isinstance(what, str)
            else what(column, strings=strings, threads=threads, beside=beside)
            for _, what in self.columns
        ]
        return type(parsed).from_arrays(found, names=list(self.names))

    def structs(self, column: Column, *, strings: arrow.Strings = "string", threads: int | None = None) -> Column:
        """A struct of them for each row, null where the URL is."""
        if not isinstance(column, pa.ChunkedArray):
            return _struct(self.read(column, strings=strings, threads=threads).columns, self.names, column)
        given = pa.chunked_array([chunk for chunk in column.chunks if len(chunk)], column.type)
        found = self.read(given, strings=strings, threads=threads)
        chunks = [
            _struct([values.chunk(i) for values in found.columns], self.names, chunk)
            for i, chunk in enumerate(given.chunks)
        ]
        return pa.chunked_array(chunks, pa.struct(found.schema))


def _struct(columns: Sequence[pa.Array], names: Sequence[str], given: pa.Array) -> pa.StructArray:
    absent = given.is_null() if given.null_count else None
    fields = [pa.field(name, values.type) for name, values in zip(names, columns, strict=True)]
    return pa.StructArray.from_arrays(columns, fields=fields, mask=absent)


def plan(fields: Fields = arrow.DEFAULT_FIELDS, form: str = "url", *, beside: bool = False) -> Plan:
    """What a parse gives for these fields; ValueError for what is no field, function or form, before a row is read.

    beside : whether the engine hands over other columns of the table

    >>> plan({"host": "host", "item": ("query_value", "item")}).schema()
    host: string
    item: string
    """
    if isinstance(fields, str):
        raise TypeError("fields must be names, not one str")
    given = list(fields.items()) if isinstance(fields, Mapping) else [(name, name) for name in fields]
    arrow.parse(pa.array([], pa.string()), [], form=form)  # or ValueError for the form
    if len({name for name, _ in given}) != len(given):
        raise ValueError("a field is named twice")
    return Plan(tuple((name, _column(what, form, beside)) for name, what in given), form)


def _column(what: str | tuple[Any, ...], form: str, beside: bool) -> str | Operation:
    name, *arguments = (what,) if isinstance(what, str) else what
    if name in arrow.FIELDS and not arguments:
        return str(name)
    if name not in FUNCTIONS:
        known = ", ".join((*arrow.FIELDS, *FUNCTIONS))
        raise ValueError(f"unknown field {name!r}: expected some of {known}")
    how = shape(name)
    options = dict(arguments.pop()) if arguments and isinstance(arguments[-1], Mapping) else {}
    if how.constants(arguments) < how.columns - 1:
        raise ValueError(f"{name} of two columns cannot be one of fields: it takes a text to compare each URL with")
    if not beside and any(isinstance(value, Beside) for value in arguments):
        raise ValueError(f"{name}: this parse is handed one column; the function itself takes two")
    if how.form:
        options.setdefault("form", form)
    return operation(name, *arguments, **options)


_SENTENCES = {
    "scheme": "The scheme in lower case; null where there is none.",
    "netloc": "What stands between ``//`` and the path, as written; null where there is no ``//``.",
    "username": "The user, as written; null where there is no ``@``.",
    "password": "The password, as written; null where there is none.",
    "host": "The host, as written, without brackets; null where there is none.",
    "hostname": "The host in lower case, as urlsplit's ``hostname``.",
    "port": "The port as a number; null where there is none, or none below 65536.",
    "path": "The path, as written; never null where there is a URL.",
    "query": "What follows ``?``, as written; null where there is no ``?``.",
    "fragment": "What follows ``#``, as written; null where there is no ``#``.",
    "findings": "What is wrong or risky, as the bits of ``fasturl.Finding``.",
    "valid": "Whether RFC 1738, section 5, derives the URL.",
    "error_offset": "The octet at which the first violation is; null where there is none.",
}


def sentence(name: str) -> str:
    """What a field or a function gives, in a sentence.

    >>> sentence("path_depth")
    "How many segments of each URL's path are not empty."
    """
    if name in arrow.FIELDS:
        return _SENTENCES[name]
    first = " ".join((FUNCTIONS[name].__doc__ or "").partition("\n\n")[0].split())
    return first.partition(": ``")[0].rstrip(".") + "."


class Shortcuts(ABC, Generic[Result]):
    """The methods of a namespace ``.url``: one for each field, ``host(form="url")`` and so on, and one for each
    function of ``fasturl.arrow``, with its arguments. An engine says how one operation is applied.
    """

    @abstractmethod
    def _apply(self, operation: Operation, *others: Any) -> Result:
        """others : for a function of several columns, those after the one that the namespace is of"""


def _method(name: str) -> Callable[..., Any]:
    def method(self: Shortcuts[Any], *arguments: Any, **options: Any) -> Any:
        if name in arrow.FIELDS:
            if arguments:
                raise TypeError(f"{name}() takes form= alone")
            return self._apply(operation(name, **options))
        others, rest = shape(name).divided(arguments)
        return self._apply(operation(name, *rest, **options), *others)

    method.__name__ = name
    method.__qualname__ = f"Shortcuts.{name}"
    method.__doc__ = sentence(name) if name in arrow.FIELDS else f"{sentence(name)} As ``fasturl.arrow.{name}``."
    return method


for _name in (*arrow.FIELDS, *FUNCTIONS):
    setattr(Shortcuts, _name, _method(_name))


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


def column_of(columns: Sequence[str], column: str, *, case: bool = True) -> str:
    """The column of this name as the table spells it; ValueError where there is none.

    case : whether U and u are two; of several that differ by case alone the one that is spelt so is meant

    >>> column_of(["id", "URL"], "url", case=False)
    'URL'
    """
    if column in columns:
        return column
    alike = [] if case else [name for name in columns if name.lower() == column.lower()]
    if len(alike) != 1:
        raise ValueError(f"there is no column {column!r}: expected one of {', '.join(map(repr, columns))}")
    return alike[0]


def added(columns: Sequence[str], names: Sequence[str], prefix: str) -> list[str]:
    """What the new columns of a table are called; ValueError where it has such a name."""
    have = {name.lower() for name in columns}  # SQL does not tell u from U
    taken = [prefix + name for name in names if (prefix + name).lower() in have]
    if taken:
        raise ValueError(f"there are columns of these names already, give a prefix: {', '.join(taken)}")
    return [prefix + name for name in names]
