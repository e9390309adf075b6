"""The exceptions. No message shows a password."""

from fasturl._findings import Finding

__all__ = ["FasturlError", "InvalidURL", "UnbuildableURL", "UnsafeURL"]


class FasturlError(Exception):
    """The base of the errors that fasturl raises. Errors of the system, such as FileNotFoundError, pass through."""


class InvalidURL(FasturlError, ValueError):
    """A URL that RFC 1738 section 5 does not derive. The attributes describe its first violation.

    finding : Finding
    term : str, the RFC's name of the part
    offset : int, in characters of a str, bytes of bytes
    section : str, of RFC 1738; the whole citation if another document defines the finding

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


class UnsafeURL(FasturlError, ValueError):
    """A URL from which a decoded CR, LF or NUL would reach a command or a request (RFC 1738 section 6).

    Also a change of a URL after which a program would read another host.
    """

    def __init__(self, message: str, term: str = "", offset: int | None = None, section: str = "6") -> None:
        super().__init__(message)
        self.term = term
        self.offset = offset
        self.section = section

    def __reduce__(self) -> tuple[type, tuple[str, str, int | None, str]]:
        return type(self), (str(self), self.term, self.offset, self.section)


class UnbuildableURL(FasturlError, ValueError):
    """A component that no URL of its scheme can hold, even with escapes (RFC 1738 section 5).

    term : str, the RFC's name of the component
    offset : int, in characters of its value: the first invalid character, or the length of a value that is too short
    section : str, of RFC 1738

    Builders raise it, as readers raise :class:`fasturl.InvalidURL`. The message shows no value, so no password.

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
