"""The commands of the README and CONTRIBUTING.md exist, and name what is missing."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from published import absolute

from bench import plots
from fasturl._extras import pip_install

ROOT = Path(__file__).resolve().parents[2]
README = ROOT.joinpath("README.md").read_text(encoding="utf-8")
RUN = ROOT / "tools" / "run.py"


def run(*arguments: str, **changed: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **changed}
    return subprocess.run([sys.executable, str(RUN), *arguments], env=environment, capture_output=True, text=True)


def test_the_first_half_has_both_commands_of_a_clone() -> None:
    lines = README.splitlines()
    first_half = "\n".join(lines[: (len(lines) + 1) // 2]).partition("\n## From a clone\n")[2]
    for command in ("demo", "test"):
        assert re.search(rf"^python3 tools/run\.py {command}\b", first_half, re.MULTILINE)
    offered = run("--help").stdout
    assert "demo" in offered and "test" in offered


def test_links_within_the_project_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.joinpath("docs").rglob("*.md")]
    links = 0
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", target):
                assert page.parent.joinpath(target).exists(), f"{page.name} links to {target}"
                links += 1
    assert links > 3


def test_the_published_readme_has_absolute_links_and_pictures() -> None:
    base = "https://code.example/me/it"
    targets = re.findall(r'(?:\]\(|src="|srcset=")([^)"]+)', absolute(README, base))
    files = [re.sub(rf"{base}/(blob|raw)/main/|#.*", "", target) for target in targets if target.startswith(base)]
    assert len(files) > 20 and all(ROOT.joinpath(file).exists() for file in files)
    assert all(target.startswith(("https://", "#")) for target in targets)


def test_files_that_pages_name_are_there() -> None:
    folders = r"(?:src|tests|tools|bench|docs|grammar|fuzz|proofs|packaging|\.github)"
    path = re.compile(rf"(?<![\w/.-]){folders}/[\w./-]+\.(?:py|h|c|pyx|md|bnf|abnf|csv|yml)\b")
    named = 0
    for page in (*ROOT.glob("*.md"), *ROOT.glob("[bfp]*/README.md"), *ROOT.joinpath("docs").rglob("*.md")):
        for name in path.findall(page.read_text(encoding="utf-8")):
            if not re.search("NAME|FOLDER|COMMAND", name):
                assert ROOT.joinpath(name).exists() or page.parent.joinpath(name).exists(), f"{page.name} names {name}"
                named += 1
    assert named > 100


# Generated lists, tables of measurements, fenced code and interpreter sessions.
NOT_PROSE = re.compile(
    r"<!-- (?P<name>[\w-]+): (?:begin|written).*?<!-- (?:(?P=name): end|end of (?P=name)) -->|"
    r"<!-- made: (?P<list>\w+) -->.*?<!-- end of (?P=list) -->|"
    r"^ *```.*?^ *```$|^ {4,}(?:>>>|\.\.\.).*?(?=\n\n|\Z)",
    re.DOTALL | re.MULTILINE,
)


def test_the_pages_stay_short() -> None:
    names = ("README.md", "CONTRIBUTING.md", "bench/README.md")
    pages = {page for page in ROOT.joinpath("docs").rglob("*.md") if page.parent.name != "api"}
    pages -= {ROOT / "docs" / "commands.md", ROOT / "docs" / "findings.md"}
    texts = [NOT_PROSE.sub("", page.read_text("utf-8")) for page in (*(ROOT / name for name in names), *pages)]
    assert 10_000 < sum(len(re.findall(r"\S*\w\S*", text)) for text in texts) <= 30_000


# Per 1,000 words: what a page that speaks to its reader has, and what a reader must read twice.
AT_LEAST = {r"your?": 6, r"when": 2, r"for example|such as": 3}
AT_MOST = {r"of": 18, r"ones?|those|its|theirs?|none": 6}


def test_the_pages_speak_to_the_reader() -> None:
    """Count over README and all pages, with the reference from docstrings, without code, tables and headings."""
    pages = [ROOT / "README.md", *ROOT.joinpath("docs").rglob("*.md")]
    text = "\n".join(NOT_PROSE.sub("", page.read_text("utf-8")) for page in pages)
    text = re.sub(r"^(?: {4}|[|#]).*$|<[^>]+>|`[^`]*`|\]\([^)]*\)", "", text, flags=re.MULTILINE)
    words = len(re.findall(r"[A-Za-z']+", text)) / 1000
    assert words > 30

    def rate(pattern: str) -> float:
        return len(re.findall(rf"\b(?:{pattern})\b", text, re.IGNORECASE)) / words

    assert {pattern: rate(pattern) for pattern, least in AT_LEAST.items() if rate(pattern) < least} == {}
    assert {pattern: rate(pattern) for pattern, most in AT_MOST.items() if rate(pattern) > most} == {}
    assert text.count(";") <= words


# Without the pages whose code is in docstrings and measurements, and pages that only include another page.
PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in sorted(ROOT.joinpath("docs").rglob("*.md"))
    if page.parent.name != "api" and page.name != "speed.md" and "<!-- include:" not in page.read_text("utf-8")
]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_ends_with_what_to_read_next(page: str) -> None:
    last = re.split(r"^## ", ROOT.joinpath(page).read_text("utf-8"), flags=re.MULTILINE)[-1]
    assert re.fullmatch(r"See also\n\n(- \S.*\n)+", last)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *PAGES])
def test_code_fits_88_columns(page: str) -> None:
    """The site shows this many beside both lists of links on a screen of 1280 pixels, and a code host no more."""
    blocks = re.findall(r"^ *```.*?^ *```$", ROOT.joinpath(page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert [line for block in blocks for line in block.splitlines() if len(line) > 88] == []


def test_make_targets_that_are_named_exist() -> None:
    rules = re.findall(r"^([a-z][\w%-]*):", ROOT.joinpath("Makefile").read_text(), re.MULTILINE)
    known = re.compile("|".join(rule.replace("%", r"[\w-]+") for rule in rules))
    text = README + ROOT.joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)make ([a-z][\w-]*)", text, re.MULTILINE))
    assert named and all(known.fullmatch(name) for name in named)


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is found by setuptools there")
def test_a_missing_compiler_is_one_clear_line() -> None:
    done = run("test", CC="no-such-compiler")
    assert done.returncode == 2
    assert done.stderr == "tools/run.py: there is no C compiler 'no-such-compiler', which CC names\n"


def test_the_first_screen_says_what_it_is_and_shows_three_examples() -> None:
    """In this order: the tagline, three bullets, the status with its command, examples, and when not to use it."""
    screen = README.partition("\n## From a clone")[0]
    parts = (
        r"^fasturl is a faster `urllib\.parse` .+\.\n\n(- \*\*.+\n(  .+\n)*){3}\n",
        r"^\*\*Status:\*\* nothing is released yet",
        r"^pip install '\.\[cli\]'",
        r"^## Replace `urllib\.parse`\n",
        r"^## Find out what is wrong with a URL\n",
        r"^## Ask a log\n",
        r"^## Not for you if …\n",
    )
    starts = [found.start() for part in parts for found in re.finditer(part, screen, re.MULTILINE)]
    assert len(starts) == len(parts) and starts == sorted(starts)
    examples = re.split("^## ", screen, flags=re.MULTILINE)[1:4]
    assert all(re.search(r"^```(python\n>>> |console\n\$ )", example, re.MULTILINE) for example in examples)


def test_where_next_is_short() -> None:
    rows = re.findall(r"^\|.*", README.partition("\n## Where next\n")[2], re.MULTILINE)[2:]
    assert 4 <= len(rows) <= 8


def test_the_figures_of_the_first_screen_are_those_of_the_tables() -> None:
    call = next(row for row in plots.table("docs/speed.md", "operation") if row["operation"] == "urlsplit")
    ours, theirs = plots.number(call["fasturl ns"]), plots.number(call["urllib ns"])
    assert f"`urlsplit` takes {ours:.0f} ns here and {theirs:,.0f} ns in `urllib.parse`" in README


# A question, the page that answers it, and what its answer names.
QUESTIONS = {
    "top paths by 5xx": ("docs/cli.md", "stats -q --table server_error"),
    "drop utm and redact before sharing a log": ("docs/cli.md", "--redact secrets --drop 'utm_*'"),
    "is this URL safe to fetch": ("docs/guides/fetch.md", "fasturl.is_fetchable("),
    "replace urllib in Django": ("docs/replace-urllib.md", "`fasturl.install()`"),
    "hosts of a billion URLs in Spark": ("docs/guides/regex.md", "engines.spark import parse"),
    "why is my URL invalid": ("docs/guides/invalid.md", "problems("),
    "regular expressions to columns": ("docs/guides/regex.md", "logs.read("),
    "log formats of nginx": ("docs/formats.md", "log_format"),
    "nginx format of your own": ("docs/formats.md", "log_format timed"),
    "add a format": ("docs/formats.md", "tests/logsamples.txt"),
    "Django": ("docs/replace-urllib.md", "`settings.py`"),
    "hosts in Spark on S3": ("docs/guides/regex.md", 'parquet("s3a://'),
    "redact passwords": ("docs/redaction.md", "`redact(url)`"),
    "finding BAD_ESCAPE": ("docs/findings.md", "write a literal '%' as %25"),
    "speed of urlsplit": ("docs/speed.md", "urllib ns"),
    "threads": ("docs/threads.md", "may threads share it?"),
    "forks": ("docs/threads.md", "a child can call every function"),
    "Pythons and wheels": ("docs/installation.md", "CPython 3.11 to 3.15"),
    "lists of hosts": ("docs/guides/host-lists.md", "HostList("),
    "database URLs": ("docs/guides/database-urls.md", "postgresql"),
    "commands for ftp": ("docs/schemes/files.md", "commands()"),
    "your own scheme": ("docs/schemes/others.md", "register("),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_two_clicks_from_the_first_page(question: str) -> None:
    """The first click opens the page, or its folder's page. A section there has all words and the answer."""
    page, answer = QUESTIONS[question]
    folder = ROOT.joinpath(page).with_name("README.md")
    if f"]({page}" not in README:
        assert f"]({page.rpartition('/')[0]})" in README and f"]({Path(page).name})" in folder.read_text("utf-8")
    title, *sections = re.split(r"^#", ROOT.joinpath(page).read_text("utf-8").lower(), flags=re.MULTILINE)
    words = set(question.lower().split()) - {"a", "of", "in", "and", "by", "is", "to", "this", "my", "before"}
    found = [section for section in (title, *sections) if words <= set(re.findall(r"\w+", f"{sections[0]} {section}"))]
    assert any(answer.lower() in section for section in found), "the second click"


# The extra that each name in an example needs.
EXTRAS = {
    "domains": r">>> .*\b(registrable_domain|public_suffix|subdomain)\(",
    "arrow": r">>> (from fasturl import (arrow|logs)|import fasturl\.(arrow|logs))\b",
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_examples_name_their_extra(extra: str) -> None:
    tried = 0
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        if "engines" in page.relative_to(ROOT).parts or not re.search(EXTRAS[extra], text):
            continue  # an engine has an extra of its own
        assert re.search(rf"pip install '[.\w]*\[[\w,]*\b{extra}\b", text), page
        tried += 1
    assert tried > 1


def test_the_example_of_a_log_names_the_extra_that_is_missing() -> None:
    example = re.search(r"^>>> from fasturl import logs\n(>>> .*\n)+", README, re.MULTILINE)
    assert example
    code = "\n".join(line.removeprefix(">>> ") for line in example[0].splitlines())
    command = [sys.executable, "-c", f"import sys\nsys.modules['pyarrow'] = None\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("fasturl.logs.read needs pyarrow: " + pip_install("arrow"))


def test_no_name_is_documented_twice() -> None:
    names = re.findall(
        r"^<!-- ::: (\S+)", "\n".join(page.read_text("utf-8") for page in ROOT.glob("docs/api/*.md")), re.MULTILINE
    )
    assert len(names) == len(set(names)) > 50
