"""Do the examples of docs/cli.md, run one after the other in one folder, print what the page says?"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def examples() -> list[tuple[str, str]]:
    """Each command of the page's console blocks, with the lines that follow it."""
    found = []
    page = PAGE.read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = piece.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.skipif(os.name != "posix" or not shutil.which("sh"), reason="the page needs a POSIX shell")
def test_the_page(tmp_path: Path, fasturl_environment: dict[str, str]) -> None:
    pytest.importorskip("click")
    tools = tmp_path / "bin"
    work = tmp_path / "work"
    tools.mkdir()
    work.mkdir()
    command = tools / "fasturl"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fasturl "$@"\n')
    command.chmod(0o755)
    environment = {**fasturl_environment, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    tried = 0
    for line, expected in examples():
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=work,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
        )
        assert done.stdout.decode() == expected, line
        tried += 1
    assert tried > 10
