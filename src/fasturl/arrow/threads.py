"""Divide the rows of columns, or the batches of a stream, among threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

__all__ = ["Pool", "processors", "run", "workers"]

_ROWS_A_THREAD = 1 << 15  # With fewer rows, a thread costs more than it saves.


class _Job(Protocol):
    @property
    def rows(self) -> int: ...

    def run(self, start: int, end: int, task: int) -> None: ...


def processors(threads: int | None) -> int:
    """Return the number of threads to use: the given number or, for None, the processors of this process.

    >>> processors(3)
    3
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ValueError("threads must be at least 1")
    return threads


@contextmanager
def workers(threads: int) -> Iterator[ThreadPoolExecutor | None]:
    """Yield an executor, or None for one thread, which is the caller's. At the end, cancel tasks that have not started.

    A process that was forked meanwhile does not wait for the threads, because it does not have them.
    """
    executor = ThreadPoolExecutor(threads) if threads > 1 else None
    process = os.getpid()
    try:
        yield executor
    finally:
        if executor is not None and os.getpid() == process:
            executor.shutdown(cancel_futures=True)


class Pool:
    """Run tasks on threads, and yield their results in the order of the tasks.

    `submit` adds a task, and yields the results that are ready, or waits for the oldest if too many tasks are pending.
    `rest` yields the other results. Both raise RuntimeError in a forked process, which lacks the threads and shares the
    input with its parent.
    """

    def __init__(self, executor: ThreadPoolExecutor | None, ahead: int) -> None:
        self._executor = executor
        self._ahead = ahead
        self._waiting: deque[Future[Any]] = deque()
        self._process = os.getpid()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise RuntimeError("this iterator belongs to the process that made it: make another one after a fork")

    def submit(self, work: Callable[[], Any]) -> Iterator[Any]:
        self._check_process()
        if self._executor is None:
            yield work()
            self._check_process()
            return
        self._waiting.append(self._executor.submit(work))
        while self._waiting and (len(self._waiting) > self._ahead or self._waiting[0].done()):
            yield self._waiting.popleft().result()
            self._check_process()

    def rest(self) -> Iterator[Any]:
        self._check_process()
        while self._waiting:
            yield self._waiting.popleft().result()
            self._check_process()


def run(jobs: Sequence[_Job], threads: int | None) -> None:
    """Run each job on all its rows. Split the rows among threads at multiples of 64.

    >>> run([], threads=2)
    """
    total = 0
    for job in jobs:
        total += job.rows
    count = total // _ROWS_A_THREAD
    if count > 1:
        count = min(count, processors(threads))
    elif threads is not None and threads < 1:
        processors(threads)  # raises ValueError
    if count <= 1:
        for job in jobs:
            job.run(0, job.rows, 0)
        return
    share = max(_ROWS_A_THREAD, -(-total // (count * 4))) + 63 & ~63
    with workers(count) as executor:
        assert executor is not None
        tasks = [
            executor.submit(job.run, start, min(start + share, job.rows), number)
            for job in jobs
            for number, start in enumerate(range(0, max(job.rows, 1), share))  # one task even without rows
        ]
        for task in tasks:
            task.result()
