"""A finding in the RFC's words: the term, the section, and the sentence. Where it stands, the kernel has found out."""

from fasturl.errors import InvalidURL, sentence, shown_at
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
    "fragment",
)
NUMBERS = {NAMES[number]: number for number in range(len(NAMES))}

_LOGIN_TERMS = frozenset({"schemepart", "login", "user", "password", "hostport", "host", "port"})
# Sets of findings as plain numbers: an enumeration's own operators cost more than all else that is done for a problem.
_HAZARDS = int(Finding.HAZARDS)
_OCTET_FINDINGS = int(
    Finding.CONTROL | Finding.NON_ASCII | Finding.UNSAFE | Finding.FRAGMENT | Finding.BAD_ESCAPE
)

# By the shape of a scheme.
_SECTIONS = {
    "ftp": "3.2",
    "http": "3.3",
    "gopher": "3.4",
    "mailto": "3.5",
    "news": "3.6",
    "nntp": "3.7",
    "telnet": "3.8",
    "wais": "3.9",
    "file": "3.10",
    "prospero": "3.11",
    "custom": "4",
}

# What stands before a place's number, by the character there, a character of a str or an octet of bytes alike.
SHOWN = tuple([shown_at(ascii(chr(code))) for code in range(256)])
HIDDEN = shown_at(None)


def section_of(bit: int, term: str, shape: str) -> str:
    """The RFC's section for a finding; `shape` is the scheme's."""
    if bit & _OCTET_FINDINGS:
        return "2.2"
    if bit & _HAZARDS:
        return "6"
    if term == "scheme":
        return "2.1"
    if term in _LOGIN_TERMS and shape != "custom":
        return "3.1"
    return _SECTIONS.get(shape, "5")


def shown(text: str | bytes, start: int, end: int, secret: bool) -> str:
    """What stands before the number of a place: it shows one character at most, and none that is secret."""
    if secret or end <= start or start >= len(text):
        return HIDDEN
    character = text[start]
    code = character if isinstance(character, int) else ord(character)
    return SHOWN[code] if code < len(SHOWN) else shown_at(ascii(character))


def invalid(url: "URL[Any]", bit: int, term: int | str, start: int, end: int) -> InvalidURL:
    """The exception for the first violation of a URL; a term is named or an index of NAMES."""
    from fasturl._fastparse import SHAPES, _place

    number, shape, secret = _place(url, bit, NUMBERS[term] if isinstance(term, str) else term, start)
    name = NAMES[number]
    section = section_of(bit, name, list(SHAPES)[shape])
    head, tail = sentence(bit, name, section)
    return InvalidURL(f"{head}{shown(url.text, start, end, secret)}{start}{tail}", bit, name, start, section)
