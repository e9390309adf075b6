"""The prefixes that relays and containers write before lines: syslog, compose, CRI, kubectl, and JSON of docker."""

from __future__ import annotations

from fasturl._accesslog import PREFIXES as _PREFIXES
from fasturl._accesslog import ObjectTemplate, behind_prefix
from fasturl.logs.formats.kernel_logs import CommonLog
from fasturl.logs.formats.records import LineFormat

PREFIXES = _PREFIXES[1:-1]
_KEYS = (b"log", b"MESSAGE", b"message", b"textPayload", b"line", b"_raw")  # of docker, journald, Google and others
_TIMES = (b"time", b"timestamp", b"@timestamp")
_HELD = [*(("target", key, 0) for key in _KEYS), *(("time", key, 0) for key in _TIMES)]
_HOLDERS = {"DOCKER": ObjectTemplate(_HELD, [], "json", 0, True)}


def without_prefix(prefix: str, line: bytes) -> bytes | None:
    """Return the line after the prefix, or None without such a prefix.

    >>> without_prefix("SYSLOG", b"May  7 10:05:03 web1 nginx: x"), without_prefix("CRI", b"x")
    (b'x', None)
    """
    return behind_prefix(line, prefix, _HOLDERS.get(prefix))


def read_behind_prefix(prefix: str, fmt: LineFormat) -> CommonLog:
    """Make a format read lines after a prefix in PREFIXES. Lines without it are read as they are."""
    assert isinstance(fmt, CommonLog)
    return fmt.behind(prefix, _HOLDERS.get(prefix))
