"""Columns that lie about their layout or kind are refused by type (readhostile.py reads them in its own process)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
SCRIPT = Path(__file__).with_name("readhostile.py")


def test_each_column_has_the_right_answer_or_a_typed_exception() -> None:
    paths = os.pathsep.join([str(SCRIPT.parent), *filter(None, sys.path)])
    run = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}
    )
    lines = run.stdout.splitlines()
    assert [line for line in lines if line.startswith("wrong")] == []
    assert run.returncode == 0, (lines[-1:], run.stderr[-1000:])
    assert len(lines) > 90
