"""The scan reads nothing outside the text, which touches an unreadable page."""

import subprocess
import sys

import pytest
from guardpages import PAGE, Guarded

from fasturl import _fastparse

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

TEXTS = [
    b"http://www.example.com/some/path/that/is/long?and=a&query=too#and-a-fragment-which-makes-it-longer-than-a-block",
    b"https://user:pass@host:8080/%41%4", b"ftp://u@h/%2Fetc/motd;type=a", b"http://" + b"a." * 60 + b"b",
    b"/" + b"x" * 200, b"news:" + b"a" * 120 + b"@h.example", b"prospero://h//a;b=c;d=e;f", b"%" * 200, b":" * 100,
    bytes(range(128, 256)),
]  # fmt: skip


@pytest.fixture(scope="module")
def guarded():
    return Guarded()


@pytest.mark.parametrize("form", ["url", "request-target"])
def test_the_scan_reads_nothing_outside_the_text(guarded, kernel, form) -> None:
    lengths = [*range(81), 127, 128, 129, 191, 192, 193]
    for text in TEXTS:
        for length in lengths:
            data = text[:length]
            want = _fastparse._scan_in_place(data, form=form)
            for offset in {2 * PAGE - len(data), 0}:
                assert _fastparse._scan_in_place(guarded.view(offset, data), form=form) == want


def test_the_scan_agrees_at_every_alignment_and_length(guarded, kernel) -> None:
    """From either guard on. The texts take turns, so that each has every alignment and every length."""
    longest = 200
    long = [(text * (longest // len(text) + 1))[:longest] for text in TEXTS]
    for length in range(longest + 1):
        data = [text[:length] for text in long]
        wanted = [_fastparse._scan_in_place(text) for text in data]
        for alignment in range(64):
            turn = (length + alignment) % len(long)
            for offset in (alignment, 2 * PAGE - length - alignment):
                assert _fastparse._scan_in_place(guarded.view(offset, data[turn])) == wanted[turn]


def test_a_read_past_the_guard_ends_the_process() -> None:
    """Without this, the tests above would prove nothing."""
    script = (
        f"import ctypes, sys; sys.path[:0] = [{__file__.rsplit('/', 2)[0]!r}]\n"
        "from guardpages import Guarded\n"
        "g = Guarded(); address = g.put(b'abcd', {at_end}); print(ctypes.string_at(address, 4), flush=True)\n"
        "ctypes.string_at(address {step}, 4)\n"
    )
    for at_end, step in ((True, "+ 1"), (False, "- 1")):
        code = script.replace("{at_end}", str(at_end)).replace("{step}", step)
        run = subprocess.run([sys.executable, "-c", code], capture_output=True)
        assert run.stdout.strip() == b"b'abcd'" and run.returncode < 0


def test_bytes_objects_without_a_final_nul_are_ordinary_bytes() -> None:
    """The NUL behind them cannot be read."""
    guarded = Guarded()
    for data in (b"12345678", bytes(range(256))):
        found = guarded.bytes_at_end(data)
        assert found == data and type(found) is bytes and hash(found) == hash(data)
        del found  # the next object takes its place
    script = (
        f"import ctypes, sys; sys.path[:0] = [{__file__.rsplit('/', 2)[0]!r}]\n"
        "from guardpages import BYTES_HEADER, Guarded\n"
        "g = Guarded(); found = g.bytes_at_end(b'12345678'); print(found, flush=True)\n"
        "ctypes.string_at(id(found) + BYTES_HEADER, 9)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True)
    assert run.stdout.strip() == b"b'12345678'" and run.returncode < 0
