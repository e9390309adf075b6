"""valid_rfc3986 agrees with rfc3986-validator and rfc3987 on mutated URLs, apart from the rows of docs/rfc3986.md."""

import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import reference_inputs as inputs
from rfc3986_grammar import Table
from short_texts import representatives
from tries import ALL

import fasturl

TRIES = int(os.environ.get("FASTURL_TRIES_3986", 1_000_000 if ALL else 20_000))
SHARE = 2  # half of the texts are walks through the grammar, half are real or made URLs, mutated
ROOT = Path(__file__).resolve().parents[2]

validator = pytest.importorskip("rfc3986_validator", reason="rfc3986-validator is not installed")
rfc3987 = pytest.importorskip("rfc3987", reason="rfc3987 is not installed")

PEERS: dict[str, Callable[[str], object]] = {
    "rfc3986-validator": validator.validate_rfc3986,
    "rfc3987": lambda text: rfc3987.match(text, "URI"),
}
# The rows of the page: what the peer does, and the texts of which it does so.
DIFFERENCES = {
    "a line feed at the end is ignored": re.compile(r"[^\n]*\n", re.DOTALL),
    "numbers of an IPv4 address in brackets may have leading zeros": re.compile(
        r"[a-zA-Z][^:]*://([^/?#@]*@)?\[[0-9A-Fa-f:]*:[0-9.]*\b0[0-9][0-9.]*\].*"
    ),
    "an upper-case V starts no IPvFuture": re.compile(r"[a-zA-Z][^:]*://([^/?#@]*@)?\[V.*"),
}


def texts() -> list[str]:
    random = np.random.default_rng(5234)
    made, lengths = Table("URI").mutated(representatives(), TRIES // SHARE, 60, random)
    walks = [bytes(row[:length]).decode("latin-1") for row, length in zip(made, lengths, strict=True)]
    choices = inputs.RandomChoices("peers")
    folder = Path(os.environ.get("FASTURL_DATA", ROOT.parent / "shared" / "data"))
    real = []
    if (folder / "urls.txt").is_file():
        real = (folder / "urls.txt").read_bytes().decode("latin-1").splitlines()[:100_000]
    urls = [choices.pick(real) if real and choices.number(0, 1) else inputs.url(choices) for _ in range(TRIES // SHARE)]
    return [*walks, *(inputs.mutated(choices, url) for url in urls)]


def test_each_difference_is_explained() -> None:
    examples = {
        "http://h/a\n": "a line feed at the end is ignored",
        "http://[::1.2.3.04]/": "numbers of an IPv4 address in brackets may have leading zeros",
        "http://[V1.a]/": "an upper-case V starts no IPvFuture",
    }
    page = ROOT.joinpath("docs", "rfc3986.md").read_text(encoding="utf-8")
    assert set(examples.values()) == set(DIFFERENCES)
    for text, difference in examples.items():
        assert DIFFERENCES[difference].fullmatch(text) and f"| {difference} |" in page
        for check in PEERS.values():
            assert bool(check(text)) is not fasturl.parse(text).valid_rfc3986, text


@pytest.mark.parametrize("peer", PEERS)
def test_mutated_urls_agree(peer: str) -> None:
    seen: Counter[str] = Counter()
    for text in texts():
        if bool(PEERS[peer](text)) is fasturl.parse(text).valid_rfc3986:
            seen["same"] += 1
            continue
        found = [name for name, pattern in DIFFERENCES.items() if pattern.fullmatch(text)]
        assert found, (peer, text, fasturl.problems(text, standard="rfc3986"))
        seen[found[0]] += 1
    assert seen["same"] > 0.95 * TRIES, seen
