"""quote and unquote, with work to do and with nothing to do."""

from collections.abc import Callable

import pytest

from bench.measure import Timed
from bench.operations import QUOTING, Operation, Row
from bench.suites import cases
from bench.views import SAME


@pytest.mark.parametrize(("operation", "row"), cases(*QUOTING))
def test_quoting(operation: Operation, row: Row, measure: Callable[[Operation, Row], Timed]) -> None:
    timed = measure(operation, row)
    if row.peer == "fasturl" and row.view is SAME:
        assert timed.agreement == 1, f"fast and wrong, first on {timed.differs_on!r}"
