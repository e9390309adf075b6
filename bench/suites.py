"""What the pytest-benchmark suites share with each other."""

from functools import cache
from typing import Any

import pytest

from bench.measure import Measured, prepare
from bench.operations import OPERATIONS, Operation


@cache
def prepared(operation: str, urls: tuple[str, ...]) -> Measured:
    return prepare(OPERATIONS[operation], urls)


def cases(*operations: Operation) -> list[Any]:
    """Parameters for a test: each row of each operation, by name."""
    return [
        pytest.param(operation, row, id=f"{operation.name}-{row.peer}-{row.call}")
        for operation in operations
        for row in operation.rows
    ]
