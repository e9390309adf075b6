"""Decompress gzip, bzip2, xz and Zstandard, member by member, in bounded memory.

A torn or damaged file yields all bytes that can be decoded before the damage, and then raises.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from fasturl._extras import pip_install
from fasturl.logs.errors import LogError, MemoryLimitError, TruncatedInput

_OUT = 1 << 16
# Slice of a block. The bytes after a member are copied, and a block may hold many tiny members.
_IN = 1 << 16
_BY_SUFFIX = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
SUFFIXES = tuple(_BY_SUFFIX)
# After a byte from 50 to 5F: a skippable frame of Zstandard, which pzstd writes first.
_SKIPPABLE = b"\x2a\x4d\x18"
_BY_START = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zX": "xz", b"\x28\xb5\x2f\xfd": "zstd"}

# Twice the dictionary of `xz -9`.
MEMORY_LIMIT = 128 << 20
_SIZES = ((30, "GiB"), (20, "MiB"), (10, "KiB"))


def checked_limit(memory_limit: int) -> int:
    """Return the limit. Raises ValueError if it is below 1."""
    if memory_limit < 1:
        raise ValueError(f"memory_limit must be 1 or more, not {memory_limit}")
    return memory_limit


def _written_size(size: int) -> str:
    """Return a size as text.

    >>> _written_size(3 << 29), _written_size(1000)
    ('1.5 GiB', '1,000 bytes')
    """
    shift, unit = next((each for each in _SIZES if size >> each[0]), (0, "bytes"))
    return f"{size / (1 << shift):,.4g} {unit}" if shift else f"{size:,} {unit}"


def _above_limit(name: str, what: str, limit: int, declared: int | None = None) -> MemoryLimitError:
    """Return the error for an input that declares `what` with this size, if known. `name` must be safe to show."""
    size = "" if declared is None else f" of {_written_size(declared)}"
    message = f"{name}: {what}{size} is above the memory limit of {_written_size(limit)}"
    return MemoryLimitError(message, settings=("memory_limit",))


class _Decoder:
    """One member of a compressed file."""

    eof = False
    unused_data = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        raise NotImplementedError


def kind_by_name(path: str) -> str | None:
    lower = path.lower()
    return next((kind for suffix, kind in _BY_SUFFIX.items() if lower.endswith(suffix)), None)


def kind_by_start(start: bytes, partial: bool = False) -> str | None:
    """Return the compression with these first bytes. With `partial`, `start` may be cut short."""
    for magic, kind in _BY_START.items():
        if start.startswith(magic) or (partial and magic.startswith(start)):
            return kind
    is_skippable = start[1:4] == _SKIPPABLE or (partial and _SKIPPABLE.startswith(start[1:]))
    return "zstd" if start[:1] and 0x50 <= start[0] <= 0x5F and is_skippable else None


class _Gzip(_Decoder):
    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(wbits=31)

    def feed(self, data: bytes) -> Iterator[bytes]:
        # zlib discards the output of a failing call. So a slice that fails is decoded again byte by byte.
        rest = data
        while rest and not self._inflate.eof:
            before = self._inflate.copy()
            try:
                out = self._inflate.decompress(rest, _OUT)
            except zlib.error:
                yield from _byte_by_byte(before, rest)
                raise
            rest = self._inflate.unconsumed_tail
            if out:
                yield out
        self.eof = self._inflate.eof
        self.unused_data = self._inflate.unused_data


def _byte_by_byte(inflate: Any, data: bytes) -> Iterator[bytes]:
    saved = []
    with suppress(zlib.error):
        for at in range(len(data)):
            saved.append(inflate.decompress(data[at : at + 1]))
    if any(saved):
        yield b"".join(saved)


class _Standard(_Decoder):
    """The standard library's decoders for bzip2 and xz, with bounded output per call. bzip2 takes at most 4 MB."""

    def __init__(self, decoder: Any) -> None:
        self._decoder = decoder

    def feed(self, data: bytes) -> Iterator[bytes]:
        rest = data
        while True:
            out = self._decoder.decompress(rest, _OUT)
            rest = b""
            if out:
                yield out
            if self._decoder.eof:
                self.eof = True
                self.unused_data = self._decoder.unused_data
                return
            if self._decoder.needs_input:
                return


class _Xz(_Standard):
    """xz. The decoder allocates the declared dictionary before the first byte of output."""

    def __init__(self, name: str, limit: int) -> None:
        import lzma

        # The limit is for the dictionary. The decoder itself takes some KiB.
        super().__init__(lzma.LZMADecompressor(memlimit=limit + _XZ_DECODER))
        self._error = lzma.LZMAError
        self._name = name
        self._limit = limit
        self._start = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._start += data[: _XZ_HEADERS - len(self._start)]
        try:
            yield from super().feed(data)
        except self._error as error:
            if "emory" not in str(error):
                raise
            dictionary = _xz_dictionary(self._start)
            size = dictionary if dictionary is not None and dictionary > self._limit else None
            raise _above_limit(self._name, "the dictionary that the xz data declares", self._limit, size) from None


_XZ_DECODER = 1 << 20
_XZ_HEADERS = 64  # of the stream and of its first block


def _xz_dictionary(start: bytes) -> int | None:
    """Return the dictionary size that the first block of an xz stream declares, or None if it is not plain.

    >>> import lzma
    >>> _xz_dictionary(lzma.compress(b"a")) >> 20
    8
    """
    sizes = start[13] >> 6 if len(start) > 13 else 3
    at = 14
    for _ in range(sizes.bit_count()):  # sizes of the block, in groups of seven bits
        while at < len(start) and start[at] & 0x80:
            at += 1
        at += 1
    if start[at : at + 2] != b"\x21\x01" or at + 2 >= len(start) or start[at + 2] > 40:
        return None
    bits = start[at + 2]
    return min((2 | bits & 1) << bits // 2 + 11, (1 << 32) - 1)


class _Zstd(_Decoder):
    def __init__(self, name: str, limit: int) -> None:
        try:
            import zstandard
        except ModuleNotFoundError:
            raise LogError(f"reading .zst needs zstandard: {pip_install('cli')}") from None
        self._zstandard = zstandard
        self._name = name
        self._limit = limit
        self._decoder = zstandard.ZstdDecompressor(max_window_size=min(max(limit, 1 << 10), 1 << 31)).decompressobj()
        self._start: bytes | None = b""

    def _check(self, start: bytes) -> bool:
        """Return True if the frame header is complete. Raises MemoryLimitError for a window above the limit."""
        try:
            window = self._zstandard.get_frame_parameters(start).window_size
        except self._zstandard.ZstdError as error:
            if "not enough data" in str(error) and len(start) < _ZSTD_HEADER:
                return False
            raise
        if window > self._limit:
            raise _above_limit(self._name, "the window that the zstd data declares", self._limit, window)
        return True

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._start is not None:
            data = self._start + data
            if not self._check(data[:_ZSTD_HEADER]):
                self._start = data
                return
            self._start = None
        # A call's output is unbounded. Four bytes can decode to 128 KiB, so 1 KiB decodes to at most 32 MiB.
        for at in range(0, len(data), 1 << 10):
            out = self._decoder.decompress(data[at : at + (1 << 10)])
            if out:
                yield out
            if self._decoder.eof:
                self.eof = True
                self.unused_data = self._decoder.unused_data + data[at + (1 << 10) :]
                return


_ZSTD_HEADER = 18


def _bzip2() -> Any:
    import bz2

    return bz2.BZ2Decompressor()


# Called with the input's name, which is safe to show, and the memory limit.
_DECODERS: dict[str, Callable[[str, int], _Decoder]] = {
    "gzip": lambda name, limit: _Gzip(),
    "bzip2": lambda name, limit: _Standard(_bzip2()),
    "xz": _Xz,
    "zstd": _Zstd,
}

# The errors of damaged data. Those of modules that are imported on use are known by their module's name.
_ERRORS = (zlib.error, EOFError, OSError, ValueError)
_DECODER_MODULES = ("_lzma", "zstandard", "zstd")  # zstd before 0.24


def decompress(kind: str, blocks: Iterator[bytes], name: str, limit: int = MEMORY_LIMIT) -> Iterator[bytes]:
    """Yield the decompressed bytes of all members.

    Raises TruncatedInput for a truncated or damaged member and for other data after the last one, MemoryLimitError for
    a member that declares more than `limit` bytes of memory.
    """
    decoder: _Decoder | None = None
    members = 0
    pending: list[bytes] = []  # small pieces are joined, because each costs the reader a join and a split
    gathered = 0
    trouble: LogError | None = None
    try:
        for rest in (block[at : at + _IN] for block in blocks for at in range(0, len(block), _IN)):
            while rest:
                if decoder is None:
                    # Zeros after the last member are padding (tape blocks, xz).
                    if members and kind in ("gzip", "xz") and not rest.strip(b"\0"):
                        break
                    decoder = _DECODERS[kind](name, limit)
                for out in decoder.feed(rest):
                    pending.append(out)
                    gathered += len(out)
                    if gathered >= _OUT // 2:
                        yield b"".join(pending)
                        pending, gathered = [], 0
                rest = decoder.unused_data if decoder.eof else b""
                if decoder.eof:
                    decoder = None
                    members += 1
            # A reader may follow a growing log, so all output is yielded now.
            if pending:
                yield b"".join(pending)
                pending, gathered = [], 0
    except LogError as error:
        trouble = error
    except Exception as error:
        if not isinstance(error, _ERRORS) and type(error).__module__.partition(".")[0] not in _DECODER_MODULES:
            raise
        trouble = TruncatedInput(f"{name}: damaged {kind} data: {error}")
    if pending:
        yield b"".join(pending)
    if decoder is not None and trouble is None:
        trouble = TruncatedInput(f"{name}: the {kind} data is truncated")
    if trouble is not None:
        raise trouble
