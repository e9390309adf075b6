"""A Dask DataFrame's column is read partition by partition with the answers of ``fasturl.parse``."""

import operator
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cases
import logcases
import pyarrow as pa
import pytest

dask = pytest.importorskip("dask", reason="the extra fasturl[dask] is not installed")
dd = pytest.importorskip("dask.dataframe", reason="the extra fasturl[dask] is not installed")
pd = pytest.importorskip("pandas")
from fasturl.arrow import DEFAULT_FIELDS, FIELDS  # noqa: E402
from fasturl.engines.dask import parse, read_logs  # noqa: E402

BINARY = pd.ArrowDtype(pa.binary())


@pytest.fixture(scope="module", params=["threads", "sync"], autouse=True)
def scheduler(request: pytest.FixtureRequest) -> Iterator[None]:
    with dask.config.set(scheduler=request.param, num_workers=2):
        yield


def frame(urls: list[Any], partitions: int, dtype: Any = "str") -> Any:
    table = pd.DataFrame({"id": range(len(urls)), "u": pd.Series(urls, dtype=dtype)})
    return dd.from_pandas(table, npartitions=partitions)


def check(found: Any, rows: list[cases.Row | None]) -> None:
    computed = found.compute()
    assert list(computed.columns) == list(found.columns) == ["id", "u", *FIELDS]
    assert (computed.dtypes == found.dtypes).all()  # the types promised before the run
    assert list(computed["id"]) == list(computed.index) == list(range(len(rows)))
    assert {name: pa.array(computed[name]).to_pylist() for name in FIELDS} == cases.columns(rows)


@pytest.mark.parametrize("dtype", ["str", object, "string[python]", "string[pyarrow]"])
@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_of_text_agree_with_parse(form: str, dtype: Any) -> None:
    check(parse(frame(cases.TEXT, 4, dtype), "u", FIELDS, form=form), cases.TEXT_ROWS[form])


@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_of_bytes_agree_with_parse(form: str) -> None:
    check(parse(frame(cases.OCTETS, 4, BINARY), "u", FIELDS, form=form), cases.OCTET_ROWS[form])


def test_columns_of_any_objects_are_read() -> None:
    """Without Dask's own conversion of text, a column may hold any objects."""
    with dask.config.set({"dataframe.convert-string": False}):
        check(parse(frame(cases.TEXT, 4, object), "u", FIELDS), cases.TEXT_ROWS["url"])
        with pytest.raises(TypeError, match="bytes in a column of objects"):
            parse(frame(cases.OCTETS, 2, object), "u").compute()


def test_each_field_has_a_method() -> None:
    urls = frame(cases.TEXT, 3)["u"]
    wanted = cases.columns(cases.TEXT_ROWS["url"])
    for name in FIELDS:
        found = operator.methodcaller(name)(urls.url)
        computed = found.compute()
        assert computed.dtype == found.dtype and computed.name == "u"
        assert pa.array(computed).to_pylist() == wanted[name], name


@pytest.mark.long
def test_many_partitions_agree_though_some_are_empty() -> None:
    urls = frame(cases.TEXT * 20, 130)
    assert urls.npartitions >= 100
    kept = urls[urls["id"] % 100 < 3]  # leaves many partitions without a row
    assert (kept.map_partitions(len).compute() == 0).sum() > 20
    found = parse(kept, "u", FIELDS).compute()
    rows = [(cases.TEXT_ROWS["url"] * 20)[i] for i in found["id"]]
    assert list(found["id"]) == [i for i in range(len(cases.TEXT) * 20) if i % 100 < 3]
    assert {name: pa.array(found[name]).to_pylist() for name in FIELDS} == cases.columns(rows)


def test_partitions_without_a_url_or_row_are_read() -> None:
    nulls = frame([None] * 6 + ["http://h/"], 7, object)
    assert pa.array(parse(nulls, "u", ["host"]).compute()["host"]).to_pylist() == [None] * 6 + ["h"]
    empty = parse(frame([], 1), "u").compute()
    assert len(empty) == 0 and list(empty.columns) == ["id", "u", *DEFAULT_FIELDS]


def test_a_prefix_avoids_clashes_of_names() -> None:
    urls = frame(["http://h/"], 1).rename(columns={"id": "host"})
    with pytest.raises(ValueError, match="give a prefix: host"):
        parse(urls, "u", ["host"])
    assert list(parse(urls, "u", ["host"], prefix="url_").compute()["url_host"]) == ["h"]


def test_wrong_columns_and_names_raise() -> None:
    urls = frame(["http://h/"], 1)
    with pytest.raises(ValueError, match="unknown field 'hots'"):
        parse(urls, "u", ["hots"])
    with pytest.raises(ValueError, match="form must be"):
        parse(urls, "u", form="log")
    with pytest.raises(ValueError, match="no column 'v'"):
        parse(urls, "v")


@pytest.mark.parametrize("binary", [False, True])
def test_every_function_agrees_with_one_url(binary: bool) -> None:
    urls = frame(cases.OCTETS, 5, BINARY) if binary else frame(cases.TEXT, 5)
    urls = urls[urls["id"] != 6]
    by_field = parse(urls, "u", {str(number): call.field for number, call in enumerate(cases.CALLS)})
    computed = by_field.compute()
    assert (computed.dtypes == by_field.dtypes).all()
    for number, call in enumerate(cases.CALLS):
        wanted = cases.results(call, binary)
        assert pa.array(computed[str(number)]).to_pylist() == [*wanted[:6], *wanted[7:]], call


@pytest.mark.long
@pytest.mark.parametrize("layout", [layout for layout in cases.LAYOUTS if layout not in ("views", "run ends")])
@pytest.mark.parametrize("binary", [False, True])
def test_every_function_agrees_in_every_layout(binary: bool, layout: str) -> None:
    """Except views, which pandas cannot slice."""
    column = cases.laid_out(binary, layout)
    table = pd.DataFrame({"id": range(len(column)), "u": pd.array(column, dtype=pd.ArrowDtype(column.type))})
    urls = dd.from_pandas(table, npartitions=5)
    urls = dd.concat([urls[urls["id"] < 0], urls])  # also partitions without a row
    computed = parse(urls, "u", {str(number): call.field for number, call in enumerate(cases.CALLS)}).compute()
    for number, call in enumerate(cases.CALLS):
        assert pa.array(computed[str(number)]).to_pylist() == cases.results(call, binary), call


@pytest.mark.parametrize("call", cases.CALLS, ids=str)
def test_every_function_has_a_method(call: cases.Call) -> None:
    found = call.method(frame(cases.TEXT, 3)["u"].url)
    computed = found.compute()
    assert computed.dtype == found.dtype and computed.name == "u"
    assert pa.array(computed).to_pylist() == cases.results(call, False)


def test_only_what_is_used_is_read_and_computed() -> None:
    whole = parse(frame(cases.TEXT, 2).assign(other="x"), "u", ["host", "path", "port"])
    plan = str(whole[["id", "host"]].optimize(fuse=False).expr.tree_repr())
    assert "('host', 'host')" in plan and "'port'" not in plan and "other" not in plan
    assert list(whole[["id", "host"]].compute()["host"].dropna()) == list(whole.compute()["host"].dropna())
    series = frame(cases.TEXT, 2)["u"].url.parse(["host", "port"])
    assert "'port'" not in str(series["host"].optimize(fuse=False).expr.tree_repr())
    assert list(series.columns) == list(series.compute().columns) == ["host", "port"]


class DyingWork:
    """A task's work whose process is killed once, in the middle of the partitions."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __call__(self, part: Any) -> Any:
        is_middle = len(part) and (part["id"].iloc[0] >= 1000 if "id" in part else part["path"].iloc[0] > "/a/2")
        if is_middle and not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return part


def computed_by_a_dying_worker(found: Any, folder: Path, marker: Path) -> Any:
    distributed = pytest.importorskip("distributed", reason="dask[distributed] is not installed")
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with (
        dask.config.set({"temporary-directory": str(folder)}),
        distributed.LocalCluster(**local) as cluster,
        distributed.Client(cluster) as client,
    ):
        dying = found.map_partitions(DyingWork(marker), meta=found._meta)
        return client.compute(dying).result(timeout=300)


@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")  # the scheduler warns that a worker is gone
@pytest.mark.parametrize("kind", ["parse", "function"])
def test_a_killed_worker_costs_no_row(tmp_path: Path, kind: str) -> None:
    marker = tmp_path / "died"
    urls = frame([f"http://host{i}/?n={i}" for i in range(2000)], 8)
    if kind == "parse":
        found = parse(urls, "u", {"n": ("query_value", "n")})
    else:
        found = urls.assign(n=urls["u"].url.query_value("n"))
    computed = computed_by_a_dying_worker(found, tmp_path, marker)
    assert marker.exists()
    assert list(computed["n"]) == [str(i) for i in range(2000)]


@pytest.mark.parametrize("name", cases.OF_COLUMNS)
def test_functions_of_two_columns_agree(name: str) -> None:
    pairs = dd.from_pandas(pd.DataFrame(cases.PAIRS, columns=["a", "b"], dtype="str"), npartitions=2)
    found = getattr(pairs["a"].url, name)(pairs["b"])
    assert pa.array(found.compute()).to_pylist() == cases.of_pairs(name)


def as_rows(computed: Any) -> list[dict[str, Any]]:
    return list(pa.Table.from_pandas(computed, preserve_index=False).to_pylist())


def test_logs_are_read_as_on_one_machine(tmp_path: Path) -> None:
    for paths, octets in logcases.inputs(tmp_path):
        found = read_logs(paths, fields=logcases.FIELDS, split_octets=octets)
        computed = found.compute()
        assert found.npartitions > 3 and (computed.dtypes == found.dtypes).all()
        assert logcases.comparable(as_rows(computed)) == logcases.wanted(paths)
    paths = logcases.written(tmp_path)
    rejects = read_logs(paths, fields=["path"], rejects="keep", **logcases.SPLIT).compute()
    logcases.check_rejects(as_rows(rejects))


def test_only_used_columns_of_logs_are_computed(tmp_path: Path) -> None:
    found = read_logs(logcases.written(tmp_path), **logcases.SPLIT)
    used = found[found["size"] > 10**17]["path"]
    assert "columns=['path'] " in str(used.optimize(fuse=False).expr.tree_repr())
    assert sorted(used.compute()) == sorted(f"/a/{n}" for n in range(101, logcases.COUNT))


@pytest.mark.long
@pytest.mark.parametrize(
    ("query", "is_pushed"),
    [
        (lambda logs: logs[logs["size"] > 10**17]["path"], True),
        (lambda logs: logs[(logs.status == 200) & (logs.path.str.len() > 5)], True),
        (lambda logs: logs[logs["size"] > logs["status"] * 10**15], True),
        (lambda logs: logs[logs["size"] > 10**17]["size"].max(), True),
        (lambda logs: logs[logs["size"] > 10**17][logs.status == 200]["path"], True),
        (lambda logs: logs[logs.time > "2015-05-17 08:05:30"][["path", "time"]], True),
        (lambda logs: logs[logs.path.isin(["/a/7", "/a/9"])][["path", "line"]], False),  # the list is a task of its own
        (lambda logs: logs[logs["size"] > logs["size"].mean()]["path"], False),
        (lambda logs: logs[logs["size"] > 10**17].path.count() / logs.path.count(), False),
    ],
)
def test_a_filter_reaches_the_reader_of_logs(tmp_path: Path, query: Callable[[Any], Any], is_pushed: bool) -> None:
    """And leaves the same rows, with the same index."""
    logs = read_logs(logcases.written(tmp_path), **logcases.SPLIT)
    found = query(logs)
    assert ("where" in str(found.optimize(fuse=False).expr.tree_repr())) is is_pushed
    wanted, computed = query(logs.persist()).compute(), found.compute()
    if isinstance(wanted, pd.DataFrame):
        pd.testing.assert_frame_equal(computed, wanted)
    elif isinstance(wanted, pd.Series):
        pd.testing.assert_series_equal(computed, wanted)
    else:
        assert computed == wanted
    kept = read_logs(logcases.written(tmp_path), rejects="keep", **logcases.SPLIT)
    assert (kept[kept["rejected"]].compute()["text"] != "").all()


@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")  # the scheduler warns that a worker is gone
@pytest.mark.parametrize("scheduler", ["threads"], indirect=True)
def test_a_killed_worker_costs_no_line(tmp_path: Path) -> None:
    paths, marker = logcases.written(tmp_path), tmp_path / "died"
    computed = computed_by_a_dying_worker(read_logs(paths, fields=logcases.FIELDS, **logcases.SPLIT), tmp_path, marker)
    assert marker.exists()
    assert logcases.comparable(as_rows(computed)) == logcases.wanted(paths)


def test_a_persisted_frame_is_parsed_by_one_expression() -> None:
    """Its graph would be hashed for each expression over it."""
    found = parse(frame(cases.TEXT, 3).persist(), "u", FIELDS)
    assert [type(step).__name__ for step in found.expr.walk()].count("ParsedFrame") == 1
    check(found, cases.TEXT_ROWS["url"])


# Dask reads `Series.values`, whose meaning pandas 4 changes.
@pytest.mark.filterwarnings("ignore:Series.values returning an ndarray")
def test_the_time_of_logs_can_be_the_index(tmp_path: Path) -> None:
    paths = logcases.written(tmp_path)
    found = read_logs(paths, fields=["time", "path"], **logcases.SPLIT).set_index("time")
    some = found.loc["2015-05-17 08:05:10":"2015-05-17 08:05:11"].compute()  # type: ignore[misc]
    assert found.known_divisions and len(some) == len([n for n in range(400) if n % 60 in (10, 11)]) + 2
