"""Progress: on a terminal, while there is something to wait for."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from fasturl.cli.terminal import is_terminal
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible


class Progress:
    """A bar on stderr by rich, over the octets of all files; without rich, or where nobody looks, nothing."""

    def __init__(self, sources: list[Source], wanted: bool) -> None:
        self._sources = sources
        self._bar: Any = None
        self._task: Any = None
        if not wanted or not is_terminal(2):
            return
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
        sizes = [source.size for source in sources]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        self._task = self._bar.add_task("", total=total, lines=0)

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def update(self, source: Source, lines: int) -> None:
        if self._bar is not None:
            done = sum(source.octets_read for source in self._sources)
            self._bar.update(self._task, completed=done, lines=lines, description=visible(source.name)[-40:])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
