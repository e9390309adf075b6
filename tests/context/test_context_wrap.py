"""wrap_url() marks or refuses a URL, and find_urls() gives the URL back."""

import random

import pytest
from tries import TRIES

from fasturl._fastparse import parse
from fasturl._findings import Finding
from fasturl._functions import find_urls, wrap_url
from fasturl.errors import InvalidURL

SHARE = TRIES // 5


def test_wrap_returns_the_kind_of_its_argument():
    assert wrap_url("http://h/") == "<URL:http://h/>"
    assert (
        wrap_url(b"http://h/")
        == wrap_url(bytearray(b"http://h/"))
        == wrap_url(memoryview(b"http://h/"))
        == b"<URL:http://h/>"
    )
    assert wrap_url(parse("http://h/?#")) == "<URL:http://h/?#>"
    assert wrap_url(parse(b"http://h/\xff")) == b"<URL:http://h/\xff>"
    assert wrap_url("http://h/a", "b") == "<URL:http://h/a#b>"
    assert wrap_url(b"http://h/a", fragment=b"") == b"<URL:http://h/a#>"
    for other in (None, 1, ["http://h"]):
        with pytest.raises(TypeError):
            wrap_url(other)
    for mixed in (("x:y", b"f"), (b"x:y", "f")):
        with pytest.raises(TypeError, match="mix"):
            wrap_url(*mixed)


@pytest.mark.parametrize("byte", range(256))
def test_wrap_escapes_or_refuses_every_byte(byte):
    url = b"http://h/a" + bytes([byte]) + b"b"
    refused = byte <= 0x20 or byte == 0x7F or byte in b"<>"
    for given in (url, url.decode("latin-1"), url.decode("latin-1") + "€"):
        if not refused:
            [found] = find_urls(wrap_url(given))
            assert (found.url if found.fragment is None else found.url + given[10:11] + found.fragment) == given
            continue
        with pytest.raises(InvalidURL) as caught:
            wrap_url(given)
        assert caught.value.offset == 10
        assert caught.value.finding == (Finding.UNSAFE if byte in b" <>" else Finding.CONTROL)
        assert caught.value.section == "2.2" and caught.value.term == "hpath"


def test_no_secret_in_an_error():
    for url in ("ftp://me:Xq7 Zw9@h/", b"ftp://Xq7:Zw9\n@h/", "ftp://me:Xq7Zw9@h/ "):
        with pytest.raises(InvalidURL) as caught:
            wrap_url(url)
        assert "Xq7" not in str(caught.value) and "Zw9" not in str(caught.value)
    with pytest.raises(InvalidURL, match="password"):
        wrap_url("ftp://me:Xq7 Zw9@h/")


@pytest.mark.parametrize("empty", ["", "#", "#f", b"", b"#f"])
def test_an_empty_text_is_refused(empty):
    with pytest.raises(InvalidURL, match="scheme"):
        wrap_url(empty)


def test_a_second_fragment_is_refused():
    with pytest.raises(InvalidURL) as caught:
        wrap_url("http://h/a#b", "c")
    assert caught.value.finding == Finding.FRAGMENT and caught.value.offset == 10


def test_a_wrapped_url_is_extracted_again():
    rng = random.Random(5)
    alphabet = [chr(c) for c in range(0x21, 0x17F) if c != 0x7F and chr(c) not in "<>#"]
    alphabet += ["URL:", "€", "\U0001f600", "--"]
    for _ in range(SHARE):
        url = "".join(rng.choice(alphabet) for _ in range(rng.randrange(1, 12)))
        fragment = rng.choice([None, "", "f", "a#b", url])
        text = "x" * rng.randrange(3) + wrap_url(url, fragment)
        [found] = find_urls(text)
        assert (found.url, found.fragment, found.end) == (url, fragment, len(text)) and not found.hyphen
        given = None if fragment is None else fragment.encode()
        [found] = find_urls(wrap_url(url.encode(), given))
        assert (found.url, found.fragment) == (url.encode(), given)


def test_the_fragment_of_a_url_object_stands_inside_the_brackets():
    for text in ("http://h/a#f", "http://h/a#", "http://h/a#f#g", b"http://h/a#f"):
        url = parse(text)
        [found] = find_urls(wrap_url(url))
        assert (found.url, found.fragment) == (text[:10], url.fragment) == (text[:10], text[11:])
        assert b"".join(bytes(parse(wrap_url(url, width=8))).split(b"\n")) == bytes(parse(wrap_url(text)))
        with pytest.raises(InvalidURL):
            wrap_url(url, text[:1])


def test_a_folded_url_has_short_lines_and_none_ends_in_a_hyphen():
    assert wrap_url("http://h/abc", width=9) == "<URL:http\n://h/abc>"
    assert wrap_url(b"http://h/abc", width=9) == b"<URL:http\n://h/abc>"
    assert wrap_url("http://h/abc", width=18) == wrap_url("http://h/abc", width=10**30) == wrap_url("http://h/abc")
    assert wrap_url("a-b-c-d-e-f", width=7) == "<URL:a\n-b-c-d\n-e-f>"
    assert wrap_url("http://h/a", "b", width=16) == "<URL:http://h/a#\nb>"
    # Only a run of hyphens that fills a line makes a longer one.
    assert wrap_url("a" + "-" * 9, width=6) == "<URL:a\n--------->"
    assert wrap_url("a" + "-" * 9 + "b", width=6) == "<URL:a\n---------b\n>"


@pytest.mark.parametrize("width", [-1, 0, 5])
def test_a_width_too_small_for_the_marker_is_refused(width):
    with pytest.raises(ValueError, match="at least 6"):
        wrap_url("http://h/", width=width)
    for other in ("72", 7.5, b"6"):
        with pytest.raises(TypeError, match="width"):
            wrap_url("http://h/", width=other)


def test_a_folded_url_is_read_back():
    rng = random.Random(8)
    alphabet = [chr(c) for c in range(0x21, 0x7F) if chr(c) not in "<>#"] + ["é", "€", "URL:", "-", "--", "----------"]
    folded = 0
    for _ in range(SHARE):
        url = "".join(rng.choice(alphabet) for _ in range(rng.randrange(1, 40)))
        fragment = rng.choice([None, None, "", "a-b", url])
        width = rng.randrange(6, 30)
        text = wrap_url(url, fragment, width=width)
        lines = text.split("\n")
        assert "".join(lines) == wrap_url(url, fragment)
        for line in lines:
            assert line and (len(line) <= width or "-" * width in line) and line[-1] != "-"
        [found] = find_urls(text)
        assert (found.url, found.fragment, found.hyphen) == (url, fragment, False)
        given = None if fragment is None else fragment.encode()
        [found] = find_urls(wrap_url(url.encode(), given, width=width))
        assert (found.url, found.fragment) == (url.encode(), given)
        folded += len(lines) > 1
    assert folded > SHARE // 3
