"""The table of findings: violations make a URL invalid, hazards make it dangerous. Also the terms that messages use."""

from collections import namedtuple
from enum import IntFlag

__all__ = ["Finding", "Problem"]

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:
    from typing import Self


class Finding(IntFlag):
    """A set of findings in a URL, as bits.

    You can store the bits, for example in a column, because a bit never changes. ``Finding.VIOLATIONS`` masks the
    findings that make a URL invalid by RFC 1738 section 5. ``Finding.HAZARDS`` masks the findings that warn you about a
    valid URL.

    Attributes
    ----------
    sentence : str
        What is wrong. A violation's sentence also says what would be right.
    citation : str
        Document and section that define the finding. {part} and {scheme} stand for the section in RFC 1738 that defines
        the part or the scheme.
    example : str
        A URL with this finding.
    reason : str
        Why it matters.
    advice : str
        What you can do.

    Notes
    -----
    Only a single finding has these attributes. A set has none.

    Examples
    --------
    >>> found = Finding.UNSAFE | Finding.PASSWORD
    >>> found & Finding.HAZARDS
    <Finding.PASSWORD: 65536>
    >>> [finding.name for finding in found]
    ['UNSAFE', 'PASSWORD']
    >>> Finding.BAD_ESCAPE.sentence, Finding.BAD_ESCAPE.example
    ("'%' without two hex digits; write a literal '%' as %25", 'http://example.com/100%')
    >>> print(found)
    UNSAFE|PASSWORD
    """

    sentence: str
    citation: str
    example: str
    reason: str
    advice: str

    def __new__(
        cls, bits: int, sentence: str = "", citation: str = "", example: str = "", reason: str = "", advice: str = ""
    ) -> "Self":
        finding = int.__new__(cls, bits)
        finding._value_ = bits
        if sentence:
            finding.sentence, finding.citation, finding.example = sentence, citation, example
            finding.reason, finding.advice = reason, advice
        return finding

    # Violations have the bits below 16. tools/gen_findings.py writes the bits into the kernel's header.
    NO_SCHEME = (
        1 << 0,
        "no scheme; a URL starts with one, such as http:",
        "RFC 1738 section 2.1",
        "example.com/page",
        "When a text has no scheme, it is not a URL. Some programs add http, and others read the text as a path.",
        'Write the scheme. If you read request targets from an access log, pass form="request-target".',
    )
    BAD_SCHEME = (
        1 << 1,
        "not a scheme character; a scheme holds letters, digits, '+', '-' and '.'",
        "RFC 1738 section 2.1",
        "ht_tp://example.com/",
        "A scheme can only have letters, digits, '+', '-' and '.'. With any other character, some programs "
        "see a scheme and others see none. So the same text can lead to two places.",
        "Refuse the URL, or correct the scheme by hand.",
    )
    CONTROL = (
        1 << 2,
        "a raw control character; escape it",
        "RFC 1738 section 2.2",
        "http://example.com/a\tb",
        "Browsers and urllib delete tabs and line ends from a URL, and other programs keep them. So your "
        "filter and a browser can see two URLs. When a log or a header has a line end, a new line starts.",
        "Refuse the URL. If the character belongs to a name, escape it, for example as %09.",
    )
    NON_ASCII = (
        1 << 3,
        "a raw byte above 7E; escape it",
        "RFC 1738 section 2.2",
        "http://example.com/café",
        "A URL can only have ASCII characters. The bytes of any other character depend on an encoding, which "
        "the URL does not name.",
        "Escape the UTF-8 bytes. For example, fasturl.quote writes caf%C3%A9. A host needs IDNA.",
    )
    UNSAFE = (
        1 << 4,
        "an unsafe character; escape it",
        "RFC 1738 section 2.2",
        "http://example.com/a b",
        "In a text or a header, a space, a quote or an angle bracket can end the URL. Gateways used to change "
        "{ } | \\ ^ ~ [ ] `. Browsers send many of these characters raw, so you find them in most logs.",
        "When you write a URL, escape them with fasturl.rfc1738.escape. In a log, a quote or an angle bracket in the "
        "query is often an attempt to inject markup.",
    )
    FRAGMENT = (
        1 << 5,
        "'#' starts a fragment, which is not part of a URL; cut it off",
        "RFC 1738 section 2.2",
        "http://example.com/#top",
        "A fragment is not part of a URL, and browsers do not send it to a server. When your log has one, "
        "another kind of client sent it.",
        "Cut the fragment before you request or compare the URL: fasturl.drop_parts(url, 'fragment').",
    )
    BAD_ESCAPE = (
        1 << 6,
        "'%' without two hex digits; write a literal '%' as %25",
        "RFC 1738 section 2.2",
        "http://example.com/100%",
        "When no two hex digits follow a '%', some programs keep the '%', and others refuse the URL. In a log"
        " it often means a truncated URL or a probe.",
        "Write a literal '%' as %25.",
    )
    RESERVED = (
        1 << 7,
        "a reserved character that divides nothing here; escape it",
        "RFC 1738 section {part}",
        "ftp://user:a:b@example.com/",
        "The character is a delimiter, but this part has no delimiter. Some programs split there, and others do not.",
        "If the character belongs to a name or a value, escape it.",
    )
    BAD_HOST = (
        1 << 8,
        "neither a hostname nor a hostnumber",
        "RFC 1738 section {part}",
        "http://my_host/",
        "A host is four numbers, or labels with letters, digits and inner hyphens. Programs treat other hosts"
        " differently. Addresses in brackets are younger than RFC 1738, so they have this finding too.",
        "Accept [::1] if you support IPv6. Accept '_' only for names in your own network.",
    )
    BAD_PORT = (
        1 << 9,
        "not a number from 0 to 65535",
        "RFC 1738 section {part}",
        "http://example.com:80a/",
        "Some programs read the digits before the fault as the port, and others use the default port.",
        "Refuse the URL.",
    )
    LOGIN = (
        1 << 10,
        "this scheme allows no user or password; remove the text up to the '@'",
        "RFC 1738 section {scheme}",
        "http://example.com@evil.example/",
        "An http URL has no user or password. When a person reads the URL, the text before the '@' looks like"
        " the host. Phishing uses this.",
        "Show and compare the hostname, never the text. Send your password in a header.",
    )
    MISSING = (
        1 << 11,
        "a required part is missing",
        "RFC 1738 section {part}",
        "http:example.com",
        "The scheme requires a part that is absent, for example '//', a host or a group. Each program guesses"
        " the part in another way.",
        "Refuse the URL, or write the part.",
    )
    BAD_PART = (
        1 << 12,
        "does not match the grammar of this part",
        "RFC 1738 section {part}",
        "ftp://example.com/file;type=x",
        "The scheme has a grammar for this part, and the text does not match it.",
        "The scheme's page says what you can write in this part.",
    )

    # Hazards have the bits from 16 on.
    PASSWORD = (
        1 << 16,
        "a password in a URL is not secret",
        "RFC 1738 section 6",
        "ftp://user:secret@example.com/",
        "Programs write URLs to logs, histories and the Referer header. Anyone who reads these has the password.",
        "Change the password. When you write a URL, hide it with fasturl.redact.",
    )
    NONDEFAULT_PORT = (
        1 << 17,
        "not the default port of the scheme",
        "RFC 1738 section 6",
        "http://example.com:8080/",
        "Another port is often harmless, for example for your own server. But when a crawler or a webhook "
        "follows it, they can reach services that were never meant for them.",
        "Allow only the ports that you know.",
    )
    RESERVED_PORT = (
        1 << 18,
        "a port below 1024 that is not the registered port of the scheme",
        "RFC 1738 section 6",
        "http://example.com:25/",
        "Ports below 1024 belong to other services. For example, a request to port 25 that contains line ends"
        " can send mail.",
        "If you do not trust the source, refuse the URL.",
    )
    ENCODED_CONTROL = (
        1 << 19,
        "an escaped control character",
        "RFC 1738 section 6",
        "http://example.com/a%0d%0aSet-Cookie:x",
        "When you decode a line end, it can split a header or a log line. A decoded NUL ends a C string, and "
        "other controls command a terminal. In a log it is nearly always a probe.",
        "Decode with fasturl.unquote_safe, which keeps these escapes. Refuse the URL if you need it in a "
        "header or a file name.",
    )
    DOUBLE_ENCODED = (
        1 << 20,
        "an escape that decodes to another escape",
        "RFC 3986 section 2.4",
        "http://example.com/%252e%252e/secret",
        "When you decode once, you get another escape. For example, a filter that decodes once sees %2e%2e, "
        "but a server that decodes twice sees '..'.",
        "Decode exactly once, and check the decoded text that you use.",
    )
    OVERLONG_UTF8 = (
        1 << 21,
        "an escaped, overlong UTF-8 sequence",
        "RFC 3629 section 3",
        "http://example.com/..%c0%af../secret",
        "The sequence has more bytes than the character needs. For example, a decoder without checks reads "
        "%c0%af as '/', but your filter does not.",
        "Decode with a strict UTF-8 decoder, such as Python's. In a log the sequence is a probe.",
    )
    BACKSLASH = (
        1 << 22,
        "a backslash, which some programs read as a slash",
        "WHATWG URL Standard section 4.4",
        "http://example.com/a\\..\\b",
        "Browsers and Windows read a backslash as a slash, and the RFC does not.",
        "Refuse the URL, or escape the backslash as %5C.",
    )
    MULTIPLE_AT = (
        1 << 23,
        "programs disagree about which '@' ends the login",
        "fasturl's own finding",
        "http://a@good.example@evil.example/",
        "When programs choose another '@', they connect to another host.",
        "Refuse the URL.",
    )
    AMBIGUOUS_AUTHORITY = (
        1 << 24,
        "programs disagree about the login, the host or the port",
        "fasturl's own finding",
        "http://good.example\\@evil.example/",
        "Some programs may read another scheme, login, host or port in this text. When you check the URL with"
        " one program and request it with another, they can use two hosts.",
        "Refuse the URL wherever you check a host. The place of the finding shows the text that programs read"
        " differently.",
    )
    TRAVERSAL = (
        1 << 25,
        "dot segments climb above the root",
        "RFC 3986 section 5.2.4",
        "http://example.com/a/%2e%2e/..%5C../secret",
        "When a server joins the path to a folder, it can read a file outside the folder. Programs decode "
        "escapes at different times, and some read a backslash as a slash. So you must not only check the "
        "plain text. In a log it is nearly always a probe.",
        "Decode once, resolve the dot segments, and check that the file is inside your folder.",
    )
    HOST_AS_SCHEME = (
        1 << 26,
        "looks like host:port, but the text before ':' is a scheme; write http:// before it",
        "fasturl's own finding",
        "example.com:8080/x",
        "RFC 1738 and urllib read the host in such a text as a scheme, and see no host. A browser's address "
        "bar, curl and PHP read a host and a port.",
        "Write the scheme, for example http://example.com:8080/x.",
    )
    LATE_AT = (
        1 << 27,
        "an '@' after the authority; the text before it may be a password",
        "fasturl's own finding",
        "postgresql://u:s3c/ret@example.com/db",
        "When a password has a raw '/', '?' or '#', it ends the authority for most programs, so the user "
        "becomes the host. Others read a password up to the '@'.",
        "Escape the password with fasturl.rfc1738.escape_login. When you only show the URL, fasturl.redact hides it.",
    )

    VIOLATIONS = sum(row[0] for row in vars().values() if isinstance(row, tuple) and row[0] < 1 << 16)
    HAZARDS = sum(row[0] for row in vars().values() if isinstance(row, tuple) and row[0] >= 1 << 16)

    @classmethod
    def _missing_(cls, value: object) -> "Finding":
        if isinstance(value, int):
            member: Finding = super()._missing_(value)
            return member
        from fasturl._quoted import no_member

        raise no_member(cls, value)

    def __str__(self) -> str:
        """Return the names, joined by "|", and "none" without a finding."""
        return self.name or "none"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec[-1:] in tuple("bcdoxXn") else format(str(self), spec)

    @property
    def ndim(self) -> int:
        """int: always 0, so that pandas treats a finding as a scalar, although you can iterate over it."""
        return 0


# The terms of RFC 1738, and at the end those of RFC 3986, that messages use for the part of a finding. "byte"
# stands for any part: the reader of the finding looks up the part at its place.
TERMS = (
    "byte",
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
    "userinfo",
    "path",
    "query",
    "request-target",
)


# Sentences for the special cases of a finding: by the term, or by the reason that fasturl._terms finds in the text.
REASONS = {
    "CONTROL": {"host": "a raw control character, which a host does not allow; remove it"},
    "NON_ASCII": {"host": "a raw byte above 7E; write the host in the ASCII form of IDNA"},
    "UNSAFE": {"host": "an unsafe character, which a host does not allow; remove it"},
    "BAD_HOST": {
        "character": "not allowed in a host, which holds letters, digits, '-' and '.'",
        "escape": "an escape, which a host does not allow; write the character",
        "brackets": "an address in brackets, which RFC 1738 does not know; write a name or four numbers",
        "empty": "a label is empty; write a letter or digit before the '.'",
        "start": "a label starts with '-'; start it with a letter or digit",
        "hyphen": "a label ends with '-'; end it with a letter or digit",
        "dot": "the host ends with '.'; remove it",
        "digit": "the last label starts with a digit; start it with a letter",
        "numbers": "a hostnumber has four groups of digits; write four, or a name",
    },
    "BAD_PORT": {
        "file": "file has no port; remove it",
        "empty": "empty port; write a number, or remove the ':'",
        "digit": "not a digit; a port is a number from 0 to 65535",
        "large": "above 65535, the largest port",
    },
    "MISSING": {
        "schemepart": "`//` is missing; write it after the scheme's ':'",
        "host": "the host is missing; write a name or four numbers",
        "hpath": "the path is missing; write '/'",
        "fpath": "the path is missing; write '/'",
        "ftptype": "the typecode is missing; write a, i or d",
        "encoded822addr": "the address is missing; write it after the ':'",
        "grouppart": "the group is missing; write its name, a message-id or '*'",
        "group": "the group is missing; write '/' and its name",
        "article": "the text before the '@' of a message-id is missing; write it",
        "digits": "the number of the article is missing; write it, or remove the '/'",
        "database": "the database is missing; write '/' and its name",
        "wpath": "the wpath is missing; write '/' and the wpath",
        "ppath": "the path is missing; write '/'",
    },
    "BAD_PART": {
        "ftptype": "not a typecode; write one of a, i and d",
        "urlpath": "telnet allows nothing after the '/'; remove it",
        "group": "not a group's name: a letter, then letters, digits, '-', '.', '+' and '_'",
        "digits": "not a digit; the number of an article has only digits",
        "fieldspec": "a field without '='; write name=value",
    },
}
# TCP's header has 16 bits for a port. RFC 1738 sets no limit.
CITATIONS = {("BAD_PORT", "large"): "RFC 9293 section 3.1", ("BAD_PORT", "file"): "RFC 1738 section 3.10"}
# By bit number. An unused bit has an empty name.
FINDING_NAMES = [Finding(1 << bit).name or "" for bit in range(max(Finding).bit_length())]


# collections.namedtuple, because typing.NamedTuple needs typing, whose import costs more than this module.
class Problem(namedtuple("Problem", ("finding", "start", "end", "message"))):
    """A finding with its place in a URL.

    Attributes
    ----------
    finding : Finding
        What is wrong, as a single finding.
    start : int
        Offset where the problem starts, in characters for str and in bytes for bytes.
    end : int
        Offset where the problem ends.
    message : str
        What is wrong, where, and what to do.

    Examples
    --------
    >>> Problem(Finding.FRAGMENT, 10, 11, "hpath: '#' at offset 10 ...").finding
    <Finding.FRAGMENT: 32>
    """

    __slots__ = ()

    finding: Finding
    start: int
    end: int
    message: str
