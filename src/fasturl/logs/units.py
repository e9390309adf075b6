"""Units of work as Arrow columns: some lines or rows in, their URLs' parts out, each column a value a URL.

A unit is read without looking at another one, so that units may be worked on by several threads.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import pyarrow as pa

from fasturl import _accesslog, _rowtext
from fasturl._columns import PooledBuffer
from fasturl.arrow import parse
from fasturl.arrow.columns_in import Strings
from fasturl.arrow.parsing import parse_mixed
from fasturl.logs.formats.catalog import UrlList
from fasturl.logs.formats.clf import CommonLog
from fasturl.logs.formats.records import DETAILS, REFERER, TARGET, URL, LineFormat, Records
from fasturl.logs.formats.tables import TableRows
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.inputs.source import Source
from fasturl.logs.rows import DIAGNOSTICS, PARTS, REFERER_COLUMNS

# The types of the columns that are neither texts nor words.
NUMBERS: dict[str, pa.DataType] = {
    "line": pa.int64(),
    "port": pa.uint16(),
    "valid": pa.bool_(),
    "error_offset": pa.int64(),
    "status": pa.int16(),
    "size": pa.uint64(),
}
NUMBERS |= {f"{REFERER}_{name}": NUMBERS[name] for name in ("port", "valid", "error_offset")}
_BOUNDS = {"status": (0, 1 << 15), "size": (0, 1 << 64)}
_OCTETS = pa.binary_view()
_OF_URLS = frozenset((*PARTS, *DIAGNOSTICS))


@dataclass
class Unit:
    """What was read: every column that was asked for, and what counts and limits look at.

    Texts are octets as they were read, or views of them, `file` and `field` places in a few words, `findings` sets of
    bits. What is not `diagnosed` has no more than its columns: no URL is parsed that no column asks for.
    """

    source: Source
    fmt: LineFormat
    columns: dict[str, pa.Array] = field(default_factory=dict)
    diagnosed: bool = True
    ascii_only: bool = False
    urls: int = 0
    invalid: int = 0
    findings: list[tuple[int, int, int]] = field(default_factory=list)  # the first row, the bit, how many rows
    kept: dict[str, pa.Array] = field(default_factory=dict)  # columns of the input that go out, texts as octets
    octets: int = 0
    first: int | None = None  # the number of the first line that is a record
    numbers: pa.Array = None
    valid: pa.Array = None
    targets: pa.Array | None = None  # which rows are request targets, when both forms are there
    diagnostics: pa.RecordBatch = None  # findings as bits, and error_offset
    rejects: list[tuple[int, bytes]] = field(default_factory=list)
    text: list[Lines] = field(default_factory=list)  # the lines, when they are asked for
    lines: int = 0
    empty: int = 0


def octets_array(values: list[bytes]) -> pa.Array:
    """Octets as an array of offsets. `pa.array` would import pandas, where there is one, to look for its own."""
    places = array("i", accumulate(map(len, values), initial=0))
    buffers = [None, pa.py_buffer(places.tobytes()), pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.binary(), len(values), buffers)


def _octets_or_nulls(values: list[bytes | None]) -> pa.Array:
    there = [value for value in values if value is not None]
    return octets_array(there) if len(there) == len(values) else pa.array(values, pa.binary())


def _integers(kind: pa.DataType, values: Iterable[int]) -> pa.Array:
    numbers = array({8: "b", 64: "q"}[kind.bit_width], values)
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(numbers.tobytes())])


def used_buffer(memory: PooledBuffer, size: int) -> pa.Buffer:
    """The first octets of memory, which were written: what stands behind them is of batches before, and no slice's
    parent may lead there."""
    return pa.foreign_buffer(memory.address, size, memory)


def _all(word: bytes, count: int) -> pa.Array:
    """One word for each row."""
    places = pa.Array.from_buffers(pa.int8(), count, [None, pa.py_buffer(bytes(count))])
    return pa.DictionaryArray.from_arrays(places, octets_array([word]))


@dataclass
class Raw:
    """Records as columns, before their URLs are parsed."""

    numbers: pa.Array
    fields: pa.Array
    urls: pa.Array
    details: dict[str, pa.Array]  # and in rows by request the referer
    targets: pa.Buffer | None = None  # which rows are request targets, when both forms are there
    form: str = "url"
    ascii_only: bool = False
    octets: int = 0
    kept: dict[str, pa.Array] = field(default_factory=dict)


def raw_from_records(records: Records, fmt: LineFormat, by_request: bool = False) -> Raw:
    """Columns of records that stand in lists."""
    if fmt.details and not by_request:
        records = records.by_url()
    urls = _octets_or_nulls(records.urls)
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
    if by_request and fmt.details:
        details[REFERER] = _octets_or_nulls(records.referers).cast(_OCTETS)
    kept: dict[str, pa.Array] = {}
    if fmt.kept:
        texts_kept: Any = zip(*records.kept, strict=True) if count else [()] * len(fmt.kept)
        kept = {one.name: _octets_or_nulls([*values]) for one, values in zip(fmt.kept, texts_kept, strict=True)}
    texts = [urls, *kept.values(), *(column for column in details.values() if column.type == _OCTETS)]
    ascii_only = all(_is_ascii(column.cast(pa.binary())) for column in texts)
    octets = urls.nbytes + sum(column.nbytes for column in (*details.values(), *kept.values()))
    numbers = _integers(pa.int64(), records.numbers)
    return Raw(numbers, fields, urls, details, targets, form, ascii_only, octets, kept)


def _detail(name: str, values: tuple[Any, ...]) -> pa.Array:
    if name in _BOUNDS:
        low, high = _BOUNDS[name]
        fitting = [value if value is not None and low <= value < high else None for value in values]
        return pa.array(fitting, NUMBERS[name])
    return pa.array(values, pa.binary()).cast(_OCTETS)


def _is_ascii(column: pa.Array) -> bool:
    data = column.buffers()[2]
    return data is None or bool(_rowtext.is_ascii(data.address, data.size))


def raw_from_rows(rows: TableRows, fmt: LineFormat) -> tuple[Raw, int]:
    """Columns of the URLs of a column, and how many rows had none."""
    name, column = rows.column, rows.array
    numbers = _integers(pa.int64(), range(rows.first, rows.first + rows.count))
    empty = column.null_count
    others = rows.kept
    if empty:
        there = column.is_valid()
        numbers, column, *others = [each.filter(there) for each in (numbers, column, *others)]
    column = _from_start(column)
    kept = {
        one.name: _from_start(each) if pa.types.is_large_binary(each.type) else each
        for one, each in zip(fmt.kept, others, strict=True)
    }
    form = "request-target" if name in fmt.targets else "url"
    fields = _all(name.encode("utf-8", "surrogateescape"), len(column))
    texts = [column, *(each for each in kept.values() if each.type == pa.binary())]
    octets = sum(each.nbytes for each in (column, *kept.values()))
    return Raw(numbers, fields, column, {}, None, form, all(map(_is_ascii, texts)), octets, kept), empty


def _from_start(column: pa.Array) -> pa.Array:
    """Octets with small offsets, no slice of others."""
    column = column.cast(pa.binary())
    return pa.concat_arrays([column, column.slice(0, 0)]) if column.offset else column


def raw_from_urls(batches: list[Lines], fmt: UrlList, unit: Unit) -> Raw:
    """Columns of lines that are URLs; empty lines are counted."""
    blocks = [lines.octets for lines in batches]
    unit.lines = sum(lines.count for lines in batches)
    views, numbers = PooledBuffer(16 * unit.lines), PooledBuffer(8 * unit.lines)
    rows = _accesslog.read_urls(
        blocks, **_cutting(batches), count=unit.lines, numbers=numbers.address, views=views.address
    )
    unit.empty = unit.lines - rows
    named = [pa.py_buffer(block) for block in blocks]
    return Raw(
        pa.Array.from_buffers(pa.int64(), rows, [None, used_buffer(numbers, 8 * rows)]),
        _all(URL.encode(), rows),
        pa.Array.from_buffers(_OCTETS, rows, [None, used_buffer(views, 16 * rows), *named], null_count=0),
        {},
        form="request-target" if URL in fmt.targets else "url",
        ascii_only=_are_ascii(named),
        octets=sum(map(len, blocks)),
    )


def _cutting(batches: list[Lines]) -> dict[str, Any]:
    """How _accesslog is to cut the batches into lines."""
    first = batches[0]
    return {
        "separator": ord(first.separator),
        "strips": first.separator == b"\n",
        "start": first.start,
        "first": first.first,
    }


def _are_ascii(buffers: list[pa.Buffer]) -> bool:
    return all(_rowtext.is_ascii(octets.address, octets.size) for octets in buffers)


def raw_from_log(batches: list[Lines], fmt: CommonLog, unit: Unit, wanted: set[str], by_request: bool) -> Raw:
    """Columns of the lines of a common, combined or custom log; rejects and empty lines go to the unit."""
    blocks = [lines.octets for lines in batches]
    unit.lines = sum(lines.count for lines in batches)
    capacity = max(1, unit.lines * (1 if by_request else _accesslog.ROWS_A_LINE))
    texts = _accesslog.VIEW_NAMES
    bitmap = -(-capacity // 64) * 8
    arena_size = sum(map(len, blocks)) + (_accesslog.PLAN_ARENA_A_LINE * unit.lines if fmt.plan else 0)
    arena = PooledBuffer(arena_size)
    views = {name: PooledBuffer(16 * capacity) for name in texts if name == "url" or name in wanted}
    numbers, fields, status, size = (PooledBuffer(width * capacity) for width in (8, 1, 2, 8))
    validity = [pa.py_buffer(bytearray(bitmap)) for _ in (*texts, "status", "size")]
    targets = pa.py_buffer(bytearray(bitmap))
    rows, used, nulls, unit.empty, unit.rejects = _accesslog.read_lines(
        blocks,
        **_cutting(batches),
        count=unit.lines,
        vhost=fmt.vhost,
        combined=fmt.combined,
        by_request=by_request,
        numbers=numbers.address,
        fields=fields.address,
        targets=targets.address,
        views=tuple(views[name].address if name in views else 0 for name in texts),
        validity=tuple(bits.address for bits in validity),
        status=status.address,
        size=size.address,
        arena=arena.address,
        arena_size=arena_size,
        plan=fmt.plan,
    )
    named = [used_buffer(arena, used), *map(pa.py_buffer, blocks)]
    buffers = {name: [used_buffer(view, 16 * rows), *named] for name, view in views.items()}
    buffers |= {"status": [used_buffer(status, 2 * rows)], "size": [used_buffer(size, 8 * rows)]}
    columns = {
        name: pa.Array.from_buffers(
            NUMBERS.get(name, _OCTETS), rows, [bits if count else None, *buffers[name]], null_count=count
        )
        for name, bits, count in zip((*texts, "status", "size"), validity, nulls, strict=True)
        if name in buffers
    }
    urls = columns.pop("url")
    kept = _kept_of_log(batches, fmt, unit, by_request) if fmt.kept else {}
    places = pa.Array.from_buffers(pa.int8(), rows, [None, used_buffer(fields, rows)])
    return Raw(
        pa.Array.from_buffers(pa.int64(), rows, [None, used_buffer(numbers, 8 * rows)]),
        pa.DictionaryArray.from_arrays(places, octets_array([TARGET.encode(), REFERER.encode()])),
        urls,
        columns,
        None if by_request else targets,
        form="request-target",
        ascii_only=_are_ascii(named) and all(map(_is_ascii, kept.values())),
        octets=sum(map(len, named)),
        kept=kept,
    )


def _kept_of_log(batches: list[Lines], fmt: CommonLog, unit: Unit, by_request: bool) -> dict[str, pa.Array]:
    """The fields of a custom log that are kept: the lines are read once more for each."""
    kept = {}
    for one, reader in zip(fmt.kept, fmt.kept_by, strict=True):
        read = raw_from_log(batches, reader, Unit(unit.source, reader), {"agent"}, by_request)
        kept[one.name] = read.details["agent"].cast(pa.binary())
    return kept


def finish_unit(unit: Unit, raw: Raw, columns: tuple[str, ...]) -> Unit:
    """Parse the URLs, and keep the columns that were asked for in their order."""
    wanted = [name for name in columns if name in _OF_URLS]
    parsed = _parsed(raw, list(dict.fromkeys((*wanted, *DIAGNOSTICS))) if unit.diagnosed else wanted, unit.diagnosed)
    read = {name: parsed[name] for name in wanted} | _parsed_referers(raw, columns, unit.diagnosed)
    unit.columns = {name: read[name] if name in read else _column(name, raw, unit.source) for name in columns}
    unit.kept = raw.kept
    unit.ascii_only = raw.ascii_only
    unit.urls = len(raw.urls)
    unit.numbers = raw.numbers
    unit.first = raw.numbers[0].as_py() if unit.urls else None
    if raw.targets is not None:
        unit.targets = pa.Array.from_buffers(pa.bool_(), unit.urls, [None, raw.targets])
    unit.octets = raw.octets
    if unit.diagnosed:
        unit.valid = parsed["valid"]
        unit.invalid = unit.urls - raw.urls.null_count - unit.valid.true_count
        unit.findings = _rowtext.count_findings(parsed["findings"].buffers()[1].address, unit.urls)
        unit.diagnostics = parsed.select(["findings", "error_offset"])
    return unit


def _parsed(raw: Raw, fields: list[str], as_views: bool) -> pa.RecordBatch:
    """These fields of the URLs: nothing is parsed for none. Whoever writes text takes views, all others want copies."""
    if not fields:
        return pa.RecordBatch.from_arrays([], names=[])
    if raw.targets is not None:
        return parse_mixed(raw.urls, fields, raw.targets)
    strings: Strings = "view" if as_views else "string"
    return parse(raw.urls, fields, form=raw.form, threads=1, strings=strings)


def kept(unit: Unit, rows: pa.Array) -> Unit:
    """The unit with these of its rows."""
    unit.columns = {name: _taken(column, rows) for name, column in unit.columns.items()}
    unit.kept = {name: column.take(rows) for name, column in unit.kept.items()}
    unit.numbers, unit.valid = unit.numbers.take(rows), unit.valid.take(rows)
    unit.diagnostics = unit.diagnostics.take(rows)
    if unit.targets is not None:
        unit.targets = unit.targets.take(rows)
    unit.urls = len(rows)
    unit.invalid = unit.urls - unit.valid.null_count - unit.valid.true_count
    findings = unit.diagnostics["findings"].buffers()[1]
    unit.findings = _rowtext.count_findings(findings.address, unit.urls) if unit.urls else []
    return unit


def _taken(column: pa.Array, rows: pa.Array) -> pa.Array:
    # Arrow takes rows of no views.
    return column.cast(pa.binary()).take(rows).cast(_OCTETS) if column.type == _OCTETS else column.take(rows)


def _parsed_referers(raw: Raw, columns: tuple[str, ...], as_views: bool) -> dict[str, pa.Array]:
    """The parts of the referer that were asked for."""
    fields = [name.removeprefix(f"{REFERER}_") for name in columns if name in REFERER_COLUMNS]
    if not fields:
        return {}
    referers = raw.details.get(REFERER)
    if referers is None:
        referers = pa.nulls(len(raw.urls), _OCTETS)
    parsed = parse(referers, fields, threads=1, strings="view" if as_views else "string")
    return {f"{REFERER}_{name}": parsed[name] for name in fields}


def _column(name: str, raw: Raw, source: Source) -> pa.Array:
    if name == "url":
        return raw.urls if raw.urls.type == _OCTETS else raw.urls.cast(_OCTETS)
    if name == "file":
        return _all(os.fsencode(source.name), len(raw.urls))
    if name == "line":
        return raw.numbers
    if name == "field":
        return raw.fields
    detail = raw.details.get(name)
    if detail is None:
        assert name in (*DETAILS, REFERER)
        return pa.nulls(len(raw.urls), NUMBERS.get(name, _OCTETS))
    return detail
