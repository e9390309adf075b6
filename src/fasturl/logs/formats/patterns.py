"""Logs whose lines a pattern describes, with the groups of GROUPS.

Every pattern runs in time linear in the line: words and quoted strings are possessive, what is not is bounded
or ends at a place that can be tried only so often. As in common logs, a line is one record or a reject: no
field but a quoted one holds a bracket or a quote, and what follows the known fields is no other record.
"""

from __future__ import annotations

import re

from fasturl._accesslog import split_request, unescape
from fasturl.logs.formats.logtext import HYPHEN, log_time, number
from fasturl.logs.formats.records import DETAILS, TARGET, LineFormat, Records
from fasturl.logs.inputs.lines import Lines

GROUPS = (
    *("client", "user", "time", "method", "status", "size", "agent", "vhost"),
    *("target", "request", "referer"),
)


def _words(*pieces: bytes) -> bytes:
    return b" ".join(pieces)


_IN_QUOTES = rb'[^"\\]*+(?:\\.[^"\\]*+)*+'


def _quoted(group: bytes) -> bytes:
    return rb'"(?P<' + group + rb">" + _IN_QUOTES + rb')"'


_OCTET = rb'[^ "\[\]]'
_WORD = _OCTET + rb"++"
_TIME = rb'\[(?P<time>[^\]\["]{1,64})\]'
_STATUS = rb"(?P<status>[0-9]{3}|-)"
_SIZE = rb"(?P<size>[0-9]{1,20}|-)"
_PAIR = rb'\[[^ "\[\]]*+\]'
_STRING = rb'"(?![^ "]++ [^"]* HTTP/[0-9])' + _IN_QUOTES + rb'"(?= |\Z)'
_MORE = rb"(?: (?:" + _WORD + rb"|" + _PAIR + rb")*+(?:" + _STRING + rb")?+)*+"

_ELB = _words(
    rb"(?P<time>[0-9][0-9T:.Z-]{9,40})",
    _WORD,  # the balancer
    rb"(?P<client>" + _OCTET + rb"{1,255}?)(?::[0-9]{1,5})?",
    *(_WORD, _WORD, _WORD, _WORD),  # the server and three times
    _STATUS,
    *(_WORD, rb"[0-9-]++"),  # the server's status, octets received
    _SIZE,
    _quoted(b"request"),
)

PATTERNS: dict[str, bytes] = {
    "SQUID": _words(
        rb"(?P<time>[0-9]{1,12}\.[0-9]{1,6}) *+[0-9-]++",  # and how long it took, right-aligned
        rb"(?P<client>" + _WORD + rb")",
        rb"[^ /]++/(?P<status>[0-9]{3})",
        rb"(?P<size>[0-9]{1,20})",
        rb"(?P<method>" + _WORD + rb")",
        rb"(?P<target>[^ ]++)",  # Squid encodes spaces, and an address in brackets is a URL's host
        rb"(?P<user>" + _WORD + rb")",
        rb"[^ /]++/[^ ]++",
        _WORD,
    ),
    "AWSELB": _ELB + rb"(?: " + _quoted(b"agent") + rb")?" + _MORE,
    "AWSALB": _words(rb"(?:https?|h2|grpcs|wss?)", _ELB, _quoted(b"agent")) + _MORE,
    "AWSS3": _words(
        *(_WORD, rb"(?P<vhost>" + _WORD + rb")"),  # owner, bucket
        _TIME,
        *(rb"(?P<client>" + _WORD + rb")", rb"(?P<user>" + _WORD + rb")"),
        *(_WORD, _WORD, _WORD),  # request id, operation, key
        _quoted(b"request"),
        *(_STATUS, _WORD, _SIZE),  # and the error's name
        *(_WORD, _WORD, _WORD),  # the object's size, two times
        *(_quoted(b"referer"), _quoted(b"agent")),
    )
    + _MORE,
}


def _compiled(name: str) -> re.Pattern[bytes]:
    """The pattern with all groups: those that a format lacks never match, and so are None."""
    pattern = PATTERNS[name]
    for group in GROUPS:
        if b"(?P<" + group.encode() + b">" not in pattern:
            pattern += b"(?P<" + group.encode() + b">(?!))?"
    return re.compile(pattern, re.DOTALL)


def _said(field: bytes | None) -> bytes | None:
    """What a field says, with its escapes undone; None for the log's `-`."""
    return None if field is None or field == HYPHEN else unescape(field)


class PatternLog(LineFormat):
    """A log whose lines one pattern describes. Escapes that the server wrote into it are undone."""

    details = DETAILS
    targets = frozenset({TARGET})

    def __init__(self, name: str) -> None:
        self.name = name
        pattern = _compiled(name)
        self._groups = [pattern.groupindex[group] for group in GROUPS]
        self._match = pattern.fullmatch

    def matches(self, line: bytes) -> bool:
        return self._match(line) is not None

    def read(self, lines: Lines) -> Records:
        records = Records()
        records.lines = lines.count
        for at, line in enumerate(lines.stripped):
            found = self._match(line)
            if found is not None:
                self._add(lines.first + at, found, records)
            elif line:
                records.rejects.append((lines.first + at, lines.raw[at]))
            else:
                records.empty += 1
        return records

    def _add(self, at: int, found: re.Match[bytes], records: Records) -> None:
        client, user, time, method, status, size, agent, vhost, target, request, referer = found.group(*self._groups)
        protocol = None
        if request is not None:
            method, target, protocol = split_request(unescape(request))
        detail = (
            *(client, _said(user), log_time(time), method, protocol),
            *(number(status), number(size), _said(agent), vhost),
        )
        said = unescape(referer) if referer and referer != HYPHEN else None
        records.add(at, TARGET, target, detail, said)
