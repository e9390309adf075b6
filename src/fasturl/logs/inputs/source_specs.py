"""Open the sources that a program specifies: paths, glob patterns, open files, iterables of bytes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import IO, Any, TypeAlias

from fasturl.logs.errors import LogError
from fasturl.logs.inputs.remote import RemoteSource, is_remote, is_shown, remote_sources
from fasturl.logs.inputs.source import BLOCK, Source, Watch
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

    def raw_blocks(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        for block in self._blocks:
            if not isinstance(block, (bytes, bytearray, memoryview)):
                raise TypeError(f"a log is octets, not {type(block).__name__}: open it with 'rb'")
            if block:
                yield bytes(block)


def _blocks_of(file: IO[bytes]) -> Iterator[bytes]:
    read = getattr(file, "read1", file.read)
    while block := read(BLOCK):
        yield block


def source_at(path: str) -> Source:
    """Return the source of one file, local or remote, not yet opened."""
    return RemoteSource(path) if is_remote(path) else Source(path)


def _path_sources(given: str | os.PathLike[str], watch: Watch | None = None) -> list[Source]:
    """Return the files of a path, of a pattern of paths, and of directories, in the order of their names."""
    path = os.fspath(given)
    if not isinstance(path, str):
        raise TypeError(f"a path must be a str, not {type(path).__name__}")
    if is_remote(path):
        found = remote_sources(path, watch)
    else:
        if path[:7].lower() == "file://":
            path = _local_path(path)
        from glob import glob, has_magic  # most runs name their files

        is_pattern = has_magic(path) and not os.path.lexists(path)
        paths = sorted(glob(path, recursive=True)) if is_pattern else [path]
        found = [Source(each, watch) for one in paths for each in (_files_below(one) if os.path.isdir(one) else [one])]
    if not found:
        raise LogError(f"cannot read {visible(path)}: no file matches")
    return found


def _local_path(url: str) -> str:
    from fasturl import decompose  # programs without such paths import no schemes
    from fasturl.schemes import File

    location = decompose(url, strict=False)
    if not isinstance(location, File) or not location.is_local:
        raise LogError(f"cannot read {visible(url)}: it names another machine")
    return ("" if os.name == "nt" else "/") + "/".join(location.path)


def _files_below(folder: str) -> list[str]:
    from glob import glob

    found = glob("**", root_dir=folder, recursive=True)  # without hidden files
    paths = [os.path.join(folder, each) for each in found if is_shown(each.replace(os.sep, "/"))]
    return sorted(path for path in paths if os.path.isfile(path))


def open_sources(paths: tuple[str, ...], watch: Watch | None = None) -> list[Source]:
    """Return the inputs of a command line, or standard input. All are checked before any is read."""
    sources: list[Source] = []
    for path in paths or ("-",):
        sources += _path_sources(path, watch) if "://" in path and not os.path.lexists(path) else [Source(path, watch)]
    for source in sources:
        source.check()
    return sources


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
