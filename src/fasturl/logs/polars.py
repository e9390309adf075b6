"""Logs as a Polars LazyFrame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import polars as pl
import pyarrow as pa
from polars.io.plugins import register_io_source

from fasturl.logs.inputs.source import Source
from fasturl.logs.logtable import LogTable, Paths, Rejects, log_table
from fasturl.logs.reader import AnyFormat, Rows
from fasturl.logs.units import RowFilter

__all__ = ["scan"]


def scan(
    source: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    *,
    rejects: Rejects = None,
    threads: int | None = None,
) -> pl.LazyFrame:
    """Return a LazyFrame of logs, read as by ``fasturl.logs.read``.

    A query computes only the columns that it uses, those of a filter first, and the others only for the rows that
    remain. It stops reading after the last row that it takes. Streaming queries use constant memory.

    source : a path, a pattern of paths, a directory or a list of these, local or remote (``s3://b/logs/``)
    format, fields, rows : as for ``fasturl.logs.read``
    threads : the number of threads that read the log, beside those of Polars; None takes all processors
    rejects : "keep" adds a row of nulls for each rejected line, and two columns: ``rejected``, and ``text`` with the
        text of that line. "skip" leaves these lines out. None does too, but raises LogError
        for a file that has rejects and no record
    Raises OSError for a file that cannot be opened. Later errors are raised by the query.

    >>> import tempfile
    >>> from pathlib import Path
    >>> log = Path(tempfile.mkdtemp(), "access.log")
    >>> _ = log.write_text('192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 10\\n')
    >>> scan(log).filter(pl.col("status") == 200).select("path").collect().rows()
    [('/a',)]
    """
    table, sources = log_table(source, format, fields, rows, rejects)
    return register_io_source(partial(_scan, table, sources, threads), schema=dict(_frame(table).schema))


def _frame(table: LogTable, *batches: pa.RecordBatch) -> pl.DataFrame:
    frame = pl.from_arrow(pa.Table.from_batches(batches, schema=table.schema))
    assert isinstance(frame, pl.DataFrame)
    return frame


def _scan(
    table: LogTable,
    sources: list[Source],
    threads: int | None,
    columns: list[str] | None,
    predicate: pl.Expr | None,
    n_rows: int | None,
    batch_size: int | None,
) -> Iterator[pl.DataFrame]:
    """Yield the frames of a query. `n_rows` limits the rows before the predicate is applied."""
    wanted = list(table.columns) if columns is None else columns
    roots = set() if predicate is None else set(predicate.meta.root_names())
    asked = table.only([name for name in table.columns if name in roots.union(wanted)] or table.columns[:1])
    where = None
    if predicate is not None and n_rows is None:
        seen = table.only([name for name in table.columns if name in roots])
        where = RowFilter(
            seen.columns, lambda batch: _frame(seen, batch).select(predicate.arg_true()).to_series().to_arrow()
        )
    left = n_rows
    for batch in asked.read_files([source.again() for source in sources], threads, where):
        frame = _frame(asked, batch).head(len(batch) if left is None else left)
        yield (frame if predicate is None else frame.filter(predicate)).select(wanted)
        if left is not None:
            left -= len(frame)
            if left <= 0:
                return
