"""Columns of every layout, and columns that lie: each is answered row by row, or refused by a typed exception. Capsules
do not tell the sizes of their buffers, so no column lies about those."""

import ctypes
import mmap
import struct
from collections.abc import Callable
from typing import Any

import pyarrow as pa

import fasturl

TEXTS = ["http://user:pw@h.example:8080/a%20b?k=v#f", "", "/", "a b", None, "http://h/" + "x" * 40, "mailto:a@b",
         "x:" + "y" * 10, "x:" + "y" * 11, "HTTP://\u00c9.example/\u00e9"]  # fmt: skip
KINDS = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
PLAIN = pa.array(TEXTS)
Case = tuple[Callable[[], Any], "list[Any] | None"]
_HELD: list[Any] = []


def bytes_of(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


class Link(pa.ExtensionType):
    def __init__(self, storage: pa.DataType | None = None) -> None:
        super().__init__(storage or pa.string(), "fasturl.test.hostile")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: pa.DataType, serialized: bytes) -> "Link":
        return cls(storage)


class OneArray:
    """An object with only one method, __arrow_c_array__ or another, that returns `answer`."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.answer()


class Stream(OneArray):
    __arrow_c_array__ = None  # type: ignore[assignment]

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.answer()


class HalfWay:
    def __iter__(self) -> Any:
        yield "http://h/"
        raise ZeroDivisionError


def fail() -> Any:
    raise ZeroDivisionError


def capsule(name: bytes) -> Any:
    """Return a capsule of a released structure: all zeros."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    memory = ctypes.create_string_buffer(256)
    _HELD.append((memory, name))
    return new(ctypes.addressof(memory), name, None)


def batches_until(stop: int) -> Any:
    for number in range(stop + 1):
        yield pa.record_batch([PLAIN], ["url"]) if number < stop else fail()


def spoilt(kind: pa.DataType, rows: int, code: str, *numbers: int) -> pa.Array:
    """Return an array whose offsets, views or numbers are changed after Arrow has checked them."""
    memory = bytearray(struct.calcsize(code))
    buffers = [None, pa.py_buffer(memory), pa.py_buffer(b"http://h/abcdefghijklmnop")]
    array = pa.Array.from_buffers(kind, rows, buffers[: 2 if pa.types.is_integer(kind) else 3])
    memory[:] = struct.pack(code, *numbers)
    return array


def dictionary(indices: Any, values: Any = PLAIN, kind: pa.DataType | None = None) -> pa.Array:
    made = indices if isinstance(indices, pa.Array) else pa.array(indices, kind or pa.int32())
    return pa.DictionaryArray.from_arrays(made, values, safe=False)


def runs(ends: list[int], values: pa.Array, length: int) -> pa.Array:
    held = bytearray(struct.pack(f"<{len(ends)}i", *range(length - len(ends) + 1, length + 1)))
    array = pa.Array.from_buffers(pa.int32(), len(ends), [None, pa.py_buffer(held)])
    kind = pa.run_end_encoded(pa.int32(), values.type)
    made = pa.Array.from_buffers(kind, length, [None], children=[array, values])
    held[:] = struct.pack(f"<{len(ends)}i", *ends)
    return made


def at_two_gib(kind: pa.DataType, code: str, ends: list[int]) -> pa.Array:
    """Return texts around byte 2**31, in sparse memory."""
    memory = mmap.mmap(-1, (1 << 31) + 64)
    memory[(1 << 31) - 64 :] = b"a" * 128
    offsets = struct.pack(f"<{len(ends)}{code}", *[(1 << 31) + end for end in ends])
    return pa.Array.from_buffers(kind, len(ends) - 1, [None, pa.py_buffer(offsets), pa.py_buffer(memory)])


OUTSIDE = spoilt(pa.string(), 2, "<3i", 0, 20, 1 << 30)
BACKWARDS = spoilt(pa.string(), 2, "<3i", 0, 20, 5)
HOLDS_ITSELF: list[Any] = ["http://h/"]
HOLDS_ITSELF.append(HOLDS_ITSELF)
# Arrow follows the first one until the stack ends; the other one's text stops it.
HOLDS_NOTHING_ELSE: list[Any] = []
HOLDS_NOTHING_ELSE.append(HOLDS_NOTHING_ELSE)


def right() -> dict[str, Case]:
    cases: dict[str, Case] = {
        "nulls": (lambda: pa.array([None] * 5), [None] * 5),
        "typed nulls": (lambda: pa.array([None] * 70, pa.string_view()), [None] * 70),
        "a dictionary with nulls in both": (
            lambda: dictionary([0, None, 4, 9, 0], kind=pa.int8()),
            [TEXTS[0], None, None, TEXTS[9], TEXTS[0]],
        ),
        "a dictionary of views": (lambda: dictionary([5, 0], PLAIN.cast(pa.string_view())), [TEXTS[5], TEXTS[0]]),
        "a dictionary of a dictionary": (lambda: dictionary([1, None, 0], dictionary([4, 5])), [TEXTS[5], None, None]),
        "a slice of a dictionary": (lambda: dictionary([0, 1, 2, 3]).slice(1, 2), TEXTS[1:3]),
        "an empty dictionary": (lambda: dictionary([None, None], pa.array([], pa.string())), [None, None]),
        "dictionaries that differ": (
            lambda: pa.chunked_array([pa.array([word, None]).dictionary_encode() for word in "ab"]),
            ["a", None, "b", None],
        ),
        "runs": (lambda: runs([2, 3, 9], pa.array(["a", None, "http://h"]), 9).slice(1, 3), ["a", None, "http://h"]),
        "bytes of a fixed size": (
            lambda: pa.array([b"http://a", None, b"\xff\xfe:///ab"] * 30, pa.binary(8)).slice(1, 70),
            ([b"http://a", None, b"\xff\xfe:///ab"] * 30)[1:71],
        ),
        "bytes of no size": (lambda: pa.array([b"", None], pa.binary(0)), [b"", None]),
        "an extension": (lambda: pa.ExtensionArray.from_storage(Link(), PLAIN).slice(2, 5), TEXTS[2:7]),
        "an extension of a dictionary": (
            lambda: pa.ExtensionArray.from_storage(Link(dictionary([0]).type), dictionary([0, 4])),
            [TEXTS[0], None],
        ),
        "bytes that are not UTF-8": (lambda: pa.array([b"x:\xff", b"\xed\xa0\x80"]), [b"x:\xff", b"\xed\xa0\x80"]),
        "a struct of one field": (lambda: pa.array([{"a": "http://h"}, None]), ["http://h", None]),
        "bytes and str": (lambda: ["http://h", b"x", None, bytearray(b"y")], [b"http://h", b"x", None, b"y"]),
        "a generator": (lambda: (text for text in TEXTS), TEXTS),
        "a stream": (lambda: Stream(pa.chunked_array([PLAIN, PLAIN]).__arrow_c_stream__), TEXTS * 2),
        "a batch": (lambda: OneArray(pa.record_batch([PLAIN], ["url"]).__arrow_c_array__), TEXTS),
        "texts at 2**31": (lambda: at_two_gib(pa.large_string(), "q", [-9, -1, 9, 10]), [b"a" * 8, b"a" * 10, b"a"]),
        "texts that end at 2**31 - 1": (lambda: at_two_gib(pa.string(), "i", [-9, -5, -1]), [b"aaaa"] * 2),
    }
    for kind in KINDS:
        data = [bytes_of(text) for text in TEXTS]
        array = pa.array(data, pa.binary()).cast(kind)
        texts = TEXTS if "string" in str(kind) else data
        cases |= {
            f"{kind}: no rows": (lambda array=array: array[:0], []),
            f"{kind}: no chunks": (lambda array=array: pa.chunked_array([], array.type), []),
            f"{kind}: slices": (
                lambda array=array: pa.chunked_array([array.slice(at, 3) for at in range(8)]),
                [text for at in range(8) for text in texts[at : at + 3]],
            ),
            f"{kind}: a slice": (lambda array=array: pa.concat_arrays([array] * 9).slice(5, 70), (texts * 9)[5:75]),
        }
    return cases


def wrong() -> dict[str, Callable[[], Any]]:
    text, large, view = pa.string(), pa.large_string(), pa.string_view()
    most = 1 << 30
    cases: dict[str, Callable[[], Any]] = {
        "offsets outside": lambda: OUTSIDE,
        "offsets backwards": lambda: BACKWARDS,
        "offsets below zero": lambda: spoilt(text, 2, "<3i", -most, 5, 9),
        "offsets of bytes outside": lambda: spoilt(pa.binary(), 2, "<3i", 0, most, most),
        "wide offsets outside": lambda: spoilt(large, 2, "<3q", 0, 1 << 62, 9),
        "wide offsets that overflow": lambda: spoilt(large, 2, "<3q", (1 << 63) - 1, -(1 << 63), 9),
        "a view of no buffer": lambda: spoilt(view, 1, "<4i", 20, 0, 7, 0),
        "a view of a buffer below zero": lambda: spoilt(view, 1, "<4i", 20, 0, -7, 0),
        "a view outside": lambda: spoilt(view, 1, "<4i", 100, 0, 0, 0),
        "a view that starts outside": lambda: spoilt(view, 1, "<4i", 20, 0, 0, most),
        "a view of a length below zero": lambda: spoilt(view, 1, "<4i", -5, 0, 0, 0),
        "an index outside": lambda: dictionary([0, 99]),
        "an index below zero": lambda: dictionary([0, -most]),
        "an index outside, inside": lambda: dictionary([0, 1], dictionary([0, 99])),
        "an index that changed": lambda: dictionary(spoilt(pa.int32(), 2, "<2i", 0, most)),
        "a dictionary outside": lambda: dictionary([0, 1], OUTSIDE),
        "a dictionary backwards": lambda: dictionary([0, 1], BACKWARDS),
        "runs out of order": lambda: runs([9, 1, 2], PLAIN[:3], 3),
        "runs too short": lambda: runs([1], PLAIN[:1], 1 << 20),
        "runs below zero": lambda: runs([-1, 5], PLAIN[:2], 5),
        "runs of a dictionary, outside": lambda: runs([5], dictionary([99]), 5),
        "a struct of offsets outside": lambda: pa.StructArray.from_arrays([OUTSIDE], ["url"]),
        "an extension of offsets outside": lambda: pa.ExtensionArray.from_storage(Link(), OUTSIDE),
        "a chunk of offsets outside": lambda: pa.chunked_array([PLAIN, OUTSIDE]),
        "offsets backwards through a capsule": lambda: OneArray(BACKWARDS.__arrow_c_array__),
        "numbers": lambda: pa.array([1]),
        "numbers in a dictionary": lambda: pa.array([1]).dictionary_encode(),
        "lists": lambda: pa.array([["http://h"]]),
        "a struct of two fields": lambda: pa.array([{"a": "x", "b": "y"}]),
        "a map": lambda: pa.array([[("a", "b")]], pa.map_(pa.string(), pa.string())),
        "an extension of numbers": lambda: pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1], pa.int8())),
        "one text": lambda: "http://h",
        "None": lambda: None,
        "objects": lambda: [object()],
        "URL objects": lambda: [fasturl.parse("http://h")],
        "numbers and str": lambda: ["http://h", 1.5],
        "a lone surrogate": lambda: ["http://me:hidden-pw@h/\ud800"],
        "a list that holds itself": lambda: HOLDS_ITSELF,
        "a list that holds nothing but itself": lambda: HOLDS_NOTHING_ELSE,
        "a generator of a list that holds itself": lambda: iter(HOLDS_ITSELF),
        "an iterator that fails": HalfWay,
        "a capsule that fails": lambda: OneArray(fail),
        "a stream that fails": lambda: Stream(fail),
        "a stream that fails halfway": lambda: Stream(
            pa.RecordBatchReader.from_batches(pa.schema([("url", pa.string())]), batches_until(3)).__arrow_c_stream__
        ),
        "None for capsules": lambda: OneArray(lambda: None),
        "capsules of other names": lambda: OneArray(lambda: (capsule(b"x"), capsule(b"y"))),
        "capsules in another order": lambda: OneArray(lambda: PLAIN.__arrow_c_array__()[::-1]),
        "capsules that were released": lambda: OneArray(lambda: (capsule(b"arrow_schema"), capsule(b"arrow_array"))),
        "a stream that was released": lambda: Stream(lambda: capsule(b"arrow_array_stream")),
        "a stream of another name": lambda: Stream(lambda: capsule(b"x")),
    }
    return cases
