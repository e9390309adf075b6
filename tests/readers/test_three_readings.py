"""fasturl.readings agrees with urllib, with ada's WHATWG parser, and with strict parsing, on hostile texts."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

import pytest
from hostile_texts import texts
from python_readers import attempt, plain_host, read_ada, read_urllib, reading

from fasturl import Finding, Reading, decompose, parse, readings


def decoded(part: str | None) -> bytes:
    return unquote_to_bytes((part or "").encode("utf-8", "surrogatepass"))


def test_urllibs_reading_is_that_of_urllib(tries: int) -> None:
    seen = 0
    for text in texts("urllib", max(2000, tries // 2)):
        found, expected = readings(text)["urllib"], attempt(read_urllib, text)
        assert (found.refusal is None) == (expected is not None), text
        if expected is not None:
            assert reading(found.scheme, found.username, "", found.host, "")[:2] == expected[:2], text
            assert reading(found.scheme, "", "", found.host, "").host == expected.host, text
            seen += 1
    assert seen > 500


def test_whatwgs_reading_is_that_of_ada(tries: int) -> None:
    pytest.importorskip("ada_url")
    agreed = refused = 0
    for text in texts("whatwg", max(4000, tries)):
        found, expected = readings(text)["whatwg"], attempt(read_ada, text)
        ours = found.host or ""
        if "xn--" in text.lower() or "xn--" in ours or not text.isascii():
            continue  # Punycode is not checked, and the mapping is that of another Unicode
        assert (found.refusal is None) == (expected is not None), text
        if expected is None:
            refused += 1
            continue
        port = "" if found.port is None else str(found.port)
        assert reading(found.scheme, "", "", ours, "")[::3] == expected[::3], text
        assert decoded(found.username) == expected.user, text
        if found.scheme in ("http", "https", "ws", "wss", "ftp"):
            assert port == expected.port, text
        agreed += 1
    assert agreed > 500 < refused


def test_rfc1738s_reading_is_that_of_decompose(tries: int) -> None:
    seen = 0
    for text in texts("rfc1738", max(2000, tries // 2)):
        found = readings(text)["rfc1738"]
        assert (found.refusal is None) == parse(text).valid_rfc1738, text
        if found.refusal is None:
            assert found.host in (None, (getattr(decompose(text), "host", "") or "").lower()), text
            seen += 1
    assert seen > 200


def test_readings_that_differ_are_flagged(tries: int) -> None:
    for text in texts("differ", max(2000, tries // 2)):
        read = [one for one in readings(text).values() if one.refusal is None]
        told = {(one.scheme, decoded(one.username), plain_host(one.host or ""), one.port) for one in read}
        is_known = type(decompose(text, strict=False)).__name__ != "Generic"  # which may be an opaque part
        if len(told) > 1 and text.isascii() and is_known:
            assert Finding.AMBIGUOUS_AUTHORITY in parse(text).findings, text


CASES = [
    ("http://u:p@H:80/", "http", "u", "h", None),
    ("http:/\\u@h:8080", "http", "u", "h", 8080),
    ("http:h", "http", None, "h", None),
    ("http://0x7f.1", "http", None, "127.0.0.1", None),
    ("http://ex%61mple.com", "http", None, "example.com", None),
    ("http://b\u00fccher.de", "http", None, "xn--bcher-kva.de", None),
    ("http://\uff48\u3002com", "http", None, "h.com", None),
    ("http://[0:0::1]", "http", None, "::1", None),
    ("file://localhost/x", "file", None, "", None),
    ("file://C:/x", "file", None, "", None),
    ("x:h", "x", None, None, None),
]


@pytest.mark.parametrize(("text", "scheme", "username", "host", "port"), CASES)
def test_each_text_has_its_reading_of_whatwg(
    text: str, scheme: str, username: str | None, host: str | None, port: int | None
) -> None:
    assert readings(text)["whatwg"] == Reading(scheme, username, host, port, None)
    assert readings(text.encode()) == readings(text) == readings(parse(text))


@pytest.mark.parametrize(
    "text", ["h", "//h", "http://", "http://h:x", "http://h:65536", "http://[h]", "http://1.2.3.4.5"]
)
def test_a_refusal_has_a_reason_without_a_secret(text: str) -> None:
    found = readings(text.replace("//h:", "//u:s3cret@h:"))["whatwg"]
    assert found[:4] == (None,) * 4
    assert found.refusal and "s3cret" not in found.refusal
