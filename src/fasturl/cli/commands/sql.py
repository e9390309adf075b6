"""`fasturl sql`: a query over logs, by DuckDB, which reads them as a stream."""

from __future__ import annotations

import click

from fasturl.cli.database import connected, duckdb_module, failure_of, reader_of
from fasturl.cli.failure import TROUBLE, Failure, Interrupted
from fasturl.cli.options import Size, examples, input_options, needing_pyarrow
from fasturl.cli.outputs.kinds import KINDS, kind_for, open_output
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.reading import InputOptions


@click.command(
    epilog=examples(
        "fasturl sql 'SELECT status, path, count(*) FROM requests GROUP BY ALL' access.log",
        "fasturl sql 'SELECT client, sum(size) AS octets FROM requests GROUP BY 1' access.log -o clients.csv",
    )
)
@click.argument("query")
@input_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Where the rows go; - or nothing is standard output. A file appears when it is complete.",
)
@click.option(
    "--to", "kind", type=click.Choice(KINDS), help="The output's format; else FILE's suffix, else a table or jsonl."
)
@click.option(
    "--memory",
    metavar="SIZE",
    type=Size(1 << 40),
    help="What DuckDB may hold in memory; more goes to a temporary directory. K, M and G are units.",
)
def command(
    query: str, source: InputOptions, quiet: bool, output: str | None, kind: str | None, memory: int | None
) -> int:
    """Ask a log questions in SQL.

    QUERY is DuckDB's SQL over the tables requests (a row a request), urls (a row a URL) and rejects (file, line, text);
    their columns are those of `fasturl parse`. Of these only what the query names is computed. FILES are read as
    `fasturl parse` reads them.
    """
    duckdb = duckdb_module("sql")
    with needing_pyarrow("sql", "pyarrow.dataset"):
        from fasturl.cli.outputs.results import write_result
        from fasturl.cli.sqltables import TABLES, Inputs, Table
    if kind is None and output not in (None, "-"):
        kind = kind_for(output, None)
    inputs = Inputs(source)
    refuse_inputs(inputs.sources, (output,))
    sink = open_output(output)
    try:
        if sink.is_terminal and kind in ("parquet", "arrow"):
            raise Failure(f"{kind} is not for a terminal: name a file with --output")
        with connected(duckdb, source.threads, memory) as connection:
            try:
                for name in TABLES:
                    connection.register(name, Table(inputs, name))
                found = connection.sql(query)
                if found is not None:
                    write_result(reader_of(found), sink, kind)
            except Exception as error:
                # What a scan raised comes out of DuckDB as an error of its own.
                raise (inputs.failure or failure_of(error, duckdb)) from None
        sink.commit()
    except BaseException as error:
        sink.abandon(keep=False)
        if isinstance(error, Interrupted) and not quiet:
            inputs.counts.say_cut_short(error.name)
        raise
    return TROUBLE if inputs.torn else 0
