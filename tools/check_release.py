"""Check that this commit is ready for a release. Each line of the output is one condition.

    python tools/check_release.py                     before the tag: version, changelog, citation, pages
    python tools/check_release.py --tag v0.1.0 dist   after it: also the tag, and the archives in this folder

Exit status 0: every condition holds.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from published import address

ROOT = Path(__file__).resolve().parent.parent


def text(name: str) -> str:
    return ROOT.joinpath(name).read_text(encoding="utf-8")


def version() -> str:
    found = re.search(r'^__version__ = "(.+)"$', text("src/fasturl/_version.py"), re.MULTILINE)
    return found[1] if found else ""


def archives_error(folder: Path) -> str:
    """Return an error unless the folder has one sdist and at least one wheel of the version, and no other archive."""
    archives = sorted([*folder.glob("*.tar.gz"), *folder.glob("*.whl")])
    others = [path.name for path in archives if not path.name.startswith(f"fasturl-{version()}")]
    if others:
        return f"archives of another version: {', '.join(others)}"
    kinds = [path.suffix for path in archives]
    return "" if kinds.count(".gz") == 1 and ".whl" in kinds else f"{folder} needs one sdist and at least one wheel"


def conditions(tag: str | None, dist: Path | None) -> dict[str, str]:
    """Return an error for each condition; an empty text means that it holds."""
    now = version()
    pages = ["README.md", *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.joinpath("docs").rglob("*.md")))]
    open_ends = [page for page in pages if re.search(r"\b(TODO|FIXME|TBD)\b", text(page))]
    measured = re.search(r"fasturl (\S+) \(release\)", text("docs/speed.md"))
    dated = re.search(rf"^## {re.escape(now)} \(\d{{4}}-\d\d-\d\d\)$", text("CHANGELOG.md"), re.MULTILINE)
    packaged = f'version: "{now}"' in text("packaging/conda/recipe.yaml")
    packaged &= text("debian/changelog").startswith(f"fasturl ({now}-")
    update = "python -m bench --urls FILE --update docs/speed.md"
    found = {
        "version": "" if re.fullmatch(r"\d+\.\d+\.\d+", now) else f"src/fasturl/_version.py has {now!r}",
        "changelog": "" if dated else f"CHANGELOG.md needs the line '## {now} (YEAR-MONTH-DAY)'",
        "citation": "" if f"\nversion: {now}\n" in text("CITATION.cff") else f"CITATION.cff needs 'version: {now}'",
        "packages": "" if packaged else f"packaging/conda/recipe.yaml and debian/changelog need {now}",
        "address": "" if address() else 'pyproject.toml needs [project.urls] with Repository = "https://…"',
        "docs": f"unfinished pages: {', '.join(open_ends)}" if open_ends else "",
        "speed": "" if measured and measured[1] == now else f"docs/speed.md is of another version: run {update}",
    }
    if tag:
        found["tag"] = "" if tag == f"v{now}" else f"the tag is {tag}, the version is {now}"
    if dist:
        found["wheels"] = archives_error(dist)
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tag", metavar="NAME", help="the tag of the release")
    parser.add_argument("dist", nargs="?", type=Path, help="the folder of the built archives")
    options = parser.parse_args(arguments)
    found = conditions(options.tag, options.dist)
    for name, error in found.items():
        print(f"{name:<10} {error or 'ok'}")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
