"""Open the user's inputs, and read decompressed bytes in blocks."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Any

from fasturl import unquote
from fasturl._patterns import lazy_pattern
from fasturl.logs.errors import TruncatedInput, reason, system_error
from fasturl.logs.inputs.decompress import MEMORY_LIMIT, decompress, kind_by_name, kind_by_start
from fasturl.logs.shown import visible

# Lines, rows and text of one block fit the L2 cache and recycled heap memory. Twice as fast as 1 MiB.
BLOCK = 1 << 16
_STDIN = 0
_KEY = lazy_pattern(r"([^=/\\]+)=([^/\\]*)(?=[/\\])")
_NULL_KEY = "__HIVE_DEFAULT_PARTITION__"


class Watch:
    """Lets signals end a run. Readers call it when they wait for input and between batches. This one ends no run.

    `wait` may return before there is input. `woken` is a descriptor to which the system writes signal numbers.
    """

    woken: int | None = None

    def waiting(self) -> AbstractContextManager[None]:
        return nullcontext()

    def wait(self, descriptor: int) -> None: ...
    def check(self) -> None: ...


def identity(status: os.stat_result) -> tuple[int, int] | None:
    """Return the device and inode of a file, or None if it is not a file on a disk."""
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) or stat.S_ISBLK(status.st_mode) else None


class Source:
    """An input: a path, or "-" for standard input.

    name : the name in messages and in the column `file`
    bytes_read : how many bytes were read, before decompression; size : how many there are, None if unknown
    is_file : whether reading never waits
    identity : the device and inode of a file, or None
    memory_limit : the maximum memory that declared sizes may allocate
    """

    memory_limit = MEMORY_LIMIT

    def __init__(self, path: str, watch: Watch | None = None) -> None:
        self.path = path
        self.name = path
        self.watch = watch or Watch()
        self.bytes_read = 0
        self.is_file = False
        self.size: int | None = None
        self.identity: tuple[int, int] | None = None
        self._descriptor: int | None = None

    def check(self) -> None:
        """Raise OSError if the input cannot be read. An input that cannot be opened twice stays open."""
        if self.path == "-":
            if sys.__stdin__ is None:
                raise OSError(errno.EBADF, "standard input is closed")
            self._descriptor = _STDIN
            status = os.fstat(_STDIN)
        else:
            self._descriptor = self._open()
            status = os.fstat(self._descriptor)
        self.identity = identity(status)
        if stat.S_ISDIR(status.st_mode):
            self.close()
            raise system_error(errno.EISDIR, self.name)
        if stat.S_ISREG(status.st_mode):
            self.size = status.st_size
            self.is_file = True
            if self.path != "-":
                self.close()

    def _open(self) -> int:
        try:
            with self.watch.waiting():  # opening a named pipe waits for its writer
                return os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        except OSError as error:
            raise system_error(error.errno or 0, self.name) from None
        except ValueError:  # a NUL, which no path has
            raise system_error(errno.ENOENT, self.name) from None

    def keeps_waiting(self, seconds: float = 0) -> bool:
        """Return True if it is a stream without new data for so long, or until a signal came."""
        if self.is_file or self._descriptor is None:
            return False
        woken = [] if self.watch.woken is None else [self.watch.woken]
        try:
            return self._descriptor not in select.select([self._descriptor, *woken], [], [], seconds)[0]
        except (OSError, ValueError):
            return True  # select cannot take a pipe on Windows, or a descriptor above 1023

    @property
    def can_be_read_again(self) -> bool:
        """Whether it is a file with a name, which a second pass can open."""
        return self.is_file and self.path != "-"

    def is_columnar(self) -> bool:
        """Return True for a Parquet or Arrow IPC file, by its first bytes."""
        if not self.can_be_read_again:
            return False
        try:
            return self.start(6).startswith((b"PAR1", b"ARROW1"))
        except OSError:
            return False  # reading it will raise the error

    @property
    def keys(self) -> dict[str, str | None]:
        """The keys in the directories of the path, as Hive and Spark write them, with their texts.

        >>> Source("s3://b/dt=2026-01-01/host=a%3Ab/x.log").keys
        {'dt': '2026-01-01', 'host': 'a:b'}
        """
        found = {unquote(name): value for name, value in _KEY.findall(self.path)}
        return {name: None if value == _NULL_KEY else unquote(value) for name, value in found.items()}

    def again(self) -> Source:
        """Return the same file, not yet opened."""
        return Source(self.path, self.watch)

    def start(self, count: int) -> bytes:
        """Return the first bytes of a file. OSError if it cannot be read."""
        descriptor = self._open()
        try:
            return os.read(descriptor, count)
        finally:
            os.close(descriptor)

    def table_file(self) -> Any:
        """Return a file in which pyarrow can seek."""
        import pyarrow as pa

        return pa.OSFile(self.path)

    def close(self) -> None:
        if self._descriptor is not None and self._descriptor != _STDIN:
            os.close(self._descriptor)
        self._descriptor = None

    def raw_blocks(self) -> Iterator[bytes]:
        """Yield the bytes as they are."""
        if self._descriptor is None:
            try:
                self._descriptor = _STDIN if self.path == "-" else self._open()
            except OSError as error:  # it was there when the run began
                raise TruncatedInput(f"cannot read {visible(self.name)}: {reason(error)}") from None
        descriptor = self._descriptor
        largest = self.size or 0
        while True:
            try:
                with self.watch.waiting():
                    if not self.is_file:
                        self.watch.wait(descriptor)
                    block = os.read(descriptor, BLOCK)
                    size = os.fstat(descriptor).st_size if self.is_file else 0
            except OSError as error:
                raise TruncatedInput(f"cannot read {visible(self.name)}: {reason(error)}") from None
            # What was read now may already be of the new content.
            if size < largest:
                raise TruncatedInput(f"{visible(self.name)} became shorter while it was read")
            if not block:
                return
            largest = size
            self.bytes_read += len(block)
            yield block

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes as soon as they arrive, in blocks of 64 KiB.

        Raises TruncatedInput where the input breaks off or is damaged, after everything before.
        """
        try:
            raw = self.raw_blocks()
            kind = None if self.path == "-" else kind_by_name(self.path)
            if kind is None:
                start = b""
                # A pipe may deliver its first bytes one by one.
                for block in raw:
                    start += block
                    if len(start) >= 4 or kind_by_start(start, partial=True) is None:
                        break
                kind = kind_by_start(start)
                raw = chain([start] if start else [], raw)
            if kind is None:
                yield from raw
            else:
                yield from decompress(kind, raw, visible(self.name), self.memory_limit)
        finally:
            self.close()
