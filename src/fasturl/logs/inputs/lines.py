"""Cut blocks of bytes into lines with any length, in a single pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fasturl._accesslog import count_byte

# A longer line is not held in memory.
MAX_LINE = 16 << 20
BOM = b"\xef\xbb\xbf"
# A larger batch of short lines would create too many objects at once.
_BATCH = 1 << 17
_GOLDEN = 0.6180339887498949


class Lines:
    """Consecutive lines. `data` holds them and ends with a separator.

    first : the number of the first line, from 1; count : how many lines there are
    start : the offset of the first line, after a byte order mark
    """

    __slots__ = ("_raw", "count", "data", "first", "separator", "start")

    def __init__(self, first: int, data: bytes, separator: bytes = b"\n") -> None:
        self.first = first
        self.data = data
        self.separator = separator
        self.count = count_byte(data, ord(separator))
        self.start = len(BOM) if first == 1 and data.startswith(BOM) else 0
        self._raw: list[bytes] | None = None

    @property
    def raw(self) -> list[bytes]:
        """The lines without separators. Created on demand, because not every reader needs objects."""
        if self._raw is None:
            self._raw = self.data.split(self.separator)
            self._raw.pop()  # the empty text after the last separator
        return self._raw

    @property
    def stripped(self) -> list[bytes]:
        """The lines without byte order mark and carriage returns. It is `raw` itself if that changes nothing."""
        lines = self.raw
        if self.start:
            lines = [lines[0][self.start :], *lines[1:]]
        if self.separator == b"\n" and b"\r\n" in self.data:
            lines = [line[:-1] if line.endswith(b"\r") else line for line in lines]
        return lines

    def part(self, number: int, start: int, end: int) -> Lines:
        """Return the lines between two byte offsets, after `number` lines."""
        lines = Lines(self.first + number, self.data[start:end], self.separator)
        lines.start = 0 if start else self.start
        return lines

    def ended_by_returns(self, first: int) -> Iterator[Lines]:
        """Yield the same bytes, where a lone carriage return ends a line too. `first` numbers the first line."""
        data = self.data
        if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
            data = b"\r\n".join([part.replace(b"\r", b"\n") for part in data.split(b"\r\n")])
        elif first == self.first:
            yield self
            return
        # One line may become millions of lines.
        yield from _cut(first, data, self.separator)


@dataclass(eq=False, repr=False, slots=True)
class LongLine:
    """A piece of a line that is longer than the limit. `ends` is True for the last piece."""

    number: int
    data: bytes
    ends: bool

    @property
    def count(self) -> int:
        return int(self.ends)


def _divide(lines: Lines, most: int) -> Iterator[Lines | LongLine]:
    """Yield the lines, with each line above `most` bytes on its own."""
    if len(lines.data) <= most or max(map(len, lines.raw)) <= most:
        yield lines
        return
    first, start, at = lines.first, 0, 0
    for number, line in enumerate(lines.raw, lines.first):
        end = at + len(line) + 1
        if len(line) > most:
            if start < at:
                yield Lines(first, lines.data[start:at], lines.separator)
            yield LongLine(number, line, True)
            first, start = number + 1, end
        at = end
    if start < at:
        yield Lines(first, lines.data[start:], lines.separator)


def _cut(first: int, data: bytes, separator: bytes) -> Iterator[Lines]:
    """Yield batches of whole lines."""
    start = 0
    while start < len(data):
        end = len(data)
        if end - start > _BATCH:
            end = data.rfind(separator, start, start + _BATCH) + 1 or data.find(separator, start + _BATCH) + 1
        lines = Lines(first, data[start:end], separator)
        first += lines.count
        start = end
        yield lines


def _batches(first: int, data: bytes, separator: bytes, most: int) -> Iterator[Lines | LongLine]:
    for lines in _cut(first, data, separator):
        yield from _divide(lines, most)


def cut_lines(blocks: Iterable[bytes], separator: bytes = b"\n", most: int = MAX_LINE) -> Iterator[Lines | LongLine]:
    """Yield the lines of the blocks in batches, as soon as a block ends a line.

    most : a longer line is yielded in pieces, as LongLine; memory holds at most this many bytes and a block
    A last line without a separator is a line. If the blocks raise, the lines before and the unfinished line come first.
    """
    number = 1
    unfinished: list[bytes] = []  # joined once, so a line over many blocks is copied once
    held = 0
    is_long = False
    trouble: Exception | None = None
    source = iter(blocks)
    while True:
        try:
            block = next(source, None)
        except Exception as error:
            trouble = error
            block = None
        if block is None:
            break
        if is_long:
            line, found, block = block.partition(separator)
            yield LongLine(number, line, bool(found))
            is_long = not found
            number += int(not is_long)
        if not block:
            continue
        end = block.rfind(separator) + 1
        if not end:
            unfinished.append(block)
            held += len(block)
        else:
            data = b"".join([*unfinished, memoryview(block)[:end]])
            unfinished = [block[end:]] if end < len(block) else []
            held = len(block) - end
            for batch in _batches(number, data, separator, most):
                number += batch.count
                yield batch
                del batch
            del data
        if held > most:
            yield LongLine(number, b"".join(unfinished), False)
            unfinished, held, is_long = [], 0, True
        del block
    if is_long:
        yield LongLine(number, b"", True)
    elif unfinished:
        unfinished.append(separator)
        data = b"".join(unfinished)
        unfinished.clear()
        yield from _batches(number, data, separator, most)
    if trouble is not None:
        raise trouble


def spread(lines: list[bytes], most: int, size: int, clip: int) -> list[bytes]:
    """Return the first line and lines from everywhere: at most so many, and about so many bytes of line starts.

    Multiples of the golden ratio are spread evenly, and never in step with lines that repeat after some others.
    """
    found: list[int] = []
    for place in sorted(range(len(lines)), key=lambda place: place * _GOLDEN % 1)[:most]:
        size -= min(len(lines[place]), clip)
        if size < 0 and found:
            break
        found.append(place)
    return [lines[place] for place in sorted(found)]
