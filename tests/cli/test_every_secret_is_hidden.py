"""No output of any layer shows a secret, wherever it stands in a URL and however it is escaped."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pytest
from clihelpers import Run, need_altair, rows_of_file

import fasturl as library
from fasturl import SECRET_KEYS, arrow, parse, redact
from fasturl.logs.redaction import Redaction
from fasturl.schemes import Ftp, Generic, Http, Telnet, decompose

S = "S3CR3T"
SCHEMES = ("http", "https", "ftp", "ws", "postgresql", "redis", "mongodb+srv", "x-own")
# Spellings of a URL in another text: unchanged, escaped up to three times, and in two forms of JSON.
ESCAPES: dict[str, Callable[[str], str]] = {
    "plain": lambda url: url,
    "escaped": lambda url: quote(url, safe=""),
    "twice": lambda url: quote(quote(url, safe=""), safe=""),
    "thrice": lambda url: quote(quote(quote(url, safe=""), safe=""), safe=""),
    "slashes": lambda url: url.replace("/", "\\/"),
    "units": lambda url: "".join(f"\\u{ord(c):04x}" if c in ":/?#@&=;" else c for c in url),
}
PASSWORDS = {
    "word": S, "slash": f"{S}/{S}", "qmark": f"{S}?{S}", "hash": f"{S}#{S}", "at": f"{S}@{S}", "colon": f"{S}:{S}",
    "escape": f"12%2f{S}%40{S}",
}  # fmt: skip
NAMES = ("token", "to%6ben", "access_token", "user[token]", "user%5Btoken%5D", "token[]", "X-Amz-Signature", "PASSWORD")


def _logins() -> Iterator[tuple[str, str]]:
    for scheme in SCHEMES:
        yield f"login {scheme}", f"{scheme}://u:{S}@h.example/db"
    for form, password in PASSWORDS.items():
        yield f"password with {form}", f"postgresql://u:{password}@h.example/db"
    for slashes in ("", "/", "///", "\\\\", "/\\"):
        yield f"browser http:{slashes}", f"http:{slashes}u:{S}@h.example/"
        yield f"browser wss:{slashes}", f"WSS:{slashes}u:{S}@h.example/"
    yield "relative", f"//u:{S}@h.example/"
    yield "no user", f"redis://:{S}@h.example/0"
    yield "hosts", f"mongodb://u:{S}@h1:27017,h2:27017/db"
    yield "address", f"http://u:{S}@[::1]:80/"
    yield "marked", f"URL:http://u:{S}@h.example/"


def _values() -> Iterator[tuple[str, str]]:
    for name in NAMES:
        yield f"query {name}", f"http://h.example/a?x=1&{name}={S}&y=2"
    yield from {
        "first pair": f"/a?token={S}",
        "second ?": f"/a?b?token={S}",
        "behind ;": f"/a?b=1;token={S};{S}",
        "path parameter": f"http://h.example/a;jsessionid={S}/b?x=1",
        "path parameter, escaped": f"/a%3Bjsessionid%3D{S}",
        "fragment": f"http://h.example/cb#access_token={S}&expires_in=1",
        "fragment, second pair": f"/cb#x=1&id_token={S}",
        "fragment with query": f"/#/route?token={S}",
        "jdbc": f"jdbc:sqlserver://h.example:1433;user=sa;password={S}/{S}?{S}#{S};x=1",
        "jdbc in braces": f"jdbc:sqlserver://h.example;password={{{S};{S}}};x=1",
        "jdbc query": f"jdbc:mysql://h.example/db?user=u&password={S}",
        "code beside state": f"https://h.example/cb?code={S}&state=1",
        "code behind state": f"https://h.example/cb?state=1&code={S}",
        "code in fragment": f"https://h.example/cb#state=1&code={S}",
    }.items()


def _kinds() -> Iterator[tuple[str, str, bool]]:
    """Yield (name, URL, True for a password)."""
    inner = (
        ("login", f"https://me:{S}@inner.example/", True),
        ("database", f"postgres://u:{S}/{S}@inner.example/db", True),
        ("token", f"https://inner.example/?token={S}", False),
        ("fragment", f"https://inner.example/#access_token={S}", False),
    )
    outer = ("/a?next={}&y=2", "http://h.example/?b?u={}", "/r#to={}", "/go/{}", "/a;next={}")
    for name, url in _logins():
        yield name, url, True
    for name, url in _values():
        yield name, url, False
    for escape, write in ESCAPES.items():
        for name, url, is_password in inner:
            for template in outer:
                yield f"{name} {escape} in {template}", template.format(write(url)), is_password


KINDS = list(_kinds())
URLS = [url for _, url, _ in KINDS]
# Usable as a word of a log line and of a text: without white space and quotes.
assert not any(c in url for url in URLS for c in " \"'<>\n") and len(KINDS) >= 60


def _error(call: Callable[[], object]) -> str:
    try:
        call()
    except ValueError as error:
        return f"{error} {error!r} {error.args}"
    return ""


FUNCTIONS: dict[str, Callable[[str], str]] = {
    "redact": lambda url: redact(url, SECRET_KEYS),
    "redact bytes": lambda url: redact(url.encode(), SECRET_KEYS).decode(),
    "redacted": lambda url: parse(url).redact(SECRET_KEYS),
    "repr": lambda url: repr(parse(url)) + repr(parse(url.encode())),
    "repr of a target": lambda url: repr(parse(url, form="request-target")),
    "repr of parts": lambda url: repr(decompose(url, strict=False)),
    "repr of extracted": lambda url: "".join(map(repr, library.find_urls(f"see <URL:{url}> and {url}"))),
    "problems": lambda url: "".join(problem.message for problem in library.problems(url)),
    "strict": lambda url: _error(lambda: parse(url, strict=True)),
    "decompose": lambda url: _error(lambda: decompose(url)),
    "port": lambda url: _error(lambda: parse(url).port),
    "form": lambda url: _error(lambda: parse("http://h/", form=url)),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_hide_secrets(name: str) -> None:
    assert not [f"{kind}: {url}: {text}" for kind, url, _ in KINDS if S in (text := FUNCTIONS[name](url))]


def test_passwords_are_hidden_without_keys() -> None:
    assert not [url for _, url, is_password in KINDS if is_password and S in redact(url)]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("data", [False, True])
def test_columns_hide_secrets(data: bool) -> None:
    column = [url.encode() for url in URLS] if data else URLS
    shown = arrow.redact(column, SECRET_KEYS).to_pylist()
    assert shown == [redact(url, SECRET_KEYS) for url in column]
    assert S not in str(shown)


ENGINES: dict[str, Callable[[Any], Any]] = {
    "polars": lambda polars: polars.Series(URLS).url.redact(SECRET_KEYS).to_list(),
    "pandas": lambda pandas: pandas.Series(URLS).url.redact(SECRET_KEYS).tolist(),
    "duckdb": lambda duckdb: _in_duckdb(duckdb),
}


def _in_duckdb(duckdb: Any) -> list[str]:
    from fasturl.engines.duckdb import create_function

    with duckdb.connect() as connection:
        create_function(connection, "hidden", "redact", tuple(SECRET_KEYS))
        connection.register("urls", pa.table({"id": range(len(URLS)), "u": URLS}))
        return [text for (text,) in connection.sql("SELECT hidden(u) FROM urls ORDER BY id").fetchall()]


@pytest.mark.parametrize("name", ENGINES)
def test_engines_hide_secrets(name: str) -> None:
    engine = pytest.importorskip(name)
    importlib.import_module(f"fasturl.engines.{name}")
    assert ENGINES[name](engine) == [redact(url, SECRET_KEYS) for url in URLS]


def test_built_values_hide_secrets() -> None:
    """The repr of a value that a caller builds shows no secret of its fields."""
    login = {"user": "u", "password": S}
    values = [
        Generic("x", host="h", path="db", query=f"token={S}", **login),
        Generic("x", hosts=[("h", 1), ("g", 2)], path=f"db?password={S}", **login),
        Generic("jdbc", f"sqlserver://h;password={S}"),
        *(Generic("x", url.partition(":")[2]) for url in URLS if url.startswith(("postgresql:", "redis:", "mongodb:"))),
        *(Ftp(host="h", name="a", **login), Telnet(host="h", **login)),
        *(Http("h", path="a", search=f"token={S}"), Http("h", path=f"a;jsessionid={S}")),
    ]
    assert len(values) > 10 and not [value for value in map(repr, values) if S in value]


def test_redaction_changes_secrets_only() -> None:
    """Redaction is idempotent, and keeps the text around secrets."""
    for url in URLS:
        shown = redact(url, SECRET_KEYS)
        at = 0
        for part in shown.split("***"):
            at = url.find(part, at)
            assert at >= 0, (url, shown)
            at += len(part)
        assert redact(shown, SECRET_KEYS) == shown


@pytest.mark.parametrize("url", [
    "http://h:8080/@me", "https://me:***@registry.example/@scope/pkg", "http://[::1]:80/a@b",
    "http://[2001:db8::1]/a@b", "http://h/?url=http://h.example:8080&mail=a@b", "/cb?code=12345", "mailto:a:b@h",
    "/a?tokens=1&tokenizer=2&keys=3", "http://h/a:b@c", "http://u@h:80/a:b@c", "/a//u:p@h/", "news:12:a@h",
    "data:text/html,a:b@c", "/a?state=1", "http://h/%40%3d", "/users/a@b:c", "http://h/?q=a://b&c=%40",
])  # fmt: skip
def test_redaction_keeps_other_text(url: str) -> None:
    assert redact(url, SECRET_KEYS) == url
    assert arrow.redact([url], SECRET_KEYS).to_pylist() == [url]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a log that has each URL as a target, as a referer, in an agent, and in two rejected lines."""
    path = tmp_path_factory.mktemp("secrets") / "access.log"
    lines = []
    for url in URLS:
        start = 'h - - [17/May/2015:10:05:03 +0000] "GET'
        lines.append(f'{start} {url} HTTP/1.1" 200 1 "{url}" "agent (+{url}) {url}"')
        if url.startswith("/") and not url.startswith("//"):
            lines.append(f'{start} /x HTTP/1.1" 200 1 "http://h.example{url}" "a"')
        lines.append(f"torn {url}")
        lines.append(json.dumps({"request": url}).replace("/", "\\/"))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secrets") / "urls.txt"
    path.write_text("\n".join(URLS) + "\n")
    return path


def _lines_with_secrets(data: bytes) -> list[bytes]:
    return [line[:500] for line in data.splitlines() if S.encode() in line]


@pytest.mark.parametrize("rows", ["request", "url"])
@pytest.mark.parametrize("name", ["o.jsonl", "o.csv", "o.parquet"])
def test_parse(fasturl: Run, log: Path, tmp_path: Path, rows: str, name: str) -> None:
    out, rejects = tmp_path / name, tmp_path / ("rejects" if name == "o.csv" else "rejects.jsonl")
    options = ("--rows", rows, "--keep", "*", "--log-format", "COMBINED", "--rejects", rejects)
    ran = fasturl("parse", "--redact", "secrets", *options, "-o", out, log)
    assert ran.status == 0, ran.err
    # Parquet is compressed.
    held = out.read_bytes() if name != "o.parquet" else b"\n".join(repr(row).encode() for row in rows_of_file(out))
    assert b"***" in held and not _lines_with_secrets(held)
    held = rejects.read_bytes()
    assert held.count(b"\n") == 2 * len(URLS) and not _lines_with_secrets(held)
    assert S not in ran.err


def test_parse_urls(fasturl: Run, urls: Path) -> None:
    ran = fasturl("parse", "--redact", "secrets", "--log-format", "URLS", urls)
    assert ran.status == 0 and not _lines_with_secrets(ran.out + ran.err.encode())
    assert len(ran.lines) == len(URLS)


def test_stats(fasturl: Run, log: Path) -> None:
    for form in ((), ("-t", "all"), ("-t", "all", "--json"), ("-t", "all", "--key", "path")):
        ran = fasturl("stats", "--log-format", "COMBINED", "--allow-rejects", "--top", "10000", *form, log)
        assert ran.status == 0, ran.err
        assert (b"***" in ran.out or not form) and not _lines_with_secrets(ran.out + ran.err.encode())


def test_report(fasturl: Run, log: Path, tmp_path: Path) -> None:
    need_altair()
    page = tmp_path / "report.html"
    ran = fasturl("report", "--log-format", "COMBINED", "--allow-rejects", "--top", "10000", "-o", page, log)
    assert ran.status == 0, ran.err
    assert b"***" in page.read_bytes() and not _lines_with_secrets(page.read_bytes())


@pytest.mark.parametrize("form", ["text", "json"])
def test_check(fasturl: Run, urls: Path, form: str) -> None:
    ran = fasturl("check", "--hazards", "--format", form, "--log-format", "URLS", urls)
    assert ran.status == 1 and not _lines_with_secrets(ran.out + ran.err.encode())


@pytest.mark.long
def test_explain(fasturl: Run) -> None:
    for url in URLS:
        ran = fasturl("explain", "--", url)
        # Join the rows into which explain breaks a URL.
        assert S not in ran.out.decode().replace("\n", "").replace(" ", ""), ran.out.decode()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_extract(fasturl: Run, urls: Path, form: tuple[str, ...]) -> None:
    ran = fasturl("extract", "--redact", "secrets", *form, urls)
    assert ran.status == 0 and b"***" in ran.out and not _lines_with_secrets(ran.out)


SECRET = S.encode()
# A secret in every field of a log that may hold a URL, and in rejected lines.
TARGETS = [
    b"/a?token=%s&n=1" % SECRET, b"/a?n=1&to%%6ben=%s" % SECRET, b"/a?n=1;token=%s" % SECRET,
    b"/a?x#token=%s&y" % SECRET, b"/a?token=%s;%s=%s?%s" % (SECRET, SECRET, SECRET, SECRET),
    b"http://me:%s@h.example/a?token=%s" % (SECRET, SECRET), b"//me:%s@h/?token=%s%%zz\\xe9" % (SECRET, SECRET),
    b"/a?token=" + SECRET + b" HTTP/1.1?token=" + SECRET,
]  # fmt: skip
LINE = b'h - me?token=%s [17/May/2015:10:05:03 +0000] "GET %s HTTP/1.1" 200 1 "%s" "agent (see //x:%s@h/?token=%s)"'
LINES = [LINE % (SECRET, target, referer, SECRET, SECRET)
         for target in TARGETS for referer in (target, b"http://h" + target[target.find(b"/a") :])]  # fmt: skip
TORN = [b"torn http://me:%s@h/?token=%s" % (SECRET, SECRET), b"token=%s\xe9%s" % (SECRET, SECRET)]
TORN += [
    b'{"uri":"/a?n=1\\u0026token=%s","q":"\\u003ftoken=%s"}' % (SECRET, SECRET), b"x" * 70000 + b"?token=" + SECRET,
]  # fmt: skip
LOG = b"\n".join(LINES + TORN) + b"\n"


@pytest.mark.parametrize("key", ["token", "secrets"])
@pytest.mark.parametrize("rows", ["request", "url"])
@pytest.mark.parametrize("name", ["o.jsonl", "o.csv", "o.parquet", "o.arrow"])
def test_parse_writes_no_secret_to_any_output(fasturl: Run, tmp_path: Path, key: str, rows: str, name: str) -> None:
    out, rejects = tmp_path / name, tmp_path / ("rejects" if rows == "url" else "rejects.jsonl")
    kept = ("--rejects", rejects, "--max-line", "64K")
    ran = fasturl("parse", "--redact", key, "--rows", rows, *kept, "-o", out, stdin=LOG)
    assert ran.status == 0 and f"{len(TORN)} lines rejected" in ran.err, ran.err
    held = out.read_bytes() if name != "o.parquet" else repr(rows_of_file(out)).encode()
    assert b"***" in held and SECRET not in held
    held = rejects.read_bytes()
    assert held.count(b"\n") == len(TORN) and held.count(b"***") == 6 and SECRET not in held
    assert SECRET not in ran.err.encode()


def test_columns_are_those_of_the_redacted_url(fasturl: Run) -> None:
    names = "url,netloc,username,password,host,path,query,fragment,valid_rfc1738,findings,error_offset"
    for row in fasturl("parse", "-q", "--redact", "token", "-F", names + ",field", "--rows", "url", stdin=LOG).rows:
        if row["field"] != "referer":
            continue
        parsed = library.parse(row["url"])
        for name in ("username", "password", "path", "query", "fragment"):
            assert (row[name] or "") == (getattr(parsed, name) or "")
        assert row["valid_rfc1738"] == parsed.valid_rfc1738
        assert row["findings"] == [name for name in row["findings"] if parsed.findings & library.Finding[name]]


def test_redact_keeps_other_parameters(fasturl: Run) -> None:
    plain = fasturl("parse", "-q", "-F", "line,url,referer,agent", stdin=LOG).rows
    # Passwords are hidden for any key.
    redacted = fasturl("parse", "-q", "--redact", "x", "-F", "line,url,referer,agent", stdin=LOG).rows
    for row, shown in zip(plain, redacted, strict=True):
        assert shown["url"] == library.redact(row["url"], ["x"])
        assert shown["agent"] == row["agent"].replace("x:S3CR3T@", "x:***@")


def test_drop_removes_parameters_from_all_columns(fasturl: Run) -> None:
    line = b'h - - [17/May/2015:10:05:03 +0000] "GET %s HTTP/1.1" 200 1 "%s" "agent"\n'
    text = line % (b"/a?utm_a=1&b=%zz&utm_c", b"http://h/?utm_x=%zz#f") + line % (b"/a?x=1", b"http://h/?id=2&c=3")
    drop = ("--drop", "utm_*", "--drop", "id")
    fields = "url,query,error_offset,referer,referer_query,referer_valid_rfc1738"
    assert fasturl("parse", *drop, "-F", fields, stdin=text).rows == [
        {"url": "/a?b=%zz", "query": "b=%zz", "error_offset": 5, "referer": "http://h/#f", "referer_query": None,
         "referer_valid_rfc1738": False},
        {"url": "/a?x=1", "query": "x=1", "error_offset": None, "referer": "http://h/?c=3", "referer_query": "c=3",
         "referer_valid_rfc1738": True},
    ]  # fmt: skip
    rows = fasturl("parse", *drop, "--rows", "url", "-F", "url", stdin=text).rows
    assert [row["url"] for row in rows] == ["/a?b=%zz", "http://h/#f", "/a?x=1", "http://h/?c=3"]
    assert fasturl("parse", "-q", "--drop", "*", "-F", "url", stdin=b"http://h/?a&b=1#x\n").row["url"] == "http://h/#x"
    # Parameters are dropped before secrets are hidden, and expressions see the final values.
    options = ("--drop", "a", "--redact", "a", "--redact", "b", "-F", "query")
    assert fasturl("parse", *options, stdin=b"http://h/?a=1&b=2&a\n").row["query"] == "b=***"


@pytest.mark.parametrize("option", ["--drop", "--redact"])
def test_drop_and_redact_refuse_an_empty_name(fasturl: Run, option: str) -> None:
    ran = fasturl("parse", option, "", stdin=b"http://h/\n")
    assert ran.status == 2 and "the parameter has no name" in ran.err


@pytest.mark.parametrize(("text", "shown"), [
    (b"a token=x b", b"a token=*** b"),                       (b"token=x", b"token=***"),
    (b"nottoken=x token", b"nottoken=x token"),               (b"token=", b"token=***"),
    (b'"token=a b"', b'"token=*** b"'),                       (b"?a=token=x&token=y", b"?a=token=***&token=***"),
    (b"&amp;token=x", b"&amp;token=***"),
    (b"\\x26token=x \\u003Ftoken=y", b"\\x26token=*** \\u003Ftoken=***"),
    (b"%74oken=x t+ken=y", b"%74oken=*** t+ken=y"),           (b"ftp://u:p@ss:w@h/ x@y", b"ftp://u:***@h/ x@y"),
    (b"\x00token=\x00\xff&", b"\x00token=\x00\xff&"),
])  # fmt: skip
def test_redaction_covers_texts_that_quote_urls(text: bytes, shown: bytes) -> None:
    assert Redaction(("token",)).text(text) == shown


def test_secret_keys_have_their_usual_spellings() -> None:
    keys = library.SECRET_KEYS
    assert len(keys) == len(set(keys)) and all(key == key.lower() for key in keys)
    names = (
        "token TOKEN private_token csrfmiddlewaretoken AccountKey clientSecret access_token access-token accessToken "
        "AccessToken ACCESS_TOKEN sig X-Amz-Signature apiKey apikey api_key PHPSESSID SAMLResponse"
    )
    for key in names.split():
        assert library.redact(f"/a?x=1&{key}=abc", keys) == f"/a?x=1&{key}=***"
        assert library.redact(f"/a?x=1&{key}=abc".encode(), keys) == f"/a?x=1&{key}=***".encode()
    assert library.redact("/a?id=1&q=x&page=2&tokens=3", keys) == "/a?id=1&q=x&page=2&tokens=3"
