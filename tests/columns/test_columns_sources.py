"""Every common kind of column is accepted: NumPy, pandas, Polars, DuckDB, and their results."""

import struct
from typing import Any

import pyarrow as pa
import pytest

from fasturl import arrow

TEXTS = ["http://Example.com/a%20b?q=1", None, "", "ftp://é/x y", "http://h:80/%41"]
BYTES = [None if text is None else text.encode() for text in TEXTS]
WHOLE = [text for text in TEXTS if text is not None]


def check(column: Any, texts: list[Any], **options: Any) -> None:
    """Check that the answers equal those for a plain Arrow array of the same texts."""
    plain = pa.array(texts, pa.binary() if any(isinstance(text, bytes) for text in texts) else pa.string())
    found = arrow.parse(column, arrow.FIELDS)
    found.validate(full=True)
    assert found.to_pylist() == arrow.parse(plain, arrow.FIELDS).to_pylist()
    for work in (arrow.quote, arrow.unquote, arrow.normalize, arrow.redact):
        done = work(column)
        done.validate(full=True)
        assert done.to_pylist() == work(plain).to_pylist()


def test_numpy_arrays_are_columns() -> None:
    np = pytest.importorskip("numpy")
    check(np.array(TEXTS, object), TEXTS)
    check(np.array(BYTES, object), BYTES)
    check(np.array(WHOLE), WHOLE)
    check(np.array([text.encode() for text in WHOLE]), [text.encode() for text in WHOLE])
    check(np.array(WHOLE)[::2], WHOLE[::2])
    check(np.array(TEXTS, object)[::-1], TEXTS[::-1])
    check(np.array(["http://h", float("nan"), None], object), ["http://h", None, None])
    if hasattr(np.dtypes, "StringDType"):
        check(np.array(WHOLE, np.dtypes.StringDType()).astype(object), WHOLE)
    with pytest.raises((TypeError, pa.ArrowInvalid)):
        arrow.parse(np.arange(3))


def test_pandas_series_are_columns() -> None:
    pd = pytest.importorskip("pandas")
    for kind in (object, "string", "category", pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string())):
        check(pd.Series(TEXTS, dtype=kind), TEXTS)
    check(pd.Series(TEXTS), TEXTS)
    check(pd.Series(TEXTS, index=[7, 7, 1, 0, -1])[::-1], TEXTS[::-1])
    check(pd.Series(["http://h", float("nan"), None], dtype=object), ["http://h", None, None])
    check(pd.Index(WHOLE), WHOLE)


def test_polars_series_are_columns() -> None:
    pl = pytest.importorskip("polars")
    check(pl.Series("url", TEXTS), TEXTS)
    check(pl.Series("url", TEXTS, dtype=pl.Categorical), TEXTS)
    check(pl.Series("url", BYTES), BYTES)
    check(pl.Series("url", TEXTS)[1:4], TEXTS[1:4])
    check(pl.concat([pl.Series("url", TEXTS), pl.Series("url", TEXTS)], rechunk=False), TEXTS * 2)
    check(pl.DataFrame({"url": TEXTS}), TEXTS)
    parsed = pl.from_arrow(arrow.parse(pl.Series("url", TEXTS), ["host", "port"]))
    assert parsed["port"].to_list() == arrow.parse(TEXTS, ["port"])["port"].to_pylist()


def test_duckdb_results_are_columns() -> None:
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    con.execute("create table t (n integer, url varchar)")
    con.executemany("insert into t values (?, ?)", list(enumerate(TEXTS)))
    check(con.sql("select url from t order by n"), TEXTS)
    check(con.sql("select url from t order by n").to_arrow_table().column("url"), TEXTS)
    with pytest.raises(TypeError):
        arrow.parse(con.sql("select * from t"))
    found = arrow.parse(con.sql("select url from t order by n"), ["path"], strings="string")
    con.register("parsed", found)
    assert con.sql("select count(path) from parsed").fetchall() == [(4,)]


def test_python_sequences_are_columns() -> None:
    check(TEXTS, TEXTS)
    check(tuple(TEXTS), TEXTS)
    assert arrow.quote([]).to_pylist() == [] and arrow.parse([]).num_rows == 0
    assert arrow.quote([None, None]).to_pylist() == [None, None]
    assert arrow.quote(pa.nulls(3)).to_pylist() == [None] * 3
    assert arrow.quote(pa.chunked_array([], pa.string())).to_pylist() == []
    assert arrow.parse(pa.chunked_array([], pa.string())).num_rows == 0


def test_fixed_size_binary_and_extension_arrays_are_columns() -> None:
    check(pa.array([b"http://h/a", None], pa.binary(10)), [b"http://h/a", None])

    class Link(pa.ExtensionType):
        def __init__(self) -> None:
            super().__init__(pa.string(), "fasturl.test.link")

        def __arrow_ext_serialize__(self) -> bytes:
            return b""

    check(pa.ExtensionArray.from_storage(Link(), pa.array(TEXTS)), TEXTS)
    check(pa.array(TEXTS).dictionary_encode().cast(pa.dictionary(pa.uint8(), pa.large_string())), TEXTS)


@pytest.mark.parametrize("column, error", [
    (["http://h/", None, 5], "row 2 is int"),
    (("http://h/" if i else 1.5 for i in range(2)), "row 0 is float"),
    (["http://h/", "\ud800"], "row 1 has a lone surrogate"),
    (5, "expected a column, not int$"),
    (type("Lazy", (), {"collect": None})(), r"not Lazy: collect\(\) it first, or use the .url of an expression"),
])  # fmt: skip
def test_an_error_says_which_row_or_what_to_do(column: object, error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        arrow.parse(column)


def test_an_object_column_with_two_kinds_of_null_names_the_other_row() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="row 3 is int"):
        arrow.parse(pandas.Series(["http://h/", pandas.NA, float("nan"), 5], dtype=object))


def test_an_error_counts_the_rows_of_all_batches() -> None:
    offsets = pa.py_buffer(struct.pack("=3i", 0, 100, 5))
    wrong = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"http:")])
    for source in (pa.chunked_array([["x"] * 5, wrong]), [pa.array(["x"] * 5), wrong]):
        for threads in (1, 2):
            with pytest.raises(ValueError, match="row 5 "):
                list(arrow.parse_batches(source, ["host"], batch_rows=2, threads=threads))
    assert next(arrow.parse_batches(pa.array(["//h"]), ["host"]))["host"].to_pylist() == ["h"]


@pytest.mark.parametrize("other", [5, 1.5, b"x", ["x"], {"a": 1}])
def test_the_error_for_a_mixed_list_quotes_no_value(other: object) -> None:
    for values in (["http://me:hidden-pw@h/", other], [other, "http://me:hidden-pw@h/"]):
        try:
            arrow.parse(values)
        except (TypeError, ValueError) as error:
            assert "hidden-pw" not in str(error) and error.__cause__ is None and error.__suppress_context__
        else:
            assert other == b"x"  # a list of str and bytes becomes a binary column
