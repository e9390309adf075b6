"""Parquet and Arrow IPC files, by pyarrow, a record batch at a time."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fasturl.cli.rows import Row
from fasturl.cli.sink import Sink

# A row group of Parquet: small ones cost readers, large ones memory.
_GROUP = 1 << 17
_TYPES = {
    "line": pa.int64(),
    "port": pa.uint16(),
    "valid": pa.bool_(),
    "findings": pa.list_(pa.string()),
    "error_offset": pa.int64(),
    "status": pa.int16(),
    "size": pa.uint64(),
}
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match.group()) - 0xDC00:02X}"


def _text(value: Any) -> Any:
    """Text of an octet string. These formats hold UTF-8 only: another octet is written as its escape."""
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return _NOT_UTF8.sub(_percent, value.decode("utf-8", "surrogateescape"))


class _Raw(io.RawIOBase):
    """A sink as the file object that pyarrow writes to."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, octets: Any) -> int:
        block = bytes(octets)
        self._sink.write(block)
        self._written += len(block)
        return len(block)

    def tell(self) -> int:
        return self._written


class ArrowWriter:
    """Rows gathered to row groups (Parquet) or record batches (Arrow IPC file)."""

    mixed = False
    readable_early = False

    def __init__(self, sink: Sink, kind: str) -> None:
        self._raw = _Raw(sink)
        self._kind = kind
        self._rows: list[Row] = []
        self._schema: Any = None
        self._writer: Any = None

    def start(self, columns: tuple[str, ...]) -> None:
        self._schema = pa.schema([(name, _TYPES.get(name, pa.string())) for name in columns])
        if self._kind == "parquet":
            self._writer = pq.ParquetWriter(self._raw, self._schema)
        else:
            self._writer = pa.ipc.new_file(self._raw, self._schema)

    def write(self, rows: list[Row]) -> None:
        self._rows += rows
        while len(self._rows) >= _GROUP:
            self._flush(self._rows[:_GROUP])
            self._rows = self._rows[_GROUP:]

    def _flush(self, rows: list[Row]) -> None:
        columns: Sequence[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * len(self._schema)
        arrays = []
        for field, values in zip(self._schema, columns, strict=True):
            if field.type == pa.string():
                values = [_text(value) for value in values]
            arrays.append(pa.array(values, type=field.type))
        self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))

    def close(self) -> None:
        self._flush(self._rows)
        self._rows = []
        self._writer.close()
