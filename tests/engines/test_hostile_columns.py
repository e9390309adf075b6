"""Each hostile column from an engine is answered row by row, or refused by a typed exception."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from support import check_hostile_columns

SCRIPT = Path(__file__).with_name("hostileseries.py")


@pytest.mark.long
@pytest.mark.parametrize("engine", ["pandas", "polars", "spark"])
def test_hostile_columns_are_answered_or_refused(engine: str) -> None:
    if find_spec({"spark": "pyspark"}.get(engine, engine)) is None:
        pytest.skip(f"needs {engine}")
    check_hostile_columns(SCRIPT, engine, least=10)
