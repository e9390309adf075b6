"""Run tests with the lowest versions that pyproject.toml promises to work with.

    python3.11 tools/floors.py --list                       what is installed, one a line
    python3.11 tools/floors.py FOLDER tests/engines         what follows FOLDER goes to pytest

FOLDER is a virtual environment of this Python, made on the first run and kept. Each ``NAME>=VERSION`` of the extras
(--extras, by default "test,engines") is installed as ``NAME==VERSION``, so a floor must be a release that exists; what
these packages need in turn is pip's choice. --also names a package beside them: "distributed", for Dask's cluster.
fasturl is built from this checkout and installed; with --in-place the extensions built in it are used. Run it by the
lowest Python of ``requires-python``: old releases have wheels for old Pythons. Exit status: that of pytest.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)\s*(?:\[(?P<extras>[^]]*)\])?\s*(?P<versions>[^;]*)(?P<marker>;.*)?"
)


def fail(message: str) -> None:
    print(f"tools/floors.py: {message}", file=sys.stderr)
    sys.exit(2)


def requirements(project: dict[str, Any], extras: list[str]) -> Iterator[str]:
    """The requirements of these extras; where one is an extra of the project itself, those of that one."""
    for requirement in [*project.get("dependencies", ()), *(one for extra in extras for one in _of(project, extra))]:
        found = _REQUIREMENT.fullmatch(requirement)
        assert found is not None, requirement
        if found["name"] == project["name"]:
            yield from requirements({**project, "dependencies": ()}, _names(found["extras"]))
        else:
            yield requirement


def _of(project: dict[str, Any], extra: str) -> list[str]:
    offered: dict[str, list[str]] = project["optional-dependencies"]
    if extra not in offered:
        raise ValueError(f"there is no extra {extra!r}: expected some of {', '.join(offered)}")
    return offered[extra]


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def floor(requirement: str) -> str:
    """The same with its lowest version alone.

    >>> floor("pandas>=2.2,<3"), floor("ray[data]>=2.44.1")
    ('pandas==2.2', 'ray[data]==2.44.1')
    """
    found = _REQUIREMENT.fullmatch(requirement)
    lowest = re.search(r">=\s*([^\s,]+)", found["versions"]) if found else None
    if found is None or lowest is None:
        raise ValueError(f"{requirement!r} has no lowest version")
    extras = f"[{found['extras']}]" if found["extras"] else ""
    return f"{found['name']}{extras}=={lowest[1]}{found['marker'] or ''}"


def floors(project: dict[str, Any], extras: list[str]) -> list[str]:
    """Each requirement's lowest version; ValueError where one name has two."""
    found = sorted({floor(requirement) for requirement in requirements(project, extras)})
    versions: dict[str, str] = {}
    for pinned in found:
        name = re.split(r"[\[=]", pinned)[0].lower()
        version = pinned.partition("==")[2]
        if versions.setdefault(name, version) != version:
            raise ValueError(f"{name} has two lowest versions, {versions[name]} and {version}")
    return found


def install(python: Path, pinned: list[str], also: list[str], in_place: bool) -> None:
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    commands = [[*pip, *pinned, *also]]
    if not in_place:
        commands.append([*pip, "--no-deps", "--force-reinstall", str(ROOT)])
    for command in commands:
        if subprocess.run(command).returncode != 0:
            fail("pip failed: is each floor a release, and do they go together?")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="the virtual environment, kept")
    parser.add_argument("--list", action="store_true", help="say what is installed, and do nothing")
    parser.add_argument("--extras", default="test,engines", help="of pyproject.toml; default test,engines")
    parser.add_argument("--also", action="append", default=[], metavar="PACKAGE", help="a package beside them")
    parser.add_argument("--in-place", action="store_true", help="the extensions built in this checkout")
    options, tests = parser.parse_known_args()
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
    try:
        pinned = floors(project, _names(options.extras))
    except ValueError as error:
        fail(str(error))
    if options.list or options.folder is None:
        print(*pinned, sep="\n")
        return 0
    scripts = "Scripts" if os.name == "nt" else "bin"
    python = options.folder.absolute() / scripts / "python"
    install(python, pinned, options.also, options.in_place)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")} if options.in_place else None
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
