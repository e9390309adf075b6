"""Does `fasturl check` name the place in the file's line, in every format of its output?"""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tries import TRIES

from fasturl import Finding
from fasturl.cli.outputs.located import Place

NAMES = [str(finding.name) for finding in Finding if finding.value.bit_count() == 1]


def columns(ran: Any) -> list[tuple[int, int, str]]:
    """(line, column, finding) of each fault."""
    told = [re.match(r"[^:]*:(\d+):(\d+): (\w+): ", line.decode()) for line in ran.lines]
    return [(int(match[1]), int(match[2]), match[3]) for match in told if match]


@pytest.mark.parametrize(
    ("options", "text", "want"),
    [
        ([], b"http://h/ x\r\nhttp://h/a% \n", [(1, 10, "UNSAFE"), (2, 11, "BAD_ESCAPE"), (2, 12, "UNSAFE")]),
        ([], b"\xef\xbb\xbfhttp://h/ \n", [(1, 10, "UNSAFE")]),
        (["-0"], b"http://h/\nx\0http://h/ \0", [(1, 10, "CONTROL"), (2, 10, "UNSAFE")]),
        # A character of several octets is one column, an octet that is of none is one too.
        (["--first"], b"http://h/\xc3\xa9\nhttp://h/?#\xc3\xa9 \n", [(1, 10, "NON_ASCII"), (2, 11, "FRAGMENT")]),
        ([], b"x:\xc3\xa9\xe2\x82\xac ",
         [*[(1, 3, "NON_ASCII")] * 2, *[(1, 4, "NON_ASCII")] * 3, (1, 5, "UNSAFE")]),
        ([], b"x:\xe9\xe9\xe2\x82 ", [*((1, at, "NON_ASCII") for at in (3, 4, 5, 6)), (1, 7, "UNSAFE")]),
        (["--column", "u"], b'n,u\n/,"http://h/""x y"\n', [(2, 13, "UNSAFE"), (2, 16, "UNSAFE")]),
        (["--field", "u"], b'{"n":"/ ","u":"http:\\/\\/h\\/\\u00e9 \\n"}\n',
         [(1, 28, "NON_ASCII"), (1, 28, "NON_ASCII"), (1, 34, "UNSAFE"), (1, 35, "CONTROL")]),
        (["--log-format", "W3C"], b"#Fields: date cs-method cs-uri-stem cs-uri-query\n2015-01-01 GET /a%zz b%zz\n",
         [(2, 18, "BAD_ESCAPE"), (2, 23, "BAD_ESCAPE")]),
    ],
)  # fmt: skip
def test_the_column_is_that_of_the_files_line(
    fasturl: Callable[..., Any], options: list[str], text: bytes, want: list[tuple[int, int, str]]
) -> None:
    assert columns(fasturl("check", "-q", *options, stdin=text)) == want


def test_the_columns_of_a_log(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    lines = [
        make_clf(b"GET /%zz HTTP/1.1", b"http://r/%zz", agent=b"http://r/%zz"),
        make_clf(rb"GET /\"a\x16%zz HTTP/1.1"),
        make_clf(b"/ x"),
        b"torn",
    ]
    ran = fasturl("check", "-q", "--log-format", "COMBINED", stdin=b"\n".join(lines))
    at = [line.find(b"%zz") + 1 for line in lines]
    assert columns(ran) == [
        (1, at[0], "BAD_ESCAPE"),
        (1, lines[0].find(b"/%zz", at[0]) + 2, "BAD_ESCAPE"),
        (2, lines[1].find(b'\\"') + 1, "UNSAFE"),
        (2, lines[1].find(b"\\x16") + 1, "CONTROL"),
        (2, at[1], "BAD_ESCAPE"),
        (3, lines[2].find(b"/ x") + 2, "UNSAFE"),
        (4, 1, "REJECTED"),
    ]


def test_places_that_go_back_and_forth_are_those_of_a_slow_count() -> None:
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
            column = slow(line, 3 + offset)
            assert place.column(offset) == column, (line, offset)
            end = rng.randrange(offset, len(url) + 1)
            assert place.columns_on(end) == slow(line, 3 + end) - column, (line, offset, end)


def test_a_url_that_is_not_in_its_line_has_no_place() -> None:
    place = Place(b"something else", b"http://h/", "url")
    assert not place.is_known and place.column(5) == 1


def test_json_is_what_it_was_by_both_names(fasturl: Callable[..., Any]) -> None:
    text = b"http://me:secret@h/\xe9\n"
    ran = fasturl("check", "-q", "--json", stdin=text)
    assert ran.out == fasturl("check", "-q", "--format", "json", stdin=text).out
    assert [(row["offset"], row["finding"]) for row in ran.rows] == [(7, "LOGIN"), (19, "NON_ASCII")]
    assert {row["url"] for row in ran.rows} == {"http://me:***@h/%E9"}
    raw = fasturl("check", "-q", "--json", "--octets", "surrogate", stdin=text)
    assert {row["url"] for row in raw.rows} == {"http://me:***@h/\udce9"}


def test_annotations_of_github_are_escaped(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a:b,c%\n").write_bytes(b"http://h/%zz\nftp://u:p@h/\n")
    ran = fasturl("check", "-q", "--hazards", "--format", "github", "a:b,c%\n", cwd=tmp_path)
    lines = ran.out.decode().splitlines()
    place = "file=a%3Ab%2Cc%25%0A,line=1,col=10,endColumn=11,title=BAD_ESCAPE"
    assert lines[0].startswith(f"::error {place}::hpath: '%25' at offset 9: ")
    assert lines[1].startswith("::warning file=a%3Ab%2Cc%25%0A,line=2,col=9,endColumn=10,title=PASSWORD::")
    assert len(lines) == 2 and ran.status == 1


@pytest.mark.parametrize("content", [b"", b"http://ok/\n", b"http://h/ \nhttp://h/\xc3\xa9%00\nx\n" * 3])
def test_sarif_is_one_document_that_keeps_the_rules_of_2_1_0(
    fasturl: Callable[..., Any], tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "caf\xe9 a:b").write_bytes(content)
    ran = fasturl("check", "-q", "--hazards", "--format", "sarif", "--threads", "2", "caf\xe9 a:b", cwd=tmp_path)
    told = json.loads(ran.out)
    assert told["version"] == "2.1.0" and len(told["runs"]) == 1
    run = told["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [*NAMES, "REJECTED"]
    for rule in rules:
        assert rule["shortDescription"]["text"] and rule["defaultConfiguration"]["level"] in ("error", "warning")
        assert rule["id"] == "REJECTED" or "docs/validity.md" in rule["help"]["text"]
    assert run["columnKind"] == "unicodeCodePoints" and isinstance(run["results"], list)
    assert len(run["results"]) == (15 if content.count(b"\n") > 1 else 0)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] and result["message"]["text"]
        assert result["level"] == rules[result["ruleIndex"]]["defaultConfiguration"]["level"]
        (location,) = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9%/._~-]+", uri) and unquote(uri) == "caf\xe9 a:b"
        region = location["physicalLocation"]["region"]
        assert 1 <= region["startColumn"] < region.get("endColumn", 99) and region["startLine"] >= 1


def test_rejects_of_a_log_are_results_too(fasturl: Callable[..., Any], make_clf: Callable[..., bytes]) -> None:
    log = make_clf() + b"\ntorn \xff\n"
    for form, mark in (("sarif", b'"ruleId": "REJECTED"'), ("github", b"::error file=-,line=2,title=REJECTED::")):
        ran = fasturl("check", "-q", "--format", form, "--log-format", "COMBINED", stdin=log)
        assert ran.status == 1 and ran.out.count(mark) == 1
    told = json.loads(fasturl("check", "-q", "--format", "sarif", "--max-line", "8", stdin=b"x" * 20).out)
    assert [each["ruleId"] for each in told["runs"][0]["results"]] == ["REJECTED"]
