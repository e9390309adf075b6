"""`fasturl sql`: a query over logs, by DuckDB, which reads them as a stream."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import Any

import click

from fasturl.cli.failure import TROUBLE, Failure, Interrupted
from fasturl.cli.options import Size, examples, input_options, needing_pyarrow
from fasturl.cli.outputs.kinds import KINDS, kind_for, open_output
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.reading import InputOptions
from fasturl.cli.signals import signals

_ROWS = 1 << 13


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
    duckdb = _duckdb()
    with needing_pyarrow("sql"):
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
        with _connected(duckdb, source.threads, memory) as connection:
            try:
                for name in TABLES:
                    connection.register(name, Table(inputs, name))
                found = connection.sql(query)
                if found is not None:
                    write_result(_reader(found), sink, kind)
            except Exception as error:
                raise _cause(inputs.failure, error, duckdb) from None
        sink.commit()
    except BaseException:
        sink.abandon(keep=False)
        raise
    return TROUBLE if inputs.torn else 0


def _duckdb() -> Any:
    try:
        import duckdb
    except ModuleNotFoundError as error:
        if error.name != "duckdb":
            raise
        raise Failure("fasturl sql needs duckdb: pip install 'fasturl[cli]'") from None
    return duckdb


def _reader(found: Any) -> Any:
    """The rows as a reader, whatever this DuckDB calls it."""
    read = getattr(found, "to_arrow_reader", None) or found.fetch_record_batch
    return read(_ROWS)


@contextlib.contextmanager
def _connected(duckdb: Any, threads: int | None, memory: int | None) -> Iterator[Any]:
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


def _cause(kept: BaseException | None, error: Exception, duckdb: Any) -> BaseException:
    """What a query failed for: what a scan raised comes out of DuckDB as an error of its own."""
    signals.check()
    if kept is not None:
        return kept
    if isinstance(error, RuntimeError) and "interrupt" in str(error).lower():
        return Interrupted(2)
    if isinstance(error, duckdb.Error):
        said = [line for line in str(error).splitlines() if line.strip()]
        return Failure("; ".join(said[:2]) if said else type(error).__name__)
    return error
