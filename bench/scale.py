"""What a billion and a trillion URLs cost: arithmetic over rates that are measured here or given.

``python -m bench.scale`` measures the rates of one core on this machine (columns, copies, Parquet in and out;
``--engines`` runs Spark and Ray here too, end to end) and prints the tables of docs/scale.md; ``--update`` puts them
there.
Each rate can be given instead: ``--parse-ns 40 --spark-ns 1500``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from bench.jobs import PAGE, put_block

ROWS = 1 << 19
MORE = 5  # files, against one
CORES_A_NODE = 16
NETWORK_GBIT = 10  # of a node
DISK_MB = 500  # a second, of a node
COUNTS = (10**9, 10**12)
CLUSTERS = ((10**9, 1), (10**9, 10), (10**12, 10), (10**12, 100))


def best(work: Callable[[], Any], rounds: int = 5) -> float:
    """CPU nanoseconds a row, the least of some rounds."""
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least / ROWS * 1e9


_TURNING = "ghijklmnopqrstuvwxyz"  # no hexadecimal digits: escapes stay what they are


@lru_cache(maxsize=MORE)
def make_urls(path: str | None, number: int = 0) -> Any:
    """ROWS URLs of which no two are the same, in an Arrow column: a file's, and then these with other letters.

    number : of the column; those of two numbers share (almost) no URL
    """
    import pyarrow as pa

    if path:
        lines = dict.fromkeys(line for line in Path(path).read_bytes().splitlines() if line)
        urls = [line.decode("utf-8", "replace") for line in lines]
    else:
        from random import Random

        from bench.corpora import SEED, web

        rng = Random(SEED)
        urls = list(dict.fromkeys(web(rng) for _ in range(50_000)))
    found: dict[str, None] = {}
    turn = number * (ROWS // len(urls) + 2)
    while len(found) < ROWS:
        step, shift = divmod(turn, len(_TURNING))
        order = [_TURNING[(at * (1, 3, 7, 9, 11, 13, 17, 19)[step % 8] + shift) % 20] for at in range(20)]
        letters = str.maketrans(_TURNING, "".join(order))
        for url in urls:
            scheme, colon, rest = url.partition(":")
            found[scheme + colon + rest.translate(letters)] = None
        turn += 1
    return pa.array(list(found)[:ROWS])


def _width(kind: Any) -> float:
    """Octets a row of a column's own buffers: a view is 16, and each has a bit for nulls."""
    return ((128 if "view" in str(kind) else kind.bit_width) + 1) / 8


def measure(urls: Any) -> dict[str, float]:
    """One core's rates, ns a URL, and sizes, octets a URL."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from fasturl import arrow

    chunks = [urls.slice(at, arrow_rows) for arrow_rows in (1 << 16,) for at in range(0, ROWS, 1 << 16)]

    def parse(strings: str) -> list[pa.RecordBatch]:
        return [arrow.parse(chunk, threads=1, strings=strings) for chunk in chunks]

    def drop(strings: str) -> None:
        for chunk in chunks:
            arrow.parse(chunk, threads=1, strings=strings)

    copied = pa.Table.from_batches(parse("string"))
    table = pa.table({"url": urls})

    def write(what: pa.Table) -> pa.Buffer:
        sink = pa.BufferOutputStream()
        pq.write_table(what, sink, row_group_size=1 << 17)
        return sink.getvalue()

    parquet_in, parquet_out = write(table), write(copied)
    return {
        "parse": best(lambda: drop("view")),
        "copy": max(0.0, best(lambda: drop("string")) - best(lambda: drop("view"))),
        "read": best(lambda: pq.read_table(pa.BufferReader(parquet_in), use_threads=False)),
        "write": best(lambda: write(copied), 3),
        "url_octets": urls.nbytes / ROWS,
        "views_octets": urls.nbytes / ROWS + sum(_width(kind.type) for kind in arrow.schema(strings="view")),
        "copied_octets": copied.nbytes / ROWS,
        "in_octets": parquet_in.size / ROWS,
        "out_octets": parquet_out.size / ROWS,
    }


def cpu_seconds() -> float:
    """The CPU time so far of this process and all that come from it, with what they have waited for (Linux)."""
    stats: dict[int, tuple[int, int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        stats[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while True:
        more = {one for one, (parent, _) in stats.items() if parent in ours} - ours
        if not more:
            return sum(stats[one][1] for one in ours if one in stats) / os.sysconf("SC_CLK_TCK")
        ours |= more


def slope(run: Callable[[str, str], Any], write: Callable[[int, str], Any], rows: int, suffix: str = "") -> float:
    """Nanoseconds of CPU a row, end to end, of all processes of an engine: what four more files take beyond one file.

    write : puts the file of a number, with so many rows, at a path; run : from a folder of files to a folder
    The start of a job, which a billion rows pay as one does, is no part of it.
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


def by_the_row(run: Callable[[str, str], Any], path: str | None) -> float:
    """Of files of URLs, by the URL."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def write(number: int, target: str) -> None:
        pq.write_table(pa.table({"url": make_urls(path, number)}), target, row_group_size=1 << 17)

    return slope(run, write, ROWS, ".parquet")  # Ray reads files of that name alone


@contextmanager
def spark_on_one_core() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 1 << 16)
        .getOrCreate()
    )
    try:
        yield spark
    finally:
        spark.stop()


def _same(batches: Iterator[Any]) -> Iterator[Any]:
    yield from batches


def measure_spark(path: str | None) -> dict[str, float]:
    """Of Spark on one local core, with a read and a write of Parquet: what it does without fasturl, and with it."""
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
        return {name: by_the_row(run(way), path) for name, way in ways.items()}


@contextmanager
def ray_on_one_processor() -> Iterator[Any]:
    os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # the loopback alone
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    ray.init(num_cpus=1, include_dashboard=False, logging_level="error", log_to_driver=False)
    try:
        yield ray
    finally:
        ray.shutdown()


def measure_ray(path: str | None) -> dict[str, float]:
    """Of Ray Data on one processor: read, parse of all fields, write."""
    with ray_on_one_processor() as ray:
        from fasturl.engines import ray as engine

        def run(source: str, target: str) -> None:
            engine.parse(ray.data.read_parquet(source), "url").drop_columns(["url"]).write_parquet(target)

        return {"ray": by_the_row(run, path)}


def time_text(hours: float) -> str:
    if hours < 1 / 60:
        return f"{hours * 3600:.0f} s"
    if hours < 1:
        return f"{hours * 60:.0f} min"
    return f"{hours:,.1f} h" if hours < 48 else f"{hours / 24:,.1f} days"


def size_text(octets: float) -> str:
    units = ["PB", "TB", "GB", "MB", "kB", "B"]
    while octets >= 1000 and len(units) > 1:
        octets /= 1000
        units.pop()
    unit = units[-1]
    return f"{octets:,.0f} {unit}" if octets >= 10 else f"{octets:.1f} {unit}"


def steps(engine: str, rates: dict[str, float]) -> list[tuple[str, float]]:
    """What one core does for a URL, ns each."""
    ours = [
        ("parse, all fields with findings", rates["parse"]),
        ("copy the parts out of the views", rates["copy"]),
    ]
    if engine == "none":
        read = ("read the URLs from Parquet", rates["read"])
        return [read, *ours, ("write all fields as Parquet, Snappy", rates["write"])]
    what = {
        "spark": "Spark: read, rows to Python and back, write as Parquet",
        "ray": "Ray: read, blocks and object store, write as Parquet",
    }
    return [*ours, (what[engine], rates[engine] - sum(ns for _, ns in ours))]


NAMES = {"spark": "Spark", "ray": "Ray Data", "none": "no engine (`fasturl.arrow` and Parquet)"}


SPARKS = {
    "spark_alone": "no Python: the URL read and written",
    "spark_same": "the URL to Python and back as it is (`mapInArrow`), and written",
    "spark": "all fields by `parse(..., keep=[])`, and written",
    "spark_udf": "all fields by an Arrow UDF, as `parse` without `keep` beside other columns, and written",
}


def spark_table(rates: dict[str, float]) -> list[str]:
    """What Spark does and what is fasturl's, where it was measured."""
    if "spark_alone" not in rates:
        return []
    lines = [f"| {what} | {rates[name]:,.0f} |" for name, what in SPARKS.items()]
    return ["", "Spark, by the way that a URL goes:", "", "| way | ns a URL |", "|---|---:|", *lines]


def tables(rates: dict[str, float]) -> list[str]:
    out = ["Sizes, octets a URL:", "", "| what | octets |", "|---|---:|"]
    for name, what in (
        ("in_octets", "the URL in Parquet, Snappy"),
        ("url_octets", "the URL in Arrow"),
        ("views_octets", "with all fields as views of it, in memory"),
        ("copied_octets", "all fields as Arrow strings: what leaves a Python worker"),
        ("out_octets", "all fields in Parquet, Snappy"),
    ):
        out.append(f"| {what} | {rates[name]:.0f} |")
    for engine in ("spark", "ray", "none"):
        parts = steps(engine, rates)
        total = sum(ns for _, ns in parts)
        out += [
            "",
            f"{NAMES[engine]}, core time by step:",
            "",
            "| step | ns a URL | share | 10⁹ URLs | 10¹² URLs |",
        ]
        out += ["|---|---:|---:|---:|---:|"]
        for name, ns in [*parts, ("**all**", total)]:
            hours = [f"{ns * count / 3.6e12:,.2f} core-h" for count in COUNTS]
            out.append(f"| {name} | {ns:,.0f} | {ns / total:.0%} | {hours[0]} | {hours[1]} |")
        out += spark_table(rates) if engine == "spark" else []
    out += [
        "",
        f"Clusters of nodes with {CORES_A_NODE} cores, {NETWORK_GBIT} Gbit/s and {DISK_MB} MB/s of disk each; the",
        "",
    ]
    out[-2] += " time is that of the slowest of processors, network and disk when they work side by side:"
    out += ["| URLs | nodes | engine | processors | network, in and out | disk | the job | bound by |"]
    out += ["|---:|---:|---|---:|---:|---:|---:|---|"]
    moved = rates["in_octets"] + rates["out_octets"]
    for count, nodes in CLUSTERS:
        for engine in ("spark", "ray"):
            compute = sum(ns for _, ns in steps(engine, rates)) * count / (nodes * CORES_A_NODE) / 3.6e12
            network = moved * count * 8 / (nodes * NETWORK_GBIT * 1e9) / 3600
            disk = moved * count / (nodes * DISK_MB * 1e6) / 3600
            slowest = max((compute, "processors"), (network, "network"), (disk, "disk"))
            out.append(
                f"| {count:,} | {nodes} | {NAMES[engine]} | {time_text(compute)} | {time_text(network)} "
                f"| {time_text(disk)} | {time_text(slowest[0])} | {slowest[1]} |"
            )
    out += [
        "",
        "Octets moved:",
        "",
        "| URLs | read | between Java and Python (Spark) | written |",
        "|---:|---:|---:|---:|",
    ]
    for count in COUNTS:
        between = rates["url_octets"] + rates["copied_octets"]
        out.append(
            f"| {count:,} | {size_text(rates['in_octets'] * count)} | {size_text(between * count)} "
            f"| {size_text(rates['out_octets'] * count)} |"
        )
    out += [
        "",
        "Memory of a worker by rows a batch (the batch in, its views and its copy):",
        "",
        "| rows | memory |",
        "|---:|---:|",
    ]
    for rows in (10_000, 1 << 16, 1 << 20):
        out.append(
            f"| {rows:,} | {size_text((rates['url_octets'] + rates['views_octets'] + rates['copied_octets']) * rows)} |"
        )
    part = 128e6
    out += [
        "",
        f"A partition of {size_text(part)} in Parquet holds {part / rates['in_octets'] / 1e6:.1f} million URLs: "
        f"{sum(ns for _, ns in steps('spark', rates)) * part / rates['in_octets'] / 1e9:.0f} s of one core on Spark, "
        f"{sum(ns for _, ns in steps('ray', rates)) * part / rates['in_octets'] / 1e9:.0f} s on Ray, and writes "
        f"{size_text(rates['out_octets'] / rates['in_octets'] * part)}. "
        f"A billion URLs are {1e9 * rates['in_octets'] / part:,.0f} of them, a trillion "
        f"{1e12 * rates['in_octets'] / part:,.0f}.",
    ]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("urls", nargs="?", help="one URL a line; else made-up ones")
    for name in ("parse", "copy", "read", "write", "spark", "ray"):
        parser.add_argument(f"--{name}-ns", type=float, help="give this rate, ns a URL on one core")
    parser.add_argument("--engines", nargs="*", choices=["spark", "ray"], default=[], help="measure these here")
    parser.add_argument("--update", action="store_true", help=f"write the tables into {PAGE.name}")
    options = parser.parse_args()
    urls = make_urls(options.urls)
    rates = measure(urls)
    source = {"spark": "assumed", "ray": "assumed"}  # when it is neither said nor measured
    rates |= {"spark": 2000.0, "ray": 700.0}
    for engine, work in (("spark", measure_spark), ("ray", measure_ray)):
        if engine in options.engines:
            rates |= work(options.urls)
            source[engine] = "measured"
    for name in ("parse", "copy", "read", "write", "spark", "ray"):
        given = getattr(options, f"{name}_ns")
        if given is not None:
            rates[name] = given
            source[name] = "given"
    what = Path(options.urls).name if options.urls else "made-up URLs"
    out = [
        f"CPU time of one core of this machine over distinct URLs, {ROWS:,} a file, made of {what} by turning letters; "
        "the least of some rounds. The engines are measured end to end, by the CPU time of all processes, as what "
        f"four more files take beyond one: Spark's is {source['spark']}, Ray's {source['ray']}.",
        "",
        *tables(rates),
    ]
    print("\n".join(out))
    if options.update:
        put_block(PAGE, "scale", out)


if __name__ == "__main__":
    main()
