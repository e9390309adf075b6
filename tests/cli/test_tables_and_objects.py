"""`fasturl parse` on URLs in a CSV column or a JSON field, and on inputs of two formats."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_inputs_of_two_formats(fasturl: Callable[..., Any], make_clf: Callable[..., bytes], tmp_path: Path) -> None:
    urls, log = tmp_path / "urls", tmp_path / "log"
    urls.write_bytes(b"http://a/\n")
    log.write_bytes(make_clf() + b"\n")
    rows = fasturl("parse", urls, log).rows
    assert "status" not in rows[0] and rows[1]["status"] == 200
    out = tmp_path / "out.csv"
    both = fasturl("parse", urls, log, "-o", out)
    assert both.status == 2 and "other columns" in both.err and not out.exists()
    chosen = fasturl("parse", urls, log, "-F", "url,status", "--to", "csv")
    assert chosen.lines == [b"url,status", b"http://a/,", b"/,200"]


def test_jsonl_input(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    lines = [
        {"url": "http://a/"},
        {"url": None},
        {"url": 7},
        {"other": 1},
        {"request": {"uri": "/x"}},
        {"url": "caf\udce9 \ud800"},
    ]
    source = "\n".join(map(json.dumps, lines)).encode() + b'\n\nnonsense\n{"url": "raw\xff"}\n[1]\n'
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--octets", "surrogate", "--field", "url", "--rejects", rejects, stdin=source)
    # Another lone surrogate than those that stand for octets is kept as the three octets of its code.
    odd = "caf\udce9 \ud800".encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    assert [(row["line"], row["field"], row["url"]) for row in ran.rows] == [
        (1, "url", "http://a/"),
        (6, "url", odd),
        (9, "url", "raw\udcff"),
    ]
    assert rejects.read_bytes().splitlines() == [
        b'{"url": 7}', b'{"other": 1}', b'{"request": {"uri": "/x"}}', b"nonsense", b"[1]",
    ]  # fmt: skip
    assert "2 empty" in ran.err
    nested = fasturl("parse", "--field", "request.uri", "--form", "request-target", stdin=source)
    assert [(row["field"], row["path"], row["valid"]) for row in nested.rows] == [("request.uri", "/x", True)]
    unnamed = fasturl("parse", stdin=source)
    assert unnamed.status == 2 and "--field" in unnamed.err and unnamed.err.count("\n") == 1


def test_csv_input(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    table = (
        b'id,"the ""url""",note\r\n1,http://a/,x\r\n2,"http://b/?a,b",y\r\n3,"http://c/\r\nd",z\r\nshort\r\n'
        b'4,,empty\r\n5,http://e/"quoted",\r\n\r\n6,caf\xe9\0,"open\r\nto the end'
    )
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "-c", 'the "url"', "--rejects", rejects, stdin=table)
    assert [(row["line"], row["url"]) for row in ran.rows] == [
        (2, "http://a/"),
        (3, "http://b/?a,b"),
        (4, "http://c/\r\nd"),
        (8, 'http://e/"quoted"'),
    ]
    assert ran.rows[0]["field"] == 'the "url"'
    assert rejects.read_bytes() == b'short\r\n6,caf\xe9\0,"open\r\nto the end\n'
    by_number = fasturl("parse", "--column", "2", "-F", "url", stdin=table)
    assert len(by_number.rows) == 4
    tabs = fasturl("parse", "-c", "2", "-n", "-d", r"\t", "-F", "url", stdin=b"a\thttp://t/,x\tb\n")
    assert tabs.rows == [{"url": "http://t/,x"}]
    missing = fasturl("parse", "-c", "nope", stdin=table)
    assert missing.status == 2 and "nope" in missing.err and "note" in missing.err
