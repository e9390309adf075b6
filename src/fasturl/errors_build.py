"""What a component is refused with that no URL of its scheme can hold."""

from __future__ import annotations

__all__ = ["UnbuildableURL"]


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
    fasturl.errors_build.UnbuildableURL: host: neither a name nor a number at offset 3 (RFC 1738 section 3.1)
    """

    def __init__(self, why: str, term: str, offset: int, section: str) -> None:
        super().__init__(f"{term}: {why} at offset {offset} (RFC 1738 section {section})")
        self.why = why
        self.term = term
        self.offset = offset
        self.section = section

    def __reduce__(self) -> tuple[type[UnbuildableURL], tuple[str, str, int, str]]:
        return type(self), (self.why, self.term, self.offset, self.section)
