"""W3C extended logs (IIS, CloudFront): a directive names the fields of the lines after it."""

from __future__ import annotations

import re

from fasturl.logs.formats.keeping import keep_columns
from fasturl.logs.formats.logtext import HYPHEN
from fasturl.logs.formats.records import ALL, DETAILS, REFERER, TARGET, LineFormat, Records
from fasturl.logs.inputs.lines import Lines

# The names that a log may have for a detail; the first one present is taken.
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
    """Values divided by tabs or spaces, `-` for none. Its times are UTC by definition, and given as such."""

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

    def _keep_of_fields(self) -> None:
        """By the first line that names fields; a later one may have them elsewhere, or not at all."""
        if self._wanted and not self.kept:
            said = {*self._places.values()}
            others = [name for place, name in enumerate(self._fields) if place not in said]
            wanted = [name.lower() for name in self._wanted if name != ALL]
            wanted += others if ALL in self._wanted else []
            self.kept = keep_columns(tuple(wanted), self._fields, None)
        places = {name: place for place, name in enumerate(self._fields)}
        self._kept_places = [places.get(kept.source) for kept in self.kept]

    def matches(self, line: bytes) -> bool:
        if _START.match(line):
            self._directive(line)
            return True
        return bool(self._places) and len(_values(line)) == self._count

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
                records.empty += 1
                self._directive(line)
                continue
            values = _values(line)
            if not self._places or len(values) != self._count:
                records.rejects.append((lines.first + at, lines.raw[at]))
                continue
            get: dict[str, bytes | None] = {
                detail: None if values[place] == HYPHEN else values[place] for detail, place in self._places.items()
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
                b"%sT%sZ" % (date, clock) if date and clock else date or clock,
                get.get("method"),
                get.get("protocol"),
                int(status) if status else None,
                int(size) if size else None,
                get.get("agent"),
                get.get("vhost"),
            )
            others = [HYPHEN if place is None else values[place] for place in self._kept_places]
            kept = tuple([None if value == HYPHEN else value for value in others])
            records.add(lines.first + at, TARGET, target or None, detail, get.get(REFERER) or None, kept)
        records.lines = lines.count
        return records


def _values(line: bytes) -> list[bytes]:
    return line.split(b"\t") if b"\t" in line else line.split(b" ")


def _is_number(value: bytes | None) -> bool:
    return value is None or (value.isdigit() and len(value) <= 20)
