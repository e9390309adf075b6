"""The result of a query: a table on a terminal, one line per value, CSV, JSON lines, Parquet or Arrow."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl.cli.imports import arrow_module
from fasturl.cli.outputs.lines import json_value, python_values
from fasturl.cli.outputs.sink import CSV_SAFE, TABLES, VERTICAL, Sink
from fasturl.cli.outputs.tablefiles import SinkFile, refusing
from fasturl.cli.terminal import say
from fasturl.logs.shown import visible

_ROWS_SHOWN = 1000  # on a terminal: rich lays out a table as a whole
_FOLDED = 24  # characters to which a table may fold a value


def write_result(rows: pa.RecordBatchReader, sink: Sink, kind: str | None) -> None:
    """Write all rows as `kind`. None is a table, or lines if it is too wide, on a terminal, else JSON lines."""
    if kind in TABLES:
        make = pa.ipc.new_file if sink.is_file else pa.ipc.new_stream
        if kind == "parquet":
            make = arrow_module("pyarrow.parquet").ParquetWriter
        with refusing(str(kind)):
            table = make(pa.PythonFile(SinkFile(sink), mode="w"), rows.schema)
        with table:
            for batch in rows:
                with refusing(str(kind)):
                    table.write_batch(batch)
    elif kind in ("csv", CSV_SAFE):
        line = partial(_csv_line, csv_safe=kind == CSV_SAFE)
        sink.write(line(rows.schema.names))
        for batch in rows:
            sink.write(b"".join(map(line, _values(batch))))
    elif kind == VERTICAL:
        number = 0
        for batch in rows:
            lines = _vertical(rows.schema.names, _values(batch), number)
            number += batch.num_rows
            sink.write("".join(lines).encode("utf-8", "surrogateescape"))
    elif kind is None and sink.is_terminal:
        _show(rows)
    else:
        names = rows.schema.names
        for batch in rows:
            entries = (dict(zip(names, map(json_value, values), strict=True)) for values in _values(batch))
            sink.write("".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries).encode())


def _values(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    if not batch.num_columns:
        return iter([()] * batch.num_rows)
    return zip(*map(python_values, batch.columns), strict=True)


def _text(value: Any) -> str:
    text = json_value(value)
    if isinstance(text, list) and all(isinstance(each, str) for each in text):
        return "|".join(text)
    return text if isinstance(text, str) else "" if text is None else json.dumps(text)


def _csv_line(values: Any, csv_safe: bool) -> bytes:
    cells = []
    for value in values:
        text = _text(value).encode("utf-8", "surrogateescape")
        is_number = value is None or isinstance(value, (int, float, Decimal))
        cells.append(text if is_number else _columns.value(text, csv=True, csv_safe=csv_safe))
    return b",".join(cells) + b"\n"


def _vertical(names: list[str], rows: Iterable[tuple[Any, ...]], before: int) -> Iterator[str]:
    """Yield each row as one line per value, under a line with its number. A null has no text."""
    width = max(map(len, map(visible, names)), default=0)
    for number, values in enumerate(rows, before + 1):
        yield f"-- row {number} --\n"
        for name, value in zip(names, values, strict=True):
            yield f"{visible(name):<{width}}  {visible(_text(value))}".rstrip() + "\n"


def _show(rows: pa.RecordBatchReader) -> None:
    """Print the first rows: as a table, as lines if it is too wide, or with tabs if rich is not installed."""
    names = rows.schema.names
    every = (values for batch in rows for values in _values(batch))
    shown = list(islice(every, _ROWS_SHOWN))
    cells = [[visible(_text(value)) for value in values] for values in shown]
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ModuleNotFoundError:
        for line in ([visible(name) for name in names], *cells):
            print("\t".join(line))
    else:
        console = Console(file=sys.stdout)
        table = Table()
        for name, kind in zip(names, rows.schema.types, strict=True):
            is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
            table.add_column(Text(visible(name)), justify="right" if is_number else "left", overflow="fold")
        for line in cells:
            table.add_row(*map(Text, line))
        # A column that is folded below the length of its name cannot be read.
        widths = [max(len(name), min(_FOLDED, max(map(len, column), default=0))) for name, column in
                  zip(names, zip(*cells, strict=True), strict=True)] if cells else []  # fmt: skip
        if sum(widths) + 3 * len(widths) + 1 > console.width:
            print("".join(_vertical(names, shown, 0)), end="")
        else:
            console.print(table)
    if next(every, None) is not None:
        say(f"these are the first {_ROWS_SHOWN:,} rows: write all of them with -o FILE")
