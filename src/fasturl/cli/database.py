"""DuckDB, as the command line uses it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import Any

from fasturl.cli.failure import Failure, Interrupted
from fasturl.cli.signals import signals

_ROWS = 1 << 13


def duckdb_module(command: str) -> Any:
    """DuckDB; Failure when it is not there."""
    try:
        import duckdb
    except ModuleNotFoundError as error:
        if error.name != "duckdb":
            raise
        raise Failure(f"fasturl {command} needs duckdb: pip install 'fasturl[cli]'") from None
    return duckdb


def reader_of(found: Any) -> Any:
    """The rows as a reader, whatever this DuckDB calls it."""
    read = getattr(found, "to_arrow_reader", None) or found.fetch_record_batch
    return read(_ROWS)


@contextlib.contextmanager
def connected(duckdb: Any, threads: int | None, memory: int | None) -> Iterator[Any]:
    """A database in memory that looks at nothing but the tables and what the query names, and spills to a directory
    of its own."""
    with tempfile.TemporaryDirectory(prefix="fasturl-") as directory:
        settings: dict[str, Any] = {
            "temp_directory": directory,
            "python_enable_replacements": False,  # Python's variables are no tables
            "autoinstall_known_extensions": False,  # nothing is fetched
        }
        if threads is not None:
            settings["threads"] = threads
        if memory is not None:
            settings["memory_limit"] = f"{memory}B"
        connection = duckdb.connect(":memory:", config=settings)
        try:
            with contextlib.suppress(duckdb.Error):
                connection.execute("SET TimeZone = 'UTC'")
            yield connection
        finally:
            connection.close()


def failure_of(error: Exception, duckdb: Any) -> BaseException:
    """What a query failed for, in one line."""
    signals.check()
    if isinstance(error, RuntimeError) and "interrupt" in str(error).lower():
        return Interrupted(2)
    if isinstance(error, duckdb.Error):
        said = [line for line in str(error).splitlines() if line.strip()]
        if isinstance(error, duckdb.OutOfMemoryException):
            return Failure(f"{said[0].partition(';')[0]}: try a larger --memory SIZE")
        return Failure("; ".join(said[:2]) if said else type(error).__name__)
    return error
