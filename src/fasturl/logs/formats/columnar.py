"""Parquet and Arrow IPC files. The URLs are a column. Other columns are read only if they are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from fasturl._quoted import unknown
from fasturl.logs.errors import LogError, MissingSetting, TruncatedInput
from fasturl.logs.formats.records import LineFormat, column_number, keep_columns
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible

# The most rows and bytes of a unit of work. Its columns fit the processor's caches.
_ROWS = 1 << 15
_BYTES = 1 << 26
_TEXT_MAX = 1 << 30  # the kernel's limit
# The types of text, and of the same layouts as bytes.
_STRINGS = (pa.string(), pa.large_string(), pa.string_view())
_BINARIES = (pa.binary(), pa.large_binary(), pa.binary_view())


@dataclass(eq=False, repr=False)
class TableRows:
    """Consecutive rows of a column. `first` is the number of the first row, from 1. `kept` has the same rows of other
    columns."""

    first: int
    array: Any
    kept: list[Any]

    @property
    def count(self) -> int:
        return len(self.array)


class Column(LineFormat):
    """A column in a columnar file. A null counts as an empty line. There are no rejects."""

    name = "TABLE"

    def __init__(self, column: str, form: str = "url") -> None:
        super().__init__(column, form)
        self._wanted: tuple[str, ...] = ()

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted

    def keep_of(self, schema: Any, own: str) -> None:
        """Find the columns to keep and the output types, now that the schema is known."""
        if self._wanted:
            names = [name for name, count in Counter(schema.names).items() if count == 1]
            kept = keep_columns(self._wanted, names, own)
            self.kept = tuple(each._replace(type=_kept_type(schema.field(each.source).type)) for each in kept)


@contextmanager
def _opened(source: Source, failure: type[LogError]) -> Iterator[tuple[Any, Any, pa.Schema]]:
    """Open a columnar file. Return the file, the reader and the schema. Damage raises `failure`."""
    try:
        with source.table_file() as file:
            is_parquet = file.read(4) == b"PAR1"
            file.seek(0)
            reader = _parquet_file(file) if is_parquet else pa.ipc.open_file(file)
            yield file, reader, reader.schema_arrow if is_parquet else reader.schema
    except (pa.ArrowException, OSError, UnicodeDecodeError, ImportError) as error:
        lines = str(error).splitlines()
        why = visible(lines[0] if lines else type(error).__name__)
        raise failure(f"cannot read {visible(source.name)}: {why}") from None


def _parquet_file(file: Any) -> Any:
    import pyarrow.parquet as pq  # takes as long as pyarrow, and some builds lack it

    return pq.ParquetFile(file)


def open_table(source: Source, table: Column) -> Iterator[TableRows]:
    """Yield a column's rows in batches. A damaged file gives the rows before the damage."""
    first = 1
    with _opened(source, TruncatedInput) as (file, reader, schema):
        name = _place(schema, table.field, visible(source.name))
        table.keep_of(schema, name)
        names = [name, *(kept.source for kept in table.kept or ())]
        if hasattr(reader, "iter_batches"):
            batches = reader.iter_batches(batch_size=_ROWS, columns=names, use_threads=False)
        else:
            batches = map(reader.get_batch, range(reader.num_record_batches))
        for batch in batches:
            for piece, *kept in _pieces([batch.column(name) for name in names]):
                source.bytes_read = min(file.tell(), source.size or 0)
                yield TableRows(first, piece, kept)
                first += len(piece)


def only_text_column(source: Source) -> str:
    """Return the only text column. Raises LogError if there are several, or none."""
    with _opened(source, LogError) as (_, _, schema):
        names = schema.names  # decodes them, and may raise
    texts = [name for name, kind in zip(names, schema.types, strict=True) if _is_text(kind)]
    if len(texts) == 1:
        return str(texts[0])
    listed = ", ".join(visible(name) for name in (texts or names)[:50])
    many = f"{len(texts)} columns of text" if texts else "no column of text"
    what = f"{visible(source.name)} has {many}: name the column of the URLs"
    raise MissingSetting(what, more=f"; there are: {listed}", settings=("column",))


def _values_of(kind: Any) -> Any:
    """Return the type of a column's values, with dictionaries resolved."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:
    return _values_of(kind) in (*_STRINGS, *_BINARIES)


def _place(schema: Any, column: str, shown: str) -> str:
    """Return the column's name, which may be given as a number from 1."""
    names = schema.names
    number = column_number(column)
    if column not in names and number is not None and 0 < number <= len(names):
        column = names[number - 1]
    if column not in names:
        raise LogError(f"{shown}: {unknown('column', column, map(visible, names[:50]))}", settings=("column",))
    if names.count(column) > 1:
        raise LogError(f"{shown}: several columns have the name {visible(column)}")
    kind = schema.field(column).type
    if not _is_text(kind) and _values_of(kind) != pa.null():
        raise LogError(f"{shown}: the column {visible(column)} has the type {kind}, not text")
    return str(column)


def _kept_type(kind: Any) -> Any:
    """Return the output type of a kept column: None for text, binary for bytes in any layout."""
    kind = _values_of(kind)
    if kind in _STRINGS:
        return None
    return pa.binary() if _is_text(kind) else kind


def _as_kept(array: Any) -> Any:
    """Return the values of a kept column, fully validated, with text as bytes."""
    if _is_text(array.type):
        return _bytes(array)
    array.validate(full=True)
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _bytes(array: Any) -> Any:
    """Convert an array that `_validate` returned to bytes with offsets."""
    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    return array.cast(pa.large_binary())


def _validate(array: Any) -> Any:
    """Validate an array and return it as bytes in its own layout.

    The offsets, views and indices of a damaged file may point outside its buffers, so validation comes first. Bytes
    that are not UTF-8 are not damage.
    """
    kind = array.type
    if not _is_text(kind) and kind != pa.null():
        return array
    if pa.types.is_dictionary(kind):
        array.indices.validate(full=True)
        words = _bytes(_validate(array.dictionary))
        return pa.DictionaryArray.from_arrays(array.indices, words, safe=True)
    if kind in _STRINGS:
        array = array.view(_BINARIES[_STRINGS.index(kind)])
    array.validate(full=True)
    return array


def _pieces(arrays: list[Any]) -> Iterator[list[Any]]:
    """Split rows into units. The first column becomes bytes, the others become their kept form."""
    arrays = [_validate(array) for array in arrays]
    for start in range(0, len(arrays[0]), _ROWS):
        urls, *kept = [array.slice(start, _ROWS) for array in arrays]
        yield from _halves([_bytes(urls), *map(_as_kept, kept)])


def _halves(arrays: list[Any]) -> Iterator[list[Any]]:
    rows, size = len(arrays[0]), sum(array.nbytes for array in arrays)
    if size <= _BYTES or (rows == 1 and size <= _TEXT_MAX):
        yield arrays
    elif rows > 1:
        yield from _halves([array.slice(0, rows // 2) for array in arrays])
        yield from _halves([array.slice(rows // 2) for array in arrays])
    else:
        raise OSError("a text is longer than 1 GiB")
