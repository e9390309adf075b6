"""Parquet and Arrow files: units gathered to groups of rows, which are encoded on any thread."""

from __future__ import annotations

import pyarrow as pa

from fasturl.cli.arrowmodules import arrow_module
from fasturl.cli.outputs.files import GROUP_OCTETS, GROUP_ROWS, ArrowFile, ParquetFile, TableFile
from fasturl.cli.outputs.kept import kept_schema, with_kept
from fasturl.cli.outputs.lines import other_columns
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.batches import text_batch
from fasturl.logs.formats.records import Kept
from fasturl.logs.rows import columns_of
from fasturl.logs.units import Unit


class TableOutput(Output):
    keep_unfinished = False  # a part of such a file is of no use to anyone

    def __init__(self, sink: Sink, kind: str, columns: tuple[str, ...]) -> None:
        super().__init__(sink)
        arrow_module("pyarrow.compute")  # which a cast imports
        self._make = ParquetFile if kind == "parquet" else ArrowFile
        self._wanted = columns
        self._columns: tuple[tuple[str, ...], tuple[Kept, ...]] | None = None
        self._kept = kept_schema(())
        self._file: TableFile | None = None
        self._held: list[pa.RecordBatch] = []
        self._rows = 0
        self._octets = 0

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        columns = columns_of(self._wanted, details)
        if self._columns is None:
            self._columns = columns, self.kept
            self._kept = kept_schema(self.kept)
            self._file = self._make(self.sink, columns, self._kept)
        elif (columns, self.kept) != self._columns:
            raise other_columns(name)
        return columns

    def prepare(self, unit: Unit, only_valid: bool) -> pa.RecordBatch:
        batch = text_batch(unit, only_valid)
        return with_kept(batch, unit, self._kept, only_valid) if unit.kept else batch

    def write(self, prepared: pa.RecordBatch, octets: int) -> None:
        if prepared.num_rows:
            self._held.append(prepared)
        self._rows += prepared.num_rows
        self._octets += octets
        while self._rows >= GROUP_ROWS:
            self._flush(GROUP_ROWS)
        if self._octets >= GROUP_OCTETS:
            self._flush(self._rows)

    def _flush(self, rows: int) -> None:
        file = self._file
        if file is None or not self._held:
            return
        table = pa.Table.from_batches(self._held)
        group, rest = table.slice(0, rows), table.slice(rows)
        self._held = rest.to_batches()
        self._octets = self._octets * rest.num_rows // max(1, self._rows)
        self._rows = rest.num_rows
        for encoded in self.pool.submit(lambda: file.encode(group)):
            file.write(encoded)

    def finish(self) -> None:
        if self._file is None:  # no input held a line: a table of no rows
            self._file = self._make(self.sink, columns_of(self._wanted, ()), self._kept)
        if self._rows:
            self._flush(self._rows)
        for encoded in self.pool.rest():
            self._file.write(encoded)
        self._file.close()
