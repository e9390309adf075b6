"""Which format an input is in, by the lines of its beginning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from fasturl.logs.formats.catalog import LOGS
from fasturl.logs.formats.jsonlines import is_object

# How many lines are looked at.
SAMPLE = 1000
# Of the lines with a referer or none: lines that were torn may pass for lines without.
_TORN = 0.01
# Logs whose lines are read as those of another one, which is named when they fit.
_AS_ANOTHER = frozenset(("CLOUDFRONT", "TRAEFIKCLF"))
_URL_START = re.compile(rb"(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:|/)[^ ]*+\Z")


@dataclass(frozen=True)
class Format:
    """What an input was found to be: `name` is one of `LOG_NAMES`, `URLS`, or `JSONL` for objects of no log that is
    known; `fits` of its first `lines` lines, empty ones left out, are in it.

    >>> print(Format("COMBINED", 1000, 998))
    COMBINED (998 of the first 1,000 lines)
    """

    name: str
    lines: int = 0
    fits: int = 0

    def __str__(self) -> str:
        return f"{self.name} ({self.fits:,} of the first {self.lines:,} lines)"


class Detector:
    """Lines of the beginning, up to SAMPLE, and how many of them each format explains."""

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
        # One format after the other: each looks at the lines in their order.
        for name, matches in self._matches.items():
            self._fits[name] += sum(map(matches, pieces))

    @property
    def is_telling(self) -> bool:
        """Whether these lines are enough to know the format by."""
        return bool(self._like_urls or self._objects or any(self._fits.values()))

    def found(self) -> Format:
        """A log may have torn and foreign lines: it is known by those that fit, as long as there are no more that look
        like URLs.
        """
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
    """Each line of a combined log is a line of a common one too, and a line of hostile text may be one: what loses the
    referers is taken only when it explains more than twice as many lines.
    """
    if not 0 < fits[combined] < fits[mixed] * (1 - _TORN):
        fits[mixed] = 0
    if max(fits[combined], fits[mixed]) * 2 >= fits[common]:
        fits[common] = 0


def detect_lines(lines: Iterable[bytes]) -> Format:
    """The format of an input that begins with these lines.

    >>> print(detect_lines([b"http://h/", b"/a"]))
    URLS (2 of the first 2 lines)
    """
    detector = Detector()
    detector.add(lines)
    return detector.found()
