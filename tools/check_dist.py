"""Look into the archives: is all in the sdist that a build and the tests need, no source in the wheel, and is it small?

    python tools/check_dist.py dist/fasturl-*.tar.gz dist/fasturl-*.whl

The sdist is compared with the tree that this file stands in, so run it from a clean checkout.
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (".ci", ".github", "bench", "docs", "fuzz", "grammar", "proofs", "src", "tests", "tools")
SINGLE = (
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "mkdocs.yml",
    "pyproject.toml",
    "setup.py",
)
LEFT_BEHIND = (".so", ".pyd", ".o", ".pyc")
# What a wheel may take; with debug symbols left in it would take four times that.
WHEEL_OCTETS = 1_450_000
MADE_BY_A_BUILD = ("__pycache__", "fasturl.egg-info")


def in_the_tree() -> set[str]:
    found = {name for name in SINGLE if ROOT.joinpath(name).is_file()}
    for folder in FOLDERS:
        for path in ROOT.joinpath(folder).rglob("*"):
            relative = path.relative_to(ROOT)
            left = path.suffix in LEFT_BEHIND or (path.suffix == ".c" and path.with_suffix(".pyx").is_file())
            if path.is_file() and not left and not set(relative.parts) & set(MADE_BY_A_BUILD):
                found.add(relative.as_posix())
    return found


def check_sdist(archive: Path) -> list[str]:
    with tarfile.open(archive) as tar:
        names = {member.name.partition("/")[2] for member in tar.getmembers() if member.isfile()}
    made = {name for name in names if "egg-info/" in name} | {"PKG-INFO", "setup.cfg"}
    held = names - made
    wanted = in_the_tree()
    wrong = [f"the sdist lacks {name}" for name in sorted(wanted - held)]
    wrong += [f"the sdist holds {name}" for name in sorted(held - wanted)]
    for kind in (".pyx", ".pxi", ".pxd", ".h", ".c", ".bnf", ".pyi"):
        if not any(name.endswith(kind) for name in held):
            wrong.append(f"the sdist holds no {kind} file")
    return wrong


def check_wheel(archive: Path) -> list[str]:
    with zipfile.ZipFile(archive) as wheel:
        names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    wrong = []
    if archive.stat().st_size > WHEEL_OCTETS:
        wrong.append(f"the wheel has {archive.stat().st_size:,} octets, more than {WHEEL_OCTETS:,}")
    for name in names:
        if not name.startswith("fasturl/") or not name.endswith((".py", ".pyi", ".so", ".pyd", "/py.typed")):
            wrong.append(f"the wheel holds {name}")
    package = ROOT / "src" / "fasturl"
    for path in package.rglob("*"):
        name = path.relative_to(package.parent).as_posix()
        if (path.suffix in (".py", ".pyi") or path.name == "py.typed") and name not in names:
            wrong.append(f"the wheel lacks {name}")
    sources = sorted(ROOT.joinpath("src").glob("_*.pyx"))
    if not sources:
        wrong.append("there are no extensions to look for")
    for source in sources:
        own = [name for name in names if name.startswith(f"fasturl/{source.stem}.")]
        built = [name for name in own if name.endswith((".so", ".pyd"))]
        if len(built) != 1:
            wrong.append(f"the wheel holds {len(built)} extensions {source.stem}")
    return wrong


def main(archives: list[str]) -> int:
    status = 0 if archives else 2
    for name in archives:
        archive = Path(name)
        wrong = check_wheel(archive) if archive.suffix == ".whl" else check_sdist(archive)
        for message in wrong:
            print(f"{archive.name}: {message}", file=sys.stderr)
            status = 1
        print(f"{archive.name}: {len(wrong)} faults")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
