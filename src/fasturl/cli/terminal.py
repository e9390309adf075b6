"""Text and progress for people. Bytes of a log must not control their terminal."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any, ClassVar

from fasturl import unquote_safe
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import hide_secrets, visible

_PROGRESS_AFTER = 1.0  # seconds: a shorter run shows no progress


def bytes_visible(data: bytes) -> list[str]:
    r"""Return one string per byte: a graphic ASCII character or space as itself, any other byte as `\xNN`."""
    return [chr(o) if 0x20 <= o < 0x7F else f"\\x{o:02x}" for o in data]


def unquote_line(data: bytes) -> bytes:
    r"""Undo escapes, except those of control characters, so that a line stays a line. Other bytes stay.

    >>> unquote_line(b"a%20b%0d%0AX%FF\xfe")
    b'a b%0d%0AX\xff\xfe'
    """
    return unquote_safe(data, "utf-8", "surrogateescape").encode("utf-8", "surrogateescape")


def announce_terminal() -> None:
    """Print that the command reads from a terminal, which would otherwise seem to hang."""
    if os.isatty(0):
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        say(f"fasturl reads from this terminal; {end} ends the input, and -h shows how to name files")


def say(line: str) -> None:
    """Print a line on stderr. A stderr that is closed or full must not make a good run fail."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError, UnicodeError):
            print(line, file=sys.stderr, flush=True)


def complain(message: str, excerpt: str = "") -> None:
    """Print an error message, with control characters made visible and secrets hidden, and the excerpt of a line."""
    say(f"fasturl: {visible(hide_secrets(message))}")
    if excerpt:
        say(excerpt)


class Progress:
    """A progress bar of rich on stderr, over the bytes of all files. Needs rich and a terminal."""

    _shown: ClassVar[Progress | None] = None

    def __init__(self, sources: list[Source], wanted: bool) -> None:
        self._sources = sources
        self._wanted = wanted and os.isatty(2)
        self._began = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def update(self, source: Source, lines: int) -> None:
        if self._bar is None and self._wanted and time.monotonic() - self._began >= _PROGRESS_AFTER:
            self._start()
        if self._bar is not None:
            done = sum(source.bytes_read for source in self._sources)
            self._bar.update(self._task, completed=done, lines=lines, description=visible(source.name)[-40:])

    def _start(self) -> None:
        self._wanted = False
        try:
            from rich import progress
            from rich.console import Console
        except ModuleNotFoundError:
            return
        console = Console(stderr=True)
        if not console.is_terminal:
            return
        self._bar = progress.Progress(
            progress.TextColumn("{task.description}", markup=False),
            progress.BarColumn(),
            progress.DownloadColumn(),
            progress.TransferSpeedColumn(),
            progress.TimeRemainingColumn(),
            progress.TextColumn("{task.fields[lines]:,} lines", markup=False),
            console=console,
            transient=True,
        )
        sizes = [source.size for source in self._sources]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        self._task = self._bar.add_task("", total=total, lines=0)
        self._bar.start()
        Progress._shown = self

    def close(self) -> None:
        self._wanted = False
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            Progress._shown = None


def stop_progress() -> None:
    """Remove the bar of a run that has ended, before any message."""
    if Progress._shown is not None:
        Progress._shown.close()
