"""Lines of text built from columns read nothing outside the columns, for any bytes of any length."""

import json
import random
import struct
import sys

import pytest
from guardpages import PAGE, Guarded
from tries import TRIES

from fasturl import _columns

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

PIECES = [bytes([byte]) for byte in range(256)]
PIECES += [b"\xc3\xa9", b"\xe2\x82", b"\xf0\x9f\x98\x80", b"plain", b"a" * 8, b"b" * 13, b"c" * 16, b"d" * 31, b'","']


def view(text: bytes, offset: int) -> bytes:
    if len(text) <= 12:
        return struct.pack("<i12s", len(text), text)
    return struct.pack("<i4sii", len(text), text[:4], 0, offset)


class Column:
    """Texts whose views, bytes and bitmap each touch an unreadable page."""

    def __init__(self) -> None:
        self.views, self.data, self.bits = Guarded(4), Guarded(4), Guarded(1)

    def spec(self, texts: list[bytes | None], at_end: bool, before: bytes) -> tuple[object, ...]:
        data = b"".join(text or b"" for text in texts)
        places, at = [], 0
        for text in texts:
            places.append(view(text or b"", at))
            at += len(text or b"")
        bitmap = sum(1 << row for row, text in enumerate(texts) if text is not None)
        validity = self.bits.put(bitmap.to_bytes(-(-len(texts) // 8), "little"), at_end)
        values = self.views.put(b"".join(places), at_end)
        return before, "texts", validity, 0, values, (self.data.put(data, at_end),), ()


def test_texts_of_any_length_are_written(at_end: bool) -> None:
    column = Column()
    rng = random.Random(at_end)
    for _ in range(TRIES // 20):
        texts: list[bytes | None] = [None if rng.random() < 0.1 else b"".join(rng.choices(PIECES, k=rng.randrange(9)))
                                     for _ in range(rng.randrange(1, 20))]  # fmt: skip
        lines = _columns.Columns([column.spec(texts, at_end, b'{"t":')]).lines(end=len(texts))
        found = [json.loads(line)["t"] for line in bytes(memoryview(lines)).splitlines()]
        assert found == [None if text is None else text.decode("utf-8", "surrogateescape") for text in texts]
        lines = _columns.Columns([column.spec(texts, at_end, b"")]).lines(end=len(texts), csv=True)
        want = [b"" if text is None else _columns.value(text, csv=True) for text in texts]
        assert bytes(memoryview(lines)) == b"".join(line + b"\n" for line in want)


def test_one_special_byte_at_every_place_is_escaped(at_end: bool) -> None:
    """Plain bytes are copied many at a time; the special byte ends that."""
    column = Column()
    for length in (*range(40), 63, 64, 65):
        for at in range(length):
            for odd in (b"\n", b'"', b"\x7f", b"\x80", b"\xf0", b","):
                text = b"p" * at + odd + b"p" * (length - at - 1)
                lines = _columns.Columns([column.spec([text], at_end, b'{"t":')]).lines(end=1)
                assert json.loads(bytes(memoryview(lines)))["t"] == text.decode("utf-8", "surrogateescape")
                csv = _columns.Columns([column.spec([text], at_end, b"")]).lines(end=1, csv=True)
                quoted = b'"%s"' % text.replace(b'"', b'""') if odd in b'\n",' else text
                assert bytes(memoryview(csv)) == quoted + b"\n"


@pytest.mark.parametrize(("kind", "width"), [("int16", 2), ("int32", 4), ("int64", 8), ("uint16", 2), ("uint64", 8)])
def test_numbers_and_words_at_the_edges_are_written(kind: str, width: int) -> None:
    values, words = Guarded(1), Guarded(1)
    code = {"int16": "h", "int32": "i", "int64": "q", "uint16": "H", "uint64": "Q"}[kind]
    for at_end in (True, False):
        for rows in (1, 2, 7, PAGE // width):
            numbers = [row * 37 % (1 << 15) for row in range(rows)]
            places = words.put(bytes(row % 3 for row in range(min(rows, PAGE))), at_end)
            columns = [
                (b'{"n":', kind, 0, 0, values.put(struct.pack(f"<{rows}{code}", *numbers), at_end), (), ()),
                (b',"w":', "words", 0, 0, places, (), (b"1", b"22", b"333")),
            ]
            lines = bytes(memoryview(_columns.Columns(columns).lines(end=rows))).splitlines()
            found = [json.loads(line) for line in lines]
            assert found == [{"n": number, "w": (1, 22, 333)[row % 3]} for row, number in enumerate(numbers)]


def test_sets_and_bits_at_the_edges_are_written() -> None:
    sets, bits, keep = Guarded(1), Guarded(1), Guarded(1)
    names = tuple(b'"%d"' % place for place in range(32))
    rng = random.Random(3)
    for at_end in (True, False):
        for rows in (1, 8, 9, 64, 100):
            values = [rng.getrandbits(32) for _ in range(rows)]
            flags, kept = rng.getrandbits(rows), rng.getrandbits(rows)
            size = -(-rows // 8)
            columns = [
                (b'{"s":', "sets", 0, 0, sets.put(struct.pack(f"<{rows}I", *values), at_end), (), names),
                (b',"b":', "bits", 0, 0, bits.put(flags.to_bytes(size, "little"), at_end), (), ()),
            ]
            address = keep.put(kept.to_bytes(size, "little"), at_end)
            lines = bytes(memoryview(_columns.Columns(columns).lines(end=rows, keep=address))).splitlines()
            assert [json.loads(line) for line in lines] == [
                {"s": [str(place) for place in range(32) if value >> place & 1], "b": bool(flags >> row & 1)}
                for row, value in enumerate(values)
                if kept >> row & 1
            ]


@pytest.mark.parametrize("early", [0, 3, 60], ids=str)
@pytest.mark.parametrize("late", [0, 12, 30], ids=str)
def test_rows_longer_than_the_sampled_ones_are_written(early: int, late: int) -> None:
    column = Column()
    texts: list[bytes | None] = [b"e" * early] * 63 + [b"l" * late] * 400
    lines = _columns.Columns([column.spec(texts, True, b'{"t":')]).lines(end=len(texts))
    assert bytes(memoryview(lines)) == b"".join(b'{"t":"%s"}\n' % (text or b"") for text in texts)
