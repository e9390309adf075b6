"""``python -m bench``: measure every row in one process and print the table of ratios."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import madeup, scaling, table
from bench.measure import Measured, NotRelease, prepare, require_release, run
from bench.operations import OPERATIONS
from bench.peers import PEERS

SCALING = "scaling"


def corpus_of(options: argparse.Namespace) -> tuple[str, list[str]]:
    """The label and the lines: of a file, or made up."""
    if options.urls:
        return "real URLs, one a line of a file", madeup.read_urls(options.urls)
    return f"made-up URLs (corpus {options.corpus}, seed {madeup.SEED})", madeup.generate(
        options.corpus, options.lines
    )


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=(__doc__ or "").split(": ")[1])
    parser.add_argument("--urls", metavar="FILE", help="a file of URLs, one a line (.gz too)")
    parser.add_argument("--corpus", choices=sorted(madeup.CORPORA), default="web", help="default: web")
    parser.add_argument("--lines", type=int, default=20_000, help="of a made-up corpus; default 20000")
    parser.add_argument("--limit", type=int, help="take only so many URLs")
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"some of: {' '.join(OPERATIONS)} {SCALING}")
    parser.add_argument("--peers", nargs="*", choices=sorted(PEERS), help="some of the peers; default all")
    parser.add_argument("--repeat", type=int, default=9, help="rounds; default 9")
    parser.add_argument("--cpu", type=int, help="run on this CPU alone")
    parser.add_argument("--update", metavar="FILE", type=Path, help="paste the table between a file's markers")
    parser.add_argument("--ratios", metavar="FILE", type=Path, help="the same with the table of ratios alone")
    parser.add_argument("--short", metavar="FILE", type=Path, help="the same with the rows that README shows")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the rounds of each row as JSON")
    parser.add_argument("--without-fasturl", action="store_true", help="no release build of fasturl: the peers alone")
    options = parser.parse_args(arguments)
    unknown = set(options.only or ()) - {*OPERATIONS, SCALING}
    if unknown:
        known = ", ".join((*OPERATIONS, SCALING))
        parser.error(f"--only: no operation {', '.join(sorted(unknown))}; there are {known}")
    if options.repeat < 1 or options.lines < 1:
        parser.error("--repeat and --lines: a number from 1 up")
    return options


def as_json(results: Sequence[Measured]) -> str:
    rows = [
        {
            "operation": result.operation.name,
            "peer": timed.row.peer,
            "call": timed.row.label,
            "kind": timed.row.kind,
            "ns": timed.rounds,
            "agrees": timed.agreement,
            "inputs": result.count,
            "unique": result.unique_share,
        }
        for result in results
        for timed in result.rows
    ]
    return json.dumps(rows, indent=1)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        build = "absent" if options.without_fasturl else require_release()
    except NotRelease as error:
        print(f"python -m bench: {error}", file=sys.stderr)
        return 2
    if options.cpu is not None:
        os.sched_setaffinity(0, {options.cpu})
    try:
        label, lines = corpus_of(options)
    except OSError as error:
        print(f"python -m bench: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    urls = list(dict.fromkeys(lines))[: options.limit]
    if not urls:
        print("python -m bench: no URLs to measure with", file=sys.stderr)
        return 2
    wanted = options.only or [*OPERATIONS, SCALING]
    head = table.header(label, len(lines), len(set(lines)) / len(lines), options.repeat, build)
    table.show(head)
    results: list[Measured] = []
    details: list[str] = []
    for name in wanted:
        if name == SCALING:
            continue
        result = prepare(OPERATIONS[name], urls, options.peers)
        run(result, options.repeat)
        results.append(result)
        shown = table.detail(result)
        table.show(shown)
        details += shown
    if SCALING in wanted:
        shown = table.scaling_table(*scaling.run())
        table.show(shown)
        details += shown
    ratios = table.summary(results)
    if ratios:
        table.show(["", "### Ratios", "", *ratios])
    if options.json:
        options.json.write_text(as_json(results), encoding="utf-8")
    framed = ["```", *head, "```", "", *ratios]
    if options.update:
        table.paste(options.update, "\n".join([*framed, *details]))
    if options.ratios:
        table.paste(options.ratios, "\n".join(framed))
    if options.short:
        table.paste(options.short, "\n".join(table.short(ratios)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
