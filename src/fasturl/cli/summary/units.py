"""The counts of a unit: per table the keys in the unit, with the number of rows and the bytes sent.

`Sums` adds up the counts of all units. A unit has far fewer keys than rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta, tzinfo
from functools import reduce
from itertools import chain
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl._columns import PooledBuffer
from fasturl.arrow import compute as pc
from fasturl.arrow import path_template, query_names
from fasturl.arrow.copies import used_buffer
from fasturl.cli.summary import EPOCH, FINDINGS_OF, MALFORMED_BIT, Key
from fasturl.cli.summary.tables import AGENT_PURPOSE, ATTACKED, DURATIONS, FAILURES, MOMENTS, PROBES, REQUESTS, Table
from fasturl.logs.batches import as_text, as_times
from fasturl.logs.columns import VALID_BY, Standard
from fasturl.logs.units import Unit

COUNTS = ("n", "size")  # the columns after the keys
_MINUTE = 60_000_000  # microseconds
_QUARTER = 15  # minutes
_LONGEST = float(1 << 63)  # microseconds
_BYTES = pa.binary()
_INT64, _UINT64, _DECIMAL = pa.int64(), pa.uint64(), pa.decimal128(38, 0)
_NO_BYTES, _SPACE, _QUESTION, _JNDI, _NULL = (pa.scalar(text, _BYTES) for text in (b"", b" ", b"?", b"JNDI", None))
_NOT_FOUND, _SERVER_ERROR, _AFTER_ERRORS = (pa.scalar(status, pa.int16()) for status in (404, 500, 600))
_ATTACK = r"(?i)(?:\$|%(?:25)*24)(?:\{|%(?:25)*7b)jndi(?::|%(?:25)*3a)"
_ATTACKS = 3  # examples
_UINT32 = pa.uint32()


@dataclass
class Partial:
    """The counts of a unit; `batches` has one batch per table."""

    batches: dict[str, pa.RecordBatch]
    referers: int = 0
    invalid_referers: int = 0
    times: tuple[int, int] | None = None  # the first and last time in microseconds since 1970
    # The lines of the first attacks and rejects, with the attacked field and the rejected line.
    attacks: list[tuple[int, bytes]] = field(default_factory=list)
    rejects: list[tuple[int, bytes]] = field(default_factory=list)


def dense(column: pa.Array) -> pa.Array:
    """Return texts with offsets, because Arrow cannot count views and dictionaries."""
    return column if column.type == _BYTES else column.cast(_BYTES)


def lower(keys: pa.Array) -> pa.Array:
    """Convert ASCII letters to lower case. Other bytes stay."""
    return pc.ascii_lower(keys.view(pa.string())).view(_BYTES)


def escape_invalid(keys: pa.Array) -> pa.Array:
    """Replace bytes that are not UTF-8 by their escapes."""
    return as_text(keys).cast(_BYTES)


def _numbers(column: pa.Array) -> pa.Array:
    """Return the numbers as uint64 without nulls, at the start of their buffer."""
    return _from_start(column.fill_null(0) if column.null_count else column)


def _from_start(column: pa.Array) -> pa.Array:
    return pa.concat_arrays([column, column.slice(0, 0)]) if column.offset else column


def sum_by_key(keys: dict[str, pa.Array], sizes: pa.Array, rows_of: pa.Array | None = None) -> pa.RecordBatch:
    """Return the distinct keys, with the number of rows per key, and the bytes of these rows.

    sizes : bytes per row: uint64 without nulls
    rows_of : for each key its row, ascending, if a row has several keys; a key counts once per row
    """
    places, values = _combine(list(keys.values()))
    sums = _sums(places, sizes, len(values[0]), rows_of)
    if sums is not None:
        return pa.RecordBatch.from_arrays([*values, *sums], names=[*keys, *COUNTS])
    # The sum of the sizes, of a forged log, exceeds 64 bits: return each row by itself.
    each_row = range(len(sizes)) if rows_of is None else rows_of.to_pylist()
    pairs = dict.fromkeys(zip(each_row, places.to_pylist(), strict=True))
    taken = pa.array([place for _, place in pairs], _INT64)
    of_rows = pa.array([row for row, _ in pairs], _INT64)
    ones = pa.array([1] * len(pairs), _UINT64)
    columns = [*(column.take(taken) for column in values), ones, sizes.take(of_rows)]
    return pa.RecordBatch.from_arrays(columns, names=[*keys, *COUNTS])


def _sums(places: pa.Array, sizes: pa.Array, groups: int, rows_of: pa.Array | None = None) -> list[pa.Array] | None:
    """Return the number of items per group, and the sum of their sizes. Return None if a sum exceeds 64 bits."""
    counts, sums, last = (PooledBuffer(8 * groups) for _ in range(3))
    rows = 0 if rows_of is None else rows_of.buffers()[1].address
    addresses = places.buffers()[1].address, rows, sizes.buffers()[1].address
    if not _columns.add_up(*addresses, len(places), len(sizes), groups, counts.address, sums.address, last.address):
        return None
    buffers = (used_buffer(each, 8 * groups) for each in (counts, sums))
    return [pa.Array.from_buffers(_UINT64, groups, [None, each]) for each in buffers]


def add_up(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """Return the rows of batches of one table with their counts added up, one row per key."""
    names = batches[0].schema.names
    keys = [pa.concat_arrays([batch[name] for batch in batches]) for name in names[: -len(COUNTS)]]
    places, values = _combine(keys)
    totals = (_totals(places, [batch[name] for batch in batches], len(values[0])) for name in COUNTS)
    return pa.RecordBatch.from_arrays([*values, *totals], names=names)


def _totals(places: pa.Array, columns: list[pa.Array], groups: int) -> pa.Array:
    """Return the sum of numbers per group: uint64, or decimal numbers if 64 bits cannot hold them."""
    try:
        numbers = pa.concat_arrays([column.cast(_UINT64) for column in columns])
    except pa.ArrowInvalid:
        pass
    else:
        if sums := _sums(places, _numbers(numbers), groups):
            return sums[1]
    totals = [0] * groups  # a forged log sends more bytes than 64 bits can count
    for place, number in zip(places.to_pylist(), chain.from_iterable(map(pa.Array.to_pylist, columns)), strict=True):
        totals[place] += int(number)
    return pa.array(totals, _DECIMAL)


def each_row(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _combine(columns: list[pa.Array]) -> tuple[pa.Array, list[pa.Array]]:
    """Return for each row the index of its values among the distinct ones, and the columns of these."""
    first = columns[0]
    if not isinstance(first, pa.DictionaryArray):
        first = first.dictionary_encode(null_encoding="encode")
    elif first.indices.null_count:
        first = first.cast(first.type.value_type).dictionary_encode(null_encoding="encode")
    places, values = first.indices, [first.dictionary]
    for column in columns[1:]:
        coded = column.dictionary_encode(null_encoding="encode")
        width = pa.scalar(max(1, len(coded.dictionary)), _INT64)
        pairs = pc.add(pc.multiply(places.cast(_INT64), width), coded.indices.cast(_INT64)).dictionary_encode()
        before = pc.divide(pairs.dictionary, width)
        here = pc.subtract(pairs.dictionary, pc.multiply(before, width))
        places, values = pairs.indices, [*(each.take(before) for each in values), coded.dictionary.take(here)]
    return places, values


def steps_of(times: pa.Array, size: int) -> pa.Array:
    """Return in which step of this size since 1970 each time is."""
    # Division rounds towards 0, which is up before 1970.
    before = pc.if_else(pc.less(times, 0), pa.scalar(size - 1, _INT64), pa.scalar(0, _INT64))
    return pc.divide(pc.subtract(times, before), size)


def class_of(rows: pa.RecordBatch) -> pa.Array:
    """Return the class of each status, 1 to 5, or null."""
    classes = pc.divide(rows["status"], pa.scalar(100, pa.int16()))
    return pc.if_else(pc.is_in(classes, pa.array([1, 2, 3, 4, 5], pa.int16())), classes, None)


def minutes(microseconds: pa.Array, zone: tzinfo | None) -> pa.Array:
    """Return the minutes since 1970 of times in a zone, by default UTC."""
    found = steps_of(microseconds, _MINUTE)
    if zone is None:
        return found
    # Zones differ from UTC by quarters of an hour, before 1970 also by single minutes.
    coded = steps_of(microseconds, _QUARTER * _MINUTE).dictionary_encode()
    shifts = pa.array([_shift(quarter * _QUARTER, zone) for quarter in coded.dictionary.to_pylist()], _INT64)
    return pc.add(found, shifts.take(coded.indices))


def _shift(minute: int, zone: tzinfo) -> int:
    """Return how many minutes a zone is ahead of UTC at a minute since 1970."""
    try:
        shift = (EPOCH + timedelta(minutes=minute)).astimezone(zone).utcoffset()
    except OverflowError:  # at the ends of the years that datetime supports
        shift = None
    return int((shift or timedelta()).total_seconds()) // 60


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
            malformed = pc.multiply(pc.invert(valid).cast(_UINT32), pa.scalar(1 << MALFORMED_BIT, _UINT32))
            kept = pc.bit_wise_and(found, pa.scalar(counted, _UINT32))
            unit.columns[f"{prefix}findings"] = pc.bit_wise_or(kept, malformed)


def count(
    unit: Unit, tables: list[Table], *, escapes: bool, standard: Standard, zone: tzinfo | None, key: Key | None,
    with_clients: bool = False, with_moments: bool = True,
) -> Partial:  # fmt: skip
    """Return the counts of a unit, with one batch for each table that it has.

    escapes : True to escape the bytes of keys that are not UTF-8
    standard : by which a referer is valid
    zone : of the minutes, by default UTC
    key : what the requests by route are counted by, if at all; `with_clients` also counts the clients of missing
        paths, and the robots
    with_moments : also counts by minute, status and findings
    """
    columns, rows = unit.columns, unit.urls
    sizes = _numbers(columns["size"]) if "size" in columns else pa.repeat(pa.scalar(0, _UINT64), rows)
    times = as_times(columns["time"]).cast(_INT64) if "time" in columns else pa.nulls(rows, _INT64)
    moments = minutes(times, zone)
    partial = Partial({MOMENTS: _moments(unit, sizes, moments)} if with_moments else {})
    if times.null_count < rows:
        extremes = pc.min_max(times)
        partial.times = extremes["min"].as_py(), extremes["max"].as_py()
    for table in tables if rows else ():
        found = _keys(table, unit, sizes)
        if found is not None and found[0].null_count < len(found[0]):
            partial.batches[table.name] = _sum_texts(*found, low=table.rule == "host", escapes=escapes)
    if key is not None and rows and "path" in columns:
        partial.batches |= _requests(unit, sizes, moments, key, escapes, with_clients)
    if "attack" in partial.batches:
        fields = _attacked(unit)
        for row in pc.indices_nonzero(reduce(pc.or_, fields.values())).slice(0, _ATTACKS).to_pylist():
            name = next(name for name, found in fields.items() if found[row].as_py())
            shown = columns.get(name, columns["url"])  # without its secrets
            partial.attacks.append((unit.numbers[row].as_py(), shown[row].as_py()))
    valid = columns.get(f"referer_{VALID_BY[standard]}")
    if valid is not None:
        partial.referers = rows - valid.null_count
        partial.invalid_referers = partial.referers - valid.true_count
    return partial


def _requests(
    unit: Unit, sizes: pa.Array, moments: pa.Array, key: Key, escapes: bool, with_clients: bool
) -> dict[str, pa.RecordBatch]:
    """Return the requests, errors and durations by path template, known route or path."""
    columns = unit.columns
    paths = dense(columns["path"]).dictionary_encode()
    keys = paths.dictionary
    if key == "route":
        templates = path_template(keys, form="request-target", threads=1).cast(_BYTES)
        known = [] if unit.routes is None else [unit.routes.match(keys).cast(_BYTES)]
        keys = pc.coalesce(*known, templates, keys)
    # Equal keys of different paths get one place.
    coded = (escape_invalid(keys) if escapes else keys).dictionary_encode()
    keys = pa.DictionaryArray.from_arrays(coded.indices.take(paths.indices), coded.dictionary)
    statuses = columns.get("status", pa.nulls(unit.urls, pa.int16()))
    clients, purposes = (dense(columns.get(name, pa.nulls(unit.urls, _BYTES))) for name in ("visitor", AGENT_PURPOSE))
    found = {REQUESTS: _without_null({"key": keys, "status": statuses, "purpose": purposes}, sizes)}
    is_error = pc.and_(pc.greater_equal(statuses, _SERVER_ERROR), pc.less(statuses, _AFTER_ERRORS))
    is_missing = pc.equal(statuses, _NOT_FOUND)
    failed = pc.fill_null(pc.or_(is_error, is_missing), False)
    if failed.true_count:
        kinds = pc.if_else(is_error, _SERVER_ERROR, _NOT_FOUND).filter(failed)
        errors = {"key": keys.filter(failed), "status": kinds, "minute": moments.filter(failed)}
        found[FAILURES] = _without_null(errors, _from_start(sizes.filter(failed)))
    if with_clients:
        suspect = pc.or_(pc.fill_null(is_missing, False), purposes.is_valid())
        pairs = {"key": keys.filter(suspect), "client": clients.filter(suspect)}
        found[PROBES] = _without_null(pairs, _from_start(sizes.filter(suspect)))
    if "duration" in columns and columns["duration"].null_count < unit.urls:
        there = columns["duration"].is_valid()
        seconds = columns["duration"].filter(there)
        micros = pc.min_element_wise(pc.round(pc.multiply(seconds, 1e6)), _LONGEST).cast(_UINT64)
        found[DURATIONS] = _without_null({"key": keys.filter(there), "duration": _round(seconds)}, _from_start(micros))
    return found


def _without_null(keys: dict[str, pa.Array], sizes: pa.Array, rows_of: pa.Array | None = None) -> pa.RecordBatch:
    """Return the sums of keys, without those whose first key is null."""
    batch = sum_by_key(keys, sizes, rows_of)
    return batch.filter(batch[0].is_valid()) if batch[0].null_count else batch


def _sum_texts(
    keys: pa.Array, sizes: pa.Array, rows_of: pa.Array | None, *, low: bool, escapes: bool
) -> pa.RecordBatch:
    """Return the sums of keys that are not null.

    low : True to convert the keys to lower case; a key may then occur twice
    """
    batch = _without_null({"key": keys}, sizes, rows_of)
    texts, *counts = batch
    texts = lower(texts) if low else texts
    return pa.RecordBatch.from_arrays([escape_invalid(texts) if escapes else texts, *counts], names=batch.schema.names)


# The keys, the bytes of each row, and the row of each key if a row has several.
_Keys = tuple[pa.Array, pa.Array, pa.Array | None]


def _keys(table: Table, unit: Unit, sizes: pa.Array) -> _Keys | None:
    """Return the key of each row, or None if the unit has no such column."""
    columns = unit.columns
    first, *others = table.reads or (table.name,)
    if first not in columns:
        return None
    if table.rule == "query_key":
        return _query_keys(columns[first], sizes)
    if table.rule == "status_path":
        told = columns["status"].cast(pa.string()).cast(_BYTES)
        keys = pc.binary_join_element_wise(told, dense(columns["path"]), _SPACE)
    elif table.rule == "attack":
        keys = pc.if_else(reduce(pc.or_, _attacked(unit).values()), _JNDI, _NULL)
    else:
        keys = dense(columns[first])
    if table.rule == "host":
        there = [dense(columns[name]) for name in others if name in columns]
        keys = pc.coalesce(keys, *there) if there else keys
        keys = pc.if_else(pc.equal(keys, _NO_BYTES), _NULL, keys)
    return keys, sizes, None


def _attacked(unit: Unit) -> dict[str, pa.Array]:
    """Return for each field which rows have `${jndi:` in it, in any case and escaped any number of times."""
    columns = {name: column for name, column in {**unit.columns, **unit.unhidden}.items() if name in ATTACKED}
    found = {name: pc.match_substring_regex(dense(column), _ATTACK) for name, column in columns.items()}
    return {name: pc.fill_null(found[name], False) for name in ATTACKED if name in found}


def _query_keys(queries: pa.Array, sizes: pa.Array) -> _Keys | None:
    """Return the decoded names of each query, the bytes of each row with a query, and the row of each name."""
    there = queries.is_valid()
    texts = dense(queries).filter(there)
    if not len(texts):
        return None
    names = query_names(pc.binary_join_element_wise(_QUESTION, texts, _NO_BYTES), threads=1)
    return dense(names.flatten()), sizes.filter(there), pc.list_parent_indices(names)


def _moments(unit: Unit, sizes: pa.Array, moments: pa.Array) -> pa.RecordBatch:
    """Return the counts by minute, status and findings."""
    columns = unit.columns
    kinds = {"status": pa.int16(), "findings": _UINT32, "referer_findings": _UINT32}
    others = {name: columns.get(name, pa.nulls(unit.urls, kind)) for name, kind in kinds.items()}
    return sum_by_key({"minute": moments, **others}, sizes)


def flagged_rows(unit: Unit, wanted: int, wanted_of_referers: int) -> Iterator[tuple[bool, int, int, bytes]]:
    """Yield (is a referer, bits, line, URL) of the rows that have one of the findings."""
    for column, texts, bits in (("findings", "url", wanted), ("referer_findings", "referer", wanted_of_referers)):
        if not bits or column not in unit.columns or not unit.urls:
            continue
        found = unit.columns[column].fill_null(0)
        for row in _columns.rows_with_findings(found.buffers()[1].address + 4 * found.offset, unit.urls, bits):
            url = unit.columns[texts][row].as_py()
            if url is not None:
                yield column != "findings", found[row].as_py(), unit.numbers[row].as_py(), url
