"""`fasturl parse --rows`, `--where`, `--on-error null` and `--rejects FILE.jsonl`."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
from clihelpers import Run, rows_of_file

LINE = b'h - - [%02d/May/2015:%02d:00:00 +0200] "GET %s HTTP/1.1" 200 1 "%s" "agent"\n'

# One line per hour of two days, in local time two hours ahead. Every other line has a referer.
LOG = b"".join(LINE % (17 + n // 24, n % 24, b"/%d" % n, b"-" if n % 2 else b"http://r/%zz") for n in range(48))


@pytest.mark.parametrize(("field", "count"), [("target", 48), ("referer", 24)])
def test_where_writes_and_counts_one_field(fasturl: Run, log: Path, field: str, count: int) -> None:
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    whole = fasturl("parse", "--rows", "url", "-q", log).rows
    ran = fasturl("parse", "--rows", "url", "--where", f"field = '{field}'", log)
    assert ran.rows == [row for row in whole if row["field"] == field]
    invalid = count if field == "referer" else 0
    assert f"48 lines, {count} URLs: {count - invalid} valid, {invalid} invalid" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rows", "referer"], "unknown value 'referer'; there are: request, url"),
        (["--rows", "url", "-F", "referer_host"], "a referer has its own row"),
        (["--where", "time < '2015-02-29'", "--log-format", "URLS"], "2015-02-29"),
        (["--where", "time < 'yesterday'", "--log-format", "URLS"], "yesterday"),
        (["-o", "x.jsonl", "--rejects", "x.jsonl"], "name the same file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_option_is_one_line(fasturl: Run, arguments: list[str], said: str) -> None:
    if "--where" in arguments:
        pytest.importorskip("duckdb", reason="expressions need duckdb")
    ran = fasturl("parse", *arguments, stdin=b"http://h/\n")
    assert ran.status == 2 and said in ran.err and "Traceback" not in ran.err and ran.out == b""


@pytest.mark.parametrize(
    "expression", ["field = 'target'", "time >= '2015-05-17'", "time >= '2015-05-17' AND time < '2015-05-17T00:00:00Z'"]
)
def test_a_list_of_urls_has_no_target_and_no_time(fasturl: Run, expression: str) -> None:
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    urls = ("--rows", "url", "--log-format", "URLS")
    ran = fasturl("parse", *urls, "--where", expression, stdin=b"http://h/\n")
    assert ran.status == 0 and ran.out == b"" and "1 line, 0 URLs" in ran.err


@pytest.mark.parametrize(("start", "end", "numbers"), [
    ("2015-05-17T10:00:00+02:00", "2015-05-17T12:00:00+02:00", range(10, 12)),
    ("2015-05-17T08:00:00Z", "2015-05-17T10:00:00Z", range(10, 12)),
    ("2015-05-17T08:00:00.000001", None, range(11, 48)),
    (None, "2015-05-17", range(2)),  # midnight in UTC
    ("2015-05-18", None, range(26, 48)),
    ("2016-01-01", None, range(0)),
])  # fmt: skip
def test_where_compares_times_in_utc(
    fasturl: Run, log: Path, start: str | None, end: str | None, numbers: range
) -> None:
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    bounds = [f"time {sign} '{time}'" for sign, time in ((">=", start), ("<", end)) if time]
    ran = fasturl("parse", "--where", " AND ".join(bounds), "-F", "path", log)
    assert [row["path"] for row in ran.rows] == [f"/{n}" for n in numbers]
    assert f"48 lines, {len(numbers)} URLs" in ran.err


def test_where_drops_lines_without_a_time(fasturl: Run, log: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    bad = log.read_bytes().replace(b"17/May/2015:00", b"yesterday").replace(b"17/May/2015:01", b"17/May/2015:99")
    out = tmp_path / "out.parquet"
    ran = fasturl("parse", "--where", "time < '2015-05-17T01:00:00Z'", "-F", "path,time", "-o", out, stdin=bad)
    assert ran.status == 0, ran.err
    import pyarrow.parquet as pq

    assert pq.read_table(out)["path"].to_pylist() == ["/2"]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "arrow"])
def test_on_error_null_writes_rows_without_parts(fasturl: Run, tmp_path: Path, kind: str) -> None:
    urls = [b"http://long-enough-host%d.example:8080/long/enough/path?q=%s" % (n, b"%zz" * (n % 3 == 0))
            for n in range(9)]  # fmt: skip
    names = "url,host,port,path,query,valid_rfc1738,error_offset,findings"
    out = tmp_path / f"out.{kind}"
    ran = fasturl("parse", "--on-error", "null", "-F", names, "-o", out, stdin=b"\n".join(urls))
    assert "9 URLs: 6 valid, 3 invalid" in ran.err and ran.status == 0
    options = pa.csv.ConvertOptions(strings_can_be_null=True)
    rows = pa.csv.read_csv(out, convert_options=options).to_pylist() if kind == "csv" else rows_of_file(out)
    for n, row in enumerate(rows):
        assert row["url"] == urls[n].decode() and row["valid_rfc1738"] is (n % 3 != 0)
        parts = [row[name] for name in ("host", "port", "path")]
        assert parts == ([None] * 3 if n % 3 == 0 else [f"long-enough-host{n}.example", 8080, "/long/enough/path"])
        assert (row["error_offset"] is None) == row["valid_rfc1738"]


def test_on_error_null_treats_target_and_referer_separately(fasturl: Run, log: Path) -> None:
    rows = fasturl("parse", "-q", "--on-error", "null", "-F", "path,referer,referer_host,referer_port", log).rows
    assert {row["path"] for row in rows} == {f"/{n}" for n in range(48)}
    assert rows[0] == {"path": "/0", "referer": "http://r/%zz", "referer_host": None, "referer_port": None}
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    # An expression sees the values that would be written, also of columns that are not written.
    where = ("--where", "referer_host IS NOT NULL", "-F", "path")
    assert fasturl("parse", "-q", "--on-error", "null", *where, log).rows == []
    assert len(fasturl("parse", "-q", *where, log).rows) == 24


def test_rejects_as_json_lines_hold_place_and_reason(fasturl: Run, log: Path, tmp_path: Path) -> None:
    long_line = b"x" * 70000 + b"\xc3\xa9" * 30000 + b"\xff"
    bad = [b'torn "\xe9\x00', long_line, b"\xf0\x9f"]
    text = log.read_bytes() + b"\n".join(bad) + b"\n"
    for data, stray in (("escape", "%{:02X}"), ("surrogate", "{}")):
        rejects = tmp_path / "rejects.jsonl"
        kept = ("--rejects", rejects, "--invalid-bytes", data, "--max-line", "64K")
        ran = fasturl("parse", *kept, "-F", "line", stdin=text)
        assert len(ran.rows) == 48 and "3 lines rejected" in ran.err
        found = [json.loads(line) for line in rejects.read_bytes().splitlines()]
        assert [(each["file"], each["line"]) for each in found] == [("-", 49), ("-", 50), ("-", 51)]
        reasons = [f"not in the format COMBINED: {stop}" for stop in ("word, column 6", "", "word, column 3")]
        reasons[1] = "the line is longer than --max-line allows"
        assert [each["reason"] for each in found] == reasons
        shown = [
            "".join(
                stray.format(ord(c) - 0xDC00) if data == "escape" and "\udc80" <= c <= "\udcff" else c for c in line
            )
            for line in (each.decode("utf-8", "surrogateescape") for each in bad)
        ]
        assert [each["bytes"] for each in found] == shown
    assert b"".join(json.loads(line)["bytes"].encode("utf-8", "surrogateescape") for line in
                    rejects.read_bytes().splitlines()) == b"".join(bad)  # fmt: skip


LONG = b'192.0.2.%d - - [17/May/2015:10:05:03 +0200] "GET /%s/a-long-enough-path?q=%%zz HTTP/1.1" %d %d "%s" "agent"'
LINES = [LONG % (n % 3, b"abc\xe9"[n % 4 : n % 4 + 1], 500 if n % 2 else 200, n, b"http://r/") for n in range(6000)]


@pytest.fixture
def long_log(tmp_path: Path) -> Path:
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    path = tmp_path / "long.log"
    path.write_bytes(b"".join(line + b"\n" for line in LINES))
    return path


def test_where_selects_rows_of_the_whole_table(fasturl: Run, long_log: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = "line,path,size,valid_rfc1738,findings,referer_host"
    whole = [json.loads(line) for line in fasturl("parse", "-q", "-F", names, long_log).out.splitlines()]
    want = [row for row, n in zip(whole, range(6000), strict=True) if n % 2 and n > 10]
    where = ("--where", "status >= 500 AND size > 10 -- not all", "-F", names)
    ran = fasturl("parse", *where, long_log)
    assert ran.status == 0, ran.err
    assert [json.loads(line) for line in ran.out.splitlines()] == want
    assert f"6,000 lines, {len(want):,} URLs: 0 valid, {len(want):,} invalid" in ran.err
    assert f"BAD_ESCAPE  {len(want):,}" in ran.err.replace("  BAD_ESCAPE ", "BAD_ESCAPE ")
    for name in ("o.parquet", "o.arrow", "o.csv"):
        assert fasturl("parse", "-q", *where, long_log, "-o", tmp_path / name).status == 0
    assert pq.read_table(tmp_path / "o.parquet")["size"].to_pylist() == [row["size"] for row in want]
    with pa.OSFile(str(tmp_path / "o.arrow")) as file:
        assert pa.ipc.open_file(file).read_all()["line"].to_pylist() == [row["line"] for row in want]
    assert len((tmp_path / "o.csv").read_bytes().splitlines()) == 1 + len(want)


def test_where_selects_no_row_or_all_rows(fasturl: Run, long_log: Path) -> None:
    ran = fasturl("parse", "--where", "false", long_log)
    assert ran.status == 0 and ran.out == b"" and "6,000 lines, 0 URLs" in ran.err
    assert len(fasturl("parse", "-q", "--where", "host IS NULL", "-F", "line", long_log).out.splitlines()) == 6000


@pytest.mark.parametrize(
    ("expression", "lines"),
    [("status > 300 AND status < 200", []), ("(status > 300 AND status < 200) OR line = 3", [3])],
)
def test_a_condition_that_duckdb_folds_to_false_is_no_error(
    fasturl: Run, long_log: Path, expression: str, lines: list[int]
) -> None:
    ran = fasturl("parse", "-q", "--where", expression, "-F", "line", long_log)
    assert ran.status == 0 and [row["line"] for row in ran.rows] == lines, ran.err


def test_where_applies_to_rows_by_url_and_templates(fasturl: Run, long_log: Path) -> None:
    where = ("--rows", "url", "--where", "field = 'referer' AND line = 3")
    ran = fasturl("parse", "-q", *where, "-F", "line,url", long_log)
    assert ran.out == b'{"line":3,"url":"http://r/"}\n'
    assert fasturl("parse", "-q", "--where", "line < 3", "-g", "{status}", long_log).out == b"200\n500\n"


@pytest.mark.parametrize("expression", ["nothing = 1", "status >", "(", "path::int > 0"])
def test_a_failed_expression_is_one_line(fasturl: Run, long_log: Path, expression: str) -> None:
    ran = fasturl("parse", "-q", "--where", expression, long_log)
    assert ran.status == 2 and ran.out == b"" and ran.err.startswith("fasturl: ") and ran.err.count("\n") == 1
