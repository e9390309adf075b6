"""W3C extended logs (IIS, CloudFront, WebLogic, Zeek): a directive names the fields of the lines after it."""

from __future__ import annotations

import re

from fasturl.logs.columns import DETAILS, EXTRAS, REFERER, TARGET
from fasturl.logs.formats.logtext import log_time
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.records import ALL, LineFormat, Records, keep_columns
from fasturl.logs.inputs.lines import Lines

_ABSENT = b"-"
_DECIMAL = re.compile(rb"[0-9]{1,15}(?:\.[0-9]{1,15})?")
# The field names of each detail. The first that is present is taken.
_NAMES: dict[str, tuple[bytes, ...]] = {
    "client": (b"c-ip", b"id.orig_h"),
    "user": (b"cs-username", b"username"),
    "method": (b"cs-method", b"method"),
    "protocol": (b"cs-version", b"cs-protocol-version"),
    "status": (b"sc-status", b"status_code"),
    "size": (b"sc-bytes", b"bytes", b"response_body_len"),
    "agent": (b"cs(user-agent)", b"user_agent"),
    "vhost": (b"cs-host", b"cs(host)", b"host"),
    REFERER: (b"cs(referer)", b"cs(referrer)", b"referrer"),
    "date": (b"date",),
    "clock": (b"time", b"ts"),
    "uri": (b"cs-uri", b"uri"),
    "stem": (b"cs-uri-stem",),
    "query": (b"cs-uri-query",),
    "duration": (b"time-taken", b"timetakenms"),
    "request_length": (b"cs-bytes", b"request_body_len"),
    "forwarded": (b"x-forwarded-for", b"cs(x-forwarded-for)"),
    "request_id": (b"x-edge-request-id",),
    "cache_status": (b"x-edge-result-type",),
}
_START = re.compile(
    rb"#(?:(?:Version|Software|Fields|Date|Remark|(?:Start|End)-Date)\s*:"
    rb"|(?:separator|set_separator|empty_field|unset_field|path|open|close|fields|types)\s)",
    re.IGNORECASE,
)
_FIELDS = re.compile(rb"#\s*fields\s*(?::|\t)", re.IGNORECASE)
# A value in quotes, in which a quote is doubled, or one without.
_VALUES = {
    separator: re.compile(rb'(?:"((?:[^"]|"")*+)"|([^%s]*+))%s' % (separator, separator)) for separator in (b" ", b"\t")
}
# CloudFront's fields, for a log whose header is missing.
_EDGE = re.compile(
    rb"[0-9]{4}-[0-9]{2}-[0-9]{2}\t[0-9:]{8}\t[A-Z]{3}[0-9A-Z-]{1,9}\t[0-9]+\t[0-9A-Fa-f.:]+\t[A-Z]+\t(?:[^\t]*\t){17,40}"
)
_EDGE_FIELDS = (
    b"date time x-edge-location sc-bytes c-ip cs-method cs(host) cs-uri-stem sc-status cs(referer) cs(user-agent) "
    b"cs-uri-query cs(cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken "
    b"x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status "
    b"fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len "
    b"sc-range-start sc-range-end"
)


class W3C(LineFormat):
    """A W3C log: values divided by tabs or spaces, `-` for an absent one. Its times are UTC by definition.

    A duration with a decimal point is in seconds, as CloudFront and WebLogic write it, any other in milliseconds.
    """

    details = (*DETAILS, *EXTRAS)
    targets = frozenset({TARGET})
    keeps_state = True

    def __init__(self, name: str = "W3C") -> None:
        self.name = name
        self._count = 0
        self._places: dict[str, int] = {}
        self._fields: list[str] = []
        self._wanted: tuple[str, ...] = ()
        self._kept_places: list[int | None] = []

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted
        self.kept = None

    def _keep_of_fields(self) -> None:
        """Choose the columns by the first directive. A later directive may move or drop them."""
        if self.kept is None:
            used = {*self._places.values()}
            others = [name for place, name in enumerate(self._fields) if place not in used]
            wanted = [name.lower() for name in self._wanted if name != ALL]
            wanted += others if ALL in self._wanted else []
            self.kept = keep_columns(tuple(wanted), self._fields, None)
        places = {name: place for place, name in enumerate(self._fields)}
        self._kept_places = [places.get(kept.source) for kept in self.kept or ()]

    def matches(self, line: bytes) -> bool:
        if _START.match(line):
            self._directive(line)
            return True
        self._name_fields(line)
        return bool(self._places) and len(_values(line)) == self._count

    def _name_fields(self, line: bytes) -> None:
        """Name the fields of a log of CloudFront without its header."""
        if not self._places and _EDGE.match(line):
            self._set_fields(_EDGE_FIELDS.split()[: line.count(b"\t") + 1])

    def stop(self, line: bytes) -> Stop:
        if not self._places:
            return Stop(0, "#Fields directive")
        values = _values(line)
        separator = _separator(line)
        starts = [match.start() for match in _VALUES[separator].finditer(line + separator)] + [len(line)]
        if len(values) != self._count:
            short = len(values) < self._count
            return Stop(
                min(starts[len(values) if short else self._count], len(line)),
                self._fields[len(values)] if short else "end of the line",
            )
        bad = [
            name for name in ("status", "size") if name in self._places and not _is_number(values[self._places[name]])
        ]
        place = self._places[bad[0]] if bad else self._places.get("stem", self._places.get("uri", 0))
        return Stop(starts[place], self._fields[place])

    def changes_state(self, line: bytes) -> bool:
        return _FIELDS.match(line) is not None

    def _directive(self, line: bytes) -> None:
        if named := _FIELDS.match(line):
            self._set_fields(line[named.end() :].lower().split())

    def _set_fields(self, fields: list[bytes]) -> None:
        self._count = len(fields)
        self._places = {}
        for detail, names in _NAMES.items():
            place = next((fields.index(name) for name in names if name in fields), None)
            if place is not None:
                self._places[detail] = place
        self._fields = [field.decode("utf-8", "surrogateescape") for field in fields]
        if self._wanted:
            self._keep_of_fields()

    def _target(self, get: dict[str, bytes | None]) -> bytes | None:
        uri, query = get.get("uri"), get.get("query")
        stem = get.get("stem") if uri is None else uri
        if query is None or (uri is not None and b"?" in uri):
            return stem
        return (stem or b"") + b"?" + query

    def read(self, lines: Lines) -> Records:
        records = Records()
        for at, line in enumerate(lines.stripped):
            if not line or line.startswith(b"#"):
                records.empty += not line
                records.header += bool(line)
                self._directive(line)
                continue
            self._name_fields(line)
            values = _values(line)
            if not self._places or len(values) != self._count:
                records.rejects.append((lines.first + at, lines.raw[at]))
                continue
            get: dict[str, bytes | None] = {
                detail: None if values[place] in (_ABSENT, b"") else values[place]
                for detail, place in self._places.items()
            }
            target = self._target(get)
            status, size = get.get("status"), get.get("size")
            if (target is None and get.get(REFERER) is None) or not _is_number(status) or not _is_number(size):
                records.rejects.append((lines.first + at, lines.raw[at]))
                continue
            date, clock = get.get("date"), get.get("clock")
            detail = (
                get.get("client"),
                get.get("user"),
                log_time(b"%sT%sZ" % (date, clock) if date and clock else date or clock),
                get.get("method"),
                get.get("protocol"),
                int(status) if status else None,
                int(size) if size else None,
                get.get("agent"),
                get.get("vhost"),
                _seconds(get.get("duration")),
                _number(get.get("request_length")),
                *(get.get(name) for name in EXTRAS[2:]),
            )
            others = [_ABSENT if place is None else values[place] for place in self._kept_places]
            kept = tuple([None if value == _ABSENT else value for value in others])
            records.add(lines.first + at, TARGET, target or None, detail, get.get(REFERER) or None, kept)
        records.lines = lines.count
        return records


def _separator(line: bytes) -> bytes:
    return b"\t" if b"\t" in line else b" "


def _values(line: bytes) -> list[bytes]:
    separator = _separator(line)
    if b'"' not in line:
        return line.split(separator)
    return [bare or quoted.replace(b'""', b'"') for quoted, bare in _VALUES[separator].findall(line + separator)]


def _is_number(value: bytes | None) -> bool:
    return value is None or value in (_ABSENT, b"") or (value.isdigit() and len(value) <= 20)


def _number(value: bytes | None) -> int | None:
    return int(value) if value and value.isdigit() and len(value) <= 20 else None


def _seconds(value: bytes | None) -> float | None:
    """Return a duration in seconds.

    >>> _seconds(b"125"), _seconds(b"0.125"), _seconds(b"x")
    (0.125, 0.125, None)
    """
    if value is None or not _DECIMAL.fullmatch(value):
        return None
    return float(value) if b"." in value else int(value) / 1000
