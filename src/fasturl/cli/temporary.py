"""Temporary folders and files. The next run removes those of a killed process.

Each is locked by its process. The system releases the lock when the process ends, even if it is killed. So an unlocked
folder or file is abandoned. Windows has no such lock, so nothing is removed there.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

from fasturl._patterns import lazy_pattern
from fasturl.logs.inputs.source import identity

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

# The functions import shutil and tempfile, which take 2 ms with their own imports. A run to a file needs neither.
_SPILL = "fasturl-spill-"
_NAME = lazy_pattern(_SPILL + "[a-z0-9_]{8}")  # the names that mkdtemp makes
# Limit of the processes that write to one target at once and whose abandoned files are removed.
_FILES = 16
_OPEN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


def _try_lock(descriptor: int) -> bool:
    """Return True if the lock was free, and take it. Raise OSError if the file system has no locks."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _stands(descriptor: int, path: str) -> bool:
    """Return True if the path still names the open file."""
    with contextlib.suppress(OSError):
        return identity(os.lstat(path)) == identity(os.fstat(descriptor))
    return False


def _claim(descriptor: int, path: str) -> bool:
    """Lock a new file or folder. Return False if another run has removed it as abandoned before."""
    free = True
    with contextlib.suppress(OSError):  # without locks, no run removes it as abandoned
        free = _try_lock(descriptor)
    return free and _stands(descriptor, path)


def _remove_abandoned(path: str, *, folder: bool) -> None:
    """Remove the folder or file if this user owns it and no process holds its lock. Links are not followed."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(path, _OPEN | (os.O_RDONLY if folder else os.O_RDWR))
        try:
            status = os.fstat(descriptor)
            is_kind = stat.S_ISDIR(status.st_mode) if folder else stat.S_ISREG(status.st_mode)
            if is_kind and status.st_uid == os.geteuid() and _try_lock(descriptor) and _stands(descriptor, path):
                if folder:
                    import shutil

                    shutil.rmtree(path, ignore_errors=True)
                else:
                    os.unlink(path)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def spill_folder() -> Iterator[str]:
    """Create a folder for DuckDB's spilled data. Remove abandoned ones first, and this one at the end."""
    import shutil
    import tempfile

    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for name in [entry.name for entry in entries if _NAME.fullmatch(entry.name)]:
            _remove_abandoned(os.path.join(tempfile.gettempdir(), name), folder=True)
    path, descriptor = _new_folder()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        if descriptor is not None:
            os.close(descriptor)


def _new_folder() -> tuple[str, int | None]:
    import tempfile

    while True:
        path = tempfile.mkdtemp(prefix=_SPILL)
        if fcntl is None:
            return path, None
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(path, _OPEN)
            if _claim(descriptor, path):
                return path, descriptor
            os.close(descriptor)


def file_beside(path: str) -> tuple[int, str]:
    """Create an empty file in the folder of `path`, to be renamed to it; return its descriptor and its name.

    Abandoned files for the same path are removed first. Close the descriptor, and all copies of it, after the file is
    renamed or removed.
    """
    directory, base = os.path.split(path)
    # The temporary name is longer than the base, which may have the maximum length already.
    names = [os.path.join(directory, f".{base[:56]}.fasturl{number}.part") for number in range(1, _FILES + 1)]
    for name in names:
        _remove_abandoned(name, folder=False)
    for name in names:
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(name, _OPEN | os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            if _claim(descriptor, name):
                return descriptor, name
            os.close(descriptor)
    import tempfile

    return tempfile.mkstemp(prefix=f".{base[:56]}.", suffix=".part", dir=directory)
