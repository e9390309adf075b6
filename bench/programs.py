"""``python -m bench.programs FOLDER``: what ``fasturl.install()`` gives programs that it does not change.

    python -m bench.programs FOLDER                        what one line gives, program by program
    python -m bench.programs FOLDER --update docs/install.md   and put the table between that page's markers

FOLDER is made on the first run and kept: an environment with the newest releases of the programs that pip gives. Their
own tests are run by tools/dependents.py. A program that is not to be had is left out, with a line that says so. Each
work is done in two processes, with install() and without, that take turns; a figure is the least of its rounds, in CPU
time. A third process counts, with FASTURL_COUNT, the calls of compiled functions, and those handed to urllib's own.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from bench.table import grid, share, times
from bench.works import WORKS

BEGIN = "<!-- programs: begin (written by python -m bench.programs --update) -->"
END = "<!-- programs: end -->"
ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 15


def child(at: int, way: str) -> None:
    """Do one work in rounds, one for each line that comes in."""
    import fasturl

    work = WORKS[at]
    if way != "without":
        fasturl.install()
    names: dict[str, object] = {}
    exec(work.setup, names)
    exec(f"def once():\n    {work.call}", names)
    once = names["once"]
    once()  # type: ignore[operator]
    before = counts()
    for line in sys.stdin:
        count = int(line)
        start = time.thread_time_ns()
        for _ in range(count):
            once()  # type: ignore[operator]
        print((time.thread_time_ns() - start) / count, flush=True)
    if way == "counted":
        print(json.dumps(since(before)), flush=True)


def counts() -> tuple[int, dict[str, int]]:
    """Calls of compiled functions, and by name those handed to urllib's own: some of them by fasturl's own import."""
    from fasturl import _installing, _originals

    return sum(_installing.called().values()), _originals.handed_on()


def since(before: tuple[int, dict[str, int]]) -> tuple[int, dict[str, int]]:
    calls, handed_on = counts()
    more = {name: count - before[1].get(name, 0) for name, count in handed_on.items()}
    return calls - before[0], {name: count for name, count in more.items() if count}


def start(folder: Path, at: int, way: str) -> "subprocess.Popen[str]":
    command = [str(folder / "env/bin/python"), "-m", "bench.programs", str(folder), "--child", str(at), way]
    more = {"FASTURL_COUNT": "1"} if way == "counted" else {}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, text=True, env=environment(more), **pipes)


def environment(more: dict[str, str]) -> dict[str, str]:
    import fasturl

    paths = [str(ROOT), str(Path(fasturl.__file__ or "").parent.parent)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


def ask(process: "subprocess.Popen[str]", count: int) -> float:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{count}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def gain(folder: Path, at: int) -> tuple[float, float, int, dict[str, int]]:
    """Microseconds without and with; calls of compiled functions in a round, and those handed on."""
    both = {way: start(folder, at, way) for way in ("without", "with")}
    count = max(1, int(20e6 / ask(both["without"], 20)))
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for way, process in both.items():
            best[way] = min(best.get(way, float("inf")), ask(process, count))
    for process in both.values():
        process.communicate()
    counted = start(folder, at, "counted")
    calls, handed_on = json.loads(counted.communicate("100\n")[0].splitlines()[-1])
    return best["without"] / 1000, best["with"] / 1000, calls, handed_on


def install_programs(folder: Path, packages: list[str]) -> None:
    python = folder / "env/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    for package in sorted({"pytest", *packages}):
        done = subprocess.run([str(python), "-m", "pip", "install", "-q", package], capture_output=True, text=True)
        if done.returncode:
            print(f"{package}: pip does not give it", file=sys.stderr)


def gains(folder: Path) -> list[str]:
    rows = []
    for at, work in enumerate(WORKS):
        try:
            without, with_it, calls, handed_on = gain(folder, at)
        except (ValueError, IndexError, BrokenPipeError):
            print(f"{work.name}: it does not run here", file=sys.stderr)
            continue
        part = sum(handed_on.values()) / calls if calls else 0.0
        rows.append((work.name, work.what, f"{without:.1f}", f"{with_it:.1f}", times(without / with_it),
                     f"{calls / 100:.1f}", share(part)))  # fmt: skip
        print(*rows[-1], *handed_on, sep="  ", file=sys.stderr)
    return grid(("program", "work", "without, µs", "with, µs", "gain", "calls", "handed on"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.programs", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--update", type=Path, metavar="PAGE", help="put the table between a page's markers")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(int(options.child[0]), options.child[1])
    folder = options.folder.resolve()
    install_programs(folder, [work.package for work in WORKS if work.package])
    lines = gains(folder)
    print("\n".join(lines))
    if options.update:
        text = options.update.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        options.update.write_text("\n".join([before + BEGIN, "", *lines, "", END + after]), encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
