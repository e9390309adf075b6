"""normalize and equivalent agree with slow versions on random texts, and keep the promises of section 2.2."""

import dataclasses
import random
import sys
from urllib.parse import unquote_to_bytes

import pytest
from guardpages import Guarded
from slow_normal import slow_key, slow_normal
from tries import TRIES

from fasturl._fastparse import parse, schemes
from fasturl._findings import Finding
from fasturl._functions import _normalize_in_place, equivalent, normalize
from fasturl.schemes import UnbuildableURL, decompose

SHARE = max(TRIES // 4, 250)  # fewer would not meet every scheme

STARTS = [
    *(
        f"{name}://"
        for name in [
            "http", "HTTP", "ftp", "Ftp", "gopher", "nntp", "telnet", "wais", "file", "prospero", "https", "x-any",
        ]
    ),
    *("mailto:", "news:", "NEWS:", "x-any:", "", "//", "/", "1h://", "a_b://", "http:", "A.b+C-1:", ":", "?", "é:"),
]  # fmt: skip
TOKENS = [
    *["a", "B", "h", "H.com", "1.2.3.4", "[::1]", "[FE80::A]", "_", "-", ".", ":", ":80", ":0021", ":443", ":0",
      ":65536", "@", "u:p@"],
    *["/", "//", "?", "#", ";", "=", "&", ";type=a", "%41", "%7e", "%2f", "%25", "%34", "%31", "%", "%4", "%%", "%zz",
      "%61", "%3a"],
    *["%40", "%C3%a9", "é", "€", " ", "\n", "\x00", "\\", "*", "+", "%09", "%67", "[", "]", "4", "1", "~"],
]  # fmt: skip


def make(rng):
    host = rng.choice(["", "H", "h.com", "u@H.com", "Host:80", "u:p@h:21", "[::A]:80"])
    tail = "".join(rng.choice(TOKENS) for _ in range(rng.randrange(9)))
    return rng.choice(STARTS) + host + rng.choice(["", "/", "/", "/A%41/"]) + tail


def violations(text):
    return parse(text).findings & Finding.VIOLATIONS


def test_normalize_agrees_with_the_slow_reading(kernel):
    rng = random.Random(22)
    changed = 0
    for _ in range(SHARE):
        text = make(rng)
        normal = normalize(text)
        assert normal == slow_normal(text), text
        changed += normal != text
        data = text.encode()
        assert normalize(data) == normal.encode()
        assert _normalize_in_place(data) == normal.encode()
        assert (normal is text) == (normal == text)
    assert changed > SHARE // 4


def test_normalize_keeps_the_promises_of_section_2_2():
    rng = random.Random(23)
    for _ in range(SHARE):
        text = make(rng)
        normal = normalize(text)
        assert normalize(normal) is normal, text
        assert len(normal) <= len(text)
        assert equivalent(text, normal)
        before, after = parse(text), parse(normal)
        assert violations(text) == violations(normal), text
        # Only RFC 1738's cut of an ftp login may reach beyond urllib's "?" (ftp://us?er@h/).
        if "?" in text.partition("/")[2].lstrip("/").partition("/")[0]:
            continue
        for part in ("path", "query", "fragment", "username", "password"):
            mine, others = getattr(before, part), getattr(after, part)
            assert (mine is None) == (others is None), (text, part)
            if mine is not None:
                assert unquote_to_bytes(mine) == unquote_to_bytes(others), (text, part)
            assert (before.span(part) is None) == (after.span(part) is None)
        assert before.scheme == after.scheme
        if before.scheme not in ("mailto", "news"):  # they have no host, though urllib may find one
            assert before.hostname == after.hostname, text
        own = schemes().get(before.scheme, (None, None))[1]
        try:
            port = before.port
        except ValueError:
            with pytest.raises(ValueError, match="Port"):
                _ = after.port
        else:
            read_back = own if after.port is None else after.port
            assert (own if port is None else port) == read_back, text


# Kept as written, since decoding would lose the meaning of "/", ";" and "?". The decoded bytes are compared.
AS_WRITTEN = {(kind, part) for kind in ("Http", "Https", "Generic") for part in ("path", "query", "search", "part")}


def decoded(parts):
    for field in dataclasses.fields(parts):
        value = getattr(parts, field.name)
        if (type(parts).__name__, field.name) == ("Generic", "part") and parts.host is not None:
            continue  # it repeats the host and the port
        if field.name == "host" and value is not None:
            value = value.lower()
        elif field.name == "hosts":
            value = tuple((host and host.lower(), port) for host, port in value)
        elif (type(parts).__name__, field.name) in AS_WRITTEN and value is not None:
            value = unquote_to_bytes(value)
        yield field.name, value


def test_a_normal_form_decomposes_to_the_same_parts():
    rng = random.Random(26)
    kinds = set()
    for _ in range(SHARE):
        text = make(rng)
        if not parse(text).valid_rfc1738:
            continue
        before, after = decompose(text), decompose(normalize(text))
        assert type(before) is type(after)
        assert list(decoded(before)) == list(decoded(after)), text
        try:
            assert equivalent(before.geturl(), text), text
        except UnbuildableURL:
            assert parse(text).findings & Finding.AMBIGUOUS_AUTHORITY, text
        kinds.add(type(before).__name__)
    assert len(kinds) >= 9


def test_equivalent_is_an_equivalence():
    rng = random.Random(24)
    for _ in range(SHARE // 20):
        base = make(rng)
        family = {base, base.swapcase(), base.upper(), base.lower(), base + "/", base.rstrip("/"), make(rng)}
        family |= {normalize(base), base.replace("a", "%61"), base.replace("%41", "A")}
        family |= {base.replace(":80", ""), base.replace("%2f", "/")}
        members = sorted(family)
        for a in members:
            assert equivalent(a, a)
            for b in members:
                same = equivalent(a, b)
                assert same == equivalent(b, a)
                assert same == (slow_key(a) == slow_key(b)), (a, b)
                assert same == equivalent(a.encode(), b.encode())
                if same:
                    assert [equivalent(a, c) for c in members] == [equivalent(b, c) for c in members]
                if normalize(a) == normalize(b):
                    assert same


@pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")
def test_normalize_reads_nothing_outside_the_buffer(kernel):
    guarded = Guarded(1)
    rng = random.Random(25)
    for length in range(1, 140):
        for _ in range(8):
            text = (make(rng).encode() * 40)[:length]
            if rng.random() < 0.3:
                text = text[:-2] + rng.choice([b"%", b"%4", b"%a", b"/;", b":0", b"//", b"[", b"@"])
            for start in (0, guarded.size - len(text)):
                given = guarded.view(start, text)
                for key in (False, True):
                    assert _normalize_in_place(given, key=key) == _normalize_in_place(text, key=key)
