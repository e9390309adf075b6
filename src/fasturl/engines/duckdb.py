"""DuckDB: SQL functions over columns, and the columns of a parse beside those of a relation.

>>> import duckdb
>>> from fasturl.engines.duckdb import parse, register
>>> with duckdb.connect() as connection:
...     register(connection)
...     connection.sql("SELECT url_host('http://h:80/a?b'), url_parse('http://h:80/a').port, url_host(NULL)").fetchall()
[('h', 80, None)]
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import duckdb
import pyarrow as pa

from fasturl import arrow
from fasturl.engines._operations import Column, Fields, Plan, added, column_of, plan
from fasturl.engines._sql import SqlFunction, all_functions, named
from fasturl.logs.dataset import StreamedDataset
from fasturl.logs.inputs.source import Source
from fasturl.logs.logtable import LogTable, Paths, Rejects, log_table
from fasturl.logs.reader import AnyFormat, Rows

__all__ = ["create_function", "parse", "read", "read_logs", "register"]

_TYPES = {
    pa.string(): "VARCHAR",
    pa.binary(): "BLOB",
    pa.uint16(): "USMALLINT",
    pa.uint32(): "UINTEGER",
    pa.uint64(): "UBIGINT",
    pa.bool_(): "BOOLEAN",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type(kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        return "STRUCT(" + ", ".join(f"{_quoted(part.name)} {_type(part.type)}" for part in kind) + ")"
    if pa.types.is_map(kind):
        return f"MAP({_type(kind.key_type)}, {_type(kind.item_type)})"
    return _type(kind.value_type) + "[]" if pa.types.is_list(kind) else _TYPES[kind]


def _create(connection: duckdb.DuckDBPyConnection, name: str, function: SqlFunction, *, once: bool = False) -> bool:
    """Whether it is made; one of this name stays."""

    def call(*columns: Column) -> Column:
        return function(*columns)

    # Special: DuckDB's default leaves null rows out, and takes no null for a row that has a URL.
    settings: dict[str, Any] = {"type": "arrow", "null_handling": "special", "side_effects": once}
    parameters = ["BLOB" if function.binary else "VARCHAR"] if function.most == 1 else None
    try:
        connection.create_function(name, call, parameters, _type(function.kind), **settings)
    except (duckdb.NotImplementedException, duckdb.CatalogException):
        return False
    return True


def _replace(connection: duckdb.DuckDBPyConnection, name: str, function: SqlFunction) -> bool:
    """Whether it is there now; one of this name that is DuckDB's or another connection's stays."""
    connection.execute(f"DROP MACRO IF EXISTS temp.{_quoted(name)}")
    with suppress(duckdb.InvalidInputException):  # when there is none, or it is another connection's
        connection.remove_function(name)
    made = _create(connection, name, function)
    if made:
        _document(connection, name, function)
    return made


def _document(connection: duckdb.DuckDBPyConnection, name: str, function: SqlFunction) -> None:
    """Give it names of parameters and a comment, for duckdb_functions(). A function made from Python can have neither,
    so a macro of the same name stands before it. It is temporary: the user's database stays as it is."""
    if function.most is None:  # a macro has so many parameters and no more
        return
    names = function.parameters[: function.most]
    calls = []
    for count in range(function.least, function.most + 1):
        given = ", ".join(map(_quoted, names[:count]))
        calls.append(f"({given}) AS system.main.{_quoted(name)}({given})")
    comment = function.sentence.replace("'", "''")
    connection.execute(f"CREATE TEMP MACRO {_quoted(name)}{', '.join(calls)}")
    connection.execute(f"COMMENT ON MACRO temp.{_quoted(name)} IS '{comment}'")


def register(
    connection: duckdb.DuckDBPyConnection, *, prefix: str = "url_", binary: bool = False, form: str = "url"
) -> None:
    """Add the functions to a connection's SQL; where they are there from an earlier call, they are made anew.

    ``url_parse(u)`` gives a STRUCT of all fields but hostname, ``url_host(u)`` and the like one of them, and each
    function of ``fasturl.arrow`` is there with its arguments: ``url_query_value(u, name [, default])``,
    ``url_drop_query(u, name, ...)``. Of NULL they are NULL. ``url_query_values(u, name, ...)`` gives a MAP. What has
    settings beside its arguments is made by :func:`create_function`.

    prefix : what their names begin with, for a second set beside the first
    binary : for columns of BLOB, with text parts as BLOB; functions for VARCHAR refuse a BLOB
    form : "url" or "request-target", of all of them
    Cursors of the connection have them too. Raises ValueError where functions of these names are there already from
    elsewhere and are other ones.
    """
    made = {
        name: _replace(connection, named(prefix, name), function)
        for name, function in all_functions(binary, _strings(binary), form)
    }
    if not all(made.values()) and not (made["path"] or _serves(connection, named(prefix, "path"), binary, form)):
        raise ValueError(f"functions of the prefix {prefix!r} are there, and not the same: give another prefix")


def _serves(connection: duckdb.DuckDBPyConnection, path: str, binary: bool, form: str) -> bool:
    """Whether another connection to this database has registered the same: its functions are there for all."""
    url = "'//a/b'::BLOB" if binary else "'//a/b'"
    with suppress(duckdb.Error):
        [(found,)] = connection.execute(f"SELECT {path}({url})").fetchall()
        wanted = "//a/b" if form == "request-target" else "/b"
        return bool(found == (wanted.encode() if binary else wanted))
    return False


def _strings(binary: bool) -> arrow.Strings:
    return "string" if binary else "view"  # DuckDB reads no views of octets


def create_function(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: str,
    *arguments: Any,
    binary: bool = False,
    **options: Any,
) -> None:
    """Add one function to a connection's SQL, with all but the URL settled: it takes the URL alone and is faster so.

    name : what it is called in SQL; one of ours that is there already is replaced
    function : "parse" with fields, or a field, or a function of ``fasturl.arrow`` with its arguments and settings

    >>> with duckdb.connect() as connection:
    ...     create_function(connection, "place", "parse", ["host", "port"])
    ...     create_function(connection, "page", "path_template", keep=["2"], form="request-target")
    ...     connection.sql("SELECT place('http://h:80/a'), page('//2/77')").fetchall()
    [({'host': 'h', 'port': 80}, '//2/{n}')]
    """
    form = str(options.pop("form", "url"))
    settled = tuple(sorted(options.items()))
    made = SqlFunction(function, binary, _strings(binary), form, arguments, settled)
    made.kind  # noqa: B018 - or what is wrong with it is raised, and what is there stays
    if not _replace(connection, name, made):
        raise ValueError(f"{name} is a function of DuckDB, or of another connection to this database")


def _connection_of(
    relation: duckdb.DuckDBPyRelation, given: duckdb.DuckDBPyConnection | None
) -> duckdb.DuckDBPyConnection:
    """The connection that was given, or the relation's own where DuckDB tells it, or the default one."""
    own = getattr(relation, "_con", None)
    if given is not None:
        return given
    return own if isinstance(own, duckdb.DuckDBPyConnection) else duckdb.default_connection()


def parse(
    relation: duckdb.DuckDBPyRelation,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """The relation with a column for each field after its own. It is lazy, as relations are.

    column : its column of URLs, VARCHAR or BLOB
    fields : names of fields and of functions; or a dict of the new columns' names and for each a field, or a function
        with its arguments, as in ``{"host": "host", "item": ("query_value", "item")}``
    prefix : what the names of the new columns begin with; ValueError where the relation has such a name
    connection : the relation's own, which is found in DuckDB 2; before, None is duckdb's default one
    Raises ValueError where the relation is of another connection; nothing is left behind there.

    >>> with duckdb.connect() as connection:
    ...     log = connection.sql("SELECT 1 AS id, '/a?b' AS u")
    ...     parse(log, "u", ["path", "query"], form="request-target", connection=connection).fetchall()
    [(1, '/a?b', '/a', 'b')]
    """
    made, column = _planned(relation, column, fields, form, prefix)
    binary = str(relation.types[relation.columns.index(column)]) == "BLOB"
    connection = _connection_of(relation, connection)
    key = hashlib.blake2s(repr((made, binary)).encode(), digest_size=8).hexdigest()
    function = f"fasturl_parse_{key}"
    # That is there from an earlier call is by its name the same.
    sql = SqlFunction("parse", binary, _strings(binary), form, (fields,))
    new = _create(connection, function, sql, once=True)
    try:
        # A subquery of its own, so that the struct is computed once and not once a field.
        once = relation.project(f"*, {function}({_quoted(column)}) AS fasturl_parsed")
    except duckdb.CatalogException:
        if new:
            connection.remove_function(function)
        raise ValueError("the relation is of another connection: give connection=, the one that it is of") from None
    parts = ", ".join(f"fasturl_parsed.{_quoted(name)} AS {_quoted(prefix + name)}" for name in made.names)
    return once.project(f"* EXCLUDE (fasturl_parsed), {parts}")


def _planned(
    relation: duckdb.DuckDBPyRelation, column: str, fields: Fields, form: str, prefix: str
) -> tuple[Plan, str]:
    made = plan(fields, form)
    column = column_of(relation.columns, column, case=False)
    added(relation.columns, made.names, prefix)
    return made, column


def read(
    relation: duckdb.DuckDBPyRelation,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    batch_rows: int = 1 << 16,
) -> pa.RecordBatchReader:
    """What :func:`parse` gives, as a stream of Arrow batches: the faster way through a whole table.

    DuckDB reads it again by its name in SQL (``FROM batches``), once. It is of no connection: any relation will do.
    While it is open, the relation's connection is at work: run what reads it on another, or on a cursor.

    >>> with duckdb.connect() as connection:
    ...     batches = read(connection.sql("SELECT 1 AS id, '/a?b' AS u"), "u", ["path"])
    ...     duckdb.sql("SELECT path FROM batches").fetchall()
    [('/a',)]
    """
    made, column = _planned(relation, column, fields, form, prefix)
    binary = str(relation.types[relation.columns.index(column)]) == "BLOB"
    source = _reader(relation, batch_rows)
    new = [pa.field(prefix + part.name, part.type) for part in made.schema(binary=binary)]
    target = pa.schema([*source.schema, *new])

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in source:
            found = made.read(batch.column(column), threads=1)
            yield pa.RecordBatch.from_arrays([*batch.columns, *found.columns], schema=target)

    return pa.RecordBatchReader.from_batches(target, batches())


def _reader(relation: duckdb.DuckDBPyRelation, batch_rows: int) -> pa.RecordBatchReader:
    name = "to_arrow_reader" if hasattr(relation, "to_arrow_reader") else "fetch_arrow_reader"  # before DuckDB 1.4
    return getattr(relation, name)(batch_rows)


class _Logs(StreamedDataset):
    """Some logs, which are read anew for each query."""

    def __init__(self, table: LogTable, paths: list[str], threads: int | None) -> None:
        self._table = table
        self._paths = paths
        self._threads = threads

    @property
    def schema(self) -> pa.Schema:
        return self._table.schema

    def batches(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        return self._table.only(columns).read_files([Source(path) for path in self._paths], self._threads)


def read_logs(
    path: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    *,
    rejects: Rejects = "skip",
    threads: int | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """A relation of logs, as ``fasturl.logs.read`` reads them. It is lazy: each query reads the files, and only the
    columns that it names are computed.

    path : a path, a pattern of paths or a list of these
    format, fields, rows, threads : as for ``fasturl.logs.read``
    rejects : "keep" for a row of nulls for each line that is no record, and two more columns, ``rejected`` and
        ``text``, what such a line holds
    connection : the one that the relation is for; None is duckdb's default one
    Raises LogError for a file that cannot be opened; what is wrong with one later is raised by the query.
    """
    table, sources = log_table(path, format, fields, rows, rejects, one_format=False)
    logs = _Logs(table, [source.path for source in sources], threads)
    return (connection or duckdb.default_connection()).from_arrow(logs)
