"""The CPU time of one core per URL, from Parquet to Parquet: columns alone, on Spark, and on Ray.

``python -m bench.scale`` measures columns, copies, and Parquet in and out; with ``--engines`` also Spark and Ray, end
to end. ``--update bench/README.md`` writes the tables there.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from bench import madeup, table

ROWS = 1 << 19
BATCH = 1 << 16
MORE = 5  # files, beside one file
NAMES = {"spark": "Spark", "ray": "Ray Data", "none": "no engine (`fasturl.arrow` and Parquet)"}
SIZES = {
    "in_octets": "the URL in Parquet, Snappy",
    "url_octets": "the URL in Arrow",
    "views_octets": "with all fields as views of it, in memory",
    "copied_octets": "all fields as Arrow strings: what leaves a Python worker",
    "out_octets": "all fields in Parquet, Snappy",
}
SPARKS = {
    "spark_alone": "no Python: the URL read and written",
    "spark_same": "the URL to Python and back as it is (`mapInArrow`), and written",
    "spark": "all fields by `parse(..., keep=[])`, and written",
    "spark_udf": "all fields by an Arrow UDF, as `parse` without `keep` beside other columns, and written",
}


def best(work: Callable[[], Any], rounds: int = 5) -> float:
    """Return the least CPU nanoseconds per row of some rounds."""
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least / ROWS * 1e9


_TURNING = "ghijklmnopqrstuvwxyz"  # no hexadecimal digits, so escapes stay the same


@lru_cache(maxsize=MORE)
def make_urls(path: str | None, number: int = 0) -> Any:
    """Return an Arrow column of ROWS different URLs: a file's, then the same with other letters.

    number : of the column; the columns of two numbers share (almost) no URL
    """
    import pyarrow as pa

    if path:
        urls = list(dict.fromkeys(Path(path).read_bytes().decode("utf-8", "replace").split("\n")))
    else:
        urls = madeup.generate("web", 50_000)
    found: dict[str, None] = {}
    turn = number * (ROWS // len(urls) + 2)
    while len(found) < ROWS:
        step, shift = divmod(turn, len(_TURNING))
        order = [_TURNING[(at * (1, 3, 7, 9, 11, 13, 17, 19)[step % 8] + shift) % 20] for at in range(20)]
        letters = str.maketrans(_TURNING, "".join(order))
        for url in filter(None, urls):
            scheme, colon, rest = url.partition(":")
            found[scheme + colon + rest.translate(letters)] = None
        turn += 1
    return pa.array(list(found)[:ROWS])


def _width(kind: Any) -> float:
    """Return the bytes per row of a column's own buffers: a view is 16, and each column has a bit for nulls."""
    return ((128 if "view" in str(kind) else kind.bit_width) + 1) / 8


def measure(urls: Any) -> dict[str, float]:
    """Return one core's rates in ns per URL, and sizes in bytes per URL."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from fasturl import arrow

    chunks = [urls.slice(at, BATCH) for at in range(0, ROWS, BATCH)]

    def parse(strings: str) -> float:
        return best(lambda: [arrow.parse(chunk, threads=1, strings=strings) and None for chunk in chunks])

    def write(what: pa.Table) -> pa.Buffer:
        sink = pa.BufferOutputStream()
        pq.write_table(what, sink, row_group_size=1 << 17)
        return sink.getvalue()

    copied = pa.Table.from_batches([arrow.parse(chunk, threads=1, strings="string") for chunk in chunks])
    parquet_in, parquet_out, views = write(pa.table({"url": urls})), write(copied), parse("view")
    return {
        "parse": views,
        "copy": max(0.0, parse("string") - views),
        "read": best(lambda: pq.read_table(pa.BufferReader(parquet_in), use_threads=False)),
        "write": best(lambda: write(copied), 3),
        "url_octets": urls.nbytes / ROWS,
        "views_octets": urls.nbytes / ROWS + sum(_width(kind.type) for kind in arrow.schema(strings="view")),
        "copied_octets": copied.nbytes / ROWS,
        "in_octets": parquet_in.size / ROWS,
        "out_octets": parquet_out.size / ROWS,
    }


def cpu_seconds() -> float:
    """Return the CPU time of this process and all its descendants (Linux)."""
    stats: dict[int, tuple[int, int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        stats[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while more := {one for one, (parent, _) in stats.items() if parent in ours} - ours:
        ours |= more
    return sum(stats[one][1] for one in ours if one in stats) / os.sysconf("SC_CLK_TCK")


def slope(run: Callable[[str, str], Any], write: Callable[[int, str], Any], rows: int, suffix: str = "") -> float:
    """Return CPU nanoseconds per row of all processes, end to end: the cost of four more files beside one file.

    The start of a job is not a part of it, because a billion rows pay it once.

    write : writes the file of a number to a path; run : reads a folder of files and writes to a folder
    """
    with tempfile.TemporaryDirectory() as folder:
        for count in (1, MORE):
            (Path(folder) / str(count)).mkdir()
        for at in range(MORE):
            write(at, f"{folder}/{MORE}/{at}{suffix}")
        os.link(f"{folder}/{MORE}/0{suffix}", f"{folder}/1/0{suffix}")
        times: dict[int, list[float]] = {1: [], MORE: []}
        for round_ in range(4):  # the first warms up
            for count, taken in times.items():
                start = cpu_seconds()
                run(f"{folder}/{count}", f"{folder}/out-{count}-{round_}")
                if round_:
                    taken.append(cpu_seconds() - start)
    return max(0.0, (min(times[MORE]) - min(times[1])) / ((MORE - 1) * rows)) * 1e9


def slope_of_urls(run: Callable[[str, str], Any], path: str | None) -> float:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def write(number: int, target: str) -> None:
        pq.write_table(pa.table({"url": make_urls(path, number)}), target, row_group_size=1 << 17)

    return slope(run, write, ROWS, ".parquet")  # the only suffix that Ray reads


@contextmanager
def spark_on_one_core() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", BATCH).getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


def _same(batches: Iterator[Any]) -> Iterator[Any]:
    yield from batches


def measure_spark(path: str | None) -> dict[str, float]:
    """Measure Spark on one local core with a read and a write of Parquet, without fasturl and with it."""
    from fasturl.engines import spark as engine

    ways: dict[str, Callable[[Any], Any]] = {
        "spark_alone": lambda urls: urls,
        "spark_same": lambda urls: urls.mapInArrow(_same, "url string"),
        "spark_udf": lambda urls: urls.select(engine.function("parse")("url").alias("p")).select("p.*"),
        "spark": lambda urls: engine.parse(urls, "url", keep=[]),
    }

    def run(way: Callable[[Any], Any]) -> Callable[[str, str], Any]:
        return lambda source, target: way(spark.read.parquet(source)).write.parquet(target)

    with spark_on_one_core() as spark:
        return {name: slope_of_urls(run(way), path) for name, way in ways.items()}


@contextmanager
def ray_on_one_processor() -> Iterator[Any]:
    os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # use the loopback only
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    ray.init(num_cpus=1, include_dashboard=False, logging_level="error", log_to_driver=False)
    try:
        yield ray
    finally:
        ray.shutdown()


def measure_ray(path: str | None) -> dict[str, float]:
    """Measure Ray Data on one processor: read, parse all fields, write."""
    with ray_on_one_processor() as ray:
        from fasturl.engines import ray as engine

        def run(source: str, target: str) -> None:
            engine.parse(ray.data.read_parquet(source), "url").drop_columns(["url"]).write_parquet(target)

        return {"ray": slope_of_urls(run, path)}


def steps(engine: str, rates: dict[str, float]) -> list[tuple[str, float]]:
    """Return the steps of one core, with ns per URL."""
    ours = [("parse, all fields with findings", rates["parse"]), ("copy the parts out of the views", rates["copy"])]
    if engine == "none":
        read = ("read the URLs from Parquet", rates["read"])
        return [read, *ours, ("write all fields as Parquet, Snappy", rates["write"])]
    what = {
        "spark": "Spark: read, rows to Python and back, write as Parquet",
        "ray": "Ray: read, blocks and object store, write as Parquet",
    }
    return [*ours, (what[engine], rates[engine] - sum(ns for _, ns in ours))]


def engine_table(engine: str, rates: dict[str, float]) -> list[str]:
    parts = steps(engine, rates)
    total = sum(ns for _, ns in parts)
    rows = []
    for name, ns in [*parts, ("**all**", total)]:
        rows.append([name, f"{ns:,.0f}", f"{ns / total:.0%}"])
    lines = ["", f"{NAMES[engine]}, core time by step:", ""]
    lines += table.grid(["step", "ns per URL", "share"], rows)
    if engine == "spark":
        ways = [[what, f"{rates[name]:,.0f}"] for name, what in SPARKS.items()]
        lines += ["", "Spark, by the path of a URL:", "", *table.grid(["path", "ns per URL"], ways)]
    return lines


def tables(rates: dict[str, float]) -> list[str]:
    sizes = [[what, f"{rates[name]:.0f}"] for name, what in SIZES.items()]
    engines = [engine for engine in NAMES if engine == "none" or engine in rates]
    return [
        *("Sizes in bytes per URL:", "", *table.grid(["what", "bytes"], sizes)),
        *(line for engine in engines for line in engine_table(engine, rates)),
    ]


def main() -> None:
    parser = table.arguments_of("bench.scale", __doc__)
    parser.add_argument("urls", nargs="?", help="a file with one URL per line; default: made up")
    parser.add_argument("--engines", nargs="*", choices=["spark", "ray"], default=[], help="measure these engines")
    options = parser.parse_args()
    rates = measure(make_urls(options.urls))
    for engine, work in (("spark", measure_spark), ("ray", measure_ray)):
        if engine in options.engines:
            rates |= work(options.urls)
    what = Path(options.urls).name if options.urls else "made-up URLs"
    out = [
        f"CPU time of one core of this machine over distinct URLs, {ROWS:,} per file, made from {what} by changing "
        "letters; the least of some rounds. The engines are measured end to end, by the CPU time of all processes, "
        "as what four more files take beyond one.",
        "",
        *tables(rates),
    ]
    table.show(out, "scale", options.update)


if __name__ == "__main__":
    main()
