"""What a run has seen, and how it says so at the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fasturl import Finding
from fasturl.cli.formats.records import Records
from fasturl.cli.rows import FINDINGS, VALID, Row
from fasturl.cli.terminal import say


def _plural(count: int, word: str) -> str:
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

    def add_lines(self, records: Records) -> None:
        self.lines += records.lines
        self.empty += records.empty
        self.rejected += len(records.rejects)

    def add_rows(self, rows: list[Row]) -> None:
        self.urls += len(rows)
        found: list[Any] = [row for row in rows if row[FINDINGS]]
        for row in found:
            self.findings.update(row[FINDINGS])
        self.invalid += sum(1 for row in found if not row[VALID])

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
            f"{_plural(self.lines, 'line')}, {_plural(self.urls, 'URL')}: "
            f"{self.urls - self.invalid:,} valid, {self.invalid:,} invalid; "
            f"{_plural(self.rejected, 'line')} rejected, {self.empty:,} empty"
        )
        width = max(map(len, self.findings), default=0)
        for name, count in self.findings.most_common():
            say(f"  {name:<{width}}  {count:,}")
