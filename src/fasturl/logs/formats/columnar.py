"""Parquet and Arrow IPC files: the URLs are one column. Other columns are read only if they are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fasturl.logs.errors import LogError, MissingSetting, TornInput
from fasturl.logs.formats.records import LineFormat, column_number, keep_columns
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible

# The most rows and bytes of a unit of work. Its columns fit the processor's caches.
_ROWS = 1 << 15
_OCTETS = 1 << 26
_TEXT_MAX = 1 << 30  # the kernel's limit


class TableRows:
    """Consecutive rows of a column. `first` is the number of the first row, from 1. `kept` has the same rows of other
    columns."""

    __slots__ = ("array", "column", "count", "first", "kept")

    def __init__(self, first: int, array: Any, column: str, kept: list[Any]) -> None:
        self.first = first
        self.array = array
        self.column = column
        self.kept = kept
        self.count = len(array)


class Column(LineFormat):
    """One column of a columnar file. A null counts as an empty line. There are no rejects."""

    name = "TABLE"

    def __init__(self, column: str, form: str = "url") -> None:
        self.column = column
        self._wanted: tuple[str, ...] = ()
        if form == "request-target":
            self.targets = frozenset({column})

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted

    def keep_of(self, schema: Any, own: str) -> None:
        """Find the columns to keep, with their output types, now that the schema is known."""
        if self._wanted:
            names = [name for name, count in Counter(schema.names).items() if count == 1]
            kept = keep_columns(self._wanted, names, own)
            self.kept = tuple(each._replace(type=_kept_type(schema.field(each.source).type)) for each in kept)


def open_table(source: Source, table: Column) -> Iterator[TableRows]:
    """Yield the rows of a column in batches. A damaged file gives the rows before the damage."""
    pa, pq = _pyarrow(source)
    shown = visible(source.name)
    first = 1
    try:
        with source.table_file() as file:
            if file.read(4) == b"PAR1":
                file.seek(0)
                parquet = pq.ParquetFile(file)
                name = _place(parquet.schema_arrow, table.column, shown)
                table.keep_of(parquet.schema_arrow, name)
                names = [name, *(kept.source for kept in table.kept or ())]
                batches = _parquet_batches(parquet, names)
            else:
                file.seek(0)
                reader = pa.ipc.open_file(file)
                name = _place(reader.schema, table.column, shown)
                table.keep_of(reader.schema, name)
                batches = _ipc_batches(reader, [name, *(kept.source for kept in table.kept or ())])
            for arrays in batches:
                for piece, *kept in _pieces(arrays):
                    source.octets_read = min(file.tell(), source.size or 0)
                    yield TableRows(first, piece, table.column, kept)
                    first += len(piece)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise TornInput(f"cannot read {shown}: {_reason(error)}") from None


def only_text_column(source: Source) -> str:
    """Return the only text column. Raises LogError if there are several, or none."""
    pa, pq = _pyarrow(source)
    shown = visible(source.name)
    try:
        with source.table_file() as file:
            is_parquet = file.read(4) == b"PAR1"
            file.seek(0)
            schema = pq.read_schema(file) if is_parquet else pa.ipc.open_file(file).schema
        names = schema.names  # decodes them, and may raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise LogError(f"cannot read {shown}: {_reason(error)}") from None
    texts = [name for name, kind in zip(names, schema.types, strict=True) if _is_text(kind)]
    if len(texts) == 1:
        return str(texts[0])
    listed = ", ".join(visible(name) for name in (texts or names)[:50])
    many = f"{len(texts)} columns of text" if texts else "no column of text"
    raise MissingSetting(f"{shown} has {many}: name the URL's", more=f"; there are: {listed}", settings=("column",))


def _values_of(kind: Any) -> Any:
    """Return the type of a column's values, with dictionaries resolved."""
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


def _reason(error: Exception) -> str:
    lines = str(error).splitlines()
    return visible(lines[0] if lines else type(error).__name__)


def _place(schema: Any, column: str, shown: str) -> str:
    """Return the name of the column, which may be given by its number from 1."""
    import pyarrow as pa

    names = schema.names
    number = column_number(column)
    if column not in names and number is not None and 0 < number <= len(names):
        column = names[number - 1]
    if column not in names:
        listed = ", ".join(visible(name) for name in names[:50])
        raise LogError(f"there is no column {visible(column)} in {shown}; there are: {listed}", settings=("column",))
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
    own = reader.schema.names
    first = {name: place for place, name in reversed([*enumerate(own)])}
    places = [first[name] for name in names]
    for number in range(reader.num_record_batches):
        batch = reader.get_batch(number)
        yield [batch.column(place) for place in places]


def _kept_type(kind: Any) -> Any:
    """Return the output type of a kept column: None for text, binary for bytes in any layout."""
    import pyarrow as pa

    kind = _values_of(kind)
    if kind in (pa.string(), pa.large_string(), pa.string_view()):
        return None
    return pa.binary() if _is_text(kind) else kind


def _as_kept(array: Any) -> Any:
    """Return the values of a kept column, fully validated, with text as bytes."""
    import pyarrow as pa

    if _is_text(array.type):
        return _octets(array)
    array.validate(full=True)
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _octets(array: Any) -> Any:
    """Convert an array that `_validate` returned to bytes with offsets."""
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    return array.cast(pa.large_binary())


def _validate(array: Any) -> Any:
    """Validate an array and return it as bytes in its own layout.

    The offsets, views and indices of a damaged file may point outside its buffers, so validation comes first. Bytes
    that are not UTF-8 are not damage.
    """
    import pyarrow as pa

    kind = array.type
    if not _is_text(kind) and kind != pa.null():
        return array
    if pa.types.is_dictionary(kind):
        array.indices.validate(full=True)
        words = _octets(_validate(array.dictionary))
        return pa.DictionaryArray.from_arrays(array.indices, words, safe=True)
    if kind in (pa.string_view(), pa.binary_view()):
        array = array.view(pa.binary_view())
    elif kind in (pa.large_string(), pa.large_binary()):
        array = array.view(pa.large_binary())
    elif kind != pa.null():
        array = array.view(pa.binary())
    array.validate(full=True)
    return array


def _pieces(arrays: list[Any]) -> Iterator[list[Any]]:
    """Split rows into units. The first column becomes bytes, the others become their kept form."""
    arrays = [_validate(array) for array in arrays]
    for start in range(0, len(arrays[0]), _ROWS):
        urls, *kept = [array.slice(start, _ROWS) for array in arrays]
        yield from _halves([_octets(urls), *map(_as_kept, kept)])


def _halves(arrays: list[Any]) -> Iterator[list[Any]]:
    rows, octets = len(arrays[0]), sum(array.nbytes for array in arrays)
    if octets <= _OCTETS or (rows == 1 and octets <= _TEXT_MAX):
        yield arrays
    elif rows > 1:
        yield from _halves([array.slice(0, rows // 2) for array in arrays])
        yield from _halves([array.slice(rows // 2) for array in arrays])
    else:
        raise OSError("a text is longer than 1 GiB")
