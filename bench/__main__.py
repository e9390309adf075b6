"""Measure every row in one process and print the table of ratios."""

import argparse
import sys

from bench import madeup, table
from bench.measure import Measured, prepare, run
from bench.operations import OPERATIONS


def parse_arguments() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    parser = table.arguments_of("bench", __doc__)
    parser.add_argument("--urls", metavar="FILE", help="a file with one URL per line (.gz too)")
    parser.add_argument("--corpus", choices=sorted(madeup.CORPORA), default="web", help="default: %(default)s")
    parser.add_argument("--lines", type=int, default=20_000, help="of a made-up corpus; default: %(default)s")
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"some of: {' '.join(OPERATIONS)}")
    parser.add_argument("--repeat", type=int, default=9, help="rounds; default: %(default)s")
    options = parser.parse_args()
    if unknown := set(options.only or ()) - set(OPERATIONS):
        parser.error(f"--only: no operation {', '.join(sorted(unknown))}; there are {', '.join(OPERATIONS)}")
    if options.repeat < 1 or options.lines < 1:
        parser.error("--repeat and --lines need a number from 1 up")
    return parser, options


def main() -> int:
    parser, options = parse_arguments()
    table.release_or_exit(parser)
    label = f"made-up URLs (corpus {options.corpus}, seed {madeup.SEED})"
    try:
        lines = madeup.read_urls(options.urls) if options.urls else madeup.generate(options.corpus, options.lines)
    except OSError as error:
        print(f"{parser.prog}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    urls = list(dict.fromkeys(lines))
    if not urls:
        print(f"{parser.prog}: {options.urls}: the file has no URLs", file=sys.stderr)
        return 2
    label = "real URLs, one per line of a file" if options.urls else label
    head = table.header(label, len(lines), len(set(lines)) / len(lines), options.repeat)
    table.show(head)
    results: list[Measured] = []
    for name in options.only or OPERATIONS:
        results.append(prepare(OPERATIONS[name], urls))
        run(results[-1], options.repeat)
        table.show(table.detail(results[-1]))
    ratios = table.summary(results)
    if ratios:
        table.show(["", "### Ratios", "", *ratios])
    if options.update:
        table.paste(options.update, "table", ["```", *head, "```", "", *ratios])
    return 0


if __name__ == "__main__":
    sys.exit(main())
