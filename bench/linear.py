"""Is the work of every public function linear in the text? Counted in instructions, on which other work has no effect.

    python -m bench.linear                       every function, every hostile family, texts of 2^14 and 2^16 octets
    python -m bench.linear --clock               processor time instead, every text, 2^18 and 2^22 octets: an hour
    python -m bench.linear --long                instructions to 2^22: hours
    python -m bench.linear --long --every 12     the same of one text in twelve: less than an hour
    python -m bench.linear --short               one text in twelve, 2^10 and 2^16: a minute or two
    python -m bench.linear parse quote --most 20 these functions, to 2^20
    python -m bench.linear --list                the functions and the families (bench/linear_works.py)

Works with the fasturl of this environment, or the one built in this checkout. Python runs under callgrind, which writes
what it has counted whenever the program calls getppid (bench/callgrind.py), so before and after each call. A text
four times as long may take SLACK times four times the instructions: what sorts a list needs a little more than four,
what is quadratic sixteen. From 2^14 on, as the C library copies shorter texts by vectors and longer ones by an
instruction that counts once for each octet. The processor's time, the least of three calls, grows at the edges of the
caches too: it may take CLOCK_SLACK times sixteen times as long for a text sixteen times as long, where what is
quadratic takes 256. Writes out/linear.json; exit status 1 when a function is over that or fasturl has one that
linear_works.py does not name, 2 without valgrind.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import fasturl
from bench import callgrind
from bench.linear_works import NOT_OF_A_TEXT, WORKS, Family, Work

ROOT = Path(__file__).resolve().parent.parent
SLACK = 1.5
CLOCK_SLACK = 4.0
WAYS = {"long": (14, 22, 8), "short": (10, 16, 6), "clock": (18, 22, 4)}  # the least and greatest power, and the step
# The C library keeps what is freed: a page that the kernel clears costs ten times what most calls do for its octets.
KEPT = {"MALLOC_MMAP_THRESHOLD_": str(1 << 40), "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}
CHILD = """
import gc, json, os, sys, time
gc.disable() # it looks through all that a process holds, now and then: a step where a call makes much
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
        if took > 10 ** 9: # no need to ask three times
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
        run(before + unit + after) # what is made once is not of the text; and urllib may remember the text itself
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
    """The instructions, or nanoseconds, of each work's families' calls, by size; of one process."""
    given = json.dumps([[asdict(work) for work in works], sizes, clock])
    if clock:
        command = [sys.executable, "-c", CHILD]
        environment = {**os.environ, **KEPT, "PYTHONPATH": os.pathsep.join([os.getcwd(), *filter(None, sys.path)])}
        done = subprocess.run(command, input=given, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        calls = json.loads(done.stdout)
    else:
        _, totals = callgrind.count(["-c", CHILD], given)
        calls = totals[: 2 * len(sizes) * sum(len(work.families) for work in works) : 2]  # not what lies between two
    return [calls[i : i + len(sizes)] for i in range(0, len(calls), len(sizes))]


def one_in(every: int, work: Work, first: int) -> Work:
    """With fewer texts, one at the least; each function begins with another one, so that all are somebody's."""
    step = min(every, len(work.families))
    return replace(work, families=work.families[first % step :: step])


def batched(names: Iterable[str], size: int) -> list[list[str]]:
    every = list(names)
    return [every[i : i + size] for i in range(0, len(every), size)]


def growth(sizes: list[int], counts: list[int]) -> float:
    """The greatest growth of the instructions from one size to the next, divided by that of the text: 1 is linear."""
    steps = zip(pairwise(sizes), pairwise(counts), strict=True)
    return max(more / less / (longer / shorter) for (shorter, longer), (less, more) in steps)


def not_named() -> set[str]:
    """The public functions that WORKS leaves out."""
    functions = {name for name in fasturl.__all__ if name[0].islower() and callable(getattr(fasturl, name))}
    return functions - set(WORKS) - NOT_OF_A_TEXT


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Is the work of every public function linear in the text?")
    parser.add_argument("names", nargs="*", help="the functions; all of them if none is named")
    parser.add_argument("--most", type=int, default=16, help="the greatest length, as a power of two")
    parser.add_argument("--least", type=int, default=14, help="the least one")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--long", action="store_true", help="from 2^14 to 2^22")
    ways.add_argument("--short", action="store_true", help="one text in twelve, of 2^10 and 2^16 octets")
    ways.add_argument("--clock", action="store_true", help="processor time, of 2^18 and 2^22 octets")
    parser.add_argument("--every", type=int, metavar="N", help="only one text in N (default: all; with --short 12)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes side by side")
    parser.add_argument("--list", action="store_true", help="show the functions and the families")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(WORKS):
        parser.error(f"no such function: {', '.join(sorted(unknown))}")
    if options.list:
        for name, work in WORKS.items():
            print(f"{name}: {len(work.families)} families, {work.call}")
        return 0
    if not options.clock and not callgrind.is_there():
        print("python -m bench.linear: valgrind is not there", file=sys.stderr)
        return 2
    if missing := not_named():
        print(f"python -m bench.linear: linear_works.py does not name {sorted(missing)}", file=sys.stderr)
        return 1
    way = next((name for name in WAYS if getattr(options, name)), None)
    least, most, step = WAYS[way] if way else (options.least, options.most, 2)
    sizes = [2**power for power in range(least, most + 1, step)]
    what, bound = ("processor time", CLOCK_SLACK) if options.clock else ("instructions", SLACK)
    works = {name: WORKS[name] for name in options.names or WORKS}
    every = options.every or (12 if options.short else 1)
    works = {name: one_in(every, work, i) for i, (name, work) in enumerate(works.items())}
    # A process's start takes seconds, and each count leaves a file until it ends.
    size = -(-len(works) // options.jobs) if options.short else 1
    worst: dict[str, tuple[float, Family]] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        chunks = batched(works, size)
        counted = pool.map(lambda chunk: measure([works[name] for name in chunk], sizes, options.clock), chunks)
        for chunk, counts in zip(chunks, counted, strict=True):
            rows = iter(counts)
            for name in chunk:
                worst[name] = max((growth(sizes, next(rows)), family) for family in works[name].families)
                print(f"{name}: at most {worst[name][0]:.3f} times linear, with {worst[name][1]}", flush=True)
    over = {name: grown for name, (grown, _) in worst.items() if grown > bound}
    greatest = max(worst, key=lambda name: worst[name])
    further = f" --every {options.every}" if options.every else ""
    texts = sum(len(work.families) for work in works.values())
    row = [
        f"{what} of {len(works)} calls on {texts} hostile texts together, 2^{least} to 2^{most} octets",
        f"at most {worst[greatest][0]:.2f} times what grows with the text (`{greatest}`)",
        f"`python -m bench.linear {f'--{way}' if way else f'--least {least} --most {most}'}{further}`",
    ]
    report = {"title": "Linear work", "date": datetime.date.today().isoformat(), "rows": [row]}
    ROOT.joinpath("out").mkdir(exist_ok=True)
    ROOT.joinpath("out/linear.json").write_text(json.dumps(report, indent=2) + "\n")
    if over:
        print(f"over {bound} times linear: {over}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
