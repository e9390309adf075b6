"""Columns whose buffers end right before a page that may not be read, or start right after one."""

import struct
from dataclasses import dataclass, field

import pyarrow as pa
from guardpages import PAGE, Guarded


@dataclass
class GuardedColumn:
    """An array each of whose buffers stands against a guard. With ``before`` rows in front of it, and some behind it,
    whose offsets, views, validity and octets are on the guards themselves: a slice whose neighbours cannot be read."""

    at_end: bool
    before: int = 0
    data: Guarded = field(default_factory=Guarded)
    places: Guarded = field(default_factory=Guarded)
    bits: Guarded = field(default_factory=Guarded)

    def _buffer(self, guard: Guarded, octets: bytes, before: int) -> pa.Buffer:
        address = guard.put(octets, self.at_end)
        behind = PAGE if self.before else 0
        return pa.foreign_buffer(address - before, before + len(octets) + behind, base=guard)

    def array(self, texts: list[bytes | None], layout: str) -> pa.Array:
        # Bits come in octets: rows before are a multiple of eight, so that none shares an octet with ours.
        assert self.before % 8 == 0
        n = len(texts)
        bitmap = sum((text is not None) << i for i, text in enumerate(texts)).to_bytes((n + 7) // 8, "little")
        validity = self._buffer(self.bits, bitmap, self.before // 8) if None in texts else None
        octets = b"".join(text or b"" for text in texts)
        skipped = PAGE if self.before else 0  # of the neighbours' octets
        data = self._buffer(self.data, octets, skipped)
        offsets = [skipped]
        for text in texts:
            offsets.append(offsets[-1] + len(text or b""))
        nulls = sum(text is None for text in texts)
        if layout == "views":
            views = b""
            for text, start in zip(texts, offsets, strict=False):
                text = text or b""
                tail = text.ljust(12, b"\0") if len(text) <= 12 else text[:4] + struct.pack("<ii", 0, start)
                views += struct.pack("<i", len(text)) + tail
            places = self._buffer(self.places, views, 16 * self.before)
            buffers, kind = [validity, places, data], pa.binary_view()
        else:
            code, width, kind = ("i", 4, pa.binary()) if layout == "offsets32" else ("q", 8, pa.large_binary())
            places = self._buffer(self.places, struct.pack(f"<{n + 1}{code}", *offsets), width * self.before)
            buffers = [validity, places, data]
        return pa.Array.from_buffers(kind, n, buffers, null_count=nulls, offset=self.before)
