"""Threads that share the rows of columns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

__all__ = ["processors", "run"]

_ROWS_A_THREAD = 1 << 15  # below this a thread costs more than it brings


class _Job(Protocol):
    @property
    def rows(self) -> int: ...

    def run(self, start: int, end: int, task: int) -> None: ...


def processors(threads: int | None) -> int:
    """How many threads to use: as many as asked for, or as there are processors for this process.

    >>> processors(3)
    3
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ValueError("threads must be at least 1")
    return threads


def run(jobs: Sequence[_Job], threads: int | None) -> None:
    """Have each job do all its rows, divided among threads at multiples of 64.

    >>> run([], threads=2)
    """
    total = 0
    for job in jobs:
        total += job.rows
    most = total // _ROWS_A_THREAD
    if most > 1:
        most = min(most, processors(threads))
    elif threads is not None and threads < 1:
        processors(threads)  # says that it is none
    if most <= 1:
        for job in jobs:
            job.run(0, job.rows, 0)
        return
    share = max(_ROWS_A_THREAD, -(-total // (most * 4))) + 63 & ~63
    with ThreadPoolExecutor(most) as pool:
        tasks = [
            pool.submit(job.run, start, min(start + share, job.rows), number)
            for job in jobs
            for number, start in enumerate(range(0, max(job.rows, 1), share))  # of no rows one, too
        ]
        for task in tasks:
            task.result()
