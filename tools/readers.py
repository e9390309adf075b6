"""Compare fourteen readers of URLs with AMBIGUOUS_AUTHORITY (docs/readers.md).

Each reader tells the scheme, login, host and port of a text, or refuses it. The texts are seeded mutations
(tests/readers/hostile_texts.py) and, with --urls, the lines of a file. The program checks the goals of the flag, and
writes a sample of the readings as JSON lines, for the tests of other libraries.

    python tools/readers.py --count 200000 --seed 1 --urls ../shared/data/urls.txt --output readers.jsonl

The readers in other languages are in tools/reader_programs/: Node, curl, Go, Java (URI and URL), PHP, Ruby and Perl. One
process per reader reads one line per text, "x" and the hexadecimal digits of its UTF-8, and answers one line per text:
"!" for a refusal, or scheme, user, password, host and port, each in hexadecimal digits, or "-" if empty or absent.
A reader whose program is missing is skipped.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tools" / "reader_programs"
sys.path.insert(0, str(ROOT / "tests" / "readers"))

import hostile_texts  # noqa: E402
from python_readers import Reading, attempt, disagree, installed, reading, versions  # noqa: E402

# Reader: its command, the command that builds it, and the command that tells its version. {bin} is a scratch folder.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "node": ("node {src}/reader.js", "", "node --version"),
    "curl": ("{bin}/curl", "cc -O1 -o {bin}/curl {src}/reader.c -lcurl", "curl-config --version"),
    "go": ("{bin}/go", "go build -o {bin}/go {src}/reader.go", "go version"),
    "java.net.URI": ("java -cp {bin} Reader URI", "javac -d {bin} {src}/Reader.java", "javac --version"),
    "java.net.URL": ("java -cp {bin} Reader URL", "javac -d {bin} {src}/Reader.java", "javac --version"),
    "php": ("php {src}/reader.php", "", "php -r echo(PHP_VERSION);"),
    "ruby": ("ruby {src}/reader.rb", "", "ruby --version"),
    "perl": ("perl {src}/reader.pl", "", "perl -MURI -e print(URI->VERSION)"),
}


def run(command: str, folder: str) -> list[str]:
    return [word.format(bin=folder, src=PROGRAMS) for word in command.split()]


def build_programs(folder: str) -> dict[str, list[str]]:
    """Build the readers in other languages that this machine can run; return the command of each."""
    found = {}
    for name, (command, build, version) in COMMANDS.items():
        try:
            told = subprocess.run(run(version, folder), capture_output=True, text=True, check=True).stdout
            if build:
                subprocess.run(run(build, folder), capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{name}: skipped ({error})", file=sys.stderr)
            continue
        found[name] = run(command, folder)
        VERSIONS[name] = " ".join(told.split())
    return found


VERSIONS: dict[str, str] = {}


def parsed(answer: str) -> Reading | None:
    if answer == "!":
        return None
    return reading(*("" if one == "-" else bytes.fromhex(one).decode("utf-8", "replace") for one in answer.split(" ")))


def ask(command: list[str], texts: list[str]) -> list[Reading | None]:
    """Run one reader in another language on all texts."""
    lines = "".join(f"x{text.encode().hex()}\n" for text in texts)
    told = subprocess.run(command, input=lines, capture_output=True, encoding="latin-1", check=True).stdout.splitlines()
    if len(told) != len(texts):
        raise RuntimeError(f"{command[0]} answered {len(told)} of {len(texts)} texts")
    return [parsed(answer) for answer in told]


def all_readings(texts: list[str], programs: dict[str, list[str]]) -> dict[str, list[Reading | None]]:
    found = {name: [attempt(read, text) for text in texts] for name, read in installed().items()}
    return found | {name: ask(command, texts) for name, command in programs.items()}
