"""No bytes of an earlier batch leave with a later result, though batches reuse memory."""

import gc
from collections.abc import Callable
from functools import cache
from typing import Any

import pyarrow as pa
import pytest
from tries import ALL

from fasturl import arrow

pytest.importorskip("numpy")

from waysout import arrays, data

SECRET = b"s3cret"
CALLS: dict[str, Callable[..., Any]] = {
    "parse": lambda c, **kw: arrow.parse(c, arrow.FIELDS, **kw),
    "parse_batches": lambda c, **kw: pa.Table.from_batches(arrow.parse_batches([c], arrow.FIELDS, **kw)),
    "quote": arrow.quote,
    "unquote": arrow.unquote,
    "normalize": arrow.normalize,
    "redact": lambda c, **kw: arrow.redact(c, ["key"], **kw),
    "query_value": lambda c, **kw: arrow.query_value(c, "key", **kw),
}
# A row with values in every column, and one with values in few.
LATER = [["ftp://me:p%20w@HOST.example:2121/%41?key=%41#f"], ["x"], [None, "http://www.example.com/a%20b"] * 3]


@cache
def secrets(rows: int) -> pa.Array:
    passwords = ["s3cret%20" * (1 + i % 3) for i in range(rows)]
    return pa.array([f"http://u%20:{word}@s3cret.S3CRET/s3cret?key=s3cret+&s3cret#s3cret" for word in passwords])


def fill(threads: int) -> None:
    """Fill the pool with secrets wherever a later batch may get its memory."""
    for rows, times in ((64, 3), (1, 3), (7, 3), (4096 if ALL else 512, 1)):
        for call in CALLS.values():
            for _ in range(times):
                call(secrets(rows), threads=threads)
    gc.collect()


@pytest.mark.long
@pytest.mark.parametrize("threads", [1, 2, 4] if ALL else [2])
@pytest.mark.parametrize("strings", ["view", "string"])
@pytest.mark.parametrize("call", CALLS)
def test_no_bytes_of_an_earlier_batch_reach_a_later_one(call: str, strings: str, threads: int) -> None:
    for later in LATER:
        fill(threads)
        found = CALLS[call](pa.array(later), threads=threads, strings=strings)
        for way, what in data(found):
            assert SECRET not in what.lower(), (way, later)


def test_buffers_have_the_size_of_their_rows() -> None:
    column = pa.array(LATER[0] * 3)
    names = [name for name in arrow.FIELDS if name != "findings"]
    for array in arrays(arrow.parse(column, names, strings="view")):
        validity, values, *_ = array.buffers()
        assert validity is None or validity.size == 1
        width = 16 if array.type == pa.string_view() else array.type.bit_width // 8
        assert values.size == (3 * width or 1)
    views, copies = (arrow.redact([*LATER[0] * 2, None], strings=strings) for strings in ("view", "string"))
    assert [buffer.size for buffer in views.buffers()[:2]] == [1, 48]
    assert [buffer.size for buffer in copies.buffers()[:2]] == [1, 16]
    assert copies.buffers()[2].size == sum(map(len, copies[:2].to_pylist()))
