"""Read logs into record batches: `read` for files and streams, `parse_lines` for a column of lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any, Literal

import pyarrow as pa

from fasturl._quoted import quoted, unknown
from fasturl.arrow import compute as pc
from fasturl.arrow.columns_in import as_arrays, is_binary, joined_lines
from fasturl.arrow.threads import Pool, processors, workers
from fasturl.logs.batches import TIME, plain_batch, plain_schema
from fasturl.logs.columns import COLUMNS, PARTS, REFERER, REFERER_COLUMNS, columns_of, keys_of
from fasturl.logs.errors import EndOfInput, LogError
from fasturl.logs.formats.catalog import json_format, make_format, named_format
from fasturl.logs.formats.detection import UNKNOWN, Detector, Format
from fasturl.logs.formats.records import LineFormat, LogFormat
from fasturl.logs.formatted_inputs import FormattedInputs, InputOptions
from fasturl.logs.inputs.decompress import MEMORY_LIMIT, checked_limit
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.inputs.source import Source
from fasturl.logs.inputs.source_specs import Bytes, SourceSpec, sources_of
from fasturl.logs.jobs import Job, OversizedLine, make_jobs, run_in_order
from fasturl.logs.shown import visible

Rows = Literal["request", "url"]
AnyFormat = str | Format | LogFormat | Mapping[str, str]

UNIT_LINES = 1 << 14
_ROWS_SHOWN = 3  # by detect
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Inputs(FormattedInputs):
    """Inputs that raise TruncatedInput only after everything was read."""

    def __init__(self, options: InputOptions, sources: list[Source]) -> None:
        for source in sources:
            source.check()
        super().__init__(options, None, sources)
        self.torn: EndOfInput | None = None

    def break_off(self, error: EndOfInput) -> None:
        self.torn = self.torn or error

    def end(self) -> None:
        if self.torn is not None:
            raise self.torn


class LogReader:
    """Record batches from a log, and the log's format. You get it from ``read``.

    You can call it like a ``pyarrow.RecordBatchReader``, or pass it to DuckDB, Polars and pyarrow as an Arrow stream.

    Parameters
    ----------
    reader : pyarrow.RecordBatchReader
        The batches.
    inputs : Inputs
        The inputs that the batches come from.
    fmt : str or None
        The format's name, or None when it must be detected.

    Examples
    --------
    >>> read([b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 12']).format.name
    'COMMON'
    """

    def __init__(self, reader: pa.RecordBatchReader, inputs: Inputs, fmt: str | None) -> None:
        self._reader = reader
        self._inputs = inputs
        self._named = fmt

    @property
    def format(self) -> Format | None:
        """The current input's ``Format``, or None without an input.

        When you name a format, the counts cover the lines that were read so far. When the format is detected, they
        cover the first 1,000 lines.
        """
        source = next(reversed(self._inputs.found or self._inputs.tallies), None)
        if source in self._inputs.found:
            return self._inputs.found[source]
        if source is not None:
            tally = self._inputs.tallies[source]
            return Format(tally.fmt.name, tally.lines, tally.fits, format_string=tally.fmt.format_string)
        return None if self._named is None else Format(self._named)

    @property
    def schema(self) -> pa.Schema:
        """The batches' schema."""
        return self._reader.schema

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._reader.__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return iter(self._reader)

    def __enter__(self) -> LogReader:
        return self

    def __exit__(self, *error: object) -> None:
        self._reader.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


def log_format_of(format: AnyFormat) -> str | LogFormat | None:
    """Return the format or the name, or None if the format must be detected."""
    if isinstance(format, LogFormat):
        return format
    if isinstance(format, Mapping):
        return json_format(format)
    name = format.log if isinstance(format, Format) else format
    if isinstance(name, LogFormat):
        return name
    if not isinstance(name, str):
        raise TypeError(f"format must be a name, a format, or what detect found, not {type(name).__name__}")
    if name.lower() == "auto":
        return None
    return named_format(name)


def checked_fields(fields: Sequence[str] | None, by_request: bool, keys: tuple[str, ...] = ()) -> tuple[str, ...]:
    if isinstance(fields, str):
        raise TypeError("fields must be a sequence of names, not one str")
    names = tuple(fields or ())
    known = [*COLUMNS, *keys]
    if not by_request:
        known = [name for name in known if name not in (REFERER, *REFERER_COLUMNS)]
    for name in names:
        if name not in known:
            raise unknown("field", name, known)
    if len(set(names)) < len(names) or (fields is not None and not names):
        raise ValueError("fields must have at least one name, and no name twice")
    return names


def details_of(log: str | LogFormat | None, by_request: bool) -> tuple[str, ...]:
    """Return the columns in a format's lines, or () if no format is named."""
    return () if log is None else make_format(log).columns(by_request)


def read(
    source: SourceSpec,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    threads: int | None = None,
    memory_limit: int = MEMORY_LIMIT,
    allow_rejects: bool = False,
) -> LogReader:
    """Read logs into record batches, in constant memory.

    Each row is a request. You can name the columns that you need, for example ``fields=["path", "status"]``.

    Parameters
    ----------
    source : path, list of paths, binary file or iterable of bytes
        A file, a directory, a glob pattern (``logs/*.gz``), an address for fsspec (``s3://bucket/logs/``), or a list of
        these. gzip, bzip2, xz and Zstandard are recognised. An iterable gives consecutive bytes, so ``[b"a", b"b"]`` is
        the line ``ab``. If your lines have no line feeds, call ``parse_lines``.
    format : str, Format, LogFormat or mapping, default "auto"
        A name in ``LOG_NAMES``, "URLS" for a URL per line, a server's format such as ``$remote_addr "$request"``, a
        result from ``detect``, ``line_format`` or ``json_format``, or a mapping for ``json_format``. "auto" detects
        each input's format.
    fields : sequence of str, optional
        The columns, in order. docs/logs.md lists them. By default, you get all columns in the first input, except the
        referer's parts, for example ``referer_host``. A directory ``dt=2026-01-01`` in a path gives a text column
        ``dt``.
    rows : {"request", "url"}, default "request"
        "request" gives a row per request, with the target's parts. "url" gives a row per URL, and the column ``field``
        tells targets from referers.
    threads : int, optional
        The number of threads. By default, all processors work.
    memory_limit : int, default 134217728
        The maximum memory in bytes for the dictionary or window that a compressed input declares.
    allow_rejects : bool, default False
        True to read an input even if more than half of the first 1,000 lines are rejects.

    Returns
    -------
    LogReader
        Text columns are ``string``, where bytes that are not UTF-8 become escapes (``%E9``). ``time`` is a timestamp in
        UTC, or null if it cannot be read. ``findings`` is a list of names. Rejects are left out.

    Raises
    ------
    OSError
        If an input cannot be opened, for example FileNotFoundError.
    LogError
        If an input has no known format, has no record in the first 1,000 lines, or has more rejects than records there.
    TruncatedInput
        If an input is truncated. You get all rows before the end first.
    MemoryLimitError
        If an input needs more memory than ``memory_limit``.
    TypeError or ValueError
        If an argument has a wrong type or value.

    Notes
    -----
    Time: linear.

    Examples
    --------
    >>> line = b'h - - [17/May/2015:10:05:03 +0200] "GET /a?b HTTP/1.1" 200 12 "http://r/" "x"'
    >>> read([line], fields=["time", "path", "size", "referer_host"]).read_all().to_pylist()[0]["referer_host"]
    'r'
    """
    if rows not in ("request", "url"):
        raise ValueError(f"rows must be 'request' or 'url', not {quoted(rows)}")
    by_request = rows == "request"
    log = log_format_of(format)
    sources = sources_of(source)
    keys = keys_of(sources)
    wanted = checked_fields(fields, by_request, keys)
    options = InputOptions(log_format=log, memory_limit=checked_limit(memory_limit), allow_rejects=allow_rejects)
    inputs = Inputs(options, sources)
    columns = wanted

    def columns_for(source: Source, fmt: LineFormat) -> tuple[str, ...]:
        nonlocal columns
        own = columns_of(wanted, fmt.columns(by_request), columns, keys)
        if columns and own != columns:
            raise LogError(f"{visible(source.name)} has other columns than the input before it: name the fields")
        columns = own
        return own

    jobs = make_jobs(inputs, columns_for, by_request=by_request, unit_lines=UNIT_LINES, diagnosed=False)
    # The first lines determine the columns.
    first = next(jobs, None)
    schema = plain_schema(columns or columns_of(wanted, details_of(log, by_request), keys=keys))
    waiting = jobs if first is None else chain([first], jobs)
    batches = pa.RecordBatchReader.from_batches(schema, _batches(inputs, waiting, processors(threads)))
    log = options.log_format
    return LogReader(batches, inputs, log.name if isinstance(log, LogFormat) else log)


def _batches(inputs: Inputs, jobs: Iterator[Job | OversizedLine], threads: int) -> Iterator[pa.RecordBatch]:
    with workers(threads) as executor:
        pool, allow = Pool(executor, threads), inputs.options.allow_rejects
        for _, batch in run_in_order(jobs, pool, plain_batch, None, inputs.tallies, allow_rejects=allow):
            yield batch
    inputs.end()


def detect(source: SourceSpec, format: AnyFormat = "auto", memory_limit: int = MEMORY_LIMIT) -> Format:
    """Detect an input's format from the first 1,000 lines.

    Parameters
    ----------
    source : path, list of paths, binary file or iterable of bytes
        The input, for example ``access.log``. When you pass several inputs, only the first is read. An open file or an
        iterable is consumed. If your lines have no line feeds, join them first.
    format : str, Format, LogFormat or mapping, default "auto"
        A name in ``LOG_NAMES``, "URLS" for a URL per line, a server's format such as ``$remote_addr "$request"``, a
        result from ``detect``, ``line_format`` or ``json_format``, or a mapping for ``json_format``. When you name a
        format, only the lines in it are counted.
    memory_limit : int, default 134217728
        The maximum memory in bytes for the dictionary or window that a compressed input declares.

    Returns
    -------
    Format
        You can pass it to ``read``.

    Raises
    ------
    OSError
        If the input cannot be opened.

    Examples
    --------
    >>> detect([b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 12'])
    Format(name='COMMON', lines=1, matched_lines=1)
    """
    inputs = Inputs(InputOptions(memory_limit=checked_limit(memory_limit)), sources_of(source)[:1])
    log = log_format_of(format)
    return with_rows(inputs.looked_at(inputs.sources[0]), log) if inputs.sources else Format(UNKNOWN)


def with_rows(detector: Detector, log: str | LogFormat | None = None) -> Format:
    """Return the detected or named format with the first rows."""
    found = detector.result() if log is None else detector.result_in(log)
    if not found.matched_lines or found.name == "JSONL":
        return found
    log = log or found.log
    fmt = make_format(log)
    fields = ["url", *(fmt.columns(True) or PARTS)]
    lines = b"".join(line + b"\n" for line in detector.sample)
    with read([lines], log, fields, threads=1, allow_rejects=True) as reader:
        batch = next(iter(reader), None)
    rows = [] if batch is None else _rows_of(batch.slice(0, _ROWS_SHOWN))
    shown = tuple({name: value for name, value in row.items() if value is not None} for row in rows)
    return replace(found, rows=shown)


def _rows_of(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """Return the rows as `to_pylist` does, but without importing pandas for the times."""
    columns = [column.view(pa.int64()) if column.type == TIME else column for column in batch.columns]
    rows: list[dict[str, Any]] = pa.RecordBatch.from_arrays(columns, batch.schema.names).to_pylist()
    for row in rows:
        if row.get("time") is not None:
            row["time"] = _EPOCH + timedelta(microseconds=row["time"])
    return rows


def parse_lines(column: Any, format: AnyFormat, fields: Sequence[str] | None = None) -> pa.RecordBatch:
    """Read a column of log lines into a row for each line.

    Parameters
    ----------
    column : array-like
        Lines as text or bytes, for example in a pyarrow Array, a Series or a list. A line can end with a line feed.
    format : str, Format, LogFormat or mapping
        A name in ``LOG_NAMES``, "URLS" for a URL per line, a server's format such as ``$remote_addr "$request"``, a
        result from ``detect``, ``line_format`` or ``json_format``, or a mapping for ``json_format``. You cannot pass
        "auto", so call ``detect`` first.
    fields : sequence of str, optional
        The columns, in order. docs/logs.md lists them. By default, you get all columns except the referer's parts.

    Returns
    -------
    pyarrow.RecordBatch
        The fields and ``rejected``, which is true for a null, an empty line and a reject. Their fields are null.

    Raises
    ------
    TypeError or ValueError
        If an argument has a wrong type or value.

    Notes
    -----
    Time: linear, on a single thread.

    Examples
    --------
    >>> parse_lines(["torn", None], "COMBINED", ["path"]).to_pylist()
    [{'path': None, 'rejected': True}, {'path': None, 'rejected': True}]
    """
    log = log_format_of(format)
    if log is None:
        raise ValueError("format must be named, because lines are not examined: fasturl.logs.detect examines a file")
    fmt = make_format(log)
    columns = columns_of(checked_fields(fields, True), fmt.columns(True))
    arrays, kind, _ = as_arrays(column)
    is_binary(kind)  # TypeError for another column
    lines = Lines(1, joined_lines(arrays))
    lines.start = 0
    count = lines.count
    units = []
    for each, part in fmt.parts(lines) if count else ():
        job = Job(Bytes("", iter(())), each, columns, True, diagnosed=False)
        if each.reads_blocks:
            job.add_lines(part)
        else:
            job.add_records(each.read(part))
        units.append(job.run())
    schema = plain_schema(columns).append(pa.field("rejected", pa.bool_()))
    if not units:
        return pa.RecordBatch.from_arrays([pa.array([], kind) for kind in schema.types], schema=schema)
    batches = [plain_batch(unit) for unit in units]
    whole = batches[0] if len(batches) == 1 else pa.concat_batches(batches)
    rejected = pa.repeat(False, count)
    if len(whole) < count:
        numbers = pa.concat_arrays([unit.numbers for unit in units])
        places = pc.index_in(pa.array(range(1, count + 1), pa.int64()), numbers)
        whole, rejected = whole.take(places), places.is_null()
    return pa.RecordBatch.from_arrays([*whole.columns, rejected], schema=schema)
