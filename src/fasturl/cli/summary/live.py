"""One line per interval about a log that grows."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any

from fasturl.cli.failure import Failure, signals
from fasturl.cli.inputs import plural
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.cli.summary.routes import RequestsByRoute
from fasturl.cli.summary.sums import HELD_BYTES, Sums
from fasturl.cli.summary.tables import FAILURES, MOMENTS, columns
from fasturl.cli.summary.text import key_text
from fasturl.cli.summary.units import Partial, class_of, count
from fasturl.logs.units import Unit


class Live(Output):
    """Writes one line per interval: its requests and errors, their p95, and the path template with most 5xx."""

    def __init__(self, sink: Sink, zone: tzinfo | None) -> None:
        super().__init__(sink)
        self._zone = zone
        self._parts: list[Partial] = []

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        return columns(("server_error",), ("rfc1738",), of_log=bool(details), findings=False, with_urls=False)

    def prepare(self, unit: Unit, only_valid: bool) -> Partial:
        return count(unit, [], escapes=True, standard="rfc1738", zone=None, key="route")

    def write(self, prepared: Partial, size: int) -> None:
        self._parts.append(prepared)

    def finish(self) -> None:
        if self._parts:
            self.write_line()

    def write_line(self) -> None:
        parts, self._parts = self._parts, []
        sums = Sums(_no_database, HELD_BYTES)
        for name, batch in (pair for part in parts for pair in part.batches.items()):
            sums.insert(name, batch)
        # The moments also have the requests without a path.
        statuses = {each: n for each, n, _ in sums.grouped_rows(MOMENTS, lambda rows: {"class": class_of(rows)})}
        failed = sums.grouped_rows(FAILURES, lambda rows: {name: rows[name] for name in ("key", "status")})
        failures = {key: n for key, status, n, _ in failed if status == 500}
        words = [plural(sum(statuses.values()), "request"), *(f"{n}xx {statuses.get(n, 0):,}" for n in (5, 4))]
        p95 = RequestsByRoute(sums, learns=False).durations()["p95"]
        words += [] if p95 is None else [f"p95 {p95:g} s"]
        words += [f"{key_text(max(failures, key=failures.__getitem__))} {max(failures.values()):,}"] if failures else []
        self.sink.write(
            "  ".join([f"{datetime.now(self._zone or UTC):%H:%M:%S}", *words, ""]).rstrip().encode() + b"\n"
        )


def _no_database() -> Any:
    raise Failure("--every: the interval has too many paths: choose a shorter one")


@contextlib.contextmanager
def timer(seconds: float, live: Live) -> Iterator[None]:
    """Write a line per interval, on this thread, also while it waits for input."""
    if not hasattr(signal, "setitimer"):
        raise Failure("--every: this system has no timer signals")

    def tick(*_: Any) -> None:
        if signals.woken is not None:
            os.read(signals.woken, 1)  # this signal's number; a reader would take it for the end
        live.write_line()

    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
