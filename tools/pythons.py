"""Run the tests on CPythons and processors that this machine does not have, in a Debian chroot that this makes.

    python3 tools/pythons.py FOLDER                          what needs no compiled package, on 3.14 and 3.15
    python3 tools/pythons.py FOLDER tests/dropin -k pickles  what follows FOLDER goes to pytest
    python3 tools/pythons.py FOLDER --arch s390x             on Debian 13's Python 3.13; or arm64, i386

FOLDER is made on the first run and kept: for each suite and processor a minimal Debian with the interpreters, their
headers and (for this machine's own processor) their own test suites, and one build of this checkout for each. Needs
root, debootstrap, and a machine whose apt knows a Debian mirror (or --mirror). Packages of Python are fetched by this
machine's own pip; nothing in the chroot uses the network afterwards. FASTURL_DATA is passed on.

Other processors are emulated by qemu-user-static; i386 needs none of it on x86-64. For what is emulated this machine
compiles: with gcc-s390x-linux-gnu or gcc-aarch64-linux-gnu (libc6-dev-s390x-cross, libc6-dev-arm64-cross), and with
the Cython and setuptools of the Python that runs this.
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
PACKAGES = ("setuptools>=77", "cython>=3.1,<4", "pytest>=8", "hypothesis>=6.100", "publicsuffixlist")
SOURCES = (".py", ".pyx", ".pxi", ".pxd", ".h", ".pyi")
# They run the program on other interpreters' wheels, on extras, or on the files of a checkout with its tools.
NOT_HERE = ("tests/engines", "tests/columns", "tests/cli", "tests/packaging")
# Of those that qemu cannot run: a process with threads that forks.
NOT_EMULATED = ("tests/boundary/test_forks.py",)
# Debian's names of processors that are emulated: qemu's, and the start of the cross compiler's.
EMULATED = {"arm64": ("aarch64", "aarch64-linux-gnu"), "s390x": ("s390x", "s390x-linux-gnu")}
# Instead of the widest, which signs and checks the return of each call, by software here: seven times the work.
QEMU_CPU = {"arm64": "cortex-a72"}
BINFMT = Path("/proc/sys/fs/binfmt_misc")


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


def emulate(machine: str) -> None:
    """Have Linux run that machine's programs by qemu, in chroots too: it opens qemu now, not there."""
    if not (BINFMT / "register").exists():
        run(["mount", "-t", "binfmt_misc", "none", str(BINFMT)])
    if not (BINFMT / f"qemu-{machine}").exists():
        line = Path(f"/usr/lib/binfmt.d/qemu-{machine}.conf")
        if not line.is_file():
            fail("there is no qemu: apt-get install qemu-user-static")
        (BINFMT / "register").write_text(line.read_text())


def make_chroot(root: Path, suite: str, arch: str | None, mirror: str | None, minors: list[str]) -> None:
    packages = ["gcc", "libc6-dev"] if arch not in EMULATED else []
    for minor in minors:
        packages += [f"python{minor}-dev", f"python{minor}-venv"]
        packages += [] if arch else [f"libpython{minor}-testsuite"]
    if not (root / "etc/debian_version").is_file():
        if shutil.which("debootstrap") is None:
            fail("there is no debootstrap: apt-get install debootstrap")
        mirror = mirror or mirror_of_this_machine()
        shutil.rmtree(root, ignore_errors=True)
        options = ["--variant=minbase", "--include=ca-certificates", *([f"--arch={arch}"] if arch else [])]
        run(["debootstrap", *options, suite, str(root), mirror])
    last = "ensurepip/__init__.py" if arch else "test/test_urlparse.py"
    wanted = [f"usr/lib/python{minor}/{last}" for minor in minors]
    wanted += [] if arch in EMULATED else ["usr/bin/gcc"]
    if not all((root / name).exists() for name in wanted):
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        inside(root, "apt-get", "update", "-qq")
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
        inside(root, "env", "DEBIAN_FRONTEND=noninteractive", *install)


def build_from_here(root: Path, compiler: str, minor: str) -> None:
    """The build for an emulated processor, by a compiler that runs on this one and the chroot's headers."""
    if shutil.which(f"{compiler}-gcc") is None:
        fail(f"there is no {compiler}-gcc: apt-get install gcc-{compiler}")
    include = root / f"usr/include/python{minor}"
    flags = f"-fPIC -I{include} -idirafter {root}/usr/include"
    environment = os.environ | {
        "CC": f"{compiler}-gcc",
        "CFLAGS": flags,
        "LDSHARED": f"{compiler}-gcc -shared",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-{minor.replace('.', '')}-{compiler}.so",
    }
    build = ["build", "--build-base", str(root / f"fasturl/build-{minor}")]
    command = [sys.executable, "setup.py", "-q", *build]
    with (root / f"fasturl/build-{minor}.log").open("w") as log:
        done = subprocess.run(
            command, cwd=root / "fasturl/checkout", env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    if done.returncode != 0:
        fail(f"the build failed: {log.name}")


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
    $env/bin/pip install -q -U --no-index --find-links /fasturl/wheels \\
        setuptools cython pytest hypothesis publicsuffixlist
fi
if command -v gcc >/dev/null; then
    rm -rf /fasturl/build-$minor/lib*/fasturl/*.py
    CC=gcc $env/bin/python setup.py -q build --build-base /fasturl/build-$minor >/fasturl/build-$minor.log 2>&1 ||
        { tail -n 30 /fasturl/build-$minor.log; exit 1; }
fi
export PYTHONPATH=$(echo /fasturl/build-$minor/lib*) PYTHONDONTWRITEBYTECODE=1
$env/bin/python -VV
exec $env/bin/python -m pytest -q -p no:cacheprovider "$@"
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/pythons.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="for the chroot, made on the first run and kept")
    parser.add_argument("--mirror", help="of Debian's packages (default: the one of this machine's apt)")
    parser.add_argument("--suite", help="of Debian (default: sid, or trixie with --arch)")
    parser.add_argument("--arch", choices=["i386", *EMULATED], help="another processor")
    parser.add_argument("--python", action="append", metavar="3.N", help="may be given again (default: 3.14, 3.15)")
    options, tests = parser.parse_known_args()
    suite = options.suite or ("trixie" if options.arch else "sid")
    minors = options.python or (["3.13"] if options.arch else ["3.14", "3.15"])
    if os.geteuid() != 0:
        fail("to make and enter a chroot needs root")
    root = options.folder.resolve() / (f"{suite}-{options.arch}" if options.arch else suite)
    machine, compiler = EMULATED.get(options.arch, (None, None))
    if machine is not None:
        emulate(machine)
    if options.arch in QEMU_CPU:
        os.environ.setdefault("QEMU_CPU", QEMU_CPU[options.arch])
    make_chroot(root, suite, options.arch, options.mirror, minors)
    (root / "fasturl/data").mkdir(parents=True, exist_ok=True)
    fetch_packages(root / "fasturl/wheels")
    copy_checkout(root / "fasturl/checkout")
    tests = tests or ["tests", *(f"--ignore={folder}" for folder in NOT_HERE)]
    if compiler is not None:
        tests += [f"--ignore={file}" for file in NOT_EMULATED]
    failed = []
    for minor in minors:
        if compiler is not None:
            build_from_here(root, compiler, minor)
        data = os.environ.get("FASTURL_DATA")
        if inside(root, "sh", "-c", BUILD_AND_TEST, "sh", minor, *tests, data=data) != 0:
            failed.append(minor)
    if failed:
        print(f"tools/pythons.py: failed on {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
