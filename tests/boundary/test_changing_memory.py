"""Memory that another process writes during a call is read once, so that the counted size is the written size."""

import ctypes
import mmap
import os

import pytest
from support import run_python

# Another process fills the memory with bytes that stay, or with bytes that become three. No two fillings side by
# side form an escape, so no length depends on the moment.
SCRIPT = """
import ctypes, mmap, os, signal, sys
import fasturl
from fasturl import rfc1738
from fasturl import schemes

SIZE = 1 << 15
CALLS = {
    "escape": lambda bytes: rfc1738.unescape(rfc1738.escape(bytes)),
    "escape_login": lambda bytes: rfc1738.unescape(rfc1738.escape_login(bytes)),
    "unescape": lambda bytes: rfc1738.unescape(bytes),
    "classify_bytes": lambda bytes: rfc1738.classify_bytes(bytes),
    "unquote_safe": lambda bytes: fasturl.unquote_safe(bytes).encode(),
    "quote": lambda bytes: fasturl.unquote_to_bytes(fasturl.quote_from_bytes(bytearray(bytes))),
    "parse": lambda bytes: fasturl.parse(bytes).path,
    "problems": lambda bytes: fasturl.problems(bytes) and bytes,
    "redact": lambda bytes: fasturl.redact(bytes, [b"a"]),
    "query_value": lambda bytes: fasturl.query_value(bytes, b"a", bytes),
    "normalize": lambda bytes: fasturl.normalize(bytes),
    "extract": lambda bytes: [*fasturl.find_urls(bytes)] or bytes,
    "decompose": lambda bytes: schemes.decompose(bytes, strict=False) and bytes,
}
memory = mmap.mmap(-1, SIZE)
view = {"mmap": memory, "view": memoryview(memory), "array": (ctypes.c_char * SIZE).from_buffer(memory)}[sys.argv[2]]
fillings = [byte * SIZE for byte in (b"z", b" ", b"%")]
parent = os.getpid()
writer = os.fork()
while not writer and os.getppid() == parent:  # the parent may crash
    for filling in fillings:
        memory[:] = filling
if not writer:
    os._exit(0)
try:
    for _ in range(int(sys.argv[3])):
        assert len(CALLS[sys.argv[1]](view)) == SIZE
finally:
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
print("whole")
"""
NAMES = [line.split('"')[1] for line in SCRIPT.splitlines() if '": lambda' in line]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process that shares the memory")
@pytest.mark.parametrize("name", NAMES)
def test_a_concurrent_writer_changes_no_length(name: str) -> None:
    kind = ("mmap", "view", "array")[NAMES.index(name) % 3]
    rounds = 5 if name == "problems" else 300
    assert run_python("-c", SCRIPT, name, kind, rounds) == "whole\n"


def test_a_url_keeps_the_bytes_it_was_made_of() -> None:
    memory = mmap.mmap(-1, 16)
    memory[:] = b"http://h/aaaaaaa"
    from fasturl import parse

    url = parse(memory)
    ctypes.memset(ctypes.addressof(ctypes.c_char.from_buffer(memory)), 0x41, 16)
    assert url.text == b"http://h/aaaaaaa" and url.path == b"/aaaaaaa"
