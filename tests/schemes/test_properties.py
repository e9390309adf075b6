"""Derived, mutated and built URLs: reading undoes writing, and writing undoes reading."""

import dataclasses
import random
import re

import pytest
from derived import derived_url, is_port_too_large
from hypothesis import given
from hypothesis import strategies as st

import fasturl
from fasturl import InvalidURL, UnsafeURL

# isort: off
from fasturl.schemes import (File, Ftp, Generic, Gopher, Http, Https, Mailto, News, Nntp, Prospero, SchemeParts, Telnet,
                             UnbuildableURL, Wais, decompose, hpath)  # fmt: skip


def mutated(text, rng):
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        piece = rng.choice([
            "", "%", "%4", "%zz", "/", "//", ":", "@", "?", "#", ";", ";type=", "=", "&", " ", "é", "\0", "\r\n", "[",
            "]", "%09", "\udcff", "\ud800", "-", ".", "~", chr(rng.randrange(256)),
        ])  # fmt: skip
        text = text[:at] + piece + text[at + rng.randrange(3) :]
    return text


@given(st.randoms(use_true_random=False))
def test_a_derived_url_reads_builds_and_reads_back(rng):
    url = derived_url(rng)
    if is_port_too_large(url):
        return
    parts = decompose(url)
    assert not parts.findings
    scheme, _, part = url.partition(":")
    judged = fasturl.parse(f"x:{part}" if "." in scheme else url)
    ambiguous = fasturl.Finding.AMBIGUOUS_AUTHORITY in judged.findings and getattr(parts, "host", None) is not None
    try:
        assert (parts.geturl() == url) != ambiguous
    except UnbuildableURL:
        assert ambiguous  # there is no way to escape the host that all programs read alike
        return
    # A fresh value knows nothing of the text: it builds from its components.
    fresh = dataclasses.replace(parts)
    try:
        built = fresh.geturl()
    except UnbuildableURL:
        assert ambiguous and type(parts) is Generic  # its part stays as written
        return
    assert fasturl.parse(built, strict=True).valid_rfc1738
    assert decompose(built) == fresh == parts
    assert dataclasses.replace(decompose(built)).geturl() == built
    assert fasturl.equivalent(built, url)


@given(st.randoms(use_true_random=False))
def test_an_invalid_url_raises_or_gives_its_best_and_says_so(rng):
    url = mutated(derived_url(rng), rng)
    valid = True
    try:
        parts = decompose(url)
    except InvalidURL as error:
        valid = False
        assert error.term and error.section and 0 <= error.offset <= len(url)
        parts = decompose(url, strict=False)
    assert bool(parts.findings) != valid
    lenient = decompose(url, strict=False)
    if lenient != parts:
        # For a valid part that is not an ip-schemepart, only the lenient reading gives a login.
        assert valid and type(parts) is Generic and Generic(lenient.scheme, lenient.part) == parts
        assert parts.host is None and (lenient.host is not None or lenient.user is not None or lenient.port is not None)
    for data in (url.encode("utf-8", "surrogatepass"), url.encode("latin-1", "replace")):
        assert isinstance(decompose(data, strict=False), SchemeParts)
    try:
        built = dataclasses.replace(parts).geturl()
    except UnbuildableURL as error:
        ambiguous = fasturl.Finding.AMBIGUOUS_AUTHORITY in fasturl.parse(url).findings
        assert (ambiguous or not valid) and error.term and error.section and error.offset >= 0
    else:
        assert decompose(built).geturl() == built
        assert decompose(built, strict=valid) == dataclasses.replace(parts)
    try:
        if isinstance(parts, Ftp):
            commands = parts.commands()
            assert not any(set(argument) & set("\r\n\0") for _, argument in commands)
        if isinstance(parts, Gopher):
            request = parts.request()
            assert request.endswith(b"\r\n")
            assert b"\0" not in request.partition(b"\t")[2]
            assert parts.form is not None or request.find(b"\r\n") == len(request) - 2
    except UnsafeURL as error:
        assert error.term and error.section


byte_text = st.binary(max_size=12).map(lambda data: data.decode("utf-8", "surrogateescape"))
delimited = st.text(alphabet="a%/;?:@&=#+ \t\r\n\0é~.", max_size=10)
text = st.one_of(byte_text, delimited, st.text(max_size=8))
untabbed = text.map(lambda value: value.replace("\t", ""))
maybe = st.none() | text
label = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9-]{0,5}[A-Za-z0-9])?", fullmatch=True)
top = st.from_regex(r"[A-Za-z]([A-Za-z0-9-]{0,5}[A-Za-z0-9])?", fullmatch=True)
names = st.builds(lambda labels, last: ".".join([*labels, last]), st.lists(label, max_size=3), top)
numbers = st.lists(st.integers(0, 999).map(str), min_size=4, max_size=4).map(".".join)
hosts = names | numbers
ports = st.none() | st.integers(0, 65535)
logins = st.tuples(maybe, maybe).map(lambda pair: pair if pair[0] is not None else (None, None))
groups = st.from_regex(r"[A-Za-z][A-Za-z0-9.+_-]{0,8}", fullmatch=True)
paths = st.none() | st.lists(text, min_size=1, max_size=4).map(hpath)
written = st.none() | text.map(lambda value: hpath([value]))


def ftp(login, host, port, cwd, name, typecode):
    return Ftp(*login, host, port, cwd if name is not None else (), name, typecode if name is not None else None)


values = st.one_of(
    st.builds(
        ftp, logins, hosts, ports, st.lists(text, max_size=3).map(tuple), maybe, st.sampled_from([None, *"aidAID"])
    ),
    st.builds(
        lambda cls, h, p, path, s: cls(h, p, path, s if path is not None else None),
        st.sampled_from([Http, Https]),
        hosts,
        ports,
        paths,
        written,
    ),
    st.builds(
        Gopher,
        hosts,
        ports,
        st.binary(min_size=1, max_size=1).map(lambda o: o.decode("utf-8", "surrogateescape")),
        untabbed,
        st.none() | untabbed,
        maybe,
    ),
    st.builds(Mailto, text.filter(bool)),
    st.builds(News, groups | st.just("*")),
    st.builds(lambda unique, host: News(None, f"{unique}@{host}"), text.filter(bool), hosts),
    st.builds(Nntp, hosts, ports, groups, st.none() | st.integers(0, 10**30)),
    st.builds(lambda login, h, p: Telnet(*login, h, p), logins, hosts, ports),
    st.builds(Wais, hosts, ports, text, maybe),
    st.builds(lambda h, p, *three: Wais(h, p, three[0], None, three[1], three[2]), hosts, ports, text, text, text),
    st.builds(File, hosts | st.just(""), st.lists(text, min_size=1, max_size=4).map(tuple)),
    st.builds(Prospero, hosts, ports, text, st.lists(st.tuples(text, text), max_size=3).map(tuple)),
    st.builds(
        lambda s, login, h, p, path: Generic(s, None, *login, h, p, path),
        st.sampled_from(["foo", "a+b", "9"]),
        logins,
        hosts,
        ports,
        written,
    ),
    st.builds(Generic, st.just("foo"), text.map(lambda value: hpath([value]))),
)


def stands_for_bytes(value):
    """Return True if each text in a value is the decoded form of some bytes."""
    if isinstance(value, str):
        try:
            return value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") == value
        except UnicodeEncodeError:
            return False
    return all(map(stands_for_bytes, value)) if isinstance(value, tuple) else True


@given(values)
def test_a_built_url_reads_back_as_its_value(value):
    fields = tuple(getattr(value, field.name) for field in dataclasses.fields(value))
    if not stands_for_bytes(fields):
        with pytest.raises(UnbuildableURL):
            value.geturl()
        return
    try:
        url = value.geturl()
    except UnbuildableURL as error:
        # Some programs read such a host as a number, drop port 0, or see no scheme.
        assert "in different ways" in str(error)
        is_plain_scheme = re.fullmatch("[a-z][a-z0-9+-]*", value.scheme)
        assert value.host.rpartition(".")[2].isdigit() or value.port == 0 or not is_plain_scheme
        return
    assert url.isascii() and fasturl.parse(url, strict=True).valid_rfc1738
    assert decompose(url) == value
    assert decompose(url.encode()) == value


def test_the_long_run_derives_every_production():
    rng = random.Random(1738)
    seen = {type(decompose(url)) for url in (derived_url(rng) for _ in range(500)) if not is_port_too_large(url)}
    assert seen >= {Ftp, Http, Gopher, Mailto, News, Nntp, Telnet, Wais, File, Prospero, Generic}
