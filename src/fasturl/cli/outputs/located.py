"""Where a URL stands in the line that it was read from, for editors: servers and JSON may have escaped it there."""

from __future__ import annotations

import codecs
import contextlib
import re
from bisect import bisect_right

from fasturl.logs.formats.records import REFERER
from fasturl.logs.inputs.lines import Lines

_ESCAPE = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([\s\S]))|""')
# What may stand beside a field, and how many places are looked at.
_EDGES = b" \t\r\"',;|"
_TRIES = 8
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def _meant(escape: re.Match[bytes]) -> bytes:
    octet, character, letter = escape.groups()
    if octet:
        return bytes([int(octet, 16)])
    if character:
        try:
            return chr(int(character, 16)).encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half of a pair
            return b"?"
    return b'"' if letter is None else _LETTERS.get(letter, letter)


class _Unescaped:
    """A line without its escapes, and from a place in that to the place in the line."""

    def __init__(self, line: bytes) -> None:
        pieces: list[bytes] = []
        self._from, self._to = [0], [0]
        end = length = 0
        for escape in _ESCAPE.finditer(line):
            meant = _meant(escape)
            pieces += (line[end : escape.start()], meant)
            length += escape.start() - end
            end = escape.end()
            self._from += (length, length + len(meant))
            self._to += (escape.start(), end)
            length += len(meant)
        self.text = b"".join((*pieces, line[end:]))

    def place(self, at: int) -> int:
        """Within an escape: where it starts."""
        before = bisect_right(self._from, at) - 1
        # Every second entry is an escape, whatever its length.
        return self._to[before] + (0 if before % 2 else at - self._from[before])


def _between_edges(text: bytes, url: bytes, start: int) -> int:
    """The first place from `start` on where the text has the URL as a field; -1 where it has none."""
    at = text.find(url, start)
    for _ in range(_TRIES):
        if at < 0:
            return -1
        end = at + len(url)
        if (at == 0 or text[at - 1] in _EDGES) and (end == len(text) or text[end] in _EDGES):
            return at
        at = text.find(url, at + 1)
    return -1


def _found(text: bytes, url: bytes, field: str) -> int:
    """Where the URL of this field begins; -1 where it is not to be found."""
    if text == url:
        return 0
    quoted = text.find(b'"') + 1  # in a log the request: no `/` of a date
    if field == REFERER:
        at = text.find(b'"%b"' % url, max(quoted - 1, 0))
        if at >= 0:
            return at + 1
    # W3C logs have the path and the query in two fields.
    for written in (url, url.replace(b"?", b" ", 1)):
        for start in dict.fromkeys((quoted, 0)):
            at = _between_edges(text, written, start)
            if at >= 0:
                return at
    return -1


def _is_inside(line: bytes, start: int, begun: int) -> bool:
    """Whether a character of more octets than have begun starts there."""
    for length in range(begun + 1, 5):
        with contextlib.suppress(UnicodeDecodeError):
            return len(line[start : start + length].decode()) == 1
    return False


class Place:
    """Where in a line a URL stands. Columns count characters from 1: those of UTF-8, and each octet that is none.

    Columns of places that go on are counted on from each other: all together cost O(line).
    """

    def __init__(self, line: bytes, url: bytes, field: str) -> None:
        self._line = line
        self._start = _found(line, url, field)
        self._unescaped: _Unescaped | None = None
        if self._start < 0 and (b"\\" in line or b'""' in line):
            self._unescaped = _Unescaped(line)
            self._start = _found(self._unescaped.text, url, field)
        self.is_known = self._start >= 0
        self._is_ascii = line.isascii()
        self._begin()

    def _begin(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._at = self._characters = 0

    def column(self, offset: int) -> int:
        """Of the character that the octet at this offset of the URL is of; 1 when the place is not known."""
        if not self.is_known:
            return 1
        at = self._place(offset)
        if self._is_ascii:
            self._at = at
            return at + 1
        if at < self._at:
            self._begin()
        self._characters += len(self._decoder.decode(self._line[self._at : at]))
        self._at = at
        return self._characters + self._counted_from(self._decoder.getstate()[0])

    def columns_on(self, offset: int) -> int:
        """How many columns behind the last one that was asked for; the places that follow are counted on from that."""
        at = self._place(offset)
        if self._is_ascii:
            return max(at - self._at, 0)
        state = self._decoder.getstate()
        before = self._counted_from(state[0])
        passed = len(self._decoder.decode(self._line[self._at : at]))
        begun, self._at = self._at, at
        after = self._counted_from(self._decoder.getstate()[0])
        self._at = begun
        self._decoder.setstate(state)
        return passed + after - before

    def _place(self, offset: int) -> int:
        at = self._start + offset
        return at if self._unescaped is None else self._unescaped.place(at)

    def _counted_from(self, begun: bytes) -> int:
        """The octets of a character that has begun and ends behind this place are that one; others are one each."""
        length = len(begun)
        return 1 if _is_inside(self._line, self._at - length, length) else 1 + length


class KeptLines:
    """The lines of a unit by their numbers."""

    def __init__(self, batches: list[Lines]) -> None:
        self._batches = batches
        self._firsts = [lines.first for lines in batches]

    def line(self, number: int) -> bytes | None:
        at = bisect_right(self._firsts, number) - 1
        if at < 0 or number - self._firsts[at] >= self._batches[at].count:
            return None
        lines = self._batches[at]
        line = lines.raw[number - lines.first]
        return line[lines.start :] if number == lines.first else line
