"""Fixtures: run the command in a process of its own, with bytes as input and output."""

import importlib.util
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("click", reason="the command line needs click")
pytest.importorskip("pyarrow", reason="the command line needs pyarrow")

from clihelpers import COMMAND, Make, Ran, Run, Start
from forkserver import ForkServer, may_run


def environment(**more: str) -> dict[str, str]:
    # Variables of the developer must not colour or widen the output.
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    # Absolute, because tests run the command in other directories.
    home = str(Path(importlib.util.find_spec("fasturl").origin).resolve().parents[1])
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return {**kept, "PYTHONPATH": path, "PYTHONWARNINGS": "error", **more}


@pytest.fixture(scope="session")
def fasturl_environment() -> dict[str, str]:
    """The environment in which a process finds the command."""
    return environment()


def new_process(arguments: list[str], stdin: bytes, cwd: str, env: dict[str, str]) -> tuple[int, bytes, bytes]:
    done = subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, cwd=cwd, env=env, timeout=120)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="session")
def fork_server() -> Iterator[Callable[[str], ForkServer]]:
    """A function that returns the server for a command. The modules for charts are half of a fork's cost."""
    started: dict[bool, ForkServer] = {}

    def server(command: str) -> ForkServer:
        draws = command == "report"
        if draws not in started:
            started[draws] = ForkServer(environment(), *("altair", "vl_convert") * draws)
        return started[draws]

    yield server
    for each in started.values():
        each.close()


@pytest.fixture(scope="session")
def fasturl(fork_server: Callable[[str], ForkServer]) -> Run:
    """A function that runs the command: fasturl("parse", "-q", stdin=b"...") -> Ran."""

    def run(*arguments: str | bytes | Path, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Ran:
        asked = [os.fsdecode(argument) for argument in arguments]
        run_in = fork_server(asked[0] if asked else "").run if may_run(env) else new_process
        status, out, err = run_in(asked, stdin, os.fspath(cwd or Path.cwd()), environment(**env))
        return Ran(status, out, err.decode("utf-8", "backslashreplace"))

    return run


@pytest.fixture(scope="session")
def make_clf() -> Make:
    """A function that returns one line of a combined log with the given fields."""

    def make(
        request: bytes = b"GET / HTTP/1.1",
        referer: bytes | None = b"-",
        agent: bytes = b"agent/1",
        client: bytes = b"192.0.2.7",
        user: bytes = b"-",
        status: bytes = b"200",
        size: bytes = b"12",
    ) -> bytes:
        line = b'%s - %s [17/May/2015:10:05:03 +0000] "%s" %s %s' % (client, user, request, status, size)
        return line if referer is None else line + b' "%s" "%s"' % (referer, agent)

    return make


@pytest.fixture
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The file access.log with the text LOG of the module."""
    path = tmp_path / "access.log"
    path.write_bytes(request.module.LOG)
    return path


@pytest.fixture
def start(fasturl_environment: dict[str, str]) -> Iterator[Start]:
    """A function that starts the command: start("parse", path, env={...}, stdout=...). The test's end kills it."""
    processes: list[subprocess.Popen[bytes]] = []

    def run(*arguments: str | Path, env: dict[str, str] | None = None, **streams: Any) -> "subprocess.Popen[bytes]":
        command = [*COMMAND, *map(str, arguments)]
        processes.append(subprocess.Popen(command, env={**fasturl_environment, **(env or {})}, **streams))
        return processes[-1]

    yield run
    for process in processes:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
