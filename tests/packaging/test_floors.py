"""The script that runs tests with the lowest versions: does it install what pyproject.toml promises?"""

import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from scripts import script_of_tools

from fasturl.engines import ENGINES

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return script_of_tools("floors")


def test_extras_of_extras_are_followed(script: ModuleType) -> None:
    extras = {
        "a": ["one>=1.2, <2", "own[b]"],
        "b": ["two[x]>=3; python_version<'3.12'", "own[c]"],
        "c": ["one>=1.2", "three >= 0.4.1.20240101"],
    }
    project = {"name": "own", "optional-dependencies": extras}
    wanted = ["one==1.2", "three==0.4.1.20240101", "two[x]==3; python_version<'3.12'"]
    assert script.floors(project, ["a"]) == wanted
    with pytest.raises(ValueError, match="no extra 'd'"):
        script.floors(project, ["d"])
    extras["c"][0] = "one>=1.3"
    with pytest.raises(ValueError, match=r"one has two lowest versions, 1.2 and 1.3"):
        script.floors(project, ["a"])
    extras["c"][0] = "one<2"
    with pytest.raises(ValueError, match="'one<2' has no lowest version"):
        script.floors(project, ["a"])


@pytest.mark.parametrize("extra", [*ENGINES, "engines", "test", "cli", "report"])
def test_every_extra_promises_lowest_versions(script: ModuleType, extra: str) -> None:
    pinned = script.floors(PROJECT, [extra])
    assert pinned and all(re.fullmatch(r"[a-z-]+(\[[a-z]+\])?==[0-9.]+", one) for one in pinned)


def test_the_workflow_runs_the_engines_by_the_lowest_python(script: ModuleType) -> None:
    workflow = ROOT.joinpath(".github/workflows/floors.yml").read_text(encoding="utf-8")
    assert re.search(r"python tools/floors\.py .* tests/engines ", workflow)
    assert f'python-version: "{PROJECT["requires-python"].removeprefix(">=")}"' in workflow
