"""Columns beside other engines, on one thread and on two: nanoseconds a row, and whether the answers agree.

    python -m bench.columns [--urls FILE] [--rows 1000 65536 2000000] [--lengths] [--threads 1 2]

The input is repeated to the number of rows; every engine has it in memory in its own form before the clock starts, and
its result is made in full and dropped. Time is that of all the process's threads' CPU for one thread, and of the wall
clock for more. In a round every row of the table gets its turn; figures are medians over the rounds.
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
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from bench import corpora, table
from bench.measure import NotRelease, require_release

BATCH = 1 << 16
SIX = ("protocol", "domain", "port", "path", "queryString", "fragment")
# RFC 3986 appendix B, with the host and the port apart: what people write who take URLs apart by regex.
REGEX = (
    r"^(?:(?P<scheme>[^:/?#]+):)?(?://(?:[^/?#@]*@)?(?P<host>[^/?#:]*)(?::(?P<port>[0-9]+))?)?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?"
)
SLOW_ROWS = 200_000
"""What takes microseconds a row is measured on so many."""


@dataclass
class Row:
    """One way to do one operation. ``make`` takes the column and the threads and gives the call to time."""

    operation: str
    label: str
    make: Callable[[pa.Array, int], Callable[[], Any]]
    answer: Callable[[pa.Array], list[Any]] | None = None
    most: int = 1 << 40
    threaded: bool = True
    ns: list[float] = field(default_factory=list)
    skipped: str = ""


def batches(column: pa.Array) -> list[pa.Array]:
    return [column.slice(at, BATCH) for at in range(0, len(column), BATCH)]


def ours(call: Callable[..., Any]) -> Callable[[pa.Array, int], Callable[[], Any]]:
    """Batch by batch on one thread; on more, each takes a share of the batches."""

    def make(column: pa.Array, threads: int) -> Callable[[], Any]:
        pieces = batches(column)
        if threads == 1:
            return lambda: [call(piece, threads=1) and None for piece in pieces] and None

        def share(start: int) -> None:
            for piece in pieces[start::threads]:
                call(piece, threads=1)

        return lambda: list(pool(threads).map(share, range(threads)))

    return make


_pools: dict[int, Any] = {}


def pool(threads: int) -> Any:
    from concurrent.futures import ThreadPoolExecutor

    if threads not in _pools:
        _pools[threads] = ThreadPoolExecutor(threads)
    return _pools[threads]


class ClickHouse:
    """One session; the column is a Memory table, in blocks as ClickHouse cuts them."""

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

    def call(self, expression: str) -> Callable[[pa.Array, int], Callable[[], Any]]:
        def make(column: pa.Array, threads: int) -> Callable[[], Any]:
            self.load(column)
            text = f"select {expression} from t format Null settings max_threads={threads}"
            return lambda: self.session.query(text)

        return make

    def answer(self, expression: str) -> Callable[[pa.Array], list[Any]]:
        def ask(column: pa.Array) -> list[Any]:
            self.load(column)
            found = self.session.query(f"select {expression} as x from t settings max_threads=1", "ArrowTable")
            column_ = found.column("x")
            # What it decodes need not be UTF-8.
            return [x.decode("utf-8", "replace") for x in column_.cast(pa.binary()).to_pylist()]

        return ask


def floor(column: pa.Array, threads: int) -> Callable[[], Any]:
    """The input read, and as many octets written as all fields take as views, always to the same memory; no more."""
    import ctypes

    from fasturl import arrow

    width = sum(16 if kind == pa.string_view() else kind.bit_width / 8 for kind in arrow.schema(strings="view").types)
    written = bytes(int(BATCH * width))
    targets = [(ctypes.c_char * (4 * len(written)))() for _ in range(threads)]

    def copy(start: int) -> None:
        target = targets[start]
        for piece in batches(column)[start::threads]:
            octets = piece.buffers()[2]
            first, last = (at_offset(piece, row) for row in (0, len(piece)))
            ctypes.memmove(target, octets.address + first, min(last - first, len(target)))
            ctypes.memmove(target, written, int(len(piece) * width))

    if threads == 1:
        return lambda: copy(0)
    return lambda: list(pool(threads).map(copy, range(threads)))


def at_offset(array: pa.Array, row: int) -> int:
    width = 8 if array.type == pa.large_string() else 4
    at = (array.offset + row) * width
    return int.from_bytes(array.buffers()[1].slice(at, width).to_pybytes(), "little")


def clickhouse_rows() -> list[Row]:
    try:
        click = ClickHouse()
    except ImportError as error:
        return [Row("parse", "ClickHouse", floor, skipped=str(error))]
    six = ", ".join(f"{name}(u)" for name in SIX)
    return [
        Row("parse", "ClickHouse, six URL functions", click.call(six)),
        Row("host", "ClickHouse domain", click.call("domain(u)"), click.answer("domain(u)")),
        Row(
            "quote",
            "ClickHouse encodeURLComponent",
            click.call("encodeURLComponent(u)"),
            click.answer("encodeURLComponent(u)"),
        ),
        Row(
            "unquote",
            "ClickHouse decodeURLComponent",
            click.call("decodeURLComponent(u)"),
            click.answer("decodeURLComponent(u)"),
        ),
    ]


def regex_rows() -> list[Row]:
    rows: list[Row] = []
    rows.append(
        Row(
            "parse",
            "pyarrow extract_regex",
            lambda c, n: lambda: [pc.extract_regex(b, REGEX) for b in batches(c)] and None,
            most=SLOW_ROWS,
            threaded=False,
        )
    )
    try:
        import polars

        def in_polars(column: pa.Array, threads: int) -> Callable[[], Any]:
            series = polars.Series("u", column)
            return lambda: series.str.extract_groups(REGEX)

        rows.append(Row("parse", "Polars extract_groups", in_polars, most=SLOW_ROWS, threaded=False))
    except ImportError as error:
        rows.append(Row("parse", "Polars", floor, skipped=str(error)))
    try:
        import duckdb

        def in_duckdb(expression: str) -> Callable[[pa.Array, int], Callable[[], Any]]:
            def make(column: pa.Array, threads: int) -> Callable[[], Any]:
                con = duckdb.connect()
                con.execute(f"set threads={threads}")
                given = pa.table({"u": column})  # noqa: F841 - DuckDB finds it by its name
                con.execute("create table t as select u from given")
                query = f"select count(x) from (select {expression} as x from t)"
                return lambda: con.execute(query).fetchall()

            return make

        names = "['scheme', 'host', 'port', 'path', 'query', 'fragment']"
        plain = REGEX.replace("(?P<scheme>", "(").replace("(?P<", "(?P<")
        for name in ("host", "port", "path", "query", "fragment"):
            plain = plain.replace(f"(?P<{name}>", "(")
        rows.append(
            Row("parse", "DuckDB regexp_extract", in_duckdb(f"regexp_extract(u, '{plain}', {names})"), most=SLOW_ROWS)
        )
        rows.append(Row("quote", "DuckDB url_encode", in_duckdb("url_encode(u)")))
        rows.append(Row("unquote", "DuckDB url_decode", in_duckdb("url_decode(u)")))
    except ImportError as error:
        rows.append(Row("parse", "DuckDB", floor, skipped=str(error)))
    try:
        import pandas

        def in_pandas(one: Callable[[str], Any]) -> Callable[[pa.Array, int], Callable[[], Any]]:
            def make(column: pa.Array, threads: int) -> Callable[[], Any]:
                series = pandas.Series(column.to_pylist(), dtype=object)

                def call() -> None:
                    urllib.parse.clear_cache()
                    series.map(one)

                return call

            return make

        def six(url: str) -> Any:
            try:
                parts = urllib.parse.urlsplit(url)
                return parts.scheme, parts.hostname, parts.port, parts.path, parts.query, parts.fragment
            except ValueError:
                return None

        for operation, label, one in (
            ("parse", "pandas map urlsplit, six parts", six),
            ("quote", "pandas map urllib quote", lambda u: urllib.parse.quote(u, "")),
            ("unquote", "pandas map urllib unquote", urllib.parse.unquote),
        ):
            rows.append(Row(operation, label, in_pandas(one), most=SLOW_ROWS, threaded=False))
    except ImportError as error:
        rows.append(Row("parse", "pandas", floor, skipped=str(error)))
    return rows


def all_rows() -> list[Row]:
    from fasturl import arrow

    def hosts(column: pa.Array) -> list[Any]:
        return [host or "" for host in arrow.parse(column, ["host"]).column("host").to_pylist()]

    def in_views(column: pa.Array, threads: int) -> Any:
        return arrow.parse(column, threads=threads, strings="view")

    rows = [
        Row("parse", "fasturl, all fields with findings", ours(lambda c, threads: arrow.parse(c, threads=threads))),
        Row("parse", "fasturl, the same as views", ours(in_views)),
        Row("parse", "floor: octets read and written", floor),
        Row("host", "fasturl, host", ours(lambda c, threads: arrow.parse(c, ["host"], threads=threads)), hosts),
        Row("quote", "fasturl, quote safe=''", ours(lambda c, threads: arrow.quote(c, "", threads=threads)),
            lambda c: arrow.quote(c, "").to_pylist()),
        Row("unquote", "fasturl, unquote", ours(lambda c, threads: arrow.unquote(c, threads=threads)),
            lambda c: arrow.unquote(c).to_pylist()),
        Row("normalize", "fasturl, normalize", ours(lambda c, threads: arrow.normalize(c, threads=threads))),
        Row("redact", "fasturl, redact one key", ours(lambda c, threads: arrow.redact(c, "id", threads=threads))),
        Row("query_value", "fasturl, one value", ours(lambda c, threads: arrow.query_value(c, "id", threads=threads))),
    ]  # fmt: skip
    return sorted([*rows, *clickhouse_rows(), *regex_rows()], key=lambda row: OPERATIONS.index(row.operation))


OPERATIONS = ("parse", "host", "quote", "unquote", "normalize", "redact", "query_value")


def repeated(texts: Sequence[str], rows: int) -> pa.Array:
    kind = pa.large_string() if rows * 64 > 1 << 31 else pa.string()
    once = pa.array(texts[:rows], kind)
    whole = pa.concat_arrays([once] * -(-rows // len(once)))
    return whole.slice(0, rows)


def measure(rows: list[Row], texts: Sequence[str], count: int, threads: int, rounds: int) -> None:
    """Fill in the nanoseconds a row."""
    calls: list[tuple[Row, int, Callable[[], Any]]] = []
    columns: dict[int, pa.Array] = {}
    clock = time.process_time if threads == 1 else time.perf_counter
    pa.set_cpu_count(threads)
    for row in rows:
        row.ns = []
        if row.skipped or (threads > 1 and not row.threaded):
            continue
        size = min(count, row.most)
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
            times = max(1, 100_000 // size)
            began = clock()
            for _ in range(times):
                call()
            row.ns.append((clock() - began) / times / size * 1e9)


def agreement(rows: list[Row], texts: Sequence[str]) -> dict[int, str]:
    """For each row with answers, the share of them that are those of fasturl's row of the operation."""
    column = pa.array(texts, pa.string())
    answers = {id(row): row.answer(column) for row in rows if row.answer and not row.skipped}
    found = {}
    for row in rows:
        first = next((r for r in rows if r.operation == row.operation and id(r) in answers), None)
        if first is None or id(row) not in answers:
            continue
        pairs = list(zip(answers[id(first)], answers[id(row)], strict=True))
        found[id(row)] = table.share(sum(a == b for a, b in pairs) / len(pairs))
    return found


PEAK = """
from bench.columns import *

def memory(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))

column = repeated(load({urls!r}), {rows})
call = next(row for row in all_rows() if row.label == {label!r}).make(column, 1)
before = memory("VmRSS")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # forget the highest so far
call()
print(memory("VmHWM") - before)
"""


def peak(label: str, urls: str | None, rows: int) -> str:
    """Megabytes that one call takes at its highest, in a process of its own; Linux alone tells."""
    script = PEAK.format(urls=urls, rows=rows, label=label)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    return f"{int(done.stdout) / 1024:.0f}" if done.returncode == 0 else "–"


def load(urls: str | None) -> list[str]:
    texts = corpora.read_urls(urls) if urls else corpora.generate("web", 20_000)
    return [text.encode("utf-8", "replace").decode() for text in texts]


def show(rows: list[Row], head: str, agrees: dict[int, str], peaks: dict[str, str]) -> None:
    lines = []
    for row in rows:
        first = next(r for r in rows if r.operation == row.operation)
        if row.skipped or not row.ns:
            continue
        ns = median(row.ns)
        ratio = table.times(ns / median(first.ns)) if first.ns else "–"
        cells = [row.operation, row.label, f"{ns:.1f}", f"{1e3 / ns:.1f}", ratio]
        lines.append([*cells, agrees.get(id(row), "–"), peaks.get(row.label, "–")])
    columns = ["operation", "by", "ns a row", "M rows/s", "fasturl is", "agrees", "peak MB"]
    table.show(["", f"### {head}", "", *table.grid(columns, lines)])
    for row in rows:
        if row.skipped:
            table.show([f"{row.label}: skipped, {row.skipped}"])
            row.skipped = row.skipped or ""


# What fills the URLs of --lengths: path or query, so many octets each.
FILLED = {
    "path, an escape each 10 octets": ("http://www.example.com/", "abc/def%20", "?d=e&f=g"),
    "path, an escape each 1,000 octets": ("http://www.example.com/", "abc/defghi" * 99 + "abc/def%20", "?d=e&f=g"),
    "query, a pair each 14 octets": ("http://www.example.com/?d=e", "&key=value%20x", ""),
}


def text_of(octets: int, filled: str) -> str:
    head, unit, tail = FILLED[filled]
    room = octets - len(head) - len(tail)
    middle = re.sub("%2?$", "h", (unit * (octets // len(unit) + 1))[: max(0, room)])
    return (head + middle + tail)[:octets]


def lengths(rows: list[Row], rounds: int) -> None:
    """By the length of a URL: nanoseconds an octet."""
    chosen = [row for row in rows if row.most > SLOW_ROWS]
    sizes = (16, 64, 256, 1024, 4096, 16384)
    for filled in FILLED:
        lines: list[list[str]] = [[row.operation, row.label] for row in chosen]
        for octets in sizes:
            count = max(64, min(1 << 16, (1 << 24) // octets))
            measure(chosen, [text_of(octets, filled)] * 64, count, 1, rounds)
            for line, row in zip(lines, chosen, strict=True):
                line.append(f"{median(row.ns) / octets:.3f}" if row.ns else "–")
        head = f"### One thread, ns an octet by the length of a URL: {filled}"
        names = ["operation", "by", *(f"{octets:,}" for octets in sizes)]
        table.show(["", head, "", *table.grid(names, lines)])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.columns", description=(__doc__ or "").split(": ")[0])
    parser.add_argument("--urls", metavar="FILE", help="a file of URLs, one a line (.gz too); default: made up")
    parser.add_argument(
        "--rows", type=int, nargs="+", default=[1_000, BATCH, 2_000_000], help="up to 100 million and more"
    )
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeat", type=int, default=5, help="rounds; default 5")
    parser.add_argument("--only", nargs="+", choices=OPERATIONS, default=list(OPERATIONS))
    parser.add_argument("--lengths", action="store_true", help="also by the length of a URL")
    parser.add_argument("--peak", action="store_true", help="also the peak memory, each in a process of its own")
    options = parser.parse_args(arguments)
    try:
        require_release()
    except NotRelease as error:
        print(f"python -m bench.columns: {error}", file=sys.stderr)
        return 2
    texts = load(options.urls)
    rows = [row for row in all_rows() if row.operation in options.only]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    mean = sum(map(len, texts)) / len(texts)
    table.show([f"{table.cpu()}, {cores} cores; {len(texts):,} URLs of {mean:.0f} characters; {options.repeat} rounds"])
    agrees = agreement(rows, texts)
    for count in options.rows:
        peaks = {}
        if options.peak and count == max(options.rows):
            peaks = {row.label: peak(row.label, options.urls, min(count, row.most)) for row in rows if not row.skipped}
        for threads in options.threads:
            measure(rows, texts, count, threads, options.repeat)
            clock = "CPU time" if threads == 1 else "wall clock"
            show(
                rows,
                f"{count:,} rows, {threads} thread{'s' * (threads > 1)} ({clock})",
                agrees,
                peaks if threads == 1 else {},
            )
    if options.lengths:
        lengths(rows, options.repeat)
    return 0


if __name__ == "__main__":
    sys.exit(main())
