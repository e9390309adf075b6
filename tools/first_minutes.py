"""Measure what a new user waits for: an installation, an import, and commands that do almost nothing.

    python tools/first_minutes.py                     the fasturl of this Python, with the extra cli
    python tools/first_minutes.py --wheel FILE        also: from this wheel to a first table, in an empty environment

Each row is the best of several runs: processor time, and elapsed time. Exit status 1: a row took more than five times
its goal of processor time. A busy machine alone does not make that much.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import ROOT, fail

RUNS = 9
FAR = 5
LINE = '127.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 7 "-" "a"\n'
# In milliseconds.
GOALS = {
    "from the wheel to a first table": 20_000.0,
    "import fasturl, beyond urllib.parse": 6.0,
    "fasturl --version": 40.0,
    "one line to JSON lines": 80.0,
    "one line to Parquet": 150.0,
}
IMPORT = """
import time, urllib.parse
began = time.perf_counter(), time.process_time()
import fasturl
print((time.process_time() - began[1]) * 1000, (time.perf_counter() - began[0]) * 1000)
"""
# Milliseconds of processor time, and elapsed.
Times = tuple[float, ...]


def run(command: list[str | Path], text: str = "") -> str:
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True)
    if done.returncode:
        fail(f"{command} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def measure(*commands: list[str | Path], text: str = "") -> Times:
    before, began = os.times(), time.perf_counter()
    for command in commands:
        run(command, text)
    after, ended = os.times(), time.perf_counter()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return used * 1000, (ended - began) * 1000


def best(times: list[Times]) -> Times:
    return tuple(map(min, zip(*times, strict=True)))


def first_table(wheel: Path, folder: Path) -> Times:
    """Return the time from an empty environment to a table of a log's paths."""
    log, environment = folder / "access.log", folder / "empty"
    log.write_text(LINE * 10_000, encoding="utf-8")
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    install: list[str | Path] = [programs / "python", "-m", "pip", "install", "-q", f"{wheel}[cli]"]
    show: list[str | Path] = [programs / "fasturl", "stats", "--table", "status_path", log]
    return measure([sys.executable, "-m", "venv", environment], install, show)


def measured(wheel: Path | None) -> dict[str, Times]:
    fasturl: list[str | Path] = [sys.executable, "-m", "fasturl"]
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if wheel:
            found["from the wheel to a first table"] = first_table(wheel, folder)
        imports = [tuple(map(float, run([sys.executable, "-c", IMPORT]).split())) for _ in range(RUNS)]
        found["import fasturl, beyond urllib.parse"] = best(imports)
        commands: dict[str, tuple[list[str | Path], str]] = {
            "fasturl --version": ([*fasturl, "--version"], ""),
            "one line to JSON lines": ([*fasturl, "parse", "--to", "jsonl"], LINE),
            "one line to Parquet": ([*fasturl, "parse", "-o", folder / "a.parquet"], LINE),
        }
        for what, (command, text) in commands.items():
            found[what] = best([measure(command, text=text) for _ in range(RUNS)])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wheel", type=lambda name: Path(name).resolve(), help="a wheel that fits this Python")
    os.chdir(ROOT.anchor)  # no module of the checkout may stand before an installed one
    found = measured(parser.parse_args().wheel)
    print(f"| {'what':<35} | processor, ms | elapsed, ms | goal, ms |\n|{'-' * 37}|---:|---:|---:|")
    for what, (used, elapsed) in found.items():
        print(f"| {what:<35} | {used:,.1f} | {elapsed:,.1f} | {GOALS[what]:,.0f} |")
    far = [what for what, (used, _) in found.items() if used > FAR * GOALS[what]]
    if far:
        print(f"first_minutes: more than {FAR} times the goal: {', '.join(far)}", file=sys.stderr)
    return bool(far)


if __name__ == "__main__":
    sys.exit(main())
