"""The inputs of a command: adds signals, progress, messages and counts to `fasturl.logs.formatted_inputs`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fasturl import Finding
from fasturl.cli.failure import TROUBLE, Interrupted, message_of, signals
from fasturl.cli.terminal import Progress, announce_terminal, complain, say
from fasturl.logs.errors import EndOfInput
from fasturl.logs.formats.messages import Tally, unread
from fasturl.logs.formats.records import LineFormat
from fasturl.logs.formatted_inputs import NAMED, FormattedInputs, InputOptions
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.logs.changes import Changes
    from fasturl.logs.formatted_inputs import AnyBatch, Batch
    from fasturl.logs.units import Unit


_LOOKED_AT = 100  # lines that tell what is not read


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


@dataclass(eq=False, repr=False)
class Counts:
    """Counts of lines, URLs, rejects and findings."""

    lines: int = 0
    urls: int = 0
    invalid: int = 0
    rejected: int = 0
    empty: int = 0
    header: int = 0
    findings: Counter[str] = field(default_factory=Counter)

    @property
    def bad(self) -> int:
        """Invalid URLs and rejected lines."""
        return self.invalid + self.rejected

    def add_unit(self, unit: Unit) -> None:
        self.lines += unit.lines
        self.urls += unit.urls
        self.invalid += unit.invalid
        self.empty += unit.empty
        self.header += unit.header
        self.rejected += len(unit.rejects)
        for _, bit, count in unit.findings:
            if unit.standard != "rfc1738" and not 1 << bit & Finding.HAZARDS:
                continue  # a violation of another standard
            self.findings[str(Finding(1 << bit).name)] += count

    def add_long_line(self) -> None:
        self.lines += 1
        self.rejected += 1

    def say_cut_short(self, why: str) -> None:
        """Print when and why the run ended before the end of its inputs."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        say(f"cut short at {now} after {plural(self.lines, 'line')}: {why}")

    def say(self) -> None:
        say(
            f"{plural(self.lines, 'line')}, {plural(self.urls, 'URL')}: "
            f"{self.urls - self.invalid:,} valid, {self.invalid:,} invalid; "
            f"{plural(self.rejected, 'line')} rejected, {self.empty:,} empty"
            + (f", {self.header:,} header" if self.header else "")
        )
        width = max(map(len, self.findings), default=0)
        for name, count in self.findings.most_common():
            say(f"  {name:<{width}}  {count:,}")


class CommandInputs(FormattedInputs):
    """The inputs of a command. `broke_off` is True after an input broke off, which prints one line on stderr.

    `torn` is True then unless `--allow-truncated` is given.

    If `ends_streams` is set, a signal ends a stream as its end would, and a last line without an end is dropped.
    `cut_short` is then the signal. The command raises it after it has written its output.
    """

    def __init__(self, options: InputOptions, *, progress: bool = False) -> None:
        super().__init__(options, signals)
        self.progress = progress
        self.changes: Changes | None = None  # to what messages quote
        self.torn = self.broke_off = False
        self.ends_streams = False
        self.cut_short: Interrupted | None = None
        if any(source.path == "-" for source in self.sources):
            announce_terminal()

    def break_off(self, error: EndOfInput) -> None:
        self.broke_off = True
        self.torn = not self.options.allow_truncated
        complain(message_of(error))

    def format_of(self, source: Source) -> str:
        """Name the format of an input that was read."""
        if source in self.found:
            return str(self.found[source])
        named = self.options.log_format
        return named if isinstance(named, str) else named.name if named is not None else "URLs"

    def say_formats(self) -> None:
        """Name the format of each input, and how many of its lines fit. Many inputs have one line for each format."""
        if len(self.tallies) > NAMED:
            sums: dict[str, tuple[int, Tally]] = {}
            for tally in self.tallies.values():
                count, whole = sums.get(tally.fmt.name, (0, Tally(tally.fmt)))
                whole.lines, whole.fits = whole.lines + tally.lines, whole.fits + tally.fits
                sums[tally.fmt.name] = count + 1, whole
            for count, whole in sums.values():
                say(f"{plural(count, 'file')}: {whole}")
            return
        shown = self.changes.reject if self.changes is not None else bytes
        for source, tally in self.tallies.items():
            say(f"{visible(source.name)}: {tally}")
            first = self.firsts.get(source, b"").split(self.options.separator, _LOOKED_AT)[:-1]
            lines = [shown(line.removesuffix(b"\r")) for line in first]
            if rest := unread(tally.fmt.name, tally.fmt.format_string, lines):
                say(rest)
            like, both = tally.explanation() if tally.rejects else ("", "")
            if like:
                rejected = f"{tally.lines - tally.fits:,} of {plural(tally.lines, 'line')} rejected"
                say(f"{rejected}. They look like {like}" + (f": --log-format {both}" if both else ""))

    def end(self, counts: Counts, covers: str, *, quiet: bool) -> int:
        """Say what was read and return the exit status, or raise the signal that has cut the inputs short.

        covers : says what the output covers then
        """
        if not quiet:
            self.say_formats()
        if self.cut_short is not None:
            counts.say_cut_short(f"{self.cut_short.name}; {covers} the input up to this point")
            raise self.cut_short
        return TROUBLE if self.torn else 0

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
        with closing(Progress(self.sources, self.progress)) as progress:
            total = 0
            for source, fmt, lines in super().batches():
                yield source, fmt, lines
                if lines is not None:
                    total += lines.count
                    progress.update(source, total)
