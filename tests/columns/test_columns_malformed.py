"""Malformed Arrow arrays are refused by an error that names the row, without a read outside the buffers."""

import ctypes
import random
import re
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from expected import bytes_of, parsed
from guarded import KINDS, Malleable
from guardpages import PAGE
from hypothesis import given, settings
from hypothesis import strategies as st
from support import check_hostile_columns

import fasturl
from fasturl import arrow

CALLS: dict[str, tuple[Callable[[Any], Any], Callable[[bytes], Any]]] = {
    "parse": (lambda c: arrow.parse(c, arrow.FIELDS), parsed),
    "quote": (arrow.quote, lambda u: fasturl.quote_from_bytes(u).encode()),
    "unquote": (arrow.unquote, fasturl.unquote_to_bytes),
    "normalize": (arrow.normalize, fasturl.normalize),
    "redact": (lambda c: arrow.redact(c, ["key"]), lambda u: fasturl.redact(u, ["key"])),
    "query_value": (lambda c: arrow.query_value(c, "key"), lambda u: fasturl.query_value(u, "key")),
}
TEXTS = [
    b"http://user:pass@www.example.com:8080/a%20path?key=%41", b"/", b"HTTP://WWW.EXAMPLE.COM/%7e", b"", b"a b",
    b"http://www.example.com/a/long/path/without/anything/else",
]  # fmt: skip
KIND_AND_CODE = [pytest.param(kind, code, id=str(kind)) for code, kinds in KINDS.items() for kind in kinds]
OFFSET_KINDS = KIND_AND_CODE[:4]
VIEW_KINDS = KIND_AND_CODE[4:]
guarded = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")


def outcome(call: Callable[[Any], Any], column: Any) -> str:
    """Describe the outcome of a call in words: a failed test must not print the column, since pyarrow would read it."""
    try:
        call(column)
    except ValueError as error:
        return str(error)
    return "no error"


def refused(column: Any, message: str) -> None:
    __tracebackhide__ = True
    for name, (call, _) in CALLS.items():
        said = outcome(call, column)
        assert re.search(message, said), (name, said)


@guarded
@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize(("kind", "code"), OFFSET_KINDS)
def test_offsets_out_of_order_or_outside_are_refused(kind: pa.DataType, code: str, before: int) -> None:
    texts = TEXTS[:before] + TEXTS
    end = sum(map(len, texts))
    for value, message in [
        (1 << 30, "row 1 has offsets outside"),                 (end + 1, "row 1 has offsets outside"),
        (-1, "row 1 has offsets that run backwards"),           (-(1 << 31), "row 1 has offsets that run backwards"),
        *([(-(1 << 63), "row 1 has offsets that run backwards"), ((1 << 63) - 1, "row 1 has")] if code == "q" else []),
    ]:  # fmt: skip
        column = Malleable(texts, kind, before=before)
        column.spoil_offset(2, value)
        refused(column.array, message)
        refused(pa.chunked_array([pa.array(["x", "y"], kind), column.array]), message.replace("row 1", "row 3"))


@guarded
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_a_first_offset_below_zero_is_refused(kind: pa.DataType) -> None:
    column = Malleable(TEXTS, kind)
    column.spoil_offset(0, -8)
    refused(column.array, "negative|row 0 has offsets outside|[Oo]ffset")


@guarded
@pytest.mark.parametrize("length", [1, 1000, 1 << 29])
def test_offsets_whose_difference_overflows_are_refused(length: int) -> None:
    """Behind a null, from the greatest number to the least: in 64 bits their difference is small again."""
    column = Malleable(TEXTS, pa.large_string())
    column.spoil_offset(3, (1 << 63) - 1)
    column.spoil_offset(4, -(1 << 63) + length - 1)
    validity = pa.array([row != 2 for row in range(len(TEXTS))]).buffers()[1]
    refused(
        pa.Array.from_buffers(pa.large_string(), len(TEXTS), [validity, *column.array.buffers()[1:]]),
        "row 3 has offsets that run backwards",
    )


@guarded
@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize(("kind", "code"), VIEW_KINDS)
def test_views_outside_the_buffers_are_refused(kind: pa.DataType, code: str, before: int) -> None:
    size = sum(map(len, TEXTS)) + sum(map(len, TEXTS[:before]))
    for spoiled, message in [
        (struct.pack("=iiii", -1, 0, 0, 0), "row 2 has a view of negative length"),
        (struct.pack("=iiii", -(1 << 31), 0, 0, 0), "row 2 has a view of negative length"),
        (struct.pack("=iiii", 20, 0, 1, 0), "row 2 has a view of a buffer that is not there"),
        (struct.pack("=iiii", 20, 0, -1, 0), "row 2 has a view of a buffer that is not there"),
        (struct.pack("=iiii", 20, 0, (1 << 31) - 1, 0), "row 2 has a view of a buffer that is not there"),
        (struct.pack("=iiii", 20, 0, 0, -1), "row 2 has a view of bytes outside"),
        (struct.pack("=iiii", 20, 0, 0, size - 19), "row 2 has a view of bytes outside"),
        (struct.pack("=iiii", (1 << 31) - 1, 0, 0, (1 << 31) - 1), "row 2 has a view of bytes outside"),
    ]:
        column = Malleable(TEXTS[:before] + TEXTS, kind, before=before)
        column.spoil(2, spoiled)
        refused(column.array, message)


@guarded
@pytest.mark.parametrize(("kind", "code"), KIND_AND_CODE)
def test_values_behind_a_null_are_not_read(kind: pa.DataType, code: str) -> None:
    column = Malleable(TEXTS, kind)
    validity = pa.array([row != 2 for row in range(len(TEXTS))]).buffers()[1]
    array = pa.Array.from_buffers(kind, len(TEXTS), [validity, *column.array.buffers()[1:]])
    if code == "views":
        column.spoil(2, struct.pack("=iiii", -1, 7, 7, 7))
        for name, (call, one) in CALLS.items():
            want = [None if row == 2 else one(text) for row, text in enumerate(TEXTS)]
            found = call(array).to_pylist()
            if name != "parse":
                assert [bytes_of(text) for text in found] == want


@pytest.mark.parametrize("width", [8, 16, 32])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_binary(), pa.string_view()], ids=str)
def test_a_dictionary_index_outside_is_refused(kind: pa.DataType, width: int) -> None:
    values = pa.array(["a", "b"], pa.string()).cast(kind)
    for index in (2, -1, 100):
        indices = pa.array([0, None, index], {8: pa.int8(), 16: pa.int16(), 32: pa.int32()}[width])
        column = pa.DictionaryArray.from_arrays(indices, values, safe=False)
        refused(column, "row 2 has an index outside of the dictionary")
        refused(column.slice(2), "row 0 has an index outside of the dictionary")


@guarded
def test_a_fault_in_a_dictionary_names_the_value() -> None:
    column = Malleable(TEXTS, pa.string())
    array = pa.DictionaryArray.from_arrays(pa.array([0, 0, 1]), column.array)
    column.spoil_offset(2, 1 << 20)
    refused(array, "value 1 has offsets outside")


def test_run_ends_out_of_order_are_refused() -> None:
    for wrong in ([2, 1, 3], [0, 2, 3], [-1, 2, 3], [3, 3, 3]):
        ends = pa.array([1, 2, 3], pa.int32())
        column = pa.RunEndEncodedArray.from_arrays(ends, pa.array(["a", "b", "c"]))
        ctypes.memmove(ends.buffers()[1].address, struct.pack("=3i", *wrong), 12)
        refused(column, "run ends")
        refused(column.slice(1), "run ends")


def test_buffers_too_small_or_absent_are_refused() -> None:
    from fasturl._columns import InputColumn

    wrong: list[tuple[str, int, int, tuple[int, int], tuple[int, int]]] = [
        ("offsets32", 0, 4, (0, 0), (64, 19)), ("offsets32", 1, 4, (0, 0), (64, 20)),
        ("offsets64", 0, 4, (0, 0), (64, 39)), ("views", 0, 4, (0, 0), (64, 63)), ("views", 2, 4, (0, 0), (64, 95)),
        ("offsets32", 0, 9, (64, 1), (64, 4096)), ("offsets32", 8, 1, (64, 1), (64, 4096)),
        ("offsets32", 0, 1, (0, 0), (0, 0)), ("offsets32", -1, 1, (0, 0), (64, 4096)),
        ("offsets32", 0, -1, (0, 0), (64, 4096)), ("views", 1 << 62, 1, (0, 0), (64, 4096)),
    ]  # fmt: skip
    for layout, offset, rows, validity, offsets in wrong:
        with pytest.raises(ValueError):
            InputColumn(layout, offset, rows, validity, offsets, [])
    InputColumn("offsets32", 1, 4, (64, 1), (64, 24), [])


@guarded
@pytest.mark.parametrize(("kind", "code"), KIND_AND_CODE)
def test_a_column_without_data_but_with_lengths_is_refused(kind: pa.DataType, code: str) -> None:
    """The C interface can pass such a column: no data buffer, but rows that name bytes."""
    column = Malleable([b""] * 3, kind)
    if code == "views":
        column.spoil(1, struct.pack("=iiii", 13, 0, 0, 0))
    else:
        column.spoil_offset(1, 5)
        column.spoil_offset(2, 5)
    refused(column.array, "row [01] has")


def test_a_view_too_near_the_end_of_a_large_buffer_is_refused() -> None:
    """Its parts would need offsets above 31 bits, which no view holds."""
    import mmap

    size = (1 << 31) + 4096
    raw = pa.py_buffer(mmap.mmap(-1, size))
    views = pa.py_buffer(struct.pack("=iiii", 100, 0, 0, (1 << 31) - 50))
    refused(pa.Array.from_buffers(pa.binary_view(), 1, [None, views, raw]), "row 0 has over")


# --- corrupted at random ---------------------------------------------------------------------------------------------
def answer(texts: list[bytes | None], one: Callable[[bytes], Any], found: Any) -> bool:
    def same(text: bytes | None, row: Any) -> bool:
        if text is None:
            return row is None or (isinstance(row, dict) and set(row.values()) == {None})
        return bool(one(text) == row)

    return all(same(text, row) for text, row in zip(texts, found.to_pylist(), strict=True))


@guarded
@settings(deadline=None)
@given(
    seed=st.integers(0, 1 << 32),
    kind=st.sampled_from([pa.binary(), pa.large_binary(), pa.binary_view()]),
    rows=st.integers(1, 70),
    before=st.integers(0, 9),
)
def test_a_corrupt_column_gives_an_error_or_the_right_answer(
    seed: int, kind: pa.DataType, rows: int, before: int
) -> None:
    """A reader of Arrow's layouts in struct and slices gives the right answer; it shares nothing with the kernel."""
    chance = random.Random(seed)
    texts = [chance.choice(TEXTS) for _ in range(rows + before)]
    column = Malleable(texts, kind, before=before)
    raw = bytearray(column.raw)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(raw) // 4) * 4
        raw[at : at + 4] = struct.pack("=i", chance.choice([0, 1, 5, 12, 13, 40, 1 << 12, -1, 1 << 30, -(1 << 31)]))
    ctypes.memmove(column.at, bytes(raw), len(raw))
    data = b"".join(texts)
    want: list[bytes] | None = []
    for row in range(before, before + rows):
        if column.code == "views":
            length, _, buffer, offset = struct.unpack_from("=iiii", raw, 16 * row)
            start, end = (16 * row + 4, 16 * row + 4 + length) if 0 <= length <= 12 else (offset, offset + length)
            source, right = (raw, True) if 0 <= length <= 12 else (data, buffer == 0)
        else:
            width = struct.calcsize(column.code)
            start, end = struct.unpack_from("=2" + column.code, raw, width * row)
            source, right = data, True
        if not (right and 0 <= start <= end <= len(source)):
            want = None
            break
        assert want is not None
        want.append(bytes(source[start:end]))
    for call, one in CALLS.values():
        try:
            found = call(column.array)
        except ValueError:
            # pyarrow also refuses malformed offsets before or behind the slice.
            assert want is None or column.code != "views"
        else:
            assert want is not None and answer(list(want), one, found)


def test_the_guard_page_starts_where_the_bytes_end() -> None:
    column = Malleable(TEXTS, pa.string())
    assert (column.at + len(column.raw)) % PAGE == 0


def test_each_column_has_the_right_answer_or_a_typed_exception() -> None:
    """Columns that lie about their layout or kind (readhostile.py reads them in its own process)."""
    check_hostile_columns(Path(__file__).with_name("readhostile.py"), least=90)
