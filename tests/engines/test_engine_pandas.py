"""``series.url`` gives the answers of ``fasturl.parse`` for a Series of any dtype."""

import operator
from pathlib import Path
from typing import Any

import cases
import logcases
import pyarrow as pa
import pytest

pd = pytest.importorskip("pandas", reason="the extra fasturl[pandas] is not installed")
import fasturl  # noqa: E402
import fasturl.engines.pandas  # noqa: E402
from fasturl import logs  # noqa: E402
from fasturl.arrow import DEFAULT_FIELDS, FIELDS  # noqa: E402

INDEX = [f"row {number}" for number in range(len(cases.TEXT))]
ARROW = {"string": pa.string(), "large_string": pa.large_string(), "string_view": pa.string_view()}
ARROW["dictionary"] = pa.dictionary(pa.int32(), pa.string())
TEXT_DTYPES = [object, "string[python]", "string[pyarrow]", "category", "str"]
TEXT_DTYPES += [pytest.param(pd.ArrowDtype(kind), id=f"ArrowDtype({name})") for name, kind in ARROW.items()]


def table(frame: Any) -> dict[str, list[object]]:
    """Return a DataFrame's columns, with None for nulls."""
    return {name: pa.array(frame[name]).to_pylist() for name in frame.columns}


@pytest.mark.parametrize("dtype", TEXT_DTYPES)
@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_of_text_agree_with_parse(form: str, dtype: Any) -> None:
    urls = pd.Series(cases.TEXT, index=INDEX, dtype=dtype, name="u")
    found = urls.url.parse(FIELDS, form=form)
    assert list(found.columns) == list(FIELDS) and list(found.index) == INDEX
    assert found.dtypes["host"] == pd.StringDtype("pyarrow")
    assert found.dtypes["port"] == pd.ArrowDtype(pa.uint16())
    assert table(found) == cases.columns(cases.TEXT_ROWS[form])


@pytest.mark.parametrize(
    "dtype", [object, *(pytest.param(pd.ArrowDtype(kind()), id=kind.__name__) for kind in (pa.binary, pa.large_binary))]
)
@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_of_bytes_agree_with_parse(form: str, dtype: Any) -> None:
    found = pd.Series(cases.BYTES, dtype=dtype).url.parse(FIELDS, form=form)
    assert found.dtypes["host"] == pd.ArrowDtype(pa.binary())
    assert table(found) == cases.columns(cases.BYTE_ROWS[form])


@pytest.mark.parametrize("form", cases.FORMS)
def test_each_field_has_a_method(form: str) -> None:
    urls = pd.Series(cases.TEXT, index=INDEX, name="u")
    wanted = cases.columns(cases.TEXT_ROWS[form])
    for name in FIELDS:
        found = operator.methodcaller(name, form=form)(urls.url)
        assert (found.name, list(found.index)) == ("u", INDEX)
        assert pa.array(found).to_pylist() == wanted[name], name


def test_default_fields_and_every_null_of_pandas() -> None:
    assert tuple(pd.Series(["http://h/"]).url.parse().columns) == DEFAULT_FIELDS
    urls = pd.Series(["http://h/", None, float("nan"), pd.NA, pd.NaT], dtype=object)
    assert pa.array(urls.url.host()).to_pylist() == ["h", None, None, None, None]
    nothing = pd.Series([None, None], dtype="float64")  # readers of files give this for an empty column
    assert nothing.url.parse(["host", "port"]).isna().all(axis=None)


@pytest.mark.parametrize("dtype", TEXT_DTYPES)
def test_an_empty_series_gives_an_empty_frame(dtype: Any) -> None:
    urls = pd.Series([], dtype=dtype)
    found = urls.url.parse(["path", "valid_rfc1738"])
    assert found.shape == (0, 2)
    assert list(found.dtypes) == [pd.StringDtype("pyarrow"), pd.ArrowDtype(pa.bool_())]
    assert len(urls.url.host()) == 0


def test_any_index_is_kept() -> None:
    urls = pd.Series(["http://a/", "http://b/", "http://c/"], index=[5, 5, -1])
    found = urls[urls != "http://b/"].url.parse(["host"])
    assert list(found.index) == [5, -1] and list(found["host"]) == ["a", "c"]
    joined = urls.to_frame("u").assign(host=urls.url.host())
    assert list(joined["host"]) == ["a", "b", "c"]


def test_the_chunks_of_a_large_column_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fasturl.engines._operations._BYTES_A_PIECE", 1000)
    urls = pd.Series(cases.TEXT * 5, dtype=pd.ArrowDtype(pa.large_string()))
    found = urls.url.parse(FIELDS)
    assert pa.chunked_array(pa.array(found["host"])).num_chunks > 10
    assert table(found) == {name: values * 5 for name, values in cases.columns(cases.TEXT_ROWS["url"]).items()}
    assert pa.array(urls.url.path()).to_pylist() == cases.columns(cases.TEXT_ROWS["url"])["path"] * 5


def test_wrong_columns_and_names_raise() -> None:
    for values, kind in (([1, 2], "int64"), ([1.0, None], "double")):
        with pytest.raises(TypeError, match=f"strings or binary, not of {kind}"):
            pd.Series(values).url.host()
    with pytest.raises(ValueError, match="unknown field 'hots'"):
        pd.Series(["a"]).url.parse(["hots"])
    with pytest.raises(ValueError, match="form must be"):
        pd.Series([], dtype=str).url.parse(["host"], form="log")


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("call", cases.CALLS, ids=str)
def test_every_function_agrees_with_one_url(call: cases.Call, binary: bool) -> None:
    urls = cases.BYTES if binary else cases.TEXT
    wanted = cases.results(call, binary)
    found = call.method(pd.Series(urls, name="u").url)
    assert found.name == "u" and pa.array(found).to_pylist() == wanted
    assert pa.array(call.method(pd.Index(urls, name="u").url)).to_pylist() == wanted
    by_field = pd.Series(urls).url.parse({"it": call.field, "host": "host"})
    assert list(by_field.columns) == ["it", "host"] and pa.array(by_field["it"]).to_pylist() == wanted
    dictionary = pd.Series(urls, dtype="category")
    assert pa.array(call.method(dictionary[3:].url)).to_pylist() == wanted[3:]
    assert len(call.method(dictionary[:0].url)) == 0


def test_str_methods_work_on_the_results() -> None:
    urls = pd.Series(["http://h/a/b", None, "http://h"])
    assert urls.url.path().str.split("/").str[1].tolist()[:1] == ["a"]
    assert urls.url.parse(["path"])["path"].str.len().tolist() == [4, pd.NA, 0]
    assert urls.url.host().str.upper().str.cat(sep=",") == "H,H"


def test_an_index_is_read() -> None:
    index = pd.Index(["http://h:80/", "//g"], name="u")
    assert index.url.host().tolist() == ["h", "g"] and index.url.host().name == "u"
    parsed = index.url.parse(["host", "port"])
    assert parsed.index.equals(index) and parsed.loc["http://h:80/", "port"] == 80


def test_findings_combine_with_the_flags_of_finding() -> None:
    findings = pd.Series(["http://h/%", "http://h/", None]).url.finding_bits()
    assert (findings & fasturl.Finding.VIOLATIONS != 0).tolist() == [True, False, pd.NA]
    assert (fasturl.Finding.BAD_ESCAPE == findings).tolist() == [True, False, pd.NA]


@pytest.mark.parametrize("name", cases.OF_COLUMNS)
def test_functions_of_two_columns_agree(name: str) -> None:
    frame = pd.DataFrame(cases.PAIRS, columns=["a", "b"])
    found = getattr(frame["a"].url, name)(frame["b"])
    assert pa.array(found).to_pylist() == cases.of_pairs(name)


def test_logs_are_read_as_fasturl_logs_reads_them(tmp_path: Path) -> None:
    for paths in logcases.inputs(tmp_path):
        found = logs.read(paths, fields=logcases.FIELDS).read_pandas(types_mapper=pd.ArrowDtype)
        assert found["path"].str.startswith("/").any()
        assert logcases.comparable(pa.Table.from_pandas(found).to_pylist()) == logcases.wanted(paths)
