"""`--get TEMPLATE`: one line of text a URL, with the names that trurl has.

`{host}` is decoded where that is safe (escapes of control octets stay, so a line stays a line), `{:host}` is
as written. `{query:key}` is the value of the first parameter of that name. What is absent is nothing;
`{must:host}` ends the run where there is none, and `{default:port}` is the scheme's own port where the URL names
none. `{{` is a brace, and backslash t, n, r and backslash stand for what they do in other languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fasturl import unquote_to_bytes
from fasturl._fastparse import schemes
from fasturl.cli.decode import unquote_line
from fasturl.cli.failure import Failure
from fasturl.logs.formats.records import Value
from fasturl.logs.rows import COLUMNS
from fasturl.logs.shown import visible

# A template may name a log's details in any input: they are absent there.
_NAMES = COLUMNS
_ALIASES = {"user": "username"}
_TOKEN = re.compile(r"\{\{|\}\}|\\[tnr\\]|\{([^{}]*)\}|[{}]|[^{}\\]+|\\")
_LITERALS = {"{{": "{", "}}": "}", r"\t": "\t", r"\n": "\n", r"\r": "\r", "\\\\": "\\"}
Row = tuple[Value, ...]
# What stands in a row; None when it is absent.
_Piece = Callable[[Row], bytes | None]
_PREFIXES = (":", "must:", "default:")


class Absent(Exception):
    """A row lacks what `{must:...}` names, which is the argument."""


def _octets(value: Value) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, tuple):
        return "|".join(value).encode()
    return str(value).encode("utf-8", "surrogateescape")


def _literal(octets: bytes) -> _Piece:
    return lambda row: octets


def _as_written(place: int) -> _Piece:
    return lambda row: None if row[place] is None else _octets(row[place])


def _decoded(place: int) -> _Piece:
    return lambda row: None if row[place] is None else unquote_line(_octets(row[place]))


def _or_default(port: int, scheme: int, findings: int) -> _Piece:
    own = {name.encode(): b"%d" % number for name, (_, number) in schemes().items() if number is not None}

    def piece(row: Row) -> bytes | None:
        if row[port] is not None:
            return _octets(row[port])
        found = row[findings]
        is_bad = isinstance(found, tuple) and "BAD_PORT" in found
        return None if is_bad or row[scheme] is None else own.get(_octets(row[scheme]))

    return piece


def _required(piece: _Piece, name: str) -> _Piece:
    def required(row: Row) -> bytes:
        found = piece(row)
        if found is None:
            raise Absent(name)
        return found

    return required


def _parameter(query: int, key: str, decode: bool) -> _Piece:
    wanted = key.encode("utf-8", "surrogateescape")

    def piece(row: Row) -> bytes | None:
        if row[query] is None:
            return None
        for pair in _octets(row[query]).split(b"&"):
            name, _, value = pair.partition(b"=")
            if name == wanted or unquote_to_bytes(name.replace(b"+", b" ")) == wanted:
                return unquote_line(value.replace(b"+", b" ")) if decode else value
        return None

    return piece


class Template:
    """`columns` are those that it names; `line` makes of a row of these a line, without its end; Absent when it must
    have what it has not.

    Failure when it names what there is not.
    """

    def __init__(self, text: str) -> None:
        self._places: dict[str, int] = {}
        self._pieces = [self._piece(match) for match in _TOKEN.finditer(text)]
        self.columns = tuple(self._places)

    def _piece(self, match: re.Match[str]) -> _Piece:
        token, name = match.group(), match.group(1)
        if name is None:
            if token in "{}":
                raise Failure(f"--get: there is a brace without its other half in {visible(match.string)}")
            return _literal(_LITERALS.get(token, token).encode("utf-8", "surrogateescape"))
        found, bare = set(), name
        while prefix := next((each for each in _PREFIXES if bare.startswith(each)), None):
            found.add(prefix)
            bare = bare.removeprefix(prefix)
        piece = self._value(name, bare, ":" not in found, "default:" in found)
        return _required(piece, visible(bare)) if "must:" in found else piece

    def _value(self, name: str, bare: str, decode: bool, default: bool) -> _Piece:
        if default:
            if bare != "port":
                raise Failure(f"--get: only {{default:port}} has a default, not {{{visible(name)}}}")
            return _or_default(*map(self._place, ("port", "scheme", "findings")))
        if bare.startswith("query:"):
            return _parameter(self._place("query"), bare.removeprefix("query:"), decode)
        bare = _ALIASES.get(bare, bare)
        if bare not in _NAMES:
            raise Failure(f"--get: there is no {{{visible(name)}}}; there are: user, query:KEY, {', '.join(_NAMES)}")
        # The whole URL decoded would be another URL.
        make = _decoded if decode and bare != "url" else _as_written
        return make(self._place(bare))

    def _place(self, name: str) -> int:
        return self._places.setdefault(name, len(self._places))

    def line(self, row: Row) -> bytes:
        return b"".join([piece(row) or b"" for piece in self._pieces])
