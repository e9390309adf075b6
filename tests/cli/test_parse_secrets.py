"""Does `fasturl parse --redact` leave nothing of what it hides in any output, and `--drop` no parameter it names?"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fasturl as library

pytest.importorskip("pyarrow", reason="parse needs pyarrow")
from fasturl.logs.changes import Redaction

S = b"S3CR3T"
# A secret in every field of a log that may hold a URL, and in lines that are in no format.
TARGETS = [
    b"/a?token=%s&n=1" % S,
    b"/a?n=1&to%%6ben=%s" % S,
    b"/a?n=1;token=%s" % S,
    b"/a?x#token=%s&y" % S,
    b"/a?token=%s;%s=%s?%s" % (S, S, S, S),
    b"http://me:%s@h.example/a?token=%s" % (S, S),
    b"//me:%s@h/?token=%s%%zz\\xe9" % (S, S),
    b"/a?token=" + S + b" HTTP/1.1?token=" + S,
]
LINE = b'h - me?token=%s [17/May/2015:10:05:03 +0000] "GET %s HTTP/1.1" 200 1 "%s" "agent (see //x:%s@h/?token=%s)"'
LINES = [
    LINE % (S, target, referer, S, S)
    for target in TARGETS
    for referer in (target, b"http://h" + target[target.find(b"/a") :])
]
TORN = [
    b"torn http://me:%s@h/?token=%s" % (S, S),
    b'{"uri":"/a?n=1\\u0026token=%s","q":"\\u003ftoken=%s"}' % (S, S),
    b"token=%s\xe9%s" % (S, S),
    b"x" * 70000 + b"?token=" + S,
]
LOG = b"\n".join(LINES + TORN) + b"\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "access.log"
    path.write_bytes(LOG)
    return path


@pytest.mark.parametrize("key", ["token", "secrets"])
@pytest.mark.parametrize("rows", ["request", "url"])
@pytest.mark.parametrize("name", ["o.jsonl", "o.csv", "o.parquet", "o.arrow"])
def test_no_output_holds_what_is_hidden(
    fasturl: Callable[..., Any], log: Path, tmp_path: Path, key: str, rows: str, name: str
) -> None:
    out, rejects = tmp_path / name, tmp_path / "rejects"
    kept = ("--rejects", rejects, "--rejects-format", "lines" if rows == "url" else "jsonl", "--max-line", "64K")
    ran = fasturl("parse", "--redact", key, "--rows", rows, *kept, "-o", out, log)
    assert ran.status == 0 and f"{len(TORN)} lines rejected" in ran.err, ran.err
    held = out.read_bytes()
    if name == "o.parquet":  # whose pages are compressed
        import pyarrow.parquet as pq

        held = b"".join(repr(column.to_pylist()).encode() for column in pq.read_table(out).columns)
    assert b"***" in held and S not in held
    held = rejects.read_bytes()
    assert held.count(b"\n") == len(TORN) and held.count(b"***") == 6 and S not in held
    assert S not in ran.err.encode()


def test_rows_are_those_of_the_text_that_is_shown(fasturl: Callable[..., Any], log: Path) -> None:
    names = "url,netloc,username,password,host,path,query,fragment,valid,findings,error_offset"
    for row in fasturl("parse", "-q", "--redact", "token", "-F", names, "--only", "referer", log).rows:
        parsed = library.parse(row["url"])
        for name in ("username", "password", "path", "query", "fragment"):
            assert (row[name] or "") == (getattr(parsed, name) or "")
        assert row["valid"] == parsed.valid
        assert row["findings"] == [name for name in row["findings"] if parsed.findings & library.Finding[name]]


def test_what_is_not_named_stays(fasturl: Callable[..., Any], log: Path) -> None:
    plain = fasturl("parse", "-q", "-F", "line,url,referer,agent", log).rows
    # Passwords are hidden whatever is named.
    for row, shown in zip(plain, fasturl("parse", "-q", "--redact", "x", "-F", "line,url,referer,agent", log).rows,
                          strict=True):  # fmt: skip
        assert shown["url"] == library.redact(row["url"])
        assert shown["agent"] == row["agent"].replace("x:S3CR3T@", "x:***@")


def test_dropped_parameters_are_in_no_column(fasturl: Callable[..., Any]) -> None:
    line = b'h - - [17/May/2015:10:05:03 +0000] "GET %s HTTP/1.1" 200 1 "%s" "agent"\n'
    text = line % (b"/a?utm_a=1&b=%zz&utm_c", b"http://h/?utm_x=%zz#f") + line % (b"/a?x=1", b"http://h/?id=2&c=3")
    drop = ("--drop", "utm_*", "--drop", "id")
    rows = fasturl("parse", *drop, "-F", "url,query,error_offset,referer,referer_query,referer_valid", stdin=text).rows
    assert rows == [
        {"url": "/a?b=%zz", "query": "b=%zz", "error_offset": 5, "referer": "http://h/#f", "referer_query": None,
         "referer_valid": False},
        {"url": "/a?x=1", "query": "x=1", "error_offset": None, "referer": "http://h/?c=3", "referer_query": "c=3",
         "referer_valid": True},
    ]  # fmt: skip
    rows = fasturl("parse", *drop, "--rows", "url", "-F", "url", stdin=text).rows
    assert [row["url"] for row in rows] == ["/a?b=%zz", "http://h/#f", "/a?x=1", "http://h/?c=3"]
    assert fasturl("parse", "-q", "--drop", "*", "-F", "url", stdin=b"http://h/?a&b=1#x\n").row["url"] == "http://h/#x"
    # What is dropped is gone before secrets are hidden, and expressions see what is written.
    ran = fasturl(
        "parse", "--drop", "a", "--redact", "a", "--redact", "b", "-F", "query", stdin=b"http://h/?a=1&b=2&a\n"
    )
    assert ran.row["query"] == "b=***"


@pytest.mark.parametrize("option", ["--drop", "--redact"])
def test_an_empty_name_is_refused(fasturl: Callable[..., Any], option: str) -> None:
    ran = fasturl("parse", option, "", stdin=b"http://h/\n")
    assert ran.status == 2 and "the name of a parameter is empty" in ran.err


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (b"a token=x b", b"a token=*** b"),
        (b"token=x", b"token=***"),
        (b"nottoken=x token", b"nottoken=x token"),
        (b"token=", b"token=***"),
        (b'"token=a b"', b'"token=*** b"'),
        (b"?a=token=x&token=y", b"?a=token=***&token=***"),
        (b"&amp;token=x", b"&amp;token=***"),
        (b"\\x26token=x \\u003Ftoken=y", b"\\x26token=*** \\u003Ftoken=***"),
        (b"%74oken=x t+ken=y", b"%74oken=*** t+ken=y"),
        (b"ftp://u:p@ss:w@h/ x@y", b"ftp://u:***@h/ x@y"),
        (b"\x00token=\x00\xff&", b"\x00token=\x00\xff&"),
    ],
)
def test_texts_that_quote_urls(text: bytes, shown: bytes) -> None:
    assert Redaction(("token",)).text(text) == shown


def test_the_keys_of_secrets_have_their_usual_spellings() -> None:
    keys = library.SECRET_KEYS
    assert len(keys) == len(set(keys))
    for key in ("token", "TOKEN", "access_token", "access-token", "accessToken", "AccessToken", "ACCESS_TOKEN", "sig",
                "X-Amz-Signature", "apiKey", "apikey", "api_key", "PHPSESSID", "SAMLResponse"):  # fmt: skip
        assert key in keys
        assert library.redact(f"/a?x=1&{key}=abc", keys) == f"/a?x=1&{key}=***"
        assert library.redact(f"/a?x=1&{key}=abc".encode(), keys) == f"/a?x=1&{key}=***".encode()
    assert library.redact("/a?id=1&q=x&page=2&tokens=3", keys) == "/a?id=1&q=x&page=2&tokens=3"
