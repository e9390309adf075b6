"""`fasturl check` and `fasturl explain`: places and messages of faults."""

import dataclasses
import random
import re
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import pytest
from clihelpers import Make, Run, on_a_terminal
from tries import TRIES

import fasturl as library
from fasturl._fastparse import _place
from fasturl._findings import TERMS
from fasturl._rfc3986 import SECTIONS
from fasturl.cli.commands.explain import _sections
from fasturl.cli.commands.explain import explanation as explanation_of
from fasturl.cli.outputs.located import Place, _UnescapedLine
from fasturl.schemes import Generic, registered


def explanation(text: bytes, form: Any, width: int, **more: Any) -> list[str]:
    return explanation_of(library.parse(text, form=form), width, **more)


def columns(ran: Any) -> list[tuple[int, int, str]]:
    """Return (line, column, finding) of each fault."""
    told = [re.match(r"[^:]*:(\d+):(\d+): (\w+): ", line.decode()) for line in ran.lines]
    return [(int(match[1]), int(match[2]), match[3]) for match in told if match]


LIST = ["--log-format", "URLS"]


@pytest.mark.parametrize(("options", "text", "want"), [
    (LIST, b"http://h/ x\r\nhttp://h/a% \n", [(1, 10, "UNSAFE"), (2, 11, "BAD_ESCAPE"), (2, 12, "UNSAFE")]),
    (LIST, b"\xef\xbb\xbfhttp://h/ \n", [(1, 10, "UNSAFE")]),
    ([*LIST, "-0"], b"http://h/\nx\0http://h/ \0", [(1, 10, "CONTROL"), (2, 10, "UNSAFE")]),
    # A character of several bytes is one column, and so is a byte that is not UTF-8.
    (["--first"], b"http://h/\xc3\xa9\nhttp://h/?#\xc3\xa9 \n", [(1, 10, "NON_ASCII"), (2, 11, "FRAGMENT")]),
    (LIST, b"x:\xc3\xa9\xe2\x82\xac ",
     [*[(1, 3, "NON_ASCII")] * 2, *[(1, 4, "NON_ASCII")] * 3, (1, 5, "UNSAFE")]),
    (LIST, b"x:\xe9\xe9\xe2\x82 ", [*((1, at, "NON_ASCII") for at in (3, 4, 5, 6)), (1, 7, "UNSAFE")]),
    (["--column", "u"], b'n,u\n/,"http://h/""x y"\n', [(2, 13, "UNSAFE"), (2, 16, "UNSAFE")]),
    (["--field", "u"], b'{"n":"/ ","u":"http:\\/\\/h\\/\\u00e9 \\n"}\n',
     [(1, 28, "NON_ASCII"), (1, 28, "NON_ASCII"), (1, 34, "UNSAFE"), (1, 35, "CONTROL")]),
    (["--log-format", "W3C"], b"#Fields: date cs-method cs-uri-stem cs-uri-query\n2015-01-01 GET /a%zz b%zz\n",
     [(2, 18, "BAD_ESCAPE"), (2, 23, "BAD_ESCAPE")]),
])  # fmt: skip
def test_check_counts_columns_in_the_line_of_the_file(fasturl: Run, options: list[str], text: bytes, want: Any) -> None:
    assert columns(fasturl("check", "-q", *options, stdin=text)) == want


def test_check_counts_columns_in_a_log_line(fasturl: Run, make_clf: Make) -> None:
    lines = [make_clf(b"GET /%zz HTTP/1.1", b"http://r/%zz", agent=b"http://r/%zz")]
    lines += [make_clf(rb"GET /\"a\x16%zz HTTP/1.1"), make_clf(b"/ x"), b"torn"]
    ran = fasturl("check", "-q", "--log-format", "COMBINED", stdin=b"\n".join(lines))
    at = [line.find(b"%zz") + 1 for line in lines]
    assert columns(ran) == [
        (1, at[0], "BAD_ESCAPE"),                               (1, lines[0].find(b"/%zz", at[0]) + 2, "BAD_ESCAPE"),
        (2, lines[1].find(b'\\"') + 1, "UNSAFE"),               (2, lines[1].find(b"\\x16") + 1, "CONTROL"),
        (2, at[1], "BAD_ESCAPE"),                               (3, lines[2].find(b"/ x") + 2, "UNSAFE"),
        (4, 1, "REJECTED"),
    ]  # fmt: skip


# JSON escapes a character above U+FFFF as two surrogates, and may hold each of them alone.
@pytest.mark.parametrize("escapes", [
    "\\ud83d\\ude00", "\\uD83D\\uDC80", "\\ud83d", "\\uDE00", "\\udc80", "\\ude00\\ud83d",
    "\\ud83d\\ud83d\\ude00\\udc80",
])  # fmt: skip
@pytest.mark.parametrize("options", [["--field", "uri"], ["--log-format", "NGINXJSON"]])
def test_check_counts_columns_behind_surrogates(fasturl: Run, options: list[str], escapes: str) -> None:
    line = f'{{"method":"GET","status":200,"uri":"http://h/%zz{escapes}%zz"}}'
    found = columns(fasturl("check", "-q", *options, stdin=line.encode()))
    places = [column for _, column, name in found if name == "BAD_ESCAPE"]
    assert places == [line.index("%zz") + 1, line.rindex("%zz") + 1]
    assert all(line[column - 1] in "%\\" for _, column, _ in found)


def test_only_the_characters_that_a_line_escapes_are_escaped() -> None:
    line = rb'"url":"/\ud83d\ude00"'
    new = "\U0001f600\U0001f601/".encode()  # both begin with the same bytes
    assert _UnescapedLine(line, "surrogateescape").escape_like(line, new) == rb"\ud83d\ude00" + "\U0001f601/".encode()


@pytest.mark.parametrize(("escapes", "urls"), [
    ("\\ud83d", [b"\\ud83d", b"\xed\xa0\xbd"]),
    ("\\udce9", [b"\xe9", b"\xed\xb3\xa9"]),
    ("\\ude00\\udce9", [b"\\ude00\xe9", b"\xed\xb8\x80\xed\xb3\xa9"]),
    ("\\ud83d\\ude00", [b"\xf0\x9f\x98\x80"]),
])  # fmt: skip
def test_a_url_with_a_surrogate_is_found_in_each_form(escapes: str, urls: list[bytes]) -> None:
    """JSON readers give a lone surrogate as a byte, as written, or as the bytes of its number."""
    written = b"http://h/%s%%zz" % escapes.encode()
    line = b'{"uri":"%s"}' % written
    for text in urls:
        url = b"http://h/%s%%zz" % text
        place = Place(line, url, "url")
        assert place.column(len(url) - 3) == line.index(b"%zz") + 1
        assert place.edit(url.replace(b"h/", b"other/")) == (8, 8 + len(written), written.replace(b"h/", b"other/"))
    whole = Place(written, written, "url")  # the line of a list is the URL itself, whatever it looks like
    assert whole.column(len(written) - 3) == len(written) - 2


def test_columns_in_any_order_match_a_slow_count() -> None:
    rng = random.Random(8)
    pieces = [b"a", b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xe9", b"\x80", b"\xe2\x82", b" "]

    def slow(line: bytes, at: int) -> int:
        column, end = 0, 0
        for character in line.decode("utf-8", "surrogateescape"):
            end += len(character.encode("utf-8", "surrogateescape"))
            column += 1
            if at < end:
                return column
        return column + 1

    for _ in range(TRIES // 20):
        url = b"".join(rng.choices(pieces, k=rng.randrange(1, 20)))
        line = b'\xc3\xa9"' + url + b'"'
        place = Place(line, url, "url")
        assert place.is_known
        for _ in range(6):
            offset = rng.randrange(len(url) + 1)
            assert place.column(offset) == slow(line, 3 + offset), (line, offset)


def test_a_url_not_found_in_its_line_has_column_1() -> None:
    assert not Place(b"something else", b"/a?b?c", "url").is_known
    assert Place(b"something else", b"/a?b?c", "url").edit(b"/a?b") is None
    place = Place(b"something else", b"http://h/", "url")
    assert not place.is_known and place.column(5) == 1


def test_both_names_of_json_write_the_same_objects(fasturl: Run) -> None:
    text = b"http://me:secret@h/\xe9\n"
    ran = fasturl("check", "-q", "--json", stdin=text)
    assert ran.out == fasturl("check", "-q", "--format", "json", stdin=text).out
    assert [(row["offset"], row["finding"]) for row in ran.rows] == [(7, "LOGIN"), (19, "NON_ASCII")]
    assert {row["url"] for row in ran.rows} == {"http://me:***@h/%E9"}
    raw = fasturl("check", "-q", "--json", "--invalid-bytes", "surrogate", stdin=text)
    assert {row["url"] for row in raw.rows} == {"http://me:***@h/\udce9"}


def test_the_name_of_a_file_is_one_line(fasturl: Run, tmp_path: Path) -> None:
    (tmp_path / "a:b\x1b\n").write_bytes(b"http://h/%zz\n" + b"x" * 15)
    ran = fasturl("check", "-q", "--max-line", "14", *LIST, "a:b\x1b\n", cwd=tmp_path)
    starts = [line.split(b": ")[0] for line in ran.lines]
    assert starts == [rb"a:b\x1b\x0a:1:10", rb"a:b\x1b\x0a:2:1"] and ran.out.count(b"\n") == 2


def test_json_has_rejects(fasturl: Run, make_clf: Make) -> None:
    ran = fasturl("check", "-q", "--json", "--log-format", "COMBINED", stdin=make_clf() + b"\ntorn \xff\n")
    [told] = ran.rows
    assert told["message"] == "the line is not in the format COMBINED"
    assert (told["file"], told["line"], told["finding"]) == ("-", 2, "REJECTED")


def over_carets(lines: list[str], at: int) -> tuple[str, str]:
    """Return the row that contains the fault, and its carets."""
    first = next(row for row in range(at, at + 5) if set(lines[row].strip()) == {"^"})
    return lines[first - 1], lines[first]


def test_explain(fasturl: Run) -> None:
    ran = fasturl("explain", b"http://us:top-secret@h:81/a%zz/\x07\xe9?#")
    text = ran.out.decode()
    assert ran.status == 1
    assert "top-secret" not in text and ran.out.isascii() and "\x07" not in text
    lines = text.splitlines()
    assert lines[0] == r"http://us:***@h:81/a%zz/\x07\xe9?#"
    assert ["host", "21-22", "h"] in [line.split() for line in lines]
    assert ["query", "34-34", "(empty)"] in [line.split() for line in lines]
    at = lines.index(next(line for line in lines if line.startswith("violation BAD_ESCAPE: hpath: '%' at offset 27")))
    shown, carets = over_carets(lines, at)
    assert carets.count("^") == 1 and shown[carets.index("^")] == "%"
    control = lines.index(next(line for line in lines if line.startswith("violation CONTROL")))
    shown, carets = over_carets(lines, control)
    assert shown[carets.index("^") : carets.rindex("^") + 1] == r"\x07"


def test_explain_shows_the_meaning_in_each_scheme(fasturl: Run) -> None:
    ran = fasturl("explain", "ftp://us:top-secret@h/%2Fetc/x;type=i")
    assert ran.status == 0 and b"top-secret" not in ran.out
    lines = [line.split() for line in ran.out.decode().splitlines()]
    for line in (["as", "Ftp"], ["user", "us"], ["password", "***"], ["port", "21"], ["name", "x"], ["typecode", "i"]):
        assert line in lines


def test_explain_handles_options_and_long_urls(fasturl: Run) -> None:
    assert fasturl("explain", "--form", "request-target", "//a/b").status == 0
    assert fasturl("explain", "--", "-x").status == 1
    assert fasturl("explain").status == 2
    assert fasturl("explain", "").status == 1
    long = fasturl("explain", "http://h/" + "a" * 100000 + "%zz" * 300)
    assert long.status == 1 and len(long.out) < 200000 and b"\nand more: " in long.out


PIECES = [
    "http://", "ftp://", "gopher://h/7", "me:", "secret@", "h", ":81", "/", "%0d", "%C3%A9", "caf\xe9", "\u6771" * 9,
    "x" * 70, "%zz", " ", "\t", "?", "a=b+c", "&", "#", ";type=d", "\\", "[", "%E6%9D%B1" * 12,
]  # fmt: skip


@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    rng = random.Random(width)
    for _ in range(TRIES // 20):
        text = "".join(rng.choices(PIECES, k=rng.randrange(12)))
        for data in (text.encode(), text.encode("latin-1", "replace")):
            form = rng.choice(["url", "request-target"])
            lines = explanation(data, form, width)
            assert max(len(line) + sum(east_asian_width(each) in "WF" for each in line) for line in lines) <= width, (
                data
            )
            assert all(character.isprintable() for line in lines for character in line), data


def test_carets_are_under_the_fault_in_each_row() -> None:
    rng = random.Random(2)
    for _ in range(TRIES // 20):
        text = b"http://h/" + b"".join(rng.choices([b"a" * 30, b"%zz", b"\x07", b"b"], k=rng.randrange(1, 30)))
        lines = explanation(text, "url", 60)
        problems = library.problems(text)[:100]
        heads = [at for at, line in enumerate(lines) if line.startswith("violation ")]
        assert len(heads) == len(problems)
        for at, problem in zip(heads, problems, strict=True):
            pairs = zip(*over_carets(lines, at), strict=False)
            marked = "".join(shown for shown, under in pairs if under == "^")
            byte = text[problem.start : problem.end]
            assert marked == (byte.decode() if byte != b"\x07" else "\\x07")


def test_explain_names_the_section_that_the_kernel_finds() -> None:
    rng = random.Random(3)
    for _ in range(TRIES // 5):
        text, form = "".join(rng.choices(PIECES, k=rng.randrange(12))).encode(), rng.choice(("url", "request-target"))
        for start in ("", "http://", "//", "mailto:"):
            url = library.parse(start.encode() + text, form=form)  # type: ignore[call-overload]
            section_at = _sections(url)
            for at in range(len(url.text) + 1):
                assert section_at(at) == SECTIONS[TERMS[_place(url, 1, 0, at, True)[0]]], (url, at)


def test_a_fault_of_several_rows_has_carets_under_each() -> None:
    lines = explanation(b"ftp://me:" + b"p" * 100 + b"@h/", "url", 40, passwords=True)
    carets = [line for line in lines if line.strip() and set(line.strip()) == {"^"}]
    assert [line.strip().count("^") for line in carets] == [29, 38, 33]


@pytest.mark.parametrize(("url", "want"), [
    ("ftp://me:pw@h/%2Fa/b%20c;type=i", ["USER me", "PASS ***", "CWD /a", "TYPE I", "RETR b c"]),
    ("gopher://h/7sel%09search", [r"sel\x09search\x0d\x0a"]),
    ("dict://dict.org/d:shortcake:wn:2", ["DEFINE wn shortcake"]),
    ("dict://h/m:caf%C3%A9", [r"MATCH ! . caf\xc3\xa9"]),
    ("dict://h/d:%0a", ["nothing: word: byte 0A cannot be sent at offset 0 (RFC 1738 section 6)"]),
    ("ftp://h/a%0d/b", ["nothing: cwd: byte 0D cannot be sent at offset 1 (RFC 1738 section", "6)"]),
])  # fmt: skip
def test_explain_shows_the_commands_of_a_client(url: str, want: list[str]) -> None:
    lines = explanation(url.encode(), "url", 90)
    at = next(place for place, line in enumerate(lines) if line.startswith("  sends"))
    sent = [line[20:] for line in lines[at : at + len(want)]]
    sent = [line for line in sent if line not in ("USER anonymous",)]
    assert sent == want or " ".join(sent) == " ".join(want)


# Values for the fields of a scheme's class, by annotation. A random choice of them often makes a URL.
WORDS = ("h", "a", "d", "m", "1", "0", "", "a@b", "p w", "*")
VALUES = {
    "str": WORDS,                                             "str | None": (None, *WORDS),
    "int": (7,),                                              "int | None": (None, 7),
    "tuple[str, ...]": ((), ("a",), ("a", "b c")),
    "tuple[tuple[str, str], ...]": ((), (("a", "b"), ("c", ""))),
    "tuple[tuple[str, str], ...] | None": (None, (("a", "b"), ("c", ""))),
    "tuple[tuple[str, int | None], ...]": ((), (("h", 7), ("i", None))),
}  # fmt: skip
CLASSES: dict[Any, None] = dict.fromkeys([Generic, *(scheme.dataclass for scheme in registered().values())])


def urls_of(cls: Any) -> set[str]:
    """Return URLs of a scheme's class, which together give each field a value."""
    fields = dataclasses.fields(cls)
    rng, found, given = random.Random(cls.__name__), set(), set()
    for tried in range(100_000):
        values = {field.name: rng.choice(VALUES[str(field.type)]) for field in fields}
        try:
            url = cls(**values).geturl()
        except library.UnbuildableURL:
            continue
        found.add(url)
        given |= {field.name for field in fields if getattr(library.decompose(url), field.name)}
        if tried > 200 and len(given) == len(fields):
            return found
    raise AssertionError(f"no URL of {cls.__name__} has more fields than {given}")


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_explain_explains_urls_of_each_class(cls: Any) -> None:
    sent = 0
    for url in urls_of(cls):
        lines = explanation(url.encode(), "url", 80, passwords=True)
        assert f"as {cls.__name__}" in lines, url
        sent += any(line.startswith("  sends") for line in lines)
        for text in (f"{url} ", f"{url}#f", url.replace("//", "//["), url.replace("/", "?", 3), url[:-1], url.upper()):
            assert explanation(text.encode(), "url", 80) and explanation(text.encode(), "url", 80, standard="rfc3986")
            assert explanation(text.encode(), "request-target", 80)
    assert bool(sent) == (hasattr(cls, "commands") or hasattr(cls, "request"))


def test_explain_shows_decoded_parts_and_the_normal_form() -> None:
    lines = [line.split() for line in explanation(b"HTTP://EX.com:80/%7e/caf%C3%A9?a+b=%41&c", "url", 80)]
    assert ["decoded", "/~/caf\xe9"] in lines
    for words in (["a", "b", "=", "A"], ["c", "="]):
        assert ["as", "a", "form", *words] in lines
    assert ["normal", "http://ex.com/%7E/caf%C3%A9?a+b=A&c"] in lines
    assert ["normal", "as", "it", "is", "written"] in [line.split() for line in explanation(b"http://h/", "url", 80)]


@pytest.mark.parametrize("byte", range(0x20, 0x7F))
def test_explain_shows_no_two_readings_of_a_query(byte: int) -> None:
    """The normal form holds the same pairs as the URL, and only a form's query has pairs."""
    url = f"http://h/?q=a%{byte:02x}b"
    lines = [line.split(None, 1) for line in explanation(url.encode(), "url", 200)]
    (pair,) = [" ".join(line).partition("form ")[2] for line in lines if " ".join(line).startswith("as a form")]
    (normal,) = [rest for first, rest in (line for line in lines if len(line) == 2) if first == "normal"]
    shown = url if normal == "as it is written" else normal
    assert [pair.strip()] == [f"{name} = {value}".strip() for name, value in library.query_pairs(shown) or []]


@pytest.mark.parametrize(
    "url", ["wais://h/d?a+b", "mailto:a@b?c=d+e", "gopher://h/7x?a+b", "ftp://h/a?b+c", "news:a?b+c@h"]
)
def test_explain_shows_no_form_where_the_scheme_has_none(url: str) -> None:
    lines = [" ".join(line.split()) for line in explanation(url.encode(), "url", 80)]
    assert not [line for line in lines if line.startswith("as a form")]
    assert ("'?' is data" in " ".join(lines)) == (not url.startswith("wais"))


def test_show_password_shows_passwords(fasturl: Run) -> None:
    hidden, shown = fasturl("explain", "ftp://me:pw%41@h/"), fasturl("explain", "--show-password", "ftp://me:pw%41@h/")
    assert b"pw" not in hidden.out and b"PASS ***" in hidden.out
    assert b"password  9-14      pw%41\n" in shown.out and b"PASS pwA\n" in shown.out


def test_explain_stops_after_a_hundred_faults() -> None:
    found = explanation(b"http://h/" + b"[" * 1_000_000, "url", 80)
    assert len(found) < 1000 and found[-5:].count("and more: fasturl check shows all of them") <= 1


def test_explain_fits_a_terminal_of_80_columns() -> None:
    shown, status = on_a_terminal(["explain", "http://h/" + "a" * 100 + " b"], b"", COLUMNS="80")
    lines = shown.decode().split("\r\n")
    assert status == 1 and all(len(line) <= 80 for line in lines) and lines[1] == "a" * 29 + " b"


@pytest.mark.parametrize(("text", "likeness"), [
    ("example.com:8080/x", "a host and a port; write http://example.com:8080/x"),
    ("localhost:3000", "a host and a port; write http://localhost:3000"),
    ("C:\\x y\\z", "a Windows path; write file:///C:/x%20y/z"),
    ("c:/x", "a Windows path; write file:///c:/x"),
    ("\\\\server\\share\\f", "a Windows share; write file://server/share/f"),
    ("git@github.com:o/r.git", "an address for scp or git; write ssh://git@github.com/o/r.git"),
    ("me@host:/srv/x", "an address for scp or git; write ssh://me@host/srv/x"),
    ("http://h/", None), ("mailto:a@b", None), ("tel:112", None), ("me@host:22", None), ("x:80a", None),
    ("ssh://git@h/x", None), ("a:b@h:c", None),
])  # fmt: skip
def test_explain_names_the_form_of_a_text_like_a_url(text: str, likeness: str | None) -> None:
    rows = [(line[:20].strip(), line[20:]) for line in explanation(text.encode(), "url", 120)]
    assert "; write ".join(told for name, told in rows if name in ("looks like", "write")) == (likeness or "")
