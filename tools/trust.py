"""Write the figures of docs/trust.md from docs/figures/*.json.

    python tools/trust.py                    write the block between the markers of docs/trust.md
    python tools/trust.py out/proofs.json    first take these reports into docs/figures, each under its own name
    python tools/trust.py --check            write nothing; exit 1 when the block is not what would be written

A report is what a script that measures writes; a figure may be a whole number, all else is text:

    {"title": "Proofs", "date": "2026-11-22", "rows": [["what", "figure", "how"], ...]}

It becomes a table; `how` is what a reader runs to get the figure again, or how it was counted.
"""

from __future__ import annotations

import argparse
import datetime
import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path("docs/trust.md")
FIGURES = Path("docs/figures")
BEGIN = "<!-- figures: begin (written by tools/trust.py) -->"
END = "<!-- figures: end -->"


class NotAReport(ValueError):
    """A file that is no report, and why."""


def read(path: Path) -> tuple[str, str, list[list[str]]]:
    """Title, day and rows of a report."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        title, day, rows = report["title"], report["date"], report["rows"]
        datetime.date.fromisoformat(day)
        # A figure may be a number; in a table it is written with its thousands apart.
        rows = [[f"{cell:,}".replace(",", " ") if isinstance(cell, int) else cell for cell in row] for row in rows]
        texts = [title, *(cell for row in rows for cell in row)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotAReport(f"{path.name} is no report: {error!r}") from None
    if not rows or any(len(row) != 3 for row in rows):
        raise NotAReport(f"{path.name}: a row is [what, figure, how], and there is at least one")
    for text in texts:
        if not isinstance(text, str) or not text or set("|\n\r") & set(text):
            raise NotAReport(f"{path.name}: {text!r} is no text that fits a table's cell")
    return title, day, rows


def block(folder: Path) -> str:
    """What stands between the markers: a table a report, in the order of the files' names."""
    lines = [BEGIN]
    for path in sorted(folder.glob("*.json")):
        title, day, rows = read(path)
        lines += ["", f"### {title} ({day})", "", "| what | figure | how |", "|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", END])


def with_block(page: str, written: str) -> str:
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NotAReport(f"{PAGE} lacks the markers {BEGIN} and {END}")
    return before + written + after


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the figures of docs/trust.md from docs/figures/*.json.")
    parser.add_argument("reports", type=Path, nargs="*", help="reports to take into docs/figures first")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page is stale")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder that holds docs/")
    options = parser.parse_args(arguments)
    folder, page = options.root / FIGURES, options.root / PAGE
    if options.check and options.reports:
        parser.error("--check takes no reports")
    try:
        for report in options.reports:
            read(report)
            shutil.copyfile(report, folder / report.name)
        held = page.read_text(encoding="utf-8")
        made = with_block(held, block(folder))
    except NotAReport as error:
        print(f"trust.py: {error}", file=sys.stderr)
        return 1
    if held == made:
        return 0
    if options.check:
        print(f"{PAGE} is stale: run python tools/trust.py", file=sys.stderr)
        return 1
    page.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
