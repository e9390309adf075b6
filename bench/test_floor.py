"""What it costs to build a result or to pass over the text, with no parsing at all."""

from collections.abc import Callable

import pytest

from bench.measure import Timed
from bench.operations import FLOOR, Operation, Row
from bench.suites import cases
from bench.views import SAME


@pytest.mark.parametrize(("operation", "row"), cases(*FLOOR))
def test_floor(operation: Operation, row: Row, measure: Callable[[Operation, Row], Timed]) -> None:
    timed = measure(operation, row)
    if row.peer == "fasturl" and row.view is SAME:
        assert timed.agreement == 1, f"fast and wrong, first on {timed.differs_on!r}"
