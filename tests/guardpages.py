"""Memory that ends right before a page that may not be touched, or starts right after one."""

import ctypes
import mmap
import sys
from typing import Any

PAGE = mmap.PAGESIZE
CANARY = 0xA5
BYTES_HEADER = bytes.__basicsize__ - 1  # what stands before the octets of a bytes object


class Guarded:
    """Readable pages between two that are not."""

    def __init__(self, pages: int = 2) -> None:
        self.size = pages * PAGE
        self.map = mmap.mmap(-1, self.size + 2 * PAGE)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.map)) + PAGE
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for at in (self.start - PAGE, self.start + self.size):
            if libc.mprotect(at, PAGE, 0) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")

    def put(self, octets: bytes, at_end: bool) -> int:
        """The address where the octets now stand: at the end of the readable pages, or at their start."""
        return self.put_at(self.size - len(octets) if at_end else 0, octets)

    def put_at(self, offset: int, octets: bytes) -> int:
        """The address where the octets now stand: at this offset into the readable pages."""
        assert 0 <= offset <= self.size - len(octets)
        ctypes.memmove(self.start + offset, octets, len(octets))
        return self.start + offset

    def view(self, offset: int, octets: bytes) -> memoryview:
        """A buffer over the octets, standing at this offset into the readable pages."""
        address = self.put_at(offset, octets)
        return memoryview((ctypes.c_ubyte * len(octets)).from_address(address)).cast("B")

    def bytes_at_end(self, octets: bytes) -> Any:
        """A bytes object whose last octet is the last one that may be read: without the NUL that follows any other.

        It stands here until the next put, when nothing may refer to it any more, and is never freed. Its length is a
        multiple of eight, as objects are aligned, and not 0, as CPython looks at the first octet of any.
        """
        assert octets and len(octets) % 8 == 0
        # A copy of an object that is in use says that it is in use too.
        model = bytes(bytearray(octets))
        header = ctypes.string_at(id(model), BYTES_HEADER)
        ctypes.memmove(self.start + self.size - len(octets) - BYTES_HEADER, header, BYTES_HEADER)
        self.put(octets, at_end=True)
        found = ctypes.cast(self.start + self.size - len(octets) - BYTES_HEADER, ctypes.py_object).value
        assert sys.getsizeof(found) == bytes.__basicsize__ + len(octets)
        return found


class Output:
    """A place of an exact size that is written to: on one side an unreadable page, on the other canaries."""

    def __init__(self, pages: int = 2) -> None:
        self.guard = Guarded(pages)
        self.offset = self.length = 0

    def buffer(self, size: int, at_end: bool, fill: int = CANARY) -> int:
        """The address of so many octets, which are all `fill`."""
        self.offset, self.length = self.guard.size - size if at_end else 0, size
        ctypes.memset(self.guard.start, CANARY, self.guard.size)
        assert self.offset >= 0
        ctypes.memset(self.guard.start + self.offset, fill, size)
        return self.guard.start + self.offset

    def octets(self, size: int | None = None) -> bytes:
        """What is there now."""
        return ctypes.string_at(self.guard.start + self.offset, self.length if size is None else size)

    def check(self) -> None:
        """Nothing was written beside the buffer."""
        around = ctypes.string_at(self.guard.start, self.offset) + ctypes.string_at(
            self.guard.start + self.offset + self.length, self.guard.size - self.offset - self.length
        )
        assert around == bytes([CANARY]) * len(around)
