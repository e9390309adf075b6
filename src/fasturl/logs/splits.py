"""Pieces of files, so that tasks on several machines read one log: each line belongs to the piece in which it begins.

A line here ends with its line feed. Carriage returns that end lines of a log are looked at inside of such lines, so a
piece never begins between a carriage return and its line feed, nor behind a bare one.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from fasturl.logs.errors import LogError, TornInput, reason
from fasturl.logs.formats.catalog import LogFormat, make_format
from fasturl.logs.formats.records import LineFormat
from fasturl.logs.inputs.decompress import kind_by_name, kind_by_start
from fasturl.logs.inputs.foreign import no_foreign
from fasturl.logs.inputs.lines import MAX_LINE, Lines, LongLine, cut_lines
from fasturl.logs.inputs.reading import InputOptions
from fasturl.logs.inputs.source import Source
from fasturl.logs.reader import Inputs
from fasturl.logs.shown import visible

# Of a log: a third of a second of a core, or some seconds where an engine carries the rows.
SPLIT_OCTETS = 64 << 20
_MAGIC = 6


@dataclass(frozen=True, slots=True)
class Split:
    """The lines of a file that begin in these octets; with an `end` of None the whole file, compressed or not.

    `state` is the line of the file before these that tells how they are read.
    """

    path: str
    start: int = 0
    end: int | None = None
    state: bytes = b""


def splits_of(sources: list[Source], log: str | LogFormat, octets: int | None) -> list[Split]:
    """The files in pieces of at most so many octets, a compressed file and, without a number, each file in one.

    Of a format that keeps state, files of more than one piece are read through for the lines that change it.
    """
    fmt = make_format(log)
    found = []
    for source in sources:
        size = source.size or 0
        count = -(-size // octets) if octets is not None and not _is_compressed(source) else 1
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
        with open(source.path, "rb", buffering=0) as file:
            return kind_by_start(file.read(_MAGIC)) is not None
    except OSError as error:
        raise LogError(f"cannot read {visible(source.name)}: {reason(error)}") from None


def _changes(source: Source, fmt: LineFormat) -> list[tuple[int, bytes]]:
    """The lines that tell how those after them are read, each with the offset of the line feed's line it is of."""
    found = []
    at = 0
    for lines in cut_lines(source.blocks()):
        if isinstance(lines, LongLine):
            at += len(lines.octets) + lines.ends
            continue
        if b"#" in lines.octets:
            offset = at
            for number, raw in enumerate(lines.raw):
                text = raw[lines.start :] if number == 0 else raw
                found += [(offset, line) for line in text.split(b"\r") if fmt.changes_state(line)]
                offset += len(raw) + 1
        at += len(lines.octets)
    return found


class Piece(Source):
    """The octets of a split's lines, as they stand in the file."""

    def __init__(self, split: Split, end: int, most: int) -> None:
        super().__init__(split.path)
        self._split = split
        self._end = end
        self._most = most

    def check(self) -> None:
        super().check()
        if not self.is_file or self.path == "-" or (self.size or 0) < self._end:
            self.close()
            raise LogError(f"{visible(self.name)} is not the file that the job began with: it is shorter")

    def is_columnar(self) -> bool:
        return False

    def blocks(self) -> Iterator[bytes]:
        """From the first line that begins at `start` or behind it to the end of the last that begins before `end`.

        Of a line that is longer than `most` octets no more than that is read behind the end. Raises TornInput where
        the file cannot be read.
        """
        if self._split.state:
            yield self._split.state + b"\n"
        self._descriptor = self._open(TornInput)
        try:
            # The octet before is looked at: a line feed there makes a line begin at `start`.
            at = max(self._split.start - 1, 0)
            os.lseek(self._descriptor, at, os.SEEK_SET)
            is_inside = self._split.start == 0
            for read in self._raw_blocks():
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
            self.close()


class PieceReading(Inputs):
    """One split's lines: but for the first split's, no file begins with them."""

    def __init__(self, split: Split, end: int, log: str | LogFormat, most: int = MAX_LINE) -> None:
        super().__init__(InputOptions(log_format=log, max_line=most), [Piece(split, end, most)])
        self._begins = split.start == 0
        self._fmt = make_format(log)

    def _with_format(self, source: Source) -> Iterator[tuple[LineFormat | None, Lines | LongLine]]:
        blocks = no_foreign(source.blocks(), source.name) if self._begins else source.blocks()
        lines = cut_lines(blocks, most=self.options.max_line, first=1 if self._begins else 2)
        for each in self._until_torn(source, lines):
            yield None if isinstance(each, LongLine) else self._fmt, each
