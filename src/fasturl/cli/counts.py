"""The counts of a run, and their lines on stderr."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fasturl import Finding
from fasturl.cli.terminal import say

if TYPE_CHECKING:
    from fasturl.logs.units import Unit


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


class Counts:
    """Counts of lines, URLs, rejects and findings."""

    def __init__(self) -> None:
        self.lines = 0
        self.urls = 0
        self.invalid = 0
        self.rejected = 0
        self.empty = 0
        self.header = 0
        self.findings: Counter[str] = Counter()

    @property
    def bad(self) -> int:
        """Invalid URLs and rejected lines."""
        return self.invalid + self.rejected

    def add_unit(self, unit: Unit) -> None:
        """Add the counts of a unit."""
        self.lines += unit.lines
        self.urls += unit.urls
        self.invalid += unit.invalid
        self.empty += unit.empty
        self.header += unit.header
        self.rejected += len(unit.rejects)
        for _, bit, count in unit.findings:
            if unit.standard != "rfc1738" and not 1 << bit & Finding.HAZARDS:
                continue  # a violation of another standard
            self.findings[str(Finding(1 << bit).name)] += count

    def add_long_line(self) -> None:
        self.lines += 1
        self.rejected += 1

    def say_cut_short(self, why: str) -> None:
        """Print when and why the run ended before the end of its inputs."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        say(f"cut short at {now} after {plural(self.lines, 'line')}: {why}")

    def say(self) -> None:
        say(
            f"{plural(self.lines, 'line')}, {plural(self.urls, 'URL')}: "
            f"{self.urls - self.invalid:,} valid, {self.invalid:,} invalid; "
            f"{plural(self.rejected, 'line')} rejected, {self.empty:,} empty"
            + (f", {self.header:,} header" if self.header else "")
        )
        width = max(map(len, self.findings), default=0)
        for name, count in self.findings.most_common():
            say(f"  {name:<{width}}  {count:,}")
