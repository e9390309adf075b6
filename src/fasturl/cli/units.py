"""Units of work as Arrow columns: some lines or rows in, their URLs' parts out, with the values that rows.py gives.

A unit is read without looking at another one, so that units may be worked on by several threads.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import pyarrow as pa

from fasturl import _logcolumns
from fasturl._columns import Room
from fasturl.arrow import parse
from fasturl.arrow.parsing import parse_mixed
from fasturl.cli.formats.catalog import Log, UrlList
from fasturl.cli.formats.records import DETAILS, REFERER, TARGET, URL, Format, Records
from fasturl.cli.inputs.lines import Lines
from fasturl.cli.rows import PARTS, VERDICT

# The types of the columns that are neither texts nor words.
NUMBERS: dict[str, pa.DataType] = {
    "line": pa.int64(),
    "port": pa.uint16(),
    "valid": pa.bool_(),
    "error_offset": pa.int64(),
    "status": pa.int16(),
    "size": pa.uint64(),
}
_BOUNDS = {"status": (0, 1 << 15), "size": (0, 1 << 64)}
_OCTETS = pa.binary_view()


@dataclass
class Unit:
    """What was read: every column that was asked for, and what counts and limits look at.

    Texts are views of octets as they were read, `file` and `field` places in a few words, `findings` sets of bits.
    """

    columns: dict[str, pa.Array]
    ascii_only: bool
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


def octets_array(values: list[bytes]) -> pa.Array:
    """Octets as an array of offsets. `pa.array` would import pandas, where there is one, to look for its own."""
    places = array("i", accumulate(map(len, values), initial=0))
    buffers = [None, pa.py_buffer(places.tobytes()), pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.binary(), len(values), buffers)


def _integers(kind: pa.DataType, values: Iterable[int]) -> pa.Array:
    numbers = array({8: "b", 64: "q"}[kind.bit_width], values)
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(numbers.tobytes())])


def _buffer(size: int) -> pa.Buffer:
    return pa.py_buffer(Room(size))


def _all(word: bytes, count: int) -> pa.Array:
    """One word for each row."""
    places = pa.Array.from_buffers(pa.int8(), count, [None, pa.py_buffer(bytes(count))])
    return pa.DictionaryArray.from_arrays(places, octets_array([word]))


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
    urls = octets_array(records.urls)
    count = len(urls)
    distinct = list(dict.fromkeys(records.fields)) or [""]
    targets: pa.Buffer | None = None
    form = "request-target" if distinct[0] in fmt.targets else "url"
    if len(distinct) == 1:
        fields = _all(distinct[0].encode("utf-8", "surrogateescape"), count)
    else:
        places = {name: place for place, name in enumerate(distinct)}
        fields = pa.DictionaryArray.from_arrays(
            _integers(pa.int8(), [places[name] for name in records.fields]),
            octets_array([name.encode("utf-8", "surrogateescape") for name in distinct]),
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
    return _Raw(_integers(pa.int64(), records.numbers), fields, urls, details, targets, form, ascii_only, octets)


def _detail(name: str, values: tuple[Any, ...]) -> pa.Array:
    if name in _BOUNDS:
        low, high = _BOUNDS[name]
        fitting = [value if value is not None and low <= value < high else None for value in values]
        return pa.array(fitting, NUMBERS[name])
    octets = [value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value for value in values]
    return pa.array(octets, pa.binary()).cast(_OCTETS)


def raw_from_array(first: int, column: pa.Array, name: str, fmt: Format) -> tuple[_Raw, int]:
    """Columns of the URLs of a column, and how many rows had none."""
    numbers = _integers(pa.int64(), range(first, first + len(column)))
    empty = column.null_count
    if empty:
        there = column.is_valid()
        numbers, column = numbers.filter(there), column.filter(there)
    column = column.cast(pa.large_binary()).cast(pa.binary())
    if column.offset:
        column = pa.concat_arrays([column, column.slice(0, 0)])
    data = column.buffers()[2]
    ascii_only = data is None or _logcolumns.is_ascii(data.address, data.size)
    form = "request-target" if name in fmt.targets else "url"
    fields = _all(name.encode("utf-8", "surrogateescape"), len(column))
    return _Raw(numbers, fields, column, {}, None, form, ascii_only, column.nbytes), empty


def raw_from_urls(batches: list[Lines], fmt: UrlList, unit: Unit) -> _Raw:
    """Columns of lines that are URLs; empty lines are counted."""
    blocks = [lines.octets for lines in batches]
    unit.lines = sum(lines.count for lines in batches)
    views, numbers = _buffer(16 * unit.lines), _buffer(8 * unit.lines)
    rows = _logcolumns.read_urls(
        blocks, **_cutting(batches), count=unit.lines, numbers=numbers.address, views=views.address
    )
    unit.empty = unit.lines - rows
    named = [pa.py_buffer(block) for block in blocks]
    return _Raw(
        pa.Array.from_buffers(pa.int64(), rows, [None, numbers]),
        _all(URL.encode(), rows),
        pa.Array.from_buffers(_OCTETS, rows, [None, views, *named], null_count=0),
        {},
        form="request-target" if URL in fmt.targets else "url",
        ascii_only=_are_ascii(named),
        octets=sum(map(len, blocks)),
    )


def _cutting(batches: list[Lines]) -> dict[str, Any]:
    """How _logcolumns is to cut the batches into lines."""
    first = batches[0]
    return {
        "separator": ord(first.separator),
        "strips": first.separator == b"\n",
        "start": first.start,
        "first": first.first,
    }


def _are_ascii(buffers: list[pa.Buffer]) -> bool:
    return all(_logcolumns.is_ascii(octets.address, octets.size) for octets in buffers)


def raw_from_log(batches: list[Lines], fmt: Log, unit: Unit) -> _Raw:
    """Columns of the lines of a common or combined log; rejects and empty lines go to the unit."""
    assert fmt.plain is not None
    vhost, combined = fmt.plain

    first = batches[0].first
    blocks = [lines.octets for lines in batches]
    unit.lines = sum(lines.count for lines in batches)

    def read_slowly(at: int, line: bytes, raw: bytes) -> tuple[list[bytes], list[bool], tuple[Any, ...]] | None:
        records = Records()
        if fmt.take(first + at, line, records):
            return records.urls, [name == REFERER for name in records.fields], records.details[0]
        if line:
            unit.rejects.append((first + at, raw))
        else:
            unit.empty += 1
        return None

    room = _logcolumns.arena_size(blocks, unit.lines, ord(batches[0].separator))
    capacity = max(1, unit.lines * _logcolumns.ROWS_A_LINE)
    names = (*_logcolumns.VIEW_NAMES, "status", "size")
    bitmap = -(-capacity // 64) * 8
    arena = _buffer(room)
    views = [_buffer(16 * capacity) for _ in _logcolumns.VIEW_NAMES]
    numbers, fields, status, size = (_buffer(width * capacity) for width in (8, 1, 2, 8))
    bitmaps = [pa.py_buffer(bytearray(bitmap)) for _ in names]
    targets = pa.py_buffer(bytearray(bitmap))
    rows, used, nulls = _logcolumns.read_lines(
        blocks,
        **_cutting(batches),
        count=unit.lines,
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
    named = [arena.slice(0, used), *map(pa.py_buffer, blocks)]
    ascii_only = _are_ascii(named)
    columns: dict[str, pa.Array] = {}
    for name, view, bits, count in zip(_logcolumns.VIEW_NAMES, views, bitmaps, nulls, strict=False):
        buffers = [bits if count else None, view, *named]
        columns[name] = pa.Array.from_buffers(pa.binary_view(), rows, buffers, null_count=count)
    for name, values, bits, count in zip(("status", "size"), (status, size), bitmaps[-2:], nulls[-2:], strict=True):
        columns[name] = pa.Array.from_buffers(NUMBERS[name], rows, [bits if count else None, values], null_count=count)
    urls = columns.pop("url")
    places = pa.Array.from_buffers(pa.int8(), rows, [None, fields])
    return _Raw(
        pa.Array.from_buffers(pa.int64(), rows, [None, numbers]),
        pa.DictionaryArray.from_arrays(places, octets_array([TARGET.encode(), REFERER.encode()])),
        urls,
        columns,
        targets,
        ascii_only=ascii_only,
        octets=sum(map(len, named)),
    )


def new_unit() -> Unit:
    return Unit({}, False, 0, 0, [], 0, None, None, None)


def finish_unit(unit: Unit, raw: _Raw, file: bytes, columns: tuple[str, ...]) -> Unit:
    """Parse the URLs, and keep the columns that were asked for in their order."""
    wanted = [name for name in columns if name in (*PARTS, *VERDICT)]
    fields = list(dict.fromkeys((*wanted, *VERDICT)))
    if raw.targets is not None:
        parsed = parse_mixed(raw.urls, fields, raw.targets)
    else:
        parsed = parse(raw.urls, fields, form=raw.form, threads=1)
    unit.columns = {name: _column(name, raw, parsed, file) for name in columns}
    unit.ascii_only = raw.ascii_only
    unit.urls = len(raw.urls)
    unit.valid = parsed["valid"]
    unit.invalid = unit.urls - unit.valid.true_count
    unit.findings = _logcolumns.count_findings(parsed["findings"].buffers()[1].address, unit.urls)
    unit.numbers = raw.numbers
    unit.verdicts = parsed.select(["findings", "error_offset"])
    unit.octets = raw.octets
    return unit


def _column(name: str, raw: _Raw, parsed: pa.RecordBatch, file: bytes) -> pa.Array:
    if name in PARTS or name in VERDICT:
        return parsed[name]
    if name == "url":
        return raw.urls if raw.urls.type == _OCTETS else raw.urls.cast(_OCTETS)
    if name == "file":
        return _all(file, len(raw.urls))
    if name == "line":
        return raw.numbers
    if name == "field":
        return raw.fields
    detail = raw.details.get(name)
    if detail is None:
        assert name in DETAILS
        return pa.nulls(len(raw.urls), NUMBERS.get(name, _OCTETS))
    return detail
