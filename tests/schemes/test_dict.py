"""The dict scheme (RFC 2229 section 5): the worked example of a scheme with productions of its own."""

import re

import pytest

import fasturl
from fasturl.schemes import Dict, UnbuildableURL, decompose

# Typed from RFC 2229 section 5 by hand: the grammar file is held to it.
ESCAPE = "%[0-9A-Fa-f]{2}"
ARGUMENT = rf"(?:[A-Za-z0-9$\-_.+!*'(),;?@&=]|{ESCAPE})"
LOGIN = rf"(?:[A-Za-z0-9$\-_.+!*'(),?&=]|{ESCAPE})+;(?:[A-Za-z0-9$\-_.+!*'(),&=]|{ESCAPE})+@"
DEFINE = rf"d:{ARGUMENT}+(?::{ARGUMENT}*(?::[0-9]*)?)?"
MATCH = rf"m:{ARGUMENT}+(?::{ARGUMENT}*(?::{ARGUMENT}*(?::[0-9]*)?)?)?"
URL = re.compile(rf"dict://(?:{LOGIN})?[a-z][a-z0-9]*(?::[0-9]+)?/(?:{DEFINE}|{MATCH})?")


@pytest.mark.parametrize(("url", "parts", "request_line"), [
    ("dict://dict.org/d:shortcake:", Dict("dict.org", 2628, "d", "shortcake", ""), "DEFINE ! shortcake"),
    ("dict://dict.org/d:sun:*:1", Dict("dict.org", 2628, "d", "sun", "*", None, "1"), "DEFINE * sun"),
    ("dict://dict.org/m:sun:", Dict("dict.org", 2628, "m", "sun", ""), "MATCH ! . sun"),
    ("dict://dict.org/m:sun::soundex", Dict("dict.org", 2628, "m", "sun", "", "soundex"), "MATCH ! soundex sun"),
    ("dict://dict.org/m:sun:wordnet", Dict("dict.org", 2628, "m", "sun", "wordnet"), "MATCH wordnet . sun"),
    ("dict://a;b@h:99/d:x%20%22y", Dict("h", 99, "d", 'x "y', user="a", auth="b"), r'DEFINE ! "x \"y"'),
    ("dict://h/d:a%3Ab", Dict("h", command="d", word="a:b"), "DEFINE ! a:b"),
    ("dict://h/", Dict("h"), None),
])  # fmt: skip
def test_a_url_and_its_parts_say_the_same(url: str, parts: Dict, request_line: str | None) -> None:
    assert fasturl.parse(url).valid_rfc1738
    assert decompose(url) == parts
    assert parts.geturl() == url
    assert parts.request() == request_line


@pytest.mark.parametrize(("url", "stop"), [
    ("dict:x", 5), ("dict://h", 8), ("dict://h/x:y", 9), ("dict://h/d:", 11), ("dict://h/d:a:b:c", 15),
    ("dict://h/d:a:b:1:2", 16), ("dict://user@h/d:a", 11), ("dict://u:p@h/d:a", 9), ("dict://h/m:a::b:1:", 17),
])  # fmt: skip
def test_an_invalid_url_has_the_offset_of_its_first_error(url: str, stop: int) -> None:
    parsed = fasturl.parse(url)
    assert not parsed.valid_rfc1738
    assert parsed.error_offset == stop


def test_the_kernel_derives_what_the_rfc_describes() -> None:
    pieces = ["dict://", "h", ":", "9", "/", "d:", "m:", "a", "%3a", "%", ";", "@", "?", "=", "*", "a;b@"]
    texts = {start + "".join(tail) for start in ("dict://h/", "dict://") for tail in _products(pieces, 3)}
    derived = {text for text in texts if URL.fullmatch(text)}
    assert len(derived) > 100
    assert {text for text in texts if fasturl.parse(text).valid_rfc1738} == derived


def _products(pieces: list[str], length: int) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for _ in range(length):
        found += [(*text, piece) for text in found for piece in pieces if len(text) < length]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(("parts", "message"), [
    (Dict("h", command="x", word="a"), "neither d, m nor empty"),
    (Dict("h", word="a"), "no argument of this command"),
    (Dict("h", command="d", word="a", strategy="exact"), "no argument of this command"),
    (Dict("h", command="d", word="a", user="u"), "go together"),
    (Dict("h", command="d"), "productions"),
    (Dict("h", command="d", word="a", database="b", number="x"), "productions"),
])  # fmt: skip
def test_parts_that_no_url_expresses_are_refused(parts: Dict, message: str) -> None:
    with pytest.raises(UnbuildableURL, match=message):
        parts.geturl()


def test_a_request_refuses_control_characters() -> None:
    with pytest.raises(fasturl.UnsafeURL, match="word"):
        decompose("dict://h/d:a%0D%0AQUIT").request()  # type: ignore[attr-defined]
