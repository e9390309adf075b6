"""Parquet and Arrow IPC files. Any thread encodes a row group or record batch; they are written in order."""

from __future__ import annotations

import io
from typing import Any, Protocol

import pyarrow as pa

from fasturl.cli.arrowmodules import arrow_module
from fasturl.cli.outputs.kept import kept_schema, with_kept
from fasturl.cli.outputs.lines import other_columns
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.parquetparts import MAGIC, Footer, split_part
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.batches import plain, plain_schema, text_batch
from fasturl.logs.columns import FINDINGS, columns_of
from fasturl.logs.formats.records import PassthroughColumn
from fasturl.logs.units import Unit

# Size of a row group: small groups are slow to read, large groups take memory.
_GROUP_ROWS = 1 << 17
_GROUP_BYTES = 64 << 20
# Columns of long texts, which readers seldom filter by smallest and largest value.
_NO_STATISTICS = frozenset("url netloc path query fragment agent findings username password file field".split())


class TableFile(Protocol):
    def encode(self, group: pa.Table) -> Any:
        """Return the argument of `write` for a group of rows. Called from any thread."""

    def write(self, encoded: Any) -> None: ...
    def close(self) -> None: ...


class ParquetFile:
    """A Parquet file. Each row group is encoded as a file of its own."""

    def __init__(self, sink: Sink, columns: tuple[str, ...], kept: pa.Schema) -> None:
        self._sink = sink
        self._footer = Footer()
        self._at = 0
        self._empty = True
        self._schema = pa.schema([*plain_schema(columns), *kept])
        # The line numbers are distinct, so a dictionary of them would be useless.
        self._dictionaries = [
            f"{name}.list.element" if name in FINDINGS else name for name in columns if name != "line"
        ] + [field.name for field in kept if field.type == pa.string()]
        # Most line numbers follow each other: differences take a few bits.
        self._encodings = {"line": "DELTA_BINARY_PACKED"} if "line" in columns else None
        self._statistics = [name for name in columns if name not in _NO_STATISTICS]
        self._statistics += [field.name for field in kept if not pa.types.is_nested(field.type)]

    def encode(self, group: pa.Table) -> pa.Buffer:
        pq = arrow_module("pyarrow.parquet")  # imported late: it takes a tenth of the time of a small run
        out = pa.BufferOutputStream()
        pq.write_table(
            group,
            out,
            row_group_size=max(1, group.num_rows),
            use_dictionary=self._dictionaries or False,
            column_encoding=self._encodings,
            write_statistics=self._statistics or False,
            # Readers need not know that a column came as a dictionary or as views.
            store_schema=False,
        )
        return out.getvalue()

    def write(self, encoded: pa.Buffer) -> None:
        octets, footer = split_part(encoded)
        if not self._at:
            self._put(MAGIC)
        start = self._at
        self._put(octets)
        self._footer.add(footer, start)
        self._empty = False

    def _put(self, octets: bytes | memoryview) -> None:
        self._sink.write(octets)
        self._at += len(octets)

    def close(self) -> None:
        if self._empty:
            self.write(self.encode(self._schema.empty_table()))
        self._put(self._footer.octets())


class ArrowFile:
    """An uncompressed Arrow IPC file, or the stream format if the sink cannot be sought."""

    def __init__(self, sink: Sink, columns: tuple[str, ...], kept: pa.Schema) -> None:
        self._schema = pa.schema([*plain_schema(columns), *kept])
        make = pa.ipc.new_file if sink.is_file else pa.ipc.new_stream
        self._writer = make(pa.PythonFile(SinkFile(sink), mode="w"), self._schema)

    def encode(self, group: pa.Table) -> list[pa.RecordBatch]:
        columns = [plain(column, field.type) for column, field in zip(group.columns, self._schema, strict=True)]
        batches: list[pa.RecordBatch] = pa.table(columns, schema=self._schema).combine_chunks().to_batches()
        return batches

    def write(self, encoded: list[pa.RecordBatch]) -> None:
        for batch in encoded:
            self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


class SinkFile(io.RawIOBase):
    """A file object for pyarrow that writes to a sink."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._written = 0

    def write(self, octets: Any) -> int:
        self._sink.write(memoryview(octets))
        self._written += len(octets)
        return len(octets)

    def tell(self) -> int:
        return self._written

    def writable(self) -> bool:
        return True


class TableOutput(Output):
    """Collects units to row groups and writes them to a table file."""

    keep_unfinished = False  # a part of such a file cannot be read

    def __init__(self, sink: Sink, kind: str, columns: tuple[str, ...]) -> None:
        super().__init__(sink)
        arrow_module("pyarrow.compute")  # a cast imports it
        self._make = ParquetFile if kind == "parquet" else ArrowFile
        self._wanted = columns
        self._columns: tuple[tuple[str, ...], tuple[PassthroughColumn, ...]] | None = None
        self._untold: tuple[str, ...] = ()
        self._kept = kept_schema(())
        self._file: TableFile | None = None
        self._held: list[pa.RecordBatch] = []
        self._rows = 0
        self._octets = 0

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        columns = columns_of(self._wanted, details, self._columns[0] if self._columns is not None else ())
        if self.kept is None:
            self._untold = columns
        elif self._columns is None:
            self._columns = columns, self.kept
            self._kept = kept_schema(self.kept)
            self._file = self._make(self.sink, columns, self._kept)
        elif (columns, self.kept) != self._columns:
            raise other_columns(name)
        return columns

    def prepare(self, unit: Unit, only_valid: bool) -> pa.RecordBatch:
        batch = text_batch(unit, only_valid)
        return with_kept(batch, unit, self._kept, only_valid) if unit.kept and unit.urls else batch

    def write(self, prepared: pa.RecordBatch, octets: int) -> None:
        if prepared.num_rows:
            self._held.append(prepared)
        self._rows += prepared.num_rows
        self._octets += octets
        while self._rows >= _GROUP_ROWS:
            self._flush(_GROUP_ROWS)
        if self._octets >= _GROUP_BYTES:
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
        if self._file is None:  # no input held a record: write an empty table
            self._file = self._make(self.sink, self._untold or columns_of(self._wanted, ()), self._kept)
        if self._rows:
            self._flush(self._rows)
        for encoded in self.pool.rest():
            self._file.write(encoded)
        self._file.close()
