"""Each hostile column from an engine is answered row by row, or refused by a typed exception."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("hostileseries.py")


@pytest.mark.long
@pytest.mark.parametrize("engine", ["pandas", "polars", "dask", "ray", "spark"])
def test_hostile_columns_are_answered_or_refused(engine: str) -> None:
    if find_spec({"spark": "pyspark"}.get(engine, engine)) is None:
        pytest.skip(f"needs {engine}")
    paths = os.pathsep.join([str(SCRIPT.parent.parent), *filter(None, sys.path)])
    command = [sys.executable, "-W", "ignore", str(SCRIPT), engine]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths})
    lines = run.stdout.splitlines()
    assert [line for line in lines if line.startswith("wrong")] == []
    assert run.returncode == 0, (lines[-1:], run.stderr[-1000:])
    assert len(lines) > 10
