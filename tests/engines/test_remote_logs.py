"""Do the engines of one machine read files of a store, and the keys of their paths, as `fasturl.logs.read` does?"""

import importlib
from pathlib import Path
from typing import Any

import logcases
import pytest

fsspec = pytest.importorskip("fsspec", reason="remote files need fasturl[remote]")

from fasturl import logs  # noqa: E402

FIELDS = [*logcases.FIELDS, "dt"]


@pytest.fixture
def stored(tmp_path: Path) -> str:
    store = fsspec.filesystem("memory")
    for number, path in enumerate(logcases.written(tmp_path)):
        store.pipe(f"/engines/dt=2026-01-0{number + 1}/{Path(path).name}", Path(path).read_bytes())
    return "memory://engines/"


def with_duckdb(path: str) -> Any:
    duckdb = pytest.importorskip("duckdb")
    from fasturl.logs.duckdb import read as read_logs

    with duckdb.connect() as connection:
        read = read_logs(path, fields=FIELDS, connection=connection)
        assert read.filter("dt = '2026-01-02'").count("*").fetchall() == [(49,)]
        return [dict(zip(read.columns, row, strict=True)) for row in read.fetchall()]


@pytest.mark.parametrize("engine", ["polars", "pandas", "duckdb"])
def test_an_engine_reads_a_store(stored: str, engine: str) -> None:
    pytest.importorskip(engine)
    if engine == "polars":
        rows = importlib.import_module("fasturl.logs.polars").scan(stored, fields=FIELDS).collect().to_dicts()
    elif engine == "pandas":
        rows = logs.read(stored, fields=FIELDS).read_pandas().astype(object).to_dict("records")
    else:
        rows = with_duckdb(stored)
    found = [{name: None if value != value or str(value) == "<NA>" else value for name, value in row.items()}
             for row in rows]  # fmt: skip
    wanted = logs.read(stored, fields=FIELDS).read_all().to_pylist()
    assert len(wanted) == logcases.COUNT + 49
    assert logcases.comparable(found) == logcases.comparable(wanted)
