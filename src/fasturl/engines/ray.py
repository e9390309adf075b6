"""Ray Data: the columns of a parse beside those of a Dataset. ``fasturl`` must be installed where Ray's workers run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from ray.data import Dataset

from fasturl import arrow
from fasturl.engines._operations import Fields, Plan, added, bounded, column_of, plan

__all__ = ["Reader", "parse"]


@dataclass(frozen=True, slots=True)
class Reader:
    """What a task does with a block: each column as it came, and then those of the plan.

    >>> Reader("u", plan(["host", "path_depth"]), "")(pa.table({"u": ["http://h:80/a/"]})).to_pylist()
    [{'u': 'http://h:80/a/', 'host': 'h', 'path_depth': 1}]
    """

    column: str
    plan: Plan
    prefix: str

    def __call__(self, table: pa.Table) -> pa.Table:
        if table.num_columns == 0:  # a block without rows may be without columns too
            return table
        column_of(table.column_names, self.column)
        names = added(table.column_names, self.plan.names, self.prefix)
        # Copied: a view would take all text of its block along to wherever the block is sent.
        found = self.plan.read(bounded(table.column(self.column)), threads=1)
        for name, values in zip(names, found.columns, strict=True):
            table = table.append_column(name, values)
        return table


def parse(
    dataset: Dataset,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    **options: Any,
) -> Dataset:
    """The Dataset with a column for each field after its own: as ``fasturl.arrow.parse``, by map_batches, lazily.

    column : its column of URLs, str or bytes
    fields : names of fields and of functions; or a dict of the new columns' names and for each a field, or a function
        with its arguments, as in ``{"host": "host", "item": ("query_value", "item"), "shown": "redact"}``
    prefix : what the names of the new columns begin with; a run raises ValueError where the Dataset has such a name
    options : for map_batches: num_cpus, concurrency, memory, batch_size (by default whole blocks) and so on
    Raises ValueError at once for an unknown field or form.
    """
    reader = Reader(column, plan(fields, form), prefix)
    given: dict[str, Any] = {"batch_size": None, "zero_copy_batch": True, **options}
    return dataset.map_batches(reader, batch_format="pyarrow", **given)
