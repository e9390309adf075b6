"""The ratios of single calls on other texts than the real URLs: made-up corpora that are long, full of escapes, of
query parameters, or of characters beyond ASCII.

    python -m bench.others [--repeat 5] [--only NAME ...] [--update FILE]

An operation is measured as ``python -m bench`` does, with the same rows and the answers compared; a cell is how many
times as fast as urllib, as the quickest other peer, and, below 100 %, the share of its answers that are urllib's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import madeup, table
from bench.measure import Measured, NotRelease, prepare, require_release, run
from bench.operations import OPERATIONS

BEGIN = "<!-- others: begin (written by python -m bench.others --update) -->"
END = "<!-- others: end -->"
CORPORA = {"query": 2000, "escapes": 2000, "nonascii": 2000, "long": 60}
"""How many texts of each: some hundred thousand octets."""
NAMES = (
    *("parse", "parse-read", "octets", "octets-read", "urlsplit", "urlparse", "quote", "quote-url", "unquote"),
    *("unquote-nothing", "parse-qsl", "urlencode", "query-value", "urljoin"),
)


def cell(result: Measured) -> str:
    ours, urllib = result.first("fasturl"), result.first("urllib")
    if ours is None or urllib is None:
        return "–"
    best = result.quickest_peer(least=0.0)
    told = table.times(ours.times_as_fast_as(urllib))
    if best is not None:
        told += f"; {best.row.peer} {table.times(ours.times_as_fast_as(best))}"
        told += "" if best.agreement == 1 else f" ({table.share(best.agreement)})"
    return told if ours.agreement == 1 else f"{told}; agrees {table.share(ours.agreement)}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.others", description=(__doc__ or "").split(": ")[0])
    parser.add_argument("--only", nargs="+", choices=sorted(OPERATIONS), metavar="NAME", default=NAMES)
    parser.add_argument("--repeat", type=int, default=5, help="rounds; default 5")
    parser.add_argument("--update", metavar="FILE", type=Path, help="paste the table between a file's markers")
    options = parser.parse_args(arguments)
    try:
        require_release()
    except NotRelease as error:
        print(f"python -m bench.others: {error}", file=sys.stderr)
        return 2
    corpora = {name: madeup.generate(name, count) for name, count in CORPORA.items()}
    rows = []
    for name in options.only:
        cells = []
        for urls in corpora.values():
            result = prepare(OPERATIONS[name], list(dict.fromkeys(urls)), None)
            run(result, options.repeat)
            cells.append(cell(result))
        rows.append([name, *cells])
    means = [f"{name}, {sum(map(len, urls)) / len(urls):,.0f} characters" for name, urls in corpora.items()]
    lines = table.grid(["operation", *means], rows)
    table.show(lines)
    if options.update:
        table.paste(options.update, "\n".join(lines), BEGIN, END)
    return 0


if __name__ == "__main__":
    sys.exit(main())
