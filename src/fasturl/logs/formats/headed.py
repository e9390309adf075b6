"""Tables below a line that names their columns: `timestamp,method,path,status`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from fasturl._accesslog import TEMPLATE_STEPS_MAX
from fasturl._patterns import lazy_pattern
from fasturl.logs.columns import TARGET
from fasturl.logs.formats.evidence import DELIMITERS, METHODS
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.usual import UNKNOWN_UNIT, USUAL, plain_name, unit_of
from fasturl.logs.formats.w3c import NAMES, W3C

_NAME = lazy_pattern(rb'"?[A-Za-z_@][\w .()@:/-]{0,60}"?')
_FIRST_NAME = lazy_pattern(_NAME.pattern + b"[%s]" % b"".join(DELIMITERS))  # few lines of logs begin so
_HEADER_MAX = 8192
_TRIED_MAX = 8  # lines of names, of which the header is one of the first


@cache
def _evidence() -> dict[str, re.Pattern[bytes]]:
    kinds = {"method": METHODS, "status": rb"[1-5][0-9]{2}", "client": rb"[0-9A-Fa-f:.]*[.:][0-9A-Fa-f:.]+"}
    return {name: re.compile(kind) for name, kind in kinds.items()}


@cache
def _columns() -> dict[bytes, str]:
    """Return the column of each name: those of objects, and those of W3C logs."""
    found: dict[bytes, str] = {}
    for column, names in NAMES.items():
        found |= {plain_name(name): column for name in names}
    for column, keys in USUAL.items():
        found |= {plain_name(key.encode()): column for key in reversed(keys)}
    return found | {b"csuri": "request", b"timemicros": "time", b"timestampmicros": "time"}


@lru_cache(1024)
def _column_of(name: bytes) -> str:
    if known := _columns().get(plain_name(name)):
        return known
    from fasturl.logs.formats.keyed import columns_of  # compiles patterns that few runs need

    return next(iter(columns_of(name.decode("latin-1"))), "")


@cache
def _ranks() -> dict[bytes, int]:
    """Return the place of each name among those of its column."""
    return {plain_name(key.encode()): rank for keys in USUAL.values() for rank, key in enumerate(keys)}


class RequestTable(W3C):
    """A table of requests, divided by tabs, commas, semicolons or bars. Its first line names the columns.

    The names are those of objects with usual keys. There must be a target, a status, and a method or a client.
    """

    def __init__(self) -> None:
        self._header = b""
        self._tried = 0
        super().__init__("TABLE")

    def _places_of(self, fields: list[bytes]) -> dict[int, str]:
        names = [plain_name(field) for field in fields]
        places: dict[str, int] = {}
        ranks = _ranks() if names else {}
        for place, name in enumerate(names):
            column = _column_of(fields[place])
            if column and (column not in places or ranks.get(name, 999) < ranks.get(names[places[column]], 999)):
                places[column] = place
        if b"date" in names and b"time" in names:
            places["time"], places["clock"] = names.index(b"date"), names.index(b"time")
        return {place: column for column, place in places.items() if column != "kind"}

    def _unit(self, place: int) -> bytes:
        # The case of a key tells its program, and so its unit: responseTime, responsetime. Any program writes tables.
        written = self._header.split(self._separator)[place].strip(b'" ').decode("latin-1")
        exponent = unit_of(written)
        is_known = exponent != UNKNOWN_UNIT and exponent == unit_of(written.lower())
        return b"%d" % exponent if is_known else b"u"

    def _fields_of(self, line: bytes) -> list[bytes] | None:
        if self._given or self._tried == _TRIED_MAX or len(line) > _HEADER_MAX or not _FIRST_NAME.match(line):
            return None
        separator = max(DELIMITERS, key=line.count)
        fields = line.split(separator)
        if not 3 <= len(fields) <= TEMPLATE_STEPS_MAX or not all(map(_NAME.fullmatch, fields)):
            return None
        self._tried += 1
        names = [field.strip(b'" ').lower() for field in fields]
        has = set(self._places_of(names).values())
        if not has & {TARGET, "request"} or "status" not in has or not has & {"method", "client", "request"}:
            return None
        self._separator, self._header = separator, line
        return names

    def fits(self, line: bytes) -> bool:
        fields = self._fields_of(line)
        if fields is not None:
            self._set_fields(fields)
        return self.is_header(line) or bool(self._given and self.template.is_record(line))

    @property
    def detects(self) -> Callable[[bytes], bool]:
        return self._is_row

    def _is_row(self, line: bytes) -> bool:
        """Return True for a row that has a method or a client. Its method, status and client must look like theirs."""
        if not (self._given or _FIRST_NAME.match(line)) or not self.matches(line) or self.is_header(line):
            return False
        values = self.template.fields(self.line(line)) or {}
        kinds = [kind.fullmatch(values[name]) is not None for name, kind in _evidence().items() if name in values]
        return all(kinds) and not values.keys().isdisjoint(("method", "client", "request"))

    def place(self, line: bytes) -> Stop:
        return super().place(line) if self._given else Stop(0, "header")

    def may_change(self, octets: bytes) -> bool:
        return not self._given

    def changes_state(self, line: bytes) -> bool:
        fields = self._fields_of(self.line(line))
        if fields is not None:
            self._set_fields(fields)
        return fields is not None

    def is_header(self, line: bytes) -> bool:
        return bool(self._header) and self.line(line) == self._header
