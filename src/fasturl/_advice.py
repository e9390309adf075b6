"""What a reader is told of each finding: a URL that shows it, why it matters, what to do.

The report and the site have it from here; the sentence, the place and the section come from `fasturl.problems`.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False  # as typing has it, without the cost of importing typing
if TYPE_CHECKING:
    from fasturl.findings import Finding


class Advice(namedtuple("Advice", ("example", "why", "do"))):
    """Of one finding, in plain sentences. The example is a URL, read with form="url".

    >>> from fasturl import Finding, parse
    >>> advice = advice_on(Finding.BAD_ESCAPE)
    >>> advice.example, parse(advice.example).findings
    ('http://example.com/100%', <Finding.BAD_ESCAPE: 64>)
    """

    __slots__ = ()

    example: str
    why: str
    do: str


ADVICE = {
    "NO_SCHEME": Advice(
        "example.com/page",
        "Without a scheme a text is no URL. Some programs put http in front of it, others take it for a path.",
        'Write the scheme. Targets of an access log have none: read them with form="request-target".',
    ),
    "BAD_SCHEME": Advice(
        "ht_tp://example.com/",
        "A scheme holds letters, digits, '+', '-' and '.' only. What follows another character is not read "
        "as a scheme by some programs, so the same text leads to two places.",
        "Refuse it, or correct the scheme by hand.",
    ),
    "CONTROL": Advice(
        "http://example.com/a\tb",
        "Browsers and urllib take tabs and line ends out of a URL, other programs do not: a filter and a "
        "browser can see two URLs. In a log or a header, a line end starts a new line.",
        "Refuse it. If it belongs to a name, escape it: %09.",
    ),
    "NON_ASCII": Advice(
        "http://example.com/café",
        "A URL has ASCII characters only. Which octets another character stands for depends on an encoding "
        "that the URL does not name.",
        "Escape its UTF-8: caf%C3%A9, as fasturl.quote does. A host needs IDNA.",
    ),
    "UNSAFE": Advice(
        "http://example.com/a b",
        'Spaces and < > " end a URL in a text or a header; { } | \\ ^ ~ [ ] ` were changed by gateways. '
        "Browsers send many of them as they are, so that logs are full of them.",
        'In URLs that you write, escape them: fasturl.escape. In a log, < and " in a query are often a try '
        "to inject markup.",
    ),
    "FRAGMENT": Advice(
        "http://example.com/#top",
        "The fragment is no part of a URL and is not sent to a server. In a log it comes from a client that"
        " is no browser.",
        "Cut it before you request or compare: fasturl.without(url, 'fragment').",
    ),
    "BAD_ESCAPE": Advice(
        "http://example.com/100%",
        "A '%' without two hex digits is left as it is by some programs, refused by others. In a log it is "
        "often a URL that was cut, or a probe.",
        "Write a plain '%' as %25.",
    ),
    "RESERVED": Advice(
        "ftp://user:a:b@example.com/",
        "The character divides parts, and stands where this part has no division: programs can cut there or not.",
        "Escape it where it belongs to a name or value.",
    ),
    "BAD_HOST": Advice(
        "http://my_host/",
        "A host is labels of letters, digits and inner hyphens, or four numbers. Programs differ in what "
        "they do with others; addresses in brackets are younger than RFC 1738 and are found here too.",
        "Accept [::1] if you speak IPv6, and '_' only in names of your own network.",
    ),
    "BAD_PORT": Advice(
        "http://example.com:80a/",
        "The port is no number up to 65535. Some programs take the digits before the fault, others the default port.",
        "Refuse it.",
    ),
    "LOGIN": Advice(
        "http://example.com@evil.example/",
        "http has no user or password in its URLs. What stands before the '@' looks like the host to a "
        "reader: an old trick of phishing.",
        "Show and compare the hostname, never the text. Send passwords in a header.",
    ),
    "MISSING": Advice(
        "http:example.com",
        "A part that the scheme needs is not there: a '//', a host, a group. Programs guess it, each in its own way.",
        "Refuse it, or write the part.",
    ),
    "BAD_PART": Advice(
        "ftp://example.com/file;type=x",
        "A part has a form of its own in this scheme, and this is not it.",
        "See the scheme's page for what may stand there.",
    ),
    "PASSWORD": Advice(
        "ftp://user:secret@example.com/",
        "A URL is written to logs, histories and the Referer header. Who reads them has the password.",
        "Change the password, and write URLs with fasturl.redact.",
    ),
    "NONDEFAULT_PORT": Advice(
        "http://example.com:8080/",
        "The port is not the scheme's own. Often harmless, as for a server of your own; a crawler or a "
        "webhook that follows it reaches services that were not meant.",
        "Allow the ports that you know.",
    ),
    "RESERVED_PORT": Advice(
        "http://example.com:25/",
        "Ports below 1024 belong to other services. A request to port 25 that holds line ends can send mail"
        " (RFC 1738 section 6).",
        "Refuse it where the URL comes from somebody else.",
    ),
    "ENCODED_CONTROL": Advice(
        "http://example.com/a%0d%0aSet-Cookie:x",
        "Decoded, it is a line end, a NUL or an escape: it splits a header or a log's line, ends a C "
        "string, commands a terminal. In a log it is nearly always a probe.",
        "Decode with fasturl.unquote_safe, which leaves such escapes alone; refuse it in a header or a file's name.",
    ),
    "DOUBLE_ENCODED": Advice(
        "http://example.com/%252e%252e/secret",
        "What is decoded once is an escape again. A filter that decodes once sees %2e%2e, a server that "
        "decodes twice sees '..'.",
        "Decode exactly once, and check what you use, not what you got.",
    ),
    "OVERLONG_UTF8": Advice(
        "http://example.com/..%c0%af../secret",
        "More octets than the character needs: %c0%af is '/' to a decoder that does not check, and no '/' to a filter.",
        "Decode with a strict UTF-8 decoder, as Python's is. In a log it is a probe.",
    ),
    "BACKSLASH": Advice(
        "http://example.com/a\\..\\b",
        "Browsers and Windows take a backslash for a slash, the RFC does not.",
        "Refuse it, or escape it as %5C.",
    ),
    "MULTIPLE_AT": Advice(
        "http://a@good.example@evil.example/",
        "Programs differ in which '@' ends the login, so in which host they connect to.",
        "Refuse it.",
    ),
    "AMBIGUOUS_AUTHORITY": Advice(
        "http://good.example\\@evil.example/",
        "urllib, the RFC and browsers read another login, host or port in the same text. A check by one and"
        " a request by another go to two hosts.",
        "Refuse it wherever a host is checked. fasturl never hides which: see hostname and the places of the finding.",
    ),
}


def advice_on(finding: Finding) -> Advice:
    """What to tell of one finding (a single bit)."""
    return ADVICE[finding.name or ""]


def meaning(finding: Finding) -> tuple[str, str]:
    """The sentence for one finding, and the section of RFC 1738.

    >>> from fasturl import Finding
    >>> meaning(Finding.BAD_ESCAPE)
    ("'%' without two hex digits", '2.2')
    """
    from fasturl import problems

    told = next(found.message for found in problems(advice_on(finding).example) if found.finding == finding)
    sentence, _, section = told.removesuffix(")").rpartition(" (RFC 1738 section ")
    return sentence.split(": ", 2)[-1], section
