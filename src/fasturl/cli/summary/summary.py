"""A summary of inputs: counts by key, exact. What does not fit in memory goes to DuckDB, which spills it to disk."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import Any, Literal

import pyarrow as pa

from fasturl import SECRET_KEYS
from fasturl.arrow import compute as pc
from fasturl.cli import pipeline
from fasturl.cli.database import MEMORY, duckdb_module, open_database, runner
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.options import Selection
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.cli.summary import EPOCH, FINDING_BITS, Example, FoundThen, Key, Moment, Row, time_of
from fasturl.cli.summary.routes import RequestsByRoute
from fasturl.cli.summary.sums import HELD_BYTES, RULES, Sums
from fasturl.cli.summary.tables import MOMENTS, PROBE, STEPS, TABLES, TOTAL, by_route, columns, counted_tables
from fasturl.cli.summary.units import COUNTS, Partial, add_up, class_of, count, flagged_rows, set_findings_of, steps_of
from fasturl.logs.columns import Standard
from fasturl.logs.inputs.source import Source
from fasturl.logs.routes import Routes
from fasturl.logs.units import Unit

By = Literal["count", "size"]
Interval = Literal["minute", "5min", "15min", "hour", "day"]

_EVERYTHING = Selection()
_EXAMPLE_BYTES = 2048
_SHOWN = 3  # rejects and attacks
# The first distinct URLs of a finding, with what is known of each; by (is a referer, the finding's name).
_Found = dict[tuple[bool, str], dict[bytes, Any]]


class Summary(Output):
    """The counts of all units. Create it with `summarize`."""

    unit_lines = 1 << 16

    def __init__(
        self,
        sums: Sums,
        tables: tuple[str, ...],
        *,
        escapes: bool = True,
        examples: int = 0,
        standards: tuple[Standard, ...] = ("rfc1738",),
        zone: tzinfo | None = None,
        key: Key = "route",
        routes: Routes | None = None,
        hidden: Callable[[bytes], bytes] = bytes,
    ) -> None:
        super().__init__(Sink())
        self.counts = Counts()
        self._sums = sums
        self.by_route = RequestsByRoute(sums, learns=key == "route" and routes is None)
        self._tables = tuple(name for name in tables if name != TOTAL)
        self.has_findings = TOTAL in tables or bool(examples) or any(TABLES[name].member for name in self._tables)
        self.standards = standards
        self._count = partial(
            count,
            tables=counted_tables(self._tables),
            escapes=escapes,
            standard=standards[0],
            zone=zone,
            key=key if by_route(self._tables) else None,
            with_clients=PROBE in tables,
            with_moments=self.has_findings or any(TABLES[name].of_moments for name in self._tables),
        )
        self._hidden = hidden  # removes the secrets of a rejected line
        self._times: list[int] = []  # the first and last time
        self.rejects: list[Example] = []  # the first rejected lines
        self.attacks: list[Example] = []  # the first fields with an attack
        self.has_log = False  # True after an input that is a log
        self._referers = self._invalid_referers = 0
        self._examples_wanted = examples
        self._examples: _Found = {}
        # The findings that need more examples. Read from any thread.
        self._lacking = dict.fromkeys((False, True), 0xFFFFFFFF if examples else 0)

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        self.has_log = self.has_log or bool(details)
        with_urls = bool(self._examples_wanted)
        return columns(
            self._tables, self.standards, of_log=bool(details), findings=self.has_findings, with_urls=with_urls
        )

    def prepare(self, unit: Unit, only_valid: bool) -> tuple[str, Partial, _Found]:
        if self.has_findings:
            set_findings_of(unit, self.standards)
        counted = self._count(unit)
        counted.rejects = [(number, self._hidden(raw)) for number, raw in unit.rejects[:_SHOWN]]
        return unit.source.name, counted, self._examples_in(unit)

    def _examples_in(self, unit: Unit) -> _Found:
        """Return the URLs of a unit that may become examples, with their lines."""
        found: _Found = {}
        for of_referer, findings, line, url in flagged_rows(unit, self._lacking[False], self._lacking[True]):
            for name in _names_of(findings & self._lacking[of_referer]):
                there = found.setdefault((of_referer, name), {})
                if len(there) < self._examples_wanted:
                    there.setdefault(url, line)
        return found

    def write(self, prepared: tuple[str, Partial, _Found], size: int) -> None:
        file, counted, found = prepared
        self._referers += counted.referers
        self._invalid_referers += counted.invalid_referers
        for (of_referer, name), urls in found.items():
            there = self._examples.setdefault((of_referer, name), {})
            for url, line in urls.items():
                if len(there) < self._examples_wanted:
                    start = url[:_EXAMPLE_BYTES]
                    there.setdefault(start, Example(file, line, start))
            if len(there) >= self._examples_wanted:
                self._lacking[of_referer] &= ~(1 << FINDING_BITS[name])
        for shown, texts in ((self.attacks, counted.attacks), (self.rejects, counted.rejects)):
            shown += [Example(file, line, text[:_EXAMPLE_BYTES]) for line, text in texts[: _SHOWN - len(shown)]]
        if counted.times is not None:
            self._times = [min(*self._times, *counted.times), max(*self._times, *counted.times)]
        for name, batch in counted.batches.items():
            self._sums.insert(name, batch)

    def write_long(self, source: Source, number: int) -> None:
        if len(self.rejects) < _SHOWN:
            self.rejects.append(Example(source.name, number, b"(longer than --max-line)"))

    def finish(self) -> None:
        for table in (TABLES[name] for name in self._tables if TABLES[name].base):

            def derived(batch: pa.RecordBatch, rule: str = table.rule) -> pa.RecordBatch:
                keys = RULES[rule](batch[0])
                rows = pa.RecordBatch.from_arrays([keys, *batch.columns[1:]], names=batch.schema.names)
                return rows.filter(keys.is_valid())

            self._sums.derive(table.base, table.name, derived)

    def totals(self) -> dict[str, Any]:
        """Return the counts of lines, URLs (of a log: the targets of requests) and referers, and the bytes sent.

        Also of errors, with the share of requests that failed, and of visitors if their table is counted.
        """
        counts = self.counts
        told: dict[str, Any] = {
            "lines": counts.lines,
            "urls": counts.urls,
            "valid": counts.urls - counts.invalid,
            "invalid": counts.invalid,
            "rejected": counts.rejected,
            "empty": counts.empty,
        }
        if self.has_log:
            classes: dict[int | None, tuple[int, int]] = {
                key: (count, size) for key, count, size in self._moments(lambda rows: {"class": class_of(rows)})
            }
            client_errors, server_errors = (classes.get(status, (0, 0))[0] for status in (4, 5))
            told |= {
                "referers": self._referers,
                "valid_referers": self._referers - self._invalid_referers,
                "invalid_referers": self._invalid_referers,
                "size": sum(size for _, size in classes.values()),
                "client_errors": client_errors,
                "server_errors": server_errors,
                "error_share": round((client_errors + server_errors) / max(counts.urls, 1), 4),
            }
            if "visitor" in self._tables:
                told["visitors"] = self._sums.rows_of("visitor")
        return told

    def top(self, name: str, most: int | None, *, by: By = "count", sort: str | None = None) -> list[Row]:
        """Return the keys of a table with the largest counts or sums of bytes; all keys if `most` is None.

        sort : the figure by which the rows are sorted instead, of a table that counts by route
        Equal counts are sorted by key, and times by time.
        """
        table = TABLES[name]
        if table.sort and name in self._tables:
            return self.by_route.top(name, most, "size" if by == "size" and sort is None else sort)
        if name == PROBE and name in self._tables:
            return self.by_route.probes(most)
        if name in STEPS:
            times = self._times_of(name)
            figure = sort if sort in table.figures else ""
            order = (lambda row: -row.figures[figure]) if figure else (lambda row: -row.count)
            return times if sort is None else sorted(times, key=order)[:most]
        if not table.of_moments:
            return [Row(*row) for row in self._sums.top(name, most, "n" if by == "count" else "size")]
        if table.member:  # findings
            found: dict[bytes, list[int]] = {}
            for bits, count, size in self._moments(lambda rows: {"findings": rows[table.member]}):
                for finding in _names_of(bits or 0):
                    sums = found.setdefault(finding.encode(), [0, 0])
                    sums[:] = sums[0] + count, sums[1] + size
            rows = [Row(key, number, size) for key, (number, size) in found.items()]
        else:
            keys = _hours_of_day if name == "hour_of_day" else _statuses
            rows = [Row(key, number, size) for key, number, size in self._moments(keys) if key is not None]
        order = (lambda row: row.key) if name == "hour_of_day" else lambda row: (-_measure(row, by), row.key)
        return sorted(rows, key=order)[:most]

    def _times_of(self, name: str) -> list[Row]:
        """Return the requests by step of time, with their errors."""
        rows: dict[datetime, list[int]] = {}
        for moment in self.over_time(name):  # type: ignore[arg-type]
            if moment.start is not None:
                row = rows.setdefault(moment.start, [0, 0, 0, 0])
                counts = (moment.count, moment.size, *(moment.count * (moment.status_class == each) for each in (5, 4)))
                row[:] = map(int.__add__, row, counts)
        length = len("2026-01-05" if name == "day" else "2026-01-05 14:03")
        return [
            Row(f"{start}"[:length].encode(), count, size, {"server_errors": failed, "client_errors": refused})
            for start, (count, size, failed, refused) in rows.items()
        ]

    def peak(self) -> Row | None:
        """Return the first minute with most requests, or None without times. Its figure is `server_errors`."""
        found = self._sums.grouped(MOMENTS, lambda rows: {"minute": rows["minute"], "class": class_of(rows)})
        known = found and found.filter(found["minute"].is_valid())
        if not known:
            return None
        minutes = add_up([known.select(["minute", *COUNTS])])
        best = minutes.filter(pc.equal(minutes["n"], pc.max(minutes["n"])))
        place = pc.min(best["minute"])
        failed = known.filter(pc.and_(pc.equal(known["minute"], place), pc.equal(known["class"], 5)))
        key = f"{time_of(place.as_py())}"[:16].encode()
        return Row(key, int(best["n"][0].as_py()), 0, {"server_errors": int(pc.sum(failed["n"]).as_py() or 0)})

    def robots(self) -> float | None:
        """Return the share of the requests that robots sent, or None if they were not counted."""
        if "agent_purpose" not in self._tables or not (self.has_log and self.counts.urls):
            return None
        return round(sum(row.count for row in self.top("agent_purpose", None)) / self.counts.urls, 4)

    @property
    def period(self) -> tuple[datetime, datetime] | None:
        """The times of the first and last request, or None if no time is known."""
        moments = [EPOCH + timedelta(microseconds=time) for time in self._times]
        return (moments[0], moments[-1]) if moments else None

    def step(self, most: int) -> Interval:
        """Return the finest step of time in which the period has at most so many moments, or days."""
        first, last = self.period or (EPOCH, EPOCH)
        minutes = (last - first).total_seconds() / 60
        found: Any = next((name for name, step in STEPS.items() if minutes / step < most - 1), "day")
        return found  # type: ignore[no-any-return]

    def over_time(self, step: Interval = "hour") -> list[Moment]:
        """Return requests and bytes by step (UTC) and status class, sorted by time; without a time first."""
        found = self._moments(lambda rows: {"start": _start_of(rows, step), "class": class_of(rows)})
        moments = [Moment(time_of(start), status, count, size) for start, status, count, size in found]
        return sorted(moments, key=lambda each: (each.start or _FIRST, each.status_class or 9))

    def findings_over_time(self, step: Interval = "hour", *, referers: bool = False) -> list[FoundThen]:
        """Return the number of URLs, or referers, by finding and step (UTC), sorted by time and name."""
        column = "referer_findings" if referers else "findings"
        found: Counter[tuple[datetime | None, str]] = Counter()
        for start, bits, number, _ in self._moments(
            lambda rows: {"start": _start_of(rows, step), "findings": rows[column]}
        ):
            for name in _names_of(bits or 0):
                found[time_of(start), name] += number
        ordered = sorted(found.items(), key=lambda pair: (pair[0][0] or _FIRST, pair[0][1]))
        return [FoundThen(start, name, number) for (start, name), number in ordered]

    def examples(self, finding: str, *, referers: bool = False) -> list[Example]:
        """Return the first distinct URLs, or referers, with this finding."""
        return list(self._examples.get((referers, finding), {}).values())

    def _moments(self, keys_of: Callable[[pa.RecordBatch], dict[str, pa.Array]]) -> Iterator[tuple[Any, ...]]:
        return self._sums.grouped_rows(MOMENTS, keys_of)


def _hours_of_day(rows: pa.RecordBatch) -> dict[str, pa.Array]:
    minute = pc.subtract(rows["minute"], _start_of(rows, "day"))
    hour = pc.divide(minute, STEPS["hour"]).cast(pa.string())
    return {"hour": pc.utf8_lpad(hour, 2, "0").cast(pa.binary())}


def _statuses(rows: pa.RecordBatch) -> dict[str, pa.Array]:
    return {"status": rows["status"].cast(pa.string()).cast(pa.binary())}


_FIRST = datetime.min.replace(tzinfo=UTC)


def _measure(row: Row, by: By) -> int:
    return row.count if by == "count" else row.size


def _names_of(findings: int) -> list[str]:
    return [name for name, bit in FINDING_BITS.items() if findings >> bit & 1]


def _start_of(rows: pa.RecordBatch, step: str) -> pa.Array:
    """Return the first minute of the step of each row."""
    return pc.multiply(steps_of(rows["minute"], STEPS[step]), STEPS[step])


@contextlib.contextmanager
def summarize(
    reading: CommandInputs,
    tables: Iterable[str],
    *,
    selection: Selection = _EVERYTHING,
    command: str,
    memory: int = MEMORY,
    anonymize: str | None = None,
    **given: Any,
) -> Iterator[Summary]:
    """Read all inputs and count the selected rows in one pass.

    reading : the inputs; `reading.torn` is True afterwards if one broke off
    selection : the rows, and the keys to redact beside those of SECRET_KEYS
    tables : names of `TABLES` to count; with TOTAL, findings are counted too
    command : its name, for the message if DuckDB is not installed
    memory : bytes that the tables may use, by default 1 GiB; more data goes to a temporary directory
    anonymize : the value of `--anonymize-client`
    given : for Summary. escapes: True to write bytes of keys that are not UTF-8 as `%E9`; examples: URLs to keep per
        finding; zone: the time zone of times, by default UTC; standards: the standards whose findings are counted, of
        which the first says whether a URL is valid; key: "path" counts requests by path, and not by route
    """
    wanted = tuple(dict.fromkeys(tables))
    if unknown := set(wanted) - {*TABLES, TOTAL}:
        raise ValueError(f"there is no table {', '.join(sorted(unknown))}")
    with contextlib.ExitStack() as stack:
        steps = selection.steps(stack, command, reading)

        def connect() -> Callable[..., Any]:
            duckdb = duckdb_module(command)
            return runner(stack.enter_context(open_database(duckdb, reading.options.threads, memory)), duckdb, reading)

        changes = selection.changes(always=SECRET_KEYS, keeps_findings=True, anonymize=anonymize)
        assert changes is not None
        held = min(HELD_BYTES, memory // 4)
        summary = Summary(Sums(connect, held), wanted, routes=reading.options.routes, hidden=changes.reject, **given)
        pipeline.run(
            reading,
            summary.counts,
            summary,
            by_request=True,
            steps=steps,
            changes=changes,
            standard=summary.standards[0],
            shown=0,
            diagnosed=summary.has_findings,
        )
        yield summary
