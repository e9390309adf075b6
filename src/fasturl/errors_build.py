"""What a value is refused with when it is to be written: into a URL, or onto a wire.

A URL that cannot be read raises :class:`fasturl.InvalidURL`; these two are its counterparts on the way out.
No message shows a value, so none shows a password.
"""

from __future__ import annotations

__all__ = ["UnbuildableURL", "UnsafeURL"]


class _Refusal(ValueError):
    def __init__(self, why: str, term: str, offset: int, section: str) -> None:
        super().__init__(f"{term}: {why} at offset {offset} (RFC 1738 s{section})")
        self.why = why
        self.term = term
        self.offset = offset
        self.section = section

    def __reduce__(self) -> tuple[type[_Refusal], tuple[str, str, int, str]]:
        return type(self), (self.why, self.term, self.offset, self.section)


class UnbuildableURL(_Refusal):
    """A component that no URL of its scheme can hold, whatever is escaped (RFC 1738 section 5).

    ``term`` is the RFC's name of the component, ``offset`` the first character of its value that cannot stand
    there (the value's length where more was expected), ``section`` where the RFC says so.

    >>> from fasturl.schemes import Http
    >>> Http("exa mple.org").geturl()
    Traceback (most recent call last):
    fasturl.errors_build.UnbuildableURL: host: neither hostname nor hostnumber at offset 3 (RFC 1738 s3.1)
    """


class UnsafeURL(_Refusal):
    """A decoded CR, LF or NUL about to become part of a command or request (RFC 1738 section 6).

    ``offset`` counts octets of the decoded component named by ``term``.

    >>> from fasturl.schemes import decompose
    >>> decompose("ftp://host.dom/a%0D%0ADELE%20b").commands()
    Traceback (most recent call last):
    fasturl.errors_build.UnsafeURL: name: octet 0D cannot be sent at offset 1 (RFC 1738 s6)
    """
