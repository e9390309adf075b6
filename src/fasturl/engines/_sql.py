"""The SQL functions that register(...) adds, the same in every engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from fasturl import arrow
from fasturl.arrow import compute as pc
from fasturl.arrow.texts import joined
from fasturl.engines._operations import Column, Operation, Plan, is_binary, operation, plan, sentence
from fasturl.engines._shapes import FUNCTIONS, Shape, shape

NAMES = ("parse", *arrow.FIELDS, *FUNCTIONS)


def all_functions(binary: bool, strings: arrow.Strings, form: str) -> Iterator[tuple[str, SqlFunction]]:
    """Yield the name without a prefix, and the function, for each function that register(...) adds.

    The functions of the Public Suffix List are included if the extra ``domains`` is installed. The result type of
    ``decompose`` depends on the scheme, so it is included once per scheme.
    """
    plan((), form)  # raises ValueError for an unknown form
    for name in NAMES:
        made = SqlFunction(name, binary, strings, form)
        try:
            made.kind  # noqa: B018 - raises at once if the function cannot be offered
        except ImportError:
            continue
        except ValueError:
            for scheme in arrow.decomposing.schemes():
                yield f"{name}_{scheme}", SqlFunction(name, binary, strings, form, (scheme,))
            continue
        yield name, made


def named(prefix: str, name: str) -> str:
    """Return the name of a function in SQL.

    >>> named("url_", "host"), named("url_", "url_prefixes")
    ('url_host', 'url_prefixes')
    """
    return name if name.startswith(prefix) else prefix + name


@dataclass(frozen=True)
class SqlFunction:
    """An SQL function of text or of bytes. It can be pickled.

    given : the arguments if they are fixed, or None if each call in SQL passes them
    strings : "string" for an engine that reads no views
    """

    name: str
    binary: bool
    strings: arrow.Strings
    form: str = "url"
    given: tuple[Any, ...] | None = None
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def _shape(self) -> Shape | None:
        return shape(self.name) if self.name in FUNCTIONS else None

    @property
    def least(self) -> int:
        """The least number of arguments of a call, columns included."""
        how = self._shape
        if how is None:
            return 1
        return how.columns + how.least if self.given is None else how.columns - how.constants(self.given)

    @property
    def most(self) -> int | None:
        """The greatest number of arguments of a call, columns included, or None if there is no bound."""
        how = self._shape
        if how is None or self.given is not None:
            return self.least
        return None if how.most is None else how.columns + how.most

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameter names, excluding variadic parameters."""
        how = self._shape
        if how is None:
            return ("url",)
        columns, named = ("url", "other")[: how.columns], iter(how.named)
        if self.given is not None:
            return columns[: self.least]
        of_columns = iter(columns)
        return tuple(next(of_columns) if is_column else next(named) for is_column in how.places)

    @property
    def has_form(self) -> bool:
        """True if the result depends on the form."""
        return self._shape is None or self._shape.form

    @property
    def sentence(self) -> str:
        return "The parts of the URL, as a struct." if self.name == "parse" else sentence(self.name)

    @cached_property
    def kind(self) -> pa.DataType:
        """The Arrow type of the result, copied. Raises an error for invalid arguments."""
        if self._is_map:
            return pa.map_(*[pa.binary() if self.binary else pa.string()] * 2)
        work = self._work(self.given if self.given is not None else self._example())
        return pa.struct(list(work.schema(binary=self.binary))) if isinstance(work, Plan) else work.kind(self.binary)

    def _example(self) -> tuple[str, ...]:
        return ("",) * (shape(self.name).least if self._shape else 0)

    @property
    def _is_map(self) -> bool:
        """True if each call names the fields of the result, so that no struct type fits all calls."""
        return self.given is None and self.name == "query_values"

    def __call__(self, *columns: Column) -> Column:
        if len(columns) < self.least or (self.most is not None and len(columns) > self.most):
            raise TypeError(f"{self.name}: {len(columns)} arguments, not {self.least} to {self.most or 'any number'}")
        how = self._shape
        places = (*(how.places if how and self.given is None else [True] * self.least), *[False] * len(columns))
        given = [column for column, is_column in zip(columns, places, strict=False) if is_column]
        arguments = [column for column, is_column in zip(columns, places, strict=False) if not is_column]
        if self.binary:
            given = [column if is_binary(column.type) else column.cast(pa.binary()) for column in given]
        elif any(is_binary(column.type) for column in given):
            raise TypeError(f"{self.name} is registered for text, not for octets: register(..., binary=True)")
        if self.given is not None or not arguments:
            return self._by_values(given, self.given or ())
        if not len(given[0]):
            return self._by_values(given, self._example())
        if all(len(values.unique()) == 1 for values in arguments):
            return self._by_values(given, tuple(values[0].as_py() for values in arguments))
        return self._by_rows(given, arguments)

    def _by_rows(self, given: Sequence[Column], arguments: Sequence[Column]) -> Column:
        """Apply the function once per distinct set of arguments, to its rows. Cost: O(rows), and one call per set."""
        if self.name == "join" and (self.binary or not is_binary(arguments[0].type)):
            return self._joined(given[0], arguments[0])
        groups: dict[tuple[Any, ...], list[int]] = {}
        for row, values in enumerate(zip(*(values.to_pylist() for values in arguments), strict=True)):
            groups.setdefault(values, []).append(row)
        chunks: list[pa.Array] = []
        for values, rows in groups.items():
            part = self._by_values([column.take(pa.array(rows)) for column in given], values, strings="string")
            chunks += part.chunks if isinstance(part, pa.ChunkedArray) else [part]
        order = pa.array([row for rows in groups.values() for row in rows])
        return pa.concat_arrays(chunks).take(pc.sort_indices(order))

    def _joined(self, references: Column, bases: Column) -> Column:
        """Join each reference to the base of its row. A base per row would be a group per row."""
        binary, text = pa.binary(), self.kind
        pairs = zip(bases.cast(binary).to_pylist(), references.cast(binary).to_pylist(), strict=True)
        found = [
            None if base is None or reference is None else joined(base.decode("utf-8", "surrogateescape"), reference)
            for base, reference in pairs
        ]
        return pa.array(found, binary).cast(text)

    def _by_values(
        self, given: Sequence[Column], values: tuple[Any, ...], strings: arrow.Strings | None = None
    ) -> Column:
        strings = "string" if self._is_map else strings or self.strings
        how = self._shape
        if how and how.least < len(values) and not (how.listed or how.spread) and values[-1] is None:
            values = values[:-1]  # an explicit NULL in place of the default
        if None in values and self.given is None:
            return pa.nulls(len(given[0]), self.kind)  # SQL: a NULL argument gives a NULL result
        work = self._work(values)
        if isinstance(work, Plan):
            return work.structs(given[0], strings=strings, threads=1)
        found = work(*given, strings=strings, threads=1)
        return _map(found, self.kind) if self._is_map else found

    def _work(self, values: tuple[Any, ...]) -> Operation | Plan:
        if self.name == "parse":
            return plan(values[0] if values else arrow.DEFAULT_FIELDS, self.form)
        how = self._shape
        options = dict(self.options)
        if self.has_form:
            options.setdefault("form", self.form)
        if how and how.listed and self.given is None:
            split = len(how.named) - 1
            values = (*values[:split], values[split:])
        return operation(self.name, *values, **options)


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
