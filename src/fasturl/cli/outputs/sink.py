"""Where octets go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from typing import Protocol

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.places import descriptor_of
from fasturl.cli.signals import signals
from fasturl.cli.terminal import complain, is_terminal
from fasturl.logs.errors import reason
from fasturl.logs.shown import visible, visible_lines


class ClosedPipe(Exception):
    """Whoever read the output has had enough."""


class Sink(Protocol):
    is_terminal: bool
    is_file: bool  # a file on a disk, which readers can go back and forth in

    def write(self, octets: bytes | memoryview) -> None: ...
    def commit(self) -> None: ...  # where it fails, the caller abandons
    def abandon(self, keep: bool = True) -> None: ...


class _Descriptor:
    """Whole writes to a file descriptor, and the system's complaints in one line."""

    def __init__(self, descriptor: int, name: str) -> None:
        self.descriptor = descriptor
        self.name = name
        # By what it is and not by its name: a terminal has many.
        self.is_terminal = is_terminal(descriptor)
        self.is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)

    def write(self, octets: bytes | memoryview) -> None:
        # What could drive a terminal is made visible.
        view = memoryview(visible_lines(bytes(octets)) if self.is_terminal else octets)
        try:
            while view:
                view = view[os.write(self.descriptor, view) :]
        except BrokenPipeError:
            raise ClosedPipe from None
        except OSError as error:
            if error.errno == errno.EINVAL and sys.platform == "win32":  # what a closed pipe is there
                raise ClosedPipe from None
            raise Failure(f"cannot write to {self.name}: {reason(error)}") from None


    def _close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1  # its number may soon be another file's
        os.close(descriptor)


class Standard(_Descriptor):
    """Standard output or error, or another descriptor that is open: it is not ours to close."""

    def __init__(self, number: int = 1, name: str = "standard output") -> None:
        if (number == 1 and sys.__stdout__ is None) or (number == 2 and sys.__stderr__ is None):
            raise Failure(f"{name} is closed")
        try:
            super().__init__(number, name)
        except OSError as error:
            raise Failure(f"cannot write to {name}: {reason(error)}") from None

    def commit(self) -> None:
        pass

    def abandon(self, keep: bool = True) -> None:
        pass


class Special(_Descriptor):
    """What is there and is no regular file (a named pipe, a device): it cannot be replaced, so it is written to."""

    def __init__(self, path: str) -> None:
        with signals.waiting():  # opening a named pipe waits for its reader
            descriptor = _open(path, os.O_WRONLY)
        super().__init__(descriptor, visible(path))

    def commit(self) -> None:
        try:
            self._close()
        except OSError as error:
            raise Failure(f"cannot write to {self.name}: {reason(error)}") from None

    def abandon(self, keep: bool = True) -> None:
        with contextlib.suppress(OSError):
            self._close()


class Replacement(_Descriptor):
    """A temporary file beside `path` that takes its place on `commit`.

    `abandon` after that does nothing; before, or where `commit` failed, it leaves `path` alone and keeps what was
    written, cut to the last whole write, as `path`.part (`path`.part.2 where that is taken), unless the caller knows
    that a part of it is of no use.
    """

    def __init__(self, path: str) -> None:
        self._path = os.path.realpath(path)  # a link stays a link
        self._shown = visible(path)
        self._whole = 0
        import tempfile  # not needed where all goes to standard output

        directory, base = os.path.split(self._path)
        mode = _mode_for(self._path)
        try:
            # The base is cut: a name may be as long as the file system allows, and the temporary one is
            # longer.
            descriptor, self._temporary = tempfile.mkstemp(prefix=f".{base[:60]}.", suffix=".part", dir=directory)
        except OSError as error:
            raise Failure(f"cannot write to {self._shown}: {reason(error)}") from None
        super().__init__(descriptor, self._shown)
        if hasattr(os, "fchmod"):
            with contextlib.suppress(OSError):
                os.fchmod(descriptor, mode)

    def write(self, octets: bytes | memoryview) -> None:
        super().write(octets)
        self._whole += len(octets)

    def commit(self) -> None:
        try:
            # A disk that is full or gone may only say so now; and a rename must not outrun the data it names.
            self._sync()
            self._close()
            os.replace(self._temporary, self._path)
            self._temporary = ""
        except OSError as error:
            raise Failure(f"cannot write to {self._shown}: {reason(error)}") from None

    def _sync(self) -> None:
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            # Some file systems have no such thing.
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
                name = _free_name(self._path + ".part")
                os.replace(temporary, name)
                complain(f"what was written so far is in {self._shown}{visible(name.removeprefix(self._path))}")
            else:
                os.unlink(temporary)
        except OSError:
            complain(f"what was written so far is in {temporary}")


def _open(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise Failure(f"cannot write to {visible(path)}: {reason(error)}") from None


def _mode_for(path: str) -> int:
    """The permissions of the file that will be replaced, or what a new file gets."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _free_name(path: str) -> str:
    """The path, or the path and a number, at which an empty file of ours now stands: no other file is lost."""
    for number in range(1, 1000):
        name = path if number == 1 else f"{path}.{number}"
        with contextlib.suppress(FileExistsError):
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            return name
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def open_sink(path: str | None) -> Sink:
    """The sink for `-o path`; None and "-" are standard output. What is open already is written to as it is."""
    if path is None or path == "-":
        return Standard()
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
