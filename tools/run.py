"""Build and run the project on a new machine. Only Python 3.11 or newer and a C compiler are needed.

    python3 tools/run.py demo    build, make a sample access log, write its URLs to out/urls.jsonl, and show which paths
                                 were requested
    python3 tools/run.py test    build and run the tests; the rest goes to pytest

Each command has its own virtual environment, .venv-demo or .venv-test, which is made once and kept.
"""

# An older Python must be able to read this file, to print which Python is needed.
from __future__ import annotations

import argparse
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
WINDOWS = sys.platform == "win32"


def fail(message: str) -> None:
    sys.stdout.flush()
    print("tools/run.py: " + message, file=sys.stderr)
    sys.exit(2)


def say(message: str) -> None:
    print(message, flush=True)


def needs_this_python() -> None:
    """Continue under a Python that is new enough, or exit with a message."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(19, OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            os.execv(found, [found, *sys.argv])
    have, need = ".".join(map(str, sys.version_info[:2])), ".".join(map(str, OLDEST))
    fail(f"this is Python {have}; fasturl needs {need} or newer, and no such python3.N is on PATH")


def compiler_environment() -> dict[str, str]:
    """Return the environment for builds: that of this process, without other code on the path."""
    environment = dict(os.environ)
    for name in ("PYTHONPATH", "PYTHONHOME"):
        environment.pop(name, None)
    if WINDOWS:
        return environment
    named = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(shlex.split(named)[0]) is None:
        if os.environ.get("CC"):
            fail(f"there is no C compiler {named!r}, which CC names")
        found = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
        if found is None:
            fail("there is no C compiler: install one (Debian, Ubuntu: apt-get install build-essential)")
        environment["CC"] = str(found)
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        fail(
            f"the C headers of {sys.executable} are not there (no Python.h in {include}): "
            "install them (Debian, Ubuntu: apt-get install python3-dev; Fedora: dnf install python3-devel)"
        )
    return environment


def interpreter_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if WINDOWS else "bin/python")


def works(python: Path) -> bool:
    """Return True if this environment exists and has this Python version."""
    if not python.exists():
        return False
    ask = "import sys; print(sys.version_info[:2])"
    answer = subprocess.run([str(python), "-c", ask], capture_output=True, text=True)
    return answer.returncode == 0 and answer.stdout.strip() == str(sys.version_info[:2])


def environment_python(folder: Path) -> list[str]:
    """Make the virtual environment in a folder unless it exists; return its pip command."""
    python = interpreter_of(folder)
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    has_pip = importlib.util.find_spec("pip") is not None
    if not works(python):
        if not has_ensurepip and not has_pip:
            fail(
                f"{sys.executable} has neither ensurepip nor pip to set up a virtual environment with "
                "(Debian, Ubuntu: apt-get install python3-venv)"
            )
        say(f"Making {folder.relative_to(ROOT)} with Python {sys.version.split()[0]}")
        command = [sys.executable, "-m", "venv", "--clear", str(folder)]
        if not has_ensurepip:
            command.insert(3, "--without-pip")
        run(command, "the virtual environment could not be made")
    if has_ensurepip:
        return [str(python), "-m", "pip"]
    return [sys.executable, "-m", "pip", "--python", str(python)]


def run(command: list[str], what_failed: str, environment: dict[str, str] | None = None) -> None:
    status = subprocess.run(command, cwd=ROOT, env=environment).returncode
    if status != 0:
        fail(f"{what_failed} (exit code {status}): {shlex.join(command)}")


def install(folder: Path, extra: str, environment: dict[str, str]) -> str:
    """Build and install the project into the folder's environment; return its interpreter."""
    pip = environment_python(folder)
    say("Building fasturl (the first time takes a minute or two)")
    run(
        # Without bytecode of all packages, which takes pip seconds: a run compiles the modules that it imports.
        [*pip, "install", "--quiet", "--disable-pip-version-check", "--no-compile", f".[{extra}]"],
        "the build failed, or a package could not be fetched",
        environment,
    )
    return str(interpreter_of(folder))


def demo(lines: int) -> int:
    environment = compiler_environment()
    python = install(ROOT / ".venv-demo", "cli", environment)
    log, urls, rejects = "out/access.log", "out/urls.jsonl", "out/rejects.log"
    (ROOT / "out").mkdir(exist_ok=True)
    say(f"\nA sample access log of {lines} lines, the same one every time: {log}")
    make = [python, "-m", "bench.corpora", "log", "--lines", str(lines), "-o", log]
    run(make, "the sample log could not be made", environment)
    fasturl = interpreter_of(ROOT / ".venv-demo").with_name("fasturl" + (".exe" if WINDOWS else ""))
    say(f"\n$ fasturl parse {log} -o {urls} --rejects {rejects}")
    run([str(fasturl), "parse", log, "-o", urls, "--rejects", rejects], "the run failed", environment)
    tables = ["--table", "status_path", "--table", "status", "--table", "finding"]
    say(f"\n$ fasturl stats {shlex.join(tables)} {log}")
    run([str(fasturl), "stats", *tables, log], "the counting failed", environment)
    say(
        f"\n{urls} has one row per request. {rejects} has the lines that match no log format.\n"
        f"Next, with a log of yours:\n  {fasturl.relative_to(ROOT)} stats --table status_path YOUR.log"
    )
    return 0


def test(arguments: list[str]) -> int:
    environment = compiler_environment()
    python = install(ROOT / ".venv-test", "test,arrow", environment)
    # worksteal keeps neighbouring tests in one process, so that module fixtures run once.
    command = [python, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


def main() -> int:
    needs_this_python()
    if sys.argv[1:2] == ["test"]:
        return test(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="tools/run.py", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    demo_parser = commands.add_parser("demo", help="build and parse a sample access log")
    demo_parser.add_argument("--lines", type=int, default=100_000, help="lines of the log (default: %(default)s)")
    commands.add_parser("test", help="build and run the tests; the rest goes to pytest")
    return demo(parser.parse_args().lines)


if __name__ == "__main__":
    sys.exit(main())
