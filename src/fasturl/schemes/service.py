"""Telnet, WAIS and Prospero (RFC 1738 sections 3.8, 3.9 and 3.11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import DEFAULT_PORT, IpParts, cut, set_fields

__all__ = ["Prospero", "Telnet", "Wais"]

_PPATH = RAW["psegment"] + b"/"


@dataclass(frozen=True, slots=True, repr=False)
class Telnet(IpParts):
    """``telnet://user:password@host:port/`` (RFC 1738 section 3.8).

    It names an interactive service; user and password are advice to the person who logs in, not commands to
    be sent.

    >>> from fasturl.schemes import decompose
    >>> decompose("telnet://guest@host.dom/")
    Telnet(user='guest', password=None, host='host.dom', port=23)
    """

    scheme = "telnet"
    section = "3.8"

    user: str | None = None
    password: str | None = None
    host: str = ""
    port: int = DEFAULT_PORT

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        user, password, host, port = _text.split_login(cut(part)[0] or "")
        new = object.__new__(cls)
        set_fields(new, user=user, password=password, host=host, port=cls._port(port))
        return new

    def schemepart(self) -> str:
        return f"//{_text.login(self.user, self.password, self.host, self.port, self.default_port)}/"


@dataclass(frozen=True, slots=True, repr=False)
class Wais(IpParts):
    """``wais://host:port/database``, ``…?search`` or ``…/wtype/wpath`` (RFC 1738 section 3.9); see
    :attr:`kind`.

    ``wpath`` is opaque to all but the server that issued it.

    >>> from fasturl.schemes import decompose
    >>> decompose("wais://host.dom/db?red%20fox")
    Wais(host='host.dom', port=210, database='db', search='red fox', wtype=None, wpath=None)
    """

    scheme = "wais"
    section = "3.9"

    host: str = ""
    port: int = DEFAULT_PORT
    database: str = ""
    search: str | None = None
    wtype: str | None = None
    wpath: str | None = None

    @property
    def kind(self) -> Literal["database", "index", "document"]:
        """What the URL names: a database to be searched, one search of it, or a document in it.

        >>> Wais("h", database="db").kind, Wais("h", database="db", wtype="TEXT", wpath="1=a").kind
        ('database', 'document')
        """
        if self.search is not None:
            return "index"
        return "database" if self.wtype is None else "document"

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        host, port, mark, path = cls._read_hostport(part, "/?")
        database, search, wtype, wpath = path, None, None, None
        ends = [at for at in (path.find("/"), path.find("?")) if at >= 0]
        if mark == "?":
            database, search = "", path
        elif ends:
            end = min(ends)
            database, rest = path[:end], path[end + 1 :]
            if path[end] == "?":
                search = rest
            else:
                wtype, slash, opaque = rest.partition("/")
                wpath = opaque if slash else None
        new = object.__new__(cls)
        set_fields(new, host=host, port=port, database=_text.decode(database))
        for name, text in (("search", search), ("wtype", wtype), ("wpath", wpath)):
            object.__setattr__(new, name, None if text is None else _text.decode(text))
        return new

    def schemepart(self) -> str:
        text = f"//{self._hostport()}/{_text.escape(self.database, 'database', self.section)}"
        if (self.wtype is None) != (self.wpath is None):
            raise UnbuildableURL("wtype and wpath go together", "wtype", 0, self.section)
        if self.wtype is None or self.wpath is None:
            if self.search is None:
                return text
            return f"{text}?{_text.escape(self.search, 'search', self.section)}"
        if self.search is not None:
            raise UnbuildableURL("a search of a document", "search", 0, self.section)
        wtype = _text.escape(self.wtype, "wtype", self.section)
        return f"{text}/{wtype}/{_text.escape(self.wpath, 'wpath', self.section)}"


@dataclass(frozen=True, slots=True, repr=False)
class Prospero(IpParts):
    """``prospero://host:port/hsoname;field=value…`` (RFC 1738 section 3.11).

    ``hsoname`` is the object's name on its host: opaque, and often with a slash of its own at the start.
    ``fields`` are pairs of name and value in the URL's order; names may repeat.

    >>> from fasturl.schemes import decompose
    >>> url = decompose("prospero://host.dom//pros/name;OBJECT-VERSION=2")
    >>> url.hsoname, url.fields
    ('/pros/name', (('OBJECT-VERSION', '2'),))
    """

    scheme = "prospero"
    section = "3.11"

    host: str = ""
    port: int = DEFAULT_PORT
    hsoname: str = ""
    fields: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        host, port, _, path = cls._read_hostport(part)
        hsoname, *specs = path.split(";")
        pairs = [spec.partition("=") for spec in specs]
        fields = tuple([(_text.decode(name), _text.decode(value)) for name, _, value in pairs])
        new = object.__new__(cls)
        set_fields(new, host=host, port=port, hsoname=_text.decode(hsoname), fields=fields)
        return new

    def schemepart(self) -> str:
        text = f"//{self._hostport()}/{_text.escape(self.hsoname, 'hsoname', self.section, raw=_PPATH)}"
        specs = []
        for pair in self.fields:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise TypeError("fields: expected a tuple of pairs of str")
            name, value = pair
            field = _text.escape(name, "fieldname", self.section)
            specs.append(f";{field}={_text.escape(value, 'fieldvalue', self.section)}")
        return text + "".join(specs)
