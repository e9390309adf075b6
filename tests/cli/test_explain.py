"""Does `fasturl explain` show a URL on 80 columns, with everything under what it means, and no password?"""

import random
from collections.abc import Callable
from typing import Any
from unicodedata import east_asian_width

import pytest
from terminals import on_a_terminal
from tries import TRIES

import fasturl as library
from fasturl.cli.commands.explain import explained


def over_carets(lines: list[str], at: int) -> tuple[str, str]:
    """The row that a fault stands in, behind its sentence, and its carets."""
    first = next(row for row in range(at, at + 4) if set(lines[row].strip()) == {"^"})
    return lines[first - 1], lines[first]


def test_explain(fasturl: Callable[..., Any]) -> None:
    ran = fasturl("explain", b"http://us:top-secret@h:81/a%zz/\x07\xe9?#")
    text = ran.out.decode()
    assert ran.status == 1
    assert "top-secret" not in text and ran.out.isascii() and "\x07" not in text
    lines = text.splitlines()
    assert lines[0] == r"http://us:***@h:81/a%zz/\x07\xe9?#"
    assert ["host", "21-22", "h"] in [line.split() for line in lines]
    assert ["query", "34-34", "(empty)"] in [line.split() for line in lines]
    at = lines.index(next(line for line in lines if line.startswith("violation BAD_ESCAPE at 27")))
    shown, carets = over_carets(lines, at)
    assert carets.count("^") == 1 and shown[carets.index("^")] == "%"
    control = lines.index(next(line for line in lines if line.startswith("violation CONTROL")))
    shown, carets = over_carets(lines, control)
    assert shown[carets.index("^") : carets.rindex("^") + 1] == r"\x07"


def test_explain_by_scheme(fasturl: Callable[..., Any]) -> None:
    ran = fasturl("explain", "ftp://us:top-secret@h/%2Fetc/x;type=i")
    assert ran.status == 0 and b"top-secret" not in ran.out
    lines = [line.split() for line in ran.out.decode().splitlines()]
    for line in (
        ["as", "Ftp"],
        ["user", "us"],
        ["password", "***"],
        ["port", "21"],
        ["name", "x"],
        ["typecode", "i"],
    ):
        assert line in lines


def test_explain_options(fasturl: Callable[..., Any]) -> None:
    assert fasturl("explain", "--form", "request-target", "//a/b").status == 0
    assert fasturl("explain", "--", "-x").status == 1
    assert fasturl("explain").status == 2
    assert fasturl("explain", "").status == 1
    long = fasturl("explain", "http://h/" + "a" * 100000 + "%zz" * 300)
    assert long.status == 1 and len(long.out) < 200000 and b"\nand more: " in long.out


PIECES = [
    "http://",
    "ftp://",
    "gopher://h/7",
    "me:",
    "secret@",
    "h",
    ":81",
    "/",
    "%0d",
    "%C3%A9",
    "caf\xe9",
    "\u6771" * 9,
    "x" * 70,
    "%zz",
    " ",
    "\t",
    "?",
    "a=b+c",
    "&",
    "#",
    ";type=d",
    "\\",
    "[",
    "%E6%9D%B1" * 12,
]


def columns(line: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    rng = random.Random(width)
    for _ in range(TRIES // 20):
        text = "".join(rng.choices(PIECES, k=rng.randrange(12)))
        for octets in (text.encode(), text.encode("latin-1", "replace")):
            form = rng.choice(["url", "request-target"])
            lines = explained(octets, form, width)  # type: ignore[arg-type]
            assert max(map(columns, lines)) <= width, octets
            assert all(character.isprintable() for line in lines for character in line), octets


def test_carets_stand_under_what_they_mean_in_each_row() -> None:
    rng = random.Random(2)
    for _ in range(TRIES // 20):
        text = b"http://h/" + b"".join(rng.choices([b"a" * 30, b"%zz", b"\x07", b"b"], k=rng.randrange(1, 30)))
        lines = explained(text, "url", 60)
        problems = library.problems(text)[:100]
        heads = [at for at, line in enumerate(lines) if line.startswith("violation ")]
        assert len(heads) == len(problems)
        for at, problem in zip(heads, problems, strict=True):
            pairs = zip(*over_carets(lines, at), strict=False)
            marked = "".join(shown for shown, under in pairs if under == "^")
            octet = text[problem.start : problem.end]
            assert marked == (octet.decode() if octet != b"\x07" else "\\x07")


def test_a_place_of_several_rows_has_carets_under_each() -> None:
    lines = explained(b"ftp://me:" + b"p" * 100 + b"@h/", "url", 40, passwords=True)
    carets = [line for line in lines if line.strip() and set(line.strip()) == {"^"}]
    assert [line.strip().count("^") for line in carets] == [29, 38, 33]


@pytest.mark.parametrize(
    ("url", "want"),
    [
        ("ftp://me:pw@h/%2Fa/b%20c;type=i", ["USER me", "PASS ***", "CWD /a", "TYPE I", "RETR b c"]),
        ("gopher://h/7sel%09search", [r"sel\x09search\x0d\x0a"]),
        ("ftp://h/a%0d/b", ["nothing: cwd: octet 0D cannot be sent at offset 1 (RFC 1738 section", "6)"]),
    ],
)
def test_what_a_client_sends(url: str, want: list[str]) -> None:
    lines = explained(url.encode(), "url", 90)
    at = next(place for place, line in enumerate(lines) if line.startswith("  sends"))
    sent = [line[20:] for line in lines[at : at + len(want)]]
    sent = [line for line in sent if line not in ("USER anonymous",)]
    assert sent == want or " ".join(sent) == " ".join(want)


def test_parts_are_shown_decoded_and_the_url_in_its_normal_form() -> None:
    lines = [line.split() for line in explained(b"HTTP://EX.com:80/%7e/caf%C3%A9?a+b=%41&c", "url", 80)]
    for words in (["/~/caf\xe9"], ["a", "b", "=", "A"], ["c", "="]):
        assert ["decoded", *words] in lines
    assert ["normal", "http://ex.com/%7E/caf%C3%A9?a+b=A&c"] in lines
    assert ["normal", "as", "it", "is", "written"] in [line.split() for line in explained(b"http://h/", "url", 80)]


def test_passwords_are_shown_when_they_are_asked_for(fasturl: Callable[..., Any]) -> None:
    hidden, shown = fasturl("explain", "ftp://me:pw%41@h/"), fasturl("explain", "--show-password", "ftp://me:pw%41@h/")
    assert b"pw" not in hidden.out and b"PASS ***" in hidden.out
    assert b"password  9-14      pw%41\n" in shown.out and b"PASS pwA\n" in shown.out


def test_a_million_faults_are_not_looked_for() -> None:
    found = explained(b"http://h/" + b"[" * 1_000_000, "url", 80)
    assert len(found) < 1000 and found[-5:].count("and more: fasturl check shows all of them") <= 1


def test_on_a_terminal_of_80_columns() -> None:
    shown, status = on_a_terminal(["explain", "http://h/" + "a" * 100 + " b"], b"", COLUMNS="80")
    lines = shown.decode().split("\r\n")
    assert status == 1 and all(len(line) <= 80 for line in lines) and lines[1] == "a" * 29 + " b"
