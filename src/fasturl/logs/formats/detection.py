"""Detect the format of an input by its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from fasturl.logs.formats.catalog import LOGS
from fasturl.logs.formats.jsonlines import is_object

# The number of lines that detection reads.
SAMPLE = 1000
# The tolerated share of lines without a referer in a combined log: a torn line may look like one.
_TORN = 0.01
# Formats whose lines another format reads as well. That format is reported instead.
_AS_ANOTHER = frozenset(("CLOUDFRONT", "TRAEFIKCLF"))
_URL_START = re.compile(rb"(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:|/)[^ ]*+\Z")


@dataclass(frozen=True)
class Format:
    """The detected format of an input.

    name : one of `LOG_NAMES`, `URLS`, or `JSONL` for JSON objects of an unknown log
    lines : how many lines were read, without empty ones
    fits : how many of these lines are in the format

    >>> print(Format("COMBINED", 1000, 998))
    COMBINED (998 of the first 1,000 lines)
    """

    name: str
    lines: int = 0
    fits: int = 0

    def __str__(self) -> str:
        return f"{self.name} ({self.fits:,} of the first {self.lines:,} lines)"


class Detector:
    """Counts how many of the first SAMPLE lines match each format."""

    def __init__(self) -> None:
        self._matches = {log.name: log.make().matches for log in LOGS if log.name not in _AS_ANOTHER}
        self._fits = dict.fromkeys(self._matches, 0)
        self._like_urls = 0
        self._objects = 0
        self.lines = 0

    def add(self, lines: Iterable[bytes]) -> None:
        there = (piece for line in lines for piece in line.split(b"\r") if piece)
        pieces = list(islice(there, SAMPLE - self.lines))
        self.lines += len(pieces)
        self._like_urls += sum(_URL_START.match(piece) is not None for piece in pieces)
        self._objects += sum(is_object(piece) for piece in pieces if piece.startswith(b"{"))
        # Each format must see the lines in order, because some formats keep state.
        for name, matches in self._matches.items():
            self._fits[name] += sum(map(matches, pieces))

    @property
    def is_telling(self) -> bool:
        """Return True if these lines are enough to tell the format."""
        return bool(self._like_urls or self._objects or any(self._fits.values()))

    def found(self) -> Format:
        """Return the format. A log may have torn lines, but fewer lines that look like URLs than records."""
        fits = dict(self._fits)
        for host in ("", "V"):
            _prefer_referers(fits, f"{host}COMMON", f"{host}MIXED", f"{host}COMBINED")
        name, most = max(fits.items(), key=lambda item: item[1])
        if most and (most > self._like_urls or most == self.lines) and most >= self._objects:
            return Format(name, self.lines, most)
        if self._objects > self._like_urls:
            return Format("JSONL", self.lines, self._objects)
        return Format("URLS", self.lines, self._like_urls)


def _prefer_referers(fits: dict[str, int], common: str, mixed: str, combined: str) -> None:
    """Drop the formats that lose referers, unless they match more than twice as many lines.

    Each line of a combined log is a line of a common log too. A line of hostile text may be one.
    """
    if not 0 < fits[combined] < fits[mixed] * (1 - _TORN):
        fits[mixed] = 0
    if max(fits[combined], fits[mixed]) * 2 >= fits[common]:
        fits[common] = 0


def detect_lines(lines: Iterable[bytes]) -> Format:
    """Return the format of an input that begins with these lines.

    >>> print(detect_lines([b"http://h/", b"/a"]))
    URLS (2 of the first 2 lines)
    """
    detector = Detector()
    detector.add(lines)
    return detector.found()
