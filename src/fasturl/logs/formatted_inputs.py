"""Open inputs, cut them into lines, and find each input's format, named or detected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from fasturl.logs.errors import ENDS_INPUT, EndOfInput, LogError
from fasturl.logs.formats.catalog import make_format
from fasturl.logs.formats.delimited import DelimitedTable
from fasturl.logs.formats.detection import SAMPLE, UNKNOWN, Detector, Format
from fasturl.logs.formats.jsonlines import JsonLines
from fasturl.logs.formats.messages import Tally, all_too_long, unknown_format
from fasturl.logs.formats.records import LineFormat, LogFormat
from fasturl.logs.inputs.decompress import MEMORY_LIMIT
from fasturl.logs.inputs.foreign import no_foreign
from fasturl.logs.inputs.lines import MAX_LINE, Lines, LongLine, cut_lines
from fasturl.logs.inputs.source import Source, Watch
from fasturl.logs.inputs.source_specs import open_sources
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.logs.formats.columnar import TableRows
    from fasturl.logs.routes import Routes

    Batch = Lines | LongLine | TableRows

AnyBatch = TypeVar("AnyBatch")
AnyFormat = TypeVar("AnyFormat", LineFormat, LineFormat | None)

_SAMPLE_BYTES = 1 << 20
NAMED = 20  # the inputs whose first bytes are kept, and which a command names at the end
_FIRST_BYTES = 1 << 16


@dataclass(eq=False, repr=False)
class InputOptions:
    """The inputs to read, and how to read them."""

    paths: tuple[str, ...] = ()
    log_format: str | LogFormat | None = None
    json_field: str | None = None
    column: str | None = None
    delimiter: str = ","
    headers: bool = True
    null_separated: bool = False
    form: str | None = None
    max_line: int = MAX_LINE
    memory_limit: int = MEMORY_LIMIT
    threads: int | None = None
    allow_rejects: bool = False
    allow_truncated: bool = False
    trusted_proxies: str | None = None  # the networks whose addresses are no visitors
    keep: tuple[str, ...] = ()  # columns to copy to the output; `*` is all of them
    routes: Routes | None = None  # of the column `route`

    @property
    def separator(self) -> bytes:
        return b"\0" if self.null_separated else b"\n"


def _named_format(options: InputOptions) -> LineFormat | None:
    """Return the format that the options name, or None if it must be detected."""
    form = options.form or "url"
    if options.json_field is not None:
        return JsonLines(options.json_field, form)
    if options.column is not None:
        delimiter = "\t" if options.delimiter == r"\t" else options.delimiter
        return DelimitedTable(options.column, delimiter.encode("utf-8", "surrogateescape"), options.headers, form)
    if options.log_format is None and options.form is None:
        return None
    return make_format(options.log_format or "URLS", form)


def _release(fmt: LineFormat, held: list[Lines]) -> Iterator[tuple[LineFormat, Lines]]:
    while held:
        yield fmt, held.pop(0)


@dataclass(eq=False, repr=False)
class FormattedInputs:
    """Reads inputs in order."""

    options: InputOptions
    watch: Watch | None = None
    sources: list[Source] = field(default_factory=list)
    # The detected formats of inputs without a named format.
    found: dict[Source, Format] = field(default_factory=dict)
    # The format of each input that was read, and how many of its lines fit.
    tallies: dict[Source, Tally] = field(default_factory=dict)
    # The first bytes of the first inputs, which tell what is not read.
    firsts: dict[Source, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sources = self.sources or open_sources(self.options.paths, self.watch)
        for source in self.sources:
            source.memory_limit = self.options.memory_limit

    def break_off(self, error: EndOfInput) -> None:
        """Handle an input that broke off, after everything that could be read was yielded."""
        raise error

    def batches(self) -> Iterator[tuple[Source, LineFormat | None, Batch | None]]:
        """Yield all inputs' lines, or rows from columnar files, and None after each input.

        A line that is too long has no format.
        """
        for source in self.sources:
            fmt: LineFormat | None = None
            for found, lines in self._lines_in_format(source):
                fmt = found or fmt
                if isinstance(lines, Lines) and source not in self.firsts and len(self.firsts) < NAMED:
                    self.firsts[source] = lines.data[lines.start : lines.start + _FIRST_BYTES]
                yield source, found, lines
            if fmt is not None:
                yield source, fmt, None

    def lines(self) -> Iterator[Lines | LongLine]:
        """Yield the lines in all inputs without a format."""
        for source in self.sources:
            yield from self._cut_lines(source, source.blocks())

    def looked_at(self, source: Source) -> Detector:
        """Return an input's first lines. Raise LogError for a table."""
        if source.is_columnar():
            raise LogError(
                f"{visible(source.name)} is a table without lines: name the column of the URLs",
                settings=("column",),
            )
        detector = Detector()
        size, has_long = 0, False
        for lines in self._cut_lines(source, no_foreign(source.blocks(), source.name)):
            if isinstance(lines, LongLine):
                has_long = True
            else:
                size += len(lines.data)
                detector.add(lines.stripped[:SAMPLE])
            if detector.lines == SAMPLE or size > _SAMPLE_BYTES:
                break
        if has_long and not detector.lines:
            raise all_too_long(source.name, self.options.max_line)
        return detector

    def _lines_in_format(self, source: Source) -> Iterator[tuple[LineFormat | None, Batch]]:
        """Yield the lines with the format."""
        if source.is_columnar() and self.options.json_field is None and self.options.log_format is None:
            from fasturl.logs.formats.columnar import Column, only_text_column, open_table

            column = only_text_column(source) if self.options.column is None else self.options.column
            table = Column(column, self.options.form or "url")
            table.keep(self.options.keep)
            yield from ((table, rows) for rows in self._until_torn(source, open_table(source, table)))
            return
        fmt: LineFormat | None = None
        added = 0
        has_lines = False
        for found, lines in self._with_format(source):
            fmt, has_lines = found or fmt, True
            # A carriage return ends a line of a log, so it shifts the numbers of later lines.
            if isinstance(lines, LongLine):
                lines.number += added
                yield found, lines
            elif fmt is not None and fmt.details and lines.separator == b"\n":
                added -= lines.count
                for shifted in lines.ended_by_returns(lines.first + added + lines.count):
                    added += shifted.count
                    yield from fmt.parts(shifted)
            elif fmt is not None:
                yield from fmt.parts(lines)
        if fmt is None and has_lines and self.options.log_format != "URLS":
            raise all_too_long(source.name, self.options.max_line)

    def _with_format(self, source: Source) -> Iterator[tuple[LineFormat | None, Lines | LongLine]]:
        """Yield the lines with the format. Detection holds as few lines of a stream as possible."""
        fmt = self._keeping(_named_format(self.options))
        held: list[Lines] = []  # until the format is known
        size = 0
        detector = Detector()
        for lines in self._cut_lines(source, no_foreign(source.blocks(), source.name)):
            if isinstance(lines, LongLine):
                if held:
                    fmt = self._detect(source, detector)
                    yield from _release(fmt, held)
                yield None, lines
            elif fmt is not None:
                yield fmt, lines
            else:
                held.append(lines)
                size += len(lines.data)
                detector.add(lines.stripped[:SAMPLE])
                is_told = not source.is_file and detector.is_telling
                if is_told or detector.lines == SAMPLE or size > _SAMPLE_BYTES:
                    fmt = self._detect(source, detector)
                    yield from _release(fmt, held)
        if held:
            yield from _release(self._detect(source, detector), held)

    def _detect(self, source: Source, detector: Detector) -> LineFormat:
        found = self.found[source] = detector.result()
        if found.name in (UNKNOWN, "JSONL"):
            raise unknown_format(source.name, detector, found)
        return self._keeping(make_format(found.log))

    def _keeping(self, fmt: AnyFormat) -> AnyFormat:
        if fmt is not None and self.options.keep:
            fmt.keep(self.options.keep)
        return fmt

    def _cut_lines(self, source: Source, blocks: Iterator[bytes]) -> Iterator[Lines | LongLine]:
        yield from self._until_torn(source, cut_lines(blocks, self.options.separator, self.options.max_line))

    def _until_torn(self, source: Source, batches: Iterator[AnyBatch]) -> Iterator[AnyBatch]:
        try:
            for batch in batches:
                yield batch
                source.watch.check()
        except ENDS_INPUT as error:
            self.break_off(error)
