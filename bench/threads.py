"""The default number of threads beside one thread: wall-clock time and CPU time of every column function, by rows.

    python -m bench.threads [--urls FILE] [--rows 1000 65536 1000000] [--only parse quote] [--repeat 9]

The two calls take turns. A ratio is the median of the ratios of the rounds. The goals are 1.03 of the wall time, 1.1 of
the CPU time. A cell above them is marked; another program on the machine may be the cause, so run it again.
``--update bench/README.md`` writes the table into that page.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import pyarrow as pa

from bench import table
from bench.columns import arguments_of, load, machine, repeated
from fasturl import arrow
from fasturl.engines._shapes import FUNCTIONS, shape

Call = Callable[..., Any]  # of a column, with threads=
# Arguments of the functions that need one.
GIVEN: dict[str, tuple[Any, ...]] = {
    "drop_params": (["utm_*", "id"],),
    "equivalent": ("http://example.com/",),
    "urljoin": ("http://example.com/a/b",),
    "blocks": (["example.com", "evil.example"],),
    "allows": (["example.com", "evil.example"],),
    "query_value": ("id",),
    "query_values": (["id", "q"],),
}
WALL, CPU = 1.03, 1.1


def calls() -> dict[str, Call]:
    found: dict[str, Call] = {
        "parse": arrow.parse,
        "parse, views": partial(arrow.parse, strings="view"),
        "parse, four fields": lambda column, threads: arrow.parse(
            column, ["host", "path", "query", "valid_rfc1738"], threads=threads
        ),
    }
    found |= {f"parse, {name}": partial(arrow.parse, fields=[name]) for name in arrow.FIELDS}
    for name, function in FUNCTIONS.items():
        how = shape(name)
        if how.threads:
            found[name] = partial(_called, function, how.own, GIVEN.get(name, ()))
    return found


def _called(function: Call, own: int, given: tuple[Any, ...], column: Any, threads: int | None) -> Any:
    return function(*given[:own], column, *given[own:], threads=threads)


def measure(call: Call, column: pa.Array, rounds: int) -> tuple[float, float, float]:
    """Return ns per row of one thread, and the default's wall time and CPU time by those of one thread."""
    passes = max(1, min(500, 100_000 // len(column)))
    alone, walls, cpus = [], [], []
    for round_ in range(rounds + 1):  # the first warms up
        times = []
        for threads in (1, None) if round_ % 2 else (None, 1):
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(passes):
                call(column, threads=threads)
            times.append((time.perf_counter() - wall, time.process_time() - cpu))
        (wall, cpu), (default_wall, default_cpu) = times if round_ % 2 else times[::-1]
        if round_:
            alone.append(wall / passes / len(column) * 1e9)
            walls.append(default_wall / wall)
            cpus.append(default_cpu / cpu)
    return median(alone), median(walls), median(cpus)


def main() -> None:
    parser = arguments_of("bench.threads", __doc__, [1, 1_000, 65_536, 262_144, 1_000_000, 10_000_000])
    parser.add_argument("--only", nargs="+", metavar="WORD", help="functions whose name contains one of these words")
    options = parser.parse_args()
    table.release_or_exit(parser)
    texts = load(options.urls)
    above = cells = rows = 0
    columns = [repeated(texts, rows) for rows in options.rows]
    lines = []
    for name, call in calls().items():
        if options.only and not any(word in name for word in options.only):
            continue
        row = [name]
        for column in columns:
            try:
                ns, wall, cpu = measure(call, column, options.repeat if len(column) < 1 << 22 else 3)
            except ImportError:  # the functions of the Public Suffix List
                break
            is_above = wall > WALL or cpu > CPU
            above, cells = above + is_above, cells + 1
            row.append(f"{wall:.2f} {cpu:.2f} ({ns:,.0f}){' !' if is_above else ''}")
        rows += bool(row[1:])
        if any(cell.endswith("!") for cell in row):
            lines.append(row)
    out = [
        f"{machine(texts, options.repeat)}. A cell has the wall time and the CPU time with the default number of "
        "threads, both divided by the time with one thread. The ns per row with one thread are in brackets. "
        f"A (!) marks the {above} of {cells} cells above {WALL} (wall) or {CPU} (CPU). The table shows only the "
        f"{len(lines)} functions with such a cell, and leaves out {rows - len(lines)} functions.",
        "",
        *table.grid(["function", *(f"{rows:,} rows" for rows in options.rows)], lines),
    ]
    table.show(out, "threads", options.update)


if __name__ == "__main__":
    main()
