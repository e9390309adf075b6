"""Each kernel beside the widest: how many times as long the calls and columns take.

    python -m bench.kernels [--rounds 7] [--update FILE]

The work is that of ``python -m bench.instructions``, on the made-up corpora. All inputs are in the cache. The kernels
take turns in one process. A figure is the median of the rounds, in CPU time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from bench import madeup, table
from bench.instructions import CORPORA, columns, log_lines, single_calls

LEAST_NS = 2_000_000
GOALS = {"avx2": 1.5, "sse2": 2.5, "scalar": 6.0}
"""The goal for each kernel: how many times as long as with AVX-512."""
Times = dict[str, dict[str, dict[str, float]]]
"""Nanoseconds by operation, corpus and kernel."""


def works() -> Iterator[tuple[str, str, Callable[[], Any], int]]:
    for corpus, number in CORPORA.items():
        urls = madeup.generate(corpus, number)
        for name, work, calls in (*single_calls(corpus, urls), *columns(corpus, urls)):
            yield name.removesuffix(f", {corpus}"), corpus, work, calls
    for name, work, lines in log_lines():
        yield name, "web", work, lines


def measure(rounds: int) -> Times:
    from fasturl import _fastparse

    kernels = _fastparse._kernels()
    found: Times = {}
    try:
        for name, corpus, work, calls in works():
            work()
            began = time.process_time_ns()
            work()
            count = max(1, LEAST_NS // max(1, time.process_time_ns() - began))
            every: dict[str, list[float]] = {kernel: [] for kernel in kernels}
            for _ in range(rounds):
                for kernel in kernels:
                    _fastparse._use_kernel(kernel)
                    began = time.process_time_ns()
                    for _ in range(count):
                        work()
                    every[kernel].append((time.process_time_ns() - began) / (count * calls))
            found.setdefault(name, {})[corpus] = {kernel: median(ns) for kernel, ns in every.items()}
    finally:
        _fastparse._use_kernel(kernels[-1])
    return found


def lines_of(times: Times) -> list[str]:
    """Return a row per operation, on web addresses and on the corpus with the greatest ratio; then the goals."""
    *narrower, widest = next(iter(next(iter(times.values())).values()))
    lines, head = [], ["operation", f"{widest}, ns"]
    within = dict.fromkeys(reversed(narrower), 0)
    for name, corpora in times.items():
        cells = [name, table.nanoseconds(corpora["web"][widest])]
        for kernel in within:
            ratios = {corpus: ns[kernel] / ns[widest] for corpus, ns in corpora.items()}
            worst = max(ratios, key=lambda corpus: ratios[corpus])
            cells += [table.times(ratios["web"]), f"{table.times(ratios[worst])} ({worst})"]
            within[kernel] += ratios["web"] <= GOALS.get(kernel, 1)
        lines.append(cells)
    for kernel in within:
        head += [kernel, f"{kernel}, the most"]
    goals = [f"{kernel} within {GOALS.get(kernel, 1)}: {count} of {len(times)}" for kernel, count in within.items()]
    return [*table.grid(head, lines), "", f"On web addresses: {', '.join(goals)}."]


def main() -> None:
    parser = table.arguments_of("bench.kernels", __doc__)
    parser.add_argument("--rounds", type=int, default=7, help="default: %(default)s")
    options = parser.parse_args()
    table.release_or_exit(parser)
    lines = lines_of(measure(options.rounds))
    table.show([table.cpu(), "", *lines])
    if options.update:
        table.paste(options.update, "kernels", lines)


if __name__ == "__main__":
    main()
