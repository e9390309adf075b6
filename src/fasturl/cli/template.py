"""`--get TEMPLATE`: one line of text a URL, with the names that trurl has.

`{host}` is decoded where that is safe (escapes of control octets stay, so a line stays a line), `{:host}` is
as written. `{query:key}` is the value of the first parameter of that name. What is absent is nothing. `{{` is
a brace, and backslash t, n, r and backslash stand for what they do in other languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fasturl import unquote_to_bytes
from fasturl.cli.decode import unquote_line
from fasturl.cli.failure import Failure
from fasturl.cli.formats import Value
from fasturl.cli.rows import QUERY, Row
from fasturl.cli.terminal import visible

Piece = Callable[[Row], bytes]
_ALIASES = {"user": "username"}
_TOKEN = re.compile(r"\{\{|\}\}|\\[tnr\\]|\{([^{}]*)\}|[{}]|[^{}\\]+|\\")
_LITERALS = {"{{": "{", "}}": "}", r"\t": "\t", r"\n": "\n", r"\r": "\r", "\\\\": "\\"}


def _octets(value: Value) -> bytes:
    if isinstance(value, bytes):
        return value
    if value is None:
        return b""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, tuple):
        return "|".join(value).encode()
    return str(value).encode("utf-8", "surrogateescape")


def _literal(octets: bytes) -> Piece:
    return lambda row: octets


def _as_written(place: int) -> Piece:
    return lambda row: _octets(row[place])


def _decoded(place: int) -> Piece:
    return lambda row: unquote_line(_octets(row[place]))


def _parameter(key: str, decode: bool) -> Piece:
    wanted = key.encode("utf-8", "surrogateescape")

    def piece(row: Row) -> bytes:
        for pair in _octets(row[QUERY]).split(b"&"):
            name, _, value = pair.partition(b"=")
            if name == wanted or unquote_to_bytes(name.replace(b"+", b" ")) == wanted:
                return unquote_line(value.replace(b"+", b" ")) if decode else value
        return b""

    return piece


def compile_template(template: str, columns: tuple[str, ...]) -> Callable[[Row], bytes]:
    """A function from a row (whose first columns are those of a URL, and all are `columns`) to a line,
    without its end.

    Failure when the template names what there is not.
    """
    places = {name: place for place, name in enumerate(columns)}
    pieces: list[Piece] = []
    for match in _TOKEN.finditer(template):
        token, name = match.group(), match.group(1)
        if name is None:
            if token in "{}":
                raise Failure(f"--get: there is a brace without its other half in {visible(template)}")
            pieces.append(_literal(_LITERALS.get(token, token).encode("utf-8", "surrogateescape")))
            continue
        decode = not name.startswith(":")
        bare = name.removeprefix(":")
        if bare.startswith("query:"):
            pieces.append(_parameter(bare.removeprefix("query:"), decode))
            continue
        bare = _ALIASES.get(bare, bare)
        if bare not in places:
            raise Failure(f"--get: there is no {{{visible(name)}}}; there are: user, query:KEY, {', '.join(columns)}")
        # The whole URL decoded would be another URL.
        pieces.append(_decoded(places[bare]) if decode and bare != "url" else _as_written(places[bare]))
    return lambda row: b"".join([piece(row) for piece in pieces])
