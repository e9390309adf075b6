"""`fasturl sql` answers as DuckDB does over the table, and computes only the columns that are named."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from clihelpers import Run, on_a_terminal, rows_of_file

pytest.importorskip("duckdb", reason="queries need duckdb")
import pyarrow as pa

LINE = b'192.0.2.%d - - [17/May/2015:10:%02d:03 +0200] "GET /%s?q=%d HTTP/1.1" %d %d "http://r.example/x" "agent/1"'
LINES = [LINE % (n % 3, n % 60, b"abc"[n % 3 : n % 3 + 1], n, 500 if n % 2 else 200, n) for n in range(60)]
LOG = b"".join(line + b"\n" for line in [*LINES, b"torn \x1b[31m\xff"])
TOP = "SELECT path, count(*), sum(size) FROM requests WHERE status >= 500 GROUP BY 1 ORDER BY 3 DESC LIMIT 10"


def test_a_query_groups_and_filters(fasturl: Run, log: Path) -> None:
    ran = fasturl("sql", TOP, log)
    assert ran.status == 0, ran.err
    want = [("/c", range(5, 60, 6)), ("/b", range(1, 60, 6)), ("/a", range(3, 60, 6))]
    want.sort(key=lambda item: -sum(item[1]))
    assert [list(row.values()) for row in ran.rows] == [[path, 10, sum(sizes)] for path, sizes in want]


def test_urls_and_rejects_are_tables_too(fasturl: Run, log: Path) -> None:
    ran = fasturl("sql", "SELECT field, count(*) AS n FROM urls GROUP BY 1 ORDER BY 1", log)
    assert ran.rows == [{"field": "referer", "n": 60}, {"field": "target", "n": 60}]
    ran = fasturl("sql", "SELECT line, text FROM rejects", log)
    assert ran.rows == [{"line": 61, "text": "torn \x1b[31m%FF"}]


def test_tables_join(fasturl: Run, log: Path) -> None:
    query = "SELECT count(*) AS n FROM requests r JOIN urls u USING (line) WHERE u.field = 'referer' AND r.path = '/a'"
    assert fasturl("sql", query, log).rows == [{"n": 20}]


def test_a_stream_is_read_once(fasturl: Run) -> None:
    assert fasturl("sql", "SELECT count(*) AS n FROM requests", stdin=LOG).rows == [{"n": 60}]
    ran = fasturl("sql", "SELECT count(*) FROM requests, rejects", stdin=LOG)
    assert ran.status == 2 and "a stream can be read only once" in ran.err


def test_outputs_by_suffix(fasturl: Run, log: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    query = "SELECT time, path, findings, NULL AS nothing, '' AS empty FROM requests ORDER BY line LIMIT 2"
    for name in ("o.csv", "o.jsonl", "o.parquet", "o.arrow"):
        assert fasturl("sql", query, log, "-o", tmp_path / name).status == 0
    assert (tmp_path / "o.csv").read_text().splitlines()[1] == '2015-05-17T08:00:03+00:00,/a,"",,""'
    assert next(csv.reader(io.StringIO((tmp_path / "o.csv").read_text()))) == [
        "time", "path", "findings", "nothing", "empty",
    ]  # fmt: skip
    first = rows_of_file(tmp_path / "o.jsonl")[0]
    assert first == {"time": "2015-05-17T08:00:03+00:00", "path": "/a", "findings": [], "nothing": None, "empty": ""}
    table = pq.read_table(tmp_path / "o.parquet")
    assert table["path"].to_pylist() == ["/a", "/b"] and table.schema.field("time").type == pa.timestamp("us", "UTC")
    assert len(rows_of_file(tmp_path / "o.arrow")) == 2


def test_times_outside_the_years_of_python_are_null(fasturl: Run, tmp_path: Path) -> None:
    log = LINES[0].replace(b"17/May/2015:10:00:03 +0200", b"31/Dec/9999:23:59:59 +0000") + b"\n" + LINES[1]
    query = "SELECT time + INTERVAL 1 DAY AS t, [time + INTERVAL 1 DAY] AS l, (time + INTERVAL 1 DAY)::DATE AS d"
    query += ", 'infinity'::TIMESTAMP AS i FROM requests ORDER BY line"
    want = {"t": "2015-05-18T08:01:03+00:00", "l": ["2015-05-18T08:01:03+00:00"], "d": "2015-05-18", "i": None}
    assert fasturl("sql", query, stdin=log).rows == [dict.fromkeys(want), want]
    ran = fasturl("sql", query, "--to", "csv", stdin=log)
    assert ran.lines[1:] == [b",,,", b"2015-05-18T08:01:03+00:00,2015-05-18T08:01:03+00:00,2015-05-18,"], ran.err
    ran = fasturl("sql", "SELECT INTERVAL 1 DAY", "-o", tmp_path / "out.parquet", stdin=log)
    assert ran.status == 2 and "does not fit into parquet" in ran.err and ran.err.count("\n") == 1, ran.err


def test_only_columns_that_are_named_are_computed(log: Path) -> None:
    program = (
        "import sys\n"
        "from fasturl.cli import app\n"
        "from fasturl.logs import units\n"
        "seen = set()\n"
        "finish = units.finish_unit\n"
        "from fasturl.logs import jobs\n"
        "jobs.finish_unit = lambda unit, raw, columns: seen.add(columns) or finish(unit, raw, columns)\n"
        "app.call(['sql', sys.argv[1], sys.argv[2]])\n"
        "print(sorted(seen))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, TOP, str(log)], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == str([("path", "status", "size"), ("status",)]), "first the condition's"


def test_memory_is_bounded_and_spills(fasturl: Run, log: Path) -> None:
    query = "SELECT count(DISTINCT a.line * 1000 + b.i) AS n FROM requests a, range(2000) b(i)"
    ran = fasturl("sql", query, log, "--memory", "64M", "--threads", "1")
    assert ran.status == 0, ran.err
    ran = fasturl("sql", "SELECT current_setting('memory_limit') AS m", log, "--memory", "64M")
    assert ran.rows == [{"m": "64.0 MiB"}]


@pytest.mark.parametrize(("query", "said"), [
    ("SELECT nothing FROM requests", "nothing"),
    ("SELECT", "Parser Error"),
    ("SELECT * FROM log", "log"),
    ("SELECT 'http://me:secret@h/' + FROM requests", "Parser Error"),
])  # fmt: skip
def test_a_query_that_fails_is_one_line(fasturl: Run, log: Path, query: str, said: str) -> None:
    ran = fasturl("sql", query, log)
    assert ran.status == 2 and ran.out == b"" and ran.err.count("\n") == 1 and ran.err.startswith("fasturl: ")
    assert said in ran.err and "secret" not in ran.err and "Traceback" not in ran.err


def test_a_query_reports_unknown_formats_and_torn_inputs(fasturl: Run, tmp_path: Path, log: Path) -> None:
    ran = fasturl("sql", "SELECT count(*) FROM requests", "--log-format", "SQUID", "-", stdin=LOG * 20)
    assert ran.status == 2 and "none of the first 1,000 lines is in the format SQUID" in ran.err
    assert fasturl("sql", "SELECT 1", tmp_path / "none.log").status == 2
    import gzip

    torn = tmp_path / "torn.gz"
    torn.write_bytes(gzip.compress(LOG, 0)[:-600])
    ran = fasturl("sql", "SELECT count(*) > 50 AS n FROM requests", torn)
    assert ran.status == 2 and ran.rows == [{"n": True}] and "is truncated" in ran.err


def test_an_output_that_is_an_input_is_refused(fasturl: Run, log: Path) -> None:
    assert fasturl("sql", "SELECT 1", log, "-o", log, "--to", "csv").status == 2 and log.read_bytes() == LOG


def test_a_terminal_gets_a_table_without_control_characters(log: Path) -> None:
    arguments = ["sql", "-q", "SELECT line, text FROM rejects", str(log)]
    shown, status = on_a_terminal(arguments, b"", program=(sys.executable, "-m", "fasturl.cli"))
    assert status == 0
    assert b"\\x1b[31m" in shown and b"\x1b[31m" not in shown and b"61" in shown
