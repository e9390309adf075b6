"""parse_qsl, urlencode and urljoin."""

from collections.abc import Callable

import pytest

from bench.measure import Timed
from bench.operations import QUERY_AND_JOIN, Operation, Row
from bench.suites import cases
from bench.views import SAME


@pytest.mark.parametrize(("operation", "row"), cases(*QUERY_AND_JOIN))
def test_query_and_join(operation: Operation, row: Row, measure: Callable[[Operation, Row], Timed]) -> None:
    timed = measure(operation, row)
    if row.peer == "fasturl" and row.view is SAME:
        assert timed.agreement == 1, f"fast and wrong, first on {timed.differs_on!r}"
