"""FTP (RFC 1738 section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self, overload

from fasturl._docstrings import documented
from fasturl._fastparse import SHAPES
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._text import check_sendable
from fasturl.schemes.base import DEFAULT_PORT, IpParts, check_types, set_fields

__all__ = ["Ftp"]

_TYPE = ";type="
_TYPECODES = ("a", "i", "d")


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Ftp(IpParts):
    """An FTP URL, ``ftp://user:password@host:port/cwd1/…/cwdN/name;type=typecode`` (RFC 1738 section 3.2).

    Parameters
    ----------
    cwd : tuple of str
        The directories above the file, decoded.
    name : str
        The file or directory, decoded. It is missing when the URL has no path.
    typecode : str
        How to transfer the file: "a", "i" or "d", in either case.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> url = decompose("ftp://myname@host.dom/%2Fetc/motd")
    >>> url.user, url.password, url.cwd, url.name, url.typecode
    ('myname', None, ('/etc',), 'motd', None)
    """

    scheme = "ftp"
    section = "3.2.2"
    _shape = SHAPES["ftp"]

    user: str | None = None
    password: str | None = None
    host: str = ""
    port: int = DEFAULT_PORT
    cwd: tuple[str, ...] = ()
    name: str | None = None
    typecode: str | None = None

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        new, mark, path = cls._read_login(part)
        cwd: tuple[str, ...] = ()
        name = typecode = None
        if mark is not None:
            before, mark, after = path.rpartition(";")
            if mark and after.startswith(_TYPE[1:]):
                path, typecode = before, after[len(_TYPE) - 1 :]
            *dirs, name = map(_text.decode, path.split("/"))
            cwd = tuple(dirs)
        set_fields(new, cwd=cwd, name=name, typecode=typecode)
        return new

    def schemepart(self) -> str:
        host = self._hostport()
        where = _text.userinfo(self.user, self.password) + host
        if self.name is None:
            for term in ("cwd", "typecode"):
                if getattr(self, term):
                    raise UnbuildableURL(f"a {term} without a name", term, 0, self.section)
            return f"//{where}"
        segments = [_text.escape(text, "fsegment", self.section) for text in (*self.cwd, self.name)]
        path = "/".join(segments)
        if self.typecode is None:
            return f"//{where}/{path}"
        _text.bytes_of(self.typecode, "typecode", self.section)
        if self.typecode.lower() not in _TYPECODES:
            raise UnbuildableURL("none of a, i and d", "typecode", 0, self.section)
        return f"//{where}/{path}{_TYPE}{self.typecode}"

    @overload
    def commands(self, anonymous: str | None = None, *, as_bytes: Literal[False] = False) -> list[tuple[str, str]]: ...
    @overload
    def commands(self, anonymous: str | None = None, *, as_bytes: Literal[True]) -> list[tuple[bytes, bytes]]: ...
    def commands(
        self, anonymous: str | None = None, *, as_bytes: bool = False
    ) -> list[tuple[str, str]] | list[tuple[bytes, bytes]]:
        """Return the FTP commands that fetch the URL's file or directory, in order (RFC 1738 section 3.2.2).

        When there is no password, you get no ``PASS``. Then ask the user for a password.

        Parameters
        ----------
        anonymous : str, optional
            The user's mail address. It is sent as the password when the URL names no user (section 3.2.1).
        as_bytes : bool, default False
            True to get the decoded bytes, which can be invalid UTF-8.

        Returns
        -------
        list of (str, str), or list of (bytes, bytes)
            Commands and decoded arguments: ``USER``, ``PASS``, a ``CWD`` for each directory, even if it is empty,
            ``TYPE`` for typecode a or i, and ``RETR``, or ``NLST`` for typecode d. Without a path, you get only the
            login.

        Raises
        ------
        UnsafeURL
            If an argument contains a CR, LF or NUL (section 6).
        TypeError
            If the address is not a str.

        Examples
        --------
        >>> from fasturl.schemes import decompose
        >>> for command in decompose("ftp://myname@host.dom//etc/motd;type=a").commands():
        ...     print(command)
        ('USER', 'myname')
        ('CWD', '')
        ('CWD', 'etc')
        ('TYPE', 'A')
        ('RETR', 'motd')
        >>> decompose("ftp://ds.internic.net/rfc").commands(anonymous="me@host.dom")
        [('USER', 'anonymous'), ('PASS', 'me@host.dom'), ('RETR', 'rfc')]
        >>> decompose("ftp://u@host.dom/caf%E9").commands(as_bytes=True)
        [(b'USER', b'u'), (b'RETR', b'caf\\xe9')]
        """
        check_types(self)
        if self.user is None:
            user, password, term = "anonymous", anonymous, "anonymous"
        else:
            user, password, term = self.user, self.password, "password"
        sequence = [("user", "USER", user)]
        if password is not None:
            sequence.append((term, "PASS", password))
        sequence += [("cwd", "CWD", directory) for directory in self.cwd]
        if self.name is not None:
            listing = self.typecode in ("d", "D")
            if self.typecode is not None and not listing:
                sequence.append(("typecode", "TYPE", self.typecode.upper()))
            sequence.append(("name", "NLST" if listing else "RETR", self.name))
        sent = [check_sendable(argument, term) for term, _, argument in sequence]
        if as_bytes:
            return [(command.encode(), argument) for (_, command, _), argument in zip(sequence, sent, strict=True)]
        return [(command, argument) for _, command, argument in sequence]
