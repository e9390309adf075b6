"""Divide the rows of columns, or the batches of a stream, among threads.

Columns share a pool of idle threads per process. A stream has separate threads while you read it.

Threads wait only for queues and locks that are written in C. When a KeyboardInterrupt comes inside a lock that is
written in Python, such as `threading.Condition`, the lock can stay locked, and then the program hangs.
"""

from __future__ import annotations

import atexit
import os
from _thread import allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from time import sleep
from typing import Any, Protocol
from weakref import ref

_ROWS_PER_THREAD = 1 << 15  # With fewer rows, a thread costs more than it saves.
# By default, use another thread only for this much work, because waking a thread costs about 0.1 ms.
_NS_PER_THREAD = 2_000_000
# The output of a piece stays in the cache of its thread until it is copied.
_PIECE_ROWS = 1 << 14
_PIECES_MAX = 256  # per array


class _Job(Protocol):
    @property
    def rows(self) -> int: ...

    @property
    def weight(self) -> int:
        """ns per row on a single thread. 0 disables threads by default, because the work would take far more CPU."""

    def run(self, start: int, end: int, task: int) -> None: ...


def processors(threads: int | None) -> int:
    """Return the number of threads to use. None means all processors that this process may use.

    >>> processors(3)
    3
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ValueError("threads must be at least 1")
    return threads


class Task:
    """A call on another thread. A single thread may wait for the result.

    >>> task = Task(lambda: 1)
    >>> task.run()
    >>> task.done, task.result()
    (True, 1)
    """

    __slots__ = ("_error", "_finished", "_result", "_work", "done")

    def __init__(self, work: Callable[[], Any]) -> None:
        self.done = False
        self._work = work
        self._result: Any = None
        self._error: BaseException | None = None
        self._finished = allocate_lock()  # held until the call has ended
        self._finished.acquire()

    def run(self) -> None:
        try:
            self._result = self._work()
        except BaseException as error:
            self._error = error
        finally:
            del self._work
            self.done = True
            self._finished.release()

    def wait(self) -> None:
        if not self.done:
            self._finished.acquire()

    def result(self) -> Any:
        """Wait, and return the call's result or raise the exception."""
        self.wait()
        error, self._error = self._error, None
        if error is not None:
            try:
                raise error
            finally:
                del error
        return self._result


class Workers:
    """Threads that run tasks in the order in which you submit them.

    >>> group = Workers(2)
    >>> group.submit(lambda: 2).result()
    2
    >>> group.close()
    """

    def __init__(self, count: int = 0) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()  # None asks the threads to end
        self._ends: list[Any] = []  # a lock per thread, which the thread adds, and releases at its end
        self._started = 0
        # A KeyboardInterrupt may come before `close`, so that nobody calls it. The threads would then wait forever,
        # because they hold the queue but not this object. So when this object is freed, the weak reference calls
        # `put(None, reference)`: the partial gives the item, and the reference lands in the parameter `block`, which
        # SimpleQueue ignores. No Python code runs in the callback, so no further interrupt can stop it.
        end: Any = partial(self._tasks.put, None)
        self._end = ref(self, end)
        self.grow(count)

    def grow(self, count: int) -> None:
        """Start threads until there are `count`. At the system's limit, there may be fewer, but at least 1."""
        while self._started < count:
            try:
                start_new_thread(_serve, (self._tasks, self._ends))
            except RuntimeError:
                if self._started:
                    return
                raise
            self._started += 1

    def submit(self, work: Callable[[], Any]) -> Task:
        task = Task(work)
        self._tasks.put(task)
        return task

    def close(self) -> None:
        """Cancel the tasks that have not begun, end the threads, and wait for them."""
        with suppress(Empty):
            while True:
                self._tasks.get_nowait()
        self._tasks.put(None)  # A thread that takes it puts it back for the next thread.
        # A thread adds its lock as its first step. Some threads may not have run yet, so there is no lock to wait for.
        # This takes microseconds, so yield the processor until then.
        while len(self._ends) < self._started:
            sleep(0)
        for ended in self._ends:
            ended.acquire()
        self._ends.clear()
        self._started = 0


def _serve(tasks: SimpleQueue[Task | None], ends: list[Any]) -> None:
    ended = allocate_lock()
    ended.acquire()
    ends.append(ended)
    try:
        while (task := tasks.get()) is not None:
            task.run()
            del task  # otherwise the result lives until the next task
        tasks.put(None)  # for the other threads
    finally:
        ended.release()


_shared: Workers | None = None  # the pool of `run`, with one thread fewer than the most that a call asked for


def _shared_workers(count: int) -> Workers:
    global _shared
    if _shared is None:
        _shared = Workers()
    _shared.grow(count)
    return _shared


def _forget_shared() -> None:
    global _shared
    _shared = None


@atexit.register
def _close_shared() -> None:
    if _shared is not None:
        _shared.close()
        _forget_shared()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_shared)  # a child has none of its parent's threads


@contextmanager
def workers(threads: int) -> Iterator[Workers | None]:
    """Yield threads, or None when the caller's thread does the work. The threads end with the block.

    After a fork inside the block, the child has no such threads and does not wait for them.
    """
    group = Workers(threads) if threads > 1 else None
    process = os.getpid()
    try:
        yield group
    finally:
        if group is not None and os.getpid() == process:
            group.close()


class Pool:
    """Run tasks on threads, and yield the results in task order.

    `submit` adds a task, and yields the results that are ready, or waits for the oldest if too many tasks are pending.
    `rest` yields the other results. Both raise RuntimeError in a forked process, which lacks the threads and shares the
    input with its parent.
    """

    def __init__(self, group: Workers | None, ahead: int) -> None:
        self._group = group
        self._ahead = ahead
        self._waiting: deque[Task] = deque()
        self._process = os.getpid()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise RuntimeError("this iterator belongs to the process that made it: make another one after a fork")

    def submit(self, work: Callable[[], Any]) -> Iterator[Any]:
        self._check_process()
        if self._group is None:
            yield work()
            self._check_process()
            return
        self._waiting.append(self._group.submit(work))
        while self._waiting and (len(self._waiting) > self._ahead or self._waiting[0].done):
            yield self._waiting.popleft().result()
            self._check_process()

    def rest(self) -> Iterator[Any]:
        self._check_process()
        while self._waiting:
            yield self._waiting.popleft().result()
            self._check_process()


def run(jobs: Sequence[_Job], threads: int | None) -> None:
    """Run each job on all rows. Split the rows among threads at multiples of 64.

    threads : the maximum number of threads, or None to use as many as the work can occupy
    The caller's thread works too, and waits for no thread that has not begun.

    >>> run([], threads=2)
    """
    total = work = 0
    for job in jobs:
        total += job.rows
        work += job.rows * job.weight
    count = total // _ROWS_PER_THREAD if threads is not None else work // _NS_PER_THREAD
    if count > 1:
        count = min(count, processors(threads))
    elif threads is not None and threads < 1:
        processors(threads)  # raises ValueError
    if count <= 1:
        for job in jobs:
            job.run(0, job.rows, 0)
        return
    pieces: deque[Callable[[], None]] = deque()
    for job in jobs:
        share = max(_PIECE_ROWS, -(-job.rows // _PIECES_MAX) + 63 & ~63)
        for number, start in enumerate(range(0, max(job.rows, 1), share)):  # one piece even without rows
            pieces.append(partial(job.run, start, min(start + share, job.rows), number))
    # A ticket per task for another thread. A thread must take a ticket before it works, and then reports its end in
    # `errors`. The caller takes back the tickets that are left, and waits for exactly the other tasks. So it never
    # waits for a thread that is still busy with another call.
    tickets = deque(range(count - 1))
    errors: SimpleQueue[BaseException | None] = SimpleQueue()
    group = _shared_workers(count - 1)
    try:
        for _ in range(count - 1):
            group.submit(partial(_help, pieces, tickets, errors))
        _drain(pieces)
    finally:
        pieces.clear()  # After an error or an interrupt, the other threads find no more work.
        begun = count - 1
        with suppress(IndexError):
            while True:
                tickets.pop()
                begun -= 1
        found = [error for error in (errors.get() for _ in range(begun)) if error is not None]
    if found:
        raise found[0]


def _drain(pieces: deque[Callable[[], None]]) -> None:
    while True:
        try:
            work = pieces.popleft()
        except IndexError:
            return
        work()


def _help(pieces: deque[Callable[[], None]], tickets: deque[int], errors: SimpleQueue[BaseException | None]) -> None:
    """Run pieces unless the caller has taken back the ticket, and report the end."""
    try:
        tickets.pop()
    except IndexError:
        return
    try:
        _drain(pieces)
    except BaseException as error:
        pieces.clear()
        errors.put(error)
    else:
        errors.put(None)
