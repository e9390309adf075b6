"""The formats of input: each turns lines into records.

A record is one URL, where it stood (line, field) and what the log says around it. The names of log formats are
goaccess's. Every pattern here runs in time linear in the line: quoted strings are possessive, the rest is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fasturl._clf import read_plain
from fasturl.cli.lines import Lines
from fasturl.cli.logtext import HYPHEN, log_time, number, unescape

# What a log tells about a request, in the order of the output's columns.
DETAILS = ("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost")
Value = bytes | str | int | bool | tuple[str, ...] | None
Detail = tuple[Value, ...]

TARGET, REFERER, URL = "target", "referer", "url"


class Records:
    """The records of some lines, column by column, and what became of the other lines."""

    __slots__ = ("details", "empty", "fields", "lines", "numbers", "rejects", "urls")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.fields: list[str] = []
        self.urls: list[bytes] = []
        self.details: list[Detail] = []
        self.rejects: list[tuple[int, bytes]] = []
        self.lines = 0
        self.empty = 0


class Format:
    """How lines of one input are read. One object an input: some formats carry state from line to line."""

    name = "URLS"
    details: tuple[str, ...] = ()
    # Which fields hold what an HTTP request line holds; all others hold URLs.
    targets: frozenset[str] = frozenset()

    def read(self, lines: Lines) -> Records:
        raise NotImplementedError

    def finish(self) -> Records | None:
        """What is left when the input has ended."""
        return None


class UrlList(Format):
    """One URL a line: every line that is not empty is one, however broken."""

    def __init__(self, form: str = "url") -> None:
        if form == "request-target":
            self.targets = frozenset({URL})

    def read(self, lines: Lines) -> Records:
        records = Records()
        clean = lines.clean
        records.lines = len(clean)
        records.numbers = list(range(lines.first, lines.first + len(clean)))
        records.urls = clean
        if b"" in clean:
            records.urls = [url for url in clean if url]
            records.numbers = [n for n, url in zip(records.numbers, clean, strict=True) if url]
            records.empty = len(clean) - len(records.urls)
        records.fields = [URL] * len(records.urls)
        records.details = [()] * len(records.urls)
        return records


_QUOTED = rb'"(?P<{}>[^"\\]*+(?:\\.[^"\\]*+)*+)"'
# A request line in full, the common case, or whatever else the client sent.
_REQUEST = (
    rb'"(?:(?P<method>[A-Z]++) (?P<target>[^ "\\]++) (?P<protocol>HTTP/[0-9.]++)"'
    rb'|(?P<request>[^"\\]*+(?:\\.[^"\\]*+)*+)")'
)
_TIME = rb"\[(?P<time>[^\]\[]{1,64})\]"
_CLIENT = rb"(?P<client>[^ ]++) [^ ]++ (?P<user>.+?) " + _TIME
_STATUS = rb"(?P<status>[0-9]{3}|-) (?P<size>[0-9]{1,20}|-)"
_REFERER, _AGENT = _QUOTED.replace(b"{}", b"referer"), _QUOTED.replace(b"{}", b"agent")
_VHOST = rb"(?P<vhost>[^ ]++) (?!- )"
_MORE = rb"(?: .*+)?"
_ELB = (
    rb"(?P<time>[0-9][0-9T:.Z-]{9,40}) [^ ]++ (?P<client>[^ ]{1,255}?)(?::[0-9]{1,5})? [^ ]++ [^ ]++ [^ ]++ [^ ]++ "
    rb"(?P<status>[0-9]{3}|-) [^ ]++ [0-9-]++ (?P<size>[0-9]{1,20}|-) " + _REQUEST
)
_PATTERNS: dict[str, bytes] = {
    "VCOMBINED": _VHOST + _CLIENT + b" " + _REQUEST + b" " + _STATUS + b" " + _REFERER + b" " + _AGENT + _MORE,
    "COMBINED": _CLIENT + b" " + _REQUEST + b" " + _STATUS + b" " + _REFERER + b" " + _AGENT + _MORE,
    "VCOMMON": _VHOST + _CLIENT + b" " + _REQUEST + b" " + _STATUS + _MORE,
    "COMMON": _CLIENT + b" " + _REQUEST + b" " + _STATUS + _MORE,
    "SQUID": rb"(?P<time>[0-9]{1,12}\.[0-9]{1,6}) ++[0-9-]++ (?P<client>[^ ]++) [^ /]++/(?P<status>[0-9]{3}) "
    rb"(?P<size>[0-9]{1,20}) (?P<method>[^ ]++) (?P<target>.+?) (?P<user>[^ ]++) [^ /]++/[^ ]++ [^ ]++",
    "AWSALB": rb"(?:https?|h2|grpcs|wss?) " + _ELB + b" " + _AGENT + _MORE,
    "AWSELB": _ELB + rb"(?: " + _AGENT + rb")?" + _MORE,
    "AWSS3": rb"[^ ]++ (?P<vhost>[^ ]++) " + _TIME + rb" (?P<client>[^ ]++) (?P<user>[^ ]++) [^ ]++ [^ ]++ [^ ]++ "
    + _REQUEST + rb" (?P<status>[0-9]{3}|-) [^ ]++ (?P<size>[0-9]{1,20}|-) [^ ]++ [^ ]++ [^ ]++ "
    + _REFERER + b" " + _AGENT + _MORE,
}  # fmt: skip
_PATTERNS["TRAEFIKCLF"] = _PATTERNS["COMBINED"]
# The formats whose plain lines need no pattern: whether they start with the host, whether referer and agent follow.
_PLAIN = {
    "VCOMBINED": (True, True), "COMBINED": (False, True), "VCOMMON": (True, False), "COMMON": (False, False),
    "TRAEFIKCLF": (False, True),
}  # fmt: skip
_GROUPS = (
    "client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost", "target", "request", "referer",
)  # fmt: skip
_METHOD = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++")


def _whole_pattern(pattern: bytes) -> re.Pattern[bytes]:
    """The pattern with all groups: those a format lacks never match, and so are None."""
    for group in _GROUPS:
        if b"(?P<" + group.encode() + b">" not in pattern:
            pattern += b"(?P<" + group.encode() + b">(?!))?"
    return re.compile(pattern, re.DOTALL)


def split_request(request: bytes) -> tuple[bytes | None, bytes, bytes | None]:
    """Method, target and protocol of a request line; whatever is no method and no protocol belongs to the target.

    Joined by spaces again they give the request line, so no octet of it is lost.
    """
    method, space, rest = request.partition(b" ")
    if not space or not _METHOD.fullmatch(method):
        return None, request, None
    target, space, protocol = rest.rpartition(b" ")
    if not space or not protocol.startswith(b"HTTP/"):
        return method, rest, None
    return method, target, protocol


class Log(Format):
    """A log whose lines one pattern describes. Escapes that the server wrote into it are undone."""

    details = DETAILS
    targets = frozenset({TARGET})

    def __init__(self, name: str) -> None:
        self.name = name
        pattern = _whole_pattern(_PATTERNS[name])
        self._groups = [pattern.groupindex[group] for group in _GROUPS]
        self._match = pattern.fullmatch
        self._plain = _PLAIN.get(name)

    def matches(self, line: bytes) -> bool:
        return self._match(line) is not None

    def read(self, lines: Lines) -> Records:
        records = Records()
        records.lines = len(lines.clean)

        def read_slowly(at: int, line: bytes) -> None:
            if not self._take(lines.first + at, line, records):
                if line:
                    records.rejects.append((lines.first + at, lines.raw[at]))
                else:
                    records.empty += 1

        if self._plain is None:
            for at, line in enumerate(lines.clean):
                read_slowly(at, line)
        else:
            vhost, combined = self._plain
            read_plain(
                lines.clean, lines.first, vhost=vhost, combined=combined, numbers=records.numbers,
                fields=records.fields, urls=records.urls, details=records.details, log_time=log_time, slow=read_slowly,
            )  # fmt: skip
        return records

    def _take(self, at: int, line: bytes, records: Records) -> bool:
        """Append the line's records, if it is in the format."""
        found = self._match(line)
        if found is None:
            return False
        client, user, time, method, protocol, status, size, agent, vhost, target, request, referer = found.group(
            *self._groups
        )
        if request is not None:
            method, target, protocol = split_request(unescape(request))
        user = None if user is None or user == HYPHEN else unescape(user)
        agent = None if agent is None or agent == HYPHEN else unescape(agent)
        detail = (client, user, log_time(time), method, protocol, number(status), number(size), agent, vhost)
        urls = [(TARGET, target)]
        if referer and referer != HYPHEN:
            urls.append((REFERER, unescape(referer)))
        for field, url in urls:
            records.numbers.append(at)
            records.fields.append(field)
            records.urls.append(url)
            records.details.append(detail)
        return True


# goaccess's names; those without a pattern above have a class of their own.
LOG_NAMES = (*_PATTERNS, "W3C", "CLOUDFRONT", "CADDY")

# The more a format says the earlier it comes: each line of a combined log is a line of a common one too.
_DETECTED = ("AWSALB", "VCOMBINED", "COMBINED", "AWSELB", "AWSS3", "SQUID", "VCOMMON", "COMMON")
_W3C_START = re.compile(rb"#(?:Version|Software|Fields|Date|Remark|Start-Date)\s*:", re.IGNORECASE)
_URL_START = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{0,30}:|/")
_SAMPLE = 100


def make_format(name: str, form: str = "url") -> Format:
    """A fresh reader for the format of that name (`URLS` or one of LOG_NAMES)."""
    if name == "URLS":
        return UrlList(form)
    if name in _PATTERNS:
        return Log(name)
    if name == "CADDY":
        from fasturl.cli.jsonlines import Caddy

        return Caddy()
    from fasturl.cli.w3c import W3C

    return W3C(name)


def detect(lines: Iterable[bytes]) -> str:
    """The name of the format that the first lines of an input are in, JSONL for objects unknown; URLS when in none.

    A log is allowed torn and foreign lines: it is known by the lines that match, as long as there are no more lines
    that look like URLs.
    """
    sample = [line for line, _ in zip(lines, range(_SAMPLE), strict=False) if line]
    if not sample:
        return "URLS"
    if _W3C_START.match(sample[0]):
        return "W3C"
    if sample[0].startswith(b"{"):
        from fasturl.cli.jsonlines import detect_json

        return detect_json(sample[0])
    like_urls = sum(1 for line in sample if _URL_START.match(line))
    best, most = "URLS", 0
    for name in _DETECTED:
        log = Log(name)
        count = sum(1 for line in sample if log.matches(line))
        if count > most:
            best, most = name, count
    return best if most > like_urls or most == len(sample) else "URLS"
