"""Tables of keys with counts and bytes, and the tables derived from their keys.

Rows are added up as they come. Small tables stay in memory. Larger ones go to DuckDB, which spills them to disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.arrow import file_extension, first_segment, path_template, registrable_domain
from fasturl.cli.summary.tables import DURATIONS, FAILURES, MOMENTS, PROBES, REQUESTS
from fasturl.cli.summary.units import COUNTS, add_up, each_row, lower

_MIN_ROWS = 4 << 20  # a smaller table is not added up before the end
HELD_BYTES = 64 << 20  # held in memory, at the most
_BATCHES_AT_ONCE = 8
_KEYS = {
    MOMENTS: "minute, status, findings, referer_findings",
    REQUESTS: "key, status, purpose",
    FAILURES: "key, status, minute",
    DURATIONS: "key, duration",
    PROBES: "key, client",
}
_KEYS |= {f"{name}_by_route": _KEYS[name] for name in (REQUESTS, FAILURES, DURATIONS)}
Change = Callable[[pa.RecordBatch], pa.RecordBatch]


def _paths(column: pa.Array) -> pa.Array:
    """Set paths that do not start with a slash to null: they have no segments."""
    return pc.if_else(pc.starts_with(column, "/"), column, None)


def _extensions(paths: pa.Array) -> pa.Array:
    return lower(file_extension(_paths(paths), form="request-target", threads=1))


def _domains(hosts: pa.Array) -> pa.Array:
    """Return registrable domains. Without one, or without the list of suffixes, return the host.

    The host of a log may have a port, which is not part of the domain.
    """
    hosts = pc.replace_substring_regex(hosts, r"^([^:]*):[0-9]{1,5}$", r"\1")
    try:
        return pc.coalesce(registrable_domain(hosts, form="host", threads=1), hosts)
    except ModuleNotFoundError:
        return hosts


# Files that a server sends as they are.
_STATIC = (
    "avif bmp css csv doc docx eot flac gif gz ico jpeg jpg js json map mjs mp3 mp4 ogg otf pdf png ppt pptx rar svg "
    "tar tgz tif tiff ttf txt wasm wav webm webmanifest webp woff woff2 xls xlsx xml zip"
)


def _by_kind(paths: pa.Array, *, static: bool) -> pa.Array:
    """Set the paths to null that are, or are not, those of static files."""
    found = pc.is_in(_extensions(paths), pa.array(_STATIC.encode().split(), pa.binary()))
    return pc.if_else(found if static else pc.invert(found), paths, None)


# Make the keys of a table of those of its base.
RULES: dict[str, Callable[[pa.Array], pa.Array]] = {
    "template": lambda paths: path_template(_paths(paths), form="request-target", threads=1),
    "page": partial(_by_kind, static=False),
    "static": partial(_by_kind, static=True),
    "first_segment": lambda paths: first_segment(_paths(paths), form="request-target", threads=1),
    "extension": _extensions,
    "domain": _domains,
}


class Sums:
    """Tables of keys with counts and bytes.

    connect : returns the function that runs queries in DuckDB; called when the tables outgrow the memory
    held : bytes that the tables may have in memory
    """

    def __init__(self, connect: Callable[[], Callable[..., Any]], held: int) -> None:
        self._connect = connect
        self._database: Callable[..., Any] | None = None
        self._limit = held
        self._held: dict[str, list[pa.RecordBatch]] = {}
        self._added: set[str] = set()  # the tables that are held with one row per key
        self._bytes_held = 0
        self._rows: dict[str, int] = {}  # of the tables in DuckDB
        self._rows_added_up: dict[str, int] = {}

    def _run(self, query: str, **given: Any) -> Any:
        """Run a query in DuckDB."""
        if self._database is None:
            self._database = self._connect()
        return self._database(query, **given)

    def insert(self, name: str, rows: pa.RecordBatch) -> None:
        if not rows.num_rows:
            return
        self._held.setdefault(name, []).append(rows)
        self._added.discard(name)
        self._bytes_held += rows.nbytes
        if self._bytes_held > self._limit:
            self._hand_over()

    def _hand_over(self) -> None:
        """Add up what is held. Give it to DuckDB if that does not free half of the memory."""
        if self._database is None:
            self._bytes_held = sum(self._added_up(name).nbytes for name in self._held)
            if self._bytes_held * 2 < self._limit:
                return
        for name, batches in self._held.items():
            for batch in batches:
                self._insert(name, batch)
        self._held.clear()
        self._bytes_held = 0

    def _added_up(self, name: str) -> pa.RecordBatch:
        """Return a table that is held, with one row per key."""
        if name not in self._added:
            self._held[name] = [add_up(self._held[name])]
            self._added.add(name)
        return self._held[name][0]

    def _insert(self, name: str, batch: pa.RecordBatch) -> None:
        added = self._query(name, "handed_over")
        rows = pa.Table.from_batches([batch])
        if name not in self._rows:
            ((self._rows[name],),) = self._run(f"CREATE TABLE {name} AS {added}", handed_over=rows)
            self._rows_added_up[name] = self._rows[name]
            return
        ((count,),) = self._run(f"INSERT INTO {name} {added}", handed_over=rows)
        self._rows[name] += count
        if self._rows[name] > max(_MIN_ROWS, 2 * self._rows_added_up[name]):
            self._add_up(name)

    def _query(self, name: str, rows: str) -> str:
        """Return a query that gives each key one row."""
        keys = _KEYS.get(name, "key")
        sums = ", ".join(f"sum({each})::HUGEINT AS {each}" for each in COUNTS)
        return f"SELECT {keys}, {sums} FROM {rows} GROUP BY {keys}"

    def _add_up(self, name: str) -> None:
        """Give each key one row in DuckDB."""
        if self._rows[name] == self._rows_added_up[name]:
            return
        ((self._rows[name],),) = self._run(f"CREATE TABLE sums AS {self._query(name, name)}")
        self._run(f"DROP TABLE {name}")
        self._run(f"ALTER TABLE sums RENAME TO {name}")
        self._rows_added_up[name] = self._rows[name]

    def _in_memory(self, name: str) -> pa.RecordBatch | None:
        """Return a table, or None if there is none or DuckDB has it. Each key has one row, also in DuckDB."""
        if self._held and self._database is not None:
            self._hand_over()
        if name in self._held:
            return self._added_up(name)
        if name in self._rows:
            self._add_up(name)
        return None

    def batches(self, name: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a table, one per key."""
        rows = self._in_memory(name)
        if rows is not None:
            yield rows
        elif name in self._rows:
            sums = ", ".join(f"{each}::DECIMAL(38, 0) AS {each}" for each in COUNTS)
            batches = iter(self._run(f"SELECT {_KEYS.get(name, 'key')}, {sums} FROM {name}", as_reader=True))
            while some := list(islice(batches, _BATCHES_AT_ONCE)):
                yield from pa.Table.from_batches(some).combine_chunks().to_batches()

    def grouped(self, name: str, keys_of: Callable[[pa.RecordBatch], dict[str, pa.Array]]) -> pa.RecordBatch | None:
        """Return the counts of a table by keys that are made of its rows, or None without rows."""
        parts = []
        for rows in self.batches(name):
            keys = keys_of(rows)
            counts = (rows[each] for each in COUNTS)
            parts.append(add_up([pa.RecordBatch.from_arrays([*keys.values(), *counts], names=[*keys, *COUNTS])]))
        return add_up(parts) if parts else None

    def grouped_rows(
        self, name: str, keys_of: Callable[[pa.RecordBatch], dict[str, pa.Array]]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of `grouped`: the keys, the number of requests, the bytes."""
        found = self.grouped(name, keys_of)
        for *keys, number, size in () if found is None else each_row(found):
            yield *keys, int(number), int(size)

    def derive(self, base: str, name: str, change: Change) -> None:
        """Make a table of the rows of another one, unless it is there. `change` returns the new rows of some."""
        if name in self._held or name in self._rows:
            return
        for batch in self.batches(base):
            self.insert(name, change(batch))

    def rows_of(self, name: str) -> int:
        """Return the number of different keys."""
        rows = self._in_memory(name)
        return self._rows.get(name, 0) if rows is None else int(rows.num_rows)

    def top(self, name: str, most: int | None, by: str = "n") -> list[tuple[bytes, int, int]]:
        """Return the key, count and bytes of the rows with the largest `by`, equal ones by key."""
        rows = self._in_memory(name)
        found: Any = ()
        if rows is not None:
            places = pc.sort_indices(rows, sort_keys=[(by, "descending"), ("key", "ascending")])
            found = each_row(rows.take(places if most is None else places.slice(0, most)))
        elif name in self._rows:
            limit = "" if most is None else f"LIMIT {most}"
            found = self._run(f"SELECT key, n, size FROM {name} ORDER BY {by} DESC, key {limit}")
        return [(bytes(key), int(count), int(size)) for key, count, size in found]

    def sample(self, name: str, most: int) -> dict[bytes, int]:
        """Return the counts of all keys, or of the most frequent ones and of every so many in the order of the keys."""
        found = {key: count for key, count, _ in self.top(name, most)}
        if len(found) < most:
            return found
        step = -(-self.rows_of(name) // most)
        rows = self._in_memory(name)
        if rows is not None:
            places = pc.sort_indices(rows, sort_keys=[("key", "ascending")])
            some: Any = each_row(rows.take(places.take(pa.array(range(step - 1, len(places), step), pa.int64()))))
        else:
            numbered = f"SELECT key, n, size, row_number() OVER (ORDER BY key) AS place FROM {name}"
            some = self._run(f"SELECT key, n, size FROM ({numbered}) WHERE place % {step} = 0")
        return found | {bytes(key): int(count) for key, count, _ in some}
