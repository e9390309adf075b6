"""The readers that Python packages provide, and the comparison of readings. ``installed()`` maps each reader to a
function from a text to its reading. The function raises any exception for a text that it refuses. ``tests/readers``
runs them on every change; ``tools/readers.py`` adds readers in other languages."""

from __future__ import annotations

import importlib
import ipaddress
import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from fasturl import Finding, parse

DEFAULT_PORTS = {"http": "80", "ws": "80", "https": "443", "wss": "443", "ftp": "21"}


class Reading(NamedTuple):
    """The parts of a URL as one reader finds them. Equal meanings compare equal. An absent part is empty: ``""``."""

    scheme: str
    user: bytes
    password: bytes
    host: str
    port: str


def plain_host(host: str) -> str:
    """Return the host in lower case: an IPv6 address in its shortest form, other characters in Punycode, unmapped."""
    host = host.lower()
    inner = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if ":" in inner:
        try:
            return str(ipaddress.IPv6Address(inner))
        except ValueError:
            return inner
    if host.isascii():
        return host
    return ".".join(f"xn--{one.encode('punycode').decode()}" if not one.isascii() else one for one in host.split("."))


def reading(scheme: Any, user: Any, password: Any, host: Any, port: Any) -> Reading:
    """Build a reading from the parts that a reader returns, each a str, a number or None; user and password escaped."""
    scheme = (scheme or "").lower()
    number = "" if port is None else str(port)
    if re.fullmatch(r"[0-9]+", number):
        number = number.lstrip("0") or "0"
    if number == DEFAULT_PORTS.get(scheme, ""):
        number = ""
    if scheme == "file" and str(host).lower() in ("localhost", "127.0.0.1"):
        host = ""  # this machine (RFC 1738 section 3.10): WHATWG drops the first name, curl both
    user, password = (unquote_to_bytes((one or "").encode("utf-8", "surrogatepass")) for one in (user, password))
    return Reading(scheme, user, password, plain_host(host or ""), number)


def read_urllib(text: str) -> Reading:
    at = urlsplit(text)
    return reading(at.scheme, at.username, at.password, at.hostname, at.port)


def of_login(login: str | None) -> tuple[str, str]:
    user, _, password = (login or "").partition(":")
    return user, password


def read_urllib3(text: str) -> Reading:
    at = importlib.import_module("urllib3.util").parse_url(text)
    return reading(at.scheme, *of_login(at.auth), at.host, at.port)


def read_requests(text: str) -> Reading:
    """Return the reading of the URL that requests sends: urllib3's reading of the text that requests has prepared."""
    request = importlib.import_module("requests").Request("GET", text).prepare()
    if not request.url.lower().startswith("http"):
        raise ValueError("requests has no adapter for this scheme")
    return read_urllib3(request.url)


def read_httpx(text: str) -> Reading:
    at = importlib.import_module("httpx").URL(text)
    return reading(at.scheme, *of_login(at.userinfo.decode()), at.raw_host.decode(), at.port)


def read_yarl(text: str) -> Reading:
    at = importlib.import_module("yarl").URL(text)
    return reading(at.scheme, at.raw_user, at.raw_password, at.raw_host, at.explicit_port)


def read_ada(text: str) -> Reading:
    at = importlib.import_module("ada_url").URL(text)
    return reading(at.protocol[:-1], at.username, at.password, at.hostname, at.port)


PYTHON_READERS: dict[str, tuple[str | None, Callable[[str], Reading]]] = {
    "urllib": (None, read_urllib),         "urllib3": ("urllib3", read_urllib3),
    "requests": ("requests", read_requests),                                      "httpx": ("httpx", read_httpx),
    "yarl": ("yarl", read_yarl),           "ada": ("ada_url", read_ada),
}  # fmt: skip


def installed() -> dict[str, Callable[[str], Reading]]:
    """Return the readers whose package is installed."""
    found = {}
    for name, (module, read) in PYTHON_READERS.items():
        try:
            importlib.import_module(module or "urllib.parse")
        except ImportError:
            continue
        found[name] = read
    return found


def attempt(read: Callable[[str], Reading], text: str) -> Reading | None:
    """Return a reader's reading, or None if it refuses the text."""
    try:
        return read(text)
    except Exception:
        return None


def versions() -> dict[str, str]:
    """Return the version of each installed reader."""
    from importlib.metadata import version

    found = {"urllib": sys.version.split()[0]}
    for name, (module, _) in PYTHON_READERS.items():
        if module and name in installed():
            found[name] = version(module.replace("_", "-"))
    return found


def disagree(readings: list[Reading | None]) -> bool:
    """Return True if two readers that accept the text see different schemes, logins, hosts or ports."""
    return len({one for one in readings if one is not None}) > 1


def is_flagged(text: Any, form: Any = "url") -> bool:
    """Return whether fasturl says that readers differ."""
    return Finding.AMBIGUOUS_AUTHORITY in parse(text, form=form).findings
