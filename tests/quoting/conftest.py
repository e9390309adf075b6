import random

import pytest
from tries import TRIES


@pytest.fixture(scope="session")
def urls(real_urls: list[str]) -> list[str]:
    """Some of the real URLs."""
    return real_urls if TRIES > 20_000 else real_urls[::40]


@pytest.fixture
def random_source() -> random.Random:
    return random.Random(1738)
