"""Columns of log lines in guarded buffers of the documented sizes, and the expected rows of a slow reader."""

import random
import struct
from typing import Any

import slowlog
from guardpages import PAGE, Output
from slowlog import FORMATS, Row

from fasturl import _accesslog

NAMES = ["COMMON", "COMBINED", "VCOMMON", "VCOMBINED", "MIXED"]
LINES = 64  # the maximum in one batch
LONGEST = 1200  # bytes of a line, by default
# Columns that no common log has.
NEVER = dict.fromkeys(("request_id", "cache_status", "duration", "request_length"))

MODELS = {
    "COMMON": b'h - - [17/May/2015:10:05:03 +0000] "GET /a?b HTTP/1.1" 200 2326',
    "COMBINED": b'192.0.2.1 - ann [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 - "http://r.example/?q" "A/1 (x)"',
    "VCOMMON": b'www.example:443 h - - [17/May/2015:10:05:03 +0000] "GET /a?b HTTP/1.1" 200 2326',
    "MIXED": b'192.0.2.1 - ann [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 77 "http://r.example/?q" "A/1 (x)"',
    "VCOMBINED": b'v h - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" - 7 "-" ""',
}
_TIMES = [
    *(b"17/May/2015:10:05:03 +0000", b"18/dec/1999:23:59:60 -1130", b"7/May/2015:10:05:03 +0000"),
    *(b"17/May/2015:10:05:03.123456789 +0000", b"31/Foo/2015:10:05:03 +0000", b"17/May/2015:10:05:03 0000 "),
    *(bytes(26), b"\xe9" * 26, b"x" * 64, b"x" * 65, b"-"),
]
_WORDS = [b"-", b"", b"ann", b"two words", b"caf\xe9", b"caf\xc3\xa9", b"\x00", b'"', b'\\"', b"\\xe9\\n", b"\\",
          b"a" * 12]  # fmt: skip
_WORDS += [b"a" * 13, b"[", b"]", b" ", b"\n", b"\r", b"/a?b=c", b"http://r.example/a/path", b"x" * 200]
_NUMBERS = [b"200", b"-", b"20", b"2000", b"0", b"9" * 18, b"9" * 19, b"9" * 20, b"18446744073709551615", b"1" * 21,
            b""]  # fmt: skip
_REQUESTS = [b"GET %s HTTP/1.1", b"POST %s HTTP/2", b"GET %s", b"%s", b"get %s HTTP/1.1", b"GET %s HTTP/",
             b"GET %s HTTP/1.x"]  # fmt: skip
_MORE = [b" more", b" ", b"x", b' "a" 1 [up-80] [] [::1]:80 0.1', b' rt=0.1 up="0, 1" "-"', b' [x] "y"', b' "a\\"b"']
_MORE += [b' "GET / HTTP/1.1" 200', b" [a b]", b' "open', b' "a"b', b"  -  x] [", b' x[1]"y" []"z" "HEAD  HTTP/"']


def written(rng: random.Random, name: str) -> bytes:
    """Return a line that is in the format, or nearly so."""
    vhost, combined = FORMATS[name]

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
    if combined == 1 or (combined and rng.random() < 0.5):
        line += b' "%s" "%s"' % (word(), word())
    return line + rng.choice([b""] * 40 + _MORE)


def mutated(rng: random.Random, name: str) -> bytes:
    """Return any line: whole, torn, joined from two, or with bytes changed, removed or added; cut at LONGEST."""
    line = written(rng, name)
    if rng.random() < 0.1:  # torn, and followed by the next line
        line = line[: rng.randrange(len(line) + 1)] + written(rng, name)
    for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
        at, byte = rng.randrange(len(line) + 1), bytes([rng.randrange(256)])
        byte = rng.choice([byte, b" ", b'"', b"-", b"[", b"]", b"\\", b"\x00", b"\x80", b"9"])
        line = rng.choice([line[:at], line[at:], line[:at] + byte + line[at:], line[:at] + byte + line[at + 1 :],
                           line[:at] + line[at + 1 :], line[:at] + written(rng, rng.choice(NAMES))[rng.randrange(60) :],
                           byte])  # fmt: skip
    return line[:LONGEST].replace(b"\n", b"\t")


def block_of(lines: list[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])


def expected(
    name: str, lines: list[bytes], first: int, by_request: bool = False
) -> tuple[list[Row], list[tuple[int, bytes]], int]:
    """Return the rows, the rejected lines with their numbers, and the number of empty lines."""
    found: list[Row] = []
    rejects = []
    empty = 0
    for number, raw in enumerate(lines, first):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        line = line.removesuffix(b"\r")
        read = slowlog.rows(name, line)
        if not line:
            empty += 1
        elif read is None:
            rejects.append((number, raw))
        elif by_request:
            found.append(Row(number=number, **read[0], **NEVER, said=read[1]["url"] if len(read) > 1 else None))
        else:
            found += [Row(number=number, **row, **NEVER, said=None) for row in read if row["url"] is not None]
    return found, rejects, empty


class Columns:
    """The buffers that read_lines fills, for LINES lines at most."""

    def __init__(self, arena: int = LINES * (LONGEST + 64)) -> None:
        self.views = {name: Output(1) for name in _accesslog.VIEW_NAMES}
        self.figures = {name: Output(1) for name in _accesslog.NUMBER_NAMES}
        self.bitmaps = {name: Output(1) for name in (*_accesslog.VIEW_NAMES, *self.figures)}
        self.numbers, self.fields, self.targets = (Output(1) for _ in range(3))
        self.arena = Output(-(-arena // PAGE))
        self.everything = [
            *(*self.views.values(), *self.bitmaps.values(), self.numbers, self.fields, self.targets),
            *(*self.figures.values(), self.arena),
        ]

    def arguments(self, blocks: list[bytes], at_end: bool) -> dict[str, Any]:
        """Return addresses of buffers of exactly the documented sizes, filled with canaries where they need not be
        zero."""
        count = sum(block.count(b"\n") for block in blocks)
        capacity = _accesslog.ROWS_A_LINE * count
        arena = sum(map(len, blocks))
        bits = -(-capacity // 8)
        return {
            "separator": ord("\n"),
            "strips": True,
            "start": 0,
            "count": count,
            "numbers": self.numbers.buffer(8 * capacity, at_end),
            "fields": self.fields.buffer(capacity, at_end),
            "targets": self.targets.buffer(bits, at_end, fill=0),
            "views": tuple(view.buffer(16 * capacity, at_end) for view in self.views.values()),
            "validity": tuple(bitmap.buffer(bits, at_end, fill=0) for bitmap in self.bitmaps.values()),
            "figures": tuple(
                figure.buffer((2 if name == "status" else 8) * capacity, at_end)
                for name, figure in self.figures.items()
            ),
            "arena": self.arena.buffer(arena, at_end),
            "arena_size": arena,
        }

    def check(self) -> None:
        for output in self.everything:
            output.check()

    def read(
        self,
        name: str,
        blocks: list[bytes],
        *,
        first: int = 1,
        start: int = 0,
        at_end: bool = True,
        by_request: bool = False,
    ) -> tuple[list[Row], list[tuple[int, bytes]], int]:
        """Read lines into the buffers; return the same as `expected`. Check the canaries around the buffers, and what
        columns guarantee to their readers."""
        vhost, combined = FORMATS[name]
        given = {**self.arguments(blocks, at_end), "start": start}
        try:
            count, used, nulls, empty, rejects = _accesslog.read_lines(
                blocks, first=first, vhost=vhost, combined=combined, by_request=by_request, **given
            )
        finally:
            self.check()
        return self._rows(count, used, nulls, blocks), rejects, empty

    def _rows(self, count: int, used: int, nulls: tuple[int, ...], blocks: list[bytes]) -> list[Row]:
        bits = {name: int.from_bytes(output.data(), "little") for name, output in self.bitmaps.items()}
        targets = int.from_bytes(self.targets.data(), "little")
        for each, missing in zip(bits.values(), nulls, strict=True):
            assert each >> count == 0 and count - each.bit_count() == missing
        arena = self.arena.data()
        assert arena[used:] == b"\xa5" * (len(arena) - used)  # nothing was written behind the reported end
        numbers = struct.unpack_from(f"<{count}q", self.numbers.data())
        kinds = {"status": "h", "duration": "d"}
        figures = {
            name: struct.unpack_from(f"<{count}{kinds.get(name, 'Q')}", figure.data())
            for name, figure in self.figures.items()
        }
        fields = self.fields.data()[:count]
        assert targets == sum((field == 0) << row for row, field in enumerate(fields))
        views = {name: output.data() for name, output in self.views.items()}
        rows = []
        for row in range(count):
            found = Row(number=numbers[row], referer=bool(fields[row]))
            for name, view in views.items():
                text = self.text(view[16 * row : 16 * row + 16], [arena[:used], *blocks])
                there = bits[name] >> row & 1
                assert there or not text
                found["said" if name == "referer" else name] = text if there else None
            for name, values in figures.items():
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
        data = buffers[buffer]
        assert buffer >= 0 and 0 <= offset <= len(data) - length and data[offset : offset + 4] == start
        return data[offset : offset + length]
