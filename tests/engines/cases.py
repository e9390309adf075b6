"""The one table of cases for every engine: inputs, and what ``fasturl.parse`` says of their octets."""

import inspect
from dataclasses import dataclass, fields
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

import fasturl

pa = pytest.importorskip("pyarrow", reason="the extra fasturl[arrow] is not installed")

from fasturl.arrow import FIELDS  # noqa: E402 - what is not installed is skipped before
from fasturl.engines._shapes import FUNCTIONS, shape  # noqa: E402

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
        """As SQL has it, where there are no options."""
        values = [v for value in self.arguments for v in (value if isinstance(value, tuple) else [value])]
        name = self.name if self.name.startswith(prefix) else prefix + self.name
        if self.name == "decompose":  # one function for each scheme, for each has fields of its own
            return f"{name}_{values[0]}({column})"
        return f"{name}({', '.join(shape(self.name).placed([column], [repr(value) for value in values]))})"


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
    "join": [(("http://b.example/x/y?q",), {})],
    "equivalent": [(("http://ex.com/%7euser/../b",), {})],
    "decompose": [(("http",), {}), (("ftp",), {}), (("mailto",), {})],
}
# Of several columns: as methods these have tests of their own; here one column is the same text in each row.
_OF_COLUMNS = {name for name in FUNCTIONS if shape(name).columns > 1}
_BY_LIST = {"public_suffix", "registrable_domain", "subdomain"}


def _calls() -> list[Call]:
    """A line for every function of the list, so that one without arguments here fails where they are missing."""
    calls = []
    for name, function in FUNCTIONS.items():
        if name in _BY_LIST and find_spec("publicsuffixlist") is None:
            continue
        for arguments, options in ARGUMENTS.get(name, [((), {})]):
            calls.append(Call(name, arguments, tuple(options.items())))
        if "form" in inspect.signature(function).parameters:
            calls.append(Call(name, calls[-1].arguments, (("form", "request-target"),)))
    return calls


CALLS = _calls()
METHOD_CALLS = [call for call in CALLS if call.name not in _OF_COLUMNS]
SQL_CALLS = [call for call in CALLS if not call.options]


def _octets(value: Any) -> Any:
    """What a function gives of text, in octets."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict):
        return {key.decode() if isinstance(key, bytes) else key: _octets(one) for key, one in value.items()}
    return type(value)(map(_octets, value)) if isinstance(value, (list, tuple)) else value


def _joined(url: str | bytes, base: str) -> Any:
    """What urljoin refuses is null."""
    text = url.decode("utf-8", "surrogateescape") if isinstance(url, bytes) else url
    try:
        found = fasturl.urljoin(base, text)
    except ValueError:
        return None
    return found.encode("utf-8", "surrogateescape") if isinstance(url, bytes) else found


def _problems(url: str | bytes, **options: Any) -> Any:
    """Places count octets."""
    found = fasturl.problems(url.encode() if isinstance(url, str) else url, **options)
    return [{"finding": int(one.finding), "start": one.start, "end": one.end} for one in found]


def _decomposed(url: str | bytes, scheme: str) -> Any:
    parts = fasturl.decompose(url, strict=False)
    if fasturl.parse(url).scheme not in (scheme, scheme.encode()):
        return None

    def value(one: Any) -> Any:
        if isinstance(one, tuple) and one and isinstance(one[0], tuple):
            return [{"name": value(name), "value": value(other)} for name, other in one]
        if isinstance(one, str):
            octets = one.encode("utf-8", "surrogateescape")
            return octets if isinstance(url, bytes) else octets.decode("utf-8", "replace")
        return [value(item) for item in one] if isinstance(one, tuple) else one

    return {field.name: value(getattr(parts, field.name)) for field in fields(parts)}


def _unquoted_plus(url: str | bytes) -> Any:
    """urllib's takes no octets."""
    return fasturl.unquote_to_bytes(url.replace(b"+", b" ")) if isinstance(url, bytes) else fasturl.unquote_plus(url)


# How one URL is asked, where the function of one URL is not of the same name or shape.
_ASKED: dict[str, Any] = {
    "join": _joined,
    "problems": _problems,
    "decompose": _decomposed,
    "unquote_plus": _unquoted_plus,
}


def _asked(call: Call, url: str | bytes) -> Any:
    """The answer for one URL, as Arrow has it: pairs are structs."""
    binary = isinstance(url, bytes)
    of_octets = {"quote": "quote_from_bytes", "unquote": "unquote_to_bytes"}
    name = of_octets.get(call.name, call.name) if binary else call.name
    arguments, options = call.arguments, dict(call.options)
    if call.name in _ASKED:
        return _ASKED[call.name](url, *arguments, **options)
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


PAIRS = [
    ("http://h", "HTTP://H:80/"),
    ("http://h/a", "http://h/b"),
    (None, "x"),
    ("x", None),
    ("http://h/%41", "http://h/A"),
]
OF_COLUMNS = sorted(_OF_COLUMNS)


def of_pairs(name: str) -> list[Any]:
    """What a function of two columns gives for the pairs."""
    return [None if None in pair else getattr(fasturl, name)(*pair) for pair in PAIRS]


def in_sql(call: Call, binary: bool) -> list[Any]:
    """As the functions in SQL have them: what has names of its own in each call is a map."""
    found = results(call, binary)
    if call.name == "query_values" and binary:
        return [row and {key.encode(): value for key, value in row.items()} for row in found]
    return found


LAYOUTS = ["plain", "large", "view", "dictionary", "slice", "chunks"]


def laid_out(binary: bool, layout: str) -> Any:
    """The URLs of the table as Arrow has them in one of its layouts."""
    plain = pa.array(OCTETS if binary else TEXT, pa.binary() if binary else pa.string())
    if layout in ("large", "view"):
        of_text, of_octets = {
            "large": (pa.large_string(), pa.large_binary()),
            "view": (pa.string_view(), pa.binary_view()),
        }[layout]
        return plain.cast(of_octets if binary else of_text)
    if layout == "dictionary":
        return plain.dictionary_encode()
    if layout == "slice":
        return pa.concat_arrays([plain.slice(0, 3), plain])[3:]
    if layout == "chunks":
        return pa.chunked_array([plain.slice(0, 0), plain.slice(0, 7), plain.slice(7, 0), plain.slice(7)])
    return plain


def table_of(binary: bool, layout: str) -> Any:
    """The same with an `id`, to put the rows in order."""
    column = laid_out(binary, layout)
    return pa.table({"id": range(len(column)), "u": column})
