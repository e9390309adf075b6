"""Cutting blocks of octets into lines, of any length, each looked at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_BOM = b"\xef\xbb\xbf"
# A block of nothing but short lines would make too many objects at once.
_BATCH = 2048


class Lines:
    """Lines that follow each other: `raw` as they stand, `clean` without BOM and carriage return.

    `first` is the number of the first one, from 1. Where nothing had to be cleaned both are the same list.
    """

    __slots__ = ("clean", "first", "raw")

    def __init__(self, first: int, raw: list[bytes], clean: list[bytes]) -> None:
        self.first = first
        self.raw = raw
        self.clean = clean


def _cut(first: int, octets: bytes, separator: bytes) -> Iterator[Lines]:
    raw = octets.split(separator)
    raw.pop()  # what follows the last separator: nothing
    clean = raw
    if first == 1 and octets.startswith(_BOM):
        clean = [raw[0][len(_BOM) :], *raw[1:]]
    if separator == b"\n" and b"\r\n" in octets:
        clean = [line[:-1] if line.endswith(b"\r") else line for line in clean]
    if len(raw) <= _BATCH:
        yield Lines(first, raw, clean)
        return
    for at in range(0, len(raw), _BATCH):
        part = raw[at : at + _BATCH]
        yield Lines(first + at, part, part if clean is raw else clean[at : at + _BATCH])


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
            first += len(batch.raw)
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
