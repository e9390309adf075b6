"""Parquet and Arrow IPC files as input: the URLs are one column, the others are not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fasturl.logs.errors import LogError, TornInput
from fasturl.logs.formats.records import LineFormat
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible

# Of a batch of rows: one unit of work, and small enough for what is made of it to stay in the nearer caches.
_ROWS = 1 << 15
_OCTETS = 1 << 26
_TEXT_MAX = 1 << 30  # of the kernel


class TableRows:
    """Rows of a column that follow each other; `first` is the number of the first one, from 1."""

    __slots__ = ("array", "column", "count", "first")

    def __init__(self, first: int, array: Any, column: str) -> None:
        self.first = first
        self.array = array
        self.column = column
        self.count = len(array)


class Column(LineFormat):
    """`--column NAME` of a columnar file. A null is counted as an empty line; there are no rejects."""

    name = "TABLE"

    def __init__(self, column: str, form: str = "url") -> None:
        self.column = column
        if form == "request-target":
            self.targets = frozenset({column})


def open_table(source: Source, column: str) -> Iterator[TableRows]:
    """The rows of a column, in batches. A file that is damaged further on gives what stands before that."""
    pa, pq = _pyarrow(source)
    shown = visible(source.name)
    first = 1
    try:
        with pa.OSFile(source.path) as file:
            if file.read(4) == b"PAR1":
                file.seek(0)
                parquet = pq.ParquetFile(file)
                place = _place(parquet.schema_arrow, column, shown)
                batches = _parquet_batches(parquet, place)
            else:
                file.seek(0)
                batches = _ipc_batches(pa.ipc.open_file(file), column, shown)
            for array in batches:
                for piece in _pieces(_octets(array)):
                    source.octets_read = min(file.tell(), source.size or 0)
                    yield TableRows(first, piece, column)
                    first += len(piece)
    except (pa.ArrowException, OSError) as error:
        raise TornInput(f"cannot read {shown}: {_said(error)}") from None


def only_text_column(source: Source) -> str:
    """The column to read when none is named; LogError when there are several that hold text, or none."""
    pa, pq = _pyarrow(source)
    shown = visible(source.name)
    try:
        with pa.OSFile(source.path) as file:
            is_parquet = file.read(4) == b"PAR1"
            file.seek(0)
            schema = pq.read_schema(file) if is_parquet else pa.ipc.open_file(file).schema
    except (pa.ArrowException, OSError) as error:
        raise LogError(f"cannot read {shown}: {_said(error)}") from None
    texts = [field.name for field in schema if _is_text(field.type)]
    if len(texts) == 1:
        return str(texts[0])
    listed = ", ".join(visible(name) for name in (texts or schema.names)[:50])
    many = f"{len(texts)} columns of text" if texts else "no column of text"
    raise LogError(f"{shown} has {many}: name the URL's with --column; there are: {listed}")


def _values_of(kind: Any) -> Any:
    """The type of a column's values, which a dictionary may hold."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    texts = (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view())
    return _values_of(kind) in texts


def _pyarrow(source: Source) -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError as error:
        if error.name not in ("pyarrow", "pyarrow.parquet"):
            raise
        raise LogError(f"reading {visible(source.name)} needs pyarrow: pip install 'fasturl[arrow]'") from None
    return pa, pq


def _said(error: Exception) -> str:
    said = str(error).splitlines()
    return visible(said[0] if said else type(error).__name__)


def _place(schema: Any, column: str, shown: str) -> str:
    """The name of the column, which may be given by its number from 1."""
    import pyarrow as pa

    names = schema.names
    if column not in names and column.isascii() and column.isdigit() and 0 < int(column) <= len(names):
        column = names[int(column) - 1]
    if column not in names:
        listed = ", ".join(visible(name) for name in names[:50])
        raise LogError(f"there is no column {visible(column)} in {shown}; there are: {listed}", "--column NAME")
    if names.count(column) > 1:
        raise LogError(f"there are several columns {visible(column)} in {shown}")
    kind = schema.field(column).type
    if not _is_text(kind) and _values_of(kind) != pa.null():
        raise LogError(f"column {visible(column)} of {shown} holds {kind}, not text")
    return str(column)


def _parquet_batches(parquet: Any, column: str) -> Iterator[Any]:
    for batch in parquet.iter_batches(batch_size=_ROWS, columns=[column], use_threads=False):
        yield batch.column(0)


def _ipc_batches(reader: Any, column: str, shown: str) -> Iterator[Any]:
    name = _place(reader.schema, column, shown)
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number).column(reader.schema.names.index(name))


def _octets(array: Any) -> Any:
    """Octets by offsets, whatever layout they came in.

    Nothing of it is read before all of it is validated: the offsets, views and indices of a damaged file may
    lead out of its buffers. Octets that are no UTF-8 are no damage.
    """
    import pyarrow as pa

    kind = array.type
    if pa.types.is_dictionary(kind):
        array.indices.validate(full=True)
        return pa.DictionaryArray.from_arrays(array.indices, _octets(array.dictionary), safe=True).dictionary_decode()
    if kind in (pa.string_view(), pa.binary_view()):
        array = array.view(pa.binary_view())
    elif kind in (pa.large_string(), pa.large_binary()):
        array = array.view(pa.large_binary())
    elif kind != pa.null():
        array = array.view(pa.binary())
    array.validate(full=True)
    return array.cast(pa.large_binary())


def _pieces(array: Any) -> Iterator[Any]:
    """The rows in pieces that make a unit."""
    for start in range(0, len(array), _ROWS):
        yield from _halves(array.slice(start, _ROWS))


def _halves(array: Any) -> Iterator[Any]:
    if array.nbytes <= _OCTETS:
        yield array
    elif len(array) > 1:
        yield from _halves(array.slice(0, len(array) // 2))
        yield from _halves(array.slice(len(array) // 2))
    elif array.nbytes <= _TEXT_MAX:
        yield array
    else:
        raise OSError("a text is longer than 1 GiB")
