"""The kinds of output, and which one a name tells."""

from __future__ import annotations

import os
from functools import partial

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.compress import compressing
from fasturl.cli.outputs.sink import Sink, open_sink
from fasturl.logs.inputs.decompress import SUFFIXES, kind_by_name
from fasturl.logs.shown import visible

TEXT = ("jsonl", "csv")
TABLES = ("parquet", "arrow")
KINDS = (*TEXT, *TABLES)
_BY_SUFFIX = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


def kind_for(path: str | None, asked: str | None) -> str:
    """The format asked for, or the one that the output's name tells; JSON lines for a name without a suffix.

    Failure for a suffix that is not known, and for a table under the name of a compressed file.
    """
    path = path or ""
    compression = kind_by_name(path)
    base = os.path.splitext(path)[0] if compression else path
    suffix = os.path.splitext(base)[1].lower()
    if asked is None and suffix and suffix not in _BY_SUFFIX:
        raise Failure(
            f"{visible(path)}: no output has the suffix {visible(suffix)}; there are: {' '.join(_BY_SUFFIX)}, and "
            f"{' '.join(SUFFIXES)} after those of text; or name the format with --to"
        )
    kind = asked or _BY_SUFFIX.get(suffix, "jsonl")
    if compression and kind in TABLES:
        raise Failure(f"{visible(path)}: {kind} files are not compressed as a whole: leave the last suffix away")
    return kind


def open_output(path: str | None) -> Sink:
    """The sink of that name, through a compressor where the name says so."""
    return compressing(kind_by_name(path or ""), partial(open_sink, path))
