"""The default number of threads beside one thread: wall-clock time and CPU time of each column function, by rows.

    python -m bench.threads [--urls FILE] [--rows 1000 65536 1000000] [--repeat 7]

The two calls take turns. Each figure is the least over the rounds, because another program on the machine only adds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from bench import table
from bench.columns import load, machine, repeated
from fasturl import arrow

CALLS: dict[str, Callable[[pa.Array, int | None], Any]] = {
    "parse, all fields": lambda column, threads: arrow.parse(column, threads=threads),
    "parse, views": lambda column, threads: arrow.parse(column, threads=threads, strings="view"),
    "parse, host": lambda column, threads: arrow.parse(column, ["host"], threads=threads),
    "parse, valid": lambda column, threads: arrow.parse(column, ["valid"], threads=threads),
    "quote": lambda column, threads: arrow.quote(column, threads=threads),
    "unquote": lambda column, threads: arrow.unquote(column, threads=threads),
    "normalize": lambda column, threads: arrow.normalize(column, threads=threads),
    "redact": lambda column, threads: arrow.redact(column, threads=threads),
    "query_value": lambda column, threads: arrow.query_value(column, "id", threads=threads),
    "query_pairs": lambda column, threads: arrow.query_pairs(column, threads=threads),
    "path_depth": lambda column, threads: arrow.path_depth(column, threads=threads),
    "problems": lambda column, threads: arrow.problems(column, threads=threads),
    "equivalent": lambda column, threads: arrow.equivalent(column, column, threads=threads),
}


def measure(call: Callable[[pa.Array, int | None], Any], column: pa.Array, rounds: int) -> list[float]:
    """Return ns per row: wall and CPU time of one thread, then of the default."""
    least = [float("inf")] * 4
    passes = max(1, min(500, 200_000 // len(column)))
    for _ in range(rounds + 1):  # the first warms up
        for place, threads in ((0, 1), (2, None)):
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(passes):
                call(column, threads)
            times = time.perf_counter() - wall, time.process_time() - cpu
            for more, seconds in enumerate(times):
                least[place + more] = min(least[place + more], seconds / passes / len(column) * 1e9)
    return least


def main(arguments: Sequence[str] | None = None) -> int:
    parser = table.arguments_of("bench.threads", __doc__, update=False)
    parser.add_argument("--urls", metavar="FILE", help="a file with one URL per line (.gz too); default: made up")
    parser.add_argument("--rows", type=int, nargs="+", default=[1, 1_000, 65_536, 1_000_000])
    parser.add_argument("--repeat", type=int, default=7, help="rounds; default: %(default)s")
    options = parser.parse_args(arguments)
    table.release_or_exit(parser)
    texts = load(options.urls)
    table.show([machine(texts, options.repeat)])
    head = ["function", "rows", "ns per row, one thread", "default", "wall", "CPU"]
    lines = []
    for rows in options.rows:
        column = repeated(texts, rows)
        for name, call in CALLS.items():
            wall, cpu, default_wall, default_cpu = measure(call, column, options.repeat)
            ratios = f"{default_wall / wall:.2f}", f"{default_cpu / cpu:.2f}"
            lines.append([name, f"{rows:,}", f"{wall:.1f}", f"{default_wall:.1f}", *ratios])
    table.show(table.grid(head, lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
