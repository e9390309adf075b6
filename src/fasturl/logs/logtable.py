"""A log as a table that engines can read repeatedly."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pyarrow as pa

from fasturl._quoted import quoted
from fasturl.arrow import compute as pc
from fasturl.arrow.threads import Pool, processors, workers
from fasturl.logs.batches import as_text, plain_batch, plain_schema
from fasturl.logs.columns import COLUMNS, columns_of, keys_of
from fasturl.logs.errors import LogError
from fasturl.logs.formats.columnar import TableRows
from fasturl.logs.formats.records import LogFormat
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.lines import LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.inputs.source_specs import Bytes, sources_of
from fasturl.logs.jobs import make_jobs, run_in_order
from fasturl.logs.reader import (
    UNIT_LINES,
    AnyFormat,
    Inputs,
    Rows,
    checked_fields,
    details_of,
    log_format_of,
)
from fasturl.logs.shown import visible
from fasturl.logs.units import RowFilter, Unit, bytes_array

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Rejects = Literal["skip", "keep"] | None

REJECTED = pa.schema([("rejected", pa.bool_()), ("text", pa.string())])


@dataclass(frozen=True, slots=True)
class LogTable:
    """A log table's columns and format.

    log : the format, or None to detect each input's format
    fields : the columns from lines
    rejects : whether rejects are rows too, with the columns of REJECTED
    columns : the output columns, from `fields` and REJECTED
    checked : whether a file with rejects and without a record raises LogError
    """

    log: str | LogFormat | None
    fields: tuple[str, ...]
    by_request: bool
    rejects: bool
    columns: tuple[str, ...]
    checked: bool = False

    @property
    def schema(self) -> pa.Schema:
        kinds = pa.schema([*plain_schema(self.fields), *REJECTED])
        return pa.schema([kinds.field(name) for name in self.columns])

    def only(self, columns: Sequence[str]) -> LogTable:
        """Return the table with only these columns, in this order."""
        fields = tuple(name for name in columns if name not in REJECTED.names)
        return replace(self, fields=fields or ("line",), columns=tuple(columns))

    def read_files(
        self, sources: list[Source], threads: int | None, where: RowFilter | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows in whole files, in order.

        where : rows that it does not keep may be left out. If only paths give its columns, it selects files.
        """
        if where is not None and where.columns and not {*COLUMNS, *REJECTED.names} & {*where.columns}:
            names = where.columns
            keys = [[_texts(source.keys.get(name), 1) for name in names] for source in sources]
            batches = [pa.RecordBatch.from_arrays(values, names=list(names)) for values in keys]
            sources = [source for source, batch in zip(sources, batches, strict=True) if len(where.rows(batch))]
        inputs = Inputs(InputOptions(log_format=self.log), sources)
        long_lines: list[tuple[Source, LongLine]] = []

        def on_long_line(source: Source, line: LongLine) -> None:
            if self.rejects and line.ends:
                long_lines.append((source, line))

        jobs = make_jobs(
            inputs,
            lambda source, fmt: self.fields,
            by_request=self.by_request,
            unit_lines=UNIT_LINES,
            diagnosed=False,
            where=where if where is not None and where.columns and not self.rejects else None,
        )
        threads = processors(threads)
        with workers(threads) as executor:
            tallies = inputs.tallies if self.checked else None
            for _, batch in run_in_order(jobs, Pool(executor, threads), self._batch, on_long_line, tallies):
                yield from self._long_rejects(long_lines)
                yield batch
        yield from self._long_rejects(long_lines)
        inputs.end()

    def _batch(self, unit: Unit) -> pa.RecordBatch:
        batch = plain_batch(unit)
        if not self.rejects:
            return batch
        count = unit.urls
        batch = _with(batch, pa.array([False] * count, pa.bool_()), pa.nulls(count, pa.string()))
        if unit.rejects:
            texts = as_text(bytes_array([raw for _, raw in unit.rejects]))
            numbers = pa.array([number for number, _ in unit.rejects], pa.int64())
            rejects = self._rejects(unit.source, numbers, texts)
            order = pc.sort_indices(pa.concat_arrays([unit.numbers, numbers]))
            [batch] = pa.Table.from_batches([batch, rejects]).combine_chunks().take(order).to_batches()
        return batch.select(self.columns)

    def _long_rejects(self, lines: list[tuple[Source, LongLine]]) -> Iterator[pa.RecordBatch]:
        for source, line in lines:
            numbers = pa.array([line.number], pa.int64())
            yield self._rejects(source, numbers, pa.nulls(1, pa.string())).select(self.columns)
        lines.clear()

    def _rejects(self, source: Source, numbers: pa.Array, texts: pa.Array) -> pa.RecordBatch:
        """Return rows with nulls in all columns except the place and the rejected text."""
        count = len(numbers)
        schema = plain_schema(self.fields)
        columns = [pa.nulls(count, kind) for kind in schema.types]
        for place, name in enumerate(schema.names):
            text = source.name if name == "file" else None if name in COLUMNS else source.keys.get(name)
            if text is not None:
                columns[place] = _texts(text, count)
        if "line" in schema.names:
            columns[schema.names.index("line")] = numbers
        batch = pa.RecordBatch.from_arrays(columns, schema=schema)
        return _with(batch, pa.array([True] * count, pa.bool_()), texts)


def _texts(text: str | None, count: int) -> pa.Array:
    return pa.nulls(count, pa.string()) if text is None else as_text(bytes_array([os.fsencode(text)] * count))


def _with(batch: pa.RecordBatch, *columns: pa.Array) -> pa.RecordBatch:
    schema = pa.schema([*batch.schema, *REJECTED])
    return pa.RecordBatch.from_arrays([*batch.columns, *columns], schema=schema)


def log_table(
    paths: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    rejects: Rejects = None,
) -> tuple[LogTable, list[Source]]:
    """Return the table for some files, and the files.

    To find the columns, it reads only the first lines in the first file that is not empty.

    Raise the same errors as `read`, and TypeError if a source is not a path.
    """
    if rows not in ("request", "url"):
        raise ValueError(f"rows must be 'request' or 'url', not {quoted(rows)}")
    if rejects not in (None, "skip", "keep"):
        raise ValueError(f"rejects must be 'skip', 'keep' or None, not {quoted(rejects)}")
    log = log_format_of(format)
    by_request = rows == "request"
    sources = sources_of(paths)
    keys = keys_of(sources)
    wanted = checked_fields(fields, by_request, keys)
    if any(isinstance(source, Bytes) for source in sources):
        raise TypeError("paths must be a path, a pattern or a list of these, because a query opens its files itself")
    for source in sources:
        source.check()
        if not source.is_file or source.path == "-":
            source.close()
            raise LogError(f"{visible(source.name)} is not a file, and a query must be able to read its input again")
    columns = columns_of(wanted, _first_details(sources, log, by_request), keys=keys)
    every = (*columns, *REJECTED.names) if rejects == "keep" else columns
    return LogTable(log, columns, by_request, rejects == "keep", every, checked=rejects is None), sources


def _first_details(sources: list[Source], log: str | LogFormat | None, by_request: bool) -> tuple[str, ...]:
    """Return the detail columns in the first file that is not empty."""
    for source in sources:
        inputs = Inputs(InputOptions(log_format=log), [source.again()])
        first = next((each for each in inputs.batches() if each[1] is not None), None)
        if first is None:
            continue
        _, fmt, batch = first
        assert fmt is not None
        if isinstance(batch, TableRows):
            what = "is a table, not a log: read it with the engine, and parse its column"
            raise LogError(f"{visible(source.name)} {what}")
        return fmt.columns(by_request)
    return details_of(log, by_request)
