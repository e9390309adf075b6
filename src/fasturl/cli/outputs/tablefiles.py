"""Parquet and Arrow IPC files. Any thread encodes a row group or record batch; they are written in order.

A Parquet file holds its row groups and a footer with their offsets, in Thrift's compact protocol. Threads encode files
of one row group. Joining these changes only the offsets in the footer. All other fields are copied unchanged.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fasturl.arrow import compute
from fasturl.cli.failure import Failure
from fasturl.cli.imports import arrow_module
from fasturl.cli.outputs.lines import kept_schema, with_kept
from fasturl.cli.outputs.output import ColumnOutput
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.batches import plain, plain_schema, text_batch
from fasturl.logs.columns import FINDINGS
from fasturl.logs.formats.records import PassthroughColumn
from fasturl.logs.shown import visible
from fasturl.logs.units import Unit

if TYPE_CHECKING:
    from typing_extensions import Buffer

MAGIC = b"PAR1"

# Types of the compact protocol.
_TRUE, _FALSE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 8, 9, 10, 12
_INTEGERS = (4, 5, 6)
# The bytes of a value by its type: a boolean, a byte, a double, a UUID. Those of a text follow its length.
_SIZES = {_TRUE: 1, _FALSE: 1, 3: 1, 7: 8, 13: 16, _BINARY: 0}

# A struct is a dict of field number → (type, value), a list is (type of its items, items).
Struct = dict[int, tuple[int, Any]]

# Field numbers in parquet.thrift.
_FILE_ROWS, _FILE_GROUPS = 3, 4
_GROUP_CHUNKS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 5, 7
_CHUNK_META = 3
_CHUNK_OFFSETS = (2, 4, 6)  # of the chunk, the offset index and the column index
_META_OFFSETS = (9, 10, 11, 14)  # of the first data page, index page, dictionary and Bloom filter


class _FooterReader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def _integer(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)

    def _value(self, kind: int) -> Any:
        """Return a number, a list or a struct; any other value as it is encoded."""
        start = self._at
        if kind in _INTEGERS:
            return self._integer()
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            return head & 15, [self._value(head & 15) for _ in range(count)]
        if kind not in _SIZES:
            raise ValueError(f"type {kind} in a Parquet footer")
        length = _SIZES[kind] or self._varint()
        self._at += length
        return self._data[start : self._at]

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            # The type of a boolean field is its value.
            fields[number] = (kind, None if kind in (_TRUE, _FALSE) else self._value(kind))
        return fields


class _FooterWriter:
    def __init__(self) -> None:
        self.data = bytearray()

    def _varint(self, value: int) -> None:
        while value > 0x7F:
            self.data.append(value & 0x7F | 0x80)
            value >>= 7
        self.data.append(value)

    def _integer(self, value: int) -> None:
        self._varint(value << 1 if value >= 0 else (-value << 1) - 1)

    def _value(self, kind: int, value: Any) -> None:
        if isinstance(value, bytes):  # encoded before
            self.data += value
        elif kind in _INTEGERS:
            self._integer(value)
        elif kind == _STRUCT:
            self.struct(value)
        else:
            inner, items = value
            self.data.append(min(len(items), 15) << 4 | inner)
            if len(items) >= 15:
                self._varint(len(items))
            for item in items:
                self._value(inner, item)

    def struct(self, fields: Struct) -> None:
        last = 0
        for number in sorted(fields):
            kind, value = fields[number]
            if 0 < number - last < 16:
                self.data.append(number - last << 4 | kind)
            else:
                self.data.append(kind)
                self._integer(number)
            if kind not in (_TRUE, _FALSE):
                self._value(kind, value)
            last = number
        self.data.append(0)


def _shift(struct: Struct, number: int, by: int) -> None:
    # Some writers put 0 for an unknown offset.
    if number in struct and struct[number][1] > 0:
        kind, place = struct[number]
        struct[number] = (kind, place + by)


def split_part(file: Buffer) -> tuple[memoryview, bytes]:
    """Return the row groups of a complete file, and its footer."""
    part = memoryview(file)
    if len(part) < 12 or part[:4] != MAGIC or part[-4:] != MAGIC:
        raise ValueError("not a Parquet file")
    end = len(part) - 8 - int.from_bytes(part[-8:-4], "little")
    return part[len(MAGIC) : end], bytes(part[end:-8])


class Footer:
    """The footer of a file to which parts are appended."""

    def __init__(self) -> None:
        self._struct: Struct = {}
        self._groups: list[bytes] = []  # encoded, because there may be thousands
        self._rows = 0

    def add(self, footer: bytes, start: int) -> None:
        """Add the row groups of a part whose first byte after the magic is at offset `start` of the file."""
        struct = _FooterReader(footer).struct()
        if not self._struct:
            self._struct = struct
        by = start - len(MAGIC)
        for group in struct[_FILE_GROUPS][1][1]:
            _shift(group, _GROUP_OFFSET, by)
            group.pop(_GROUP_ORDINAL, None)  # it is optional, and its 16 bits may overflow
            for chunk in group[_GROUP_CHUNKS][1][1]:
                for number in _CHUNK_OFFSETS:
                    _shift(chunk, number, by)
                if _CHUNK_META in chunk:
                    for number in _META_OFFSETS:
                        _shift(chunk[_CHUNK_META][1], number, by)
            writer = _FooterWriter()
            writer.struct(group)
            self._groups.append(bytes(writer.data))
        self._rows += struct[_FILE_ROWS][1]

    def to_bytes(self) -> bytes:
        """Return the end of the file: footer, length and magic."""
        kind, _ = self._struct[_FILE_ROWS]
        struct = {**self._struct, _FILE_ROWS: (kind, self._rows), _FILE_GROUPS: (_LIST, (_STRUCT, self._groups))}
        writer = _FooterWriter()
        writer.struct(struct)
        return bytes(writer.data) + len(writer.data).to_bytes(4, "little") + MAGIC


# Size of a row group: small groups are slow to read, large groups take memory.
_GROUP_ROWS = 1 << 17
_GROUP_BYTES = 64 << 20
# Each row has its own value, so a dictionary would be useless.
_DISTINCT = frozenset(("line", "request_id"))
# Columns of long or random texts, which readers seldom filter by smallest and largest value.
_NO_STATISTICS = frozenset(
    "url netloc path query fragment agent findings username password file field request_id".split()
)


@contextmanager
def refusing(kind: str) -> Iterator[None]:
    """Raise Failure for a type or a value of a column that this kind of file does not have."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        what = visible(str(error).partition("\n")[0])
        raise Failure(f"a column does not fit into {kind}: {what}; write --to jsonl, or leave it out") from None


class ParquetFile:
    """A Parquet file. Each row group is encoded as a file of its own, on any thread."""

    def __init__(self, sink: Sink, columns: tuple[str, ...], kept: pa.Schema) -> None:
        self._sink = sink
        self._footer = Footer()
        self._at = 0
        self._schema = pa.schema([*plain_schema(columns), *kept])
        self._dictionaries = [
            f"{name}.list.element" if name in FINDINGS else name for name in columns if name not in _DISTINCT
        ] + [field.name for field in kept if field.type == pa.string()]
        # Most line numbers follow each other: differences take a few bits.
        self._encodings = {"line": "DELTA_BINARY_PACKED"} if "line" in columns else None
        self._statistics = [name for name in columns if name not in _NO_STATISTICS]
        self._statistics += [field.name for field in kept if not pa.types.is_nested(field.type)]

    @refusing("parquet")
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
        data, footer = split_part(encoded)
        if not self._at:
            self._put(MAGIC)
        start = self._at
        self._put(data)
        self._footer.add(footer, start)

    def _put(self, data: bytes | memoryview) -> None:
        self._sink.write(data)
        self._at += len(data)

    def close(self) -> None:
        if not self._at:
            self.write(self.encode(self._schema.empty_table()))
        self._put(self._footer.to_bytes())


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

    @refusing("arrow")
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

    def write(self, data: Any) -> int:
        self._sink.write(memoryview(data))
        self._written += len(data)
        return len(data)

    def tell(self) -> int:
        return self._written

    def writable(self) -> bool:
        return True


class TableOutput(ColumnOutput):
    """Collects units to row groups and writes them to a table file."""

    keep_unfinished = False  # a part of such a file cannot be read

    def __init__(self, sink: Sink, kind: str, columns: tuple[str, ...]) -> None:
        super().__init__(sink, columns)
        if kind == "arrow":
            arrow_module("pyarrow.compute")  # the cast of a dictionary imports it
        # In Parquet, few values need a cast, and to import the module takes a tenth of the time of a small run.
        compute.import_arrow = arrow_module
        self._make: type[ParquetFile | ArrowFile] = ParquetFile if kind == "parquet" else ArrowFile
        self._kept = kept_schema(())
        self._file: ParquetFile | ArrowFile | None = None
        self._held: list[pa.RecordBatch] = []
        self._rows = 0
        self._size = 0

    def start(self, columns: tuple[str, ...], kept: tuple[PassthroughColumn, ...]) -> None:
        self._kept = kept_schema(kept)
        self._file = self._make(self.sink, columns, self._kept)

    def prepare(self, unit: Unit, only_valid: bool) -> pa.RecordBatch:
        batch = text_batch(unit, only_valid)
        return with_kept(batch, unit, self._kept, only_valid) if unit.kept and unit.urls else batch

    def write(self, prepared: pa.RecordBatch, size: int) -> None:
        if prepared.num_rows:
            self._held.append(prepared)
        self._rows += prepared.num_rows
        self._size += size
        while self._rows >= _GROUP_ROWS:
            self._flush(_GROUP_ROWS)
        if self._size >= _GROUP_BYTES:
            self._flush(self._rows)

    def _flush(self, rows: int) -> None:
        file = self._file
        if file is None or not self._held:
            return
        table = pa.Table.from_batches(self._held)
        group, rest = table.slice(0, rows), table.slice(rows)
        self._held = rest.to_batches()
        self._size = self._size * rest.num_rows // max(1, self._rows)
        self._rows = rest.num_rows
        for encoded in self.pool.submit(lambda: file.encode(group)):
            file.write(encoded)

    def finish(self) -> None:
        super().finish()
        assert self._file is not None
        if self._rows:
            self._flush(self._rows)
        for encoded in self.pool.rest():
            self._file.write(encoded)
        self._file.close()
