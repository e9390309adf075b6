"""Is a log as a table, which Polars and DuckDB read, the same as `read` gives, with its rejects where they are?"""

import gzip
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from fasturl import logs
from fasturl.logs.errors import LogError, TruncatedInput
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.logtable import LogTable, log_table
from fasturl.logs.reader import log_format_of

COMBINED = b'h - - [17/May/2015:10:05:03 +0200] "GET /%d?q HTTP/1.1" 200 12 "http://r/" "x"'
NGINX = '$remote_addr [$time_iso8601] "$request" $status'
LINES = [COMBINED % n for n in range(4)]
IIS = (
    b"#Software: x\r\n#Fields: cs-uri-stem sc-status\r\n/a 200\r\n/b 404\r\ntorn\r\n#Date: 1\r\n"
    b"# fields : sc-status cs-uri-stem\n301 /c\r\n/d 302\r500 /e\n"
    b"#Fields: cs-uri-stem sc-status\r/f 1\n/g 2\r\r\n\r\n/h 3"
)
# By a name: a file, and the format that it has.
FILES: dict[str, tuple[bytes, Any]] = {
    "combined": (b"\n".join([*LINES[:2], b"torn", b"", *LINES[2:]]) + b"\n", "COMBINED"),
    "ends of all kinds": (b"\r\n".join(LINES[:2]) + b"\r" + LINES[2] + b"\r\r\n\n" + LINES[3], "COMBINED"),
    "marked": (b"\xef\xbb\xbf" + LINES[0] + b"\n\xef\xbb\xbf" + LINES[1] + b"\n" + b"PK\x03\x04\n", "COMBINED"),
    "W3C": (b"\xef\xbb\xbf" + IIS, "W3C"),
    "CLOUDFRONT": (b"#Version: 1.0\n#Fields: c-ip\tcs-uri-stem\n::1\t/a\n::2\t/b", "CLOUDFRONT"),
    "inferred": (b"2015-05-17 10:05:03 GET /a 200\n2015-05-17 10:05:04 GET /b 404\n\nstarted\n", "auto"),
    "URLS": (b"http://h/a\r\n/b\r/c\n\n\r\n//d", "URLS"),
    "SQUID": (b"1.5 7 ::1 T/200 9 GET http://h/ - D/- -\n" * 3 + b"x\n", "SQUID"),
    "CADDY": (b'{"request":{"uri":"/a"}}\n{"request":{}}\n{"request":{"uri":"/b"}}', "CADDY"),
    "mapped": (b'{"u":"/a"}\r\n{"u":1}\n{"u":"/b"}\n', {"target": "u"}),
    "wrapped": (b'{"m":"::1 /a 200\\n"}\n{}\n{"m":"no"}\n', logs.json_format({"line": "m"}, line="%h %U %>s")),
    "custom": (b'h [2015-05-17T10:05:03Z] "GET /a HTTP/1.1" 200\nx\n', NGINX),
}
FIELDS = ["client", "url", "path", "status", "time"]


def rows_of(path: Path, *arguments: Any, **options: Any) -> list[dict[str, Any]]:
    table, sources = log_table(path, *arguments, **options)
    return read(table, sources)


def read(table: LogTable, sources: list[Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.Table.from_batches(table.read_files(sources, 2), schema=table.schema).to_pylist()
    return found


@pytest.mark.parametrize("name", FILES)
def test_the_rows_are_those_of_read(tmp_path: Path, name: str) -> None:
    data, format = FILES[name]
    path = tmp_path / "log"
    path.write_bytes(data)
    found = rows_of(path, format, FIELDS, rejects="keep")
    wanted = logs.read(path, format, FIELDS, threads=1, allow_rejects=True).read_all().to_pylist()
    assert [row for row in found if not row["rejected"]] == [{**row, "rejected": False, "text": None} for row in wanted]
    assert rows_of(path, format, FIELDS, rejects="skip") == wanted != []


@pytest.mark.parametrize("name", FILES)
def test_a_format_can_be_sent_to_another_process(tmp_path: Path, name: str) -> None:
    data, format = FILES[name]
    (tmp_path / "log").write_bytes(data)
    sent = pickle.loads(pickle.dumps(log_format_of(format) or format))
    one, other = (rows_of(tmp_path / "log", each, FIELDS, rejects="skip") for each in (sent, format))
    assert one == other


def test_a_line_that_is_too_long_is_one_reject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fasturl.logs.logtable.InputOptions", partial(InputOptions, max_line=200))
    path = tmp_path / "log"
    path.write_bytes(LINES[0] + b"\n" + b"y" * 3000 + b"\n" + LINES[1] + b"\n")
    assert rows_of(path, "COMBINED", ["path"], rejects="keep") == [
        {"path": "/0", "rejected": False, "text": None},
        {"path": None, "rejected": True, "text": None},
        {"path": "/1", "rejected": False, "text": None},
    ]


def test_rejects_stand_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"torn \xe9\r\n" + LINES[0] + b"\n\n" + b"torn\n")
    table, sources = log_table(path, "COMBINED", ["file", "line", "path", "findings"], rejects="keep")
    null, file = {"path": None, "findings": None}, str(path)
    rows = read(table, sources)
    assert rows == [
        {"file": file, "line": 1, **null, "rejected": True, "text": "torn %E9\r"},
        {"file": file, "line": 2, "path": "/0", "findings": [], "rejected": False, "text": None},
        {"file": file, "line": 4, **null, "rejected": True, "text": "torn"},
    ]
    assert read(table.only(["text"]), sources) == [{"text": row["text"]} for row in rows]


def test_a_wrong_format_and_junk_in_the_middle(tmp_path: Path) -> None:
    """The first thousand lines of a file tell, unless `rejects` is given."""
    path, junk = tmp_path / "log", b"torn\n" * 1500
    path.write_bytes(LINES[0] + b"\n" + junk)
    with pytest.raises(LogError, match="999 of the first 1,000 lines are rejected"):
        rows_of(path, "COMBINED", ["path"])
    path.write_bytes(junk + LINES[0] + b"\n")
    with pytest.raises(LogError, match=r"none of the first 1,[05]\d\d lines"):
        rows_of(path, "COMBINED", ["path"])
    assert rows_of(path, "COMBINED", ["path"], rejects="skip") == [{"path": "/0"}]
    assert len(rows_of(path, "COMBINED", ["path"], rejects="keep")) == 1501


def test_an_empty_log_has_the_columns_of_its_named_format(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"")
    for format, last in (("COMBINED", "referer"), ("URLS", "error_offset"), ("auto", "error_offset")):
        schema = logs.read(tmp_path / "log", format).schema
        assert schema.names[-1] == last
        table, sources = log_table(tmp_path / "log", format)
        assert table.schema == schema and read(table, sources) == []


def test_a_torn_file_fails_after_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b"\n".join(LINES) + b"\n" + bytes(range(256)) * 99)[:-40])
    table, sources = log_table(path, fields=["path"], rejects="skip")
    batches = []
    with pytest.raises(TruncatedInput):
        for batch in table.read_files(sources, 1):
            batches += batch.to_pylist()
    assert {"path": "/3"} in batches


def test_wrong_arguments(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "log").write_bytes(LINES[0])
    for arguments, error, words in (
        (([b"bytes"],), TypeError, "paths must be"),
        ((tmp_path / "none",), FileNotFoundError, "none"),
        ((tmp_path / "empty",), FileNotFoundError, "no file matches"),
        ((tmp_path / "log", "auto", ["hots"]), ValueError, "unknown field 'hots'"),
        ((tmp_path / "log", "NONE"), ValueError, "unknown format"),
        ((tmp_path / "log", "auto", None, "line"), ValueError, "rows must be"),
        ((tmp_path / "log", "auto", None, "url", "drop"), ValueError, "rejects must be"),
    ):
        with pytest.raises(error, match=words):
            log_table(*arguments)  # type: ignore[arg-type]
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    pa.parquet.write_table(pa.table({"url": ["http://h/"]}), tmp_path / "p")
    with pytest.raises(LogError, match="is a table, not a log"):
        log_table(tmp_path / "p")
