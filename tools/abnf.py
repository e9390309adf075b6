"""Read ABNF (RFC 5234) into the syntax trees of rfc1738_grammar: the grammars of RFC 3986 and RFC 9112.

The reader takes what the two files use: ``a / b``, ``( group )``, ``[ optional ]``, ``*x``, ``1*4x``, ``2x``,
``%x30-34``, literals, which match in any case, ``0<rule>``, comments, and rules over several lines, of which all but
the first are indented.

>>> grammar = load()
>>> grammar["h16"]
Repetition(item=Reference(name='HEXDIG'), minimum=1, maximum=4)
>>> len(grammar.chars("unreserved")), len(grammar.chars("query"))
(66, 81)
"""

from __future__ import annotations

import re

from rfc1738_grammar import (
    FOLDER,
    Alternatives,
    Expression,
    Grammar,
    GrammarError,
    Literal,
    Node,
    Reference,
    Repetition,
    Sequence,
)

FILES = (FOLDER / "rfc3986.abnf", FOLDER / "rfc9112.abnf")


def _in_any_case(text: str) -> Node:
    """Return the node of a literal, whose letters match in any case (RFC 5234 section 2.3)."""
    cases = [sorted({char.lower(), char.upper()}) for char in text]
    items: list[Node] = []
    for chars in cases:
        literals = tuple(Literal(char.encode("ascii")) for char in chars)
        items.append(literals[0] if len(literals) == 1 else Alternatives(literals))
    return items[0] if len(items) == 1 else Sequence(tuple(items))


class _Abnf(Expression):
    """A parser of one rule's right-hand side."""

    TOKEN = re.compile(
        r"""(?P<space>\s+) | (?P<comment>;[^\n]*)
          | "(?P<literal>[^"]+)" | %x(?P<range>[0-9A-F]{2}-[0-9A-F]{2})
          | (?P<repeat>\d*\*\d*|\d+) | (?P<mark>[/()\[\]])
          | <(?P<prose>[A-Za-z-]+)> | (?P<name>[A-Za-z][A-Za-z0-9-]*)""",
        re.VERBOSE,
    )
    ALTERNATIVE = "/"
    CLOSERS = ("]", ")")

    def item(self) -> Node:
        kind, text = self.tokens[self.at]
        match kind:
            case "repeat":
                self.take()
                low, star, high = text.partition("*")
                if not star:
                    return Repetition(self.item(), int(low), int(low))
                return Repetition(self.item(), int(low or 0), int(high) if high else None)
            case "mark" if text == "(":
                return self.bracketed(")")
            case "literal":
                self.take()
                return _in_any_case(text)
            case "range":
                self.take()
                first, last = (int(number, 16) for number in text.split("-"))
                return Alternatives(tuple(Literal(bytes([byte])) for byte in range(first, last + 1)))
            case "prose":
                self.take()
                return Reference(text)
        return super().item()


def parse(text: str) -> dict[str, Node]:
    """Read the rules of a file. GrammarError names the rule with a syntax error."""
    rules: dict[str, Node] = {}
    for rule in re.split(r"\n(?=[^\s])", "\n" + text):
        head, equals, right = rule.partition("=")
        name = head.strip()
        if not name or name.startswith(";"):
            continue
        try:
            if not equals or not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name):
                raise GrammarError("no rule")
            if name in rules:
                raise GrammarError("defined twice")
            rules[name] = _Abnf(right).whole()
        except GrammarError as error:
            raise GrammarError(f"{name}: {error}") from None
    return rules


def load() -> Grammar:
    """Return the grammar of RFC 3986, and of request targets."""
    rules: dict[str, Node] = {}
    for path in FILES:
        rules |= parse(path.read_text("ascii"))
    return Grammar(rules)
