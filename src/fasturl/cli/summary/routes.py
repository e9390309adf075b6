"""Requests by route: their errors, durations, probes, and how two summaries differ."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.cli.summary import Change, Row, time_of
from fasturl.cli.summary.sums import Sums
from fasturl.cli.summary.tables import DURATIONS, FAILURES, PERCENTILES, PROBES, REQUESTS, TABLES
from fasturl.cli.summary.units import COUNTS, each_row
from fasturl.logs.routes import Routes, learn_counts

# Only the routes with the largest usual figure are sorted by another one, or compared.
_CANDIDATES = 10_000
_LEARNED = 1 << 15  # templates that teach routes: the most frequent ones, and as many of the others
_RANKED = {"server_errors": (500, 599), "not_found": (404, 404), "requests": None}


def _widen(known: dict[Any, list[int]], key: Any, minute: int | None) -> None:
    """Let the first and the last minute of a key span this one."""
    if minute is not None:
        first, last = known.get(key, (minute, minute))
        known[key] = [min(first, minute), max(last, minute)]


@dataclass(eq=False, repr=False)
class _Route:
    """What is known of a route. `statuses` has the requests and bytes per status, `times` the minutes of errors."""

    statuses: dict[int | None, tuple[int, int]] = field(default_factory=dict)
    times: dict[int, list[int]] = field(default_factory=dict)
    lengths: list[tuple[float, int]] = field(default_factory=list)
    micros: int = 0

    def add(self, duration: float, count: int, micros: int) -> None:
        self.lengths.append((duration, int(count)))
        self.micros += int(micros)

    @cached_property
    def durations(self) -> list[tuple[float, int]]:
        """The durations in their order, each with the number of requests that take no longer."""
        self.lengths.sort()
        upto = accumulate(count for _, count in self.lengths)
        return [(duration, count) for (duration, _), count in zip(self.lengths, upto, strict=True)]

    def count(self, name: str) -> tuple[int, int]:
        """Return how many requests `name` counts, and the bytes sent for them."""
        low, high = _RANKED[name] or (0, 0)
        found = [pair for status, pair in self.statuses.items() if not high or low <= (status or 0) <= high]
        return sum(count for count, _ in found), sum(size for _, size in found)

    def percentile(self, percent: int) -> float | None:
        if not self.durations:
            return None
        total = self.durations[-1][1]
        return self.durations[bisect_left(self.durations, total * percent, key=lambda pair: pair[1] * 100)][0]

    def share_above(self, seconds: float) -> float:
        """Return the share of requests that take longer."""
        place = bisect_right(self.durations, seconds, key=lambda pair: pair[0])
        return 1 - (self.durations[place - 1][1] if place else 0) / self.durations[-1][1]

    def figures(self, of: str) -> dict[str, Any]:
        """Return all figures; `of` names the requests whose share and times they tell."""
        found: dict[str, Any] = {name: self.count(name)[0] for name in _RANKED}
        found["share"] = round(found[of] / found["requests"], 4) if found["requests"] else 0.0
        found |= {name: self.percentile(int(name[1:])) for name in PERCENTILES}
        found["seconds"] = round(self.micros / 1e6, 3) if self.durations else None
        times = self.times.get({"server_errors": 500, "not_found": 404}.get(of, 0), [])
        return found | {"first": time_of(times[0]) if times else None, "last": time_of(times[-1]) if times else None}


class RequestsByRoute:
    """The requests of a summary by route, or by path."""

    def __init__(self, sums: Sums, *, learns: bool) -> None:
        self.sums = sums
        self._learns = learns
        self._is_assigned = False

    def learned(self) -> Routes:
        """Return the routes that the templates of the requests teach. Those that only get status 404 teach nothing."""

        def answered(batch: pa.RecordBatch) -> pa.RecordBatch:
            return batch.filter(pc.fill_null(pc.not_equal(batch["status"], 404), True)).select(["key", *COUNTS])

        if not self._learns:
            return Routes.learn(pa.array([], pa.binary()))
        self.sums.derive(REQUESTS, "answered", answered)
        counts = self.sums.sample("answered", _LEARNED)
        return learn_counts(pa.table([pa.array([*counts], pa.binary()), [*counts.values()]], ["key", "n"]))

    def assign(self, routes: Routes) -> None:
        """Add up the requests by these routes. A path without one keeps its template."""
        self._is_assigned = True

        def renamed(batch: pa.RecordBatch) -> pa.RecordBatch:
            keys = batch["key"]
            if self._learns and len(routes):
                keys = pc.coalesce(routes.match(keys).cast(pa.binary()), keys)
            return pa.RecordBatch.from_arrays([keys, *batch.columns[1:]], names=batch.schema.names)

        for name in (REQUESTS, FAILURES, DURATIONS):
            self.sums.derive(name, f"{name}_by_route", renamed)

    def _assign_learned(self) -> None:
        if not self._is_assigned:
            self.assign(self.learned())

    def _ranked(self, by: str, most: int | None) -> list[bytes]:
        """Return the routes with the largest figure: a number of requests, or the sum of the durations."""
        self._assign_learned()
        base = DURATIONS if by == "seconds" else REQUESTS

        def ranked(batch: pa.RecordBatch) -> pa.RecordBatch:
            if limits := _RANKED.get(by):
                low, high = limits
                wanted = pc.and_(pc.greater_equal(batch["status"], low), pc.less_equal(batch["status"], high))
                batch = batch.filter(pc.fill_null(wanted, False))
            return batch.select(["key", *COUNTS])

        name = f"ranked_by_{by}"
        self.sums.derive(f"{base}_by_route", name, ranked)
        return [key for key, _, _ in self.sums.top(name, most, "size" if by == "seconds" else "n")]

    def _details(self, keys: list[bytes]) -> dict[bytes, _Route]:
        """Return what is known of some routes."""
        found: dict[bytes, _Route] = {key: _Route() for key in keys}
        for key, status, _, count, size in self._rows(f"{REQUESTS}_by_route", keys):
            before = found[key].statuses.get(status, (0, 0))
            found[key].statuses[status] = before[0] + int(count), before[1] + int(size)
        for key, kind, minute, _, _ in self._rows(f"{FAILURES}_by_route", keys):
            _widen(found[key].times, kind, minute)
        for key, duration, count, micros in self._rows(f"{DURATIONS}_by_route", keys):
            found[key].add(duration, count, micros)
        return found

    def _rows(self, name: str, keys: list[bytes]) -> Any:
        """Yield the rows of a table with these keys."""
        wanted = pa.array(keys, pa.binary())
        for batch in self.sums.batches(name):
            yield from each_row(batch.filter(pc.is_in(batch["key"], wanted)))

    def top(self, name: str, most: int | None, sort: str | None) -> list[Row]:
        """Return the rows of a table of routes."""
        table = TABLES[name]
        sort = sort or table.sort
        is_usual = sort in (table.sort, "count")
        keys = self._ranked(table.sort, most if is_usual else _CANDIDATES)
        rows = []
        for key, route in self._details(keys).items():
            of = "requests" if table.sort == "seconds" else table.sort
            count, size = route.count(of)
            rows.append(Row(key, count, size, route.figures(of)))
        if not is_usual:

            def order(row: Row) -> tuple[bool, float, bytes]:
                value = row.size if sort == "size" else row.figures[sort]
                return value is None, -(value or 0), row.key

            rows.sort(key=order)
        named = (Row(row.key, row.count, row.size, {each: row.figures[each] for each in table.figures}) for row in rows)
        return [*named][:most]

    def durations(self) -> dict[str, float | None]:
        """Return the percentiles of all durations, and their sum; None without durations."""
        whole = _Route()
        for row in self.sums.grouped_rows(DURATIONS, lambda rows: {"duration": rows["duration"]}):
            whole.add(*row)
        figures = whole.figures("requests")
        return {name: figures[name] for name in (*PERCENTILES, "seconds")}

    def fetched(self, purposes: Sequence[str], most: int | None) -> list[Row]:
        """Return the routes that robots with these purposes ask for, with their requests."""
        self._assign_learned()
        wanted = pa.array([purpose.encode() for purpose in purposes], pa.binary())

        def of_robots(batch: pa.RecordBatch) -> pa.RecordBatch:
            return batch.filter(pc.is_in(batch["purpose"], wanted)).select(["key", *COUNTS])

        self.sums.derive(f"{REQUESTS}_by_route", "fetched", of_robots)
        return [Row(*row) for row in self.sums.top("fetched", most)]

    def probes(self, most: int | None, *, of_robots: bool = False) -> list[Row]:
        """Return the paths that get no status but 404, with the visitors that ask for them.

        of_robots : return the paths that only robots ask for instead, without times
        """
        zero = pa.scalar(0, pa.uint64())

        def split(batch: pa.RecordBatch) -> pa.RecordBatch:
            is_missing = pc.fill_null(pc.equal(batch["status"], 404), False)
            is_probe = batch["purpose"].is_valid() if of_robots else is_missing
            counts = batch["n"].cast(pa.uint64())
            columns = [batch["key"], pc.if_else(is_probe, counts, zero), pc.if_else(is_probe, zero, counts)]
            return pa.RecordBatch.from_arrays(columns, names=["key", *COUNTS])

        def only(batch: pa.RecordBatch) -> pa.RecordBatch:
            return batch.filter(pc.equal(batch["size"].cast(pa.uint64()), zero))

        name = "robots" if of_robots else "missing"
        self.sums.derive(REQUESTS, name, split)  # its second count is that of the other requests
        self.sums.derive(name, f"only_{name}", only)
        found = {key: count for key, count, _ in self.sums.top(f"only_{name}", most)}
        clients: dict[bytes, Counter[bytes]] = defaultdict(Counter)
        sizes: Counter[bytes] = Counter()
        for key, client, count, size in self._rows(PROBES, [*found]):
            sizes[key] += int(size)
            if client is not None:
                clients[key][client] += int(count)
        minutes: dict[bytes, list[int]] = {}
        for key, _, minute, _, _ in () if of_robots else self._rows(FAILURES, [*found]):
            _widen(minutes, key, minute)
        rows = []
        for key, count in found.items():
            usual = min(clients[key].items(), key=lambda pair: (-pair[1], pair[0]), default=(None, 0))
            when = [time_of(minute) for minute in minutes.get(key, ())] or [None, None]
            figures = {"clients": len(clients[key]), "client": usual[0], "first": when[0], "last": when[-1]}
            rows.append(Row(key, count, sizes[key], figures))
        return rows


def compare(old: RequestsByRoute, new: RequestsByRoute, most: int | None) -> list[Change]:
    """Return the routes of two summaries, those that got worse first. Both get the routes that both teach."""
    routes = Routes.merge([old.learned(), new.learned()])
    old.assign(routes)
    new.assign(routes)
    keys = [*dict.fromkeys(key for each in (new, old) for key in each._ranked("requests", _CANDIDATES))]
    before, after = (each._details(keys) for each in (old, new))
    changes = []
    for key in keys:
        was, is_ = before[key], after[key]
        figures = [{name: route.figures("server_errors")[name] for name in ("requests", "share", "p95")}
                   for route in (was, is_)]  # fmt: skip
        worse = figures[1]["requests"] * max(0.0, figures[1]["share"] - figures[0]["share"])
        if was.durations and is_.durations:
            slow = figures[0]["p95"]
            worse = max(worse, is_.durations[-1][1] * (is_.share_above(slow) - was.share_above(slow)))
        changes.append(Change(key, round(worse, 1), *figures))
    changes.sort(key=lambda change: (-change.worse, -change.new["requests"], change.key))
    return changes[:most]
