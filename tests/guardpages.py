"""Memory that ends right before an unreadable page, or starts right after one."""

import ctypes
import mmap
import sys
from typing import Any

PAGE = mmap.PAGESIZE
CANARY = 0xA5
BYTES_HEADER = bytes.__basicsize__ - 1  # the header of a bytes object


class Guarded:
    """Readable pages between two unreadable ones."""

    def __init__(self, pages: int = 2) -> None:
        self.size = pages * PAGE
        self.map = mmap.mmap(-1, self.size + 2 * PAGE)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.map)) + PAGE
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for at in (self.start - PAGE, self.start + self.size):
            if libc.mprotect(at, PAGE, 0) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")

    def put(self, data: bytes, at_end: bool) -> int:
        """Copy the bytes to the end of the readable pages, or to their start; return their address."""
        return self.put_at(self.size - len(data) if at_end else 0, data)

    def put_at(self, offset: int, data: bytes) -> int:
        """Copy the bytes to this offset of the readable pages; return their address."""
        assert 0 <= offset <= self.size - len(data)
        ctypes.memmove(self.start + offset, data, len(data))
        return self.start + offset

    def view(self, offset: int, data: bytes) -> memoryview:
        """Copy the bytes to this offset of the readable pages; return a view of them."""
        address = self.put_at(offset, data)
        return memoryview((ctypes.c_ubyte * len(data)).from_address(address)).cast("B")

    def bytes_at_end(self, data: bytes) -> Any:
        """Return a bytes object whose last byte is the last readable one, so that its final NUL cannot be read. The
        object stays until the next put, when nothing may refer to it any more, and is never freed. Its length is a
        multiple of eight, because objects are aligned. It is not 0, because CPython reads the first byte of any."""
        assert data and len(data) % 8 == 0
        # A copy's header has a reference count of its own.
        model = bytes(bytearray(data))
        header = ctypes.string_at(id(model), BYTES_HEADER)
        ctypes.memmove(self.start + self.size - len(data) - BYTES_HEADER, header, BYTES_HEADER)
        self.put(data, at_end=True)
        found = ctypes.cast(self.start + self.size - len(data) - BYTES_HEADER, ctypes.py_object).value
        assert sys.getsizeof(found) == bytes.__basicsize__ + len(data)
        return found


class Output:
    """A buffer of an exact size to write to: an unreadable page on one side, canaries on the other."""

    def __init__(self, pages: int = 2) -> None:
        self.guard = Guarded(pages)
        self.offset = self.length = 0

    def buffer(self, size: int, at_end: bool, fill: int = CANARY) -> int:
        """Fill a buffer of this size with `fill`; return its address."""
        self.offset, self.length = self.guard.size - size if at_end else 0, size
        ctypes.memset(self.guard.start, CANARY, self.guard.size)
        assert self.offset >= 0
        ctypes.memset(self.guard.start + self.offset, fill, size)
        return self.guard.start + self.offset

    def data(self, size: int | None = None) -> bytes:
        """Return the buffer's current bytes."""
        return ctypes.string_at(self.guard.start + self.offset, self.length if size is None else size)

    def check(self) -> None:
        """Check that nothing was written beside the buffer."""
        around = ctypes.string_at(self.guard.start, self.offset) + ctypes.string_at(
            self.guard.start + self.offset + self.length, self.guard.size - self.offset - self.length
        )
        assert around == bytes([CANARY]) * len(around)
