"""Where a finding stands, in the RFC's words: the term, the section, and the sentence."""

from fasturl.errors import InvalidURL, describe
from fasturl.findings import Finding

TYPE_CHECKING = False  # as typing has it, without the cost of importing typing
if TYPE_CHECKING:
    from typing import Any

    from fasturl._fastparse import URL

# In the order of fu_term in src/kernel/validate/diagnostics.h; a test holds the two together.
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

_LOGIN_TERMS = frozenset({"schemepart", "login", "user", "password", "hostport", "host", "port"})
_SECRET_TERMS = frozenset({"login", "user", "password"})
# Sets of findings as plain numbers: an enumeration's own operators cost more than all else that is done for a problem.
_HAZARDS = int(Finding.HAZARDS)
_LOGIN_FINDINGS = int(Finding.LOGIN | Finding.PASSWORD | Finding.AMBIGUOUS_AUTHORITY)
_OCTET_FINDINGS = int(
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


class Terms:
    """The terms of the parts of one URL: worked out once, then asked for any number of places."""

    def __init__(self, url: "URL[Any]") -> None:
        from fasturl._fastparse import _logins, _passwords

        self._text = url.text
        self._shape = _shape(url)
        self._secrets = _passwords(url.text)
        self._places = _logins(url)
        scheme, query, fragment = url.span("scheme"), url.span("query"), url.span("fragment")
        if scheme is not None:
            self._places.append(("scheme", *scheme))
        if fragment is not None:
            self._places.append(("fragment", fragment[0] - 1, len(url.text) + 1))
        if query is not None and self._shape in ("http", "wais"):
            self._places.append(("search", query[0], len(url.text) + 1))
        self._rest = _SHAPES.get(self._shape, ("", "urlpath" if scheme is None else "schemepart"))[1]

    def place(self, bit: int, term: str, start: int) -> tuple[str, str]:
        """The term and the RFC section of a finding."""
        if term == "octet":
            term = self._part_at(start)
        if bit & _OCTET_FINDINGS:
            return term, "2.2"
        if bit & _HAZARDS:
            return term, "6"
        if term == "scheme":
            return term, "2.1"
        if self._shape == "custom":
            return term, "4"
        if term in _LOGIN_TERMS:
            return term, "3.1"
        return term, _SHAPES.get(self._shape, ("5", ""))[0]

    def _part_at(self, start: int) -> str:
        """The term of the part that holds the octet at an offset."""
        for part, first, end in self._places:
            if first <= start < end:
                return part
        return self._rest

    def message(self, bit: int, term: str, section: str, start: int, end: int) -> str:
        """The sentence for a finding. It shows one character at most, and none of a login or a password."""
        shown = None
        secret = bit & _LOGIN_FINDINGS or term in _SECRET_TERMS
        if end > start and not secret and not self._in_secret(start):
            shown = ascii(self._text[start : start + 1]).removeprefix("b")
        return describe(bit, term, shown, start, section)

    def _in_secret(self, start: int) -> bool:
        """Whether the octet at an offset belongs to a password."""
        for first, stop in self._secrets:  # noqa: SIM110 - a generator that finds no memory crashes CPython 3.12, 3.13
            if first <= start < stop:
                return True
        return False


def _shape(url: "URL[Any]") -> str:
    from fasturl._fastparse import schemes

    if url.form == "request-target" and url.span("scheme") is None:
        return "http"
    scheme = url.scheme if isinstance(url.scheme, str) else url.scheme.decode("ascii")
    return schemes().get(scheme, ("generic", None))[0]


def invalid(url: "URL[Any]", bit: int, term: int | str, start: int, end: int) -> InvalidURL:
    """The exception for the first violation of a URL; a term is named or an index of NAMES."""
    terms = Terms(url)
    term, section = terms.place(bit, NAMES[term] if isinstance(term, int) else term, start)
    return InvalidURL(terms.message(bit, term, section, start, end), bit, term, start, section)
