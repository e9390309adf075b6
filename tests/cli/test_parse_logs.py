"""`fasturl parse` on logs: every format, rows, rejects and usage errors."""

import gzip
import random
import re
from pathlib import Path
from typing import Any

import logsamples
import pytest
from clihelpers import Make, Run, rows_of_file

from fasturl import logs
from fasturl._accesslog import iso_time, unescape
from fasturl.logs.formats.catalog import LOGS
from fasturl.logs.formats.detection import detect_lines


def test_a_combined_line_has_all_columns(fasturl: Run, make_clf: Make) -> None:
    line = make_clf(b"GET /a?b=1 HTTP/1.0", b"http://r.example/x#y", b"Mozilla/5.0 (X)", user=b"frank", size=b"-")
    target, referer = fasturl("parse", "--rows=url", stdin=line + b"\n").rows
    assert (target["field"], target["url"], target["path"], target["query"]) == ("target", "/a?b=1", "/a", "b=1")
    assert (target["scheme"], target["valid_rfc1738"], target["findings"]) == (None, True, [])
    assert (referer["field"], referer["url"], referer["host"]) == ("referer", "http://r.example/x#y", "r.example")
    assert referer["findings"] == ["FRAGMENT"] and referer["error_offset"] == 18
    expected = {
        "client": "192.0.2.7", "user": "frank", "time": "2015-05-17T10:05:03+00:00", "method": "GET",
        "protocol": "HTTP/1.0", "status": 200, "size": None, "agent": "Mozilla/5.0 (X)", "vhost": None,
    }  # fmt: skip
    assert [{name: row[name] for name in expected} for row in (target, referer)] == [expected] * 2


def test_a_real_log_matches_a_second_reader(fasturl: Run, access_log: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--rows=url", access_log, "--rejects", rejects)
    lines = access_log.read_bytes().splitlines()
    rows = ran.rows
    assert rejects.read_bytes() == b""
    assert f"{len(lines):,} lines, {len(rows):,} URLs" in ran.err
    targets = [row for row in rows if row["field"] == "target"]
    referers = {row["line"]: row["url"] for row in rows if row["field"] == "referer"}
    assert [row["line"] for row in targets] == list(range(1, len(lines) + 1))
    for row in targets:
        # This log has no quotes within fields, so splitting at quotes is a second way to read it.
        _, request, _, referer, _, agent, _ = lines[row["line"] - 1].decode().split('"')
        assert f"{row['method']} {row['url']} {row['protocol']}" == request
        assert referers.get(row["line"], "-") == referer
        assert (row["agent"] or "-") == agent
    zipped = tmp_path / "access.log.gz"
    zipped.write_bytes(gzip.compress(access_log.read_bytes()))
    again = fasturl("parse", "--rows=url", zipped, "-F", "line,field,url,status").rows
    assert again == [{name: row[name] for name in ("line", "field", "url", "status")} for row in rows]


@pytest.mark.parametrize(("request_line", "method", "target", "protocol"), [
    (b"GET /a HTTP/1.1", "GET", "/a", "HTTP/1.1"),          (b"CONNECT h:443 HTTP/1.1", "CONNECT", "h:443", "HTTP/1.1"),
    (b"OPTIONS * HTTP/1.1", "OPTIONS", "*", "HTTP/1.1"),      (b"GET //a//b HTTP/1.1", "GET", "//a//b", "HTTP/1.1"),
    (b"GET /a b c HTTP/1.1", "GET", "/a b c", "HTTP/1.1"),    (b"GET /a", "GET", "/a", None),
    (b"GET /a ", "GET", "/a", ""),                            (b"GET /a b  ", "GET", "/a b ", ""),
    (b"GET ", "GET", "", None),                               (b"GET  HTTP/1.1", "GET", "", "HTTP/1.1"),
    (b"-", None, None, None),                                 (b"- - -", None, None, None),
    (b"", None, None, None),                                  (b"quit", None, "quit", None),
    (rb"\x16\x03\x01\x02", None, "\x16\x03\x01\x02", None),
    (rb"\x16\x03 \x01", None, "\x16\x03 \x01", None),
    (rb"GET /a?b=\"c\" HTTP/1.1", "GET", '/a?b="c"', "HTTP/1.1"),
    (rb"GET /a\\b HTTP/1.1", "GET", "/a\\b", "HTTP/1.1"),
    (rb"GET /caf\xc3\xa9 HTTP/1.1", "GET", "/caf\xe9", "HTTP/1.1"),
    (rb"GET /a\x22\x5Cb HTTP/1.1", "GET", '/a"\\b', "HTTP/1.1"),
    (rb"GET /a\nb\tc HTTP/1.1", "GET", "/a\nb\tc", "HTTP/1.1"),
    (b"GET /caf\xc3\xa9 HTTP/1.1", "GET", "/caf\xe9", "HTTP/1.1"),
    (b"GET /${jndi:ldap://x:1/a} HTTP/1.1", "GET", "/${jndi:ldap://x:1/a}", "HTTP/1.1"),
    (b"PROPFIND /[x]?y HTTP/2.0", "PROPFIND", "/[x]?y", "HTTP/2.0"),
])  # fmt: skip
def test_request_lines_are_cut_at_first_and_last_space(
    fasturl: Run, make_clf: Make, request_line: bytes, method: str | None, target: str | None, protocol: str | None
) -> None:
    row = fasturl("parse", "--log-format", "combined", stdin=make_clf(request_line) + b"\n").row
    assert (row["method"], row["url"], row["protocol"]) == (method, target, protocol)


def test_escapes_in_other_fields_are_undone(fasturl: Run, make_clf: Make) -> None:
    line = make_clf(b"GET / HTTP/1.1", rb"http://r/\"x\"", rb"a\"b\\c\x00", user=rb"j\x20d oe")
    row = fasturl("parse", "--log-format=combined", stdin=line).rows[0]
    assert (row["referer"], row["agent"], row["user"]) == ('http://r/"x"', 'a"b\\c\x00', "j d oe")
    # An empty user is two quotes.
    assert fasturl("parse", "--log-format", "COMBINED", stdin=make_clf(user=b'""')).row["user"] == ""


def test_unescape_undoes_the_escapes_of_servers() -> None:
    def apache(data: bytes) -> bytes:
        names = {0x22: b'\\"', 0x5C: b"\\\\", 0x0A: b"\\n", 0x0D: b"\\r", 0x09: b"\\t", 0x08: b"\\b", 0x0B: b"\\v"}
        return b"".join(names.get(o) or (bytes((o,)) if 0x20 <= o < 0x7F else b"\\x%02x" % o) for o in data)

    def nginx(data: bytes) -> bytes:
        return b"".join(b"\\x%02X" % o if o in b'"\\' or not 0x20 <= o < 0x7F else bytes((o,)) for o in data)

    choose = random.Random(3)
    for _ in range(500):
        data = choose.randbytes(choose.randrange(40))
        assert unescape(apache(data)) == data
        assert unescape(nginx(data)) == data
    assert unescape(b"\\q\\xzz\\") == b"\\q\\xzz\\"


def test_no_byte_of_a_request_line_is_lost() -> None:
    choose = random.Random(4)
    requests = ["".join(choose.choices("GET /aHTTP/1.1 \x16-", k=choose.randrange(16))) for _ in range(3000)]
    lines = [f'h - - [17/May/2015:10:05:03 +0000] "{request}" 200 5' for request in requests]
    rows = logs.parse_lines(lines, "COMMON", ["method", "url", "protocol"]).to_pylist()
    for request, row in zip(requests, rows, strict=True):
        is_none = request in ("-", "- - -", "- - - ")
        pieces = [row[name] for name in ("method", "url", "protocol") if row[name] is not None]
        assert not row["rejected"] and " ".join(pieces) == request * (not is_none)


def test_rejects_keep_truncated_and_foreign_lines(fasturl: Run, make_clf: Make, tmp_path: Path) -> None:
    good = make_clf(b"GET /good HTTP/1.1", b"http://r/")
    bad = [good[:at] for at in range(1, len(good), 7)] + [b"\xff\0nonsense", b"# comment", b'"""']
    rejects = tmp_path / "rejects"
    mixed = b"".join(good + b"\r\n" + line + b"\r\n" for line in bad) + b"\n"
    ran = fasturl("parse", "--rejects", rejects, "--log-format", "COMBINED", stdin=mixed)
    assert ran.status == 0
    assert rejects.read_bytes() == b"".join(line + b"\r\n" for line in bad)
    assert {(row["url"], row["referer"]) for row in ran.rows} == {("/good", "http://r/")}
    assert len(ran.rows) == len(bad)
    assert f"{2 * len(bad) + 1:,} lines" in ran.err and f"{len(bad)} lines rejected, 1 empty" in ran.err
    verified = fasturl("parse", "-q", "--verify", "--log-format", "COMBINED", stdin=mixed)
    assert verified.status == 1


TORN = (
    b'1.1.1.1 - alice [17/May/2015:10:05:03 +0000] "GET /fi2.2.2.2 - bob [18/May/2015:11:06:04 +0000] '
    b'"GET /second HTTP/1.1" 404 222 "-" "B"'
)


@pytest.mark.parametrize("name", ["COMMON", "COMBINED", "TRAEFIKCLF"])
def test_two_lines_torn_together_are_a_reject(fasturl: Run, tmp_path: Path, name: str) -> None:
    rejects = tmp_path / "rejects"
    whole = b'h - - [-] "GET / HTTP/1.1" 200 1 "-" "-"\n'
    ran = fasturl("parse", "-F", "line", "--log-format", name, "--rejects", rejects, stdin=whole + TORN + b"\n")
    assert ran.rows == [{"line": 1}] and rejects.read_bytes() == TORN + b"\n" and "1 line rejected" in ran.err


@pytest.mark.parametrize("line", [
    b'h - a"b [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1',
    b'h[ - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1',
    b'h - ] [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1',
    b'h - - [17/May/2015:10:05:03" +0000] "GET / HTTP/1.1" 200 1',
    b'h - - [17/May/2015:10:05:03 +0000] "GET /"x HTTP/1.1" 200 1',
    b'h - - [17/May/2015:10:05:03 +0000] "GET /" 200 1 HTTP/1.1" 200 1',
    b'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 h - - [17/May/2015:10:05:03 +0000] "GET /',
    b'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "x" h "GET / HTTP/1.1" 200 1',
])  # fmt: skip
def test_only_quoted_fields_hold_brackets_and_quotes(fasturl: Run, line: bytes) -> None:
    ran = fasturl("parse", "--log-format", "COMMON", stdin=line + b"\n")
    assert (ran.out, ran.status) == (b"", 2) and "none of the lines is in the format COMMON" in ran.err


@pytest.mark.parametrize(("more", "agent"), [
    (b"", b"Mozilla/5.0 [en] (X11; U)"),                      (b"", rb"a\"b\\"),
    (b' "192.0.2.9" 0.003', b"x"),
    (b" 512 0.001 [default-web-80] [] 10.0.0.1:80 612 0.001 200 7e2b", b"x"),
    (b' rt=0.1 uct="0.0" urt="0.1, 0.2" [::1]:8080', b"x"),   (b' 42 "router@docker" "http://10.0.0.1:80" 5ms', b"x"),
])  # fmt: skip
def test_real_lines_are_records(fasturl: Run, make_clf: Make, more: bytes, agent: bytes) -> None:
    line = make_clf(b"GET /a?b[]=1 HTTP/1.1", b"http://r/?q[]=1", agent) + more
    row = fasturl("parse", "--log-format", "COMBINED", stdin=line + b"\n").row
    assert (row["url"], row["referer"]) == ("/a?b[]=1", "http://r/?q[]=1")


def test_a_carriage_return_between_records_ends_a_line(fasturl: Run, make_clf: Make, tmp_path: Path) -> None:
    lines = [make_clf(b"GET /%d HTTP/1.1" % n) for n in range(300)]
    lines[7] = lines[250] = b"torn"
    ends = [b"\r", b"\n", b"\r\n"]
    data = b"".join(line + ends[n % 3] for n, line in enumerate(lines))
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "-F", "line,url", "--rejects", rejects, stdin=data)
    kept = [n for n in range(1, 301) if n not in (8, 251)]
    assert [(row["line"], row["url"]) for row in ran.rows] == [(n, f"/{n - 1}") for n in kept]
    assert rejects.read_bytes() == b"torn\ntorn\n" and ran.err.startswith("300 lines, 298 URLs")
    alone = fasturl("parse", "-F", "line,url", stdin=b"\r".join(lines))
    assert alone.rows == ran.rows
    # In a list of URLs it is an ordinary byte.
    assert [row["url"] for row in fasturl("parse", "-F", "url", stdin=b"http://h/a\rb\n").rows] == ["http://h/a\rb"]


def test_each_reject_has_a_line_end(fasturl: Run, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects"
    record = b'h - - [-] "GET / HTTP/1.1" 200 1'
    options = ("--log-format", "COMMON", "--rejects", rejects)
    fasturl("parse", *options, stdin=b"\xef\xbb\xbfone\n" + record + b"\ntwo")
    assert rejects.read_bytes() == b"\xef\xbb\xbfone\ntwo\n"
    fasturl("parse", "-0", *options, stdin=b"o\nne\0" + record + b"\0two")
    assert rejects.read_bytes() == b"o\nne\0two\0"


@pytest.mark.parametrize("arguments", [
    ("--field", "a", "--column", "b"), ("--column", "0"), ("--column", "name", "--no-headers"),
    ("--column", "1", "-d", "ab"), ("--column", "1", "-0"), ("--log-format", "NOPE"), ("--to", "xml"),
    ("--fields", "nope"), ("--fields", "host,host"), ("--get", "{nope}"), ("--get", "{host"),
    ("--get", "{host}", "--to", "csv"), ("--threads", "0"), ("--on-error", "explode"), ("-o", "-", "--rejects", "-"),
    ("--nope",),
])  # fmt: skip
def test_wrong_options_are_usage_errors(fasturl: Run, arguments: tuple[str, ...]) -> None:
    ran = fasturl("parse", *arguments, stdin=b"a,b\nhttp://a/\n")
    assert ran.status == 2
    assert ran.out == b"" and ran.err.startswith("fasturl: ") and "Traceback" not in ran.err


def test_a_thousand_rejects_and_no_record_end_the_run(fasturl: Run, make_clf: Make, tmp_path: Path) -> None:
    log = tmp_path / "common.log"
    log.write_bytes((make_clf(referer=None) + b"\n") * 2000)
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--log-format", "combined", log, "-o", tmp_path / "out.csv", "--rejects", rejects)
    assert ran.status == 2 and "none of the first 1,000 lines is in the format COMBINED" in ran.err
    assert not tmp_path.joinpath("out.csv").exists()
    objects = tmp_path / "objects"
    objects.write_bytes(b'{"other":"http://h/"}\n' * 1000)
    ran = fasturl("parse", "--field", "url", objects)
    assert ran.status == 2 and "a string in its field url" in ran.err
    assert fasturl("parse", "--field", "other", objects).status == 0


def test_a_log_has_one_row_per_request(fasturl: Run, make_clf: Make, tmp_path: Path) -> None:
    log = make_clf(b"GET /a?b HTTP/1.0", b"http://r.example/x#y") + b"\n" + make_clf(b"GET /b", size=b"3") + b"\n"
    first, second = fasturl("parse", stdin=log).rows
    assert "field" not in first
    assert (first["line"], first["path"], first["query"], first["size"]) == (1, "/a", "b", 12)
    assert (first["referer"], second["referer"]) == ("http://r.example/x#y", None)
    # The referer's faults are not those of the target.
    assert first["valid_rfc1738"] and first["findings"] == []
    names = "path,referer_host,referer_findings,referer_error_offset,referer_port"
    for kind in ("jsonl", "parquet"):
        out = tmp_path / f"out.{kind}"
        assert fasturl("parse", "-q", "-F", names, "-o", out, stdin=log).status == 0
        assert rows_of_file(out) == [
            dict(zip(names.split(","), values, strict=True))
            for values in (("/a", "r.example", ["FRAGMENT"], 18, None), ("/b", None, None, None, None))
        ]
    table = fasturl("parse", "-q", "-F", names, "--to=csv", stdin=log).lines
    assert table[1:] == [b"/a,r.example,FRAGMENT,18,", b"/b,,,,"]
    assert fasturl("parse", "-q", "-g", "{path} {referer_host}", stdin=log).lines == [b"/a r.example", b"/b "]
    refused = fasturl("parse", "--rows=url", "-F", "path,referer_host", stdin=log)
    assert refused.status == 2 and "--rows url" in refused.err


SAMPLES: dict[str, tuple[bytes, dict[str, Any]]] = {
    "COMMON": (b'192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326',
               {"url": "/a", "client": "192.0.2.1", "time": "2000-10-10T13:55:36-07:00", "status": 200}),
    "COMBINED": (b'::1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 304 - "-" "curl/8"',
                 {"url": "/a", "client": "::1", "user": "frank", "status": 304, "size": None, "agent": "curl/8"}),
    "VCOMMON": (b'www.example.com:443 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326',
                {"url": "/a", "client": "192.0.2.1", "vhost": "www.example.com:443"}),
    "NGINXMAIN": (
        b'10.0.0.9 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326 "-" "x" "203.0.113.9, 10.0.0.1"',
        {"url": "/a", "client": "10.0.0.9", "forwarded": "203.0.113.9, 10.0.0.1"},
    ),
    "VCOMBINED": (b'example.com 192.0.2.1 - john doe [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326 "-" "x"',
                  {"url": "/a", "client": "192.0.2.1", "vhost": "example.com", "user": "john doe", "agent": "x"}),
    "SQUID": (b"1286536309.450    192 192.0.2.1 TCP_MISS/200 3454 GET http://example.com/a%20b "
              b"- HIER_DIRECT/198.51.100.1 text/html",
              {"url": "http://example.com/a%20b", "host": "example.com", "status": 200, "size": 3454, "user": None,
               "time": "2010-10-08T11:11:49.450000+00:00", "method": "GET"}),
    "AWSELB": (b"2015-05-13T23:39:43.945958Z my-lb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 "
               b'0 29 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.38.0" - -',
               {"url": "http://www.example.com:80/", "client": "192.0.2.1", "size": 29, "agent": "curl/7.38.0",
                "time": "2015-05-13T23:39:43.945958Z"}),
    "AWSALB": (b"https 2018-07-02T22:23:00.186641Z app/my-lb/50dc 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 "
               b'0.037 200 200 0 57 "GET https://www.example.com:443/a HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2 -',
               {"url": "https://www.example.com:443/a", "client": "192.0.2.1", "port": 443, "size": 57}),
    "AWSS3": (b"79a59df900b949e5 bucket1 [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a59df900b949e5 3E57427F3EXAMPLE "
              b'REST.GET.VERSIONING - "GET /bucket1?versioning HTTP/1.1" 200 - 113 - 7 - "-" "S3Console/0.4" - x=',
              {"url": "/bucket1?versioning", "query": "versioning", "vhost": "bucket1", "client": "192.0.2.3",
               "status": 200, "size": 113, "agent": "S3Console/0.4", "user": "79a59df900b949e5"}),
    "CADDY": (
        b'{"level":"info","ts":1646861401.5,"logger":"http.log.access","msg":"handled request","request":'
        b'{"remote_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"example.com","uri":"/a?b","headers":'
        b'{"User-Agent":["curl/7.82.0"],"Accept":["*/*"]}},"user_id":"","size":2326,"status":200}',
        {"url": "/a?b", "client": "192.0.2.1", "time": "2022-03-09T21:30:01.500000+00:00", "vhost": "example.com",
         "status": 200, "agent": "curl/7.82.0", "user": None, "protocol": "HTTP/2.0"},
    ),
}  # fmt: skip


def test_the_page_lists_the_formats() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`(\w+)`\]\(#(\w+)\) \| (.+) \|$", page, re.MULTILINE)
    assert rows[:2] == [("NGINX", "nginx", rows[0][2]), ("APACHE", "apache", rows[1][2])]
    assert {name: description for name, _, description in rows} == {log.name: log.description for log in LOGS}
    assert re.findall(r"^### ([A-Z0-9]+)$", page, re.MULTILINE) == [name for name, _, _ in rows]
    assert "\n`URLS` is one URL per line." in page


def test_every_format_has_a_sample() -> None:
    named = {log.name for log in LOGS}
    others = {name.partition("+")[2] or name for _, name, _, _ in logsamples.SAMPLES}
    assert {*SAMPLES, *others, *logsamples.READ_AS} == named


@pytest.mark.parametrize("name", SAMPLES)
def test_every_format_reads_its_sample(fasturl: Run, name: str) -> None:
    line, expected = SAMPLES[name]
    row = fasturl("parse", f"--log-format={name.lower()}", stdin=line + b"\r\n").row
    assert {key: row[key] for key in expected} == expected
    assert row["valid_rfc1738"]
    # Detected, also if the first line is torn.
    assert detect_lines([line]).name == name
    assert fasturl("parse", stdin=line).row == {**row, "line": 1}
    if name != "CADDY":
        torn = fasturl("parse", stdin=line[:30] + b"\n" + line)
        assert torn.row["url"] == expected["url"] and "1 line rejected" in torn.err


W3C = b"""#Software: Microsoft Internet Information Services 10.0\r
#Version: 1.0\r
#Date: 2023-01-01 00:00:00\r
#Fields: date time cs-method cs-uri-stem cs-uri-query cs-username c-ip cs(User-Agent) cs(Referer) sc-status\r
2023-01-01 00:00:01 GET /a.aspx id=1&x=%zz - 192.0.2.1 Mozilla/5.0+(X) https://r.example/ 200\r
2023-01-01 00:00:02 GET /b - DOM\\user 192.0.2.1 - - 404\r
torn 2023-01-01\r
#Fields: cs-uri sc-status\r
http://example.com/c 500\r
"""


def test_w3c_reads_fields_of_the_header(fasturl: Run, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--rows=url", "--rejects", rejects, stdin=W3C)
    first, referer, second, third = ran.rows
    assert (first["url"], first["query"], first["findings"]) == ("/a.aspx?id=1&x=%zz", "id=1&x=%zz", ["BAD_ESCAPE"])
    assert (first["time"], first["client"], first["user"]) == ("2023-01-01T00:00:01Z", "192.0.2.1", None)
    assert (first["agent"], first["status"], first["line"]) == ("Mozilla/5.0+(X)", 200, 5)
    assert (referer["field"], referer["host"]) == ("referer", "r.example")
    assert (second["url"], second["query"], second["user"], second["agent"]) == ("/b", None, "DOM\\user", None)
    assert (third["url"], third["host"], third["status"]) == ("http://example.com/c", "example.com", 500)
    assert rejects.read_bytes() == b"torn 2023-01-01\r\n"


def test_cloudfront_is_w3c_by_tabs(fasturl: Run) -> None:
    log = (
        b"#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem "
        b"sc-status cs(Referer) cs(User-Agent) cs-uri-query\n2019-12-04\t21:02:31\t"
        b"LAX1\t392\t192.0.2.1\tGET\td.example.net\t"
        b"/index.html\t200\t-\tMozilla/5.0%20(X)\ta=b\n"
    )
    for arguments in ((), ("--log-format", "CLOUDFRONT")):
        row = fasturl("parse", *arguments, stdin=log).row
        assert (row["url"], row["vhost"], row["size"]) == ("/index.html?a=b", "d.example.net", 392)


@pytest.mark.parametrize(("lines", "name"), [
    ([], "URLS"),                          ([b"http://a/", b"nonsense"], "URLS"), ([b"nonsense", b"more"], "UNKNOWN"),
    ([b"/a", b"/b"], "URLS"),              ([b"{", b"x"], "UNKNOWN"),             ([b"{}"], "JSONL"),
    ([b'{"request":{"uri":"/"}}'], "CADDY"),                                      ([b"#Fields: cs-uri"], "W3C"),
    ([b"#fragment"], "URLS"),              ([b"http://a/", b"LOG", b"http://b/"], "URLS"),
    ([b"torn", b"LOG", b"torn", b"torn"], "COMBINED"),
])  # fmt: skip
def test_formats_are_detected(make_clf: Make, lines: list[bytes], name: str) -> None:
    assert detect_lines([make_clf() if line == b"LOG" else line for line in lines]).name == name


def test_times_are_rfc_3339() -> None:
    assert iso_time(b"07/Feb/2019:00:00:38 -0130") == b"2019-02-07T00:00:38-01:30"
    assert iso_time(b"17/MAY/2015:10:05:03.123 +0000") == b"2015-05-17T10:05:03.123+00:00"
    assert iso_time(b"17/Xyz/2015:10:05:03 +0000") == b"17/Xyz/2015:10:05:03 +0000"
    assert iso_time(b"\xe9") == b"\xe9"


def test_the_counts_name_a_log_with_other_lines(fasturl: Run, make_clf: Make) -> None:
    log = make_clf() + b"\n"
    assert "-: COMBINED, 2 of 3 lines\n" in fasturl("parse", stdin=log * 2 + b"torn\n").err
    assert "-: COMBINED, 3 of 3 lines\n" in fasturl("parse", stdin=log * 3).err


@pytest.mark.parametrize(("text", "line"), [
    ('\ntime-format %T\ndate-format   %Y-%m-%d\nlog-format %h %d %t "%r" %s\n',
     b'h 2015-05-17 10:05:03 "GET /a HTTP/1.1" 200'),
    ("date-format %s\nlog-format %h %x %U", b"h 1431857103 /a"),
    ("log-format %h [%d:%t %^] %U", b"h [17/May/2015:10:05:03 +0000] /a"),
    ("log-format COMMON", b'h - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1'),
    # These are refused.
    ("date-format %s", None),
    ("log-format %h %x\ndate-format %Q", None),
    ("date-format %s\nlog-format $host", None),
])  # fmt: skip
def test_lines_of_a_goaccess_configuration_are_a_format(fasturl: Run, text: str, line: bytes | None) -> None:
    ran = fasturl("parse", "-q", "--log-format", text, "-F", "time,path", stdin=(line or b"h 1431857103 /a") + b"\n")
    if line is None:
        assert ran.status == 2 and ran.out == b"" and ran.err.startswith("fasturl: --log-format: "), ran.err
    else:
        assert ran.status == 0, ran.err
        assert (ran.row["time"][:19], ran.row["path"]) == ("2015-05-17T10:05:03", "/a")


def test_rejects_are_explained(fasturl: Run) -> None:
    combined = b'h - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12 "http://r/" "x"\n'
    entry = b'{"remote_addr":"h","time_iso8601":"2015-05-17T10:05:03Z","request":"GET /j HTTP/1.1","status":"200"}\n'
    log = (combined * 3 + entry * 2) * 1000
    ran = fasturl("parse", "-F", "path", stdin=log)
    assert ran.status == 0 and len(ran.rows) == 3000
    advice = "2,000 of 5,000 lines rejected. They look like NGINXJSON: --log-format COMBINED,NGINXJSON"
    assert advice in ran.err.splitlines()
    again = fasturl("parse", "-F", "path", "--log-format", "COMBINED,NGINXJSON", stdin=log)
    assert [row["path"] for row in again.rows] == ["/a", "/a", "/a", "/j", "/j"] * 1000
