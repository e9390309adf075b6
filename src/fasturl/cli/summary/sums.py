"""Tables of counts and bytes by key in DuckDB, and the tables derived from their keys."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.arrow import file_extension, first_segment, path_template, registrable_domain
from fasturl.cli.summary import DURATION, FINDING_BITS
from fasturl.cli.summary.units import lower
from fasturl.logs.units import octets_array

_MIN_ROWS = 4 << 20  # a smaller table is not added up before the end
_BATCHES_AT_ONCE = 8
MOMENTS = "moments"
_PATH_KIND = "path_kind"
_KEYS = {MOMENTS: "hour, status, findings, referer_findings", DURATION: "key, duration"}


def _sums(name: str, rows: str) -> str:
    """Return a query that gives each key one row."""
    keys = _KEYS.get(name, "key")
    return f"SELECT {keys}, sum(n)::HUGEINT AS n, sum(octets)::HUGEINT AS octets FROM {rows} GROUP BY {keys}"


def _whole(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


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
    found = pc.is_in(_extensions(paths), octets_array([name.encode() for name in _STATIC.split()]))
    return pc.if_else(found if static else pc.invert(found), paths, pa.nulls(1, paths.type)[0])


def _templates(paths: pa.Array) -> pa.Array:
    return path_template(_paths(paths), form="request-target", threads=1)


_DERIVE: dict[str, Callable[[pa.Array], pa.Array]] = {
    "path_template": _templates,
    _PATH_KIND: _templates,
    "page": lambda paths: _by_kind(paths, static=False),
    "static": lambda paths: _by_kind(paths, static=True),
    "first_segment": lambda paths: first_segment(_paths(paths), form="request-target", threads=1),
    "extension": _extensions,
    "domain": _domains,
    "referer_domain": _domains,
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

    def derive(self, base: str, names: list[str]) -> None:
        """Create tables from the keys of another one."""
        told = f"SELECT key, n::DECIMAL(38, 0) AS n, octets::DECIMAL(38, 0) AS octets FROM {base}"
        batches = iter(self._run(told, as_reader=True))
        while some := list(islice(batches, _BATCHES_AT_ONCE)):
            batch = pa.Table.from_batches(some).combine_chunks()
            for name in names:
                keys = _DERIVE[name](_whole(batch["key"]))
                # A kind of paths counts its paths, not its requests.
                counts = pa.array([1] * len(keys), pa.uint64()) if name == _PATH_KIND else batch["n"]
                rows = pa.table({"key": keys, "n": counts, "octets": batch["octets"]})
                self.insert(name, rows.filter(keys.is_valid()))
        for name in names:
            if name in self._rows:
                self.add_up(name)


def path_kinds() -> str:
    """Return a query for the path templates that merge several paths."""
    return f"SELECT t.key, t.n, t.octets FROM path_template AS t JOIN {_PATH_KIND} AS k USING (key) WHERE k.n > 1"


def percentiles(limit: int | None) -> str:
    """Return a query for (key, n, p50, p95, p99) of durations, the most frequent keys first."""
    ranks = ", ".join(f"min(duration) FILTER (upto * 100 >= total * {rank}) AS p{rank}" for rank in (50, 95, 99))
    return (
        f"SELECT key, total, {ranks} FROM (SELECT key, duration, "
        "sum(n) OVER (PARTITION BY key ORDER BY duration) AS upto, "
        f"sum(n) OVER (PARTITION BY key) AS total FROM {DURATION}) GROUP BY key, total ORDER BY total DESC, key"
        + ("" if limit is None else f" LIMIT {limit}")
    )


def of_moments(name: str) -> str:
    """Return a query for a table that is counted by hour, status and findings."""
    if name == "status":
        key, rows = "status::VARCHAR", f"{MOMENTS} WHERE status IS NOT NULL"
    elif name == "hour":
        key, rows = "printf('%02d', (hour % 24 + 24) % 24)", f"{MOMENTS} WHERE hour IS NOT NULL"
    else:
        key, rows = "name", with_findings(name == "referer_finding")
    return f"SELECT ({key})::BLOB AS key, sum(n)::HUGEINT AS n, sum(octets)::HUGEINT AS octets FROM {rows} GROUP BY 1"


def with_findings(referers: bool) -> str:
    """Return the FROM clause of the moments, with one row per finding."""
    named = ", ".join(f"({1 << bit}::UINTEGER, '{name}')" for name, bit in FINDING_BITS.items())
    bits = "referer_findings" if referers else "findings"
    return f"{MOMENTS} JOIN (VALUES {named}) AS named(bit, name) ON {bits} & bit <> 0"
