"""Any other scheme (RFC 1738 sections 3.1 and 5, ``genericurl``)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Self

from fasturl._query import redact
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import SchemeParts, cut, set_fields

__all__ = ["Generic"]

_SCHEME = frozenset(RAW["scheme"].decode())


@dataclass(frozen=True, slots=True, repr=False)
class Generic(SchemeParts):
    """``scheme:part``, where the part may be ``//user:password@host:port/path`` (RFC 1738 section 3.1).

    ``part`` is all that follows the colon, as written. Where it is an ip-schemepart, the other fields hold
    what it says: user and password decoded, the path as written, without the slash before it. Where it is
    none, they are None. A value can be made from either: from the part, or from the fields without it.

    >>> from fasturl.schemes import decompose
    >>> url = decompose("postgresql+psycopg://anne:p%40ss@db.dom:5432/shop?sslmode=require")
    >>> url.user, url.password, url.host, url.port, url.path
    ('anne', 'p@ss', 'db.dom', 5432, 'shop?sslmode=require')
    >>> Generic("redis", user="", password="a/b", host="cache.dom", path="0").geturl()
    'redis://:a%2Fb@cache.dom/0'
    """

    scheme: str = ""  # type: ignore[misc]  # no class's name here, each value has its own
    part: str | None = None
    user: str | None = None
    password: str | None = None
    host: str | None = None
    port: int | None = None
    path: str | None = None

    def __post_init__(self) -> None:
        from fasturl.schemes.known import default_port_of

        if isinstance(self.scheme, str) and self.scheme.isascii():
            set_fields(self, scheme=self.scheme.lower())
        if self.port is None and self.host is not None:
            set_fields(self, port=default_port_of(self.scheme))
        if self.part is None and self.host is not None:
            # What no URL can hold is said when the URL is asked for.
            with contextlib.suppress(UnbuildableURL):
                set_fields(self, part=self._ip_schemepart())
        elif isinstance(self.part, str) and self == type(self)._bare(self.scheme, self.part):
            self._read(self.part)

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        return cls.of("", part)

    @classmethod
    def of(cls, scheme: str, part: str) -> Self:
        """Read a schemepart of this scheme."""
        new = object.__new__(cls)
        set_fields(new, scheme=scheme, part=part)
        new._read(part)
        return new

    @classmethod
    def _bare(cls, scheme: str, part: str) -> Self:
        new = object.__new__(cls)
        set_fields(new, scheme=scheme, part=part, user=None, password=None, host=None, port=None, path=None)
        return new

    def _read(self, part: str) -> None:
        from fasturl.schemes.known import default_port_of

        user = password = host = port = path = None
        text, slash, rest = cut(part)
        # Only what the grammar derives is an ip-schemepart; `//` before anything else is opaque.
        if text is not None and _is_login(text):
            user, password, host, digits = _text.split_login(text)
            port = default_port_of(self.scheme) if digits is None else _text.port_number(digits)
            path = rest if slash else None
        set_fields(self, user=user, password=password, host=host, port=port, path=path)

    def _ip_schemepart(self) -> str:
        from fasturl.schemes.known import default_port_of

        port = default_port_of(self.scheme)
        text = f"//{_text.login(self.user, self.password, self.host or '', self.port, port)}"
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
        if type(self).of(self.scheme, part) != self:
            why = "not what the other fields say (None builds it from them)"
            raise UnbuildableURL(why, "schemepart", 0, self.section)
        return part

    def _shown(self, name: str) -> str:
        if name == "part" and self.password:
            return "'***'"
        if name == "part" and isinstance(self.part, str):
            # A part that is no ip-schemepart can hold what looks like a password all the same.
            return repr(redact(f"x:{self.part}")[2:])
        return SchemeParts._shown(self, name)


def _is_login(text: str) -> bool:
    """Whether this is the RFC's login: ``[ user [ ":" password ] "@" ] hostport``."""
    before, at, after = text.rpartition("@")
    host, port = _text.split_hostport(after)
    if after[:1] == "[":
        return False
    if _text.host_break(host) is not None or (port is not None and _text.port_number(port) is None):
        return False
    if not at:
        return True
    user, _, password = before.partition(":")
    try:
        _text.written(user, "user", "3.1")
        _text.written(password, "password", "3.1")
    except UnbuildableURL:
        return False
    return True
