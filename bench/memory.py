"""The peak memory of the command line, by the size of a log.

``python -m bench.memory`` makes logs of 0.1, 0.5 and 2 GB (or ``--gb``) without two equal pages, runs each command on
them, and prints the table of bench/README.md. The query by path has one key per line under ``--memory``, so it must
spill: the table shows how much of its temporary directory was in use.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import table

LINE = (
    '192.0.2.%d - - [17/May/2015:%02d:%02d:%02d +0000] "GET /item/%d/page?q=%d&r=%%zz HTTP/1.1" 200 %d '
    '"http://r.example/from/%d?x=y" "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0"\n'
)
LIMIT = "256M"
BY_STATUS = "SELECT status, count(*), sum(size) FROM requests GROUP BY 1"
BY_PATH = "SELECT count(*), max(n) FROM (SELECT path, referer, count(*) AS n, sum(size) FROM requests GROUP BY ALL)"
COMMANDS: dict[str, Callable[[Path, Path], list[str]]] = {
    "parse to Parquet": lambda log, out: ["parse", str(log), "-o", str(out / "out.parquet")],
    "parse to JSON lines": lambda log, out: ["parse", str(log), "-o", os.devnull, "--to", "jsonl"],
    "stats": lambda log, out: ["stats", str(log)],
    "check": lambda log, out: ["check", str(log)],
    "sql, a row for each status": lambda log, out: ["sql", BY_STATUS, str(log)],
    f"sql, a row for each line, --memory {LIMIT}": lambda log, out: ["sql", BY_PATH, str(log), "--memory", LIMIT],
}


def lines(octets: int) -> Iterator[bytes]:
    """Yield blocks of a log of so many octets, without two equal pages."""
    number = done = 0
    while done < octets:
        block = "".join(
            LINE % (n % 254 + 1, n // 3600 % 24, n // 60 % 60, n % 60, n * 7919, n % 1000, n % 65536, n % 5003)
            for n in range(number, number + 50_000)
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
            except OSError:  # it was removed
                continue
    return total


def run(arguments: list[str], folder: Path) -> tuple[int, int]:
    """Return the peak memory of a command and the peak size of its temporary directory, in MB."""
    command = [sys.executable, "-m", "fasturl", *arguments]
    done, sizes = threading.Event(), [0]

    def watch() -> None:
        while not done.wait(0.05):
            sizes.append(folder_size(folder))

    watcher = threading.Thread(target=watch)
    environment, nowhere = {**os.environ, "TMPDIR": str(folder)}, subprocess.DEVNULL
    with subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=environment) as process:
        watcher.start()
        # This process is small, so the child's peak is its own.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    watcher.join()
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: status {process.returncode}")
    return usage.ru_maxrss >> 10, max(sizes) >> 20


def main() -> None:
    parser = table.arguments_of("bench.memory", __doc__)
    parser.add_argument("--gb", type=float, nargs="+", default=[0.1, 0.5, 2.0])
    options = parser.parse_args()
    rows: dict[str, list[str]] = {name: [name] for name in COMMANDS}
    with tempfile.TemporaryDirectory(prefix="fasturl-bench-") as name:
        folder, spill = Path(name), Path(name) / "spill"
        spill.mkdir()
        for size in options.gb:
            log = folder / "access.log"
            with log.open("wb") as out:
                out.writelines(lines(int(size * 1e9)))
            for what, arguments in COMMANDS.items():
                peak, spilled = run(arguments(log, folder), spill)
                rows[what].append(f"{peak:,}" + (f" ({spilled:,} on disk)" if spilled else ""))
    grid = table.grid(["command", *(f"{size:g} GB" for size in options.gb)], rows.values())
    page = [f"Peak memory in MB by size of the log, on {os.cpu_count()} cores:", "", *grid]
    table.show(page, "memory", options.update)


if __name__ == "__main__":
    main()
