"""Instructions per operation, counted by valgrind: a figure that a busy machine does not change.

    python -m bench.counts parse quote --peers can_ada

Each row runs once under callgrind (bench/callgrind.py), and what its passes over the prepared inputs take is divided by
their calls. `python -m bench.instructions` counts fasturl's own paths, and compares them with a file.
"""

import argparse
import os
import pickle
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import callgrind, madeup
from bench.measure import Measured, NotRelease, Timed, compile_loop, fresh, prepare, require_release
from bench.operations import OPERATIONS
from bench.peers import PEERS
from bench.table import grid, times

PASSES = 4


def child(path: str) -> None:
    """Run one row's loop between two marks."""
    name, index, items = pickle.loads(Path(path).read_bytes())
    operation = OPERATIONS[name]
    row = operation.rows[index]
    loop = compile_loop(operation, row)
    cold = [fresh(items) for _ in range(PASSES)]
    for _ in range(2):  # the interpreter specialises its bytecode in the first passes
        loop(fresh(items))
    callgrind.mark()
    for xs in cold:
        PEERS[row.peer].clear()
        loop(xs)
    callgrind.mark()


def instructions(measured: Measured, timed: Timed, directory: str) -> float:
    """Instructions of one call."""
    path = os.path.join(directory, "inputs")
    index = measured.operation.rows.index(timed.row)
    Path(path).write_bytes(pickle.dumps((measured.operation.name, index, timed.inputs)))
    _, totals = callgrind.count(["-m", "bench.counts", "--child", path])
    return totals[0] / PASSES / len(timed.inputs)


def report(measured: Measured) -> list[str]:
    found: list[tuple[Timed, float]] = []
    with tempfile.TemporaryDirectory() as directory:
        for timed in measured.rows:
            found.append((timed, instructions(measured, timed, directory)))
    ours = next((value for timed, value in found if timed.row.peer == "fasturl"), None)
    rows = [
        (
            timed.row.peer,
            f"`{timed.row.label}`",
            f"{value:.0f}",
            f"{value / measured.mean_size:.1f}",
            "–" if ours is None or ours == value else times(value / ours),
        )
        for timed, value in found
    ]
    title = f"### {measured.operation.name}: {measured.operation.title} ({measured.count:,} inputs)"
    head = (
        "who",
        "call",
        f"instructions/{measured.operation.unit}",
        "per character",
        "fasturl takes fewer by",
    )
    return ["", title, "", *grid(head, rows), *(f"- {line}" for line in measured.skipped)]


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) == 2 and arguments[0] == "--child":
        child(arguments[1])
        return 0
    parser = argparse.ArgumentParser(prog="python -m bench.counts", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("operations", nargs="*", help=f"default: parse; some of {' '.join(OPERATIONS)}")
    parser.add_argument("--urls", metavar="FILE", help="a file of URLs instead of a corpus")
    parser.add_argument("--corpus", choices=sorted(madeup.CORPORA), default="web")
    parser.add_argument("--lines", type=int, default=500, help="how many URLs; default 500")
    parser.add_argument("--peers", nargs="*", choices=sorted(PEERS), help="beside urllib and fasturl; default all")
    options = parser.parse_args(arguments)
    names = options.operations or ["parse"]
    unknown = set(names) - set(OPERATIONS)
    if unknown:
        parser.error(f"no operation {', '.join(sorted(unknown))}; there are {', '.join(OPERATIONS)}")
    if not callgrind.is_there():
        print("python -m bench.counts: valgrind is not installed, and it does the counting", file=sys.stderr)
        return 2
    try:
        require_release()
        found = madeup.read_urls(options.urls) if options.urls else madeup.generate(options.corpus, options.lines)
    except (NotRelease, OSError) as error:
        print(f"python -m bench.counts: {error}", file=sys.stderr)
        return 2
    # spread over the file, so that a few hundred stand for all
    urls = list(dict.fromkeys(found))
    urls = urls[:: max(1, len(urls) // options.lines)][: options.lines]
    for name in names:
        measured = prepare(OPERATIONS[name], urls, options.peers)
        if not measured.count:
            print(f"\n### {name}: this corpus has no input for it")
            continue
        print("\n".join(report(measured)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
