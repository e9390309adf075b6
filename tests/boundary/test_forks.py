"""A child forked while another thread is inside a call works like a new process."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import run_python
from tries import ALL

SCRIPT = Path(__file__).with_name("forking.py")
# The number of children that each case forks with --all, and the package that the case needs.
CASES = [
    ("install", 200, "fasturl"), ("halfway through install", 50, "fasturl"), ("register", 300, "fasturl"),
    ("rows of text", 300, "fasturl"), ("extract", 100, "fasturl"), ("domains", 20, "publicsuffixlist"),
    ("arrow module", 100, "pyarrow"), ("columns", 20, "pyarrow"), ("batches", 50, "pyarrow"), ("logs", 20, "pyarrow"),
    ("inherited", 20, "pyarrow"),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process that is forked")
@pytest.mark.parametrize(("name", "children", "package"), CASES, ids=[name for name, _, _ in CASES])
def test_a_forked_process_needs_no_thread_of_its_parent(name: str, children: int, package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"needs {package}")
    if package == "pyarrow" and not getattr(sys, "_is_gil_enabled", lambda: True)():
        pytest.skip("without the GIL a child may hang inside pyarrow.schema (pyarrow 24, CPython 3.13)")
    assert run_python("-W", "ignore", SCRIPT, name, children if ALL else children // 5) == "0\n"
