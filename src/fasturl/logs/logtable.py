"""A log as a table that engines can read repeatedly, whole or by splits of its files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import pyarrow as pa

from fasturl._quoted import quoted
from fasturl.arrow import compute as pc
from fasturl.arrow.threads import Pool, processors, workers
from fasturl.logs.batches import as_text, plain_batch, plain_schema
from fasturl.logs.columns import COLUMNS, columns_of, keys_of
from fasturl.logs.errors import LogError
from fasturl.logs.formats.records import LogFormat
from fasturl.logs.formats.tables import TableRows
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.lines import MAX_LINE, LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.inputs.source_specs import Octets, source_at, sources_of
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
from fasturl.logs.splits import SPLIT_OCTETS, PieceReading, Split, splits_of
from fasturl.logs.units import RowFilter, Unit, octets_array

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Rejects = Literal["skip", "keep"] | None

REJECTED = pa.schema([("rejected", pa.bool_()), ("text", pa.string())])


@dataclass(frozen=True, slots=True)
class LogTable:
    """The columns and the format of a log's table. It can be sent to another process.

    log : the format; None to detect that of each input, which splits cannot
    fields : the columns of lines
    rejects : whether rejects are rows too, with the columns of REJECTED
    columns : the output columns, from `fields` and REJECTED
    checked : whether a file or split with rejects and without a record raises LogError
    """

    log: str | LogFormat | None
    fields: tuple[str, ...]
    by_request: bool
    rejects: bool
    columns: tuple[str, ...]
    most: int = MAX_LINE
    checked: bool = False

    @property
    def schema(self) -> pa.Schema:
        kinds = pa.schema([*plain_schema(self.fields), *REJECTED])
        return pa.schema([kinds.field(name) for name in self.columns])

    def only(self, columns: Sequence[str]) -> LogTable:
        """Return the table with only these columns, in this order."""
        fields = tuple(name for name in columns if name not in REJECTED.names)
        return replace(self, fields=fields or ("line",), columns=tuple(columns))

    def read_split(self, split: Split, where: RowFilter | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a split on this thread. Lines have numbers only if the split is a whole file.

        where : as for read_files
        Raises LogError and TornInput as `read` does.
        """
        assert self.log is not None
        if split.end is None:
            yield from self._read_whole([source_at(split.path)], 1, where)
        else:
            reading = PieceReading(split, split.end, self.log, self.most)
            yield from self._read(reading, 1, where, numbered=False, begins=split.start == 0)

    def read_files(
        self, sources: list[Source], threads: int | None, where: RowFilter | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows of whole files, in order.

        where : rows that it does not keep may be left out. Of columns that the paths give alone, it selects files.
        """
        if where is not None and where.columns and not {*COLUMNS, *REJECTED.names} & {*where.columns}:
            names = where.columns
            keys = [[_texts(source.keys.get(name), 1) for name in names] for source in sources]
            batches = [pa.RecordBatch.from_arrays(values, names=list(names)) for values in keys]
            sources = [source for source, batch in zip(sources, batches, strict=True) if len(where.rows(batch))]
        return self._read_whole(sources, threads, where)

    def _read_whole(
        self, sources: list[Source], threads: int | None, where: RowFilter | None
    ) -> Iterator[pa.RecordBatch]:
        inputs = Inputs(InputOptions(log_format=self.log, max_line=self.most), sources)
        return self._read(inputs, processors(threads), where, numbered=True)

    def _read(
        self, inputs: Inputs, threads: int, where: RowFilter | None, *, numbered: bool, begins: bool = True
    ) -> Iterator[pa.RecordBatch]:
        long_lines: list[tuple[Source, LongLine]] = []

        def passed(source: Source, line: LongLine) -> None:
            if self.rejects and line.ends:
                long_lines.append((source, line))

        if where is not None:
            rows = where.rows
            where = replace(where, rows=lambda batch: rows(_unnumbered(batch, numbered)))
        jobs = make_jobs(
            inputs,
            lambda source, fmt: self.fields,
            by_request=self.by_request,
            unit_lines=UNIT_LINES,
            diagnosed=False,
            where=where if where is not None and where.columns and not self.rejects else None,
        )
        with workers(threads) as executor:
            pool, made = Pool(executor, threads), partial(self._batch, numbered=numbered)
            tallies = inputs.tallies if self.checked else None
            for _, batch in run_in_order(jobs, pool, made, passed, tallies, begins=begins):
                yield from self._long_rejects(long_lines, numbered)
                yield batch
        yield from self._long_rejects(long_lines, numbered)
        inputs.end()

    def _batch(self, unit: Unit, numbered: bool) -> pa.RecordBatch:
        batch = _unnumbered(plain_batch(unit), numbered)
        if not self.rejects:
            return batch
        count = unit.urls
        batch = _with(batch, pa.array([False] * count, pa.bool_()), pa.nulls(count, pa.string()))
        if unit.rejects:
            texts = as_text(octets_array([raw for _, raw in unit.rejects]))
            numbers = pa.array([number for number, _ in unit.rejects], pa.int64())
            rejects = self._rejects(unit.source, numbers, texts, numbered)
            order = pc.sort_indices(pa.concat_arrays([unit.numbers, numbers]))
            [batch] = pa.Table.from_batches([batch, rejects]).combine_chunks().take(order).to_batches()
        return batch.select(self.columns)

    def _long_rejects(self, lines: list[tuple[Source, LongLine]], numbered: bool) -> Iterator[pa.RecordBatch]:
        for source, line in lines:
            numbers = pa.array([line.number], pa.int64())
            yield self._rejects(source, numbers, pa.nulls(1, pa.string()), numbered).select(self.columns)
        lines.clear()

    def _rejects(self, source: Source, numbers: pa.Array, texts: pa.Array, numbered: bool) -> pa.RecordBatch:
        """Return rows with nulls in all columns but the place and the rejected text."""
        count = len(numbers)
        schema = plain_schema(self.fields)
        columns = [pa.nulls(count, kind) for kind in schema.types]
        for place, name in enumerate(schema.names):
            text = source.name if name == "file" else None if name in COLUMNS else source.keys.get(name)
            if text is not None:
                columns[place] = _texts(text, count)
        if "line" in schema.names:
            columns[schema.names.index("line")] = numbers
        batch = _unnumbered(pa.RecordBatch.from_arrays(columns, schema=schema), numbered)
        return _with(batch, pa.array([True] * count, pa.bool_()), texts)


def _texts(text: str | None, count: int) -> pa.Array:
    return pa.nulls(count, pa.string()) if text is None else as_text(octets_array([os.fsencode(text)] * count))


def _unnumbered(batch: pa.RecordBatch, numbered: bool) -> pa.RecordBatch:
    if numbered or "line" not in batch.schema.names:
        return batch
    place = batch.schema.names.index("line")
    columns = batch.columns
    columns[place] = pa.nulls(len(batch), pa.int64())
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _with(batch: pa.RecordBatch, *columns: pa.Array) -> pa.RecordBatch:
    schema = pa.schema([*batch.schema, *REJECTED])
    return pa.RecordBatch.from_arrays([*batch.columns, *columns], schema=schema)


def log_table(
    paths: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    rejects: Rejects = None,
    *,
    one_format: bool = True,
) -> tuple[LogTable, list[Source]]:
    """Return the table of some files, and the files.

    It reads only the first lines of the first file that is not empty, to find the format and the columns.

    one_format : whether the detected format applies to all files; else each file's format is detected when it is read
    Raises as `read` does, and TypeError for a source that is not a path.
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
    if any(isinstance(source, Octets) for source in sources):
        raise TypeError("paths must be a path, a pattern of paths or a list of these: a task opens its file itself")
    for source in sources:
        source.check()
        if not source.is_file or source.path == "-":
            source.close()
            raise LogError(f"{visible(source.name)} is no file, which can be read again")
    found, details = _looked_at(sources, log, by_request)
    columns = columns_of(wanted, details, keys=keys)
    if one_format:
        log = log or found
    every = (*columns, *REJECTED.names) if rejects == "keep" else columns
    return LogTable(log, columns, by_request, rejects == "keep", every, checked=rejects is None), sources


def split_table(
    paths: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    rejects: Rejects = None,
    split_octets: int | None = SPLIT_OCTETS,
) -> tuple[LogTable, list[Split]]:
    """Return the table of some files, and its splits in order."""
    if split_octets is not None and split_octets < 1:
        raise ValueError(f"split_octets must be 1 or more, or None, not {split_octets}")
    table, sources = log_table(paths, format, fields, rows, rejects)
    assert table.log is not None
    return table, splits_of(sources, table.log, split_octets)


def _looked_at(
    sources: list[Source], log: str | LogFormat | None, by_request: bool
) -> tuple[str | LogFormat, tuple[str, ...]]:
    """Return the format and the detail columns of the first file that is not empty."""
    for source in sources:
        inputs = Inputs(InputOptions(log_format=log), [source.again()])
        first = next((each for each in inputs.batches() if each[1] is not None), None)
        if first is None:
            continue
        read, fmt, batch = first
        assert fmt is not None
        if isinstance(batch, TableRows):
            what = "is a table and no log: let the engine read it, and parse its column"
            raise LogError(f"{visible(source.name)} {what}")
        found = inputs.found.get(read)
        return found.log if found is not None else "URLS", fmt.columns(by_request)
    return "URLS", details_of(log, by_request)
