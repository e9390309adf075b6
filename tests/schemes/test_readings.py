"""The readings of docs/deviations.md: each names a test that is there. And those that no section holds."""

import dataclasses
import re
from pathlib import Path

import pytest

import fasturl
from fasturl import InvalidURL
from fasturl.schemes import Generic, decompose

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split(" | ")]
    for line in (ROOT / "docs" / "deviations.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| what")
]


def test_the_page_is_a_table_of_three_columns():
    assert len(ROWS) > 40
    assert [row for row in ROWS if len(row) != 3] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_reading_names_a_test_that_is_there(row):
    named = re.fullmatch(r"`(tests/[a-z0-9_/]+\.py)::(test_\w+)`", row[2])
    assert named, row[2]
    path, test = named.groups()
    assert re.search(rf"^def {test}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE), row[2]


@pytest.mark.parametrize("url", ["1foo:a", "+foo:a", "-:a", ".x:a"])
def test_a_scheme_that_starts_with_a_digit_is_one_under_strict_only(url):
    name = url.partition(":")[0]
    assert decompose(url) == decompose(url, strict=False) == Generic(name, "a")
    assert fasturl.parse(url).scheme == ""
    assert fasturl.parse(url, strict=True).scheme == name
    # With something else wrong it is no URL at all, and the lenient split finds no scheme.
    assert decompose(f"{url} b", strict=False) == Generic("", f"{url} b")


@pytest.mark.parametrize(
    ("url", "built"),
    [
        ("ftp://h/a%3Fb", "ftp://h/a?b"),
        ("FTP://h:0021/%61", "ftp://h/a"),
        ("mailto:a%40b%2f", "mailto:a@b/"),
        ("gopher://h", "gopher://h/1"),
        ("telnet://h", "telnet://h/"),
        ("nntp://h/a/007", "nntp://h/a/7"),
        ("http://h/%7e?a%2Fb", "http://h/%7e?a%2Fb"),
        ("prospero://h/a%2Fb", "prospero://h/a/b"),
    ],
)
def test_a_url_comes_back_as_written_or_is_built_from_its_components(url, built):
    parts = decompose(url)
    assert parts.geturl() == url
    assert dataclasses.replace(parts).geturl() == built
    assert decompose(built) == parts


def test_a_trailing_dot_is_no_host():
    with pytest.raises(InvalidURL):
        decompose("http://host.dom./")


def test_only_a_closed_wrapper_is_certain():
    assert [found.url for found in fasturl.extract("see <URL:http://h/a> and <URL:http://h/b")] == [
        "http://h/a"
    ]


def test_a_hyphen_at_a_line_break_is_kept():
    assert [found.url for found in fasturl.extract("<URL:http://h/a-\n   b>")] == ["http://h/a-b"]


def test_the_fragment_of_a_wrapped_url_is_given_apart():
    text = "<URL:http://ds.internic.net/instructions/overview.html#WARNING>"
    found = next(fasturl.extract(text))
    assert (found.url, found.fragment) == ("http://ds.internic.net/instructions/overview.html", "WARNING")


def test_what_makes_no_difference_to_a_url():
    assert fasturl.equivalent("HTTP://H.dom:80/%61%3f", "http://h.DOM/a%3F")
    assert fasturl.equivalent("ftp://h:0021/a", "ftp://h/a")
    assert not fasturl.equivalent("ftp://h/a%3Fb", "ftp://h/a?b")


RESERVED_ESCAPE = re.compile("%(?:2[6f]|3[abdf]|40)", re.IGNORECASE)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://%61@h:0021/a%20b/%7E;type=A",
        "http://H:80/a%20?%41",
        "gopher://h:70/0%61%20%09b",
        "mailto:%61%25b",
        "news:%61@H",
        "nntp://h:0119/a/7",
        "telnet://%61:%20@h:23/",
        "wais://h:210/%61?b%20",
        "file://LOCALHOST/%61%20",
        "prospero://h:1525/%61;%62=%20",
        "foo://%61@H:1/a%20",
    ],
)
def test_a_built_url_is_equivalent_where_no_reserved_character_was_escaped(url):
    assert not RESERVED_ESCAPE.search(url)
    assert fasturl.equivalent(dataclasses.replace(decompose(url)).geturl(), url)
