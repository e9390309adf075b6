"""`--get TEMPLATE`: one line of text per row, with the names of trurl.

`{host}` is decoded, except escapes of control characters, so that a line stays a line. `{:host}` is as written.
`{query:key}` is the value of the first parameter of that name. An absent value is empty. `{must:host}` ends the run if
the value is absent. `{default:port}` is the scheme's default port if the URL names none. `{{` is a brace. Backslash t,
n, r and backslash are escape sequences.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fasturl import unquote_to_bytes
from fasturl._fastparse import schemes
from fasturl._patterns import lazy_pattern
from fasturl._quoted import unknown
from fasturl.cli.failure import ALL_FIELDS, Failure
from fasturl.cli.terminal import unquote_line
from fasturl.logs.columns import COLUMNS
from fasturl.logs.formats.times import check_length, excerpt
from fasturl.logs.shown import as_bytes, visible

# The name of the log's user, or of the user in another input's URL.
_USER = "user"
_TOKEN = lazy_pattern(r"\{\{|\}\}|\\[tnr\\]|\{([^{}]*)\}|[{}]|[^{}\\]+|\\")
_LITERALS = {"{{": "{", "}}": "}", r"\t": "\t", r"\n": "\n", r"\r": "\r", "\\\\": "\\"}
Value = bytes | str | int | float | bool | tuple[str, ...] | None
Row = tuple[Value, ...]
# Returns the text for a row, or None if it is absent.
_Piece = Callable[[Row], bytes | None]
_PREFIXES = lazy_pattern(r"(?:must:|default:|:)*+")


class Absent(Exception):
    """A row lacks a value that the template requires. The argument is its name."""


def _bytes(value: Value) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, tuple):
        return "|".join(value).encode()
    return str(value).encode("utf-8", "surrogateescape")


def _part(place: int, decode: bool) -> _Piece:
    change = unquote_line if decode else bytes
    return lambda row: None if row[place] is None else change(_bytes(row[place]))


def _or_default(port: int, scheme: int, findings: int) -> _Piece:
    own = {name.encode(): b"%d" % number for name, (_, number) in schemes().items() if number is not None}

    def piece(row: Row) -> bytes | None:
        if row[port] is not None:
            return _bytes(row[port])
        found = row[findings]
        is_bad = isinstance(found, tuple) and "BAD_PORT" in found
        return None if is_bad or row[scheme] is None else own.get(_bytes(row[scheme]))

    return piece


def _requiring(piece: _Piece, name: str) -> _Piece:
    def required(row: Row) -> bytes:
        found = piece(row)
        if found is None:
            raise Absent(name)
        return found

    return required


def _parameter(query: int, key: str, decode: bool) -> _Piece:
    wanted = as_bytes(key)

    def piece(row: Row) -> bytes | None:
        if row[query] is None:
            return None
        for pair in _bytes(row[query]).split(b"&"):
            name, _, value = pair.partition(b"=")
            if name == wanted or unquote_to_bytes(name.replace(b"+", b" ")) == wanted:
                return unquote_line(value.replace(b"+", b" ")) if decode else value
        return None

    return piece


class Template:
    """A parsed template. Raise Failure for an unknown name."""

    def __init__(self, text: str) -> None:
        check_length("--get", text)
        self._places: dict[str, int] = {}
        self._pieces = [self._piece(match) for match in _TOKEN.finditer(text)]

    def _piece(self, match: re.Match[str]) -> _Piece:
        token, name = match.group(), match.group(1)
        if name is None:
            if token in "{}":
                raise Failure(f"--get: offset {match.start()}: unmatched brace: {excerpt(match.string)}")
            literal = as_bytes(_LITERALS.get(token, token))
            return lambda row: literal
        prefixes = _PREFIXES.match(name)
        said = prefixes[0] if prefixes is not None else ""
        bare = name[len(said) :]
        found = said.split(":")
        is_decoded = "" not in found[:-1]
        piece = self._value(name, bare, is_decoded, "default" in found)
        return _requiring(piece, visible(bare)) if "must" in found else piece

    def _value(self, name: str, bare: str, decode: bool, default: bool) -> _Piece:
        if default:
            if bare != "port":
                raise Failure(f"--get: only {{default:port}} has a default, not {{{excerpt(name)}}}")
            return _or_default(*map(self._place, ("port", "scheme", "findings")))
        if bare.startswith("query:"):
            return _parameter(self._place("query"), bare.removeprefix("query:"), decode)
        if bare not in COLUMNS:  # of a log: they are absent in inputs that are not logs
            raise Failure(f"--get: {unknown('column', bare, COLUMNS, ALL_FIELDS)}")
        # A decoded URL would be another URL.
        return _part(self._place(bare), decode and bare != "url")

    def _place(self, name: str) -> int:
        return self._places.setdefault(name, len(self._places))

    def columns_for(self, details: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns of a row, in order, for an input with these details. One column may occur twice."""
        return tuple("username" if name == _USER and not details else name for name in self._places)

    def line(self, row: Row) -> bytes:
        """Return the line for a row of the columns, without its end. Raise Absent if a required value is absent."""
        return b"".join([piece(row) or b"" for piece in self._pieces])
