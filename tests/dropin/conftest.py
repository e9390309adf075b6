"""Real input and the number of tries: FASTURL_DATA names a folder with urls.txt, FASTURL_TRIES the tries."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("FASTURL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


@pytest.fixture(scope="session")
def tries() -> int:
    return int(os.environ.get("FASTURL_TRIES", "20000"))


@pytest.fixture(scope="session")
def real_urls() -> list[str]:
    path = DATA / "urls.txt"
    if not path.is_file():
        pytest.skip(f"no real input: {path} is not there (FASTURL_DATA names its folder)")
    lines = path.read_bytes().decode("utf-8-sig", "surrogateescape").split("\n")
    return [line.removesuffix("\r") for line in lines if line]
