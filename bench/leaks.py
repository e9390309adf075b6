"""Does a call that fails keep memory? Each public function, a million times, in a process of its own.

``python -m bench.leaks`` makes a million calls of each, by turns on each way to fail (``--calls`` takes another count),
and tells how many KiB the process then has more than after a warm-up. Writes out/leaks.json; exit status 1 when one has
LIMIT KiB more: a lost object a call would be tens of thousands.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fasturl

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 512
WARM = 5_000


class NoText(str):
    """A str whose methods fail: none may be asked for."""

    def encode(self, *arguments: Any, **options: Any) -> bytes:
        raise ZeroDivisionError


class Unreadable:
    """What fails wherever Python asks it something."""

    def __iter__(self) -> Iterator[str]:
        raise ZeroDivisionError

    def __len__(self) -> int:
        raise ZeroDivisionError

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError


LONE = "http://u:p@h/\ud800?\udcff=" + "\ud800" * 40
WRONG = "http://[u:p@h:x/ %?a=%zz#" + "\u20ac" * 40
# What is handed over: what is no text, what is no URL, what cannot be encoded, too little and too much.
FIRST: tuple[Any, ...] = (5, None, Unreadable(), NoText("http://h/%"), LONE, WRONG, WRONG.encode(), [5], (), "")
KEYWORDS: tuple[dict[str, Any], ...] = ({}, {"nonsense": 1}, {"form": "y"}, {"strict": True}, {"encoding": "no such"})
NOT_CALLED = {"install", "uninstall"}  # they change urllib for the whole process


def functions() -> dict[str, Callable[..., Any]]:
    public = {name: getattr(fasturl, name) for name in fasturl.__all__}
    return {
        name: function
        for name, function in public.items()
        if name[0].islower() and callable(function) and not inspect.ismodule(function) and name not in NOT_CALLED
    }


def attempts(function: Callable[..., Any]) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The calls of this function that raise."""
    failing = []
    for first in FIRST:
        for more in ((), (5,), (Unreadable(),), ("http://h/", object())):
            for keywords in KEYWORDS:
                try:
                    found = function(first, *more, **keywords)
                    if isinstance(found, Iterator):
                        list(found)  # it fails when it is asked
                except Exception:
                    failing.append(((first, *more), keywords))
    return failing


def resident() -> int:
    """KiB that the process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def kept(name: str, calls: int) -> tuple[int, int]:
    """How many ways to fail there are, and the KiB that all of them together keep."""
    function = functions()[name]
    ways = attempts(function)

    def run(number: int) -> None:
        for arguments, keywords in ways:
            for _ in range(number // len(ways)):
                try:
                    found = function(*arguments, **keywords)
                    if isinstance(found, Iterator):
                        list(found)
                except Exception:
                    pass
        gc.collect()

    if not ways:
        return 0, 0
    run(max(WARM, len(ways)))
    before = resident()
    run(calls)
    return len(ways), resident() - before


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.leaks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", help="the functions; all of them if none is named")
    parser.add_argument("--calls", type=int, default=1_000_000, help="of each function")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(*kept(options.names[0], options.calls))
        return 0
    names = options.names or sorted(functions())

    def measured(name: str) -> tuple[int, int]:
        command = [sys.executable, "-m", "bench.leaks", "--child", name, "--calls", str(options.calls)]
        ways, more = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        return int(ways), int(more)

    found: dict[str, tuple[int, int]] = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, result in zip(names, pool.map(measured, names), strict=True):
            found[name] = result
            print(f"{name}: {result[0]} ways to fail, {result[1]} KiB more after {options.calls} calls", flush=True)
    most = max(found, key=lambda name: found[name][1])
    row = [
        f"memory after {options.calls} calls that fail, of each of {len(found)} public functions",
        f"at most {found[most][1]} KiB more than after {WARM}",
        f"`python -m bench.leaks --calls {options.calls}`",
    ]
    ROOT.joinpath("out").mkdir(exist_ok=True)
    report = {"title": "Memory of calls that fail", "date": datetime.date.today().isoformat(), "rows": [row]}
    ROOT.joinpath("out/leaks.json").write_text(json.dumps(report, indent=2) + "\n")
    return int(any(more >= LIMIT for _, more in found.values()))


if __name__ == "__main__":
    sys.exit(main())
