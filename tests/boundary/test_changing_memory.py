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
    "escape": lambda octets: rfc1738.unescape(rfc1738.escape(octets)),
    "escape_login": lambda octets: rfc1738.unescape(rfc1738.escape_login(octets)),
    "unescape": lambda octets: rfc1738.unescape(octets),
    "classify_bytes": lambda octets: rfc1738.classify_bytes(octets),
    "unquote_safe": lambda octets: fasturl.unquote_safe(octets).encode(),
    "quote": lambda octets: fasturl.unquote_to_bytes(fasturl.quote_from_bytes(bytearray(octets))),
    "parse": lambda octets: fasturl.parse(octets).path,
    "problems": lambda octets: fasturl.problems(octets) and octets,
    "redact": lambda octets: fasturl.redact(octets, [b"a"]),
    "query_value": lambda octets: fasturl.query_value(octets, b"a", octets),
    "normalize": lambda octets: fasturl.normalize(octets),
    "extract": lambda octets: [*fasturl.find_urls(octets)] or octets,
    "decompose": lambda octets: schemes.decompose(octets, strict=False) and octets,
}
memory = mmap.mmap(-1, SIZE)
view = {"mmap": memory, "view": memoryview(memory), "array": (ctypes.c_char * SIZE).from_buffer(memory)}[sys.argv[2]]
fillings = [octet * SIZE for octet in (b"z", b" ", b"%")]
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
