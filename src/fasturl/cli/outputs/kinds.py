"""The formats and compressions of output files, and the suffixes that name them."""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Callable
from typing import Any

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.sink import Sink, open_sink
from fasturl.logs.inputs.decompress import SUFFIXES, kind_by_name
from fasturl.logs.shown import visible

TABLES = ("parquet", "arrow")
KINDS = ("jsonl", "csv", *TABLES)
VERTICAL = "vertical"  # of a query: one line per value
LOG = "log"  # of parse: the lines of the input
TABLE_AS_LOG = "--to log: the input is a table, whose rows are no lines: take --to csv"
CSV_SAFE = "csv-safe"  # CSV for a spreadsheet: no text is a formula
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


def _bzip2() -> Any:
    import bz2

    return bz2.BZ2Compressor()


def _xz() -> Any:
    import lzma

    return lzma.LZMACompressor()


def _zstd() -> Any:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise Failure("writing .zst needs zstandard: pip install 'fasturl[cli]'") from None
    return zstandard.ZstdCompressor(write_checksum=True).compressobj()


_COMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.compressobj(wbits=31),
    "bzip2": _bzip2,
    "xz": _xz,
    "zstd": _zstd,
}


class Compressed:
    """A sink that compresses to another sink. The kept part of a failed run is a whole compressed file too."""

    def __init__(self, sink: Sink, compressor: Any) -> None:
        self._sink = sink
        self._compressor = compressor  # None after its last bytes are written
        self.is_terminal = sink.is_terminal
        self.is_file = sink.is_file

    def write(self, octets: bytes | memoryview) -> None:
        packed = self._compressor.compress(octets)
        if packed:
            self._sink.write(packed)

    def _finish(self) -> None:
        compressor, self._compressor = self._compressor, None
        if compressor is not None:
            self._sink.write(compressor.flush())

    def commit(self) -> None:
        self._finish()
        self._sink.commit()

    def abandon(self, keep: bool = True) -> None:
        if keep:
            with contextlib.suppress(Exception):  # the run may have failed because the sink cannot be written
                self._finish()
        self._sink.abandon(keep)


def _suffix(path: str) -> str:
    """Return the suffix in lower case, without that of a compression."""
    base = os.path.splitext(path)[0] if kind_by_name(path) else path
    return os.path.splitext(base)[1].lower()


def is_json_lines(path: str) -> bool:
    """Return True if the suffix names JSON lines."""
    return _BY_SUFFIX.get(_suffix(path)) == "jsonl"


def kind_for(path: str | None, asked: str | None) -> str:
    """Return `asked`, else the format that the suffix names; JSON lines for a path without a suffix.

    Raise Failure for an unknown suffix, and for a table with the suffix of a compression.
    """
    path = path or ""
    suffix = _suffix(path)
    if asked is None and suffix and suffix not in _BY_SUFFIX:
        raise Failure(
            f"{visible(path)}: no output has the suffix {visible(suffix)}; there are: {' '.join(_BY_SUFFIX)}, and "
            f"{' '.join(SUFFIXES)} after those of text; or name the format with --to"
        )
    kind = asked or _BY_SUFFIX.get(suffix, "jsonl")
    if kind_by_name(path) and kind in TABLES:
        raise Failure(f"{visible(path)}: {kind} files are not compressed as a whole: remove the last suffix")
    return kind


def open_output(path: str | None) -> Sink:
    """Return the sink for the path, compressed if the suffix says so."""
    kind = kind_by_name(path or "")
    if kind is None:
        return open_sink(path)
    compressor = _COMPRESSORS[kind]()  # before the file is opened: the module may be missing
    return Compressed(open_sink(path), compressor)
