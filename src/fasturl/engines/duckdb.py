"""DuckDB: SQL functions for URLs, and ``parse``, which adds columns to a relation.

>>> import duckdb
>>> from fasturl.engines.duckdb import parse, register
>>> with duckdb.connect() as connection:
...     register(connection)
...     connection.sql("SELECT url_host('http://h:80/a?b'), url_parse('http://h:80/a').port, url_host(NULL)").fetchall()
[('h', 80, None)]
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from fasturl import _functions, arrow
from fasturl._quoted import quoted
from fasturl._version import __version__
from fasturl.engines._operations import Column, Fields, ParseSpec, column_of, indexed, new_names, parse_spec
from fasturl.engines._sql import SqlFunction, all_functions, sql_name

__all__ = ["connect", "create_function", "extension_path", "is_native", "parse", "read", "register"]

_EXTENSION = Path(arrow.__file__).parents[1] / "fasturl.duckdb_extension"
# SQL has no variadic macros: a macro of a variadic function has one variant per number of arguments.
_MOST_ARGUMENTS = 32

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


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type(kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        return "STRUCT(" + ", ".join(f"{_quote(part.name)} {_type(part.type)}" for part in kind) + ")"
    if pa.types.is_map(kind):
        return f"MAP({_type(kind.key_type)}, {_type(kind.item_type)})"
    return _type(kind.value_type) + "[]" if pa.types.is_list(kind) else _TYPES[kind]


def _create(connection: duckdb.DuckDBPyConnection, name: str, function: SqlFunction, *, once: bool = False) -> bool:
    """Create an SQL function. Return False if a function with this name exists."""

    def call(*columns: Column) -> Column:
        return function(*columns)

    # By default, DuckDB omits null rows, and refuses a null result for a row with a URL.
    settings: dict[str, Any] = {"type": "arrow", "null_handling": "special", "side_effects": once}
    parameters = ["BLOB" if function.binary else "VARCHAR"] if function.most == 1 else None
    try:
        connection.create_function(name, call, parameters, _type(function.kind), **settings)
    except (duckdb.NotImplementedException, duckdb.CatalogException):
        return False
    return True


def _replace(connection: duckdb.DuckDBPyConnection, name: str, function: SqlFunction) -> bool:
    """Replace an SQL function. Return False if DuckDB or another connection has a function with this name."""
    connection.execute(f"DROP MACRO IF EXISTS temp.{_quote(name)}")
    with suppress(duckdb.InvalidInputException):  # no such function, or a function of another connection
        connection.remove_function(name)
    is_new = _create(connection, name, function)
    if is_new:
        _document(connection, name, function)
    return is_new


def _document(
    connection: duckdb.DuckDBPyConnection, name: str, function: SqlFunction, target: str | None = None
) -> None:
    """Give a function parameter names and a comment, which duckdb_functions() lists.

    A function from Python or from the extension can have neither, so a macro with the same name calls the function. The
    macro is temporary, so the user's database does not change.

    target : the function that the macro calls, or None if it has the same name
    """
    if function.most is None and target is None:  # A macro cannot be variadic.
        return
    most = _MOST_ARGUMENTS if function.most is None else function.most
    names = [*function.parameters, *(f"{function.parameters[-1]}{i}" for i in range(2, most + 1))][:most]
    calls = []
    for count in range(function.least, most + 1):
        given = ", ".join(map(_quote, names[:count]))
        calls.append(f"({given}) AS system.main.{_quote(target or name)}({given})")
    comment = function.sentence.replace("'", "''")
    connection.execute(f"CREATE TEMP MACRO {_quote(name)}{', '.join(calls)}")
    connection.execute(f"COMMENT ON MACRO temp.{_quote(name)} IS '{comment}'")


def extension_path() -> Path | None:
    """Return the path of fasturl's DuckDB extension, so that you can ``LOAD`` it in any program with DuckDB.

    DuckDB loads the extension only when you set ``allow_unsigned_extensions``.

    Returns
    -------
    pathlib.Path or None
        None if your wheel has no extension. It exists for Linux on x86-64 and aarch64.
    """
    return _EXTENSION if _EXTENSION.is_file() else None


def is_native(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a connection has loaded fasturl's extension. Otherwise, the functions run in Python.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        A connection on which you called ``register``, or that you got from ``connect``.

    Returns
    -------
    bool
        True for the extension, False for Python functions.

    Examples
    --------
    >>> with connect() as connection:
    ...     is_native(connection) == (extension_path() is not None)
    True
    """
    with suppress(duckdb.CatalogException):  # no such function
        return bool(connection.execute("SELECT fasturl_version()").fetchall() == [(__version__,)])
    return False


def _load(connection: duckdb.DuckDBPyConnection) -> bool:
    """Load the extension if the connection allows it. Return True if the functions are there."""
    [(allowed,)] = connection.execute("SELECT current_setting('allow_unsigned_extensions')").fetchall()
    path = extension_path()
    if not allowed or path is None:
        return False
    _functions._provide_python()
    if not is_native(connection):
        with suppress(duckdb.Error):  # no external access, or a DuckDB that cannot load it
            connection.execute("LOAD '{}'".format(str(path).replace("'", "''")))
    return is_native(connection)


def connect(
    database: str | Path = ":memory:",
    read_only: bool = False,
    config: dict[str, Any] | None = None,
    *,
    prefix: str = "url_",
    binary: bool = False,
    form: str = "url",
) -> duckdb.DuckDBPyConnection:
    """Return a connection that has the functions of ``register``, and that allows unsigned extensions.

    Use it instead of ``duckdb.connect`` when you want the fast functions in fasturl's extension.

    Parameters
    ----------
    database : str or pathlib.Path, default ":memory:"
        The database file, for ``duckdb.connect``.
    read_only : bool, default False
        True to open the database for reading only.
    config : dict, optional
        DuckDB's settings. ``allow_unsigned_extensions`` is "true" unless you set it.
    prefix : str, default "url_"
        The text before each function name, for example in ``url_host``.
    binary : bool, default False
        True for BLOB columns, which give text parts as BLOB.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log.

    Returns
    -------
    duckdb.DuckDBPyConnection
        Close it when you are done, for example by a ``with`` block.

    Raises
    ------
    duckdb.Error
        If DuckDB cannot connect. The message does not show your settings.

    Examples
    --------
    >>> with connect() as connection:
    ...     connection.sql("SELECT url_host('http://h:80/a?b')").fetchall()
    [('h',)]
    """
    settings = {"allow_unsigned_extensions": "true"} | (config or {})
    failure = None
    try:
        connection = duckdb.connect(str(database), read_only, settings)
    except duckdb.Error as error:  # it may quote the arguments, so it must not be the new error's context
        failure = type(error)(f"cannot connect to {quoted(str(database))} with this config")
    if failure is not None:
        raise failure
    try:
        register(connection, prefix=prefix, binary=binary, form=form)
    except BaseException:
        connection.close()
        raise
    return connection


def register(
    connection: duckdb.DuckDBPyConnection, *, prefix: str = "url_", binary: bool = False, form: str = "url"
) -> None:
    """Add the functions to a connection's SQL. When you call it again, it replaces the functions.

    ``url_parse(u)`` returns the default fields as a STRUCT. ``url_host(u)`` returns a single field. You can also call
    each function in ``fasturl.arrow``, for example ``url_query_value(u, name [, default])``. ``url_query_values(u,
    name, ...)`` returns a MAP. A NULL URL gives NULL. When a function needs other settings, call ``create_function``.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        When the connection allows unsigned extensions, for example after ``connect``, you get the functions in
        fasturl's extension. They run on all DuckDB threads. Otherwise, you get Python functions with the same answers.
    prefix : str, default "url_"
        The text before each name. Choose another prefix when you need a second set of functions.
    binary : bool, default False
        True for BLOB columns, which give text parts as BLOB. Functions for VARCHAR refuse a BLOB.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log.

    Raises
    ------
    ValueError
        If other functions already have these names.

    Notes
    -----
    The connection's cursors have the functions too. With the extension, cursors have only the functions with the
    default prefix and settings.

    Examples
    --------
    >>> with duckdb.connect() as connection:
    ...     register(connection)
    ...     connection.sql("SELECT url_file_name('http://h/a/b.pdf?c')").fetchall()
    [('b.pdf',)]
    """
    functions = dict(all_functions(binary, _strings(binary), form))
    if _load(connection):
        _register_native(connection, functions, prefix, binary, form)
        return
    is_new = {name: _replace(connection, sql_name(prefix, name), function) for name, function in functions.items()}
    if not all(is_new.values()) and not (is_new["path"] or _serves(connection, sql_name(prefix, "path"), binary, form)):
        raise ValueError(f"functions of the prefix {quoted(prefix)} are there, and not the same: give another prefix")


def _register_native(
    connection: duckdb.DuckDBPyConnection, functions: dict[str, SqlFunction], prefix: str, binary: bool, form: str
) -> None:
    """Name the extension's functions by macros. If the extension lacks a function, create it in Python."""
    blob = "blob_" if binary else ""
    sql = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE database_name = 'system'"
    names = {name for (name,) in connection.execute(sql).fetchall()}
    for name, function in functions.items():
        # A function without a form is there only once.
        target = sql_name(("target_" if function.has_form and form == "request-target" else "url_") + blob, name)
        if target not in names:
            _create(connection, target, function)
        connection.execute(f"DROP MACRO IF EXISTS temp.{_quote(sql_name(prefix, name))}")
        same = target == sql_name(prefix, name)
        _document(connection, sql_name(prefix, name), function, None if same else target)


def _serves(connection: duckdb.DuckDBPyConnection, path: str, binary: bool, form: str) -> bool:
    """Return True if another connection to this database has registered the same functions for all connections."""
    url = "'//a/b'::BLOB" if binary else "'//a/b'"
    with suppress(duckdb.Error):
        [(found,)] = connection.execute(f"SELECT {_quote(path)}({url})").fetchall()
        wanted = "//a/b" if form == "request-target" else "/b"
        return bool(found == (wanted.encode() if binary else wanted))
    return False


def _strings(binary: bool) -> arrow.Strings:
    return "string" if binary else "view"  # DuckDB reads no binary views


def create_function(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: str,
    *arguments: Any,
    binary: bool = False,
    **options: Any,
) -> None:
    """Add a function with fixed arguments to a connection's SQL. It is faster, because you pass only the URL.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The connection that gets the function.
    name : str
        The name in SQL. If fasturl has a function with this name, you replace the function.
    function : str
        A field, a function in ``fasturl.arrow``, or "parse".
    *arguments : Any
        The function's arguments, for example the fields for "parse".
    binary : bool, default False
        True for BLOB columns, which give text parts as BLOB.
    **options : Any
        The function's settings, for example ``form="request-target"``.

    Raises
    ------
    TypeError or ValueError
        If the function refuses an argument, or if DuckDB has another function with this name.

    Examples
    --------
    >>> with duckdb.connect() as connection:
    ...     create_function(connection, "place", "parse", ["host", "port"])
    ...     create_function(connection, "page", "path_template", keep=["2"], form="request-target")
    ...     connection.sql("SELECT place('http://h:80/a'), page('//2/77')").fetchall()
    [({'host': 'h', 'port': 80}, '//2/{n}')]
    """
    form = str(options.pop("form", "url"))
    if function == "parse":
        arguments = tuple(parse_spec(fields, form) for fields in arguments)
    arguments, options = indexed(function, arguments, options)
    settled = tuple(sorted(options.items()))
    sql_function = SqlFunction(function, binary, _strings(binary), form, arguments, settled)
    sql_function.kind  # noqa: B018 - raises for invalid arguments, before an older function is replaced
    if not _replace(connection, name, sql_function):
        raise ValueError(f"{name} is a function of DuckDB, or of another connection to this database")


def parse(
    relation: duckdb.DuckDBPyRelation,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """Add a column for each field to a relation, lazily.

    Parameters
    ----------
    relation : duckdb.DuckDBPyRelation
        A table or a query.
    column : str
        The column that holds the URLs, VARCHAR or BLOB.
    fields : sequence of str, or dict, optional
        Names for fields and functions. A dict maps new column names to a field, a function, or a function with
        arguments, for example ``{"host": "host", "item": ("query_value", "item")}``.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log.
    prefix : str, default ""
        The text before each new column name.
    connection : duckdb.DuckDBPyConnection, optional
        The relation's connection. DuckDB 2 finds the connection. Before DuckDB 2, you must pass any connection other
        than the default connection.

    Returns
    -------
    duckdb.DuckDBPyRelation
        The relation with the new columns.

    Raises
    ------
    ValueError
        If a field is unknown, if the relation already has a new column's name, or if the relation belongs to another
        connection.

    See Also
    --------
    read : Read the result as a stream, which is faster for a whole table.

    Examples
    --------
    >>> with duckdb.connect() as connection:
    ...     log = connection.sql("SELECT 1 AS id, '/a?b' AS u")
    ...     parse(log, "u", ["path", "query"], form="request-target", connection=connection).fetchall()
    [(1, '/a?b', '/a', 'b')]
    """
    spec, column, binary = _plan_query(relation, column, fields, form, prefix)
    if connection is None:  # DuckDB 2 tells the relation's own
        own = getattr(relation, "_con", None)
        connection = own if isinstance(own, duckdb.DuckDBPyConnection) else duckdb.default_connection()
    key = hashlib.blake2s(repr((spec, binary)).encode(), digest_size=8).hexdigest()
    function = f"fasturl_parse_{key}"
    # A function from an earlier call has this name only if it is the same, because the name has a hash of the spec.
    sql = SqlFunction("parse", binary, _strings(binary), form, (spec,))
    new = _create(connection, function, sql, once=True)
    try:
        # Use a subquery, so that DuckDB computes the struct once and not once per field.
        once = relation.project(f"*, {function}({_quote(column)}) AS fasturl_parsed")
    except duckdb.CatalogException:
        if new:
            connection.remove_function(function)
        raise ValueError("the relation belongs to another connection: give that connection as connection=") from None
    parts = ", ".join(f"fasturl_parsed.{_quote(name)} AS {_quote(prefix + name)}" for name in spec.names)
    return once.project(f"* EXCLUDE (fasturl_parsed), {parts}")


def _plan_query(
    relation: duckdb.DuckDBPyRelation, column: str, fields: Fields, form: str, prefix: str
) -> tuple[ParseSpec, str, bool]:
    """Return the spec, the column's name as the relation spells it, and True if the column is a BLOB."""
    spec = parse_spec(fields, form)
    column = column_of(relation.columns, column, case=False)
    new_names(relation.columns, spec.names, prefix)
    return spec, column, str(relation.types[relation.columns.index(column)]) == "BLOB"


def read(
    relation: duckdb.DuckDBPyRelation,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    batch_rows: int = 1 << 16,
) -> pa.RecordBatchReader:
    """Read a relation and a column for each field as a stream of Arrow batches, which is faster than ``parse``.

    In SQL, you can read the stream once by the variable name, for example ``FROM batches``. While the stream is open,
    the relation's connection is busy. Read the stream on another connection, or on a cursor.

    Parameters
    ----------
    relation : duckdb.DuckDBPyRelation
        A table or a query.
    column : str
        The column that holds the URLs, VARCHAR or BLOB.
    fields : sequence of str, or dict, optional
        Names for fields and functions. A dict maps new column names to a field, a function, or a function with
        arguments, for example ``{"host": "host", "item": ("query_value", "item")}``.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log.
    prefix : str, default ""
        The text before each new column name.
    batch_rows : int, default 65536
        The maximum number of rows per batch.

    Returns
    -------
    pyarrow.RecordBatchReader
        The relation's columns, and then the new columns.

    Raises
    ------
    ValueError
        If a field is unknown, or if the relation already has a new column's name.

    Examples
    --------
    >>> with duckdb.connect() as connection:
    ...     batches = read(connection.sql("SELECT 1 AS id, '/a?b' AS u"), "u", ["path"])
    ...     duckdb.sql("SELECT path FROM batches").fetchall()
    [('/a',)]
    """
    spec, column, binary = _plan_query(relation, column, fields, form, prefix)
    source = relation.to_arrow_reader(batch_rows)
    new = [pa.field(prefix + part.name, part.type) for part in spec.schema(binary=binary)]
    target = pa.schema([*source.schema, *new])

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in source:
            found = spec.read(batch.column(column), threads=1)
            yield pa.RecordBatch.from_arrays([*batch.columns, *found.columns], schema=target)

    return pa.RecordBatchReader.from_batches(target, batches())
