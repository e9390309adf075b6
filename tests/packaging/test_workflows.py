"""Workflows install packages by hash, use actions by commit, and publish only what has passed the tests."""

import re
import tomllib
from pathlib import Path

import pytest
import release

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted(ROOT.joinpath(".github/workflows").glob("*.yml"))
REQUIREMENTS = ROOT / ".github/requirements"
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))
INSTALL = re.compile(r"\bpip3? install\b(.*)")
# This project with its extras, whose dependencies are tested in the lowest and in the newest versions.
OWN = re.compile(r"""(?:\s-e)?\s["']?(?:\.|\$\(echo dist/\*\.tar\.gz\))(?:\[[a-z,-]+\])?["']?(?:\s|$)""")


def installs(path: Path) -> list[str]:
    text = re.sub(r"\n {10}(?=--)", " ", path.read_text(encoding="utf-8"))  # a command of several lines
    return INSTALL.findall(text)


def jobs(path: Path) -> dict[str, str]:
    """Return the text of each job of a workflow by its name."""
    parts = re.split(r"^  (?=[\w-]+:$)", path.read_text(encoding="utf-8").partition("\njobs:\n")[2], flags=re.MULTILINE)
    return {part.partition(":")[0]: part for part in parts[1:]}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_is_installed_has_a_hash_or_is_this_project(path: Path) -> None:
    for arguments in installs(path):
        named = re.findall(r"-r (?:source/)?(\S+)", arguments)
        if "--require-hashes" in arguments:
            assert named and all(ROOT.joinpath(name).is_file() for name in named), arguments
        else:
            assert OWN.search(arguments) or "-r pyproject.toml" in arguments, arguments


def test_the_release_installs_nothing_without_a_hash() -> None:
    found = installs(ROOT / ".github/workflows/wheels.yml")
    wheels = PROJECT["tool"]["cibuildwheel"]
    found += [command.partition("pip install")[2] for command in (wheels["before-build"], wheels["before-test"])]
    assert len(found) == 4 and all("--require-hashes -r " in arguments for arguments in found)
    assert "test-requires" not in wheels and "--no-isolation" in wheels["build-frontend"]["args"]
    assert "-m build --sdist --no-isolation" in jobs(ROOT / ".github/workflows/wheels.yml")["sdist"]
    builds = REQUIREMENTS.joinpath("build.in").read_text(encoding="utf-8").split()
    assert builds == PROJECT["build-system"]["requires"]


def test_the_release_tool_and_the_workflow_build_for_the_same_systems() -> None:
    linux = PROJECT["tool"]["cibuildwheel"]["linux"]
    images = {f"{linux[key]}_{key.split('-')[1]}" for key in linux if key.endswith("-image")}
    targets = release.targets()
    assert images == {target.tag for target in targets if "linux" in target.tag}
    workflow = ROOT.joinpath(".github/workflows/wheels.yml").read_text(encoding="utf-8")
    for system, runner in (("macosx", "macos-15"), ("win", "windows-2025"), ("musl", "ubuntu-24.04")):
        assert any(target.is_for(system) for target in targets) and runner in workflow


def test_nothing_is_published_before_the_tests_have_passed() -> None:
    wheels = jobs(ROOT / ".github/workflows/wheels.yml")
    publish = wheels.pop("publish")
    needs = re.search(r"needs: \[(.*)\]", publish)
    assert needs is not None and set(needs[1].split(", ")) == set(wheels)
    assert "if: startsWith(github.ref, 'refs/tags/v')\n" in publish  # with always() it would not wait for success
    for name, workflow in (("tests", "ci"), ("floors", "floors")):
        assert f"uses: ./.github/workflows/{workflow}.yml" in wheels[name]
        text = ROOT.joinpath(f".github/workflows/{workflow}.yml").read_text(encoding="utf-8")
        assert re.search(r"^  workflow_call:", text, re.MULTILINE)


@pytest.mark.parametrize("path", sorted(REQUIREMENTS.glob("*.in")), ids=lambda path: path.stem)
def test_every_requirement_has_a_version_and_hashes(path: Path) -> None:
    text = path.with_suffix(".txt").read_text(encoding="utf-8")
    pinned = re.findall(
        r"^([a-z0-9.-]+)==\S+(?: ;.*?)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert len(pinned) == len(re.findall(r"^[a-z]", text, re.MULTILINE))
    assert f"--generate-hashes {path.name} -o {path.stem}.txt\n" in text
    wanted = {re.split(r"[<>=]", line)[0] for line in path.read_text(encoding="utf-8").split() if line[0] not in "-b"}
    assert wanted <= {name for name, _ in pinned}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_named_by_commit(path: Path) -> None:
    for used in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8")):
        assert used.startswith("./") or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), used


def test_the_lowest_versions_are_tested_by_the_lowest_python() -> None:
    workflow = ROOT.joinpath(".github/workflows/floors.yml").read_text(encoding="utf-8")
    assert f'python-version: "{PROJECT["project"]["requires-python"].removeprefix(">=")}"' in workflow
    assert "--resolution lowest-direct -r pyproject.toml" in workflow
    assert "pytest -q tests/engines tests/columns tests/logs tests/cli" in workflow
    extras = PROJECT["project"]["optional-dependencies"]
    tested = [*extras["test"], *extras["report"], *(one for name in extras["engines"] for one in extras_of(name))]
    for requirement in tested:
        assert requirement.startswith("fasturl[") or ">=" in requirement, f"{requirement} has no lowest version"


def extras_of(requirement: str) -> list[str]:
    extras: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
    return [one for name in re.findall(r"[a-z]+", requirement.partition("[")[2]) for one in extras[name]]
