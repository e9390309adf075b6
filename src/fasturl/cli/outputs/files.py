"""Parquet and Arrow IPC files, a row group or record batch at a time: encoded on any thread, written in order."""

from __future__ import annotations

from typing import Any, Protocol

import pyarrow as pa

from fasturl.cli.arrowmodules import arrow_module
from fasturl.cli.outputs.parquetparts import MAGIC, Footer, split_part
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.batches import plain, plain_schema
from fasturl.logs.rows import FINDINGS

# A row group of Parquet: small ones cost readers, large ones memory.
GROUP_ROWS = 1 << 17
GROUP_OCTETS = 64 << 20
# Long texts that few would search by their smallest and largest value.
_NO_STATISTICS = frozenset(
    (
        "url",
        "netloc",
        "path",
        "query",
        "fragment",
        "agent",
        "findings",
        "username",
        "password",
        "file",
        "field",
    )
)


class TableFile(Protocol):
    def encode(self, group: pa.Table) -> Any:
        """Make of a group of rows what `write` takes; from any thread."""

    def write(self, encoded: Any) -> None: ...
    def close(self) -> None: ...


class ParquetFile:
    """Row groups that are encoded as files of their own."""

    def __init__(self, sink: Sink, columns: tuple[str, ...], kept: pa.Schema) -> None:
        self._sink = sink
        self._footer = Footer()
        self._at = 0
        self._empty = True
        self._schema = pa.schema([*plain_schema(columns), *kept])
        # Each line is another number: a dictionary of them would be made in vain.
        self._dictionaries = [
            f"{name}.list.element" if name in FINDINGS else name for name in columns if name != "line"
        ] + [field.name for field in kept if field.type == pa.string()]
        # One more than the line before it, mostly: differences take a few bits.
        self._encodings = {"line": "DELTA_BINARY_PACKED"} if "line" in columns else None
        self._statistics = [name for name in columns if name not in _NO_STATISTICS]
        self._statistics += [field.name for field in kept if not pa.types.is_nested(field.type)]

    def encode(self, group: pa.Table) -> pa.Buffer:
        pq = arrow_module("pyarrow.parquet")  # takes a tenth of the time in which a small run is done

        out = pa.BufferOutputStream()
        pq.write_table(
            group,
            out,
            row_group_size=max(1, group.num_rows),
            use_dictionary=self._dictionaries or False,
            column_encoding=self._encodings,
            write_statistics=self._statistics or False,
            # Readers need not know what made the columns: words by number, and views.
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
    """An Arrow IPC file, or the stream format where readers cannot go back and forth; nothing of it is compressed, so
    there is little to encode.
    """

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


class SinkFile:
    """A sink as the file object that pyarrow writes to."""

    closed = False

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._written = 0

    def write(self, octets: Any) -> int:
        self._sink.write(memoryview(octets))
        self._written += len(octets)
        return len(octets)

    def tell(self) -> int:
        return self._written

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False
