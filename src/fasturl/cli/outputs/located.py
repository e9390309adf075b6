"""The position of a URL in its line of the input, where a server or JSON may have escaped it."""

from __future__ import annotations

import codecs
import contextlib
import re
from bisect import bisect_right

from fasturl.logs.columns import REFERER
from fasturl.logs.inputs.lines import Lines

_ESCAPE = re.compile(
    rb'\\(?:x([0-9A-Fa-f]{2})|u([Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|[0-9A-Fa-f]{4})|([\s\S]))|""'
)
# How a URL has a lone surrogate of JSON: as the byte that it stands for or as written, or as the bytes of its number.
_SURROGATES = ("surrogateescape", "surrogatepass")
_EDGES = b" \t\r\n\"',;|"  # delimiters beside a field
_STARTS = _EDGES + b":="  # also the ends of labels, as in logfmt
NO_EDGE = b"[^%s]" % re.escape(_STARTS)
# A character, which may have an escape, in UTF-8; or the escape of a lone surrogate.
_CHARACTER = rb"\\u[0-9A-Fa-f]{4}|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\s\S]"
_TRIES = 8  # occurrences to check for delimiters
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def _unescape(escape: re.Match[bytes], surrogates: str) -> bytes:
    byte, character, letter = escape.groups()
    if byte:
        return bytes([int(byte, 16)])
    if character:
        units = escape[0].decode("unicode-escape").encode("utf-16", "surrogatepass")
        try:
            return units.decode("utf-16", "surrogatepass").encode("utf-8", surrogates)
        except UnicodeEncodeError:
            return escape[0]
    return b'"' if letter is None else _LETTERS.get(letter, letter)


class _UnescapedLine:
    """A line without its escape sequences. `place` maps an offset in it to the offset in the line."""

    def __init__(self, line: bytes, surrogates: str) -> None:
        self._surrogates = surrogates
        pieces: list[bytes] = []
        self._from, self._to = [0], [0]
        end = length = 0
        for escape in _ESCAPE.finditer(line):
            meant = _unescape(escape, surrogates)
            pieces += (line[end : escape.start()], meant)
            length += escape.start() - end
            end = escape.end()
            self._from += (length, length + len(meant))
            self._to += (escape.start(), end)
            length += len(meant)
        self.text = b"".join((*pieces, line[end:]))

    def place(self, at: int) -> int:
        """Return the offset in the line; within an escape sequence, the offset of its start."""
        before = bisect_right(self._from, at) - 1
        # Every second entry starts an escape sequence.
        return self._to[before] + (0 if before % 2 else at - self._from[before])

    def escape_like(self, old: bytes, new: bytes) -> bytes:
        """Escape the characters that a part of the line has escaped, in its way."""
        ways = {_unescape(escape, self._surrogates): escape[0] for escape in _ESCAPE.finditer(old)}
        if not ways:
            return new

        def escaped(character: re.Match[bytes]) -> bytes:
            data = character[0]
            return ways.get(data) or b"".join(ways.get(each, each) for each in map(int.to_bytes, data))

        # Alternatives for all characters with an escape would be tried one by one.
        firsts = re.escape(b"".join({meant[:1] for meant in ways}))
        return re.sub(rb"(?=[%s])(?:%s)" % (firsts, _CHARACTER), escaped, new)


def _between_edges(text: bytes, url: bytes, start: int) -> int:
    """Return the first offset from `start` at which the URL is between delimiters, or -1."""
    at = text.find(url, start)
    for _ in range(_TRIES):
        if at < 0:
            return -1
        end = at + len(url)
        if (at == 0 or text[at - 1] in _STARTS) and (end == len(text) or text[end] in _EDGES):
            return at
        at = text.find(url, at + 1)
    return -1


def _find(text: bytes, url: bytes, field: str) -> int:
    """Return the offset of the URL of this field, or -1 if it is not found."""
    if text == url:
        return 0
    quoted = text.find(b'"') + 1  # starts a log's request, so that the `/` of a date is not a match
    if field == REFERER:
        at = text.find(b'"%b"' % url, max(quoted - 1, 0))
        if at >= 0:
            return at + 1
    # A W3C log has the path and the query in two fields.
    for written in (url, url.replace(b"?", b" ", 1)):
        for start in dict.fromkeys((quoted, 0)):
            at = _between_edges(text, written, start)
            if at >= 0:
                return at
    return -1


def _is_inside(line: bytes, start: int, begun: int) -> bool:
    """Return True if a UTF-8 character of more than `begun` bytes starts there."""
    for length in range(begun + 1, 5):
        with contextlib.suppress(UnicodeDecodeError):
            return len(line[start : start + length].decode()) == 1
    return False


def _equal_bytes(one: bytes, other: bytes) -> int:
    """Return the length of the common start of two texts."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


class Place:
    """The position of a URL in its line. Columns count from 1: UTF-8 characters, and each byte that is not UTF-8.

    Ascending columns continue the count, so all of them together take time linear in the line.
    """

    def __init__(self, line: bytes, url: bytes, field: str) -> None:
        self._line = line
        self._url = url
        self._start = _find(line, url, field)
        self._unescaped: _UnescapedLine | None = None
        for surrogates in _SURROGATES if b"\\" in line or b'""' in line else ():
            if self._start < 0:
                self._unescaped = _UnescapedLine(line, surrogates)
                self._start = _find(self._unescaped.text, url, field)
        self.is_known = self._start >= 0
        self._is_ascii = line.isascii()
        self._begin()

    def _begin(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._at = self._characters = 0

    def edit(self, new: bytes) -> tuple[int, int, bytes] | None:
        """Return the start and end of what to replace in the line to write another URL there, and the new text.

        The text has the escape sequences of the line. None if the position is unknown.
        """
        if not self.is_known:
            return self._edit_query(new)
        start, end = self._start, self._start + len(self._url)
        old = (self._line if self._unescaped is None else self._unescaped.text)[start:end]
        if b"?" in self._url and old != self._url:  # a W3C log has the path and the query, or `-`, in two fields
            path, mark, query = new.partition(b"?")
            new = path + b" " + (query if mark else b"-")
        if self._unescaped is None:
            return start, end, new
        # Equal parts at both ends keep their escape sequences, whichever these are.
        first = _equal_bytes(old, new)
        last = _equal_bytes(old[first:][::-1], new[first:][::-1])
        bounds = (start, start + first, end - last, end)
        start, changed, unchanged, end = map(self._unescaped.place, bounds)
        middle = self._unescaped.escape_like(self._line[changed:unchanged], new[first : len(new) - last])
        return start, end, self._line[start:changed] + middle + self._line[unchanged:end]

    def _edit_query(self, new: bytes) -> tuple[int, int, bytes] | None:
        """Return the edit of the query, which some formats have in a field of its own, apart from the path.

        None if the path changes too, or if the query is not found.
        """
        path, _, query = self._url.partition(b"?")
        new_path, _, new_query = new.partition(b"?")
        for mark in (b"", b"?") if query and path == new_path else ():
            field = Place(self._line, mark + query, "")
            if field.is_known:
                return field.edit(mark + new_query)
        return None

    def column(self, offset: int) -> int:
        """Return the column of the character that contains this byte of the URL; 1 if the position is unknown."""
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
        return self._characters + self._count_from(self._decoder.getstate()[0])

    def _place(self, offset: int) -> int:
        at = self._start + offset
        return at if self._unescaped is None else self._unescaped.place(at)

    def _count_from(self, begun: bytes) -> int:
        """Return 1 if the pending bytes belong to a character that ends later; else count each of them."""
        length = len(begun)
        return 1 if _is_inside(self._line, self._at - length, length) else 1 + length


class KeptLines:
    """The lines of a unit, by line number."""

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
