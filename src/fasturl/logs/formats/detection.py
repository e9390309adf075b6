"""Detect the format of an input by its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

from fasturl._accesslog import is_object
from fasturl.logs.formats.catalog import BY_NAME, LOG_NAMES, LOGS, make_format
from fasturl.logs.formats.dialects import line_format, server_format
from fasturl.logs.formats.evidence import DELIMITERS, url_start
from fasturl.logs.formats.kernel_logs import PREFIXES, without_prefix
from fasturl.logs.formats.objects import OF_OBJECTS
from fasturl.logs.formats.records import LineFormat, LogFormat, Mismatch
from fasturl.logs.shown import visible

# The number of lines that detection reads.
SAMPLE = 1000
# The bytes of lines that are searched for the text between the fields of a format, before the format is compiled.
_SHORT = 1 << 14
# The tolerated share of lines without a referer in a combined log: a torn line may look like one.
_TORN = 0.01
# Without the formats whose lines another format reads as well. That format is reported instead.
_DETECTED = [log for log in LOGS if log.name not in ("CLOUDFRONT", "TRAEFIKCLF", "NGINX", "APACHE", "MIXED")]
_COMMON = ("COMMON", "COMBINED")
# Formats that begin with the client, which any word may be, also one of a logger.
_CLIENT_FIRST = (*_COMMON, "AIOHTTP", "NGINXMAIN")
# The bytes of a line that tell which format is closest: servers refuse a request line above 8 KiB or a little more.
_CLOSE = 1 << 14
# The share of the rows of a table that must be of requests.
_PROVEN = 0.9
UNKNOWN = "UNKNOWN"
_FIELD = re.compile(r"%(?:\{[^}]*\})?.|~h\{[^}]*\}")  # of a goaccess string
# Formats that read the lines of others too: these are sought among their lines alone.
_CLIENT_AND_USER = server_format("", "", "%h %^ %e [%{until}^")
_WITHIN = {
    **{log: _CLIENT_AND_USER for log in LOGS if log.text.startswith("%h %^ %e [%x]")},
    **{BY_NAME[host + name]: BY_NAME[f"{host}COMMON"] for host in ("", "V") for name in _COMMON},
}
_ADDRESS = rb"(?=[0-9A-Fa-f]*+[.:])[0-9A-Fa-f.:]++"
_HOST_FIRST = re.compile(rb"[^ ]*[A-Za-z][^ :]* %s " % _ADDRESS)
# Formats, lines in which one of their columns is something else, lines that tell nothing, and what the lines prove.
_END = ' [%{written}x] "%r" %s %b%? "%R" "%u"'
_DOUBTFUL: tuple[tuple[tuple[str, ...], bytes, bytes, str], ...] = (
    # two addresses: the client's, and that of a proxy or of the server
    (
        ("VCOMBINED", "VCOMMON"),
        rb"%s(?<!:[0-9]{2})(?<!:[0-9]{3})(?<!:[0-9]{4}) %s " % (_ADDRESS, _ADDRESS),
        b"",
        "%^ %^ %^ %e" + _END,
    ),
    # a host, a number, an address, the status of a cache or several words in place of the user
    (
        ("COMBINED", "COMMON"),
        rb"[^ ,]+ [^ ]+ (?:HIT|MISS|BYPASS|EXPIRED|STALE|UPDATING|REVALIDATED|[0-9]+\.[0-9]+|%s"
        rb"|(?:(?!- )[^ \[]+ )+(?!- )[^ \[]+"
        rb"|(?:[0-9a-z-]{1,63}\.)+(?:[a-z]{2}|com|net|org|info|biz|edu|gov|io|app|dev|xyz|shop|site)) \[" % _ADDRESS,
        rb"[^ ,]+ [^ ]+ - \[",
        "%h %^ %^" + _END,
    ),
    # the agent before the referer
    (
        ("COMBINED",),
        rb'.*?\] +"(?:[^"\\]|\\.)*" [0-9]{3} [0-9-]+ "(?:Mozilla/|[A-Za-z-]+/[0-9.]+(?: |"))[^"]*" "(?:-"|https?://)',
        rb'.*" "-" "-"',
        '%h %^ %e [%x] "%r" %s %b "%u" "%R"',
    ),
)
# The prefixes of containers that may stand before lines of an inferred format.
_OF_CONTAINERS = ("DOCKER", "CRI", "COMPOSE", "KUBECTL")

_PIECE = re.compile(rb"[^\r]++")  # of a line: a carriage return ends one too
_CONTROLS = bytes(byte for byte in range(0x20) if byte not in b"\t\r\n\x1b")


@cache
def _shared(log: LogFormat) -> LineFormat:
    """Return a reader for all detectors. A format that keeps state needs a separate reader for each."""
    return log.make()


@cache
def _between(log: LogFormat) -> list[bytes]:
    """Return the text between a format's fields."""
    return [piece.encode() for piece in _FIELD.split(log.text.partition("%?")[0])]


def _may_fit(log: LogFormat, lines: list[bytes], starts: set[bytes], is_short: bool) -> bool:
    """Return False if no line can be in the format, by the first byte, or for few lines by the text between fields.

    Most lines are in the same format. Compiling the other formats would take a seventh of a short run.
    """
    between = _between(log)
    if between[0] and not starts & {between[0][:1], b"\0"}:  # NULs before a record are skipped
        return False
    return not is_short or any(_has_in_order(line, between) for line in lines)


def _has_in_order(line: bytes, pieces: list[bytes]) -> bool:
    at = 0
    for piece in pieces:
        at = line.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


@dataclass(frozen=True)
class Format:
    """An input's format, as ``detect`` finds it.

    Parameters
    ----------
    name : str
        A name in ``LOG_NAMES``, "URLS", "JSONL" for JSON objects in an unknown log, "INFERRED" or "UNKNOWN".
    lines : int
        How many lines were read, without empty lines.
    matched_lines : int
        How many of the lines are in the format.
    mismatch : Mismatch, optional
        The first line that is not in the format. For an unknown format, the closest format is compared.
    rows : tuple of dict
        At most three rows from ``detect``, without absent columns.
    format_string : str
        When the name is "INFERRED", the format to pass to ``read`` or ``--log-format``.

    Examples
    --------
    >>> print(Format("COMBINED", 1000, 998))
    COMBINED (998 of the first 1,000 lines)
    """

    name: str
    lines: int = 0
    matched_lines: int = 0
    mismatch: Mismatch | None = field(default=None, compare=False, repr=False)
    rows: tuple[dict[str, Any], ...] = field(default=(), compare=False, repr=False)
    format_string: str = field(default="", repr=False)

    @property
    def log(self) -> str | LogFormat:
        """The format's name, or the inferred format, which you can pass to ``read``."""
        if not self.format_string:
            return self.name
        from fasturl.logs.formats.inferred import inferred_log

        make = partial(inferred_log, self.format_string)
        return LogFormat(self.name, "lines of a format that they prove", make)

    def __str__(self) -> str:
        name = f"{self.name} '{visible(self.format_string)}'" if self.format_string else self.name
        return f"{name} ({self.matched_lines:,} of the first {self.lines:,} lines)"


class Detector:
    """Counts how many of the first SAMPLE lines match each format."""

    def __init__(self) -> None:
        self._inner: dict[str, _Inner] = {}
        self.sample: list[bytes] = []  # the lines that were read, without empty lines
        self._numbers: list[int] = []  # of the lines of the sample
        self._seen = 0
        self._counted = 0
        self._stateful: dict[LogFormat, LineFormat] = {}
        self._fits = {log.name: 0 for log in _DETECTED}
        self._like_urls = 0
        self._objects = 0

    @property
    def lines(self) -> int:
        return len(self.sample)

    @cached_property
    def _url_start(self) -> re.Pattern[bytes]:
        return url_start()

    def _is_like_url(self, line: bytes) -> bool:
        # The lines of most logs have blanks: then the pattern, which is long, is never compiled.
        return b" " not in line and self._url_start.match(line) is not None

    def add(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            at = 0
            for piece in _PIECE.finditer(line):
                if self.lines == SAMPLE:
                    return
                self._seen += line.count(b"\r", at, piece.start())
                at = piece.start()
                self.sample.append(piece[0])
                self._numbers.append(self._seen + 1)
            self._seen += line.count(b"\r", at) + 1

    def _count(self) -> dict[str, int]:
        """Return how many lines are in each format. Each line is counted once, when it is asked for."""
        new, self._counted = self.sample[self._counted :], self.lines
        self._like_urls += sum(map(self._is_like_url, new))
        self._objects += sum(map(is_object, new))
        starts = {line[:1] for line in new}
        is_short = sum(map(len, new)) <= _SHORT
        within: dict[LogFormat, list[bytes]] = {}
        for log in _DETECTED:
            if not _may_fit(log, new, starts, is_short):
                continue
            lines, wider = new, _WITHIN.get(log)
            if wider is not None:
                if wider not in within:
                    within[wider] = list(filter(_shared(wider).detects, new))
                lines = within[wider]
            self._fits[log.name] += len(lines) if wider is log else sum(map(self._reader(log).detects, lines))
        return self._fits

    def _reader(self, log: LogFormat) -> LineFormat:
        shared = _shared(log)
        return self._stateful.setdefault(log, log.make()) if shared.keeps_state else shared

    @property
    def is_telling(self) -> bool:
        """Return True if these lines are enough to tell the format."""
        return bool(any(self._count().values()) or self._like_urls or self._objects or self._behind_prefix())

    def result(self) -> Format:
        """Return the format.

        A log may have torn lines, but fewer lines that look like URLs than records.

        An input is a list of URLs only if most lines look like URLs, or 1 of 2 lines, and if it is not a table.
        """
        name, most = self._most()
        behind = self._behind_prefix()
        if behind is not None and behind.matched_lines >= most + _is_part(behind, name):
            return behind
        if (own := self._own_result(name, most)) is not None:
            return own
        if self._objects > self._like_urls:
            return self._infer(by_keys=True) or Format("JSONL", self.lines, self._objects)
        like_urls = self._like_urls * 2
        if (like_urls > self.lines or like_urls == self.lines <= 2) and not self._is_table:
            return Format("URLS", self.lines, self._like_urls)
        return self._infer() or Format(UNKNOWN, self.lines, 0, self._closest())

    def _most(self) -> tuple[str, int]:
        """Return the built-in format that most lines have, and the number of these lines."""
        fits = dict(self._count())
        if fits["TIMED"] > self.lines * _TORN:
            # It reads lines without its words too.
            timed = make_format("TIMED")
            fits["TIMED"] = sum(timed.matches(line) and not _HOST_FIRST.match(line) for line in self.sample)
            fits["COMMON"] *= fits["TIMED"] * 2 < fits["COMMON"]
        for host in ("", "V"):
            # Each line of a combined log is a line of a common log too. A line of hostile text may be one. COMMON reads
            # the referers and agents of lines that have them.
            fits[f"{host}COMMON"] *= fits[f"{host}COMBINED"] < fits[f"{host}COMMON"] * (1 - _TORN)
        return max(fits.items(), key=lambda item: item[1])

    def _own_result(self, name: str, most: int) -> Format | None:
        """Return the built-in format that most lines have, without a prefix, if the lines are such a log."""
        if doubtful := self._doubtful(name):
            return doubtful
        # Formats of JSON objects tolerate any share of objects without a request.
        objects = 0 if name in OF_OBJECTS else self._objects
        if most and (most > self._like_urls or most == self.lines) and most >= objects:
            return Format(name, self.lines, most, self._mismatch(make_format(name)))
        return None

    def result_in(self, log: str | LogFormat) -> Format:
        """Return how many lines fit a named format."""
        fmt = make_format(log)
        return Format(fmt.name, self.lines, sum(map(fmt.matches, self.sample)), self._mismatch(make_format(log)))

    def _doubtful(self, name: str) -> Format | None:
        """Return a common format without a column that these lines do not prove, if there is one."""
        for names, doubt, neutral, spelled in _DOUBTFUL:
            doubts = [line for line in self.sample if re.match(doubt, line)] if name in names else []
            others = sum(re.match(neutral, line) is not None for line in self.sample) if doubts and neutral else 0
            if doubts and len(doubts) + others >= self.lines * (1 - _TORN):
                fits = sum(map(make_format(line_format(spelled)).matches, self.sample))
                return self._inferred_format("", spelled, fits)
        return None

    def _behind_prefix(self) -> Format | None:
        """Return the format after a prefix that at least half of the lines have."""
        for prefix in PREFIXES:
            inner = self._behind(prefix)
            if inner is None or not any(inner._count().values()):
                continue
            found = inner._own_result(*inner._most())
            if found is not None and found.format_string:
                return self._inferred_format(prefix, found.format_string, found.matched_lines)
            if found is not None and found.name in LOG_NAMES:
                fmt = make_format(f"{prefix}+{found.name}")
                return Format(fmt.name, self.lines, found.matched_lines, self._mismatch(fmt))
        return None

    def _behind(self, prefix: str) -> Detector | None:
        """Return a detector for the lines after a prefix, if at least half of the lines have the prefix."""
        behind = self._inner.setdefault(prefix, _Inner())
        new, behind.looked_at = self.sample[behind.looked_at :], self.lines
        found = [rest for line in new if (rest := without_prefix(prefix, line)) is not None]
        behind.prefixed += len(found)
        behind.add(found)
        return behind if behind.prefixed * 2 >= self.lines > 0 else None

    def _infer(self, *, by_keys: bool = False) -> Format | None:
        """Return a format that the lines prove, perhaps after a prefix. by_keys : True for objects only"""
        # Imported lazily: the modules compile many patterns, and most logs are in a built-in format.
        from fasturl.logs.formats.inferred import count_columns, infer
        from fasturl.logs.formats.keyed import infer_keys

        def proven(prefix: str) -> tuple[str, str, int] | None:
            behind = self._behind(prefix) if prefix else self
            lines = behind.sample if behind is not None else []
            found = [infer_keys(lines)] if lines else []
            if lines and prefix in (("", "SYSLOG", *_OF_CONTAINERS) if not by_keys else _OF_CONTAINERS):
                found.append(infer(lines, is_logged=bool(prefix)))
            best = max(filter(None, found), key=lambda each: count_columns(each[0], with_time=True), default=None)
            return (prefix, *best) if best is not None else None

        container = next((found for prefix in _OF_CONTAINERS if (found := proven(prefix))), None)
        all_found = (container, *(proven(prefix) for prefix in (*PREFIXES, "") if prefix not in _OF_CONTAINERS))
        # A prefix may hold a field of the log.
        best = max(filter(None, all_found), key=lambda each: count_columns(each[1]), default=None)
        return self._inferred_format(*best) if best is not None else None

    def _inferred_format(self, prefix: str, spelled: str, fits: int) -> Format:
        """Return the format that was inferred after a prefix."""
        from fasturl.logs.formats.inferred import INFERRED, inferred_log

        name, spelled = (f"{prefix}+{INFERRED}", f"{prefix}+{spelled}") if prefix else (INFERRED, spelled)
        return Format(name, self.lines, fits, self._mismatch(inferred_log(spelled)), format_string=spelled)

    @property
    def delimiter(self) -> bytes | None:
        """A table's delimiter, which occurs in most lines as often as in the first line."""
        first = self.sample[0] if self.sample else b""
        for delimiter in DELIMITERS:
            count = first.count(delimiter)
            if count and sum(line.count(delimiter) == count for line in self.sample) > len(self.sample) * 0.9:
                return delimiter
        return None

    @property
    def _is_table(self) -> bool:
        """Return True for lines below a header, such as `path,status`, that look like URLs themselves."""
        is_header = bool(self.sample) and not self._is_like_url(self.sample[0])
        return is_header and len(self.sample) > 1 and self.delimiter is not None

    @property
    def utf16(self) -> str | None:
        """The name of the encoding if this is text of two bytes per character without a byte order mark."""
        start = self.sample[0][:512] if self.sample else b""
        if len(start) < 2:
            return None
        first, second = start[::2].count(0), start[1::2].count(0)
        if first + second <= 0.3 * len(start) or min(first, second) > 0.1 * len(start):
            return None
        return "UTF-16BE" if first > second else "UTF-16LE"

    @property
    def is_binary(self) -> bool:
        """Return True if the input has more control characters than text has."""
        start = b"".join(self.sample[:50])[:4096]
        return len(start.translate(None, _CONTROLS)) < 0.95 * len(start)

    def _mismatch(self, fmt: LineFormat) -> Mismatch | None:
        for number, line in zip(self._numbers, self.sample, strict=True):
            if not fmt.matches(line):
                return Mismatch(fmt.name, number, line, *fmt.stop(line))
        return None

    def _closest(self) -> Mismatch | None:
        """Return where the first line stops to fit the closest format."""
        line = self.sample[0] if self.sample else b""
        stops = {log.name: log.make().stop(line[:_CLOSE]) for log in _DETECTED}
        name, stop = max(
            stops.items(),
            key=lambda item: (item[1].at, item[0] == "COMBINED", item[0].endswith(_COMMON)),
            default=("", None),
        )
        return Mismatch(name, self._numbers[0] if self._numbers else 1, line, *stop) if stop is not None else None


class _Inner(Detector):
    """The lines after a prefix, among the lines read so far."""

    looked_at = 0
    prefixed = 0


def _is_part(behind: Format, name: str) -> bool:
    """Return True if the text before a common log may belong to this format, which has more fields, not to a logger."""
    return behind.name.startswith("LOGGER") and not name.endswith(_CLIENT_FIRST)


def detect_lines(lines: Iterable[bytes]) -> Format:
    """Return the format when an input begins with these lines.

    >>> print(detect_lines([b"http://h/", b"/a"]))
    URLS (2 of the first 2 lines)
    """
    detector = Detector()
    detector.add(lines)
    return detector.result()
