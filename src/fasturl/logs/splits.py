"""Split files so that several machines can read one log. Each line belongs to the split in which it begins.

A line here ends with a line feed. Lone carriage returns end lines later, when a split is read. So a split begins
only after a line feed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from functools import partial
from itertools import pairwise

import pyarrow as pa

from fasturl.arrow.threads import Pool, workers
from fasturl.logs.errors import LogError, reason
from fasturl.logs.formats.catalog import make_format
from fasturl.logs.formats.records import LineFormat, LogFormat
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.decompress import kind_by_name, kind_by_start
from fasturl.logs.inputs.foreign import no_foreign
from fasturl.logs.inputs.lines import MAX_LINE, Lines, LongLine, cut_lines
from fasturl.logs.inputs.source import Source
from fasturl.logs.inputs.source_specs import source_at
from fasturl.logs.reader import Inputs
from fasturl.logs.shown import visible

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
            self.place += f", octets {split.start:,} to {end:,}"
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

        It reads at most `most` bytes after `end`. Raises TornInput if the file cannot be read.
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
