"""The interpreter's own tests of urllib.parse pass with fasturl in the module's place, and under install()."""

import importlib.util
import json
from pathlib import Path

import pytest
from support import run_python

RUNNER = Path(__file__).parent / "suite_runner.py"
TESTS = ("test.test_urlparse", "test.test_urllib")


def run(mode):
    for name in TESTS:
        try:
            missing = importlib.util.find_spec(name) is None
        except ModuleNotFoundError:
            missing = True
        if missing:
            pytest.skip(f"this interpreter comes without {name}")
    report = json.loads(run_python(RUNNER, mode))
    assert report["failures"] == []
    assert report["skipped"] == []
    for name in ("UrlParseTestCase", "QuotingTests", "UnquotingTests", "urlencode_Tests"):
        assert report["classes"][name] > 5
    assert report["ran"] == sum(report["classes"].values())
    assert report["compiled"] == report["functions"]
    return report


def test_the_interpreters_tests_pass_with_fasturl_in_place_of_urllib():
    report = run("swap")
    for name in report["functions"]:
        assert report["taken"].get(name), f"the tests never took {name} from fasturl"


def test_the_interpreters_tests_pass_under_install():
    report = run("install")
    assert report["installed"] == report["functions"]
