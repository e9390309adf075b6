"""A recogniser built from the grammar file alone: it tells if a production derives some bytes. The grammar has no
recursion, so each production is a finite automaton. Its states are computed when an input needs them. A query costs one
step per byte."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

# isort: off
from rfc1738_grammar import (Alternatives, Grammar, Literal, Node, Optional, Reference, Repetition, Sequence,
                             load_as_read)  # fmt: skip

GRAMMAR = load_as_read()


def single_bytes(grammar: Grammar, node: Node) -> frozenset[int] | None:
    """Return the bytes of a node that always derives exactly one byte; None for any other node."""
    match node:
        case Literal(data):
            return frozenset(data) if len(data) == 1 else None
        case Reference(name):
            return single_bytes(grammar, grammar[name])
        case Alternatives(items):
            sets = [single_bytes(grammar, item) for item in items]
            known = [data for data in sets if data is not None]
            return frozenset().union(*known) if len(known) == len(sets) else None
    return None


class Automaton:
    """One production as a set of states, with a transition per byte."""

    def __init__(self, grammar: Grammar, production: str) -> None:
        self.grammar = grammar
        self.empty_moves: list[list[int]] = []
        self.moves: list[tuple[frozenset[int], int] | None] = []
        self.accepting = self._state()
        self.start = self._before(Reference(production), self.accepting)
        self.closed: dict[int, frozenset[int]] = {}
        self.steps: dict[tuple[frozenset[int], int], frozenset[int]] = {}

    def _state(self, *empty_moves: int) -> int:
        self.empty_moves.append(list(empty_moves))
        self.moves.append(None)
        return len(self.moves) - 1

    def _before(self, node: Node, after: int) -> int:
        """Return a state from which the node leads to ``after``."""
        data = single_bytes(self.grammar, node)
        if data is not None:
            state = self._state()
            self.moves[state] = (data, after)
            return state
        match node:
            case Literal(several):
                for byte in reversed(several):
                    state = self._state()
                    self.moves[state] = (frozenset((byte,)), after)
                    after = state
                return after
            case Reference(name):
                return self._before(self.grammar[name], after)
            case Sequence(items):
                for item in reversed(items):
                    after = self._before(item, after)
                return after
            case Alternatives(items):
                return self._state(*(self._before(item, after) for item in items))
            case Optional(item):
                return self._state(self._before(item, after), after)
            case Repetition(item, minimum, None):
                loop = self._state(after)
                self.empty_moves[loop].append(self._before(item, loop))
                for _ in range(minimum):
                    loop = self._before(item, loop)
                return loop
            case Repetition(item, minimum, int(maximum)):
                here = after
                for number in range(maximum, 0, -1):
                    here = self._before(item, here)
                    if number > minimum:
                        here = self._state(here, after)
                return here
        raise TypeError(node)

    def _reach(self, state: int) -> frozenset[int]:
        """Return the states that count: the accepting state and those with a transition on a byte."""
        if state not in self.closed:
            seen: set[int] = set()
            waiting = [state]
            while waiting:
                here = waiting.pop()
                if here not in seen:
                    seen.add(here)
                    waiting.extend(self.empty_moves[here])
            counting = {here for here in seen if self.moves[here] is not None or here == self.accepting}
            self.closed[state] = frozenset(counting)
        return self.closed[state]

    def _step(self, states: frozenset[int], byte: int) -> frozenset[int]:
        key = (states, byte)
        if key not in self.steps:
            reached: set[int] = set()
            for state in states:
                move = self.moves[state]
                if move is not None and byte in move[0]:
                    reached |= self._reach(move[1])
            self.steps[key] = frozenset(reached)
        return self.steps[key]

    def run(self, data: bytes) -> tuple[int, bool]:
        """Return the length of the longest prefix of any derivation, and whether the whole is derived."""
        states = self._reach(self.start)
        for at, byte in enumerate(data):
            states = self._step(states, byte)
            if not states:
                return at, False
        return len(data), self.accepting in states


@cache
def automaton(production: str) -> Automaton:
    return Automaton(GRAMMAR, production)


def derives(production: str, data: bytes) -> bool:
    """Return True if the production derives exactly these bytes, by the grammar as read."""
    return automaton(production).run(data)[1]


def goes_on(production: str, data: bytes) -> int:
    """Return the offset of the first byte that no derivation of the production has there, or the length."""
    return automaton(production).run(data)[0]


def _openings(node: Node) -> Iterator[bytes]:
    match node:
        case Literal(data):
            yield data
        case Reference(name):
            yield from _openings(GRAMMAR[name])
        case Sequence(items):
            yield from _openings(items[0])
        case Alternatives(items):
            for item in items:
                yield from _openings(item)
        case _:
            raise TypeError(node)


# How each scheme that has a production of its own begins: {"ftp": b"ftp://", "news": b"news:", ...}.
OPENINGS = {opening.partition(b":")[0].decode(): opening for opening in _openings(GRAMMAR["url"])}


def derives_url(data: bytes) -> bool:
    """Return True if section 5, as read, derives this URL."""
    scheme, colon, part = data.partition(b":")
    folded = scheme.lower() + colon + part
    return derives("url" if scheme.lower().decode("latin-1") in OPENINGS else "otherurl", folded)
