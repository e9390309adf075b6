"""The texts whose key needs Unicode's tables: ``fasturl.canonicalize`` and ``fasturl.surt`` send them here.

The rules of `final_text` are those of w3lib: the text is stripped, hosts become ASCII by Python's IDNA, and addresses
get one spelling. Those of `surt_text` are what the package surt does.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

from fasturl._originals import FRESH

SPECIAL = ("http", "https", "ftp", "file", "ws", "wss")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_INVALID = re.compile("[\udc80-\udcff]")
_FUTURE = re.compile(r"v[a-fA-F0-9]+\..+")
_PARTS = re.compile(rb"(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(.*)", re.DOTALL)
_WEB = re.compile(rb"\A(?:https?://)+(?=https?://)")
_HEX = re.compile(rb"[0-9A-Fa-f]{2}")
_STRIPPED = "".join(map(chr, range(0x21)))
_DELETED = str.maketrans("", "", "\t\n\r")
_CLEANED = str.maketrans("", "", "@:#?")


def schemes() -> tuple[list[str], int]:
    """Return the scheme names that the kernel compares with, and how many of them are in `uses_params`."""
    params, netlocs = (sorted(FRESH[of], key=lambda name: name[:4] != "http") for of in ("uses_params", "uses_netloc"))
    return [*SPECIAL, *params, *netlocs], len(params)


def final_text(data: bytes) -> bytes | None:
    """Return a text with the same canonical form, but clean and with its final host; None where w3lib refuses it.

    data : UTF-8; other bytes are escaped, as w3lib does

    >>> final_text(" http://B\xfccher.example/\\r ".encode()), final_text(b"//[::0:1]:80"), final_text(b"//[::0:1")
    (b'http://xn--bcher-kva.example/', b'//[::1]:80', None)
    """
    text = data.decode("utf-8", "surrogateescape")
    text = _INVALID.sub(lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", text).strip(_STRIPPED).translate(_DELETED)
    found = _SCHEME.match(text)
    start = found.end() if found else 0
    hierarchy = re.split("[?#]", text[start:], maxsplit=1)[0]
    tail = text[start + len(hierarchy) :]
    if found and found[1].lower() in SPECIAL:
        hierarchy = hierarchy.replace("\\", "/")
    try:
        if hierarchy.startswith("//"):
            netloc, slash, path = hierarchy[2:].partition("/")
            hierarchy = f"//{_final_netloc(netloc)}{slash}{path}"
    except ValueError:
        return None
    return (text[:start] + hierarchy + tail).encode()


def surt_text(data: bytes) -> bytes:
    """Return a text with the same SURT key whose host is ASCII if IDNA allows that. All its bytes are escaped once.

    data : a text in which `fasturl.surt` finds a host outside ASCII

    >>> surt_text("\xfc%2Ed/\xe9?b".encode()), surt_text(b"http:/%FF/a")
    (b'http://%78%6E%2D%2D%74%64%61%2E%64:/\xc3\xa9?b', b'http://.:/a')
    """
    text = _WEB.sub(b"", data.strip().translate(None, b"\t\n\r"))
    if not _SCHEME.match(text.decode("latin-1")):
        text = b"http://" + text
    scheme, netloc, path, tail = _PARTS.findall(text)[0]
    place = netloc.rstrip(b":").rpartition(b"@")[2]
    host, _, port = place.partition(b":")
    if b"[" in place:
        host, _, port = place.partition(b"[")[2].partition(b"]")
        port = port.partition(b":")[2]
    if not host:
        host, _, path = path.lstrip(b"/").partition(b"/")
        path = b"/" + path
    host = _decode(host)
    with suppress(UnicodeError):  # a label that is empty, too long or prohibited
        host = host.decode("utf-8", "ignore").encode("idna")
    final = b"".join(b"%%%02X" % byte for byte in host) or b"."
    return b"%s://%s:%s%s%s" % (scheme, final, port, path, tail)


def _decode(data: bytes) -> bytes:
    """Return a text with its escapes decoded until none is left, in linear time."""
    if b"%" not in data:
        return data
    found = bytearray()
    for byte in data:
        found.append(byte)
        while found[-3:-2] == b"%" and _HEX.fullmatch(found, len(found) - 2):
            found[-3:] = bytes([int(found[-2:], 16)])
    return bytes(found)


def _final_netloc(netloc: str) -> str:
    """Return the netloc with its host in ASCII where IDNA allows that. Raises ValueError where w3lib does."""
    if ("[" in netloc) != ("]" in netloc):
        raise ValueError("one bracket")
    login, at, place = netloc.rpartition("@")
    if not netloc.isascii():
        _normalize_host(netloc, check=True)
    if "[" in netloc:
        before, bracket, rest = place.partition("[")
        host, _, port = rest.partition("]")
        if (before and bracket) or (port and port[0] != ":"):
            raise ValueError("text beside the brackets")
        _check_address(host if bracket else place.partition(":")[0])
        port = port[1:]
    else:
        host, _, port = place.partition(":")
    if port and not (port.isascii() and port.isdigit()):
        raise ValueError("no port")
    name, percent, zone = host.partition("%")
    host = name.lower() + percent + zone
    if ":" in host:
        host = host.encode("ascii").decode().lower()
        address = None if host[0] == "v" else ip_address(host)
        host = f"[{address or host}]"
    elif not host.isascii():
        with suppress(UnicodeError):  # a label that is empty, too long or prohibited
            host = _normalize_host(host).encode("idna").decode()
    return f"{login}{at}{host.lower()}{':' if port else ''}{port}"


def _normalize_host(text: str, *, check: bool = False) -> str:
    """Return a host in NFKC. check : raise ValueError if that makes new delimiters of a URL"""
    cleaned = text.translate(_CLEANED)
    found = unicodedata.normalize("NFKC", cleaned)
    if check and found != cleaned and any(delimiter in found for delimiter in "/?#@:\\"):
        raise ValueError("delimiters in disguise")
    return found


def _check_address(host: str) -> None:
    if host[:1] in ("v", "V"):
        if not _FUTURE.fullmatch(host):
            raise ValueError("no address")
    elif not isinstance(ip_address(host), IPv6Address):
        raise ValueError("IPv4 in brackets")
