"""Each kernel beside the widest: how many times as long the calls and columns of the tables take with it.

    python -m bench.kernels [--rounds 7] [--update FILE]

The work is that of ``python -m bench.instructions``, on the made-up corpora: web addresses, long query strings, many
escapes, characters beyond ASCII, long texts. All of it is in the cache. The kernels take turns in one process; a figure
is the median of the rounds, CPU time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bench import madeup, table
from bench.instructions import CORPORA, columns, log_lines, single_calls
from bench.measure import NotRelease, require_release

BEGIN = "<!-- kernels: begin (written by python -m bench.kernels --update) -->"
END = "<!-- kernels: end -->"
LEAST_NS = 2_000_000
GOALS = {"avx2": 1.5, "sse2": 2.5, "scalar": 6.0}
"""How many times as long as with AVX-512 is still well."""
Times = dict[str, dict[str, dict[str, float]]]
"""Nanoseconds by operation, corpus and kernel."""


def works() -> Iterator[tuple[str, str, Callable[[], Any], int]]:
    for corpus, number in CORPORA.items():
        urls = madeup.generate(corpus, number)
        for name, work, calls in (*single_calls(corpus, urls), *columns(corpus, urls)):
            yield name.removesuffix(f", {corpus}"), corpus, work, calls
    for name, work, lines in log_lines():
        yield name, "web", work, lines


def passes(work: Callable[[], Any]) -> int:
    """How often it must be done to take LEAST_NS."""
    work()
    began = time.process_time_ns()
    work()
    return max(1, LEAST_NS // max(1, time.process_time_ns() - began))


def taken(work: Callable[[], Any], count: int, calls: int) -> float:
    began = time.process_time_ns()
    for _ in range(count):
        work()
    return (time.process_time_ns() - began) / (count * calls)


def measure(rounds: int) -> Times:
    from fasturl import _fastparse

    kernels = _fastparse._kernels()
    found: Times = {}
    try:
        for name, corpus, work, calls in works():
            count = passes(work)
            every: dict[str, list[float]] = {kernel: [] for kernel in kernels}
            for _ in range(rounds):
                for kernel in kernels:
                    _fastparse._use_kernel(kernel)
                    every[kernel].append(taken(work, count, calls))
            found.setdefault(name, {})[corpus] = {kernel: median(ns) for kernel, ns in every.items()}
    finally:
        _fastparse._use_kernel(kernels[-1])
    return found


def lines_of(times: Times) -> list[str]:
    """A row an operation: the widest kernel on web addresses, the others beside it, there and where they take most."""
    *narrower, widest = next(iter(next(iter(times.values())).values()))
    lines = []
    for name, corpora in times.items():
        cells = [name, table.nanoseconds(corpora["web"][widest])]
        for kernel in reversed(narrower):
            ratios = {corpus: ns[kernel] / ns[widest] for corpus, ns in corpora.items()}
            worst = max(ratios, key=lambda corpus: ratios[corpus])
            cells += [table.times(ratios["web"]), f"{table.times(ratios[worst])} ({worst})"]
        lines.append(cells)
    head = ["operation", f"{widest}, ns"]
    for kernel in reversed(narrower):
        head += [kernel, f"{kernel}, the most"]
    return table.grid(head, lines)


def told(times: Times) -> str:
    """How many operations keep to the goals on web addresses."""
    *narrower, widest = next(iter(next(iter(times.values())).values()))
    parts = []
    for kernel in reversed(narrower):
        within = sum(ns["web"][kernel] <= GOALS.get(kernel, 1) * ns["web"][widest] for ns in times.values())
        parts.append(f"{kernel} within {GOALS.get(kernel, 1)}: {within} of {len(times)}")
    return f"On web addresses: {', '.join(parts)}."


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.kernels", description=(__doc__ or "").split(": ")[0])
    parser.add_argument("--rounds", type=int, default=7, help="default 7")
    parser.add_argument("--update", metavar="FILE", type=Path, help="paste the table between a file's markers")
    options = parser.parse_args(arguments)
    try:
        require_release()
    except NotRelease as error:
        print(f"python -m bench.kernels: {error}", file=sys.stderr)
        return 2
    times = measure(options.rounds)
    lines = [*lines_of(times), "", told(times)]
    table.show([table.cpu(), "", *lines])
    if options.update:
        table.paste(options.update, "\n".join(lines), BEGIN, END)
    return 0


if __name__ == "__main__":
    sys.exit(main())
