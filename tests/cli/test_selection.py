"""`--where`, `--time-from`, `--time-to`, `--drop` and `--redact` mean the same in parse, sql, stats and report."""

import json
import re
from pathlib import Path

import pytest
from clihelpers import Run, need_altair

pytest.importorskip("duckdb", reason="conditions need duckdb")

LINE = (
    b'192.0.2.%d - - [17/May/2015:%02d:30:00 +0200] "GET %s HTTP/1.1" %d 10 "http://r.example/?utm_x=1&pw=s3cret" "a"\n'
)
ROWS = [(n % 3, n, b"/p/%d?utm_id=%d&pw=s3cret" % (n, n), 500 if n % 4 == 0 else 200) for n in range(24)]
LOG = b"".join(LINE % row for row in ROWS) + b"torn ?pw=s3cret\n"

# The options, and the hours (local, +02:00) of the rows that they take.
SELECTIONS: dict[str, tuple[list[str], list[int]]] = {
    "nothing": ([], [*range(24)]),
    "condition": (["--where", "status >= 500"], [*range(0, 24, 4)]),
    "target": (["--where", "target LIKE '/p/1?%'"], [1]),
    "comment": (["--where", "status >= 500 -- all", "--time-to", "2015-05-17T05:00Z"], [0, 4]),
    "from a day on": (["--time-from", "2015-05-17"], [*range(2, 24)]),
    "before a day": (["--time-to", "2015-05-17"], [0, 1]),
    "zone": (["--time-from", "2015-05-17T10:30+02:00", "--time-to", "2015-05-17T12:30:00+02:00"], [10, 11]),
    "all": (["--where", "client = 'h0' OR true", "--time-from", "2015-05-17T20:00"], [22, 23]),
    "time in a condition": (["--where", "(client = 'h0' OR true) AND time >= '2015-05-17T20:00'"], [22, 23]),
    "none": (["--time-from", "2016-01-01"], []),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SELECTIONS)
def test_each_command_takes_the_same_rows(fasturl: Run, log: Path, tmp_path: Path, name: str) -> None:
    options, hours = SELECTIONS[name]
    paths = [f"/p/{hour}" for hour in hours]
    assert [row["path"] for row in fasturl("parse", "-q", "-F", "path", *options, log).rows] == paths
    ran = fasturl("sql", "SELECT path FROM requests ORDER BY line", *options, log)
    assert [row["path"] for row in ran.rows] == paths, ran.err
    counted = json.loads(fasturl("stats", "--json", "-t", "path", "-t", "total", "--top", "99", *options, log).out)
    assert sorted(counted["path"]) == sorted(paths) and counted["urls"] == len(paths) and counted["lines"] == 25
    need_altair()
    pytest.importorskip("vl_convert", reason="reports need vl-convert")
    pytest.importorskip("publicsuffixlist", reason="reports need publicsuffixlist")
    page = fasturl("report", "-q", "--top", "99", *options, log).out.decode()
    assert sorted(set(re.findall(r">(/p/\d+)</t[dh]>", page))) == sorted(paths)


def test_each_command_drops_and_redacts(fasturl: Run, log: Path) -> None:
    options = ("--drop", "utm_*", "--redact", "pw")
    row = fasturl("parse", "-q", "-F", "query,referer", *options, log).rows[0]
    assert row == {"query": "pw=***", "referer": "http://r.example/?pw=***"}
    ran = fasturl(
        "sql", "SELECT target, referer_query, count(*) AS n FROM requests GROUP BY ALL ORDER BY 1", *options, log
    )
    assert ran.rows[0] == {"target": "/p/0?pw=***", "referer_query": "pw=***", "n": 1}
    assert fasturl("sql", "SELECT text FROM rejects", *options, log).rows == [{"text": "torn ?pw=***"}]
    counted = json.loads(fasturl("stats", "--json", "-t", "query_key", *options, log).out)
    assert counted["query_key"] == {"pw": 24}
    assert "utm_id" in json.loads(fasturl("stats", "--json", "-t", "query_key", log).out)["query_key"]


@pytest.mark.long
def test_the_report_and_stats_redact_further_names(fasturl: Run) -> None:
    line = LINE % (1, 1, b"/a?b%%23c=own&mine=hidden", 200)
    ran = fasturl("stats", "-t", "finding", "--json", "--redact", "mine", stdin=line)
    assert ran.status == 0, ran.err
    need_altair()
    pytest.importorskip("vl_convert", reason="reports need vl-convert")
    line = line.replace(b"/a?b", b"/a\\\\?b")
    assert b"hidden" in fasturl("report", "-q", stdin=line).out
    assert b"hidden" not in fasturl("report", "-q", "--redact", "mine", stdin=line).out


@pytest.mark.parametrize("command", ["parse", "stats", "report", "sql"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--time-from", "yesterday"], "--time-from: 'yesterday' is not a time such as"),
        (["--time-to", "2015-02-31"], "--time-to: '2015-02-31' is not a time such as"),
        (["--time-to", "0001-01-01T00:00+23:00"], "is not a time such as"),
        (["--where", "time >= 'yesterday'"], "expected format is (YYYY-MM-DD"),
        (["--where", "true), (true"], "--where: expected one expression"),
        (["--where", "(SELECT true)"], "--where cannot have a subquery"),
        (["--where", "nothing = 1"], "nothing"),
        (["--drop", ""], "the parameter has no name"),
    ],
)
def test_each_command_refuses_the_same(fasturl: Run, log: Path, command: str, options: list[str], message: str) -> None:
    if command == "report":
        need_altair()
    ran = fasturl(*([command, "SELECT * FROM requests"] if command == "sql" else [command]), *options, log)
    assert ran.status == 2 and message in ran.err and ran.out == b"" and "Traceback" not in ran.err


def test_a_condition_on_a_column_of_one_table(fasturl: Run, log: Path) -> None:
    where = ("--where", "referer_host = 'r.example'", log)
    assert fasturl("sql", "SELECT count(*) AS n FROM requests", *where).rows == [{"n": 24}]
    ran = fasturl("sql", "SELECT count(*) AS n FROM urls", *where)
    assert ran.status == 2 and "referer_host" in ran.err


def test_sql_has_the_functions(fasturl: Run, log: Path) -> None:
    query = "SELECT url_path_template(target) AS page, sum(size) AS bytes FROM requests GROUP BY 1"
    assert fasturl("sql", query, log).rows == [{"page": "/p/{n}", "bytes": 240}]
    query = "SELECT URL_PATH(target) AS p, url_host(referer) AS h FROM requests LIMIT 1"
    assert fasturl("sql", query, stdin=LINE % (1, 1, b"//a/b", 200)).rows == [{"p": "//a/b", "h": "r.example"}]


def test_wide_rows_are_lines(fasturl: Run, log: Path) -> None:
    lines = fasturl("sql", "SELECT path, NULL AS nothing, status FROM requests LIMIT 2", "--to", "vertical", log).lines
    assert lines == [b"-- row 1 --", b"path     /p/0", b"nothing", b"status   500", b"-- row 2 --", b"path     /p/1",
                     b"nothing", b"status   200"]  # fmt: skip
    ran = fasturl("sql", "SELECT 'a\x1b[31m' AS x", "--to", "vertical", log)
    assert b"\x1b" not in ran.out and b"\\x1b[31m" in ran.out
