"""fasturl.readings agrees with urllib, with ada's WHATWG parser, and with strict parsing, on hostile texts."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

import pytest
from hostile_texts import texts
from python_readers import attempt, plain_host, read_ada, read_urllib, reading

import fasturl
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


@pytest.mark.parametrize(("text", "scheme", "username", "host", "port"), [
    ("http://u:p@H:80/", "http", "u", "h", None),             ("http:/\\u@h:8080", "http", "u", "h", 8080),
    ("http:h", "http", None, "h", None),                      ("http://0x7f.1", "http", None, "127.0.0.1", None),
    ("http://ex%61mple.com", "http", None, "example.com", None),
    ("http://b\u00fccher.de", "http", None, "xn--bcher-kva.de", None),
    ("http://\uff48\u3002com", "http", None, "h.com", None),  ("http://[0:0::1]", "http", None, "::1", None),
    ("file://localhost/x", "file", None, "", None),           ("file://C:/x", "file", None, "", None),
    ("x:h", "x", None, None, None),
])  # fmt: skip
def test_each_text_has_its_reading_of_whatwg(
    text: str, scheme: str, username: str | None, host: str | None, port: int | None
) -> None:
    assert readings(text)["whatwg"] == Reading(scheme, username, host, port, None, text.isascii())
    assert readings(text.encode()) == readings(text) == readings(parse(text))


@pytest.mark.parametrize(
    "text", ["h", "//h", "http://", "http://h:x", "http://h:65536", "http://[h]", "http://1.2.3.4.5"]
)
def test_a_refusal_has_a_reason_without_a_secret(text: str) -> None:
    found = readings(text.replace("//h:", "//u:s3cret@h:"))["whatwg"]
    assert found[:4] == (None,) * 4
    assert found.refusal and "s3cret" not in found.refusal


# From url/resources/toascii.json of https://github.com/web-platform-tests/wpt (BSD license): None for a refusal.
TO_ASCII = {
    "aa--": "aa--", "ab--c": "ab--c", "-x": "-x", "x01234567890123456789012345678901234567890123456789012345678901x":
    "x01234567890123456789012345678901234567890123456789012345678901x", "A.b": "a.b", "a\u2020--": "xn--a---kp0a",
    "-x.xn--zca": "-x.xn--zca", "x..\u00df": "x..xn--zca", "xn--a": None, "xn--ls8h=": None, "xn--te\u0161la": None,
    "\u200d.example": None, "\u064aa": None, "\u064a.1": None, "xn--zn7c.com": None, "a\u00adb": "ab",
    "\u2260": "xn--1ch",
    "a\u2488com": None, "a.b\uff0ec\u3002d\uff61": "a.b.c.d.", "\u226e": "xn--gdh",
    "xn--a-yoc": None, "\ufffd.com": None,
}  # fmt: skip


@pytest.mark.parametrize(("host", "expected"), TO_ASCII.items())
def test_whatwgs_host_is_that_of_the_standard_or_not_judged(host: str, expected: str | None) -> None:
    for written in (host, "".join(f"%{byte:02X}" for byte in host.encode())):
        found = readings(f"http://{written}/")["whatwg"]
        assert found.is_judged == (host.isascii() and "xn--" not in host)
        assert found.host == expected or not found.is_judged
    assert readings(f"x://{host}/")["whatwg"].is_judged and readings(host)["urllib"].is_judged


def test_numbers_of_any_length_are_read_as_address_scope_reads_them() -> None:
    for zeros in (1, 38, 39, 40, 41, 4000):
        for host in (f"{'0' * zeros}177.1", f"0x{'0' * zeros}7f.0x1", f"127.{'0' * zeros}1", f"127.0x{'0' * zeros}1"):
            assert readings(f"http://{host}/")["whatwg"].host == "127.0.0.1"
            assert fasturl.address_scope(f"http://{host}/") == "loopback"
        assert readings(f"http://{'1' * (10 + zeros)}/")["whatwg"].refusal
