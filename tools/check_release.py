"""Is this commit ready to be released? Each line is a point of the list, and says what is missing.

    python tools/check_release.py                     before the tag: version, changelog, docs, citation
    python tools/check_release.py --tag v0.1.0 dist   after it: the tag, and the archives in the folder, too

Status 0 when every point holds.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def text(name: str) -> str:
    return ROOT.joinpath(name).read_text(encoding="utf-8")


def version() -> str:
    found = re.search(r'^__version__ = "(.+)"$', text("src/fasturl/_version.py"), re.MULTILINE)
    return found[1] if found else ""


def the_version_is_a_release() -> str:
    return "" if re.fullmatch(r"\d+\.\d+\.\d+", version()) else f"src/fasturl/_version.py has {version()!r}"


def the_changelog_has_the_version_and_a_day() -> str:
    wanted = rf"^## {re.escape(version())} \(\d{{4}}-\d\d-\d\d\)$"
    if re.search(wanted, text("CHANGELOG.md"), re.MULTILINE):
        return ""
    return f"CHANGELOG.md needs the line '## {version()} (YEAR-MONTH-DAY)'"


def the_citation_has_the_version() -> str:
    return "" if f"\nversion: {version()}\n" in text("CITATION.cff") else f"CITATION.cff needs 'version: {version()}'"


def the_pages_have_no_open_ends() -> str:
    pages = [ROOT / "README.md", *sorted(ROOT.joinpath("docs").rglob("*.md"))]
    left = [page.name for page in pages if re.search(r"\b(TODO|FIXME|TBD)\b", page.read_text(encoding="utf-8"))]
    return f"something is left to do in {', '.join(left)}" if left else ""


def the_table_of_speed_is_of_the_version() -> str:
    measured = re.search(r"fasturl (\S+) \(release\)", text("docs/speed.md"))
    if measured and measured[1] == version():
        return ""
    return "docs/speed.md is of another version: python -m bench --urls FILE --ratios docs/speed.md --short README.md"


def the_tag_is_the_version(tag: str) -> str:
    return "" if tag == f"v{version()}" else f"the tag is {tag}, the version {version()}"


def the_archives_are_whole(folder: Path) -> str:
    """One sdist and at least one wheel of the version; check_dist.py looks into them."""
    archives = sorted([*folder.glob("*.tar.gz"), *folder.glob("*.whl")])
    others = [path.name for path in archives if not path.name.startswith(f"fasturl-{version()}")]
    if others:
        return f"of another version: {', '.join(others)}"
    if sum(path.suffix == ".gz" for path in archives) != 1 or not any(path.suffix == ".whl" for path in archives):
        return f"{folder} needs one sdist and at least one wheel"
    command = [sys.executable, str(ROOT / "tools" / "check_dist.py"), *map(str, archives)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr.strip().replace("\n", "; ") if done.returncode else ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check the list of a release.")
    parser.add_argument("--tag", metavar="NAME", help="the tag that was set")
    parser.add_argument("dist", nargs="?", type=Path, help="the folder of the archives that were built")
    options = parser.parse_args(arguments)
    points = [
        ("version", the_version_is_a_release()),
        ("changelog", the_changelog_has_the_version_and_a_day()),
        ("citation", the_citation_has_the_version()),
        ("docs", the_pages_have_no_open_ends()),
        ("speed", the_table_of_speed_is_of_the_version()),
    ]
    if options.tag:
        points.append(("tag", the_tag_is_the_version(options.tag)))
    if options.dist:
        points.append(("wheels", the_archives_are_whole(options.dist)))
    for name, missing in points:
        print(f"{name:<10} {missing or 'ok'}")
    return 1 if any(missing for _, missing in points) else 0


if __name__ == "__main__":
    sys.exit(main())
