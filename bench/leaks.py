"""Check that calls that fail keep no memory: each public function, a million times, in its own process.

``python -m bench.leaks`` makes ``--calls`` calls of each function, spread over all ways to fail, and prints how many
KiB the process has more than after a warm-up. Exit status 1: a function has LIMIT KiB more. One lost object per call
would be tens of thousands of KiB.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fasturl

LIMIT = 512
WARM = 5_000


class NoText(str):
    """A str with a method that fails: no function may call it."""

    def encode(self, *arguments: Any, **options: Any) -> bytes:
        raise ZeroDivisionError


class Unreadable:
    """An object whose methods all fail."""

    def __iter__(self) -> Iterator[str]:
        raise ZeroDivisionError

    def __len__(self) -> int:
        raise ZeroDivisionError

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError


LONE = "http://u:p@h/\ud800?\udcff=" + "\ud800" * 40
WRONG = "http://[u:p@h:x/ %?a=%zz#" + "\u20ac" * 40
# Wrong arguments: of another type, not a URL, not encodable, too few, too many.
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


def fails(function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    try:
        found = function(*arguments, **keywords)
        if isinstance(found, Iterator):
            list(found)  # an iterator fails later
    except Exception:
        return True
    return False


def attempts(function: Callable[..., Any]) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Return the calls of this function that raise."""
    calls = (
        ((first, *more), keywords)
        for first in FIRST
        for more in ((), (5,), (Unreadable(),), ("http://h/", object()))
        for keywords in KEYWORDS
    )
    return [call for call in calls if fails(function, *call)]


def resident() -> int:
    """Return the KiB that the process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def kept(name: str, calls: int) -> tuple[int, int]:
    """Return the number of ways to fail, and the KiB that all of them keep."""
    function = functions()[name]
    ways = attempts(function)

    def run(number: int) -> None:
        for arguments, keywords in ways:
            for _ in range(number // len(ways)):
                fails(function, arguments, keywords)
        gc.collect()

    if not ways:
        return 0, 0
    run(max(WARM, len(ways)))
    before = resident()
    run(calls)
    return len(ways), resident() - before


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.leaks", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="the functions; default: all")
    parser.add_argument("--calls", type=int, default=1_000_000, help="of each function; default: %(default)s")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(*kept(options.names[0], options.calls))
        return 0
    names = options.names or sorted(functions())

    def measured(name: str) -> list[int]:
        command = [sys.executable, "-m", "bench.leaks", "--child", name, "--calls", str(options.calls)]
        return list(map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()))

    leaks = False
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, (ways, more) in zip(names, pool.map(measured, names), strict=True):
            print(f"{name}: {ways} ways to fail, {more} KiB more after {options.calls} calls", flush=True)
            leaks = leaks or more >= LIMIT
    return int(leaks)


if __name__ == "__main__":
    sys.exit(main())
