"""RFC 1738 section 2.2: the escapes that a normal form keeps, and its other changes."""

import string

import pytest

from fasturl import dedup_key, query_pairs
from fasturl._fastparse import parse
from fasturl._functions import normalize

# The section equates all unreserved characters with their escapes. But a form reader takes "+" for a space, and some
# programs give "!*'()$," a meaning. A normal form decodes only what every program reads alike.
PLAIN = set(map(ord, string.ascii_letters + string.digits + "-_."))


@pytest.mark.parametrize("form", ["%{:02x}", "%{:02X}"])
@pytest.mark.parametrize("url", [
    "http://h/a{}b", "http://h/?{}", "ftp://u{}@h/", "mailto:{}", "x-any:{}", "/path{}", "news:a{}@h", "gopher://h/{}",
])  # fmt: skip
def test_every_escape_has_its_normal_form(form, url):
    for byte in range(256):
        escape = form.format(byte)
        expected = chr(byte) if byte in PLAIN else f"%{byte:02X}"
        assert normalize(url.format(escape)) == url.format(expected)
        assert normalize(url.format(escape).encode()) == url.format(expected).encode()


@pytest.mark.parametrize(("url", "normal"), [
    ("HTTP://EXAMPLE.COM/", "http://example.com/"),           ("http://h:80/a", "http://h/a"),
    ("http://h:0080/a", "http://h/a"),                        ("http://h:8080/a", "http://h:8080/a"),
    ("http://h:008080/a", "http://h:8080/a"),                 ("http://h:000/a", "http://h:0/a"),
    ("http://h:21/a", "http://h:21/a"),                       ("https://h:443/a", "https://h/a"),
    ("https://h:80/a", "https://h:80/a"),                     ("ftp://h:21/a", "ftp://h/a"),
    ("gopher://h:70/1", "gopher://h/1"),                      ("nntp://h:119/g/1", "nntp://h/g/1"),
    ("telnet://u:p@H:23/", "telnet://u:p@h/"),                ("wais://h:210/d", "wais://h/d"),
    ("prospero://h:1525/n", "prospero://h/n"),                ("x-any://H:80/A", "x-any://h:80/A"),
    ("x-any://U:P@H:080/A", "x-any://U:P@h:80/A"),            ("x-any://[::A]:080/", "x-any://[::a]:80/"),
    ("ftp://User:PassWord@HOST/Path", "ftp://User:PassWord@host/Path"),
    ("ftp://us%65r:p%3aw@h/", "ftp://user:p%3Aw@h/"),         ("ftp://us?er@H/", "ftp://us?er@h/"),
    ("x-any://H?%7e%61/%7e%61", "x-any://H?%7e%61/%7Ea"),     ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ("http://127.0.0.1:80", "http://127.0.0.1"),              ("FILE://LocalHost/A", "file://localhost/A"),
    ("file:///A", "file:///A"),
    ("gopher://h/%31sel%09s%09+%0a", "gopher://h/1sel%09s%09+%0A"),
    ("prospero://h/a;%66=%76", "prospero://h/a;f=v"),         ("MAILTO:A%2bb@H", "mailto:A%2Bb@H"),
    ("http://h/?q=C%2B%2b", "http://h/?q=C%2B%2B"),           ("http://h/?q=C++", "http://h/?q=C++"),
    ("http://h/%24%21%2a%27%28%29%2c%5f%2D", "http://h/%24%21%2A%27%28%29%2C_-"),
    ("NEWS:A%2ea@H", "news:A.a@H"),
])  # fmt: skip
def test_normal_forms(url, normal):
    assert normalize(url) == normal
    assert normalize(url.encode()) == normal.encode()


@pytest.mark.parametrize("url", [
    "http://h", "http://h/", "http://h/?", "http://h/a/../b/./c//d", "http://h/a%2Fb", "http://h/%2541",
    "http://h/%7Euser", "http://h/~user", "http://h/a;b=c", "ftp://h/%2Fetc;type=A", "gopher://h/1%09", "news:*",
    "news:%2A", "news:comp.lang.%63", "nntp://h/%61lt.x/12", "mailto:", "", "/", "//HOST/a", "*", "a:b", "http:",
    "http:///", "http://:80/", "http://h:/", "http://h:8a/", "http://h:65536/", "http://h:80:80/", "file://h:80/a",
    "http://H%41/", "http://A B:80/", "http://[FE80::1%25Eth0]:80/", "http://[A:80/", "http://[]:80/", "foo://%41/",
    "foo://H?x", "foo://My_Bucket/", "foo://H:/", "foo://H:8a/", "foo://H-/", "foo://1.2.A.4.5/", "foo://a:b:c@H/",
    "foo://a@b@H/", "ftp://h/a;typ%65=i", "ftp://h/a;type=%69", "http://h/#%41%3a", "http://h/%", "http://h/%4",
    "http://h/%zz", "http://h/%u0041", "1http://H:80/", "127.0.0.1:0080/X", ":", "a_b://%41H", "%68ttp://X",
])  # fmt: skip
def test_these_texts_are_normal_already(url):
    assert normalize(url) is url
    data = url.encode()
    assert normalize(data) is data


def test_no_normal_form_changes_what_a_form_reader_reads():
    for byte in range(256):
        url = f"http://h/?a%{byte:02x}b=c%{byte:02X}d&e=f+g"
        for changed in (normalize(url), dedup_key(url, sort=False)):
            assert query_pairs(changed) == query_pairs(url)
    assert dedup_key("http://h/?q=C%2B%2B") != dedup_key("http://h/?q=C++")


@pytest.mark.parametrize(("url", "normal"), [
    ("x:%%341", "x:%%341"), ("x:%%34%31", "x:%%341"), ("x:%4%31", "x:%4%31"), ("x:%a%66", "x:%a%66"),
    ("x:%a%67", "x:%ag"), ("x:%%67%34", "x:%g4"), ("x:%25%34%31", "x:%2541"), ("x:%%41%41", "x:%%41A"),
    ("x:%%%41", "x:%%%41"), ("x:%%25%41", "x:%%25A"),
])  # fmt: skip
def test_normalizing_creates_no_escape(url, normal):
    assert normalize(url) == normal


def test_normalize_returns_the_kind_of_its_argument():
    assert normalize(bytearray(b"HTTP://h")) == normalize(memoryview(b"HTTP://h")) == b"http://h"
    assert normalize(parse("HTTP://h/%41")) == "http://h/A"
    assert normalize(parse(b"HTTP://h/\xff%41")) == b"http://h/\xffA"
    for text in ("HTTP://h/é%41", "HTTP://h/€%41", "HTTP://h/\U0001f600%41", "HTTP://h/\ud800%41"):
        assert normalize(text) == "http" + text[4:9] + text[9] + "A"
        plain = text.lower().replace("%41", "")
        assert normalize(plain) is plain
    assert parse("HTTP://H:80/%7e").normalize() == "http://h/%7E"
    for other in (None, 1, ["http://h"]):
        with pytest.raises(TypeError, match="normalize"):
            normalize(other)


@pytest.mark.parametrize("size", [1000, 1023, 1024, 1025, 2048, 5000, 100_000])
def test_texts_of_any_length_are_normalized(size):
    for n in range(size - 12, size + 1):
        url = "HTTP://H/" + "%41" * ((n - 9) // 3)
        assert normalize(url) == "http://h/" + "A" * ((n - 9) // 3)
