"""Build, check and run the archives of a release on one Linux machine, all of them from one sdist.

    python tools/release.py build [--only TEXT]   the sdist, and each wheel that this machine can compile or link
    python tools/release.py check [--only TEXT]   auditwheel, check-wheel-contents, twine, processors, symbols, paths
    python tools/release.py run [--only TEXT]     the tests, wherever a Python for the wheel runs here
    python tools/release.py table                 write the outcome of each archive into docs/archives.md

zig (pip install ziglang) compiles for every system with the headers of each CPython of this machine: zig knows the
sizes of C's types. Wheels for Windows need CPython's sources too (--cpython FOLDER, for PC/pyconfig.h of one version).
The Pythons for i686 and aarch64 are Debian's; the second runs under qemu: apt-get install mmdebstrap proot qemu-user.
--musl names a Python that was built for musl.

--only takes a part of a wheel's name (cp311, aarch64). The folder --work (out/release) keeps all that is made, and the
outcomes in archives.json. Exit status 1: a build, check or test failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

from common import ROOT, fail

PAGE = ROOT / "docs" / "archives.md"
BEGIN, END = "<!-- archives: begin (written by tools/release.py table) -->\n", "<!-- archives: end -->"
MINORS = range(11, 16)
BUILD_TOOLS = ["setuptools>=77", "cython>=3.1,<4"]
TOOLS = [*BUILD_TOOLS, *"build ziglang auditwheel check-wheel-contents twine pyelftools".split()]
# All files of a wheel have one date: then two builds by the same compiler are the same bytes.
DATE = "1735689600"
DEBIAN = "bookworm"
# Under emulation the whole suite would take hours: pyproject.toml has the same folders for cibuildwheel.
EMULATED = ["tests/parse", "tests/quoting", "tests/dropin"]
ELF = {"x86_64": 62, "aarch64": 183, "i686": 3}
MACHO = {"x86_64": 0x01000007, "arm64": 0x0100000C}
PE = {"amd64": 0x8664, "arm64": 0xAA64}


class Target(NamedTuple):
    """A system and processor: the wheel's tag, zig's target, Python's platform, a module's suffix, the processor."""

    tag: str
    zig: str
    platform: str
    suffix: str
    machine: int

    def is_for(self, system: str) -> bool:
        return self.tag.startswith(system)


def targets() -> list[Target]:
    found = []
    for libc, abi, suffix in (("manylinux_2_28", "gnu.2.28", "gnu"), ("musllinux_1_2", "musl", "musl")):
        for cpu, zig, triple in (("x86_64",) * 3, ("aarch64",) * 3, ("i686", "x86", "i386")):
            module = f".cpython-3%d-{triple}-linux-{suffix}.so"
            found.append(Target(f"{libc}_{cpu}", f"{zig}-linux-{abi}", f"linux-{cpu}", module, ELF[cpu]))
    for cpu, zig in (("arm64", "aarch64"), ("x86_64", "x86_64")):
        target, module = f"{zig}-macos.11.0", ".cpython-3%d-darwin.so"
        found.append(Target(f"macosx_11_0_{cpu}", target, f"macosx-11.0-{cpu}", module, MACHO[cpu]))
    for cpu, zig in (("amd64", "x86_64"), ("arm64", "aarch64")):
        found.append(Target(f"win_{cpu}", f"{zig}-windows-gnu", f"win-{cpu}", f".cp3%d-win_{cpu}.pyd", PE[cpu]))
    return found


class Work:
    """The folder of all that is made, the environment of the tools, and the record of each archive."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.folder: Path = options.work.resolve()
        self.dist = self.folder / "dist"
        self.dist.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "log.txt"
        self.file = self.folder / "archives.json"
        self.failed = False

    def archives(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = json.loads(self.file.read_text()) if self.file.exists() else {}
        return found

    def record(self, name: str, **facts: object) -> None:
        archives = self.archives()  # other steps may run meanwhile
        archives[name] = archives.get(name, {}) | facts if facts else {}
        self.file.write_text(json.dumps({key: one for key, one in archives.items() if one}, indent=1, sort_keys=True))
        if facts:
            print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in facts.items()), flush=True)

    def record_archive(self, path: Path) -> None:
        content = path.read_bytes()
        self.record(path.name, size=len(content), sha256=hashlib.sha256(content).hexdigest())

    def call(self, *command: object, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run a command. Its output goes to the log."""
        words = [str(word) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", **options)
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"\n$ {' '.join(words)}\n{done.stdout}{done.stderr}[exit status {done.returncode}]\n")
        return done

    def must(self, *command: object, **options: Any) -> str:
        done = self.call(*command, **options)
        if done.returncode != 0:
            fail(f"{command[0]} failed: see {self.log}\n{(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def environment(self, name: str, python: str, packages: list[str]) -> Path:
        """Return the interpreter of a virtual environment that has these packages."""
        interpreter = self.folder / name / "bin" / "python"
        if not interpreter.exists():
            self.must(python, "-m", "venv", interpreter.parent.parent)
            self.must(interpreter, "-m", "pip", "install", "-q", *packages)
        return interpreter

    def tools(self) -> Path:
        return self.environment("tools", sys.executable, TOOLS)

    def zig(self, target: Target) -> list[str]:
        return [str(self.tools()), "-m", "ziglang", "cc", "-target", target.zig]

    def wheels(self) -> list[tuple[Path, Target]]:
        found = [path for path in sorted(self.dist.glob("*.whl")) if self.options.only in path.name]
        return [(path, next(target for target in targets() if path.stem.endswith(target.tag))) for path in found]

    def source(self, name: str) -> Path:
        """Return the unpacked sdist: a copy for each use."""
        folder = self.folder / name
        if not folder.exists():
            (sdist,) = self.dist.glob("*.tar.gz")
            with tarfile.open(sdist) as archive:
                archive.extractall(self.folder / f"{name}.new", filter="data")
            (self.folder / f"{name}.new" / sdist.name.removesuffix(".tar.gz")).rename(folder)
        return folder


def pythons() -> dict[int, tuple[str, Path]]:
    """Return the interpreter and the folder of headers of each CPython of this machine, by minor version."""
    found = {}
    ask = "import sys, sysconfig; print(sys.implementation.name, sysconfig.get_path('include'))"
    for minor in MINORS:
        managed = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
        for python in map(str, [*managed, shutil.which(f"python3.{minor}") or "none"]):
            answer = (
                subprocess.run([python, "-c", ask], capture_output=True, text=True) if Path(python).exists() else None
            )
            name, _, include = answer.stdout.strip().partition(" ") if answer else ("", "", "")
            if name == "cpython" and Path(include, "Python.h").is_file():
                found[minor] = (python, Path(include))
    return found


# --- building --------------------------------------------------------------------------------------------------------

# The compiler's own names for the sizes that Python's headers look at.
SIZES = {name: name for name in ("LONG", "LONG_LONG", "SIZE_T", "WCHAR_T", "DOUBLE", "FLOAT", "INT", "LONG_DOUBLE")}
SIZES |= {"VOID_P": "POINTER", "UINTPTR_T": "POINTER"}


def headers(work: Work, target: Target, minor: int, include: Path) -> Path | None:
    """Return a folder with CPython's headers for a target, or None without the sources that Windows needs."""
    folder = work.folder / "headers" / f"3.{minor}-{'win' if target.is_for('win') else 'posix'}"
    if target.is_for("win"):
        sources = work.options.cpython
        version = sources.joinpath("Include", "patchlevel.h").read_text() if sources else ""
        if not re.search(rf"PY_MINOR_VERSION\s+{minor}\n", version):
            return None
        config = "#define MS_WIN64 1\n" + sources.joinpath("PC", "pyconfig.h").read_text()
    else:
        config = include.joinpath("pyconfig.h").read_text()
        for name, size in SIZES.items():
            config += f"#undef SIZEOF_{name}\n#define SIZEOF_{name} __SIZEOF_{size}__\n"
        config += "#ifndef __SIZEOF_INT128__\n#undef HAVE_GCC_UINT128_T\n#endif\n"
    if not folder.exists():
        shutil.copytree(include, folder)
        folder.joinpath("pyconfig.h").write_text(config)
    return folder


def import_library(work: Work, target: Target, minor: int, include: Path) -> list[str]:
    """Return the options that link against Python's DLL, which exports what the headers declare as exported."""
    folder = work.folder / "headers" / f"3.{minor}-{target.tag}"
    folder.mkdir(exist_ok=True)
    text = "\n".join(path.read_text() for path in sorted(include.rglob("*.h")))
    data = set(re.findall(r"PyAPI_DATA\([^()]*\)\s*(\w+)", text))
    functions = set(re.findall(r"PyAPI_FUNC\([^()]*\)\s*(\w+)", text)) - data
    exports = [*sorted(functions), *(f"{name} DATA" for name in sorted(data))]
    definition, library = folder / "python.def", folder / f"libpython3{minor}.a"
    definition.write_text("\n".join([f"LIBRARY python3{minor}.dll", "EXPORTS", *exports, ""]))
    machine = "arm64" if target.machine == PE["arm64"] else "i386:x86-64"
    work.must(work.tools(), "-m", "ziglang", "dlltool", "-m", machine, "-d", definition, "-l", library)
    return [f"--library-dirs={folder}", f"--libraries=python3{minor}"]


def musl_stub(work: Work, target: Target) -> Path:
    """Return an empty library with the name of musl that auditwheel expects. zig would link against libc.so."""
    cpu = target.zig.partition("-")[0]
    stub = work.folder / "libc" / cpu / f"libc.musl-{cpu}.so.1"
    stub.parent.mkdir(parents=True, exist_ok=True)
    work.must(*work.zig(target), "-shared", "-nostdlib", f"-Wl,-soname,{stub.name}", "-o", stub, "-x", "c", os.devnull)
    return stub


def build_wheel(work: Work, target: Target, minor: int, python: str, include: Path) -> None:
    name = f"cp3{minor}-cp3{minor}-{target.tag}"
    own = headers(work, target, minor, include)
    if own is None:
        return work.record(name, error="not built: CPython's sources of this version are not here")
    compiler, link = " ".join(work.zig(target)), "-shared"
    if target.is_for("macosx"):
        # Else each module's own name would be its path on this machine.
        link += " -Wl,-undefined,dynamic_lookup -Wl,-install_name,@rpath/fasturl.so"
    elif target.is_for("musl"):
        link += f" -nostdlib -rtlib=compiler-rt -Wl,-z,undefs,--gc-sections,--no-as-needed {musl_stub(work, target)}"
    environment = os.environ | {
        "CC": compiler,
        "LDSHARED": f"{compiler} {link} -s",
        "CFLAGS": "-Wno-unused-command-line-argument",
        "SETUPTOOLS_EXT_SUFFIX": target.suffix % minor,
        "_PYTHON_HOST_PLATFORM": target.platform,
        "SOURCE_DATE_EPOCH": DATE,
    }
    base = work.folder / "build" / f"{minor}-{target.tag}"
    command = ["setup.py", "-q", "build", f"--build-base={base}", "build_ext", f"--include-dirs={own}"]
    command += import_library(work, target, minor, own) if target.is_for("win") else []
    command += ["bdist_wheel", f"--plat-name={target.tag}", f"--dist-dir={work.dist}"]
    host = work.environment(f"host-3.{minor}", python, BUILD_TOOLS)
    done = work.call(host, *command, cwd=work.source("source"), env=environment)
    found = list(work.dist.glob(f"*-{name}.whl"))
    work.record(name)  # forget an earlier error
    if done.returncode or not found:
        work.failed = True
        return work.record(name, error="not built: " + (done.stderr.strip().splitlines() or ["?"])[-1][:200])
    shutil.rmtree(base)
    return work.record_archive(found[0])


def build(work: Work) -> None:
    if not list(work.dist.glob("*.tar.gz")):
        work.must(work.tools(), "-m", "build", "--sdist", "--outdir", work.dist, ROOT)
        work.record_archive(*work.dist.glob("*.tar.gz"))
    for target in targets():
        for minor, (python, include) in pythons().items():
            name = f"cp3{minor}-{target.tag}"
            if work.options.only in name and not list(work.dist.glob(f"*-{name}.whl")):
                build_wheel(work, target, minor, python, include)


# --- checking --------------------------------------------------------------------------------------------------------


def machine_of(content: bytes) -> int:
    """Return the number of the processor that an ELF, Mach-O or PE file is for."""
    start, size = (18, 2) if content[:4] == b"\x7fELF" else (4, 4)
    if content[:2] == b"MZ":
        start, size = int.from_bytes(content[60:64], "little") + 4, 2
    return int.from_bytes(content[start : start + size], "little")


# Cython exports a flag per module, whose name contains the module's name.
SYMBOLS = """
import io, sys, zipfile
from elftools.elf.elffile import ELFFile
wheel = zipfile.ZipFile(sys.argv[1])
for name in (name for name in wheel.namelist() if ".so" in name):
    file = ELFFile(io.BytesIO(wheel.read(name)))
    print(*(name + " has " + part.name for part in file.iter_sections() if part.name[:6] in (".debug", ".symta")))
    for symbol in file.get_section_by_name(".dynsym").iter_symbols():
        is_own = symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_other"]["visibility"] == "STV_DEFAULT"
        if is_own and not symbol.name.startswith(("PyInit_", "fu_", "__pyx_module_is_main_", "_init", "_fini")):
            print(name, "exports", symbol.name)
"""


def version_of(tag: str) -> list[int]:
    """Return the libc's version in a platform tag."""
    return [int(number) for number in re.findall(r"_(\d+)(?=_)", tag)]


def wheel_faults(work: Work, wheel: Path, target: Target) -> list[str]:
    tools, faults, modules = work.tools(), [], 0
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if re.search(r"\.(so|pyd|so\.0|duckdb_extension)$", name):
                content = archive.read(name)
                modules += name.endswith((".so", ".pyd"))
                faults += [f"{name} is for another processor"] if machine_of(content) != target.machine else []
                faults += [f"{name} has a path of this machine"] if str(work.folder).encode() in content else []
    wanted = len(list(work.source("source").rglob("_*.pyx")))
    faults += [f"{modules} modules instead of {wanted}"] if modules != wanted else []
    if "linux" in target.tag:
        more = ["--ldpaths", musl_stub(work, target).parent] if target.is_for("musl") else []
        shown = work.call(tools, "-m", "auditwheel", "show", *more, wheel)
        tag = re.search(r'platform\s+tag:\s+"(\w+)"', shown.stdout)
        if not tag or tag[1][:4] != target.tag[:4] or version_of(tag[1]) > version_of(target.tag):
            faults.append(f"auditwheel: {tag[1] if tag else shown.stderr[-200:]}")
        faults += work.must(tools, "-c", SYMBOLS, wheel).split("\n")
    # Not in ROOT: its extensions, if any, are of this machine.
    contents = work.call(tools, "-m", "check_wheel_contents", wheel, cwd=work.source("tests"))
    return [*filter(None, faults), *([contents.stdout[:300]] if contents.returncode else [])]


def check(work: Work) -> None:
    for sdist in work.dist.glob("*.tar.gz"):
        work.record(sdist.name, checks="ok")
    for wheel, target in work.wheels():
        work.record(wheel.name, checks=wheel_faults(work, wheel, target) or "ok")
    for archive in work.dist.iterdir():
        rendered = work.call(work.tools(), "-m", "twine", "check", "--strict", archive)
        if rendered.returncode:
            work.record(archive.name, checks=[rendered.stdout[-300:]])
    work.failed = any(isinstance(facts.get("checks"), list) for facts in work.archives().values())


# --- running ---------------------------------------------------------------------------------------------------------


class Runner(NamedTuple):
    """A Python of another system: its command, the folder that it sees as /, and its name."""

    command: list[str]
    root: Path
    name: str


def debian(work: Work, architecture: str, variant: str) -> Path:
    """Return a folder with Debian's files for a processor. The variant extract runs no program of that processor."""
    folder = work.folder / f"debian-{architecture}"
    if not folder.exists():
        packages = "--include=python3,python3-numpy,bash,dash,coreutils"
        options = ["--mode=root", f"--variant={variant}", f"--architectures={architecture}", packages]
        work.must("mmdebstrap", *options, DEBIAN, folder)
    return folder


def runner(work: Work, target: Target) -> Runner | None:
    if target.tag == "manylinux_2_28_i686" and shutil.which("mmdebstrap") and os.geteuid() == 0:
        root = debian(work, "i386", "apt")
        enter = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0"'
        command = ["unshare", "-m", "sh", "-c", f'{enter} env -C /release/source python3 "$@"', str(root)]
        return Runner(command, root, f"Debian {DEBIAN}")
    if target.tag == "manylinux_2_28_aarch64" and all(map(shutil.which, ("mmdebstrap", "proot", "qemu-aarch64"))):
        root = debian(work, "arm64", "extract")
        python = root.joinpath("usr/bin/python3").resolve().name
        command = "proot -q qemu-aarch64 -0 -b /dev -b /proc -w /release/source -r".split()
        return Runner([*command, str(root), f"/usr/bin/{python}"], root, f"Debian {DEBIAN}, emulated by qemu")
    if target.tag == "musllinux_1_2_x86_64" and work.options.musl:
        return Runner([str(work.options.musl)], Path("/"), "musl")
    return None


def run_elsewhere(work: Work, wheel: Path, target: Target) -> tuple[str, str] | None:
    """Run the tests by a Python of another system. The packages come into a folder: its pip is not needed."""
    found = runner(work, target)
    if found is None:
        return None
    alone = found.root == Path("/")
    inside = work.folder / target.tag if alone else found.root / "release"
    shutil.rmtree(inside, ignore_errors=True)
    shutil.copytree(work.source("tests"), inside / "source")
    seen, emulated = inside if alone else Path("/release"), "qemu" in found.name
    version = work.must(*found.command, "-c", "import platform; print(platform.python_version())", cwd="/").strip()
    python = version.rpartition(".")[0]
    if f"-cp{python.replace('.', '')}-" not in wheel.name:
        return None
    packages = [wheel, "pytest>=8", "hypothesis>=6.100", "cloudpickle>=3", *(["numpy>=1.26"] if alone else [])]
    options = ["--only-binary=:all:", "--platform=any", f"--platform={target.tag}", f"--python-version={python}"]
    work.must(work.tools(), "-m", "pip", "install", "-q", "--target", inside / "site", *options, *packages)
    environment = os.environ | {"PYTHONPATH": f"{seen}/site", "PYTHONDONTWRITEBYTECODE": "1", "CI": "1", "HOME": "/tmp"}
    environment["FASTURL_LONG"] = "0" if emulated else "1"
    environment |= {"FASTURL_TRIES": "500", "FASTURL_EXAMPLES": "20", "PATH": "/usr/bin:/bin"} if emulated else {}
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *(EMULATED if emulated else ["tests"])]
    done = work.call(*found.command, *pytest, cwd=inside / "source", env=environment)
    return f"CPython {version}, {found.name}", verdict(done)


def verdict(done: subprocess.CompletedProcess[str]) -> str:
    """Return pytest's last line without its time."""
    lines = [line for line in done.stdout.splitlines() if re.search(r"\d+ (passed|failed|error)", line)]
    counts = re.sub(r" in [\d.]+s.*", "", lines[-1]).strip("= ") if lines else "ended before the tests"
    return counts if done.returncode == 0 else f"FAILED: {counts}"


def run_here(work: Work, wheel: Path, python: str) -> tuple[str, str]:
    name = f"run-{wheel.stem.split('-')[2]}"
    shutil.rmtree(work.folder / name, ignore_errors=True)
    interpreter = work.environment(name, python, [f"{wheel}[test,arrow]"])
    version = work.must(interpreter, "-c", "import platform; print(platform.python_version())").strip()
    environment = os.environ | {"CI": "1", "PYTHONDONTWRITEBYTECODE": "1", "FASTURL_LONG": "1"}
    options = ["-q", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider"]
    done = work.call(interpreter, "-m", "pytest", *options, cwd=work.source("tests"), env=environment)
    return f"CPython {version}", verdict(done)


def run(work: Work) -> None:
    hosts = pythons()
    for wheel, target in work.wheels():
        minor = int(wheel.stem.split("-")[2].removeprefix("cp3"))
        is_own = target.tag == "manylinux_2_28_x86_64"
        found = run_here(work, wheel, hosts[minor][0]) if is_own else run_elsewhere(work, wheel, target)
        if found:
            work.failed |= found[1].startswith("FAILED")
            work.record(wheel.name, run=found[1], by=found[0])


# --- the table -------------------------------------------------------------------------------------------------------


def table(work: Work) -> None:
    rows = ["| archive | MB | checks | outcome |", "|---|---:|---|---|"]
    for name, facts in sorted(work.archives().items()):
        outcome = facts.get("error") or "only linked: no Python for it ran here"
        if name.endswith(".tar.gz"):
            outcome = "the source of every wheel below"
        elif "run" in facts:
            outcome = f"run on {facts['by']}: {facts['run']}"
        size = f"{facts['size'] / 1e6:.2f}" if "size" in facts else ""
        checks = facts.get("checks", "") if isinstance(facts.get("checks", ""), str) else "; ".join(facts["checks"])
        rows.append(f"| `{re.sub(r'^fasturl-[^-]+-|.whl$', '', name)}` | {size} | {checks} | {outcome} |")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text("\n".join([before + BEGIN, *rows, "", END]) + rest.partition(END)[2], encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("step", choices=("build", "check", "run", "table"))
    parser.add_argument("--only", default="", metavar="TEXT", help="a part of the wheels' names")
    parser.add_argument("--work", type=Path, default=ROOT / "out" / "release", metavar="FOLDER")
    parser.add_argument("--cpython", type=Path, metavar="FOLDER", help="CPython's sources, for Windows")
    parser.add_argument("--musl", type=Path, metavar="PYTHON", help="a Python that was built for musl")
    work = Work(parser.parse_args())
    {"build": build, "check": check, "run": run, "table": table}[work.options.step](work)
    return int(work.failed)


if __name__ == "__main__":
    sys.exit(main())
