"""Units of work: lines or rows become Arrow columns with a value per URL or request.

Units are independent, so several threads can work on them.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fasturl import _accesslog, _columns
from fasturl._columns import PooledBuffer
from fasturl.arrow import compute as pc
from fasturl.arrow import parse
from fasturl.arrow.columns_in import Strings
from fasturl.arrow.copies import used_buffer
from fasturl.arrow.parsing import parse_mixed
from fasturl.logs.agents import agent_bots, agent_texts
from fasturl.logs.columns import (
    AGENT_COLUMNS,
    COLUMNS,
    DETAILS,
    DIAGNOSTICS,
    EXTRAS,
    ON_REQUEST,
    PARTS,
    REFERER,
    REFERER_COLUMNS,
    ROUTE,
    TARGET,
    URL,
    VALID_BY,
    VISITOR,
    Standard,
)
from fasturl.logs.formats.catalog import UrlList
from fasturl.logs.formats.columnar import TableRows
from fasturl.logs.formats.kernel_logs import CommonLog, ListLog
from fasturl.logs.formats.records import LineFormat, Records
from fasturl.logs.inputs.lines import BOM, Lines
from fasturl.logs.inputs.source import Source

if TYPE_CHECKING:
    from fasturl.logs.routes import Routes

# The types of the columns that are neither text nor dictionaries.
NUMBERS: dict[str, pa.DataType] = {
    "line": pa.int64(),
    "port": pa.uint16(),
    "valid_rfc1738": pa.bool_(),
    "valid_rfc3986": pa.bool_(),
    "error_offset": pa.int64(),
    "status": pa.int16(),
    "size": pa.uint64(),
    "agent_bot": pa.bool_(),
    "duration": pa.float64(),
    "request_length": pa.uint64(),
}
NUMBERS |= {f"{REFERER}_{name}": NUMBERS[name] for name in ("port", "valid_rfc1738", "error_offset", "valid_rfc3986")}
_ALWAYS = ("url", "status", "size")  # the kernel always writes them
_BYTES = pa.binary_view()
_VIEW = pa.binary(16)
_URL_COLUMNS = frozenset((*PARTS, *DIAGNOSTICS, *ON_REQUEST))


@dataclass(eq=False, repr=False)
class Unit:
    """Columns from some lines, and numbers for counts and limits.

    Text columns hold bytes or views. `file` and `field` are dictionaries, and `findings` are bits. If a unit is not
    `diagnosed`, it has only columns, and parses a URL only when a column needs it.
    """

    source: Source
    fmt: LineFormat
    columns: dict[str, pa.Array] = field(default_factory=dict)
    diagnosed: bool = True
    standard: Standard = "rfc1738"  # of `valid` and `invalid`
    ascii_only: bool = False
    urls: int = 0
    invalid: int = 0
    findings: list[tuple[int, int, int]] = field(default_factory=list)  # first row, bit, number of rows
    kept: dict[str, pa.Array] = field(default_factory=dict)  # input columns that are copied, text as bytes
    size: int = 0
    first: int | None = None  # the line number of the first record
    numbers: pa.Array = None
    valid: pa.Array = None
    targets: pa.Array | None = None  # which rows are request targets, if only some are
    diagnostics: pa.RecordBatch = None  # findings as bits, and error_offset
    rejects: list[tuple[int, bytes]] = field(default_factory=list)
    text: list[Lines] = field(default_factory=list)  # the lines, if they are kept
    lines: int = 0
    empty: int = 0
    has_lines: bool = True  # False for the rows of a table, which are not in `text`
    read: pa.Array = None  # the line numbers of all records, also of those that a step has removed
    texts: dict[str, pa.Array] = field(default_factory=dict)  # of `text`, before and after changes
    unhidden: dict[str, pa.Array] = field(default_factory=dict)  # fields before their secrets were hidden, for findings
    header: int = 0  # lines that name fields
    routes: Routes | None = None  # of the column `route`

    @property
    def records(self) -> int:
        """The number of lines that are records, neither rejects nor empty nor headers."""
        return self.lines - self.empty - self.header - len(self.rejects)


def bytes_array(values: list[bytes]) -> pa.Array:
    """Return a binary array. `pa.array` would import pandas, if installed, to look for pandas' types."""
    places = array("i", accumulate(map(len, values), initial=0))
    buffers = [None, pa.py_buffer(places.tobytes()), pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.binary(), len(values), buffers)


def _bytes_or_nulls(values: list[bytes | None]) -> pa.Array:
    there = [value for value in values if value is not None]
    return bytes_array(there) if len(there) == len(values) else pa.array(values, pa.binary())


def _integers(values: Iterable[int]) -> pa.Array:
    numbers = array("q", values)
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers.tobytes())])


def _all(word: bytes | None, count: int) -> pa.Array:
    """Return a column with the same word, or null, in all rows."""
    if word is None:
        return pa.DictionaryArray.from_arrays(pa.nulls(count, pa.int8()), bytes_array([]))
    places = pa.Array.from_buffers(pa.int8(), count, [None, pa.py_buffer(bytes(count))])
    return pa.DictionaryArray.from_arrays(places, bytes_array([word]))


@dataclass(eq=False, repr=False)
class Raw:
    """Records as columns, before the URLs are parsed."""

    numbers: pa.Array
    fields: pa.Array
    urls: pa.Array
    details: dict[str, pa.Array]  # with the referer, if there is one row per request
    targets: pa.Buffer | None = None  # which rows are request targets, if only some are
    form: str = "url"
    ascii_only: bool = False
    size: int = 0
    kept: dict[str, pa.Array] = field(default_factory=dict)

    def take(self, rows: pa.Array) -> Raw:
        """Return the records with these numbers, from 0."""
        targets = self.targets
        if targets is not None:
            bits = pa.Array.from_buffers(pa.bool_(), len(self.urls), [None, targets])
            targets = bits.take(rows).buffers()[1]
        return replace(
            self,
            numbers=self.numbers.take(rows),
            fields=self.fields.take(rows),
            urls=_take(self.urls, rows),
            details={name: _take(column, rows) for name, column in self.details.items()},
            targets=targets,
            kept={name: column.take(rows) for name, column in self.kept.items()},
        )


@dataclass(eq=False, repr=False)
class RowFilter:
    """A condition on rows. Other columns are computed only for the rows to keep.

    columns : the columns in the condition
    rows : returns the row numbers to keep, from 0, in a batch with these columns
    """

    columns: tuple[str, ...]
    rows: Callable[[pa.RecordBatch], pa.Array]


def _kept_columns(fmt: LineFormat, rows: list[tuple[bytes | None, ...]]) -> dict[str, pa.Array]:
    columns: Any = zip(*rows, strict=True) if rows else [()] * len(fmt.kept or ())
    return {one.name: _bytes_or_nulls([*each]) for one, each in zip(fmt.kept or (), columns, strict=True)}


def raw_from_records(records: Records, fmt: LineFormat) -> Raw:
    """Return the columns of records."""
    urls, kept = bytes_array(records.urls), _kept_columns(fmt, records.kept)
    columns = (urls, *kept.values())
    return Raw(
        _integers(records.numbers),
        _all(fmt.field.encode("utf-8", "surrogateescape"), len(urls)),
        urls,
        {},
        form=fmt.form,
        ascii_only=_are_ascii(column.buffers()[2] for column in columns),
        size=sum(column.nbytes for column in columns),
        kept=kept,
    )


def _are_ascii(texts: Iterable[pa.Buffer | None]) -> bool:
    return all(data is None or _columns.is_ascii(data.address, data.size) for data in texts)


def raw_from_rows(rows: TableRows, fmt: LineFormat) -> tuple[Raw, int]:
    """Return the columns for a table's rows with a URL, and the number of rows without a URL."""
    column = rows.array
    numbers = _integers(range(rows.first, rows.first + rows.count))
    empty = column.null_count
    others = rows.kept
    if empty:
        there = column.is_valid()
        numbers, column, *others = [each.filter(there) for each in (numbers, column, *others)]
    column = from_start(column)
    kept = {
        one.name: from_start(each) if pa.types.is_large_binary(each.type) else each
        for one, each in zip(fmt.kept or (), others, strict=True)
    }
    fields = _all(fmt.field.encode("utf-8", "surrogateescape"), len(column))
    texts = [column, *(each for each in kept.values() if each.type == pa.binary())]
    size = sum(each.nbytes for each in (column, *kept.values()))
    ascii_only = _are_ascii(each.buffers()[2] for each in texts)
    return Raw(numbers, fields, column, {}, None, fmt.form, ascii_only, size, kept), empty


def from_start(column: pa.Array) -> pa.Array:
    """Return the values with 32-bit offsets, as an unsliced array."""
    if column.type != pa.binary():  # a cast would import pyarrow.compute
        column = column.cast(pa.binary())
    return pa.concat_arrays([column, column.slice(0, 0)]) if column.offset else column


def raw_from_urls(batches: list[Lines], fmt: UrlList, unit: Unit) -> Raw:
    """Return the columns for lines that are URLs, and count empty lines."""
    blocks = [lines.data for lines in batches]
    unit.lines = sum(lines.count for lines in batches)
    views, numbers = PooledBuffer(16 * unit.lines), PooledBuffer(8 * unit.lines)
    rows = _accesslog.read_urls(
        blocks, **_line_layout(batches), count=unit.lines, numbers=numbers.address, views=views.address
    )
    unit.empty = unit.lines - rows
    named = [pa.py_buffer(block) for block in blocks]
    return Raw(
        pa.Array.from_buffers(pa.int64(), rows, [None, used_buffer(numbers, 8 * rows)]),
        _all(URL.encode(), rows),
        pa.Array.from_buffers(_BYTES, rows, [None, used_buffer(views, 16 * rows), *named], null_count=0),
        {},
        form=fmt.form,
        ascii_only=_are_ascii(named),
        size=sum(map(len, blocks)),
    )


def _line_layout(batches: list[Lines]) -> dict[str, Any]:
    """Return the arguments that tell `_accesslog` how the batches divide into lines."""
    first = batches[0]
    return {
        "separator": ord(first.separator),
        "strips": first.separator == b"\n",
        "start": first.start,
        "first": first.first,
    }


def raw_from_log(batches: list[Lines], fmt: CommonLog, unit: Unit, wanted: set[str], by_request: bool) -> Raw:
    """Return the columns for log lines that the kernel reads. Rejects and empty lines go to the unit."""
    blocks = [lines.data for lines in batches]
    unit.lines = sum(lines.count for lines in batches)
    capacity = max(1, unit.lines * (1 if by_request else _accesslog.ROWS_A_LINE))
    texts = _accesslog.VIEW_NAMES
    bitmap = -(-capacity // 64) * 8
    more = _accesslog.TEMPLATE_ARENA_A_LINE if fmt.template or fmt.objects else 0
    shares = 1 + (fmt.holder is not None) + (fmt.template is not None and fmt.template.copies)
    arena_size = shares * sum(map(len, blocks)) + more * unit.lines
    arena = PooledBuffer(arena_size)
    numbers, fields = PooledBuffer(8 * capacity), PooledBuffer(capacity)
    widths = dict.fromkeys(texts, 16) | {name: NUMBERS[name].bit_width // 8 for name in _accesslog.NUMBER_NAMES}
    memory = {
        name: PooledBuffer(width * capacity) for name, width in widths.items() if name in _ALWAYS or name in wanted
    }
    addresses = [memory[name].address if name in memory else 0 for name in widths]
    unwanted = pa.py_buffer(bytearray(bitmap))
    validity = [pa.py_buffer(bytearray(bitmap)) if name in memory else unwanted for name in widths]
    targets = pa.py_buffer(bytearray(bitmap))
    rows, used, nulls, unit.empty, unit.rejects = _accesslog.read_lines(
        blocks,
        **_line_layout(batches),
        count=unit.lines,
        vhost=fmt.vhost,
        combined=fmt.combined,
        by_request=by_request,
        numbers=numbers.address,
        fields=fields.address,
        targets=targets.address,
        views=tuple(addresses[: len(texts)]),
        validity=tuple(bits.address for bits in validity),
        figures=tuple(addresses[len(texts) :]),
        arena=arena.address,
        arena_size=arena_size,
        template=fmt.template,
        objects=fmt.objects,
        prefix=fmt.prefix,
        holder=fmt.holder,
    )
    if fmt.keeps_state:
        headers = [fmt.is_header(line.removeprefix(BOM)) for _, line in unit.rejects]
        unit.header = sum(headers)
        unit.rejects = [reject for reject, is_header in zip(unit.rejects, headers, strict=True) if not is_header]
    named = [used_buffer(arena, used), *map(pa.py_buffer, blocks)]
    columns = {}
    for name, bits, count in zip(widths, validity, nulls, strict=True):
        if name in memory:
            buffers = [bits if count else None, used_buffer(memory[name], widths[name] * rows)]
            if name in texts:
                buffers += named
            columns[name] = pa.Array.from_buffers(NUMBERS.get(name, _BYTES), rows, buffers, null_count=count)
    urls = columns.pop("url")
    number_column = pa.Array.from_buffers(pa.int64(), rows, [None, used_buffer(numbers, 8 * rows)])
    kept = _kept_of_log(batches, fmt, unit, by_request, number_column) if fmt.kept else {}
    places = pa.Array.from_buffers(pa.int8(), rows, [None, used_buffer(fields, rows)])
    return Raw(
        number_column,
        pa.DictionaryArray.from_arrays(places, bytes_array([TARGET.encode(), REFERER.encode()])),
        urls,
        columns,
        None if by_request else targets,
        form="request-target",
        ascii_only=_are_ascii([*named, *(column.buffers()[2] for column in kept.values())]),
        size=sum(map(len, named)),
        kept=kept,
    )


def raw_from_list(batches: list[Lines], fmt: ListLog, unit: Unit, wanted: set[str], by_request: bool) -> Raw:
    """Return the columns for lines in several formats. Each format reads the previous formats' rejects."""
    raws: list[Raw] = []
    numbers: list[int] = []
    for each in fmt.formats:
        part = Unit(unit.source, each)
        raw = raw_from_log(batches, each, part, wanted, by_request)
        if raws:  # its lines are the rejects, numbered from 1
            raw.numbers = _integers([numbers[row - 1] for row in raw.numbers.to_pylist()])
            unit.rejects = [(numbers[row - 1], line) for row, line in part.rejects]
        else:
            unit.lines, unit.empty, unit.rejects = part.lines, part.empty, part.rejects
        raws.append(raw)
        if not unit.rejects:
            break
        numbers = [number for number, _ in unit.rejects]
        separator = batches[0].separator
        rest = Lines(1, separator.join([*(line for _, line in unit.rejects), b""]), separator)
        rest.start = rest.start if numbers[0] == 1 else 0
        batches = [rest]
    return raws[0] if len(raws) == 1 else _in_order(raws)


def _in_order(raws: list[Raw]) -> Raw:
    """Return all records, sorted by line."""
    targets = [pa.Array.from_buffers(pa.bool_(), len(raw.urls), [None, raw.targets]) for raw in raws if raw.targets]
    whole = Raw(
        pa.concat_arrays([raw.numbers for raw in raws]),
        pa.concat_arrays([raw.fields for raw in raws]),
        pa.concat_arrays([raw.urls for raw in raws]),
        {name: pa.concat_arrays([raw.details[name] for raw in raws]) for name in raws[0].details},
        pa.concat_arrays(targets).buffers()[1] if targets else None,
        raws[0].form,
        all(raw.ascii_only for raw in raws),
        sum(raw.size for raw in raws),
    )
    return whole.take(pc.sort_indices(whole.numbers))


def _kept_of_log(
    batches: list[Lines], fmt: CommonLog, unit: Unit, by_request: bool, numbers: pa.Array
) -> dict[str, pa.Array]:
    """Return the kept fields from objects, or from a custom log, where each field reads the lines again."""
    kept = {}
    if fmt.objects is not None:
        lines = {number: line for each in batches for number, line in enumerate(each.stripped, each.first)}
        return _kept_columns(fmt, fmt.kept_values([lines[number] for number in numbers.to_pylist()]))
    for one, reader in zip(fmt.kept or (), fmt.kept_by, strict=True):
        read = raw_from_log(batches, reader, Unit(unit.source, reader), {"agent"}, by_request)
        kept[one.name] = read.details["agent"].cast(pa.binary())
    return kept


def finish_unit(unit: Unit, raw: Raw, columns: tuple[str, ...]) -> Unit:
    """Parse the URLs and set the requested columns, in order."""
    wanted = [name for name in columns if name in _URL_COLUMNS]
    valid = VALID_BY[unit.standard]
    read_too = (*DIAGNOSTICS, valid) if unit.diagnosed else ()
    routed = unit.routes is not None and ROUTE in columns
    parsed = _parse(raw, list(dict.fromkeys((*wanted, *read_too, *(("path",) if routed else ())))), unit.diagnosed)
    read = {name: parsed[name] for name in wanted} | _parsed_referers(raw, columns, unit.diagnosed)
    if unit.routes is not None and routed:
        found = unit.routes.match(parsed["path"])
        read[ROUTE] = pa.DictionaryArray.from_arrays(found.indices, found.dictionary.cast(pa.binary()))
    unit.columns = {name: read[name] if name in read else _column(name, raw, unit.source) for name in columns}
    unit.kept = raw.kept
    unit.ascii_only = raw.ascii_only
    unit.urls = len(raw.urls)
    unit.numbers = unit.read = raw.numbers
    unit.first = raw.numbers[0].as_py() if unit.urls else None
    if raw.targets is not None:
        unit.targets = pa.Array.from_buffers(pa.bool_(), unit.urls, [None, raw.targets])
    unit.size = raw.size
    if unit.diagnosed:
        unit.valid = parsed[valid]
        unit.invalid = unit.urls - raw.urls.null_count - unit.valid.true_count
        unit.findings = _columns.count_findings(parsed["findings"].buffers()[1].address, unit.urls)
        unit.diagnostics = parsed.select(["findings", "error_offset"])
    return unit


def texts_of_fields(raw: Raw) -> dict[str, pa.Array]:
    """Return the fields that are text."""
    return {"url": raw.urls, **{name: column for name, column in raw.details.items() if column.type == _BYTES}}


def _with_bits(fields: list[str]) -> list[str]:
    """Return the fields to parse. A unit's findings are bits until they are written."""
    return ["finding_bits" if name == "findings" else name for name in fields]


def _parse(raw: Raw, fields: list[str], as_views: bool) -> pa.RecordBatch:
    """Parse these fields of the URLs, as views for text output, as copies for other users."""
    if not fields:
        return pa.RecordBatch.from_arrays([], names=[])
    wanted = _with_bits(fields)
    if raw.targets is not None:
        return parse_mixed(raw.urls, wanted, raw.targets).rename_columns(fields)
    strings: Strings = "view" if as_views else "string"
    return parse(raw.urls, wanted, form=raw.form, threads=1, strings=strings).rename_columns(fields)


def take_rows(unit: Unit, rows: pa.Array) -> Unit:
    """Reduce the unit to these rows."""
    unit.columns = {name: _take(column, rows) for name, column in unit.columns.items()}
    unit.kept = {name: column.take(rows) for name, column in unit.kept.items()}
    unit.texts = {name: _take(column, rows) for name, column in unit.texts.items()}
    unit.unhidden = {name: _take(column, rows) for name, column in unit.unhidden.items()}
    unit.numbers = unit.numbers.take(rows)
    if unit.targets is not None:
        unit.targets = unit.targets.take(rows)
    unit.urls = len(rows)
    if not unit.diagnosed:
        return unit
    unit.valid = unit.valid.take(rows)
    unit.diagnostics = unit.diagnostics.take(rows)
    unit.invalid = unit.urls - unit.valid.null_count - unit.valid.true_count
    findings = unit.diagnostics["findings"].buffers()[1]
    unit.findings = _columns.count_findings(findings.address, unit.urls) if unit.urls else []
    return unit


def _take(column: pa.Array, rows: pa.Array) -> pa.Array:
    if column.type != _BYTES:
        return column.take(rows)
    # Arrow's take does not support views. A view has 16 bytes.
    validity, views, *data = column.buffers()
    bytes_of_views = pa.Array.from_buffers(_VIEW, len(column), [validity, views], column.null_count, column.offset)
    taken = bytes_of_views.take(rows)
    return pa.Array.from_buffers(_BYTES, len(taken), [*taken.buffers(), *data], taken.null_count)


def _parsed_referers(raw: Raw, columns: tuple[str, ...], as_views: bool) -> dict[str, pa.Array]:
    """Parse the requested parts of the referer."""
    fields = [name.removeprefix(f"{REFERER}_") for name in columns if name in REFERER_COLUMNS]
    if not fields:
        return {}
    referers = raw.details.get(REFERER)
    if referers is None:
        referers = pa.nulls(len(raw.urls), _BYTES)
    parsed = parse(referers, _with_bits(fields), threads=1, strings="view" if as_views else "string")
    return {f"{REFERER}_{name}": column for name, column in zip(fields, parsed.columns, strict=True)}


def _column(name: str, raw: Raw, source: Source) -> pa.Array:
    if name == "url":
        return raw.urls if raw.urls.type == _BYTES else raw.urls.cast(_BYTES)
    if name == "file":
        return _all(os.fsencode(source.name), len(raw.urls))
    if name not in COLUMNS:
        value = source.keys.get(name)
        return _all(None if value is None else value.encode("utf-8", "surrogateescape"), len(raw.urls))
    if name == "line":
        return raw.numbers
    if name == "field":
        return raw.fields
    if name in AGENT_COLUMNS:
        agents = raw.details.get("agent")
        agents = pa.nulls(len(raw.urls), _BYTES) if agents is None else agents
        return agent_bots(agents) if name == "agent_bot" else agent_texts(agents, name)
    detail = raw.details.get(name)
    if detail is None:
        assert name in (*DETAILS, *EXTRAS, REFERER, VISITOR)
        return pa.nulls(len(raw.urls), NUMBERS.get(name, _BYTES))
    return detail
