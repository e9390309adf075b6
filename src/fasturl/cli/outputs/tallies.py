"""Counts of what stands in columns, in bounded memory."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.units import Unit

_KEYS_AT_MOST = 1 << 18
_KEY_LENGTH = 512
_OF_URLS = ("scheme", "host", "path")
_OF_REQUESTS = ("method", "status")
# Paths of requests, each after its status. Counted when it is asked for: it makes a run half as long again.
BY_STATUS = "status_path"
TALLIES = (*_OF_URLS, *_OF_REQUESTS)
# How often each key stands in a column of a unit.
Counted = dict[bytes, int]


class Tally:
    """Counts by key in bounded memory: when there are too many keys, the rarer half is forgotten."""

    def __init__(self) -> None:
        self.counts: Counter[bytes] = Counter()
        self.exact = True

    def add(self, counted: Counted) -> None:
        self.counts.update(counted)
        if len(self.counts) > _KEYS_AT_MOST:
            self.counts = Counter(dict(self.counts.most_common(_KEYS_AT_MOST // 2)))
            self.exact = False

    def top(self, count: int) -> list[tuple[str, int]]:
        # By count, and then by name: two runs over the same input print the same.
        best = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[:count]
        return [(key.decode("utf-8", "surrogateescape"), number) for key, number in best]


class TallyOutput(Output):
    """Schemes, hosts and paths of URLs; methods and statuses of requests, once a line: a referer has the same as its
    target.
    """

    unit_lines = 1 << 16

    def __init__(self, sink: Sink, by_status: bool = False) -> None:
        super().__init__(sink)
        self._by_status = by_status
        self.tallies = {name: Tally() for name in (*TALLIES, *((BY_STATUS,) if by_status else ()))}

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        return (*_OF_URLS, *(_OF_REQUESTS if details else ()))

    def prepare(self, unit: Unit, only_valid: bool) -> dict[str, Counted]:
        found = {name: _counted(unit.columns[name]) for name in _OF_URLS}
        found["host"].pop(b"", None)
        found["host"] = _in_lower_case(found["host"])
        if unit.fmt.details:
            found.update({name: _counted(unit.columns[name], unit.targets) for name in _OF_REQUESTS})
            if self._by_status:
                found[BY_STATUS] = _counted_by_status(unit)
        return found

    def write(self, prepared: dict[str, Counted], octets: int) -> None:
        for name, counted in prepared.items():
            self.tallies[name].add(counted)


def _dense(column: pa.Array) -> pa.Array:
    """Arrow counts no views."""
    return column.cast(pa.binary()) if column.type == pa.binary_view() else column


def _counted(column: pa.Array, wanted: pa.Array | None = None) -> Counted:
    """How often each value that is there stands in the wanted rows of a column; long ones by their beginning."""
    dense = _dense(column)
    found = pc.value_counts(dense if wanted is None else dense.filter(wanted))
    counted: Counted = {}
    for value, count in zip(found.field(0).to_pylist(), found.field(1).to_pylist(), strict=True):
        if value is not None:
            _count(counted, value if isinstance(value, bytes) else str(value).encode(), count)
    return counted


def _counted_by_status(unit: Unit) -> Counted:
    """How often each pair of a status and a path stands in a request: `200 /path`."""
    pairs = pa.table({"status": unit.columns["status"], "path": _dense(unit.columns["path"])})
    if unit.targets is not None:
        pairs = pairs.filter(unit.targets)
    found = pairs.group_by(["status", "path"], use_threads=False).aggregate([([], "count_all")])
    counted: Counted = {}
    for status, path, count in zip(*(found[name].to_pylist() for name in ("status", "path", "count_all")), strict=True):
        if status is not None and path is not None:
            _count(counted, b"%d %b" % (status, path if isinstance(path, bytes) else path.encode()), count)
    return counted


def _count(counted: Counted, key: bytes, count: int) -> None:
    if len(key) > _KEY_LENGTH:
        key = key[:_KEY_LENGTH] + b"..."
    counted[key] = counted.get(key, 0) + count


def _in_lower_case(counted: Counted) -> Counted:
    lower: Counted = {}
    for key, count in counted.items():
        lower[key.lower()] = lower.get(key.lower(), 0) + count
    return lower
