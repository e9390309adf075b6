"""No query has network access, and `--where` takes one expression over a row, whatever the text."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clihelpers import Run, Start, wait_for

duckdb = pytest.importorskip("duckdb", reason="queries need duckdb")

from fasturl.cli.database import open_database  # noqa: E402
from fasturl.engines.duckdb import create_function, parse, register  # noqa: E402

LINE = b'192.0.2.1 - - [17/May/2015:10:05:03 +0200] "GET /%d HTTP/1.1" 200 %d "-" "agent"\n'
LOG = b"".join(LINE % (n, n) for n in range(60))
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


class Listener:
    """A server that counts connections and never answers."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                self.connections += 1
                connection.close()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def listener() -> Iterator[Listener]:
    server = Listener()
    yield server
    server.close()


# {at} is an address to which no query may connect. {folder} contains SQL with an INSTALL.
REFUSED = [
    "INSTALL httpfs", "install httpfs", "/* a */ INSTALL -- b\n httpfs", "INSTALL httpfs FROM core_nightly",
    "INSTALL httpfs FROM community", "FORCE INSTALL httpfs FROM '{at}'", "LOAD httpfs",
    "LOAD '{folder}/none.duckdb_extension'", "UPDATE EXTENSIONS", "UPDATE EXTENSIONS (httpfs)",
    "SELECT 1; INSTALL httpfs FROM '{at}'", "INSTALL httpfs FROM '{at}'; SELECT 1",
    "PREPARE p AS INSTALL httpfs FROM '{at}'", "EXPLAIN ANALYZE INSTALL httpfs FROM '{at}'",
    "IMPORT DATABASE '{folder}'", "PRAGMA import_database('{folder}')",
]  # fmt: skip
NO_NETWORK = [
    "SET autoinstall_known_extensions = true", "RESET autoinstall_known_extensions",
    "SET GLOBAL autoload_known_extensions = true", "SET custom_extension_repository = '{at}'",
    "SET autoinstall_extension_repository = '{at}'", "SET extension_directory = '{folder}'",
    "SET enable_external_access = true", "SET lock_configuration = false", "SET allowed_directories = ['http://']",
    "SET http_proxy = '{at}'", "SET memory_limit = '1TB'", "SET temp_directory = '{folder}'",
    "SET max_expression_depth = 1000000", "PRAGMA memory_limit = '1TB'", "FROM '{at}/x.csv'",
    "FROM read_csv('{at}/x.csv')", "FROM read_parquet('{at}/x.parquet')", "FROM read_json('{at}/x.json')",
    "FROM read_text('hf://datasets/a/b')", "FROM read_blob(['{at}/x'])", "FROM 's3://bucket/x.parquet'",
    "FROM 'gcs://bucket/x.csv'", "FROM 'azure://bucket/x.csv'", "FROM glob('s3://bucket/*')", "ATTACH '{at}/x.db'",
    "ATTACH 'x' AS y (TYPE httpfs)", "ATTACH 'host=127.0.0.1' AS y (TYPE postgres)",
    "ATTACH 'host=127.0.0.1' AS y (TYPE mysql)", "ATTACH 'md:x'", "ATTACH 'quack:127.0.0.1:9' AS y",
    "ATTACH 'ducklake:x' AS y", "COPY (SELECT 1) TO 's3://bucket/x'", "COPY (SELECT 1) TO '{at}/x.csv'",
    "COPY requests FROM '{at}/x.csv'", "EXPORT DATABASE 's3://bucket/x'", "CREATE SECRET s (TYPE s3)",
    "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')", "CALL start_ui()", "SELECT '192.0.2.1'::INET",
    "SELECT ST_Point(1, 2)", "FROM read_xlsx('{folder}/x.xlsx')", "FROM sqlite_scan('{folder}/x.db', 't')",
    "FROM postgres_scan('host=127.0.0.1', 'a', 'b')", "FROM iceberg_scan('{at}/x')", "FROM delta_scan('{at}/x')",
    "FROM load_aws_credentials()", "SELECT 1 -- \nFROM '{at}/x.csv'",
]  # fmt: skip


def hostile(query: str, listener: Listener, folder: Path) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "schema.sql").write_text(f"INSTALL httpfs FROM '{listener.address}';")
    (folder / "load.sql").write_text("")
    return query.replace("{at}", listener.address).replace("{folder}", str(folder))


@pytest.mark.long
def test_a_connection_has_no_network_access(tmp_path: Path, listener: Listener, monkeypatch: Any) -> None:
    """The settings alone prevent it, for any statement."""
    monkeypatch.setenv("HTTP_PROXY", listener.address)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for query in REFUSED + NO_NETWORK:
        asked = hostile(query, listener, tmp_path / "sql")
        with open_database(duckdb, 1) as connection:
            connection.execute("CREATE TABLE requests (path VARCHAR)")
            try:
                rows = connection.execute(asked).fetchall()
            except duckdb.Error:
                pass
            else:  # no extension is installed that it could update
                assert query == "UPDATE EXTENSIONS" and rows == []
        assert listener.connections == 0, query
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("query", [*REFUSED, *NO_NETWORK[::5]])
def test_a_refused_query_is_one_line(fasturl: Run, log: Path, tmp_path: Path, listener: Listener, query: str) -> None:
    ran = fasturl("sql", hostile(query, listener, tmp_path / "sql"), log, cwd=tmp_path)
    assert listener.connections == 0
    assert ran.status == 2 and ran.out == b"", ran
    assert ran.err.startswith("fasturl: ") and ran.err.count("\n") == 1, ran.err
    assert "try installing" not in ran.err


def test_no_statement_of_a_refused_query_runs(fasturl: Run, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    ran = fasturl("sql", f"COPY (SELECT 1) TO '{out}'; LOAD httpfs", log)
    assert ran.status == 2 and not out.exists() and "never loads or fetches an extension" in ran.err


@pytest.mark.long
def test_a_query_has_the_rights_of_its_user(fasturl: Run, log: Path, tmp_path: Path) -> None:
    """It opens files by absolute and relative paths and databases, and changes settings of the session."""
    (tmp_path / "names.csv").write_text("path,name\n/7,seven\n")
    joined = "SELECT name FROM requests JOIN {} USING (path)"
    for name in ("'names.csv'", "'./names.csv'", "'nam*.csv'", f"'{tmp_path}/names.csv'", "read_csv('names.csv')"):
        assert fasturl("sql", joined.format(name), log, cwd=tmp_path).rows == [{"name": "seven"}]
    for query in (
        "COPY (SELECT path FROM requests LIMIT 2) TO 'copied.csv'",
        "COPY (SELECT path FROM requests LIMIT 2) TO 'copied.parquet'",
        "ATTACH 'own.db' AS own; CREATE TABLE own.paths AS SELECT path FROM requests",
        "EXPORT DATABASE 'exported'",
    ):
        ran = fasturl("sql", query, log, cwd=tmp_path)
        assert ran.status == 0, ran.err
    assert (tmp_path / "copied.csv").read_text() == "path\n/0\n/1\n"
    ran = fasturl("sql", "ATTACH 'own.db' AS own; SELECT count(*) AS n FROM own.paths", log, cwd=tmp_path)
    assert ran.rows == [{"n": 60}]
    ran = fasturl("sql", "SET TimeZone = 'Asia/Tokyo'; SELECT hour(min(time)) AS h FROM requests", log)
    if duckdb.__version__ < "2":  # all settings are locked
        assert ran.status == 2 and "locked" in ran.err
    else:
        assert ran.rows == [{"h": 17}], ran.err
    ran = fasturl("sql", "PREPARE p AS SELECT count(*) AS n FROM requests; EXECUTE p", log)
    assert ran.rows == [{"n": 60}], ran.err


def test_register_keeps_the_configuration_of_a_connection() -> None:
    settings = "SELECT name, value FROM duckdb_settings() ORDER BY name"
    with duckdb.connect() as connection:
        before = connection.execute(settings).fetchall()
        register(connection)
        create_function(connection, "place", "parse", ["host"])
        parse(connection.sql("SELECT 'http://h/' AS u"), "u", ["host"], connection=connection).fetchall()
        assert connection.execute(settings).fetchall() == before
        assert connection.execute("SELECT current_setting('lock_configuration')").fetchall() == [(False,)]


@pytest.mark.long
@pytest.mark.parametrize("expression", [
    "true); COPY (SELECT 42) TO '{out}'; SELECT (true", "true; COPY (SELECT 42) TO '{out}'",
    "true); COPY (SELECT 42) TO '{out}'; --", "true); INSTALL httpfs; SELECT (true", "true) FROM (SELECT 1",
    "true) FROM requests WHERE (true", "true) UNION ALL SELECT (true", "true) UNION ALL (SELECT true",
    "true) WHERE (true", "true) GROUP BY (1", "true) ORDER BY (1", "true) LIMIT (1", "true) QUALIFY (true",
    "true) HAVING (true", "true) AS x, (false", "true), (false", "true) EXCEPT (SELECT true", "true) USING SAMPLE (10",
    "true --\n) UNION (SELECT true", "/* true", "true */", "'true", "$$true", "(true", "true)", "", " ", "-- true", ";",
    "(SELECT true)", "EXISTS (FROM requests)", "status IN (SELECT status FROM requests)", "status IN (VALUES (200))",
    "status = ANY (SELECT 200)", "(SELECT count(*) FROM read_text('{log}')) > 0",
    "(FROM read_text('{log}') SELECT true LIMIT 1)", "len(ARRAY(SELECT content FROM read_text('{log}'))) > 0",
    "[x FOR x IN ARRAY(FROM read_text('{log}'))] IS NULL", "list_filter([1], lambda x: (SELECT true)) IS NOT NULL",
    "CASE WHEN (WITH a AS (SELECT true AS b) SELECT b FROM a) THEN true END", "(TABLE requests) IS NULL",
    "(DESCRIBE requests) IS NULL", "(PIVOT requests ON status) IS NULL", "COLUMNS(lambda x: (SELECT true))", "$1", "?",
    "true AND $a", "count(*) > 0", "row_number() OVER () > 1", "unnest([true])", "requests", "*", "1, 2", "DEFAULT",
    "INSTALL httpfs", "(" * 100_000 + "true" + ")" * 100_000, "NOT " * 100_000 + "true", "true" + " AND true" * 100_000,
    "\udcff", "path = '\udcff'",
], ids=lambda text: text[:40].encode("ascii", "replace").decode())  # fmt: skip
def test_where_refuses_all_but_one_expression_over_a_row(fasturl: Run, log: Path, tmp_path: Path, expression: str):
    out = tmp_path / "out.csv"
    asked = expression.replace("{out}", str(out)).replace("{log}", str(log))
    if sys.platform != "win32" and len(asked) > 100_000:
        asked = asked[:50_000] + asked[-50_000:]  # the maximum length of an argument is 128 KiB
    ran = fasturl("parse", "-q", "--where", asked, log, cwd=tmp_path)
    assert not out.exists()
    assert ran.status == 2 and ran.out == b"", ran
    assert ran.err.startswith("fasturl: ") and ran.err.count("\n") == 1, ran.err


@pytest.mark.parametrize(("expression", "rows"), [
    ("status = 200 -- all of them", 60),                      ("status /* of the answer */ = 200", 60),
    ("size < 3) OR (size > 57", 5),                           ("path = ')' OR path = '/7;' OR path = '/7'", 1),
    ("""path <> '"class":"SUBQUERY"'""", 60),                 ("list_contains(['/1', '/2'], path)", 2),
    ("path IN ('/1', '/2', '(SELECT 1)')", 2),                ("size BETWEEN 2 AND 4", 3),
    ("len([x FOR x IN [1, 2] IF x > 1]) = 1", 60),            ("list_filter([size], lambda x: x > 58) <> []", 1),
    ("CASE WHEN size > 58 THEN true ELSE NULL END", 1),       ("regexp_matches(path, '^/5[0-9]$')", 10),
    ("time >= TIMESTAMPTZ '2015-05-17 00:00:00Z'", 60),       ("size::VARCHAR SIMILAR TO '5.*'", 11),
    ('"path" = $$/7$$', 1),                                   ("NULL", 0),
])  # fmt: skip
def test_where_accepts_any_expression_over_a_row(fasturl: Run, log: Path, expression: str, rows: int) -> None:
    ran = fasturl("parse", "-q", "--where", expression, "-F", "line", log)
    assert ran.status == 0, ran.err
    assert len(ran.lines) == rows


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process")
@pytest.mark.parametrize("query", [
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    "SELECT list(i) FROM range(100000000000) t(i)",
    "SELECT string_agg(repeat('a', 1000) || i) FROM range(10000000) t(i)",
    "SELECT count(DISTINCT repeat('a', 100000) || i) FROM range(1000000) t(i)",
])  # fmt: skip
def test_a_query_stays_within_its_memory(log: Path, tmp_path: Path, start: Start, query: str) -> None:
    """It ends with a message, or is still within its memory when it is interrupted."""
    limits = ("--memory", "64M", "--threads", "1")
    process = start("sql", query, log, *limits, env={"TMPDIR": str(tmp_path)}, **PIPES)
    try:
        out, err = process.communicate(timeout=4)
        assert process.returncode == 2 and err.count(b"\n") == 1 and err.startswith(b"fasturl: "), err
    except subprocess.TimeoutExpired:
        status = Path(f"/proc/{process.pid}/status")
        if status.exists():
            (peak,) = (line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))
            assert int(peak) < 600 << 10
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130 and b"Traceback" not in err, (process.returncode, err)
    assert out == b""
    assert not [name for name in os.listdir(tmp_path) if name.startswith("fasturl-")]


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "arrow"])
def test_queries_handle_a_full_disk_and_a_closed_pipe(fasturl: Run, start: Start, log: Path, kind: str) -> None:
    ran = fasturl("sql", "SELECT path FROM requests", log, "-o", "/dev/full", "--to", kind)
    assert ran.status == 2 and ran.err == "fasturl: cannot write to /dev/full: No space left on device\n"
    ran = fasturl("sql", "COPY (SELECT path FROM requests) TO '/dev/full' (USE_TMP_FILE false)", log)
    assert ran.status == 2 and ran.err.count("\n") == 1 and ran.err.startswith("fasturl: "), ran.err
    process = start("sql", "SELECT repeat('a', 100) AS a FROM range(1000000)", log, "--to", kind, **PIPES)
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(60) == 141


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("arguments", [
    ("sql", "SELECT count(*) FROM range(10000000000) a, range(1000) b WHERE a.range + b.range = -1"),
    ("sql", "COPY (SELECT i FROM range(100000000000) t(i) WHERE i < 0) TO '/dev/null'"),
    ("parse", "--threads", "2", "--where", "sleep_ms(2000) IS NULL"),
    ("parse", "--threads", "1", "--where", "sleep_ms(2000) IS NULL"),
])  # fmt: skip
def test_a_signal_ends_a_query(
    log: Path, tmp_path: Path, start: Start, arguments: tuple[str, ...], number: int, status: int
) -> None:
    process = start(*arguments, log, env={"TMPDIR": str(tmp_path)}, **PIPES)
    wait_for(lambda: any(name.startswith("fasturl-") for name in os.listdir(tmp_path)))
    time.sleep(0.5)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == status and out == b"" and b"Traceback" not in err, err
    assert not [name for name in os.listdir(tmp_path) if name.startswith("fasturl-")]


def test_names_of_files_and_columns_are_not_run_as_sql(fasturl: Run, tmp_path: Path) -> None:
    """A name in a text of SQL stays a name."""
    name = "a\"; DROP TABLE requests; --'\n.log" if sys.platform != "win32" else "a'; DROP TABLE requests; --.log"
    log = tmp_path / name
    log.write_bytes(LOG + b"torn\n")
    ran = fasturl("sql", "SELECT file, line FROM rejects", log)
    assert ran.rows == [{"file": str(log), "line": 61}], ran.err
    for key in ('k"; DROP TABLE moments; --', "k'; DROP TABLE moments; --", "k%00", "k\\", "k%0A"):
        options = ("--json", "-t", "query_key", "-t", "total", "-q", "--log-format", "URLS")
        ran = fasturl("stats", *options, "-", stdin=f"http://h/?{key}=1\n".encode())
        assert ran.status == 0, ran.err
        assert len(json.loads(ran.out)["query_key"]) == 1
    assert fasturl("stats", "-t", "path; DROP TABLE path", log).status == 2
