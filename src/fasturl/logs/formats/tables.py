"""Parquet and Arrow IPC files as input: the URLs are one column, the others are not read unless they are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fasturl.logs.errors import LogError, TornInput
from fasturl.logs.formats.keeping import keep_columns
from fasturl.logs.formats.records import LineFormat
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible

# Of a batch of rows: one unit of work, and small enough for what is made of it to stay in the nearer caches.
_ROWS = 1 << 15
_OCTETS = 1 << 26
_TEXT_MAX = 1 << 30  # of the kernel


class TableRows:
    """Rows of a column that follow each other; `first` is the number of the first one, from 1. `kept` are the same rows
    of other columns."""

    __slots__ = ("array", "column", "count", "first", "kept")

    def __init__(self, first: int, array: Any, column: str, kept: list[Any]) -> None:
        self.first = first
        self.array = array
        self.column = column
        self.kept = kept
        self.count = len(array)


class Column(LineFormat):
    """`--column NAME` of a columnar file. A null is counted as an empty line; there are no rejects."""

    name = "TABLE"

    def __init__(self, column: str, form: str = "url") -> None:
        self.column = column
        self._wanted: tuple[str, ...] = ()
        if form == "request-target":
            self.targets = frozenset({column})

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted

    def keep_of(self, schema: Any, own: str) -> None:
        """Now that the columns are known: those that are kept, with the types of what comes of them."""
        if self._wanted:
            names = [name for name in schema.names if schema.names.count(name) == 1]
            kept = keep_columns(self._wanted, names, own)
            self.kept = tuple(each._replace(type=_kept_type(schema.field(each.source).type)) for each in kept)


def open_table(source: Source, table: Column) -> Iterator[TableRows]:
    """The rows of a column, in batches. A file that is damaged further on gives what stands before that."""
    pa, pq = _pyarrow(source)
    shown = visible(source.name)
    first = 1
    try:
        with pa.OSFile(source.path) as file:
            if file.read(4) == b"PAR1":
                file.seek(0)
                parquet = pq.ParquetFile(file)
                name = _place(parquet.schema_arrow, table.column, shown)
                table.keep_of(parquet.schema_arrow, name)
                batches = _parquet_batches(parquet, [name, *(kept.source for kept in table.kept)])
            else:
                file.seek(0)
                reader = pa.ipc.open_file(file)
                name = _place(reader.schema, table.column, shown)
                table.keep_of(reader.schema, name)
                batches = _ipc_batches(reader, [name, *(kept.source for kept in table.kept)])
            for array, *others in batches:
                arrays = [_octets(array), *map(_as_kept, others)]
                for piece, *kept in _pieces(arrays):
                    source.octets_read = min(file.tell(), source.size or 0)
                    yield TableRows(first, piece, table.column, kept)
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


def _parquet_batches(parquet: Any, names: list[str]) -> Iterator[list[Any]]:
    for batch in parquet.iter_batches(batch_size=_ROWS, columns=names, use_threads=False):
        yield [batch.column(name) for name in names]


def _ipc_batches(reader: Any, names: list[str]) -> Iterator[list[Any]]:
    places = [reader.schema.names.index(name) for name in names]
    for number in range(reader.num_record_batches):
        batch = reader.get_batch(number)
        yield [batch.column(place) for place in places]


def _kept_type(kind: Any) -> Any:
    """The type of what goes out of a column: None for text; octets, whatever their layout, as binary."""
    import pyarrow as pa

    kind = _values_of(kind)
    if kind in (pa.string(), pa.large_string(), pa.string_view()):
        return None
    return pa.binary() if _is_text(kind) else kind


def _as_kept(array: Any) -> Any:
    """The values of a column that is kept, validated in full, texts as octets."""
    import pyarrow as pa

    if _is_text(array.type):
        return _octets(array)
    array.validate(full=True)
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


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


def _pieces(arrays: list[Any]) -> Iterator[list[Any]]:
    """The rows in pieces that make a unit."""
    for start in range(0, len(arrays[0]), _ROWS):
        yield from _halves([array.slice(start, _ROWS) for array in arrays])


def _halves(arrays: list[Any]) -> Iterator[list[Any]]:
    rows, octets = len(arrays[0]), sum(array.nbytes for array in arrays)
    if octets <= _OCTETS:
        yield arrays
    elif rows > 1:
        yield from _halves([array.slice(0, rows // 2) for array in arrays])
        yield from _halves([array.slice(rows // 2) for array in arrays])
    elif octets <= _TEXT_MAX:
        yield arrays
    else:
        raise OSError("a text is longer than 1 GiB")
