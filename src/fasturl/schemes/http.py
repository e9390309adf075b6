"""HTTP (RFC 1738 section 3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from fasturl._docstrings import documented
from fasturl._fastparse import SHAPES, _split_login
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import DEFAULT_PORT, IpParts, check_types

__all__ = ["Http", "Https", "hpath"]

_HTTP = SHAPES["http"]
_HPATH = RAW["hsegment"] + b"/"
# Section 3.3 reserves "/", ";" and "?" within a path. Of these, an hsegment may hold a raw ";", which is not data then.
_SEGMENT_DATA = RAW["hsegment"].replace(b";", b"")


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Http(IpParts):
    """An HTTP URL, ``http://host:port/path?search`` (RFC 1738 section 3.3).

    Parameters
    ----------
    path : str
        The text after the first slash, as written, because decoding would lose the meaning of ``/ ; ?``. It is missing
        when the URL has no such slash. To get decoded segments, read ``segments``.
    search : str
        The text after ``?``, as written.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("http://host.dom/a%20b/c?d=e")
    Http(host='host.dom', port=80, path='a%20b/c', search='d=e')
    >>> decompose("http://host.dom/a%20b/c?d=e").segments
    ('a b', 'c')
    """

    scheme = "http"
    section = "3.3"
    _shape = _HTTP

    host: str = ""
    port: int = DEFAULT_PORT
    path: str | None = None
    search: str | None = None

    @property
    def segments(self) -> tuple[str, ...]:
        """The path's segments, split at ``/`` and then decoded, or () without a path.

        Examples
        --------
        >>> Http("h", path="a%2Fb/").segments
        ('a/b', '')
        """
        check_types(self)
        return () if self.path is None else tuple(map(_text.decode, self.path.split("/")))

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        _, _, host, port, mark, rest, _ = _split_login(part, _HTTP)
        new = _new(cls)
        _set_host(new, host or "")
        _set_port(new, cls.default_port if port is None else port)
        if mark == "/":
            path, qmark, search = rest.partition("?")
            _set_path(new, path)
            _set_search(new, search if qmark else None)
        else:
            _set_path(new, None)
            _set_search(new, None if mark is None else rest)
        return new

    def schemepart(self) -> str:
        text = f"//{self._hostport()}"
        if self.path is not None:
            text = f"{text}/{_text.check_written(self.path, 'path', self.section, raw=_HPATH)}"
        if self.search is not None:
            if self.path is None:
                raise UnbuildableURL("a search without a path", "search", 0, self.section)
            text = f"{text}?{_text.check_written(self.search, 'search', self.section)}"
        return text


@documented(Http, IpParts)
class Https(Http):
    """An HTTPS URL, ``https://host:port/path?search``. It has the same form as http. RFC 1738 does not define it.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("https://host.dom/a")
    Https(host='host.dom', port=443, path='a', search=None)
    """

    __slots__ = ()
    scheme = "https"


def hpath(segments: Iterable[str]) -> str:
    """Return a ``path`` for ``Http`` with these segments, escaped by RFC 1738 section 3.3.

    A semicolon is escaped too, because http reserves it. When you need a raw semicolon, write the path yourself.

    Parameters
    ----------
    segments : iterable of str
        Decoded segments. A single str is refused, because it would be read letter by letter.

    Returns
    -------
    str
        The path without the first slash.

    Raises
    ------
    TypeError
        If ``segments`` is a str or bytes, or if a segment is not a str.
    UnbuildableURL
        If no bytes decode to a segment.

    Notes
    -----
    Time: linear.

    Examples
    --------
    >>> hpath(["a/b", "c d;e"])
    'a%2Fb/c%20d%3Be'
    """
    if isinstance(segments, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"hpath() argument must be an iterable of str, not {type(segments).__name__}")
    return "/".join(_text.escape(segment, "hsegment", "3.3", raw=_SEGMENT_DATA) for segment in segments)


_new = object.__new__
_set_host = Http.__dict__["host"].__set__
_set_port = Http.__dict__["port"].__set__
_set_path = Http.__dict__["path"].__set__
_set_search = Http.__dict__["search"].__set__
