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
from collections.abc import Sequence
from contextlib import suppress

import duckdb
import pyarrow as pa

from fasturl import arrow
from fasturl.engines._operations import Column, added, schema
from fasturl.engines._sql import NAMES, SqlFunction

__all__ = ["parse", "register"]

_TYPES = {
    pa.string(): "VARCHAR",
    pa.binary(): "BLOB",
    pa.uint16(): "USMALLINT",
    pa.uint32(): "UINTEGER",
    pa.bool_(): "BOOLEAN",
    pa.int32(): "INTEGER",
}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type(kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        return "STRUCT(" + ", ".join(f"{_quoted(part.name)} {_type(part.type)}" for part in kind) + ")"
    return _TYPES[kind]


def _create(connection: duckdb.DuckDBPyConnection, name: str, function: SqlFunction, *, once: bool = False) -> None:
    def call(*columns: Column) -> Column:
        return function(*columns)

    # Special: DuckDB's default leaves null rows out, and takes no null for a row that has a URL.
    connection.create_function(
        name, call, None, _type(function.kind), type="arrow", null_handling="special", side_effects=once
    )


def register(connection: duckdb.DuckDBPyConnection, *, prefix: str = "url_", binary: bool = False) -> None:
    """Add the functions to a connection's SQL.

    ``url_parse(u)`` gives a STRUCT of all fields but hostname, ``url_host(u)`` and the like one of them (both take a
    form after the URL, as in ``url_host(u, 'request-target')``), ``url_quote(u)`` or ``url_quote(u, safe)``,
    ``url_unquote(u)``, ``url_query_value(u, name)`` or ``(u, name, default)``, ``url_normalize(u)``, ``url_redact(u)``
    or ``url_redact(u, key, ...)``. Of NULL they are NULL.

    prefix : what their names begin with, for a second set beside the first
    binary : for columns of BLOB, with text parts as BLOB; functions for VARCHAR refuse a BLOB
    Raises duckdb.NotImplementedException where a function of that name is there already.
    """
    for name in NAMES:
        _create(connection, prefix + name, SqlFunction(name, binary, copied=binary))


def parse(
    relation: duckdb.DuckDBPyRelation,
    column: str,
    fields: Sequence[str] = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """The relation with a column for each field after its own. It is lazy, as relations are.

    column : its column of URLs, VARCHAR or BLOB
    prefix : what the names of the new columns begin with; ValueError where the relation has such a name
    connection : the relation's own; None for duckdb's default one

    >>> with duckdb.connect() as connection:
    ...     log = connection.sql("SELECT 1 AS id, '/a?b' AS u")
    ...     parse(log, "u", ["path", "query"], form="request-target", connection=connection).fetchall()
    [(1, '/a?b', '/a', 'b')]
    """
    names = schema(fields, form).names
    added(relation.columns, column, names, prefix)
    binary = str(relation.types[relation.columns.index(column)]) == "BLOB"
    connection = duckdb.default_connection() if connection is None else connection
    key = hashlib.blake2s(repr((names, binary)).encode(), digest_size=8).hexdigest()
    function = f"fasturl_parse_{key}"
    with suppress(duckdb.NotImplementedException):  # that is there from an earlier call, by its name the same
        _create(connection, function, SqlFunction("parse", binary, copied=binary, fields=tuple(names)), once=True)
    # A subquery of its own, so that the struct is computed once and not once a field.
    once = relation.project(f"*, {function}({_quoted(column)}, '{form}') AS fasturl_parsed")
    parts = ", ".join(f"fasturl_parsed.{_quoted(name)} AS {_quoted(prefix + name)}" for name in names)
    return once.project(f"* EXCLUDE (fasturl_parsed), {parts}")
