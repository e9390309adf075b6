"""A built URL is equivalent to its source (section 2.2), wherever the source holds an escape of any byte."""

import dataclasses
import random

import pytest

import fasturl
from fasturl import Finding, UnbuildableURL

# isort: off
from fasturl.schemes import (File, Ftp, Generic, Gopher, Http, Https, Nntp, Prospero, SchemeParts, Telnet, Wais,
                             decompose, hpath, registered)  # fmt: skip

# One slot per place of a schemepart. An escape that the place does not allow makes the URL invalid.
SLOTS = {
    "ftp": ["//u{}@h/a", "//u:p{}@h/a", "//h/c{}d/n", "//h/c/n{}", "//h/n{};type=a", "//h{}/a", "//h/a;type={}"],
    "http": ["//h/a{}b", "//h/a{}b/c", "//h/a?b{}c", "//h/{}?{}"],
    "https": ["//h/a{}b", "//h/a?b{}c"],
    "gopher": ["//h/1a{}b", "//h/{}", "//h/7a%09b{}c", "//h/7a%09b%09c{}"],
    "mailto": ["a{}b@h", "a@{}h"],                            "news": ["a{}b@h", "a{}b", "a@h{}"],
    "nntp": ["//h/g{}/1", "//h/g/1{}"],                       "telnet": ["//u{}@h/", "//u:p{}@h/"],
    "wais": ["//h/d{}", "//h/d?s{}", "//h/d/t{}/p", "//h/d/t/p{}"],
    "file": ["//h/a{}b/c", "///a{}b", "//localhost/{}"],
    "prospero": ["//h/a{}b", "//h/a;f{}=v", "//h/a;f=v{}", "//h/a;f=v;{}=w"],
    "dict": ["//h/d:w{}", "//h/d:w:b{}", "//h/m:w:b:s{}", "//u{}@h/d:w", "//u;a{}@h/d:w"],
    "x-any": ["//u{}@h/a", "//u:p{}@h/a", "//h/a{}b", "//h/a?b{}", "a{}b", "//h?a{}b"],
}  # fmt: skip

BUILT_IN = {*registered()}  # before a test registers others


def test_every_scheme_with_a_class_has_slots() -> None:
    assert BUILT_IN == {*SLOTS} - {"x-any"}


def is_refused_or_plain(value: SchemeParts) -> bool:
    """Return True if a value builds no URL, or one in which all programs find the same login, host and port."""
    try:
        url = value.geturl()
    except UnbuildableURL:
        return True
    # A value without a host promises nothing about one: urllib3 takes any scheme with a "." in its name for a host.
    url = url.replace("a.b:", "x:", 1)
    return getattr(value, "host", None) is None or Finding.AMBIGUOUS_AUTHORITY not in fasturl.parse(url).findings


@pytest.mark.parametrize("form", ["%{:02X}", "%{:02x}", "{}"])
@pytest.mark.parametrize("scheme", SLOTS)
def test_a_built_url_is_equivalent_to_its_source(scheme: str, form: str) -> None:
    built_any = False
    for slot in SLOTS[scheme]:
        for byte in range(256):
            if form == "{}" and scheme == "dict" and chr(byte) in "&;=?@":
                continue  # the decoded argument has lost whether it was escaped, and is built with the escape
            part = chr(byte) if form == "{}" else form.format(byte)
            source = f"{scheme}:{slot.replace('{}', part)}"
            if not fasturl.parse(source).valid_rfc1738:
                continue
            parts = decompose(source)
            if Finding.AMBIGUOUS_AUTHORITY in fasturl.parse(source).findings:
                assert is_refused_or_plain(parts), source
                continue
            built = dataclasses.replace(parts).geturl()  # a copy is built from its components, not from the text
            assert fasturl.parse(built, strict=True).valid_rfc1738
            assert decompose(built) == parts, source
            assert fasturl.equivalent(built, source), (source, built)
            built_any = True
    assert built_any or scheme == "nntp"  # no part of an nntp URL takes an escape


@pytest.mark.parametrize("byte", range(256))
def test_a_generic_login_keeps_every_escape(byte: int) -> None:
    source = f"x-any://u%{byte:02X}:p%{byte:02X}@h/a"
    parts = dataclasses.replace(decompose(source), part=None)  # type: ignore[call-arg]
    assert fasturl.equivalent(parts.geturl(), source)


@pytest.mark.parametrize("byte", range(256))
def test_hpath_keeps_every_escape(byte: int) -> None:
    source = f"http://h/a%{byte:02X}b/%{byte:02X}"
    parts = decompose(source)
    assert isinstance(parts, Http)
    assert fasturl.equivalent(Http("h", path=hpath(parts.segments)).geturl(), source)


def test_hpath_escapes_what_http_reserves() -> None:
    assert hpath(["c;d", "e?f", "g/h", "i:@&=j"]) == "c%3Bd/e%3Ff/g%2Fh/i:@&=j"


# Texts for a user, a password, a host or a path: what ends a login for some reader, and what makes a host a number.
ODD = ["?", "#", "/", "\\\\", "@", ":", "%", "%40", "p?ss", "a@b", "a:b", "\\t", " ", "\u00e9", "[", "]", "&", ";", "=",
       ",", "~", "u", ""]  # fmt: skip
HOSTS = ["h", "h.example", "1.2.3.4", "127.1", "0177.0.0.1", "0x7f.1", "1.2.3.999", "[::1]", "::1", "h_", "h,g", "h?",
         "a@b", "\u212a", ""]  # fmt: skip


def odd_values(chosen: random.Random) -> list[SchemeParts]:
    """Return a value of each class with an authority, of random odd texts."""

    def text() -> str:
        return "".join(chosen.choices(ODD, k=chosen.randrange(1, 4)))

    host, port, hosts = chosen.choice(HOSTS), chosen.choice([None, 0, 80, 65535, 65536]), chosen.sample(HOSTS, 2)
    return [
        Ftp(text(), text(), host, port, (text(),), text(), "i"),
        Telnet(text(), text(), host, port),                     Http(host, port, text(), text()),
        Https(host, port, hpath([text(), text()])),             Gopher(host, port, "1", text()),
        Nntp(host, port, "g", 1),                               Wais(host, port, text(), text()),
        File(host, (text(), text())),                           Prospero(host, port, text(), ((text(), text()),)),
        Generic(chosen.choice(["postgresql", "a.b", "x+y"]), None, text(), text(), host, port, text()),
        Generic("x", f"//{text()}{host}{text()}"),              Generic("x", text() + host + text()),
        Generic("mongodb", user=text(), password=text(), hosts=[(name, port) for name in hosts]),
    ]  # fmt: skip


def test_no_builder_returns_a_text_that_programs_read_differently(tries: int) -> None:
    chosen, built = random.Random(1738), 0
    for _ in range(tries // 10):
        for value in odd_values(chosen):
            if isinstance(value, Generic) and len(value.hosts) > 1:
                continue
            assert is_refused_or_plain(value), value
        url = f"ftp://{chosen.choice(ODD)}{chosen.choice('?#@:/')}{chosen.choice(HOSTS)}@h/a"
        value = decompose(url, strict=False)
        assert is_refused_or_plain(value), url
        built += 1
    assert built


def test_a_login_of_a_builder_keeps_its_host_for_every_reader(tries: int) -> None:
    chosen = random.Random(tries)
    for _ in range(tries // 10):
        user, password = ("".join(chosen.choices(ODD, k=3)) for _ in range(2))
        login = f"{fasturl.rfc1738.escape_login(user)}:{fasturl.rfc1738.escape_login(password)}"
        urls = [Ftp(user, password, "h").geturl(), Telnet(user, password, "h").geturl()]
        urls += [Generic("x", user=user, password=password, host="h").geturl(), f"http://{login}@h/"]
        for url in urls:
            parsed = fasturl.parse(url)
            assert (parsed.hostname, parsed.netloc.count("@"), parsed.netloc.count(":")) == ("h", 1, 1), url
            assert Finding.AMBIGUOUS_AUTHORITY not in parsed.findings, url
            assert (fasturl.unquote(parsed.username), fasturl.unquote(parsed.password)) == (user, password)
