"""Messages about lines and inputs in no format, or not in the named format, and the count of lines that fit."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from fasturl._accesslog import is_object
from fasturl.logs.errors import LogError, MissingSetting
from fasturl.logs.formats.evidence import LIKE_DATA, METHODS
from fasturl.logs.formats.jsonlines import load
from fasturl.logs.formats.kernel_logs import PREFIXES, without_prefix
from fasturl.logs.formats.objects import likely_fields, scalars
from fasturl.logs.formats.records import LineFormat, Stop, column_of
from fasturl.logs.shown import Quote, hide_secrets, input_name, visible

if TYPE_CHECKING:
    from fasturl.logs.formats.detection import Detector, Format

# A format comes close to a line if it reads a method, or an address and the bracket before a time.
_METHOD = rb"\b(?:%s) " % METHODS  # compiled on use: it takes 0.7 ms
_OTHERS_MAX = 20
_UNREAD_SHOWN = 60  # characters
_SHOWN_MAX = 1 << 16  # the bytes of an object or a row whose fields a message suggests


def reason(name: str, line: bytes, stop: Stop) -> str:
    """Return why a line is a reject.

    >>> reason("COMMON", b"h - - x", Stop(6, "time"))
    'not in the format COMMON: time, column 7'
    """
    return f"not in the format {name}: {stop.field}, column {column_of(line, stop.at)}"


@dataclass(eq=False, repr=False)
class Tally:
    """The number of an input's lines that fit the format. Empty lines and headers do not count.

    lines_read : how many lines were read, with empty lines and headers
    rejects : the first lines that do not fit, with line numbers
    rejected_first : how many of the first lines of the input do not fit, and are no other message of the format
    is_decided : whether enough first lines fit

    >>> from fasturl.logs.formats.catalog import make_format
    >>> print(Tally(make_format("COMBINED"), 5000, 4999))
    COMBINED, 4,999 of 5,000 lines
    """

    fmt: LineFormat
    lines: int = 0
    fits: int = 0
    lines_read: int = 0
    rejects: list[tuple[int, bytes]] = field(default_factory=list)
    rejected_first: int = 0
    is_decided: bool = False
    _size: int = 0

    def add_rejects(self, rejects: list[tuple[int, bytes]], most: int) -> None:
        """Count rejects among the first lines, before these are added, and keep some that explain the others."""
        if self.lines_read < most:
            first = (line for number, line in rejects if number <= most)
            self.rejected_first += sum(not self.fmt.is_other_message(line) for line in first)
        for reject in rejects[: most - len(self.rejects)]:
            if self._size < _SHOWN_MAX << 4 or not self.rejects:
                self._size += len(reject[1])
                self.rejects.append(reject)

    def explanation(self) -> tuple[str, str]:
        """Return the format that the first rejects look like, and the list of formats that can read them, if any."""
        from fasturl.logs.formats.catalog import LOG_NAMES, named_format, prefix_of
        from fasturl.logs.formats.detection import detect_lines

        found = detect_lines(line for _, line in self.rejects)
        if prefix_of(found.name)[1] not in LOG_NAMES:
            return "", ""
        try:
            return found.name, str(named_format(f"{self.fmt.name},{found.name}"))
        except ValueError:  # one of them has no name, or keeps state between lines
            return found.name, ""

    def __str__(self) -> str:
        counts = f"{self.fits:,} of {self.lines:,} line{'' if self.lines == 1 else 's'}"
        spelled = self.fmt.format_string
        return f"'{visible(spelled)}', {counts} (inferred)" if spelled else f"{self.fmt.name}, {counts}"


_NGINX = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent'
_REFERER = ' "$http_referer" "$http_user_agent"'
# Formats whose lines more fields may follow: a pattern of these, and nginx's spelling of the rest.
_AFTER = rb'.*?\] +"(?:[^"\\]|\\.)*" [0-9]{3} [0-9-]+'
_AFTER_REFERER = _AFTER + rb' "(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*" (.+)'
_OPEN = {
    "COMMON": (_AFTER + rb' ([^" ].*)', _NGINX),
    "COMBINED": (_AFTER_REFERER, _NGINX + _REFERER),
    "VCOMBINED": (_AFTER_REFERER, f"$host {_NGINX}{_REFERER}"),
}


def unread(name: str, spelled: str, lines: list[bytes]) -> str:
    """Say what of each line is not read, with a format that reads it, or return nothing.

    spelled : an inferred format

    >>> unread("COMBINED", "", [b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 1 "-" "x" 0.5'])
    'not read: 0.5 at the end of each line.'
    """
    if spelled:
        from fasturl.logs.formats.inferred import has_several_clients  # compiles many patterns

        if "%h" in spelled or "%{port}h" in spelled or not has_several_clients(lines):
            return ""
        said = "not read: the client, because several addresses could be the client. Write %h for the right one"
        return f"{said} in --log-format '{visible(spelled)}'"
    pattern, nginx = _OPEN.get(name, (b"", ""))
    found = [re.fullmatch(pattern, line) for line in lines if line] if nginx else []
    rests = [match[1] for match in found if match]
    if not rests or len(rests) * 10 < len(found) * 9:
        return ""
    said = f"not read: {visible(hide_secrets(rests[0].decode('utf-8', 'surrogateescape')))[:_UNREAD_SHOWN]}"
    said += " at the end of each line."
    others = rests[0].count(b" ")
    if all(re.fullmatch(rb"[0-9]+\.[0-9]{3}(?: [^ ]+){%d}" % others, rest) for rest in rests):
        fields = "".join(f" $unread_{number}" for number in range(1, others + 1))
        said += f" If the first is $request_time, use --log-format '{nginx} $request_time{fields}'"
    return said


def no_line_fits(name: str, tally: Tally, first: int) -> LogError:
    """Return the error for an input if no first line fits."""
    fmt = tally.fmt
    number, line = tally.rejects[0] if tally.rejects else (1, b"")
    stop = fmt.stop(line)
    count = f"first {first:,} lines" if first > 1 else "lines"
    message = f"{input_name(name)}: none of the {count} {fmt.records}: line {number:,} does not fit at column "
    message += f"{column_of(line, stop.at)}: {stop.field}"
    behind = ((prefix, without_prefix(prefix, line)) for prefix in (() if fmt.keeps_state else PREFIXES))
    prefix = next((prefix for prefix, inner in behind if inner and fmt.matches(inner)), None)
    if prefix is not None:
        message += f"; it fits after its prefix: write {prefix}+ before the format"
    if prefix is None:
        message += _advice(fmt.dialect, line[max(stop.at - 1, 0) : stop.at + 2], stop.field)
    settings = _SETTINGS.get(fmt.name.rpartition("+")[2], () if prefix else ("detection",))
    return LogError(message, settings=settings, quote=Quote(line, stop.at))


def too_few_lines_fit(name: str, tally: Tally, first: int) -> LogError:
    """Return the error for an input if most first lines are rejects."""
    number, line = tally.rejects[0]
    stop = tally.fmt.stop(line)
    like, both = tally.explanation()
    message = f"{input_name(name)}: {tally.rejected_first:,} of the first {first:,} lines are rejected; the first is "
    message += f"line {number:,}, {reason(tally.fmt.name, line, stop)}"
    if like:
        message += f"; they look like {like}" + (f", and the format {both} reads both" if both else "")
    return LogError(message, settings=("rejects",), quote=Quote(line, stop.at))


def _advice(dialect: str, around: bytes, field: str) -> str:
    """Return what a custom format may say instead, for a line that stops to fit between these bytes."""
    if dialect and b"  " in around:
        return "; two spaces in the format match any number of spaces"
    if field == "end of the line" and dialect == "goaccess":
        return "; %{until}^ at the end matches the rest of the line"
    if field == "time" and dialect == "goaccess":
        return "; spell another time as %{%Y-%m-%d %H:%M:%S}x, or give a goaccess.conf with date-format and time-format"
    return "; spell another time as %{%Y-%m-%d %H:%M:%S}t" if field == "time" and dialect == "Apache" else ""


# The settings that may help if no line fits. Any other format is named, and the input may be in another one.
_SETTINGS = {"CUSTOM": (), "JSON": ("mapping",), "CSV": ("column", "delimiter"), "JSONL": ("field",)}


def all_too_long(name: str, most: int) -> LogError:
    """Return the error for an input of which each line has more than `most` bytes."""
    return LogError(f"{input_name(name)}: every line is longer than {most:,} bytes", settings=("max_line",))


def unknown_format(name: str, detector: Detector, found: Format) -> LogError:
    """Return the error for an input in no known format that is not a list of URLs either."""
    what = input_name(name)
    line = detector.sample[0] if detector.sample else b""
    if found.name == "JSONL":
        objects = (load(line) for line in detector.sample if len(line) <= _SHOWN_MAX and is_object(line))
        entry = next((found for found in objects if isinstance(found, dict)), {})
        likely = likely_fields(entry)
        pairs = tuple(f"{column}={visible(key)}" for column, key in likely.items())
        request = f"{what} has JSON lines in no known format: map the fields"
        unlikely = (visible(key) for key in scalars(entry) if key not in likely.values())
        others = list(islice(unlikely, _OTHERS_MAX + 1))
        rest = f"; the other fields are {', '.join(others[:_OTHERS_MAX])}" if others else ""
        rest += ", …" if len(others) > _OTHERS_MAX else ""
        more = f": {', '.join(pairs)}{rest}"
        return MissingSetting(request, settings=("mapping",), more=more, quote=Quote(line, 0), fields=pairs, rest=rest)
    if detector.utf16 is not None:
        return LogError(
            f"{what} is UTF-16 text without a byte order mark: read it through `iconv -f {detector.utf16} -t UTF-8`"
        )
    if detector.is_binary:
        return LogError(f"{what} looks like a binary file: it has many control characters", settings=("urls",))
    stop, delimiter = found.mismatch, detector.delimiter
    message = f"{what}: the format is unknown, and most lines do not look like URLs"
    is_close = stop is not None and _is_close(line[: stop.offset], delimiter)
    if stop is not None and is_close:
        message += f"; the closest format is {stop.format}, which has its {stop.field} at column {stop.column}"
    else:
        message += "; no known format is close"
    quote = Quote(line, stop.offset if stop is not None and is_close else 0)
    settings = ["log_format", "urls"]
    if delimiter is not None and not is_close:
        has_names = not any(map(LIKE_DATA.match, line[:_SHOWN_MAX].split(delimiter)))
        column = "column" if has_names else "place"
        settings.append(column if delimiter == b"," else f"{column}+delimiter")
    return LogError(message, settings=tuple(settings), quote=quote)


def _is_close(read: bytes, delimiter: bytes | None) -> bool:
    """Return True if a format reads so much of a line that the user may have meant it.

    The values of a table look like words, which many formats read.
    """
    if delimiter is not None and delimiter in read:
        return False
    return (
        re.search(_METHOD, read) is not None or re.search(rb"[.:][0-9A-Fa-f]* ", read.rpartition(b"[")[0]) is not None
    )
