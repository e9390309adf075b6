"""Read the grammar of RFC 1738 section 5 as syntax trees and as sets of bytes.

The notation is the RFC's: ``"literal"`` (or ``<">`` for a quotation mark), ``a | b``, ``[ optional ]``,
``*x`` and ``1*x`` for repetition, where ``*[ a | b ]`` repeats what the brackets hold, and ``;`` to the end
of a line outside a literal for a comment. A production is one line. Literals match in this case only.

>>> grammar = load()
>>> grammar["digits"]
Repetition(item=Reference(name='digit'), minimum=1, maximum=None)
>>> len(grammar.chars("uchar")), len(grammar.repeated("article"))
(73, 79)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "grammar"
RFC = FOLDER / "rfc1738.bnf"
READINGS = FOLDER / "readings.bnf"
ESCAPES = ("escape", "pct-encoded")
"""The productions of an escape, by RFC 1738 and RFC 3986."""


class GrammarError(ValueError):
    """The grammar file has a syntax error, or lacks a property that the generator relies on."""


@dataclass(frozen=True)
class Literal:
    """These bytes. ``bare``: the RFC forgot the quotes."""

    chars: bytes
    bare: bool = False


@dataclass(frozen=True)
class Reference:
    """The production of this name."""

    name: str


@dataclass(frozen=True)
class Sequence:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Alternatives:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Repetition:
    """``minimum`` to ``maximum`` times the item, or without an upper bound."""

    item: Node
    minimum: int
    maximum: int | None = None


@dataclass(frozen=True)
class Optional:
    item: Node


Node = Literal | Reference | Sequence | Alternatives | Repetition | Optional

_TOKEN = re.compile(
    r"""(?P<space>\s+) | (?P<comment>;.*)
      | "(?P<literal>[^"]+)" | (?P<quote><">)
      | (?P<repeat>\d*\*) | (?P<mark>[|\[\]])
      | (?P<name>[A-Za-z][A-Za-z0-9+_-]*) | (?P<bare>/)""",
    re.VERBOSE,
)


def _tokens(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            raise GrammarError(f"column {at + 1}: cannot read {text[at:]!r}")
        kind = match.lastgroup
        if kind is not None and kind not in ("space", "comment"):
            yield kind, match[kind]
        at = match.end()


class Expression:
    """A parser of one right-hand side, by recursive descent. tools/abnf.py derives the parser of another notation."""

    TOKEN = _TOKEN
    ALTERNATIVE = "|"
    CLOSERS: tuple[str, ...] = ("]",)

    def __init__(self, text: str) -> None:
        self.tokens = [*_tokens(self.TOKEN, text), ("end", "")]
        self.at = 0

    def next_is(self, *texts: str) -> bool:
        kind, text = self.tokens[self.at]
        return kind in ("end", "mark") and text in texts

    def take(self) -> tuple[str, str]:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def whole(self) -> Node:
        node = self.alternatives()
        if not self.next_is(""):
            raise GrammarError(f"unexpected {self.tokens[self.at][1]!r}")
        return node

    def alternatives(self) -> Node:
        items = [self.sequence()]
        while self.next_is(self.ALTERNATIVE):
            self.take()
            items.append(self.sequence())
        return items[0] if len(items) == 1 else Alternatives(tuple(items))

    def sequence(self) -> Node:
        items = []
        while not self.next_is("", self.ALTERNATIVE, *self.CLOSERS):
            items.append(self.item())
        if not items:
            raise GrammarError("an alternative is empty")
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def item(self) -> Node:
        kind, text = self.take()
        match kind:
            case "repeat":
                minimum = int(text[:-1] or 0)
                if self.next_is("["):
                    return Repetition(self.bracketed(), minimum)
                return Repetition(self.item(), minimum)
            case "mark" if text == "[":
                self.at -= 1
                return Optional(self.bracketed())
            case "literal":
                return Literal(text.encode("ascii"))
            case "quote":
                return Literal(b'"')
            case "bare":
                return Literal(text.encode("ascii"), bare=True)
            case "name":
                return Reference(text)
        raise GrammarError(f"unexpected {text or 'end'!r}")

    def bracketed(self, closer: str = "]") -> Node:
        opener = self.take()[1]
        node = self.alternatives()
        if not self.next_is(closer):
            raise GrammarError(f"a {opener} is not closed")
        self.take()
        return node


def parse(text: str) -> dict[str, Node]:
    """Read one production per line. GrammarError names the line with a syntax error."""
    productions: dict[str, Node] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(";"):
            continue
        name, equals, right = line.partition("=")
        name = name.strip()
        try:
            if not equals or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+_-]*", name):
                raise GrammarError("no production")
            if name in productions:
                raise GrammarError(f"{name} is defined twice")
            productions[name] = Expression(right).whole()
        except GrammarError as error:
            raise GrammarError(f"line {number}: {error}") from None
    return productions


def children(node: Node) -> tuple[Node, ...]:
    """Return the child nodes, without following references."""
    match node:
        case Sequence(items) | Alternatives(items):
            return items
        case Repetition(item) | Optional(item):
            return (item,)
    return ()


class Grammar(Mapping[str, Node]):
    """Productions by name. Every reference is defined and none is circular."""

    def __init__(self, productions: Mapping[str, Node]) -> None:
        self.productions = dict(productions)
        done: set[str] = set()
        for name in self.productions:
            self._check(name, (), done)

    def __getitem__(self, name: str) -> Node:
        return self.productions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.productions)

    def __len__(self) -> int:
        return len(self.productions)

    def _check(self, name: str, above: tuple[str, ...], done: set[str]) -> None:
        if name in above:
            raise GrammarError(f"{name} leads back to itself")
        if name in done:
            return
        if name not in self.productions:
            raise GrammarError(f"{above[-1]} needs {name}, which is not defined")
        waiting = [self.productions[name]]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Reference):
                self._check(node.name, (*above, name), done)
            waiting.extend(children(node))
        done.add(name)

    def read_as(self, readings: Mapping[str, Node]) -> Grammar:
        """Return a grammar in which these productions replace those of the same name."""
        return Grammar({**self.productions, **readings})

    @cached_property
    def _raw(self) -> dict[str, frozenset[int]]:
        return {}

    def chars(self, name: str) -> frozenset[int]:
        """Return the bytes that may be raw in a term, without those of escapes."""
        if name in ESCAPES:
            return frozenset()
        if name not in self._raw:
            self._raw[name] = self._bytes_of(self[name])
        return self._raw[name]

    def repeated(self, name: str) -> frozenset[int]:
        """Return the raw bytes of a production's first repetition, such as an article's part before ``@``."""
        node = self[name]
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Repetition):
                return self._bytes_of(item)
        raise GrammarError(f"{name} repeats nothing")

    def _bytes_of(self, node: Node) -> frozenset[int]:
        if isinstance(node, Reference):
            return self.chars(node.name)
        if isinstance(node, Literal):
            return frozenset(node.chars)
        return frozenset().union(*(self._bytes_of(child) for child in children(node)))


def load(path: Path = RFC) -> Grammar:
    """Return the grammar of this file."""
    return Grammar(parse(path.read_text("ascii")))


def load_as_read() -> Grammar:
    """Return the RFC's grammar with this project's readings."""
    return load().read_as(parse(READINGS.read_text("ascii")))
