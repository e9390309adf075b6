"""Tables of counts and bytes by key in DuckDB, and the tables derived from their keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.arrow import file_extension, first_segment, path_template, registrable_domain
from fasturl.cli.summary import FINDING_BITS
from fasturl.cli.summary.tables import DURATION, TABLES, Table
from fasturl.cli.summary.units import MOMENTS, lower
from fasturl.logs.units import bytes_array

_MIN_ROWS = 4 << 20  # a smaller table is not added up before the end
_BATCHES_AT_ONCE = 8
_ADDED_UP = "sum(n)::HUGEINT AS n, sum(size)::HUGEINT AS size"
_KEYS = {MOMENTS: "hour, status, findings, referer_findings", DURATION: "key, duration"}


def _sums(name: str, rows: str) -> str:
    """Return a query that gives each key one row."""
    keys = _KEYS.get(name, "key")
    merged = ", sum(merged)::HUGEINT AS merged" if name in TABLES and TABLES[name].merges else ""
    return f"SELECT {keys}, {_ADDED_UP}{merged} FROM {rows} GROUP BY {keys}"


def _paths(column: pa.Array) -> pa.Array:
    """Set paths that do not start with a slash to null: they have no segments."""
    return pc.if_else(pc.starts_with(column, "/"), column, pa.nulls(1, column.type)[0])


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
    found = pc.is_in(_extensions(paths), bytes_array([name.encode() for name in _STATIC.split()]))
    return pc.if_else(found if static else pc.invert(found), paths, pa.nulls(1, paths.type)[0])


# Make the keys of a table of those of its base.
_RULES: dict[str, Callable[[pa.Array], pa.Array]] = {
    "template": lambda paths: path_template(_paths(paths), form="request-target", threads=1),
    "page": partial(_by_kind, static=False),
    "static": partial(_by_kind, static=True),
    "first_segment": lambda paths: first_segment(_paths(paths), form="request-target", threads=1),
    "extension": _extensions,
    "domain": _domains,
}


class Sums:
    """Tables of keys with counts and bytes. Rows are added up as they come."""

    def __init__(self, run: Callable[..., Any]) -> None:
        self._run = run
        self._rows: dict[str, int] = {}
        self._rows_added_up: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    def insert(self, name: str, rows: pa.Table) -> None:
        added = _sums(name, "handed_over")
        if name not in self._rows:
            ((self._rows[name],),) = self._run(f"CREATE TABLE {name} AS {added}", handed_over=rows)
            self._rows_added_up[name] = self._rows[name]
            return
        ((count,),) = self._run(f"INSERT INTO {name} {added}", handed_over=rows)
        self._rows[name] += count
        if self._rows[name] > max(_MIN_ROWS, 2 * self._rows_added_up[name]):
            self.add_up(name)

    def add_up(self, name: str) -> None:
        """Give each key one row."""
        if self._rows[name] == self._rows_added_up[name]:
            return
        ((self._rows[name],),) = self._run(f"CREATE TABLE sums AS {_sums(name, name)}")
        self._run(f"DROP TABLE {name}")
        self._run(f"ALTER TABLE sums RENAME TO {name}")
        self._rows_added_up[name] = self._rows[name]

    def add_up_all(self) -> None:
        for name in self._rows:
            self.add_up(name)

    def derive(self, base: str, tables: list[Table]) -> None:
        """Create tables from the keys of another one."""
        told = f"SELECT key, n::DECIMAL(38, 0) AS n, size::DECIMAL(38, 0) AS size, 1 AS merged FROM {base}"
        batches = iter(self._run(told, as_reader=True))
        while some := list(islice(batches, _BATCHES_AT_ONCE)):
            for batch in pa.Table.from_batches(some).combine_chunks().to_batches():
                for table in tables:
                    keys = _RULES[table.rule](batch[0])
                    rows = pa.table([keys, *batch.columns[1:]], names=batch.schema.names)
                    self.insert(table.name, rows.filter(keys.is_valid()))
        self.add_up_all()

    def query(self, table: Table) -> str | None:
        """Return a query for the key, count and bytes of each row of a table, or None if it was not counted."""
        if (MOMENTS if table.moment else table.name) not in self._rows:
            return None
        if table.name == DURATION:
            return _OF_DURATIONS
        if table.moment:
            rows = with_findings(table.of_referers) if table.moment == "name" else MOMENTS
            keys = f"({table.moment})::BLOB"
            return f"SELECT {keys} AS key, {_ADDED_UP} FROM {rows} WHERE {keys} IS NOT NULL GROUP BY 1"
        return f"SELECT key, n, size FROM {table.name}" + (" WHERE merged > 1" if table.merges else "")


PERCENTILES = ("p50", "p95", "p99")
_RANKS = ", ".join(f"min(duration) FILTER (upto * 100 >= n * {name[1:]})" for name in PERCENTILES)
_OF_DURATIONS = (
    f"SELECT key, n, 0, {_RANKS} FROM (SELECT key, duration, sum(n) OVER (PARTITION BY key ORDER BY duration) AS upto, "
    f"sum(n) OVER (PARTITION BY key) AS n FROM {DURATION}) GROUP BY key, n"
)


def with_findings(referers: bool) -> str:
    """Return the FROM clause of the moments, with one row per finding."""
    named = ", ".join(f"({1 << bit}::UINTEGER, '{name}')" for name, bit in FINDING_BITS.items())
    bits = "referer_findings" if referers else "findings"
    return f"{MOMENTS} JOIN (VALUES {named}) AS named(bit, name) ON {bits} & bit <> 0"
