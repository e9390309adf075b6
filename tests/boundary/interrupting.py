"""Interrupt, share and abandon calls that work on threads: no thread is left, nothing hangs. ``interrupting.py NAME``
prints where the remaining threads are, one per line. It ends itself when a call hangs."""

import faulthandler
import gc
import itertools
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

import fasturl
from fasturl import arrow, logs
from fasturl.arrow import threads

_SECONDS = 60
_LINE = b'h - - [17/May/2015:10:05:03 +0200] "GET /a?b HTTP/1.1" 200 12 "http://r/" "x"\n'
COLUMN = pa.array(["http://user:pw@h.example:8080/a%20b?k=v#f"] * 100_000)
BLOCK = _LINE * 40_000
URLS = [f"http://h/{number}" for number in range(100_000)]


def batches() -> Iterator[Any]:
    return arrow.parse_batches([COLUMN], ["host"], threads=2, batch_rows=1 << 11)


def reader() -> Any:
    return logs.read([BLOCK], "COMBINED", ["path"], threads=2)


CALLS: dict[str, Callable[[], Any]] = {
    "parse": lambda: arrow.parse(COLUMN, threads=2),
    "batches": lambda: sum(batch.num_rows for batch in batches()),
    "logs": lambda: reader().read_all(),
    "parse_many": lambda: sum(1 for _ in fasturl.parse_many(URLS)),
    "extract": lambda: sum(1 for _ in fasturl.find_urls(b"x <URL:http://h/> " * 50_000)),
}


def interrupt() -> None:
    """Interrupt each call by Ctrl-C at random moments; afterwards it must give the same answer."""
    is_running = False

    def strike(*_: Any) -> None:
        nonlocal is_running
        if is_running:  # a signal that another thread got may come late
            is_running = False
            raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, strike)
    for function in CALLS.values():
        start = time.monotonic()
        answer = function()
        took = time.monotonic() - start
        for _ in range(12):
            try:
                is_running = True
                signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-4, took))
                function()
                is_running = False
            except KeyboardInterrupt:
                pass
            signal.setitimer(signal.ITIMER_REAL, 0)
        assert function() == answer


def share() -> None:
    """Advance one iterator from eight threads: each item goes to one thread, or Python reports that the iterator is in
    use."""
    sources: list[Callable[[], Any]] = [
        batches, reader, lambda: fasturl.parse_many(URLS), lambda: fasturl.find_urls(b"<URL:http://h/> " * 9_000),
    ]  # fmt: skip
    for source in sources:
        alone = sum(1 for _ in source())
        counts: list[int] = []
        shared = source()

        def count(shared: Any = shared, counts: list[int] = counts) -> None:
            done = 0
            try:
                for _ in shared:
                    done += 1
            except (ValueError, pa.ArrowInvalid) as error:
                assert "already executing" in str(error), error
            counts.append(done)

        group = [threading.Thread(target=count) for _ in range(8)]
        for thread in group:
            thread.start()
        for thread in group:
            thread.join()
        assert sum(counts) + sum(1 for _ in shared) <= alone
        assert len(counts) == 8


def drop() -> None:
    """Abandon iterators halfway: closed, dropped, dropped by another thread, or ended by their input."""
    halfway = [next(found) and found for found in (batches(), batches())]
    halfway.pop().close()  # type: ignore[attr-defined]
    closed = reader()
    closed.read_next_batch()
    closed.close()
    kept = [reader(), halfway.pop()]
    kept[0].read_next_batch()
    thread = threading.Thread(target=kept.clear)
    thread.start()
    thread.join()

    def fails(items: list[Any]) -> Iterator[Any]:
        yield from items
        raise ZeroDivisionError

    inputs: list[Callable[[], Any]] = [
        lambda: list(arrow.parse_batches(fails([COLUMN]), threads=2)),
        lambda: logs.read(fails([BLOCK]), "COMBINED", threads=2).read_all(),
        lambda: list(fasturl.parse_many(fails(URLS[:9]))),
    ]
    for read in inputs:
        try:
            read()
        except ZeroDivisionError:
            continue
        except pa.ArrowException as error:
            assert "ZeroDivisionError" in str(error), error
            continue
        raise AssertionError("no exception")


def threads_left() -> list[str]:
    """Return the current lines of all threads but the main one and the idle ones of the process's pool."""
    idle = 0 if threads._shared is None else len(threads._shared._ends)
    mine = threading.get_ident()
    lines = [
        f"{frame.f_code.co_filename}:{frame.f_lineno}" for one, frame in sys._current_frames().items() if one != mine
    ]
    return lines if len(lines) > idle else []


WAYS = {function.__name__: function for function in (interrupt, share, drop)}

if __name__ == "__main__":
    random.seed(1)
    sys.setswitchinterval(1e-6)
    faulthandler.dump_traceback_later(_SECONDS, exit=True)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    WAYS[sys.argv[1]]()
    gc.collect()
    for _ in itertools.takewhile(lambda _: threads_left(), range(50)):
        time.sleep(0.1)  # a thread that was told to end may need a moment
    print(*threads_left(), sep="\n", end="")
