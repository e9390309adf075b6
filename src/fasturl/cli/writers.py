"""The formats of output: each turns rows into octets for a sink.

A writer is given the columns before the first row, rows in whole batches, and `close` when the last one was.
What it has written after any `write` is whole rows, so a run may end between two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fasturl._rows import csv_rows, json_rows
from fasturl.cli.rows import Row
from fasturl.cli.sink import Sink


class Writer(Protocol):
    # Whether rows of another input may have other columns.
    mixed: bool
    # Whether what is written before `close` is of use without it.
    readable_early: bool

    def start(self, columns: tuple[str, ...]) -> None: ...
    def write(self, rows: list[Row]) -> None: ...
    def close(self) -> None: ...


class JsonlWriter:
    """JSON lines in ASCII: an object a row."""

    mixed = True
    readable_early = True

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._columns: tuple[str, ...] = ()

    def start(self, columns: tuple[str, ...]) -> None:
        self._columns = columns

    def write(self, rows: list[Row]) -> None:
        if rows:
            self._sink.write(json_rows(rows, self._columns))

    def close(self) -> None:
        pass


class CsvWriter:
    """CSV with a header; octets as they are."""

    mixed = False
    readable_early = True

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def start(self, columns: tuple[str, ...]) -> None:
        self._sink.write(csv_rows([columns]))

    def write(self, rows: list[Row]) -> None:
        if rows:
            self._sink.write(csv_rows(rows))

    def close(self) -> None:
        pass


WRITERS: dict[str, Callable[[Sink], Writer]] = {"jsonl": JsonlWriter, "csv": CsvWriter}
# Made of columns, not of rows: by fasturl.cli.columnar.
COLUMNAR = ("parquet", "arrow")
KINDS = (*WRITERS, *COLUMNAR)
_BY_SUFFIX = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


def kind_for(path: str | None, asked: str | None) -> str:
    """The format asked for, or the one that the output's name tells, or JSON lines."""
    if asked is not None:
        return asked
    lower = (path or "").lower()
    return next((kind for suffix, kind in _BY_SUFFIX.items() if lower.endswith(suffix)), "jsonl")
