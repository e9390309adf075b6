"""The operations that every engine offers on a column of URLs, derived from the functions in ``fasturl.arrow``.

An ``Operation`` is a function with arguments, from an Arrow column to an Arrow column. A ``ParseSpec`` lists the
columns in a parse. Both can be pickled. ``Shortcuts`` has a method for each field and function. When you add a function
to ``fasturl.arrow``, you need no code here. Only DuckDB's extension lists the functions that take arguments.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import pyarrow as pa

from fasturl import arrow
from fasturl._docstrings import complete, sections
from fasturl._fastparse import is_request_target
from fasturl._functions import HostList
from fasturl._quoted import quoted, unknown
from fasturl.arrow import columns_in
from fasturl.engines._shapes import FUNCTIONS, encode_arguments, holds_bytes, shape

if TYPE_CHECKING:
    from fasturl.engines._methods import Methods, ThreadedMethods
else:
    Methods = ThreadedMethods = Generic

Column: TypeAlias = pa.Array | pa.ChunkedArray
# Names of fields and functions, or a mapping from column names to a field, a function, or a function with arguments.
Fields: TypeAlias = Sequence[str] | Mapping[str, "str | tuple[Any, ...]"]
Result = TypeVar("Result")

_BYTES_A_PIECE = 1 << 30  # so that copies of a part of each URL in a chunk fit 32-bit offsets


@dataclass(frozen=True, slots=True)
class Beside:
    """A marker for the second argument if it is a column, which then follows the URL column in the call."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A field or a function, with the arguments that follow the columns."""

    name: str
    arguments: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __call__(
        self, *columns: Column, strings: arrow.Strings = "string", threads: int | None = None
    ) -> pa.Array | pa.ChunkedArray:
        """Apply the operation. The result is never a dictionary column."""
        if self.name in arrow.FIELDS:
            batch = arrow.parse(columns[0], [self.name], threads=threads, strings=strings, **dict(self.options))
            return _plain(batch.column(0))
        how = shape(self.name)
        arguments, options = self.arguments, dict(self.options)
        if arguments and isinstance(arguments[0], Beside):
            arguments = (columns[1], *arguments[1:])
        if is_binary(columns[0].type):  # A spec may be created before the type is known.
            arguments, options = encode_arguments(self.name, arguments, options)
        if how.strings:
            options["strings"] = strings
        if how.threads:
            options["threads"] = threads
        return _plain(FUNCTIONS[self.name](*how.in_order(columns[0], arguments), **options))

    def kind(self, binary: bool) -> pa.DataType:
        """Return the result's type for text or for bytes, copied. Raise an error if an argument is invalid."""
        values = (*self.arguments, *(value for _, value in self.options))
        if any(isinstance(value, HostList) for value in values):  # the cache would keep a long list alive
            return _kind.__wrapped__(self, binary)
        return _kind(self, binary)

    @property
    def kinds(self) -> tuple[pa.DataType, pa.DataType]:
        """The result's types for text and for bytes. If an argument is bytes, both are the type for bytes."""
        data = self.kind(True)
        return (data if holds_bytes((self.arguments, self.options)) else self.kind(False)), data


@lru_cache(maxsize=256)  # Engines ask for the type again per batch, which may hold few rows.
def _kind(operation: Operation, binary: bool) -> pa.DataType:
    empty = pa.array([], pa.binary() if binary else pa.string())
    return operation(empty, empty).type


def _plain(column: Column) -> Column:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def is_binary(kind: pa.DataType) -> bool:
    """Return True for a type of bytes, and False for any other type.

    >>> is_binary(pa.binary_view()), is_binary(pa.int8())
    (True, False)
    """
    try:
        return columns_in.is_binary(kind)
    except TypeError:
        return False


@lru_cache(maxsize=1)  # SQL passes a list again per batch. Only the last list stays alive.
def _index(entries: tuple[str, ...]) -> HostList:
    return HostList(entries)


def indexed(name: str, arguments: Sequence[Any], options: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments, with each host list as a HostList, so that all batches share an index.

    >>> [hosts], _ = indexed("blocks", (["a.example"],), {})
    >>> len(hosts)
    1
    """
    names = [*shape(name).named, *[""] * len(arguments)]
    given = [_as_list(key, value) for key, value in zip(names, arguments, strict=False)]
    return tuple(given), {key: _as_list(key, value) for key, value in options.items()}


def _as_list(key: str, value: Any) -> Any:
    if key not in ("hosts", "not_hosts") or value is None or isinstance(value, HostList):
        return value
    is_of_sql = isinstance(value, tuple) and all(type(entry) is str for entry in value)
    return _index(value) if is_of_sql else HostList(value)


def _frozen(value: Any) -> Any:
    """Return a tuple for a list or generator, because the value must be hashable and iterable again."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return tuple(_frozen(one) for one in value)
    return value


def operation(name: str, *arguments: Any, **options: Any) -> Operation:
    """Return the operation for a field or function. Raise ValueError or TypeError if it refuses an argument.

    >>> operation("query_value", "a")(pa.array(["/?a=1"])).to_pylist()
    ['1']
    """
    arguments, options = indexed(name, arguments, options)
    new = Operation(name, _frozen(arguments), tuple(sorted((key, _frozen(value)) for key, value in options.items())))
    new.kind(holds_bytes((new.arguments, new.options)))
    return new


@dataclass(frozen=True, slots=True)
class ParseSpec:
    """The columns in a parse. The fields share a pass over the column, and each function takes another pass.

    columns : (name, field or operation) of each column
    """

    columns: tuple[tuple[str, str | Operation], ...]
    form: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.columns)

    def schema(self, *, binary: bool = False) -> pa.Schema:
        """Return the names and types of the columns, copied."""
        kinds = [what if isinstance(what, Operation) else Operation(what) for _, what in self.columns]
        return pa.schema([(name, kind.kind(binary)) for name, kind in zip(self.names, kinds, strict=True)])

    def read(
        self, column: Column, *, strings: arrow.Strings = "string", threads: int | None = None
    ) -> pa.RecordBatch | pa.Table:
        """Parse a column. A ChunkedArray gives a Table with the same chunks, and an Array gives a RecordBatch."""
        fields = list(dict.fromkeys(what for _, what in self.columns if isinstance(what, str)))
        parsed = arrow.parse(column, fields, form=self.form, threads=threads, strings=strings)
        found = [
            _plain(parsed.column(what)) if isinstance(what, str) else what(column, strings=strings, threads=threads)
            for _, what in self.columns
        ]
        return type(parsed).from_arrays(found, names=list(self.names))

    def structs(self, column: Column, *, strings: arrow.Strings = "string", threads: int | None = None) -> Column:
        """Parse a column into a struct for each row, or null if the URL is null."""
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


def parse_spec(fields: Fields = arrow.DEFAULT_FIELDS, form: str = "url") -> ParseSpec:
    """Return the spec for a parse. Raise ValueError for an unknown field, function or form before any row is read.

    Parameters
    ----------
    fields : sequence of str, or dict
        Names for fields and functions. A dict maps new column names to a field, a function, or a function with
        arguments, for example ``{"host": "host", "item": ("query_value", "item")}``.

    Examples
    --------
    >>> parse_spec({"host": "host", "item": ("query_value", "item")}).schema()
    host: string
    item: string
    """
    if isinstance(fields, str):
        raise TypeError("fields must be names, not one str")
    given = list(fields.items()) if isinstance(fields, Mapping) else [(name, name) for name in fields]
    is_request_target(form)  # raises ValueError for another form
    if len({name for name, _ in given}) != len(given):
        raise ValueError("a field is named twice")
    return ParseSpec(tuple((name, _column(what, form)) for name, what in given), form)


def _column(what: str | tuple[Any, ...], form: str) -> str | Operation:
    name, *arguments = (what,) if isinstance(what, str) else what
    if name in arrow.FIELDS and not arguments:
        return str(name)
    if name not in FUNCTIONS:
        raise unknown("field", name, (*arrow.FIELDS, *FUNCTIONS))
    how = shape(name)
    options = dict(arguments.pop()) if arguments and isinstance(arguments[-1], Mapping) else {}
    if how.form:
        options.setdefault("form", form)
    return operation(name, *arguments, **options)


_SENTENCES = {
    "scheme": "Return each URL's scheme in lower case, or null if the URL has no scheme.",
    "netloc": "Return the text between each URL's ``//`` and path, as written, or null without ``//``.",
    "username": "Return each URL's user, as written, or null without an ``@``.",
    "password": "Return each URL's password, as written, or null without a password.",
    "host": "Return each URL's host, as written but without brackets, or null without a host.",
    "hostname": "Return each URL's host in lower case, like ``hostname`` in ``urllib.parse``.",
    "host_kind": "Return each URL's host kind: name, ipv4, ipv6, numeric or none.",
    "address_scope": "Return the scope of each URL's address, for example global, or null for a name.",
    "port": "Return each URL's port as a number, or null without a number below 65536.",
    "path": "Return each URL's path, as written. It is null only if the URL is null.",
    "query": "Return the text after each URL's ``?``, as written, or null without a ``?``.",
    "fragment": "Return the text after each URL's ``#``, as written, or null without a ``#``.",
    "finding_bits": "Return each URL's violations and hazards as bits in ``fasturl.Finding``.",
    "findings": "Return the names for each URL's violations and hazards, as a list.",
    "valid_rfc1738": "Return whether each URL is valid by RFC 1738 section 5.",
    "valid_rfc3986": "Return whether each URL is valid by RFC 3986, or each request target by RFC 9112.",
    "error_offset": "Return the offset of each URL's first violation in bytes, or null without a violation.",
}


_RETURNS = """Series, Index or Expr
    The engine's column with a result for each row. Null stays null."""
_RAISES = """TypeError or ValueError
    If an argument has a wrong type or value. You get the error when you call the method, before it reads a row."""


def sentence(name: str) -> str:
    """Return a sentence that describes a field or function.

    >>> sentence("path_depth")
    "Return the number of non-empty segments in each URL's path."
    """
    return _SENTENCES.get(name) or sections(FUNCTIONS[name].__doc__)[""].partition("\n\n")[0].partition(" This is ")[0]


def _docstring(name: str, method: Callable[..., Any]) -> str:
    """Return a method's docstring, which shares entries with the function in ``fasturl.arrow``."""
    if name in FUNCTIONS:
        found = sections(FUNCTIONS[name].__doc__)
        start = found[""].replace("column form of ``fasturl.", "method form of ``fasturl.arrow.")
    else:
        found = {"Notes": "When you need several fields, call ``parse``, because it reads them in the same pass."}
        start = sentence(name)
    parts = {"": start, "Returns": _RETURNS, "Raises": _RAISES, "Notes": found["Notes"]}
    return complete(parts, method, FUNCTIONS.get(name, arrow.parse), arrow.parse)


class Shortcuts(Methods[Result], ABC):
    """The methods in a namespace ``.url``. An engine implements how an operation is applied.

    Every field and every function in ``fasturl.arrow`` is also a method, for example ``host(form="url")``. For urljoin,
    equivalent and query_value, you can pass a text for all rows or another column.
    """

    _expressions: tuple[type, ...] = ()  # the engine's columns without values, which no other argument can be

    @abstractmethod
    def _apply(self, operation: Operation, *others: Any) -> Result:
        """others : the operation's second column, if there is any"""

    def _is_column(self, value: Any) -> bool:
        is_text = isinstance(value, columns_in.TEXTS)
        return not is_text and isinstance(value, (*self._expressions, Iterable))


class ThreadedShortcuts(ThreadedMethods[Result], Shortcuts[Result]):
    """The methods for an engine without threads."""


def _method(name: str, threads: bool) -> Callable[..., Any]:
    signature = _signature(name, threads)

    def method(self: Shortcuts[Any], *arguments: Any, **options: Any) -> Any:
        if "threads" in options and not threads:
            raise TypeError(f"{name}() takes no threads here: the engine has its own")
        own = {"threads": options.pop("threads")} if "threads" in options else {}
        if name in arrow.FIELDS:
            if arguments:
                raise TypeError(f"{name}() takes form= alone")
            return self._apply(operation(name, **options), **own)
        either = shape(name).either
        if either in options:
            arguments = (options.pop(either), *arguments)
        others = []
        if either and arguments and self._is_column(arguments[0]):
            others.append(arguments[0])
            arguments = (Beside(), *arguments[1:])
        for value in (*arguments, *options.values()):
            if isinstance(value, self._expressions):
                only = f"only {either}" if either else "no argument"
                raise TypeError(f"{name}: {only} can be a column; the others are the same for all rows")
        return self._apply(operation(name, *arguments, **options), *others, **own)

    method.__name__ = name
    method.__qualname__ = f"Shortcuts.{name}"
    method.__signature__ = signature  # type: ignore[attr-defined]  # for completion and help()
    if arrow.parse.__doc__:  # not under -OO
        method.__doc__ = _docstring(name, method)
    return method


def _signature(name: str, threads: bool) -> inspect.Signature:
    """Return a method's signature: the function's signature, with ``self`` instead of the URL column."""
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [inspect.Parameter("form", inspect.Parameter.KEYWORD_ONLY, default="url")]
    if name not in arrow.FIELDS:
        parameters = list(inspect.signature(FUNCTIONS[name]).parameters.values())
        del parameters[shape(name).own]
    given = [one for one in parameters if one.name not in ("strings", "threads")]
    more = [inspect.Parameter("threads", inspect.Parameter.KEYWORD_ONLY, default=None)] if threads else []
    return inspect.Signature([own, *given, *more])


for _name in (*arrow.FIELDS, *FUNCTIONS):
    setattr(Shortcuts, _name, _method(_name, threads=False))
    setattr(ThreadedShortcuts, _name, _method(_name, threads=True))


def bound_chunks(column: Column) -> pa.ChunkedArray:
    """Return the column in chunks with at most 2**30 bytes. A chunk with views or with a single row is not divided."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return pa.chunked_array([piece for chunk in chunks for piece in _halves(chunk)], column.type)


def _halves(array: pa.Array) -> Iterator[pa.Array]:
    if len(array) < 2 or array.type in (pa.string_view(), pa.binary_view()) or array.nbytes <= _BYTES_A_PIECE:
        yield array
    else:
        middle = len(array) // 2
        yield from _halves(array.slice(0, middle))
        yield from _halves(array.slice(middle))


def column_of(columns: Sequence[str], column: str, *, case: bool = True) -> str:
    """Return a column's name as the table spells it. Raise ValueError if the table has no such column.

    case : False to ignore case, except that an exact match wins

    >>> column_of(["id", "URL"], "url", case=False)
    'URL'
    """
    if column in columns:
        return column
    alike = [] if case else [name for name in columns if name.lower() == column.lower()]
    if len(alike) != 1:
        raise ValueError(f"there is no column {quoted(column)}: expected one of {', '.join(map(repr, columns))}")
    return alike[0]


def new_names(columns: Sequence[str], names: Sequence[str], prefix: str) -> list[str]:
    """Return the names for a table's new columns. Raise ValueError if the table already has such a name."""
    have = {name.lower() for name in columns}  # SQL ignores case
    taken = [prefix + name for name in names if (prefix + name).lower() in have]
    if taken:
        raise ValueError(f"there are columns of these names already, give a prefix: {', '.join(taken)}")
    return [prefix + name for name in names]
