"""The text columns (quote, normalize, redact and others) agree row by row with the functions of one text."""

import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import LAYOUTS, all_layouts
from tries import ALL, EXAMPLES

import fasturl
from fasturl import arrow

PIECES = [
    "http://", "HTTP://EXAMPLE.com:80", "ftp://", "me:secret@", "h", "/", "?", "#", "&", "=", "+", "a",
    "b c", "a=1", "key=", "%61", "%", "%4", "%C3", "%C3%A9", "%FF", "%E2%82", "%E2%82%AC", "%F0%9F%98%80",
    "%ED%A0%80", "%C0%AF", "\xe9", "\u20ac", "\U0001f600", "\ufffd", "%00",
    "long-enough-for-a-view-of-its-own", "&k%65y=", "&key=x", "&\xe9=1",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text(max_size=20)
COLUMNS = st.lists(st.none() | TEXTS, max_size=10)

Call = tuple[Callable[[Any], Any], Callable[[str], str | None], Callable[[bytes], bytes | None]]
CALLS: dict[str, Call] = {
    "quote": (arrow.quote, fasturl.quote, lambda u: fasturl.quote_from_bytes(u).encode()),
    "quote, all safe": (
        lambda c, **kw: arrow.quote(c, ":/?&=#%+", **kw),
        lambda u: fasturl.quote(u, ":/?&=#%+"),
        lambda u: fasturl.quote_from_bytes(u, ":/?&=#%+").encode(),
    ),
    "quote, bytes safe": (
        lambda c, **kw: arrow.quote(c, b"\xff ", **kw),
        lambda u: fasturl.quote(u, b"\xff "),
        lambda u: fasturl.quote_from_bytes(u, b"\xff ").encode(),
    ),
    "unquote": (arrow.unquote, fasturl.unquote, fasturl.unquote_to_bytes),
    "normalize": (arrow.normalize, fasturl.normalize, fasturl.normalize),
    "redact": (arrow.redact, fasturl.redact, fasturl.redact),
    "redact keys": (
        lambda c, **kw: arrow.redact(c, ["key", "a", "é", ""], **kw),
        lambda u: fasturl.redact(u, ["key", "a", "é", ""]),
        lambda u: fasturl.redact(u, ["key", "a", "é", ""]),
    ),
    "redact one key": (
        lambda c, **kw: arrow.redact(c, "key", **kw),
        lambda u: fasturl.redact(u, "key"),
        lambda u: fasturl.redact(u, "key"),
    ),
}
for _name in ("key", "a", "é", "\ufffd", "", "b c", "\udc80"):
    CALLS[f"value of {_name!a}"] = (
        lambda c, n=_name, **kw: arrow.query_value(c, n, **kw),
        lambda u, n=_name: fasturl.query_value(u, n),
        lambda u, n=_name: fasturl.query_value(u, n),
    )


def as_list(found: pa.Array | pa.ChunkedArray) -> list[Any]:
    found.validate(full=True)
    return list(found.to_pylist())


def check(call: str, texts: list[str | None]) -> None:
    columns, one_text, one_bytes = CALLS[call]
    want_texts = [None if text is None else one_text(text) for text in texts]
    want_bytes = [None if text is None else one_bytes(text.encode()) for text in texts]
    for layout, column, binary in all_layouts(texts):
        want = want_bytes if binary else want_texts
        found = columns(column, strings="view")
        assert found.type == (pa.binary_view() if binary else pa.string_view())
        assert as_list(found) == want, layout
        found = columns(column)
        assert found.type == (pa.binary() if binary else pa.string())
        assert as_list(found) == want, layout


@pytest.mark.parametrize("call", CALLS)
@settings(max_examples=EXAMPLES if ALL else 10)
@given(texts=COLUMNS)
def test_every_layout_agrees_with_the_function(kernel: str, call: str, texts: list[str | None]) -> None:
    check(call, texts)


@given(data=st.lists(st.none() | st.binary(max_size=30) | TEXTS.map(str.encode), max_size=8))
def test_any_bytes_agree_with_the_function(data: list[bytes | None]) -> None:
    for columns, _, one in CALLS.values():
        assert as_list(columns(data)) == [None if text is None else one(text) for text in data] or not any(data)


def test_invalid_utf_8_is_replaced_as_python_does(kernel: str) -> None:
    """Every pair of bytes, and sequences of three and four around each limit, as escapes inside a text."""
    limits = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xED, 0xF0, 0xF4, 0xFF]
    leads = [0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5]
    sequences = [(a, b) for a in range(256) for b in range(256)]
    sequences += [(a, b, c) for a in leads for b in limits for c in limits]  # type: ignore[misc]
    sequences += [(a, b, c, d) for a in leads[9:] for b in limits for c in limits for d in limits]  # type: ignore[misc]
    texts = ["".join(f"%{byte:02X}" for byte in data) for data in sequences]
    texts += [text + "é" for text in texts[::7]]
    assert as_list(arrow.unquote(texts)) == [fasturl.unquote(text) for text in texts]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 127, 128, 129])
def test_row_counts_around_a_block_agree_with_the_function(call: str, n: int) -> None:
    texts = [None if i % 5 == 0 else "".join(PIECES[(i * k) % len(PIECES)] for k in range(i % 7)) for i in range(n)]
    columns, one, _ = CALLS[call]
    for layout, make in LAYOUTS.items():
        want = [None if text is None else one(text) for text in texts]
        assert as_list(columns(make(texts, pa.string()))) == want, layout


@pytest.mark.parametrize("call", ["quote", "unquote", "normalize", "redact keys", "value of 'key'"])
def test_any_number_of_threads_gives_the_same(call: str) -> None:
    some = [None if i % 11 == 0 else "".join(PIECES[(i * k) % len(PIECES)] for k in range(i % 8)) for i in range(5000)]
    texts = (some * 27)[: (1 << 17) + 63]
    columns, one, _ = CALLS[call]
    want = [None if text is None else one(text) for text in some]
    first = columns(texts, threads=1)
    assert as_list(first)[:5000] == want
    for threads in (2, 8, None):
        found = columns(texts, threads=threads)
        found.validate(full=True)
        assert found.equals(first)


@pytest.mark.parametrize("n", [511, 512, 513, 4095, 4096, 4097, 1 << 20, (1 << 22) + 5])
def test_lengths_around_a_piece_and_a_block_agree(kernel: str, n: int) -> None:
    units = ("a b%zz+", "http://h/?key=%41&", "a", " ", "%41", "%FF", "é")
    for unit in units if ALL or n <= 5000 else units[:2]:
        text = (unit * (n // len(unit) + 1))[:n]
        for name, (columns, one, _) in CALLS.items():
            if n > 5000 and name not in ("quote", "unquote", "redact keys", "value of 'key'"):
                continue
            found = columns([text, "x", None, text])
            assert as_list(found) == [one(text), one("x"), None, one(text)], (name, unit)


@pytest.mark.parametrize("lone", ["", "%", "%4", "%g"])
def test_escapes_are_normalized_at_every_place_of_a_block(kernel: str, lone: str) -> None:
    """Escapes are read many at a time: decoded ones, lower-case ones, cut ones, ones behind a "%"."""
    rng = random.Random(1738)
    pieces = ["%41", "%7e", "%2d", "%c3%a9", "%2f", "%2F", "a", "bcd", "/", "x" * 30]
    texts = ["http://H/" + "a" * (i % 70) + "".join(rng.choices(pieces, k=rng.randrange(60))) for i in range(1500)]
    texts = [text[: (cut := rng.randrange(len(text)))] + lone + text[cut:] if lone else text for text in texts]
    assert arrow.normalize(pa.array(texts)).to_pylist() == [fasturl.normalize(text) for text in texts]


def test_real_urls_agree_with_the_function(real_urls: list[str], kernel: str) -> None:
    for columns, one, _ in CALLS.values():
        assert as_list(columns(real_urls)) == [one(url) for url in real_urls]


def test_a_query_value_falls_back_to_the_default() -> None:
    texts = ["/?a=1", "/?a", "/?b=1", None, "/"]
    for default in (None, "", "short", "a default that is longer than a view"):
        for _, column, binary in all_layouts(texts):
            given_ = default.encode() if binary and default is not None else default
            want = [fasturl.query_value(text, "a", default) if text is not None else None for text in texts]
            found = as_list(arrow.query_value(column, "a", given_))
            assert [text.decode() if binary and text is not None else text for text in found] == want
    assert as_list(arrow.query_value([b"/"], "a", bytearray(b"x"))) == [b"x"]


def test_unchanged_rows_are_views_of_the_input() -> None:
    column = pa.array(["http-as-it-should-be/", "a text that is to be quoted", None])
    for call, function in (("quote", arrow.quote), ("unquote", arrow.unquote)):
        found = function(column, strings="view")
        data = column.buffers()[2]
        assert any(buffer is not None and buffer.address == data.address for buffer in found.buffers()), call
    assert len(arrow.unquote(column, strings="view").buffers()) == 3


def test_a_redacted_column_holds_no_secret_anywhere() -> None:
    texts = [
        "ftp://me:s3cret-of-mine@ftp.example.com/", "http://example.com/?token=s3cret-of-mine&page=1",
        "http://www.example.com/",
    ]  # fmt: skip
    for column in (pa.array(texts), pa.array(texts, pa.string_view()), pa.chunked_array([texts, texts])):
        both = [arrow.redact(column, ["token"], strings=strings) for strings in ("view", "string")]
        arrays = [chunk for found in both for chunk in getattr(found, "chunks", [found])]
        for array in arrays:
            assert not any(b"s3cret" in buffer.to_pybytes() for buffer in array.buffers() if buffer is not None)


def test_reused_memory_shows_nothing_of_the_last_batch() -> None:
    old = ["http://h/left-over/%20" + "x" * 40] * 5000
    for _ in range(4):
        arrow.unquote(old)
    found = arrow.unquote(["a%20text%20that%20is%20longer%20than%20a%20view"] * 3)
    assert not any(b"left-over" in buffer.to_pybytes() for buffer in found.buffers()[2:])


@pytest.mark.parametrize(("call", "error"), [
    (lambda: arrow.quote("a b"), TypeError),                  (lambda: arrow.quote([1]), TypeError),
    (lambda: arrow.quote(["a"], 7), TypeError),               (lambda: arrow.quote(["a"], None), TypeError),
    (lambda: arrow.quote(["a"], threads=0), ValueError),      (lambda: arrow.quote(["a"], strings="copy"), ValueError),
    (lambda: arrow.query_value(["a"], 7), TypeError),         (lambda: arrow.query_value(["a"], b"a"), TypeError),
    (lambda: arrow.query_value(["a"], "a", b"x"), TypeError), (lambda: arrow.query_value([b"a"], "a", "x"), TypeError),
    (lambda: arrow.query_value([b"a"], "a", 7), TypeError),   (lambda: arrow.redact(["a"], [7]), TypeError),
    (lambda: arrow.redact(["a"], 7), TypeError),              (lambda: arrow.redact(["a"], [b"a"]), TypeError),
])  # fmt: skip
def test_wrong_arguments_raise(call: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_a_text_too_long_for_a_view_is_refused() -> None:
    """The memory is sparse: only the offsets are ever read."""
    import mmap

    data = mmap.mmap(-1, (1 << 30) + 6)
    offsets = pa.array([0, 5, (1 << 30) + 6], pa.int64()).buffers()[1]
    column = pa.Array.from_buffers(pa.large_binary(), 2, [None, offsets, pa.py_buffer(data)])
    for work in (arrow.quote, arrow.unquote, arrow.normalize, arrow.redact, arrow.parse):
        with pytest.raises(ValueError, match=r"row 1 .* view can name"):
            work(column)
