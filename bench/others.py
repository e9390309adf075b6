"""The ratios of single calls on other texts than the real URLs.

    python -m bench.others [--repeat 5] [--only NAME ...] [--update FILE]

The made-up corpora are long, full of escapes, of query parameters, or of characters beyond ASCII. An operation has the
same rows as in ``python -m bench``, and answers are compared. A cell shows how many times as fast as urllib fasturl is,
then as the fastest other peer, and the share of that peer's answers that are urllib's, if below 100 %.
"""

from __future__ import annotations

from bench import madeup, table
from bench.measure import Measured, prepare, run
from bench.operations import OPERATIONS

CORPORA = {"query": 2000, "escapes": 2000, "nonascii": 2000, "long": 60}
"""The number of texts of each corpus: some hundred thousand octets."""
NAMES = (
    *("parse", "parse-read", "octets", "octets-read", "urlsplit", "urlparse", "quote", "quote-url", "unquote"),
    *("unquote-nothing", "parse-qsl", "urlencode", "query-value", "urljoin"),
)


def cell(result: Measured) -> str:
    ours, urllib = result.first("fasturl"), result.first("urllib")
    if ours is None or urllib is None:
        return "–"
    best = result.quickest_peer(least=0.0)
    shown = table.times(ours.times_as_fast_as(urllib))
    if best is not None:
        shown += f"; {best.row.peer} {table.times(ours.times_as_fast_as(best))}"
        shown += "" if best.agreement == 1 else f" ({table.share(best.agreement)})"
    return shown if ours.agreement == 1 else f"{shown}; agrees {table.share(ours.agreement)}"


def main() -> None:
    parser = table.arguments_of("bench.others", __doc__)
    parser.add_argument("--only", nargs="+", choices=sorted(OPERATIONS), metavar="NAME", default=NAMES)
    parser.add_argument("--repeat", type=int, default=5, help="rounds; default: %(default)s")
    options = parser.parse_args()
    table.release_or_exit(parser)
    corpora = {name: madeup.generate(name, count) for name, count in CORPORA.items()}
    rows = []
    for name in options.only:
        results = [prepare(OPERATIONS[name], list(dict.fromkeys(urls)), None) for urls in corpora.values()]
        for result in results:
            run(result, options.repeat)
        rows.append([name, *map(cell, results)])
    means = [f"{name}, {sum(map(len, urls)) / len(urls):,.0f} characters" for name, urls in corpora.items()]
    lines = table.grid(["operation", *means], rows)
    table.show(lines, "others", options.update)


if __name__ == "__main__":
    main()
