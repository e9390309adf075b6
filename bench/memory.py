"""The most memory that the command line takes, by the size of a log.

``python -m bench.memory`` makes logs of 0.1, 0.5 and 2 GB (``--gb`` takes others), of which no two requests ask for the
same page, runs each command over them, and prints the table of docs/scale.md; ``--update`` puts it there. The query by
path has a key a line under ``--memory``, so that it must spill: how much of its temporary directory was used is told.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.jobs import PAGE, put_block

LINE = (
    '192.0.2.%d - - [17/May/2015:%02d:%02d:%02d +0000] "GET /item/%d/page?q=%d&r=%%zz HTTP/1.1" 200 %d '
    '"http://r.example/from/%d?x=y" "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0"\n'
)
LIMIT = "256M"
BY_PATH = "SELECT count(*), max(n) FROM (SELECT path, referer, count(*) AS n, sum(size) FROM requests GROUP BY ALL)"
COMMANDS: dict[str, Callable[[Path, Path], list[str]]] = {
    "parse to Parquet": lambda log, out: ["parse", str(log), "-o", str(out / "out.parquet")],
    "parse to JSON lines": lambda log, out: ["parse", str(log), "-o", os.devnull, "--to", "jsonl"],
    "stats": lambda log, out: ["stats", str(log)],
    "check": lambda log, out: ["check", str(log)],
    "sql, a row for each status": lambda log, out: [
        *("sql", "SELECT status, count(*), sum(size) FROM requests GROUP BY 1", str(log)),
    ],
    f"sql, a row for each line, --memory {LIMIT}": lambda log, out: ["sql", BY_PATH, str(log), "--memory", LIMIT],
}


def lines(octets: int) -> Iterator[bytes]:
    """Blocks of a log of so many octets."""
    number = done = 0
    while done < octets:
        block = "".join(
            [
                LINE % (n % 254 + 1, n // 3600 % 24, n // 60 % 60, n % 60, n * 7919, n % 1000, n % 65536, n % 5003)
                for n in range(number, number + 50_000)
            ]
        ).encode()
        number += 50_000
        done += len(block)
        yield block


def folder_size(folder: Path) -> int:
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(at, name)).st_blocks * 512
            except OSError:  # it is gone
                continue
    return total


def run(arguments: list[str], folder: Path) -> tuple[int, int]:
    """The peak of a command in MB, and the most that stood in its temporary directory."""
    command = [sys.executable, "-m", "fasturl", *arguments]
    done = threading.Event()
    most = 0

    def watch() -> None:
        nonlocal most
        while not done.wait(0.05):
            most = max(most, folder_size(folder))

    watcher = threading.Thread(target=watch)
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(folder)}
    ) as process:
        watcher.start()
        # This process is small, so the child's peak is its own.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    watcher.join()
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: status {process.returncode}")
    return usage.ru_maxrss >> 10, most >> 20


def table(sizes: list[float]) -> list[str]:
    """The lines of the table."""
    rows: dict[str, list[str]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory(prefix="fasturl-bench-") as name:
        folder, spill = Path(name), Path(name) / "spill"
        spill.mkdir()
        for size in sizes:
            log = folder / "access.log"
            with log.open("wb") as out:
                out.writelines(lines(int(size * 1e9)))
            for what, arguments in COMMANDS.items():
                peak, spilled = run(arguments(log, folder), spill)
                rows[what].append(f"{peak:,}" + (f" ({spilled:,} on disk)" if spilled else ""))
                print(f"{size} GB, {what}: {rows[what][-1]}", file=sys.stderr, flush=True)
    heads = [f"{size:g} GB" for size in sizes]
    return [
        f"| command | {' | '.join(heads)} |",
        "|---|" + "---:|" * len(heads),
        *(f"| {what} | {' | '.join(row)} |" for what, row in rows.items()),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gb", type=float, nargs="+", default=[0.1, 0.5, 2.0])
    parser.add_argument("--update", action="store_true", help="put the table into docs/scale.md")
    asked = parser.parse_args()
    made = [f"Peak memory in MB by size of the log, on {os.cpu_count()} cores:", "", *table(asked.gb)]
    print("\n".join(made))
    if asked.update:
        put_block(PAGE, "memory", made)


if __name__ == "__main__":
    main()
