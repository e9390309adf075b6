"""Ray Data: ``parse``, which adds columns to a Dataset. ``fasturl`` must be installed where Ray's workers run."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import ray.data
from ray.data import Dataset, Datasource, ReadTask
from ray.data.block import BlockMetadata

from fasturl import arrow
from fasturl.engines._operations import Beside, Fields, ParseSpec, bound_chunks, column_of, new_names, parse_spec
from fasturl.logs.logtable import SPLIT_OCTETS, LogTable, Paths, Rejects, Split, split_table
from fasturl.logs.reader import AnyFormat, Rows

__all__ = ["LogSource", "Reader", "column", "parse", "read_logs"]


def column(name: str) -> Beside:
    """Name a column of the Dataset as the second argument of a function in ``fields=`` of :func:`parse`.

    >>> spec = parse_spec({"same": ("equivalent", column("v"))}, beside=True)
    >>> Reader("u", spec, "")(pa.table({"u": ["http://h", "//g"], "v": ["HTTP://H:80/", None]}))["same"].to_pylist()
    [True, None]
    """
    return Beside(name)


@dataclass(frozen=True, slots=True)
class Reader:
    """Task body for a block: keep its columns, then append the columns of the spec.

    >>> Reader("u", parse_spec(["host", "path_depth"]), "")(pa.table({"u": ["http://h:80/a/"]})).to_pylist()
    [{'u': 'http://h:80/a/', 'host': 'h', 'path_depth': 1}]
    """

    column: str
    spec: ParseSpec
    prefix: str

    def __call__(self, table: pa.Table) -> pa.Table:
        if table.num_columns == 0:  # A block without rows may have no columns.
            return table
        column_of(table.column_names, self.column)
        names = new_names(table.column_names, self.spec.names, self.prefix)
        # Copy the texts: a view would carry all text of its block wherever Ray sends the result.
        found = self.spec.read(
            bound_chunks(table.column(self.column)), threads=1, beside=lambda name: _column(table, name)
        )
        for name, values in zip(names, found.columns, strict=True):
            table = table.append_column(name, values)
        return table


def _column(table: pa.Table, name: str) -> pa.ChunkedArray:
    return table.column(column_of(table.column_names, name))


def parse(
    dataset: Dataset,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    **options: Any,
) -> Dataset:
    """Add one column per field to a Dataset, lazily with map_batches, as ``fasturl.arrow.parse`` does.

    column : the column of URLs, str or bytes
    fields : names of fields and functions, or a dict from new column names to a field, a function, or a function with
        its arguments, as in ``{"host": "host", "item": ("query_value", "item"), "shown": "redact"}``. An argument may
        be another column, as in ``{"same": ("equivalent", column("referer"))}``.
    prefix : the prefix of the new column names. The run raises ValueError if the Dataset has such a name.
    options : for map_batches: num_cpus, concurrency, memory, batch_size (by default whole blocks) and so on
    Raises ValueError at once for an unknown field or form.
    """
    reader = Reader(column, parse_spec(fields, form, beside=True), prefix)
    given: dict[str, Any] = {"batch_size": None, "zero_copy_batch": True, **options}
    return dataset.map_batches(reader, batch_format="pyarrow", **given)


class LogSource(Datasource):  # type: ignore[misc]
    """Splits of logs, which one task each reads. Only the columns that later steps select are computed."""

    def __init__(self, table: LogTable, splits: list[Split]) -> None:
        super().__init__()
        self._table, self._splits = table, splits
        self._projection_map: dict[str, str] | None = None  # set by Ray, from names to themselves

    def supports_projection_pushdown(self) -> bool:
        return hasattr(Datasource, "get_projection_map")  # before, Ray had other projections, and none for this class

    def estimate_inmemory_data_size(self) -> int | None:
        return None

    def get_read_tasks(self, parallelism: int, per_task_row_limit: int | None = None, **_: Any) -> list[ReadTask]:
        names = self._table.columns if self._projection_map is None else tuple(self._projection_map)
        table = self._table.only(names or self._table.columns[:1])
        given: dict[str, Any] = {"num_rows": None, "size_bytes": None, "exec_stats": None, "input_files": None}
        if "schema" in inspect.signature(BlockMetadata).parameters:
            given["schema"] = table.schema
        limit = {} if per_task_row_limit is None else {"per_task_row_limit": per_task_row_limit}
        metadata = BlockMetadata(**given)
        return [ReadTask(partial(_read_split, table, split), metadata, **limit) for split in self._splits]


def _read_split(table: LogTable, split: Split) -> Iterator[pa.Table]:
    yield table.schema.empty_table()  # A Dataset without rows has its columns too.
    for batch in table.read_split(split):
        yield pa.Table.from_batches([batch])


def read_logs(
    path: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    *,
    rejects: Rejects = None,
    split_octets: int | None = SPLIT_OCTETS,
    **options: Any,
) -> Dataset:
    """Return a lazy Dataset of logs, read as by ``fasturl.logs.read``, with one task per split.

    path : a path, a pattern of paths, a directory or a list of these, local or remote (``s3://b/logs/``), as
        this process and every worker see them
    format, fields, rows : as for ``fasturl.logs.read``; ``auto`` looks at the first file, once, in this process
    rejects : "keep" adds a row of nulls for each rejected line, and two columns: ``rejected``, and ``text`` with the
        text of that line. "skip" leaves these lines out. None does too, but raises LogError
        for a file or split that has rejects and no record
    split_octets : the size of a split in bytes, which one task reads. A compressed file is one task. With None,
        every file is one task. ``line`` is null if a file has several splits.
    options : concurrency, or for Ray's tasks: num_cpus, memory and so on
    A task computes only the columns that a ``select_columns`` after this call names.
    Raises LogError for a file that this process cannot open; a task that cannot read one fails the run.
    """
    table, splits = split_table(path, format, fields, rows, rejects, split_octets)
    concurrency = options.pop("concurrency", None)
    return ray.data.read_datasource(
        LogSource(table, splits),
        override_num_blocks=len(splits),
        concurrency=concurrency,
        ray_remote_args=options,
    )
