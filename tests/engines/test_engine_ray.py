"""Ray's worker processes give the answers of ``fasturl.parse``, even if one of them is killed."""

import os
import secrets
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cases
import logcases
import pyarrow as pa
import pytest

ray = pytest.importorskip("ray", reason="the extra fasturl[ray] is not installed")
pytest.importorskip("pandas", reason="the extra fasturl[ray] is not installed")

pytestmark = [
    pytest.mark.cluster,
    # Ray's own warnings when it starts, runs and ends.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def data() -> Iterator[Any]:
    """Return ``ray.data`` on a cluster of this machine, which leaves nothing behind."""
    home = Path(tempfile.mkdtemp(prefix="ray-"))  # short: paths of Ray's sockets have at most 107 bytes
    with pytest.MonkeyPatch.context() as patch:
        token = home / "token"  # else it makes one in the user's home
        token.write_text(secrets.token_hex(32))
        patch.setenv("RAY_AUTH_TOKEN_PATH", str(token))
        try:
            ray.init(
                num_cpus=2,
                include_dashboard=False,
                object_store_memory=100 << 20,
                log_to_driver=False,
                logging_level="ERROR",
                _temp_dir=str(home),
            )
            assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"]
            from ray import data

            data.DataContext.get_current().enable_progress_bars = False
            yield data
        finally:
            ray.shutdown()
            for _ in range(50):  # Ray's processes may still write
                shutil.rmtree(home, ignore_errors=True)
                if not home.exists():
                    break
                time.sleep(0.1)


def parse(*args: Any, **keywords: Any) -> Any:
    from fasturl.engines.ray import parse

    return parse(*args, **keywords)


def table(urls: Any, kind: Any) -> Any:
    return pa.table({"id": range(len(urls)), "u": pa.array(urls, kind)})


def rows(dataset: Any) -> list[dict[str, Any]]:
    """Return the rows in order of their id, without the id and the URL."""
    found = sorted(dataset.take_all(), key=lambda row: row["id"])
    return [{name: value for name, value in row.items() if name not in ("id", "u")} for row in found]


@pytest.mark.parametrize("kind", ["string", "large_string", "binary"])
@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_agree_with_parse(data: Any, form: str, kind: str) -> None:
    from fasturl.arrow import FIELDS

    urls, wanted = (cases.OCTETS, cases.OCTET_ROWS) if kind == "binary" else (cases.TEXT, cases.TEXT_ROWS)
    dataset = data.from_arrow(table(urls, getattr(pa, kind)()))
    found = parse(dataset, "u", FIELDS, form=form)
    assert found.columns() == ["id", "u", *FIELDS]
    assert rows(found) == cases.flat(wanted[form])


def test_rows_of_python_objects_are_parsed(data: Any) -> None:
    from fasturl.arrow import FIELDS

    dataset = data.from_items([{"id": i, "u": url} for i, url in enumerate(cases.TEXT)])
    assert rows(parse(dataset, "u", FIELDS)) == cases.flat(cases.TEXT_ROWS["url"])


def test_many_blocks_agree_though_most_are_empty(data: Any) -> None:
    def some(block: Any) -> Any:
        ids = [i for i in block["id"] if i % 100 < 3]
        return {"id": ids, "u": [f"http://host{i}.example.com:{i}/" for i in ids]}

    found = parse(data.range(1200, override_num_blocks=120).map_batches(some), "u", ["host", "port"])
    assert rows(found) == [{"host": f"host{i}.example.com", "port": i} for i in range(1200) if i % 100 < 3]


def test_no_rows_give_no_rows(data: Any) -> None:
    assert parse(data.from_arrow(table([], pa.string())), "u").take_all() == []
    none = data.from_items([{"u": "http://h/"}]).map_batches(lambda block: block.slice(0, 0), batch_format="pyarrow")
    assert parse(none, "u").take_all() == []


def test_a_column_of_nulls_gives_nulls(data: Any) -> None:
    found = parse(data.from_items([{"id": i, "u": None} for i in range(3)]), "u", ["host", "port"])
    assert rows(found) == [{"host": None, "port": None}] * 3


def test_a_killed_worker_costs_no_row(data: Any, tmp_path: Path) -> None:
    """Ray runs both functions in one task, so the process that parses is killed."""
    marker = tmp_path / "died"

    def dying(block: Any) -> Any:
        if 1000 in block.column("id").to_pylist() and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        urls = pa.array([f"http://host{i}/" for i in block.column("id").to_pylist()])
        return block.append_column("u", urls)

    urls = data.range(2000, override_num_blocks=8).map_batches(dying, batch_format="pyarrow", batch_size=50)
    found = parse(urls, "u", ["host"])
    assert [row["host"] for row in rows(found)] == [f"host{i}" for i in range(2000)]
    assert marker.exists()


def test_options_go_to_map_batches(data: Any) -> None:
    dataset = data.from_arrow(table(cases.TEXT, pa.string()))
    found = parse(dataset, "u", ["path"], batch_size=7, num_cpus=0.5, prefix="url_")
    assert [row["url_path"] for row in rows(found)] == cases.columns(cases.TEXT_ROWS["url"])["path"]


def test_wrong_columns_and_names_raise(data: Any) -> None:
    dataset = data.from_arrow(table(["http://h/"], pa.string()))
    with pytest.raises(ValueError, match="unknown field 'hots'"):
        parse(dataset, "u", ["hots"])
    with pytest.raises(ValueError, match="form must be"):
        parse(dataset, "u", form="log")
    with pytest.raises(ray.exceptions.RayTaskError, match="no column 'v'"):  # a task finds it
        parse(dataset, "v").materialize()


@pytest.mark.parametrize("binary", [False, True])
def test_every_function_agrees_with_one_url(data: Any, binary: bool) -> None:
    urls, kind = (cases.OCTETS, pa.binary()) if binary else (cases.TEXT, pa.string())
    given = table(urls, kind)
    given = given.set_column(1, "u", given["u"].combine_chunks().dictionary_encode())
    blocks = [given.slice(0, 5), given.slice(5, 0), given.slice(5)]
    fields = {str(number): call.field for number, call in enumerate(cases.CALLS)}
    found = rows(parse(data.from_arrow(blocks), "u", fields))
    for number, call in enumerate(cases.CALLS):
        assert [row[str(number)] for row in found] == cases.results(call, binary), call


@pytest.mark.parametrize("name", cases.OF_COLUMNS)
def test_functions_of_two_columns_agree(data: Any, name: str) -> None:
    from fasturl.engines.ray import column

    given = pa.table(
        {"id": range(len(cases.PAIRS)), "u": [a for a, _ in cases.PAIRS], "v": [b for _, b in cases.PAIRS]}
    )
    blocks = [given.slice(0, 2), given.slice(2, 0), given.slice(2)]
    found = parse(data.from_arrow(blocks), "u", {"it": (name, column("v"))})
    assert [row["it"] for row in rows(found)] == cases.of_pairs(name)
    with pytest.raises(ray.exceptions.RayTaskError, match="no column 'w'"):
        parse(data.from_arrow(blocks), "u", {"it": (name, column("w"))}).materialize()


def test_a_killed_worker_costs_no_row_of_a_function(data: Any, tmp_path: Path) -> None:
    marker = tmp_path / "died"

    def dying(block: Any) -> Any:
        if 1500 in block.column("id").to_pylist() and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return block

    urls = data.range(2000, override_num_blocks=8).map_batches(
        lambda block: block.append_column("u", pa.array([f"/{i}/a?n={i}" for i in block.column("id").to_pylist()])),
        batch_format="pyarrow",
    )
    fields = {"template": "path_template", "n": ("query_value", "n")}
    found = parse(urls, "u", fields).map_batches(dying, batch_format="pyarrow", batch_size=50)
    assert rows(found) == [{"template": "/{n}/a", "n": str(i)} for i in range(2000)]
    assert marker.exists()


def test_logs_are_read_as_on_one_machine(data: Any, tmp_path: Path) -> None:
    """Also if the process that reads a split is killed: Ray runs both functions in one task."""
    from fasturl.engines.ray import read_logs

    marker = tmp_path / "died"

    def dying(block: Any) -> Any:
        if "/a/200" in block.column("path").to_pylist() and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return block

    for paths, octets in logcases.inputs(tmp_path):
        read = read_logs(paths, fields=logcases.FIELDS, split_octets=octets)
        assert read.columns() == logcases.FIELDS
        found = read.map_batches(dying, batch_format="pyarrow", batch_size=20)
        assert logcases.comparable(found.take_all()) == logcases.wanted(paths)
        assert marker.exists()


def test_rejects_of_logs_are_kept(data: Any, tmp_path: Path) -> None:
    from fasturl.engines.ray import read_logs

    paths = logcases.written(tmp_path)
    logcases.check_rejects(read_logs(paths, fields=["path"], rejects="keep", **logcases.SPLIT).take_all())
    (tmp_path / "empty").write_bytes(b"")
    empty = read_logs(tmp_path / "empty", fields=["path", "status"])
    assert empty.take_all() == []
    assert empty.columns() in (["path", "status"], None)  # an older Ray drops the columns of a block without rows


def test_a_directory_of_a_store_is_read(data: Any, tmp_path: Path) -> None:
    from fasturl.engines.ray import read_logs

    pytest.importorskip("fsspec")
    found = read_logs(logcases.stored(tmp_path), fields=["path", "dt"], **logcases.SPLIT)
    assert [row["dt"] for row in found.take_all()] == ["2026-01-01"] * (logcases.COUNT + 49)


def test_a_projection_reaches_the_reader_of_logs(data: Any, tmp_path: Path) -> None:
    """The plan has no step that drops columns, and a task computes the selected ones alone."""
    from fasturl.engines.ray import LogSource, read_logs
    from fasturl.logs.logtable import split_table

    paths = logcases.written(tmp_path)
    found = read_logs(paths, **logcases.SPLIT).select_columns(["status", "path"]).materialize()
    assert len(found.take_all()) == logcases.COUNT + 49 and found.columns() == ["status", "path"]
    assert read_logs(paths, **logcases.SPLIT).count() == logcases.COUNT + 49
    source = LogSource(*split_table(paths, **logcases.SPLIT))
    if source.supports_projection_pushdown():
        assert "Project" not in found.stats()
        [task, *_] = source.apply_projection({"status": "status"}).get_read_tasks(1)
        assert {tuple(block.column_names) for block in task()} == {("status",)}
