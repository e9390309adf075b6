"""Telnet, WAIS, files and Prospero (RFC 1738 sections 3.8 to 3.11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from fasturl._docstrings import documented
from fasturl._fastparse import SHAPES, _split_login
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import DEFAULT_PORT, IpParts, SchemeParts, check_types, set_fields, store_tuples

__all__ = ["File", "Prospero", "Telnet", "Wais"]

_PPATH = RAW["psegment"] + b"/"


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Telnet(IpParts):
    """An interactive service, ``telnet://user:password@host:port/`` (RFC 1738 section 3.8).

    User and password are hints for the person who logs in. A client does not send them as commands.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("telnet://guest@host.dom/")
    Telnet(user='guest', password=None, host='host.dom', port=23)
    """

    scheme = "telnet"
    section = "3.8"
    _shape = SHAPES["telnet"]

    user: str | None = None
    password: str | None = None
    host: str = ""
    port: int = DEFAULT_PORT

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        return cls._read_login(part)[0]

    def schemepart(self) -> str:
        host = self._hostport()
        return f"//{_text.userinfo(self.user, self.password)}{host}/"


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Wais(IpParts):
    """A WAIS URL, ``wais://host:port/database``, ``…?search`` or ``…/wtype/wpath`` (RFC 1738 section 3.9).

    Parameters
    ----------
    database : str
        The database, decoded.
    search : str
        The text to search for, decoded.
    wtype : str
        The document's type, decoded. You must give ``wpath`` too.
    wpath : str
        The document, decoded. Only the server that issued the URL can interpret it.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("wais://host.dom/db?red%20fox")
    Wais(host='host.dom', port=210, database='db', search='red fox', wtype=None, wpath=None)
    """

    scheme = "wais"
    section = "3.9"
    _shape = SHAPES["wais"]

    host: str = ""
    port: int = DEFAULT_PORT
    database: str = ""
    search: str | None = None
    wtype: str | None = None
    wpath: str | None = None

    @property
    def kind(self) -> Literal["database", "index", "document"]:
        """The kind of resource: "database", "index" for a search result, or "document".

        Examples
        --------
        >>> Wais("h", database="db").kind, Wais("h", database="db", wtype="TEXT", wpath="1=a").kind
        ('database', 'document')
        """
        if self.search is not None:
            return "index"
        return "database" if self.wtype is None else "document"

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        new, mark, path = cls._read_login(part)
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
        set_fields(new, database=_text.decode(database), search=_text.decode_any(search))
        set_fields(new, wtype=_text.decode_any(wtype), wpath=_text.decode_any(wpath))
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


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Prospero(IpParts):
    """A Prospero object, ``prospero://host:port/hsoname;field=value…`` (RFC 1738 section 3.11).

    Parameters
    ----------
    hsoname : str
        The object's name on the host, decoded. It often starts with a slash.
    fields : tuple of (str, str)
        Pairs with name and value, in the URL's order. Names can repeat.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> url = decompose("prospero://host.dom//pros/name;OBJECT-VERSION=2")
    >>> url.hsoname, url.fields
    ('/pros/name', (('OBJECT-VERSION', '2'),))
    """

    scheme = "prospero"
    section = "3.11"
    _shape = SHAPES["prospero"]

    host: str = ""
    port: int = DEFAULT_PORT
    hsoname: str = ""
    fields: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        new, _, path = cls._read_login(part)
        hsoname, *specs = path.split(";")
        pairs = [spec.partition("=") for spec in specs]
        fields = tuple([(_text.decode(name), _text.decode(value)) for name, _, value in pairs])
        set_fields(new, hsoname=_text.decode(hsoname), fields=fields)
        return new

    def schemepart(self) -> str:
        text = f"//{self._hostport()}/{_text.escape(self.hsoname, 'hsoname', self.section, raw=_PPATH)}"
        specs = []
        for name, value in self.fields:
            field = _text.escape(name, "fieldname", self.section)
            specs.append(f";{field}={_text.escape(value, 'fieldvalue', self.section)}")
        return text + "".join(specs)


@documented(SchemeParts)
@dataclass(frozen=True, slots=True, repr=False)
class File(SchemeParts):
    """A file, ``file://host/path`` (RFC 1738 section 3.10).

    Parameters
    ----------
    host : str
        The host, or "" when the URL has no host.
    path : tuple of str
        The decoded segments after the host. They name directories and a file, but are no Unix path.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("file://vms.host.edu/disk$user/my/notes/note12345.txt")
    File(host='vms.host.edu', path=('disk$user', 'my', 'notes', 'note12345.txt'))
    """

    scheme = "file"
    section = "3.10"
    _has_login = True

    host: str = ""
    path: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        store_tuples(self)

    @property
    def is_local(self) -> bool:
        """True if the host is your machine, because it is empty or ``localhost`` in any case.

        Examples
        --------
        >>> File("", ("etc", "motd")).is_local, File("127.0.0.1", ("etc", "motd")).is_local
        (True, False)
        """
        check_types(self)
        return self.host == "" or self.host.lower() == "localhost"

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        _, _, host, _, mark, rest, _ = _split_login(part, SHAPES["file"])
        new = object.__new__(cls)
        segments = () if mark is None else tuple(map(_text.decode, rest.split("/")))
        set_fields(new, host=host or "", path=segments)
        return new

    def schemepart(self) -> str:
        if self.host != "":
            _text.checked_name(self.host, "host")
        if not self.path:
            raise UnbuildableURL("no segment, not even an empty one", "fpath", 0, self.section)
        segments = [_text.escape(text, "fsegment", self.section) for text in self.path]
        return f"//{self.host}/" + "/".join(segments)
