"""The exceptions, and how a finding reads as a sentence. No message shows a password."""

from fasturl.findings import Finding

__all__ = ["InvalidURL", "UnbuildableURL", "UnsafeURL"]

_MEANING: dict[int, str] = {
    Finding.NO_SCHEME: "no scheme",
    Finding.BAD_SCHEME: "not a scheme character",
    Finding.CONTROL: "a raw control octet",
    Finding.NON_ASCII: "a raw octet above 7E",
    Finding.UNSAFE: "an unsafe character, to be escaped",
    Finding.FRAGMENT: "'#' starts a fragment, which is no part of a URL",
    Finding.BAD_ESCAPE: "'%' without two hex digits",
    Finding.RESERVED: "a reserved character where this part has none, to be escaped",
    Finding.BAD_HOST: "neither a hostname nor a hostnumber",
    Finding.BAD_PORT: "not a number from 0 to 65535",
    Finding.LOGIN: "this scheme allows no user or password",
    Finding.MISSING: "a required part is missing",
    Finding.BAD_PART: "not as this part's production has it",
    Finding.PASSWORD: "a password in a URL is no secret",
    Finding.NONDEFAULT_PORT: "not the scheme's own port",
    Finding.RESERVED_PORT: "a port below 1024 that is not the scheme's own",
    Finding.ENCODED_CONTROL: "an escaped control octet",
    Finding.DOUBLE_ENCODED: "an escape that decodes to another escape",
    Finding.OVERLONG_UTF8: "an overlong UTF-8 sequence, in escapes",
    Finding.BACKSLASH: "a backslash, which some programs take for a slash",
    Finding.MULTIPLE_AT: "several '@', where programs disagree about the host",
    Finding.AMBIGUOUS_AUTHORITY: "programs disagree about the login, the host or the port",
}


def sentence(finding: int, term: str, section: str) -> tuple[str, str]:
    """The sentence for a finding, without the place that stands in its middle."""
    return f"{term}: ", f": {_MEANING[finding]} (RFC 1738 section {section})"


def shown_at(octet: str | None) -> str:
    """What stands before the number of a place; ``octet`` is the character there, None to keep it out."""
    return "at offset " if octet is None else f"{octet} at offset "


class InvalidURL(ValueError):
    """A URL that RFC 1738 section 5 does not derive: its first violation.

    finding : Finding
    term : str, the RFC's name of the part
    offset : int, in characters of a str, octets of bytes
    section : str, of RFC 1738

    >>> import fasturl
    >>> try:
    ...     fasturl.parse("http://example.com:x/", strict=True)
    ... except InvalidURL as error:
    ...     error.finding.name, error.term, error.offset, error.section
    ('BAD_PORT', 'port', 19, '3.1')
    """

    def __init__(self, message: str, finding: int, term: str, offset: int, section: str) -> None:
        super().__init__(message)
        self.finding = Finding(finding)
        self.term = term
        self.offset = offset
        self.section = section

    def __reduce__(self) -> tuple[type, tuple[str, Finding, str, int, str]]:
        return type(self), (str(self), self.finding, self.term, self.offset, self.section)


class UnsafeURL(ValueError):
    """A URL whose decoded CR, LF or NUL would reach a command or a request (RFC 1738 section 6)."""

    def __init__(self, message: str, term: str = "", offset: int | None = None, section: str = "6") -> None:
        super().__init__(message)
        self.term = term
        self.offset = offset
        self.section = section

    def __reduce__(self) -> tuple[type, tuple[str, str, int | None, str]]:
        return type(self), (str(self), self.term, self.offset, self.section)


class UnbuildableURL(ValueError):
    """A component that cannot stand in a URL of its scheme, whatever is escaped (RFC 1738 section 5).

    term : str, the RFC's name of the component
    offset : int, in characters of its value: the first that cannot stand there, or the length where more was
        expected
    section : str, of RFC 1738

    The counterpart, on the way out, of :class:`fasturl.InvalidURL`. The message shows no value, so no
    password.

    >>> from fasturl.schemes import Http
    >>> Http("exa mple.org").geturl()
    Traceback (most recent call last):
    fasturl.errors.UnbuildableURL: host: neither a name nor a number at offset 3 (RFC 1738 section 3.1)
    """

    def __init__(self, why: str, term: str, offset: int, section: str) -> None:
        super().__init__(f"{term}: {why} at offset {offset} (RFC 1738 section {section})")
        self.why = why
        self.term = term
        self.offset = offset
        self.section = section

    def __reduce__(self) -> tuple[type, tuple[str, str, int, str]]:
        return type(self), (self.why, self.term, self.offset, self.section)
