"""The table of cases for every engine: inputs, and the answers of ``fasturl.parse`` for their bytes."""

import inspect
import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import layouts
import nasty
import pyarrow as pa
from expected import decomposed, joined, of_pair, parsed, problems_of

import fasturl
from fasturl.arrow import FIELDS
from fasturl.engines._shapes import FUNCTIONS, shape

# Nasty inputs with a longer host, for the functions of domains, and a path of many segments.
NASTY = [
    *(re.sub(r"(?<=[/@])ex\b", "ex.com", text if isinstance(text, str) else text.decode()) for text, *_ in nasty.NASTY),
    "http://ex.com/" + "longpath/" * 933, "mailto:a@b.com?subject=x",
]  # fmt: skip
# Each scheme of RFC 1738, and others; empty and absent parts; parts of about twelve bytes, the limit of an inline
# view.
SCHEMES = [
    "ftp://@host.com/", "ftp://foo:@host.com/a/b;type=d", "http://host.dom:8000/path?search=a+b&token=s%26cret",
    "gopher://host.com:70/0sel%09search%09%2B", "news:*", "news:1234%40x@host.com", "nntp://host.com/alt.group/7",
    "telnet://user:pw@host.com:23/", "wais://host.com/db/wt/wp", "file:///etc/motd",
    "file://vms.host.edu/disk$user/my/notes/note12345.txt", "prospero://host.dom/pros/name;key=value",
    "https://example.com/", "x-own:anything", "data:text/plain,hello", "http://twelve.chars/x12345678901/", "http://h",
    "http://h?", "http://@:@h", "h:443", "http://\xfcser:p\xe4ss@h\xf6st.example/\U0001f600?\xe9#\u4e2d",
    "http:// spaced.example /a?token=1 2&token=3", "//h/a/b?x=y#z", "http://10.0.0.1/", "http://0x7f.1/",
    "http://[64:ff9b::8.8.8.8]/",
]  # fmt: skip
TEXT: list[str | None] = [*NASTY, None, *SCHEMES, None]
# The same, and bytes that are not UTF-8, for binary columns.
BYTES: list[bytes | None] = [
    *(None if url is None else url.encode() for url in TEXT), b"http://ex.com/caf\xe9", b"\xff\xfe",
    b"http://u:\x80@h\xff/?\xc0\xaf#\xed\xa0\x80",
]  # fmt: skip
FORMS = ("url", "request-target")

Row = dict[str, object]
LAYOUTS = ["offsets32", "offsets64", "views", "dictionary", "run ends", "sliced offsets32", "chunked"]


def expected(url: bytes | None, form: str) -> Row | None:
    """Return every field of one URL, or None for no URL."""
    return None if url is None else parsed(url, form)


def expected_text(url: str | None, form: str) -> Row | None:
    row = expected(None if url is None else url.encode(), form)
    if row is None:
        return None
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in row.items()}


TEXT_ROWS = {form: [expected_text(url, form) for url in TEXT] for form in FORMS}
BYTE_ROWS = {form: [expected(url, form) for url in BYTES] for form in FORMS}
NO_URL: Row = dict.fromkeys(FIELDS)


def flat(rows: list[Row | None]) -> list[Row]:
    """Replace None by a row of nulls, as tables do."""
    return [NO_URL if row is None else row for row in rows]


def columns(rows: list[Row | None]) -> dict[str, list[object]]:
    return {name: [row[name] for row in flat(rows)] for name in FIELDS}


@dataclass(frozen=True)
class Call:
    """A line of the table: a function with its arguments. ``arguments`` follow the column, as in methods."""

    name: str
    arguments: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.name}{self.arguments}{dict(self.options)}"

    @property
    def field(self) -> tuple[Any, ...]:
        """Return the call in the form of ``fields=``."""
        return (self.name, *self.arguments, dict(self.options))

    def method(self, accessor: Any) -> Any:
        return getattr(accessor, self.name)(*self.arguments, **dict(self.options))

    def sql(self, prefix: str, column: str = "u") -> str:
        """Return the call in SQL, for calls without options."""
        values = [v for value in self.arguments for v in (value if isinstance(value, tuple) else [value])]
        name = self.name if self.name.startswith(prefix) else prefix + self.name
        if self.name == "decompose":  # one function per scheme, since each has its own fields
            return f"{name}_{values[0]}({column})"
        return f"{name}({', '.join(shape(self.name).in_order(column, [repr(value) for value in values]))})"


# For functions that have any: the arguments after the column, and the settings; one entry per variant.
ARGUMENTS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "quote": [((), {}), (("/:?&=",), {})],                    "query_value": [(("token",), {}), (("x", "none"), {})],
    "redact": [((), {}), ((("token", "x"),), {})],
    "drop_params": [((("tok*", "x"),), {}), (("search",), {})],
    "query_values": [((("x", "token"),), {})],                "query_pairs": [((), {}), ((), {"decode": False})],
    "drop_parts": [((), {}), (("query", "fragment"), {}), (("scheme", "login", "www", "port"), {})],
    "path_template": [((), {}), ((), {"keep": ("index.html", "1234%40x@host.com")})],
    "path_prefixes": [((), {}), ((), {"limit": 1})],
    "dedup_key": [((), {}), ((), {"sort": False, "drop": ("x",)})],
    "blocks": [((("host.com", "10.0.0.0/8", "\u4e2d\u56fd"),), {}), ((("com",),), {"form": "host"})],
    "allows": [((("host.com", "10.0.0.0/8", "\u4e2d\u56fd"),), {}), ((("com",),), {"exact": True})],
    "canonicalize": [((), {}), ((), {"keep_blank_values": False, "keep_fragments": True})],
    "public_suffix": [((), {}), ((), {"private_suffixes": False})],
    "urljoin": [(("http://b.example/x/y?q",), {})],
    "is_fetchable": [((), {}), ((), {"schemes": ("ftp",), "ports": (21,), "addresses": ("global", "private")})],
    "equivalent": [(("http://ex.com/%7euser/../b",), {})],
    "decompose": [(("http",), {}), (("ftp",), {}), (("mailto",), {})],
}  # fmt: skip
_BY_LIST = {"public_suffix", "registrable_domain", "subdomain"}


def _calls() -> list[Call]:
    """Return calls of every function in the list, so that a function without arguments here fails if it needs some."""
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
SQL_CALLS = [call for call in CALLS if not call.options]


def _bytes(value: Any) -> Any:
    """Convert a function's result for text to its result for bytes."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict):
        return {key.decode() if isinstance(key, bytes) else key: _bytes(one) for key, one in value.items()}
    return type(value)(map(_bytes, value)) if isinstance(value, (list, tuple)) else value


def _unquoted_plus(url: str | bytes) -> Any:
    """Call unquote_plus, which in urllib takes no bytes."""
    return fasturl.unquote_to_bytes(url.replace(b"+", b" ")) if isinstance(url, bytes) else fasturl.unquote_plus(url)


# The call for one URL, where the function of one URL has another name or shape.
_ASKED: dict[str, Any] = {
    "urljoin": joined, "problems": problems_of, "decompose": decomposed, "unquote_plus": _unquoted_plus,
}  # fmt: skip


def _asked(call: Call, url: str | bytes) -> Any:
    """Return the answer for one URL as Arrow has it: pairs are structs."""
    binary = isinstance(url, bytes)
    of_bytes = {"quote": "quote_from_bytes", "unquote": "unquote_to_bytes"}
    name = of_bytes.get(call.name, call.name) if binary else call.name
    arguments, options = call.arguments, dict(call.options)
    if call.name in _ASKED:
        return _ASKED[call.name](url, *arguments, **options)
    if binary and call.name != "drop_parts":
        arguments = _bytes(arguments)
        as_text = {"form", "schemes", "addresses"}
        options = {key: value if key in as_text else _bytes(value) for key, value in options.items()}
    found = getattr(fasturl, name)(url, *arguments, **options)
    if call.name == "query_pairs" and found is not None:
        found = [{"name": key, "value": value} for key, value in found]
    return _bytes(found) if binary else found


@cache
def results(call: Call, binary: bool) -> list[Any]:
    """Return the answers for one URL after the other."""
    urls: list[Any] = list(BYTES if binary else TEXT)
    return [None if url is None else _asked(call, url) for url in urls]


# URLs, and another text for each: a URL, a base or the name of a query value.
PAIRS: list[tuple[str | None, str | None]] = [
    ("http://h", "HTTP://H:80/"), ("http://h/a", "http://h/b"), (None, "x"), ("x", None),
    ("http://h/%41", "http://h/A"), ("/?a=1&%62=x+%C3%A9", "b"), ("../c?y", "ftp://g/a/b;type=i"), ("", "//h/a"),
    ("?", ""), ("//[h", "http://g/"), ("?\ufffd=1&a=2", "\ufffd"), ("?%FF=1&a=2", "\ufffd"),
    ("a", " http://h"), ("a?b=1", "b"),
]  # fmt: skip
OF_COLUMNS = sorted(name for name in FUNCTIONS if shape(name).either)


def of_pairs(name: str) -> list[Any]:
    """Return the answers of a function of two columns for PAIRS."""
    return [of_pair(name, *pair) for pair in PAIRS]


def sql_of_pairs(name: str) -> str:
    """Return the call of a function of the columns `a` and `b` of PAIRS."""
    return f"url_{name}({', '.join(shape(name).in_order('a', ['b']))})"


def in_sql(call: Call, binary: bool) -> list[Any]:
    """Return the answers as SQL has them: a dict whose keys depend on the call is a map."""
    found = results(call, binary)
    if call.name == "query_values" and binary:
        return [row and {key.encode(): value for key, value in row.items()} for row in found]
    return found


def laid_out(binary: bool, layout: str) -> Any:
    """Return the URLs of the table in one of Arrow's layouts."""
    return layouts.LAYOUTS[layout](BYTES if binary else TEXT, pa.binary() if binary else pa.string())


def table_of(binary: bool, layout: str) -> Any:
    """Return the same as a table with an `id`, to restore the order of the rows."""
    column = laid_out(binary, layout)
    return pa.table({"id": range(len(column)), "u": column})
