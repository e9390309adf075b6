"""Each reading in docs/deviations.md names an existing test. Tests of the readings that belong to no section."""

import dataclasses
import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import fasturl.schemes
from fasturl import InvalidURL, _fastparse
from fasturl.schemes import Generic, decompose, registered

ROOT = Path(__file__).parents[2]
ROWS = [[cell.strip() for cell in line.strip().strip("|").split(" | ")]
        for line in (ROOT / "docs" / "deviations.md").read_text("utf-8").splitlines()
        if line.startswith("| ") and not line.startswith("| what")]  # fmt: skip


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
def test_a_scheme_that_starts_with_a_digit_is_valid_but_no_attribute(url):
    name = url.partition(":")[0]
    assert fasturl.parse(url).valid_rfc1738 and fasturl.parse(url, strict=True).valid_rfc1738
    assert fasturl.parse(url).findings == fasturl.Finding.AMBIGUOUS_AUTHORITY  # urllib reads no scheme there
    assert decompose(url) == decompose(url, strict=False) == Generic(name, "a")
    assert fasturl.parse(url).scheme == ""
    assert fasturl.parse(url, strict=True).scheme == name
    # With another violation it is not a URL at all, and the lenient split finds no scheme.
    assert decompose(f"{url} b", strict=False) == Generic("", f"{url} b")


@pytest.mark.parametrize(("url", "built"), [
    ("ftp://h/a%3Fb", "ftp://h/a?b"), ("FTP://h:0021/%61", "ftp://h/a"), ("mailto:a%40b%2f", "mailto:a@b/"),
    ("gopher://h", "gopher://h/1"), ("telnet://h", "telnet://h/"), ("nntp://h/a/007", "nntp://h/a/7"),
    ("http://h/%7e?a%2Fb", "http://h/%7e?a%2Fb"), ("prospero://h/a%2Fb", "prospero://h/a/b"),
])  # fmt: skip
def test_a_url_comes_back_as_written_or_is_built_from_its_components(url, built):
    parts = decompose(url)
    assert parts.geturl() == url
    assert dataclasses.replace(parts).geturl() == built
    assert decompose(built) == parts


def test_a_text_with_the_mark_is_a_url_of_the_scheme_url():
    assert fasturl.parse("URL:http://h/").valid_rfc1738 and fasturl.parse("URL:http://h/").scheme == "url"
    assert decompose("URL:http://h/") == Generic("url", "http://h/")
    assert fasturl.unwrap("URL:http://h/") == "http://h/"
    assert [found.url for found in fasturl.find_urls("see URL:http://h/ there")] == ["http://h/"]
    assert "secret" not in fasturl.redact("URL:http://u:secret@h/")


@pytest.mark.parametrize(("scheme", "port"), [
    ("ssh", 22), ("sftp", 22), ("ws", 80), ("wss", 443), ("ldap", 389), ("ldaps", 636), ("imap", 143), ("pop", 110),
    ("smtp", 25), ("rsync", 873), ("SSH", 22), ("https", 443), ("ftp", 21), ("dict", 2628), ("redis", 6379),
])  # fmt: skip
def test_a_registered_port_is_no_hazard(scheme, port):
    ports = fasturl.Finding.RESERVED_PORT | fasturl.Finding.NONDEFAULT_PORT
    assert not fasturl.parse(f"{scheme}://h:{port}/").findings & ports
    assert not fasturl.parse(f"{scheme}://h:0{port}/").findings & ports
    assert fasturl.parse(f"{scheme}://h:26/").findings & ports == ports
    assert _fastparse.registered_port(scheme) == port


def test_no_other_place_names_a_default_port():
    table = (ROOT / "grammar" / "ports.csv").read_text("ascii").splitlines()[2:]
    assert len(table) > 200
    for name, port, source in (row.split(",") for row in table):
        assert _fastparse.registered_port(name) == int(port) and source
    for name in "ftp http https gopher nntp telnet wais prospero dict".split():
        assert registered()[name].default_port == _fastparse.registered_port(name)
    assert all(_fastparse.registered_port(name) is None for name in ("", "x-any", "s", "sshh", "ssh\0", "zzz", "!"))


def test_a_trailing_dot_is_no_host():
    with pytest.raises(InvalidURL):
        decompose("http://host.dom./")


def test_only_a_closed_wrapper_is_certain():
    assert [found.url for found in fasturl.find_urls("see <URL:http://h/a> and <URL:http://h/b")] == ["http://h/a"]


def test_a_hyphen_at_a_line_break_is_kept():
    assert [found.url for found in fasturl.find_urls("<URL:http://h/a-\n   b>")] == ["http://h/a-b"]


def test_the_fragment_of_a_wrapped_url_is_given_apart():
    text = "<URL:http://ds.internic.net/instructions/overview.html#WARNING>"
    found = next(fasturl.find_urls(text))
    assert (found.url, found.fragment) == ("http://ds.internic.net/instructions/overview.html", "WARNING")


def test_insignificant_spellings_are_equivalent():
    assert fasturl.equivalent("HTTP://H.dom:80/%61%3f", "http://h.DOM/a%3F")
    assert fasturl.equivalent("ftp://h:0021/a", "ftp://h/a")
    assert fasturl.equivalent("ftp://h/a%3Fb", "ftp://h/a?b")
    assert not fasturl.equivalent("ftp://h/a%2Fb", "ftp://h/a/b")


def test_the_host_of_a_message_id_has_no_case():
    upper, lower = decompose("news:a@HOST"), decompose("news:a@host")
    assert (upper.message_id, upper == lower) == ("a@HOST", False)
    assert fasturl.equivalent(upper.geturl(), lower.geturl())
    assert not fasturl.equivalent("news:A@host", "news:a@host")
    assert not fasturl.equivalent("news:a%40B@host", "news:a%40b@host")


@pytest.mark.parametrize("url", [
    "ftp://%61%3b:%3a@h:0021/a%20b%2f%3f/%7E;type=A", "http://H:80/a%20%2f%3a?%41%3b%26", "gopher://h",
    "gopher://h:70/0%61%20%2f%09b%3a%09+%09", "mailto:%61%25b%40", "news:%61%3a@H", "nntp://h:0119/a/007",
    "telnet://%61%3d:%20@h:23", "wais://h:210/%61%2f?b%20%3d", "file://LOCALHOST/%61%20%2f%3a",
    "prospero://h:1525/%61%2f%3d;%62%3d=%20%3a", "foo://%61%3b@H:1/a%20%2f",
])  # fmt: skip
def test_a_built_url_is_equivalent_to_its_source(url):
    assert fasturl.equivalent(dataclasses.replace(decompose(url)).geturl(), url)


def test_every_scheme_has_its_heading():
    built_in = [scheme for scheme in registered().values() if not scheme.name.startswith("x-")]
    schemes = [scheme.name for scheme in built_in if scheme.shape in (scheme.name, "custom")]
    headings = re.findall(
        r"^## (.+) \((?:RFC .*)\)$", "".join(map(Path.read_text, ROOT.joinpath("docs", "schemes").glob("*.md"))),
        re.MULTILINE,
    )  # fmt: skip
    named = [name for heading in headings for name in heading.split(", ")]
    assert sorted(named) == sorted([*schemes, "https", "Any other scheme", "New schemes"])


@pytest.mark.parametrize("name", fasturl.schemes.__all__)
def test_every_public_name_is_documented(name):
    if name != "RESERVED_NAMES":
        assert (getattr(fasturl.schemes, name).__doc__ or "").strip()


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(fasturl.schemes.__path__)])
def test_the_examples_of_a_module(name):
    """tests/packaging runs them too, but tools/mutate.py runs this folder alone."""
    assert doctest.testmod(importlib.import_module(f"fasturl.schemes.{name}")).failed == 0
