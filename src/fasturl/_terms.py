"""Where a finding stands, in the RFC's words: the term, the section, and the sentence."""

from fasturl.errors import describe
from fasturl.findings import Finding

TYPE_CHECKING = False  # as typing has it, without the cost of importing typing
if TYPE_CHECKING:
    from typing import Any

    from fasturl._fastparse import URL

# In the order of fu_term in src/kernel/verdict.h; a test holds the two together.
NAMES = (
    "octet",
    "scheme",
    "schemepart",
    "login",
    "user",
    "password",
    "hostport",
    "host",
    "port",
    "urlpath",
    "fpath",
    "ftptype",
    "hpath",
    "search",
    "selector",
    "encoded822addr",
    "grouppart",
    "group",
    "article",
    "digits",
    "database",
    "wtype",
    "wpath",
    "ppath",
    "fieldspec",
    "fieldname",
    "fieldvalue",
)

_PARTS = (("scheme", "scheme"), ("username", "user"), ("password", "password"), ("port", "port"))
_LOGIN_TERMS = frozenset({"schemepart", "login", "user", "password", "hostport", "host", "port"})
_SECRET_TERMS = frozenset({"login", "user", "password"})
_OCTET_FINDINGS = (
    Finding.CONTROL | Finding.NON_ASCII | Finding.UNSAFE | Finding.FRAGMENT | Finding.BAD_ESCAPE
)

# By the shape of a scheme: its section, and the term of what follows the login.
_SHAPES = {
    "ftp": ("3.2", "fpath"),
    "http": ("3.3", "hpath"),
    "gopher": ("3.4", "selector"),
    "mailto": ("3.5", "encoded822addr"),
    "news": ("3.6", "grouppart"),
    "nntp": ("3.7", "group"),
    "telnet": ("3.8", "urlpath"),
    "wais": ("3.9", "database"),
    "file": ("3.10", "fpath"),
    "prospero": ("3.11", "ppath"),
}


def by_place(problem: tuple[int, str, int, int]) -> tuple[int, int]:
    """The sort key of a problem: its start, then its bit."""
    return problem[2], problem[0]


def _shape(url: "URL[Any]") -> str:
    from fasturl._fastparse import schemes

    if url.form == "request-target" and url.span("scheme") is None:
        return "http"
    scheme = url.scheme if isinstance(url.scheme, str) else url.scheme.decode("ascii")
    return schemes().get(scheme, ("generic", None))[0]


def _term_at(url: "URL[Any]", offset: int) -> str:
    """The term of the part in which an offset stands."""
    for part, term in _PARTS:
        span = url.span(part)
        if span is not None and span[0] <= offset < span[1]:
            return term
    netloc = url.span("netloc")
    if netloc is not None and netloc[0] <= offset < netloc[1]:
        return "host"
    fragment = url.span("fragment")
    if fragment is not None and offset >= fragment[0] - 1:
        return "fragment"
    shape = _shape(url)
    query = url.span("query")
    if shape in ("http", "wais") and query is not None and offset >= query[0]:
        return "search"
    return _SHAPES.get(shape, ("", "schemepart" if url.span("scheme") else "urlpath"))[1]


def place(url: "URL[Any]", bit: int, term: str, start: int) -> tuple[str, str]:
    """The term and the RFC section of a finding."""
    if term == "octet":
        term = _term_at(url, start)
    if bit & _OCTET_FINDINGS:
        return term, "2.2"
    if bit & Finding.HAZARDS:
        return term, "6"
    if term == "scheme":
        return term, "2.1"
    if _shape(url) == "custom":
        return term, "4"
    if term in _LOGIN_TERMS:
        return term, "3.1"
    return term, _SHAPES.get(_shape(url), ("5", ""))[0]


def message(url: "URL[Any]", bit: int, term: str, section: str, start: int, end: int) -> str:
    """The sentence for a finding. It shows one character at most, and none of a login or a password."""
    shown = None
    if end > start and not bit & (Finding.LOGIN | Finding.PASSWORD) and term not in _SECRET_TERMS:
        octet = url.text[start : start + 1]
        shown = ascii(octet).removeprefix("b") if isinstance(octet, (str, bytes)) else None
    return describe(bit, term, shown, start, section)
