"""Does a filter that reaches the reader keep the same rows, and compute the other columns for these rows alone?"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

ds = pytest.importorskip("pyarrow.dataset")

from fasturl import logs  # noqa: E402
from fasturl.logs import jobs  # noqa: E402
from fasturl.logs.dataset import StreamedDataset, _row_filter  # noqa: E402
from fasturl.logs.formats.catalog import make_format  # noqa: E402
from fasturl.logs.logtable import LogTable, log_table  # noqa: E402
from fasturl.logs.units import RowFilter  # noqa: E402

COMBINED = '192.0.2.{0} - - [17/May/2015:10:05:{1:02} +0200] "GET {2} HTTP/1.1" {3} {4} "{5}" "agent é {0}"\n'
REFERERS = ("-", "http://r/ä", "r")
FILES: dict[str, tuple[str, Any]] = {
    "combined": (
        "".join(COMBINED.format(n % 250, n % 60, f"/a{'/long' * (n % 5)}?{n}#x y", 200 + n % 7, n, REFERERS[n % 3])
                for n in range(40_000)) + "torn\n",
        "COMBINED",
    ),
    "W3C": ("#Fields: cs-uri-stem sc-status\n" + "".join(f"/{n} {200 + n % 7}\n" for n in range(99)), "W3C"),
    "URLS": ("".join(f"http://h{n % 5}/{n}\n" for n in range(99)), "URLS"),
    "JSON": ("".join(f'{{"u":"/{n}","s":{200 + n % 7}}}\n' for n in range(99)),
             logs.json_format({"target": "u", "status": "s"})),
}  # fmt: skip


class Logs(StreamedDataset):
    def __init__(self, table: LogTable, path: Path) -> None:
        self.table, self.path, self.filtered = table, path, 0

    @property
    def schema(self) -> Any:
        return self.table.schema

    def batches(self, columns: list[str], where: RowFilter | None = None) -> Any:
        sources = log_table(self.path, "COMBINED")[1]
        for batch in self.table.only(columns).read_files(sources, 2, where):
            self.filtered += len(batch)
            yield batch


@pytest.mark.parametrize("rows", ["request", "url"])
@pytest.mark.parametrize("name", FILES)
def test_a_filter_keeps_the_same_rows(tmp_path: Path, name: str, rows: Any) -> None:
    text, log = FILES[name]
    path = tmp_path / "log"
    path.write_text(text, encoding="utf-8")
    table = log_table(path, log, rows=rows)[0]
    whole = pa.Table.from_batches(Logs(table, path).batches(list(table.columns)))
    status, line = ds.field("status"), ds.field("line")
    conditions = [line == 7, line > 0, line < 0, ds.field("path") != "/7", ds.field("host").is_null()]
    if "status" in table.columns:
        conditions += [status == 204, (status == 204) & (ds.field("port").is_null()), status.isin([200, 203])]
    if rows == "url" and "field" in table.columns:
        conditions += [ds.field("field") == "referer"]
    for condition in conditions:
        logs_read = Logs(table, path)
        found = logs_read.scanner(None, condition).to_reader().read_all()
        assert found.equals(whole.filter(condition)), condition
        assert logs_read.filtered == len(found), "the rows are left out before the columns are made"
        some = logs_read.scanner(["url"], condition).to_reader().read_all()
        assert some.equals(whole.filter(condition).select(["url"]))


def test_rejects_and_counts_stay(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(FILES["combined"][0], encoding="utf-8")
    table, sources = log_table(path, "COMBINED", ["path", "status"], rejects="keep")
    none = RowFilter(("status",), lambda batch: pa.array([], pa.int32()))
    batches = [*table.read_files(sources, 1, none)]
    assert sum(map(len, batches)) == 40_001, "rejects have no columns to look at"
    path.write_text("torn\n" * 2000, encoding="utf-8")
    table, sources = log_table(path, "COMBINED", ["path", "status"])
    with pytest.raises(logs.LogError, match="none of the first"):
        list(table.read_files(sources, 1, none))


def test_other_columns_are_computed_for_the_rows_that_remain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished: list[tuple[int, tuple[str, ...]]] = []
    finish = jobs.finish_unit

    def noted(unit: Any, raw: Any, columns: tuple[str, ...]) -> Any:
        finished.append((len(raw.urls), columns))
        return finish(unit, raw, columns)

    monkeypatch.setattr(jobs, "finish_unit", noted)
    path = tmp_path / "log"
    path.write_text(FILES["combined"][0], encoding="utf-8")
    table = log_table(path, "COMBINED")[0]
    assert set(make_format("COMBINED").columns(True)) < set(table.columns)
    found = Logs(table, path).scanner(["path", "time"], ds.field("status") == 204).to_reader().read_all()
    counts = {columns: 0 for _, columns in finished}
    for count, columns in finished:
        counts[columns] += count
    assert counts == {("status",): 40_000, ("path", "time", "status"): len(found)} and len(found) == 5714


def test_a_filter_of_keys_selects_files(tmp_path: Path) -> None:
    for day in ("1", "2", "__HIVE_DEFAULT_PARTITION__"):
        (tmp_path / f"dt={day}").mkdir()
        (tmp_path / f"dt={day}" / "a.log").write_text(FILES["combined"][0][:5000], encoding="utf-8")
    table, sources = log_table(tmp_path, "COMBINED", ["path", "status", "dt"])
    sources[0].path += ".gone"  # dt=1, which nobody opens
    for condition, days in (
        (ds.field("dt") == "2", {"2"}),
        (ds.field("dt").is_null(), {None}),
        (ds.field("dt") > "2", set()),
    ):
        where = RowFilter(("dt",), _row_filter(condition))
        found = [row for batch in table.read_files(sources, 2, where) for row in batch.to_pylist()]
        assert {row["dt"] for row in found} == days and len(found) == 47 * len(days)
    with pytest.raises(FileNotFoundError):
        list(table.read_files(sources, 2, RowFilter(("dt", "status"), _row_filter(ds.field("dt") == "2"))))
