"""Open the sources that a program specifies: paths, glob patterns, open files, iterables of bytes."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from typing import IO, Any, TypeAlias

from fasturl.logs.errors import LogError
from fasturl.logs.inputs.source import BLOCK, Source
from fasturl.logs.shown import visible

SourceSpec: TypeAlias = "str | os.PathLike[str] | IO[bytes] | Iterable[bytes] | Iterable[str | os.PathLike[str]]"


class Octets(Source):
    """The bytes of an open file or of an iterable. The caller closes it."""

    def __init__(self, name: str, blocks: Iterator[bytes]) -> None:
        super().__init__("")
        self.name = self.place = name
        self.is_file = True  # the caller waits for all of it
        self._blocks = blocks

    def check(self) -> None:
        pass

    def is_columnar(self) -> bool:
        return False

    def _raw_blocks(self) -> Iterator[bytes]:
        for block in self._blocks:
            if not isinstance(block, (bytes, bytearray, memoryview)):
                raise TypeError(f"a log is octets, not {type(block).__name__}: open it with 'rb'")
            if block:
                yield bytes(block)


def _blocks_of(file: IO[bytes]) -> Iterator[bytes]:
    read = getattr(file, "read1", file.read)
    while block := read(BLOCK):
        yield block


def _path_sources(given: str | os.PathLike[str]) -> list[Source]:
    path = os.fspath(given)
    if not isinstance(path, str):
        raise TypeError(f"a path must be a str, not {type(path).__name__}")
    if os.path.lexists(path) or not glob.has_magic(path):
        return [Source(path)]
    found = sorted(glob.glob(path, recursive=True))
    if not found:
        raise LogError(f"cannot read {visible(path)}: no file matches")
    return [Source(each) for each in found]


def sources_of(given: SourceSpec) -> list[Source]:
    """Return the sources, not yet opened. Raises TypeError for another type."""
    if isinstance(given, (str, os.PathLike)):
        return _path_sources(given)
    if hasattr(given, "read"):
        file: Any = given
        return [Octets(str(getattr(file, "name", "")), _blocks_of(file))]
    if isinstance(given, (bytes, bytearray, memoryview)):
        return [Octets("", iter([bytes(given)]))]
    if isinstance(given, (list, tuple)) and given and all(isinstance(each, (str, os.PathLike)) for each in given):
        return [source for each in given for source in _path_sources(each)]
    blocks: Any = iter(given)
    return [Octets("", blocks)]
