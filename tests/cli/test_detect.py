"""Does `fasturl detect` show the format, the first mismatch and the first rows of each input?"""

from pathlib import Path

from clihelpers import Make, Run


def test_each_input_has_its_format_and_its_rows(fasturl: Run, tmp_path: Path, make_clf: Make) -> None:
    log, urls, other = tmp_path / "a.log", tmp_path / "u.txt", tmp_path / "other"
    log.write_bytes(b"\n" + (make_clf(b"GET http://u:secret@h/ HTTP/1.1") + b"\n") * 5 + b"x y\x1b\n")
    urls.write_bytes(b"http://h/a\n")
    other.write_bytes(b"neither this\nnor that\n")
    run = fasturl("detect", log, other, urls, tmp_path / "missing")
    assert run.status == 2 and not run.out  # every name is checked before anything is read
    run = fasturl("detect", log, other, urls)
    assert run.status == 2
    shown = run.out.decode()
    assert f"{log}: COMBINED (5 of the first 6 lines)\n  line 7 is not COMBINED: " in shown
    assert shown.count("  row ") == 4 and "http://u:***@h/" in shown and "secret" not in shown
    assert "\n    x y\\x1b\n" in shown and f"{urls}: URLS (1 of the first 1 lines)" in shown
    assert "other: the format is unknown" in run.err


def test_a_format_that_is_named_is_tried(fasturl: Run, make_clf: Make) -> None:
    lines = make_clf() + b"\n"
    shown = fasturl("detect", "--log-format", '%h %^[%d:%t %^] "%r" %s', stdin=lines).out.decode()
    assert shown.startswith("-: CUSTOM (1 of the first 1 lines)\n  row 1\n")
    run = fasturl("detect", "--log-format", "VCOMBINED", stdin=lines)
    shown = run.out.decode()
    assert run.status == 2
    assert shown.startswith("-: VCOMBINED (0 of the first 1 lines)\n  line 1 is not VCOMBINED: ") and "row" not in shown


def test_a_mapping_is_suggested_for_unknown_objects(fasturl: Run) -> None:
    line = b'{"level":"x","http":{"link":"/a?b","client_ip":"192.0.2.1"},"a\'b":"GET","ua":"x"}\n'
    run = fasturl("detect", stdin=line)
    options = "--map target=http.link --map client=http.client_ip --map agent=ua"
    assert run.status == 2 and options in run.err
    found = fasturl("parse", "-q", *options.split(), "-F", "path,client,agent", stdin=line).out
    assert found == b'{"path":"/a","client":"192.0.2.1","agent":"x"}\n'


def test_a_table_is_no_log(fasturl: Run, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"u": ["http://h/"]}), tmp_path / "t.parquet")
    run = fasturl("detect", tmp_path / "t.parquet")
    assert run.status == 2 and "t.parquet is a table without lines" in run.err and "--column" in run.err


def test_an_empty_input_shows_no_format(fasturl: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    run = fasturl("detect", tmp_path / "empty")
    assert run.status == 2 and not run.out
    assert run.err == f"fasturl: {tmp_path}/empty is empty, so it has no format\n"


def test_names_of_servers_read_their_stock_formats(fasturl: Run) -> None:
    common = '192.0.2.1 - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12'
    combined = f'{common} "http://r/" "x"'
    lines = [combined, f'{combined} "198.51.100.7"', common, f"v.example:443 {combined}", f"v.example:80 {common}"]
    data = "".join(f"{line}\n" for line in lines).encode()
    nginx = fasturl("parse", "-F", "line,client,forwarded", "--log-format", "nginx", "--allow-rejects", stdin=data)
    assert [[*row.values()] for row in nginx.rows] == [[1, "192.0.2.1", None], [2, "192.0.2.1", "198.51.100.7"]]
    apache = fasturl("parse", "-F", "line,vhost,referer", "--log-format", "APACHE", stdin=data)
    assert [row["line"] for row in apache.rows] == [1, 2, 3, 4, 5]
    assert [row["vhost"] for row in apache.rows] == [None] * 3 + ["v.example:443", "v.example:80"]
    assert [row["referer"] for row in apache.rows] == ["http://r/", "http://r/", None, "http://r/", None]
