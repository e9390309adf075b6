"""Two valid URLs of a known scheme are equivalent when they decompose to the same parts (sections 2.2 and 3)."""

import dataclasses
import random
import re

import pytest
from derived import derived_url, is_port_too_large
from slow_normal import canonical
from tries import TRIES

import fasturl
from fasturl import equivalent, normalize
from fasturl.schemes import Generic, decompose, registered

SHARE = max(TRIES // 2, 500)


def respelled(url, rng):
    """Return the same URL or nearly: with escapes added or decoded, another case, a port, a slash or a zero."""
    for _ in range(rng.randrange(1, 4)):
        scheme, colon, part = url.partition(":")
        at = rng.randrange(len(part) + 1)
        match rng.randrange(7):
            case 0 if at < len(part) and part[at] != "%":
                part = f"{part[:at]}%{ord(part[at]):02x}{part[at + 1 :]}"
            case 1:
                escapes = list(re.finditer("%[2-7][0-9A-Fa-f]", part))
                if escapes:
                    one = rng.choice(escapes)
                    part = part[: one.start()] + chr(int(one[0][1:], 16)) + part[one.end() :]
            case 2:
                part = part[:at] + part[at:].swapcase()
            case 3:
                scheme = scheme.upper()
            case 4:
                port = registered()[scheme.lower()].default_port
                part = re.sub(r"^(//[^/:]*)(?=/|$)", rf"\1:{port}", part)
            case 5:
                part = part.removesuffix("/") if part.endswith("/") else part + rng.choice(["/", "/1", ";type=i"])
            case 6:
                part = re.sub(r"(?<=[:/])(?=\d+$)", "0", part)
        url = scheme + colon + part
    return url


def valid_of_a_known_scheme(rng):
    while True:
        url = derived_url(rng)
        if not is_port_too_large(url) and type(decompose(url)) is not Generic:
            return url


@pytest.mark.parametrize("seed", range(4))
def test_equivalent_agrees_with_the_decomposed_parts(seed):
    rng = random.Random(seed)
    same = other = 0
    for _ in range(SHARE):
        a = valid_of_a_known_scheme(rng)
        b = respelled(a, rng)
        if not fasturl.parse(b).valid_rfc1738:
            continue
        expected = canonical(decompose(a)) == canonical(decompose(b))
        assert equivalent(a, b) == equivalent(b.encode(), a.encode()) == expected, (a, b)
        if normalize(a) == normalize(b):
            assert expected
        same += expected and a != b
        other += not expected
    assert min(same, other) > SHARE // 20


def test_a_url_built_back_from_its_parts_is_equivalent_to_its_source():
    rng = random.Random(5)
    changed = 0
    for _ in range(SHARE):
        url = respelled(valid_of_a_known_scheme(rng), rng)
        if fasturl.parse(url).valid_rfc1738:
            try:
                built = dataclasses.replace(decompose(url)).geturl()
            except fasturl.UnbuildableURL:
                assert fasturl.parse(url).findings & fasturl.Finding.AMBIGUOUS_AUTHORITY, url
                continue
            assert equivalent(built, url), (built, url)
            changed += built != url
    assert changed > SHARE // 10
