"""The recogniser derives what the RFC derives. The examples are typed by hand."""

import itertools
import re

import pytest
import strategies
from hypothesis import given, settings
from reference_grammar import GRAMMAR, OPENINGS, derives, derives_url, goes_on
from reference_inputs import bytes_of
from tries import ALL

PER_PRODUCTION = {
    "host": (["a", "a.b", "a-b.c--d", "1.a", "1.2.3.4", "999.0.00.1", "x1"],
             ["", "a.", ".a", "a..b", "-a", "a-", "a.1", "1", "1.2.3", "1.2.3.4.5", "a_b", "%61"]),
    "hostport": (["h", "h:1", "1.2.3.4:0080"], ["h:", ":1", "h:1:2", "h:a"]),
    "login": (["h", "@h", "u@h", "u:@h", ":p@h", "u;?&=:p;?&=@h:1", "%40%3A%2f@h"],
              ["u:p:q@h", "a@b@h", "a/b@h", "u@"]),
    "scheme": (["a", "A", "z39.50", "1+-.", "x-y"], ["", "a_b", "a%41", "é"]),
    "user": (["", "a;?&=", "%00"], [":", "@", "/", "%", "%0", "%0g", "~", " "]),
    "escape": (["%00", "%fF"], ["%", "%0", "%0g", "00", "%000"]),
    "digits": (["0", "12345678901234567890"], ["", "-1", "1a"]),
    "search": (["", "a;:@&="], ["/", "?"]),
    "group": (["a", "a..b", "A1-.+_"], ["", "1a", "*", "a/b", "%61"]),
    "article": (["a@h", "a;/?:&=@h.b"], ["@h", "a@", "a@b@h", "a"]),
    "ftptype": (list("AIDaid"), ["", "x", "aa"]),
}  # fmt: skip
URLS = {
    "ftp://h", "ftp://h/", "ftp://u:p@h:21/a/b;type=a", "ftp://h//etc", "ftp://h/%2Fetc", "ftp://h/;type=D",
    "FTP://h/a?b", "http://h", "http://h/", "http://h/a;b?c;d", "HtTp://h/?", "https://h/", "gopher://h", "gopher://h/",
    "gopher://h/1s%09q%09+", "gopher://h/%09", "gopher://h:70/?/", "mailto:a@b", "mailto:?subject=x", "news:*",
    "news:a.b", "news:a@h", "news:a/b@1.2.3.4", "nntp://h/g", "nntp://h/g/1", "telnet://u:p@h:23/", "telnet://h",
    "wais://h/d", "wais://h/", "wais://h/d?", "wais://h/d?s", "wais://h/d/t/w", "wais://h///", "file:///", "file://h/",
    "file://LocalHost/a", "prospero://h/p", "prospero://h//p/q=r;a=b;a=c", "prospero://h/;=", "x:", "x://", "x:///",
    "z39.50:a", "x-a://@@:", "1:2", "+:?",
}  # fmt: skip
NO_URLS = {
    "", "a", ":", "ftp:", "ftp:/", "ftp://", "ftp://h;type=a", "ftp://h/a;b", "ftp://h/a;TYPE=a", "ftp://h/a;type=",
    "ftp://h/a;type=aa", "ftp://h/a;type=%61", "http://", "http:///", "http://u@h/", "http://h?q", "http://h/?a?b",
    "http://h/?a/b", "http://h/#", "http://h/~", "http://h/%", "https://u@h", "gopher://u@h/", "gopher://h/ ",
    "mailto:", "news:", "news:*a", "news:a@", "news:@h", "news:a@b@h", "nntp://h", "nntp://h/", "nntp://h/g/",
    "nntp://h/*", "nntp://h/g/1/", "telnet://h//", "telnet://h/a", "wais://h", "wais://h/d/t", "wais://h/d/t/w/x",
    "wais://h/d=", "wais://h/d?a/b", "file://h", "file:/a", "file://h:1/", "file://u@h/", "file:///a;b", "prospero://h",
    "prospero://h/p;a", "prospero://h/p;a=b=c", "prospero://h/p;a=b/c", "x: ", "x:\x80", "a b:c", "a_b:c",
}  # fmt: skip


@pytest.mark.parametrize("production", PER_PRODUCTION)
def test_each_production_derives_the_typed_examples_only(production: str) -> None:
    derived, refused = PER_PRODUCTION[production]
    assert [text for text in derived if not derives(production, text.encode())] == []
    assert [text for text in refused if derives(production, text.encode())] == []


def test_only_valid_urls_are_derived() -> None:
    assert {text for text in URLS | NO_URLS if derives_url(text.encode("latin-1"))} == URLS


def test_short_hosts_agree_with_a_regular_expression() -> None:
    by_hand = re.compile(rb"(?:(?:[a1]|[a1][a1-]*[a1])\.)*(?:a|a[a1-]*[a1]) | 1+\.1+\.1+\.1+", re.VERBOSE)
    for length in range(8):
        for chars in itertools.product(b"a1-.", repeat=length):
            host = bytes(chars)
            assert derives("host", host) == bool(by_hand.fullmatch(host)), host


def test_goes_on_as_far_as_anything_is_derived() -> None:
    alphabet = b"a1-."
    short = (bytes(chars) for n in range(1, 9) for chars in itertools.product(alphabet, repeat=n))
    hosts = {host for host in short if derives("host", host)}
    begun = {host[:end] for host in hosts for end in range(len(host) + 1)}
    # Three more bytes complete any beginning of a host: `a.1-` becomes `a.1-1.a`.
    for chars in itertools.product(alphabet, repeat=5):
        host = bytes(chars)
        longest = max(end for end in range(len(host) + 1) if host[:end] in begun)
        assert goes_on("host", host) == longest, host


def test_each_scheme_has_its_production() -> None:
    ip_based = ("ftp", "http", "https", "gopher", "nntp", "telnet", "wais", "file", "prospero")
    assert {name: f"{name}://".encode() for name in ip_based} | {"mailto": b"mailto:", "news": b"news:"} == OPENINGS


@pytest.mark.parametrize("production", GRAMMAR)
@settings(max_examples=20 if ALL else 6, deadline=None)
@given(data=strategies.st.data())
def test_what_is_made_from_a_production_is_derived(production: str, data: strategies.st.DataObject) -> None:
    text = data.draw(strategies.derived(production))
    assert derives(production, bytes_of(text))


@settings(max_examples=200 if ALL else 66, deadline=None)
@given(strategies.valid_urls)
def test_made_urls_are_derived(text: str) -> None:
    assert derives_url(text.encode("ascii"))


def test_time_is_linear() -> None:
    # A recogniser that backtracked would not finish these.
    for opening in (b"gopher://h/", b"http://", b"prospero://h/", b"wais://h/"):
        for run in (b"%09", b"a.", b"a-", b";a=b", b"@", b"/"):
            derives_url(opening + run * 100_000)
