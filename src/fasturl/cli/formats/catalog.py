"""The formats of input: each turns lines into records.

The names of log formats are goaccess's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fasturl._clf import read_plain, unescape
from fasturl.cli.formats.jsonlines import Caddy, detect_json
from fasturl.cli.formats.logtext import HYPHEN, log_time, number
from fasturl.cli.formats.patterns import GROUPS, PATTERNS, PLAIN, compile_pattern
from fasturl.cli.formats.records import DETAILS, REFERER, TARGET, URL, Format, Records
from fasturl.cli.formats.w3c import W3C
from fasturl.cli.inputs.lines import Lines


class UrlList(Format):
    """One URL a line: every line that is not empty is one, however broken."""

    def __init__(self, form: str = "url") -> None:
        if form == "request-target":
            self.targets = frozenset({URL})

    @property
    def is_plain(self) -> bool:
        return True

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


_METHOD = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++")


def split_request(request: bytes) -> tuple[bytes | None, bytes, bytes | None]:
    """Method, target and protocol of a request line; whatever is no method and no protocol belongs to the
    target.

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
        pattern = compile_pattern(name)
        self._groups = [pattern.groupindex[group] for group in GROUPS]
        self._match = pattern.fullmatch
        self.plain = PLAIN.get(name)

    @property
    def is_plain(self) -> bool:
        return self.plain is not None

    def matches(self, line: bytes) -> bool:
        return self._match(line) is not None

    def read(self, lines: Lines) -> Records:
        records = Records()
        records.lines = lines.count

        def read_slowly(at: int, line: bytes) -> None:
            if not self.take(lines.first + at, line, records):
                if line:
                    records.rejects.append((lines.first + at, lines.raw[at]))
                else:
                    records.empty += 1

        if self.plain is None:
            for at, line in enumerate(lines.clean):
                read_slowly(at, line)
        else:
            vhost, combined = self.plain
            read_plain(
                lines.clean,
                lines.first,
                vhost=vhost,
                combined=combined,
                numbers=records.numbers,
                fields=records.fields,
                urls=records.urls,
                details=records.details,
                log_time=log_time,
                slow=read_slowly,
            )
        return records

    def take(self, at: int, line: bytes, records: Records) -> bool:
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
            records.add(at, field, url, detail)
        return True


# goaccess's names; those without a pattern above have a class of their own.
LOG_NAMES = (*PATTERNS, "W3C", "CLOUDFRONT", "CADDY")

# The more a format says the earlier it comes: each line of a combined log is a line of a common one too.
_DETECTED = ("AWSALB", "VCOMBINED", "COMBINED", "AWSELB", "AWSS3", "SQUID", "VCOMMON", "COMMON")
_W3C_START = re.compile(rb"#(?:Version|Software|Fields|Date|Remark|Start-Date)\s*:", re.IGNORECASE)
_URL_START = re.compile(rb"(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:|/)[^ ]*+\Z")
SAMPLE = 100


def make_format(name: str, form: str = "url") -> Format:
    """A fresh reader for the format of that name (`URLS` or one of LOG_NAMES)."""
    if name == "URLS":
        return UrlList(form)
    if name in PATTERNS:
        return Log(name)
    if name == "CADDY":
        return Caddy()
    return W3C(name)


def is_telling(lines: list[bytes]) -> bool:
    """Whether these lines are enough to know the format by."""
    return any(_URL_START.match(line) for line in lines) or detect(lines) != "URLS"


def detect(lines: Iterable[bytes]) -> str:
    """The name of the format that the first lines of an input are in, JSONL for objects unknown; URLS when in
    none.

    A log is allowed torn and foreign lines: it is known by the lines that match, as long as there are no more
    lines that look like URLs.
    """
    sample = [line for line, _ in zip(lines, range(SAMPLE), strict=False) if line]
    if not sample:
        return "URLS"
    if _W3C_START.match(sample[0]):
        return "W3C"
    if sample[0].startswith(b"{"):
        return detect_json(sample[0])
    like_urls = sum(1 for line in sample if _URL_START.match(line))
    best, most = "URLS", 0
    for name in _DETECTED:
        log = Log(name)
        count = sum(1 for line in sample if log.matches(line))
        if count > most:
            best, most = name, count
    return best if most > like_urls or most == len(sample) else "URLS"
