"""find_urls() agrees with a slow version that shares no code with it, on difficult generated texts. The slow version is
written from docs/context.md, and applies every rule anew at every place of the text."""

import random
import string
from typing import NamedTuple

import pytest
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


SPACE = " \t\n\v\f\r"
SCHEME = string.ascii_letters + string.digits + "+-."
# xchar, "%", "#" and "~"
RUN = string.ascii_letters + string.digits + "$-_.+" + "!*'()," + ";/?:@&=" + "%#~"
SENTENCE = ".,:;!?'"
OPAQUE = ("mailto", "news")


class Found(NamedTuple):
    url: str
    start: int
    end: int
    fragment: str | None
    hyphen: bool


def without_space(text: str) -> str:
    return "".join(c for c in text if c not in SPACE)


def after_space(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in SPACE:
        at += 1
    return at


def opening(text: str, at: int) -> str:
    """Return the "scheme://" or "mailto:" at a place, or ""."""
    end = at
    while end < len(text) and text[end] in SCHEME:
        end += 1
    scheme = text[at:end]
    if not scheme or scheme[0] not in string.ascii_letters or text[end : end + 1] != ":":
        return ""
    if text[end : end + 3] == "://":
        return scheme + "://"
    return scheme + ":" if scheme.lower() in OPAQUE else ""


def bracket(text: str, start: int) -> Found | None:
    body = after_space(text, start + 1)
    marked = text[body : body + 4].lower() == "url:" and text[body : body + 4].isascii()
    prefix = "" if marked else opening(text, body)
    if not marked and not prefix:
        return None
    if marked:
        body += 4
    close, other = text.find(">", body), text.find("<", body)
    if close < 0 or 0 <= other < close:
        return None
    inside = text[body:close]
    if not marked and any(c == '"' or c == "\x7f" or (c < " " and c not in SPACE) for c in inside):
        return None
    url, hash_, fragment = inside.partition("#")
    if not without_space(url[len(prefix) :]):
        return None
    hyphen = "-\n" in inside or "-\r" in inside
    return Found(without_space(url), start, close + 1, without_space(fragment) if hash_ else None, hyphen)


def run(text: str, start: int, body: int) -> Found | None:
    prefix = opening(text, body)
    if not prefix:
        return None
    before = text[start - 1 : start] if start else ""
    end = first = body + len(prefix)
    while end < len(text) and text[end] in RUN:
        rest = text[first : end + 1]
        if text[end] == ")" and before == "(" and rest.count(")") > rest.count("("):
            break
        if text[end] == "'" and before == "'":
            break
        end += 1
    hyphen = end > first and text[end - 1] == "-" and text[end : end + 1] in ("\n", "\r")
    while end > first:
        rest = text[first:end]
        if rest[-1] in SENTENCE or (rest[-1] == ")" and rest.count(")") > rest.count("(")):
            end -= 1
        else:
            break
    if end == first or text[first] == "#":
        return None
    url, hash_, fragment = text[body:end].partition("#")
    return Found(url, start, end, fragment if hash_ else None, hyphen)


def slow_extract(text: str, *, bare: bool = False) -> list[Found]:
    found: list[Found] = []
    at = 0
    while at < len(text):
        match = None
        skip = 1
        is_mark = text[at : at + 4].lower() == "url:" and text[at : at + 4].isascii()
        if text[at] == "<":
            match = bracket(text, at)
            body = after_space(text, at + 1)
            if text[body : body + 4].lower() == "url:" and text[body : body + 4].isascii():
                skip = body + 4 - at
        elif is_mark and not (at and text[at - 1] in string.ascii_letters + string.digits):
            match = run(text, at, after_space(text, at + 4))
        if match is None and bare and text[at] in string.ascii_letters and opening(text, at).endswith("://"):
            before = text[found[-1].end if found else 0 : at]
            scheme_so_far = before[len(before.rstrip(SCHEME)) :]
            if not any(c in string.ascii_letters for c in scheme_so_far):
                match = run(text, at, at)
        if match:
            found.append(match)
            at = match.end
        else:
            at += skip
    return found


# --- both compared ---------------------------------------------------------------------------------------------------


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
