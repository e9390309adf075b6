"""Texts of subclasses of str have urllib's outcome in every function, with the import and under install()."""

import os
from pathlib import Path

import pytest
from support import run_python

HERE = Path(__file__).parent
SEED = os.environ.get("FASTURL_SEED", "1738")


@pytest.mark.parametrize("how", ["", "installed"])
def test_texts_of_subclasses_give_urllibs_outcome(how, tries):
    assert run_python(HERE / "textkinds.py", SEED, tries * 5, how) == "agrees\n"
