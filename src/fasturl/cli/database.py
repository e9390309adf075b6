"""Connections to DuckDB: locked settings, local files only, and errors in one line."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fasturl._extras import pip_install
from fasturl._quoted import unknown
from fasturl.cli.failure import ALL_FIELDS, Failure, Interrupted, signals
from fasturl.cli.temporary import spill_folder

if TYPE_CHECKING:
    import pyarrow as pa

    from fasturl.cli.inputs import CommandInputs

SQL_TABLES = ("requests", "urls", "rejects")
_ROWS = 1 << 13
# Settings that a query may change, from DuckDB 2.0 on. All others are locked.
_OPEN_SETTINGS = ("Calendar", "TimeZone", "default_collation", "default_null_order", "default_order")
_REFUSED = (
    "QUERY: INSTALL, LOAD and UPDATE EXTENSIONS are refused, because fasturl never loads or fetches an extension of "
    "DuckDB. Write a file with `fasturl parse -o FILE.parquet`, and query it with DuckDB itself"
)
# Returns the tree of a query, the number of its columns, and the tree without its columns and without text positions.
_TREE = """
SELECT tree::VARCHAR, json_array_length(tree->'$.select_list'), json_merge_patch(tree,
    '{"select_list": null, "from_table": {"query_location": null, "query_location_length": null}}')::VARCHAR
FROM (SELECT json_serialize_sql(?)::JSON->'$.statements[0].node' AS tree)
"""
# Default memory limit. The default of DuckDB is most of the machine's memory.
MEMORY = 1 << 30


def duckdb_module(command: str) -> Any:
    """Return the module duckdb. Raise Failure if it is not installed."""
    try:
        import duckdb
    except ModuleNotFoundError as error:
        if error.name != "duckdb":
            raise
        raise Failure(f"fasturl {command} needs duckdb: {pip_install('cli')}") from None
    return duckdb


def reader_of(found: Any) -> Any:
    return found.to_arrow_reader(_ROWS)


@contextlib.contextmanager
def open_database(duckdb: Any, threads: int | None, memory: int = MEMORY) -> Iterator[Any]:
    """Connect to a database in memory that spills to its own temporary directory.

    It loads no extension, so it has no access to the network. A signal interrupts its query.
    """
    with spill_folder() as directory:
        settings: dict[str, Any] = {
            "temp_directory": directory,
            "python_enable_replacements": False,  # a query cannot read variables of Python
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_persistent_secrets": False,
            "extension_directory": os.path.join(os.devnull, "none"),  # makes INSTALL fail before it fetches anything
        }
        if threads is not None:
            settings["threads"] = threads
        settings["memory_limit"] = f"{memory}B"
        connection = duckdb.connect(":memory:", config=settings)
        try:
            try:
                connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")  # it writes to stdout
                _lock(connection)
            except duckdb.Error as error:  # out of memory
                raise failure_of(error, duckdb) from None
            with signals.calling(connection.interrupt):
                yield connection
        finally:
            connection.close()


def _lock(connection: Any) -> None:
    """Restrict queries to local files and, where DuckDB can, to changes of `_OPEN_SETTINGS`; else to no changes."""
    if os.name == "posix":  # paths on Windows have no common root
        connection.execute("SET allowed_directories = ['/']")
        connection.execute("SET enable_external_access = false")  # except in these directories; refuses every LOAD
    if connection.execute("SELECT 1 FROM duckdb_settings() WHERE name = 'allowed_configs'").fetchone():
        connection.execute(f"SET allowed_configs = {list(_OPEN_SETTINGS)}")
    connection.execute("SET lock_configuration = true")


def _refuse_other_encodings(query: str, said_by: str) -> None:
    try:
        query.encode()
    except UnicodeEncodeError:
        raise Failure(f"{said_by} is not UTF-8") from None


def refuse_extensions(duckdb: Any, connection: Any, query: str) -> None:
    """Raise Failure if a statement would load or fetch an extension, before any statement runs."""
    _refuse_other_encodings(query, "QUERY")
    for statement in connection.extract_statements(query):
        try:
            name = statement.type.name
        except ValueError:  # a type unknown to this duckdb module, such as UPDATE EXTENSIONS
            name = ""
        if name in ("LOAD", "EXTENSION") or name not in duckdb.StatementType.__members__:
            raise Failure(_REFUSED)


def check_expression(duckdb: Any, connection: Any, expression: str) -> None:
    """Raise Failure unless `--where` is one expression over the columns of a row, without a subquery."""
    _refuse_other_encodings(expression, "--where")
    query = f"SELECT (\n{expression}\n)"
    try:
        count = len(connection.extract_statements(query))
    except duckdb.Error as error:  # a syntax error
        raise failure_of(error, duckdb, "--where") from None
    if count == 1:
        ((tree, count, around),) = connection.execute(_TREE, [query]).fetchall()
        ((_, _, around_one),) = connection.execute(_TREE, ["SELECT (true)"]).fetchall()
        # A constant cannot contain this text: its quotes would be escaped in the tree.
        if tree is not None and '"class":"SUBQUERY"' in tree:
            raise Failure("--where cannot have a subquery: use fasturl sql")
        if count == 1 and around == around_one:
            return
    raise Failure("--where: expected one expression over a row, such as status >= 500")


def runner(connection: Any, duckdb: Any, reading: CommandInputs) -> Callable[..., Any]:
    """Return the function that runs a query over tables given by name, and returns its rows, a reader or a table."""

    def run(query: str, *, as_reader: bool = False, as_table: bool = False, **given: pa.Table) -> Any:
        if reading.cut_short is None:  # else the signal has ended the stream, and is handled
            signals.check()
        try:
            for name, rows in given.items():
                connection.register(name, rows)
            if as_reader:  # of a cursor, because the next query would close a reader of the connection
                return reader_of(connection.cursor().sql(query))
            return reader_of(connection.sql(query)).read_all() if as_table else connection.execute(query).fetchall()
        except Exception as error:
            raise failure_of(error, duckdb) from None
        finally:
            for name in given:
                with contextlib.suppress(duckdb.Error):  # it may be out of memory
                    connection.unregister(name)

    return run


def failure_of(error: Exception, duckdb: Any, said_by: str = "", columns: Sequence[str] = ()) -> BaseException:
    """Return the failure for the error of a query, with a message in one line.

    said_by : the option or argument that holds the SQL; empty for a query of fasturl's own
    columns : the columns that the SQL may name
    """
    if isinstance(error, duckdb.InterruptException):
        signals.came.wait(1)
    signals.check()
    # No handler has run if another thread took the signal while the main thread waits for a result.
    if isinstance(error, (RuntimeError, duckdb.InterruptException)) and "interrupt" in str(error).lower():
        return Interrupted(2)
    if isinstance(error, duckdb.Error):
        text, line, rest = str(error).partition("\nLINE ")
        if isinstance(error, duckdb.ConversionException):  # quotes a value, which the log may have and not the query
            value = r"(?s)(?:string )?(['\"])(.*)\1"
            text = re.sub(value, lambda found: found[0] if found[2] in rest else "a text", text)
        lines = (" ".join(each.split()) for each in (text + line + rest).splitlines())
        said = [each for each in lines if each] or [type(error).__name__]
        if isinstance(error, duckdb.OutOfMemoryException):
            return Failure(f"{said[0].partition(';')[0]}: try a larger --memory SIZE")
        before = f"{said_by}: " if said_by else ""
        if found := re.search(r'Referenced column "(.+)" not found|have a column named "(.+)"', said[0]):
            there = [*columns, *re.findall(r'"([^"]+)"', "".join(said[1:2]))]  # the candidates of DuckDB
            return Failure(f"{before}{unknown('column', found[1] or found[2], there, ALL_FIELDS * (len(there) > 9))}")
        if found := re.search(r"Table with name (.+) does not exist", said[0]):
            return Failure(f"{before}{unknown('table', found[1], SQL_TABLES)}")
        said[0] = said[0].rstrip("!.")
        # Show neither the query around an expression, nor the beginning of a list.
        if len(said) > 1 and re.search("try installing|:$" + "|^LINE" * ("QUERY" not in said_by), said[1]):
            del said[1:]
        return Failure(before + "; ".join(said[:2]))
    return error
