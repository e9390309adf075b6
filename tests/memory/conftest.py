import pytest


@pytest.fixture(params=[True, False], ids=["before a guard", "after a guard"])
def at_end(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)
