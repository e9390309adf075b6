"""The kinds of output, and which one a name tells."""

from __future__ import annotations

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
    """The format asked for, or the one that the output's name tells, or JSON lines."""
    if asked is not None:
        return asked
    lower = (path or "").lower()
    return next((kind for suffix, kind in _BY_SUFFIX.items() if lower.endswith(suffix)), "jsonl")
