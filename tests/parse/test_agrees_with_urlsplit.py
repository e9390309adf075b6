"""``parse`` has urlsplit's nine attributes, wherever urlsplit neither raises nor deletes characters."""

import random
import urllib.parse
from urllib.parse import urlsplit

import pytest

import fasturl

pytestmark = pytest.mark.usefixtures("kernel")

ATTRIBUTES = ("scheme", "netloc", "path", "query", "fragment", "username", "password", "hostname", "port")
PIECES = (
    "http:", "https:", "HTTP:", "ftp:", "mailto:", "x-y+z.1:", "1a:", ":", "//", "/", "///", "?", "#", "@", "@@", "[",
    "]", "[::1]", "[v1.a]", "%", "%25", "%41", ":80", ":", ":99999", ":8a", ":0", ";", "&", "=", "a", "EX.com", "host",
    "user", "\\", "é", "\u2100", "\udc80", "\U0001f600", ".", "-", "_", "~", "{", "|", " b", "\x7f", "\0", "x" * 60,
)  # fmt: skip


def raised_or_value(function):
    try:
        return function()
    except ValueError:
        return ValueError


def deletes(text: str) -> bool:
    return text != text.lstrip("".join(map(chr, range(33)))) or any(c in text for c in "\t\r\n")


def check(text: str) -> bool:
    """Compare with urlsplit; return False if the two need not agree on the text."""
    if deletes(text):
        return False
    try:
        theirs = urlsplit(text)
    except ValueError:
        return False
    ours = fasturl.parse(text)
    for name in ATTRIBUTES:
        want = raised_or_value(lambda name=name: getattr(theirs, name))
        got = raised_or_value(lambda name=name: getattr(ours, name))
        assert got == want and type(got) is type(want), (name, text, got, want)
    assert tuple(ours) == tuple(theirs)
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    if text.isascii():
        data, their_bytes = fasturl.parse(text.encode()), urlsplit(text.encode())
        assert tuple(data) == tuple(their_bytes)
        for name in ATTRIBUTES[5:]:
            want = raised_or_value(lambda name=name: getattr(their_bytes, name))
            assert raised_or_value(lambda name=name: getattr(data, name)) == want, (name, text)
    return True


@pytest.fixture(autouse=True)
def no_cache():
    urllib.parse.clear_cache()
    yield
    urllib.parse.clear_cache()


def test_random_texts_agree_with_urlsplit(tries) -> None:
    rng = random.Random(1738)
    agreed = sum(check("".join(rng.choices(PIECES, k=rng.randint(0, 9)))) for _ in range(tries))
    assert agreed > tries // 3


def test_random_characters_agree_with_urlsplit(tries) -> None:
    rng = random.Random(1736)
    alphabet = "abAZ09:/?#@[]%.;+-\\ é\u0130\u00df"
    agreed = sum(check("".join(rng.choices(alphabet, k=rng.randint(0, 12)))) for _ in range(tries))
    assert agreed > tries // 3


def test_real_and_mutated_urls_agree_with_urlsplit(real_urls, tries) -> None:
    rng = random.Random(1630)
    assert sum(map(check, real_urls[:tries])) > 0.99 * len(real_urls[:tries])
    agreed = 0
    for _ in range(tries):
        text = rng.choice(real_urls)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(PIECES) + text[at + rng.randint(0, 2) :]
        agreed += check(text)
    assert agreed > tries // 3


def test_every_byte_at_every_place_agrees_with_urlsplit() -> None:
    for byte in map(chr, range(256)):
        for text in (byte, f"a{byte}", f"http{byte}//h/", f"http://{byte}h", f"http://h{byte}", f"http://h:{byte}",
                     f"http://h:8{byte}0/", f"http://u{byte}@h/", f"http://u:p{byte}@h/", f"http://h/{byte}a",
                     f"http://h/?{byte}", f"http://h/?a{byte}b#{byte}"):  # fmt: skip
            check(text)


def test_texts_at_block_edges_agree_with_urlsplit() -> None:
    """The kernel reads 64 bytes at a time, so every delimiter stands on both sides of every edge."""
    for n in range(50, 200):
        for tail in ("/p?q#f", "?q#f", "#f", ":80/", "@h:1/?", "/?#"):
            for head in ("http://", "x:", "//", ""):
                check(head + "a" * n + tail)
                check(head + "u@" + "a" * n + tail)
                check(head + "h/" + "a" * n + tail)


@pytest.mark.parametrize(("text", "parts"), [
    ("http://[::1", ("http", "[::1", "", "", "")),            ("//a[b]/c", ("", "a[b]", "/c", "", "")),
    ("http://a\u2100b.com/", ("http", "a\u2100b.com", "/", "", "")),
    (" http://h", ("", "", " http://h", "", "")),             ("ht\ttp://h/\n", ("", "", "ht\ttp://h/\n", "", "")),
    ("\0http://h", ("", "", "\0http://h", "", "")),           ("http://h\r\nx/\t", ("http", "h\r\nx", "/\t", "", "")),
])  # fmt: skip
def test_characters_that_urlsplit_refuses_or_deletes_are_kept(text, parts) -> None:
    url = fasturl.parse(text)
    assert tuple(url) == parts
    assert str(url) == text
    assert url.findings & fasturl.Finding.VIOLATIONS
