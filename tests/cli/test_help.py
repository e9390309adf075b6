"""What the command says of itself: examples that run, versions, completion, and errors that name what to try."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import fasturl as library
from fasturl._fastparse import _kernels
from fasturl.cli.app import _COMMANDS

posix = pytest.mark.skipif(os.name != "posix" or not shutil.which("sh"), reason="the examples need a POSIX shell")


@pytest.fixture
def folder(tmp_path: Path, make_clf: Callable[..., bytes]) -> Path:
    """What the examples read, by the names that they use."""
    log = make_clf(b"GET /a?b HTTP/1.1", b"http://r.example:8080/x") + b"\n" + make_clf(status=b"404") + b"\n"
    (tmp_path / "access.log").write_bytes(log)
    (tmp_path / "urls.txt").write_bytes(b"http://h.example/a%20b\nhttp://h.example:x/\n")
    (tmp_path / "notes.txt").write_bytes(b"See <URL:http://h.example/a> or http://h.example/b.\n")
    return tmp_path


@posix
@pytest.mark.parametrize("command", _COMMANDS)
def test_the_two_examples_of_a_commands_help_run(
    fasturl: Callable[..., Any], fasturl_environment: dict[str, str], folder: Path, command: str
) -> None:
    if command == "sql":
        pytest.importorskip("duckdb", reason="queries need duckdb")
    if command == "report":
        pytest.importorskip("altair", reason="reports need altair")
    text = fasturl(command, "--help").out.decode()
    lines = re.findall(r"^ +\$ (.*)$", text.partition("Examples:")[2], re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        assert line.startswith(f"fasturl {command} ")
        before = set(folder.iterdir())
        run = line.replace("fasturl", f"'{sys.executable}' -m fasturl", 1)
        done = subprocess.run(["sh", "-c", run], cwd=folder, env=fasturl_environment, capture_output=True, timeout=60)
        # check ends with 1 when it has found what it looks for.
        assert done.returncode in ((0, 1) if command == "check" else (0,)), (line, done.stderr)
        assert done.stdout or set(folder.iterdir()) - before, line
        assert b"Traceback" not in done.stderr


def test_version_tells_what_a_report_of_a_fault_needs(fasturl: Callable[..., Any]) -> None:
    for option in ("-V", "--version"):
        told = dict(line.split(" ", 1) for line in fasturl(option).out.decode().splitlines())
        assert told["fasturl"] == library.__version__
        assert told["Python"].startswith(f"{platform.python_version()} ({platform.python_implementation()}, ")
        assert told["pyarrow"] == pyarrow.__version__
        assert told["kernel"] in _kernels()
    assert "kernel scalar\n" in fasturl("--version", FASTURL_KERNEL="scalar").out.decode()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_options_and_values(fasturl: Callable[..., Any], shell: str) -> None:
    def offered(*words: str) -> list[str]:
        line = " ".join(["fasturl", *words])
        # fish hands over the word under the cursor, the others its number.
        at = words[-1] if shell == "fish" else str(len(words))
        ran = fasturl(_FASTURL_COMPLETE=f"{shell}_complete", COMP_WORDS=line, COMP_CWORD=at)
        assert ran.status == 0 and ran.err == ""
        return re.findall(r"[\w-]+", ran.out.decode())

    assert "stats" in offered("st") and "parse" not in offered("st")
    assert "--rejects" in offered("parse", "--rej")
    assert "parquet" in offered("parse", "--to", "parq")
    assert "COMBINED" in [word.upper() for word in offered("stats", "--log-format", "COMB")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_names_the_command(fasturl: Callable[..., Any], shell: str) -> None:
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("click asks bash for its version")
    ran = fasturl(_FASTURL_COMPLETE=f"{shell}_source")
    assert ran.status == 0 and b"fasturl" in ran.out and f"{shell}_complete".encode() in ran.out


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_bash_takes_the_script_that_the_page_names(
    fasturl: Callable[..., Any], fasturl_environment: dict[str, str], tmp_path: Path
) -> None:
    command = tmp_path / "fasturl"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fasturl "$@"\n')
    command.chmod(0o755)
    page = Path(__file__).parents[2].joinpath("docs", "cli.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^eval .*bash_source.*$", page, re.MULTILINE)
    asked = "COMP_WORDS=(fasturl ex); COMP_CWORD=1; _fasturl_completion fasturl ex fasturl; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        ["bash", "-c", f"{line}\n{asked}"],
        env={**fasturl_environment, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.split() == ["extract", "explain"], done.stderr


@pytest.mark.parametrize(
    ("arguments", "stdin", "advice"),
    [
        (["parse", "--log-format", "SQUID"], b"GET / HTTP/1.1\n" * 1000, "try --log-format NAME"),
        (["parse", "-c", "url"], b"a;url\n1;http://h/\n", "try --column NAME or --delimiter CHAR"),
        (["parse", "-o", "x.foo"], b"", "--to"),
        (["parse", "--get", "{host}", "--to", "csv"], b"", "--get"),
        (["parse", "-F", "nope"], b"", "--fields"),
        (["parse", "-c", "url", "-0"], b"", "--column"),
        (["parse", "--nope"], b"", "Try 'fasturl parse -h'."),
        (["explain"], b"", "Try 'fasturl explain -h'."),
        (["nope"], b"", "Try 'fasturl -h'."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_error_names_what_to_try(
    fasturl: Callable[..., Any], tmp_path: Path, arguments: list[str], stdin: bytes, advice: str
) -> None:
    ran = fasturl(*arguments, stdin=stdin, cwd=tmp_path)
    assert ran.status == 2 and advice in ran.err
