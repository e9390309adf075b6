"""What a builder builds is equivalent to its source (section 2.2), wherever the source holds an escape of any byte."""

import dataclasses

import pytest

import fasturl
from fasturl.schemes import Http, decompose, hpath, registered

# One slot per place of a schemepart. An escape that the place does not allow makes the URL invalid.
SLOTS = {
    "ftp": [
        "//u{}@h/a",
        "//u:p{}@h/a",
        "//h/c{}d/n",
        "//h/c/n{}",
        "//h/n{};type=a",
        "//h{}/a",
        "//h/a;type={}",
    ],
    "http": ["//h/a{}b", "//h/a{}b/c", "//h/a?b{}c", "//h/{}?{}"],
    "https": ["//h/a{}b", "//h/a?b{}c"],
    "gopher": ["//h/1a{}b", "//h/{}", "//h/7a%09b{}c", "//h/7a%09b%09c{}"],
    "mailto": ["a{}b@h", "a@{}h"],
    "news": ["a{}b@h", "a{}b", "a@h{}"],
    "nntp": ["//h/g{}/1", "//h/g/1{}"],
    "telnet": ["//u{}@h/", "//u:p{}@h/"],
    "wais": ["//h/d{}", "//h/d?s{}", "//h/d/t{}/p", "//h/d/t/p{}"],
    "file": ["//h/a{}b/c", "///a{}b", "//localhost/{}"],
    "prospero": ["//h/a{}b", "//h/a;f{}=v", "//h/a;f=v{}", "//h/a;f=v;{}=w"],
    "dict": ["//h/d:w{}", "//h/d:w:b{}", "//h/m:w:b:s{}", "//u{}@h/d:w", "//u;a{}@h/d:w"],
    "x-any": ["//u{}@h/a", "//u:p{}@h/a", "//h/a{}b", "//h/a?b{}", "a{}b", "//h?a{}b"],
}


def test_every_scheme_with_a_class_has_slots() -> None:
    known = "ftp http https gopher mailto news nntp telnet wais file prospero dict"  # tests register others
    assert {*known.split()} == {*SLOTS} - {"x-any"} <= {*registered()}


@pytest.mark.parametrize("form", ["%{:02X}", "%{:02x}", "{}"])
@pytest.mark.parametrize("scheme", SLOTS)
def test_a_built_url_is_equivalent_to_its_source(scheme: str, form: str) -> None:
    built_any = False
    for slot in SLOTS[scheme]:
        for octet in range(256):
            if form == "{}" and scheme == "dict" and chr(octet) in "&;=?@":
                continue  # decoded, the argument does not say how it was written; it is built with the escape
            part = chr(octet) if form == "{}" else form.format(octet)
            source = f"{scheme}:{slot.replace('{}', part)}"
            if not fasturl.parse(source).valid:
                continue
            parts = decompose(source)
            built = dataclasses.replace(parts).geturl()  # a fresh value knows nothing of the text
            assert fasturl.parse(built, strict=True).valid
            assert decompose(built) == parts, source
            assert fasturl.equivalent(built, source), (source, built)
            built_any = True
    assert built_any or scheme == "nntp"  # whose parts take no escape


@pytest.mark.parametrize("octet", range(256))
def test_a_generic_login_keeps_every_escape(octet: int) -> None:
    source = f"x-any://u%{octet:02X}:p%{octet:02X}@h/a"
    parts = dataclasses.replace(decompose(source), part=None)  # type: ignore[call-arg]
    assert fasturl.equivalent(parts.geturl(), source)


@pytest.mark.parametrize("octet", range(256))
def test_hpath_keeps_every_escape(octet: int) -> None:
    source = f"http://h/a%{octet:02X}b/%{octet:02X}"
    parts = decompose(source)
    assert isinstance(parts, Http)
    assert fasturl.equivalent(Http("h", path=hpath(parts.segments)).geturl(), source)


def test_hpath_escapes_what_http_reserves() -> None:
    assert hpath(["c;d", "e?f", "g/h", "i:@&=j"]) == "c%3Bd/e%3Ff/g%2Fh/i:@&=j"
