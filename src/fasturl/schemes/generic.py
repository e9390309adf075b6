"""Any other scheme (RFC 1738 sections 3.1 and 5, ``genericurl``)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Self

from fasturl._fastparse import SHAPES, _split_login
from fasturl._urllib import redact
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import SchemeParts, check_types, set_fields
from fasturl.secrets import SECRET_KEYS

__all__ = ["Generic"]

_SCHEME = frozenset(RAW["scheme"].decode())


@dataclass(frozen=True, slots=True, repr=False)
class Generic(SchemeParts):
    """``scheme:part``, where the part may be ``//user:password@host:port/path`` (RFC 1738 section 3.1).

    ``part`` is the text after the colon, as written. If it is an ip-schemepart, the other fields hold its components:
    user and password decoded, the path as written without its first slash. Otherwise they are None. A value is built
    from the part alone, or from the other fields alone.
    ``decompose(url, strict=False)`` also reads user, password, host and port of any other part that starts with
    ``//``, as it does for http. If all of them are absent or empty, the fields stay None as with strict=True.

    >>> from fasturl.schemes import decompose
    >>> url = decompose("postgresql+psycopg://anne:p%40ss@db.dom:5432/shop?sslmode=require")
    >>> url.user, url.password, url.host, url.port, url.path
    ('anne', 'p@ss', 'db.dom', 5432, 'shop?sslmode=require')
    >>> Generic("redis", user="", password="a/b", host="cache.dom", path="0").geturl()
    'redis://:a%2Fb@cache.dom/0'
    """

    _has_login = True

    scheme: str = ""  # type: ignore[misc]  # an attribute of each value, not of the class
    part: str | None = None
    user: str | None = None
    password: str | None = None
    host: str | None = None
    port: int | None = None
    path: str | None = None

    def __post_init__(self) -> None:
        # geturl() raises for a field that no URL can hold.
        with contextlib.suppress(TypeError, UnbuildableURL):
            check_types(self)
            self._fill()

    def _fill(self) -> None:
        """Fill the part from the other fields, or the other fields from the part."""
        from fasturl.schemes.known import default_port_of

        if self.scheme.isascii():
            set_fields(self, scheme=self.scheme.lower())
        if self.port is None and self.host is not None:
            set_fields(self, port=default_port_of(self.scheme))
        if self.part is None and self.host is not None:
            set_fields(self, part=self._ip_schemepart())
        elif self.part is not None and self == type(self)._bare(self.scheme, self.part):
            self._read(self.part)

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        return cls.of("", part)

    @classmethod
    def of(cls, scheme: str, part: str, *, strict: bool = True) -> Self:
        """Read a schemepart of this scheme. Unless strict, also read a login that the grammar does not derive."""
        new = cls._bare(scheme, part)
        new._read(part, strict)
        return new

    @classmethod
    def _bare(cls, scheme: str, part: str) -> Self:
        new = object.__new__(cls)
        set_fields(new, scheme=scheme, part=part, user=None, password=None, host=None, port=None, path=None)
        return new

    def _read(self, part: str, strict: bool = True) -> None:
        from fasturl.schemes.known import default_port_of

        # Without a scheme, read the login as urllib does: it ends as in http.
        shape = SHAPES["generic" if self.scheme else "http"]
        user, password, host, port, mark, rest, sure = _split_login(part, shape)
        # Unless the grammar derives the part as an ip-schemepart, it is opaque, even after `//`. An empty login has no
        # components in any reading.
        if host is None or (strict and not sure) or (not host and user is None and port is None):
            return
        path = rest if mark == "/" else None
        port = default_port_of(self.scheme) if port is None else port
        set_fields(self, user=_text.decode_any(user), password=_text.decode_any(password))
        set_fields(self, host=host, port=port, path=path)

    def _ip_schemepart(self) -> str:
        from fasturl.schemes.known import default_port_of

        port = default_port_of(self.scheme)
        # A scheme without a production may reserve every reserved byte (section 2.2).
        login = _text.login(self.user, self.password, self.host or "", self.port, port, raw=RAW["uchar"])
        text = f"//{login}"
        return text if self.path is None else f"{text}/{_text.written(self.path, 'urlpath', self.section)}"

    def schemepart(self) -> str:
        from fasturl.schemes.known import is_own

        scheme = _text.octets_of(self.scheme, "scheme", "2.1").decode("utf-8", "replace")
        broken = next((i for i, char in enumerate(scheme) if char not in _SCHEME), None if scheme else 0)
        if broken is not None:
            raise UnbuildableURL("no scheme's name", "scheme", broken, "2.1")
        if is_own(self.scheme):
            raise UnbuildableURL("a scheme with a class of its own", "scheme", 0, self.section)
        if self.part is None:
            if self.host is None:
                raise UnbuildableURL("neither a part nor a host", "schemepart", 0, self.section)
            self._ip_schemepart()
        part = _text.written(self.part or "", "schemepart", self.section, raw=RAW["xchar"])
        if self not in (type(self).of(self.scheme, part), type(self).of(self.scheme, part, strict=False)):
            why = "not what the other fields say (None builds it from them)"
            raise UnbuildableURL(why, "schemepart", 0, self.section)
        return part

    def _shown(self, name: str) -> str:
        if name == "part" and (self.password or self._may_show_a_password()):
            return "'***'"
        if name == "part" and isinstance(self.part, str):
            # A part that is not an ip-schemepart can still hold a password in some reading. For the scheme "ws", redact
            # considers every reading: urllib's, the RFC's of a generic part, and a browser's.
            return repr(redact(f"ws:{self.part}", SECRET_KEYS)[3:])
        return SchemeParts._shown(self, name)
