"""Copies of views, and times read from views, stay inside their buffers and equal Arrow's own casts."""

import contextlib
import random
import re
import struct
import sys
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from guardpages import Guarded, Output
from tries import TRIES

from fasturl import _columns

pa = pytest.importorskip("pyarrow", reason="what Arrow's own casts give is asked of it")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")
MODEL = b"2015-05-17T12:05:03+02:00"


class Column:
    """Texts as views of two buffers; views, bitmap and bytes each touch an unreadable page."""

    def __init__(self) -> None:
        self.parts = [Guarded(4) for _ in range(4)]

    def views(self, texts: list[bytes | None], at_end: bool) -> _columns.Views:
        raw, places = [b"", b""], b""
        for row, text in enumerate(texts):
            value = b"" if text is None else text
            if len(value) <= 12:
                places += struct.pack("<i12s", len(value), value)
            else:
                places += struct.pack("<i4sii", len(value), value[:4], row % 2, len(raw[row % 2]))
                raw[row % 2] += value
        bits = sum(1 << row for row, text in enumerate(texts) if text is not None)
        given = (places, bits.to_bytes(-(-len(texts) // 8), "little"), *raw)
        views, validity, *data = (part.put(each, at_end) for part, each in zip(self.parts, given, strict=True))
        return _columns.Views(views, validity if None in texts else 0, data, len(texts))


def test_views_of_any_length_are_copied(at_end: bool) -> None:
    rng = random.Random(at_end)
    column, offsets, raw = Column(), Output(), Output(4)
    lengths = [*range(36), 63, 64, 65, 300]
    rows: list[list[bytes | None]] = [[], [None], [b""], *([rng.randbytes(length)] for length in lengths)]
    for _ in range(TRIES // 20):
        rows.append([rng.choice([None, rng.randbytes(rng.choice(lengths))]) for _ in range(rng.randrange(20))])
    for texts in rows:
        views = column.views(texts, at_end)
        want = b"".join(text or b"" for text in texts)
        assert views.total() == len(want)
        starts = offsets.buffer(4 * len(texts) + 4, at_end)
        views.copy(starts, raw.buffer(len(want) + _columns.COPY_SLACK, at_end))
        offsets.check()
        raw.check()
        assert raw.data(len(want)) == want
        found = struct.unpack(f"<{len(texts) + 1}i", offsets.data())
        assert [want[a:b] for a, b in pairwise(found)] == [text or b"" for text in texts]


def arrow_time(text: bytes) -> int | None:
    """Return the microseconds since 1970 as Arrow reads the text, or None if it refuses the text. Arrow refuses digits
    below a microsecond, which are cut, and a text without a zone for a column with one."""
    array = pa.array([re.sub(r"(\.[0-9]{6})[0-9]{1,3}(?![0-9])", r"\1", text.decode("latin-1"))])
    for kind in (pa.timestamp("us", "UTC"), pa.timestamp("us")):
        with contextlib.suppress(pa.ArrowInvalid):
            found: int = array.cast(kind).cast(pa.int64())[0].as_py()
            return found
    return None


def test_times_are_those_of_arrow(at_end: bool) -> None:
    """Every byte at every place, and days that do not exist: a time is Arrow's time or none."""
    column, times = Column(), Output(1)
    rng = random.Random(at_end)
    texts = [MODEL[:at] + bytes([byte]) + MODEL[at + 1 :] for at in range(len(MODEL)) for byte in range(256)]
    texts += [MODEL[:at] for at in range(len(MODEL))] + [MODEL + b"0"]
    for _ in range(TRIES):
        years = [0, 1, 4, 1900, 1969, 1970, 2000, 2023, 2024, 9999]
        numbers = (rng.choice(years), rng.randrange(14), rng.randrange(34))
        clock = (rng.choice([0, 23, 24]), rng.choice([0, 59, 60]), rng.choice([0, 59, 60]))
        zone = (rng.choice("+-"), rng.choice([0, 1, 14, 23, 24]), rng.choice([0, 30, 59, 60]))
        fraction = rng.choice(["", ".", ".5", ".25", ".123456", ".1234567", ".123456789", ".1234567890", ".x", ".12 "])
        ending = rng.choice(["%s%02d:%02d" % zone, "%s%02d%02d" % zone, "Z", "", "%s%02d" % zone[:2], "Zx", "+1:00"])
        texts.append(("%04d-%02d-%02dT%02d:%02d:%02d" % (*numbers, *clock) + fraction + ending).encode())
    read = 0
    for text in texts:
        done = column.views([text], at_end).times(times.buffer(8, at_end))
        times.check()
        if done:
            read += 1
            assert struct.unpack("<q", times.data()) == (arrow_time(text),), text
            datetime.fromisoformat(text.decode()).astimezone(UTC)  # OverflowError for another year than 1 to 9999
    assert read > 100


def test_each_row_has_its_own_time(at_end: bool) -> None:
    column, times = Column(), Output(1)
    late = b"1969-12-31T23:59:59-00:30"
    rows = [MODEL, MODEL, None, late, MODEL, None, late, late]
    assert column.views(rows, at_end).times(times.buffer(64, at_end))
    said = [None if text is None else datetime.fromisoformat(text.decode()) for text in rows]
    want = [0 if time is None else round((time - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) for time in said]
    assert [time // 10**6 for time in struct.unpack("<8q", times.data())] == want
    assert not column.views([MODEL, b"yesterday"], at_end).times(times.buffer(16, at_end))
    assert not column.views([b"x" * 25, None], at_end).times(times.buffer(16, at_end))
