"""The exceptions. No message shows a password."""

from fasturl._findings import Finding

__all__ = ["FasturlError", "InvalidURL", "UnbuildableURL", "UnsafeURL"]


class FasturlError(Exception):
    """Base class of the errors that fasturl raises. System errors, such as FileNotFoundError, pass through."""


class InvalidURL(FasturlError, ValueError):
    """Raised when RFC 1738 section 5 does not allow a URL. The attributes describe the first violation.

    Attributes
    ----------
    finding : Finding
        What is wrong.
    term : str
        The RFC's name for the part.
    offset : int
        Where the violation starts, in characters for str and in bytes for bytes.
    section : str
        Section in RFC 1738, or the whole citation if another document defines the finding.

    Examples
    --------
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
    """Raised when a decoded CR, LF or NUL would reach a command or a request (RFC 1738 section 6).

    You also get it when you change a URL so that some program would read another host.

    Attributes
    ----------
    term : str
        The RFC's name for the part, empty if there is no single part.
    offset : int or None
        Where the problem starts in the component's value, in characters.
    section : str
        Section in RFC 1738.
    """

    def __init__(self, message: str, term: str = "", offset: int | None = None, section: str = "6") -> None:
        super().__init__(message)
        self.term = term
        self.offset = offset
        self.section = section

    def __reduce__(self) -> tuple[type, tuple[str, str, int | None, str]]:
        return type(self), (str(self), self.term, self.offset, self.section)


class UnbuildableURL(FasturlError, ValueError):
    """Raised when no URL can hold a component that you pass, even with escapes (RFC 1738 section 5).

    The message shows no value, so it shows no password.

    Attributes
    ----------
    term : str
        The RFC's name for the component.
    offset : int
        The first invalid character in the value, or the value's length if it is too short.
    section : str
        Section in RFC 1738.

    Examples
    --------
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
