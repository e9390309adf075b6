"""The recogniser of addresses agrees with a slow one, which decodes the whole text first."""

import random
import re
import string
import sys
from ipaddress import IPv6Address, ip_address

import pyarrow as pa
import pytest
from guardpages import Guarded
from tries import TRIES

from fasturl._accesslog import find_addresses, replace_addresses
from fasturl.logs.addresses import Anonymizer

ALNUM = set(string.ascii_letters + string.digits)
Character = tuple[str, int, int]  # with its start and end in the text
Place = tuple[int, int, bytes]

# One escape per turn. The text of a match, and what it stands for.
_FIRST = re.compile(r"%(?:25)*([0-9A-Fa-f]{2})|\\{1,8}(?:u00|x)([0-9A-Fa-f]{2})", re.DOTALL)


def decoded(text: str) -> list[Character]:
    """Return the characters of a text, decoded as often as the recogniser does."""

    def one(at: int) -> Character:
        match = _FIRST.match(text, at)
        # "%2525" is a percent sign, whatever its depth.
        return (chr(int(match[1] or match[2], 16)), at, match.end()) if match else (text[at], at, at + 1)

    def digits(at: int, count: int) -> tuple[int, int] | None:
        found = ""
        for _ in range(count):
            character = one(at) if at < len(text) else (" ", at, at)
            if character[0] not in string.hexdigits:
                return None
            found, at = found + character[0], character[2]
        return int(found, 16), at

    def combined(character: Character) -> Character:
        for _ in range(2):
            byte, start, end = character
            if byte not in ("%", "\\") or end >= len(text):
                break
            following = one(end)
            slashes = 1
            while byte == "\\" and following[0] == "\\" and slashes < 8 and following[2] < len(text):
                end, following, slashes = following[2], one(following[2]), slashes + 1
            if following[0] == "u" or (following[0] == "x" and byte == "\\"):
                value = digits(following[2], 4 if following[0] == "u" else 2)
            elif byte == "%":
                value = digits(end, 2)
            elif following[0] not in ALNUM or following[0] in "ntrbf":
                value = ord("\n" if following[0] in ALNUM else following[0]), following[2]
            else:
                value = None
            if value is None:
                break
            character = (chr(min(value[0], 0xFF)), start, value[1])
        return character

    found: list[Character] = []
    at = 0
    while at < len(text):
        found.append(combined(one(at)))
        at = found[-1][2]
    return found


_V4 = re.compile(r"[0-9]{1,3}(?:[.][0-9]{1,3}){3}(?![.]?[0-9])")
_V4_INSIDE = re.compile(r"[0-9]{1,3}(?:[.][0-9]{1,3}){3}(?![0-9])")


def _packed(text: str) -> bytes | None:
    head, colon, tail = text.rpartition(":")
    if "." in tail:
        tail = ".".join(str(int(part)) for part in tail.split("."))
    try:
        found = ip_address(head + colon + tail)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).packed


def slow_addresses(text: str) -> list[Place]:
    characters = decoded(text)
    plain = "".join(character for character, _, _ in characters)
    raw = [start for _, start, _ in characters] + [len(text)]

    def ends(at: int) -> bool:
        return at == len(plain) or plain[at] not in ALNUM or text[raw[at]] == "%"

    def ipv6(at: int) -> tuple[int, bytes] | None:
        run = re.compile(r"[0-9A-Fa-f:]{2,40}").match(plain, at)
        if run is None or ":" not in run[0]:
            return None
        ipv4s = [_V4_INSIDE.match(plain, end) for end in range(at + 2, run.end() + 1)]
        found = {match.end() for match in ipv4s if match and plain[match.start() - 1] == ":"}
        for end in sorted({*range(at + 2, run.end() + 1), *found}, reverse=True):
            packed = _packed(plain[at:end])
            if packed is not None and ":" in plain[at:end] and (end in found or ends(end)):
                pairs = re.fullmatch("(?:[0-9A-Fa-f]{2}:){7}[0-9A-Fa-f]{2}", plain[at:end])
                longer = re.compile(":[0-9A-Fa-f]").match(plain, end) or plain[at - 1 : at] == ":"
                return None if pairs and longer else (end, packed)
        return None

    places: list[Place] = []
    at, after = 0, -1  # `after`: the end of the last address
    while at < len(plain):
        before = "0" if at == after else plain[at - 1 : at] or " "
        dotted = (before == "." and at >= 2 and (plain[at - 2] in string.digits or at - 1 == after)) or None
        match = ipv6(at) if before not in ALNUM and plain[at] in string.hexdigits + ":" else None
        if match is None and plain[at] in string.digits and before not in string.digits and not dotted:
            found = _V4.match(plain, at)
            packed = _packed(found[0]) if found else None
            match = (found.end(), packed) if found and packed else None
        if match is None:
            at += 1
            continue
        places.append((raw[at], raw[match[0]], match[1]))
        at = after = match[0]
    return places


_ESCAPES = ["{}"] * 30 + [
    "%{:02X}", "%{:02x}", "%25{:02x}", "%2525{:02X}", r"\x{:02x}", r"\u{:04x}", r"\\u{:04X}", "%u{:04X}", "%25u{:04x}",
    "%5Cu{:04x}", r"\u0025{:02x}", r"\\\\x{:02x}",
]  # fmt: skip
_PARTS = [
    "203.0.113.77", "::ffff:203.0.113.77", "2001:db8::7", "1:2:3:4:5:6:7:8", "::", ":", ".", "12", "0", "abc", "ab:cd",
    "fe80::1%eth0", "g", " ", ",", "%", "\\", "\\.", "\\:", "u", "x", "n", "256", "1.2", "12345", "%2", "-", "%zz",
    "\\n", '\\"', "::1", "ab:cd:ef:01:23:45:67:89", "[", "]", "/", "\n", "\x00", "\u00e9",
    "%41", "%u3001", "11:22:33:44:",
]  # fmt: skip


def random_text(rng: random.Random) -> str:
    """Return parts of addresses and what may stand beside them, some of it in escapes."""
    written = []
    for _ in range(rng.randrange(1, 7)):
        escapes = rng.choice([["{}"], _ESCAPES, _ESCAPES[29:]])
        for character in rng.choice(_PARTS):
            escape = rng.choice(escapes)
            may = character in ".:" or rng.random() < 0.2
            written.append(escape.format(ord(character)) if escape != "{}" and may else character)
    return "".join(written)


@pytest.mark.parametrize("seed", range(4))
def test_a_slow_recogniser_finds_the_same(seed: int) -> None:
    rng = random.Random(seed)
    found = 0
    for _ in range(TRIES):
        text = random_text(rng)
        places = find_addresses(text.encode("latin-1"))
        assert places == slow_addresses(text), text
        found += len(places)
    assert found > TRIES // 4


def test_what_is_replaced_is_no_longer_there() -> None:
    rng = random.Random(1)
    for anonymizer in (Anonymizer(24), Anonymizer(key=b"k" * 16)):
        for _ in range(TRIES // 4):
            text = random_text(rng)
            shown = anonymizer.text(text.encode("latin-1")).decode("latin-1")
            left = {packed for _, _, packed in slow_addresses(shown)}
            hidden = {
                packed
                for _, _, packed in slow_addresses(text)
                if anonymizer.text(str(ip_address(packed)).encode()) != str(ip_address(packed)).encode()
            }
            assert not left & hidden, (text, shown)


def test_texts_in_a_slice_of_a_nested_column_are_anonymized() -> None:
    anonymizer = Anonymizer(24)
    texts = [b"192.0.2.7", b"a", None, b"from 198.51.100.9"]
    structs = pa.array(
        [{"at": text, "n": n} for n, text in enumerate(texts)], pa.struct({"at": pa.binary(), "n": pa.int64()})
    )
    lists = pa.array([[text] * 2 for text in texts], pa.list_(pa.binary()))
    for column in (structs, lists, pa.array(texts, pa.binary())):
        for start in range(len(texts) + 1):
            found = anonymizer.kept(column.slice(start))
            found.validate(full=True)
            assert found.equals(anonymizer.kept(column).slice(start))
    assert anonymizer.kept(structs.slice(3)).to_pylist() == [{"at": b"from 198.51.100.0", "n": 3}]


@pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")
def test_no_load_leaves_the_text() -> None:
    rng, guarded = random.Random(2), Guarded()
    for _ in range(TRIES // 4):
        data = random_text(rng).encode("latin-1")
        data = b" " * (-len(data) % 8) + data
        whole = guarded.bytes_at_end(data)
        assert find_addresses(whole) == find_addresses(data)
        assert replace_addresses(whole, lambda *given: b"") == replace_addresses(data, lambda *given: b"")
        del whole
