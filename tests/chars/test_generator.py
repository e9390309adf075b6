"""The generated files are current, and the generator refuses a broken grammar."""

import subprocess
import sys
from pathlib import Path

import abnf
import gen_chars
import pytest

# isort: off
from rfc1738_grammar import (RFC, Alternatives, Grammar, GrammarError, Literal, Optional, Reference, Repetition,
                             Sequence, load, load_as_read, parse)  # fmt: skip

ROOT = Path(__file__).resolve().parents[2]

GENERATED = {
    "gen_chars.py": ("src/kernel/chars.h", "src/fasturl/_chars.py", "src/fasturl/schemes/_rfc1738.py"),
    "gen_productions.py": ("src/fasturl/_productions.py",),
    "gen_ports.py": ("src/kernel/split/ports.h",),
    "gen_hosts.py": ("src/kernel/validate/host_characters.h",),
    "gen_findings.py": ("src/kernel/validate/findings.h",),
    "gen_stubs.py": tuple(f"src/fasturl/{name}.pyi" for name in ("arrow/__init__", "_functions", "engines/_methods")),
}  # fmt: skip


def run(*arguments: str, tool: str = "gen_chars.py") -> subprocess.CompletedProcess[str]:
    if tool == "gen_stubs.py":
        pytest.importorskip("pyarrow")
    command = [sys.executable, str(ROOT / "tools" / tool), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_each_generator_is_tested() -> None:
    assert {path.name for path in ROOT.joinpath("tools").glob("gen_*.py")} == set(GENERATED)


@pytest.mark.parametrize("tool", GENERATED)
def test_generated_files_are_current(tool: str) -> None:
    done = run("--check", tool=tool)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.parametrize(("tool", "names"), GENERATED.items(), ids=GENERATED)
def test_a_stale_file_is_reported_and_repaired(tool: str, names: tuple[str, ...], tmp_path: Path) -> None:
    root = ("--root", str(tmp_path))
    assert run("--check", *root, tool=tool).returncode == 1
    assert run(*root, tool=tool).returncode == 0
    assert run("--check", *root, tool=tool).returncode == 0
    for name in names:
        written = tmp_path / name
        assert written.read_bytes() == (ROOT / name).read_bytes()
        written.write_bytes(written.read_bytes().replace(b"1", b"2", 1) + b"\n")
        done = run("--check", *root, tool=tool)
        assert done.returncode == 1
        assert f"{name} is stale: run python tools/{tool}" in done.stderr
        assert run(*root, tool=tool).returncode == 0
        assert written.read_bytes() == (ROOT / name).read_bytes()


BROKEN = {
    "a graphic byte in no set": ('| "`"\n', "\n", "'`'"),
    "a byte in two sets": ('safe           = "$"', 'safe           = "$" | "!"', "'!' is in both"),
    "a byte that is not graphic": ('extra          = "!"', 'extra          = "!" | " "', "' '"),
    "lower and upper case overlap": ('lowalpha       = "a"', 'lowalpha       = "A" | "a"', "overlap"),
    "a set that is not its union": ("xchar          = unreserved | reserved", "xchar = unreserved", "xchar"),
    "terms that drifted apart": ('password       = *[ uchar | ";"', "password = *[ uchar", "password diff"),
    "an undefined name": ("port           = digits", "port           = numbers", "numbers"),
    "a loop": ("digits         = 1*digit", "digits         = 1*digit | port", "leads back"),
    "a second definition": ("digits         = 1*digit", "digits         = 1*digit\nport = digit", "twice"),
    "an open bracket": ('[ ":" port ]', '[ ":" port', "not closed"),
    "an empty alternative": ("host           = hostname |", "host           = hostname | |", "empty"),
    "no production": ("digits         = 1*digit", "digits 1*digit", "no production"),
}
_SET = '= *[ uchar | "?" | ":" | "@" | "&" ]'
_FIELD = f"fieldname      {_SET}\nfieldvalue     {_SET}"
BROKEN["two bits for one set"] = (_FIELD, _FIELD.replace('"&" ]', '"&" | "=" ]'), "same bytes")


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_grammar_is_refused(case: str, tmp_path: Path) -> None:
    old, new, message = BROKEN[case]
    text = RFC.read_text("ascii")
    assert text.count(old) == 1
    broken = tmp_path / "broken.bnf"
    broken.write_text(text.replace(old, new), "ascii")
    done = run("--grammar", str(broken), "--root", str(tmp_path))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "src").exists()


def test_notation() -> None:
    productions = parse(
        """\
; a comment
one = "a" [ two ] *[ "b" | two ] 1*two ; and another
two = <"> | ";" | /
"""
    )
    assert productions == {
        "one": Sequence((Literal(b"a"),
                         Optional(Reference("two")),
                         Repetition(Alternatives((Literal(b"b"), Reference("two"))), 0),
                         Repetition(Reference("two"), 1))),
        "two": Alternatives((Literal(b'"'), Literal(b";"), Literal(b"/", bare=True))),
    }  # fmt: skip
    assert Grammar(productions).chars("one") == set(b'ab";/')


def test_only_gopher_has_a_bare_slash_and_the_readings_quote_it() -> None:
    def bare(grammar: Grammar) -> list[str]:
        return [name for name in grammar if "bare=True" in repr(grammar[name])]

    assert bare(load()) == ["gopherurl"]
    assert bare(load_as_read()) == []


def test_the_readings_touch_nothing_else() -> None:
    letter, read = load(), load_as_read()
    assert {name for name in read if letter.get(name) != read[name]} == {"url", "scheme", "gopherurl", "httpsurl"}
    assert set(read) - set(letter) == {"httpsurl"}


def test_the_generator_checks_before_it_writes() -> None:
    with pytest.raises(GrammarError):
        gen_chars.files(Grammar({**load().productions, "safe": Literal(b"$")}))


def test_abnf_notation() -> None:
    rules = abnf.parse(
        """\
; a comment
one = "v" 1*2two [ "/" ] ; and another
    / *( two / %x30-31 )  ; "continued"
two = 0<one-two> / 3two-three
"""
    )
    in_any_case = Alternatives((Literal(b"V"), Literal(b"v")))
    digits = Alternatives((Literal(b"0"), Literal(b"1")))
    assert rules == {
        "one": Alternatives((Sequence((in_any_case, Repetition(Reference("two"), 1, 2), Optional(Literal(b"/")))),
                             Repetition(Alternatives((Reference("two"), digits)), 0))),
        "two": Alternatives((Repetition(Reference("one-two"), 0, 0), Repetition(Reference("two-three"), 3, 3))),
    }  # fmt: skip


BROKEN_ABNF = {
    "a second definition": ("a = b\na = c", "a: defined twice"),
    "an open group": ("a = ( b", "a: a \\( is not closed"),
    "no rule": ("a b", "a b: no rule"),
    "an unknown notation": ("a = %d48", "a: column 2: cannot read"),
}


@pytest.mark.parametrize("case", BROKEN_ABNF)
def test_broken_abnf_is_refused(case: str) -> None:
    text, message = BROKEN_ABNF[case]
    with pytest.raises(GrammarError, match=message):
        abnf.parse(text)


@pytest.mark.parametrize("name", ["query", "scheme", "pchar", "userinfo", "ALPHA"])
def test_the_generator_refuses_other_sets_of_rfc_3986(name: str) -> None:
    uri = abnf.load()
    changed = Grammar({**uri.productions, name: Alternatives((uri[name], Literal(b"`")))})
    with pytest.raises(GrammarError, match="is not the set that the kernel assumes"):
        gen_chars.check_uri(load(), changed)
