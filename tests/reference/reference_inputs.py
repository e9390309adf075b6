"""Inputs to validate, made from the grammar file: derived URLs, mutated ones, hostile text. Every maker asks a
``Choices`` for its decisions. Hypothesis can drive it and shrink its finds. A plain random generator is fast enough for
millions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol, TypeVar

import rfc1738_grammar as notation
from reference_grammar import GRAMMAR, OPENINGS, single_bytes

T = TypeVar("T")
NAMED = [name for name in GRAMMAR if name.endswith("url") and name not in ("url", "otherurl", "genericurl")]
RUNS = ["a", "1", "/", "a.", "1.", "-", "a-", "%41", "@", ":", ";", "=", "%", "//", "a=b;", " ", "\xff", "\u20ac",
        "\x00"]  # fmt: skip


class Choices(Protocol):
    def pick(self, options: Sequence[T]) -> T:
        """Return one option. The first is the simplest."""

    def number(self, low: int, high: int) -> int:
        """Return n with low <= n <= high. The lowest is the simplest."""


class RandomChoices:
    """Choices made by a seeded random generator."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed).random

    def pick(self, options: Sequence[T]) -> T:
        return options[int(self._random() * len(options))]

    def number(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))


Maker = Callable[[Choices], str]
MOST_REPEATED = 4


@cache
def derived(production: str) -> Maker:
    """Return a maker of texts that the production derives."""
    return _maker(notation.Reference(production))


def _maker(node: notation.Node) -> Maker:
    data = single_bytes(GRAMMAR, node)
    if data is not None:
        # A letter comes first, so that shrunk examples consist of letters.
        options = sorted(map(chr, data), key=lambda char: (not char.islower(), char))
        return lambda choices: choices.pick(options)
    match node:
        case notation.Literal(literal):
            text = literal.decode("ascii")
            return lambda choices: text
        case notation.Reference(name):
            return _maker(GRAMMAR[name])
        case notation.Sequence(items):
            makers = [_maker(item) for item in items]
            return lambda choices: "".join([make(choices) for make in makers])
        case notation.Alternatives(items):
            makers = [_maker(item) for item in items]
            return lambda choices: choices.pick(makers)(choices)
        case notation.Optional(item):
            make = _maker(item)
            return lambda choices: make(choices) if choices.number(0, 1) else ""
        case notation.Repetition(item, minimum):
            make = _maker(item)
            return lambda choices: "".join(
                [make(choices) for _ in range(choices.number(minimum, minimum + MOST_REPEATED))]
            )
    raise TypeError(node)


def url(choices: Choices) -> str:
    """Return a URL that section 5, as read, derives, with its scheme in any case."""
    text = derived(choices.pick([*NAMED, "otherurl"]))(choices)
    scheme, colon, part = text.partition(":")
    if choices.number(0, 3) == 3:
        scheme = "".join(choices.pick((char, char.upper())) for char in scheme)
    return scheme + colon + part


TOKENS = [
    ":", "/", "//", "?", "#", "@", ";", "=", "&", "%", "[", "]", "\\", " ", ".", "-", "+", "*", "~", "|", '"', "<", "a",
    "Z", "f", "1", "0", "80", "443", "21", "70", "65535", "65536", "1023", "1024", "0080", "99999999999999999999", "%2",
    "%zz", "%41", "%2F", "%00", "%09", "%0d%0A", "%7f", "%25", "%2541", "%25zz", "%c0", "%C1%80", "%e0%9F", "%E0%a0",
    "%f0%80", "%F0%90", "%e0", "%f0", "%80", "%8F", "%90", "%%41", "%4%41", "%25%34%31", ";type=", ";type=a", ";type=D",
    ";TYPE=a", ";type=x", "news", "http", "ftp", "localhost", "a.b", "a-", "-a", "..", "1.2.3.4", "1.2.3", "1.2.3.4.5",
    "[::1]", "[", "a.1", "u:p@", "@@", ":@", "://", ":80", ":443/", "\x00", "\t", "\n", "\r", "\x1f", "\x7f", "\x80",
    "\xe9", "\xff", "\u20ac", "\ud800", "\U0001f600", "`", "^", "{", "}", ">",
]  # fmt: skip
STARTS = [
    *(opening.decode("ascii") for opening in OPENINGS.values()), "https://h", "http://h", "ftp://h/",
    "ftp://u:p@h/a", "gopher://h/1", "wais://h/d", "wais://h/d/t/", "nntp://h/g", "nntp://h/g/1", "news:g",
    "news:a@h", "prospero://h/p;a=b", "file:///", "file://h/", "telnet://h/", "mailto:a", "http:", "http:/",
    "HTTP://h:", "x://h:", "x:", "1a:", "x-y.z+1://", "+:", "", "/", "//", "*", "-", "h:443", "[::1]:",
]  # fmt: skip


def hostile(choices: Choices) -> str:
    """Return a plausible start followed by confusing text."""
    return choices.pick(STARTS) + "".join([choices.pick(TOKENS) for _ in range(choices.number(0, 12))])


def mutated(choices: Choices, text: str) -> str:
    """Return the text with up to four places changed."""
    for _ in range(choices.number(1, 4)):
        at = choices.number(0, len(text))
        what = choices.number(0, 4)
        if what == 0:
            text = text[:at] + text[at + 1 :]
        elif what == 1:
            text = text[:at] + choices.pick(TOKENS) + text[at:]
        elif what == 2:
            text = text[:at] + choices.pick(TOKENS) + text[at + 1 :]
        elif what == 3:
            text = text[:at]
        else:
            text = text[:at] + text[choices.number(0, len(text)) :]
    return text


def mutated_url(choices: Choices) -> str:
    return mutated(choices, url(choices))


def stretched(choices: Choices, text: str) -> str:
    """Return the text with a run of one thing in it, long enough to cross the blocks of a scan."""
    at = choices.number(0, len(text))
    return text[:at] + choices.pick(RUNS) * choices.number(1, 150) + text[at:]


def stretched_url(choices: Choices) -> str:
    text = stretched(choices, url(choices))
    return mutated(choices, text) if choices.number(0, 1) else text


def target(choices: Choices) -> str:
    """Return a request target of any form, intact or changed."""
    kind = choices.number(0, 5)
    if kind == 0:
        text = "/" + derived("hpath")(choices) + choices.pick(("", "?" + derived("search")(choices)))
    elif kind == 1:
        text = derived("hostport")(choices)
    elif kind == 2:
        text = choices.pick(("[::1]", "h", "a.b", "a:b", "[a]b]", "[a]:b]", "u@h", "%41")) + ":" + choices.pick(TOKENS)
    elif kind == 3:
        text = choices.pick(("*", "-", "", "//", "//a/b", "/#", "a", "?", "h:", ":1"))
    elif kind == 4:
        text = url(choices)
    else:
        return hostile(choices)
    return mutated(choices, text) if choices.number(0, 1) else text


def bytes_of(text: str) -> bytes:
    """Encode the text: characters up to U+00FF as one byte, others in UTF-8."""
    return b"".join(char.encode("latin-1") if char <= "\xff" else char.encode("utf-8", "surrogatepass")
                    for char in text)  # fmt: skip
