"""The one table of cases for every engine: inputs, and what ``fasturl.parse`` says of their octets."""

import inspect
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

import fasturl

pytest.importorskip("pyarrow", reason="the extra fasturl[arrow] is not installed")

from fasturl.arrow import FIELDS
from fasturl.engines._shapes import FUNCTIONS

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


@dataclass(frozen=True)
class Call:
    """A function with arguments: a line of the table. ``arguments`` come after the column, as methods take them."""

    name: str
    arguments: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.name}{self.arguments}{dict(self.options)}"

    @property
    def field(self) -> tuple[Any, ...]:
        """As ``fields=`` has it."""
        return (self.name, *self.arguments, dict(self.options))

    def method(self, accessor: Any) -> Any:
        return getattr(accessor, self.name)(*self.arguments, **dict(self.options))

    def sql(self, prefix: str, column: str = "u") -> str:
        """As SQL has it, where there are no options: a struct has one type, and so a scheme a function of its own."""
        if self.name == "decompose":
            return f"{prefix}decompose_{self.arguments[0]}({column})"
        values = [v for value in self.arguments for v in (value if isinstance(value, tuple) else [value])]
        name = self.name if self.name.startswith(prefix) else prefix + self.name
        if self.name == "join":  # the base first, as in fasturl.arrow
            return f"{name}({values[0]!r}, {column})"
        return f"{name}({', '.join([column, *map(repr, values)])})"


# Of functions that have some: the arguments after the column, and settings, once more for each that matters.
ARGUMENTS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "quote": [((), {}), (("/:?&=",), {})],
    "query_value": [(("token",), {}), (("x", "none"), {})],
    "redact": [((), {}), ((("token", "x"),), {})],
    "drop_query": [((("tok*", "x"),), {}), (("search",), {})],
    "query_values": [((("x", "token"),), {})],
    "query_pairs": [((), {}), ((), {"decode": False})],
    "without": [((), {}), (("query", "fragment"), {}), (("scheme", "login", "www", "port"), {})],
    "path_template": [((), {}), ((), {"keep": ("index.html", "1234%40x@host.com")})],
    "path_prefixes": [((), {}), ((), {"most": 1})],
    "dedup_key": [((), {}), ((), {"sort": False, "drop": ("x",)})],
    "public_suffix": [((), {}), ((), {"private": False})],
    "join": [(("http://ex.com/a/b?c",), {})],
    "decompose": [(("ftp",), {}), (("http",), {})],
}
_BY_LIST = {"public_suffix", "registrable_domain", "subdomain"}
# Of two columns: tests/functions asks it.
OF_TWO = {"equivalent"}


def _calls() -> list[Call]:
    """A line for every function of the list, so that one without arguments here fails where they are missing."""
    calls = []
    for name, function in FUNCTIONS.items():
        if name in OF_TWO or (name in _BY_LIST and find_spec("publicsuffixlist") is None):
            continue
        for arguments, options in ARGUMENTS.get(name, [((), {})]):
            calls.append(Call(name, arguments, tuple(options.items())))
        if "form" in inspect.signature(function).parameters:
            calls.append(Call(name, calls[-1].arguments, (("form", "request-target"),)))
    return calls


CALLS = _calls()
SQL_CALLS = [call for call in CALLS if not call.options]


def _octets(value: Any) -> Any:
    """What a function gives of text, in octets."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, dict):
        return {key.decode() if isinstance(key, bytes) else key: _octets(one) for key, one in value.items()}
    return type(value)(map(_octets, value)) if isinstance(value, (list, tuple)) else value


def _joined(url: str | bytes, base: str) -> Any:
    """Null for what urljoin refuses; octets are what they are."""
    try:
        if isinstance(url, bytes):
            return fasturl.urljoin(base, url.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        return fasturl.urljoin(base, url)
    except ValueError:
        return None


def _decomposed(url: str | bytes, scheme: str) -> Any:
    """The components of a URL of that scheme, with lists for tuples."""
    parts = fasturl.decompose(url, strict=False)
    if parts.scheme != scheme:
        return None
    found = {name: getattr(parts, name) for name in parts.__dataclass_fields__}
    found = {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
    return _octets(found) if isinstance(url, bytes) else found


def _problems(url: str | bytes, form: str = "url") -> Any:
    """In octets, of text too."""
    octets = url if isinstance(url, bytes) else url.encode()
    return [
        {"finding": int(bit), "start": start, "end": end} for bit, start, end, _ in fasturl.problems(octets, form=form)
    ]


def _plus_unquoted(url: str | bytes) -> Any:
    return fasturl.unquote_to_bytes(url.replace(b"+", b" ")) if isinstance(url, bytes) else fasturl.unquote_plus(url)


# What has another form for columns than for one URL.
_OTHERWISE = {"join": _joined, "decompose": _decomposed, "problems": _problems, "unquote_plus": _plus_unquoted}


def _asked(call: Call, url: str | bytes) -> Any:
    """The answer for one URL, as Arrow has it: pairs are structs."""
    binary = isinstance(url, bytes)
    if call.name in _OTHERWISE:
        return _OTHERWISE[call.name](url, *call.arguments, **dict(call.options))
    of_octets = {"quote": "quote_from_bytes", "unquote": "unquote_to_bytes"}
    name = of_octets.get(call.name, call.name) if binary else call.name
    arguments, options = call.arguments, dict(call.options)
    if binary and call.name != "without":
        arguments = _octets(arguments)
        options = {key: value if key == "form" else _octets(value) for key, value in options.items()}
    found = getattr(fasturl, name)(url, *arguments, **options)
    if call.name == "query_pairs" and found is not None:
        found = [{"name": key, "value": value} for key, value in found]
    return _octets(found) if binary else found


@cache
def results(call: Call, binary: bool) -> list[Any]:
    """What one URL after the other gives."""
    urls: list[Any] = list(OCTETS if binary else TEXT)
    return [None if url is None else _asked(call, url) for url in urls]


def in_sql(call: Call, binary: bool) -> list[Any]:
    """As the functions in SQL have them: what has names of its own in each call is a map."""
    found = results(call, binary)
    if call.name == "query_values" and binary:
        return [row and {key.encode(): value for key, value in row.items()} for row in found]
    return found
