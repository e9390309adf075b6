"""Are a format's own fields columns of `sql` and its `--where`, with their types?"""

import importlib.util
from pathlib import Path

import pytest
from clihelpers import Run

pytest.importorskip("duckdb", reason="queries need duckdb")

OBJECT = (
    b'{"remote_addr":"192.0.2.1","request":"GET /a HTTP/1.1","status":"200","tries":%b,"hit":%b,"Duration":1,"n":%b}\n'
)
ROWS = [(b"1", b"true", b"null"), (b"2", b"false", b"1.5"), (b"3", b"true", b"2")]

LOG = b"".join(OBJECT % row for row in ROWS)


def test_fields_of_json_have_their_types(fasturl: Run, log: Path) -> None:
    query = "SELECT typeof(tries) AS a, typeof(hit) AS b, typeof(n) AS c, typeof(remote_addr) AS d, sum(n) AS s"
    ran = fasturl("sql", "-q", f"{query} FROM requests GROUP BY ALL ORDER BY ALL LIMIT 1", log)
    assert ran.row == {"a": "BIGINT", "b": "BOOLEAN", "c": "DOUBLE", "d": "VARCHAR", "s": 3.5}, ran.err
    ran = fasturl("sql", "-q", "SELECT tries, path FROM requests ORDER BY 1", log, "--where", "hit AND tries > 1")
    assert ran.rows == [{"tries": 3, "path": "/a"}], ran.err
    # A name that a column has in another case.
    ran = fasturl("sql", "-q", 'SELECT duration, "input_Duration" AS own FROM requests LIMIT 1', log)
    assert ran.row == {"duration": 1e-9, "own": 1}, ran.err


def test_a_value_of_another_type_than_the_first_ones_is_null(fasturl: Run, log: Path) -> None:
    lines = b"".join(OBJECT % ROWS[0] for _ in range(4000))
    log.write_bytes(lines + OBJECT % (b'"x"', b"1", b"null") + OBJECT % (b"9", b"true", b"[]"))
    ran = fasturl("sql", "-q", "SELECT max(tries) AS a, count(tries) AS b, count(*) AS c FROM requests", log)
    assert ran.row == {"a": 9, "b": 4001, "c": 4002}, ran.err


def test_other_formats_and_inputs(fasturl: Run, log: Path, tmp_path: Path) -> None:
    w3c, nginx = tmp_path / "w3c.log", tmp_path / "nginx.log"
    w3c.write_bytes(b"#Fields: date time cs-uri-stem sc-status sc-substatus\n2024-02-29 10:00:00 /a 200 7\n")
    nginx.write_bytes(b'192.0.2.1 "GET /a HTTP/1.1" 200 10.0.0.1:80\n')
    assert fasturl("sql", "-q", 'SELECT "sc-substatus" AS s FROM requests', w3c).row == {"s": "7"}
    format_ = ("--log-format", '$remote_addr "$request" $status $upstream_addr')
    assert fasturl("sql", "-q", "SELECT upstream_addr AS u FROM requests", nginx, *format_).row == {"u": "10.0.0.1:80"}
    # In an input without the field, it is null.
    ran = fasturl("sql", "-q", "SELECT tries, path FROM requests ORDER BY 1 LIMIT 4", log, w3c)
    assert [row["tries"] for row in ran.rows] == [1, 2, 3, None], ran.err
    # A stream is read once.
    ran = fasturl("sql", "-q", "SELECT tries FROM requests", stdin=log.read_bytes())
    assert ran.status == 2 and "tries" in ran.err


def test_secrets_in_own_fields_are_hidden(fasturl: Run, log: Path) -> None:
    log.write_bytes(
        b'{"remote_addr":"::1","request":"GET /a HTTP/1.1","status":200,"up":"http://u:S3CR3T@h/?token=S3CR3T"}\n'
    )
    ran = fasturl("sql", "-q", "SELECT up FROM requests", log, "--redact", "token")
    assert ran.row == {"up": "http://u:***@h/?token=***"}


def test_where_of_parse_stats_and_report_reads_own_fields(fasturl: Run, log: Path, tmp_path: Path) -> None:
    where = ("--where", "hit AND tries > 1")
    assert fasturl("parse", "-q", log, *where, "-F", "line").rows == [{"line": 3}]
    # A field that the condition alone reads is not written.
    assert fasturl("parse", "-q", log, *where, "-F", "line", "--keep", "n").rows == [{"line": 3, "n": "2"}]
    assert fasturl("parse", "-q", log, *where, "--to", "log").out == OBJECT % ROWS[2]
    assert b"\n1\turls\n" in fasturl("stats", "-q", "-t", "total", log, *where).out
    if importlib.util.find_spec("altair"):
        page = tmp_path / "report.html"
        assert fasturl("report", "-q", log, *where, "--output", page).status == 0
        assert '<data value="1">1</data></b><span>requests' in page.read_text(encoding="utf-8")
    # Names that are columns without them are not own fields, and other names are refused.
    assert fasturl("parse", "-q", log, "--where", "tries = 2 AND line = 2", "-F", "path").rows == [{"path": "/a"}]
    ran = fasturl("parse", "-q", log, "--where", "attempts > 1")
    assert ran.status == 2 and "unknown column 'attempts'" in ran.err
    ran = fasturl("parse", "-q", *where, stdin=log.read_bytes())
    assert ran.status == 2 and "a log's own fields are columns only if you name a file" in ran.err


def test_where_reads_own_fields_of_w3c_and_of_own_formats(fasturl: Run, tmp_path: Path) -> None:
    w3c, nginx = tmp_path / "w3c.log", tmp_path / "nginx.log"
    w3c.write_bytes(b"#Fields: date time cs-uri-stem sc-status sc-substatus\n2024-02-29 10:00:00 /a 200 7\n")
    nginx.write_bytes(b'192.0.2.1 "GET /a HTTP/1.1" 200 10.0.0.1:80\n192.0.2.1 "GET /b HTTP/1.1" 200 10.0.0.2:80\n')
    assert fasturl("parse", "-q", w3c, "--where", "\"sc-substatus\" = '7'", "-F", "path").row == {"path": "/a"}
    format_ = ("--log-format", '$remote_addr "$request" $status $upstream_addr')
    ran = fasturl("parse", "-q", nginx, *format_, "--where", "upstream_addr LIKE '10.0.0.2:%'", "-F", "path")
    assert ran.row == {"path": "/b"}, ran.err
