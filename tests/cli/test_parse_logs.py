"""`fasturl parse` on access logs: is every line accounted for, and every field read?"""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fasturl._accesslog import split_request, unescape

DETAILS = ("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost")


def details(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in DETAILS}


def test_a_combined_line_in_full(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    line = make_clf(b"GET /a?b=1 HTTP/1.0", b"http://r.example/x#y", b"Mozilla/5.0 (X)", user=b"frank", size=b"-")
    target, referer = fasturl("parse", "--rows=url", stdin=line + b"\n").rows
    assert (target["field"], target["url"], target["path"], target["query"]) == (
        "target",
        "/a?b=1",
        "/a",
        "b=1",
    )
    assert (target["scheme"], target["valid"], target["findings"]) == (None, True, [])
    assert (referer["field"], referer["url"], referer["host"]) == (
        "referer",
        "http://r.example/x#y",
        "r.example",
    )
    assert referer["findings"] == ["FRAGMENT"] and referer["error_offset"] == 18
    expected = {
        "client": "192.0.2.7",
        "user": "frank",
        "time": "2015-05-17T10:05:03+00:00",
        "method": "GET",
        "protocol": "HTTP/1.0",
        "status": 200,
        "size": None,
        "agent": "Mozilla/5.0 (X)",
        "vhost": None,
    }
    assert details(target) == details(referer) == expected


def test_a_real_log(fasturl: Callable[..., Any], access_log: Path, tmp_path: Path) -> None:
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
        # Only quotes divide this log's fields, so cutting at them is a second way to read it.
        _, request, _, referer, _, agent, _ = lines[row["line"] - 1].decode().split('"')
        assert f"{row['method']} {row['url']} {row['protocol']}" == request
        assert referers.get(row["line"], "-") == referer
        assert (row["agent"] or "-") == agent
    zipped = tmp_path / "access.log.gz"
    zipped.write_bytes(gzip.compress(access_log.read_bytes()))
    again = fasturl("parse", "--rows=url", zipped, "-F", "line,field,url,status").rows
    assert again == [{name: row[name] for name in ("line", "field", "url", "status")} for row in rows]


@pytest.mark.parametrize(
    ("request_line", "method", "target", "protocol"),
    [
        (b"GET /a HTTP/1.1", "GET", "/a", "HTTP/1.1"),
        (b"CONNECT h:443 HTTP/1.1", "CONNECT", "h:443", "HTTP/1.1"),
        (b"OPTIONS * HTTP/1.1", "OPTIONS", "*", "HTTP/1.1"),
        (b"GET //a//b HTTP/1.1", "GET", "//a//b", "HTTP/1.1"),
        (b"GET /a b c HTTP/1.1", "GET", "/a b c", "HTTP/1.1"),
        (b"GET /a", "GET", "/a", None),
        (b"GET  HTTP/1.1", "GET", "", "HTTP/1.1"),
        (b"-", None, "-", None),
        (b"", None, "", None),
        (b"quit", None, "quit", None),
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
    ],
)
def test_request_lines(
    fasturl: Callable[..., Any],
    make_clf: Callable[..., bytes],
    request_line: bytes,
    method: str | None,
    target: str,
    protocol: str | None,
) -> None:
    row = fasturl("parse", "--log-format", "combined", stdin=make_clf(request_line) + b"\n").row
    assert (row["method"], row["url"], row["protocol"]) == (method, target, protocol)


def test_escapes_in_other_fields(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    line = make_clf(b"GET / HTTP/1.1", rb"http://r/\"x\"", rb"a\"b\\c\x00", user=rb"j\x20d oe")
    row = fasturl("parse", stdin=line).rows[0]
    assert (row["referer"], row["agent"], row["user"]) == ('http://r/"x"', 'a"b\\c\x00', "j d oe")


def test_unescape_undoes_what_servers_write() -> None:
    def apache(octets: bytes) -> bytes:
        names = {
            0x22: b'\\"',
            0x5C: b"\\\\",
            0x0A: b"\\n",
            0x0D: b"\\r",
            0x09: b"\\t",
            0x08: b"\\b",
            0x0B: b"\\v",
        }
        return b"".join(names.get(o) or (bytes((o,)) if 0x20 <= o < 0x7F else b"\\x%02x" % o) for o in octets)

    def nginx(octets: bytes) -> bytes:
        return b"".join(b"\\x%02X" % o if o in b'"\\' or not 0x20 <= o < 0x7F else bytes((o,)) for o in octets)

    choose = random.Random(3)
    for _ in range(500):
        octets = choose.randbytes(choose.randrange(40))
        assert unescape(apache(octets)) == octets
        assert unescape(nginx(octets)) == octets
    assert unescape(b"\\q\\xzz\\") == b"\\q\\xzz\\"


def test_no_octet_of_a_request_line_is_lost() -> None:
    choose = random.Random(4)
    for _ in range(3000):
        request = bytes(choose.choices(b"GET /aHTTP/1.1 \x16-", k=choose.randrange(16)))
        method, target, protocol = split_request(request)
        assert b" ".join(piece for piece in (method, target, protocol) if piece is not None) == request


def test_truncated_and_foreign_lines_are_kept_as_they_are(
    fasturl: Callable[..., Any], make_clf: Callable[..., bytes], tmp_path: Path
) -> None:
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
def test_two_lines_torn_together_are_a_reject(fasturl: Callable[..., Any], tmp_path: Path, name: str) -> None:
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--log-format", name, "--rejects", rejects, stdin=TORN + b"\n")
    assert ran.out == b"" and rejects.read_bytes() == TORN + b"\n" and "1 line rejected" in ran.err


@pytest.mark.parametrize(
    "line",
    [
        b'h - a"b [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1',
        b'h[ - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1',
        b'h - ] [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1',
        b'h - - [17/May/2015:10:05:03" +0000] "GET / HTTP/1.1" 200 1',
        b'h - - [17/May/2015:10:05:03 +0000] "GET /"x HTTP/1.1" 200 1',
        b'h - - [17/May/2015:10:05:03 +0000] "GET /" 200 1 HTTP/1.1" 200 1',
        b'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 h - - [17/May/2015:10:05:03 +0000] "GET /',
        b'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "x" h "GET / HTTP/1.1" 200 1',
    ],
)
def test_only_quoted_fields_hold_brackets_and_quotes(fasturl: Callable[..., Any], line: bytes) -> None:
    ran = fasturl("parse", "--log-format", "COMMON", stdin=line + b"\n")
    assert ran.out == b"" and "1 line rejected" in ran.err


@pytest.mark.parametrize(
    ("more", "agent"),
    [
        (b"", b"Mozilla/5.0 [en] (X11; U)"),
        (b"", rb"a\"b\\"),
        (b' "192.0.2.9" 0.003', b"x"),
        (b" 512 0.001 [default-web-80] [] 10.0.0.1:80 612 0.001 200 7e2b", b"x"),
        (b' rt=0.1 uct="0.0" urt="0.1, 0.2" [::1]:8080', b"x"),
        (b' 42 "router@docker" "http://10.0.0.1:80" 5ms', b"x"),
    ],
)
def test_real_lines_are_records(
    fasturl: Callable[..., Any], make_clf: Callable[..., bytes], more: bytes, agent: bytes
) -> None:
    line = make_clf(b"GET /a?b[]=1 HTTP/1.1", b"http://r/?q[]=1", agent) + more
    row = fasturl("parse", "--log-format", "COMBINED", stdin=line + b"\n").row
    assert (row["url"], row["referer"]) == ("/a?b[]=1", "http://r/?q[]=1")


def test_an_empty_user_is_two_quotes(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    assert fasturl("parse", "--log-format", "COMBINED", stdin=make_clf(user=b'""')).row["user"] == ""


def test_a_carriage_return_between_records_ends_a_line(
    fasturl: Callable[..., Any], make_clf: Callable[..., bytes], tmp_path: Path
) -> None:
    lines = [make_clf(b"GET /%d HTTP/1.1" % n) for n in range(300)]
    lines[7] = lines[250] = b"torn"
    ends = [b"\r", b"\n", b"\r\n"]
    octets = b"".join(line + ends[n % 3] for n, line in enumerate(lines))
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "-F", "line,url", "--rejects", rejects, stdin=octets)
    assert [(row["line"], row["url"]) for row in ran.rows] == [
        (n, f"/{n - 1}") for n in range(1, 301) if n not in (8, 251)
    ]
    assert rejects.read_bytes() == b"torn\ntorn\n" and ran.err.startswith("300 lines, 298 URLs")
    alone = fasturl("parse", "-F", "line,url", stdin=b"\r".join(lines))
    assert alone.rows == ran.rows
    # In a list of URLs it is an octet like any other.
    assert [row["url"] for row in fasturl("parse", "-F", "url", stdin=b"http://h/a\rb\n").rows] == ["http://h/a\rb"]


def test_rejects_have_line_ends_of_their_own(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    rejects = tmp_path / "rejects"
    fasturl("parse", "--log-format", "COMMON", "--rejects", rejects, stdin=b"\xef\xbb\xbfone\ntwo")
    assert rejects.read_bytes() == b"\xef\xbb\xbfone\ntwo\n"
    fasturl("parse", "-0", "--log-format", "COMMON", "--rejects", rejects, stdin=b"o\nne\0two")
    assert rejects.read_bytes() == b"o\nne\0two\0"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--field", "a", "--column", "b"),
        ("--column", "0"),
        ("--column", "name", "--no-headers"),
        ("--column", "1", "-d", "ab"),
        ("--column", "1", "-0"),
        ("--log-format", "NOPE"),
        ("--to", "xml"),
        ("--fields", "nope"),
        ("--fields", "host,host"),
        ("--get", "{nope}"),
        ("--get", "{host"),
        ("--get", "{host}", "--to", "csv"),
        ("--max-errors", "-1"),
        ("--on-error", "explode"),
        ("-o", "-", "--rejects", "-"),
        ("--nope",),
    ],
)
def test_usage_errors(fasturl: Callable[..., Any], arguments: tuple[str, ...]) -> None:
    ran = fasturl("parse", *arguments, stdin=b"a,b\nhttp://a/\n")
    assert ran.status == 2
    assert ran.out == b"" and ran.err.startswith("fasturl: ") and "Traceback" not in ran.err


def test_a_thousand_rejects_and_no_record_end_the_run(
    fasturl: Callable[..., Any], make_clf: Callable[..., bytes], tmp_path: Path
) -> None:
    log = tmp_path / "common.log"
    log.write_bytes((make_clf(referer=None) + b"\n") * 2000)
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--log-format", "combined", log, "-o", tmp_path / "out.csv", "--rejects", rejects)
    assert ran.status == 2 and "none of its first 1,000 lines is in the format COMBINED" in ran.err
    assert not tmp_path.joinpath("out.csv").exists()
    objects = tmp_path / "objects"
    objects.write_bytes(b'{"other":"http://h/"}\n' * 1000)
    ran = fasturl("parse", "--field", "url", objects)
    assert ran.status == 2 and "a string in its field url" in ran.err
    assert fasturl("parse", "--field", "other", objects).status == 0


def test_a_row_a_request(fasturl: Callable[..., Any], make_clf: Callable[..., bytes], tmp_path: Path) -> None:
    log = make_clf(b"GET /a?b HTTP/1.0", b"http://r.example/x#y") + b"\n" + make_clf(b"GET /b", size=b"3") + b"\n"
    first, second = fasturl("parse", stdin=log).rows
    assert "field" not in first
    assert (first["line"], first["path"], first["query"], first["size"]) == (1, "/a", "b", 12)
    assert (first["referer"], second["referer"]) == ("http://r.example/x#y", None)
    # The referer's faults are its own.
    assert first["valid"] and first["findings"] == []
    names = "path,referer_host,referer_findings,referer_error_offset,referer_port"
    for kind in ("jsonl", "parquet"):
        out = tmp_path / f"out.{kind}"
        assert fasturl("parse", "-q", "-F", names, "-o", out, stdin=log).status == 0
        rows = list(map(json.loads, out.read_text().splitlines())) if kind == "jsonl" else rows_of_parquet(out)
        assert rows == [
            dict(zip(names.split(","), values, strict=True))
            for values in (("/a", "r.example", ["FRAGMENT"], 18, None), ("/b", None, None, None, None))
        ]
    assert fasturl("parse", "-q", "-F", names, "--to=csv", stdin=log).lines[1:] == [
        b"/a,r.example,FRAGMENT,18,",
        b"/b,,,,",
    ]
    assert fasturl("parse", "-q", "-g", "{path} {referer_host}", stdin=log).lines == [b"/a r.example", b"/b "]
    refused = fasturl("parse", "--rows=url", "-F", "path,referer_host", stdin=log)
    assert refused.status == 2 and "--rows url" in refused.err


def rows_of_parquet(path: Path) -> Any:
    import pyarrow.parquet as pq

    return pq.read_table(path).to_pylist()
