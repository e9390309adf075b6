"""Work on several threads whose results come in the order it was given out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any


@contextmanager
def workers(threads: int) -> Iterator[ThreadPoolExecutor | None]:
    """Threads for pools; None for one thread, which is the caller's. What has not begun at the end is left undone."""
    executor = ThreadPoolExecutor(threads) if threads > 1 else None
    try:
        yield executor
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)


class Pool:
    """`submit` hands a task out and gives the results that are ready or must not wait longer, `rest` the others."""

    def __init__(self, executor: ThreadPoolExecutor | None, ahead: int) -> None:
        self._executor = executor
        self._ahead = ahead
        self._waiting: deque[Future[Any]] = deque()

    def submit(self, work: Callable[[], Any]) -> Iterator[Any]:
        if self._executor is None:
            yield work()
            return
        self._waiting.append(self._executor.submit(work))
        while self._waiting and (len(self._waiting) > self._ahead or self._waiting[0].done()):
            yield self._waiting.popleft().result()

    def rest(self) -> Iterator[Any]:
        while self._waiting:
            yield self._waiting.popleft().result()
