"""Plain authorities by regular expressions: docs/validity.md's allow-list, independent of the kernel."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from functools import cache

OLD = unicodedata.ucd_3_2_0
SPECIAL = ("http", "https", "ftp", "ws", "wss")
IGNORED = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u3164\ufe00-\ufe0f\uffa0]")
HOST = re.compile(r"[A-Za-z0-9\-_.!$&'()*+,;=~]|[^\0-\x7f]")
QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}(?<!\.)", re.ASCII)
NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][^.]*)\.?", re.DOTALL)


@cache
def composing() -> frozenset[str]:
    """Return the characters that join the character before them under NFC."""
    found = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for code in range(0x80, 0x110000):
        parts = OLD.decomposition(chr(code)).split(" ")
        if len(parts) == 2 and "<" not in parts[0]:
            found.add(chr(int(parts[1], 16)))
    return frozenset(found)


@cache
def plain_character(char: str) -> bool:
    """Return True for a letter, mark or number of Unicode 3.2 that every reader maps to itself, in any neighborhood."""
    if OLD.category(char) not in ("Ll", "Lu", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No") or IGNORED.match(char):
        return False
    if OLD.combining(char) or char in composing() or char.lower() != char or char.casefold() != char:
        return False
    return all(database.normalize("NFKC", char) == char for database in (unicodedata, OLD))


def port_number(digits: str) -> int | None:
    """Return the number of a port of any length, or None if it is not a port."""
    if not re.fullmatch("[0-9]+", digits):
        return None
    number = int(digits.lstrip("0")[:6] or 0)
    return number if number <= 65535 else None


def plain_hostport(hostport: str, scheme: str) -> bool:
    if hostport.startswith("["):
        host, bracket, port = hostport[1:].partition("]")
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return False
        if not bracket or "%" in host or (port and port[0] != ":"):
            return False
        colon, port = port[:1], port[1:]
    else:
        host, colon, port = hostport.partition(":")
        if not host or not all(map(HOST.fullmatch, host)):
            return False
        if not host.isascii() and (
            scheme not in SPECIAL or not all(char < "\x80" or plain_character(char) for char in host)
        ):
            return False
        if NUMBER.fullmatch(host) and not QUAD.fullmatch(host):
            return False
    if scheme == "file" and colon:
        return False
    return port == "" or (len(port) <= 5 and (port_number(port) or 0) > 0)


def may_reach(rest: str, slashes: str) -> bool:
    """Return True if a reader that skips any run of these slashes may find a host."""
    behind = rest.lstrip(slashes)
    login = re.match(f"[^?#{re.escape(slashes)}]*", behind)[0]  # type: ignore[index]
    if set(login) & set("\t\n\r"):
        return True
    if login == behind:
        login = login.rstrip("".join(map(chr, range(0x21))))
    host, _, port = login.rpartition("@")[2].partition(":")
    if host.startswith("["):
        return True
    return host != "" and not re.search(r"[\0- \x7f<>^]", host) and (port == "" or port_number(port) is not None)


def plainly_no_host(rest: str, scheme: str) -> bool:
    """Judge the text after the colon of a scheme, where no "//" with a login follows."""
    if re.match("/?[\t\n\r]", rest):
        return False
    if scheme in SPECIAL:
        return not may_reach(rest, "/\\") and not may_reach(rest, "/")
    if re.match(r"[0-9]{1,5}(?:/|\Z)", rest):
        return False
    if scheme == "file":
        return rest.startswith("//") or not re.match(r"[/\\]{2}", rest)
    slashes = len(rest) - len(rest.lstrip("/"))
    return slashes not in (1, 3) or not may_reach(rest, "/")


def plain(text: str, scheme: str | None, form: str) -> bool:
    """Return True if every reader that accepts the text sees one scheme, login, host and port.

    scheme: the scheme in lower case, or None. form: "url"; "authority" or "target" for a target without a scheme.
    """
    if form == "authority":
        return plain_hostport(text, "http")
    if form == "target":
        return not text.startswith("\\")
    colon = re.match("[^/?#]*?:", text)
    if scheme is None and colon:
        return False
    if scheme is not None and not re.fullmatch("[a-z][a-z0-9+-]*", scheme):
        return False
    rest = text[colon.end() :] if colon else text
    part = re.match("[^?#]*", rest)[0]  # type: ignore[index]
    login = re.match("//([^/]*)", part)
    if scheme is None and not login:
        return part == "" or bool(re.match(r"/(?![\t\n\r\\])", part))
    if scheme is None and login and ":" in part[login.end() :]:
        return False
    if not login or not login[1]:
        return (scheme == "file" and login is not None) or plainly_no_host(rest, scheme or "")
    user, at, hostport = login[1].rpartition("@")
    if re.search(r"[\0-\x1f\x7f\\]", login[1]) or (at and scheme == "file"):
        return False
    if {bool(re.match("[0-9A-Fa-f]{2}", after)) for after in user.split("%")[1:]} == {True, False}:
        return False
    return plain_hostport(hostport, scheme or "")
