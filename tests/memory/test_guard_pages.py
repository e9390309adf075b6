"""No load outside the text: it ends at, or starts right after, a page that may not be read."""

import ctypes
import mmap
import sys

import pytest

from fasturl import _fastparse, _problems

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

PAGE = mmap.PAGESIZE
TEXTS = [
    b"http://www.example.com/some/path/that/is/long?and=a&query=too#and-a-fragment-which-makes-it-longer-than-a-block",
    b"https://user:pass@host:8080/%41%4",
    b"ftp://u@h/%2Fetc/motd;type=a",
    b"http://" + b"a." * 60 + b"b",
    b"/" + b"x" * 200,
    b"news:" + b"a" * 120 + b"@h.example",
    b"prospero://h//a;b=c;d=e;f",
    b"%" * 200,
    b":" * 100,
    bytes(range(128, 256)),
]


class Guarded:
    """Two readable pages between two that are not."""

    def __init__(self) -> None:
        self.map = mmap.mmap(-1, 4 * PAGE)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for at in (0, 3 * PAGE):
            if libc.mprotect(self.address + at, PAGE, 0) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")

    def put(self, offset: int, octets: bytes):
        """A buffer over the octets, standing at this offset into the readable pages."""
        ctypes.memmove(self.address + PAGE + offset, octets, len(octets))
        array = (ctypes.c_ubyte * len(octets)).from_address(self.address + PAGE + offset)
        return memoryview(array).cast("B")


@pytest.fixture(scope="module")
def guarded():
    return Guarded()


@pytest.fixture(params=_fastparse._kernels())
def kernel(request):
    _problems._use_kernel(request.param)
    yield request.param
    _problems._use_kernel(_fastparse._kernels()[-1])


@pytest.mark.parametrize("form", ["url", "request-target"])
def test_no_load_outside_the_text(guarded, kernel, form) -> None:
    lengths = [*range(81), 127, 128, 129, 191, 192, 193]
    for text in TEXTS:
        for length in lengths:
            octets = text[:length]
            want = _problems._scan_in_place(octets, form=form)
            for offset in {2 * PAGE - len(octets), 0}:
                assert _problems._scan_in_place(guarded.put(offset, octets), form=form) == want


def test_every_alignment(guarded, kernel) -> None:
    for alignment in range(64):
        for text in TEXTS[:4]:
            for length in (7, 15, 16, 17, 31, 33, 63, 64, 65, 100):
                octets = text[:length]
                want = _problems._scan_in_place(octets)
                assert _problems._scan_in_place(guarded.put(alignment, octets)) == want
                assert _problems._scan_in_place(guarded.put(2 * PAGE - length - alignment, octets)) == want


def test_the_guard_is_there() -> None:
    """A read past the end really ends the process: else the tests above prove nothing."""
    import subprocess

    script = (
        "import sys; sys.path[:0] = [%r]\n"
        "from test_guard_pages import Guarded, PAGE\n"
        "import ctypes\n"
        "g = Guarded(); ctypes.string_at(g.address + 3 * PAGE - 4, 5)\n"
    ) % __file__.rsplit("/", 1)[0]
    run = subprocess.run([sys.executable, "-c", script], capture_output=True)
    assert run.returncode < 0
