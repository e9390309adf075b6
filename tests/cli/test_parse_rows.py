"""Which rows `fasturl parse` writes: of one field, of a span of time, and of invalid URLs without their parts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="parse needs pyarrow")

LINE = b'h - - [%02d/May/2015:%02d:00:00 +0200] "GET %s HTTP/1.1" 200 1 "%s" "agent"\n'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A line for each hour of two days, in local time two hours ahead; every other one has a referer."""
    path = tmp_path / "access.log"
    lines = [LINE % (17 + n // 24, n % 24, b"/%d" % n, b"-" if n % 2 else b"http://r/%zz") for n in range(48)]
    path.write_bytes(b"".join(lines))
    return path


@pytest.mark.parametrize(("field", "count"), [("target", 48), ("referer", 24)])
def test_only_one_field_is_written_and_counted(fasturl: Callable[..., Any], log: Path, field: str, count: int) -> None:
    whole = fasturl("parse", "--rows", "url", "-q", log).rows
    ran = fasturl("parse", "--only", field, log)
    assert ran.rows == [row for row in whole if row["field"] == field]
    invalid = count if field == "referer" else 0
    assert f"48 lines, {count} URLs: {count - invalid} valid, {invalid} invalid" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "referer", "--rows", "request"], "--only is of rows by URL"),
        (["--only", "referer", "-F", "referer_host"], "a referer has a row of its own"),
        (["--only", "target", "--log-format", "URLS"], "--only: - is read as URLs"),
        (["--time-from", "2015-05-17", "--log-format", "URLS"], "is read as URLs"),
        (["--time-from", "2015-05-17", "--time-to", "2015-05-17T00:00Z"], "no time is between them"),
        (["--time-to", "2015-02-29"], "is no time as"),
        (["--time-to", "yesterday"], "is no time as"),
        (["--rejects-format", "jsonl"], "name the file with --rejects"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_make_no_sense_are_one_line(fasturl: Callable[..., Any], arguments: list[str], said: str) -> None:
    ran = fasturl("parse", *arguments, stdin=b"http://h/\n")
    assert ran.status == 2 and said in ran.err and "Traceback" not in ran.err and ran.out == b""


@pytest.mark.parametrize(
    ("start", "end", "numbers"),
    [
        ("2015-05-17T10:00:00+02:00", "2015-05-17T12:00:00+02:00", range(10, 12)),
        ("2015-05-17T08:00:00Z", "2015-05-17T10:00Z", range(10, 12)),
        ("2015-05-17T08:00:00.000001", None, range(11, 48)),
        (None, "2015-05-17", range(2)),  # midnight in UTC
        ("2015-05-18", None, range(26, 48)),
        ("2016-01-01", None, range(0)),
    ],
)
def test_a_span_holds_its_start_and_not_its_end(
    fasturl: Callable[..., Any], log: Path, start: str | None, end: str | None, numbers: range
) -> None:
    options = [word for name, time in (("--time-from", start), ("--time-to", end)) if time for word in (name, time)]
    ran = fasturl("parse", *options, "-F", "path", log)
    assert [row["path"] for row in ran.rows] == [f"/{n}" for n in numbers]
    assert f"48 lines, {len(numbers)} URLs" in ran.err


def test_a_line_without_a_time_is_in_no_span(fasturl: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    bad = log.read_bytes().replace(b"17/May/2015:00", b"yesterday").replace(b"17/May/2015:01", b"17/May/2015:99")
    out = tmp_path / "out.parquet"
    ran = fasturl("parse", "--time-to", "2015-05-17T01:00Z", "-F", "path,time", "-o", out, stdin=bad)
    assert ran.status == 0, ran.err
    import pyarrow.parquet as pq

    assert pq.read_table(out)["path"].to_pylist() == ["/2"]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "arrow"])
def test_an_invalid_url_is_a_row_without_parts(fasturl: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    import pyarrow.csv  # noqa: F401 - makes pa.csv
    import pyarrow.parquet as pq

    urls = [
        b"http://long-enough-host%d.example:8080/long/enough/path?q=%s" % (n, b"%zz" * (n % 3 == 0)) for n in range(9)
    ]
    names = "url,host,port,path,query,valid,error_offset,findings"
    out = tmp_path / f"out.{kind}"
    ran = fasturl("parse", "--on-error", "null", "-F", names, "-o", out, stdin=b"\n".join(urls))
    assert "9 URLs: 6 valid, 3 invalid" in ran.err and ran.status == 0
    read: dict[str, Callable[[], Any]] = {
        "jsonl": lambda: pa.Table.from_pylist([json.loads(line) for line in out.read_bytes().splitlines()]),
        "csv": lambda: pa.csv.read_csv(out, convert_options=pa.csv.ConvertOptions(strings_can_be_null=True)),
        "parquet": lambda: pq.read_table(out),
        "arrow": lambda: pa.ipc.open_file(out).read_all(),
    }
    for n, row in enumerate(read[kind]().to_pylist()):
        assert row["url"] == urls[n].decode() and row["valid"] is (n % 3 != 0)
        parts = [row[name] for name in ("host", "port", "path")]
        assert parts == ([None] * 3 if n % 3 == 0 else [f"long-enough-host{n}.example", 8080, "/long/enough/path"])
        assert (row["error_offset"] is None) == row["valid"]


def test_each_url_of_a_request_has_its_own_parts(fasturl: Callable[..., Any], log: Path) -> None:
    rows = fasturl("parse", "-q", "--on-error", "null", "-F", "path,referer,referer_host,referer_port", log).rows
    assert {row["path"] for row in rows} == {f"/{n}" for n in range(48)}
    assert rows[0] == {"path": "/0", "referer": "http://r/%zz", "referer_host": None, "referer_port": None}
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    # An expression sees what would be written, also of columns that are not.
    where = ("--where", "referer_host IS NOT NULL", "-F", "path")
    assert fasturl("parse", "-q", "--on-error", "null", *where, log).rows == []
    assert len(fasturl("parse", "-q", *where, log).rows) == 24


def test_rejects_as_json_lines_say_where_and_why(fasturl: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    long_line = b"x" * 70000 + b"\xc3\xa9" * 30000 + b"\xff"
    bad = [b'torn "\xe9\x00', long_line, b"\xf0\x9f"]
    text = log.read_bytes() + b"\n".join(bad) + b"\n"
    for octets, stray in (("escape", "%{:02X}"), ("surrogate", "{}")):
        rejects = tmp_path / "rejects.jsonl"
        kept = ("--rejects", rejects, "--rejects-format", "jsonl", "--octets", octets, "--max-line", "64K")
        ran = fasturl("parse", *kept, "-F", "line", stdin=text)
        assert len(ran.rows) == 48 and "3 lines rejected" in ran.err
        found = [json.loads(line) for line in rejects.read_bytes().splitlines()]
        assert [(each["file"], each["line"]) for each in found] == [("-", 49), ("-", 50), ("-", 51)]
        reasons = ["not in the format COMBINED"] * 3
        reasons[1] = "the line is longer than --max-line allows"
        assert [each["reason"] for each in found] == reasons
        shown = [
            "".join(
                stray.format(ord(c) - 0xDC00) if octets == "escape" and "\udc80" <= c <= "\udcff" else c for c in line
            )
            for line in (each.decode("utf-8", "surrogateescape") for each in bad)
        ]
        assert [each["octets"] for each in found] == shown
    assert b"".join(json.loads(line)["octets"].encode("utf-8", "surrogateescape") for line in
                    rejects.read_bytes().splitlines()) == b"".join(bad)  # fmt: skip
