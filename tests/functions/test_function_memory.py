"""The functions of one URL read nothing outside the text, keep no reference, and hash by xxHash. The text's bytes end
right before an unreadable page."""

import sys

import pytest
from function_cases import CASES
from guardpages import Guarded

import fasturl

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect"),
    pytest.mark.usefixtures("kernel"),
]

TEXTS = [
    b"http://www.example.co.uk/users/42/8a6e0804-2bd0-4672-b79d-d97027f9071a/2024-05-17T10:05?utm_source=%41&b+c=%4#f",
    b"/a%40b.co/12.5.html/0123456789abcdef0;x=1/2024-05/2024-05-1?%41&%4&=&a*b",
    b"http://u:p@www.a.b:80",
    b"a.b.c.d.e.f.g.h.co.uk",
    b"%4%40%",
    b"2024-05-17",
    b"&&&&a&b=&",
    b"////",
]
HOSTS = fasturl.HostList(["example.co.uk", "a.b", "h.co.uk"])
CALLS = [
    *(getattr(fasturl, name) for name in dict.fromkeys(name for name, settings, *_ in CASES if not settings)),
    lambda url: fasturl.drop_params(url, ["utm_*", "b c", "A"]),
    lambda url: fasturl.drop_parts(url, "www", "login", "port"),
    lambda url: fasturl.query_values(url, ["b c", "A"]),
    lambda url: fasturl.blocks(url, HOSTS),
    lambda url: fasturl.public_suffix(url, form="host"),
]  # fmt: skip


def test_no_function_reads_outside_its_text() -> None:
    pytest.importorskip("publicsuffixlist")
    guarded = Guarded()
    for text in TEXTS:
        for end in range(1, len(text) + 1):
            data = text[:end][-(end // 8 * 8) :] if end >= 8 else (text[:end] * 8)[:8]
            expected = [function(bytes(bytearray(data))) for function in CALLS]
            found = guarded.bytes_at_end(data)
            assert [function(found) for function in CALLS] == expected
            del found


def test_repeated_calls_keep_no_reference() -> None:
    """Counted by the references to a text that the calls return unchanged."""
    pytest.importorskip("publicsuffixlist")
    url = "http://example.com/a" + "b" * 2000
    before = sys.getrefcount(url)
    for _ in range(100):
        for function in CALLS:
            function(url)
    assert sys.getrefcount(url) == before


def test_the_hash_is_xxh64() -> None:
    """The texts are normal already. The numbers are those of the xxHash specification's own program."""
    for text, number in {
        "": 0xEF46DB3751D8E999,
        "a": 0xD24EC4F1A98C6E5B,
        "abc": 0x44BC2CF5AD770999,
        "Nobody inspects the spammish repetition": 0xFBCEA83C8A378BF1,
    }.items():
        assert fasturl.dedup_hash(text, normalize=False) == number
