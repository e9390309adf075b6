"""The functions that a register(...) adds to an engine's SQL, the same in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from fasturl import arrow
from fasturl.engines._operations import Column, Operation, field, function, is_binary, schema, struct

# How many arguments may follow the column: url_host(u), url_host(u, 'request-target'), url_redact(u, 'token', 'sig').
_ARGUMENTS: dict[str, tuple[int, int | None]] = {
    "parse": (0, 1),
    **dict.fromkeys(arrow.FIELDS, (0, 1)),
    "quote": (0, 1),
    "unquote": (0, 0),
    "query_value": (1, 2),
    "normalize": (0, 0),
    "redact": (0, None),
}
NAMES = tuple(_ARGUMENTS)


@dataclass(frozen=True, slots=True)
class SqlFunction:
    """One of them, over text or over octets; it can be sent to another process.

    copied : whether it gives plain strings, for an engine that reads no views
    """

    name: str
    binary: bool
    copied: bool
    fields: tuple[str, ...] = arrow.DEFAULT_FIELDS

    @property
    def kind(self) -> pa.DataType:
        """The Arrow type of what it gives, copied."""
        if self.name == "parse":
            return pa.struct(schema(self.fields, "url", binary=self.binary))
        if self.name in arrow.FIELDS:
            return schema([self.name], "url", binary=self.binary).field(0).type
        return pa.binary() if self.binary else pa.string()

    def __call__(self, column: Column, *arguments: Column) -> Column:
        least, most = _ARGUMENTS[self.name]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            raise TypeError(f"{self.name}: {len(arguments)} arguments after the URL, not {least} to {most}")
        if self.binary:
            column = column if is_binary(column.type) else column.cast(pa.binary())
        elif is_binary(column.type):
            raise TypeError(f"{self.name} is registered for text, not for octets: register(..., binary=True)")
        if not arguments or not len(column):
            return self._by_values(column, ("",) * least)
        if all(len(values.unique()) == 1 for values in arguments):
            return self._by_values(column, tuple(values[0].as_py() for values in arguments))
        return self._by_rows(column, arguments)

    def _by_rows(self, column: Column, arguments: Sequence[Column]) -> Column:
        """Apply it once for each set of arguments, to the rows that have it. Cost: O(rows), and a call for each set."""
        groups: dict[tuple[Any, ...], list[int]] = {}
        for row, values in enumerate(zip(*(values.to_pylist() for values in arguments), strict=True)):
            groups.setdefault(values, []).append(row)
        chunks: list[pa.Array] = []
        for values, rows in groups.items():
            part = self._by_values(column.take(pa.array(rows)), values).cast(self.kind)
            chunks += part.chunks if isinstance(part, pa.ChunkedArray) else [part]
        order = pa.array([row for rows in groups.values() for row in rows])
        return pa.concat_arrays(chunks).take(pc.sort_indices(order))

    def _by_values(self, column: Column, values: tuple[Any, ...]) -> Column:
        least, _ = _ARGUMENTS[self.name]
        if self.name == "query_value" and values[least:] == (None,):
            values = values[:least]  # no default, said aloud
        if None in values:  # as SQL has it: of an unknown argument comes an unknown result
            return pa.nulls(len(column), self.kind)
        return self._operation(values)(column, copied=self.copied, threads=1)

    def _operation(self, values: tuple[Any, ...]) -> Operation:
        if self.name == "parse":
            return struct(self.fields, *(values or ("url",)), copied=self.copied)
        if self.name in arrow.FIELDS:
            return field(self.name, *(values or ("url",)))
        if self.name == "redact":
            return function(self.name, values)
        return function(self.name, *values)
