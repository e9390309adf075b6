"""Decompose a URL into the dataclass of its scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fasturl._fastparse import URL, exact_text, parse
from fasturl.errors import InvalidURL
from fasturl.schemes.base import HOLDS_PASSWORD, SchemeParts
from fasturl.schemes.generic import Generic
from fasturl.schemes.known import dataclass_of, readers

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["decompose"]

_set_origin: Any = SchemeParts.__dict__["_origin"].__set__


def decompose(url: str | Buffer | URL[Any], *, strict: bool = True) -> SchemeParts:
    """Decompose a URL into the components of its scheme (RFC 1738 section 3).

    url : str, bytes-like, or a URL from :func:`fasturl.parse`
    strict : True to raise InvalidURL for a URL that RFC 1738 section 5 does not derive. False to return a best effort,
        whose ``findings`` list the problems. It has no fragment. Raw bytes and malformed escapes stay as they are. An
        invalid port becomes the default port, and a missing host becomes "". For a generic scheme, login, host and
        port are read of any part that starts with ``//``. Text without a scheme becomes a Generic without a scheme.
    Returns the scheme's dataclass of :mod:`fasturl.schemes`, or Generic for a scheme without one. Components are split
        first, then decoded once. Invalid UTF-8 is decoded with ``surrogateescape``, so no byte is lost. An absent
        component is None, an empty one "", and an absent port the scheme's default port.
    Raises: InvalidURL; TypeError for an object that is not a text.
    Cost: one parse and one object; linear in the length. Threads: safe.

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
    """Decompose a URL that is not an exact str. Parse the original text, so that offsets count bytes of bytes."""
    url = exact_text(url, "decompose()")
    try:
        parse(url, strict=True)
    except InvalidURL:
        if strict:
            raise
        return _best(url, url if isinstance(url, str) else url.decode("utf-8", "surrogateescape"))
    return decompose(url if isinstance(url, str) else url.decode("ascii"), strict=strict)


def _best(url: str | bytes, text: str) -> SchemeParts:
    """Return the best effort for an invalid URL, with its problems in `findings`."""
    parsed = parse(url)
    size = 0 if (span := parsed.span("scheme")) is None else span[1]
    scheme = text[:size].lower()
    whole, text = text, text.partition("#")[0]
    if not size:
        parts: SchemeParts = Generic.of("", text, strict=False)
    else:
        cls = dataclass_of(scheme)
        part = text[size + 1 :]
        parts = Generic.of(scheme, part, strict=False) if cls is Generic else cls.from_schemepart(part)
    holds = HOLDS_PASSWORD if parts.may_show_password_of(whole) else 0
    _set_origin(parts, int(parsed.findings) | holds)
    return parts
