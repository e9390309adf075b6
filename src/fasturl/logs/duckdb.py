"""Logs as a DuckDB relation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa

from fasturl.logs.dataset import StreamedDataset
from fasturl.logs.inputs.source import Source
from fasturl.logs.logtable import LogTable, Paths, Rejects, log_table
from fasturl.logs.reader import AnyFormat, Rows
from fasturl.logs.units import RowFilter

__all__ = ["read"]


class _Logs(StreamedDataset):
    """Logs as a dataset. Each query reads the files again."""

    def __init__(self, table: LogTable, sources: list[Source], threads: int | None) -> None:
        super().__init__(table.schema)
        self._table = table
        self._sources = sources
        self._threads = threads

    def batches(self, columns: list[str], where: RowFilter | None = None) -> Iterator[pa.RecordBatch]:
        sources = [source.again() for source in self._sources]
        return self._table.only(columns).read_files(sources, self._threads, where)


def read(
    source: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    *,
    rejects: Rejects = None,
    threads: int | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """Return a lazy relation with a row for each request in the logs.

    Each query reads the files again, and computes only the columns that it names. When DuckDB pushes a filter down, the
    filter comes first, and then the other columns are computed for the rows that remain.

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
        The number of threads that read the log, in addition to DuckDB's threads. By default, all processors work.
    connection : duckdb.DuckDBPyConnection, optional
        The relation's connection. By default, you get DuckDB's default connection.

    Returns
    -------
    duckdb.DuckDBPyRelation
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
    >>> with duckdb.connect() as connection:
    ...     read(log, connection=connection).filter("status = 200").project("path").fetchall()
    [('/a',)]
    """
    table, sources = log_table(source, format, fields, rows, rejects)
    logs = _Logs(table, sources, threads)
    return (connection or duckdb.default_connection()).from_arrow(logs)
