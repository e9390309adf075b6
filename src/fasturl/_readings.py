"""Three documented readings of a URL: RFC 1738, urllib and WHATWG, each with its host or its reason for refusal."""

import ipaddress
import re
import unicodedata
from collections import namedtuple
from collections.abc import Callable

from fasturl._fastparse import URL, exact_text, parse, registered_port
from fasturl._urllib import unquote_to_bytes, urlsplit
from fasturl.errors import InvalidURL

# The schemes that WHATWG calls special.
_SPECIAL = frozenset(("http", "https", "ws", "wss", "ftp", "file"))
_FORBIDDEN_IN_HOST = re.compile(r"[\0\t\n\r #/:<>?@\[\\\]^|]")
_FORBIDDEN_IN_DOMAIN = re.compile(r"[\0-\x20#/:<>?@\[\\\]^|%\x7f]")
# Characters that a domain keeps although case folding changes them, and those that it drops (UTS 46, nontransitional).
_KEPT = frozenset("\u00df\u03c2\u200c\u200d")
_DROPPED = re.compile("[\u00ad\u034f\u180b-\u180d\u200b\u2060\u2064\ufe00-\ufe0f\ufeff]")
_DOTS = re.compile("[\u3002\uff0e\uff61]")
_ABOVE_ASCII = re.compile("[^\0-\x7f]+")
_ESCAPED = re.compile(rb"(?:%[89A-Fa-f][0-9A-Fa-f])+")


# collections.namedtuple, because typing.NamedTuple needs typing, whose import costs more than this module.
class Reading(namedtuple("Reading", ("scheme", "username", "host", "port", "refusal", "is_judged"), defaults=(True,))):
    """What a program reads in a URL, or why it refuses the URL.

    Attributes
    ----------
    scheme : str or None
        Scheme in lower case, empty if the program sees no scheme.
    username : str or None
        User as written, if there is a login.
    host : str or None
        Host in lower case and without brackets, if there is a host.
    port : int or None
        Port, unless it is absent or the scheme's default.
    refusal : str or None
        Why the program refuses the URL. Then the attributes above are ``None``.
    is_judged : bool
        False if fasturl is not sure what a browser reads, because WHATWG maps the host by Unicode tables (UTS 46). This
        happens when the host has characters outside ASCII or a punycode label (``xn--``). A browser may then refuse the
        host, accept a refused host, or read another host.

    Examples
    --------
    >>> readings("http://Me@H:80/")["whatwg"]
    Reading(scheme='http', username='Me', host='h', port=None, refusal=None, is_judged=True)
    """

    __slots__ = ()

    scheme: str | None
    username: str | None
    host: str | None
    port: int | None
    refusal: str | None
    is_judged: bool


_Parts = tuple[str, str | None, str | None, int | None, bool]


class _RefusedError(Exception):
    is_judged = True


def readings(url: str | bytes | URL) -> dict[str, Reading]:
    """Return how RFC 1738, urllib and browsers each read a URL.

    When you check a host, compare the readings, because an attacker can write a URL that programs read differently. The
    finding ``AMBIGUOUS_AUTHORITY`` covers more programs than these three.

    Parameters
    ----------
    url : str, bytes-like or URL
        URL to read. Bytes are read as UTF-8.

    Returns
    -------
    dict of Reading
        A reading for each name: ``rfc1738``, ``urllib`` and ``whatwg``. WHATWG reads without a base URL.

    Raises
    ------
    TypeError
        If ``url`` has another type.

    Notes
    -----
    Cost: O(n). Source: RFC 1738 section 3.1, urllib, and WHATWG's URL Standard.

    Examples
    --------
    >>> for name, reading in readings("http:/good.example\\\\@evil.example/").items():
    ...     print(name, reading.host, reading.refusal)
    rfc1738 None schemepart: at offset 5: `//` is missing; write it after the scheme's ':' (RFC 1738 section 3.1)
    urllib None None
    whatwg good.example None
    """
    text = exact_text(url, "readings()")
    if not isinstance(text, str):
        text = bytes(text).decode("utf-8", "surrogateescape")
    return {"rfc1738": _attempt(_rfc1738, text), "urllib": _attempt(_urllib, text), "whatwg": _attempt(_whatwg, text)}


def _attempt(read: Callable[[str], _Parts], text: str) -> Reading:
    try:
        scheme, username, host, port, is_judged = read(text)
    except _RefusedError as refused:
        return Reading(None, None, None, None, str(refused), refused.is_judged)
    own = registered_port(scheme) if scheme else None
    return Reading(scheme, username, host, None if port == own else port, None, is_judged)


def _rfc1738(text: str) -> _Parts:
    try:
        parts = parse(text, strict=True).decompose()
    except InvalidURL as refused:
        raise _RefusedError(str(refused)) from None
    host = getattr(parts, "host", None)
    return parts.scheme, getattr(parts, "user", None), host and host.lower(), getattr(parts, "port", None), True


def _urllib(text: str) -> _Parts:
    try:
        parts = urlsplit(text)
        return parts.scheme, parts.username, parts.hostname, parts.port, True
    except ValueError:  # urllib's message may hold a password
        raise _RefusedError("urllib refuses the brackets, the characters or the port of the netloc") from None


def _whatwg(text: str) -> _Parts:
    text = re.sub("[\t\n\r]", "", text.strip("".join(map(chr, range(0x21)))))
    found = re.match("([A-Za-z][A-Za-z0-9+.-]*):", text)
    if found is None:
        raise _RefusedError("no scheme, and no base URL to resolve the text against")
    scheme, rest = found[1].lower(), text[found.end() :]
    if scheme == "file":
        return _whatwg_file(rest)
    is_special = scheme in _SPECIAL
    if not is_special and not rest.startswith("//"):
        return scheme, None, None, None, True
    rest = rest.lstrip("/\\") if is_special else rest[2:]
    authority = re.split(r"[/\\?#]" if is_special else "[/?#]", rest, maxsplit=1)[0]
    login, at, hostport = authority.rpartition("@")
    user, _, password = login.partition(":")
    host, colon, digits = re.match(r"((?:\[[^\]]*(?:\]|$)|[^:\[])*)(:?)(.*)", hostport, re.DOTALL).groups()  # type: ignore
    if host == "" and (is_special or at or colon):
        raise _RefusedError("the host is empty")
    port = None
    if digits:
        if not re.fullmatch("[0-9]+", digits) or len(digits.lstrip("0")) > 5 or int(digits) > 65535:
            raise _RefusedError("the port is not a number up to 65535")
        port = int(digits)
    domain, is_judged = _whatwg_host(host, is_special=is_special)
    return scheme, user if user or password else None, domain, port, is_judged


def _whatwg_file(rest: str) -> _Parts:
    if not re.match(r"[/\\]{2}", rest):
        return "file", None, "", None, True
    host = re.split(r"[/\\?#]", rest[2:], maxsplit=1)[0]
    if host == "" or re.fullmatch("[A-Za-z][:|]", host):  # a drive letter starts the path
        return "file", None, "", None, True
    found, is_judged = _whatwg_host(host, is_special=True)
    return "file", None, "" if found == "localhost" else found, None, is_judged


def _whatwg_host(host: str, *, is_special: bool) -> tuple[str, bool]:
    """Return the host as WHATWG's host parser writes it, without brackets, and True if it needs no table of UTS 46."""
    if host.startswith("["):
        if not host.endswith("]") or "%" in host:
            raise _RefusedError("the bracketed host is not an IPv6 address")
        try:
            return _address(ipaddress.IPv6Address(host[1:-1])), True
        except ValueError:
            raise _RefusedError("the bracketed host is not an IPv6 address") from None
    if not is_special:
        if _FORBIDDEN_IN_HOST.search(host):
            raise _RefusedError("the host holds a character that no host may hold")
        return re.sub("[\0-\x1f\x7f-\U0010ffff]", lambda one: _escape(one[0]), host).lower(), True
    data = unquote_to_bytes(host.encode("utf-8", "surrogatepass"))
    is_judged = data.isascii() and b"xn--" not in data.lower()
    try:
        return _whatwg_domain(data), is_judged
    except _RefusedError as refused:
        refused.is_judged = is_judged
        raise


def _whatwg_domain(data: bytes) -> str:
    domain = _map_characters(data.decode("utf-8", "replace"))
    labels = [_label(unicodedata.normalize("NFC", label)) for label in _DOTS.sub(".", domain).split(".")]
    domain = ".".join(labels)
    if domain == "" or _FORBIDDEN_IN_DOMAIN.search(domain):
        raise _RefusedError("the host holds a character that no domain may hold")
    number = re.fullmatch(r"(?:.*\.)?([0-9]+|0[xX][0-9a-fA-F]*)\.?", domain)
    return _ipv4(domain) if number else domain


def _escape(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def _map_characters(text: str) -> str:
    return "".join(map(_map_character, _DOTS.sub(".", _DROPPED.sub("", text))))


def _map_character(char: str) -> str:
    return char if char in _KEPT else unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())


def _label(label: str) -> str:
    if label.isascii():
        return label
    if "\ufffd" in label:
        raise _RefusedError("the host is not UTF-8")
    return f"xn--{label.encode('punycode').decode()}"


def _ipv4(domain: str) -> str:
    numbers = domain.removesuffix(".").split(".")
    values = []
    for number in numbers:
        base = 16 if number[:2].lower() == "0x" else 8 if number[:1] == "0" and len(number) > 1 else 10
        digits = (number[2:] if base == 16 else number).lstrip("0") or number[-1:].strip("xX")
        if (
            not number
            or not re.fullmatch({16: "[0-9a-f]*", 8: "[0-7]+", 10: "[0-9]+"}[base], digits)
            or len(digits) > 40
        ):
            raise _RefusedError("the host is not an IPv4 address")
        values.append(int(digits or "0", base))
    if len(values) > 4 or any(value > 255 for value in values[:-1]) or values[-1] >= 256 ** (5 - len(values)):
        raise _RefusedError("the host is not an IPv4 address")
    total = values[-1] + sum(value << (24 - 8 * at) for at, value in enumerate(values[:-1]))
    return str(ipaddress.IPv4Address(total))


def _address(address: ipaddress.IPv6Address) -> str:
    """Return the address in WHATWG's form, in which the last two groups are hexadecimal too."""
    if address.ipv4_mapped is None:
        return str(address)
    high, low = divmod(int(address.ipv4_mapped), 1 << 16)
    return f"::ffff:{high:x}:{low:x}"


def lowered(data: bytes) -> bytes:
    """Return a host in lower case, as urllib's hostname."""
    host, sign, zone = data.decode("utf-8", "surrogateescape").partition("%")
    return (host.lower() + sign + zone).encode("utf-8", "surrogateescape")


def mapped(data: bytes) -> bytes:
    """Return a text with its characters above 7F mapped as WHATWG maps those of a host. Their escapes are decoded.

    >>> mapped("http://\u24d1l\uff4fcked\u3002example/%E2%93%90".encode())
    b'http://blocked.example/a'
    """
    text = _ESCAPED.sub(lambda escaped: unquote_to_bytes(escaped[0]), data).decode("utf-8", "replace")
    text = _ABOVE_ASCII.sub(lambda run: _map_characters(run[0]), text)
    return unicodedata.normalize("NFC", _DOTS.sub(".", text)).encode()
