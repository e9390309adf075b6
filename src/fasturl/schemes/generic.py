"""Any other scheme (RFC 1738 sections 3.1 and 5, ``genericurl``)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Self

from fasturl._fastparse import SHAPES, _split_login
from fasturl._urllib import SECRET_KEYS, redact
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import SchemeParts, check_types, default_port_of, is_known, is_own, set_fields, store_tuples

__all__ = ["Generic"]

_PATH = RAW["urlpath"].replace(b"?", b"")
_SCHEME = frozenset(RAW["scheme"].decode())


@dataclass(frozen=True, slots=True, repr=False)
class Generic(SchemeParts):
    """``scheme:part``, where the part may be ``//user:password@host:port/path?query`` (RFC 1738 section 3.1).

    ``part`` is the text after the colon, as written. If it is an ip-schemepart, the other fields hold its components:
    user and password decoded, the path without its first slash and the query as written. Otherwise they are None. The
    part may name several hosts with commas between, as those of databases do: ``hosts`` has each with its port, and
    ``host`` and ``port`` are the first. A value is built from the part alone, or from the other fields alone.
    ``decompose(url, strict=False)`` also reads user, password, host and port of any other part that starts with
    ``//``, as it does for http: the first ``/`` or ``?`` ends the login. If there is neither a login nor a path, the
    fields stay None as with strict=True. They also stay None if the scheme neither starts with a letter nor is
    registered, because other programs read no scheme there.

    >>> from fasturl.schemes import decompose
    >>> url = decompose("postgresql+psycopg://anne:p%40ss@db.dom:5432/shop?sslmode=require")
    >>> url.user, url.password, url.host, url.port, url.path, url.query
    ('anne', 'p@ss', 'db.dom', 5432, 'shop', 'sslmode=require')
    >>> decompose("mongodb://u:p@h1:27017,h2:27018/db").hosts
    (('h1', 27017), ('h2', 27018))
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
    query: str | None = None
    hosts: tuple[tuple[str, int | None], ...] = ()

    def __post_init__(self) -> None:
        # geturl() raises for a field that no URL can hold.
        with contextlib.suppress(TypeError, UnbuildableURL):
            store_tuples(self)
            check_types(self)
            self._fill()

    def _fill(self) -> None:
        """Fill the part from the other fields, or the other fields from the part."""
        if self.scheme.isascii():
            set_fields(self, scheme=self.scheme.lower())
        if self.host is None and self.hosts and self.part is None:
            set_fields(self, host=self.hosts[0][0], port=self.hosts[0][1])
        if self.port is None and self.host is not None:
            set_fields(self, port=default_port_of(self.scheme))
        if self.host is not None and len(self.hosts) < 2:
            set_fields(self, hosts=((self.host, self.port),))
        if self.query is None and self.path is not None and "?" in self.path:
            path, _, query = self.path.partition("?")
            set_fields(self, path=path, query=query)
        if self.part is None and self.host is not None:
            set_fields(self, part=self._ip_schemepart())
        elif self.part is not None and self == type(self)._bare(self.scheme, self.part):
            self._read(self.part)

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        return cls.of("", part)

    @classmethod
    def of(cls, scheme: str, part: str, *, strict: bool = True, valid: bool = True) -> Self:
        """Read a schemepart of this scheme. Unless strict, also read a login that the grammar does not derive.

        valid : False for a part of an invalid URL, which has no login by the grammar
        """
        new = cls._bare(scheme, part)
        if not (valid and new._read(part)) and not strict and (scheme == "" or scheme[0].isalpha() or is_known(scheme)):
            new._read(part, "http")  # as urllib and browsers do
        return new

    @classmethod
    def _bare(cls, scheme: str, part: str) -> Self:
        new = object.__new__(cls)
        set_fields(new, scheme=scheme, part=part, user=None, password=None, host=None, port=None, path=None)
        set_fields(new, query=None, hosts=())
        return new

    def _read(self, part: str, name: str = "generic") -> bool:
        """Read the login of a part as a shape does. Return False for a part that is opaque, even after `//`."""
        shape = SHAPES[name]
        user, password, host, port, mark, rest, sure = _split_login(part, shape)
        hosts: tuple[tuple[str | None, int | None], ...] = ((host, port),)
        login = part[2 : len(part) - len(rest) - (mark is not None)]
        before, sign, places = login.rpartition("@")
        if self.scheme and host is not None and "," in places:
            each = [_split_login(f"//{place}", shape) for place in places.split(",")]
            hosts = tuple((one[2], one[3]) for one in each)
            sure = mark != "?" and all(one[6] for one in each) and _split_login(f"//{before}{sign}h", shape)[6]
        # Unless the grammar derives the part as an ip-schemepart, the generic reading has no login.
        if host is None or part == "//" or (name == "generic" and not (sure and self.scheme)):
            return False
        default = default_port_of(self.scheme)
        hosts = tuple((place, default if number is None else number) for place, number in hosts)
        path, qmark, query = rest.partition("?") if mark == "/" else (None, mark, rest)
        set_fields(self, user=_text.decode_any(user), password=_text.decode_any(password))
        set_fields(self, host=hosts[0][0], port=hosts[0][1], hosts=hosts, path=path, query=query if qmark else None)
        return True

    def _ip_schemepart(self, hosts: tuple[tuple[str, int | None], ...] | None = None) -> str:
        """Build the part from the other fields. hosts : in place of the value's own"""
        hosts = hosts or self.hosts
        if hosts[0] != (self.host, self.port) and hosts is self.hosts:
            raise UnbuildableURL("not the first of the hosts", "host", 0, self.section)
        default = default_port_of(self.scheme)
        if hosts == (("", default),) and self.path is not None:
            places = ""  # as in sqlite:////path
        else:
            places = ",".join([_text.hostport(host, port, default) for host, port in hosts])
        # A scheme without a production may reserve every reserved byte (section 2.2).
        text = f"//{_text.userinfo(self.user, self.password, raw=RAW['uchar'])}{places}"
        if self.path is None:
            if self.query is not None:
                raise UnbuildableURL("a query without a path", "urlpath", 0, self.section)
            return text
        text = f"{text}/{_text.check_written(self.path, 'urlpath', self.section, raw=_PATH)}"
        return text if self.query is None else f"{text}?{_text.check_written(self.query, 'urlpath', self.section)}"

    def _readings_of(self, text: str) -> tuple[str, ...]:
        # Programs that know one host per URL refuse several. Each host alone must be plain.
        if len(self.hosts) < 2:
            return (text,)
        return tuple([f"{self.scheme}:{self._ip_schemepart((one,))}" for one in self.hosts])

    def schemepart(self) -> str:
        scheme = _text.octets_of(self.scheme, "scheme", "2.1").decode("utf-8", "replace")
        broken = next((i for i, char in enumerate(scheme) if char not in _SCHEME), None if scheme else 0)
        if broken is not None:
            raise UnbuildableURL("no scheme's name", "scheme", broken, "2.1")
        if is_own(self.scheme):
            raise UnbuildableURL("a scheme with a class of its own", "scheme", 0, self.section)
        if self.part is None:
            if self.host is None:
                raise UnbuildableURL("neither a part nor a host", "schemepart", 0, self.section)
            self._ip_schemepart()  # raises for the component that cannot be built
        part = _text.check_written(self.part or "", "schemepart", self.section, raw=RAW["xchar"])
        if self not in (type(self).of(self.scheme, part), type(self).of(self.scheme, part, strict=False)):
            why = "not what the other fields say (None builds it from them)"
            raise UnbuildableURL(why, "schemepart", 0, self.section)
        return part

    def _repr_of(self, name: str) -> str:
        if name == "part" and (self.password or self._may_show_a_password()):
            return "'***'"
        if name == "part" and isinstance(self.part, str):
            # A part that is not an ip-schemepart can still hold a password in some reading. For the scheme "ws", redact
            # considers every reading: urllib's, the RFC's of a generic part, and a browser's.
            return repr(redact(f"ws:{self.part}", SECRET_KEYS)[3:])
        if name == "query" and isinstance(self.query, str) and not self._may_show_a_password():
            return repr(redact(f"?{self.query}", SECRET_KEYS)[1:])
        return SchemeParts._repr_of(self, name)
