"""A mock in urllib.parse, or in what it calls, does not outlast its patch, even if fasturl is imported meanwhile."""

import os
from pathlib import Path

import pytest
from support import run_python

RUNNER = Path(__file__).parent / "patched_import.py"


@pytest.mark.parametrize("kind", ["answer", "plain"])
def test_an_import_while_all_public_names_are_patched_does_no_harm(kind):
    assert run_python(RUNNER, kind) == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="one process per name would take minutes")
@pytest.mark.parametrize("kind", ["answer", "plain"])
def test_an_import_while_one_name_is_patched_does_no_harm(kind):
    assert run_python(RUNNER, kind, "each") == ""


NORMALIZED = """
from unittest import mock
import fasturl
with mock.patch("unicodedata.normalize", return_value="x"):
    print(fasturl.urlsplit("//a\\u2100b/").netloc == "a\\u2100b")
try:
    fasturl.urlsplit("//a\\u2100b/")
except ValueError as error:
    print(error)
"""


def test_the_answer_of_a_patched_normalize_is_not_kept():
    refusal = "netloc 'a\u2100b' contains invalid characters under NFKC normalization\n"
    assert run_python("-X", "utf8", "-c", NORMALIZED, encoding="utf-8") == f"True\n{refusal}"
