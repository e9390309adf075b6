"""Units of work as Arrow columns: some lines or rows in, one record batch out, with the values that rows.py gives.

A unit is read without looking at another one, so that units may be worked on by several threads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from fasturl import Finding, _logcolumns
from fasturl._columns import Room
from fasturl.arrow import parse
from fasturl.arrow.parsing import parse_mixed
from fasturl.cli.formats import DETAILS, REFERER, TARGET, Format, Log, Records
from fasturl.cli.rows import PARTS, VERDICT

# What a unit's columns are made of; a file may hold them as another type of the same values.
_WORDS = pa.dictionary(pa.int8(), pa.string())
_NUMBERS = {
    "line": pa.int64(),
    "port": pa.uint16(),
    "valid": pa.bool_(),
    "error_offset": pa.int64(),
    "status": pa.int16(),
    "size": pa.uint64(),
}
UNIT_TYPES: dict[str, pa.DataType] = {
    "file": _WORDS,
    "field": _WORDS,
    "findings": pa.list_(_WORDS),
    **_NUMBERS,
}
_TEXT = pa.string_view()
_BOUNDS = {"status": (0, 1 << 15), "size": (0, 1 << 64)}
_BITS = {
    finding.value.bit_length() - 1: str(finding.name) for finding in Finding if finding.value.bit_count() == 1
}
FINDING_NAMES = [_BITS.get(bit, "") for bit in range(max(_BITS) + 1)]
_FINDING_WORDS = pa.array(FINDING_NAMES, pa.string())
_FIELD_WORDS = pa.array([TARGET, REFERER], pa.string())
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def unit_schema(columns: tuple[str, ...]) -> pa.Schema:
    """The types of a unit's columns."""
    return pa.schema([(name, UNIT_TYPES.get(name, _TEXT)) for name in columns])


@dataclass
class Unit:
    """What was read: every column that was asked for, and what counts and limits look at."""

    batch: pa.RecordBatch
    urls: int
    invalid: int
    findings: list[tuple[int, int, int]]  # the first row, the bit, how many rows
    octets: int
    numbers: pa.Array
    valid: pa.Array
    verdicts: pa.RecordBatch  # findings as bits, and error_offset
    rejects: list[tuple[int, bytes]] = field(default_factory=list)
    lines: int = 0
    empty: int = 0


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match.group()) - 0xDC00:02X}"


def _escaped(octets: bytes) -> bytes:
    return _NOT_UTF8.sub(_percent, octets.decode("utf-8", "surrogateescape")).encode()


def as_text(array: pa.Array, *, ascii_only: bool = False) -> pa.Array:
    r"""Octets as text. These files hold UTF-8 only: another octet is written as its escape.

    ascii_only : when it is known that there are none above 7F, nothing is looked at and nothing is copied

    >>> as_text(pa.array([b"caf\xc3\xa9", b"caf\xe9", None])).to_pylist()
    ['caf\xe9', 'caf%E9', None]
    """
    if ascii_only and array.type == pa.binary_view():
        return pa.Array.from_buffers(_TEXT, len(array), array.buffers(), array.null_count, array.offset)
    octets = array.cast(pa.binary())
    if octets.offset:
        octets = pa.concat_arrays([octets, octets.slice(0, 0)])
    _, offsets, data = octets.buffers()
    if data is not None and not _logcolumns.is_ascii(data.address, data.size):
        bad = _logcolumns.not_utf8(offsets.address, data.address, len(octets))
        if bad:
            mask = bytearray(len(octets))
            for row in bad:
                mask[row] = 1
            escaped = pa.array([_escaped(octets[row].as_py()) for row in bad], pa.binary())
            octets = pc.replace_with_mask(octets, pa.array(map(bool, mask), pa.bool_()), escaped)
    return octets.cast(pa.string()).cast(_TEXT)


def _buffer(size: int) -> pa.Buffer:
    return pa.py_buffer(Room(size))


def _all(value: str | bytes, count: int) -> pa.Array:
    """One word for each row."""
    words = as_text(pa.array([value], pa.binary())).cast(pa.string())
    return pa.DictionaryArray.from_arrays(
        pa.Array.from_buffers(pa.int8(), count, [None, pa.py_buffer(bytes(count))]), words
    )


def finding_names(bits: pa.Array) -> pa.Array:
    """Sets of findings as lists of their names."""
    rows = len(bits)
    offsets = _buffer(4 * (rows + 1))
    room = rows + 64
    while True:
        values = _buffer(room)
        used = _logcolumns.finding_lists(
            bits.buffers()[1].address, rows, offsets.address, values.address, room
        )
        if used >= 0:
            break
        room *= 4
    numbers = pa.Array.from_buffers(pa.int8(), used, [None, values])
    words = pa.DictionaryArray.from_arrays(numbers, _FINDING_WORDS)
    return pa.ListArray.from_arrays(pa.Array.from_buffers(pa.int32(), rows + 1, [None, offsets]), words)


@dataclass
class _Raw:
    """Records as columns, before their URLs are parsed."""

    numbers: pa.Array
    fields: pa.Array
    urls: pa.Array
    details: dict[str, pa.Array]
    targets: pa.Buffer | None = None  # which rows are request targets, when both forms are there
    form: str = "url"
    ascii_only: bool = False
    octets: int = 0


def raw_from_records(records: Records, fmt: Format) -> _Raw:
    """Columns of records that stand in lists."""
    urls = pa.array(records.urls, pa.binary())
    count = len(urls)
    distinct = list(dict.fromkeys(records.fields)) or [""]
    targets: pa.Buffer | None = None
    form = "request-target" if distinct[0] in fmt.targets else "url"
    if len(distinct) == 1:
        fields = _all(distinct[0].encode("utf-8", "surrogateescape"), count)
    else:
        places = {name: place for place, name in enumerate(distinct)}
        fields = pa.DictionaryArray.from_arrays(
            pa.array([places[name] for name in records.fields], pa.int8()), pa.array(distinct, pa.string())
        )
        if len({name in fmt.targets for name in distinct}) > 1:
            targets = pa.array([name in fmt.targets for name in records.fields], pa.bool_()).buffers()[1]
    details: dict[str, pa.Array] = {}
    if fmt.details:
        columns: Any = zip(*records.details, strict=True) if count else [()] * len(fmt.details)
        for name, values in zip(fmt.details, columns, strict=True):
            details[name] = _detail(name, values)
    data = urls.buffers()[2]
    ascii_only = data is None or _logcolumns.is_ascii(data.address, data.size)
    octets = sum(map(len, records.urls)) + sum(column.nbytes for column in details.values())
    return _Raw(
        pa.array(records.numbers, pa.int64()), fields, urls, details, targets, form, ascii_only, octets
    )


def _detail(name: str, values: tuple[Any, ...]) -> pa.Array:
    if name in _BOUNDS:
        low, high = _BOUNDS[name]
        fitting = [value if value is not None and low <= value < high else None for value in values]
        return pa.array(fitting, UNIT_TYPES[name])
    octets = [
        value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value for value in values
    ]
    return as_text(pa.array(octets, pa.binary()))


def raw_from_array(first: int, array: pa.Array, name: str, fmt: Format) -> tuple[_Raw, int]:
    """Columns of the URLs of a column, and how many rows had none."""
    numbers = pa.array(range(first, first + len(array)), pa.int64())
    empty = array.null_count
    if empty:
        there = array.is_valid()
        numbers, array = numbers.filter(there), array.filter(there)
    array = array.cast(pa.large_binary()).cast(pa.binary())
    if array.offset:
        array = pa.concat_arrays([array, array.slice(0, 0)])
    data = array.buffers()[2]
    ascii_only = data is None or _logcolumns.is_ascii(data.address, data.size)
    form = "request-target" if name in fmt.targets else "url"
    fields = _all(name.encode("utf-8", "surrogateescape"), len(array))
    return _Raw(numbers, fields, array, {}, None, form, ascii_only, array.nbytes), empty


def raw_from_log(lines: list[bytes], raw: list[bytes], first: int, fmt: Log, unit: Unit | Any) -> _Raw:
    """Columns of the lines of a common or combined log; rejects and empty lines go to the unit."""
    assert fmt.plain is not None
    vhost, combined = fmt.plain

    def read_slowly(at: int, line: bytes) -> tuple[list[bytes], list[bool], tuple[Any, ...]] | None:
        records = Records()
        if fmt.take(first + at, line, records):
            return records.urls, [name == REFERER for name in records.fields], records.details[0]
        if line:
            unit.rejects.append((first + at, raw[at]))
        else:
            unit.empty += 1
        return None

    room = _logcolumns.arena_size(lines)
    capacity = max(1, len(lines) * _logcolumns.ROWS_A_LINE)
    names = (*_logcolumns.VIEW_NAMES, "status", "size")
    bitmap = -(-capacity // 64) * 8
    arena = _buffer(room)
    views = [_buffer(16 * capacity) for _ in _logcolumns.VIEW_NAMES]
    numbers, fields, status, size = (_buffer(width * capacity) for width in (8, 1, 2, 8))
    bitmaps = [pa.py_buffer(bytearray(bitmap)) for _ in names]
    targets = pa.py_buffer(bytearray(bitmap))
    rows, used, nulls = _logcolumns.read_lines(
        lines,
        first,
        vhost=vhost,
        combined=combined,
        slow=read_slowly,
        numbers=numbers.address,
        fields=fields.address,
        targets=targets.address,
        views=tuple(view.address for view in views),
        bitmaps=tuple(bits.address for bits in bitmaps),
        status=status.address,
        size=size.address,
        arena=arena.address,
        arena_room=room,
    )
    octets = arena.slice(0, used)
    ascii_only = _logcolumns.is_ascii(octets.address, used)
    columns: dict[str, pa.Array] = {}
    for name, view, bits, count in zip(_logcolumns.VIEW_NAMES, views, bitmaps, nulls, strict=False):
        buffers = [bits if count else None, view, octets]
        columns[name] = pa.Array.from_buffers(pa.binary_view(), rows, buffers, null_count=count)
    for name, values, bits, count in zip(
        ("status", "size"), (status, size), bitmaps[-2:], nulls[-2:], strict=True
    ):
        columns[name] = pa.Array.from_buffers(
            UNIT_TYPES[name], rows, [bits if count else None, values], null_count=count
        )
    urls = columns.pop("url")
    places = pa.Array.from_buffers(pa.int8(), rows, [None, fields])
    return _Raw(
        pa.Array.from_buffers(pa.int64(), rows, [None, numbers]),
        pa.DictionaryArray.from_arrays(places, _FIELD_WORDS),
        urls,
        columns,
        targets,
        ascii_only=ascii_only,
        octets=used,
    )


def new_unit() -> Unit:
    return Unit(None, 0, 0, [], 0, None, None, None)


def finish_unit(unit: Unit, raw: _Raw, file: bytes, columns: tuple[str, ...]) -> Unit:
    """Parse the URLs and put the columns that were asked for in their order."""
    wanted = [name for name in columns if name in (*PARTS, *VERDICT)]
    fields = list(dict.fromkeys((*wanted, *VERDICT)))
    if raw.targets is not None:
        parsed = parse_mixed(raw.urls, fields, raw.targets)
    else:
        parsed = parse(raw.urls, fields, form=raw.form, threads=1)
    bits = parsed["findings"]
    made: list[pa.Array] = []
    schema = unit_schema(columns)
    for name in columns:
        made.append(_column(name, raw, parsed, file, bits))
    unit.batch = pa.RecordBatch.from_arrays(
        [
            column if column.type == kind.type else column.cast(kind.type)
            for column, kind in zip(made, schema, strict=True)
        ],
        schema=schema,
    )
    unit.urls = len(raw.urls)
    unit.valid = parsed["valid"]
    unit.invalid = unit.urls - unit.valid.true_count
    unit.findings = _logcolumns.count_findings(bits.buffers()[1].address, unit.urls)
    unit.numbers = raw.numbers
    unit.verdicts = parsed.select(["findings", "error_offset"])
    unit.octets = raw.octets
    return unit


def _column(name: str, raw: _Raw, parsed: pa.RecordBatch, file: bytes, bits: pa.Array) -> pa.Array:
    if name == "findings":
        return finding_names(bits)
    if name in ("valid", "error_offset", "port"):
        return parsed[name]
    if name in PARTS:
        return as_text(parsed[name], ascii_only=raw.ascii_only)
    if name == "url":
        return as_text(raw.urls, ascii_only=raw.ascii_only)
    if name == "file":
        return _all(file, len(raw.urls))
    if name == "line":
        return raw.numbers
    if name == "field":
        return raw.fields
    detail = raw.details.get(name)
    if detail is None:
        assert name in DETAILS
        return pa.nulls(len(raw.urls), UNIT_TYPES.get(name, _TEXT))
    return as_text(detail, ascii_only=raw.ascii_only) if detail.type == pa.binary_view() else detail
