"""Help, versions, completion, advice in errors, and imports of the command."""

import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pyarrow
import pytest
from clihelpers import need_altair, posix

import fasturl as library
from fasturl._fastparse import _kernels
from fasturl.cli.app import _COMMANDS, main
from fasturl.logs.columns import COLUMNS, MEANINGS, REFERER_COLUMNS, ROUTE
from fasturl.logs.formats.catalog import LOG_NAMES, USUAL
from fasturl.logs.formats.kernel_logs import PREFIXES


@pytest.fixture
def folder(tmp_path: Path, make_clf: Callable[..., bytes]) -> Path:
    """The files that the examples read."""
    log = make_clf(b"GET /a?b HTTP/1.1", b"http://r.example:8080/x") + b"\n" + make_clf(status=b"404") + b"\n"
    (tmp_path / "access.log").write_bytes(log)
    (tmp_path / "urls.txt").write_bytes(b"http://h.example/a%20b\nhttp://h.example:x/\n")
    (tmp_path / "notes.txt").write_bytes(b"See <URL:http://h.example/a> or http://h.example/b.\n")
    return tmp_path


@pytest.mark.long
@posix
@pytest.mark.parametrize("command", _COMMANDS)
def test_the_two_examples_of_a_commands_help_run(
    fasturl: Callable[..., Any], fasturl_environment: dict[str, str], folder: Path, command: str
) -> None:
    if command == "sql":
        pytest.importorskip("duckdb", reason="queries need duckdb")
    if command == "report":
        need_altair()
    text = fasturl(command, "--help").out.decode()
    lines = re.findall(r"^ +\$ (.*)$", text.partition("Examples:")[2], re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        assert line.startswith(f"fasturl {command} ")
        # check ends with 1 if it finds a fault.
        run_example(line, fasturl_environment, folder, (0, 1) if command == "check" else (0,))


def run_example(line: str, environment: dict[str, str], folder: Path, statuses: tuple[int, ...]) -> None:
    before = set(folder.iterdir())
    run = line.replace("fasturl", f"'{sys.executable}' -m fasturl", 1)
    done = subprocess.run(["sh", "-c", run], cwd=folder, env=environment, capture_output=True, timeout=60)
    assert done.returncode in statuses, (line, done.stderr)
    assert done.stdout or set(folder.iterdir()) - before, line
    assert b"Traceback" not in done.stderr


@pytest.mark.long
@posix
def test_without_arguments_four_commands_to_try_are_shown(
    fasturl: Callable[..., Any], fasturl_environment: dict[str, str], folder: Path
) -> None:
    pytest.importorskip("duckdb", reason="queries need duckdb")
    ran = fasturl()
    assert ran.status == 2 and ran.err == "" and len(ran.lines) <= 12
    lines = re.findall(r"^  (fasturl .*)$", ran.out.decode().replace("\r", ""), re.MULTILINE)
    assert len(lines) == 4 and "`fasturl help`" in ran.out.decode()
    for line in lines:
        run_example(line, fasturl_environment, folder, (0,))


def options_of(command: str) -> list[str]:
    """The last long name of each option."""
    context = click.Context(main, help_option_names=["-h", "--help"])
    made = main.get_command(context, command)
    assert made is not None
    made_options = [param for param in made.get_params(context) if isinstance(param, click.Option)]
    return [[name for name in param.opts if name.startswith("--")][-1] for param in made_options]


def in_groups(text: str) -> dict[str, list[tuple[str, str]]]:
    """The options below each heading, each with its last name and the rest of the first line."""
    groups = re.findall(r"^([\w ]+):\n((?:  .*\n)+)", text.replace("\r", ""), re.MULTILINE)
    option = re.compile(r"^  (?:-\w, |--log-format, )?(--[\w-]+)(.*)", re.MULTILINE)
    found = {heading: option.findall(lines) for heading, lines in groups}
    return {heading: options for heading, options in found.items() if options}


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_short_help_fits_a_screen_and_names_every_option(fasturl: Callable[..., Any], command: str) -> None:
    text = fasturl(command, "--help").out.decode().replace("\r", "")
    lines = text.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80
    brief, mark, rest = text.partition(f"\nMore options (`fasturl help {command}` explains all):\n")
    groups = in_groups(brief)
    shown = [name for options in groups.values() for name, _ in options]
    assert mark and sorted(shown + rest.split()) == sorted(options_of(command))
    # One line for each option, with its names, their value, and what it does.
    assert all(re.fullmatch(r"(?: [A-Z]\S*)*  +\S.*", told) for options in groups.values() for _, told in options)
    headings = re.findall(r"^(\w[\w ]*):$", brief, re.MULTILINE)
    assert headings == ["Examples", *groups] and len(re.findall("^  ", brief, re.MULTILINE)) == len(shown) + 2 + len(
        brief.partition("\n\n")[2].partition("\n\n")[0].splitlines()
    )


GROUPS = {
    "parse": ["Input", "Which rows", "Redaction", "Output", "Errors"],
    "sql": ["Input", "Which rows", "Redaction", "Output"],
    "stats": ["Input", "Which rows", "Redaction", "Output"],
    "report": ["Input", "Which rows", "Redaction", "Output"],
    "quote": ["Input", "Output"],
}


@pytest.mark.parametrize("command", GROUPS)
def test_the_options_of_a_complete_help_are_grouped(fasturl: Callable[..., Any], command: str) -> None:
    ran = fasturl("help", command)
    groups = in_groups(ran.out.decode())
    assert ran.status == 0 and list(groups) == GROUPS[command]
    options = options_of(command)
    assert sorted(name for names in groups.values() for name, _ in names) == sorted(options)
    # 26, --time-from and --time-to, which need no SQL, --redact-user and --redact-as, --routes and its syntax,
    # --allow-rejects, --allow-truncated, --trusted-proxies, --anonymize-client, and --help. stats also has --compare
    # and --every
    assert len(options) <= 36 + 2 * (command == "stats")


FINDINGS = [str(finding.name) for finding in library.Finding]


@pytest.mark.parametrize(
    ("topic", "members"),
    [
        ("formats", [*LOG_NAMES, "URLS", *PREFIXES, "--map", "--log-format"]),
        ("fields", [*COLUMNS, ROUTE]),
        ("findings", FINDINGS),
        ("redaction", [*library.SECRET_KEYS, "--redact", "--redact-user", "--redact-as", "--drop", "--show-password"]),
    ],
)
def test_a_topic_of_help_lists_all_members_of_its_table(
    fasturl: Callable[..., Any], topic: str, members: list[str]
) -> None:
    ran = fasturl("help", topic)
    assert ran.status == 0 and max(map(len, ran.lines)) <= 80
    assert {*members} <= {*re.split(r",?\s+", ran.out.decode())}


def test_help_lists_nginx_and_apache_first(fasturl: Callable[..., Any]) -> None:
    listed = re.findall(r"^  ([A-Z][A-Z0-9]+)  ", fasturl("help", "formats").out.decode(), re.MULTILINE)
    assert listed[:3] == ["NGINX", "APACHE", "COMBINED"] and listed[-1] == "URLS"
    assert listed[len(USUAL) : -1] == sorted(listed[len(USUAL) : -1]) and sorted(listed[:-1]) == sorted(LOG_NAMES)


def test_each_column_has_a_meaning() -> None:
    assert {*MEANINGS} == {*COLUMNS, ROUTE} - {*REFERER_COLUMNS}


def test_help_explains_a_finding_and_suggests_names(fasturl: Callable[..., Any]) -> None:
    told = " ".join(fasturl("help", "bad_escape").out.decode().split())
    for text in ("sentence", "example", "reason", "advice"):
        assert getattr(library.Finding.BAD_ESCAPE, text) in told
    for wrong, meant in (("field", "fields"), ("prase", "parse"), ("BAD_ESCAP", "BAD_ESCAPE")):
        ran = fasturl("help", wrong)
        assert ran.status == 2 and ran.err == f"fasturl: unknown topic '{wrong}'; did you mean {meant}?\n"
    assert "there are: parse, " in fasturl("help", "xyzzy").err
    ran = fasturl("help")
    assert ran.out == fasturl("--help").out and len(ran.lines) <= 40 and max(map(len, ran.lines)) <= 80


def test_version_shows_versions_and_kernel(fasturl: Callable[..., Any]) -> None:
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
        # fish passes the word at the cursor, the others its index.
        at = words[-1] if shell == "fish" else str(len(words))
        ran = fasturl(_FASTURL_COMPLETE=f"{shell}_complete", COMP_WORDS=line, COMP_CWORD=at)
        assert ran.status == 0 and ran.err == ""
        return re.findall(r"[\w-]+", ran.out.decode())

    assert "stats" in offered("st") and "parse" not in offered("st")
    assert "--rejects" in offered("parse", "--rej")
    assert "parquet" in offered("parse", "--to", "parq")
    assert "COMBINED" in [word.upper() for word in offered("stats", "--log-format", "COMB")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_names_the_command(fasturl: Callable[..., Any], shell: str) -> None:
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("click asks bash for its version")
    ran = fasturl(_FASTURL_COMPLETE=f"{shell}_source")
    assert ran.status == 0 and b"fasturl" in ran.out and f"{shell}_complete".encode() in ran.out


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_bash_runs_the_completion_line_of_the_page(
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
        (["parse", "--log-format", "SQUID"], b"GET / HTTP/1.1\n" * 1000, "try another --log-format, or none"),
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
def test_an_error_names_the_option_to_try(
    fasturl: Callable[..., Any], tmp_path: Path, arguments: list[str], stdin: bytes, advice: str
) -> None:
    ran = fasturl(*arguments, stdin=stdin, cwd=tmp_path)
    assert ran.status == 2 and advice in ran.err


RUN = """
import json, sys
from fasturl.cli.app import call
status = call(sys.argv[1:])
found = [name for name in ("numpy", "pandas", "cloudpickle") if name in sys.modules]
import numpy, pyarrow.compute
print(json.dumps([status, found, numpy.arange(3).tolist()]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [
        ("parse", "log", "--to", "jsonl", "-q"),
        ("parse", "log", "--output", "made.parquet", "-q"),
        ("parse", "log", "--output", "made.arrow", "-q"),
        ("check", "log", "-q"),
        ("stats", "log", "-q"),
        ("sql", "select count(*) from urls", "log", "-q"),
    ],
    ids=lambda words: " ".join(words),
)
def test_a_run_imports_no_numpy_and_a_later_import_works(
    words: tuple[str, ...], tmp_path: Path, fasturl_environment: dict[str, str]
) -> None:
    pytest.importorskip("numpy", reason="a module that is not installed is not imported")
    if words[0] in ("sql", "stats"):
        pytest.importorskip("duckdb", reason="the command needs duckdb")
    (tmp_path / "log").write_bytes(b"http://h.example/a?b=c\nhttp://h.example:x/\n")
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words], cwd=tmp_path, env=fasturl_environment, capture_output=True, timeout=60
    )
    status, found, numbers = json.loads(done.stderr.splitlines()[-1])
    assert status == (1 if words[0] == "check" else 0), done.stderr
    assert found == [] and numbers == [0, 1, 2]


def test_a_mistyped_command_gets_a_suggestion(fasturl: Callable[..., Any]) -> None:
    ran = fasturl("stat", "access.log")
    assert ran.status == 2 and "unknown command 'stat'; did you mean stats?" in ran.err
    assert "did you mean parse?" in fasturl("prase").err and "did you mean help formats?" in fasturl("formats").err
    ran = fasturl("\x1b[31mxyzzy")
    assert ran.status == 2 and "there are: parse, stats" in ran.err and "\x1b" not in ran.err
    assert fasturl("--stat").status == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("parse -F status,ip", "--fields: unknown column 'ip'; did you mean client?"),
        ("parse -F xyzzyq", "--fields: unknown column 'xyzzyq'; `fasturl help fields` lists all columns"),
        ("parse -g {code}", "--get: unknown column 'code'; did you mean status?"),
        ("parse --map bytes=a", "--map: unknown column 'bytes'; did you mean size?"),
        ("parse --log-format ngnix", "--log-format: unknown format 'ngnix'; did you mean NGINX?"),
        ("parse --log-format clf", "--log-format: unknown format 'clf'; did you mean COMMON?"),
        ("stats -t ip", "'-t' / '--table': unknown value 'ip'; did you mean client?"),
        ("stats -t statu", "'-t' / '--table': unknown value 'statu'; did you mean status?"),
        ("stats -t url", "'-t' / '--table': unknown value 'url'; did you mean path?"),
        ("stats -t date", "'-t' / '--table': unknown value 'date'; did you mean hour?"),
        ("stats --by bytes", "'--by': unknown value 'bytes'; did you mean size?"),
        ("stats --timezone Europe/Berln", "unknown time zone 'Europe/Berln'; did you mean Europe/Berlin?"),
        ("parse --where ua=''", "--where: unknown column 'ua'; did you mean agent?"),
        ("stats --where referrer=''", "--where: unknown column 'referrer'; did you mean referer?"),
        ("sql SELECT-ip-FROM-requests", "QUERY: unknown column 'ip'; did you mean client?"),
        ("sql SELECT-r.date-FROM-requests-r", "QUERY: unknown column 'date'; did you mean time?"),
        ("sql SELECT-code-FROM-rejects", "QUERY: unknown column 'code'; there are: file, line, text"),
        ("sql SELECT-1-FROM-url", "QUERY: unknown table 'url'; did you mean urls?"),
        ("sql SELECT-domain-FROM-urls --where uri=''", "--where: unknown column 'uri'; did you mean "),
        ("sql SELECT-domain-FROM-urls", "QUERY: unknown column 'domain'; did you mean host?"),
    ],
)
def test_an_unknown_name_gets_the_nearest_name(
    fasturl: Callable[..., Any], folder: Path, arguments: str, told: str
) -> None:
    if "sql" in arguments or "--where" in arguments:
        pytest.importorskip("duckdb", reason="queries need duckdb")
    ran = fasturl(*(word.replace("-", " ") if word.startswith("SELECT") else word for word in arguments.split()),
                  "access.log", cwd=folder)  # fmt: skip
    assert ran.status == 2 and told in ran.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["parse", "--where", "status = "], "--where: Parser Error: syntax error"),
        (["stats", "--where", "path::int = 1"], "--where: Conversion Error: Could not convert a text to INT32"),
        (["sql", "SELEC 1"], "QUERY: Parser Error: syntax error"),
        (["sql", "SELECT path::int FROM requests"], "QUERY: Conversion Error: Could not convert a text to INT32"),
        (["sql", "SELECT path::date FROM requests"], "QUERY: Conversion Error: invalid date field format: a text"),
        (["sql", "SELECT 1 FROM requests", "--where", "path::int = 1"], "QUERY or --where: Conversion Error: "),
        (["sql", "SELECT foo(1) FROM requests", "--where", "status > 1"], "QUERY: Catalog Error: "),
        (["sql", "SELECT status + path FROM requests"], "QUERY: Binder Error: No function matches"),
        (["sql", "LOAD json"], "QUERY: INSTALL, LOAD and UPDATE EXTENSIONS are refused"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_error_of_duckdb_names_the_option_and_quotes_no_value(
    fasturl: Callable[..., Any], folder: Path, arguments: list[str], told: str
) -> None:
    pytest.importorskip("duckdb", reason="queries need duckdb")
    ran = fasturl(*arguments, "access.log", cwd=folder)
    assert ran.status == 2 and ran.err.startswith(f"fasturl: {told}") and ran.err.count("\n") == 1
    assert "/a" not in ran.err and "fasturl_row" not in ran.err and not ran.err.endswith(":\n")


def test_explain_suggests_a_scheme(fasturl: Callable[..., Any]) -> None:
    assert re.search(rb"^did you mean +http:\r?$", fasturl("explain", "htpp://h.example/").out, re.MULTILINE)
    for url in ("tel:+1555", "sftp://h.example/", "http://h.example/"):
        assert b"did you mean" not in fasturl("explain", url).out


@posix
def test_reading_from_a_terminal_is_announced() -> None:
    import pty

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "fasturl", "parse"]
    process = subprocess.Popen(command, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(follower)
    assert process.stderr is not None
    assert b"fasturl reads from this terminal; Ctrl-D ends the input" in process.stderr.readline()
    os.write(leader, b"http://h/a\n\x04")
    out, _ = process.communicate(timeout=60)
    os.close(leader)
    assert json.loads(out)["path"] == "/a" and process.returncode == 0


@posix
@pytest.mark.parametrize("module", ["click", "fasturl.cli.app", "fasturl.cli.parsing"])
def test_ctrl_c_during_the_start_is_silent(fasturl_environment: dict[str, str], module: str) -> None:
    """Send the signal while a module is imported."""
    program = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "from fasturl.cli.__main__ import run\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv[1:] = ['parse', os.devnull]\n"
        "run()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], env=fasturl_environment, capture_output=True, timeout=60)
    assert done.stdout == done.stderr == b"" and done.returncode in (130, -signal.SIGINT)


def test_the_manual_page_is_the_help(fasturl_environment: dict[str, str]) -> None:
    docs = Path(__file__).parents[2] / "docs"
    text = docs.joinpath("fasturl.1").read_text(encoding="utf-8")
    # In its own process: click keeps the help option of the first context that a command was seen in.
    write = "import sys, manpage; sys.stdout.reconfigure(encoding='utf-8', newline=''); print(manpage.page(), end='')"
    command = [sys.executable, "-c", write]
    made = subprocess.run(command, cwd=docs / "hooks", env=fasturl_environment, capture_output=True, timeout=60)
    assert text == made.stdout.decode(), "run: python3 docs/hooks/manpage.py"
    for name in (*_COMMANDS, "\\-\\-anonymize\\-client", "EXIT STATUS"):
        assert name in text
    if shutil.which("man"):
        warnings = subprocess.run(["man", "--warnings", "-l", docs / "fasturl.1"], capture_output=True, timeout=60)
        assert warnings.stderr == b"" and b"FASTURL(1)" in warnings.stdout
