"""Calls that work on threads may be interrupted, shared or abandoned (interrupting.py, run in its own process)."""

import signal
from pathlib import Path

import pytest
from support import run_python

pytest.importorskip("pyarrow")
SCRIPT = Path(__file__).with_name("interrupting.py")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
@pytest.mark.parametrize("way", ["interrupt", "share", "drop"])
def test_no_thread_is_left_and_nothing_hangs(way: str) -> None:
    assert run_python(SCRIPT, way) == ""
