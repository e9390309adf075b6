"""Batches reuse memory. No byte of an earlier batch or log leaves with a later result, by any way out."""

import gc
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

import numpy as np
import pyarrow as pa
from tries import ALL

from fasturl import arrow, logs


def arrays(found: Any) -> Iterator[pa.Array]:
    """Yield the arrays of a table, a batch or an array, and the dictionaries of these."""
    if isinstance(found, pa.Table):
        found = [chunk for column in found.columns for chunk in column.chunks]
    for array in found.columns if isinstance(found, pa.RecordBatch) else found if isinstance(found, list) else [found]:
        yield array
        if isinstance(array, pa.DictionaryArray):
            yield from arrays(array.dictionary)


def leaving(found: Any) -> Iterator[tuple[str, bytes]]:
    """Yield each way out and its bytes."""
    yield "pickle", pickle.dumps(found, 5)
    yield "old pickle", pickle.dumps(found, 2)
    table = found if isinstance(found, (pa.Table, pa.RecordBatch)) else pa.record_batch({"a": found})
    for new in (pa.ipc.new_stream, pa.ipc.new_file):
        out = pa.BufferOutputStream()
        with new(out, table.schema) as writer:
            writer.write(table)
        yield new.__name__, out.getvalue().to_pybytes()
    for array in arrays(found):
        for buffer in array.buffers():
            while buffer is not None:
                yield "buffer", np.frombuffer(buffer, np.uint8).tobytes()
                buffer = buffer.parent


# --- columns ---------------------------------------------------------------------------------------------------------

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


def fill_by_columns(threads: int) -> None:
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
        fill_by_columns(threads)
        found = CALLS[call](pa.array(later), threads=threads, strings=strings)
        for way, what in leaving(found):
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


# --- logs ------------------------------------------------------------------------------------------------------------

URLS = "http://u:s3cret@s3cret/s3cret%20s3cret?s3cret#s3cret"
LINE = '{0} - {0} [17/May/2015:10:05:03 +0000] "GET {1} HTTP/1.1" {2} {2} "{1}" "{0} \\"{0}"\n'
LATER_LOGS = [
    LINE.format("h", "/a", 200).encode(),
    (LINE.format("h", "/a b#c", 200) + LINE.format("h", "-", "-").replace("/1.1", "") + "torn\n").encode() * 3,
    b'h - - [-] "-" - - "-" "-"\n' + LINE.format("host", "/" + "long" * 9, 404).encode() + b"\n\n",
]


def fill_by_logs() -> None:
    """Have the pool hold secrets wherever a later batch may get its memory."""
    for rows in (64, 1, 7, 4096):
        log = LINE.format("s3crets3cret", URLS, "200").encode() * rows
        for by in ("request", "url"):
            logs.read([log], "COMBINED", rows=by, threads=1).read_all()
        logs.read([URLS.encode() + b"\n"] * rows, "URLS", threads=1).read_all()
        # Fill the pooled buffers of columns of this size with the secret.
        arrow.quote(pa.array(["s3cret " * 30] * rows), threads=1)
        arrow.quote(pa.array(["s3cret "] * rows), threads=1)
    gc.collect()


@pytest.mark.long
@pytest.mark.parametrize("rows", ["request", "url"])
@pytest.mark.parametrize("later", LATER_LOGS)
def test_nothing_of_an_earlier_log_leaves_with_a_later_one(later: bytes, rows: Any) -> None:
    for _ in range(3):
        fill_by_logs()
        for way, found in leaving(logs.read([later], "COMBINED", rows=rows, threads=1).read_all()):
            assert SECRET not in found.lower(), (way, later)


def test_nothing_of_an_earlier_log_leaves_with_a_list_of_urls_or_of_lines() -> None:
    for _ in range(3):
        fill_by_logs()
        found = logs.read([b"http://h/a b\n\n\n\nx\n"], "URLS", threads=1).read_all()
        lines = logs.parse_lines(pa.array([line.decode() for line in LATER_LOGS]), "COMBINED")
        table = pa.table(lines) if isinstance(lines, pa.RecordBatch) else pa.table({"a": lines})
        for way, what in [*leaving(found), *leaving(table)]:
            assert SECRET not in what.lower(), way
