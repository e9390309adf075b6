"""From a URL to its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fasturl._fastparse import URL, exact_text, parse
from fasturl.errors import InvalidURL
from fasturl.schemes.base import SchemeParts
from fasturl.schemes.generic import Generic
from fasturl.schemes.known import dataclass_of, readers

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["decompose"]

_set_origin: Any = SchemeParts.__dict__["_origin"].__set__


def decompose(url: str | Buffer | URL[Any], *, strict: bool = True) -> SchemeParts:
    """A URL taken apart as its scheme has it (RFC 1738 section 3).

    url : str, bytes-like, or what :func:`fasturl.parse` returned
    strict : raise InvalidURL for what RFC 1738 section 5 does not derive. Otherwise an invalid URL gives
        the best that can be told (no fragment, raw octets as they are, escapes that are none left alone,
        the default port for one that is no port, "" for a host that is missing, the login, host and port of a
        generic scheme's part that starts with ``//`` though it is no ip-schemepart, a Generic without a
        scheme for text without one), and its ``findings`` say what is wrong.
    Returns the scheme's dataclass of :mod:`fasturl.schemes`; Generic for a scheme without one. Components
        are split before they are decoded, once; octets that are not UTF-8 stand as ``surrogateescape`` has
        it, so none is lost. An absent component is None, an empty one "", an absent port the scheme's own.
    Raises: InvalidURL; TypeError for what is no text.
    Cost: the scan's, and one object; linear in the length. Threads: safe.

    >>> decompose("ftp://@host.com/").user, decompose("ftp://host.com/").user
    ('', None)
    >>> decompose(b"http://host.com:8080/a?b")
    Http(host='host.com', port=8080, path='a', search='b')
    >>> decompose("http://u:p@host.com/#top", strict=False).findings.name
    'FRAGMENT|LOGIN'
    """
    if type(url) is not str:
        return _decompose_other(url, strict)
    try:
        scheme = parse(url, strict=True).scheme
    except InvalidURL:
        if strict:
            raise
        return _best(url, url)
    reader = readers.get(scheme)
    part = url[len(scheme) + 1 :]
    parts = Generic.of(scheme, part, strict=strict) if reader is None else reader(part)
    _set_origin(parts, url)
    return parts


def _decompose_other(url: Any, strict: bool) -> SchemeParts:
    """decompose for all but exact str. The scan sees what was given, so that offsets count as it does."""
    url = exact_text(url, "decompose()")
    try:
        parse(url, strict=True)
    except InvalidURL:
        if strict:
            raise
        return _best(url, url if isinstance(url, str) else url.decode("utf-8", "surrogateescape"))
    return decompose(url if isinstance(url, str) else url.decode("ascii"), strict=strict)


def _best(url: str | bytes, text: str) -> SchemeParts:
    """What can be told of an invalid URL, with what is wrong in its `findings`."""
    parsed = parse(url)
    size = 0 if (span := parsed.span("scheme")) is None else span[1]
    scheme = text[:size].lower()
    text = text.partition("#")[0]
    if not size:
        parts: SchemeParts = Generic.of("", text, strict=False)
    else:
        cls = dataclass_of(scheme)
        part = text[size + 1 :]
        parts = Generic.of(scheme, part, strict=False) if cls is Generic else cls.from_schemepart(part)
    _set_origin(parts, int(parsed.findings))
    return parts
