"""A log as a table that engines can read repeatedly, whole or by splits of its files.

Each line belongs to the split in which it begins. A line here ends with a line feed. Lone carriage returns end lines
later, when a split is read. So a split begins only after a line feed.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from functools import partial
from itertools import pairwise
from typing import Literal

import pyarrow as pa

from fasturl._quoted import quoted
from fasturl.arrow import compute as pc
from fasturl.arrow.threads import Pool, processors, workers
from fasturl.logs.batches import as_text, plain_batch, plain_schema
from fasturl.logs.columns import COLUMNS, columns_of, keys_of
from fasturl.logs.errors import LogError, reason
from fasturl.logs.formats.catalog import make_format
from fasturl.logs.formats.columnar import TableRows
from fasturl.logs.formats.records import LineFormat, LogFormat
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.decompress import kind_by_name, kind_by_start
from fasturl.logs.inputs.foreign import no_foreign
from fasturl.logs.inputs.lines import MAX_LINE, Lines, LongLine, cut_lines
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
from fasturl.logs.units import RowFilter, Unit, octets_array

# One split takes a third of a second of a core, or some seconds if an engine copies the rows.
SPLIT_OCTETS = 64 << 20
_MAGIC = 6
_REQUESTS = 16  # at once, because an object store takes tens of milliseconds for each


@dataclass(frozen=True, slots=True)
class Split:
    """The lines that begin in this byte range of a file, or the whole file if `end` is None.

    `state` is an earlier line of the file that determines how these lines are read.
    """

    path: str
    start: int = 0
    end: int | None = None
    state: bytes = b""


def split_rows(splits: list[Split]) -> pa.RecordBatch:
    """Return the splits as rows to send to each task. They unpickle as a few buffers, however many they are."""
    paths, starts, ends, states = zip(*map(astuple, splits), strict=True) if splits else ((), (), (), ())
    columns = [pa.array(paths).dictionary_encode(), pa.array(starts, pa.int64()), pa.array(ends, pa.int64())]
    states = pa.array(states, pa.binary()).dictionary_encode()
    return pa.RecordBatch.from_arrays([*columns, states], names=[part.name for part in fields(Split)])


def split_at(rows: pa.RecordBatch, number: int) -> Split:
    """Return one of the splits of `split_rows`.

    >>> split_at(split_rows([Split("a"), Split("b", 0, 9)]), 1)
    Split(path='b', start=0, end=9, state=b'')
    """
    return Split(*(column[number].as_py() for column in rows.columns))


def splits_of(sources: list[Source], log: str | LogFormat, octets: int | None) -> list[Split]:
    """Split the files into ranges of at most this many bytes. A compressed file is one split.

    Without a number each file is one split. For a format that keeps state, this reads the files with several splits.
    """
    fmt = make_format(log)
    found = []
    large = [source for source in sources if octets is not None and (source.size or 0) > octets]
    with workers(min(_REQUESTS, len(large))) as group:
        requests = Pool(group, _REQUESTS)
        answers = [one for source in large for one in requests.submit(partial(_is_compressed, source))]
        packed = dict(zip(large, [*answers, *requests.rest()], strict=True))
    for source in sources:
        size = source.size or 0
        count = 1 if octets is None or packed.get(source, True) else -(-size // octets)
        if count <= 1:
            found.append(Split(source.path))
            continue
        edges = [size * place // count for place in range(count + 1)]
        changes = _changes(source, fmt) if fmt.keeps_state else []
        offsets = [offset for offset, _ in changes]
        for start, end in pairwise(edges):
            before = bisect_left(offsets, start)
            found.append(Split(source.path, start, end, changes[before - 1][1] if before else b""))
    return found


def _is_compressed(source: Source) -> bool:
    if kind_by_name(source.path) is not None:
        return True
    try:
        return kind_by_start(source.start(_MAGIC)) is not None
    except OSError as error:
        raise LogError(f"cannot read {visible(source.name)}: {reason(error)}") from None


def _changes(source: Source, fmt: LineFormat) -> list[tuple[int, bytes]]:
    """Return the lines that change how later lines are read, with the byte offset of the line that contains each."""
    found = []
    at = 0
    for lines in cut_lines(source.blocks()):
        if isinstance(lines, LongLine):
            at += len(lines.octets) + lines.ends
            continue
        if fmt.may_change(lines.octets):
            offset = at
            for number, raw in enumerate(lines.raw):
                text = raw[lines.start :] if number == 0 else raw
                found += [(offset, line) for line in text.split(b"\r") if fmt.changes_state(line)]
                offset += len(raw) + 1
        at += len(lines.octets)
    return found


class Piece(Source):
    """The bytes of a split's lines."""

    def __init__(self, split: Split, end: int, most: int) -> None:
        super().__init__(split.path)
        self._file = source_at(split.path)
        self.name = self.place = self._file.name
        if split.start:
            self.place += f", bytes {split.start:,} to {end:,}"
        self._split = split
        self._end = end
        self._most = most
        self.is_file = True

    def check(self) -> None:
        self._file.check()
        if not self._file.is_file or self.path == "-" or (self._file.size or 0) < self._end:
            self._file.close()
            raise LogError(f"{visible(self.name)} is not the file that the job began with: it is shorter")

    def is_columnar(self) -> bool:
        return False

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes from the first line that begins at or after `start` to the last that begins before `end`.

        It reads at most `most` bytes after `end`. Raises TruncatedInput if the file cannot be read.
        """
        if self._split.state:
            yield self._split.state + b"\n"
        # A line begins at `start` if the byte before is a line feed.
        at = max(self._split.start - 1, 0)
        is_inside = self._split.start == 0
        try:
            for read in self._file.raw_blocks(at, self._end):
                block = read
                if not is_inside:
                    place = block.find(b"\n") + 1
                    is_inside = place > 0
                    at += place or len(block)
                    if at >= self._end:
                        return
                    if not is_inside:
                        continue
                    block = block[place:]
                last = block.find(b"\n", max(self._end - 1 - at, 0)) + 1
                if last:
                    yield block[:last]
                    return
                if block:
                    yield block
                at += len(block)
                if at - self._end > self._most:
                    return
        finally:
            self._file.close()


class PieceReading(Inputs):
    """Reads the lines of one split. Only the first split begins a file."""

    is_whole = False

    def __init__(self, split: Split, end: int, log: str | LogFormat, most: int = MAX_LINE) -> None:
        super().__init__(InputOptions(log_format=log, max_line=most), [Piece(split, end, most)])
        self._begins = split.start == 0
        self._fmt = make_format(log)

    def _with_format(self, source: Source) -> Iterator[tuple[LineFormat | None, Lines | LongLine]]:
        blocks = no_foreign(source.blocks(), source.name) if self._begins else source.blocks()
        lines = cut_lines(blocks, most=self.options.max_line, first=1 if self._begins else 2)
        for each in self._until_torn(source, lines):
            yield None if isinstance(each, LongLine) else self._fmt, each


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
        Raises LogError and TruncatedInput as `read` does.
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

        def on_long_line(source: Source, line: LongLine) -> None:
            if self.rejects and line.ends:
                long_lines.append((source, line))

        if where is not None:
            rows = where.rows
            where = replace(where, rows=lambda batch: rows(_drop_numbers(batch, numbered)))
        jobs = make_jobs(
            inputs,
            lambda source, fmt: self.fields,
            by_request=self.by_request,
            unit_lines=UNIT_LINES,
            diagnosed=False,
            where=where if where is not None and where.columns and not self.rejects else None,
        )
        with workers(threads) as executor:
            pool, make_batch = Pool(executor, threads), partial(self._batch, numbered=numbered)
            tallies = inputs.tallies if self.checked else None
            for _, batch in run_in_order(jobs, pool, make_batch, on_long_line, tallies, begins=begins):
                yield from self._long_rejects(long_lines, numbered)
                yield batch
        yield from self._long_rejects(long_lines, numbered)
        inputs.end()

    def _batch(self, unit: Unit, numbered: bool) -> pa.RecordBatch:
        batch = _drop_numbers(plain_batch(unit), numbered)
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
        batch = _drop_numbers(pa.RecordBatch.from_arrays(columns, schema=schema), numbered)
        return _with(batch, pa.array([True] * count, pa.bool_()), texts)


def _texts(text: str | None, count: int) -> pa.Array:
    return pa.nulls(count, pa.string()) if text is None else as_text(octets_array([os.fsencode(text)] * count))


def _drop_numbers(batch: pa.RecordBatch, numbered: bool) -> pa.RecordBatch:
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
            raise LogError(f"{visible(source.name)} is not a file, so it cannot be read again")
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
    split_bytes: int | None = SPLIT_OCTETS,
) -> tuple[LogTable, list[Split]]:
    """Return the table of some files, and its splits in order."""
    if split_bytes is not None and split_bytes < 1:
        raise ValueError(f"split_bytes must be 1 or more, or None, not {split_bytes}")
    table, sources = log_table(paths, format, fields, rows, rejects)
    assert table.log is not None
    return table, splits_of(sources, table.log, split_bytes)


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
