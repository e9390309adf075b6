"""One list of texts in every layout of a column."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pyarrow as pa

Texts = list[str | None] | list[bytes | None]


def _views(kind: pa.DataType) -> pa.DataType:
    return pa.binary_view() if pa.types.is_binary(kind) else pa.string_view()


def sliced(texts: Texts, kind: pa.DataType) -> pa.Array:
    """Return a slice with neighbours on both sides, whose validity bits share a byte with the slice's."""
    beside: list[Any] = ["http://left/", None, "%41" * 9]
    if pa.types.is_binary(kind):
        beside = [text and text.encode() for text in beside]
    return pa.array([*beside, *texts, *beside], kind).slice(3, len(texts))


def chunked(texts: Texts, kind: pa.DataType) -> pa.ChunkedArray:
    cuts = [0, 0, len(texts) // 3, len(texts) // 3, len(texts) // 2, len(texts)]
    return pa.chunked_array([pa.array(texts[a:b], kind) for a, b in pairwise(cuts)], kind)


def dictionary(texts: Texts, kind: pa.DataType) -> pa.Array:
    return pa.array(texts, kind).dictionary_encode()


def dictionary_with_null(texts: Texts, kind: pa.DataType) -> pa.Array:
    """Return a slice of a dictionary column whose nulls stand among the values, not the indices."""
    values = list(dict.fromkeys(texts))
    whole = pa.DictionaryArray.from_arrays(
        pa.array([0, *(values.index(text) for text in texts)], pa.int16()), pa.array(values or [None], kind)
    )
    return whole.slice(1)


def run_ends(texts: Texts, kind: pa.DataType) -> pa.Array:
    """Return a slice from the middle of a run-end column with runs of one and three equal texts."""
    texts = [texts[0], *texts] if texts else [None]
    ends, values = [], []
    for i, text in enumerate(texts):
        if not values or values[-1] != text:
            values.append(text)
            ends.append(i + 1)
        ends[-1] = i + 1
    return pa.RunEndEncodedArray.from_arrays(pa.array(ends, pa.int32()), pa.array(values, kind)).slice(1)


class OnlyArray:
    """An object that has only Arrow's capsule of one array."""

    def __init__(self, array: pa.Array) -> None:
        self._array = array

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self._array.__arrow_c_array__(requested_schema)


class OnlyStream:
    """An object that has only Arrow's capsule of a stream."""

    def __init__(self, array: pa.ChunkedArray) -> None:
        self._array = array

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._array.__arrow_c_stream__(requested_schema)


def large(kind: pa.DataType) -> pa.DataType:
    return pa.large_binary() if pa.types.is_binary(kind) else pa.large_string()


LAYOUTS: dict[str, Callable[[Texts, pa.DataType], Any]] = {
    "offsets32": lambda texts, kind: pa.array(texts, kind),
    "offsets64": lambda texts, kind: pa.array(texts, large(kind)),
    "views": lambda texts, kind: pa.array(texts, _views(kind)),
    "sliced offsets32": sliced,
    "sliced offsets64": lambda texts, kind: sliced(texts, kind).cast(large(kind)),
    "sliced views": lambda texts, kind: pa.array(sliced([None, *texts], kind).to_pylist(), _views(kind)).slice(1),
    "chunked": chunked,
    "chunked views": lambda texts, kind: chunked(texts, kind).cast(_views(kind)),
    "dictionary": dictionary,
    "dictionary with null": dictionary_with_null,
    "chunked dictionaries": lambda texts, kind: pa.chunked_array(
        [dictionary(texts[:2], kind), dictionary(texts[2:], kind)]
    ),
    "run ends": run_ends,
    "capsule of an array": lambda texts, kind: OnlyArray(pa.array(texts, kind)),
    "capsule of a stream": lambda texts, kind: OnlyStream(chunked(texts, kind)),
    "record batch of one": lambda texts, kind: pa.record_batch({"url": pa.array(texts, kind)}),
    "table of one": lambda texts, kind: pa.table({"url": chunked(texts, kind)}),
    "list": lambda texts, kind: list(texts) if any(text is not None for text in texts) else pa.array(texts, kind),
    "tuple": lambda texts, kind: tuple(texts) if any(text is not None for text in texts) else pa.array(texts, kind),
}


def all_layouts(texts: list[str | None]) -> Iterator[tuple[str, Any, bool]]:
    """Yield (name, column, True if it holds bytes)."""
    data = [None if text is None else text.encode() for text in texts]
    for name, make in LAYOUTS.items():
        yield name, make(texts, pa.string()), False
        yield f"{name} of bytes", make(data, pa.binary()), True
