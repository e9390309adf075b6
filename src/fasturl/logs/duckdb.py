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
    """Return a lazy relation of logs, read as by ``fasturl.logs.read``.

    Each query reads the files, and computes only the columns that it names. Where DuckDB pushes a filter down, the
    columns of the filter are computed first, and the others only for the rows that remain.

    source : a path, a pattern of paths, a directory or a list of these, local or remote (``s3://b/logs/``)
    format, fields, rows : as for ``fasturl.logs.read``
    threads : the number of threads that read the log, beside those of DuckDB; None takes all processors
    rejects : "keep" adds a row of nulls for each rejected line, and two columns: ``rejected``, and ``text`` with the
        text of that line. "skip" leaves these lines out. None does too, but raises LogError
        for a file that has rejects and no record
    connection : the connection of the relation; None for duckdb's default connection
    Raises OSError for a file that cannot be opened. Later errors are raised by the query.

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
