"""Jobs to units on threads, in the order of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from fasturl.logs.inputs.lines import LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.jobs import Beginnings, Job, Passing
from fasturl.logs.pool import Pool
from fasturl.logs.units import Unit


def finished(
    jobs: Iterable[Job | Passing],
    threads: int,
    work: Callable[[Unit], Any],
    passed: Callable[[Source, LongLine], None] | None = None,
) -> Iterator[tuple[Unit, Any]]:
    """Each unit and what `work` makes of it on a thread. Lines that are too long are handed to `passed`."""
    beginnings = Beginnings()
    executor = ThreadPoolExecutor(threads) if threads > 1 else None
    units = Pool(executor, threads)

    def run(job: Job) -> tuple[Unit, Any]:
        unit = job.run()
        return unit, work(unit)

    try:
        for job in jobs:
            if isinstance(job, Passing):
                if passed is not None:
                    passed(job.source, job.line)
                continue
            for unit, made in units.submit(partial(run, job)):
                beginnings.check(unit)
                yield unit, made
        for unit, made in units.rest():
            beginnings.check(unit)
            yield unit, made
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)
