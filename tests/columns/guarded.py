"""Columns whose buffers end right before an unreadable page, or start right after one."""

import ctypes
import struct
from dataclasses import dataclass, field

import pyarrow as pa
from guardpages import PAGE, Guarded


@dataclass
class GuardedColumn:
    """An array whose buffers each touch an unreadable page. With `before` rows in front, the array is a slice whose
    neighbours' offsets, views, validity and bytes lie on the unreadable pages."""

    at_end: bool
    before: int = 0
    data: Guarded = field(default_factory=Guarded)
    places: Guarded = field(default_factory=Guarded)
    bits: Guarded = field(default_factory=Guarded)

    def _buffer(self, guard: Guarded, raw: bytes, before: int) -> pa.Buffer:
        address = guard.put(raw, self.at_end)
        behind = PAGE if self.before else 0
        return pa.foreign_buffer(address - before, before + len(raw) + behind, base=guard)

    def array(self, texts: list[bytes | None], layout: str) -> pa.Array:
        # A multiple of eight rows in front: none of them shares a byte of validity bits with the slice.
        assert self.before % 8 == 0
        n = len(texts)
        bitmap = sum((text is not None) << i for i, text in enumerate(texts)).to_bytes((n + 7) // 8, "little")
        validity = self._buffer(self.bits, bitmap, self.before // 8) if None in texts else None
        raw = b"".join(text or b"" for text in texts)
        skipped = PAGE if self.before else 0  # the neighbours' bytes
        data = self._buffer(self.data, raw, skipped)
        offsets = [skipped]
        for text in texts:
            offsets.append(offsets[-1] + len(text or b""))
        nulls = sum(text is None for text in texts)
        if layout == "views":
            views = b"".join(view(text or b"", 0, start) for text, start in zip(texts, offsets, strict=False))
            places = self._buffer(self.places, views, 16 * self.before)
            buffers, kind = [validity, places, data], pa.binary_view()
        else:
            code, width, kind = ("i", 4, pa.binary()) if layout == "offsets32" else ("q", 8, pa.large_binary())
            places = self._buffer(self.places, struct.pack(f"<{n + 1}{code}", *offsets), width * self.before)
            buffers = [validity, places, data]
        return pa.Array.from_buffers(kind, n, buffers, null_count=nulls, offset=self.before)


KINDS = {
    "i": (pa.string(), pa.binary()),
    "q": (pa.large_string(), pa.large_binary()),
    "views": (pa.string_view(), pa.binary_view()),
}


class Malleable:
    """An array whose buffers end right before an unreadable page, to be corrupted after it was made."""

    def __init__(self, texts: list[bytes], kind: pa.DataType, *, before: int = 0) -> None:
        """before : the number of rows in front of the slice"""
        self.code = next(code for code, kinds in KINDS.items() if kind in kinds)
        self.before = before
        data = b"".join(texts)
        bounds = [0]
        for text in texts:
            bounds.append(bounds[-1] + len(text))
        if self.code == "views":
            self.raw = b"".join(view(text, 0, at) for text, at in zip(texts, bounds, strict=False))
        else:
            self.raw = struct.pack(f"<{len(bounds)}{self.code}", *bounds)
        self.places, self.data = (Guarded(len(raw) // PAGE + 1) for raw in (self.raw, data))
        self.at = self.places.put(self.raw, at_end=True)
        places = pa.foreign_buffer(self.at, len(self.raw), base=self.places)
        self.data_at = self.data.put(data, at_end=True)
        named = pa.foreign_buffer(self.data_at, len(data), base=self.data)
        whole = pa.Array.from_buffers(kind, len(texts), [None, places, named])
        self.array = whole.slice(before)

    def spoil(self, row: int, raw: bytes) -> None:
        """Overwrite an offset or a view."""
        width = 16 if self.code == "views" else struct.calcsize(self.code)
        ctypes.memmove(self.at + (self.before + row) * width, raw, len(raw))

    def spoil_offset(self, row: int, value: int) -> None:
        self.spoil(row, struct.pack("=" + self.code, value))


def view(text: bytes, buffer: int, offset: int) -> bytes:
    rest = text.ljust(12, b"\0") if len(text) <= 12 else text[:4] + struct.pack("=ii", buffer, offset)
    return struct.pack("=i", len(text)) + rest
