"""Hosts that urllib checks: bracketed addresses, and characters that NFKC changes."""

import random
import sys
import unicodedata
import urllib.parse
from urllib.parse import ParseResult, SplitResult, SplitResultBytes

import pytest
import urlgen
from differential import outcome, same

from fasturl import _urllib

SEED = 1738

ADDRESSES = """
:: ::1 1:: 1::8 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1::3:4:5:6:7:8 1:2:3:4:5:6:1.2.3.4 ::1.2.3.4
::ffff:255.255.255.255 fe80::1%eth0 fe80::1%25eth0 FE80::A v1.a vF.:@ 0000:0000:0000:0000:0000:0000:0000:0001
: ::: 1 1: :1 1:2 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 ::1:: 12345:: g:: 1.2.3.4 ::1.2.3 ::1.2.3.4.5 ::01.2.3.4
::256.1.1.1 ::1.2.3.4:5 1:2:3:4:5:6:7:1.2.3.4 ::1.2.3.1234 ::%eth0 ::% ::%a%b ::%/ v.a v1. v1 vg.a V1.a V1. Vg.a
::\u00e9 ::1%\u00e9
1:2:3:4:5:6:7::8 1::2:3:4:5:6:7:8:9 ::1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:8:: ::0x1 +1:: 1_0:: ::1\x7f ::.1.2.3
::1.2x3.4.5 ::1.2.3x4 fe80::1%a~b fe80::1%a_b.c-d fe80::1%a!b v1xx v1. v v12
"""

AROUND = ("[{}]", "u]@[{}]", "u@[{}]", "u:p@[{}]:8", "[{}]:", "[{}]x", "x[{}]", "[[{}]", "[{}]]", "[{}]@h", "[u@[{}]",
          "a@[b]@[{}]")  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES.split())
def test_bracketed_addresses_give_urllibs_outcome(address, kernel):
    for around in AROUND:
        url = f"http://{around.format(address)}/a?b#c"
        same("urlsplit", url)
        same("urlparse", url, "", False)
        same("urldefrag", url)
        same("urljoin", url, "d")
        same("urljoin", "http://h/", url)
        same("urlsplit", url.encode())


@pytest.mark.parametrize("url", (
    *("http://[::1/a", "//h]", " x://u:p@[\t?#", "http://[h.example]:80/", "//h\uff1a80", "//u:p@\u2100/"),
    *(b"//[", b"/\xe9"),
))  # fmt: skip
def test_urls_that_every_python_refuses_are_refused_without_urllib(url, monkeypatch):
    for name in ("urlsplit", "urlparse"):
        assert same(name, url)[0] == same(name, url, "" if type(url) is bytes else "x", False)[0] == "raises"
        with pytest.raises(ValueError) as caught:
            getattr(_urllib, name)(url)
        assert urllib.parse.__file__ not in {str(entry.path) for entry in caught.traceback}
        assert caught.value.__cause__ is caught.value.__context__ is None
    # Delegated to urllib, which may answer otherwise.
    same("urlsplit", url, b"" if type(url) is str else "x")
    monkeypatch.setattr(urllib.parse, "scheme_chars", urllib.parse.scheme_chars.replace("x", ""))
    same("urlsplit", url)


def test_random_addresses_give_urllibs_outcome(tries):
    generator = urlgen.Generator(f"addresses {SEED}")
    taken = sum(same("urlsplit", "http:" + generator.bracketed())[0] == "returns" for _ in range(tries))
    assert tries / 20 < taken < tries * 19 / 20


def test_host_characters_that_nfkc_changes_give_urllibs_outcome():
    changed = [c for c in map(chr, range(0x80, sys.maxunicode + 1)) if unicodedata.normalize("NFKC", c) != c]
    assert len(changed) > 4000
    refused = [c for c in changed if same("urlsplit", f"//a{c}b/")[0] == "raises"]
    assert "\u2100" in refused and "\uff1a" in refused and len(refused) < 100
    for c in refused:
        same("urlsplit", f"//{c}")
        same("urljoin", "http://h/", f"//{c}/")
        same("urljoin", f"//{c}/", "x")
        assert same("urlsplit", f"//h/{c}")[0] == "returns"


def test_composing_host_characters_give_urllibs_outcome(tries):
    """NFKC of several characters contains a delimiter only if NFKC of a single one does."""
    rng = random.Random(SEED)
    marks = [c for c in map(chr, range(0x80, 0x3100)) if unicodedata.combining(c)]
    for _ in range(tries):
        text = "".join(rng.choice((rng.choice(marks), chr(rng.randrange(0x80, 0xD800)), rng.choice("=<>ae:@[]%")))
                       for _ in range(rng.randrange(1, 7)))  # fmt: skip
        same("urlsplit", f"http://{text}/")


NETLOCS = [
    "", "h", "H.Example", "h:80", "H:", "h:0080", "h:65535", "h:65536", "h:x", "h:-1", "h:8_0", "h:\u0661", "u@h",
    "u:p@h:1", ":@h", "@", "u:p:q@h", "a@b@c:5", "[::1]", "[::1]:80", "[FE80::1%Eth0]:1", "[FE80::A", "x[Y]Z:9", "[",
    "]:1", "EX%41M.com", "\u00c9.example", "h:" + "0" * 5000, "h:" + "9" * 5000, "h:1:2", "h: 1",
]  # fmt: skip
PROPERTIES = ("username", "password", "hostname", "port")


@pytest.mark.parametrize("name", PROPERTIES)
@pytest.mark.parametrize("netloc", NETLOCS)
def test_result_properties_are_urllibs(name, netloc):
    class Own(SplitResult):
        """A program's own subclass, for which urllib's function is asked."""

    data = netloc.encode()
    results = [
        SplitResult("x", netloc, "", "", ""), ParseResult("x", netloc, "", "", "", ""), Own("x", netloc, "", "", ""),
        SplitResultBytes(b"x", data, b"", b"", b""),
    ]  # fmt: skip
    for result in results:
        compiled = _urllib.PROPERTIES[name]
        assert outcome(compiled, (result,), {}) == outcome(lambda result: getattr(result, name), (result,), {})


@pytest.mark.parametrize("name", PROPERTIES)
def test_properties_of_malformed_results_are_urllibs(name):
    odd = [
        SplitResult(None, None, None, None, None), SplitResult("x", 7, "", "", ""), tuple.__new__(SplitResult, ()), 7,
        SplitResultBytes("x", "h:1", "", "", ""), SplitResult(b"x", b"h:1", b"", b"", b""),
    ]  # fmt: skip
    for result in odd:
        compiled = _urllib.PROPERTIES[name]
        expected = outcome(lambda result: getattr(SplitResult, name).fget(result), (result,), {})
        assert outcome(compiled, (result,), {}) == expected
