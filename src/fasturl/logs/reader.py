"""Logs as record batches: `read` for files and streams, `parse_lines` for lines that an engine already has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.arrow.threads import processors
from fasturl.logs.batches import plain_batch, plain_schema
from fasturl.logs.detection import SAMPLE, Detector, Format
from fasturl.logs.errors import LogError, TornInput
from fasturl.logs.formats.catalog import LogFormat, make_format
from fasturl.logs.formats.dialects import named_format
from fasturl.logs.formats.mapped import json_format
from fasturl.logs.formats.records import REFERER, LineFormat
from fasturl.logs.inputs import reading
from fasturl.logs.inputs.given import Given, Octets, sources_of
from fasturl.logs.inputs.lines import Lines, LongLine
from fasturl.logs.inputs.reading import InputOptions
from fasturl.logs.inputs.source import Source
from fasturl.logs.jobs import Job, Passing, make_jobs
from fasturl.logs.pool import Pool, workers
from fasturl.logs.rows import COLUMNS, REFERER_COLUMNS, columns_of
from fasturl.logs.scans import finished
from fasturl.logs.shown import visible

Rows = Literal["request", "url"]
AnyFormat = str | Format | LogFormat | Mapping[str, str]

UNIT_LINES = 1 << 14


class Inputs(reading.Reading):
    """An input that breaks off ends the run, after all that was read of it."""

    def __init__(self, options: InputOptions, sources: list[Source]) -> None:
        for source in sources:
            source.check()
        super().__init__(options, None, sources)
        self.torn: TornInput | None = None

    def break_off(self, error: TornInput) -> None:
        self.torn = self.torn or error

    def end(self) -> None:
        if self.torn is not None:
            raise self.torn


def log_format_of(format: AnyFormat) -> str | LogFormat | None:
    """The format by its name or as it was made; None when it is to be found out."""
    if isinstance(format, LogFormat):
        return format
    if isinstance(format, Mapping):
        return json_format(format)
    name = format.name if isinstance(format, Format) else format
    if not isinstance(name, str):
        raise TypeError(f"format must be a name, a format, or what detect found, not {type(name).__name__}")
    if name.lower() == "auto":
        return None
    return named_format(name)


def checked_fields(fields: Sequence[str] | None, by_request: bool) -> tuple[str, ...]:
    if isinstance(fields, str):
        raise TypeError("fields must be a sequence of names, not one str")
    names = tuple(fields or ())
    known = COLUMNS if by_request else [name for name in COLUMNS if name not in (REFERER, *REFERER_COLUMNS)]
    for name in names:
        if name not in known:
            raise ValueError(f"unknown field {name!r}: expected some of {', '.join(known)}")
    if len(set(names)) < len(names) or (fields is not None and not names):
        raise ValueError("fields must be names that differ, at least one")
    return names


def _reading(source: Given, format: AnyFormat) -> Inputs:
    return Inputs(InputOptions(log_format=log_format_of(format)), sources_of(source))


def read(
    source: Given,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    threads: int | None = None,
) -> pa.RecordBatchReader:
    """Read a log, or several after each other, into record batches, in constant memory.

    source : a path, a pattern of paths (`logs/*.gz`), a list of paths, an open binary file, or an iterable of bytes
        that follow each other. gzip, bzip2, xz and Zstandard are told by the suffix or the first octets.
    format : a name of LOG_NAMES, `URLS` for a URL a line, a goaccess, Apache or nginx format as `line_format` takes it,
        a mapping of JSON fields as `json_format` takes it, what these two give, what `detect` found, or `auto` to have
        each input looked at
    fields : the columns, in their order (docs/logs.md lists them); by default all that the first input has but the
        referer's parts, which are asked for as `referer_host` and the like
    rows : `request` for a row a request, whose parts are the target's; `url` for a row a URL, where the column `field`
        tells targets from referers
    threads : how many read and parse; None takes all processors
    The columns are `string`, octets that are no UTF-8 as their escapes (`%E9`); `time` is a timestamp in UTC, null for
    one that cannot be read; `findings` are lists of names. Lines that are no records are left out.
    Raises LogError for an input that cannot be opened or of whose first 1,000 lines none is a record, TornInput at the
    end of what can be read of one that breaks off; TypeError and ValueError for wrong arguments. Cost: O(octets).

    >>> line = b'h - - [17/May/2015:10:05:03 +0200] "GET /a?b HTTP/1.1" 200 12 "http://r/" "x"'
    >>> read([line], fields=["time", "path", "size", "referer_host"]).read_all().to_pylist()[0]["referer_host"]
    'r'
    """
    if rows not in ("request", "url"):
        raise ValueError(f"rows must be 'request' or 'url', not {rows!r}")
    by_request = rows == "request"
    wanted = checked_fields(fields, by_request)
    inputs = _reading(source, format)
    columns = wanted

    def columns_for(source: Source, fmt: LineFormat) -> tuple[str, ...]:
        nonlocal columns
        own = columns_of(wanted, fmt.columns(by_request))
        if columns and own != columns:
            raise LogError(f"{visible(source.name)} has other columns than the input before it: name the fields")
        columns = own
        return own

    jobs = make_jobs(inputs, columns_for, by_request=by_request, unit_lines=UNIT_LINES, diagnosed=False)
    # The columns are known by the first lines.
    first = next(jobs, None)
    schema = plain_schema(columns or columns_of(wanted, ()))
    waiting = jobs if first is None else chain([first], jobs)
    return pa.RecordBatchReader.from_batches(schema, _batches(inputs, waiting, processors(threads)))


def _batches(inputs: Inputs, jobs: Iterator[Job | Passing], threads: int) -> Iterator[pa.RecordBatch]:
    with workers(threads) as executor:
        for _, batch in finished(jobs, Pool(executor, threads), plain_batch):
            yield batch
    inputs.end()


def detect(source: Given) -> Format:
    """Which format an input is in, by its first lines, 1,000 at most: what :func:`read` would take.

    source : as for read; of several inputs the first. What is read of an open file or an iterable is gone.
    Raises LogError for one that cannot be opened.

    >>> detect([b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 12'])
    Format(name='COMMON', lines=1, fits=1)
    """
    inputs = Inputs(InputOptions(), sources_of(source)[:1])
    detector = Detector()
    for lines in inputs.lines():
        if not isinstance(lines, LongLine):
            detector.add(lines.stripped[:SAMPLE])
        if detector.lines == SAMPLE:
            break
    return detector.found()


def parse_lines(column: Any, format: AnyFormat, fields: Sequence[str] | None = None) -> pa.RecordBatch:
    """Read a column of log lines into a row for each of them.

    column : a pyarrow array of strings or binary, or a sequence; a line may have its end or none
    format : as for read, but not `auto`; fields : as for read
    Returns the fields and `rejected`: true for a null, an empty line and one that is no record, whose fields are null.
    Raises TypeError and ValueError for wrong arguments. Cost: O(octets), on one thread.

    >>> parse_lines(["torn", None], "COMBINED", ["path"]).to_pylist()
    [{'path': None, 'rejected': True}, {'path': None, 'rejected': True}]
    """
    log = log_format_of(format)
    if log is None:
        raise ValueError("format must be named: lines by themselves are not looked at")
    fmt = make_format(log)
    columns = columns_of(checked_fields(fields, True), fmt.columns(True))
    block, count = _block_of(column)
    job = Job(Octets("", iter(())), fmt, columns, True, diagnosed=False)
    lines = Lines(1, block)
    lines.start = 0
    if fmt.reads_blocks:
        job.add_lines(lines)
    else:
        job.add_records(fmt.read(lines))
    unit = job.run() if count else None
    schema = plain_schema(columns).append(pa.field("rejected", pa.bool_()))
    if unit is None:
        return pa.RecordBatch.from_arrays([pa.array([], kind) for kind in schema.types], schema=schema)
    batch = plain_batch(unit)
    places = pc.index_in(pa.array(range(1, count + 1), pa.int64()), unit.numbers)
    whole = batch if unit.urls == count else batch.take(places)
    return pa.RecordBatch.from_arrays([*whole.columns, places.is_null()], schema=schema)


def _block_of(column: Any) -> tuple[bytes, int]:
    """The lines as one block, each with one line feed at its end; a null is an empty line, and so is one that holds a
    line feed, for it is none.
    """
    array = column if isinstance(column, (pa.Array, pa.ChunkedArray)) else pa.array(column)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    text = (pa.string(), pa.large_string(), pa.string_view())
    if array.type not in (*text, pa.binary(), pa.large_binary(), pa.binary_view(), pa.null()):
        raise TypeError(f"the lines must be strings or binary, not {array.type}")
    lines = [b"" if line is None else line.rstrip(b"\n") for line in array.cast(pa.large_binary()).to_pylist()]
    lines.append(b"")
    block = b"\n".join(lines)
    if block.count(b"\n") > len(lines) - 1:
        block = b"\n".join([b"" if b"\n" in line else line for line in lines])
    return block, len(lines) - 1
