"""The inputs of a command: signals end the run, a terminal shows progress, a torn input is said to be one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fasturl.cli.failure import Interrupted
from fasturl.cli.progress import Progress
from fasturl.cli.signals import signals
from fasturl.cli.terminal import complain, say
from fasturl.logs.errors import TornInput
from fasturl.logs.formats.records import LineFormat
from fasturl.logs.inputs import reading
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.logs.inputs.reading import AnyBatch, Batch


@dataclass
class InputOptions(reading.InputOptions):
    """What the options that all reading commands share say."""

    progress: bool = True


class Reading(reading.Reading):
    """`torn` is whether an input broke off, which costs one line on stderr.

    When `ends_streams` is set, a signal ends a stream as its end would: `cut_short` is the signal, and the command's to
    raise when what has come is in its place. A line that had not ended is left out.
    """

    def __init__(self, options: InputOptions) -> None:
        super().__init__(options, signals)
        self._progress = options
        self.torn = False
        self.ends_streams = False
        self.cut_short: Interrupted | None = None

    def break_off(self, error: TornInput) -> None:
        self.torn = True
        complain(str(error))

    def say_formats(self) -> None:
        """Tell of logs that are not all in the format that they were found to be in."""
        for source, found in self.found.items():
            if found.fits < found.lines and found.name != "URLS":
                say(f"{visible(source.name)}: {found}")

    def _lines_in_format(self, source: Source) -> Iterator[tuple[LineFormat | None, Batch]]:
        if self.cut_short is None:
            yield from super()._lines_in_format(source)

    def _until_torn(self, source: Source, batches: Iterator[AnyBatch]) -> Iterator[AnyBatch]:
        try:
            yield from super()._until_torn(source, batches)
        except Interrupted as interrupted:
            if not self.ends_streams or source.is_file:
                raise
            self.cut_short = interrupted

    def batches(self) -> Iterator[tuple[Source, LineFormat | None, Batch | None]]:
        with Progress(self.sources, self._progress.progress) as progress:
            total = 0
            for source, fmt, lines in super().batches():
                yield source, fmt, lines
                if lines is not None:
                    total += lines.count
                    progress.update(source, total)
