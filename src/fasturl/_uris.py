"""RFC 3986: references against a base (section 5.2), and normal forms (section 6.2). docs/rfc3986.md describes both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, AnyStr, overload

from fasturl._fastparse import URL, exact_text, parse, schemes
from fasturl._findings import Finding

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["normal_form", "resolve"]

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
# A "%" that starts no escape, up to the digit after it and the escape after that, whose byte might complete another
# escape. Or else an escape.
_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})[0-9A-Fa-f]?(%[0-9A-Fa-f]{2})?|%[0-9A-Fa-f]{2}")


class _Parts:
    """The five components of a text (RFC 3986 section 3), as written. None: the component is undefined."""

    def __init__(self, text: str) -> None:
        url = parse(text)
        scheme, authority, path, query, fragment = map(url.span, ("scheme", "netloc", "path", "query", "fragment"))
        self.scheme = scheme and text[slice(*scheme)]
        self.authority = authority and text[slice(*authority)]
        self.path = text[slice(*path)] if path else ""
        self.query = query and text[slice(*query)]
        self.fragment = fragment and text[slice(*fragment)]

    def text(self) -> str:
        """Return the recomposed text (section 5.3). A path that starts with "//" and follows no authority gets "/."."""
        guard = "/." if self.authority is None and self.path.startswith("//") else ""
        return "".join(
            (
                "" if self.scheme is None else self.scheme + ":",
                "" if self.authority is None else "//" + self.authority,
                guard + self.path,
                "" if self.query is None else "?" + self.query,
                "" if self.fragment is None else "#" + self.fragment,
            )
        )


def without_dot_segments(path: str) -> str:
    """Return a path without dot segments (section 5.2.4), in time linear in its length.

    >>> without_dot_segments("/a/b/c/./../../g"), without_dot_segments("mid/content=5/../6")
    ('/a/g', 'mid/6')
    """
    kept: list[str] = []
    at, end = 0, len(path)
    while at < end:
        following = path.find("/", at + 1)
        stop = end if following < 0 else following
        segment = path[at:stop]
        if segment in (".", ".."):  # only at the start of a path without a leading "/"
            at = stop + 1
            continue
        if segment in ("/.", "/.."):
            if segment == "/.." and kept:
                kept.pop()
            if stop == end:
                kept.append("/")
        else:
            kept.append(segment)
        at = stop
    return "".join(kept)


def _as_text(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.decode("latin-1")


@overload
def resolve(base: str | URL[str], ref: str | URL[str]) -> str: ...
@overload
def resolve(base: Buffer | URL[bytes], ref: Buffer | URL[bytes]) -> bytes: ...
def resolve(base: object, ref: object) -> str | bytes:
    """Resolve a reference against a base URI, exactly as RFC 3986 section 5.2 describes.

    Only the path changes. For example, case and escapes stay, and an undefined component stays different from an empty
    component. The parser is strict, so that it never ignores a scheme in ``ref``. A path that would start with ``//``
    without a netloc gets the prefix ``/.``.

    Parameters
    ----------
    base : str, bytes-like or URL
        Base URI, with a scheme.
    ref : str, bytes-like or URL
        URI or relative reference with any content, in the same type.

    Returns
    -------
    str or bytes
        Target in the same type as ``base``.

    Raises
    ------
    InvalidURL
        If ``base`` has no scheme.
    TypeError
        If an argument has another type, or if you mix str and bytes.

    See Also
    --------
    urljoin : Resolve as urllib does. docs/rfc3986.md lists the differences.

    Notes
    -----
    Cost: O(n). Source: RFC 3986 section 5.2.

    Examples
    --------
    >>> resolve("http://a/b/c/d;p?q", "../g;x=1/./y"), resolve("http://a/b/c/d;p?q", "http:g")
    ('http://a/b/g;x=1/y', 'http:g')
    >>> resolve(b"urn:a:b", b"#c")
    b'urn:a:b#c'
    """
    base_text, ref_text = exact_text(base, "resolve() base"), exact_text(ref, "resolve() ref")
    if type(base_text) is not type(ref_text):
        raise TypeError("resolve() cannot mix str and bytes arguments")
    old, new = _Parts(_as_text(base_text)), _Parts(_as_text(ref_text))
    if old.scheme is None:
        from fasturl._terms import invalid

        raise invalid(parse(base_text), Finding.NO_SCHEME, "scheme", 0, 0, "rfc3986")
    if new.scheme is not None or new.authority is not None:
        new.path = without_dot_segments(new.path)
    elif not new.path:
        new.path = old.path
        new.query = old.query if new.query is None else new.query
    else:
        if not new.path.startswith("/"):
            has_root = old.authority is not None and not old.path
            new.path = ("/" if has_root else old.path[: old.path.rfind("/") + 1]) + new.path
        new.path = without_dot_segments(new.path)
    if new.scheme is None:
        new.scheme = old.scheme
        new.authority = old.authority if new.authority is None else new.authority
    target = new.text()
    return target if isinstance(base_text, str) else target.encode("latin-1")


def _normal_escape(match: re.Match[str]) -> str:
    whole, kept = match[0], match[1]
    if kept is not None:
        return whole[:-3] + kept.upper()
    if len(whole) < 3:
        return whole
    byte = chr(int(whole[1:], 16))
    return byte if byte in _UNRESERVED else whole.upper()


def _normal_escapes(part: str) -> str:
    return _ESCAPE.sub(_normal_escape, part) if "%" in part else part


def _normal_host(host: str) -> str:
    """Return a host in lower case, except for the digits of its escapes."""
    lowered = _normal_escapes(host).translate(_LOWER)
    return _normal_escapes(lowered) if "%" in lowered else lowered


def _normal_authority(authority: str, port: int | None) -> str:
    """Return the authority with a normal host, and without an empty port or this one."""
    user, at, hostport = authority.rpartition("@")
    colon = hostport.find(":", hostport.find("]") + 1 if hostport.startswith("[") else 0)
    host, digits = (hostport, "") if colon < 0 else (hostport[:colon], hostport[colon + 1 :])
    if digits.isascii() and digits.isdigit():
        digits = digits.lstrip("0") or "0"
        digits = "" if digits == str(port) else digits
    return _normal_escapes(user) + at + _normal_host(host) + (":" + digits if digits else "")


def normal_form(url: AnyStr) -> AnyStr:
    """Return the normal form of an exact str or bytes, for ``fasturl.normalize(url, standard="rfc3986")``."""
    text = _as_text(url)
    parts = _Parts(text)
    is_uri = parts.scheme is not None
    if parts.scheme is not None:
        parts.scheme = parts.scheme.translate(_LOWER)
    if parts.authority is not None:
        known = schemes().get(parts.scheme or "")
        parts.authority = _normal_authority(parts.authority, known[1] if known else None)
    # Without a scheme, a byte before a ":" might make one.
    if is_uri or parts.authority is not None or ":" not in parts.path.partition("/")[0]:
        parts.path = _normal_escapes(parts.path)
    if is_uri:
        parts.path = without_dot_segments(parts.path)
        if parts.authority is not None and not parts.path:
            parts.path = "/"
    parts.query = parts.query and _normal_escapes(parts.query)
    parts.fragment = parts.fragment and _normal_escapes(parts.fragment)
    normal = parts.text()
    if normal == text:
        return url
    return normal if isinstance(url, str) else normal.encode("latin-1")
