"""What `fasturl stats` shows: for programs, for pipes and for people."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from terminals import on_a_terminal

pytest.importorskip("duckdb", reason="stats counts by DuckDB")

URLS = b"http://a.example/x\nhttp://A.example/x\nftp://b.example/\nhttp://a.example/y z\nnonsense\n"


def test_for_programs(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    ran = fasturl("stats", "--json", stdin=URLS)
    assert ran.status == 0 and ran.err == ""
    assert json.loads(ran.out) == {
        "lines": 5, "urls": 5, "valid": 3, "invalid": 2, "rejected": 0, "empty": 0, "by": "count",
        "findings": {"NO_SCHEME": 1, "UNSAFE": 1},
        "scheme": {"http": 3, "ftp": 1},
        "host": {"a.example": 3, "b.example": 1},
        "path": {"/x": 2, "/": 1, "/y z": 1, "nonsense": 1},
        "path_template": {"/x": 2, "/": 1, "/y z": 1},
        "first_segment": {"x": 2, "": 1, "y z": 1},
        "extension": {}, "query_key": {}, "method": {}, "status": {}, "hour": {}, "client": {}, "agent": {},
        "referer_findings": {}, "referer_host": {},
    }  # fmt: skip


def test_requests_and_referers_are_counted_apart(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    log = make_clf(b"GET /a HTTP/1.1", b"http://r/b%zz", size=b"7") + b"\n"
    log += make_clf(b"POST /c/9?k=1 HTTP/1.1", status=b"404", size=b"100") + b"\nno line of a log\n"
    told = json.loads(fasturl("stats", "--json", stdin=log).out)
    assert told["path"] == {"/a": 1, "/c/9": 1} and told["host"] == {}
    assert told["path_template"] == {"/a": 1, "/c/{n}": 1}
    assert told["referer_host"] == {"r": 1} and told["findings"] == {} and told["referer_findings"] == {"BAD_ESCAPE": 1}
    assert told["status"] == {"200": 1, "404": 1} and told["hour"] == {"10": 2} and told["query_key"] == {"k": 1}
    assert (told["urls"], told["valid"], told["rejected"], told["size"]) == (2, 2, 1, 107)
    assert (told["referers"], told["valid_referers"], told["invalid_referers"]) == (1, 0, 1)
    told = json.loads(fasturl("stats", "--json", "--by", "size", "--top", "1", stdin=log).out)
    assert told["by"] == "size" and told["path"] == {"/c/9": 100} and told["method"] == {"POST": 100}


def test_of_paths_by_status(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    lines = [
        make_clf(b"GET /a HTTP/1.1", b"http://r/a"),
        make_clf(b"GET /a?x HTTP/1.1", status=b"404"),
        make_clf(b"GET /caf\xe9 HTTP/1.1", status=b"404"),
        make_clf(b"GET /a HTTP/1.1", status=b"-"),
        make_clf(b"HEAD /a HTTP/1.1", b"http://r/b"),
    ]
    log = b"".join(line + b"\n" for line in lines)
    ran = fasturl("stats", "-t", "status_path", "-t", "status", stdin=log)
    assert ran.out == b"status_path\n2\t200 /a\n1\t404 /a\n1\t404 /caf%E9\n\nstatus\n2\t200\n2\t404\n"
    assert b"\n1\t404 /caf\\xe9\n" in fasturl("stats", "-t", "status_path", "--octets", "surrogate", stdin=log).out
    told = json.loads(fasturl("stats", "--json", "-t", "status_path", "--top", "1", stdin=log).out)
    assert told == {"by": "count", "status_path": {"200 /a": 2}}
    told = json.loads(fasturl("stats", "--json", "-t", "finding", "-t", "total", stdin=log).out)
    assert told["findings"] == {"NON_ASCII": 1} and told["lines"] == 5 and "path" not in told
    # Nothing has a status there, and no table is shown for nothing.
    assert fasturl("stats", "-t", "status_path", stdin=URLS).out == b""


@pytest.mark.parametrize("octets", ["escape", "surrogate"])
def test_octets_that_are_no_text(fasturl: Callable[..., Any], octets: str) -> None:
    ran = fasturl(
        "stats", "--json", "-t", "path", "--octets", octets, stdin=b"http://h/\xe9\nhttp://h/%E9\nhttp://h/\xc3\xa9\n"
    )
    want = {"/%E9": 2, "/\xe9": 1} if octets == "escape" else {"/\udce9": 1, "/%E9": 1, "/\xe9": 1}
    assert json.loads(ran.out)["path"] == want


def test_for_pipes(fasturl: Callable[..., Any]) -> None:
    text = fasturl("stats", stdin=URLS + b"http://h/\x1b[31m\n").out.decode()
    assert "\x1b" not in text and "1\t/\\x1b[31m\n" in text
    assert "host\n3\ta.example\n1\tb.example\n" in text


def test_long_keys_are_whole_for_programs_and_cut_for_people(fasturl: Callable[..., Any]) -> None:
    urls = b"http://h/%s\nhttp://h/%sx\n" % (b"x" * 9999, b"x" * 600)
    told = json.loads(fasturl("stats", "--json", stdin=urls).out)
    assert told["path"] == {"/" + "x" * 9999: 1, "/" + "x" * 601: 1}
    assert fasturl("stats", "-t", "path", stdin=urls).out == b"path\n" + b"1\t/%s...\n" % (b"x" * 511) * 2


def test_on_a_terminal_there_are_bars() -> None:
    pytest.importorskip("rich")
    shown, status = on_a_terminal(["stats", "-t", "host"], URLS, NO_COLOR="1", COLUMNS="80")
    assert status == 0 and b"\x1b[3" not in shown
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode()).split("\r\n")
    first, second = (next(line for line in lines if host in line) for host in ("a.example", "b.example"))
    assert first.count("\u2588") == 12 and second.count("\u2588") == 4
    assert all(len(line) <= 80 for line in lines)


def test_more_than_memory_holds_goes_to_disk_or_says_why_not(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    urls = tmp_path / "urls"
    urls.write_bytes(b"".join(b"http://h/%d\n" % (n // 2) for n in range(50_000)))
    ran = fasturl("stats", "-t", "path", "--top", "1", "--memory", "32M", urls, TMPDIR=str(tmp_path))
    assert ran.out == b"path\n2\t/0\n" and [path.name for path in tmp_path.iterdir()] == ["urls"]
    ran = fasturl("stats", "--memory", "1", urls)
    assert ran.status == 2 and ran.out == b"" and ran.err.startswith("fasturl: ") and ran.err.count("\n") == 1
