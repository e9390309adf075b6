"""The inputs of each operation, made of a corpus. They are unique unless the operation says otherwise."""

import urllib.parse
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bench import madeup

COUNT = 20_000
"""The number of inputs of operations with their own corpus."""
REQUESTS_SAFE = "!#$%&'()*+,/:;=?@[]~"
"""The characters that `requests` keeps when it escapes a whole URL."""


def unique(items: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


def ascii_bytes(corpus: Sequence[str]) -> list[bytes]:
    return [url.encode() for url in corpus if url.isascii()]


def targets(corpus: Sequence[str]) -> list[str]:
    return madeup.generate("target", COUNT)


def valid(corpus: Sequence[str]) -> list[str]:
    return madeup.generate("valid", COUNT)


def with_malformed(tenths: int) -> Callable[[Sequence[str]], list[str]]:
    """Valid URLs, of which ``tenths`` in ten are replaced by malformed ones."""

    def inputs(corpus: Sequence[str]) -> list[str]:
        rng = Random(madeup.SEED)
        bad = iter(madeup.generate("malformed", COUNT))
        return [next(bad) if rng.randrange(10) < tenths else url for url in valid(corpus)]

    return inputs


def paths(corpus: Sequence[str]) -> list[str]:
    """Host and path, where ``quote`` has nothing to do."""
    cut = (url.partition("://")[2].partition("?")[0].partition("#")[0] for url in corpus)
    return unique([text for text in cut if text and text == urllib.parse.quote(text, errors="replace")])


def quoted(corpus: Sequence[str]) -> list[str]:
    return unique([urllib.parse.quote(url, errors="replace") for url in corpus])


def without_escapes(corpus: Sequence[str]) -> list[str]:
    return [url for url in corpus if "%" not in url]


def queries(corpus: Sequence[str]) -> list[str]:
    cut = (url.partition("?")[2].partition("#")[0] for url in corpus)
    return unique([query for query in cut if query])


def with_query(corpus: Sequence[str]) -> list[str]:
    return [url for url in corpus if url.partition("?")[2].partition("#")[0]]


def query_pairs(corpus: Sequence[str]) -> list[list[tuple[str, str]]]:
    parsed = (urllib.parse.parse_qsl(query, keep_blank_values=True) for query in queries(corpus))
    return [pairs for pairs in parsed if pairs]


def _reference(rng: Random, other: str) -> str:
    """Return a reference as in a page, made of another URL's path."""
    path = other.partition("://")[2].partition("/")[2]
    kind = rng.randrange(10)
    if kind < 5:
        return "/" + path
    if kind < 7:
        return path.rpartition("/")[2] or "./"
    if kind == 7:
        return "../" + path
    if kind == 8:
        return "?" + path.partition("?")[2] + "#top"
    return other


def references(corpus: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of a new base and a reference."""
    rng = Random(madeup.SEED)
    return [(base, _reference(rng, rng.choice(corpus))) for base in corpus]


def page_references(corpus: Sequence[str]) -> list[tuple[str, str]]:
    """Return fifty references per base, as a crawler finds them."""
    rng = Random(madeup.SEED)
    bases = [rng.choice(corpus) for _ in range(1 + len(corpus) // 50)]
    return [(bases[i // 50], _reference(rng, rng.choice(corpus))) for i in range(len(corpus))]


def repeats(corpus: Sequence[str]) -> list[str]:
    """Return URLs in the proportions of a log: six of seven repeat, a few of them most often."""
    rng = Random(madeup.SEED)
    popular = corpus[:400]
    new = iter(corpus[400:])
    picked = []
    for _ in corpus:
        if rng.randrange(7):
            picked.append(popular[rng.randrange(1 + rng.randrange(1 + rng.randrange(len(popular))))])
        else:
            picked.append(next(new, popular[0]))
    return picked
