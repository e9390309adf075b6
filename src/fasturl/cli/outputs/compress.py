"""Compressed output: what is written goes through a compressor to another sink."""

from __future__ import annotations

import bz2
import contextlib
import lzma
import zlib
from collections.abc import Callable
from typing import Any

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.sink import Sink


def _zstd() -> Any:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise Failure("writing .zst needs zstandard: pip install 'fasturl[cli]'") from None
    return zstandard.ZstdCompressor(write_checksum=True).compressobj()


_COMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.compressobj(wbits=31),
    "bzip2": bz2.BZ2Compressor,
    "xz": lzma.LZMACompressor,
    "zstd": _zstd,
}


class Compressed:
    """A sink in front of another one. What is kept of a run that failed is a whole compressed file too."""

    def __init__(self, sink: Sink, compressor: Any) -> None:
        self._sink = sink
        self._compressor = compressor  # None once its end is handed on
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
            with contextlib.suppress(Exception):  # the reason of the failure may be that nothing can be written
                self._finish()
        self._sink.abandon(keep)


def compressing(kind: str | None, make: Callable[[], Sink]) -> Sink:
    """The sink that `make` makes, or one that compresses for it. Nothing is opened when the compressor is missing."""
    if kind is None:
        return make()
    compressor = _COMPRESSORS[kind]()
    return Compressed(make(), compressor)
