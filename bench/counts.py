"""Instructions per operation, counted by valgrind: a figure that a busy machine does not change.

    python -m bench.counts parse quote --peers can_ada

Each row runs twice under callgrind, with a few passes and with more of them over the same prepared inputs;
the difference of the two counts, divided by the calls between, is what one call takes. Start-up, imports and
the making of the inputs fall out. valgrind shows the program a CPU without AVX-512, so a kernel that asks the
CPU takes its AVX2 (or SSE2) way here; and an instruction is not a nanosecond: waiting for memory costs
nothing in this count.
"""

import argparse
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import madeup
from bench.measure import Measured, NotRelease, Timed, compile_loop, fresh, prepare, require_release
from bench.operations import OPERATIONS
from bench.peers import PEERS
from bench.table import grid, times

FEW, MANY = 2, 6
COLLECTED = re.compile(r"Collected\s*:\s*(\d+)")


def child(path: str, passes: int) -> None:
    """Run one row's loop ``passes`` times; what MANY passes need is made in any case, and cancels out."""
    name, index, items = pickle.loads(Path(path).read_bytes())
    operation = OPERATIONS[name]
    row = operation.rows[index]
    loop = compile_loop(operation, row)
    cold = [fresh(items) for _ in range(MANY)]
    warm = [fresh(items) for _ in range(2)]
    for xs in warm:  # the interpreter specialises its bytecode in the first passes
        loop(xs)
    for xs in cold[:passes]:
        PEERS[row.peer].clear()
        loop(xs)


def count(path: str, passes: int) -> int:
    """The instructions of one child process."""
    command = [
        "valgrind",
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        sys.executable,
        "-m",
        "bench.counts",
        "--child",
        path,
        str(passes),
    ]
    # a fixed hash seed, so that two runs take the same steps
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = COLLECTED.search(done.stderr)
    if done.returncode or found is None:
        raise RuntimeError(f"valgrind failed:\n{done.stderr[-2000:]}")
    return int(found[1])


def instructions(measured: Measured, timed: Timed, directory: str) -> float:
    """Instructions of one call."""
    path = os.path.join(directory, "inputs")
    index = measured.operation.rows.index(timed.row)
    Path(path).write_bytes(pickle.dumps((measured.operation.name, index, timed.inputs)))
    return (count(path, MANY) - count(path, FEW)) / (MANY - FEW) / len(timed.inputs)


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
    if len(arguments) == 3 and arguments[0] == "--child":
        child(arguments[1], int(arguments[2]))
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
    if shutil.which("valgrind") is None:
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
