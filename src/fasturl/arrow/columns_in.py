"""Anything that holds a column → Arrow arrays of a plain layout → the addresses of their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import pyarrow as pa

from fasturl import _columns
from fasturl.arrow import compute as pc

__all__ = [
    "BATCH_ROWS",
    "Rows",
    "Strings",
    "as_arrays",
    "is_binary",
    "new_buffers",
    "plain_arrays",
    "spread",
    "string_type",
]

BATCH_ROWS = 1 << 16  # output of one batch stays small enough for its memory to be used again by the next

Strings = Literal["view", "string"]

# How the kernel reads an array of a type, by the type's number.
_LAYOUTS = {
    kind.id: layout
    for layout, kinds in (
        ("offsets32", (pa.string(), pa.binary())),
        ("offsets64", (pa.large_string(), pa.large_binary())),
        ("views", (pa.string_view(), pa.binary_view())),
    )
    for kind in kinds
}
_EMPTY = pa.py_buffer(b"")
_WINDOW = 1 << _columns.WINDOW_BITS


def as_arrays(column: Any) -> tuple[list[pa.Array], pa.DataType, bool]:
    """The column as Arrow arrays of one type, and whether it came in chunks.

    ValueError for an array whose buffers do not fit its type and length, as far as that shows without a look at rows.

    >>> as_arrays(["http://h", None])[1:]
    (DataType(string), False)
    """
    if isinstance(column, pa.Array):  # asked first, as columns may have few rows
        column.validate()
        if column.type.id in _LAYOUTS:
            return [column], column.type, False
    elif isinstance(column, (pa.Table, pa.RecordBatch)):
        column = _only(column.columns, column)
    elif not isinstance(column, pa.ChunkedArray):
        if isinstance(column, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"expected a column, not one {type(column).__name__}")
        if hasattr(column, "__arrow_c_stream__"):
            column = pa.chunked_array(column)
        elif hasattr(column, "__arrow_c_array__") or not isinstance(column, Iterable):
            column = pa.array(column)
        else:
            column = _from_values(column)
    chunked = isinstance(column, pa.ChunkedArray)
    arrays = list(column.chunks) if chunked else [column]
    kind = column.type
    for array in arrays:
        array.validate()
    if pa.types.is_struct(kind) and kind.num_fields == 1:  # a result of one column, as DuckDB gives it
        kind = kind.field(0).type
        arrays = [array.flatten()[0] for array in arrays]
    return arrays, kind, chunked


def _from_values(values: Iterable[Any]) -> pa.Array:
    try:
        return pa.array(values, from_pandas=hasattr(values, "dtype"))
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        # Arrow's message quotes a value, which may be a URL with its password.
        raise type(error)("expected a column of strings or of binary, and not of several kinds of values") from None


def _only(columns: list[Any], table: Any) -> Any:
    if len(columns) != 1:
        raise TypeError(f"expected one column, not a {type(table).__name__} of {len(columns)}")
    return columns[0]


_IS_BINARY = {kind.id: True for kind in (pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(1))}
_IS_BINARY |= {kind.id: False for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.null())}


def is_binary(kind: pa.DataType) -> bool:
    """Whether the column holds octets rather than text; TypeError when it holds neither.

    >>> is_binary(pa.large_binary()), is_binary(pa.dictionary(pa.int8(), pa.string()))
    (True, False)
    """
    found = _IS_BINARY.get(kind.id)
    if found is not None:
        return found
    if isinstance(kind, pa.BaseExtensionType):
        return is_binary(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return is_binary(kind.value_type)
    raise TypeError(f"expected a column of strings or binary, not of {kind}")


def exact(word: Any) -> Any:
    """A str without the methods of its subclass, which may say that it equals what it does not; anything else as it is.

    >>> exact("view"), exact(5)
    ('view', 5)
    """
    return str.__str__(word) if isinstance(word, str) else word


_STR = frozenset([str])


def exact_all(words: Iterable[Any]) -> tuple[Any, ...]:
    """:func:`exact` of each word.

    >>> exact_all(["host", 5])
    ('host', 5)
    """
    words = tuple(words)
    # Nearly all callers give plain words: no call for each of them.
    return words if _STR.issuperset(map(type, words)) else tuple(map(exact, words))


def string_type(binary: bool, strings: Strings) -> pa.DataType:
    """The type of columns that come out.

    >>> string_type(True, "view")
    DataType(binary_view)
    """
    if strings == "view":
        return pa.binary_view() if binary else pa.string_view()
    if strings == "string":
        return pa.binary() if binary else pa.string()
    raise ValueError(f"strings must be 'view' or 'string', not {strings!r}")


def plain_arrays(arrays: Iterable[pa.Array]) -> Iterator[tuple[Rows, pa.Array | None]]:
    """The rows of each array in a layout that the kernel reads, each different text once where the layout says so; and,
    if it does, which of them each row has.

    >>> [(values, indices)] = plain_arrays([pa.array(["a", "b", "a"]).dictionary_encode()])
    >>> values.rows, indices.to_pylist()
    (2, [0, 1, 0])
    """
    first = 0
    for array in arrays:
        values, indices = _plain(array)
        yield (Rows(values, first=first) if indices is None else Rows(values, name="value")), indices
        first += len(array)


def _plain(array: pa.Array) -> tuple[pa.Array, pa.Array | None]:
    """The array without dictionaries and runs, and which of its texts each row has where there were some."""
    if array.type.id in _LAYOUTS:
        return array, None
    if isinstance(array, pa.ExtensionArray):
        return _plain(array.storage)
    if pa.types.is_run_end_encoded(array.type):
        runs = _runs(array)
        first = runs.find_physical_offset()
        values = array.values.slice(first, runs.find_physical_length())
        return _without_repeats(values, pc.subtract(pc.run_end_decode(runs), first))
    if pa.types.is_dictionary(array.type):
        # A copy, so that it is still what was checked when it is used.
        return _without_repeats(array.dictionary, _copied(array.indices))
    if pa.types.is_null(array.type):
        return array.cast(pa.string()), None
    return array.cast(pa.binary()), None  # of a fixed size


def _without_repeats(values: pa.Array, rows: pa.Array) -> tuple[pa.Array, pa.Array]:
    inner, indices = _plain(values)
    return inner, rows if indices is None else _taken(indices, rows)


def _copied(array: pa.Array) -> pa.Array:
    return pa.concat_arrays([array, array.slice(0, 0)])  # of a single one concat_arrays makes no copy


def _runs(array: pa.Array) -> pa.Array:
    """The array with the number of each run in place of its value; ValueError for run ends that are not in order."""
    ends = _copied(array.run_ends)
    in_order = len(ends) == 0 or (ends[0].as_py() > 0 and pc.all(pc.greater(ends[1:], ends[:-1])).as_py() is not False)
    if not in_order or len(ends) > len(array.values) or (len(array) and ends[-1].as_py() < array.offset + len(array)):
        raise ValueError("the run ends of the column are not in order")
    numbers = pa.array(range(len(ends)), pa.int64())
    return pa.RunEndEncodedArray.from_arrays(ends, numbers).slice(array.offset, len(array))


def _taken(values: pa.Array, indices: pa.Array) -> pa.Array:
    """The value that each row has; ValueError for a row whose index is not that of any."""
    try:
        return values.take(indices)
    except IndexError:
        outside = pc.or_(pc.less(indices, 0), pc.greater_equal(indices, len(values)))
        row = pc.index(outside, True).as_py()
        raise ValueError(f"row {row} has an index outside of the dictionary") from None


def spread(array: pa.Array, indices: pa.Array | None) -> pa.Array:
    """What each row has of an array without repeats. Arrow's take knows no views, but it knows 16 octets a row.

    >>> spread(pa.array(["a", "b"], pa.string_view()), pa.array([1, None, 0])).to_pylist()
    ['b', None, 'a']
    """
    if indices is None:
        return array
    if array.type not in (pa.string_view(), pa.binary_view()):
        return _taken(array, indices)
    validity, views, *named = array.buffers()
    octets = _taken(pa.Array.from_buffers(pa.binary(16), len(array), [validity, views], offset=array.offset), indices)
    if octets.offset:
        octets = _copied(octets)
    return pa.Array.from_buffers(array.type, len(octets), [*octets.buffers(), *named])


def new_buffers(*sizes: int) -> tuple[list[pa.Buffer], _columns.PooledBuffer]:
    """Buffers of these sizes, not zeroed, and the memory that they are parts of.

    They are no slices of one buffer: what of the memory is in none of them may be of an earlier batch, and nobody is to
    come to it from a result.

    >>> [buffer.size for buffer in new_buffers(16, 1)[0]]
    [16, 1]
    """
    memory = _columns.PooledBuffer(*sizes)
    buffers = []
    address = memory.address
    for start, size in zip(memory.starts, sizes, strict=True):
        buffers.append(pa.foreign_buffer(address + start, size, memory))
    return buffers, memory


def _where(buffer: pa.Buffer | None) -> tuple[int, int]:
    """The address and the size of a buffer, which may be absent."""
    return (0, 0) if buffer is None else (buffer.address, buffer.size)


class Rows:
    """One array of a plain layout, to be read by the kernel. Keeps its buffers alive."""

    def __init__(self, array: pa.Array, *, targets: pa.Buffer | None = None, name: str = "row", first: int = 0) -> None:
        """targets : a bit a row that says whether it is read as a request target, for columns that hold both forms
        name, first : how an error calls a row, and the number of the first
        """
        self.array = array
        self.rows = len(array)
        self.targets = targets
        validity, offsets, *data = self.inputs = array.buffers()
        layout = _LAYOUTS[array.type.id]
        if layout != "views":
            octets = _EMPTY if data[0] is None else data[0]
            self.named = [octets] if octets.size <= _WINDOW else _windows(octets)
            places = [(octets.address, octets.size)]
        else:
            self.named = [_EMPTY if buffer is None else buffer for buffer in data]
            places = [(buffer.address, buffer.size) for buffer in self.named]
        self.column = _columns.InputColumn(
            layout,
            array.offset,
            self.rows,
            _where(validity) if array.null_count else (0, 0),
            _where(offsets),
            places,
            0 if targets is None else targets.address,
            name,
            first,
        )


def _windows(data: pa.Buffer) -> list[pa.Buffer]:
    """The buffers by whose numbers views name octets of a buffer of any size."""
    return [data.slice(at, min(2 * _WINDOW - 1, data.size - at)) for at in range(0, data.size, _WINDOW)]
