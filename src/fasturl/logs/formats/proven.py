"""Prove the fields in a request's line by text, place or label.

tests/logs/test_inferred_patterns.py has a table of the patterns, with an example from a real log for each.
"""

from __future__ import annotations

import re
from bisect import insort
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from ipaddress import ip_address
from itertools import chain, islice
from typing import NamedTuple

from fasturl._accesslog import TEMPLATE_STEPS_MAX
from fasturl.logs.columns import TARGET
from fasturl.logs.formats.dialects import GOACCESS_DURATIONS
from fasturl.logs.formats.evidence import DELIMITERS, LIKE_DATA, METHODS, STATUSES
from fasturl.logs.formats.keyed import columns_of, fits_column
from fasturl.logs.formats.objects import UNIT, exponent_of, unit_of

MANY = 64  # places of a kind that are looked at in a line
_NEAR = 40  # the bytes before a field that tell what it is
_METHODS_MAX = 16  # of these, the words among which the method is
METHOD = re.compile(rb"(?<![\w/.-])(?:%s)(?![\w-])" % METHODS)
TARGET_START = re.compile(rb"""/|[A-Za-z]{2,12}://|\*(?=[\s"'|,;\])]|\Z)""")
PROTOCOL = re.compile(rb"HTTP/[0-9](?:\.[0-9])?")
_HOST_AND_PORT = re.compile(rb"[^\s\"]+:[0-9]+")
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*+)("?)')  # linear: an unclosed string takes the rest
_BESIDE = re.compile(rb"""["'\])}>]?[ ]*+([|,;:\t-]?)[ ]*+(?:["']?([A-Za-z_][\w.-]{0,30})["']?[=:](?!//) ?)?["'\[(]?""")
# A query in a field of its own, after the target.
_QUERY_CELL = re.compile(rb"[ ]*[|,;\t][ ]*([^\s=,;|]+=[^\s,;|]*)(?=[ ]*[|,;\t])")
_BRACKETS = {b"[": b"]", b"(": b")", b"{": b"}", b"<": b">"}
_CLOSING = {b'"': b'"', b"'": b"'", b"`": b"`", **_BRACKETS}
_CLOSERS = re.compile(rb"""["'`]?[\])}>]*["'`]?""")
_LABEL = re.compile(rb"""(?<![\w.-])["']?([A-Za-z_][\w.-]{0,40})["']?(?:=|:) ?["'(\[/]?""")
# The text before a number directly after a field: a closing bracket, a delimiter or an arrow, and an opening bracket.
_NEXT = rb"""[ ]*+["'\])}>]?[ \t]*+(?:[|,;:-]|[-=]>|\xe2\x86\x92)?[ \t]*+["'(\[<]?"""
_V4 = rb"(?:[0-9]{1,3}\.){3}[0-9]{1,3}"
_STATUS = rb"([1-5][0-9]{2})(?![\w%]|[.:][0-9])"
_UNIT = rb"(?:ns|us|\xc2\xb5s|\xce\xbcs|ms|s)"
# The client, the host, an absent or empty query, or a duration may stand between the request and its status.
_STATUS_NEXT = re.compile(
    rb"%s(?:(?:(?:for|from|by) )?(?:%s|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?%s"
    rb"|(?:-1?|[\w.-]+=[^\s\"]*|\{[^{}]*\}|[\w-]+(?:\.[\w-]+)+) |\(?[0-9.]+ ?%s%s)?%s"
    % (_NEXT, _V4, _NEXT, _UNIT, _NEXT, _STATUS)
)
_STATUS_AT = re.compile(_STATUS)
_STATUS_BEFORE = re.compile(rb"(?<![\w.:-])([1-5][0-9]{2})[\"'\])]?[ \t]*+[|,;:-]?[ \t]*+[\"'(\[<]?\Z")
_STATUS_ALONE = re.compile(rb"[\])]?[ |\[(]{1,3}([1-5][0-9]{2})[\])]?(?: -)?[ |\[(]{1,16}")
_STATUS_SAID = re.compile(
    rb"(?i)(?:\b(?:status(?: code)?|code|returne?[ds]|sent|(?:responded|completed)(?: with)?)|[-=]>|\xe2\x86\x92) "
    + _STATUS
)
_STATUS_AFTER_QUOTE = re.compile(rb'" ([1-5][0-9]{2})(?= |\Z)')
_STATUS_CELL = re.compile(rb"(?<=[|\t;,])[ ]*+\"?([1-5][0-9]{2})(?=\"? *(?:[|\t;,]|\Z))")
_STATUS_FIRST = re.compile(rb"\(([1-5][0-9]{2})\)(?= )")
# A status and a size before a quoted string, as in a combined log.
_STATUS_AND_SIZE = re.compile(rb" ([1-5][0-9]{2}) (?:[0-9]{1,20}|-)(?= \")")
_SIZE = rb"([0-9]{1,20})(?=[\s\"'|,;)\]}>]|\Z|[bB]\b|[bB]ytes)(?! ?(?:%s)\b)" % UNIT
_SIZE_NEXT = re.compile(_NEXT + _SIZE)
# After a status: a number with a fraction, or a whole number and perhaps a second one.
NUMBERS_NEXT = re.compile(rb"%s(?:([0-9]+\.[0-9])|%s(?:%s([0-9]+|-)(?![\w.]))?)" % (_NEXT, _SIZE, _NEXT))
_SIZE_AT = re.compile(_SIZE)
_BESIDE_UNIT = re.compile(rb"(?<![\w.:/-])(?:[0-9]+h)?(?:[0-9]+m)?[0-9]+(?:\.[0-9]+)?%s(?![\w-])" % _UNIT)
# A unit before a number may be its label.
_BEFORE_UNIT = re.compile(rb"(?<![\w.:/-])([0-9]+(?:\.[0-9]+)?)[ ]?(?:%s)(?![\w-]| [0-9])" % UNIT)
_REQUEST_TIME = re.compile(rb"(?<![\w.-])request_time ([0-9]+\.[0-9]+)(?![\w.])")  # nginx's, in seconds
_LETTERS = {int(digit): letter for letter, digit in GOACCESS_DURATIONS.items()}
_NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?(?=[\s\"'|,;)\]}>]|\Z)")
_ADDRESS = re.compile(
    rb"(?<![\w.:/%%-])(?<![\w:/]/)/?\[?(%s(?![\w.-])|(?=[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:)[0-9A-Fa-f:]{2,39}(?:%s)?(?![\w:.]))"
    rb"(\]?:[0-9]{1,5}\b)?" % (_V4, _V4)
)
_NO_CLIENT = re.compile(
    rb"(?:\b(?:to|upstream|server|backend|on|via|local|listening|dst)|->|=>) [/\[(]?\Z|\A[\w.:]+ \(\Z", re.IGNORECASE
)
_CLIENT_WORD = re.compile(rb"\b(?:from|for|by|client) \[?\Z")
_SYSLOG_TIME = re.compile(rb"(?:\A|>)[A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} \Z")  # the host of syslog follows it
_MORE_ADDRESSES = re.compile(rb", (?:%s|unknown|[0-9A-Fa-f]*:[0-9A-Fa-f:]+)" % _V4)
_CELLS = {
    divider: re.compile(rb'(?<=[%s])[ ]?([^%s"]*?)()[ ]?(?=[%s]|\Z)' % (divider, divider, divider))
    for divider in (b"\t", b"|")
}
AGENT = re.compile(rb"(?!HTTP/)[A-Za-z][\w.+!-]*(?: [\w.+!-]+){0,3}/v?[0-9]|Mozilla/")
_REFERER = re.compile(rb"(?!grpc|tcp|unix|fastcgi)[a-z][a-z0-9+.-]{1,20}://")
# Signs of a log: a time of day, a duration, a protocol, and a label of a status.
_SIGNS = re.compile(rb"[0-9]{2}:[0-9]{2}:[0-9]{2}|\b[0-9]+%s\b|HTTP/[0-9]|(?i:status[\w.-]*[=:])" % _UNIT)
_FAILURE = re.compile(
    rb"(?i)\b(?:err(?:or)?|warn(?:ing)?|crit(?:ical)?|alert|emerg|fatal|fail(?:ed|ure)|denied|exception|refused)\b"
    rb"|\] [0-9]+#[0-9]+: "  # nginx's log of errors, at any level
)
_PROSE = re.compile(rb"(?<![\w\"])[A-Za-z]+ [a-z]+ [A-Za-z]+(?![\w\"])")
_REQUESTED = ("request", "target")
_CONDITION = re.compile(rb"\b(?:AND|OR|WHERE) [\w.]+ ?(?:=|IN\b|LIKE\b)")  # of a query of a database
# What clients of HTTP write: httpx, urllib3 and scrapy.
OF_A_CLIENT = re.compile(rb"HTTP Request: [A-Z]+ https?://|https?://[^\s\"/]+ \"[A-Z]+ /|\([0-9]{3}\) <[A-Z]+ https?:")
_DUMP = re.compile(rb"HTTP/[0-9.]{1,3}\\r\\n")  # of the bytes that a server received
# Columns of texts that a label tells, as goaccess spells them, and their values.
_SPELLED = {"vhost": "%v", "user": "%e", "agent": "%u", "referer": "%R", "protocol": "%H"}
_VALUE = re.compile(rb"((?<=\")[^\"\\]+(?=\")|(?<!\")[^\s\",;|\])}>]+)")
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
# The dates, each with its form. `/` is that of 05/17/2015, which all lines together decide.
DATES = {
    rb"[0-9]{4}-[0-9]{2}-[0-9]{2}": "%Y-%m-%d",
    rb"[0-9]{4}/[0-9]{2}/[0-9]{2}": "%Y/%m/%d",
    rb"[0-9]{1,2}/%s/[0-9]{4}" % _MONTH: "%d/%b/%Y",
    rb"%s [ 0-9]?[0-9](?= [0-9:]{8}(?: [A-Z]{3,4})? [0-9]{4}\b)" % _MONTH: "%b %e",
    rb"[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}": "/",
}
_FORMS = tuple(DATES.values())
_TIME = re.compile(
    rb"(?<![\w.])(?P<week>[A-Z][a-z]{2,8}(?P<comma>,?) )?(?:%s)(?P<between>T| - |, |[ \t:_-])"
    rb"(?P<clock>[0-9]{1,2}:[0-9]{2}:[0-9]{2}|[0-9]{6}(?=[Z.\s]))"
    rb"(?P<fraction>\.[0-9]{1,9}|,[0-9]{3}(?=[\s\]\"'|)]|\Z))?(?P<half> ?[AaPp][Mm]\b)?"
    rb"(?P<zone> ?(?:Z|[+-][0-9]{2}:?[0-9]{2})(?![\w:]))?(?P<name> [A-Z]{3,4}(?= [0-9]{4}\b)| UTC\b| GMT\b)?"
    rb"(?P<year> [0-9]{4}\b)?" % b"|".join(b"(%s)" % date for date in DATES)
)


class ProvenField(NamedTuple):
    """A proven field in a line, with place, column and goaccess field."""

    start: int
    end: int
    column: str
    spelled: str


@dataclass
class ProvenLine:
    """The proven fields in a request's line."""

    text: bytes
    day_first: bool | None
    without: frozenset[str]
    is_logged: bool
    fields: list[ProvenField] = field(default_factory=list)  # in the order of their places
    divider: bytes = b""  # of the whole line
    addresses: int = 0  # how many may be the client's, if no label names one

    def add(self, start: int, end: int, column: str, spelled: str) -> bool:
        """Add a field, unless the column is not wanted, or the field overlaps another field."""
        if (
            self.is_free(start, end)
            and column not in self.without
            and all(column != other.column for other in self.fields)
        ):
            insort(self.fields, ProvenField(start, end, column, spelled))
            return True
        return False

    def is_free(self, start: int, end: int) -> bool:
        """Return True if no field overlaps this place."""
        return all(end <= other.start or start >= other.end for other in self.fields)

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(each.column for each in self.fields)

    @cached_property
    def labels(self) -> list[tuple[bytes, dict[str, int], int]]:
        """The labels, the columns that each may name, and the place of its value."""
        found = islice(_LABEL.finditer(self.text), MANY)
        return [(each[1], columns_of(each[1].decode()), each.end()) for each in found]

    def prove(self) -> bool:
        """Find the fields. Return False for a line without a request."""
        end = self._request()
        if end is None:
            return False
        start = self.fields[0].start
        self._time()
        self._strings(end)
        self._client(end)
        self._labelled()
        self._durations()
        if "status" not in self.columns:
            self._status(start, end)
        has = self.columns
        if _CONDITION.search(self.text[:end]) or _DUMP.search(self.text) or OF_A_CLIENT.search(self.text):
            return False
        if "status" in has:
            # A table of documentation has nothing else.
            is_alone = has <= {"method", "target", "request", "status"} and not _SIGNS.search(self.text)
            return self.is_logged or not is_alone
        # Without a status, the line must be no message about a request, as in an error log.
        told = _QUOTED.sub(b'""', self.text[:start].rstrip(b'"') + b'"" ' + self.text[end:].lstrip(b'"'))
        is_quoted = any(self.text[each.end : each.end + 1] == b'"' for each in self.fields if each.column in _REQUESTED)
        is_quoted = is_quoted and self.text[start - 1 : end].count(b'"') < 3
        is_labelled = "request" in has and any("client" in columns for _, columns, _ in self.labels)
        is_shaped = PROTOCOL.search(self.text) or is_quoted or is_labelled
        is_whole = "time" in has and (self.addresses or not has.isdisjoint(("client", "forwarded", "agent")))
        return bool(is_whole and is_shaped and not (_FAILURE.search(told) or _PROSE.search(told)))

    def _request(self) -> int | None:
        """Add the request line, or method and target. Return the end."""
        text = self.text
        for method in islice(METHOD.finditer(text), _METHODS_MAX):
            start, end = method.span()
            begins = _HOST_AND_PORT if method[0] == b"CONNECT" else TARGET_START
            if text[end : end + 1] == b" " and begins.match(text, end + 1):
                return self._request_line(start, end)
            beside = _BESIDE.match(text, end)
            at = beside.end() if beside else end
            if beside is None or at == end or not TARGET_START.match(text, at) or not _may_be_target(beside[2] or None):
                continue
            divider = beside[1] if beside[1] in DELIMITERS else b""
            self.add(start, end, "method", "%{upper}m")
            opened = text[at - 1 : at]
            self.divider = divider if opened == divider else b""
            end = self._end_of(at, opened, divider)
            is_whole = opened in (b'"', self.divider) and text[end : end + 1] in (opened, b"")
            self.add(at, end, "target", "%U" if is_whole else "%{any}U")
            query = _QUERY_CELL.match(text, end)
            if query and b"?" not in text[at:end]:
                self.add(*query.span(1), "query", "%q")
            return end
        return None

    def _request_line(self, start: int, end: int) -> int:
        text, opened = self.text, self.text[start - 1 : start] if start else b""
        quoted = _QUOTED.match(text, start - 1) if opened == b'"' else None
        stop = self._end_of(end + 1, opened, opened if opened in DELIMITERS else b"")
        self.divider = opened if opened in DELIMITERS else b""
        protocol = PROTOCOL.match(text, stop + 1) if text[stop : stop + 1] == b" " else None
        stop = protocol.end() if protocol else stop
        if quoted and quoted[2] and (not text[stop : quoted.end() - 1].strip() or PROTOCOL.search(quoted[1][-9:])):
            self.add(start, quoted.end() - 1, "request", "%r")
            return quoted.end()
        self.add(start, stop, "request", "%{words}r")
        return stop

    def _end_of(self, start: int, opened: bytes, divider: bytes) -> int:
        """Return the end of a target, before the byte that closes it, or before punctuation."""
        text = self.text
        closing = _CLOSING.get(opened, divider)
        if divider and opened == divider:
            end = text.find(divider, start)
            return end if end >= 0 else len(text)
        found = _target(closing).match(text, start)
        target = found[0] if found else b""
        # A bracket that closes one in the target is a part of it.
        closes = b"".join(end for opener, end in _BRACKETS.items() if opener in target)
        stripped = target.rstrip(b",;:])}>'".translate(None, closes))
        return start + len(stripped or target[:1])

    def _labelled(self) -> None:
        """Add texts in quotes, or up to a blank, after a label for the column."""
        for name, columns, at in self.labels:
            for column in columns.keys() & _SPELLED.keys():
                value = _VALUE.match(self.text, at)
                text = value[1].decode("latin-1") if value else "-"
                if text not in ("", "-") and fits_column(name.decode(), column, text):
                    self.add(at, at + len(text), column, _SPELLED[column])

    def _time(self) -> None:
        for match in _TIME.finditer(self.text):
            form = self._form(match)
            if form is not None and self.add(*match.span(), "time", form):
                return

    def _form(self, match: re.Match[bytes]) -> str | None:
        number = next(place for place, group in enumerate(match.groups()[2:]) if group is not None)
        date = _FORMS[number]
        if date == "/":
            if self.day_first is None:
                return None
            date = date.join(("%d", "%m", "%Y") if self.day_first else ("%m", "%d", "%Y"))
        if (match["year"] is not None) != (date == "%b %e"):
            return None
        clock = "%H%M%S" if len(match["clock"]) == 6 else "%I:%M:%S" if match["half"] else "%H:%M:%S"
        fraction = ",%f" if (match["fraction"] or b"").startswith(b",") else "%."
        half = "" if not match["half"] else " %p" if match["half"].startswith(b" ") else "%p"
        zone = "" if not match["zone"] else " %z" if match["zone"].startswith(b" ") else "%z"
        week = "" if not match["week"] else f"%a{match['comma'].decode()} "
        between = match["between"].decode().replace("\t", "\\t")
        name, year = " %Z" if match["name"] else "", " %Y" if match["year"] else ""
        form = f"{week}{date}{between}{clock}{fraction}{half}{zone}{name}{year}"
        return "%x" if form == "%d/%b/%Y:%H:%M:%S%. %z" and not match["fraction"] else f"%{{{form}}}x"

    def _status(self, start: int, end: int) -> None:
        """Add the status and the size directly after it, or where a label names them."""
        text = self.text
        found = self._said("status", _STATUS_AT)
        found = (
            found
            or _STATUS_NEXT.match(text, end)
            or _STATUS_FIRST.match(text)
            or self._status_before(start)
            or self._status_between(start)
        )
        if found is None and not self.columns.isdisjoint(("time", "client", "duration")):
            found = _STATUS_SAID.search(text)
        patterns = ((_STATUS_CELL, 0), (_STATUS_AFTER_QUOTE, end), (_STATUS_AND_SIZE, end))
        for pattern, at in patterns if found is None else ():
            cells = list(islice(pattern.finditer(text, at), 2))
            if len(cells) == 1 and cells[0][1] in STATUSES:
                found = cells[0]
        if found is not None and not self.add(*found.span(1), "status", "%s"):
            return
        size = self._said("size", _SIZE_AT)
        size = size or (_SIZE_NEXT.match(text, found.end(1)) if found is not None else None)
        if size is not None:
            self.add(*size.span(1), "size", "%b")

    def _said(self, column: str, kind: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Return the first value of this kind after a label for the column."""
        found = (kind.match(self.text, end) for _, columns, end in self.labels if column in columns)
        return next(filter(None, found), None)

    def _status_before(self, start: int) -> re.Match[bytes] | None:
        """Return a number before the request, after a bracket, a delimiter or a proven field, but not after a word."""
        found = _STATUS_BEFORE.search(self.text, 0, start)
        before = self.text[: found.start()].rstrip(b" ") if found else b""
        # The number of a process stands in brackets that touch its name.
        last = before[-2:-1] if before[-1:] in (b"[", b"(") else before[-1:]
        is_word = last.isalnum() or last in (b".", b"_")
        return None if is_word and all(each.end != len(before) for each in self.fields) else found

    def _status_between(self, start: int) -> re.Match[bytes] | None:
        """Return the only number before the request that stands between two proven fields, without words."""
        ends, starts = {each.end for each in self.fields}, {each.start for each in self.fields}
        alone = islice(_STATUS_ALONE.finditer(self.text, 0, start), MANY)
        found = [each for each in alone if each.end() in starts and ends & {*range(each.start(), each.start(1))}]
        return found[0] if len(found) == 1 else None

    def _durations(self) -> None:
        text, named = self.text, {end: name for name, columns, end in self.labels if "duration" in columns}
        found = [(*match.span(), "%{unit}T") for match in islice(_BESIDE_UNIT.finditer(text), MANY)]
        beside = {start for start, *_ in found}
        for match in islice(_BEFORE_UNIT.finditer(text), MANY):
            number, unit = match.span(1), text[match.end(1) : match.end()]
            if number[0] not in beside:
                spelled = _LETTERS[exponent_of(unit.strip())] + unit.decode("utf-8", "surrogateescape")
                found.append((number[0], match.end(), f"%{spelled}"))
        for at, name in named.items():
            letter, value = _LETTERS.get(unit_of(name.decode())), _NUMBER.match(text, at)
            if letter and value:
                found.append((*value.span(), f"%{letter}"))
        for match in _REQUEST_TIME.finditer(text) if not found else ():
            found.append((*match.span(1), "%T"))
        free = [each for each in found if self.is_free(each[0], each[1])]
        if len(free) > 1:
            free = [each for each in free if each[0] in named]
        if len(free) == 1:
            self.add(*free[0][:2], "duration", free[0][2])

    def _strings(self, end: int) -> None:
        """Add a quoted referer and a quoted agent after the request. A hyphen before an agent is an absent referer."""
        before: re.Match[bytes] | None = None
        divider = b"|" if b" | " in self.text[end:] else self.divider
        cells = _CELLS[divider].finditer(self.text, end) if divider in _CELLS else iter(())
        for string in islice(chain(_QUOTED.finditer(self.text, end), cells), MANY):
            if AGENT.match(string[1]) and not _REFERER.match(string[1]):
                if before is not None and before[1] == b"-" and string.start() == before.end() + 1:
                    self.add(*before.span(1), "referer", "%R")
                self.add(*string.span(1), "agent", "%u")
            elif _REFERER.match(string[1]):
                self.add(*string.span(1), "referer", "%R")
            before = string

    def _client(self, end: int) -> None:
        """Add the client and the forwarded addresses: by their labels, or a lone address and a list of several.

        An address with its port after the request may be the server's, unless a word or a label tells it.
        """
        named = {at: columns for _, columns, at in self.labels}
        alone: list[re.Match[bytes]] = []
        listed = 0
        for match in islice(_ADDRESS.finditer(self.text), MANY):
            if match.start(1) < listed or not is_address(match[1]) or not self.is_free(*match.span(1)):
                continue
            stop = match.end(1)
            while more := _MORE_ADDRESSES.match(self.text, stop):
                listed = stop = more.end()
            columns = named.get(match.start(1))
            if "forwarded" in (columns or ()) or (columns is None and listed == stop):
                self.add(match.start(1), stop, "forwarded", "%{forwarded}^")
            elif "client" in (columns or ()):
                self._add_client(match)
            elif (
                columns is None
                and not _is_server(self.text, match)
                and not (match[2] and match.start() >= end and not _CLIENT_WORD.search(self.text, 0, match.start(1)))
            ):
                alone.append(match)
        if "client" not in self.columns:
            self.addresses = len({match[1] for match in alone})
            if self.addresses == 1:
                self._add_client(alone[0])

    def _add_client(self, match: re.Match[bytes]) -> None:
        has_port = match[2] and not match[2].startswith(b"]")
        self.add(match.start(1), match.end() if has_port else match.end(1), "client", "%{port}h" if has_port else "%h")

    def contradicts(self, header: bytes) -> bool:
        """Return True for the header of a table that names no status."""
        divider = self.divider or b"\0"
        if not 2 <= header.count(divider) == self.text.count(divider) < TEMPLATE_STEPS_MAX:
            return False
        names = header.split(divider)
        return not any(
            LIKE_DATA.match(name) or "status" in columns_of(name.strip(b'" ').decode("latin-1")) for name in names
        )


@cache
def _target(closing: bytes) -> re.Pattern[bytes]:
    """Return the pattern of a target before a closing byte."""
    return re.compile(rb'[^\x00-\x20"%s]*+' % re.escape(closing))


def _may_be_target(label: bytes | None) -> bool:
    """Return True if there is no label, or a target's label."""
    return label is None or not columns_of(label.decode()).keys().isdisjoint((TARGET, "request"))


def _is_server(text: bytes, address: re.Match[bytes]) -> bool:
    """Return True if the words or the arrow before an address tell that it is not a client's."""
    end = address.start(1)
    before = max(end - _NEAR, 0), end
    return bool(_NO_CLIENT.search(text, *before) or _SYSLOG_TIME.search(text, *before))


@lru_cache(256)
def is_address(text: bytes) -> bool:
    try:
        ip_address(text.decode())
    except ValueError:
        return False
    return True


def closers(text: bytes, at: int = 0) -> bytes:
    """Return the quotes and brackets at this offset that close a field, or nothing."""
    found = _CLOSERS.match(text, at)
    return found[0] if found else b""
