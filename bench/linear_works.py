"""The works of bench/linear.py: every public function, and the texts that attackers repeat.

A family is a text of any length: (beginning, repeated part, end).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import fasturl

Family = tuple[str, str, str]


def families(heads: tuple[str, ...], units: tuple[str, ...]) -> tuple[Family, ...]:
    return tuple((head, unit, "") for head, unit in product(heads, units))


HOSTILE = families(
    ("", "http://", "http://h/?", "ftp://u:"),
    (*"@%:;/[].&=<+\\\t", "%25%", "a=%4", "@:/", "/../", "&;=", "?#", "%C2%80", "\u00e9%41", "0."),
)
# One for each repetition in a scheme's own rules.
SCHEMES: tuple[Family, ...] = (
    ("ftp://h/", "a/", ""),
    ("ftp://h/", ";type=a", ""),
    ("ftp://", "@", "h/"),
    ("http://h/", "/", ""),
    ("http://h/a", "?", ""),
    ("gopher://h/1", "%09", ""),
    ("gopher://h/1%09%09+%091%0D%0A+-1%0D%0A", "a%0D%0A", ".%0D%0A"),
    ("mailto:", "%", ""),
    ("mailto:", "%E9", ""),
    ("mailto:%41", "\ud800", ""),
    ("news:", "a@", "h"),
    ("nntp://h/a/", "9", ""),
    ("http://h:", "0", "80/"),
    ("foo://", "a.", "b/"),
    ("foo://a", "-", "b/"),
    ("wais://h/", "a/", ""),
    ("prospero://h/", ";a=b", ""),
    ("prospero://h/;", "=", ""),
    ("file:///", "%2F/", ""),
    ("foo://", ":", "@h/"),
    ("telnet://", "a:", "@h/"),
    ("http://[", ":", "]/"),
)
MARKS = (
    *"<a): ",
    "<URL:",
    "<URL:\n",
    "< ",
    "URL:",
    "URL: ",
    "a://",
    "://",
    "<http://",
    "http://#",
    "URL:x://#",
    "x://.",
)
CONTEXT = families(("", "<URL:", "(URL:x://", "<x://"), (*MARKS, "(x://)", "'x://'", "-\n", "<URL:x>"))
PRODUCTIONS = families(("ftp://",), ("a", "a.", "/", "%41", "%", "-", "@", ";=", "\xff"))
REDACTED = families(("",), ("a", "=a", "//x:", "//x:@", "token=", "\\u0026token=a&", "%"))


@dataclass(frozen=True)
class Work:
    """A call with the text `t`. It may use all names of fasturl and those that `setup` defines."""

    call: str
    families: tuple[Family, ...] = HOSTILE
    setup: str = ""


LINES = """
from fasturl import logs
import pyarrow as pa
def line(t):
    return f'1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET {t} HTTP/1.1" 200 7 "{t}" "a"'
"""
# By name: a public function, or `function: variant`.
WORKS = {
    "classify_bytes": Work("classify_bytes(t.encode(errors='surrogatepass'))"),
    "decompose": Work("decompose(t, strict=False)"),
    "decompose: built again": Work("hash(parts := decompose(t, strict=False)), parts.geturl()", SCHEMES),
    "drop_query": Work("drop_query(t, ['a*b*c', 'utm_*'])"),
    "equivalent": Work("equivalent(t, t + 'x')", HOSTILE + SCHEMES),
    "escape": Work("escape(t.encode())"),
    "extract": Work("list(extract(t, bare=True))", CONTEXT),
    "extract: marked": Work("list(extract(t, bare=False))", CONTEXT),
    "HostList": Work("len(HostList(t.encode(errors='replace'), errors='ignore'))", HOSTILE + CONTEXT),
    "listed": Work("listed(t, ['a.b', 'example.com'])"),
    "normalize": Work("normalize(t)", HOSTILE + SCHEMES),
    "readings": Work("readings(t)", HOSTILE + SCHEMES),
    "resolve": Work("resolve('http://h/a/b', t)", HOSTILE + SCHEMES),
    "parse": Work(
        "(u := parse(t)).findings, u.hostname, u.port, u.username, u.password, u.path, u.query, repr(u)",
        HOSTILE + SCHEMES,
    ),
    "parse: a request target": Work("(u := parse(t.encode(), form='request-target')).findings, u.path, u.query"),
    "parse_many": Work("list(parse_many([t, t]))"),
    "parse_qsl": Work("parse_qsl(t, keep_blank_values=True)"),
    "parse_qsl: bytes": Work("parse_qsl(t.encode('ascii', 'replace'))"),
    "parse_qsl: a bound of fields": Work("parse_qsl(t, keep_blank_values=True, max_num_fields=10**9)"),
    "problems": Work("list(problems(t))", HOSTILE + SCHEMES),
    "query_value": Work("query_value(t, 'a'), query_value('?' + t, '%' * 200)"),
    "query_values": Work("query_values(t, ['a', 'b'])"),
    "quote_from_bytes": Work("quote_from_bytes(t.encode())"),
    "quote_many": Work("list(quote_many([t, t]))"),
    "redact": Work("redact(t, ['a', 'b', '', '=', '%'])"),
    "unquote": Work("unquote(t), unquote('\u00e9' + t)"),
    "unquote_many": Work("list(unquote_many([t, t]))"),
    "unquote_safe": Work("unquote_safe(t), unquote_safe(t, 'latin-1'), unquote_safe('\u20ac' + t)"),
    "urldefrag": Work("urldefrag(t), urldefrag(t + '#f')"),
    "urlencode": Work("urlencode({'a': t, 'b': list(t)}, doseq=True), urlencode({t: t})"),
    "urljoin": Work("urljoin('http://h/a/b/c', t), urljoin(t, 'x/../y'), urljoin('http://h/' + t + 'x', t)"),
    "urlparse": Work("(r := urlparse(t)).hostname, r.username"),
    "urlsplit": Work("(r := urlsplit(t)).hostname, r.password"),
    "urlunparse": Work("urlunparse(('', '', t, t, t, t))"),
    "urlunsplit": Work("urlunsplit(('http', 'h', t, t, t))"),
    "without": Work("without(t, 'login', 'www', 'query')"),
    "wrap": Work("wrap(t, width=60)"),
    "arrow.parse": Work("arrow.parse([t, t, None])", setup="from fasturl import arrow"),
    "logs.parse_lines": Work("logs.parse_lines(pa.array([line(t), t]), 'combined')", setup=LINES),
    "compile of productions": Work(
        "recogniser.stop(t.encode('latin-1'))",
        PRODUCTIONS,
        "from fasturl.schemes.productions import compile\nrecogniser = compile('p = ftpurl')",
    ),
    "redaction of any text": Work(
        "redaction.text(t.encode())",
        REDACTED,
        "from fasturl.logs.changes import Redaction\nredaction = Redaction(('token',))",
    ),
}
NOT_OF_A_TEXT = {"classify", "install", "uninstall"}
# Every other public function is called with the text alone.
WORKS |= {
    name: Work(f"{name}(t)")
    for name in sorted({*fasturl.__all__} - NOT_OF_A_TEXT - WORKS.keys())
    if name[0].islower() and callable(getattr(fasturl, name))
}
