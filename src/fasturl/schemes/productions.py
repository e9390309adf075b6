"""Productions of a new scheme, compiled to a recogniser (RFC 1738 section 4: a name, and a syntax for its
part).

The notation is the RFC's: ``"literal"`` (or ``<">`` for a quotation mark), ``a | b``, ``[ optional ]``, ``(
group )``, ``*x``, ``1*x`` and ``n*x`` for repetition, where ``*[ a | b ]`` repeats what the brackets hold,
and ``;`` to the end of a line for a comment. A production is a line, and goes on in lines that start with
white space. The first one derives the schemepart. All terms of RFC 1738 section 5 are there to be used; a
production of one of their names takes its place. No production may lead back to itself, so what they derive
is regular: it is recognised by one look at each octet.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from typing import Any, Final, NamedTuple

from fasturl.schemes._rfc1738 import GRAMMAR, RAW

__all__ = ["GrammarError", "Recogniser", "compile"]

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
_HEX = RAW["hex"]
_BAD_ESCAPE = re.compile(rb"%(?![" + _HEX + rb"]{2})")
_WRITABLE = RAW["xchar"] + b"%"
# An edge for no octet at all, where zero bits would need none.
NOTHING: Final = 1 << 256


class GrammarError(ValueError):
    """Productions that cannot be read, or that derive nothing a recogniser can be made of."""


class _Edge(NamedTuple):
    """Octets, as bits of an int, that lead on; zero bits: no octet is needed."""

    octets: int
    to: int


# Right-hand sides as trees: tuples ("literal", bytes), ("name", str), ("sequence" | "either", [trees]),
# ("repeat", minimum, tree), ("optional", tree).
_Tree = tuple[Any, ...]


class _Reader:
    """One right-hand side, read by recursive descent."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise GrammarError(f"cannot read {text[at : at + 20]!r}")
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
                return ("repeat", minimum, self.closed("]", depth))
            return ("repeat", minimum, self.item(depth))
        if kind == "mark" and text == "[":
            return ("optional", self.closed("]", depth))
        if kind == "mark" and text == "(":
            return self.closed(")", depth)
        if kind == "literal":
            if not text.isascii():
                raise GrammarError(f"not US-ASCII: {text!r}")
            return ("literal", text.encode("ascii"))
        if kind == "quote":
            return ("literal", b'"')
        if kind == "name":
            return ("name", text)
        raise GrammarError(f"unexpected {text!r}" if text else "unexpected end")

    def closed(self, close: str, depth: int) -> _Tree:
        tree = self.either(depth + 1)
        if self.mark() != close:
            raise GrammarError(f"a {close} is missing")
        self.at += 1
        return tree


def read(text: str) -> dict[str, _Tree]:
    """The productions of a text, by name, in order; GrammarError names the one that cannot be read."""
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
            raise GrammarError(f"no production: {line.strip()[:40]!r}")
        name, right = match.groups()
        if name in productions:
            raise GrammarError(f"{name}: defined twice")
        try:
            reader = _Reader(right)
            productions[name] = reader.either()
            if reader.mark() != "":
                raise GrammarError(f"unexpected {reader.tokens[reader.at][1]!r}")
        except GrammarError as error:
            raise GrammarError(f"{name}: {error}") from None
    if not productions:
        raise GrammarError("no production")
    return productions


class _Graph:
    """Nodes, and edges between them; each way from node 0 to ``end`` is a text that is derived."""

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

    def join(self, start: int, to: int, octets: int = 0) -> int:
        self.edges[start].append(_Edge(octets, to))
        return to

    def tree(self, name: str) -> _Tree:
        if name in self.above:
            raise GrammarError(f"{name}: leads back to itself")
        if name not in self.productions:
            raise GrammarError(f"{self.above[-1] if self.above else name}: {name} is not defined")
        if len(self.above) >= 50:
            raise GrammarError(f"{name}: more than 50 productions deep")
        return self.productions[name]

    def octets(self, tree: _Tree) -> int | None:
        """The octets of a tree that derives single octets only, as bits; None for any other."""
        match tree:
            case ("literal", bytes(octets)):
                return 1 << octets[0] if len(octets) == 1 else None
            case ("name", str(name)):
                if name not in self.sets:
                    inner = self.tree(name)
                    self.above.append(name)
                    self.sets[name] = self.octets(inner)
                    self.above.pop()
                return self.sets[name]
            case ("either", list(items)):
                sets = [self.octets(item) for item in items]
                return None if None in sets else reduce(or_, sets)
        return None

    def wire(self, tree: _Tree, at: int) -> int:
        """Lay what a tree derives behind a node; the node where that ends."""
        octets = self.octets(tree)
        if octets is not None:
            return self.join(at, self.node(), octets)
        match tree:
            case ("literal", bytes(text)):
                for octet in text:
                    at = self.join(at, self.node(), 1 << octet)
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
                # Single octets side by side are one edge, or a class of characters would take a node for
                # each.
                self.join(at, end, reduce(or_, (self.octets(item) or 0 for item in items)) or NOTHING)
                for item in items:
                    if self.octets(item) is None:
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
        """These nodes and all that are reached from them without an octet."""
        found = set(nodes)
        waiting = list(found)
        while waiting:
            for octets, to in self.edges[waiting.pop()]:
                if not octets and to not in found:
                    found.add(to)
                    waiting.append(to)
        return frozenset(found)


class Recogniser:
    """What productions derive, as a table: one row for each state, one column for each class of octets.

    State 0 is the end of all hope, state 1 the start. Column 0 is for what no URL holds raw, which is a
    finding of its own: it counts as an escape would. :attr:`classes` gives each octet its column;
    :attr:`rows` is the table, row after row, ``width`` columns each; :attr:`accepting` has 1 for each state
    in which a text may end.

    >>> part = compile('part = "//" hostport "/" channel [ "," *digit ]\\n' 'channel = 1*uchar')
    >>> part.stop(b"//irc.dom/lobby;12"), part.stop(b"//irc.dom/"), part.stop(b"//irc.dom/lobby,1")
    (15, 10, None)
    """

    __slots__ = ("_rows", "accepting", "classes", "rows", "width")

    def __init__(self, classes: bytes, width: int, rows: array[int], accepting: bytes) -> None:
        self.classes = classes
        self.width = width
        self.rows = rows
        self.accepting = accepting
        self._rows = [rows[at : at + width].tolist() for at in range(0, len(rows), width)]

    def stop(self, part: bytes) -> int | None:
        """Where a schemepart can go on no more; its length where it only ends too soon; None for one that
        is derived.

        One octet stands for each character; any above 7E will do for a character that is none of US-ASCII.
        Cost: linear in the length, one look at each octet.
        """
        rows = self._rows
        row = rows[1]
        state = 1
        for at, column in enumerate(_BAD_ESCAPE.sub(b"\0", part).translate(self.classes)):
            state = row[column]
            if not state:
                return at
            row = rows[state]
        return None if self.accepting[state] else len(part)


def compile(text: str) -> Recogniser:
    """A recogniser of the schemeparts that the first of these productions derives.

    Raises: GrammarError, a ValueError, for a text that is not in the notation, a name that is not defined,
        a production
    that leads back to itself, a character that no URL holds raw, or a grammar out of all proportion.
    """
    own = read(text)
    graph = _Graph({**_rfc1738(), **own}, next(iter(own)))
    octet_sets = {edge.octets for edges in graph.edges for edge in edges if edge.octets not in (0, NOTHING)}
    alien = reduce(or_, octet_sets) & ~sum(1 << octet for octet in _WRITABLE)
    if alien:
        octet = (alien & -alien).bit_length() - 1
        raise GrammarError(f"a character that no URL holds raw: {chr(octet)!r}")
    classes, examples = _classes(octet_sets)
    width = len(examples)
    numbers: dict[frozenset[int], int] = {frozenset(): 0, graph.closure([0]): 1}
    waiting = [frozenset(), *(states for states in numbers if states)]
    rows = array("H")
    for states in waiting:
        row = [0] * width
        for column in range(1, width):
            bit = 1 << examples[column]
            to = graph.closure(e.to for node in states for e in graph.edges[node] if e.octets & bit)
            if to not in numbers:
                if len(numbers) >= MAX_STATES:
                    raise GrammarError(f"they take more than {MAX_STATES} states")
                numbers[to] = len(numbers)
                waiting.append(to)
            row[column] = numbers[to]
        rows.extend(row)
    for state in range(len(waiting)):
        after = state
        for octet in b"%41":
            after = rows[after * width + classes[octet]]
        rows[state * width] = after
    accepting = bytes(graph.end in states for states in waiting)
    return Recogniser(classes, width, rows, accepting)


def _classes(octet_sets: Iterable[int]) -> tuple[bytes, list[int]]:
    """A column for each octet, the same for octets that no edge tells apart; and an octet of each column."""
    ordered = list(octet_sets)
    columns: dict[tuple[bool, ...], int] = {}
    examples = [0]
    classes = bytearray(256)
    for octet in sorted(_WRITABLE):
        signature = tuple(bool(octets >> octet & 1) for octets in ordered)
        if signature not in columns:
            columns[signature] = len(examples)
            examples.append(octet)
        classes[octet] = columns[signature]
    return bytes(classes), examples


@cache
def _rfc1738() -> dict[str, _Tree]:
    return read(GRAMMAR)
