"""decompose() agrees with regular expressions typed from the forms of RFC 1738 section 3. They share no code with the
scan or with ``fasturl.schemes``. The reference validator tells which texts are valid."""

from __future__ import annotations

import re
from typing import Any

import reference_inputs as inputs
import reference_validator

import fasturl

PORTS = {"ftp": 21, "http": 80, "https": 443, "gopher": 70, "nntp": 119, "telnet": 23, "wais": 210, "prospero": 1525}
LOGIN = r"//(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?(?P<host>[^:/]*)(?::(?P<port>[0-9]+))?"
HOSTPORT = r"//(?P<host>[^:/?]*)(?::(?P<port>[0-9]+))?"
FORMS = {
    "ftp": LOGIN + r"(?:/(?P<fpath>[^;]*)(?:;type=(?P<typecode>.))?)?",
    "http": HOSTPORT + r"(?:/(?P<path>[^?]*)(?:\?(?P<search>.*))?)?",
    "https": HOSTPORT + r"(?:/(?P<path>[^?]*)(?:\?(?P<search>.*))?)?",
    "gopher": HOSTPORT + r"(?:/(?P<rest>.*))?",
    "mailto": r"(?P<address>.*)",
    "news": r"(?P<article>[^@]+@.*)|(?P<group>[^@]*)",
    "nntp": HOSTPORT + r"/(?P<group>[^/]*)(?:/(?P<article>[0-9]+))?",
    "telnet": LOGIN + r"/?",
    "wais": HOSTPORT + r"/(?P<database>[^/?]*)(?:\?(?P<search>.*)|/(?P<wtype>[^/]*)/(?P<wpath>.*))?",
    "file": r"//(?P<host>[^/]*)/(?P<fpath>.*)",
    "prospero": HOSTPORT + r"/(?P<hsoname>[^;]*)(?P<fields>.*)",
}


def decoded(text: str | None) -> str | None:
    if text is None:
        return None
    data = bytearray()
    at = 0
    while at < len(text):
        if text[at] == "%":
            data.append(int(text[at + 1 : at + 3], 16))
            at += 3
        else:
            data.append(ord(text[at]))
            at += 1
    return bytes(data).decode("utf-8", "surrogateescape")


def slowly(text: str) -> dict[str, Any] | None:
    """Return the components of a valid URL by name, or None for a scheme without a form of its own."""
    name, _, part = text.partition(":")
    scheme = name.lower()
    if scheme not in FORMS:
        return None
    match = re.fullmatch(FORMS[scheme], part, re.DOTALL)
    assert match is not None, text
    found: dict[str, Any] = match.groupdict()
    if "port" in found:
        found["port"] = PORTS[scheme] if found["port"] is None else int(found["port"])
    for name in ("user", "password", "address", "database", "wtype", "wpath", "hsoname"):
        if name in found:
            found[name] = decoded(found[name])
    if scheme == "ftp":
        fpath, found["cwd"], found["name"] = found.pop("fpath"), (), None
        if fpath is not None:
            *cwd, last = fpath.split("/")
            found["cwd"], found["name"] = tuple(map(decoded, cwd)), decoded(last)
    elif scheme == "wais":
        found["search"] = decoded(found["search"])
    elif scheme == "file":
        found["path"] = tuple(map(decoded, found.pop("fpath").split("/")))
    elif scheme == "gopher":
        found.update(gtype=None, selector=None, search=None, plus=None)
        rest = found.pop("rest")
        if rest:
            width = 3 if rest[0] == "%" else 1
            pieces = rest[width:].split("%09", 2)
            found["gtype"] = decoded(rest[:width])
            found.update(zip(("selector", "search", "plus"), map(decoded, pieces), strict=False))
    elif scheme == "news":
        found["message_id"] = decoded(found.pop("article"))
    elif scheme == "nntp":
        found["article"] = None if found["article"] is None else int(found["article"])
    elif scheme == "prospero":
        pairs = [pair.split("=") for pair in found["fields"].split(";")[1:]]
        found["fields"] = tuple((decoded(field), decoded(value)) for field, value in pairs)
    return found


def test_components_are_those_of_the_slow_one(tries: int) -> None:
    choices = inputs.RandomChoices("decomposition")
    compared = dict.fromkeys(FORMS, 0)
    for _ in range(tries):
        text = inputs.url(choices) if choices.number(0, 2) else inputs.mutated_url(choices)
        if not reference_validator.valid(text):
            continue
        want = slowly(text)
        if want is None:
            continue
        got = fasturl.decompose(text)
        for name, value in want.items():
            have = getattr(got, name)
            same = have == value or (name in ("gtype", "selector") and value is None and have in ("1", "", None))
            assert same, (text, name, have, value)
        compared[text.partition(":")[0].lower()] += 1
    assert min(compared.values()) > tries // 400, compared
