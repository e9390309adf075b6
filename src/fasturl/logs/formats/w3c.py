"""Logs whose own lines name the fields: W3C (IIS, CloudFront, WebLogic, Zeek)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import copy

from fasturl._accesslog import TEMPLATE_STEPS_MAX, LineTemplate
from fasturl._patterns import lazy_pattern
from fasturl.logs.columns import DETAILS, EXTRAS, REFERER, TARGET
from fasturl.logs.formats.kernel_logs import CommonLog
from fasturl.logs.formats.records import ALL, Stop, keep_columns
from fasturl.logs.inputs.lines import BOM, Lines
from fasturl.logs.shown import visible

# The field names of each field of a template, in which a URI is the request. The first that is present is taken.
_NAMES: dict[str, tuple[bytes, ...]] = {
    "client": (b"c-ip", b"id.orig_h"),
    "user": (b"cs-username", b"username"),
    "method": (b"cs-method", b"method"),
    "protocol": (b"cs-version", b"cs-protocol-version"),
    "status": (b"sc-status", b"status_code", b"c-status"),
    "size": (b"sc-bytes", b"bytes", b"response_body_len"),
    "agent": (b"cs(user-agent)", b"user_agent"),
    "vhost": (b"cs-host", b"cs(host)", b"host"),
    REFERER: (b"cs(referer)", b"cs(referrer)", b"referrer"),
    "time": (b"date",),
    "clock": (b"time", b"ts"),
    "request": (b"cs-uri", b"uri"),
    TARGET: (b"cs-uri-stem", b"cs-uri-path"),
    "query": (b"cs-uri-query",),
    "duration": (b"time-taken", b"timetakenms"),
    "request_length": (b"cs-bytes", b"request_body_len"),
    "forwarded": (b"x-forwarded-for", b"cs(x-forwarded-for)"),
    "request_id": (b"x-edge-request-id",),
    "cache_status": (b"x-edge-result-type",),
}
_START = lazy_pattern(
    rb"#(?:(?:Version|Software|Fields|Date|Remark|(?:Start|End)-Date)\s*:"
    rb"|(?:separator|set_separator|empty_field|unset_field|path|open|close|fields|types)\s)",
    re.IGNORECASE,
)
_FIELDS = lazy_pattern(rb"#\s*fields\s*(?::|\t)", re.IGNORECASE)
# A log of CloudFront or IIS without its header: a pattern of the lines, and their fields. IIS may leave out the
# referer, which is the pattern's group.
HEADERLESS = (
    (
        lazy_pattern(
            rb"[0-9]{4}-[0-9]{2}-[0-9]{2}\t[0-9:]{8}\t[A-Z]{3}[0-9A-Z-]{1,9}\t[0-9]+\t[0-9A-Fa-f.:]+\t[A-Z]+\t"
            rb"(?:[^\t]*\t){17,40}()"
        ),
        b"date time x-edge-location sc-bytes c-ip cs-method cs(host) cs-uri-stem sc-status cs(referer) cs(user-agent) "
        b"cs-uri-query cs(cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken "
        b"x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status "
        b"fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len "
        b"sc-range-start sc-range-end",
    ),
    (
        lazy_pattern(
            rb"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8} [0-9A-Fa-f.:%]+ [A-Z]+ /[^ ]* [^ ]+ [0-9]+ [^ ]+ [0-9A-Fa-f.:%]+ "
            rb"[^ ]+ ([^ ]+ )?[0-9]{3} [0-9]+ [0-9]+ [0-9]+(?: [0-9A-Fa-f.:,+-]+)?\Z"
        ),
        b"date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(user-agent) cs(referer) "
        b"sc-status sc-substatus sc-win32-status time-taken x-forwarded-for",
    ),
    (  # all fields of IIS
        lazy_pattern(
            rb"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8} [^ ]+ [^ ]+ [0-9A-Fa-f.:%]+ [A-Z]+ /[^ ]* [^ ]+ [0-9]+ [^ ]+ "
            rb"[0-9A-Fa-f.:%]+ HTTP/[0-9.]+(?: [^ ]+){4} [0-9]{3}(?: [0-9]+){5}(?: [0-9A-Fa-f.:,+-]+)?\Z()"
        ),
        b"date time s-sitename s-computername s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip "
        b"cs-version cs(user-agent) cs(cookie) cs(referer) cs-host sc-status sc-substatus sc-win32-status sc-bytes "
        b"cs-bytes time-taken x-forwarded-for",
    ),
)
# A directive follows one of these bytes: the end of a line, or of a byte order mark.
_BEFORE_DIRECTIVE = b"\n\r\0" + BOM[-1:]
_ALIGNED = b"  "
# The changes of the fields that `fits` follows at the beginning of a log: each takes as long as a hundred lines.
_CHANGES_MAX = 16
_OF_WINDOWS = frozenset((b"s-computername", b"s-ip", b"s-port"))
_NUMBERS = ("status", "size", "request_length")


def _directive(pattern: re.Pattern[bytes], line: bytes) -> re.Match[bytes] | None:
    """Match a directive. The patterns are compiled only for a line that looks like a directive."""
    return pattern.match(line) if line.startswith(b"#") else None


class W3C(CommonLog):
    """A W3C log: values divided by tabs or spaces, `-` for an absent one. Its times are UTC by definition.

    A duration with a decimal point is in seconds, as CloudFront and WebLogic write it, any other in milliseconds.
    Servers of Windows, which name themselves, always write milliseconds. Each directive with other fields makes a new
    copy of this format, because units of work are read on several threads.
    """

    details = (*DETAILS, *EXTRAS)
    keeps_state = True
    template: LineTemplate
    _wanted: tuple[str, ...] = ()
    # One byte; several blanks if blanks align the columns; or nothing for a tab or a space, as each line has it.
    _separator = b""
    _changes = 0  # of the fields, in the lines that `fits` saw

    def __init__(self, name: str = "W3C") -> None:
        super().__init__(name)
        self._set_fields([])

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted
        self.kept = None
        self._current = copy(self)

    def _set_fields(self, fields: list[bytes]) -> None:
        self._current = self  # else each copy would hold the copy before, and a log with many directives all of them
        self._places = self._places_of(fields)
        self._given = fields
        self._fields = [field.decode("utf-8", "surrogateescape") for field in fields]
        self.template = self._template(None)
        if fields and self._wanted and self.kept is None:
            # A later directive may move or drop the columns, but it adds none.
            others = [name for place, name in enumerate(self._fields) if place not in self._places]
            wanted = [name.lower() for name in self._wanted if name != ALL]
            wanted += others if ALL in self._wanted else []
            self.kept = keep_columns(tuple(wanted), self._fields, None)
        places = {name: place for place, name in enumerate(self._fields)}
        self.kept_by = tuple(self.with_template(self._template(places.get(one.source, -1))) for one in self.kept or ())
        self._current = copy(self)

    def _places_of(self, fields: list[bytes]) -> dict[int, str]:
        """Return each place's column, if there is any."""
        found = ((name, (fields.index(each) for each in names if each in fields)) for name, names in _NAMES.items())
        return {place: name for name, places in found if (place := next(places, None)) is not None}

    def _template(self, kept: int | None) -> LineTemplate:
        """Return the fields' template, or a template with the kept field instead of the agent."""
        steps = []
        milliseconds = b"3" if _OF_WINDOWS.intersection(self._given) else b""
        for place in range(len(self._given)):
            name = self._places.get(place, "")
            kind, name = (name, "") if name in _NUMBERS else ("value", name)
            name = "" if name == "agent" and kept is not None else name
            unit = milliseconds if name == "duration" else b""
            steps.append((kind, name, int(place == kept), self._separator, unit))
        return LineTemplate(steps, False, "doubled")

    def _fields_of(self, line: bytes) -> list[bytes] | None:
        """Return the fields that the line names. A CloudFront record without a header has CloudFront's fields."""
        found = None
        if named := _directive(_FIELDS, line):
            found = line[named.end() :].lower().split()
            self._separator = _ALIGNED if _ALIGNED in line[named.end() :].strip() else b""
        elif not self._given and line[4:5] == b"-":  # the first field is a date
            known = next(((shape, fields) for form, fields in HEADERLESS if (shape := form.match(line))), None)
            if known is not None:
                found = [field for field in known[1].split() if known[0][1] is not None or field != b"cs(referer)"]
                found = found[: line.count(b"\t" if b"\t" in line else b" ") + 1]
        return None if found is None or len(found) > TEMPLATE_STEPS_MAX else found

    def fits(self, line: bytes) -> bool:
        fields = self._fields_of(line) if self._changes < _CHANGES_MAX else None
        if fields is not None and fields != self._given:
            self._changes += 1
            self._set_fields(fields)
        return _directive(_START, line) is not None or bool(self._given and self.template.is_record(line))

    @property
    def detects(self) -> Callable[[bytes], bool]:
        # Before the fields are known, few lines can be a directive or begin with a date.
        return lambda line: (bool(self._given) or line.startswith(b"#") or line[4:5] == b"-") and self.matches(line)

    def place(self, line: bytes) -> Stop:
        found = self.template.stop(line)
        if not self._given or found is None:
            return Stop(0, "#Fields directive")
        field = visible(self._fields[found[0]]) if found[0] < len(self._fields) else "end of the line"
        separator = self._separator or (b"\t" if b"\t" in line else b" ")
        values = line.count(separator) + 1
        if values != len(self._fields) and b'"' not in line:  # a quoted value may hold separators
            twice = ", some behind several blanks" if separator == b" " and b"  " in line else ""
            field += f" (of {len(self._fields)} fields; the line has {values} values{twice})"
        return Stop(found[1], field)

    def may_change(self, data: bytes) -> bool:
        at = data.find(b"#")
        while at > 0 and data[at - 1] not in _BEFORE_DIRECTIVE and not self.prefix:
            at = data.find(b"#", at + 1)
        return at >= 0

    def changes_state(self, line: bytes) -> bool:
        return _directive(_FIELDS, self.line(line)) is not None

    def is_header(self, line: bytes) -> bool:
        return self.line(line).startswith(b"#")

    def parts(self, lines: Lines) -> Iterator[tuple[W3C, Lines]]:
        start = at = first = 0
        has_values = False
        if not self._given or self.may_change(lines.data):
            for number, (raw, line) in enumerate(zip(lines.raw, lines.stripped, strict=True)):
                line = self.line(line)
                fields = self._fields_of(line)
                if fields is not None and fields != self._given:
                    if has_values:
                        yield self._current, lines.part(first, start, at)
                        start, first, has_values = at, number, False
                    self._set_fields(fields)
                has_values = has_values or not (self.is_header(line) or not line)
                at += len(raw) + 1
        yield self._current, lines if not start else lines.part(first, start, len(lines.data))
