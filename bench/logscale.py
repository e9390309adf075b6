"""The jobs of a day's logs on engines: core-hours per TB, by the CPU time of all processes.

``python -m bench.logscale access.log`` measures ``read_logs`` of Spark and Ray on one core each, beside one process.
``--update docs/scale.md`` writes the table into that page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import table
from bench.scale import MORE, ray_on_one_processor, slope, spark_on_one_core

LINES = 1 << 18
_DIGITS = "bcdfghjklmnpqrstvwxz"
_GROUP = 1 << 17  # rows per row group
Run = Callable[[str, str], Any]


def distinct(path: str, number: int) -> list[bytes]:
    """Return LINES lines of a combined log without two equal targets: each gets its own first segment."""
    lines = Path(path).read_bytes().splitlines()
    found = []
    for at in range(number * LINES, (number + 1) * LINES):
        mixed, digits = at * 7_368_787 % 20**6, ""  # coprime to 20, so all are different
        for _ in range(6):
            mixed, digit = divmod(mixed, 20)
            digits += _DIGITS[digit]
        request, slash, rest = lines[at % len(lines)].partition(b" /")
        found.append(request + slash + digits.encode() + b"/" + rest if slash else request)
    return found


# The columns that each job reads, by the job's name on the page.
FOUR = ["time", "status", "size", "path"]
JOBS: dict[str, list[str] | None] = {
    "all columns to Parquet": None,
    "four columns (`time`, `status`, `size`, `path`) to Parquet": FOUR,
    "all columns of the rows with `status >= 400` to Parquet": None,
    "a count per `status`": ["status"],
}
ALL, SOME, ERRORS, COUNT = JOBS


@contextmanager
def one_process(job: str) -> Iterator[Run]:
    import polars as pl
    import pyarrow.parquet as pq

    from fasturl import logs
    from fasturl.engines.polars import scan_logs

    def write(source: str, target: str) -> None:
        with (
            logs.read(source, fields=JOBS[job], threads=1) as reader,
            pq.ParquetWriter(target, reader.schema) as writer,
        ):
            for batch in reader:
                writer.write_batch(batch, row_group_size=_GROUP)

    def errors(source: str, target: str) -> None:
        scan_logs(source).filter(pl.col("status") >= 400).collect().write_parquet(target, compression="snappy")

    def count(source: str, target: str) -> None:
        scan_logs(source).group_by("status").len().collect()

    yield {ERRORS: errors, COUNT: count}.get(job, write)


def counted(table: Any) -> Any:
    return table.group_by("status").aggregate([([], "count_all")])


@contextmanager
def ray(job: str) -> Iterator[Run]:
    with ray_on_one_processor():
        from fasturl.engines.ray import read_logs

        def run(source: str, target: str) -> None:
            rows = read_logs(source, fields=JOBS[job])
            if job == COUNT:
                rows.map_batches(counted, batch_format="pyarrow", batch_size=None).take_all()
            else:
                (rows.filter(expr="status >= 400") if job == ERRORS else rows).write_parquet(target)

        yield run


@contextmanager
def spark(job: str) -> Iterator[Run]:
    from fasturl.engines.spark import read_logs

    with spark_on_one_core() as session:

        def run(source: str, target: str) -> None:
            rows = read_logs(session, source, fields=JOBS[job])
            if job == COUNT:
                rows.groupBy("status").count().collect()
            else:
                (rows.where("status >= 400") if job == ERRORS else rows).write.parquet(target)

        yield run


WAYS = {"one process": one_process, "Ray": ray, "Spark": spark}


def main() -> None:
    parser = table.arguments_of("bench.logscale", __doc__)
    parser.add_argument("log", help="a log in combined format")
    parser.add_argument("--only", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--jobs", nargs="+", type=int, choices=range(len(JOBS)), default=range(len(JOBS)))
    options = parser.parse_args()

    def write(number: int, target: str) -> None:
        Path(target).write_bytes(b"\n".join(distinct(options.log, number)) + b"\n")

    octets = sum(map(len, distinct(options.log, 0))) / LINES + 1
    rows = []
    for job in (list(JOBS)[number] for number in options.jobs):
        rows.append([job])
        for name in options.only:
            with WAYS[name](job) as run:
                ns = slope(run, write, LINES)
            rows[-1].append(f"{ns / octets / 3.6:.2f} ({ns:,.0f} ns)")
    out = [
        *table.grid(["core-hours per TB of log (CPU time per line)", *options.only], rows),
        "",
        f"CPU time of all processes on one core: what {MORE - 1} more files take beyond one, the least of some rounds. "
        f"{LINES:,} lines per file, {octets:.0f} bytes per line, no two targets alike, Snappy.",
    ]
    table.show(out, "logscale", options.update)


if __name__ == "__main__":
    main()
