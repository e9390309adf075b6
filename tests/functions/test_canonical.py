"""canonical gives the answers of w3lib's canonicalize_url, for single texts and columns, text and bytes."""

import random
from itertools import product
from typing import Any

import pytest
from nasty import NASTY

import fasturl

canonicalize_url = pytest.importorskip("w3lib.url").canonicalize_url
if canonicalize_url("http://h/a/../b") != "http://h/b":
    pytest.skip("w3lib before 2.5 keeps dot segments", allow_module_level=True)

pytestmark = pytest.mark.usefixtures("kernel")

SETTINGS: list[dict[str, bool]] = [dict(zip(("keep_blank_values", "keep_fragments"), both, strict=True))
                                   for both in product((True, False), repeat=2)]  # fmt: skip
PIECES = [
    "http://", "HTTPS://", "ftp:", "ws://", "x-y://", "mailto:", "sip:", "//", "/", "/", "/", "..", ".", "/./", "/../",
    "%2e", "?", "#", "&", "&", "=", "=", "@", ":", ":80", ":080", ":99999", "[", "]", "[::1]", "[::0:1]",
    "[fe80::1%25Eth]", "[V1.a]", "[v1.a]", "[1.2.3.4]", ";", "%40", "%", "%2", "%25", "%2f", "%3B", "%3f", "%23", "%zz",
    "%c3%a9", "%FF", "+", "~", "|", "'", "\\", "user", "A.b", "Z9", "caf\xe9", "\u516c", "\u2488", "\uff0f", "\uff1a",
    "\u3002", "\xa0", "e\u0301", "\u2100", "\u0130", "x" * 64, " ", "\0", "\n", "\t", "\x1f", "\x7f", '"', "<", "^",
    "`", "{", "!", "$", "*", "(", ",", "a", "b", "\xdf", "\u212a", "\u200d", "xn--", "-", "_",
]  # fmt: skip


def expected(url: str | bytes, settings: dict[str, bool]) -> Any:
    try:
        found = canonicalize_url(url, **settings)
    except ValueError:
        return None
    return found.encode() if isinstance(url, bytes) else found


def random_texts(seed: str, count: int) -> list[str]:
    rng = random.Random(seed)
    texts = ["".join(rng.choices(PIECES, k=rng.randrange(12))) for _ in range(count)]
    starts = ["", "", "", "http://", "https://h", "http://h/", "http://h/?", "//", "foo:"]
    return [rng.choice(starts) + text for text in texts]


def data(texts: list[str]) -> list[bytes]:
    """Return the texts as bytes, every second one with invalid UTF-8."""
    return [text.encode().replace(b"\xc3", b"\xff" if i % 2 else b"\xc3") for i, text in enumerate(texts)]


def test_single_texts_agree_with_w3lib(tries: int) -> None:
    texts = [*random_texts("canonicalize", tries // 10), *(text for text, *_ in NASTY if isinstance(text, str))]
    texts = [text for text in texts if not any("\ud800" <= character <= "\udfff" for character in text)]
    for rows in (texts, data(texts)):
        for url, settings in product(rows, SETTINGS):
            assert fasturl.canonicalize(url, **settings) == expected(url, settings), (url, settings)


def test_columns_agree_with_w3lib(tries: int) -> None:
    pa = pytest.importorskip("pyarrow")
    from fasturl import arrow

    texts = random_texts("columns", tries // 5)
    for rows, settings in product((texts, data(texts)), SETTINGS):
        wanted = [expected(url, settings) for url in rows]
        for strings in ("string", "view"):
            assert arrow.canonicalize(pa.array(rows), strings=strings, **settings).to_pylist() == wanted


def test_a_url_without_a_canonical_form_is_kept_on_request(tries: int) -> None:
    pa = pytest.importorskip("pyarrow")
    from fasturl import arrow

    texts = ["http://h:x/", "http://[x]/", "http://\xe9..b/", " http://h:x/ ", *random_texts("keep", tries // 10)]
    for rows in (texts, data(texts)):
        found = [fasturl.canonicalize(url) for url in rows]
        wanted = [url if form is None else form for url, form in zip(rows, found, strict=True)]
        assert found[:2] == [None, None] and sum(form is None for form in found) > 3
        assert [fasturl.canonicalize(url, otherwise="keep") for url in rows] == wanted
        for strings in ("string", "view"):
            kept = arrow.canonicalize(pa.array([*rows, None]), otherwise="keep", strings=strings)
            assert kept.to_pylist() == [*wanted, None]
    with pytest.raises(ValueError, match="otherwise must be 'null' or 'keep', not 'kept'"):
        fasturl.canonicalize("http://h/", otherwise="kept")


def test_real_urls_agree_with_w3lib(real_urls: list[str], tries: int) -> None:
    for url in real_urls[:: max(1, 5 * len(real_urls) // tries)]:
        assert fasturl.canonicalize(url) == expected(url, {}), url


def test_a_canonical_form_is_its_own() -> None:
    for text in ("http://h/a?b=c", "/", "http://xn--bcher-kva.example/~b;c?a=&b=%2B+", b"x://h/"):
        assert fasturl.canonicalize(text) is text


def test_a_lone_surrogate_is_escaped() -> None:
    """w3lib raises UnicodeEncodeError; bytes have the same escapes in w3lib."""
    assert fasturl.canonicalize("http://h/\ud800") == "http://h/%ED%A0%80"
    assert canonicalize_url("http://h/\ud800".encode(errors="surrogatepass")) == "http://h/%ED%A0%80"
