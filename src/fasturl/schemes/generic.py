"""Any other scheme (RFC 1738 sections 3.1 and 5, ``genericurl``)."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from fasturl._fastparse import SHAPES, _split_login
from fasturl._quoted import quoted
from fasturl._urllib import SECRET_KEYS, parse_qsl, redact
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import SchemeParts, check_types, default_port_of, is_own, schemes, set_fields, store_tuples

__all__ = ["Generic"]

_SCHEME = frozenset(RAW["scheme"].decode())
# A scheme without a production may reserve each reserved byte (section 2.2). SQLAlchemy's paths hold "/" and ":".
_PATH = RAW["uchar"] + b"/:"
# A reader that looks for the last "@" of the text would see another host.
_REST = RAW["urlpath"].replace(b"@", b"")
# A form reader decodes "+" to a space, and other readers do not.
_QUERY = RAW["uchar"].replace(b"+", b"")
_NO_HOST = frozenset("/?#@[]\\:, ")

Query = Mapping[str, str | Iterable[str]] | Iterable[tuple[str, str]]


def _pairs(query: Query) -> tuple[tuple[str, str], ...]:
    """Return a query's pairs. A mapping goes from a name to a value or to several values."""
    if not isinstance(query, Mapping):
        return tuple(query)
    values = [(name, (value,) if isinstance(value, str) else value) for name, value in query.items()]
    return tuple([(name, value) for name, several in values for value in several])


@dataclass(frozen=True, slots=True, repr=False)
class Generic(SchemeParts):
    """Any other URL, ``scheme:part``, for example a database URL (RFC 1738 sections 3.1 and 5).

    When the part is ``//user:password@host:port/path?query``, the other fields hold the components. Otherwise they are
    None. When you build a value, give either ``part`` or the other fields. To change fields, call ``replace``.

    Parameters
    ----------
    scheme : str
        The scheme. It becomes lower case.
    part : str
        The text after the colon, as written.
    user : str
        The user, decoded.
    password : str
        The password, decoded. The ``repr`` hides it.
    host : str
        The first host, as written.
    port : int
        The first host's port. By default, you get the scheme's default port.
    path : str
        The path without the first slash, decoded.
    query : tuple of (str, str)
        Pairs with name and value, as ``parse_qsl`` reads them with blank values.
    hosts : tuple of (str, int or None)
        Every host with a port, because a database URL can name several hosts with commas between them.

    Notes
    -----
    ``decompose(url, strict=False)`` also reads user, password, host and port when RFC 1738 does not derive the part. As
    in http, the first ``/`` or ``?`` ends the login. The fields stay None when there is neither a login nor a path, or
    when other programs would read no scheme: it does not start with a letter, and is not registered.

    ``geturl`` can build everything that ``decompose`` reads, for example an IPv6 host, a ``_`` in the host, a query
    without a path, an empty host, and a ``_`` in the scheme. If you build the value with ``Generic(...)``, it refuses
    these forms.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> url = decompose("postgresql+psycopg://anne:p%40ss@db.dom:5432/shop?sslmode=require")
    >>> url.user, url.password, url.host, url.port, url.path, url.query
    ('anne', 'p@ss', 'db.dom', 5432, 'shop', (('sslmode', 'require'),))
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
    query: tuple[tuple[str, str], ...] | None = None
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
        if self.part is None and self.host is not None:
            set_fields(self, part=self._ip_schemepart())
        elif self.part is not None and self == type(self)._bare(self.scheme, self.part):
            self._read(self.part)

    @classmethod
    def create(
        cls,
        scheme: str,
        user: str | None = None,
        password: str | None = None,
        host: str | None = None,
        port: int | None = None,
        path: str | None = None,
        query: Query = (),
        hosts: Iterable[tuple[str, int | None]] = (),
    ) -> Self:
        """Build a database URL from decoded parts, which you can write as you would type them.

        The order is the same as in SQLAlchemy's ``URL.create``.

        Parameters
        ----------
        scheme : str
            The dialect's name, for example ``postgresql+psycopg``. It can contain a ``_``.
        user : str, optional
            By default, there is no user, or an empty user when you give a password, as in ``redis://:password@host``.
        password : str, optional
            The password, for example ``p@ss/word``.
        host : str, optional
            None or "" gives an empty host, as in ``sqlite:///file.db``.
        port : int, optional
            By default, you get the scheme's default port.
        path : str, optional
            The path without the slash before it, so ``/tmp/file.db`` is absolute.
        query : mapping or iterable of pairs, default ()
            A mapping goes from a name to a value or to several values.
        hosts : iterable of (str, int or None), default ()
            Hosts with ports, instead of ``host`` and ``port``.

        Returns
        -------
        Generic
            Its ``geturl`` builds every form that ``decompose(url, strict=False)`` reads.

        Raises
        ------
        TypeError
            If a part has a wrong type.
        UnbuildableURL
            If no URL can hold a part.

        Examples
        --------
        >>> Generic.create("mysql+my_driver", "anne", "p@ss/word", "::1", 3306, "shop", {"charset": "utf8mb4"}).geturl()
        'mysql+my_driver://anne:p%40ss%2Fword@[::1]:3306/shop?charset=utf8mb4'
        """
        hosts = tuple(hosts)
        if user is None and password is not None:
            user = ""
        if host is None and not hosts:
            host = ""
        new = cls(scheme, None, user, password, host, port, path, _pairs(query) or None, hosts)
        check_types(new)
        set_fields(new, _origin=0)
        set_fields(new, part=new.schemepart())
        return new

    def replace(self, **fields: Any) -> Self:
        """Return a value with changed fields. Path and query stay as written unless you change them.

        Parameters
        ----------
        **fields : Any
            Decoded values for scheme, user, password, host, port, path, query or hosts. ``host`` and ``port`` change
            the first host.

        Returns
        -------
        Generic
            When programs would read the new URL in different ways, ``geturl`` raises UnbuildableURL, unless this value
            already has an empty host or a ``_`` in the scheme.

        Raises
        ------
        TypeError
            If there is no such field.

        Examples
        --------
        >>> from fasturl.schemes import decompose
        >>> decompose("amqp://u:old@h/%2Fvhost", strict=False).replace(password="n/w").geturl()
        'amqp://u:n%2Fw@h/%2Fvhost'
        """
        if unexpected := fields.keys() - self.__slots__:
            raise TypeError(f"replace() got an unexpected field name: {quoted(min(unexpected))}")
        if self.host is None and fields.keys() <= {"scheme"}:
            return dataclasses.replace(self, **fields)
        if fields.get("password") is not None and fields.get("user", self.user) is None:
            fields["user"] = ""
        if "hosts" in fields:
            fields = {"host": None, "port": None, **fields}
        elif not fields.keys().isdisjoint(("host", "port")):
            fields["host"] = fields.get("host", self.host) or ""
            fields["hosts"] = ((fields["host"], fields.get("port", self.port)), *self.hosts[1:])
        if fields.get("query") is not None:
            fields["query"] = _pairs(fields["query"])
        new = dataclasses.replace(self, **{"part": None, **fields})
        with contextlib.suppress(TypeError, UnbuildableURL):
            check_types(new)
            if hasattr(self, "_origin") and new._forms() <= self._forms():
                set_fields(new, _origin=0)
                rest = self._written_rest() if fields.keys().isdisjoint(("path", "query")) else None
                set_fields(new, part=new._ip_schemepart(rest=rest))
        return new

    def kwargs(self, library: str) -> dict[str, Any]:
        """Return the keyword arguments with which a library connects. They hold only what the URL says.

        Parameters
        ----------
        library : {"psycopg", "redis", "kombu", "sqlalchemy"}
            You can pass the result to ``psycopg.connect``, ``redis.Redis``, ``kombu.Connection`` or
            ``sqlalchemy.URL.create``.

        Returns
        -------
        dict
            The query's pairs are arguments too. A value stays text, unless redis reads it as a number.

        Raises
        ------
        ValueError
            If the library is unknown, or if it has no argument for a value.

        Examples
        --------
        >>> Generic.create("redis", password="s", host="cache.dom", path="0").kwargs("redis")
        {'username': '', 'password': 's', 'host': 'cache.dom', 'db': 0}
        """
        from fasturl.schemes._libraries import arguments

        return arguments(self, library)

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        return cls.of("", part)

    @classmethod
    def of(cls, scheme: str, part: str, *, strict: bool = True, valid: bool = True) -> Self:
        """Read a schemepart of this scheme.

        Parameters
        ----------
        scheme : str
            The text before the colon.
        part : str
            The text after the colon.
        strict : bool, default True
            False to read a login that the grammar does not derive.
        valid : bool, default True
            False for a part of an invalid URL, which has no login by the grammar.

        Returns
        -------
        Generic
        """
        new = cls._bare(scheme, part)
        has_login = valid and new._read(part)
        if not (has_login or strict) and (scheme == "" or scheme[0].isalpha() or scheme in schemes):
            new._read(part, "http")  # as urllib and browsers do
        return new

    @classmethod
    def _bare(cls, scheme: str, part: str) -> Self:
        new = object.__new__(cls)
        set_fields(new, scheme=scheme, part=part, user=None, password=None, host=None, port=None, path=None)
        set_fields(new, query=None, hosts=())
        return new

    def _read(self, part: str, name: str = "generic") -> bool:
        """Read a part's login as a shape does. Return False if the part is opaque, even after `//`."""
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
        if host is None or (part == "//" and not self.scheme) or (name == "generic" and not (sure and self.scheme)):
            return False
        default = default_port_of(self.scheme)
        hosts = tuple((place, default if number is None else number) for place, number in hosts)
        path, qmark, query = rest.partition("?") if mark == "/" else (None, mark, rest)
        pairs = tuple(parse_qsl(query, True, errors="surrogateescape")) if qmark else None
        set_fields(self, user=_text.decode_any(user), password=_text.decode_any(password))
        set_fields(self, host=hosts[0][0], port=hosts[0][1], hosts=hosts, path=_text.decode_any(path), query=pairs)
        return True

    def _fields(self) -> tuple[object, ...]:
        """Return the components that a part holds."""
        return self.user, self.password, self.hosts, self.path, self.query

    def _forms(self) -> set[str]:
        """Return this value's forms that are allowed although programs read them in different ways."""
        return {"_"}.intersection(self.scheme) | {host for host, _ in self.hosts if not host}

    def _written_rest(self) -> str | None:
        """Return the part's path and query as written, except that bytes which no URL holds raw are escaped."""
        for shape in ("generic", "http"):
            *_, mark, rest, _ = _split_login(self.part or "", SHAPES[shape])
            read = type(self)._bare(self.scheme, self.part or "")
            if read._read(read.part or "", shape) and read._fields() == self._fields():
                return _text.repaired(f"{mark or ''}{rest}", _REST)
        return None

    def _ip_schemepart(self, rest: str | None = None) -> str:
        """Build the part from the other fields. rest : path and query as written, which replace the value's"""
        if self.hosts[0] != (self.host, self.port):
            raise UnbuildableURL("not the first of the hosts", "host", 0, self.section)
        lenient = hasattr(self, "_origin")
        if self.hosts == (("", default_port_of(self.scheme)),) and (lenient or self.path is not None):
            places = ""  # as in sqlite:////path
        else:
            places = ",".join([self._place(host, port, lenient) for host, port in self.hosts])
        text = f"//{_text.userinfo(self.user, self.password, raw=RAW['uchar'])}{places}"
        if rest is not None:
            return text + rest
        if self.path is not None:
            text = f"{text}/{_text.escape(self.path, 'urlpath', self.section, raw=_PATH)}"
        elif self.query is not None and not lenient:
            raise UnbuildableURL("a query without a path", "urlpath", 0, self.section)
        if self.query is None:
            return text
        each = [[_text.escape(item, "urlpath", self.section, raw=_QUERY) for item in pair] for pair in self.query]
        return f"{text}?{'&'.join(map('='.join, each))}"

    def _place(self, host: str, port: int | None, lenient: bool) -> str:
        default = default_port_of(self.scheme)
        if not lenient:
            return _text.hostport(host, port, default)
        written = host
        if ":" in host:
            written, host = f"[{host}]", host.replace(":", "")
        if (at := next((i for i, c in enumerate(host) if not " " < c < "\x7f" or c in _NO_HOST), None)) is not None:
            raise UnbuildableURL("neither a name nor a number", "host", at, "3.1")
        return written + _text.hostport("h", port, default)[1:]

    def _readings_of(self, text: str) -> tuple[str, ...]:
        # Programs that know one host per URL refuse several. Each host alone must be plain. The forms of _forms() are
        # left out: an empty host is read as a name, and the scheme does not matter.
        lenient = hasattr(self, "_origin")
        if len(self.hosts) < 2 and not (lenient and self._forms()):
            return (text,)
        part = text.partition(":")[2]
        mark, rest = _split_login(part, SHAPES["http"])[4:6]
        login, at, _ = part[: len(part) - len(rest) - (mark is not None)].rpartition("@")
        each = [self._place(host or "h" if lenient else host, port, lenient) for host, port in self.hosts]
        return tuple([f"x:{(login + at) or '//'}{place}{mark or ''}{rest}" for place in each])

    def schemepart(self) -> str:
        lenient = hasattr(self, "_origin") and self.host is not None
        scheme = _text.bytes_of(self.scheme, "scheme", "2.1").decode("utf-8", "replace")
        allowed = _SCHEME | {"_"} if lenient else _SCHEME
        broken = next((i for i, char in enumerate(scheme) if char not in allowed), None if scheme else 0)
        if broken is not None:
            raise UnbuildableURL("no scheme's name", "scheme", broken, "2.1")
        if is_own(self.scheme):
            raise UnbuildableURL("a scheme with a class of its own", "scheme", 0, self.section)
        if lenient:
            part = self._ip_schemepart(self._written_rest())
            read = type(self).of(self.scheme, part, strict=False)
            same = read._fields() == self._fields()
        else:
            if self.part is None:
                if self.host is None:
                    raise UnbuildableURL("neither a part nor a host", "schemepart", 0, self.section)
                self._ip_schemepart()  # raises for the component that cannot be built
            part = _text.check_written(self.part or "", "schemepart", self.section, raw=RAW["xchar"])
            same = self in (type(self).of(self.scheme, part), type(self).of(self.scheme, part, strict=False))
        if not same:
            why = "not what the other fields say (replace() builds it from them)"
            raise UnbuildableURL(why, "schemepart", 0, self.section)
        return part

    def _repr_of(self, name: str) -> str:
        if name == "part" and (self.password or self._may_show_a_password()):
            return "'***'"
        if name == "part" and isinstance(self.part, str):
            # A part that is not an ip-schemepart can still hold a password in some reading. For the scheme "ws", redact
            # considers every reading: urllib's, the RFC's of a generic part, and a browser's.
            return repr(redact(f"ws:{self.part}", SECRET_KEYS)[3:])
        return SchemeParts._repr_of(self, name)
