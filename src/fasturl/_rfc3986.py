"""The words of messages by RFC 3986, and by RFC 9112 about request targets. The kernel finds term and offset."""

from fasturl._findings import Finding

# Stands in place of the shape of a scheme, because RFC 3986 treats all schemes alike.
SHAPE = "rfc3986"

# The section of RFC 3986 per term.
SECTIONS = {
    "scheme": "3.1",
    "userinfo": "3.2.1",
    "host": "3.2.2",
    "port": "3.2.3",
    "path": "3.3",
    "query": "3.4",
    "fragment": "3.5",
}

_SENTENCES = {
    Finding.NO_SCHEME: "no scheme, so this is a relative reference and no URI",
    Finding.BAD_SCHEME: "a scheme is a letter, then letters, digits, '+', '-' or '.'",
    Finding.CONTROL: "a raw control character; escape it",
    Finding.NON_ASCII: "a raw byte above 7E; escape it",
    Finding.UNSAFE: "no URI has this character; escape it",
    Finding.FRAGMENT: "'#' starts a fragment, which no request target has",
    Finding.BAD_ESCAPE: "'%' without two hex digits",
    Finding.RESERVED: "a reserved character, which this part must escape",
    Finding.BAD_HOST: "brackets hold an IPv6 address or an IPvFuture, and end the host",
    Finding.BAD_PORT: "a port has only digits",
    Finding.MISSING: "neither '/path', an absolute URI, 'host:port' nor '*'",
}


def citation_of(finding: int, term: str) -> str:
    """Return the citation of a single violation of RFC 3986 in a term.

    >>> citation_of(Finding.UNSAFE, "query"), citation_of(Finding.FRAGMENT, "request-target")
    ('RFC 3986 section 3.4', 'RFC 9112 section 3.2')
    """
    if term == "request-target":
        return "RFC 9112 section 3.2"
    if finding == Finding.NO_SCHEME:
        return "RFC 3986 section 3"
    return f"RFC 3986 section {'2.1' if finding == Finding.BAD_ESCAPE else SECTIONS[term]}"


def sentence(finding: int, term: str) -> tuple[str, str]:
    """Return the message of a single violation in two halves. The offset stands between them."""
    return f"{term}: ", f": {_SENTENCES[Finding(finding)]} ({citation_of(finding, term)})"
