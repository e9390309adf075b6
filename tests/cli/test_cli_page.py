"""The commands on the pages print the output on the pages. Each page has a folder of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from clihelpers import need_altair, posix

ROOT = Path(__file__).resolve().parents[2]

# Pages, with the minimum number of their commands.
PAGES = [
    ("docs/cli.md", 36),
    ("docs/formats.md", 7),
    ("README.md", 3),
    ("docs/guides/give-a-log-away.md", 4),
    ("docs/guides/questions-to-a-log.md", 12),
    ("docs/guides/routes.md", 8),
    ("docs/rfc3986.md", 3),
]  # fmt: skip


def examples(name: str) -> list[tuple[str, str]]:
    """Return each command of the page's console blocks, with the lines after it."""
    found = []
    page = ROOT.joinpath(name).read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command = re.match(r"(?:.*\\\n)*.*", piece)  # a line that ends with a backslash continues
            assert command is not None
            found.append((command[0], piece[command.end() + 1 :]))
    return found


@pytest.mark.long
@posix
@pytest.mark.parametrize(("name", "at_least"), PAGES)
def test_commands_on_the_page_print_its_output(
    name: str, at_least: int, tmp_path: Path, fasturl_environment: dict[str, str]
) -> None:
    if any("fasturl report" in line for line, _ in examples(name)):
        need_altair()
    tools = tmp_path / "bin"
    work = tmp_path / "work"
    tools.mkdir()
    work.mkdir()
    command = tools / "fasturl"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fasturl "$@"\n')
    command.chmod(0o755)
    environment = {**fasturl_environment, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    tried = 0
    for line, expected in examples(name):
        done = subprocess.run(
            ["sh", "-c", line], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60
        )
        assert done.stdout.decode() == expected, line
        tried += 1
    assert tried >= at_least


def test_every_page_with_commands_is_listed() -> None:
    pages = [ROOT / "README.md", *ROOT.joinpath("docs").rglob("*.md")]
    with_commands = {page.relative_to(ROOT).as_posix() for page in pages if "\n```console\n" in page.read_text("utf-8")}
    assert with_commands == {name for name, _ in PAGES}
