"""Convert any object that holds a column to Arrow arrays in a plain layout, and the arrays to the kernel's input."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import pyarrow as pa

from fasturl import _columns
from fasturl._quoted import quoted
from fasturl.arrow import compute as pc

TEXTS = (str, bytes, bytearray, memoryview)  # the types of one text, which is not a column

BATCH_ROWS = 1 << 16  # small enough that the next batch reuses the memory of the output

Strings = Literal["view", "string"]

# The kernel's layout for arrays of a type, by the id of the type.
_LAYOUTS = {
    kind.id: layout
    for layout, kinds in (
        ("offsets32", (pa.string(), pa.binary())),
        ("offsets64", (pa.large_string(), pa.large_binary())),
        ("views", (pa.string_view(), pa.binary_view())),
    )
    for kind in kinds
}
EMPTY = pa.py_buffer(b"")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WINDOW = 1 << _columns.WINDOW_BITS


def as_arrays(column: Any) -> tuple[list[pa.Array], pa.DataType, bool]:
    """Return the column as Arrow arrays, their type, and True if the column has chunks.

    ValueError for an array whose buffers do not fit its type and length. This check reads no rows.

    >>> as_arrays(["http://h", None])[1:]
    (DataType(string), False)
    """
    if isinstance(column, pa.Array):  # first, because for a column of few rows the other checks are slow
        column.validate()
        if column.type.id in _LAYOUTS:
            return [column], column.type, False
    elif isinstance(column, (pa.Table, pa.RecordBatch)):
        if column.num_columns != 1:
            raise TypeError(f"expected one column, not a {type(column).__name__} of {column.num_columns}")
        column = column.column(0)
    elif not isinstance(column, pa.ChunkedArray):
        if isinstance(column, TEXTS):
            raise TypeError(f"expected a column, not one {type(column).__name__}")
        if str(getattr(column, "dtype", "")) == "object":  # pandas: the errors of its own conversion quote values
            column = from_values(column)
        elif hasattr(column, "__arrow_c_stream__"):
            column = pa.chunked_array(column)
        elif hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_array__"):
            column = pa.array(column)
        elif isinstance(column, Iterable):
            column = from_values(column)
        else:
            how = ": collect() it first, or use the .url of an expression" if hasattr(column, "collect") else ""
            raise TypeError(f"expected a column, not {type(column).__name__}{how}")
    chunked = isinstance(column, pa.ChunkedArray)
    arrays = list(column.chunks) if chunked else [column]
    kind = column.type
    for array in arrays:
        array.validate()
    if pa.types.is_struct(kind) and kind.num_fields == 1:  # DuckDB returns one column as a struct
        kind = kind.field(0).type
        arrays = [array.flatten()[0] for array in arrays]
    return arrays, kind, chunked


def from_values(values: Iterable[Any]) -> pa.Array | pa.ChunkedArray:
    """Return Python objects, a NumPy array or a Series as an Arrow array. The errors quote no value.

    >>> from_values(["http://h", None]).type
    DataType(string)
    """
    is_array = hasattr(values, "dtype")
    if not is_array and not isinstance(values, (list, tuple)):
        values = list(values)
    if not is_array or values.dtype == object:  # type: ignore[attr-defined]
        # Arrow recurses into nested lists without a limit. A list that contains itself would exhaust the stack.
        for kind in set(map(type, values)):
            if hasattr(kind, "__iter__") and not issubclass(kind, TEXTS):
                raise TypeError(f"expected a column of strings or binary, not of {kind.__name__}") from None
    try:
        return pa.array(values, from_pandas=is_array)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        # Arrow's message quotes a value, which may be a URL with a password.
        row, value = next((each for each in enumerate(values) if not _is_text_or_null(each[1])), (None, None))
        what = "and not of several kinds of values" if row is None else f"but row {row} is {type(value).__name__}"
        raise type(error)(f"expected a column of strings or of binary, {what}") from None
    except UnicodeEncodeError:  # the exception holds the whole text
        row = next(row for row, value in enumerate(values) if isinstance(value, str) and _SURROGATE.search(value))
        raise ValueError(f"row {row} has a lone surrogate, which UTF-8 cannot hold") from None
    except pa.ArrowNotImplementedError:
        dtype = getattr(values, "dtype", "a type")
        raise TypeError(f"expected a column of strings or binary, not of {dtype}, which pyarrow cannot read") from None


def _is_text_or_null(value: Any) -> bool:
    try:
        return value is None or isinstance(value, TEXTS) or pa.array([value], from_pandas=True).null_count == 1
    except pa.ArrowException:
        return False


_IS_BINARY = {kind.id: True for kind in (pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(1))}
_IS_BINARY |= {kind.id: False for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.null())}


def is_binary(kind: pa.DataType) -> bool:
    """Return True for a type of bytes, and False for a type of text. TypeError for any other type.

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
    """Return the exact str of a subclass of str, whose own methods may lie. Return any other object as it is.

    >>> exact("view"), exact(5)
    ('view', 5)
    """
    return str.__str__(word) if isinstance(word, str) else word


_STR = frozenset([str])


def exact_all(words: Iterable[Any]) -> tuple[Any, ...]:
    """Return the exact str for each word. Other objects stay as they are.

    >>> exact_all(["host", 5])
    ('host', 5)
    """
    words = tuple(words)
    # Nearly all callers give plain words: no call for each of them.
    return words if _STR.issuperset(map(type, words)) else tuple(map(exact, words))


def string_type(binary: bool, strings: Strings) -> pa.DataType:
    """Return the type that a result's text columns have.

    >>> string_type(True, "view")
    DataType(binary_view)
    """
    if strings == "view":
        return pa.binary_view() if binary else pa.string_view()
    if strings == "string":
        return pa.binary() if binary else pa.string()
    raise ValueError(f"strings must be 'view' or 'string', not {quoted(strings)}")


def plain_arrays(arrays: Iterable[pa.Array], first: int = 0) -> Iterator[tuple[Rows, pa.Array | None]]:
    """Yield each array's rows in a layout that the kernel reads, and None.

    If the layout is a dictionary or has runs, yield the distinct values, and the index for each row's value.

    first : the first row's number, for errors

    >>> [(values, indices)] = plain_arrays([pa.array(["a", "b", "a"]).dictionary_encode()])
    >>> values.rows, indices.to_pylist()
    (2, [0, 1, 0])
    """
    for array in arrays:
        values, indices = _plain(array)
        yield (Rows(values, first=first) if indices is None else Rows(values, name="value")), indices
        first += len(array)


def _plain(array: pa.Array) -> tuple[pa.Array, pa.Array | None]:
    """Return an array without dictionaries and runs. If it had any, also return the index for each row's value."""
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
        # Copy the indices, so that another thread cannot change them after the check.
        return _without_repeats(array.dictionary, _copy(array.indices))
    if pa.types.is_null(array.type):
        return array.cast(pa.string()), None
    return array.cast(pa.binary()), None  # a fixed-size binary type


def _without_repeats(values: pa.Array, rows: pa.Array) -> tuple[pa.Array, pa.Array]:
    inner, indices = _plain(values)
    return inner, rows if indices is None else _take(indices, rows)


def _copy(array: pa.Array) -> pa.Array:
    return pa.concat_arrays([array, array.slice(0, 0)])  # concat_arrays does not copy a single array


def _runs(array: pa.Array) -> pa.Array:
    """Return the array with run numbers instead of values. Raise ValueError if the run ends are not in order."""
    ends = _copy(array.run_ends)
    in_order = len(ends) == 0 or (ends[0].as_py() > 0 and pc.all(pc.greater(ends[1:], ends[:-1])).as_py() is not False)
    if not in_order or len(ends) > len(array.values) or (len(array) and ends[-1].as_py() < array.offset + len(array)):
        raise ValueError("the run ends of the column are not in order")
    numbers = pa.array(range(len(ends)), pa.int64())
    return pa.RunEndEncodedArray.from_arrays(ends, numbers).slice(array.offset, len(array))


def _take(values: pa.Array, indices: pa.Array) -> pa.Array:
    """Return each row's value. Raise ValueError if an index is out of bounds."""
    try:
        return values.take(indices)
    except IndexError:
        outside = pc.or_(pc.less(indices, 0), pc.greater_equal(indices, len(values)))
        row = pc.index(outside, True).as_py()
        raise ValueError(f"row {row} has an index outside of the dictionary") from None


def spread(array: pa.Array, indices: pa.Array | None) -> pa.Array:
    """Spread distinct values over the rows. Arrow's take refuses views, so take them as 16-byte binary values.

    >>> spread(pa.array(["a", "b"], pa.string_view()), pa.array([1, None, 0])).to_pylist()
    ['b', None, 'a']
    """
    if indices is None:
        return array
    if array.type not in (pa.string_view(), pa.binary_view()):
        return _take(array, indices)
    validity, views, *named = array.buffers()
    data = _take(pa.Array.from_buffers(pa.binary(16), len(array), [validity, views], offset=array.offset), indices)
    if data.offset:
        data = _copy(data)
    return pa.Array.from_buffers(array.type, len(data), [*data.buffers(), *named])


def new_buffers(*sizes: int) -> list[pa.Buffer]:
    """Return uninitialised buffers of these sizes.

    The buffers are not slices of one buffer. Bytes between buffers may be stale, and results must not expose them.

    >>> [buffer.size for buffer in new_buffers(16, 1)]
    [16, 1]
    """
    memory = _columns.PooledBuffer(*sizes)
    address = memory.address
    return [pa.foreign_buffer(address + start, size, memory) for start, size in zip(memory.starts, sizes, strict=True)]


def _where(buffer: pa.Buffer | None) -> tuple[int, int]:
    """Return the address and the size of a buffer, or zeros for None."""
    return (0, 0) if buffer is None else (buffer.address, buffer.size)


class Rows:
    """An array in a plain layout, as the kernel's input. It keeps the buffers alive."""

    def __init__(self, array: pa.Array, *, targets: pa.Buffer | None = None, name: str = "row", first: int = 0) -> None:
        """targets : for columns that hold both forms, one bit per row, set if the row is a request target
        name, first : the word for a row in errors, and the number of the first row
        """
        self.array = array
        self.rows = len(array)
        self.targets = targets
        validity, offsets, *data = self.inputs = array.buffers()
        layout = _LAYOUTS[array.type.id]
        if layout != "views":
            raw = EMPTY if data[0] is None else data[0]
            self.named = [raw] if raw.size <= _WINDOW else _windows(raw)
            places = [(raw.address, raw.size)]
        else:
            self.named = [EMPTY if buffer is None else buffer for buffer in data]
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
    """Return overlapping slices of a buffer. A view names a byte of a buffer of any size by a slice and an offset."""
    return [data.slice(at, min(2 * _WINDOW - 1, data.size - at)) for at in range(0, data.size, _WINDOW)]


def joined_lines(arrays: Iterable[pa.Array]) -> bytes:
    r"""Return each row as a line that ends with a line feed, empty for a null. ValueError for a row with a fault.

    Line feeds at the end of a text are left out. A text with another line feed becomes an empty line.

    >>> joined_lines([pa.array(["a", None, "a\n", "a\nb"]).dictionary_encode()])
    b'a\n\na\n\n'
    """
    blocks = []
    for rows, indices in plain_arrays(arrays):
        count, address = rows.rows, 0
        if indices is not None:
            places = pc.fill_null(_take(pa.array(range(count), pa.int64()), indices), -1)
            count, address = len(places), _where(places.buffers()[1])[0]
        blocks.append(_columns.join_lines(rows.column, count, address))
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def pair_columns(a: Any, b: Any) -> tuple[list[tuple[Rows, Rows]], pa.DataType, bool]:
    """Return pairs of arrays with equal lengths, the first column's type, and whether a column has chunks.

    b : a column, or a text for all rows, which becomes the only row in each second array
    Raise TypeError for text with binary, and ValueError for different lengths.

    >>> [(one.rows, other.rows) for one, other in pair_columns(pa.chunked_array([["x"], ["y"]]), ["z", None])[0]]
    [(1, 1), (1, 1)]
    """
    ones, kind, chunked = as_arrays(a)
    rows, is_one = sum(map(len, ones)), isinstance(b, TEXTS)
    others, other_kind, other_chunked = as_arrays([b if isinstance(b, str) else bytes(b)] if is_one else b)
    if is_binary(kind) != is_binary(other_kind) and not (pa.types.is_null(kind) or pa.types.is_null(other_kind)):
        raise TypeError(f"one column is {kind}, the other {other_kind}: both must be text, or both binary")
    if not is_one and rows != sum(map(len, others)):
        raise ValueError("the columns have different lengths")
    pieces, first = [], 0
    pairs = ((one, others[0]) for one in _spread(ones)) if is_one else _alike(_spread(ones), _spread(others))
    for one, other in pairs:
        pieces.append((Rows(one, first=first), Rows(other, first=first)))
        first += len(one)
    return pieces, kind, chunked or other_chunked


def _spread(arrays: list[pa.Array]) -> Iterator[pa.Array]:
    """Yield the arrays without dictionaries and runs, so that both columns have one value per row."""
    for rows, indices in plain_arrays(arrays):
        yield spread(rows.array, indices)


def _alike(ones: Iterator[pa.Array], others: Iterator[pa.Array]) -> Iterator[tuple[pa.Array, pa.Array]]:
    """Yield two columns as pairs of slices with equal lengths."""
    one = other = pa.array([], pa.string())
    while True:
        if not len(one) and (one := next(ones, None)) is None:
            return
        while not len(other) and len(one):
            other = next(others)
        rows = min(len(one), len(other))
        if rows:
            yield one.slice(0, rows), other.slice(0, rows)
        one, other = one.slice(rows), other.slice(rows)
