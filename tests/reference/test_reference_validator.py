"""The slow validator follows docs/validity.md and agrees with the grammar."""

from __future__ import annotations

import pytest
import reference_inputs as inputs
import strategies
from hypothesis import given, settings
from reference_grammar import derives, derives_url
from reference_validator import VIOLATIONS, error_offset, valid, validate
from tries import ALL, TRIES


def told(text: str | bytes, **how: object) -> str:
    """Return the problems in short: "UNSAFE 3-4, BAD_HOST 3-7"."""
    found = validate(text, **how)  # type: ignore[arg-type]
    return ", ".join(f"{problem.finding} {problem.start}-{problem.end}" for problem in found)


# Typed by hand from docs/validity.md.
CASES = {
    # bytes
    "x:\x00": "CONTROL 2-3",
    "x:\x7f\n": "CONTROL 2-3, CONTROL 3-4",
    "x:\x80\u20ac\U0001f600": "NON_ASCII 2-3, NON_ASCII 3-4, NON_ASCII 4-5",
    'x: <>"{}|^~[]`': ", ".join(f"UNSAFE {at}-{at + 1}" for at in range(2, 14)),
    "x:\\": "UNSAFE 2-3, BACKSLASH 2-3",
    "x:#a# ": "FRAGMENT 2-3, FRAGMENT 4-5, UNSAFE 5-6",
    "x:%": "BAD_ESCAPE 2-3",
    "x:%4%41%g0": "BAD_ESCAPE 2-3, DOUBLE_ENCODED 2-7, BAD_ESCAPE 7-8",
    "x:%4%4g": "BAD_ESCAPE 2-3, BAD_ESCAPE 4-5",
    "http://h/%25%32%65%25%32%65/": "DOUBLE_ENCODED 9-18, TRAVERSAL 9-27, DOUBLE_ENCODED 18-27",
    "ssh://h:22/": "",
    "WSS://h:443/": "",
    "ldap://h:389/": "",
    "ldaps://h:389/": "NONDEFAULT_PORT 10-13, RESERVED_PORT 10-13",
    "redis://h:6380/": "NONDEFAULT_PORT 10-14",
    "x-any://h:25/": "RESERVED_PORT 10-12",
    # the scheme
    "": "NO_SCHEME 0-0",
    "abc": "NO_SCHEME 0-0, AMBIGUOUS_AUTHORITY 0-3",
    ":a": "NO_SCHEME 0-0, AMBIGUOUS_AUTHORITY 0-2",
    "a/b:c": "NO_SCHEME 0-0, AMBIGUOUS_AUTHORITY 0-5",
    "a?b:c": "NO_SCHEME 0-0, AMBIGUOUS_AUTHORITY 0-1",
    "a#b:c": "NO_SCHEME 0-0, AMBIGUOUS_AUTHORITY 0-1, FRAGMENT 1-2",
    "1a:b": "AMBIGUOUS_AUTHORITY 3-4",
    "a_b_c:d": "AMBIGUOUS_AUTHORITY 0-7, BAD_SCHEME 1-2",
    "1 b:c": "AMBIGUOUS_AUTHORITY 0-5, BAD_SCHEME 1-2, UNSAFE 1-2",
    "\u20ac:": "BAD_SCHEME 0-1, NON_ASCII 0-1, AMBIGUOUS_AUTHORITY 0-2",
    # the common parts
    "http:": "MISSING 5-5",
    "HTTP:/h": "MISSING 5-5, AMBIGUOUS_AUTHORITY 5-7",
    "http:#//h": "FRAGMENT 5-6, MISSING 5-5",
    "http://": "MISSING 7-7",
    "http://:80": "MISSING 7-7, AMBIGUOUS_AUTHORITY 7-10",
    "http://@h": "LOGIN 7-8",
    "http://u@v@h/": "LOGIN 7-11, MULTIPLE_AT 8-11",
    "ftp://a:b:c@h": "PASSWORD 8-11, RESERVED 9-10",
    "ftp://a@b:c@h": "RESERVED 7-8, MULTIPLE_AT 7-12, PASSWORD 10-11",
    "ftp://@h": "",
    "ftp://:p@h": "PASSWORD 7-8",
    "ftp://u?e;r@h/": "AMBIGUOUS_AUTHORITY 6-13",
    "ftp://h@/": "AMBIGUOUS_AUTHORITY 6-8, MISSING 8-8",
    "http://a-": "BAD_HOST 9-9",
    "http://a./": "BAD_HOST 9-9",
    "http://1.2.3": "AMBIGUOUS_AUTHORITY 7-12, BAD_HOST 12-12",
    "http://1.2.3.4.5:80": "AMBIGUOUS_AUTHORITY 7-19, BAD_HOST 16-16",
    "http://a.1": "AMBIGUOUS_AUTHORITY 7-10, BAD_HOST 10-10",
    "http://a..b": "BAD_HOST 9-11",
    "http://a-.b": "BAD_HOST 9-11",
    "http://-a": "BAD_HOST 7-9",
    "http://a_b.c:1": "BAD_HOST 8-12, NONDEFAULT_PORT 13-14, RESERVED_PORT 13-14",
    "http://%61": "BAD_HOST 7-10, AMBIGUOUS_AUTHORITY 7-10",
    "http://[::1]:80/": "UNSAFE 7-8, BAD_HOST 7-12, UNSAFE 11-12",
    "http://[::1": "UNSAFE 7-8, BAD_HOST 7-8, AMBIGUOUS_AUTHORITY 7-11, BAD_PORT 9-11",
    "http://h:": "BAD_PORT 9-9",
    "http://h:8x0": "AMBIGUOUS_AUTHORITY 7-12, BAD_PORT 10-12",
    "http://h:65536": "AMBIGUOUS_AUTHORITY 7-14, BAD_PORT 9-14",
    "http://h:65535": "NONDEFAULT_PORT 9-14",
    "http://h:0000000000080": "AMBIGUOUS_AUTHORITY 7-22",
    "http://h:99999999999999999999": "AMBIGUOUS_AUTHORITY 7-29, BAD_PORT 9-29",
    # scheme by scheme
    "ftp://h/a;b/c;type=A": "RESERVED 9-10",
    "ftp://h/a;type=": "MISSING 15-15",
    "ftp://h/a;type=x": "BAD_PART 15-16",
    "ftp://h/a;type=ab": "BAD_PART 16-17",
    "ftp://h/a;type=a;b": "RESERVED 9-10, RESERVED 16-17",
    "ftp://h/a;type=a/b": "BAD_PART 16-18",
    "ftp://h/a;type=%61": "BAD_PART 15-18",
    "ftp://h/a;TYPE=a": "RESERVED 9-10",
    "ftp://h;type=a": "BAD_HOST 7-14",
    "http://h?q?/": "RESERVED 8-9, RESERVED 10-11, RESERVED 11-12",
    "https://h/a;:@&=?a/b?;": "RESERVED 18-19, RESERVED 20-21",
    "gopher://h/?;:@&=/": "",
    "gopher://h?/": "AMBIGUOUS_AUTHORITY 9-11, BAD_HOST 10-11",
    "telnet://u:p@h/": "PASSWORD 11-12",
    "telnet://h//a ": "BAD_PART 11-14, UNSAFE 13-14",
    "telnet://h/#a": "FRAGMENT 11-12",
    "nntp://h": "MISSING 8-8",
    "nntp://h:x": "AMBIGUOUS_AUTHORITY 7-10, BAD_PORT 9-10, MISSING 10-10",
    "nntp://h/": "MISSING 9-9",
    "nntp://h//1": "MISSING 9-9",
    "nntp://h/g/": "MISSING 11-11",
    "nntp://h/*": "BAD_PART 9-10",
    "nntp://h/1a/2": "BAD_PART 9-11",
    "nntp://h/g/12x/3": "BAD_PART 13-16",
    "wais://h": "MISSING 8-8",
    "wais://h?d": "MISSING 8-8",
    "wais://h/": "",
    "wais://h/a;b?c/d?": "RESERVED 10-11, RESERVED 14-15, RESERVED 16-17",
    "wais://h/d/t?": "RESERVED 12-13, MISSING 13-13",
    "wais://h/d/t=/w/x?": "RESERVED 12-13, RESERVED 15-16, RESERVED 17-18",
    "prospero://h": "MISSING 12-12",
    "prospero://h/a=b/c;f=v;;=": "BAD_PART 23-23",
    "prospero://h/;a=b=c/d": "RESERVED 17-18, RESERVED 19-20",
    "file:///": "",
    "file:/a": "MISSING 5-5",
    "file://h": "MISSING 8-8",
    "file://h:80/;": "AMBIGUOUS_AUTHORITY 7-11, BAD_PORT 8-11, RESERVED_PORT 9-11, RESERVED 12-13",
    "file://u@/": "LOGIN 7-9, AMBIGUOUS_AUTHORITY 7-9",
    "mailto:": "MISSING 7-7",
    "mailto:a?b@c/;": "",
    "news:": "MISSING 5-5",
    "news:*": "",
    "news:**": "BAD_PART 5-7",
    "news:1": "BAD_PART 5-6, AMBIGUOUS_AUTHORITY 5-6",
    "news:a/b": "BAD_PART 6-8",
    "news:@h": "MISSING 5-5",
    "news:a@": "MISSING 7-7",
    "news:a@b@c": "BAD_HOST 8-10",
    "x-y:a//;?": "",
    # hazards
    "x://u:@h": "PASSWORD 6-6",
    "//u:p@h:80": "NO_SCHEME 0-0, PASSWORD 4-5",
    "x:/u:p@h:80": "AMBIGUOUS_AUTHORITY 2-11",
    "x://h:80": "RESERVED_PORT 6-8",
    "x://h:1024": "",
    "x://u@a[b:1]c:9/": "AMBIGUOUS_AUTHORITY 4-15, UNSAFE 7-8, UNSAFE 11-12, RESERVED_PORT 14-15",
    "x:%00%1F%7f%20": "ENCODED_CONTROL 2-5, ENCODED_CONTROL 5-8, ENCODED_CONTROL 8-11",
    "x:%2541%25%34": "DOUBLE_ENCODED 2-7",
    "x:%C0%c1": "OVERLONG_UTF8 2-5, OVERLONG_UTF8 5-8",
    "x:%e0%9f%E0%A0": "OVERLONG_UTF8 2-8",
    "x:%f0%8F%F0%90": "OVERLONG_UTF8 2-8",
    # differences between the readings of the login, and the hazards of each
    "ftp://trusted.com?@evil.com/x": "AMBIGUOUS_AUTHORITY 6-27",
    "ftp://h?x": "AMBIGUOUS_AUTHORITY 6-9, BAD_HOST 7-9",
    "ftp://h?#@evil": "AMBIGUOUS_AUTHORITY 6-8, BAD_HOST 7-8, FRAGMENT 8-9",
    "ftp://u?:pw@h:25/": "AMBIGUOUS_AUTHORITY 6-16, PASSWORD 9-11, NONDEFAULT_PORT 14-16, RESERVED_PORT 14-16",
    "ftp://u:p@a?:q@h/": "AMBIGUOUS_AUTHORITY 6-16, PASSWORD 8-9, PASSWORD 8-14, RESERVED 9-10, MULTIPLE_AT 9-15, "
    "RESERVED 12-13",
    "ftp://h:8?@h:8/": "AMBIGUOUS_AUTHORITY 6-14, PASSWORD 8-10, NONDEFAULT_PORT 8-9, RESERVED_PORT 8-9, "
    "NONDEFAULT_PORT 13-14, RESERVED_PORT 13-14",
    "telnet://h?@[": "AMBIGUOUS_AUTHORITY 9-13, UNSAFE 12-13, BAD_HOST 12-13",
    "http://h?@evil/": "RESERVED 8-9, RESERVED 14-15",
    "mailto://h?@evil": "",
    "x://h?q": "",
    "x://u:p@h?q": "PASSWORD 6-7",
    "x://h?q@evil/": "AMBIGUOUS_AUTHORITY 4-12",
    "x://h?q/@evil/": "",
    "x://u?:pw@my_host/": "AMBIGUOUS_AUTHORITY 4-17, PASSWORD 7-9",
    "x:\\\\u:p@h": "UNSAFE 2-3, BACKSLASH 2-3, UNSAFE 3-4, BACKSLASH 3-4",
    "http:\\\\evil:1/": "UNSAFE 5-6, MISSING 5-5, BACKSLASH 5-6, UNSAFE 6-7, BACKSLASH 6-7, "
    "AMBIGUOUS_AUTHORITY 7-13, NONDEFAULT_PORT 12-13, RESERVED_PORT 12-13",
    "http://a\\@b/": "LOGIN 7-10, AMBIGUOUS_AUTHORITY 7-11, UNSAFE 8-9, BACKSLASH 8-9",
    "http://h/\\": "UNSAFE 9-10, BACKSLASH 9-10",
    "ws:\\h": "UNSAFE 3-4, BACKSLASH 3-4, AMBIGUOUS_AUTHORITY 4-5",
    "file:\\/\\h": "UNSAFE 5-6, MISSING 5-5, BACKSLASH 5-6, UNSAFE 7-8, BACKSLASH 7-8, AMBIGUOUS_AUTHORITY 7-7",
    "/\\evil": "NO_SCHEME 0-0, UNSAFE 1-2, BACKSLASH 1-2, AMBIGUOUS_AUTHORITY 2-6",
    "\\evil": "NO_SCHEME 0-0, UNSAFE 0-1, BACKSLASH 0-1, AMBIGUOUS_AUTHORITY 0-5",
    "\\/u:p@h": "NO_SCHEME 0-0, UNSAFE 0-1, BACKSLASH 0-1, AMBIGUOUS_AUTHORITY 2-7, PASSWORD 4-5",
}
TARGETS = {
    "*": "",
    "-": "",
    "": "MISSING 0-0",
    "/": "",
    "//u:p@h:80/b": "",
    "/a?b?c/d": "RESERVED 4-5, RESERVED 6-7",
    "/a#?/?": "FRAGMENT 2-3",
    "h:443": "",
    "a\\b:443": "AMBIGUOUS_AUTHORITY 0-7, UNSAFE 1-2, BAD_HOST 1-3, BACKSLASH 1-2",
    "/\\evil": "UNSAFE 1-2, BACKSLASH 1-2",
    "\\\\evil": "UNSAFE 0-1, BACKSLASH 0-1, UNSAFE 1-2, BACKSLASH 1-2, AMBIGUOUS_AUTHORITY 2-6",
    "h:65536": "AMBIGUOUS_AUTHORITY 0-7, BAD_PORT 2-7",
    "http:80": "",
    "a:b:1": "",
    "a b:1": "AMBIGUOUS_AUTHORITY 0-5, UNSAFE 1-2, BAD_HOST 1-3",
    "[::1]:443": "UNSAFE 0-1, BAD_HOST 0-5, UNSAFE 4-5",
    "http://u@h": "LOGIN 7-9",
    "h:": "",
    "a b:c": "UNSAFE 1-2",
    "1a:b": "",
    "a~b": "UNSAFE 1-2",
}


@pytest.mark.parametrize("text", CASES)
def test_each_url_has_the_typed_problems(text: str) -> None:
    assert told(text) == CASES[text]


@pytest.mark.parametrize("text", TARGETS)
def test_each_request_target_has_the_typed_problems(text: str) -> None:
    assert told(text, form="request-target") == TARGETS[text]


def test_bytes_count_bytes_and_text_counts_characters() -> None:
    assert told("x:\u20ac ") == "NON_ASCII 2-3, UNSAFE 3-4"
    assert told("x:\u20ac ".encode()) == "NON_ASCII 2-3, NON_ASCII 3-4, NON_ASCII 4-5, UNSAFE 5-6"


def test_strict_reads_a_scheme_without_a_letter() -> None:
    assert told("127.0.0.1:80/x", strict=True) == "HOST_AS_SCHEME 0-12, AMBIGUOUS_AUTHORITY 10-14"
    assert told("1://u:p@h:80/", strict=True) == "AMBIGUOUS_AUTHORITY 4-12, PASSWORD 6-7, RESERVED_PORT 10-12"


def test_the_first_violation() -> None:
    assert error_offset("ftp://u:p@h/~") == 12
    assert error_offset("ftp://u:p@h/") is None
    assert valid("ftp://u:p@h/")
    assert not valid("ftp://u:p@h/~")


def agrees(text: str) -> bool:
    """Check that a text has no violation exactly when section 5 derives it, except for the two steps beyond the
    grammar.
    """
    data = inputs.bytes_of(text)
    if valid(data, strict=True) != derives_url(data):
        found = [problem for problem in validate(data, strict=True) if problem.finding in VIOLATIONS]
        too_high = all(
            problem.finding == "BAD_PORT"
            and data[problem.start : problem.end].isdigit()
            and int(data[problem.start : problem.end]) > 65535
            for problem in found
        )
        return derives_url(data) and too_high
    lenient = [problem.finding for problem in validate(data) if problem.finding in VIOLATIONS]
    if valid(data, strict=True) and lenient:
        return lenient == ["NO_SCHEME"] and not data[:1].isalpha()
    return valid(data, strict=True) == (not lenient)


@pytest.mark.parametrize(
    "make", [inputs.url, inputs.mutated_url, inputs.stretched_url, inputs.hostile], ids=lambda make: make.__name__
)
def test_the_grammar_agrees(make: inputs.Maker) -> None:
    choices = inputs.RandomChoices(f"{make.__name__} against the grammar")
    derived = 0
    tries = TRIES // 4
    for _ in range(tries):
        text = make(choices)
        assert agrees(text), (text, validate(text))
        derived += derives_url(inputs.bytes_of(text))
    # Both answers must occur, or the comparison proves little.
    assert derived > tries // 30
    assert make is inputs.url or derived < tries - tries // 30


@settings(max_examples=300 if ALL else 100, deadline=None)
@given(strategies.anything)
def test_the_grammar_agrees_on_what_hypothesis_finds(text: str) -> None:
    assert agrees(text)


def test_the_grammar_agrees_on_request_targets() -> None:
    """Origin and authority forms consist of the http production's parts."""
    choices = inputs.RandomChoices("targets against the grammar")
    for _ in range(TRIES // 4):
        text = inputs.target(choices)
        data = inputs.bytes_of(text)
        found = [problem for problem in validate(data, form="request-target") if problem.finding in VIOLATIONS]
        if text.startswith("/"):
            assert (not found) == derives_url(b"http://h" + data), text
        elif derives("hostport", data) and b":" in data:
            digits = data.rpartition(b":")[2].lstrip(b"0")
            assert (not found) == (len(digits) <= 5 and int(digits or b"0") <= 65535), text
