"""A process that is forked while another thread is inside of a call goes on as one that was started anew."""

import os
import subprocess
import sys

import pytest

# The threads take and give back buffers all the time, without the GIL; each child needs some, ends by an alarm if it
# waits for a thread that it does not have.
SCRIPT = """
import ctypes, os, signal, struct, sys, threading
from fasturl import _rowtext

rows = 64
views = struct.pack("<i12s", 12, b"twelve here.") * rows
held = ctypes.create_string_buffer(views)
columns = _rowtext.Columns([(b'{"t":', "texts", 0, 0, ctypes.addressof(held), (), ())])
wanted = bytes(memoryview(columns.lines(end=rows)))
stopping = False

def write():
    while not stopping:
        columns.lines(end=rows)

threads = [threading.Thread(target=write) for _ in range(3)]
for thread in threads:
    thread.start()
wrong = 0
for _ in range(int(sys.argv[1])):
    child = os.fork()
    if not child:
        signal.alarm(20)
        os._exit(bytes(memoryview(columns.lines(end=rows))) != wanted)
    wrong += os.waitpid(child, 0)[1] != 0
stopping = True
for thread in threads:
    thread.join()
print(wrong)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process that is forked")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_needs_no_thread_of_its_parent() -> None:
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", SCRIPT, "300"], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "0\n"), run.stderr[-1000:]
