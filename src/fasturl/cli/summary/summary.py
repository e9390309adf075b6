"""A summary of inputs: counts by key, exact, in DuckDB, which spills to disk what does not fit in its memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import Any, Literal

import pyarrow as pa

from fasturl import SECRET_KEYS
from fasturl.cli import pipeline
from fasturl.cli.database import duckdb_module, open_database, runner
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.options import Selection
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.cli.summary import FINDING_BITS, Example, FoundThen, Moment, Row
from fasturl.cli.summary.sums import PERCENTILES, Sums, with_findings
from fasturl.cli.summary.tables import TABLES, columns, counted_tables
from fasturl.cli.summary.units import MOMENTS, Partial, count, flagged_rows, set_findings_of
from fasturl.logs.columns import Standard
from fasturl.logs.inputs.source import Source
from fasturl.logs.units import Unit

By = Literal["count", "size"]
Interval = Literal["hour", "day"]

_EVERYTHING = Selection()
_HELD_BYTES = 64 << 20  # held before an insert into the database
_EXAMPLE_BYTES = 2048
_SHOWN = 3  # rejects and attacks
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The first distinct URLs of a finding, with what is known of each; by (is a referer, bit of the finding).
_Found = dict[tuple[bool, int], dict[bytes, Any]]
# The start of an hour or a day, in hours since 1970.
_STARTS = {"hour": "hour", "day": "(floor(hour / 24.0) * 24)::BIGINT"}


class Summary(Output):
    """The counts of all units. Create it with `summarize`."""

    unit_lines = 1 << 16

    def __init__(
        self,
        run: Callable[..., Any],
        tables: tuple[str, ...],
        escapes: bool,
        examples: int,
        standards: tuple[Standard, ...],
        zone: tzinfo | None,
        hidden: Callable[[bytes], bytes],
    ) -> None:
        super().__init__(Sink())
        self.counts = Counts()
        self._run = run
        self._database = Sums(run)
        self._tables = tables
        self.standards = standards
        self._count = partial(count, tables=counted_tables(tables), escapes=escapes, standard=standards[0], zone=zone)
        self._hidden = hidden  # removes the secrets of a rejected line
        self._times: list[int] = []  # the first and last time
        self.rejects: list[Example] = []  # the first rejected lines
        self.attacks: list[Example] = []  # the first fields with an attack
        self._held: dict[str, list[pa.RecordBatch]] = {}
        self._bytes_held = 0
        self.has_log = False  # True after an input that is a log
        self._referers = self._invalid_referers = 0
        self._examples_wanted = examples
        self._examples: _Found = {}
        # The findings that need more examples. Read from any thread.
        self._lacking = dict.fromkeys((False, True), 0xFFFFFFFF if examples else 0)

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        self.has_log = self.has_log or bool(details)
        return columns(self._tables, self.standards, of_log=bool(details), with_urls=bool(self._examples_wanted))

    def prepare(self, unit: Unit, only_valid: bool) -> tuple[str, Partial, _Found]:
        set_findings_of(unit, self.standards)
        counted = self._count(unit)
        counted.rejects = [(number, self._hidden(raw)) for number, raw in unit.rejects[:_SHOWN]]
        return unit.source.name, counted, self._examples_in(unit)

    def _examples_in(self, unit: Unit) -> _Found:
        """Return the URLs of a unit that may become examples, with their lines."""
        found: _Found = {}
        for of_referer, findings, line, url in flagged_rows(unit, self._lacking[False], self._lacking[True]):
            for bit in _bits(findings & self._lacking[of_referer]):
                there = found.setdefault((of_referer, bit), {})
                if len(there) < self._examples_wanted:
                    there.setdefault(url, line)
        return found

    def write(self, prepared: tuple[str, Partial, _Found], size: int) -> None:
        file, counted, found = prepared
        self._referers += counted.referers
        self._invalid_referers += counted.invalid_referers
        for (of_referer, bit), urls in found.items():
            there = self._examples.setdefault((of_referer, bit), {})
            for url, line in urls.items():
                if len(there) < self._examples_wanted:
                    start = url[:_EXAMPLE_BYTES]
                    there.setdefault(start, Example(file, line, start))
            if len(there) >= self._examples_wanted:
                self._lacking[of_referer] &= ~(1 << bit)
        for shown, texts in ((self.attacks, counted.attacks), (self.rejects, counted.rejects)):
            shown += [Example(file, line, text[:_EXAMPLE_BYTES]) for line, text in texts[: _SHOWN - len(shown)]]
        if counted.times is not None:
            self._times = [min(*self._times, *counted.times), max(*self._times, *counted.times)]
        for name, batch in counted.batches.items():
            self._hold(name, batch)
        if self._bytes_held >= _HELD_BYTES:
            self._hand_over()

    def write_long(self, source: Source, number: int) -> None:
        if len(self.rejects) < _SHOWN:
            self.rejects.append(Example(source.name, number, b"(longer than --max-line)"))

    def _hold(self, name: str, rows: pa.RecordBatch) -> None:
        if rows.num_rows:
            self._held.setdefault(name, []).append(rows)
            self._bytes_held += rows.nbytes

    def _hand_over(self) -> None:
        for name, batches in self._held.items():
            self._database.insert(name, pa.Table.from_batches(batches))
        self._held.clear()
        self._bytes_held = 0

    def finish(self) -> None:
        self._hand_over()
        self._database.add_up_all()
        tables = [TABLES[name] for name in self._tables]
        for base in dict.fromkeys(table.base for table in tables):
            if base in self._database:
                self._database.derive(base, [table for table in tables if table.base == base])

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
            failed = (f"sum(n) FILTER (status // 100 = {status})::HUGEINT" for status in (4, 5))
            sums = self._ask(f"SELECT sum(size)::HUGEINT, {', '.join(failed)} FROM {MOMENTS}") or [(0, 0, 0)]
            size, client_errors, server_errors = (found or 0 for found in sums[0])
            told |= {
                "referers": self._referers,
                "valid_referers": self._referers - self._invalid_referers,
                "invalid_referers": self._invalid_referers,
                "size": size,
                "client_errors": client_errors,
                "server_errors": server_errors,
                "error_share": round((client_errors + server_errors) / max(counts.urls, 1), 4),
            }
            if "visitor" in self._tables:
                told["visitors"] = self._rows_of("visitor")
        return told

    def top(self, name: str, most: int | None, *, by: By = "count") -> list[Row]:
        """Return the keys of a table with the largest counts or sums of bytes; all keys if `most` is None.

        Equal counts are sorted by key, the hours of the day by hour, and durations by their counts.
        """
        table = TABLES[name]
        query = self._database.query(table)
        if query is None:
            return []
        order = table.order or f"{'n' if by == 'count' else 'size'} DESC, key"
        limit = "" if most is None or order == "key" else f"LIMIT {most}"
        found = self._run(f"FROM ({query}) ORDER BY {order} {limit}")
        return [
            Row(bytes(key), count, size, dict(zip(PERCENTILES, ranks, strict=False)))
            for key, count, size, *ranks in found
        ]

    @property
    def period(self) -> tuple[datetime, datetime] | None:
        """The times of the first and last request, or None if no time is known."""
        moments = [_EPOCH + timedelta(microseconds=time) for time in self._times]
        return (moments[0], moments[-1]) if moments else None

    def over_time(self, step: Interval = "hour") -> list[Moment]:
        """Return requests and bytes by hour or day (UTC) and status class, sorted by time; without a time first."""
        start = _STARTS[step]
        status = "CASE WHEN status BETWEEN 100 AND 599 THEN status // 100 END"
        found = self._ask(
            f"SELECT {start} AS start, {status} AS class, sum(n)::HUGEINT, sum(size)::HUGEINT FROM {MOMENTS} "
            "GROUP BY ALL ORDER BY start NULLS FIRST, class NULLS LAST"
        )
        return [Moment(_time(hour), status, count, size) for hour, status, count, size in found]

    def findings_over_time(self, step: Interval = "hour", *, referers: bool = False) -> list[FoundThen]:
        """Return the number of URLs, or referers, by finding and hour or day (UTC), sorted by time and name."""
        found = self._ask(
            f"SELECT {_STARTS[step]} AS start, name, sum(n)::HUGEINT FROM {with_findings(referers)} "
            "GROUP BY ALL ORDER BY start NULLS FIRST, name"
        )
        return [FoundThen(_time(hour), name, count) for hour, name, count in found]

    def examples(self, finding: str, *, referers: bool = False) -> list[Example]:
        """Return the first distinct URLs, or referers, with this finding."""
        return list(self._examples.get((referers, FINDING_BITS[finding]), {}).values())

    def _ask(self, query: str) -> list[tuple[Any, ...]]:
        return list(self._run(query)) if MOMENTS in self._database else []

    def _rows_of(self, table: str) -> int:
        return int(self._run(f"SELECT count(*) FROM {table}")[0][0]) if table in self._database else 0


def _time(hour: int | None) -> datetime | None:
    try:
        return None if hour is None else _EPOCH + timedelta(hours=hour)
    except OverflowError:  # a zone can lead out of the years that datetime supports
        return None


def _bits(findings: int) -> list[int]:
    return [bit for bit in range(32) if findings >> bit & 1]


@contextlib.contextmanager
def summarize(
    reading: CommandInputs,
    tables: Iterable[str],
    *,
    selection: Selection = _EVERYTHING,
    command: str,
    memory: int | None = None,
    escapes: bool = True,
    examples: int = 0,
    zone: tzinfo | None = None,
    standards: tuple[Standard, ...] = ("rfc1738",),
) -> Iterator[Summary]:
    """Read all inputs and count the selected rows in one pass.

    reading : the inputs; `reading.torn` is True afterwards if one broke off
    selection : the rows, and the keys to redact beside those of SECRET_KEYS
    tables : names of `TABLES` to count
    command : its name, for the message if DuckDB is not installed
    memory : bytes that DuckDB may use, by default 1 GiB; more data goes to a temporary directory
    escapes : True to write bytes of keys that are not UTF-8 as `%E9`
    examples : URLs to keep per finding
    zone : the time zone of hours and days, by default UTC
    standards : the standards whose findings are counted. A URL is valid by the first
    """
    duckdb = duckdb_module(command)
    wanted = tuple(dict.fromkeys(tables))
    if unknown := set(wanted) - set(TABLES):
        raise ValueError(f"there is no table {', '.join(sorted(unknown))}")
    with contextlib.ExitStack() as stack:
        steps = []
        if selection.condition is not None:
            from fasturl.cli.sqltables import where_step

            steps.append(where_step(stack, selection, command, reading, by_request=True))
        connection = stack.enter_context(open_database(duckdb, reading.options.threads, memory))

        run = runner(connection, duckdb, reading)
        changes = selection.changes(always=SECRET_KEYS, keeps_findings=True)
        assert changes is not None
        summary = Summary(run, wanted, escapes, examples, standards, zone, changes.reject)
        pipeline.run(
            reading,
            summary.counts,
            summary,
            by_request=True,
            steps=steps,
            changes=changes,
            standard=standards[0],
            shown=0,
        )
        yield summary
