"""Messages about inputs in no format, or in another one than was named, and the count of the lines that fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fasturl.logs.errors import LogError, MissingSetting
from fasturl.logs.formats.jsonlines import load
from fasturl.logs.formats.mismatch import excerpt
from fasturl.logs.formats.usual import likely_fields
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.logs.formats.detection import Detector, Format
    from fasturl.logs.formats.records import LineFormat


@dataclass
class Tally:
    """The number of lines of an input that fit its format. Empty lines and headers do not count.

    `reject` is the first line that does not fit, with its number.

    >>> from fasturl.logs.formats.catalog import make_format
    >>> print(Tally(make_format("COMBINED"), 5000, 4999))
    COMBINED, 4,999 of 5,000 lines
    """

    fmt: LineFormat
    lines: int = 0
    fits: int = 0
    reject: tuple[int, bytes] | None = None

    def __str__(self) -> str:
        counts = f"{self.fits:,} of {self.lines:,} line{'' if self.lines == 1 else 's'}"
        spelled = self.fmt.spelled
        return f"'{visible(spelled)}', {counts} (inferred)" if spelled else f"{self.fmt.name}, {counts}"


def no_line_fits(name: str, tally: Tally, first: int) -> LogError:
    """Return the error for an input of which none of the first lines fits."""
    fmt = tally.fmt
    number, line = tally.reject or (1, b"")
    stop = fmt.stop(line)
    count = f"first {first:,} lines" if first > 1 else "lines"
    message = f"{visible(name)}: none of its {count} {fmt.records}: line {number:,} stops to fit at its {stop.field}"
    return LogError(message, settings=("log_format",), excerpt=excerpt(line, stop.at))


def all_too_long(name: str, most: int) -> LogError:
    """Return the error for an input of which each line has more than `most` bytes."""
    return LogError(f"{visible(name)}: each of its lines has more than {most:,} bytes", settings=("max_line",))


def unknown_format(name: str, detector: Detector, found: Format) -> LogError:
    """Return the error for an input in no known format that is no list of URLs either."""
    what = visible(name)
    line = detector.sample[0] if detector.sample else b""
    if found.name == "JSONL":
        entry = next((found for each in detector.sample if isinstance(found := load(each), dict)), {})
        pairs = tuple(f"{column}={visible(key)}" for column, key in likely_fields(entry).items())
        request = f"{what} holds JSON lines of no known log: map its fields"
        more = f": {', '.join(pairs)}"
        return MissingSetting(request, settings=("mapping",), more=more, excerpt=excerpt(line, 0), fields=pairs)
    if detector.utf16 is not None:
        return LogError(
            f"{what} is UTF-16 text without a byte order mark: read it through `iconv -f {detector.utf16} -t UTF-8`"
        )
    if detector.is_binary:
        return LogError(f"{what} is binary data, no lines of text", settings=("urls",))
    stop = found.mismatch
    message = f"{what}: no known log, and most of its lines do not look like URLs"
    if stop is not None and stop.offset:
        message += f"; the closest format is {stop.format}, whose {stop.field} is expected at column {stop.column}"
    shown = excerpt(line, stop.offset if stop is not None else 0)
    if detector.delimiter is not None:
        return LogError(message, settings=("log_format", "urls", "column"), excerpt=shown)
    return LogError(message, settings=("log_format", "urls"), excerpt=shown)
