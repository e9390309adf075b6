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
    """Return a lazy LazyFrame with a row for each request in the logs.

    When you collect a query, it computes only the columns that it uses. It filters first, and then computes the other
    columns for the rows that remain. It stops reading when it has enough rows. Streaming queries use constant memory.

    Parameters
    ----------
    source : path or list of paths
        A file, a directory or a glob pattern, local or remote, for example ``s3://b/logs/``.
    format : str, Format, LogFormat or mapping, default "auto"
        A name in ``LOG_NAMES``, "URLS" for a URL per line, a server's format such as ``$remote_addr "$request"``, a
        result from ``detect``, ``line_format`` or ``json_format``, or a mapping for ``json_format``. "auto" detects
        each file's format.
    fields : sequence of str, optional
        The columns, in order. docs/logs.md lists them. By default, you get all columns in the first file, except the
        referer's parts.
    rows : {"request", "url"}, default "request"
        "request" gives a row per request. "url" gives a row per URL, and the column ``field`` tells targets from
        referers.
    rejects : {"skip", "keep"}, optional
        "keep" adds a row of nulls for each rejected line, and the columns ``rejected`` and ``text``, which holds the
        line. "skip" leaves the lines out. By default, they are left out too, but a file with rejects and no record
        raises LogError.
    threads : int, optional
        The number of threads that read the log, in addition to Polars' threads. By default, all processors work.

    Returns
    -------
    polars.LazyFrame
        The same columns as from ``fasturl.logs.read``.

    Raises
    ------
    OSError
        If a file cannot be opened. Later errors come from the query.

    Examples
    --------
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
