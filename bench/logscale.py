"""The whole job on engines: logs in, Parquet with all columns out, by the CPU time of all processes.

``python -m bench.logscale access.log`` measures ``read_logs`` of Spark and Ray on one core each, and beside them
``fasturl.logs.read`` with pyarrow's writer; ``--update`` puts the table into docs/scale.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.jobs import PAGE, put_block
from bench.scale import COUNTS, MORE, ray_on_one_processor, size_text, slope, spark_on_one_core

LINES = 1 << 18
_DIGITS = "bcdfghjklmnpqrstvwxz"
_BLOCK = 1 << 17  # rows a group


def distinct(path: str, number: int) -> list[bytes]:
    """LINES lines of a combined log, of which no two have the same target: each gets a segment of its own."""
    lines = Path(path).read_bytes().splitlines()
    found = []
    for at in range(number * LINES, (number + 1) * LINES):
        mixed, digits = at * 7_368_787 % 20**6, ""  # no factor in common with 20: no two are the same
        for _ in range(6):
            mixed, digit = divmod(mixed, 20)
            digits += _DIGITS[digit]
        request, slash, rest = lines[at % len(lines)].partition(b" /")
        found.append(request + slash + digits.encode() + b"/" + rest if slash else request)
    return found


def write(path: str) -> Callable[[int, str], None]:
    def to(number: int, target: str) -> None:
        Path(target).write_bytes(b"\n".join(distinct(path, number)) + b"\n")

    return to


def measure_alone(path: str) -> float:
    import pyarrow.parquet as pq

    from fasturl import logs

    def run(source: str, target: str) -> None:
        with logs.read(source + "/*", threads=1) as reader, pq.ParquetWriter(target, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch, row_group_size=_BLOCK)

    return slope(run, write(path), LINES)


def measure_reading(path: str) -> float:
    """Without a writer: what is the reader's own."""
    from fasturl import logs

    def run(source: str, target: str) -> None:
        for _ in logs.read(source + "/*", threads=1):
            pass

    return slope(run, write(path), LINES)


def measure_spark(path: str) -> float:
    from fasturl.engines import spark as engine

    with spark_on_one_core() as spark:
        return slope(
            lambda source, target: engine.read_logs(spark, source + "/*").write.parquet(target), write(path), LINES
        )


def measure_ray(path: str) -> float:
    with ray_on_one_processor():
        from fasturl.engines import ray as engine

        return slope(lambda source, target: engine.read_logs(source + "/*").write_parquet(target), write(path), LINES)


WAYS: dict[str, tuple[str, Callable[[str], float]]] = {
    "reading": ("`logs.read` alone, nothing written", measure_reading),
    "alone": ("`logs.read` and pyarrow's Parquet writer", measure_alone),
    "spark": ("Spark: `read_logs(...).write.parquet(...)`", measure_spark),
    "ray": ("Ray: `read_logs(...).write_parquet(...)`", measure_ray),
}


def table(path: str, only: list[str]) -> list[str]:
    octets = sum(map(len, distinct(path, 0))) / LINES + 1
    out = [
        "CPU time of one core of this machine, of all processes, for each line of logs without two targets alike "
        f"({LINES:,} lines a file, {octets:.0f} octets a line, made of {Path(path).name}): what {MORE - 1} more files "
        "take beyond one, the least of some rounds. All columns, Snappy.",
        "",
        "| what | ns a line | lines a second of a core | 10⁹ lines |",
        "|---|---:|---:|---:|",
    ]
    for name in only:
        what, measure = WAYS[name]
        ns = measure(path)
        print(f"{what}: {ns:,.0f} ns", flush=True)
        out.append(f"| {what} | {ns:,.0f} | {1e9 / ns:,.0f} | {ns * COUNTS[0] / 3.6e12:,.2f} core-h |")
    out += ["", f"{COUNTS[0]:,} lines are {size_text(octets * COUNTS[0])}."]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.logscale", description=__doc__)
    parser.add_argument("log", help="a log in combined format")
    parser.add_argument("--only", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--update", action="store_true", help=f"write the table into {PAGE.name}")
    options: Any = parser.parse_args()
    out = table(options.log, options.only)
    print("\n".join(out))
    if options.update:
        put_block(PAGE, "logscale", out)


if __name__ == "__main__":
    main()
