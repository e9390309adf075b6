"""A stream of record batches as an Arrow dataset, which makes only the columns that its reader wants."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds

from fasturl.logs.units import RowFilter


def _row_filter(filter: Any) -> Callable[[pa.RecordBatch], pa.Array]:
    """Return a function that returns the row numbers in a batch that pass the filter."""

    def rows(batch: pa.RecordBatch) -> pa.Array:
        numbered = pa.Table.from_batches([batch]).append_column("", pa.array(range(len(batch)), pa.int32()))
        return numbered.filter(filter).column("").combine_chunks()

    return rows


class _Scan:
    """A scan that DuckDB reads as a stream. It reads no batch ahead, so a query that ends early stops the work.

    pyarrow's own Scanner reads on in a thread until the batches end.
    """

    def __init__(self, batches: Iterator[pa.RecordBatch], schema: pa.Schema, filter: Any) -> None:
        self.projected_schema = schema
        self._batches, self._filter = batches, filter

    def to_reader(self) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(self.projected_schema, self._rows())

    def _rows(self) -> Iterator[pa.RecordBatch]:
        names = self.projected_schema.names
        for batch in self._batches:
            if self._filter is None:
                yield batch.select(names)
            else:  # as a table: before pyarrow 25, a batch fails if no row remains
                yield from pa.Table.from_batches([batch]).filter(self._filter).select(names).to_batches()


class StreamedDataset(ds.Dataset):  # type: ignore[misc]
    """A dataset for DuckDB, which asks for a scanner with the columns and filter of each query."""

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema

    @property
    def schema(self) -> pa.Schema:
        return self._schema

    @abstractmethod
    def batches(self, columns: list[str], where: RowFilter | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all batches with these columns in this order. Rows that `where` does not keep may be left out."""

    def scanner(self, columns: list[str] | None = None, filter: Any = None, **rest: Any) -> _Scan:
        names = self.schema.names
        wanted = names if columns is None else columns
        # A filter does not list its columns, so they are found in its text.
        in_filter = set() if filter is None else set(re.findall(r"\w+", str(filter)))
        read = [name for name in names if name in wanted or name in in_filter]
        where = None
        if filter is not None:
            looked_at = [name for name in names if name in in_filter]
            where = RowFilter(tuple(looked_at or names[:1]), _row_filter(filter))
        schema = pa.schema([self.schema.field(name) for name in wanted])
        return _Scan(self.batches(read or names[:1], where), schema, filter)
