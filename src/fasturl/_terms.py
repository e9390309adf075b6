"""Write the message of a finding: term, character, offset, sentence, citation. The kernel finds term and offset."""

from fasturl.errors import InvalidURL
from fasturl.findings import TERMS, Finding

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


def shown_at(character: str | None) -> str:
    """Return the words before the number of an offset; None hides the character there."""
    return "at offset " if character is None else f"{character} at offset "


# By the code of the character: characters of a str and bytes have the same message.
SHOWN = tuple([shown_at(ascii(chr(code))) for code in range(256)])
HIDDEN = shown_at(None)


def citation_of(finding: int, term: str, shape: str) -> str:
    """Return the citation of a single finding, for a part and the shape of its scheme."""
    scheme = _SECTIONS.get(shape, "5")
    part = "2.1" if term == "scheme" else "3.1" if term in _LOGIN_TERMS and shape != "custom" else scheme
    return Finding(finding).citation.format(part=part, scheme=scheme)


def sentence(finding: int, term: str, citation: str) -> tuple[str, str]:
    """Return the message of a single finding in two halves. The offset stands between them."""
    return f"{term}: ", f": {Finding(finding).sentence} ({citation})"


def example_citation(finding: Finding) -> str:
    """Return the citation that the example of a single finding gets.

    >>> example_citation(Finding.BAD_PART)
    'RFC 1738 section 3.2'
    """
    from fasturl import problems

    message = next(found.message for found in problems(finding.example) if found.finding == finding)
    return message[message.rindex("(") + 1 : -1]


def shown(text: str | bytes, start: int, end: int, secret: bool) -> str:
    """Return the words before the number of an offset. They show at most one character, and no secret."""
    if secret or end <= start or start >= len(text):
        return HIDDEN
    character = text[start]
    code = character if isinstance(character, int) else ord(character)
    return SHOWN[code] if code < len(SHOWN) else shown_at(ascii(character))


def invalid(url: "URL[Any]", finding: int, term: int | str, start: int, end: int) -> InvalidURL:
    """Return the exception for the first violation of a URL. The term is a name or its index in TERMS."""
    from fasturl._fastparse import SHAPES, _place

    number, shape, secret = _place(url, finding, NUMBERS[term] if isinstance(term, str) else term, start)
    name = TERMS[number]
    citation = citation_of(finding, name, list(SHAPES)[shape])
    head, tail = sentence(finding, name, citation)
    message = f"{head}{shown(url.text, start, end, secret)}{start}{tail}"
    return InvalidURL(message, finding, name, start, citation.rpartition(" section ")[2])
