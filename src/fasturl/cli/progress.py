"""Progress: on a terminal, when there is something to wait for."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, ClassVar

from fasturl.cli.terminal import is_terminal
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible

# Seconds: what ends sooner shows nothing.
_AFTER = 1.0


class Progress:
    """A bar on stderr by rich, over the octets of all files; without rich, or where nobody looks, nothing."""

    _shown: ClassVar[Progress | None] = None

    def __init__(self, sources: list[Source], wanted: bool) -> None:
        self._sources = sources
        self._wanted = wanted and is_terminal(2)
        self._began = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def update(self, source: Source, lines: int) -> None:
        if self._bar is None and self._wanted and time.monotonic() - self._began >= _AFTER:
            self._start()
        if self._bar is not None:
            done = sum(source.octets_read for source in self._sources)
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wanted = False
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            Progress._shown = None


def stop_progress() -> None:
    """Take away the bar of a run that has ended, before anything is said about that."""
    if Progress._shown is not None:
        Progress._shown.__exit__(None, None, None)
