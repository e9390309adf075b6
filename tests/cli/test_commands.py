"""The commands besides parse, help, and output on a terminal."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from clihelpers import AT_ONCE, Make, Run, on_a_terminal

import fasturl as library
from fasturl.cli.app import main

URLS = b"http://a.example/x\nhttp://A.example/x\nftp://b.example/\nhttp://a.example/y z\nnonsense\n"
HOSTILE_LOG = b'h - - [-] "GET /\x1b]0;title\x07 HTTP/1.1" 200 1 "-" "-"\n' + b'torn \x1b[31m\x9b1m "\n'
SECRET = "http://me:hidden-pw@h/"


def test_help_and_version(fasturl: Run) -> None:
    for arguments in (["-h"], ["--help"]):
        ran = fasturl(*arguments)
        text = ran.out.decode() + ran.err
        assert "Commands:" in text
    assert fasturl("-h").status == 0
    commands = ["parse", "stats", "sql", "check", "extract", "explain", "quote", "unquote"]
    listed = fasturl("-h").out.decode()
    for command in commands:
        assert f"\n  {command} " in listed
        ran = fasturl(command, "-h")
        assert ran.status == 0 and ran.out.startswith(b"Usage: fasturl " + command.encode())
        assert fasturl(command, "--nope").status == 2
    assert fasturl("-V").out.decode().split()[:2] == ["fasturl", library.__version__]
    assert fasturl("nope").status == 2


def test_help_loads_no_command() -> None:
    """Commands, rich and pyarrow are imported on use only."""
    program = (
        "import sys; from fasturl.cli.app import call; call(['extract', sys.argv[1]])\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(loaded & {'rich', 'pyarrow', 'zstandard'}, 'fasturl.cli.commands.stats' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program, os.devnull], capture_output=True, timeout=60)
    assert done.stdout == b"set() False\n", done.stderr


def test_check(fasturl: Run, tmp_path: Path) -> None:
    source = tmp_path / "urls.txt"
    source.write_bytes(b"http://ok/\nhttp://h/a b%zz\x1b\nhttp://u:secret@h:81/\n")
    ran = fasturl("check", source.name, cwd=tmp_path)
    assert ran.status == 1
    places = [" ".join(line.decode().split(": ")[:2]) for line in ran.lines]
    assert places == ["urls.txt:2:11 UNSAFE", "urls.txt:2:13 BAD_ESCAPE", "urls.txt:2:16 CONTROL", "urls.txt:3:8 LOGIN"]
    assert b"\x1b" not in ran.out and b"secret" not in ran.out
    assert "3 URLs: 1 valid, 2 invalid" in ran.err
    assert fasturl("check", "-q", stdin=b"http://ok/\n").status == 0
    hazards = fasturl("check", "-q", "--hazards", stdin=b"ftp://u:p@h/\n")
    assert hazards.status == 0 and b"-:1:9: PASSWORD: " in hazards.out
    assert len(fasturl("check", "--first", source).lines) == 2
    first = json.loads(fasturl("check", "--json", source).lines[0])
    assert first.pop("message") and first.pop("file") and first.pop("field") == "url"
    assert first == {"line": 2, "offset": 10, "end": 11, "finding": "UNSAFE", "url": "http://h/a b%zz\x1b"}


def test_check_a_log(fasturl: Run, make_clf: Make) -> None:
    log = make_clf(b"GET //a/%zz HTTP/1.1", b"http://r/#x") + b"\ntorn\n"
    ran = fasturl("check", "-q", "--log-format", "combined", stdin=log)
    assert [line.decode().split(": ")[:3] for line in ran.lines] == [
        [f"-:1:{log.find(b'%zz') + 1}", "BAD_ESCAPE", "target"],
        [f"-:1:{log.find(b'#x') + 1}", "FRAGMENT", "referer"],
        ["-:2:1", "REJECTED", "the line is not in the format COMBINED"],
    ]
    assert ran.status == 1
    assert fasturl("check", "-q", "--log-format", "combined", stdin=make_clf()).status == 0


@pytest.mark.parametrize("url", [
    b"http://me:pass word@h/", b"ftp://me?:pass\xe9word@h:25/[", b"http:\\\\me:pass|word@h/",
    b"URL:ftp://me:pass word@h/", b"x://h\\me:pass word@h/",
])  # fmt: skip
def test_check_shows_no_password_of_any_reading(fasturl: Run, url: bytes) -> None:
    for options in (["--json"], ["--json", "--hazards"], ["--hazards"], []):
        ran = fasturl("check", "--log-format", "URLS", *options, stdin=url + b"\n")
        assert ran.status == 1 and ran.lines
        for part in (b"pass", b"word", b"\xe9"):
            assert part not in re.sub(rb"PASSWORD|password|MISSING", b"", ran.out)
        if "--json" in options:
            assert "***" in json.loads(ran.lines[0])["url"]


def test_check_repeats_no_long_url(fasturl: Run) -> None:
    """A long URL is written with its first fault only, else the output would grow with the square of the length."""
    for times, with_url in ((2, 2), (1000, 1000), (3000, 1)):
        ran = fasturl("check", "-q", "--json", stdin=b"http://h/" + b"[" * times + b"\n")
        assert [row["offset"] for row in ran.rows] == list(range(9, 9 + times))
        assert [row.get("url") for row in ran.rows[:with_url]] == ["http://h/" + "[" * times] * with_url
        assert not any("url" in row for row in ran.rows[with_url:])


def test_extract(fasturl: Run) -> None:
    text = b"see <URL:http://a/x\n  y#f> and <http://b/>, URL:ftp://c/ or http://d/. \xe9 <URL:http://a/xy#f>"
    ran = fasturl("extract", stdin=text)
    assert ran.lines == [b"http://a/xy#f", b"http://b/", b"ftp://c/", b"http://d/", b"http://a/xy#f"]
    assert fasturl("extract", "--marked", "-u", stdin=text).lines == [b"http://a/xy#f", b"http://b/", b"ftp://c/"]
    assert fasturl("extract", "-0", stdin=text).out.count(b"\0") == 5
    for line in fasturl("extract", "--json", stdin=text).rows:
        found = text[line["start"] : line["end"]].replace(b"\n", b"").replace(b" ", b"")
        assert line["url"].encode() in found and (line["fragment"] == "f") == (b"#f" in found)


def test_extract_finds_the_same_urls_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    from fasturl.cli.commands import extract as module

    text = b"a <URL:http://h/wrapped\nover lines> b http://plain.example/path, c < d <http://x/y> "
    text = (text + b"URL: \t\n http://marked/ e\n") * 50
    expected = [(found.start, found.end) for found in library.find_urls(text, bare=True)]
    for piece in (1, 10, 64, 100, 1000):
        monkeypatch.setattr(module, "_PIECE", piece)
        for size in (3, 97, 4096):
            blocks = (text[at : at + size] for at in range(0, len(text), size))
            found = []
            for offset, part in module._pieces(blocks, 16 << 20):
                found += [(offset + url.start, offset + url.end) for url in library.find_urls(part, bare=True)]
            assert found == expected, (piece, size)


def test_quote(fasturl: Run, tmp_path: Path) -> None:
    assert fasturl("quote", b"a b/caf\xe9", "--", "-x").out == b"a%20b/caf%E9\n-x\n"
    assert fasturl("quote", "--safe", "", "a/b").out == b"a%2Fb\n"
    assert fasturl("quote", "--plus", "a b+c/d").out == b"a+b%2Bc/d\n"
    assert fasturl("quote", stdin=b"a b\r\n\n\xff\0").out == b"a%20b\n\n%FF%00\n"
    assert fasturl("quote", "-0", stdin=b"a\nb\0c d").out == b"a%0Ab\0c%20d\0"
    (tmp_path / "x").write_bytes(b"f f\n")
    ran = fasturl("quote", "t t", "-f", tmp_path / "x", "-f", "-", stdin=b"s s\n")
    assert ran.out == b"t%20t\nf%20f\ns%20s\n"


def test_unquote(fasturl: Run) -> None:
    assert fasturl("unquote", "a%20b%zz%", "caf%E9").out == b"a b%zz%\ncaf\xe9\n"
    assert fasturl("unquote", "a%0db%7f%1B+").out == b"a\rb\x7f\x1b+\n"
    assert fasturl("unquote", "--safe", "a%0db%7f%1B%20%C3%A9").out == b"a%0db%7f%1B \xc3\xa9\n"
    assert fasturl("unquote", "--plus", "a+b%2B").out == b"a b+\n"
    everything = bytes(range(256)).replace(b"\n", b"").replace(b"\r", b"")
    assert fasturl("unquote", stdin=fasturl("quote", stdin=everything).out).out == everything + b"\n"


def test_commands_run_under_clicks_own_runner() -> None:
    """Output goes to descriptor 1, not to the streams of the runner."""
    runner = CliRunner()
    assert runner.invoke(main, ["parse", "--help"]).exit_code == 0
    result = runner.invoke(main, ["parse", "--to", "nope"])
    assert result.exit_code == 2 and "nope" in result.output
    assert runner.invoke(main, ["stats", "--top", "0"]).exit_code == 2


def test_nothing_hostile_reaches_a_terminal() -> None:
    hostile = b"http://h/\x1b]0;title\x07\x9b31m\xc2\x9b31m\xe2\x80\xae\x7f\n"
    quoted = "http://h/%1b]0;x%07%9b%c2%9b%7f"
    for arguments, stdin in (
        (["parse", "-q"], hostile),                             (["parse", "-q", "--to", "csv"], hostile),
        (["parse", "-q", "-g", "{:path}"], hostile),            (["check"], hostile),
        (["stats"], hostile),                                   (["unquote", quoted], b""),
        (["unquote"], hostile),                                 (["quote", "--safe", "\x1b", "\x1b"], b""),
        (["extract"], b"<" + hostile.rstrip() + b">\n"),
    ):  # fmt: skip
        shown, _ = on_a_terminal(arguments, stdin, NO_COLOR="1", TERM="dumb")
        assert len(shown) > 3, arguments
        for byte in (b"\x1b", b"\x07", b"\x9b", b"\x7f", b"\xe2\x80\xae"):
            assert byte not in shown, (arguments, shown)


@pytest.mark.parametrize("arguments", [
    ["parse", "-q", "-g", "{:path}", "-o", "/dev/stdout"],
    ["parse", "-q", "-g", "{:path}", "-o", "/dev/tty"],
    ["parse", "-q", "-g", "{:path}", "-o", "{name}"],
    ["parse", "-q", "--log-format", "COMBINED", "--rejects", "/dev/stderr"],
    ["parse", "-q", "--log-format", "COMBINED", "--rejects", "/dev/tty"],
    ["parse", "-q", "--log-format", "COMBINED", "--rejects", "-", "-o", os.devnull],
    ["parse", "-q", "--log-format", "URLS", "--max-line", "8", "--rejects", "/dev/stderr"],
])  # fmt: skip
def test_a_terminal_is_detected_by_any_name(arguments: list[str]) -> None:
    shown, status = on_a_terminal(arguments, HOSTILE_LOG, NO_COLOR="1", TERM="dumb")
    assert status == 0 and b"\\x1b" in shown
    assert not any(byte in shown for byte in (b"\x1b", b"\x07", b"\x9b"))


@pytest.mark.parametrize("options", [["parquet"], ["arrow", "-o", "/dev/stdout"], ["arrow", "-o", "/dev/tty"]])
def test_tables_are_refused_on_a_terminal_of_any_name(options: list[str]) -> None:
    shown, status = on_a_terminal(["parse", "--to", *options], b"http://h/\n")
    assert status == 2 and b"--output" in shown and b"ARROW1" not in shown


@pytest.mark.parametrize("arguments", [
    [SECRET],                              ["parse", SECRET],                     ["parse", "--to", SECRET],
    ["parse", f"--{SECRET}"],              ["parse", "--threads", SECRET],        ["parse", "--max-line", SECRET],
    ["parse", "--log-format", SECRET],     ["parse", "--fields", SECRET],         ["parse", "--get", "{%s}" % SECRET],
    ["parse", "--get", "{%s" % SECRET],    ["parse", "-c", SECRET, "-n"],         ["parse", "-c", f"{SECRET}x"],
    ["parse", "-c", "nope"],               ["parse", "-o", f"/nowhere/{SECRET}"],
    ["parse", "--rejects", f"/nowhere/{SECRET}"],                                 ["explain", SECRET, SECRET],
    ["stats", "--top", "http://me:a b/hidden-pw@h/"],
])  # fmt: skip
def test_no_message_shows_a_password(fasturl: Run, arguments: list[str]) -> None:
    """Neither a mistyped argument nor the first line of a CSV without a header."""
    ran = fasturl(*arguments, stdin=b"1,http://me:hidden-pw@h/\n2,ftp://you:hidden-pw@h/\n")
    assert ran.status == 2 and ran.err.startswith("fasturl: ") and "hidden-pw" not in ran.err + ran.out.decode()


@pytest.mark.parametrize("url", [
    "redis://me:hidden-pw@h:6379/0", "URL:http://me:hidden-pw@h/", "x://me:hidden-pw@h", "//me:hidden-pw@h/",
    "ftp://me:hidden-pw@h/a", "http://me:hidden-pw@h/",
])  # fmt: skip
def test_explain_shows_no_password_of_any_scheme(fasturl: Run, url: str) -> None:
    ran = fasturl("explain", url)
    assert b"hidden-pw" not in ran.out and b"***" in ran.out and ran.err == ""


def test_progress_is_shown_on_terminals_only(fasturl: Run, tmp_path: Path) -> None:
    pytest.importorskip("rich")
    source, out = tmp_path / "list", tmp_path / "out"
    source.write_bytes(b"http://h/\n" * 100000)
    shown, status = on_a_terminal(["parse", str(source), "-o", str(out)], b"", program=AT_ONCE)
    assert status == 0 and b"lines" in shown and b"MB" in shown
    shown, status = on_a_terminal(["parse", "-q", str(source), "-o", str(out)], b"", program=AT_ONCE)
    assert status == 0 and b"MB" not in shown
    # A short run shows no progress.
    shown, status = on_a_terminal(["check", "-q", str(source)], b"")
    assert status == 0 and shown == b""
    assert "\x1b" not in fasturl("parse", source, "-o", out).err


def test_a_closed_pipe_removes_the_progress_bar(tmp_path: Path) -> None:
    pytest.importorskip("rich")
    source = tmp_path / "list"
    source.write_bytes(b"http://h/<\n" * 400_000)
    with subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as head:
        shown, status = on_a_terminal(["check", str(source)], b"", program=AT_ONCE, to_pipe=head.stdin)
        assert head.communicate()[0].endswith(b"\n")
    assert status == 141 and b"Traceback" not in shown
    # The bar is removed: the cursor is shown again, and the line is cleared.
    assert shown.count(b"\x1b[?25l") == shown.count(b"\x1b[?25h") == 1 and shown.endswith(b"\x1b[2K")
