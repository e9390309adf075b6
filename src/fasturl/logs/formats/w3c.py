"""W3C extended logs (IIS, CloudFront): a directive names the fields of the lines after it."""

from __future__ import annotations

import re
from itertools import accumulate

from fasturl.logs.columns import DETAILS, REFERER, TARGET
from fasturl.logs.formats.logtext import log_time
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.records import ALL, LineFormat, Records, keep_columns
from fasturl.logs.inputs.lines import Lines

_ABSENT = b"-"
# The field names of each detail. The first that is present is taken.
_NAMES: dict[str, tuple[bytes, ...]] = {
    "client": (b"c-ip",),
    "user": (b"cs-username",),
    "method": (b"cs-method",),
    "protocol": (b"cs-version", b"cs-protocol-version"),
    "status": (b"sc-status",),
    "size": (b"sc-bytes",),
    "agent": (b"cs(user-agent)",),
    "vhost": (b"cs-host", b"cs(host)"),
    REFERER: (b"cs(referer)", b"cs(referrer)"),
    "date": (b"date",),
    "clock": (b"time",),
    "uri": (b"cs-uri",),
    "stem": (b"cs-uri-stem",),
    "query": (b"cs-uri-query",),
}


_START = re.compile(rb"#(?:Version|Software|Fields|Date|Remark|Start-Date)\s*:", re.IGNORECASE)


class W3C(LineFormat):
    """A W3C log: values divided by tabs or spaces, `-` for an absent one. Its times are UTC by definition."""

    details = DETAILS
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
        return bool(self._places) and len(_values(line)) == self._count

    def stop(self, line: bytes) -> Stop:
        if not self._places:
            return Stop(0, "#Fields directive")
        values = _values(line)
        starts = [0, *accumulate(len(value) + 1 for value in values)]
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
        return line.startswith(b"#") and line[1:].partition(b":")[0].strip().lower() == b"fields"

    def _directive(self, line: bytes) -> None:
        if not self.changes_state(line):
            return
        fields = line.partition(b":")[2].lower().split()
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
        if get.get("uri") is not None:
            return get["uri"]
        stem, query = get.get("stem"), get.get("query")
        if query is None:
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
            values = _values(line)
            if not self._places or len(values) != self._count:
                records.rejects.append((lines.first + at, lines.raw[at]))
                continue
            get: dict[str, bytes | None] = {
                detail: None if values[place] == _ABSENT else values[place] for detail, place in self._places.items()
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
            )
            others = [_ABSENT if place is None else values[place] for place in self._kept_places]
            kept = tuple([None if value == _ABSENT else value for value in others])
            records.add(lines.first + at, TARGET, target or None, detail, get.get(REFERER) or None, kept)
        records.lines = lines.count
        return records


def _values(line: bytes) -> list[bytes]:
    return line.split(b"\t") if b"\t" in line else line.split(b" ")


def _is_number(value: bytes | None) -> bool:
    return value is None or value == _ABSENT or (value.isdigit() and len(value) <= 20)
