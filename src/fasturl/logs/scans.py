"""Jobs to units on threads, in the order of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from fasturl.logs.inputs.lines import LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.jobs import Beginnings, Job, Passing
from fasturl.logs.pool import Pool
from fasturl.logs.units import Unit


def finished(
    jobs: Iterable[Job | Passing],
    units: Pool,
    work: Callable[[Unit], Any],
    passed: Callable[[Source, LongLine], None] | None = None,
    checks: bool = True,
) -> Iterator[tuple[Unit, Any]]:
    """Each unit and what `work` makes of it on a thread. Lines that are too long are handed to `passed`, behind the
    units that come before them. Nothing waits for more of the input when somebody may look at what is there. `checks`:
    whether inputs begin here, and one of no record at all is an error.
    """
    beginnings = Beginnings()

    def run(job: Job) -> tuple[Unit, Any]:
        unit = job.run()
        return unit, work(unit)

    def checked(done: Iterable[tuple[Unit, Any]]) -> Iterator[tuple[Unit, Any]]:
        for unit, made in done:
            if checks:
                beginnings.check(unit)
            yield unit, made

    for job in jobs:
        if isinstance(job, Passing):
            if passed is not None:
                yield from checked(units.rest())
                passed(job.source, job.line)
            continue
        yield from checked(units.submit(partial(run, job)))
        if job.is_awaited:
            yield from checked(units.rest())
    yield from checked(units.rest())
