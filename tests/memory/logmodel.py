"""Columns of log lines in guarded buffers of the documented sizes, and the same rows as the row reader gives them."""

import random
import struct
from collections.abc import Callable
from typing import Any

from guardpages import PAGE, Output

from fasturl import _logcolumns
from fasturl.cli.formats.catalog import Log
from fasturl.cli.formats.patterns import PLAIN
from fasturl.cli.formats.records import REFERER, Records
from fasturl.cli.inputs.lines import Lines

NAMES = ["COMMON", "COMBINED", "VCOMMON", "VCOMBINED"]
LINES = 64  # at most so many in one batch
LONGEST = 1200  # of a line, unless said otherwise
DETAILS = ("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost")
Slow = Callable[[int, bytes, bytes], Any]

MODELS = {
    "COMMON": b'h - - [17/May/2015:10:05:03 +0000] "GET /a?b HTTP/1.1" 200 2326',
    "COMBINED": b'192.0.2.1 - ann [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 - "http://r.example/?q" "A/1 (x)"',
    "VCOMMON": b'www.example:443 h - - [17/May/2015:10:05:03 +0000] "GET /a?b HTTP/1.1" 200 2326',
    "VCOMBINED": b'v h - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" - 7 "-" ""',
}
_TIMES = [
    *(b"17/May/2015:10:05:03 +0000", b"18/dec/1999:23:59:60 -1130", b"7/May/2015:10:05:03 +0000"),
    *(b"17/May/2015:10:05:03.123456789 +0000", b"31/Foo/2015:10:05:03 +0000", b"17/May/2015:10:05:03 0000 "),
    *(bytes(26), b"\xe9" * 26, b"x" * 64, b"x" * 65, b"-"),
]
_WORDS = [
    b"-",
    b"",
    b"ann",
    b"two words",
    b"caf\xe9",
    b"caf\xc3\xa9",
    b"\x00",
    b'"',
    b'\\"',
    b"\\xe9\\n",
    b"\\",
    b"a" * 12,
]
_WORDS += [b"a" * 13, b"[", b"]", b" ", b"\n", b"\r", b"/a?b=c", b"http://r.example/a/path", b"x" * 200]
_NUMBERS = [
    b"200",
    b"-",
    b"20",
    b"2000",
    b"0",
    b"9" * 18,
    b"9" * 19,
    b"9" * 20,
    b"18446744073709551615",
    b"1" * 21,
    b"",
]
_REQUESTS = [
    b"GET %s HTTP/1.1",
    b"POST %s HTTP/2",
    b"GET %s",
    b"%s",
    b"get %s HTTP/1.1",
    b"GET %s HTTP/",
    b"GET %s HTTP/1.x",
]


def written(rng: random.Random, name: str) -> bytes:
    """A line that may be in the format, or nearly so."""
    vhost, combined = PLAIN[name]

    def word() -> bytes:
        plain = [b"-", b"h", b"192.0.2.77", b"a-longer.example"]
        return rng.choice(_WORDS if rng.random() < 0.1 else plain)

    time = rng.choice(_TIMES) if rng.random() < 0.3 else b"17/May/2015:10:05:%02d +0000" % rng.randrange(3)
    request = rng.choice(_REQUESTS) if rng.random() < 0.2 else b"GET %s HTTP/1.1"
    status, size = rng.choice(_NUMBERS[:2]), rng.choice(_NUMBERS)
    if rng.random() < 0.1:
        status = rng.choice(_NUMBERS)
    line = b'%s - %s [%s] "%s" %s %s' % (word(), word(), time, request % (b"/" + word()), status, size)
    if vhost:
        line = word() + b" " + line
    if combined:
        line += b' "%s" "%s"' % (word(), word())
    return line + rng.choice([b"", b"", b"", b" more", b" ", b"x"])


def mutated(rng: random.Random, name: str) -> bytes:
    """Any line: whole, torn, with octets changed, taken out or put in, or made of two; of LONGEST octets at most."""
    line = written(rng, name)
    for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
        at, octet = rng.randrange(len(line) + 1), bytes([rng.randrange(256)])
        octet = rng.choice([octet, b" ", b'"', b"-", b"[", b"]", b"\\", b"\x00", b"\x80", b"9"])
        line = rng.choice(
            [
                line[:at],
                line[at:],
                line[:at] + octet + line[at:],
                line[:at] + octet + line[at + 1 :],
                line[:at] + line[at + 1 :],
                line[:at] + written(rng, rng.choice(NAMES))[rng.randrange(60) :],
                octet,
            ]
        )
    return line[:LONGEST].replace(b"\n", b"\t")


def block_of(lines: list[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])


Row = dict[str, Any]


def _value(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return value.encode()
    return None if name == "size" and value is not None and value >= 1 << 64 else value


def rows_of(records: Records) -> list[Row]:
    """The rows of the row reader, as columns can hold them."""
    found = []
    for number, field, url, detail in zip(records.numbers, records.fields, records.urls, records.details, strict=True):
        row = Row(number=number, referer=field == REFERER, url=url)
        row.update((name, _value(name, value)) for name, value in zip(DETAILS, detail, strict=True))
        found.append(row)
    return found


def expected(name: str, lines: list[bytes], first: int, *, by_pattern: bool) -> tuple[list[Row], list[int], int]:
    """Rows, the numbers of lines that are in no way in the format, and how many are empty."""
    log = Log(name)
    if by_pattern:
        log.plain = None
    records = log.read(Lines(first, block_of(lines)))
    return rows_of(records), [number for number, _ in records.rejects], records.empty


class Columns:
    """The buffers that read_lines fills, for LINES lines at most."""

    def __init__(self, arena: int = LINES * (LONGEST + 64)) -> None:
        self.views = {name: Output(1) for name in _logcolumns.VIEW_NAMES}
        self.bitmaps = {name: Output(1) for name in (*_logcolumns.VIEW_NAMES, "status", "size")}
        self.numbers, self.fields, self.targets, self.status, self.size = (Output(1) for _ in range(5))
        self.arena = Output(-(-arena // PAGE))
        self.everything = [
            *(*self.views.values(), *self.bitmaps.values(), self.numbers, self.fields, self.targets),
            *(self.status, self.size, self.arena),
        ]

    def arguments(self, blocks: list[bytes], at_end: bool) -> dict[str, Any]:
        """Addresses of rooms of just the documented sizes, filled with canaries where they need not be zero."""
        count = sum(block.count(b"\n") for block in blocks)
        capacity = _logcolumns.ROWS_A_LINE * count
        room = _logcolumns.arena_size(blocks, count, ord("\n"))
        bits = -(-capacity // 8)
        return {
            "separator": ord("\n"),
            "strips": True,
            "start": 0,
            "count": count,
            "numbers": self.numbers.room(8 * capacity, at_end),
            "fields": self.fields.room(capacity, at_end),
            "targets": self.targets.room(bits, at_end, fill=0),
            "views": tuple(view.room(16 * capacity, at_end) for view in self.views.values()),
            "bitmaps": tuple(bitmap.room(bits, at_end, fill=0) for bitmap in self.bitmaps.values()),
            "status": self.status.room(2 * capacity, at_end),
            "size": self.size.room(8 * capacity, at_end),
            "arena": self.arena.room(room, at_end),
            "arena_room": room,
        }

    def check(self) -> None:
        for output in self.everything:
            output.check()

    def read(
        self, name: str, blocks: list[bytes], slow: Slow, *, first: int = 1, start: int = 0, at_end: bool = True
    ) -> list[Row]:
        """The rows; every octet around the buffers, and what columns owe their readers, is looked at."""
        vhost, combined = PLAIN[name]
        given = {**self.arguments(blocks, at_end), "start": start}
        try:
            count, used, nulls = _logcolumns.read_lines(
                blocks, first=first, vhost=vhost, combined=combined, slow=slow, **given
            )
        finally:
            self.check()
        return self._rows(count, used, nulls, blocks)

    def _rows(self, count: int, used: int, nulls: tuple[int, ...], blocks: list[bytes]) -> list[Row]:
        bits = {name: int.from_bytes(output.octets(), "little") for name, output in self.bitmaps.items()}
        targets = int.from_bytes(self.targets.octets(), "little")
        for each, missing in zip(bits.values(), nulls, strict=True):
            assert each >> count == 0 and count - each.bit_count() == missing
        arena = self.arena.octets()
        assert arena[used:] == b"\xa5" * (len(arena) - used)  # nothing was put behind what is reported
        numbers = struct.unpack_from(f"<{count}q", self.numbers.octets())
        status = struct.unpack_from(f"<{count}h", self.status.octets())
        sizes = struct.unpack_from(f"<{count}Q", self.size.octets())
        fields = self.fields.octets()[:count]
        assert targets == sum((field == 0) << row for row, field in enumerate(fields))
        views = {name: output.octets() for name, output in self.views.items()}
        rows = []
        for row in range(count):
            found = Row(number=numbers[row], referer=bool(fields[row]))
            for name, view in views.items():
                text = self.text(view[16 * row : 16 * row + 16], [arena[:used], *blocks])
                there = bits[name] >> row & 1
                assert there or not text
                found[name] = text if there else None
            for name, values in (("status", status), ("size", sizes)):
                there = bits[name] >> row & 1
                assert there or values[row] == 0
                found[name] = values[row] if there else None
            rows.append(found)
        return rows

    @staticmethod
    def text(view: bytes, buffers: list[bytes]) -> bytes:
        length, start, buffer, offset = struct.unpack("<i4sii", view)
        if length <= 12:
            assert length >= 0 and not any(view[4 + length :])
            return view[4 : 4 + length]
        octets = buffers[buffer]
        assert buffer >= 0 and 0 <= offset <= len(octets) - length and octets[offset : offset + 4] == start
        return octets[offset : offset + length]


class Reader:
    """What reads the lines that are not plain, as the command does, and keeps what it could not read."""

    def __init__(self, name: str, lines: list[bytes], first: int) -> None:
        self.log, self.first = Log(name), first
        given = Lines(first, block_of(lines))
        self.raw, self.clean = given.raw, given.clean
        self.rejects: list[int] = []
        self.empty = 0

    def __call__(self, at: int, line: bytes, raw: bytes) -> Any:
        assert (line, raw) == (self.clean[at], self.raw[at])
        records = Records()
        if self.log.take(self.first + at, line, records):
            return records.urls, [field == REFERER for field in records.fields], records.details[0]
        if line:
            self.rejects.append(self.first + at)
        else:
            self.empty += 1
        return None
