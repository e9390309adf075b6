"""Check that the work of every public function is linear in the text, by counting instructions.

    python -m bench.linear                       every function, every hostile family, texts of 2^14 and 2^16 bytes
    python -m bench.linear --clock               CPU time instead, every text, 2^18 and 2^22 bytes: an hour
    python -m bench.linear --long                instructions to 2^22: hours
    python -m bench.linear --long --every 12     the same for one text in twelve: less than an hour
    python -m bench.linear --short               one text in twelve, 2^10 and 2^16: a minute or two
    python -m bench.linear parse quote --most 20 these functions, to 2^20
    python -m bench.linear --list                the functions and the families (bench/linear_works.py)

A text four times as long may take SLACK times four times the instructions. Sorting a list needs a little more than
four; quadratic work needs sixteen. The default starts at 2^14 because the C library copies longer texts by an
instruction that counts once per byte. CPU time, the least of three calls, also grows at the edges of the caches, so it
may take CLOCK_SLACK times sixteen times as long for a text sixteen times as long; quadratic work takes 256. Exit status
1: a function exceeds its bound; 2: valgrind is not installed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from itertools import pairwise

from bench import callgrind
from bench.linear_works import WORKS, Work

SLACK = 1.5
CLOCK_SLACK = 4.0
WAYS = {"long": (14, 22, 8), "short": (10, 16, 6), "clock": (18, 22, 4)}  # least power, greatest power, step
# The C library keeps freed memory: clearing a page costs the system ten times what most calls cost.
KEPT = {"MALLOC_MMAP_THRESHOLD_": str(1 << 40), "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}
CHILD = """
import gc, json, os, sys, time
gc.disable() # it visits all objects now and then, which is a step where a call makes many
from fasturl import *
works, sizes, clock = json.loads(sys.stdin.read())
spent = []
def timed(run, t):
    least = None
    for _ in range(3):
        before = time.process_time_ns()
        run(t)
        took = time.process_time_ns() - before
        least = took if least is None else min(least, took)
        if took > 10 ** 9: # once is enough
            break
    return least
for work in works:
    exec(work['setup'])
    call = eval('lambda t: (' + work['call'] + ')')
    def run(t):
        try:
            return call(t)
        except ValueError as error: # a hostile text may be refused
            return type(error)
    for before, unit, after in work['families']:
        run(before + unit + after) # caches are filled here
        for size in sizes:
            t = before + unit * (size // len(unit)) + after
            if clock:
                spent.append(timed(run, t))
                continue
            os.getppid()
            run(t)
            os.getppid()
if clock:
    print(json.dumps(spent))
"""


def measure(works: list[Work], sizes: list[int], clock: bool = False) -> list[list[int]]:
    """Return the instructions or nanoseconds of each family's calls, by size, measured in one process."""
    given = json.dumps([[asdict(work) for work in works], sizes, clock])
    if clock:
        command = [sys.executable, "-c", CHILD]
        environment = {**os.environ, **KEPT, "PYTHONPATH": os.pathsep.join([os.getcwd(), *filter(None, sys.path)])}
        done = subprocess.run(command, input=given, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        calls = json.loads(done.stdout)
    else:
        _, totals = callgrind.count(["-c", CHILD], given)
        calls = totals[: 2 * len(sizes) * sum(len(work.families) for work in works) : 2]  # not between calls
    return [calls[i : i + len(sizes)] for i in range(0, len(calls), len(sizes))]


def one_in(every: int, work: Work, first: int) -> Work:
    """Return a work with one text in `every`. Functions start with different texts, so that all texts are used."""
    step = min(every, len(work.families))
    return replace(work, families=work.families[first % step :: step])


def growth(sizes: list[int], counts: list[int]) -> float:
    """Return the greatest growth of the counts between two sizes, divided by the growth of the text: 1 is linear."""
    steps = zip(pairwise(sizes), pairwise(counts), strict=True)
    return max(more / less / (longer / shorter) for (shorter, longer), (less, more) in steps)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.linear", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="the functions; default: all")
    parser.add_argument("--most", type=int, default=16, help="the greatest length as a power of two")
    parser.add_argument("--least", type=int, default=14, help="the least length as a power of two")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--long", action="store_true", help="from 2^14 to 2^22")
    ways.add_argument("--short", action="store_true", help="one text in twelve, of 2^10 and 2^16 bytes")
    ways.add_argument("--clock", action="store_true", help="CPU time, of 2^18 and 2^22 bytes")
    parser.add_argument("--every", type=int, metavar="N", help="only one text in N; default: all, with --short 12")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parallel processes")
    parser.add_argument("--list", action="store_true", help="print the functions and the families")
    options = parser.parse_args()
    if unknown := set(options.names) - set(WORKS):
        parser.error(f"no such function: {', '.join(sorted(unknown))}")
    if options.list:
        print(*(f"{name}: {len(work.families)} families, {work.call}" for name, work in WORKS.items()), sep="\n")
        return 0
    if not options.clock and not callgrind.is_there():
        print("python -m bench.linear: valgrind is not installed", file=sys.stderr)
        return 2
    way = next((name for name in WAYS if getattr(options, name)), None)
    least, most, step = WAYS[way] if way else (options.least, options.most, 2)
    sizes = [2**power for power in range(least, most + 1, step)]
    bound = CLOCK_SLACK if options.clock else SLACK
    every = options.every or (12 if options.short else 1)
    works = {name: one_in(every, WORKS[name], i) for i, name in enumerate(options.names or WORKS)}
    # A process takes seconds to start, and each count is a file until the process ends.
    names, size = list(works), -(-len(works) // options.jobs) if options.short else 1
    chunks = [names[i : i + size] for i in range(0, len(names), size)]
    over = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        counted = pool.map(lambda chunk: measure([works[name] for name in chunk], sizes, options.clock), chunks)
        for chunk, counts in zip(chunks, counted, strict=True):
            rows = iter(counts)
            for name in chunk:
                grown, family = max((growth(sizes, next(rows)), family) for family in works[name].families)
                print(f"{name}: at most {grown:.3f} times linear, with {family}", flush=True)
                if grown > bound:
                    over[name] = grown
    if over:
        print(f"over {bound} times linear: {over}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
