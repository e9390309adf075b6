"""Sinks: standard output, special files, and files that appear complete or not at all.

No output may replace an input or an open stream.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from fasturl._extras import pip_install
from fasturl._patterns import lazy_pattern
from fasturl.cli.failure import Failure, signals
from fasturl.cli.terminal import complain
from fasturl.logs.errors import LogError, reason
from fasturl.logs.inputs.decompress import SUFFIXES, kind_by_name
from fasturl.logs.inputs.source import Source, identity
from fasturl.logs.inputs.source_specs import is_remote, on_store
from fasturl.logs.shown import hide_secrets, visible, visible_lines

_DESCRIPTOR = lazy_pattern(r"/(?:dev|proc/(?:self|thread-self|[0-9]+))/fd/([0-9]{1,9})")
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_MAX_LINKS = 40
_COPIED = 8 << 20  # bytes of a request to a store


class ClosedPipe(Exception):
    """The reader of the output has closed the pipe."""


class Sink:
    """A destination of bytes. This one discards them."""

    is_terminal = False
    is_file = False  # a regular file, in which readers can seek

    def write(self, data: bytes | memoryview) -> None: ...
    def commit(self) -> None: ...  # if it fails, the caller abandons the sink
    def abandon(self, keep: bool = True) -> None: ...

    def end(self, *, torn: bool) -> None:
        """Let the output appear. That of a run whose input broke off is kept beside it, as FILE.part."""
        if torn:
            self.abandon()
        else:
            self.commit()


@contextlib.contextmanager
def _writing_to(name: str) -> Iterator[None]:
    """Raise Failure for an error of the system."""
    try:
        yield
    except OSError as error:
        raise Failure(f"cannot write to {name}: {reason(error)}") from None


class _Descriptor(Sink):
    """A file descriptor. Writes are complete, or fail with one line."""

    def __init__(self, descriptor: int, name: str) -> None:
        self.descriptor = descriptor
        self.name = name
        self.is_terminal = os.isatty(descriptor)
        self.is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)

    def write(self, data: bytes | memoryview) -> None:
        view = memoryview(visible_lines(bytes(data)) if self.is_terminal else data)
        try:
            while view:
                view = view[os.write(self.descriptor, view) :]
        except BrokenPipeError:
            raise ClosedPipe from None
        except OSError as error:
            if error.errno == errno.EINVAL and sys.platform == "win32":  # a closed pipe on Windows
                raise ClosedPipe from None
            raise Failure(f"cannot write to {self.name}: {reason(error)}") from None

    def _close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1  # another file may soon get its number
        os.close(descriptor)


class Standard(_Descriptor):
    """Standard output or error, or another open descriptor. It is never closed here."""

    def __init__(self, number: int = 1, name: str = "standard output") -> None:
        if (number == 1 and sys.__stdout__ is None) or (number == 2 and sys.__stderr__ is None):
            raise Failure(f"{name} is closed")
        with _writing_to(name):
            super().__init__(number, name)


class Special(_Descriptor):
    """A named pipe or a device. It cannot be replaced, so it is written to."""

    def __init__(self, path: str) -> None:
        with signals.waiting(), _writing_to(visible(path)):  # opening a named pipe waits for its reader
            descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        super().__init__(descriptor, visible(path))

    def commit(self) -> None:
        with _writing_to(self.name):
            self._close()

    def abandon(self, keep: bool = True) -> None:
        with contextlib.suppress(OSError):
            self._close()


class Replacement(_Descriptor):
    """A temporary file beside `path` that replaces it on `commit`.

    `abandon` does nothing after a successful `commit`. Otherwise it leaves `path` alone. If `keep`, it keeps the data
    up to the last complete write as `path`.part (`path`.part.2 if that name is taken).
    """

    def __init__(self, path: str) -> None:
        self._path = os.path.realpath(path)  # keeps a symbolic link
        self._shown = visible(path)
        self._whole = 0
        from fasturl.cli.temporary import file_beside  # imported late: standard output does not need it

        mode = _mode_for(self._path)
        with _writing_to(self._shown):
            descriptor, self._temporary = file_beside(self._path)
        super().__init__(descriptor, self._shown)
        # Holds the file's lock until the file is renamed. Windows cannot rename an open file.
        self._lock = os.dup(descriptor) if sys.platform != "win32" else None
        if hasattr(os, "fchmod"):
            with contextlib.suppress(OSError):
                os.fchmod(descriptor, mode)

    def write(self, data: bytes | memoryview) -> None:
        super().write(data)
        self._whole += len(data)

    def commit(self) -> None:
        with _writing_to(self._shown):
            # A full or lost disk may only fail here, and the rename must not reach the disk before the data.
            self._sync()
            self._close()
            os.replace(self._temporary, self._path)
            self._temporary = ""
        self._unlock()

    def _unlock(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def _sync(self) -> None:
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            # Some file systems do not support it.
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                raise

    def abandon(self, keep: bool = True) -> None:
        temporary, self._temporary = self._temporary, ""
        if not temporary:
            return
        with contextlib.suppress(OSError):
            os.ftruncate(self.descriptor, self._whole)
        with contextlib.suppress(OSError):
            self._close()
        try:
            if self._whole and keep:
                name = _create_part(self._path)
                os.replace(temporary, name)
                complain(f"what was written so far is in {self._shown}{visible(name.removeprefix(self._path))}")
            else:
                os.unlink(temporary)
        except OSError:
            complain(f"what was written so far is in {temporary}")
        finally:
            self._unlock()


class Remote(_Descriptor):
    """A file of a store that fsspec writes. It is held in a temporary file, and appears on `commit`, whole.

    `abandon` writes what was kept as `path`.part (`path`.part.2 if that name is taken).
    """

    def __init__(self, path: str) -> None:
        import tempfile

        self._path = path
        on_store(path, lambda store, name: None, writes=True)  # the store may be unknown, or its package missing
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by commit or abandon
        super().__init__(self._file.fileno(), visible(hide_secrets(path)))

    def commit(self) -> None:
        self._put(self._path)

    def _put(self, path: str) -> None:
        import shutil

        def put(store: Any, name: str) -> None:
            self._file.seek(0)
            with store.transaction, store.open(name, "wb") as file:
                shutil.copyfileobj(self._file, file, _COPIED)

        with signals.waiting(), _writing_to(self.name):
            on_store(path, put, writes=True)
        self._file.close()

    def abandon(self, keep: bool = True) -> None:
        if self._file.closed:
            return
        if not (keep and os.fstat(self.descriptor).st_size):
            self._file.close()
            return
        for part in _part_names(self._path):
            with contextlib.suppress(LogError, Failure):
                if not on_store(part, lambda store, name: bool(store.exists(name)), writes=True):
                    self._put(part)
                    complain(f"what was written so far is in {self.name}{part.removeprefix(self._path)}")
                    return
                continue
            break
        self._file.close()
        complain(f"what was written so far could not be saved next to {self.name}")


def _mode_for(path: str) -> int:
    """Return the permissions of the file to replace, or those of a new file."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _part_names(path: str) -> Iterator[str]:
    """Yield the names for a part of an output: FILE.part, FILE.part.2 and so on."""
    yield f"{path}.part"
    yield from (f"{path}.part.{number}" for number in range(2, 1000))


def _create_part(path: str) -> str:
    """Create an empty file for a part of an output, and return its name. No file is overwritten."""
    for name in _part_names(path):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            return name
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def open_sink(path: str | None) -> Sink:
    """Return the sink for `-o path`. None and "-" are standard output. An open file is written to, not replaced."""
    if path is None or path == "-":
        return Standard()
    if is_remote(path) and not os.path.lexists(path):
        return Remote(path)
    number = descriptor_of(path)
    if number is not None:
        return Standard(number, visible(path))
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return Replacement(path)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise Failure(f"cannot write to {visible(path)}: {why}") from None
    if stat.S_ISDIR(status.st_mode):
        raise Failure(f"cannot write to {visible(path)}: Is a directory")
    if not os.access(path, os.W_OK):
        raise Failure(f"cannot write to {visible(path)}: Permission denied")
    return Replacement(path) if stat.S_ISREG(status.st_mode) else Special(path)


def descriptor_of(path: str | None) -> int | None:
    """Return the open descriptor that a path names, or None.

    A path names a descriptor as `-` or None, as /dev/stderr or /dev/fd/3, or as a link to these. So does the path of
    the file to which standard output or standard error is redirected.
    """
    if path is None or path == "-":
        return 1
    named = _by_name(path)
    if named is not None:
        return named
    wanted = _identity_of(path)
    if wanted is None:
        return None
    return next((number for number in (1, 2) if _identity_of(number) == wanted), None)


def _by_name(path: str) -> int | None:
    for _ in range(_MAX_LINKS):
        path = os.path.normpath(path)
        if path in _STREAMS:
            return _STREAMS[path]
        found = _DESCRIPTOR.fullmatch(path)
        if found:
            return int(found[1])
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except (OSError, ValueError):
            return None
    return None


def _identity_of(place: str | int) -> tuple[int, int] | None:
    try:
        return identity(os.stat(place))
    except (OSError, ValueError):
        return None


def _place(path: str | None) -> str | int:
    number = descriptor_of(path)
    return str(path) if number is None else number


def refuse_inputs(sources: Iterable[Source], outputs: Iterable[str | None] = (None,)) -> None:
    """Raise Failure if an output is an input, also through links. None and `-` are standard output.

    Such an output would truncate or replace the input, or grow while it is read.
    """
    inputs = {source.identity: source.name for source in sources if source.identity is not None}
    for path in outputs:
        known = _identity_of(_place(path))
        name = inputs.get(known) if known is not None else None
        if name is not None:
            shown = "standard output" if path in (None, "-") else visible(str(path))
            raise Failure(f"{shown} is also an input ({visible(name)}): name another file for the output")


def same_place(path: str | None, other: str | None) -> bool:
    """Return True if two outputs are the same open descriptor or the same file, which may not exist yet."""
    one, two = _place(path), _place(other)
    if isinstance(one, int) or isinstance(two, int):
        return one == two
    known = _identity_of(one)
    return os.path.realpath(one) == os.path.realpath(two) or (known is not None and known == _identity_of(two))


TABLES = ("parquet", "arrow")
KINDS = ("jsonl", "csv", *TABLES)
VERTICAL = "vertical"  # of a query: one line per value
LOG = "log"  # of parse: the lines of the input
TABLE_AS_LOG = "--to log: the input is a table, which has no lines: write --to csv"
CSV_SAFE = "csv-safe"  # CSV for a spreadsheet: no text is a formula
_SUFFIXES = {"jsonl": ".jsonl .ndjson .json", "csv": ".csv", "parquet": ".parquet .pq", "arrow": ".arrow .feather .ipc"}
_BY_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}


def _zstd() -> Any:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise Failure(f"writing .zst needs zstandard: {pip_install('cli')}") from None
    return zstandard.ZstdCompressor(write_checksum=True).compressobj()


_COMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.compressobj(wbits=31),
    "bzip2": lambda: import_module("bz2").BZ2Compressor(),  # imported on use
    "xz": lambda: import_module("lzma").LZMACompressor(),
    "zstd": _zstd,
}


class CompressedSink(Sink):
    """A sink that compresses to another sink. The kept part of a failed run is a whole compressed file too."""

    def __init__(self, sink: Sink, compressor: Any) -> None:
        self._sink = sink
        self._compressor = compressor  # None after its last bytes are written
        self.is_terminal, self.is_file = sink.is_terminal, sink.is_file

    def write(self, data: bytes | memoryview) -> None:
        packed = self._compressor.compress(data)
        if packed:
            self._sink.write(packed)

    def _finish(self) -> None:
        compressor, self._compressor = self._compressor, None
        if compressor is not None:
            self._sink.write(compressor.flush())

    def commit(self) -> None:
        self._finish()
        self._sink.commit()

    def abandon(self, keep: bool = True) -> None:
        if keep:
            with contextlib.suppress(Exception):  # the run may have failed because the sink cannot be written
                self._finish()
        self._sink.abandon(keep)


def _suffix(path: str) -> str:
    """Return the suffix in lower case, without that of a compression."""
    base = os.path.splitext(path)[0] if kind_by_name(path) else path
    return os.path.splitext(base)[1].lower()


def is_json_lines(path: str) -> bool:
    return _BY_SUFFIX.get(_suffix(path)) == "jsonl"


def kind_for(path: str | None, asked: str | None) -> str:
    """Return `asked`, else the format that the suffix names; JSON lines for a path without a suffix.

    Raise Failure for an unknown suffix, and for a table with the suffix of a compression.
    """
    path = path or ""
    suffix = _suffix(path)
    if asked is None and suffix and suffix not in _BY_SUFFIX:
        raise Failure(
            f"{visible(path)}: unknown suffix {visible(suffix)}: name the format with --to, or use one of "
            f"{' '.join(_BY_SUFFIX)}, and for compressed text also {' '.join(SUFFIXES)}"
        )
    kind = asked or _BY_SUFFIX.get(suffix, "jsonl")
    if kind_by_name(path) and kind in TABLES:
        raise Failure(f"{visible(path)}: a {kind} file cannot be compressed as a whole: remove the last suffix")
    return kind


def open_output(path: str | None) -> Sink:
    """Return the sink for the path, compressed if the suffix says so."""
    kind = kind_by_name(path or "")
    if kind is None:
        return open_sink(path)
    compressor = _COMPRESSORS[kind]()  # before the file is opened: the module may be missing
    return CompressedSink(open_sink(path), compressor)
