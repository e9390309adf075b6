"""The counts of a unit: per table the keys in the unit, with the number of rows and the bytes sent.

The database adds up the counts of all units. A unit has far fewer keys than rows.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

import pyarrow as pa

from fasturl import _columns
from fasturl._columns import PooledBuffer
from fasturl.arrow import compute as pc
from fasturl.arrow import path_template, query_names
from fasturl.cli.summary import ATTACKED, DURATION, FINDINGS_OF, MALFORMED_BIT
from fasturl.logs.batches import as_text, as_times
from fasturl.logs.columns import VALID_BY, Standard
from fasturl.logs.units import Unit, octets_array, used_buffer

_HOUR = 3_600_000_000  # microseconds
_YEARS_BEFORE = 1 << 25  # hours: added because division rounds times before 1970 towards 0
_OCTETS = pa.binary()
_INT64, _UINT64 = pa.int64(), pa.uint64()


def _number(value: int, kind: pa.DataType = _INT64) -> pa.Scalar:
    """Return a scalar. `pa.scalar` and `pa.array` would import pandas."""
    return pa.Array.from_buffers(kind, 1, [None, pa.py_buffer(value.to_bytes(kind.bit_width // 8, sys.byteorder))])[0]


_NO_OCTETS, _SPACE, _QUESTION = octets_array([b"", b" ", b"?"])
_NULL = pa.nulls(1, _OCTETS)[0]
_MOVED = _number(_HOUR * _YEARS_BEFORE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_JNDI = octets_array([b"JNDI"])[0]
_ATTACK = r"(?i)(?:\$|%(?:25)*24)(?:\{|%(?:25)*7b)jndi(?::|%(?:25)*3a)"
_ATTACKS = 3  # examples
# The statuses of a table of paths.
_STATUSES = {"server_error": (500, 599), "not_found": (404, 404)}
_UINT32 = pa.uint32()
_MALFORMED = _number(1 << MALFORMED_BIT, _UINT32)


@dataclass
class Partial:
    """The counts of a unit; `batches` has one batch per table."""

    batches: dict[str, pa.RecordBatch]
    moments: pa.RecordBatch
    referers: int = 0
    invalid_referers: int = 0
    # (is a referer, bits of findings, line, URL), in the order of the lines
    flagged_rows: list[tuple[bool, int, int, bytes]] = field(default_factory=list)
    durations: pa.RecordBatch | None = None
    times: tuple[int, int] | None = None  # the first and last time in microseconds since 1970
    attacks: list[tuple[int, bytes]] = field(default_factory=list)  # line and field of the first attacks


def dense(column: pa.Array) -> pa.Array:
    """Return texts with offsets, because Arrow cannot count views and dictionaries."""
    return column if column.type == _OCTETS else column.cast(_OCTETS)


def lower(keys: pa.Array) -> pa.Array:
    """Convert ASCII letters to lower case. Other bytes stay."""
    return pc.ascii_lower(keys.view(pa.string())).view(_OCTETS)


def escape_invalid(keys: pa.Array) -> pa.Array:
    """Replace bytes that are not UTF-8 by their escapes."""
    _, offsets, data = keys.buffers()
    if data is None or _columns.is_ascii(data.address, data.size):
        return keys
    if not _columns.not_utf8(offsets.address + 4 * keys.offset, data.address, len(keys)):
        return keys
    return as_text(keys).cast(_OCTETS)


def _numbers(column: pa.Array) -> pa.Array:
    """Return the numbers as uint64 without nulls, at the start of their buffer."""
    filled = column.fill_null(_number(0, _UINT64)) if column.null_count else column
    return pa.concat_arrays([filled, filled.slice(0, 0)]) if filled.offset else filled


def sum_by_key(
    values: list[pa.Array], places: pa.Array, sizes: pa.Array, rows_of: pa.Array | None = None
) -> list[pa.Array]:
    """Return the columns of the keys, the number of rows per key, and the bytes of these rows.

    places : for each occurrence of a key its index among the `values`
    sizes : bytes per row: uint64 without nulls
    rows_of : for each occurrence its row, ascending, if a row has several keys; a key counts once per row
    """
    groups = len(values[0])
    counts, sums, last = (PooledBuffer(8 * groups) for _ in range(3))
    rows = 0 if rows_of is None else rows_of.buffers()[1].address
    addresses = places.buffers()[1].address, rows, sizes.buffers()[1].address
    outputs = counts.address, sums.address, last.address
    if _columns.add_up(*addresses, len(places), len(sizes), groups, *outputs):
        found = (
            pa.Array.from_buffers(_UINT64, groups, [None, used_buffer(each, 8 * groups)]) for each in (counts, sums)
        )
        return [*values, *found]
    # The sum of the sizes, of a forged log, exceeds 64 bits: return each row by itself.
    each_row = range(len(sizes)) if rows_of is None else rows_of.to_pylist()
    pairs = dict.fromkeys(zip(each_row, places.to_pylist(), strict=True))
    taken = pa.array([place for _, place in pairs], _INT64)
    of_rows = pa.array([row for row, _ in pairs], _INT64)
    return [*(column.take(taken) for column in values), pa.array([1] * len(pairs), _UINT64), sizes.take(of_rows)]


def sum_texts(
    keys: pa.Array, sizes: pa.Array, rows_of: pa.Array | None = None, *, low: bool, escapes: bool
) -> pa.RecordBatch:
    """Return the distinct keys, with their counts and bytes; `sizes` and `rows_of` as for `sum_by_key`.

    low : True to convert the keys to lower case; a key may then occur twice
    """
    coded = dense(keys).dictionary_encode(null_encoding="encode")
    columns = sum_by_key([coded.dictionary], coded.indices, sizes, rows_of)
    if columns[0].null_count:
        there = columns[0].is_valid()
        columns = [column.filter(there) for column in columns]
    if low:
        columns[0] = lower(columns[0])
    if escapes:
        columns[0] = escape_invalid(columns[0])
    return pa.RecordBatch.from_arrays(columns, names=["key", "n", "octets"])


def _combine(columns: list[pa.Array]) -> tuple[pa.Array, list[pa.Array]]:
    """Return for each row the index of its values among the distinct ones, and the columns of these."""
    first = columns[0].dictionary_encode(null_encoding="encode")
    places, values = first.indices, [first.dictionary]
    for column in columns[1:]:
        coded = column.dictionary_encode(null_encoding="encode")
        width = _number(max(1, len(coded.dictionary)))
        pairs = pc.add(pc.multiply(places.cast(_INT64), width), coded.indices.cast(_INT64)).dictionary_encode()
        before = pc.divide(pairs.dictionary, width)
        here = pc.subtract(pairs.dictionary, pc.multiply(before, width))
        places, values = pairs.indices, [*(each.take(before) for each in values), coded.dictionary.take(here)]
    return places, values


def _steps_since_1970(microseconds: pa.Array, step: int) -> pa.Array:
    """Return times in steps of an hour or a part of it. Years before 1970 are moved: division rounds towards 0."""
    moved = pc.add(microseconds, _MOVED)
    return pc.subtract(pc.divide(moved, _number(step)), _number(_HOUR * _YEARS_BEFORE // step))


def hours(microseconds: pa.Array, zone: tzinfo | None = None) -> pa.Array:
    """Return the hours since 1970 of times in a zone, by default UTC."""
    if zone is None:
        return _steps_since_1970(microseconds, _HOUR)
    # Zones differ from UTC by quarters of an hour.
    coded = _steps_since_1970(microseconds, _HOUR // 4).dictionary_encode()
    local = [_local_hour(quarter * 900, zone) for quarter in coded.dictionary.to_pylist()]
    return pa.array(local, _INT64).take(coded.indices)


def _local_hour(seconds: int, zone: tzinfo) -> int:
    try:
        shift = (_EPOCH + timedelta(seconds=seconds)).astimezone(zone).utcoffset()
    except OverflowError:  # at the ends of the years that datetime supports
        shift = None
    return (seconds + int((shift or timedelta()).total_seconds())) // 3600


def _round(durations: pa.Array) -> pa.Array:
    """Round durations to three significant digits, so that the number of different ones is bounded."""
    positive = pc.if_else(pc.greater(durations, 0.0), durations, None)
    scale = pc.power(10.0, pc.subtract(2.0, pc.floor(pc.log10(positive))))
    return pc.fill_null(pc.divide(pc.round(pc.multiply(positive, scale)), scale), 0.0)


def set_findings_of(unit: Unit, standards: tuple[Standard, ...]) -> None:
    """Replace the findings of a unit by those of these standards."""
    if standards == ("rfc1738",):
        return
    counted = 0
    for standard in standards:
        counted |= FINDINGS_OF[standard]
    for prefix in ("", "referer_"):
        if f"{prefix}valid_rfc3986" in unit.columns:
            found, valid = unit.columns[f"{prefix}findings"], unit.columns[f"{prefix}valid_rfc3986"]
            malformed = pc.multiply(pc.invert(valid).cast(_UINT32), _MALFORMED)
            kept = pc.bit_wise_and(found, _number(counted, _UINT32))
            unit.columns[f"{prefix}findings"] = pc.bit_wise_or(kept, malformed)


class UnitCounts:
    """Counts units for the `tables`. If `escapes`, bytes that are not UTF-8 are escaped.

    A referer is valid by the `standard`. zone : of the hours, by default UTC
    """

    def __init__(
        self, tables: tuple[str, ...], *, escapes: bool, standard: Standard = "rfc1738", zone: tzinfo | None = None
    ) -> None:
        self._tables = tables
        self._zone = zone
        self._escapes = escapes
        self._referer_valid = f"referer_{VALID_BY[standard]}"

    def of(self, unit: Unit) -> Partial:
        columns = unit.columns
        rows = unit.urls
        sizes = _numbers(columns["size"]) if "size" in columns else _zeros(rows)
        times = as_times(columns["time"]).cast(_INT64) if "time" in columns else pa.nulls(rows, _INT64)
        partial = Partial({}, _moments(unit, sizes, hours(times, self._zone)))
        if times.null_count < rows:
            extremes = pc.min_max(times)
            partial.times = extremes["min"].as_py(), extremes["max"].as_py()
        if DURATION in columns and columns[DURATION].null_count < rows:
            partial.durations = self._durations(unit, sizes)
        for name in self._tables if rows else ():
            if name == "query_key":
                keys, octets, rows_of = _query_keys(columns["query"], sizes)
            else:
                keys, octets, rows_of = self._keys(name, unit), sizes, None
            if keys is not None and keys.null_count < len(keys):
                low = name in ("host", "referer_host")
                partial.batches[name] = sum_texts(keys, octets, rows_of, low=low, escapes=self._escapes)
        if "attack" in partial.batches:
            found = pc.indices_nonzero(_attack_mask(unit)).slice(0, _ATTACKS).to_pylist()
            partial.attacks = [(unit.numbers[row].as_py(), _attacked_text(unit, row)) for row in found]
        if self._referer_valid in columns:
            valid = columns[self._referer_valid]
            partial.referers = rows - valid.null_count
            partial.invalid_referers = partial.referers - valid.true_count
        return partial

    def _durations(self, unit: Unit, sizes: pa.Array) -> pa.RecordBatch:
        there = unit.columns[DURATION].is_valid()
        paths = dense(unit.columns["path"]).filter(there)
        keys = pc.coalesce(path_template(paths, form="request-target", threads=1).cast(_OCTETS), paths)
        places, values = _combine([keys, _round(unit.columns[DURATION].filter(there))])
        if self._escapes:
            values[0] = escape_invalid(values[0])
        columns = sum_by_key(values, places, sizes.filter(there))
        batch = pa.RecordBatch.from_arrays(columns, names=["key", DURATION, "n", "octets"])
        return batch.filter(columns[0].is_valid())

    def _keys(self, name: str, unit: Unit) -> pa.Array | None:
        """Return the key of each row, or None if the unit has no such column."""
        columns = unit.columns
        if name == "status_path" and "status" in columns:
            told = columns["status"].cast(pa.string()).cast(_OCTETS)
            return pc.binary_join_element_wise(told, dense(columns["path"]), _SPACE)
        if name in _STATUSES and "status" in columns:
            low, high = _STATUSES[name]
            status = columns["status"]
            wanted = pc.and_(pc.greater_equal(status, low), pc.less_equal(status, high))
            return pc.if_else(pc.fill_null(wanted, False), dense(columns["path"]), _NULL)
        if name == "attack":
            return pc.if_else(_attack_mask(unit), _JNDI, _NULL)
        if name not in columns:
            return None
        keys = dense(columns[name])
        if name == "host" and "vhost" in columns and columns["vhost"].null_count < len(keys):
            keys = pc.coalesce(keys, dense(columns["vhost"]))
        if name in ("host", "referer_host"):
            keys = pc.if_else(pc.equal(keys, _NO_OCTETS), _NULL, keys)
        return keys


def _attack_mask(unit: Unit) -> pa.Array:
    """Return which rows have `${jndi:` in a field, in any case and escaped any number of times."""
    columns = {**unit.columns, **unit.unhidden}
    found = [pc.match_substring_regex(dense(columns[name]), _ATTACK) for name in ATTACKED if name in columns]
    whole = pa.nulls(unit.urls, pa.bool_()).fill_null(False)
    for each in found:
        whole = pc.or_(whole, pc.fill_null(each, False))
    return whole


def _attacked_text(unit: Unit, row: int) -> bytes:
    """Return the field of a row that has it, without its secrets."""
    columns = {**unit.columns, **unit.unhidden}
    texts: Iterator[tuple[str, bytes | None]] = (
        (name, columns[name][row].as_py()) for name in ATTACKED if name in columns
    )
    name = next(name for name, text in texts if text is not None and re.search(_ATTACK.encode(), text))
    shown: bytes = (unit.columns[name] if name in unit.columns else unit.columns["url"])[row].as_py()
    return shown


def _zeros(count: int) -> pa.Array:
    return pa.Array.from_buffers(_UINT64, count, [None, pa.py_buffer(bytes(8 * count))])


def _query_keys(queries: pa.Array, sizes: pa.Array) -> tuple[pa.Array | None, pa.Array, pa.Array | None]:
    """Return the decoded names of each query, the bytes of each row with a query, and the row of each name."""
    there = queries.is_valid()
    texts = dense(queries).filter(there)
    if not len(texts):
        return None, sizes, None
    names = query_names(pc.binary_join_element_wise(_QUESTION, texts, _NO_OCTETS), threads=1)
    return names.flatten(), sizes.filter(there), pc.list_parent_indices(names)


def _moments(unit: Unit, sizes: pa.Array, hours_of_rows: pa.Array) -> pa.RecordBatch:
    """Return the counts by hour, status and findings."""
    columns = unit.columns
    nothing = pa.nulls(unit.urls, pa.int64())
    keys = {
        "hour": hours_of_rows,
        "status": columns.get("status", nothing.cast(pa.int16())),
        "findings": columns["findings"],
        "referer_findings": columns.get("referer_findings", nothing.cast(pa.uint32())),
    }
    places, values = _combine(list(keys.values()))
    return pa.RecordBatch.from_arrays(sum_by_key(values, places, sizes), names=[*keys, "n", "octets"])


def flagged_rows(unit: Unit, wanted: int, wanted_of_referers: int) -> Iterator[tuple[bool, int, int, bytes]]:
    """Yield (is a referer, bits, line, URL) of the rows that have one of the findings."""
    for column, texts, bits in (("findings", "url", wanted), ("referer_findings", "referer", wanted_of_referers)):
        if not bits or column not in unit.columns or not unit.urls:
            continue
        found = unit.columns[column].fill_null(_number(0, pa.uint32()))
        for row in _columns.rows_with_findings(found.buffers()[1].address + 4 * found.offset, unit.urls, bits):
            url = unit.columns[texts][row].as_py()
            if url is not None:
                yield column != "findings", found[row].as_py(), unit.numbers[row].as_py(), url
