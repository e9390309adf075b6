"""The interpreter's own tests of urllib.parse pass on fasturl: in the module's place, and installed."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

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
    done = subprocess.run([sys.executable, str(RUNNER), mode], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["failures"] == []
    assert report["skipped"] == []
    for name in ("UrlParseTestCase", "QuotingTests", "UnquotingTests", "urlencode_Tests"):
        assert report["classes"][name] > 5
    assert report["ran"] == sum(report["classes"].values())
    assert report["compiled"] == report["functions"]
    return report


def test_in_the_place_of_urllib_parse():
    report = run("swap")
    for name in report["functions"]:
        assert report["taken"].get(name), f"the tests never took {name} from fasturl"


def test_installed_in_urllib_parse():
    report = run("install")
    assert report["installed"] == report["functions"]
