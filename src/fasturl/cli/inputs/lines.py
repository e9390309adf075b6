"""Cutting blocks of octets into lines, of any length, each looked at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_BOM = b"\xef\xbb\xbf"
# A larger block, of nothing but short lines, would make too many objects at once.
_BATCH = 1 << 17


class Lines:
    """Lines that follow each other, as they stand in `octets`, which ends with the separator of the last one.

    `first` is the number of the first line, from 1; `count` is how many there are. `start` is where the first begins:
    after the byte order mark, where there is one.
    """

    __slots__ = ("_raw", "count", "first", "octets", "separator", "start")

    def __init__(self, first: int, octets: bytes, separator: bytes = b"\n") -> None:
        self.first = first
        self.octets = octets
        self.separator = separator
        self.count = octets.count(separator)
        self.start = len(_BOM) if first == 1 and octets.startswith(_BOM) else 0
        self._raw: list[bytes] | None = None

    @property
    def raw(self) -> list[bytes]:
        """Each line as it stands, without its separator. Made when it is asked for: not every reader needs objects."""
        if self._raw is None:
            self._raw = self.octets.split(self.separator)
            self._raw.pop()  # what follows the last separator: nothing
        return self._raw

    @property
    def clean(self) -> list[bytes]:
        """Each line without the byte order mark and its carriage return; `raw` itself when that changes nothing."""
        lines = self.raw
        if self.start:
            lines = [lines[0][self.start :], *lines[1:]]
        if self.separator == b"\n" and b"\r\n" in self.octets:
            lines = [line[:-1] if line.endswith(b"\r") else line for line in lines]
        return lines

    def without_longer(self, most: int) -> tuple[Lines, list[tuple[int, bytes]]]:
        """The same lines, those of `most` octets and more empty; and these, with their numbers."""
        longer = [(self.first + at, line) for at, line in enumerate(self.raw) if len(line) >= most]
        left = [b"" if len(line) >= most else line for line in self.raw]
        return Lines(self.first, self.separator.join([*left, b""]), self.separator), longer


def _cut(first: int, octets: bytes, separator: bytes) -> Iterator[Lines]:
    start = 0
    while len(octets) - start > _BATCH:
        end = octets.rfind(separator, start, start + _BATCH) + 1 or octets.find(separator, start + _BATCH) + 1
        lines = Lines(first, octets[start:end], separator)
        first += lines.count
        start = end
        yield lines
    if start < len(octets):
        yield Lines(first, octets[start:], separator)


def cut_lines(blocks: Iterable[bytes], separator: bytes = b"\n") -> Iterator[Lines]:
    """The lines of the blocks, in batches, as soon as a block ends one.

    A last line without an end is a line. When the blocks break off with an exception, what was read before is
    handed on, the unfinished line included, and then the exception goes on its way.
    """
    first = 1
    unfinished: list[bytes] = []  # joined once, so a line over many blocks is copied once
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
        if not block:
            continue
        end = block.rfind(separator) + 1
        if not end:
            unfinished.append(block)
            continue
        unfinished.append(block[:end])
        octets = b"".join(unfinished)
        unfinished = [block[end:]] if end < len(block) else []
        del block
        for batch in _cut(first, octets, separator):
            first += batch.count
            yield batch
            del batch
        del octets
    if unfinished:
        unfinished.append(separator)
        octets = b"".join(unfinished)
        unfinished.clear()
        yield from _cut(first, octets, separator)
    if trouble is not None:
        raise trouble
