"""Open the sources that a program specifies: paths, glob patterns, open files, iterables of bytes."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import IO, Any, TypeAlias, TypeVar

from fasturl._extras import needed_by
from fasturl.logs.errors import LogError, TruncatedInput, reason, system_error
from fasturl.logs.inputs.source import BLOCK, Source, Watch
from fasturl.logs.shown import hide_secrets, visible

# The bytes per request. Two ranges are in memory.
RANGE = 8 << 20
# Web addresses are not stores: whoever passes one may mean the text itself, so nothing is fetched.
_REMOTE = re.compile(r"(?!(?:https?|ftp|file)://)([a-z][a-z0-9+.-]+)://", re.ASCII | re.IGNORECASE)
Result = TypeVar("Result")


def is_remote(path: str) -> bool:
    """Return True for a path that fsspec opens.

    >>> is_remote("s3://bucket/a.log"), is_remote("http://h/a.log"), is_remote("/a.log")
    (True, False, False)
    """
    return _REMOTE.match(path) is not None


def on_store(
    path: str, work: Callable[[Any, str], Result], failure: type[LogError] = LogError, *, writes: bool = False
) -> Result:
    """Call `work` with the file system and the path. The file system's package repeats failed requests."""
    doing = "write to" if writes else "read"
    try:
        with needed_by(f"{'writing' if writes else 'reading'} {path.partition('://')[0]}://"):
            import fsspec
        return work(*fsspec.core.url_to_fs(path))
    except LogError:
        raise
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        if failure is not LogError:
            raise failure(f"cannot {doing} {visible(path)}: {reason(error)}") from None
        number = {FileNotFoundError: errno.ENOENT, PermissionError: errno.EACCES}.get(type(error), errno.EISDIR)
        raise system_error(number, path) from None
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "fsspec":
            raise LogError(str(error)) from None
        raise failure(f"cannot {doing} {visible(path)}: {visible(str(error) or type(error).__name__)}") from None


class RemoteSource(Source):
    """A file that fsspec opens. Its size, which a listing tells, may be given."""

    def __init__(self, path: str, watch: Watch | None = None, size: int | None = None) -> None:
        super().__init__(path, watch)
        self.name = hide_secrets(path)
        self.is_file = True
        self.size = size

    def again(self) -> Source:
        return RemoteSource(self.path, self.watch, self.size)

    def check(self) -> None:
        if self.size is not None:
            return
        with self.watch.waiting():
            info = on_store(self.path, lambda store, path: store.info(path))
        if info.get("type") == "directory":
            raise system_error(errno.EISDIR, self.name)
        if info.get("size") is None:
            raise LogError(f"cannot read {visible(self.name)}: the store does not report its size")
        self.size = info["size"]

    def start(self, count: int) -> bytes:
        self.check()
        return self._range(0, min(count, self.size or 0), LogError)

    def table_file(self) -> Any:
        import pyarrow as pa

        return pa.PythonFile(on_store(self.path, lambda store, path: store.open(path, "rb")), mode="r")

    def _range(self, start: int, end: int, failure: type[LogError] = TruncatedInput) -> bytes:
        def read(store: Any, path: str) -> bytes:
            got = bytes(store.cat_file(path, start=start, end=end)) if end > start else b""
            if len(got) != end - start:
                raise OSError(f"the request was for bytes {start:,} to {end:,}, and the answer has {len(got):,}")
            return got

        return on_store(self.path, read, failure)

    def raw_blocks(self) -> Iterator[bytes]:
        self.check()
        size = self.size or 0
        edges = [*range(0, size, RANGE), size]
        from fasturl.arrow.threads import Task, workers  # with pyarrow, which a file on disk need not import here

        with workers(2) as group:
            assert group is not None
            ahead: Task | None = None
            for piece, following in pairwise([*pairwise(edges), None]):
                assert piece is not None
                with self.watch.waiting():
                    got = (ahead or group.submit(partial(self._range, *piece))).result()
                ahead = group.submit(partial(self._range, *following)) if following else None
                for at in range(0, len(got), BLOCK):
                    block = got[at : at + BLOCK]
                    self.bytes_read += len(block)
                    yield block


def remote_sources(given: str, watch: Watch | None = None) -> list[Source]:
    """Return the files for a remote pattern, directory or file."""

    def listed(store: Any, path: str) -> dict[str, Any]:
        store.invalidate_cache()
        if "*" in path or "?" in path or "[" in path:
            infos = store.glob(path, detail=True)
        else:
            infos = {path: store.info(path)}
        found: dict[str, Any] = {}
        for name, info in infos.items():
            below = store.find(name, detail=True) if info["type"] == "directory" else {name: info}
            found |= {one: each for one, each in below.items() if one == name or is_shown(one[len(name) :])}
        whole = given.rstrip("/")
        # Keep what precedes the path, which may name a host.
        full = (lambda name: whole[: -len(path)] + name) if whole.endswith(path) else store.unstrip_protocol
        return {full(name): info.get("size") for name, info in found.items()}

    with (watch or Watch()).waiting():
        sizes = on_store(given, listed)
    return [RemoteSource(path, watch, sizes[path]) for path in sorted(sizes)]


def is_shown(path: str) -> bool:
    """Return False for a file or folder that jobs leave next to their output.

    >>> is_shown("dt=1/a.log"), is_shown("_temporary/a.log"), is_shown("dt=1/.a.crc")
    (True, False, False)
    """
    return not any(name.startswith(("_", ".")) for name in path.split("/"))


SourceSpec: TypeAlias = "str | os.PathLike[str] | IO[bytes] | Iterable[bytes] | Iterable[str | os.PathLike[str]]"


class Bytes(Source):
    """Bytes from an open file or an iterable, which the caller closes. Like standard input, they have no path."""

    def __init__(self, name: str, blocks: Iterator[bytes]) -> None:
        super().__init__("-")
        self.name = name
        self.is_file = True  # the caller waits for all of it
        self._blocks = blocks

    def check(self) -> None:
        pass

    def raw_blocks(self) -> Iterator[bytes]:
        for block in self._blocks:
            if not isinstance(block, (bytes, bytearray, memoryview)):
                raise TypeError(f"a log is bytes, not {type(block).__name__}: open it with 'rb'")
            if block:
                yield bytes(block)


def _blocks_of(file: IO[bytes]) -> Iterator[bytes]:
    read = getattr(file, "read1", file.read)
    while block := read(BLOCK):
        yield block


def _path_sources(given: str | os.PathLike[str], watch: Watch | None = None) -> list[Source]:
    """Return the files for a path, a glob pattern or a directory, sorted by name."""
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
    if re.match("(?:https?|ftp)://", path, re.IGNORECASE) and not os.path.lexists(path):
        why = "fasturl fetches nothing from the web, so download the log first"
        raise FileNotFoundError(errno.ENOENT, why, visible(hide_secrets(path)))
    if not found:
        raise FileNotFoundError(errno.ENOENT, "no file matches", visible(hide_secrets(path)))
    return found


def _local_path(url: str) -> str:
    from fasturl import decompose  # programs without such paths import no schemes
    from fasturl.schemes import File

    location = decompose(url, strict=False)
    if not isinstance(location, File) or not location.is_local:
        raise FileNotFoundError(errno.ENOENT, "the URL names another machine", visible(hide_secrets(url)))
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
        is_url = "://" in path and not os.path.lexists(path)
        sources += _path_sources(path, watch) if is_url or os.path.isdir(path) else [Source(path, watch)]
    for source in sources:
        source.check()
    return sources


def sources_of(given: SourceSpec) -> list[Source]:
    """Return the sources, not yet opened. Raises TypeError for another type."""
    if isinstance(given, (str, os.PathLike)):
        return _path_sources(given)
    if hasattr(given, "read"):
        file: Any = given
        return [Bytes(str(getattr(file, "name", "")), _blocks_of(file))]
    if isinstance(given, (bytes, bytearray, memoryview)):
        return [Bytes("", iter([bytes(given)]))]
    if isinstance(given, (list, tuple)) and given and all(isinstance(each, (str, os.PathLike)) for each in given):
        return [source for each in given for source in _path_sources(each)]
    blocks: Any = iter(given)
    return [Bytes("", blocks)]
