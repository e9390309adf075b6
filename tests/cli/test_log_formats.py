"""`fasturl parse` on every log format: is each read, found out, and on its page?"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fasturl.logs.detection import detect_lines
from fasturl.logs.formats.catalog import LOGS
from fasturl.logs.formats.logtext import log_time

SAMPLES: dict[str, tuple[bytes, dict[str, Any]]] = {
    "COMMON": (
        b'192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326',
        {"url": "/a", "client": "192.0.2.1", "time": "2000-10-10T13:55:36-07:00", "status": 200},
    ),
    "COMBINED": (
        b'::1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 304 - "-" "curl/8"',
        {"url": "/a", "client": "::1", "user": "frank", "status": 304, "size": None, "agent": "curl/8"},
    ),
    "VCOMMON": (
        b'www.example.com:443 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326',
        {"url": "/a", "client": "192.0.2.1", "vhost": "www.example.com:443"},
    ),
    "VCOMBINED": (
        b'example.com 192.0.2.1 - john doe [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326 "-" "x"',
        {"url": "/a", "client": "192.0.2.1", "vhost": "example.com", "user": "john doe", "agent": "x"},
    ),
    "SQUID": (
        b"1286536309.450    192 192.0.2.1 TCP_MISS/200 3454 GET http://example.com/a%20b "
        b"- HIER_DIRECT/198.51.100.1 text/html",
        {"url": "http://example.com/a%20b", "host": "example.com", "status": 200, "size": 3454, "user": None,
         "time": "2010-10-08T11:11:49.450000+00:00", "method": "GET"},
    ),
    "AWSELB": (
        b"2015-05-13T23:39:43.945958Z my-lb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 "
        b'0 29 "GET http://www.example.com:80/ HTTP/1.1" "curl/7.38.0" - -',
        {"url": "http://www.example.com:80/", "client": "192.0.2.1", "size": 29, "agent": "curl/7.38.0",
         "time": "2015-05-13T23:39:43.945958Z"},
    ),
    "AWSALB": (
        b"https 2018-07-02T22:23:00.186641Z app/my-lb/50dc 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 "
        b'0.037 200 200 0 57 "GET https://www.example.com:443/a HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2 -',
        {"url": "https://www.example.com:443/a", "client": "192.0.2.1", "port": 443, "size": 57},
    ),
    "AWSS3": (
        b"79a59df900b949e5 bucket1 [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a59df900b949e5 3E57427F3EXAMPLE "
        b'REST.GET.VERSIONING - "GET /bucket1?versioning HTTP/1.1" 200 - 113 - 7 - "-" "S3Console/0.4" - x=',
        {"url": "/bucket1?versioning", "query": "versioning", "vhost": "bucket1", "client": "192.0.2.3",
         "status": 200, "size": 113, "agent": "S3Console/0.4", "user": "79a59df900b949e5"},
    ),
    "CADDY": (
        b'{"level":"info","ts":1646861401.5,"logger":"http.log.access","msg":"handled request","request":'
        b'{"remote_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"example.com","uri":"/a?b","headers":'
        b'{"User-Agent":["curl/7.82.0"],"Accept":["*/*"]}},"user_id":"","size":2326,"status":200}',
        {"url": "/a?b", "client": "192.0.2.1", "time": "2022-03-09T21:30:01.500000+00:00", "vhost": "example.com",
         "status": 200, "agent": "curl/7.82.0", "user": None, "protocol": "HTTP/2.0"},
    ),
}  # fmt: skip


def test_the_page_lists_the_formats() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    table = "".join(f"| `{log.name}` | {log.reads} |\n" for log in LOGS)
    assert f"| name | what it reads |\n|---|---|\n{table}| `URLS` |" in page


def test_every_format_has_a_sample_and_is_named(fasturl: Callable[..., Any]) -> None:
    named = {log.name for log in LOGS}
    assert {*SAMPLES, "W3C", "CLOUDFRONT", "TRAEFIKCLF", "MIXED", "VMIXED"} == named
    helped = fasturl("parse", "-h").out.decode()
    assert all(name in helped for name in named)


@pytest.mark.parametrize("name", SAMPLES)
def test_log_formats(fasturl: Callable[..., Any], name: str) -> None:
    line, expected = SAMPLES[name]
    row = fasturl("parse", f"--log-format={name.lower()}", stdin=line + b"\r\n").row
    assert {key: row[key] for key in expected} == expected
    assert row["valid"]
    # Found out by itself, also when a first line is torn.
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


def test_w3c(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--rows=url", "--rejects", rejects, stdin=W3C)
    first, referer, second, third = ran.rows
    assert (first["url"], first["query"], first["findings"]) == (
        "/a.aspx?id=1&x=%zz", "id=1&x=%zz", ["BAD_ESCAPE"],
    )  # fmt: skip
    assert (first["time"], first["client"], first["user"]) == ("2023-01-01T00:00:01Z", "192.0.2.1", None)
    assert (first["agent"], first["status"], first["line"]) == ("Mozilla/5.0+(X)", 200, 5)
    assert (referer["field"], referer["host"]) == ("referer", "r.example")
    assert (second["url"], second["query"], second["user"], second["agent"]) == (
        "/b",
        None,
        "DOM\\user",
        None,
    )
    assert (third["url"], third["host"], third["status"]) == ("http://example.com/c", "example.com", 500)
    assert rejects.read_bytes() == b"torn 2023-01-01\r\n"


def test_cloudfront_is_w3c_by_tabs(fasturl: Callable[..., Any]) -> None:
    log = (
        b"#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem "
        b"sc-status cs(Referer) cs(User-Agent) cs-uri-query\n2019-12-04\t21:02:31\t"
        b"LAX1\t392\t192.0.2.1\tGET\td.example.net\t"
        b"/index.html\t200\t-\tMozilla/5.0%20(X)\ta=b\n"
    )
    for arguments in ((), ("--log-format", "CLOUDFRONT")):
        row = fasturl("parse", *arguments, stdin=log).row
        assert (row["url"], row["vhost"], row["size"]) == ("/index.html?a=b", "d.example.net", 392)


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ([], "URLS"),
        ([b"http://a/", b"nonsense"], "URLS"),
        ([b"nonsense", b"more"], "URLS"),
        ([b"/a", b"/b"], "URLS"),
        ([b"{", b"x"], "URLS"),
        ([b"{}"], "JSONL"),
        ([b'{"request":{"uri":"/"}}'], "CADDY"),
        ([b"#Fields: cs-uri"], "W3C"),
        ([b"#fragment"], "URLS"),
    ],
)
def test_detection(lines: list[bytes], name: str) -> None:
    assert detect_lines(lines).name == name


def test_a_log_line_among_urls_does_not_make_a_log(make_clf: Callable[..., bytes]) -> None:
    assert detect_lines([b"http://a/", make_clf(), b"http://b/"]).name == "URLS"
    assert detect_lines([b"torn", make_clf(), b"torn", b"torn"]).name == "COMBINED"


def test_times() -> None:
    assert log_time(b"07/Feb/2019:00:00:38 -0130") == b"2019-02-07T00:00:38-01:30"
    assert log_time(b"17/MAY/2015:10:05:03.123 +0000") == b"2015-05-17T10:05:03.123+00:00"
    assert log_time(b"17/Xyz/2015:10:05:03 +0000") == b"17/Xyz/2015:10:05:03 +0000"
    assert log_time(b"\xe9") == b"\xe9"
    assert log_time(b"-") is None


def test_the_summary_tells_of_a_log_that_is_not_all_in_its_format(
    fasturl: Callable[..., Any], make_clf: Callable[..., bytes]
) -> None:
    log = make_clf() + b"\n"
    assert "-: COMBINED (2 of the first 3 lines)\n" in fasturl("parse", stdin=log * 2 + b"torn\n").err
    assert "COMBINED" not in fasturl("parse", stdin=log * 3).err
