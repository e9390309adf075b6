"""All parts of a column of URLs beside other engines, on one thread and on two: nanoseconds per row.

    python -m bench.columns [--urls FILE] [--rows 1000 65536 2000000] [--lengths] [--threads 1 2]

The input is repeated to the number of rows. Every engine has it in memory in its own form before the clock starts, and
makes its full result, which is dropped. Time is the CPU time of all threads for one thread, and wall-clock time for
more. The rows of a table take turns within a round; figures are medians over the rounds. Single functions are in
bench.functions.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from bench import madeup, table

BATCH = 1 << 16
SIX = ("protocol", "domain", "port", "path", "queryString", "fragment")
# RFC 3986 appendix B, with the host and the port apart, as people write it who split URLs by a regex.
REGEX = (
    r"^(?:(?P<scheme>[^:/?#]+):)?(?://(?:[^/?#@]*@)?(?P<host>[^/?#:]*)(?::(?P<port>[0-9]+))?)?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?"
)
SLOW_ROWS = 200_000
"""The number of rows for engines that take microseconds per row."""

Call = Callable[[], Any]
Make = Callable[[pa.Array, int], Call]


@dataclass
class Row:
    """One way to do one operation. ``make`` takes the column and the number of threads, and returns the timed call."""

    operation: str
    label: str
    make: Make
    answer: Callable[[pa.Array], list[Any]] | None = None
    row_limit: int = 1 << 40
    threaded: bool = True
    ns: list[float] = field(default_factory=list)
    skipped: str = ""


def batches(column: pa.Array) -> list[pa.Array]:
    return [column.slice(at, BATCH) for at in range(0, len(column), BATCH)]


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads)


def ours(call: Callable[..., Any]) -> Make:
    """Return a call that goes batch by batch. Each thread takes a share of the batches."""

    def make(column: pa.Array, threads: int) -> Call:
        pieces = batches(column)

        def share(start: int) -> None:
            for piece in pieces[start::threads]:
                call(piece, threads=1)

        return (lambda: share(0)) if threads == 1 else (lambda: list(pool(threads).map(share, range(threads))))

    return make


class ClickHouse:
    """One session; the column is a Memory table, in ClickHouse's own blocks."""

    def __init__(self) -> None:
        from chdb import session

        self.session = session.Session()
        self.column: pa.Array | None = None

    def load(self, column: pa.Array) -> None:
        if self.column is column:
            return
        given = pa.table({"u": column})  # noqa: F841 - ClickHouse finds it by its name
        self.session.query("drop table if exists t")
        self.session.query("create table t (u String) engine=Memory")
        self.session.query("insert into t select u from Python(given)")
        self.column = column

    def call(self, expression: str) -> Make:
        def make(column: pa.Array, threads: int) -> Call:
            self.load(column)
            text = f"select {expression} from t format Null settings max_threads={threads}"
            return lambda: self.session.query(text)

        return make


def floor(column: pa.Array, threads: int) -> Call:
    """Return a call that reads the input, and writes as many bytes as all fields take as views, to one buffer."""
    import ctypes

    from fasturl import arrow

    width = sum(16 if kind == pa.string_view() else kind.bit_width / 8 for kind in arrow.schema(strings="view").types)
    written = bytes(int(BATCH * width))
    targets = [(ctypes.c_char * (4 * len(written)))() for _ in range(threads)]

    def copy(start: int) -> None:
        target = targets[start]
        for piece in batches(column)[start::threads]:
            first, last = (at_offset(piece, row) for row in (0, len(piece)))
            ctypes.memmove(target, piece.buffers()[2].address + first, min(last - first, len(target)))
            ctypes.memmove(target, written, int(len(piece) * width))

    return (lambda: copy(0)) if threads == 1 else (lambda: list(pool(threads).map(copy, range(threads))))


def at_offset(array: pa.Array, row: int) -> int:
    width = 8 if array.type == pa.large_string() else 4
    at = (array.offset + row) * width
    return int.from_bytes(array.buffers()[1].slice(at, width).to_pybytes(), "little")


def clickhouse_rows() -> list[Row]:
    call = ClickHouse().call(", ".join(f"{name}(u)" for name in SIX))
    return [Row("parse", "ClickHouse, six URL functions", call)]


def pyarrow_rows() -> list[Row]:
    def extract(column: pa.Array, threads: int) -> Call:
        return lambda: [pc.extract_regex(batch, REGEX) for batch in batches(column)]

    return [Row("parse", "pyarrow extract_regex", extract, row_limit=SLOW_ROWS, threaded=False)]


def polars_rows() -> list[Row]:
    import polars

    def extract(column: pa.Array, threads: int) -> Call:
        series = polars.Series("u", column)
        return lambda: series.str.extract_groups(REGEX)

    return [Row("parse", "Polars extract_groups", extract, row_limit=SLOW_ROWS, threaded=False)]


def duckdb_rows() -> list[Row]:
    import duckdb

    def extract(column: pa.Array, threads: int) -> Call:
        con = duckdb.connect()
        con.execute(f"set threads={threads}")
        given = pa.table({"u": column})  # noqa: F841 - DuckDB finds it by its name
        con.execute("create table t as select u from given")
        names, plain = re.findall(r"\?P<(\w+)>", REGEX), re.sub(r"\?P<\w+>", "", REGEX)
        text = f"select count(x) from (select regexp_extract(u, '{plain}', {names}) as x from t)"
        return lambda: con.execute(text).fetchall()

    return [Row("parse", "DuckDB regexp_extract", extract, row_limit=SLOW_ROWS)]


def pandas_rows() -> list[Row]:
    import pandas

    def six(url: str) -> Any:
        try:
            parts = urllib.parse.urlsplit(url)
            return parts.scheme, parts.hostname, parts.port, parts.path, parts.query, parts.fragment
        except ValueError:
            return None

    def mapped(column: pa.Array, threads: int) -> Call:
        series = pandas.Series(column.to_pylist(), dtype=object)
        return lambda: (urllib.parse.clear_cache(), series.map(six))

    return [Row("parse", "pandas map urlsplit, six parts", mapped, row_limit=SLOW_ROWS, threaded=False)]


def fasturl_rows() -> list[Row]:
    from fasturl import arrow

    return [
        Row("parse", "fasturl, all fields with findings", ours(arrow.parse)),
        Row("parse", "fasturl, the same as views", ours(partial(arrow.parse, strings="view"))),
        Row("parse", "floor: bytes read and written", floor),
    ]


def all_rows() -> list[Row]:
    """Return the rows. A missing engine has one row that says so."""
    rows: list[Row] = []
    for make in (fasturl_rows, clickhouse_rows, pyarrow_rows, polars_rows, duckdb_rows, pandas_rows):
        try:
            rows += make()
        except ImportError as error:
            rows.append(Row("parse", make.__name__.removesuffix("_rows"), floor, skipped=str(error)))
    return rows


def repeated(texts: Sequence[str], rows: int) -> pa.Array:
    kind = pa.large_string() if rows * 64 > 1 << 31 else pa.string()
    once = pa.array(texts[:rows], kind)
    return pa.concat_arrays([once] * -(-rows // len(once))).slice(0, rows)


def measure(rows: list[Row], texts: Sequence[str], count: int, threads: int, rounds: int) -> None:
    """Set the nanoseconds per row of each row."""
    calls: list[tuple[Row, int, Call]] = []
    columns: dict[int, pa.Array] = {}
    clock = time.process_time if threads == 1 else time.perf_counter
    pa.set_cpu_count(threads)
    for row in rows:
        row.ns = []
        if row.skipped or (threads > 1 and not row.threaded):
            continue
        size = min(count, row.row_limit)
        if size not in columns:
            columns[size] = repeated(texts, size)
        try:
            call = row.make(columns[size], threads)
            call()
        except Exception as error:
            row.skipped = f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"
            continue
        calls.append((row, size, call))
    for turn in range(rounds):
        for row, size, call in calls[turn % len(calls) :] + calls[: turn % len(calls)]:
            repeats = max(1, 100_000 // size)
            began = clock()
            for _ in range(repeats):
                call()
            row.ns.append((clock() - began) / repeats / size * 1e9)


PEAK = """
from bench.columns import *

def memory(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))

column = repeated(load({urls!r}), {rows})
call = next(row for row in all_rows() if row.label == {label!r}).make(column, 1)
before = memory("VmRSS")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # reset the peak
call()
print(memory("VmHWM") - before)
"""


def peak(label: str, urls: str | None, rows: int) -> str:
    """Return the peak megabytes of one call in its own process; Linux only."""
    script = PEAK.format(urls=urls, rows=rows, label=label)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    return f"{int(done.stdout) / 1024:.0f}" if done.returncode == 0 else "–"


def arguments_of(module: str, doc: str | None, rows: list[int], update: bool = True) -> argparse.ArgumentParser:
    """Return the parser of a benchmark of columns: its texts, its numbers of rows and its rounds."""
    parser = table.arguments_of(module, doc, update)
    parser.add_argument("--urls", metavar="FILE", help="a file with one URL per line (.gz too); default: made up")
    parser.add_argument("--rows", type=int, nargs="+", default=rows, help="default: %(default)s")
    parser.add_argument("--repeat", type=int, default=5, help="rounds; default: %(default)s")
    return parser


def load(urls: str | None) -> list[str]:
    texts = madeup.read_urls(urls) if urls else madeup.generate("web", 20_000)
    return [text.encode("utf-8", "replace").decode() for text in texts]


def machine(texts: Sequence[str], rounds: int) -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    mean = sum(map(len, texts)) / len(texts)
    return f"{table.cpu()}, {cores} cores; {len(texts):,} URLs of {mean:.0f} characters; {rounds} rounds"


def show(rows: list[Row], head: str, peaks: dict[str, str]) -> None:
    lines = []
    timed = [row for row in rows if row.ns and not row.skipped]
    for row in timed:
        ns = median(row.ns)
        ratio = table.times(ns / median(timed[0].ns))
        lines.append([row.label, f"{ns:.1f}", f"{1e3 / ns:.1f}", ratio, peaks.get(row.label, "–")])
    columns = ["by", "ns per row", "M rows/s", "fasturl is", "peak MB"]
    table.show(["", f"### {head}", "", *table.grid(columns, lines)])
    table.show([f"{row.label}: skipped, {row.skipped}" for row in rows if row.skipped])


def text_of(data: int) -> str:
    """Return a URL of that length with an escape each 10 bytes, for --lengths."""
    head, unit, tail = "http://www.example.com/", "abc/def%20", "?d=e&f=g"
    room = data - len(head) - len(tail)
    middle = re.sub("%2?$", "h", (unit * (data // len(unit) + 1))[: max(0, room)])
    return (head + middle + tail)[:data]


def lengths(rows: list[Row], rounds: int) -> None:
    """Print nanoseconds per byte by the length of a URL."""
    chosen = [row for row in rows if row.row_limit > SLOW_ROWS and not row.skipped]
    sizes = (16, 64, 256, 1024, 4096, 16384)
    lines: list[list[str]] = [[row.label] for row in chosen]
    for data in sizes:
        count = max(64, min(1 << 16, (1 << 24) // data))
        measure(chosen, [text_of(data)] * 64, count, 1, rounds)
        for line, row in zip(lines, chosen, strict=True):
            line.append(f"{median(row.ns) / data:.3f}" if row.ns else "–")
    head = "### One thread, ns per byte by the length of a URL"
    table.show(["", head, "", *table.grid(["by", *(f"{data:,}" for data in sizes)], lines)])


def main() -> None:
    parser = arguments_of("bench.columns", __doc__, [1_000, BATCH, 2_000_000], update=False)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--lengths", action="store_true", help="also by the length of a URL")
    parser.add_argument("--peak", action="store_true", help="also the peak memory, each in its own process")
    options = parser.parse_args()
    table.release_or_exit(parser)
    texts = load(options.urls)
    rows = all_rows()
    table.show([machine(texts, options.repeat)])
    for count in options.rows:
        peaks = {}
        if options.peak and count == max(options.rows):
            measured = [row for row in rows if not row.skipped]
            peaks = {row.label: peak(row.label, options.urls, min(count, row.row_limit)) for row in measured}
        for threads in options.threads:
            measure(rows, texts, count, threads, options.repeat)
            clock = "CPU time" if threads == 1 else "wall clock"
            head = f"{count:,} rows, {threads} thread{'s' * (threads > 1)} ({clock})"
            show(rows, head, peaks if threads == 1 else {})
    if options.lengths:
        lengths(rows, options.repeat)


if __name__ == "__main__":
    main()
