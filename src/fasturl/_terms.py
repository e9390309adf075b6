"""Write the message of a finding: term, character, offset, sentence, citation. The kernel finds term and offset."""

from fasturl import _rfc3986
from fasturl._findings import CITATIONS, REASONS, TERMS, Finding
from fasturl.errors import InvalidURL

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:
    from typing import Any

    from fasturl._fastparse import URL

NUMBERS = {term: number for number, term in enumerate(TERMS)}

_LOGIN_TERMS = frozenset({"schemepart", "login", "user", "password", "hostport", "host", "port"})

# The section of RFC 1738 per shape of a scheme.
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


def citation_of(finding: int, term: str, shape: str, reason: str = "") -> str:
    """Return the citation of a single finding, for a part, the shape of its scheme and a reason of REASONS."""
    if shape == _rfc3986.SHAPE:
        return _rfc3986.citation_of(finding, term)
    scheme = _SECTIONS.get(shape, "5")
    part = "2.1" if term == "scheme" else "3.1" if term in _LOGIN_TERMS and shape != "custom" else scheme
    one = Finding(finding)
    return CITATIONS.get((one.name or "", reason), one.citation).format(part=part, scheme=scheme)


def reason_of(finding: int, term: str, shape: str, text: str | bytes, start: int, end: int) -> str:
    """Return the key in REASONS for a single finding, or "" if it has no special case.

    Reads at most the host. The result says nothing about a password.
    """
    if shape == _rfc3986.SHAPE:
        return ""
    if finding in (Finding.MISSING, Finding.BAD_PART):
        return "" if shape == "custom" else term
    if finding & _ESCAPABLE:
        return "host" if term == "host" else ""
    if finding == Finding.BAD_PORT:
        if shape == "file":
            return "file"
        return "empty" if start >= end else "large" if _one(text, start) in _DIGITS_AND_DOTS else "digit"
    if finding != Finding.BAD_HOST:
        return ""
    before = _one(text, start - 1) if start else ""
    if start < end:
        return {"[": "brackets", "%": "escape", "-": "start", ".": "hyphen" if before == "-" else "empty"}.get(
            _one(text, start), "character"
        )
    if before in "-.":
        return "hyphen" if before == "-" else "dot"
    at = start
    while at and _one(text, at - 1) in _DIGITS_AND_DOTS:
        at -= 1
    return "digit" if at and (_one(text, at - 1).isalnum() or _one(text, at - 1) == "-") else "numbers"


_DIGITS_AND_DOTS = tuple("0123456789.")


def _one(text: str | bytes, at: int) -> str:
    return text[at] if isinstance(text, str) else chr(text[at])


def sentence(finding: int, term: str, shape: str, code: int = -1, reason: str = "") -> tuple[str, str]:
    """Return the message of a single finding in two halves. The offset stands between them.

    code : the character to escape, or -1 to show none
    reason : as from ``reason_of``
    """
    if shape == _rfc3986.SHAPE:
        return _rfc3986.sentence(finding, term)
    one = Finding(finding)
    told = REASONS.get(one.name or "", {}).get(reason, one.sentence)
    is_text = not 0xD800 <= code < 0xE000 or 0xDC80 <= code < 0xDD00  # a surrogate may stand for a byte
    if code >= 0 and finding & _ESCAPABLE and is_text and not reason:
        data = chr(code).encode("utf-8", "surrogateescape")
        told += f" as {''.join(f'%{byte:02X}' for byte in data)}"
    return f"{term}: ", f": {told} ({citation_of(finding, term, shape, reason)})"


# Findings whose sentence ends with "escape it".
_ESCAPABLE = Finding.CONTROL | Finding.NON_ASCII | Finding.UNSAFE | Finding.RESERVED
# Findings about an escape, which the message shows.
ESCAPES = int(Finding.ENCODED_CONTROL | Finding.DOUBLE_ENCODED | Finding.OVERLONG_UTF8)


def example_citation(finding: Finding) -> str:
    """Return the citation that the example of a single finding gets.

    >>> example_citation(Finding.BAD_PART)
    'RFC 1738 section 3.2'
    """
    from fasturl._fastparse import problems

    message = next(found.message for found in problems(finding.example) if found.finding == finding)
    return message[message.rindex("(") + 1 : -1]


def message(finding: int, term: str, shape: str, text: str | bytes, start: int, end: int, secret: bool) -> str:
    """Return the message of a single finding. It shows at most one character or one escape, and no secret."""
    reason = reason_of(finding, term, shape, text, start, end)
    code, shown = -1, ""
    if not secret and start < min(end, len(text)):
        code = ord(_one(text, start))
        one = text[start : min(start + 3, end) if finding & ESCAPES else start + 1]
        shown = ascii(one if isinstance(one, str) else one.decode("latin-1")) + " "
    if isinstance(text, bytes) and code > 0x7F:
        code += 0xDC00  # as surrogateescape decodes the byte
    known = finding, term, shape, code, reason
    halves = _halves.get(known)
    if halves is None:
        if len(_halves) > _MAX_HALVES:
            _halves.clear()
        halves = _halves[known] = sentence(*known)
    head, tail = halves
    return f"{head}{shown}at offset {start}{tail}"


# A dict, because functools is expensive to import. Threads may fill it at once: they write equal values.
_halves: "dict[tuple[int, str, str, int, str], tuple[str, str]]" = {}
_MAX_HALVES = 4096


def invalid(
    url: "URL[Any]", finding: int, term: int | str, start: int, end: int, standard: str = "rfc1738"
) -> InvalidURL:
    """Return the exception for the first violation of a URL. The term is a name or its index in TERMS."""
    from fasturl._fastparse import SHAPES, _place

    is_3986 = standard == "rfc3986"
    number, shape, secret = _place(url, finding, NUMBERS[term] if isinstance(term, str) else term, start, is_3986)
    name, kind = TERMS[number], _rfc3986.SHAPE if is_3986 else list(SHAPES)[shape]
    citation = citation_of(finding, name, kind, reason_of(finding, name, kind, url.text, start, end))
    told = message(finding, name, kind, url.text, start, end, secret)
    section = citation.rpartition(" section ")[2] if is_3986 else citation.removeprefix("RFC 1738 section ")
    return InvalidURL(told, finding, name, start, section)
