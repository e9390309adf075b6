"""Each engine's own way to split URLs beside fasturl's adapter: ``python -m bench.engines --urls FILE``.

Both read the same column to six parts (scheme, host, port, path, query, fragment) and to the host only, on one thread:
processes with their own threads are bound to one CPU, and clusters have one task slot. An engine's own way is
its regex in one pass, Spark's ``try_parse_url``, or urllib's ``urlsplit`` row by row.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench import table
from bench.madeup import read_urls
from bench.scale import ray_on_one_processor, spark_on_one_core

PARTS = ["scheme", "host", "port", "path", "query", "fragment"]
HOST = r"^[A-Za-z][A-Za-z0-9+.\-]*://(?:[^/?#]*@)?([^/?#:]*)"
SPLIT = (
    r"^(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):)?(?://(?:[^/?#]*@)?(?P<host>[^/?#:]*)(?::(?P<port>[0-9]*))?)?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?$"
)
Way = tuple[str, Callable[[], object]]
STACK = ExitStack()


def by_urlsplit(urls: list[str]) -> dict[str, list[Any]]:
    rows = []
    for url in urls:
        try:
            parts = urlsplit(url)
            rows.append((parts.scheme, parts.hostname, parts.port, parts.path, parts.query, parts.fragment))
        except ValueError:
            rows.append((None,) * 6)
    return dict(zip(PARTS, map(list, zip(*rows, strict=True)), strict=True))


def polars_ways(urls: list[str]) -> Iterator[Way]:
    import polars as pl

    import fasturl.engines.polars  # noqa: F401 - it adds the namespace

    frame, u = pl.DataFrame({"u": urls}).lazy(), pl.col("u")
    yield "six parts: own regex", lambda: frame.select(u.str.extract_groups(SPLIT)).collect(engine="streaming")
    yield "six parts: fasturl", lambda: frame.select(u.url.parse(PARTS)).collect(engine="streaming")
    yield "host: own regex", lambda: frame.select(u.str.extract(HOST, 1)).collect(engine="streaming")
    yield "host: fasturl", lambda: frame.select(u.url.host()).collect(engine="streaming")


def pandas_ways(urls: list[str]) -> Iterator[Way]:
    import pandas as pd

    import fasturl.engines.pandas  # noqa: F401 - it adds the accessor

    series = pd.Series(urls, dtype="string[pyarrow]")
    compiled = re.compile(SPLIT)
    yield "six parts: own regex", lambda: series.str.extract(compiled)
    yield "six parts: urlsplit", lambda: pd.DataFrame(by_urlsplit(series.tolist()))
    yield "six parts: fasturl", lambda: series.url.parse(PARTS)
    yield "host: own regex", lambda: series.str.extract(HOST)
    yield "host: fasturl", lambda: series.url.host()


def duckdb_ways(urls: list[str]) -> Iterator[Way]:
    import duckdb
    import pyarrow as pa

    from fasturl.engines.duckdb import parse, register

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    register(connection)
    connection.register("given", pa.table({"u": urls}))
    connection.execute("CREATE TABLE urls AS FROM given")
    table = connection.table("urls")
    names = ", ".join(f"'{name}'" for name in PARTS)
    each = ", ".join(f"max({name})" for name in PARTS)
    regex = table.project(f"unnest(regexp_extract(u, '{SPLIT}', [{names}]))")
    ours = parse(table, "u", PARTS, connection=connection)
    yield "six parts: own regex", lambda: regex.aggregate(each).fetchall()
    yield "six parts: fasturl", lambda: ours.aggregate(each).fetchall()
    yield "host: own regex", lambda: table.aggregate(f"max(regexp_extract(u, '{HOST}', 1))").fetchall()
    yield "host: fasturl", lambda: table.aggregate("max(url_host(u))").fetchall()


def dask_ways(urls: list[str]) -> Iterator[Way]:
    import dask
    import dask.dataframe as dd
    import pandas as pd

    from fasturl.engines.dask import parse

    dask.config.set(scheduler="sync")
    frame = dd.from_pandas(pd.DataFrame({"u": pd.Series(urls, dtype="string[pyarrow]")}), npartitions=8).persist()
    meta = pd.DataFrame(by_urlsplit(["http://h:1/"])).iloc[:0]

    def split(part: Any) -> Any:
        return pd.DataFrame(by_urlsplit(part["u"].tolist()), index=part.index)

    yield "six parts: own regex", lambda: frame["u"].str.extract(SPLIT).compute()
    yield "six parts: urlsplit", lambda: frame.map_partitions(split, meta=meta).compute()
    yield "six parts: fasturl", lambda: parse(frame, "u", PARTS)[PARTS].compute()
    yield "host: own regex", lambda: frame["u"].str.extract(HOST).compute()
    yield "host: fasturl", lambda: frame["u"].url.host().compute()


def spark_ways(urls: list[str]) -> Iterator[Way]:
    from fasturl.engines.spark import parse, register

    spark = STACK.enter_context(spark_on_one_core(10_000))  # Spark's default batch
    spark.sparkContext.setLogLevel("OFF")
    register(spark)
    frame = spark.createDataFrame([(url,) for url in urls], "u string").repartition(8).cache()
    frame.count()

    def run(df: Any) -> Callable[[], object]:
        return lambda: df.write.format("noop").mode("overwrite").save()

    each = [f"try_parse_url(u, '{name}')" for name in ("PROTOCOL", "HOST", "AUTHORITY", "PATH", "QUERY", "REF")]
    groups = [f"regexp_extract(u, r'{SPLIT.replace('?P<', '?<')}', {n})" for n in range(1, 7)]
    yield "six parts: own try_parse_url", run(frame.selectExpr(*each))
    yield "six parts: own regex", run(frame.selectExpr(*groups))
    yield "six parts: fasturl", run(parse(frame, "u", PARTS))
    yield "host: own try_parse_url", run(frame.selectExpr("try_parse_url(u, 'HOST')"))
    yield "host: fasturl", run(parse(frame, "u", ["host"]))
    yield "host: fasturl in SQL", run(frame.selectExpr("url_host(u)"))


def ray_ways(urls: list[str]) -> Iterator[Way]:
    import pyarrow as pa

    ray = STACK.enter_context(ray_on_one_processor())
    from fasturl.engines.ray import parse

    ray.data.DataContext.get_current().enable_progress_bars = False
    dataset = ray.data.from_arrow(pa.table({"u": urls})).repartition(8).materialize()

    def split(table: pa.Table) -> pa.Table:
        return pa.table(by_urlsplit(table["u"].to_pylist()))

    own = dataset.map_batches(split, batch_format="pyarrow", batch_size=None)
    yield "six parts: urlsplit", lambda: own.materialize()
    yield "six parts: fasturl", lambda: parse(dataset, "u", PARTS).materialize()
    yield "host: fasturl", lambda: parse(dataset, "u", ["host"]).materialize()


_WAYS = (polars_ways, pandas_ways, duckdb_ways, dask_ways, spark_ways, ray_ways)
WAYS = {ways.__name__.removesuffix("_ways"): ways for ways in _WAYS}


def measure(engine: str, urls: list[str], repeat: int) -> None:
    if engine not in ("spark", "ray") and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    times: dict[str, list[float]] = {}
    ways = list(WAYS[engine](urls))
    for round_ in range(repeat + 1):  # the first warms up
        for label, way in ways:
            start = time.perf_counter()
            way()
            if round_:
                times.setdefault(label, []).append(time.perf_counter() - start)
    STACK.close()
    for label, rounds in times.items():
        rate = len(urls) / statistics.median(rounds) / 1e6
        print(f"| {engine} | {label} | {rate:.2f} | {1 / rate * 1000:.0f} |", flush=True)


def main() -> None:
    parser = table.arguments_of("bench.engines", __doc__, update=False)
    parser.add_argument("--urls", metavar="FILE", required=True, help="a file with one URL per line")
    parser.add_argument("--times", type=int, default=10, help="how often the file is repeated; default: %(default)s")
    parser.add_argument("--repeat", type=int, default=5, help="rounds; default: %(default)s")
    parser.add_argument("--only", nargs="+", choices=sorted(WAYS), default=list(WAYS))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        text = [url.encode("utf-8", "replace").decode() for url in read_urls(options.urls)]
        measure(options.only[0], text * options.times, options.repeat)
        return
    print("| engine | way | M rows/s | ns per row |\n|---|---|---:|---:|", flush=True)
    for engine in options.only:
        command = [sys.executable, "-m", "bench.engines", "--inside", "--urls", options.urls, "--only", engine]
        command += ["--times", str(options.times), "--repeat", str(options.repeat)]
        environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
        subprocess.run(command, env=environment, cwd=Path(__file__).parents[1], check=True)


if __name__ == "__main__":
    main()
