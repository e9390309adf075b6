"""Changes of a URL that leave every other byte as written, and the check of a redirect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

from fasturl._fastparse import URL, exact_text, parse
from fasturl._findings import Finding
from fasturl._functions import drop_params
from fasturl._quoted import quoted
from fasturl._urllib import _name_bytes, quote, unquote_to_bytes
from fasturl.errors import UnsafeURL

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from fasturl._fastparse import _Form

__all__ = ["is_local_redirect", "keep_params", "set_params"]

# The bytes outside RFC 3986's grammar of a path, and of a query or a fragment; and a "%" that starts no escape.
_BROKEN = rb"[^A-Za-z0-9._~!$&'()*+,;=:@/%%%s-]|%%(?![0-9A-Fa-f]{2})"
_NO_PATH, _NO_QUERY = re.compile(_BROKEN % b""), re.compile(_BROKEN % b"?")
_PARTS = ("scheme", "netloc", "path", "query", "fragment")
_NETLOC = ("username", "password", "host", "port")


def _bytes(value: Any, as_text: bool) -> bytes:
    """Return a text of the URL's own type as bytes."""
    if as_text != isinstance(value, str) or isinstance(value, URL):
        raise TypeError(f"expected {'str' if as_text else 'a bytes-like object'}, got {type(value).__name__}")
    text = exact_text(value, "an edit:")
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _opened(url: Any, caller: str, form: Any = "url") -> tuple[bool, URL[bytes]]:
    """Return True for text, and the URL in bytes."""
    text = exact_text(url, caller)
    as_text = isinstance(text, str)
    return as_text, parse(_bytes(text, as_text), form=form)


def _hosts(url: bytes) -> set[object]:
    from fasturl._readings import readings

    return {reading.host for reading in readings(url).values()}


def _as_given(text: bytes, as_text: bool) -> Any:
    return text.decode("utf-8", "surrogatepass") if as_text else text


def _join(old: URL[bytes], changed: Mapping[str, bytes | None]) -> tuple[tuple[bytes, ...], bytes]:
    """Return the five parts with some of them changed, and their text. None removes a part."""
    text, parts = old.text, []
    for name in _PARTS:
        span = old.span(name)
        parts.append(changed[name] if name in changed else None if span is None else text[slice(*span)])
    netloc = old.span("netloc")
    slashes = b"" if netloc is not None and netloc[0] == 0 else b"//"  # a request target h:443 has none
    if parts[1] is not None and parts[2] and not parts[2].startswith(b"/"):
        parts[2] = b"/" + parts[2]
    around = ((b"", b":"), (slashes, b""), (b"", b""), (b"?", b""), (b"#", b""))
    pieces = [
        b"" if part is None else before + part + after for part, (before, after) in zip(parts, around, strict=True)
    ]
    return ((parts[0] or b"").lower(), *[part or b"" for part in parts[1:]]), b"".join(pieces)


def _joined(old: URL[bytes], changed: Mapping[str, bytes | None], as_text: bool) -> Any:
    """Return the text with some of its five parts changed, or raise UnsafeURL if a reading sees another host."""
    parts, text = _join(old, changed)
    new = parse(text, form=old.form)
    is_ambiguous = bool(new.findings & Finding.AMBIGUOUS_AUTHORITY)
    if is_ambiguous and old.findings & Finding.AMBIGUOUS_AUTHORITY and "netloc" not in changed:
        is_ambiguous = not _hosts(text) <= _hosts(old.text)
    if is_ambiguous or tuple(new) != parts:
        raise UnsafeURL("netloc: after this change, programs would read another host", "netloc", None, "3.1")
    return _as_given(text, as_text)


def _names_of(piece: bytes) -> bytes:
    return unquote_to_bytes(piece.partition(b"=")[0].replace(b"+", b" "))


@overload
def set_params(
    url: str | URL[str], params: Mapping[str, str | Iterable[str] | None], *, form: _Form = "url"
) -> str: ...
@overload
def set_params(url: Buffer | URL[bytes], params: Mapping[Any, Any], *, form: _Form = "url") -> bytes: ...
def set_params(url: Any, params: Mapping[Any, Any], *, form: Any = "url") -> Any:
    """Set query parameters in a URL and leave every other byte as written.

    A name's first pair gets the new value, and its other pairs are removed. New names follow at the end.

    Parameters
    ----------
    url : str, bytes-like or URL
        URL to change. It may have any content, valid or not.
    params : mapping
        A value, an iterable of values, or ``None`` for each name. ``None`` removes the name. Pass names and values
        decoded, because fasturl escapes everything but letters, digits and ``-._~``. Bytes need a URL in bytes.
    form : {"url", "request-target"}
        How to split the URL. Use "request-target" when it comes from an access log, for example ``/a?b`` or ``h:443``.

    Returns
    -------
    str or bytes
        Text of the same type as ``url``.

    Raises
    ------
    TypeError
        If an argument has another type.
    ValueError
        If ``form`` has another value.
    UnsafeURL
        If some program would read another host than before.

    See Also
    --------
    keep_params : Keep only the pairs that you name.
    drop_params : Remove pairs by name.

    Notes
    -----
    Cost: O(n). Source: RFC 3986 sections 2.1 and 3.4.

    Examples
    --------
    >>> set_params("http://h/a?page=1&q=%7e#top", {"page": "2", "sort": ["a b", "c"]})
    'http://h/a?page=2&q=%7e&sort=a%20b&sort=c#top'
    """
    as_text, old = _opened(url, "set_params()", form)
    wanted: dict[bytes, list[bytes]] = {}
    for key, value in params.items():
        name = _name_bytes(key, not as_text)
        several = [value] if isinstance(value, (str, bytes, bytearray, memoryview)) else value or ()
        wanted[name] = [f"{quote(name, '')}={quote(_bytes(one, as_text), '')}".encode() for one in several]
    pairs, left = [], dict(wanted)
    for piece in old.query.split(b"&") if old.query else ():
        name = _names_of(piece)
        pairs += left.pop(name, []) if name in wanted else [piece]
    pairs += [pair for several in left.values() for pair in several]
    if not pairs and not old.query:
        return exact_text(url, "set_params()")
    return _joined(old, {"query": b"&".join(pairs) if pairs else None}, as_text)


@overload
def keep_params(url: str | URL[str], names: str | Iterable[str], *, form: _Form = "url") -> str: ...
@overload
def keep_params(url: Buffer | URL[bytes], names: Buffer | Iterable[Buffer], *, form: _Form = "url") -> bytes: ...
def keep_params(url: Any, names: Any, *, form: Any = "url") -> Any:
    """Keep only the query pairs that you name, and leave the rest as written.

    Parameters
    ----------
    url : str, bytes-like or URL
        URL to change. It may have any content, valid or not.
    names : str, bytes-like or iterable
        Names to keep, such as ``"id"`` or ``["id", "page*"]``. A ``*`` matches any characters. fasturl compares them
        with the decoded names in the query, and case matters. Bytes need a URL in bytes.
    form : {"url", "request-target"}
        How to split the URL. Use "request-target" when it comes from an access log, for example ``/a?b`` or ``h:443``.

    Returns
    -------
    str or bytes
        Text of the same type as ``url``. When no pair is left, the ``?`` is removed too.

    Raises
    ------
    TypeError
        If an argument has another type.
    ValueError
        If ``form`` has another value.
    UnsafeURL
        If some program would read another host than before.

    See Also
    --------
    drop_params : Remove pairs by name.

    Notes
    -----
    Cost: O(n). Each name in the URL is compared with each item in ``names``.

    Examples
    --------
    >>> keep_params("http://h/a?utm_source=x&id=1&page=2#top", ["id", "page"])
    'http://h/a?id=1&page=2#top'
    """
    as_text, old = _opened(url, "keep_params()", form)
    if not old.query:
        return exact_text(url, "keep_params()")
    several = [names] if isinstance(names, (str, bytes, bytearray)) else names
    kept = [_name_bytes(name, not as_text) for name in several]
    pairs = [piece for piece in old.query.split(b"&") if piece and not drop_params(b"?" + piece, kept)]
    return _joined(old, {"query": b"&".join(pairs) if pairs else None}, as_text)


def _escaped(value: bytes, broken: re.Pattern[bytes]) -> bytes:
    return broken.sub(lambda one: b"%%%02X" % one[0][0], value)


def _netloc(old: URL[bytes], given: Mapping[str, bytes | None]) -> bytes:
    """Return the netloc with other parts. The rest of it stays as written."""
    login, at, place = old.netloc.rpartition(b"@")
    name, colon, secret = login.partition(b":")
    span = old.span("port")
    port = None if span is None else old.text[slice(*span)]
    host: bytes | None = place if port is None else place[: len(place) - len(port) - 1]
    written = {"username": name if at else None, "password": secret if colon else None, "host": host, "port": port}
    user, password, host, port = ({**written, **given}[part] for part in _NETLOC)
    if "host" in given and host and b":" in host and not host.startswith(b"["):
        host = b"[" + host + b"]"
    if given.get("password") is not None and user is None:
        user = b""
    login = b"" if user is None else user + (b"" if password is None else b":" + password) + b"@"
    return login + (host or b"") + (b"" if port is None else b":" + port)


def replace_parts(url: URL[Any], parts: Mapping[str, Any]) -> URL[Any]:
    """Return the result of ``URL.replace``."""
    as_text, old = _opened(url, "replace()", url.form)
    given: dict[str, bytes | None] = {}
    for name, value in parts.items():
        if name == "port" and isinstance(value, int) and not isinstance(value, bool):
            if not 0 <= value <= 65535:
                raise ValueError("port: expected a number from 0 to 65535")
            given[name] = str(value).encode()
        elif name == "port" and value is not None:
            raise TypeError(f"port: expected int, got {type(value).__name__}")
        elif name == "netloc" or name not in (*_PARTS, *_NETLOC):
            raise TypeError(f"replace() got an unexpected part: {quoted(name)}")
        else:
            given[name] = None if value is None else _bytes(value, as_text)
    changed = {name: given[name] for name in _PARTS if name in given}
    for name, broken in (("path", _NO_PATH), ("query", _NO_QUERY), ("fragment", _NO_QUERY)):
        if (value := changed.get(name)) is not None:
            changed[name] = _escaped(value, broken)
    for name in ("username", "password"):
        if (value := given.get(name)) is not None:
            given[name] = quote(value, "").encode()
    if any(name in given for name in _NETLOC):
        netloc = _netloc(old, {name: given[name] for name in _NETLOC if name in given})
        changed["netloc"] = netloc if netloc or given.get("host", b"") is not None else None
    return parse(_joined(old, changed, as_text), form=url.form, strict=url.strict, standard=url.standard)


def replace(url: URL[Any], parts: dict[str, Any]) -> URL[Any]:
    """Return the result of ``URL._replace``. Parts that are not replaced stay as written, absent or empty."""
    kind = type(url.text)
    as_text, old = _opened(url, "_replace()", url.form)
    for name, value in parts.items():
        if name not in url._fields:
            raise TypeError(f"_replace() got an unexpected field name: {quoted(name)}")
        if type(value) is not kind:
            raise TypeError(f"{name} must be {kind.__name__}, not {type(value).__name__}")
    new, text = _join(old, {name: _bytes(value, as_text) or None for name, value in parts.items()})
    if tuple(parse(text, form=url.form)) != new:
        raise ValueError(f"{', '.join(parts)}: together these parts would read back as others")
    return parse(_as_given(text, as_text), form=url.form, strict=url.strict, standard=url.standard)


_SCHEME = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
# A control character, or a first or last character that browsers remove or that may be a blank elsewhere.
_UNCLEAN = re.compile("[\0-\x1f\x7f]|^[^!-~]|[^!-\U0010ffff]$")


def is_local_redirect(
    url: str | Buffer | URL[Any], hosts: str | Iterable[str] = (), require_https: bool = False
) -> bool:
    """Return True if a redirect to a URL from a stranger stays on your site, or goes to a host that you list.

    Check ``?next=`` with it after a login, as you would with Django's ``url_has_allowed_host_and_scheme``. It accepts a
    relative reference, for example ``/a?b``, ``a`` or ``?b``. It also accepts an http or https URL when every program
    reads a netloc that you list.

    Parameters
    ----------
    url : str, bytes-like or URL
        Target. It may have any content, valid or not.
    hosts : str or iterable of str
        Hosts that you allow, with a port if they have one, for example ``example.com:8443``. A host below another host
        needs an entry too. ASCII letters match in any case.
    require_https : bool
        Refuse http. Also refuse ``//host``, because it has the page's scheme.

    Returns
    -------
    bool
        True if you may redirect.

    Raises
    ------
    TypeError
        If ``url`` has another type.

    Notes
    -----
    Cost: O(n). Source: RFC 3986 section 4.2. docs/guides/redirects.md has a complete example.

    Examples
    --------
    >>> is_local_redirect("/profile?tab=1"), is_local_redirect("https://ok.example/", "ok.example")
    (True, True)
    >>> is_local_redirect("//evil.example/"), is_local_redirect("/\\\\evil.example/")
    (False, False)
    """
    text = exact_text(url, "is_local_redirect()")
    text = text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
    slashed = text.replace("\\", "/")
    if not text or _UNCLEAN.search(text):
        return False
    found = _SCHEME.match(slashed)
    if found is None and not slashed.startswith("//"):
        return ":" not in re.split("[/?#]", slashed, maxsplit=1)[0]  # RFC 3986's path-noscheme
    scheme = "http" if found is None else found[1].lower()
    if scheme not in (("https",) if require_https else ("http", "https")):
        return False
    parsed = parse(text if found else f"http:{text}")
    allowed = {host.lower() for host in ([hosts] if isinstance(hosts, str) else hosts)}
    is_plain = parsed.netloc and "@" not in parsed.netloc and not parsed.findings & Finding.AMBIGUOUS_AUTHORITY
    return bool(is_plain) and parsed.netloc.lower() in allowed
