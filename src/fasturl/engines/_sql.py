"""The SQL functions that register(...) adds, the same in every engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pyarrow as pa

from fasturl import arrow
from fasturl.arrow import compute as pc
from fasturl.engines._operations import Beside, Column, Operation, ParseSpec, is_binary, operation, parse_spec, sentence
from fasturl.engines._shapes import FUNCTIONS, Shape, shape

NAMES = ("parse", *arrow.FIELDS, *FUNCTIONS)


def all_functions(binary: bool, strings: arrow.Strings, form: str) -> Iterator[tuple[str, SqlFunction]]:
    """Yield the name without a prefix, and the function, for each function that register(...) adds.

    Without the extra ``domains``, functions that need the Public Suffix List raise ModuleNotFoundError when they are
    called. ``decompose`` is included once per scheme, because the result's type depends on the scheme.
    """
    parse_spec((), form)  # raises ValueError for an unknown form
    for name in NAMES:
        function = SqlFunction(name, binary, strings, form)
        try:
            function.kind  # noqa: B018 - raises at once if the function cannot be offered
        except ImportError:
            function = replace(function, result=pa.binary() if binary else pa.string())
        except ValueError:
            for scheme in arrow.decomposing.schemes():
                yield f"{name}_{scheme}", SqlFunction(name, binary, strings, form, (scheme,))
            continue
        yield name, function


def sql_name(prefix: str, name: str) -> str:
    """Return a function's name in SQL.

    >>> sql_name("url_", "host"), sql_name("url_", "url_prefixes")
    ('url_host', 'url_prefixes')
    """
    return name if name.startswith(prefix) else prefix + name


@dataclass(frozen=True)
class SqlFunction:
    """An SQL function for text or for bytes. It can be pickled.

    given : the arguments if they are fixed, or None if each SQL call passes them
    strings : "string" for an engine that reads no views
    result : the result's type, if no example can be computed because a package is missing
    """

    name: str
    binary: bool
    strings: arrow.Strings
    form: str = "url"
    given: tuple[Any, ...] | None = None
    options: tuple[tuple[str, Any], ...] = ()
    result: pa.DataType | None = None

    @property
    def _shape(self) -> Shape:
        return shape(self.name)

    @property
    def _second(self) -> bool:
        """True if each call passes a second column, or a text for all rows."""
        either = self._shape.either
        return either is not None and not self.given and either not in dict(self.options)

    @property
    def least(self) -> int:
        """The minimum number of arguments in a call, columns included."""
        return 1 + (self._shape.least if self.given is None else self._second)

    @property
    def most(self) -> int | None:
        """The maximum number of arguments in a call, columns included, or None if there is no bound."""
        most = self._shape.most
        if self.given is not None:
            return self.least
        return None if most is None else 1 + most

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameter names, excluding variadic parameters."""
        how = self._shape
        named = how.named if self.given is None else how.named[: self._second]
        return tuple(how.in_order("url", named))

    def check_count(self, count: int) -> None:
        """Raise TypeError if the function does not take this many arguments."""
        if count < self.least or (self.most is not None and count > self.most):
            most = "" if self.most == self.least else f" to {self.most or 'any number'}"
            raise TypeError(f"{self.name}: {count} arguments, not {self.least}{most}")

    @property
    def has_form(self) -> bool:
        """True if the result depends on the form."""
        return self._shape.form

    @property
    def sentence(self) -> str:
        return "Return each URL's parts as a struct." if self.name == "parse" else sentence(self.name)

    @cached_property
    def kind(self) -> pa.DataType:
        """The result's Arrow type, copied. Raises an error if an argument is invalid."""
        if self.result is not None:
            return self.result
        if self._is_map:
            return pa.map_(*[pa.binary() if self.binary else pa.string()] * 2)
        work = self._work(self._example())
        return (
            pa.struct(list(work.schema(binary=self.binary))) if isinstance(work, ParseSpec) else work.kind(self.binary)
        )

    def _example(self) -> tuple[Any, ...]:
        if self.given is not None:
            return (Beside(),) if self._second else self.given
        return ("",) * self._shape.least

    @property
    def _is_map(self) -> bool:
        """True if each call names the result's fields, because then no struct type fits all calls."""
        return self.given is None and self.name == "query_values"

    def __call__(self, *columns: Column) -> Column:
        self.check_count(len(columns))
        arguments = list(columns)
        given = [arguments.pop(self._shape.own if arguments[1:] else 0)]
        if self._second and not _is_constant(arguments[0]):
            given.append(arguments.pop(0))
        if self.binary:
            given = [column if is_binary(column.type) else column.cast(pa.binary()) for column in given]
        elif any(is_binary(column.type) for column in (*given, *arguments)):
            raise TypeError(f"{self.name} is registered for text, not for bytes: register(..., binary=True)")
        second = (Beside(),) if given[1:] else ()
        if self.given is not None and not arguments:
            return self._by_values(given, second or self.given)
        if not len(given[0]):
            return self._by_values(given, self._example())
        if all(map(_is_constant, arguments)):
            return self._by_values(given, (*second, *(_values(column[:1])[0] for column in arguments)))
        return self._by_rows(given, second, arguments)

    def _by_rows(self, given: Sequence[Column], second: tuple[Any, ...], arguments: Sequence[Column]) -> Column:
        """Apply the function to the rows for each distinct set of arguments. Cost: O(rows), and a call per set."""
        groups: dict[tuple[Any, ...], list[int]] = {}
        for row, values in enumerate(zip(*map(_values, arguments), strict=True)):
            groups.setdefault(values, []).append(row)
        chunks: list[pa.Array] = []
        for values, rows in groups.items():
            taken = [column.take(pa.array(rows)) for column in given]
            part = self._by_values(taken, (*second, *values), strings="string")
            chunks += part.chunks if isinstance(part, pa.ChunkedArray) else [part]
        order = pa.array([row for rows in groups.values() for row in rows])
        return pa.concat_arrays(chunks).take(pc.sort_indices(order))

    def _by_values(
        self, given: Sequence[Column], values: tuple[Any, ...], strings: arrow.Strings | None = None
    ) -> Column:
        strings = strings or self.strings
        how = self._shape
        if how.least < len(values) and not (how.listed or how.spread) and values[-1] is None:
            values = values[:-1]  # an explicit NULL in place of the default
        if self.given is None and any(isinstance(value, tuple) for value in values):
            if not (how.listed or how.spread):
                raise TypeError(f"{self.name}: an argument is an array, where one text must be")
            values = tuple(one for value in values for one in (value if isinstance(value, tuple) else (value,)))
        if None in values and not self.given:
            return pa.nulls(len(given[0]), self.kind)  # SQL: a NULL argument gives a NULL result
        work = self._work(values)
        if isinstance(work, ParseSpec):
            return work.structs(given[0], strings=strings, threads=1)
        found = work(*given, strings=strings, threads=1)
        return _map(found, self.kind) if self._is_map else found

    def _work(self, values: tuple[Any, ...]) -> Operation | ParseSpec:
        if self.name == "parse":
            if values and isinstance(values[0], ParseSpec):
                return values[0]
            return parse_spec(values[0] if values else arrow.DEFAULT_FIELDS, self.form)
        how = self._shape
        options = dict(self.options)
        if self.has_form:
            options.setdefault("form", self.form)
        if how.listed and self.given is None:
            split = len(how.named) - 1
            rest = values[split:]
            values = (*values[:split], rest) if rest else values[:split]  # without any, the function's own list
        return operation(self.name, *values, **options)


def _is_constant(column: Column) -> bool:
    return len(column) < 2 or column.slice(1).equals(column.slice(0, len(column) - 1))


def _values(column: Column) -> list[Any]:
    """Return each row's argument. An array becomes a tuple."""
    return [tuple(value) if isinstance(value, list) else value for value in column.to_pylist()]


def _map(found: Column, kind: pa.MapType) -> Column:
    """Convert structs of texts to maps. Nulls stay null."""
    if isinstance(found, pa.ChunkedArray):
        return pa.chunked_array([_map(chunk, kind) for chunk in found.chunks], kind)
    names, rows = [field.name for field in found.type], len(found)
    number = pa.array(range(rows * len(names)), pa.int64())  # the number of each entry, in the order of the rows
    row = pc.divide(number, len(names))
    field = pc.subtract(number, pc.multiply(row, len(names)))
    values = pa.concat_arrays([found.field(i) for i in range(len(names))])
    keys = pa.array(names).cast(kind.key_type).take(field)
    fields = [pa.field("key", kind.key_type, nullable=False), pa.field("value", kind.item_type)]
    entries = pa.StructArray.from_arrays([keys, values.take(pc.add(pc.multiply(field, rows), row))], fields=fields)
    offsets = pa.array(range(0, len(number) + 1, len(names)), pa.int32())
    absent = pc.invert(found.is_null()).buffers()[1] if found.null_count else None
    return pa.Array.from_buffers(kind, rows, [absent, offsets.buffers()[1]], children=[entries])
