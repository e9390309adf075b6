"""Helpers that several folders share: other processes, threads that start together, and the peak memory."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any


def run_python(*arguments: Any, **how: Any) -> str:
    """Run this interpreter with these arguments; return its standard output. It must succeed."""
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, **how)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    return done.stdout


def outcomes_of_threads(*works: Callable[[], Any]) -> list[Any]:
    """Start all functions together, each in its thread; return the result or the exception of each."""
    gate = threading.Barrier(len(works))
    found: list[Any] = [None] * len(works)

    def run(index: int) -> None:
        gate.wait()
        try:
            found[index] = works[index]()
        except BaseException as error:
            found[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def run_in_threads(*works: Callable[[], Any]) -> None:
    """Start all functions together, each in its thread; none may raise."""
    failures = [found for found in outcomes_of_threads(*works) if isinstance(found, BaseException)]
    assert not failures, failures


def peak() -> int:
    """Return the peak memory in KiB. On Linux, getrusage starts with the parent's peak before exec, so that a child of
    a large test run could take as much unnoticed. So /proc is read where it exists."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


def importing() -> dict[str, str]:
    """Return an environment in which a script finds the modules of this folder and of this process."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}


def measured() -> dict[str, str]:
    """Return the same without AddressSanitizer's quarantine, in which freed memory would still count as used."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return {**importing(), "ASAN_OPTIONS": f"{options}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}


def check_hostile_columns(script: Path, *arguments: str, least: int) -> None:
    """Run a script that reads hostile columns. It prints each column's name before it reads it, and "wrong" answers."""
    command = [sys.executable, "-W", "ignore", str(script), *arguments]
    run = subprocess.run(command, capture_output=True, text=True, env=importing())
    lines = run.stdout.splitlines()
    assert [line for line in lines if line.startswith("wrong")] == []
    assert run.returncode == 0, (lines[-1:], run.stderr[-1000:])
    assert len(lines) > least
