"""``pl.col("u").url`` gives the answers of ``fasturl.parse``: eager, lazy and streaming."""

import operator
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cases
import logcases
import pytest

import fasturl

pl = pytest.importorskip("polars", reason="the extra fasturl[polars] is not installed")
import fasturl.engines.polars  # noqa: E402
from fasturl.arrow import DEFAULT_FIELDS, FIELDS  # noqa: E402
from fasturl.logs import TruncatedInput  # noqa: E402
from fasturl.logs.polars import scan  # noqa: E402

ENGINES = ["in-memory", "streaming"]
DTYPES = {
    "port": pl.UInt16, "finding_bits": pl.UInt32, "findings": pl.List(pl.String), "valid_rfc1738": pl.Boolean,
    "valid_rfc3986": pl.Boolean, "error_offset": pl.Int32,
}  # fmt: skip


@pytest.fixture(scope="module")
def frame() -> Any:
    return pl.LazyFrame({"id": range(len(cases.TEXT)), "u": pl.Series(cases.TEXT, dtype=pl.String)})


@pytest.fixture(scope="module")
def data() -> Any:
    return pl.LazyFrame({"u": pl.Series(cases.BYTES, dtype=pl.Binary)})


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_of_text_agree_with_parse(frame: Any, form: str, engine: Any) -> None:
    plan = frame.select("id", row=pl.col("u").url.parse(FIELDS, form=form))
    wanted = pl.Struct({name: DTYPES.get(name, pl.String) for name in FIELDS})
    assert plan.collect_schema()["row"] == wanted
    found = plan.collect(engine=engine)
    assert found.schema["row"] == wanted
    assert [values for _, values in sorted(found.rows())] == cases.TEXT_ROWS[form]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_of_bytes_agree_with_parse(data: Any, form: str, engine: Any) -> None:
    plan = data.select(pl.col("u").url.parse(FIELDS, form=form))
    assert plan.collect_schema()["u"].to_schema()["host"] == pl.Binary
    assert plan.collect(engine=engine)["u"].to_list() == cases.BYTE_ROWS[form]


@pytest.mark.parametrize("form", cases.FORMS)
def test_each_field_has_a_method(frame: Any, form: str) -> None:
    wanted = cases.columns(cases.TEXT_ROWS[form])
    for name in FIELDS:
        method = operator.methodcaller(name, form=form)
        assert frame.select(method(pl.col("u").url)).collect()["u"].to_list() == wanted[name], name
        assert method(frame.collect()["u"].url).to_list() == wanted[name], name


def test_a_series_is_parsed_by_the_default_fields(frame: Any) -> None:
    parsed = frame.collect()["u"].url.parse()
    assert parsed.name == "u" and parsed.struct.fields == list(DEFAULT_FIELDS)
    rows = [row and {name: row[name] for name in DEFAULT_FIELDS} for row in cases.TEXT_ROWS["url"]]
    assert parsed.to_list() == rows


def test_a_chunked_and_sliced_series_is_parsed() -> None:
    half = len(cases.TEXT) // 2
    parts = [pl.Series(part, dtype=pl.String) for part in (["x", *cases.TEXT[:half]], cases.TEXT[half:], [])]
    series = pl.concat(parts, rechunk=False)[1:]
    assert series.n_chunks() > 1
    assert series.url.parse(FIELDS).to_list() == cases.TEXT_ROWS["url"]


@pytest.mark.parametrize("dtype", [pl.String, pl.Binary])
def test_empty_and_all_null_columns_keep_their_type(dtype: Any) -> None:
    for values in ([], [None] * 3):
        series = pl.Series(values, dtype=dtype)
        assert series.url.host().to_list() == values
        assert series.url.host().dtype == dtype
        assert series.url.parse(["host", "port"]).to_list() == values
        lazy = pl.LazyFrame({"u": series}).select(pl.col("u").url.parse(["host", "port"]))
        assert lazy.collect()["u"].to_list() == values


def test_a_column_of_the_null_type_gives_nulls_and_a_scalar_is_parsed() -> None:
    frame = pl.LazyFrame({"u": [None, None]})
    assert frame.select(pl.col("u").url.host()).collect()["u"].to_list() == [None, None]
    assert frame.select(pl.col("u").url.port()).collect()["u"].to_list() == [None, None]
    assert frame.collect()["u"].url.parse(["host"]).to_list() == [None, None]
    assert pl.select(pl.lit("http://h:80/").url.port()).item() == 80


@pytest.mark.parametrize("engine", ENGINES)
def test_many_batches_agree(engine: Any) -> None:
    """More rows than one morsel or one thread takes, inside other expressions."""
    urls = pl.LazyFrame({"i": pl.int_range(300_000, eager=True)}).with_columns(
        u=pl.format("http://host{}.example.com:{}/p", pl.col("i") % 1000, pl.col("i") % 70_000)
    )
    parsed = urls.with_columns(pl.col("u").url.parse(["host", "port"]).struct.unnest())
    found = parsed.filter(pl.col("host").is_not_null()).group_by("host").agg(pl.len(), pl.col("port").max())
    rows = found.sort("host").collect(engine=engine).rows()
    assert [count for _, count, _ in rows] == [300] * 1000
    assert {host for host, _, _ in rows} == {f"host{i}.example.com" for i in range(1000)}
    assert max(port for _, _, port in rows) == 65535


def test_text_is_not_copied() -> None:
    """A part longer than twelve bytes is a view into the column's own buffer."""
    import pyarrow as pa

    series = pl.Series(["http://a-host-of-some-length.example/"])
    given = pa.chunked_array(series).chunk(0).buffers()
    found = pa.chunked_array(series.url.host()).chunk(0).buffers()
    places = [(buffer.address, buffer.address + buffer.size) for buffer in given[2:]]
    assert found[2:] and all(any(a <= b.address < z for a, z in places) for b in found[2:] if b.size)


def test_a_plan_can_be_sent() -> None:
    plan = pl.LazyFrame({"u": ["http://h/"]}).select(pl.col("u").url.host())
    assert pl.LazyFrame.deserialize(__import__("io").BytesIO(plan.serialize())).collect().item() == "h"
    assert pickle.loads(pickle.dumps(plan)).collect().item() == "h"


def test_wrong_columns_and_names_raise() -> None:
    with pytest.raises(TypeError, match="String or Binary, not of Int64"):
        pl.Series([1]).url.host()
    with pytest.raises(TypeError, match="cast it to String"):
        pl.Series(["a"], dtype=pl.Categorical).url.host()
    for call in (pl.col("u").url.parse, pl.Series(["a"]).url.parse):
        with pytest.raises(ValueError, match="unknown field 'hots'"):
            call(["hots"])
        with pytest.raises(ValueError, match="form must be"):
            call(["host"], form="log")
    with pytest.raises(ValueError, match="form must be"):
        pl.col("u").url.host(form="log")


def test_a_single_key_to_redact_is_not_split_into_letters() -> None:
    series = pl.Series(["http://h/?token=1&t=2"])
    assert series.url.redact("token").item() == fasturl.redact("http://h/?token=1&t=2", ["token"])


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("call", cases.CALLS, ids=str)
def test_every_function_agrees_with_one_url(frame: Any, data: Any, call: cases.Call, binary: bool) -> None:
    lazy = data if binary else frame
    wanted = cases.results(call, binary)
    plan = lazy.select(call.method(pl.col("u").url))
    dtype = plan.collect_schema()["u"]
    for found in (plan.collect(), plan.collect(engine="streaming")):
        assert found["u"].dtype == dtype and found["u"].to_list() == wanted
    series = call.method(lazy.collect()["u"].url)
    assert series.dtype == dtype and series.to_list() == wanted
    by_field = lazy.collect()["u"][3:].url.parse({"it": call.field})
    assert [row and row["it"] for row in by_field.to_list()] == wanted[3:]
    assert call.method(lazy.collect()["u"][:0].url).dtype == dtype


@pytest.mark.parametrize("layout", [layout for layout in cases.LAYOUTS if layout != "run ends"])
@pytest.mark.parametrize("binary", [False, True])
def test_every_function_agrees_in_every_layout(binary: bool, layout: str) -> None:
    lazy = pl.from_arrow(cases.table_of(binary, layout)).lazy()
    if layout == "dictionary" and not binary:
        with pytest.raises(TypeError, match="not of Categorical: cast it to String"):
            lazy.select(pl.col("u").url.host()).collect()
        lazy = lazy.with_columns(pl.col("u").cast(pl.String))
    for call in cases.CALLS:
        plan = lazy.select(call.method(pl.col("u").url))
        for found in (plan.collect(), plan.collect(engine="streaming")):
            assert found["u"].to_list() == cases.results(call, binary), call


def test_several_fields_share_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    from fasturl.engines import _operations

    calls = []
    parse = _operations.arrow.parse
    monkeypatch.setattr(_operations.arrow, "parse", lambda *a, **k: calls.append(len(a[0])) or parse(*a, **k))
    lazy = pl.LazyFrame({"u": ["http://h:80/a?b"] * 10})
    plan = lazy.select(pl.col("u").url.parse(["host", "port", "path", "query"]).struct.unnest())
    assert len(calls) < 20  # calls without rows find the types
    calls.clear()
    assert plan.collect().shape == (10, 4)
    assert sum(calls) == 10


@pytest.mark.parametrize("name", cases.OF_COLUMNS)
def test_functions_of_two_columns_agree(name: str) -> None:
    pairs = pl.DataFrame(cases.PAIRS, schema={"a": pl.String, "b": pl.String}, orient="row")
    wanted = cases.of_pairs(name)
    assert getattr(pairs["a"].url, name)(pairs["b"]).to_list() == wanted
    for engine in ENGINES:
        found = pairs.lazy().select(getattr(pl.col("a").url, name)(pl.col("b"))).collect(engine=engine)
        assert found["a"].to_list() == wanted
    one = pairs.select(getattr(pl.col("a").url, name)(pl.lit("HTTP://H:80/")))["a"].to_list()
    assert one == [cases.of_pair(name, a, "HTTP://H:80/") for a, _ in cases.PAIRS]
    with pytest.raises(TypeError, match="drop_params: no argument can be a column"):
        pl.col("a").url.drop_params(pl.col("b"))
    with pytest.raises(TypeError, match="query_value: only name can be a column"):
        pl.col("a").url.query_value("x", default=pl.col("b"))


@pytest.mark.parametrize("engine", ENGINES)
def test_logs_are_read_as_on_one_machine(tmp_path: Path, engine: Any) -> None:
    for paths in logcases.inputs(tmp_path):
        plan = scan(paths, fields=logcases.FIELDS)
        found = plan.collect(engine=engine)
        assert found.schema == plan.collect_schema() and found["file"].to_list()[0] == paths[0]
        assert logcases.comparable(found.to_dicts()) == logcases.wanted(paths)
    paths = logcases.written(tmp_path)
    logcases.check_rejects(scan(paths, fields=["path"], rejects="keep").collect(engine=engine).to_dicts())


@pytest.mark.parametrize("engine", ENGINES)
def test_a_query_reads_only_what_it_needs_of_logs(tmp_path: Path, engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    reads = fasturl.logs.polars.LogTable.read_files
    monkeypatch.setattr(
        "fasturl.logs.polars.LogTable.read_files", lambda table, *rest: read.append(table) or reads(table, *rest)
    )
    paths = logcases.written(tmp_path)
    whole = scan(paths, rows="url").collect(engine=engine)
    for number, (plan, fields) in enumerate(
        [(lambda logs: logs.filter(pl.col("size") > 10**17).select("path", "host"), {"path", "host", "size"}),
         (lambda logs: logs.head(7).select("path"), {"path"}),
         (lambda logs: logs.head(200).filter(pl.col("field") == "referer").select("line"), {"line", "field"}),
         (lambda logs: logs.filter(pl.col("field") == "referer").head(7).select("line"), {"line", "field"}),
         (lambda logs: logs.filter(pl.col("host") == "r.example").tail(3), set(whole.columns))],
        1,
    ):  # fmt: skip
        found = plan(scan(paths, rows="url")).collect(engine=engine)
        assert found.equals(plan(whole.lazy()).collect()), number
        assert set(read[number].columns) == set(read[number].fields) == fields, number
    assert scan(paths).select(pl.len()).collect(engine=engine).item() == logcases.COUNT + 49


def test_a_limit_reads_no_more_of_logs_than_it_needs(tmp_path: Path) -> None:
    """Damage behind these rows is not seen."""
    path = tmp_path / "log.gz"
    path.write_bytes(Path(logcases.written(tmp_path)[1]).read_bytes() + b"damaged" * 9)
    logs = scan(path, fields=["path"])
    assert logs.head(3).collect().height == 3
    with pytest.raises((TruncatedInput, pl.exceptions.ComputeError), match="damaged gzip data"):
        logs.collect()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_that_ends_in_a_later_batch_of_logs(tmp_path: Path, engine: Any, monkeypatch: Any) -> None:
    taken: list[int] = []

    def batches(*given: Any) -> Iterator[Any]:
        for batch in reads(*given):
            for start in range(0, len(batch), 100):
                taken.append(start)
                yield batch.slice(start, 100)

    paths = logcases.written(tmp_path)
    whole = scan(paths, fields=["line", "size"]).collect()
    reads = fasturl.logs.polars.LogTable.read_files
    monkeypatch.setattr("fasturl.logs.polars.LogTable.read_files", batches)
    for count, needed in ((99, 1), (100, 1), (101, 2), (250, 3), (whole.height, 5), (whole.height + 1, 5)):
        for plan in (
            lambda logs, count=count: logs.head(count),
            lambda logs, count=count: logs.head(count).filter(pl.col("size") % 2 == 0),
        ):
            taken.clear()
            assert plan(scan(paths, fields=["line", "size"])).collect(engine=engine).equals(plan(whole))
            assert len(taken) == needed, count
