"""find_urls() agrees with a slow version that shares no code with it, on difficult generated texts."""

import random

import pytest
from slow_extract import slow_extract
from tries import TRIES

from fasturl._functions import find_urls

pytestmark = pytest.mark.usefixtures("kernel")

SHARE = TRIES // 5

TOKENS = [
    *["<", ">", "URL:", "uRl:", "<URL:", "http://", "HTTP://h", "://", "x://", "mailto:", "News:", "ftp:", "#", "-",
      "a", "B1", "/", "(", ")", "'", '"', ".", ",", ";", "!", "?"],
    *["é", "\x00", "\x7f", ":", "~", "%41", "|", "+", "\xa0", "@", "u", "r", "l", "ur", "\x85", "[", "]", "\n", "\r",
      "\t", "\x0b"],
    *[" ", "word " * 9, "plain text, as mails have it. "],
]  # fmt: skip
WRAPPERS = [("<URL:", ">"), ("<url:", ">"), ("<x://", ">"), ("(URL: x://", ") "), ("'news:", "'")]


def triples(text, **options):
    return [(*found, found.hyphen) for found in find_urls(text, **options)]


def make(rng):
    """Return random tokens or, half of the time, a wrapper or a marked URL around a few of them. Some are damaged."""
    parts = [rng.choice(TOKENS) for _ in range(rng.randrange(12))]
    for _ in range(rng.randrange(3)):
        inner = "".join(rng.choice(TOKENS) for _ in range(rng.randrange(6)))
        left, right = rng.choice(WRAPPERS)
        wrapped = left + inner + right
        if rng.random() < 0.2:
            cut = rng.randrange(len(wrapped))
            wrapped = wrapped[:cut] + wrapped[cut + 1 :]
        parts.insert(rng.randrange(len(parts) + 1), wrapped)
    return "".join(parts)


@pytest.mark.parametrize("bare", [False, True])
def test_extract_agrees_with_the_slow_reading(bare):
    rng = random.Random(1738 + bare)
    hits = 0
    for _ in range(SHARE):
        text = make(rng)
        expected = [tuple(found) for found in slow_extract(text, bare=bare)]
        hits += bool(expected)
        assert triples(text, bare=bare) == expected, text
        # One byte per character, so that bytes have the same offsets; and the same text two and four bytes wide.
        data = text.encode("latin-1")
        as_bytes = [tuple(item.encode("latin-1") if isinstance(item, str) else item for item in found)
                    for found in expected]  # fmt: skip
        assert triples(data, bare=bare) == as_bytes, text
        for wide in (" €", " \U0001f600"):
            expected = [tuple(found) for found in slow_extract(text + wide, bare=bare)]
            assert triples(text + wide, bare=bare) == expected, text
    assert hits > SHARE // 4


def test_extract_agrees_wherever_a_match_stands_in_a_block():
    """The search reads 16, 32 or 64 characters at a time, so every kind of candidate is tried at every place."""
    for match in ("<URL:a>", "<x://y>", "URL:x://y", "x://y"):
        for tail in ("", " ", " " * 70):
            for at in range(140):
                text = "." * at + " " + match + tail
                for wide in ("", "€", "\U0001f600"):
                    got = [(f.url, f.start) for f in find_urls(text + wide, bare=True)]
                    assert len(got) == 1 and got[0][1] == at + 1, (match, at, tail)
                assert [f.start for f in find_urls(text.encode(), bare=True)] == [at + 1]


def test_near_misses_are_no_candidates():
    for miss in ("UR L:x://y", "URl;x://y", "5RL:x://y", "\x15RL:x://y", "UR,:x://y", "\uff35RL:x://y",
                 "\u0155rl:x://y"):  # fmt: skip
        for at in (0, 3, 40):
            assert not list(find_urls(" " * at + miss + " " * at, bare=False)), miss


@pytest.mark.parametrize("bare", [False, True])
def test_matches_stand_in_order_and_read_back_from_their_place(bare):
    rng = random.Random(9)
    for _ in range(SHARE // 4):
        text = make(rng)
        end = 0
        for found in find_urls(text, bare=bare):
            assert end <= found.start < found.end <= len(text)
            end = found.end
            assert found.url
            assert "<" not in found.url and ">" not in found.url and not set(found.url) & set(" \n\r\t\v\f#")
            if text[found.start] == "<":
                [again] = find_urls(text[found.start : found.end])
                assert (again.url, again.fragment) == (found.url, found.fragment)
