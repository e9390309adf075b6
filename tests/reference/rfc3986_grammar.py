"""A recogniser of RFC 3986, and of RFC 9112 request targets, built from the two ABNF files of grammar/ alone. ``Table``
runs it on columns: with numpy it reads ten million texts in seconds."""

from __future__ import annotations

from functools import cache

import abnf
import numpy as np
from reference_grammar import Automaton

GRAMMAR = abnf.load()
# The rule that valid_rfc3986 means, by the form of the text.
RULES = {"url": "URI", "request-target": "request-target"}


@cache
def automaton(rule: str) -> Automaton:
    return Automaton(GRAMMAR, rule)


def derives(rule: str, data: bytes) -> bool:
    """Return True if the rule derives exactly these bytes."""
    return automaton(rule).run(data)[1]


class Table:
    """The automaton of a rule as arrays: `steps` has a row per state and a column per byte."""

    def __init__(self, rule: str) -> None:
        made = automaton(rule)
        sets = {move[0] for move in made.moves if move is not None}
        first_of: dict[tuple[bool, ...], int] = {}  # bytes of one kind lead to the same state
        kinds = [first_of.setdefault(tuple([byte in one for one in sets]), byte) for byte in range(256)]
        numbers = {made._reach(made.start): 0}
        waiting = list(numbers)
        rows: list[list[int]] = []
        while len(rows) < len(waiting):
            after = {byte: made._step(waiting[len(rows)], byte) for byte in first_of.values()}
            for states in after.values():
                if states not in numbers:
                    numbers[states] = len(waiting)
                    waiting.append(states)
            rows.append([numbers[after[kind]] for kind in kinds])
        self.steps = np.array(rows, np.uint16)
        self.accepts = np.array([made.accepting in states for states in waiting])
        self.dead = numbers[frozenset()]

    def after(self, opening: bytes, data: bytes, length: int) -> np.ndarray:
        """Return whether the rule derives the opening followed by each text of this length over these bytes."""
        states = np.zeros(1, np.uint16)
        for byte in opening:
            states = self.steps[states, byte]
        for _ in range(length):
            states = self.steps[states][:, list(data)].reshape(-1)
        return self.accepts[states]

    def derived(self, texts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """Return whether the rule derives each row of a matrix of bytes, up to its length."""
        states = np.zeros(len(texts), np.uint16)
        for at in range(texts.shape[1]):
            states = np.where(at < lengths, self.steps[states, texts[:, at]], states)
        return self.accepts[states]

    def walks(self, data: bytes, rows: int, width: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return walks, texts over these bytes that the rule derives or that begin such a text, and their lengths."""
        usable = [[byte for byte in data if row[byte] != self.dead] for row in self.steps]
        counts = np.array([len(one) for one in usable])
        table = np.array([one + [0] * (len(data) - len(one)) for one in usable], np.uint8)
        texts = np.zeros((rows, width), np.uint8)
        lengths, states = np.zeros(rows, np.int32), np.zeros(rows, np.uint16)
        goes_on = np.ones(rows, bool)
        for at in range(width):
            goes_on &= (counts[states] > 0) & ~(self.accepts[states] & (random.random(rows) < 0.03))
            picked = table[states, (random.random(rows) * counts[states]).astype(np.int32) % len(data)]
            texts[:, at] = np.where(goes_on, picked, 0)
            states = np.where(goes_on, self.steps[states, picked], states)
            lengths += goes_on
        return texts, lengths

    def mutated(self, data: bytes, rows: int, width: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return walks with up to three bytes replaced, and their lengths."""
        texts, lengths = self.walks(data, rows, width, random)
        for _ in range(3):
            at = (random.random(rows) * np.maximum(lengths, 1)).astype(np.int32)
            is_replaced = random.random(rows) < 0.3
            texts[is_replaced, at[is_replaced]] = random.choice(np.frombuffer(data, np.uint8), is_replaced.sum())
        return texts, lengths
