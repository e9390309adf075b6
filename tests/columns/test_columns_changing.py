"""A column that another thread writes during the call may give any answer, but no invalid memory access. Nothing
outside the buffers is read or written, and no view of the result names memory outside the buffers."""

import ctypes
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import pytest
from guarded import Malleable
from guardpages import PAGE, Guarded

from fasturl import _columns, _fastparse, arrow

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

N = 1 << 18  # long enough for the other thread to interfere
ROUNDS = 100
# Two texts of N bytes per function: one becomes longer or shorter, the other has other sizes.
WORK: dict[str, tuple[Callable[[], Any], bytes, bytes]] = {
    "quote": (lambda: _columns.quoting("/"), b"a" * N, b" " * N),
    "unquote": (lambda: _columns.unquoting(text=False), b"%41" * N, b"a%zz" * N),
    "unquote, text": (lambda: _columns.unquoting(text=True), b"%41" * N, b"%FF" * N),
    "normalize": (_columns.normalizing, b"http://h/" + b"%41" * N, b"HTTP://H:80/" + b"a%2f%zz" * N),
    "value": (lambda: _columns.valuing("k", None, text=False), b"?k=" + b"%41" * N, b"?" + b"&" * N + b"k=1"),
    "value, text": (lambda: _columns.valuing("\ufffd", None, text=True), b"?%FF=" + b"%FF" * N, b"?%F=" * N),
    "redact": (lambda: _columns.redacting(["k"], text=False), b"?k=" + b"a" * N, b"?k=&" + b"k=&" * N),
    "redact, password": (lambda: _columns.redacting([], text=False), b"f://u:p@" + b"h" * N, b"f://:@" + b":@" * N),
}
CALLS: dict[str, Callable[[Any], Any]] = {
    "parse": lambda c: arrow.parse(c, arrow.FIELDS, threads=1),
    "quote": lambda c: arrow.quote(c, threads=1),             "unquote": lambda c: arrow.unquote(c, threads=1),
    "normalize": lambda c: arrow.normalize(c, threads=1),     "redact": lambda c: arrow.redact(c, ["key"], threads=1),
    "query_value": lambda c: arrow.query_value(c, "key", threads=1),
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_second_look() -> Iterator[None]:
    """Builds with asserts check conditions that changing text breaks."""
    _fastparse._let_texts_change(True)
    yield
    _fastparse._let_texts_change(False)


@contextmanager
def writing(address: int, *contents: bytes) -> Iterator[None]:
    """Let another thread write one content after the other, without the GIL: ctypes releases it during a call."""
    move = ctypes.CDLL(None).memmove
    move.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            for content in contents:
                move(address, content, len(content))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def check_views(found: Any) -> None:
    """Check that each view names bytes inside the buffers. pyarrow's own check also compares a view's first four bytes
    with the buffer, which may have changed since."""
    for array in found.columns if isinstance(found, pa.RecordBatch) else [found]:
        if array.type != pa.binary_view():
            continue
        _, views, *data = array.buffers()
        for length, _, buffer, offset in struct.iter_unpack("=iiii", views.to_pybytes()):
            assert 0 <= length <= 12 or (0 <= offset and offset + length <= data[buffer].size)


@pytest.mark.parametrize("work", WORK)
def test_no_more_is_written_than_was_reserved(work: str) -> None:
    """Each block has the requested size, and an unwritable page behind it."""
    make, *texts = WORK[work]
    size = min(map(len, texts))
    contents = [text[:size] for text in texts]
    source = Guarded(size // PAGE + 2)
    address = source.put(contents[0], at_end=True)
    places = ctypes.create_string_buffer(struct.pack("=2q", 0, size))
    column = _columns.InputColumn("offsets64", 0, 1, (0, 0), (ctypes.addressof(places), 16), [(address, size)])
    views, validity = ctypes.create_string_buffer(16), ctypes.create_string_buffer(8)
    block = Guarded(5 * size // PAGE + 3)
    job = make()

    def take(data: int, used: int) -> tuple[int, int, int]:
        assert data <= block.size
        return block.start + block.size - data, data, 1

    with writing(address, *contents):
        for _ in range(ROUNDS):
            _columns.map_rows(
                column, job, ctypes.addressof(views), ctypes.addressof(validity), start=0, end=1, take=take
            )
            length, _, buffer, offset = struct.unpack("=iiii", views.raw[:16])
            assert 0 <= length <= 12 or offset + length <= (block.size if buffer else size)


def test_a_text_that_grows_after_counting_is_cut_at_the_reserved_size() -> None:
    """The block overlaps the text, so that each written piece changes the next input. No thread is needed. The leading
    spaces become "%20", and these "%2520"."""
    size, head = 1 << 14, 512
    text = b" " * head + b"a" * (size - head)
    needed = size + 2 * head
    guard = Guarded(2 * needed // PAGE + 1)
    block = guard.start + guard.size - needed
    source = guard.put_at(guard.size - needed - head, text)
    places = ctypes.create_string_buffer(struct.pack("=2q", 0, size))
    column = _columns.InputColumn("offsets64", 0, 1, (0, 0), (ctypes.addressof(places), 16), [(source, size)])
    views, validity = ctypes.create_string_buffer(16), ctypes.create_string_buffer(8)
    asked = []

    def take(data: int, used: int) -> tuple[int, int, int]:
        asked.append(data)
        return block, data, 1

    _columns.map_rows(
        *(column, _columns.quoting("/"), ctypes.addressof(views), ctypes.addressof(validity)), start=0, end=1, take=take
    )
    assert asked == [needed]
    assert ctypes.string_at(block, 3 * head) == b"%20" * head
    assert struct.unpack("=i", views.raw[:4]) == (needed,)


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
@pytest.mark.parametrize("call", CALLS)
def test_changing_offsets_and_views_are_used_as_checked(call: str, kind: pa.DataType) -> None:
    texts = [b"http://www.example.com/" + b"%41?key=" * 4, b"/a b", b"ftp://user:password@h/;type=a"] * 100
    column = Malleable(texts, kind)
    wrong = bytes(255 if at % 7 == 0 else byte for at, byte in enumerate(column.raw))
    rounds = refused = 0
    with writing(column.at, column.raw, wrong):
        while rounds < ROUNDS or not 0 < refused < rounds:
            rounds += 1
            try:
                found = CALLS[call](column.array)
            except ValueError:
                refused += 1
            else:
                check_views(found)


@pytest.mark.parametrize("kind", [pa.binary(), pa.binary_view()], ids=str)
@pytest.mark.parametrize("call", CALLS)
def test_changing_bytes_give_views_of_what_is_there(call: str, kind: pa.DataType) -> None:
    urls = [b"http://www.example.com/" + b"%41?key=" * 9, b"ftp://us@er:pass@word@h[o]:21/;type=a#f?" + b"%" * 50]
    texts = [urls[row % 2][: row + 3] for row in range(90)]
    column = Malleable(texts, kind)
    size = sum(map(len, texts))
    others = [b"".join(url * 9 for url in order)[: size // 3] * 3 for order in (urls, urls[::-1])]
    others += [(b"//:@[]?#%" * size)[:size], (b"http://" * size)[:size]]
    with writing(column.data_at, *(other.ljust(size, b":") for other in others)):
        for _ in range(ROUNDS):
            check_views(CALLS[call](column.array))
