"""Copied texts equal views: in every layout, with every kernel, on any number of threads."""

import random
import sys
from typing import Any

import pyarrow as pa
import pytest
from layouts import all_layouts
from nasty import NASTY

from fasturl import arrow

pytestmark = pytest.mark.usefixtures("kernel")

TEXTS = [text for text, *_ in NASTY if isinstance(text, str)]
# Around the sizes at which a copy changes its method, and one that exceeds the memory reserved so far.
LENGTHS = [*range(19), 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 1000, 200_000]
LONG = [f"HTTP://{'H' * n}.x/{'p' * n}?{'q' * n}#{'f' * n}" for n in LENGTHS]
FUNCTIONS: dict[str, Any] = {
    "quote": arrow.quote,
    "quote_plus": arrow.quote_plus,
    "unquote": arrow.unquote,
    "normalize": arrow.normalize,
    "redact": lambda column, **how: arrow.redact(column, "a" if how.pop("text") else b"a", **how),
    "query_value": lambda column, **how: arrow.query_value(
        column, *(("a", "otherwise, a long text") if how.pop("text") else (b"a", b"otherwise, a long text")), **how
    ),
    "file_name": arrow.file_name,
    "path_and_query": arrow.path_and_query,
    "dedup_key": arrow.dedup_key,
    "canonicalize": arrow.canonicalize,
}


def same(copies: Any, views: Any, binary: bool) -> None:
    for found in copies.chunks if isinstance(copies, pa.ChunkedArray) else [copies]:
        found.validate(full=True)
    assert copies.type == (pa.binary() if binary else pa.string())
    assert views.type == (pa.binary_view() if binary else pa.string_view())
    assert copies.to_pylist() == views.to_pylist()
    assert copies.null_count == views.null_count


def check(column: Any, binary: bool, **how: Any) -> None:
    for form in ("url", "request-target"):
        copies = arrow.parse(column, arrow.FIELDS, form=form, **how)
        views = arrow.parse(column, arrow.FIELDS, form=form, strings="view", **how)
        assert copies.schema == arrow.schema(arrow.FIELDS, binary=binary)
        for name in arrow.FIELDS:
            if copies.schema.field(name).type in (pa.string(), pa.binary()):
                same(copies.column(name), views.column(name), binary)
            else:
                assert copies.column(name).equals(views.column(name)), name
    for name, function in FUNCTIONS.items():
        given = {"text": not binary} if name in ("redact", "query_value") else {}
        same(function(column, **given, **how), function(column, strings="view", **given, **how), binary)


def test_copies_equal_views_in_every_layout() -> None:
    texts = [*TEXTS, None, *LONG[:12], None, "HTTP://WWW.An-Example-With-Capitals.COM:80/a?a=%41+b"]
    for _, column, binary in all_layouts(texts):
        check(column, binary)


@pytest.mark.parametrize("rows", [0, 1, 2, 63, 64, 65, 127, 128, 129, 1000])
def test_copies_equal_views_for_any_number_of_rows(rows: int) -> None:
    rng = random.Random(rows)
    texts = [None if rng.random() < 0.1 else rng.choice(LONG[:-2] + TEXTS) for _ in range(rows)]
    check(pa.array(texts, pa.string()), False)


def test_copies_equal_views_for_texts_of_any_length() -> None:
    """The memory grows and keeps its content."""
    check(pa.array([*LONG, *LONG[:-1], None, *LONG]), False)
    check(pa.array([text.encode() for text in LONG] + [b"http://\xff/\xfe"]), True)


def test_rows_longer_than_the_first_ones_are_copied() -> None:
    """The first rows determine how much memory is reserved."""
    texts = ["http://h/"] * 5000 + [f"http://{'h' * 50}.com/{'path/' * 30}?{'q=a&' * 30}"] * 5000
    check(pa.array(texts), False)


@pytest.mark.long
def test_copies_equal_views_with_three_threads(real_urls: list[str]) -> None:
    texts = [*(real_urls * 5)[:100_000], None, *LONG, None] + ["/a?b"] * 40_000
    check(pa.array(texts), False, threads=3)


def test_a_single_field_equals_the_same_field_among_all() -> None:
    column = pa.array([*TEXTS, *LONG])
    whole = arrow.parse(column, arrow.FIELDS)
    for name in arrow.FIELDS:
        assert arrow.parse(column, [name]).column(0).equals(whole.column(name))


def test_a_copy_shares_no_memory_and_holds_only_its_texts() -> None:
    column = pa.array(["http://an-example-of-some-length.com/path", "http://me:secret@host/"])
    for array in (arrow.parse(column, ["host"]).column(0), arrow.redact(column)):
        _, offsets, data = array.buffers()
        assert data.address != column.buffers()[2].address
        assert data.size == int.from_bytes(offsets.to_pybytes()[-4:], sys.byteorder)
        assert b"secret" not in data.to_pybytes()


def test_pyarrow_computes_with_the_default_layout() -> None:
    batch = arrow.parse(["http://b/x", "ftp://a/y", "nothing"], ["host", "path", "valid_rfc1738"])
    assert batch.filter(batch["valid_rfc1738"]).column("host").to_pylist() == ["b", "a"]
    assert pa.table(batch).sort_by("host").take([0]).to_pylist()[0]["host"] == "a"
    assert pa.table(batch).group_by("host").aggregate([([], "count_all")]).num_rows == 3
