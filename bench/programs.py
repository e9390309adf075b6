"""``python -m bench.programs FOLDER``: what ``fasturl.install()`` gives programs that it does not change.

    python -m bench.programs FOLDER                        what one line gives, program by program
    python -m bench.programs FOLDER --update docs/install.md   and put the table between that page's markers
    python -m bench.programs FOLDER --suites               the programs' own tests of URLs, with and without

FOLDER is made on the first run and kept: an environment with the newest releases of the programs that pip gives, and
their source archives for the tests. A program that is not to be had is left out, with a line that says so. Each work is
done in two processes, with install() and without, that take turns; a figure is the least of its rounds, in CPU time. A
third process counts, with FASTURL_COUNT, the calls of compiled functions, and those handed to urllib's own.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from bench.table import grid, share, times
from bench.works import SUITES, WORKS

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


UNDER_INSTALL = """
import json, runpy, sys
sys.argv = sys.argv[1:]
ways = sys.argv.pop(1)
if ways == "with":
    import fasturl
    from bench.programs import counts, since
    before = counts()
    fasturl.install()
try:
    runpy.run_module("pytest", run_name="__main__")
finally:
    if ways == "with":
        print("COUNTS", json.dumps(since(before)))
"""


def suites(folder: Path) -> list[str]:
    rows = []
    for suite in SUITES:
        archives = folder / "archives" / suite.package
        if not archives.exists():
            command = ["pip", "download", "-q", "--no-deps", "--no-binary", suite.package, "-d"]
            subprocess.run(
                [str(folder / "env/bin/python"), "-m", *command, str(archives), suite.package],
                stderr=subprocess.DEVNULL,
            )
            for archive in archives.glob("*.tar.gz"):
                subprocess.run(["tar", "xzf", str(archive), "-C", str(archives)], check=True)
        sources = [path for path in archives.glob("*/") if path.is_dir()]
        if not sources:
            print(f"{suite.package}: no source archive", file=sys.stderr)
            continue
        ends, calls, handed_on = [], 0, {}
        for way in ("without", "with"):
            command = [str(folder / "env/bin/python"), "-c", UNDER_INSTALL, "pytest", way]
            command += ["-q", "-p", "no:cacheprovider", *suite.arguments]
            done = subprocess.run(command, cwd=sources[0], capture_output=True, text=True,
                                  env=environment({"FASTURL_COUNT": "1"}))  # fmt: skip
            lines = done.stdout.splitlines()
            ends.append(next((line.partition(" in ")[0] for line in reversed(lines) if " in " in line), "nothing ran"))
            counted = [line for line in lines if line.startswith("COUNTS ")]
            if counted:
                calls, handed_on = json.loads(counted[-1].removeprefix("COUNTS "))
        part = sum(handed_on.values()) / calls if calls else 0.0
        rows.append((suite.package, *ends, str(calls), share(part)))
        print(*rows[-1], handed_on, sep="  ", file=sys.stderr)
    return grid(("suite", "without", "with", "calls", "handed on"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.programs", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suites", action="store_true", help="run the programs' own tests")
    parser.add_argument("--update", type=Path, metavar="PAGE", help="put the table between a page's markers")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(int(options.child[0]), options.child[1])
    folder = options.folder.resolve()
    packages = [work.package for work in WORKS if work.package]
    install_programs(folder, packages + [name for suite in SUITES for name in (suite.package, *suite.needs)])
    lines = suites(folder) if options.suites else gains(folder)
    print("\n".join(lines))
    if options.update:
        text = options.update.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        options.update.write_text("\n".join([before + BEGIN, "", *lines, "", END + after]), encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
