"""Compare fourteen readers of URLs with AMBIGUOUS_AUTHORITY (docs/readers.md).

Each reader tells the scheme, login, host and port of a text, or refuses it. The texts are seeded mutations
(tests/readers/hostile_texts.py) and, with --urls, the lines of a file. The program checks the goals of the flag, and
writes a sample of the readings as JSON lines, for the tests of other libraries. Exit status 1: a goal is missed.

    at least 99.9 % of the texts that two readers read differently are flagged
    at most 10 % of the texts that nine or more readers read alike are flagged
    no URL of --urls that the readers read alike is flagged

    python tools/readers.py --count 200000 --seed 1 --urls ../shared/data/urls.txt --output readers.jsonl

The readers in other languages are in tools/reader_programs/: Node, curl, Go, Java (URI and URL), PHP, Ruby and Perl.
One process per reader reads one line per text, "x" and the hexadecimal digits of its UTF-8. It answers one line per
text: "!" for a refusal, or scheme, user, password, host and port, each in hexadecimal digits, or "-".
A reader whose program is missing is skipped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tools" / "reader_programs"
sys.path.insert(0, str(ROOT / "tests" / "readers"))

import hostile_texts  # noqa: E402
from python_readers import Reading, attempt, disagree, installed, is_flagged, reading, versions  # noqa: E402

VERSIONS: dict[str, str] = {}
LINES = 20_000  # of --output
MOST = 9  # readers that make a majority of the fourteen
MARKS = ("<!-- readings: written by tools/readers.py --page -->", "<!-- end of readings -->")
# The texts of the page.
EXAMPLES = [
    *("http://example.com/", "http://user:pa:ss@example.com/", "http://a@b@example.com/", "http://b\xfccher.example/"),
    *("http:/evil.example/", "http:evil.example/", "http:///evil.example/", "http:\\\\evil.example/"),
    *("x:/evil.example/", "http://good.example\\@evil.example/", "http://good.example:80\\@evil.example/"),
    *("//good.example\\@evil.example/", "http://0177.0.0.1/", "http://2130706433/", "http://0x7f.1/"),
    *("http://127.0.0.1./", "http://127%2e0%2e0%2e1/", "http://ex%61mple.com/", "http://stra\xdfe.example/"),
    *("http://\uff45vil.example/", "http://good.example\u3002evil.example/", "http://[fe80::1%25eth0]/"),
    *("http://x[::1]/", "http://example.com:/", "http://example.com:0/", "http://example.com:8_0/"),
    *("a.b://example.com/", "example.com/", "localhost:3000", "ht\ttp://example.com/", "http://exam\tple.com/"),
    *(" http://example.com/", "file://localhost/etc/hosts", "file://C:/x", "http://good.example#@evil.example/"),
]  # fmt: skip

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


def parsed(answer: str) -> Reading | None:
    if answer == "!":
        return None
    return reading(*("" if one == "-" else bytes.fromhex(one).decode("utf-8", "replace") for one in answer.split(" ")))


def ask(command: list[str], texts: list[str]) -> list[Reading | None]:
    """Run a program on all texts; return its readings."""
    lines = "".join(f"x{text.encode().hex()}\n" for text in texts)
    told = subprocess.run(command, input=lines, capture_output=True, encoding="latin-1", check=True).stdout.splitlines()
    if len(told) != len(texts):
        raise RuntimeError(f"{command[0]} answered {len(told)} of {len(texts)} texts")
    return [parsed(answer) for answer in told]


def all_readings(texts: list[str], programs: dict[str, list[str]]) -> dict[str, list[Reading | None]]:
    found = {name: [attempt(read, text) for text in texts] for name, read in installed().items()}
    return found | {name: ask(command, texts) for name, command in programs.items()}


def measure(texts: list[str], readings: dict[str, list[Reading | None]]) -> dict[str, Any]:
    """Compare the readings of each text with fasturl's flag."""
    found: Counter[str] = Counter()
    missed, needless = [], []
    for text, answers in zip(texts, zip(*readings.values(), strict=True), strict=True):
        flagged = is_flagged(text)
        if disagree(list(answers)):
            found["disagree"] += 1
            found["disagree, flagged"] += flagged
            if not flagged:
                missed.append(text)
        elif sum(answer is not None for answer in answers) >= MOST:
            found["alike"] += 1
            found["alike, flagged"] += flagged
            if flagged:
                needless.append(text)
    return {"texts": len(texts), **found, "missed": missed, "needless": needless}


def share(found: dict[str, Any], kind: str) -> float:
    return float(found.get(f"{kind}, flagged", 0) / max(found.get(kind, 0), 1))


def report(name: str, found: dict[str, Any]) -> None:
    print(
        f"{name}: {found['texts']:,} texts; readers disagree on {found.get('disagree', 0):,}, "
        f"{share(found, 'disagree'):.3%} of them flagged; {MOST} or more read {found.get('alike', 0):,} alike, "
        f"{share(found, 'alike'):.3%} of them flagged"
    )
    for text in found["missed"][:20]:
        print(f"  missed {text!a}")


def json_lines(texts: Iterable[str], readings: dict[str, list[Reading | None]]) -> Iterable[str]:
    """Yield the versions, then one line per text: each reader's host, or null if it refuses the text."""
    yield json.dumps({"versions": VERSIONS})
    for at, text in enumerate(texts):
        row = {name: answers[at] for name, answers in readings.items()}
        hosts = {name: answer and answer.host for name, answer in row.items()}
        yield json.dumps({"text": text, "hosts": hosts})


def page(readings: dict[str, list[Reading | None]], texts: list[str]) -> str:
    """Return the table of docs/readers.md: the readers by their host of each text."""
    rows = ["| text | flagged | hosts, each with the readers that see it |", "|---|---|---|"]
    for at, text in enumerate(texts):
        seen: dict[str, list[str]] = {}
        for name, answers in readings.items():
            answer = answers[at]
            if answer is not None:
                port = f", port {answer.port}" if answer.port else ""
                seen.setdefault(f"`{answer.host}`{port}" if answer.host else "none", []).append(name)
        told = "; ".join(f"{host}: {', '.join(names)}" for host, names in seen.items()) or "refused by all"
        shown = ascii(text)[1:-1].replace("\\\\", "\\").replace("|", "\\|")
        rows.append(f"| `{shown}` | {'yes' if is_flagged(text) else 'no'} | {told} |")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200_000, help="texts per seed")
    parser.add_argument("--seed", action="append", help="a seed; give it again for more texts (default: 1)")
    parser.add_argument("--urls", type=Path, help="a file of real URLs, one per line")
    parser.add_argument("--output", type=Path, help=f"write the readings of {LINES:,} texts here, as JSON lines")
    parser.add_argument("--page", type=Path, help="replace the table of readings of this page")
    options = parser.parse_args()
    VERSIONS.update(versions())
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = build_programs(folder)
        print(", ".join(f"{name} {version}" for name, version in VERSIONS.items()))
        if options.page:
            before, _, rest = options.page.read_text("utf-8").partition(MARKS[0])
            _, _, after = rest.partition(MARKS[1])
            table = page(all_readings(EXAMPLES, programs), EXAMPLES)
            options.page.write_text(f"{before}{MARKS[0]}\n\n{table}\n\n{MARKS[1]}{after}", "utf-8", newline="\n")
        for number, seed in enumerate(options.seed or ["1"]):
            texts = hostile_texts.texts(seed, options.count)
            readings = all_readings(texts, programs)
            found = measure(texts, readings)
            report(f"seed {seed}", found)
            status |= share(found, "disagree") < 0.999 or share(found, "alike") > 0.1
            if options.output and number == 0:
                lines = json_lines(texts[:LINES], readings)
                options.output.write_text("".join(f"{line}\n" for line in lines), "ascii")
        if options.urls:
            texts = options.urls.read_text("utf-8-sig").split()
            found = measure(texts, all_readings(texts, programs))
            report(options.urls.name, found)
            status |= bool(found["needless"])
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
