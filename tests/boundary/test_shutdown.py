"""Iterators that are alive when the interpreter exits neither crash it nor hang it, whatever holds them."""

import gc
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support import run_python
from tries import ALL

import fasturl

SOURCES = {
    "parse_many": "fasturl.parse_many(endless())",
    "parse_many list": "fasturl.parse_many(['http://h/'] * 10**6)",
    "quote_many": "fasturl.quote_many(endless())",
    "unquote_many": "fasturl.unquote_many(endless())",
    "find_urls": "fasturl.find_urls('x <URL:http://h/> ' * 10**5)",
    "find_urls buffer": "fasturl.find_urls(bytearray(b'x <URL:http://h/> ' * 10**5))",
}
HOLDERS = {
    "a global": "",
    "a module": "import builtins; builtins.kept = sys.kept = held",
    "a cycle": "kept = [held]; kept.append(kept); del held; gc.disable()",
    "a finalizer": """
class Holder:
    def __init__(self): self.held, self.itself = held, self
    def __del__(self): [next(self.held) for _ in range(3)]
sys.kept = Holder()
""",
    "an exit handler": "atexit.register(lambda: [next(held) for _ in range(3)])",
    "a daemon thread": "threading.Thread(target=lambda: [0 for _ in held], daemon=True).start(); time.sleep(0.05)",
    "a thread": "threading.Thread(target=lambda: [next(held) for _ in range(9000)]).start()",
}
SCRIPT = """
import atexit, gc, itertools, sys, threading, time
import fasturl
def endless():
    return (f"http://h/{i}" for i in itertools.count())
held = %s
next(held)
"""


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_live_iterator_does_not_disturb_the_exit(holder: str) -> None:
    # Without --all, each holder gets two of the sources.
    place = [*HOLDERS].index(holder)
    for source, made in list(SOURCES.items())[None if ALL else place % 3 :: 1 if ALL else 3]:
        script = SCRIPT.replace("%s", made) + HOLDERS[holder]
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
        assert (run.returncode, run.stderr) == (0, ""), source


def test_an_iterator_in_a_cycle_releases_its_buffer() -> None:
    data = bytearray(b"x <URL:http://h/> <URL:http://i/>")
    kept: list[object] = [fasturl.find_urls(data)]
    kept.append(kept)
    with pytest.raises(BufferError):
        data.append(0)
    del kept
    gc.collect()
    data.append(0)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
@pytest.mark.parametrize("way", ["interrupt", "share", "drop"])
def test_no_thread_is_left_and_nothing_hangs(way: str) -> None:
    """Calls that work on threads may be interrupted, shared or abandoned (interrupting.py, run in its own process)."""
    pytest.importorskip("pyarrow")
    assert run_python(Path(__file__).with_name("interrupting.py"), way) == ""
