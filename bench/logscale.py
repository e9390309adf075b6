"""The whole job on engines: logs in, Parquet with all columns out, by the CPU time of all processes.

``python -m bench.logscale access.log`` measures ``read_logs`` of Spark and Ray on one core each, beside
``fasturl.logs.read`` with pyarrow's writer. ``--update docs/scale.md`` writes the table into that page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bench import table
from bench.scale import COUNTS, MORE, ray_on_one_processor, size_text, slope, spark_on_one_core

LINES = 1 << 18
_DIGITS = "bcdfghjklmnpqrstvwxz"
_GROUP = 1 << 17  # rows per row group
Write = Callable[[int, str], None]


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


def measure_alone(write: Write) -> float:
    import pyarrow.parquet as pq

    from fasturl import logs

    def run(source: str, target: str) -> None:
        with logs.read(source + "/*", threads=1) as reader, pq.ParquetWriter(target, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch, row_group_size=_GROUP)

    return slope(run, write, LINES)


def measure_reading(write: Write) -> float:
    from fasturl import logs

    def run(source: str, target: str) -> None:
        for _ in logs.read(source + "/*", threads=1):
            pass

    return slope(run, write, LINES)


def measure_spark(write: Write) -> float:
    from fasturl.engines import spark as engine

    with spark_on_one_core() as spark:
        return slope(lambda source, target: engine.read_logs(spark, source + "/*").write.parquet(target), write, LINES)


def measure_ray(write: Write) -> float:
    with ray_on_one_processor():
        from fasturl.engines import ray as engine

        return slope(lambda source, target: engine.read_logs(source + "/*").write_parquet(target), write, LINES)


WAYS: dict[str, tuple[str, Callable[[Write], float]]] = {
    "reading": ("`logs.read` alone, nothing written", measure_reading),
    "alone": ("`logs.read` and pyarrow's Parquet writer", measure_alone),
    "spark": ("Spark: `read_logs(...).write.parquet(...)`", measure_spark),
    "ray": ("Ray: `read_logs(...).write_parquet(...)`", measure_ray),
}


def main() -> None:
    parser = table.arguments_of("bench.logscale", __doc__)
    parser.add_argument("log", help="a log in combined format")
    parser.add_argument("--only", nargs="+", choices=list(WAYS), default=list(WAYS))
    options = parser.parse_args()

    def write(number: int, target: str) -> None:
        Path(target).write_bytes(b"\n".join(distinct(options.log, number)) + b"\n")

    octets = sum(map(len, distinct(options.log, 0))) / LINES + 1
    rows = []
    for name in options.only:
        what, measure = WAYS[name]
        ns = measure(write)
        rows.append([what, f"{ns:,.0f}", f"{1e9 / ns:,.0f}", f"{ns * COUNTS[0] / 3.6e12:,.2f} core-h"])
    out = [
        "CPU time of one core of this machine, of all processes, for each line of logs without two targets alike "
        f"({LINES:,} lines a file, {octets:.0f} octets a line, made of {Path(options.log).name}): what {MORE - 1} more "
        "files take beyond one, the least of some rounds. All columns, Snappy.",
        *("", *table.grid(["what", "ns a line", "lines a second of a core", "10⁹ lines"], rows)),
        *("", f"{COUNTS[0]:,} lines are {size_text(octets * COUNTS[0])}."),
    ]
    table.show(out)
    if options.update:
        table.paste(options.update, "logscale", out)


if __name__ == "__main__":
    main()
