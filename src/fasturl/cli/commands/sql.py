"""`fasturl sql`: query logs with DuckDB, which reads them as streams."""

from __future__ import annotations

import re

import click

from fasturl.cli import options
from fasturl.cli.database import duckdb_module, failure_of, open_database, reader_of, refuse_extensions
from fasturl.cli.failure import TROUBLE, Failure, Interrupted
from fasturl.cli.outputs.sink import CSV_SAFE, KINDS, TABLES, VERTICAL, kind_for, open_output, refuse_inputs
from fasturl.logs.formatted_inputs import InputOptions

_OF_AGENTS = re.compile(r"\bagent_(?:bot|kind)\b", re.IGNORECASE)
_OF_DOMAINS = re.compile(r"\burl_(?:public_suffix|registrable_domain|subdomain)\b", re.IGNORECASE)
_FUNCTION = re.compile(r"\burl_\w", re.IGNORECASE)  # registering the functions takes a tenth of a second


@options.command(
    "fasturl sql 'SELECT status, count(*) FROM requests GROUP BY ALL' access.log",
    "fasturl sql 'SELECT client, path FROM requests' access.log -o clients.csv",
)
@click.argument("query")
@options.input_options
@options.selection_options
@options.routes_options
@options.output_option("the rows")
@options.of_output(
    "--to kind",
    f"Write {', '.join([*KINDS, CSV_SAFE])} or {VERTICAL}. By default FILE's suffix names the format, or else it is "
    "jsonl. On a terminal it is a table, or vertical, one line per value, if the rows are too wide. csv-safe is for a "
    "spreadsheet, as in parse.",
    type=[*KINDS, CSV_SAFE, VERTICAL],
)
@options.memory_option("DuckDB")
def command(
    query: str,
    source: InputOptions,
    quiet: bool,
    selection: options.Selection,
    output: str | None,
    kind: str | None,
    memory: int,
) -> int:
    """Query a log in SQL.

    QUERY is SQL for DuckDB. You can use three tables: requests has a row per request, urls has a row per URL, and
    rejects has file, line and text. The columns are the same as in `fasturl parse`. Only the columns that you name are
    computed. Functions for URLs start with url_, for example url_path_template(target). FILES are read as `fasturl
    parse` reads them.
    """
    duckdb = duckdb_module("sql")
    with options.needing_pyarrow("sql", "pyarrow.dataset"):
        from fasturl.cli.outputs.results import write_result
        from fasturl.cli.sqltables import QueryInputs, columns_in, create_tables
    if kind is None and output not in (None, "-"):
        kind = kind_for(output, None)
    inputs = QueryInputs(source, selection.changes(), progress=not quiet)
    refuse_inputs(inputs.sources, (output,))
    sink = open_output(output)
    try:
        if sink.is_terminal and kind in TABLES:
            raise Failure(f"{kind} cannot be written to a terminal: name a file with --output")
        with open_database(duckdb, source.threads, memory) as connection:
            lacking: dict[str, BaseException] = {}
            try:
                refuse_extensions(duckdb, connection, query)
                lacking = create_tables(duckdb, connection, inputs, selection.where, selection.condition)
                if _FUNCTION.search(query):
                    from fasturl.engines.duckdb import register

                    register(connection, form="request-target")
                found = connection.sql(query)
                if found is not None:
                    write_result(reader_of(found), sink, kind)
            except Exception as error:
                if _OF_AGENTS.search(query):
                    from fasturl.logs.agents import agent_list

                    agent_list()  # raises the error that names the package, if it is not installed
                if _OF_DOMAINS.search(query):
                    from fasturl import domains

                    try:
                        domains.installed()
                    except ModuleNotFoundError as missing:
                        raise Failure(str(missing)) from None
                for name, lack in lacking.items():
                    if re.search(rf"\b{name}\b", query):
                        raise lack from None
                is_of_rows = selection.where is not None and isinstance(error, duckdb.DataError)
                said_by = "QUERY or --where" if is_of_rows else "QUERY"
                # DuckDB replaces the error that a scan raises by its own.
                raise inputs.failure or failure_of(error, duckdb, said_by, columns_in(query, inputs)) from None
        sink.end(torn=inputs.torn)
        if not quiet:
            inputs.say_formats()
    except BaseException as error:
        sink.abandon(keep=False)
        if isinstance(error, Interrupted) and not quiet:
            inputs.counts.say_cut_short(error.name)
        raise
    return TROUBLE if inputs.torn else 0
