"""Compile a new scheme's productions to a recogniser (RFC 1738 section 4).

The notation is the RFC's: ``"literal"`` (or ``<">`` for a quotation mark), ``a | b``, ``[ optional ]``, ``( group )``,
and ``*x``, ``1*x`` and ``n*x`` for repetition. ``*[ a | b ]`` repeats the contents of the brackets. ``;`` starts a
comment up to the end of the line. A production is a line. Lines that start with white space continue it. The first
production derives the schemepart. You can use all terms in RFC 1738 section 5, and you can define a term again. No
production may refer to itself, directly or indirectly. So the language is regular, and the recogniser reads each byte
once.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from typing import Any, Final, NamedTuple

from fasturl._fastparse import Productions
from fasturl._quoted import quoted
from fasturl.errors import FasturlError
from fasturl.schemes._rfc1738 import GRAMMAR, RAW

__all__ = ["GrammarError", "Productions", "compile"]

# The limit of ports holds wherever `hostport` stands, as in the schemes of RFC 1738.
_PORT: Final = """
port = 1*"0" | *"0" ( ( "1" | "2" | "3" | "4" | "5" ) [ digit [ digit [ digit [ digit ]]]]
     | "6" [ to-4 [ digit [ digit [ digit ]]] | from-6 [ digit [ digit ]]
     | "5" [ to-4 [ digit [ digit ]] | from-6 [ digit ]
     | "5" [ ( "0" | "1" | "2" ) [ digit ] | "3" [ to-4 | "5" ] | "4" | "5" | from-6 ]]]
     | ( "7" | "8" | "9" ) [ digit [ digit [ digit ]]] )
to-4 = "0" | "1" | "2" | "3" | "4"
from-6 = "6" | "7" | "8" | "9"
"""
MAX_REPEAT: Final = 256
MAX_NODES: Final = 20_000
MAX_STATES: Final = 2_000

_NAME = r"[A-Za-z][A-Za-z0-9+_-]*"
_TOKEN = re.compile(
    rf"""\s+ | ;.* | "(?P<literal>[^"]+)" | (?P<quote><">) | (?P<repeat>\d*\*) | (?P<mark>[|\[\]()])
       | (?P<name>{_NAME})""",
    re.VERBOSE,
)
_PRODUCTION = re.compile(rf"({_NAME})\s*=(.*)", re.DOTALL)
_WRITABLE = RAW["xchar"] + b"%"
# The bits of an edge that no byte follows. An edge with zero bits is followed without a byte.
NOTHING: Final = 1 << 256


class GrammarError(FasturlError, ValueError):
    """Productions that cannot be read or compiled."""


class _Edge(NamedTuple):
    """An edge to a node. `chars` has one bit for each byte that may follow, or no bit if the edge needs no byte."""

    chars: int
    to: int


# Right-hand sides as trees: tuples ("literal", bytes), ("name", str), ("sequence" | "either", [trees]),
# ("repeat", minimum, tree), ("optional", tree).
_Tree = tuple[Any, ...]


def _token(kind: str, text: str) -> str:
    """Return a token as a message shows it. Names and literals are hidden because they may contain a password."""
    return quoted(text) if kind == "mark" else f"{kind}"


class _Reader:
    """A parser of one right-hand side, by recursive descent."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise GrammarError(f"cannot read what stands at offset {at}")
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        self.tokens.append(("mark", ""))
        self.at = 0

    def mark(self) -> str | None:
        kind, text = self.tokens[self.at]
        return text if kind == "mark" else None

    def either(self, depth: int = 0) -> _Tree:
        if depth > 50:
            raise GrammarError("brackets nest deeper than 50")
        items = [self.sequence(depth)]
        while self.mark() == "|":
            self.at += 1
            items.append(self.sequence(depth))
        return items[0] if len(items) == 1 else ("either", items)

    def sequence(self, depth: int) -> _Tree:
        items = []
        while self.mark() not in ("", "|", "]", ")"):
            items.append(self.item(depth))
        if not items:
            raise GrammarError("an alternative is empty")
        return items[0] if len(items) == 1 else ("sequence", items)

    def item(self, depth: int) -> _Tree:
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "repeat":
            minimum = int(text[:-1] or 0) if len(text) < 5 else MAX_REPEAT + 1
            if minimum > MAX_REPEAT:
                raise GrammarError(f"repetition of more than {MAX_REPEAT}")
            if self.mark() == "[":
                self.at += 1
                return ("repeat", minimum, self.close_group("]", depth))
            return ("repeat", minimum, self.item(depth))
        if kind == "mark" and text == "[":
            return ("optional", self.close_group("]", depth))
        if kind == "mark" and text == "(":
            return self.close_group(")", depth)
        if kind == "literal":
            if not text.isascii():
                raise GrammarError("not US-ASCII")
            return ("literal", text.encode("ascii"))
        if kind == "quote":
            return ("literal", b'"')
        if kind == "name":
            return ("name", text)
        raise GrammarError(f"unexpected {_token(kind, text)}" if text else "unexpected end")

    def close_group(self, close: str, depth: int) -> _Tree:
        tree = self.either(depth + 1)
        if self.mark() != close:
            raise GrammarError(f"a {close} is missing")
        self.at += 1
        return tree


def read(text: str) -> dict[str, _Tree]:
    """Parse a text's productions. Return the trees by name, in order. GrammarError names a malformed production."""
    productions: dict[str, _Tree] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if lines and line[:1].isspace() and line.strip():
            lines[-1] += "\n" + line
        elif line.strip() and not line.lstrip().startswith(";"):
            lines.append(line)
    for line in lines:
        match = _PRODUCTION.fullmatch(line.strip())
        if match is None:
            raise GrammarError(f"no production: {quoted(line.strip())}")
        name, right = match.groups()
        if name in productions:
            raise GrammarError(f"{name}: defined twice")
        try:
            reader = _Reader(right)
            productions[name] = reader.either()
            if reader.mark() != "":
                raise GrammarError(f"unexpected {_token(*reader.tokens[reader.at])}")
        except GrammarError as error:
            raise GrammarError(f"{name}: {error}") from None
    if not productions:
        raise GrammarError("no production")
    return productions


class _Graph:
    """A nondeterministic automaton. Each path from node 0 to ``end`` is a derived text."""

    def __init__(self, productions: dict[str, _Tree], start: str) -> None:
        self.productions = productions
        self.edges: list[list[_Edge]] = [[]]
        self.sets: dict[str, int | None] = {}
        self.above: list[str] = []
        self.end = self.wire(("name", start), 0)

    def node(self) -> int:
        if len(self.edges) >= MAX_NODES:
            raise GrammarError(f"they take more than {MAX_NODES} nodes")
        self.edges.append([])
        return len(self.edges) - 1

    def join(self, start: int, to: int, chars: int = 0) -> int:
        self.edges[start].append(_Edge(chars, to))
        return to

    def tree(self, name: str) -> _Tree:
        if name in self.above:
            raise GrammarError(f"{name}: leads back to itself")
        if name not in self.productions:
            raise GrammarError(f"{self.above[-1] if self.above else name}: {name} is not defined")
        if len(self.above) >= 50:
            raise GrammarError(f"{name}: more than 50 productions deep")
        return self.productions[name]

    def chars(self, tree: _Tree) -> int | None:
        """Return, as bits, the bytes that a tree derives. Return None unless the tree derives only single bytes."""
        match tree:
            case ("literal", bytes(chars)):
                return 1 << chars[0] if len(chars) == 1 else None
            case ("name", str(name)):
                if name not in self.sets:
                    inner = self.tree(name)
                    self.above.append(name)
                    self.sets[name] = self.chars(inner)
                    self.above.pop()
                return self.sets[name]
            case ("either", list(items)):
                sets = [self.chars(item) for item in items]
                return None if None in sets else reduce(or_, sets)
        return None

    def wire(self, tree: _Tree, at: int) -> int:
        """Add the texts that a tree derives after a node. Return the last node."""
        chars = self.chars(tree)
        if chars is not None:
            return self.join(at, self.node(), chars)
        match tree:
            case ("literal", bytes(text)):
                for byte in text:
                    at = self.join(at, self.node(), 1 << byte)
            case ("name", str(name)):
                inner = self.tree(name)
                self.above.append(name)
                at = self.wire(inner, at)
                self.above.pop()
            case ("sequence", list(items)):
                for item in items:
                    at = self.wire(item, at)
            case ("either", list(items)):
                end = self.node()
                # All alternatives of one byte share an edge. Otherwise a class of characters would take one node per
                # character.
                self.join(at, end, reduce(or_, (self.chars(item) or 0 for item in items)) or NOTHING)
                for item in items:
                    if self.chars(item) is None:
                        self.join(self.wire(item, at), end)
                at = end
            case ("optional", inner):
                end = self.join(at, self.node())
                self.join(self.wire(inner, at), end)
                at = end
            case ("repeat", int(minimum), inner):
                for _ in range(minimum):
                    at = self.wire(inner, at)
                loop = self.join(at, self.node())
                self.join(self.wire(inner, loop), loop)
                at = loop
        return at

    def closure(self, nodes: Iterable[int]) -> frozenset[int]:
        """Return these nodes and all nodes that are reachable from them without a byte."""
        found = set(nodes)
        waiting = list(found)
        while waiting:
            for chars, to in self.edges[waiting.pop()]:
                if not chars and to not in found:
                    found.add(to)
                    waiting.append(to)
        return frozenset(found)


def compile(text: str) -> Productions:
    """Compile productions to a table, which recognises the texts that the first production derives.

    Parameters
    ----------
    text : str
        A production per line, in the module's notation.

    Returns
    -------
    Productions
        A table, whose ``stop(data)`` returns where bytes stop to fit, or None if they fit.

    Raises
    ------
    GrammarError
        If the text is malformed, if a name is undefined, if a production refers to itself, if a character may not stand
        raw in a URL, or if the grammar exceeds MAX_REPEAT, MAX_NODES or MAX_STATES.

    Examples
    --------
    >>> part = compile('part = "//" hostport "/" channel [ "," *digit ]\\n' 'channel = 1*uchar')
    >>> part.stop(b"//irc.dom/lobby;12"), part.stop(b"//irc.dom/"), part.stop(b"//irc.dom/lobby,1")
    (15, 10, None)
    """
    own = read(text)
    graph = _Graph({**_rfc1738(), **own}, next(iter(own)))
    byte_sets = {edge.chars for edges in graph.edges for edge in edges if edge.chars not in (0, NOTHING)}
    alien = reduce(or_, byte_sets) & ~sum(1 << byte for byte in _WRITABLE)
    if alien:
        byte = (alien & -alien).bit_length() - 1
        raise GrammarError(f"a character that no URL holds raw: {quoted(chr(byte))}")
    classes, examples = _classes(byte_sets)
    width = len(examples)
    numbers: dict[frozenset[int], int] = {frozenset(): 0, graph.closure([0]): 1}
    closures: dict[tuple[int, ...], frozenset[int]] = {}
    waiting = [frozenset(), *(states for states in numbers if states)]
    rows = array("H")
    for states in waiting:
        row = [0] * width
        for column in range(1, width):
            bit = 1 << examples[column]
            nodes = tuple([e.to for node in states for e in graph.edges[node] if e.chars & bit])
            to = closures.get(nodes)
            if to is None:
                to = closures[nodes] = graph.closure(nodes)
            if to not in numbers:
                if len(numbers) >= MAX_STATES:
                    raise GrammarError(f"they take more than {MAX_STATES} states")
                numbers[to] = len(numbers)
                waiting.append(to)
            row[column] = numbers[to]
        rows.extend(row)
    for state in range(len(waiting)):
        after = state
        for byte in b"%41":
            after = rows[after * width + classes[byte]]
        rows[state * width] = after
    accepting = bytes(graph.end in states for states in waiting)
    starts = array("I", (state * width for state in rows))
    return Productions(classes, width, starts.tobytes(), accepting)


def _classes(byte_sets: Iterable[int]) -> tuple[bytes, list[int]]:
    """Return each byte's column, and an example byte for each column. Bytes with the same edges share a column."""
    ordered = list(byte_sets)
    columns: dict[tuple[bool, ...], int] = {}
    examples = [0]
    classes = bytearray(256)
    for byte in sorted(_WRITABLE):
        signature = tuple(bool(chars >> byte & 1) for chars in ordered)
        if signature not in columns:
            columns[signature] = len(examples)
            examples.append(byte)
        classes[byte] = columns[signature]
    return bytes(classes), examples


@cache
def _rfc1738() -> dict[str, _Tree]:
    return {**read(GRAMMAR), **read(_PORT)}
