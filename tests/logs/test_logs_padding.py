"""Later batches reuse memory. Nothing that an earlier log held is in the columns of a later one."""

import gc
from typing import Any

import pyarrow as pa
import pytest

pytest.importorskip("numpy")

from waysout import data

from fasturl import arrow, logs

SECRET = b"s3cret"
URLS = "http://u:s3cret@s3cret/s3cret%20s3cret?s3cret#s3cret"
LINE = '{0} - {0} [17/May/2015:10:05:03 +0000] "GET {1} HTTP/1.1" {2} {2} "{1}" "{0} \\"{0}"\n'
LATER = [
    LINE.format("h", "/a", 200).encode(),
    (LINE.format("h", "/a b#c", 200) + LINE.format("h", "-", "-").replace("/1.1", "") + "torn\n").encode() * 3,
    b'h - - [-] "-" - - "-" "-"\n' + LINE.format("host", "/" + "long" * 9, 404).encode() + b"\n\n",
]


def fill() -> None:
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
@pytest.mark.parametrize("later", LATER)
def test_nothing_of_an_earlier_log_leaves_with_a_later_one(later: bytes, rows: Any) -> None:
    for _ in range(3):
        fill()
        for way, found in data(logs.read([later], "COMBINED", rows=rows, threads=1).read_all()):
            assert SECRET not in found.lower(), (way, later)


def test_nothing_of_an_earlier_log_leaves_with_a_list_of_urls_or_of_lines() -> None:
    for _ in range(3):
        fill()
        found = logs.read([b"http://h/a b\n\n\n\nx\n"], "URLS", threads=1).read_all()
        lines = logs.parse_lines(pa.array([line.decode() for line in LATER]), "COMBINED")
        table = pa.table(lines) if isinstance(lines, pa.RecordBatch) else pa.table({"a": lines})
        for way, what in [*data(found), *data(table)]:
            assert SECRET not in what.lower(), way
