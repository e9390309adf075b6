"""Run the tests on CPythons that this machine does not have: Debian's newest, in a chroot that this makes.

    python3 tools/pythons.py FOLDER                          what needs no extra package, on 3.14 and 3.15
    python3 tools/pythons.py FOLDER tests/dropin -k pickles  what follows FOLDER goes to pytest

FOLDER is made on the first run and kept: a minimal Debian with the interpreters, their headers and their own test
suites, and one build of this checkout for each. Needs root, debootstrap, and a machine whose apt knows a Debian
mirror (or --mirror). Packages of Python are fetched by this machine's own pip; nothing in the chroot uses the network
afterwards. FASTURL_DATA is passed on.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("setuptools>=77", "cython>=3.1,<4", "pytest>=8", "hypothesis>=6.100")
SOURCES = (".py", ".pyx", ".pxi", ".pxd", ".h", ".pyi")
# They run the program on other interpreters' wheels, on extras, or on the files of a checkout with its tools.
NOT_HERE = ("tests/engines", "tests/columns", "tests/cli", "tests/packaging")


def fail(message: str) -> None:
    print(f"tools/pythons.py: {message}", file=sys.stderr)
    sys.exit(2)


def run(command: list[str]) -> None:
    if subprocess.run(command).returncode != 0:
        fail(f"failed: {shlex.join(command)}")


def mirror_of_this_machine() -> str:
    """The Debian mirror that this machine's own apt uses."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(ORIGIN) $(LABEL)"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        if line.endswith(" Debian Debian"):
            return line.split()[0]
    fail("this machine's apt knows no Debian mirror (after apt-get update): give --mirror")
    raise AssertionError


def make_chroot(root: Path, suite: str, mirror: str | None, minors: list[str]) -> None:
    packages = ["gcc", "libc6-dev"]
    for minor in minors:
        packages += [f"python{minor}-dev", f"python{minor}-venv", f"libpython{minor}-testsuite"]
    if not (root / "etc/debian_version").is_file():
        if shutil.which("debootstrap") is None:
            fail("there is no debootstrap: apt-get install debootstrap")
        mirror = mirror or mirror_of_this_machine()
        shutil.rmtree(root, ignore_errors=True)
        run(["debootstrap", "--variant=minbase", "--include=ca-certificates", suite, str(root), mirror])
    if not all((root / f"usr/lib/python{minor}/test/test_urlparse.py").is_file() for minor in minors):
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        inside(root, "apt-get", "update", "-qq")
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
        inside(root, "env", "DEBIAN_FRONTEND=noninteractive", *install)


def inside(root: Path, *command: str, data: str | None = None) -> int:
    """Run a command in the chroot with /proc, /dev and the real input; the mounts end with the command."""
    mounts = f"mount -t proc proc {shlex.quote(str(root))}/proc && mount --rbind /dev {shlex.quote(str(root))}/dev"
    if data is not None:
        mounts += f" && mount --bind -o ro {shlex.quote(data)} {shlex.quote(str(root))}/fasturl/data"
    script = f"{mounts} && exec chroot {shlex.quote(str(root))} {shlex.join(command)}"
    return subprocess.run(["unshare", "--mount", "sh", "-c", script]).returncode


def fetch_packages(folder: Path) -> None:
    """What the build and the tests need, as wheels for any Python."""
    if folder.is_dir() and any(folder.iterdir()):
        return
    anywhere = ["--only-binary=:all:", "--implementation", "py", "--abi", "none", "--platform", "any"]
    run([sys.executable, "-m", "pip", "download", "-q", "-d", str(folder), *anywhere, *PACKAGES])


def copy_checkout(to: Path) -> None:
    """The files that git knows, as they are now; those that have not changed keep their times and their builds."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        source, copy = ROOT / name, to / name
        if not copy.is_file() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    for part in ("src", "tests"):
        for copy in (to / part).rglob("*"):
            old = str(copy.relative_to(to)) not in names and copy.suffix in SOURCES
            if old and copy.is_file():
                copy.unlink()


BUILD_AND_TEST = """
set -e
minor=$1; shift
export FASTURL_DATA=/fasturl/data
cd /fasturl/checkout
env=/fasturl/env-$minor
if [ ! -x $env/bin/pytest ]; then
    python$minor -m venv --clear $env
    $env/bin/pip install -q --no-index --find-links /fasturl/wheels setuptools cython pytest hypothesis
fi
rm -rf /fasturl/build-$minor/lib*/fasturl/*.py
CC=gcc $env/bin/python setup.py -q build --build-base /fasturl/build-$minor >/fasturl/build-$minor.log 2>&1 ||
    { tail -n 30 /fasturl/build-$minor.log; exit 1; }
export PYTHONPATH=$(echo /fasturl/build-$minor/lib*) PYTHONDONTWRITEBYTECODE=1
$env/bin/python -VV
exec $env/bin/python -m pytest -q -p no:cacheprovider "$@"
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/pythons.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="for the chroot, made on the first run and kept")
    parser.add_argument("--mirror", help="of Debian's packages (default: the one of this machine's apt)")
    parser.add_argument("--suite", default="sid", help="of Debian (default: %(default)s)")
    parser.add_argument("--python", action="append", metavar="3.N", help="may be given again (default: 3.14, 3.15)")
    options, tests = parser.parse_known_args()
    minors = options.python or ["3.14", "3.15"]
    if os.geteuid() != 0:
        fail("to make and enter a chroot needs root")
    root = options.folder.resolve() / options.suite
    make_chroot(root, options.suite, options.mirror, minors)
    (root / "fasturl/data").mkdir(parents=True, exist_ok=True)
    fetch_packages(root / "fasturl/wheels")
    copy_checkout(root / "fasturl/checkout")
    tests = tests or ["tests", *(f"--ignore={folder}" for folder in NOT_HERE)]
    failed = []
    for minor in minors:
        data = os.environ.get("FASTURL_DATA")
        if inside(root, "sh", "-c", BUILD_AND_TEST, "sh", minor, *tests, data=data) != 0:
            failed.append(minor)
    if failed:
        print(f"tools/pythons.py: failed on {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
