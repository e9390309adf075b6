"""`--where`: which rows of a unit an expression of DuckDB's SQL keeps."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from fasturl.cli.database import connected, duckdb_module, failure_of, reader_of
from fasturl.cli.sqltables import schema_of
from fasturl.cli.steps import Step
from fasturl.logs.batches import plain_batch
from fasturl.logs.dataset import StreamedDataset
from fasturl.logs.units import Unit, kept

_ROW = "fasturl_row"


class _Probe(StreamedDataset):
    """A table without rows that keeps the names of the columns it is asked for."""

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self.names: list[str] = []

    @property
    def schema(self) -> pa.Schema:
        return self._schema

    def batches(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        self.names += [name for name in columns if name not in self.names]
        return iter([])


class Where(Step):
    """An expression over the columns of `requests` or `urls`; `names` are those that it looks at."""

    def __init__(self, expression: str, *, by_request: bool) -> None:
        self._duckdb = duckdb_module("parse --where")
        self._close = connected(self._duckdb, 1, None)
        self._connection = self._close.__enter__()
        self._condition = f"WHERE ({expression}\n)"
        probe = _Probe(schema_of("requests" if by_request else "urls"))
        try:
            self._connection.register("requests", probe)
            self._connection.execute(f"SELECT true FROM requests {self._condition}").fetchall()
        except Exception as error:
            self.close()
            raise failure_of(error, self._duckdb) from None
        self._connection.unregister("requests")
        self.names = tuple(probe.names)

    def close(self) -> None:
        self._close.__exit__(None, None, None)

    def apply(self, unit: Unit) -> Unit:
        """The unit with the rows that the expression is true of; from any thread."""
        looked_at = Unit(unit.source, unit.fmt, {name: unit.columns[name] for name in self.names})
        batch = plain_batch(looked_at) if self.names else None
        numbers = pa.array(range(unit.urls), pa.int64())
        columns = [numbers, *(batch.columns if batch is not None else ())]
        table = pa.Table.from_arrays(columns, names=[_ROW, *self.names])
        cursor = self._connection.cursor()
        try:
            cursor.register("requests", table)
            rows = reader_of(cursor.sql(f"SELECT {_ROW} FROM requests {self._condition}")).read_all()
        except Exception as error:
            raise failure_of(error, self._duckdb) from None
        finally:
            cursor.close()
        return unit if rows.num_rows == unit.urls else kept(unit, rows[_ROW].combine_chunks().sort())
