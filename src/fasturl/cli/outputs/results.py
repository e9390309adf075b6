"""The rows of a query, whatever their types: a table on a terminal, CSV, JSON lines, Parquet or Arrow."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Any

import pyarrow as pa

from fasturl import _rowtext
from fasturl.cli.arrowmodules import arrow_module
from fasturl.cli.outputs.files import SinkFile
from fasturl.cli.outputs.sink import Sink
from fasturl.cli.terminal import say
from fasturl.logs.shown import visible

# On a terminal, where a table is laid out as a whole.
SHOWN_AT_MOST = 1000


def write_result(rows: pa.RecordBatchReader, sink: Sink, kind: str | None) -> None:
    """Write all rows as `kind`; None is a table for a person, or JSON lines where nobody looks."""
    if kind == "parquet":
        pq = arrow_module("pyarrow.parquet")

        with pq.ParquetWriter(pa.PythonFile(SinkFile(sink), mode="w"), rows.schema) as parquet:
            for batch in rows:
                parquet.write_batch(batch)
    elif kind == "arrow":
        make = pa.ipc.new_file if sink.is_file else pa.ipc.new_stream
        with make(pa.PythonFile(SinkFile(sink), mode="w"), rows.schema) as arrow:
            for batch in rows:
                arrow.write_batch(batch)
    elif kind == "csv":
        sink.write(_csv_line(rows.schema.names))
        for batch in rows:
            sink.write(b"".join(map(_csv_line, _values(batch))))
    elif kind is None and sink.is_terminal:
        _show(rows)
    else:
        names = rows.schema.names
        for batch in rows:
            sink.write(b"".join(_json_line(names, values) for values in _values(batch)))


def _values(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    if not batch.num_columns:
        return iter([()] * batch.num_rows)
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


def said(value: Any) -> Any:
    """The value as JSON knows it: integers of any size, times as RFC 3339, anything else as its text."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, dict):
        return {str(key): said(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [said(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _json_line(names: list[str], values: tuple[Any, ...]) -> bytes:
    line = json.dumps(dict(zip(names, map(said, values), strict=True)), separators=(",", ":"))
    return line.encode() + b"\n"


def _text(value: Any) -> str:
    told = said(value)
    if isinstance(told, list) and all(isinstance(each, str) for each in told):
        return "|".join(told)
    return told if isinstance(told, str) else "" if told is None else json.dumps(told)


def _csv_line(values: Any) -> bytes:
    cells = []
    for value in values:
        text = _text(value).encode("utf-8", "surrogateescape")
        cells.append(b"" if value is None else _rowtext.value(text, csv=True) if not isinstance(value, int) else text)
    return b",".join(cells) + b"\n"


def _show(rows: pa.RecordBatchReader) -> None:
    """The first rows as a table; without rich, divided by tabs."""
    names = rows.schema.names
    every = (values for batch in rows for values in _values(batch))
    shown = list(islice(every, SHOWN_AT_MOST))
    cells = [[visible(_text(value)) for value in values] for values in shown]
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ModuleNotFoundError:
        for line in ([visible(name) for name in names], *cells):
            print("\t".join(line))
    else:
        table = Table()
        for name, kind in zip(names, rows.schema.types, strict=True):
            is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
            table.add_column(Text(visible(name)), justify="right" if is_number else "left", overflow="fold")
        for line in cells:
            table.add_row(*map(Text, line))
        Console(file=sys.stdout).print(table)
    if next(every, None) is not None:
        say(f"these are the first {SHOWN_AT_MOST:,} rows: write all of them with -o FILE")
