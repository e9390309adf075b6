"""The tables of `fasturl sql` and the expressions of `--where`.

DuckDB reads the tables as streams. Only the columns that a query names are computed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

import pyarrow as pa

from fasturl._extras import is_installed
from fasturl.arrow.threads import Pool, processors, workers
from fasturl.cli.database import SQL_TABLES, check_expression, duckdb_module, failure_of, open_database, reader_of
from fasturl.cli.failure import Failure, signals
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.outputs.output import Step
from fasturl.logs.batches import as_text, plain_batch, plain_schema
from fasturl.logs.changes import Changes, changed_quotes
from fasturl.logs.columns import AGENT_COLUMNS, COLUMNS, REFERER, REFERER_COLUMNS, ROUTE, TARGET
from fasturl.logs.dataset import StreamedDataset
from fasturl.logs.errors import LogError
from fasturl.logs.formats.jsonlines import ABSENT, get_field
from fasturl.logs.formats.objects import ObjectLog
from fasturl.logs.formats.records import ALL
from fasturl.logs.formatted_inputs import FormattedInputs, InputOptions
from fasturl.logs.inputs.lines import Lines, LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.jobs import make_jobs, run_in_order
from fasturl.logs.units import RowFilter, Unit, bytes_array, take_rows

_UNIT_LINES = 1 << 14
_ROW = "fasturl_row"  # the column of row numbers in the table of an expression
# A query that names no column gets the first one: it must be cheap.
# Without the list of agents, `SELECT *` must still work.
_REQUESTS = tuple(name for name in COLUMNS if name not in AGENT_COLUMNS or is_installed("crawleruseragents"))
_URLS = tuple(name for name in _REQUESTS if name not in (REFERER, *REFERER_COLUMNS))
_REJECTS = pa.schema([("file", pa.string()), ("line", pa.int64()), ("text", pa.string())])


class QueryInputs:
    """The inputs of a query.

    torn : True after an input broke off
    failure : the first error of a scan, on any thread
    counts : the lines of the scan that got furthest
    """

    def __init__(self, options: InputOptions, changes: Changes | None, *, progress: bool) -> None:
        self.options = options
        self._changes = changes
        self._progress = progress
        self._first: CommandInputs | None = CommandInputs(options, progress=progress)
        self._last: CommandInputs | None = None
        self.sources = self._first.sources
        self.torn = False
        self.failure: BaseException | None = None
        self.counts = Counts()
        self.own = own_fields(options, self.sources)

    def _reading(self, own: Sequence[str]) -> CommandInputs:
        reading, self._first = self._first, None
        if reading is None:
            if not _are_files(self.sources):
                raise Failure("a stream can be read only once, and the query reads it twice: name a file")
            reading = CommandInputs(self.options, progress=self._progress)
        if own:
            reading.options = replace(self.options, keep=(ALL,))
        reading.changes = self._changes
        self._last = reading
        return reading

    def say_formats(self) -> None:
        if self._last is not None:
            self._last.say_formats()

    def _scan(
        self, columns: tuple[str, ...], where: RowFilter | None, *, by_request: bool, rejects: bool
    ) -> Iterator[pa.RecordBatch]:
        own = [name for name in columns if name in self.own]
        reading = self._reading(own)
        plain = tuple(name for name in columns if name not in self.own) or ("line",)
        long_lines: list[tuple[str, int]] = []

        def with_own(unit: Unit) -> pa.RecordBatch:
            batch = plain_batch(unit)
            for name in own:
                batch = batch.append_column(name, _own_column(unit, *self.own[name]))
            return batch.select(columns)

        def on_long_line(source: Source, line: LongLine) -> None:
            if line.ends:
                long_lines.append((source.name, line.number))

        can_skip = where is not None and not (rejects or self._changes or self.own.keys() & where.columns)
        jobs = make_jobs(
            reading,
            lambda source, fmt: plain,
            by_request=by_request,
            unit_lines=_UNIT_LINES,
            diagnosed=False,
            changes=self._changes,
            where=where if can_skip else None,
        )
        make_batch = self._rejects_batch if rejects else with_own if own else plain_batch
        threads = processors(self.options.threads)
        lines = 0
        with workers(threads) as executor:
            pool = Pool(executor, threads)
            allow = rejects or self.options.allow_rejects
            for unit, batch in run_in_order(jobs, pool, make_batch, on_long_line, reading.tallies, allow_rejects=allow):
                lines += unit.lines
                self.counts.lines = max(self.counts.lines, lines + len(long_lines))
                yield batch
        if rejects and long_lines:
            files, numbers = zip(*long_lines, strict=True)
            texts = pa.nulls(len(numbers), pa.string())
            yield pa.record_batch([_names(list(files)), pa.array(numbers, pa.int64()), texts], schema=_REJECTS)
        self.torn = self.torn or reading.torn

    def _rejects_batch(self, unit: Unit) -> pa.RecordBatch:
        hidden = self._changes.reject if self._changes is not None else bytes
        texts = as_text(bytes_array([hidden(raw) for _, raw in unit.rejects]))
        numbers = pa.array([number for number, _ in unit.rejects], pa.int64())
        return pa.record_batch([_names([unit.source.name] * len(numbers)), numbers, texts], schema=_REJECTS)

    def batches(self, *columns: Any, **given: Any) -> Iterator[pa.RecordBatch]:
        """Yield the batches of `_scan`, and keep its error: DuckDB replaces it by its own."""
        try:
            with changed_quotes(self._changes):
                yield from self._scan(*columns, **given)
        except GeneratorExit:
            raise
        except BaseException as error:
            self.failure = self.failure or error
            raise


def _are_files(sources: Sequence[Source]) -> bool:
    return all(source.can_be_read_again for source in sources)


def own_fields(options: InputOptions, sources: Sequence[Source]) -> dict[str, tuple[str, pa.DataType]]:
    """Return the columns of the format's own fields, each with its name in a unit, by the first lines of the inputs.

    A stream, which is read once, has none. Numbers and booleans of JSON have their types, if each value of the first
    lines has it.
    """
    if not _are_files(sources):
        return {}
    reading = FormattedInputs(replace(options, keep=(ALL,)))
    try:
        _, fmt, batch = next(reading.batches())
    except (LogError, StopIteration):
        return {}
    if fmt is None or not isinstance(batch, Lines):
        return {}
    if fmt.reads_blocks:
        fmt.look_ahead(batch)
    else:
        fmt.read(batch)
    kept = fmt.kept or ()
    entries = [fmt.load(fmt.line(line)) for line in batch.stripped if line] if isinstance(fmt, ObjectLog) else []
    found: dict[str, tuple[str, pa.DataType]] = {}
    taken = {name.lower() for name in _REQUESTS} | {TARGET} | ({ROUTE} if options.routes is not None else set())
    for one in kept:
        name = one.name
        while name.lower() in taken:  # SQL does not tell cases
            name = f"input_{name}"
        taken.add(name.lower())
        values = [get_field(entry, one.source, one.source.split(".")) for entry in entries]
        found[name] = one.name, _type_of(values)
    return found


def _names(names: list[str]) -> pa.Array:
    return as_text(bytes_array([os.fsencode(name) for name in names]))


def _type_of(values: list[Any]) -> pa.DataType:
    """Return the type of all these values of JSON. Null has any type."""
    kinds = {type(value) for value in values if value is not None and value is not ABSENT}
    if kinds and kinds <= {int, float}:
        return pa.float64() if float in kinds else pa.int64()
    return pa.bool_() if kinds == {bool} else pa.string()


def _own_column(unit: Unit, kept: str, kind: pa.DataType) -> pa.Array:
    """Return a column of the input, which holds texts of JSON values, in a type. A value that does not fit is null."""
    if kept not in unit.kept:
        return pa.nulls(unit.urls, kind)
    texts = as_text(unit.kept[kept])
    with suppress(pa.ArrowInvalid):
        return texts.cast(kind)
    return pa.array([_fitting(text, kind) for text in texts.to_pylist()], kind)


def _fitting(text: str | None, kind: pa.DataType) -> Any:
    with suppress(pa.ArrowInvalid):
        return pa.scalar(text, pa.string()).cast(kind).as_py()
    return None


def schema_of(table: str, own: dict[str, tuple[str, pa.DataType]], options: InputOptions) -> pa.Schema:
    if table == "rejects":
        return _REJECTS
    routed = () if options.routes is None else (ROUTE,)
    plain = plain_schema((*(_REQUESTS if table == "requests" else _URLS), *routed))
    return pa.schema([*plain, *((name, kind) for name, (_, kind) in own.items())])


class SqlTable(StreamedDataset):
    """One of `SQL_TABLES` as a dataset."""

    def __init__(self, inputs: QueryInputs, name: str) -> None:
        super().__init__(schema_of(name, inputs.own, inputs.options))
        self._inputs = inputs
        self._by_request = name == "requests"
        self._is_rejects = name == "rejects"

    def batches(self, columns: list[str], where: RowFilter | None = None) -> Iterator[pa.RecordBatch]:
        found = self._inputs.batches(
            () if self._is_rejects else tuple(columns), where, by_request=self._by_request, rejects=self._is_rejects
        )
        return (batch.select(columns) for batch in found) if self._is_rejects else found


class _Probe(StreamedDataset):
    """An empty table that records the columns that a query reads."""

    def __init__(self, schema: pa.Schema) -> None:
        super().__init__(schema)
        self.names: list[str] = []

    def batches(self, columns: list[str], where: RowFilter | None = None) -> Iterator[pa.RecordBatch]:
        self.names += [name for name in columns if name not in self.names]
        return iter([])


def _with_target(table: str, names: Sequence[str], by_request: bool) -> str:
    """Return a table with these columns. In `requests`, `target` is a second name of the URL."""
    return f"(SELECT *, url AS target FROM {table})" if by_request and "url" in names else table


def _names_in(table: str, own: dict[str, tuple[str, pa.DataType]], options: InputOptions) -> list[str]:
    return [*schema_of(table, own, options).names, *((TARGET,) if table == "requests" else ())]


def columns_in(query: str, inputs: QueryInputs) -> list[str]:
    """Return the columns of the tables that a query names."""
    named = (table for table in SQL_TABLES if re.search(rf"\b{table}\b", query, re.IGNORECASE))
    return [name for table in named for name in _names_in(table, inputs.own, inputs.options)]


def create_tables(
    duckdb: Any, connection: Any, inputs: QueryInputs, where: str | None, condition: str | None
) -> dict[str, BaseException]:
    """Create the tables of a query: the rows of a condition, with the value of `--where`, as views over the inputs.

    Return the errors of the tables that lack a column of the condition. Raise the error if both do.
    """
    if where is not None:
        check_expression(duckdb, connection, where)
    failures: dict[str, BaseException] = {}
    for name in SQL_TABLES:
        table = SqlTable(inputs, name)
        source = name if name == "rejects" else f"fasturl_{name}"
        connection.register(source, table)
        if source != name:
            rows = _with_target(source, table.schema.names, name == "requests")
            try:
                connection.execute(
                    f"CREATE TEMP VIEW {name} AS FROM {rows}" + (f" WHERE {condition}" if condition else "")
                )
            except Exception as error:
                failures[name] = failure_of(error, duckdb, "--where", columns_in(name, inputs))
    if len(failures) > 1:
        raise failures["requests"]
    return failures


class Where(Step):
    """A condition over the columns of `requests` or `urls`, with the value of `--where`, which is checked before.

    own : the format's own fields that it reads, each with its name in a unit and its type; the reading keeps them
    """

    def __init__(
        self, where: str | None, condition: str, command: str, reading: FormattedInputs, *, by_request: bool
    ) -> None:
        self._duckdb = duckdb_module(f"{command} --where")
        self._by_request, self._table = by_request, "requests" if by_request else "urls"
        self._options = reading.options
        self._cursors: set[Any] = set()  # of running queries
        with ExitStack() as stack:
            self._connection = stack.enter_context(open_database(self._duckdb, 1))
            stack.enter_context(signals.calling(self._interrupt))
            self.close = stack.pop_all().close
        self._condition = f"WHERE {condition}"
        self.own: dict[str, tuple[str, pa.DataType]] = {}
        try:
            if where is not None:
                check_expression(self._duckdb, self._connection, where)
            try:
                read = self._read()
            except self._duckdb.BinderException as error:
                if not _are_files(reading.sources):
                    said = f"{self._failure_of(error)} (a log's own fields are columns only if you name a file)"
                    raise Failure(said) from None
                self.own = own_fields(reading.options, reading.sources)
                if not self.own:
                    raise
                read = self._read()
            self.own = {name: self.own[name] for name in read if name in self.own}
            self.names = tuple(name for name in read if name not in self.own)
        except Exception as error:
            self.close()
            raise self._failure_of(error) from None
        if self.own:
            reading.options = replace(reading.options, keep=(*reading.options.keep, ALL))

    def _failure_of(self, error: Exception) -> BaseException:
        return failure_of(error, self._duckdb, "--where", _names_in(self._table, self.own, self._options))

    def _read(self) -> tuple[str, ...]:
        """Return the columns that the condition reads. Raises DuckDB's error for a column that is not there."""
        probe = _Probe(schema_of(self._table, self.own, self._options))
        self._run_empty(probe)
        try:
            fields = [probe.schema.field(name) for name in probe.names]
            self._run_empty(pa.schema([(_ROW, pa.int64()), *fields]).empty_table())
        except self._duckdb.BinderException:
            # DuckDB does not read the columns of a condition that is never true, but it looks for them.
            return tuple(probe.schema.names)
        return tuple(probe.names)

    def _run_empty(self, table: Any) -> None:
        self._connection.register("requests", table)
        rows = _with_target("requests", table.schema.names, self._by_request)
        self._connection.execute(f"SELECT true FROM {rows} {self._condition}").fetchall()
        self._connection.unregister("requests")

    def _interrupt(self) -> None:
        for cursor in tuple(self._cursors):
            cursor.interrupt()

    def apply(self, unit: Unit) -> Unit:
        selected = Unit(unit.source, unit.fmt, {name: unit.columns[name] for name in self.names})
        batch = plain_batch(selected) if self.names else None
        numbers = pa.array(range(unit.urls), pa.int64())
        own = [_own_column(unit, *field) for field in self.own.values()]
        columns = [numbers, *(batch.columns if batch is not None else ()), *own]
        table = pa.Table.from_arrays(columns, names=[_ROW, *self.names, *self.own])
        cursor = self._connection.cursor()
        self._cursors.add(cursor)
        try:
            cursor.register("requests", table)
            source = _with_target("requests", table.column_names, self._by_request)
            rows = reader_of(cursor.sql(f"SELECT {_ROW} FROM {source} {self._condition}")).read_all()
        except Exception as error:
            raise self._failure_of(error) from None
        finally:
            self._cursors.discard(cursor)
            cursor.close()
        return unit if rows.num_rows == unit.urls else take_rows(unit, rows[_ROW].combine_chunks().sort())
