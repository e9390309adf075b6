"""The one table of cases for every engine: inputs, and what ``fasturl.parse`` says of their octets."""

import pytest

import fasturl

pytest.importorskip("pyarrow", reason="the extra fasturl[arrow] is not installed")

from fasturl.arrow import FIELDS

# What logs hold and what attackers write in them.
NASTY = [
    "/index.html?x=1",
    "*",
    "example.com:443",
    "//admin/x?y",
    "//a[b]/c",
    "-",
    "",
    "http://ex.com/a%",
    "http://ex.com/a%2",
    "http://ex.com/%zz",
    "http://ex.com/%u0041",
    "http://ex.com/caf\xe9",
    "http://ex.com/caf%E9",
    "http://ex.com/a|b{c}^`",
    "http://ex.com/a b",
    "/s?q=<script>alert(1)</script>",
    "http://u:p:q@ex.com:8080/",
    "http://u:p@ss@ex.com/",
    "http://[::1]:80/x",
    "http://[fe80::1%25eth0]/",
    "http://[::1/x",
    "http://ex.com:99999/",
    "http://ex.com:8a/",
    "http://ex.com:/",
    "http://ex.com/a\r\nSet-Cookie: x",
    "http://ex.com/a%0d%0aX",
    "http://ex.com/a\0b%00c",
    "http://ex.com/%252e%252e%252f",
    "http://ex.com/..%c0%af..",
    "http://ex.com/" + "longpath/" * 933,
    "\x16\x03\x01\x02\0",
    "http://good.com\\@evil.com/",
    "http://a\u2100b.com/",
    "http://ex.com/a\x1b[0m",
    "/${jndi:ldap://x:1/a}",
    "gopher://ex.com/11/x%09s%09+",
    "mailto:a@b.com?subject=x",
    "ftp://u@ex.com/%2Fetc/x;type=i",
    "news:comp.lang.python",
    "HTTP://EX.com:80/%7Euser/../b",
    "/a#f?x",
    "http://ex.com/?#",
]
# Each scheme of RFC 1738, and others; empty and absent parts; parts on both sides of the twelve octets that a view
# holds.
SCHEMES = [
    "ftp://@host.com/",
    "ftp://foo:@host.com/a/b;type=d",
    "http://host.dom:8000/path?search=a+b&token=s%26cret",
    "gopher://host.com:70/0sel%09search%09%2B",
    "news:*",
    "news:1234%40x@host.com",
    "nntp://host.com/alt.group/7",
    "telnet://user:pw@host.com:23/",
    "wais://host.com/db/wt/wp",
    "file:///etc/motd",
    "file://vms.host.edu/disk$user/my/notes/note12345.txt",
    "prospero://host.dom/pros/name;key=value",
    "https://example.com/",
    "x-own:anything",
    "data:text/plain,hello",
    "http://twelve.chars/x12345678901/",
    "http://h",
    "http://h?",
    "http://@:@h",
    "h:443",
    "http://\xfcser:p\xe4ss@h\xf6st.example/\U0001f600?\xe9#\u4e2d",
    "http:// spaced.example /a?token=1 2&token=3",
    "//h/a/b?x=y#z",
]
TEXT: list[str | None] = [*NASTY, None, *SCHEMES, None]
# The same, and octets that are no text in UTF-8, for columns of binary.
OCTETS: list[bytes | None] = [
    *(None if url is None else url.encode() for url in TEXT),
    b"http://ex.com/caf\xe9",
    b"\xff\xfe",
    b"http://u:\x80@h\xff/?\xc0\xaf#\xed\xa0\x80",
]
FORMS = ("url", "request-target")

Row = dict[str, object]


def expected(url: bytes | None, form: str) -> Row | None:
    """Every field of one URL: None for no URL."""
    if url is None:
        return None
    parsed = fasturl.parse(url, form=form)
    row: Row = {}
    for name in ("netloc", "username", "password", "host", "path", "query", "fragment"):
        place = parsed.span(name)
        row[name] = None if place is None else url[slice(*place)]
    row["scheme"] = parsed.scheme or None
    row["hostname"] = parsed.hostname
    try:
        row["port"] = parsed.port
    except ValueError:
        row["port"] = None
    row["findings"] = int(parsed.findings)
    row["valid"] = parsed.valid
    row["error_offset"] = parsed.error_offset
    return {name: row[name] for name in FIELDS}


def expected_text(url: str | None, form: str) -> Row | None:
    row = expected(None if url is None else url.encode(), form)
    if row is None:
        return None
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in row.items()}


TEXT_ROWS = {form: [expected_text(url, form) for url in TEXT] for form in FORMS}
OCTET_ROWS = {form: [expected(url, form) for url in OCTETS] for form in FORMS}
NO_URL: Row = dict.fromkeys(FIELDS)


def flat(rows: list[Row | None]) -> list[Row]:
    """As a table has them, where no URL is a row of nulls."""
    return [NO_URL if row is None else row for row in rows]


def columns(rows: list[Row | None]) -> dict[str, list[object]]:
    return {name: [row[name] for row in flat(rows)] for name in FIELDS}


def per_row(function: object, *arguments: object, binary: bool = False) -> list[object]:
    """What one of fasturl's functions says of each URL."""
    assert callable(function)
    urls: list[str | None] | list[bytes | None] = OCTETS if binary else TEXT
    return [None if url is None else function(url, *arguments) for url in urls]


# The functions of a column, with the arguments after it, and how one URL is asked: text, then octets.
FUNCTIONS: list[tuple[str, tuple[object, ...], dict[str, object]]] = [
    ("quote", (), {}),
    ("quote", ("/:?&=",), {}),
    ("unquote", (), {}),
    ("query_value", ("token",), {}),
    ("query_value", ("x", "none"), {}),
    ("normalize", (), {}),
    ("redact", (), {}),
    ("redact", (["token", "x"],), {}),
]


def function_results(
    name: str, arguments: tuple[object, ...], keywords: dict[str, object], *, binary: bool
) -> list[object]:
    of_octets = {"quote": "quote_from_bytes", "unquote": "unquote_to_bytes"}
    one = getattr(fasturl, of_octets.get(name, name) if binary else name)
    if binary:
        arguments = tuple(value.encode() if isinstance(value, str) else value for value in arguments)
    results = per_row(lambda url: one(url, *arguments, **keywords), binary=binary)
    return [value.encode() if binary and isinstance(value, str) else value for value in results]
