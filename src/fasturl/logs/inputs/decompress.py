"""Compressed input: gzip, bzip2, xz and Zstandard, member by member, in bounded memory.

A torn or damaged file gives up all octets that can be decoded before the damage; only then comes the error.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from fasturl.logs.errors import LogError, TornInput

_OUT = 1 << 16
_BY_SUFFIX = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
SUFFIXES = tuple(_BY_SUFFIX)
_BY_START = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zX": "xz", b"\x28\xb5\x2f\xfd": "zstd"}


class _Decoder(Protocol):
    """One member of a compressed file."""

    eof: bool
    unused_data: bytes

    def feed(self, octets: bytes) -> Iterator[bytes]: ...


def kind_by_name(path: str) -> str | None:
    lower = path.lower()
    return next((kind for suffix, kind in _BY_SUFFIX.items() if lower.endswith(suffix)), None)


def kind_by_start(start: bytes, partial: bool = False) -> str | None:
    """The compression that these first octets tell of; with `partial`, one that they may still turn out to
    be.
    """
    for magic, kind in _BY_START.items():
        if start.startswith(magic) or (partial and magic.startswith(start)):
            return kind
    return None


class _Gzip:
    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(wbits=31)
        self.eof = False
        self.unused_data = b""

    def feed(self, octets: bytes) -> Iterator[bytes]:
        # In slices, because a slice that fails is decoded once more octet by octet, to save what stands
        # before the damage: zlib throws the output of a failing call away.
        for at in range(0, len(octets), 1 << 16):
            rest = octets[at : at + (1 << 16)]
            while rest and not self._inflate.eof:
                before = self._inflate.copy()
                try:
                    out = self._inflate.decompress(rest, _OUT)
                except zlib.error:
                    yield from _octet_by_octet(before, rest)
                    raise
                rest = self._inflate.unconsumed_tail
                if out:
                    yield out
            if self._inflate.eof:
                self.eof = True
                self.unused_data = self._inflate.unused_data + octets[at + (1 << 16) :]
                return


def _octet_by_octet(inflate: Any, octets: bytes) -> Iterator[bytes]:
    saved = []
    try:
        for at in range(len(octets)):
            saved.append(inflate.decompress(octets[at : at + 1]))
    except zlib.error:
        pass
    if any(saved):
        yield b"".join(saved)


class _Standard:
    """bzip2 and xz: the standard library's decoders, whose output is bounded a call."""

    def __init__(self, decoder: Any) -> None:
        self._decoder = decoder
        self.eof = False
        self.unused_data = b""

    def feed(self, octets: bytes) -> Iterator[bytes]:
        rest = octets
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


class _Zstd:
    def __init__(self) -> None:
        try:
            import zstandard
        except ModuleNotFoundError:
            raise LogError("reading .zst needs zstandard: pip install 'fasturl[cli]'") from None
        self._decoder = zstandard.ZstdDecompressor().decompressobj()
        self.eof = False
        self.unused_data = b""

    def feed(self, octets: bytes) -> Iterator[bytes]:
        # A call's output has no bound of its own. Four octets can stand for 128 KiB, so 1 KiB for 32 MiB at
        # most.
        for at in range(0, len(octets), 1 << 10):
            out = self._decoder.decompress(octets[at : at + (1 << 10)])
            if out:
                yield out
            if self._decoder.eof:
                self.eof = True
                self.unused_data = self._decoder.unused_data + octets[at + (1 << 10) :]
                return


_DECODERS: dict[str, Callable[[], _Decoder]] = {
    "gzip": _Gzip,
    "bzip2": lambda: _Standard(bz2.BZ2Decompressor()),
    "xz": lambda: _Standard(lzma.LZMADecompressor()),
    "zstd": _Zstd,
}


def _is_padding(kind: str, rest: bytes) -> bool:
    """Zeros after the last member are padding (tape blocks, xz), and no damage."""
    return kind in ("gzip", "xz") and not rest.strip(b"\0")


def decompress(kind: str, blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The decompressed octets of all members, one after the other.

    Raises TornInput when a member is cut off or damaged, or when something else follows the last one.
    """
    decoder: _Decoder | None = None
    members = 0
    pending: list[bytes] = []  # small pieces are gathered: each one costs the reader a join and a split
    gathered = 0
    damage: str | None = None
    try:
        for block in blocks:
            rest = block
            while rest:
                if decoder is None:
                    if members and _is_padding(kind, rest):
                        break
                    decoder = _DECODERS[kind]()
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
            # Somebody may follow a log as it grows: nothing waits here for more.
            if pending:
                yield b"".join(pending)
                pending, gathered = [], 0
    except LogError:
        if pending:
            yield b"".join(pending)
        raise
    except (zlib.error, lzma.LZMAError, EOFError, OSError, ValueError) as error:
        damage = f"{name}: damaged {kind} data: {error}"
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "zstandard":
            raise
        damage = f"{name}: damaged {kind} data: {error}"
    if pending:
        yield b"".join(pending)
    if damage is not None:
        raise TornInput(damage)
    if decoder is not None:
        raise TornInput(f"{name}: the {kind} data breaks off before its end")
