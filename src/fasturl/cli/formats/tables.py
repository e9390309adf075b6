"""Parquet and Arrow IPC files as input: the URLs are one column, the others are not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fasturl.cli.failure import Failure, TornInput
from fasturl.cli.formats.records import Format, Records
from fasturl.cli.inputs.source import Source
from fasturl.cli.terminal import visible

# Of a batch of rows: one unit of work, and small enough for what is made of it to stay in the nearer caches.
_ROWS = 1 << 15


class TableRows:
    """Rows of a column that follow each other; `first` is the number of the first one, from 1."""

    __slots__ = ("array", "count", "first")

    def __init__(self, first: int, array: Any) -> None:
        self.first = first
        self.array = array
        self.count = len(array)


class Column(Format):
    """`--column NAME` of a columnar file. A null is counted as an empty line; there are no rejects."""

    name = "TABLE"

    def __init__(self, column: str, form: str = "url") -> None:
        self.column = column
        if form == "request-target":
            self.targets = frozenset({column})

    def read(self, lines: Any) -> Records:
        import pyarrow as pa

        records = Records()
        records.lines = lines.count
        values = lines.array.cast(pa.large_binary()).to_pylist()
        records.numbers = [lines.first + at for at, value in enumerate(values) if value is not None]
        records.urls = [value for value in values if value is not None]
        records.empty = len(values) - len(records.urls)
        records.fields = [self.column] * len(records.urls)
        records.details = [()] * len(records.urls)
        return records


def open_table(source: Source, column: str) -> Iterator[TableRows]:
    """The rows of a column, in batches. A file that is damaged further on gives what stands before that."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError as error:
        if error.name not in ("pyarrow", "pyarrow.parquet"):
            raise
        raise Failure(f"reading {visible(source.name)} needs pyarrow: pip install 'fasturl[arrow]'") from None
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
                for start in range(0, len(array), _ROWS):
                    piece = array.slice(start, _ROWS)
                    source.octets_read = min(file.tell(), source.size or 0)
                    yield TableRows(first, piece)
                    first += len(piece)
    except (pa.ArrowException, OSError) as error:
        said = str(error).splitlines()
        raise TornInput(f"cannot read {shown}: {visible(said[0] if said else type(error).__name__)}") from None


def _place(schema: Any, column: str, shown: str) -> str:
    """The name of the column, which may be given by its number from 1."""
    import pyarrow as pa

    names = schema.names
    if column not in names and column.isascii() and column.isdigit() and 0 < int(column) <= len(names):
        column = names[int(column) - 1]
    if column not in names:
        listed = ", ".join(visible(name) for name in names[:50])
        raise Failure(f"there is no column {visible(column)} in {shown}; there are: {listed}")
    if names.count(column) > 1:
        raise Failure(f"there are several columns {visible(column)} in {shown}")
    kind = schema.field(column).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if kind not in (
        *(pa.string(), pa.large_string(), pa.string_view()),
        *(pa.binary(), pa.large_binary(), pa.binary_view(), pa.null()),
    ):
        raise Failure(f"column {visible(column)} of {shown} holds {kind}, not text")
    return str(column)


def _parquet_batches(parquet: Any, column: str) -> Iterator[Any]:
    for batch in parquet.iter_batches(batch_size=_ROWS, columns=[column], use_threads=False):
        yield _plain(batch.column(0))


def _ipc_batches(reader: Any, column: str, shown: str) -> Iterator[Any]:
    name = _place(reader.schema, column, shown)
    for number in range(reader.num_record_batches):
        yield _plain(reader.get_batch(number).column(reader.schema.names.index(name)))


def _plain(array: Any) -> Any:
    """Octets by offsets, whatever layout they came in."""
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if array.type == pa.null():
        return array.cast(pa.binary())
    if array.type in (pa.large_string(), pa.large_binary()):
        return array.cast(pa.large_binary())
    return (
        array.cast(pa.binary_view()).cast(pa.large_binary())
        if array.type
        in (
            pa.string_view(),
            pa.binary_view(),
        )
        else array.cast(pa.binary())
    )
