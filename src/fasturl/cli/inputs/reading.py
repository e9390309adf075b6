"""From the inputs the user named to records: opening, cutting into lines, finding out the format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fasturl.cli.failure import Failure, TornInput
from fasturl.cli.formats.catalog import SAMPLE, detect, is_telling, make_format
from fasturl.cli.formats.delimited import Delimited
from fasturl.cli.formats.jsonlines import JsonLines
from fasturl.cli.formats.records import Format, Records
from fasturl.cli.inputs.lines import Lines, cut_lines
from fasturl.cli.inputs.progress import Progress
from fasturl.cli.inputs.source import Source, open_sources
from fasturl.cli.signals import signals
from fasturl.cli.terminal import complain, visible

if TYPE_CHECKING:
    from fasturl.cli.formats.tables import TableRows

_SAMPLE_OCTETS = 1 << 20


@dataclass
class InputOptions:
    """What the options that all reading commands share say."""

    paths: tuple[str, ...] = ()
    log_format: str | None = None
    json_field: str | None = None
    column: str | None = None
    delimiter: str = ","
    headers: bool = True
    null_separated: bool = False
    form: str | None = None
    progress: bool = True


def _text_octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _format_for(options: InputOptions, sample: list[bytes], source: Source) -> Format:
    form = options.form or "url"
    if options.json_field is not None:
        return JsonLines(options.json_field, form)
    if options.column is not None:
        delimiter = "\t" if options.delimiter == r"\t" else options.delimiter
        return Delimited(options.column, _text_octets(delimiter), options.headers, form)
    name = options.log_format
    if name is None:
        name = "URLS" if options.form is not None else detect(sample)
        if name == "JSONL":
            raise Failure(
                f"{visible(source.name)} holds JSON lines: name the URL's field with --field, or say --log-format URLS"
            )
    return make_format(name, form)


@dataclass
class Reading:
    """The inputs, one after the other. `torn` is whether one of them broke off."""

    options: InputOptions
    sources: list[Source] = field(default_factory=list)
    torn: bool = False

    def __post_init__(self) -> None:
        self.sources = open_sources(self.options.paths)

    def records(self) -> Iterator[tuple[Source, Format, Records]]:
        """The records of all inputs, batch by batch. An input that breaks off costs one line on stderr, not
        the run.
        """
        for source, fmt, lines in self.batches():
            reader: Any = fmt  # of the one kind of batch that it was found for
            records = reader.read(lines) if lines is not None else fmt.finish()
            if records is not None:
                yield source, fmt, records

    def batches(self) -> Iterator[tuple[Source, Format, Lines | TableRows | None]]:
        """The lines (or rows of a columnar file) of all inputs, and None after the last of each."""
        with Progress(self.sources, self.options.progress) as progress:
            total = 0
            for source in self.sources:
                fmt: Format | None = None
                for fmt, lines in self._lines_in_format(source):
                    total += lines.count
                    yield source, fmt, lines
                    progress.update(source, total)
                if fmt is not None:
                    yield source, fmt, None

    def lines(self) -> Iterator[Lines]:
        """The lines of all inputs, where they are in no format."""
        for source in self.sources:
            yield from self._lines(source)

    def _lines_in_format(self, source: Source) -> Iterator[tuple[Format, Lines | TableRows]]:
        """The lines, with the format that the first ones are found to be in.

        A stream is not made to wait for more lines than it takes to tell.
        """
        if self.options.column is not None and source.is_columnar():
            from fasturl.cli.formats.tables import Column, open_table

            table = Column(self.options.column, self.options.form or "url")
            try:
                for rows in open_table(source, self.options.column):
                    yield table, rows
                    signals.check()
            except TornInput as error:
                self.torn = True
                complain(error.message)
            return
        fmt: Format | None = None
        held: list[Lines] = []
        sample: list[bytes] = []
        for lines in self._lines(source):
            if fmt is not None:
                yield fmt, lines
                continue
            held.append(lines)
            sample += lines.clean[:SAMPLE]
            if (
                self._format_is_given()
                or len(sample) >= SAMPLE
                or sum(map(len, sample)) > _SAMPLE_OCTETS
                or (not source.is_file and is_telling(sample))
            ):
                fmt = _format_for(self.options, sample, source)
                while held:
                    yield fmt, held.pop(0)
        if fmt is None and held:
            fmt = _format_for(self.options, sample, source)
            while held:
                yield fmt, held.pop(0)

    def _format_is_given(self) -> bool:
        options = self.options
        return any((options.log_format, options.json_field, options.column, options.form))

    def _lines(self, source: Source) -> Iterator[Lines]:
        try:
            for lines in cut_lines(source.blocks(), b"\0" if self.options.null_separated else b"\n"):
                yield lines
                signals.check()
        except TornInput as error:
            self.torn = True
            complain(error.message)
