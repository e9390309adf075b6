"""fasturl's functions give the answer and type of urllib.parse's functions, or the same exception."""

from __future__ import annotations

import urllib.parse
import warnings
from typing import Any

from common import Input, fuzz, outcome

import fasturl

ERRORS = ("strict", "replace", "ignore", "surrogatepass", "backslashreplace", "no-such-handler")
CODECS = ("utf-8", "latin-1", "ascii", "utf-16", "no-such-codec")


def calls(given: Input) -> list[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Yield the calls of an input: names, arguments and keywords."""
    text: Any = given.data if given.one & 8 else given.text
    at = given.two % (len(text) + 1)
    head, tail = text[:at], text[at:]
    chance = given.chance
    codec, errors = chance.choice(CODECS), chance.choice(ERRORS)
    of_codec = {} if given.one & 16 else {"encoding": codec, "errors": errors}
    scheme = chance.choice(["", "http", "x", text[:3]])
    pairs = {"keep_blank_values": chance.random() < 0.5, "strict_parsing": chance.random() < 0.2}
    pairs |= {"max_num_fields": chance.choice([None, 0, 3]), "separator": chance.choice(["&", ";", "", b"&", "ab"])}
    return [
        ("urlsplit", (text, *([] if given.one & 32 else [scheme, chance.random() < 0.5])), {}),
        ("urlparse", (text,), {"allow_fragments": chance.random() < 0.5}),
        ("urldefrag", (text,), {}),
        ("urljoin", (head, tail), {}),
        ("urljoin", (tail, head, chance.random() < 0.5), {}),
        ("quote", (text,), {"safe": chance.choice(["/", "", head[:4], "é"])} if isinstance(text, bytes) else of_codec),
        ("quote_plus", (text, chance.choice(["", " ", "+", head[:4]])), {}),
        ("quote_from_bytes", (text,), {}),
        ("unquote", (text,), of_codec),
        ("unquote_plus", (text,), of_codec),
        ("unquote_to_bytes", (text,), {}),
        ("parse_qsl", (text,), pairs | of_codec),
        ("parse_qs", (text,), pairs | of_codec),
        ("urlencode", ([(head, tail), (tail, 5), (head, [tail, 1.5, None])], chance.random() < 0.5), of_codec),
        ("urlunsplit", (list(map(text.__class__, [head[:4], head, tail, text, tail])),), {}),
        ("unwrap", (text,), {}),
        ("splitport", (text,), {}),
    ]


def with_attributes(answer: Any) -> Any:
    """Return an answer with its type, and all attributes of a result."""
    names = ("username", "password", "hostname", "port")
    if hasattr(answer, "hostname"):
        found = [outcome(lambda name=name: getattr(answer, name)) for name in names]
        return type(answer).__name__, tuple(answer), found, outcome(answer.geturl)
    return type(answer).__name__, answer


def ask(module: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    return outcome(lambda: with_attributes(getattr(module, name)(*arguments, **keywords)))


def test_one(given: Input) -> None:
    for name, arguments, keywords in calls(given):
        ours = ask(fasturl, name, arguments, keywords)
        theirs = ask(urllib.parse, name, arguments, keywords)
        assert ours == theirs, (name, arguments, keywords, ours, theirs)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    fuzz(test_one)
