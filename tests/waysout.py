"""All bytes that leave with a result of columns, by each way out: pickles, Arrow's streams and files, and buffers."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa


def arrays(found: Any) -> Iterator[pa.Array]:
    """Yield the arrays of a table, a batch or an array, and the dictionaries of these."""
    if isinstance(found, pa.Table):
        found = [chunk for column in found.columns for chunk in column.chunks]
    for array in found.columns if isinstance(found, pa.RecordBatch) else found if isinstance(found, list) else [found]:
        yield array
        if isinstance(array, pa.DictionaryArray):
            yield from arrays(array.dictionary)


def data(found: Any) -> Iterator[tuple[str, bytes]]:
    """Yield each way out and its bytes."""
    yield "pickle", pickle.dumps(found, 5)
    yield "old pickle", pickle.dumps(found, 2)
    table = found if isinstance(found, (pa.Table, pa.RecordBatch)) else pa.record_batch({"a": found})
    for new in (pa.ipc.new_stream, pa.ipc.new_file):
        out = pa.BufferOutputStream()
        with new(out, table.schema) as writer:
            writer.write(table)
        yield new.__name__, out.getvalue().to_pybytes()
    for array in arrays(found):
        for buffer in array.buffers():
            while buffer is not None:
                yield "buffer", np.frombuffer(buffer, np.uint8).tobytes()
                buffer = buffer.parent
