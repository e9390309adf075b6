"""What a run has seen, and how it says so at the end."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from fasturl import Finding
from fasturl.cli.terminal import say


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


class Counts:
    """Lines, what became of each, and the findings in the URLs they held."""

    def __init__(self) -> None:
        self.lines = 0
        self.urls = 0
        self.invalid = 0
        self.rejected = 0
        self.empty = 0
        self.findings: Counter[str] = Counter()

    @property
    def bad(self) -> int:
        """Invalid URLs and rejected lines."""
        return self.invalid + self.rejected

    def add_unit(
        self, lines: int, urls: int, invalid: int, empty: int, rejected: int, findings: list[tuple[int, int, int]]
    ) -> None:
        """Many rows at once; findings: the first row, the bit, how many rows, in the order of the rows."""
        self.lines += lines
        self.urls += urls
        self.invalid += invalid
        self.empty += empty
        self.rejected += rejected
        for _, bit, count in findings:
            self.findings[str(Finding(1 << bit).name)] += count

    def say_cut_short(self, why: str) -> None:
        """When and why the run ended before its inputs did."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        say(f"cut short at {now} after {plural(self.lines, 'line')}: {why}")

    def as_dict(self) -> dict[str, object]:
        return {
            "lines": self.lines,
            "urls": self.urls,
            "valid": self.urls - self.invalid,
            "invalid": self.invalid,
            "rejected": self.rejected,
            "empty": self.empty,
            "findings": dict(self.findings.most_common()),
        }

    def say(self) -> None:
        say(
            f"{plural(self.lines, 'line')}, {plural(self.urls, 'URL')}: "
            f"{self.urls - self.invalid:,} valid, {self.invalid:,} invalid; "
            f"{plural(self.rejected, 'line')} rejected, {self.empty:,} empty"
        )
        width = max(map(len, self.findings), default=0)
        for name, count in self.findings.most_common():
            say(f"  {name:<{width}}  {count:,}")
