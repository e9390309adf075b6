"""Units as counts: of each table the keys that stand in a unit, how often each does, and the octets that were sent.

What is added up here is added up again in the database: a unit has far fewer keys than rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from fasturl import _rowtext
from fasturl._columns import PooledBuffer
from fasturl.arrow.functions import query_names
from fasturl.logs.batches import as_text, as_times
from fasturl.logs.units import Unit, used_buffer

COUNTED_SCHEMA = pa.schema([("key", pa.binary()), ("n", pa.uint64()), ("octets", pa.uint64())])
_KEYS = ("hour", "status", "findings", "referer_findings")
_HOUR = 3_600_000_000  # microseconds
_YEARS_BEFORE = 1 << 25  # hours: division cuts towards 0, so times before 1970 are moved behind it
_OCTETS = pa.binary()
_NOTHING = pa.scalar(b"", _OCTETS)


@dataclass
class Partial:
    """What a unit adds to a summary; `counted` has a batch for each table."""

    counted: dict[str, pa.RecordBatch]
    moments: pa.Table
    referers: int = 0
    invalid_referers: int = 0
    # (of a referer, bits of findings, line, URL), in the order of the lines
    flagged: list[tuple[bool, int, int, bytes]] = field(default_factory=list)


def dense(column: pa.Array) -> pa.Array:
    """Texts as octets with offsets: Arrow counts no views."""
    return column.cast(_OCTETS) if column.type == pa.binary_view() else column


def lower(keys: pa.Array) -> pa.Array:
    """ASCII letters in lower case, whatever else the octets are."""
    return pc.ascii_lower(keys.view(pa.string())).view(_OCTETS)


def written(keys: pa.Array) -> pa.Array:
    """Octets that are no UTF-8 as their escapes."""
    data = keys.buffers()[2]
    if data is None or _rowtext.is_ascii(data.address, data.size):
        return keys
    return as_text(keys).cast(pa.string()).cast(_OCTETS)


def _numbers(column: pa.Array) -> pa.Array:
    """64-bit numbers without nulls and from the start of their buffer."""
    filled = column.cast(pa.uint64()).fill_null(0) if column.null_count or column.type != pa.uint64() else column
    return pa.concat_arrays([filled, filled.slice(0, 0)]) if filled.offset else filled


def added_up(keys: pa.Array, sizes: pa.Array, *, low: bool, escapes: bool) -> pa.RecordBatch:
    """Each key that is there once, with its count and its octets.

    sizes : uint64 without nulls
    low : letters are written in lower case; a key may then stand there again
    """
    coded = dense(keys).dictionary_encode(null_encoding="encode")
    values, places = coded.dictionary, coded.indices
    groups = len(values)
    counts, sums = PooledBuffer(8 * groups), PooledBuffer(8 * groups)
    group_of, each = places.buffers()[1].address, sizes.buffers()[1].address
    if _rowtext.add_up(group_of, len(places), groups, each, counts.address, sums.address):
        n, octets = (
            pa.Array.from_buffers(pa.uint64(), groups, [None, used_buffer(made, 8 * groups)]) for made in (counts, sums)
        )
    else:  # sizes of a forged log, whose sum is over 64 bits: each row stands by itself
        values, octets = values.take(places), sizes
        n = pa.array([1] * len(values), pa.uint64())
    if values.null_count:
        there = values.is_valid()
        values, n, octets = values.filter(there), n.filter(there), octets.filter(there)
    if low:
        values = lower(values)
    if escapes:
        values = written(values)
    return pa.RecordBatch.from_arrays([values, n, octets], schema=COUNTED_SCHEMA)


def hours(times: pa.Array) -> pa.Array:
    """The hours since 1970 of RFC 3339 times; null where there is none."""
    microseconds = as_times(times).cast(pa.int64())
    moved = pc.divide(pc.add(microseconds, _HOUR * _YEARS_BEFORE), _HOUR)
    return pc.subtract(moved, _YEARS_BEFORE)


class UnitCounts:
    """`tables` are those that are counted unit by unit; `escapes` as in `written`."""

    def __init__(self, tables: tuple[str, ...], *, escapes: bool) -> None:
        self._tables = tables
        self._escapes = escapes

    def of(self, unit: Unit) -> Partial:
        columns = unit.columns
        rows = unit.urls
        sizes = _numbers(columns["size"]) if "size" in columns else _zeros(rows)
        made = Partial({}, _moments(unit, sizes))
        for name in self._tables if rows else ():
            keys, octets = self._keys(name, unit, sizes)
            if keys is not None and keys.null_count < len(keys):
                low = name in ("host", "referer_host")
                made.counted[name] = added_up(keys, octets, low=low, escapes=self._escapes)
        if "referer_valid" in columns:
            valid = columns["referer_valid"]
            made.referers = rows - valid.null_count
            made.invalid_referers = made.referers - valid.true_count
        return made

    def _keys(self, name: str, unit: Unit, sizes: pa.Array) -> tuple[pa.Array | None, pa.Array]:
        """The key of each row, and its octets; a query has one for each of its names."""
        columns = unit.columns
        if name == "query_key":
            return _query_keys(columns["query"], sizes)
        if name == "status_path" and "status" in columns:
            told = columns["status"].cast(pa.string()).cast(_OCTETS)
            return pc.binary_join_element_wise(told, dense(columns["path"]), pa.scalar(b" ", _OCTETS)), sizes
        if name not in columns:
            return None, sizes
        keys = dense(columns[name])
        if name == "host" and "vhost" in columns and columns["vhost"].null_count < len(keys):
            keys = pc.coalesce(keys, dense(columns["vhost"]))
        if name in ("host", "referer_host"):
            keys = pc.if_else(pc.equal(keys, _NOTHING), pa.scalar(None, _OCTETS), keys)
        return keys, sizes


def _zeros(count: int) -> pa.Array:
    return pa.Array.from_buffers(pa.uint64(), count, [None, pa.py_buffer(bytes(8 * count))])


def _query_keys(queries: pa.Array, sizes: pa.Array) -> tuple[pa.Array | None, pa.Array]:
    """The names of each query as they decode, each once, with the octets of its row."""
    there = queries.is_valid()
    texts = dense(queries).filter(there)
    if not len(texts):
        return None, sizes
    names = query_names(pc.binary_join_element_wise(pa.scalar(b"?", _OCTETS), texts, _NOTHING), threads=1)
    rows, keys = pc.list_parent_indices(names), names.flatten()
    if not len(keys):
        return None, sizes
    coded = keys.dictionary_encode()
    width = len(coded.dictionary)
    pairs = pc.add(pc.multiply(rows.cast(pa.int64()), width), coded.indices.cast(pa.int64())).unique()
    rows = pc.divide(pairs, width)
    places = pc.subtract(pairs, pc.multiply(rows, width))
    return coded.dictionary.take(places), sizes.filter(there).take(rows)


def _moments(unit: Unit, sizes: pa.Array) -> pa.Table:
    """Counts by hour, status and findings."""
    columns = unit.columns
    nothing = pa.nulls(unit.urls, pa.int64())
    keys = {
        "hour": hours(columns["time"]) if "time" in columns else nothing,
        "status": columns.get("status", nothing.cast(pa.int16())),
        "findings": columns["findings"],
        "referer_findings": columns.get("referer_findings", nothing.cast(pa.uint32())),
    }
    # Of 32 bits each: no unit has so many rows that their sum is over 64 bits.
    low = pc.bit_wise_and(sizes, pa.scalar(0xFFFFFFFF, pa.uint64()))
    high = pc.shift_right(sizes, pa.scalar(32, pa.uint64()))
    table = pa.table({**keys, "low": low, "high": high})
    grouped = table.group_by(list(_KEYS), use_threads=False)
    return grouped.aggregate([([], "count_all"), ("low", "sum"), ("high", "sum")])


def flagged(unit: Unit, wanted: int, wanted_of_referers: int) -> Iterator[tuple[bool, int, int, bytes]]:
    """(of a referer, bits, line, URL) of the rows that have one of the findings."""
    for column, texts, bits in (("findings", "url", wanted), ("referer_findings", "referer", wanted_of_referers)):
        if not bits or column not in unit.columns or not unit.urls:
            continue
        found = unit.columns[column].fill_null(0)
        for row in _rowtext.rows_with_findings(found.buffers()[1].address + 4 * found.offset, unit.urls, bits):
            url = unit.columns[texts][row].as_py()
            if url is not None:
                yield column != "findings", found[row].as_py(), unit.numbers[row].as_py(), url
