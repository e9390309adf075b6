"""Opening what the user named, and handing on its octets in blocks, decompressed."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from fasturl.logs.errors import LogError, TornInput, reason
from fasturl.logs.inputs.decompress import decompress, kind_by_name, kind_by_start
from fasturl.logs.shown import visible

# What becomes of a block (lines, rows, text) then fits the processor's second cache and the heap's recycled part: twice
# as fast as 1 MiB.
BLOCK = 1 << 16
_STDIN = 0


class Watch(Protocol):
    """What may end a run from outside: it is told when input is waited for, and asked between two batches. `wait` may
    return before there is any."""

    def waiting(self) -> AbstractContextManager[None]: ...
    def wait(self, descriptor: int) -> None: ...
    def check(self) -> None: ...


class Unwatched:
    """Nothing ends the run but the program that reads."""

    def waiting(self) -> AbstractContextManager[None]:
        return nullcontext()

    def wait(self, descriptor: int) -> None:
        pass

    def check(self) -> None:
        pass


def identity(status: os.stat_result) -> tuple[int, int] | None:
    """What tells a file from all others, by whatever name it was opened; None for what is no file on a disk."""
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) or stat.S_ISBLK(status.st_mode) else None


class Source:
    """One input: a path, or "-" for standard input.

    `name` is what messages and the column `file` call it; `octets_read` counts what has come from the file
    itself (before decompression), `size` is how many there are to come, None when nobody knows. `is_file` is
    whether reading it waits for no one. `identity` tells it from other files; None when it is none.
    """

    def __init__(self, path: str, watch: Watch | None = None) -> None:
        self.path = path
        self.name = path
        self.watch = watch or Unwatched()
        self.octets_read = 0
        self.is_file = False
        self.size: int | None = None
        self.identity: tuple[int, int] | None = None
        self._descriptor: int | None = None

    def check(self) -> None:
        """See that it can be read, before any work is done. What cannot be opened twice stays open."""
        if self.path == "-":
            if sys.__stdin__ is None:
                raise LogError("standard input is closed")
            self._descriptor = _STDIN
            status = os.fstat(_STDIN)
        else:
            self._descriptor = self._open()
            status = os.fstat(self._descriptor)
        self.identity = identity(status)
        if stat.S_ISDIR(status.st_mode):
            self.close()
            raise LogError(f"cannot read {visible(self.name)}: Is a directory")
        if stat.S_ISREG(status.st_mode):
            self.size = status.st_size
            self.is_file = True
            if self.path != "-":
                self.close()

    def _open(self, failure: type[LogError] = LogError) -> int:
        try:
            with self.watch.waiting():  # opening a named pipe waits for its writer
                return os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else str(error)
            raise failure(f"cannot read {visible(self.name)}: {why}") from None

    def keeps_waiting(self) -> bool:
        """Whether it is a stream of which no more has come yet."""
        if self.is_file or self._descriptor is None:
            return False
        try:
            return not select.select([self._descriptor], [], [], 0)[0]
        except (OSError, ValueError):
            return True  # no pipe can be asked on Windows, nor a descriptor of over 1023

    def is_columnar(self) -> bool:
        """Whether it is a Parquet or Arrow IPC file, by its first octets."""
        if not self.is_file or self.path == "-":
            return False
        descriptor = self._open()
        try:
            return os.read(descriptor, 6).startswith((b"PAR1", b"ARROW1"))
        except OSError:
            return False  # reading it will say why
        finally:
            os.close(descriptor)

    def close(self) -> None:
        if self._descriptor is not None and self._descriptor != _STDIN:
            os.close(self._descriptor)
        self._descriptor = None

    def _raw_blocks(self) -> Iterator[bytes]:
        if self._descriptor is None:
            self._descriptor = _STDIN if self.path == "-" else self._open(TornInput)
        descriptor = self._descriptor
        while True:
            try:
                with self.watch.waiting():
                    if not self.is_file:
                        self.watch.wait(descriptor)
                    block = os.read(descriptor, BLOCK)
            except OSError as error:
                raise TornInput(f"cannot read {visible(self.name)}: {reason(error)}") from None
            if not block:
                return
            self.octets_read += len(block)
            yield block

    def blocks(self) -> Iterator[bytes]:
        """The octets, in blocks of 64 KiB and as soon as they come.

        Raises TornInput at the place where the input breaks off or makes no sense, after all before it was
        handed on.
        """
        try:
            raw = self._raw_blocks()
            kind = None if self.path == "-" else kind_by_name(self.path)
            if kind is None:
                start = b""
                # A pipe may hand over its first octets one by one.
                while len(start) < 4:
                    block = next(raw, None)
                    if block is None:
                        break
                    start += block
                    if kind_by_start(start, partial=True) is None:
                        break
                kind = kind_by_start(start)
                raw = _chain(start, raw)
            if kind is None:
                yield from raw
            else:
                yield from decompress(kind, raw, visible(self.name))
        finally:
            self.close()


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def open_sources(paths: tuple[str, ...], watch: Watch | None = None) -> list[Source]:
    """The inputs the user named; none named is standard input. All are looked at before any is read."""
    sources = [Source(path, watch) for path in paths or ("-",)]
    for source in sources:
        source.check()
    return sources
