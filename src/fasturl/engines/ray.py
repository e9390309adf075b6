"""Ray Data: the columns of a parse beside those of a Dataset. ``fasturl`` must be installed where Ray's workers run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from ray.data import Dataset

from fasturl import arrow
from fasturl.engines._operations import added, bounded, schema

__all__ = ["Reader", "parse"]


@dataclass(frozen=True, slots=True)
class Reader:
    """What a task does with a block: each column as it came, and then those of the fields.

    >>> Reader("u", ("host", "port"), "url", "")(pa.table({"u": ["http://h:80/"]})).to_pylist()
    [{'u': 'http://h:80/', 'host': 'h', 'port': 80}]
    """

    column: str
    fields: tuple[str, ...]
    form: str
    prefix: str

    def __call__(self, table: pa.Table) -> pa.Table:
        if table.num_columns == 0:  # a block without rows may be without columns too
            return table
        names = added(table.column_names, self.column, self.fields, self.prefix)
        # Copied: a view would take all text of its block along to wherever the block is sent.
        texts = bounded(table.column(self.column))
        found = arrow.parse(texts, self.fields, form=self.form, threads=1, strings="string")
        for name, values in zip(names, found.columns, strict=True):
            table = table.append_column(name, values)
        return table


def parse(
    dataset: Dataset,
    column: str,
    fields: Sequence[str] = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    **options: Any,
) -> Dataset:
    """The Dataset with a column for each field after its own: as ``fasturl.arrow.parse``, by map_batches, lazily.

    column : its column of URLs, str or bytes
    prefix : what the names of the new columns begin with; a run raises ValueError where the Dataset has such a name
    options : for map_batches: num_cpus, concurrency, memory, batch_size (by default whole blocks) and so on
    Raises ValueError at once for an unknown field or form.
    """
    reader = Reader(column, tuple(schema(fields, form).names), form, prefix)
    given: dict[str, Any] = {"batch_size": None, "zero_copy_batch": True, **options}
    return dataset.map_batches(reader, batch_format="pyarrow", **given)
