"""Malformed Arrow arrays: every function of columns gives the answer of each single row, or a ValueError."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from common import Input, fuzz

import fasturl
from fasturl import arrow

HOSTS = fasturl.HostList(["h.com", "com.h", "1.2.3.4", "10.0.0.0/8"])
NUMBERS = [0, 1, 12, 13, -1, -13, 255, 1 << 30, (1 << 30) + 1, (1 << 31) - 1, -(1 << 31)]
CALLS: dict[str, tuple[Callable[[Any], Any], Callable[[bytes], Any] | None]] = {
    "parse": (lambda c: arrow.parse(c, arrow.FIELDS), None),
    "parse copied": (lambda c: arrow.parse(c, arrow.FIELDS, strings="string"), None),
    "quote": (arrow.quote, lambda u: fasturl.quote_from_bytes(u).encode()),
    "unquote": (arrow.unquote, fasturl.unquote_to_bytes),
    "normalize": (arrow.normalize, fasturl.normalize),
    "redact": (lambda c: arrow.redact(c, ["key"]), lambda u: fasturl.redact(u, ["key"])),
    "query_value": (lambda c: arrow.query_value(c, "key"), lambda u: fasturl.query_value(u, "key")),
    "query_pairs": (arrow.query_pairs, None),
    "problems": (arrow.problems, None),
    "equivalent": (lambda c: arrow.equivalent(c, c), None),
    "file_name": (arrow.file_name, fasturl.file_name),
    "path_template": (arrow.path_template, fasturl.path_template),
    "dedup_key": (arrow.dedup_key, fasturl.dedup_key),
    "canonicalize": (arrow.canonicalize, fasturl.canonicalize),
    "surt": (arrow.surt, fasturl.surt),
    "blocks": (lambda c: arrow.blocks(c, HOSTS), HOSTS.blocks),
    "allows": (lambda c: arrow.allows(c, HOSTS), HOSTS.allows),
    "path_depth": (arrow.path_depth, fasturl.path_depth),
}


class Exported(ctypes.Structure):
    """The fields of the C data interface's ArrowArray that are changed here."""

    _fields_ = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")]
    _fields_ += [("buffers", ctypes.POINTER(ctypes.c_void_p)), ("others", ctypes.c_void_p * 4)]


def spoil(given: Input, buffer: Any) -> None:
    """Overwrite some numbers of the offsets or views."""
    chance = given.chance
    for _ in range(chance.randrange(1, 4)):
        number = chance.choice([*NUMBERS, len(given.data)])
        if buffer.size >= 4:
            at = chance.randrange(buffer.size // 4) * 4
            ctypes.memmove(buffer.address + at, struct.pack("<i", number), 4)


def brought(given: Input, sound: Any) -> Any:
    """Export the array by the C data interface, with a missing buffer or a wrong number of nulls."""
    exported, schema = Exported(), (ctypes.c_int64 * 9)()
    sound._export_to_c(ctypes.addressof(exported), ctypes.addressof(schema))
    if given.one & 32:
        exported.buffers[given.chance.randrange(min(3, exported.n_buffers))] = None
    if given.one & 64:
        exported.null_count = given.chance.choice([-1, 0, exported.length, exported.length + 9])
    return pa.Array._import_from_c(ctypes.addressof(exported), ctypes.addressof(schema))


def column(given: Input) -> tuple[Any, list[bytes | None] | None]:
    """Return an array and its texts, or None for texts that are not compared."""
    texts: list[bytes | None] = list(given.pieces()[:100])
    kind = [pa.binary(), pa.large_binary(), pa.binary_view(), pa.null()][given.one & 3]
    if kind == pa.null():
        return pa.nulls(len(texts)), [None] * len(texts)
    texts = [None if given.one & 4 and given.two >> i % 7 & 1 else text for i, text in enumerate(texts)]
    array = pa.array(texts, kind).slice(given.two % 3 if given.one & 8 else 0)
    is_sound = not given.one & (16 | 32 | 64)
    places = array.buffers()[1]
    if given.one & (32 | 64) and len(array):
        array = brought(given, array)
    if given.one & 16 and places is not None:
        spoil(given, places)  # after pyarrow has computed the size of the data from them
    return array, texts[len(texts) - len(array) :] if is_sound else None


def test_one(given: Input) -> None:
    try:
        array, texts = column(given)
    except pa.ArrowInvalid:
        return  # pyarrow rejects it
    name = given.chance.choice(list(CALLS))
    call, one = CALLS[name]
    try:
        found = call(array)
    except ValueError as error:
        assert texts is None, (name, str(error))
        return
    assert len(found) == len(array)
    if texts is None or one is None or given.one & 3 == 3:
        return
    want = [None if text is None else one(text) for text in texts]
    assert found.to_pylist() == want, (name, found.to_pylist(), want)


if __name__ == "__main__":
    fuzz(test_one)
