"""Slow, plain versions of normalize() and equivalent(), written from docs/normalize.md. They share no code with the
kernel, but ask decompose() for the parts of a valid URL."""

from __future__ import annotations

import dataclasses
import re
import string
from typing import Any

from fasturl import InvalidURL
from fasturl.schemes import Generic, SchemeParts, decompose

UNRESERVED = string.ascii_letters + string.digits + "$-_.+" + "!*'(),"
PLAIN = string.ascii_letters + string.digits + "-_."
SCHEME = string.ascii_letters + string.digits + "+-."
HOST = string.ascii_letters + string.digits + "-._"
PORTS = {"http": 80, "https": 443, "ftp": 21, "gopher": 70, "nntp": 119, "telnet": 23, "wais": 210}
PORTS["prospero"] = 1525
OWN_PRODUCTION = {*PORTS, "file"}
SLASH_OPTIONAL = ("http", "https", "gopher", "telnet")


def lower(text: str) -> str:
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def is_escape(text: str) -> bool:
    return len(text) == 3 and text[0] == "%" and text[1] in string.hexdigits and text[2] in string.hexdigits


def split_escapes(text: str) -> list[str]:
    parts, at = [], 0
    while at < len(text):
        step = 3 if is_escape(text[at : at + 3]) else 1
        parts.append(text[at : at + step])
        at += step
    return parts


def escapes(text: str, decoded: str) -> str:
    out: list[str] = []
    for part in split_escapes(text):
        if is_escape(part):
            char = chr(int(part[1:], 16))
            part = part.upper()
            # Decoded only if that turns no bare "%" before it into an escape.
            completes = char in string.hexdigits and (
                out[-1:] == ["%"] or (out[-2:-1] == ["%"] and out[-1] in string.hexdigits)
            )
            if char in decoded and not completes:
                part = char
        out.append(part)
    return "".join(out)


def hostport(text: str, scheme: str) -> tuple[str, bool]:
    if text.startswith("["):
        host, bracket, rest = text.partition("]")
        inside = host[1:]
        if not bracket or not inside or any(c not in string.hexdigits + ":." for c in inside):
            return text, False
        host += bracket
        colon, port = rest[:1], rest[1:]
    else:
        host, colon, port = text.partition(":")
        if not host or any(c not in HOST for c in host):
            return text, False
    if colon not in ("", ":"):
        return text, False
    if scheme != "file" and port and all(c in string.digits for c in port) and int(port) <= 65535:
        colon, port = ("", "") if int(port) == PORTS.get(scheme) else (":", str(int(port)))
    return lower(host) + colon + port, True


def is_host(text: str) -> bool:
    labels = text.split(".")
    for label in labels:
        if not label or any(c not in HOST[:62] + "-" for c in label) or label[0] == "-" or label[-1] == "-":
            return False
    if labels[-1][0] in string.ascii_letters:
        return True
    return len(labels) == 4 and all(c in string.digits for label in labels for c in label)


def is_ip_schemepart(user: str, host: str) -> bool:
    """Return True for a login whose host is valid by the wider rule for hosts."""
    if "@" in user or user.count(":") > 1:
        return False
    bracketed = host.startswith("[")
    name, colon, port = (host.partition("]")[2] if bracketed else host).partition(":")
    if not bracketed and not is_host(name):
        return False
    return not colon or (port != "" and all(c in string.digits for c in port) and int(port) <= 65535)


def after_login(text: str, scheme: str, decoded: str) -> str:
    if scheme == "ftp" and ";" in text:
        path, semicolon, rest = text.rpartition(";")
        return escapes(path, decoded) + semicolon + rest
    if scheme == "nntp":
        return text
    if scheme == "news":
        unique, at, host = text.partition("@")
        return escapes(unique, decoded) + at + host if at else text
    return escapes(text, decoded)


def schemepart(text: str, scheme: str, sure: bool, key: bool) -> str:
    decoded = UNRESERVED if key else PLAIN
    if not text.startswith("//") or scheme in ("mailto", "news"):
        return after_login(text, scheme, decoded)
    ends = "/?" if scheme in ("http", "https", "wais") else "/"
    end = min([text.index(c, 2) for c in ends if c in text[2:]], default=len(text))
    login, rest = text[2:end], text[end:]
    if not sure:
        return "//" + login + after_login(rest, scheme, decoded)
    user, at, host = login.rpartition("@")
    if scheme in OWN_PRODUCTION or is_ip_schemepart(user, host):
        host, has_host = hostport(host, scheme)
    else:
        has_host = False
    if key and has_host and rest == "/" and scheme in SLASH_OPTIONAL:
        rest = ""
    return "//" + escapes(user, decoded) + at + host + after_login(rest, scheme, decoded)


def slow_normal(text: str, key: bool = False) -> str:
    url, hash_, fragment = text.partition("#")
    end = min([url.index(c) for c in ":/?" if c in url], default=len(url))
    if url[end : end + 1] != ":":
        return schemepart(url, "", False, key) + hash_ + fragment
    scheme, part = url[:end], url[end + 1 :]
    is_scheme = bool(scheme) and all(c in SCHEME for c in scheme)
    sure = is_scheme and scheme[0] in string.ascii_letters
    name = lower(scheme) if is_scheme else ""
    return (name if sure else scheme) + ":" + schemepart(part, name, sure, key) + hash_ + fragment


def without_case(field: str, value: Any) -> Any:
    if value is not None and field in ("host", "typecode"):
        return value.lower()
    if value is not None and field == "message_id":
        unique, at, host = value.rpartition("@")
        return unique + at + host.lower()
    return value


def as_written(text: str | None) -> str | None:
    """Decode the escapes of an http path or search, except those of "/", ";", "?" and "%"."""
    if text is None:
        return None
    kept = {"%25", "%2F", "%3B", "%3F"}
    return re.sub("%..", lambda e: e[0].upper() if e[0].upper() in kept else chr(int(e[0][1:], 16)), text)


def canonical(parts: SchemeParts) -> tuple[Any, ...]:
    """Return the parts, equal for two URLs of a known scheme that are equivalent."""
    fields = {f.name: without_case(f.name, getattr(parts, f.name)) for f in dataclasses.fields(parts)}  # type: ignore[arg-type]
    if type(parts).__name__ in ("Http", "Https"):
        fields["path"], fields["search"] = as_written(fields["path"]) or "", as_written(fields["search"])
    if getattr(parts, "is_local", False):
        fields["host"] = ""
    return parts.scheme, *fields.values()


def slow_key(text: str) -> tuple[Any, ...]:
    """Return a key that is equal for equivalent texts, unless their scheme has productions of its own."""
    url, hash_, fragment = text.partition("#")
    try:
        parts = decompose(url)
    except InvalidURL:
        parts = None
    if parts is not None and not isinstance(parts, Generic):
        return canonical(parts), hash_, fragment
    normal = slow_normal(url, key=True)
    scheme, colon, part = normal.partition(":")
    if colon and scheme and all(c in SCHEME for c in scheme):
        normal = lower(scheme) + colon + part
    return normal, hash_, fragment
