import pytest
from schemes_tries import number_of_tries


@pytest.fixture
def tries():
    return number_of_tries
