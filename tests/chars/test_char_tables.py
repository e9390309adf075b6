"""Each byte is in the sets of RFC 1738 and RFC 3986. The sets are typed by hand from section 5 and Appendix A."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from rfc1738_grammar import Grammar, load

from fasturl._chars import CharClass

ROOT = Path(__file__).resolve().parents[2]

LOWER = b"abcdefghijklmnopqrstuvwxyz"
UPPER = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = b"0123456789"
SAFE = b"$-_.+"
EXTRA = b"!*'(),"
RESERVED = b";/?:@&="
NATIONAL = b"{}|\\^~[]`"
PUNCTUATION = b'<>#%"'
UNRESERVED = LOWER + UPPER + DIGITS + SAFE + EXTRA

BY_CLASS = {
    "LOWALPHA": LOWER, "HIALPHA": UPPER, "DIGIT": DIGITS, "SAFE": SAFE, "EXTRA": EXTRA, "RESERVED": RESERVED,
    "NATIONAL": NATIONAL, "PUNCTUATION": PUNCTUATION,
}  # fmt: skip
# The term, its bytes, and their number as counted on paper.
BY_TERM = [
    ("ALPHA", LOWER + UPPER, 52), ("DIGIT", DIGITS, 10), ("ALPHADIGIT", LOWER + UPPER + DIGITS, 62),
    ("HEX", DIGITS + b"ABCDEFabcdef", 22), ("SCHEME", LOWER + UPPER + DIGITS + b"+-.", 65), ("UCHAR", UNRESERVED, 73),
    ("XCHAR", UNRESERVED + RESERVED, 80), ("USER", UNRESERVED + b";?&=", 77), ("FSEGMENT", UNRESERVED + b"?:@&=", 78),
    ("HSEGMENT", UNRESERVED + b";:@&=", 78), ("ARTICLE", UNRESERVED + b";/?:&=", 79),
    ("FIELDNAME", UNRESERVED + b"?:@&", 77), ("GROUP", LOWER + UPPER + DIGITS + b"-.+_", 66), ("RESERVED", RESERVED, 7),
    ("NATIONAL", NATIONAL, 9), ("PUNCTUATION", PUNCTUATION, 5), ("HOST", LOWER + UPPER + DIGITS + b"-.", 64),
]  # fmt: skip
# The sets that the split names itself, and those that kernels also look up in other ways.
SPLIT = {
    "ALNUM": LOWER + UPPER + DIGITS, "CAPITAL": UPPER, "XCHAR": UNRESERVED + RESERVED, "DOT": b".", "HYPHEN": b"-",
    "COLON": b":", "SLASH": b"/", "QMARK": b"?",
}  # fmt: skip
SPLIT_SETS = ("ALNUM", "CAPITAL", "XCHAR")
# Rules of RFC 3986 Appendix A, their bytes, and their number.
SUB_DELIMS = b"!$&'()*+,;="
URI = [
    ("UNRESERVED", LOWER + UPPER + DIGITS + b"-._~", 66),
    ("REG_NAME", LOWER + UPPER + DIGITS + b"-._~" + SUB_DELIMS, 77),
    ("USERINFO", LOWER + UPPER + DIGITS + b"-._~:" + SUB_DELIMS, 78),
    ("QUERY", LOWER + UPPER + DIGITS + b"-._~:@/?" + SUB_DELIMS, 81),
]  # fmt: skip
UNIONS = {
    "ALPHA": LOWER + UPPER, "ALPHADIGIT": LOWER + UPPER + DIGITS, "UNRESERVED": UNRESERVED, "UCHAR": UNRESERVED,
    "XCHAR": UNRESERVED + RESERVED,
}  # fmt: skip


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return load()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """Return the tables and the bits as a C compiler reads them from the header."""
    # CC may be more than a program: a cache before it, flags behind it.
    wanted = [os.environ.get("CC", "cc").split(), ["gcc"], ["clang"]]
    compiler = next((words for words in wanted if shutil.which(words[0])), None)
    if compiler is None:
        pytest.skip("no C compiler here")
    folder = tmp_path_factory.mktemp("bytes")
    bits = [f"CLASS_{name}" for name in BY_CLASS] + [f"TERM_{name}" for name, _, _ in BY_TERM]
    bits += [f"SPLIT_{name}" for name in SPLIT] + [f"URI_{name}" for name, _, _ in URI]
    source = ['#include "chars.h"', "#include <stdio.h>", "int main(void) {", "int byte;"]
    source += [f'printf("{bit} %ld\\n", (long){bit});' for bit in bits]
    source.append('#define PAIR(first, last) printf(" %ld %ld", (long)(first), (long)(last));')
    for name in SPLIT_SETS:
        source.append(f'printf("{name}_BY_LOW");')
        source.append(f'for (byte = 0; byte < 16; byte++) printf(" %ld", (long)SPLIT_{name}_BY_LOW[byte]);')
        source.append(f'printf("\\n{name}_RANGES"); SPLIT_{name}_RANGES(PAIR) printf("\\n");')
    for table in ("BYTE_CLASS", "BYTE_TERMS", "BYTE_SPLIT", "BYTE_3986", "HEX_VALUE"):
        source.append(f'printf("{table}");')
        source.append(f'for (byte = 0; byte < 256; byte++) printf(" %ld", (long){table}[byte]);')
        source.append('printf("\\n");')
    source += ["return 0;", "}", ""]
    (folder / "dump.c").write_text("\n".join(source))
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    include = f"-I{ROOT / 'src' / 'kernel'}"
    command = [*compiler, *strict, include, str(folder / "dump.c"), "-o", str(folder / "dump")]
    subprocess.run(command, check=True)
    # A file that uses none of the tables must compile without a warning too.
    alone = folder / "alone.c"
    alone.write_text('#include "chars.h"\nint nothing(void);\nint nothing(void) { return 0; }\n')
    subprocess.run([*compiler, *strict, include, "-c", str(alone), "-o", f"{alone}.o"], check=True)
    printed = subprocess.run([str(folder / "dump")], check=True, capture_output=True, text=True).stdout
    lines = (line.partition(" ") for line in printed.splitlines())
    return {name: list(map(int, values.split())) for name, _, values in lines}


def test_hand_typed_sets_have_the_counted_sizes() -> None:
    for name, chars, size in BY_TERM:
        assert len(chars) == len(set(chars)) == size, name
    assert sum(map(len, BY_CLASS.values())) == 94


def test_compiled_classes_of_all_bytes(compiled: dict[str, list[int]]) -> None:
    for bit, (name, chars) in enumerate(BY_CLASS.items()):
        assert compiled[f"CLASS_{name}"] == [1 << bit]
        found = {byte for byte, value in enumerate(compiled["BYTE_CLASS"]) if value & (1 << bit)}
        assert found == set(chars), name
    assert len(compiled["BYTE_CLASS"]) == 256
    for byte, value in enumerate(compiled["BYTE_CLASS"]):
        assert value.bit_count() == (1 if 0x20 < byte < 0x7F else 0), hex(byte)


@pytest.mark.parametrize(("name", "chars", "size"), BY_TERM, ids=[name for name, _, _ in BY_TERM])
def test_compiled_term(compiled: dict[str, list[int]], name: str, chars: bytes, size: int) -> None:
    (bit,) = compiled[f"TERM_{name}"]
    assert bit.bit_count() == 1
    found = {byte for byte, value in enumerate(compiled["BYTE_TERMS"]) if value & bit}
    assert found == set(chars)
    assert len(found) == size


@pytest.mark.parametrize(("name", "chars", "size"), URI, ids=[name for name, _, _ in URI])
def test_compiled_rule_of_rfc_3986(compiled: dict[str, list[int]], name: str, chars: bytes, size: int) -> None:
    (bit,) = compiled[f"URI_{name}"]
    found = {byte for byte, value in enumerate(compiled["BYTE_3986"]) if value & bit}
    assert found == set(chars)
    assert len(found) == len(chars) == size


def test_compiled_terms_have_no_other_bit(compiled: dict[str, list[int]]) -> None:
    every = sum(compiled[f"TERM_{name}"][0] for name, _, _ in BY_TERM)
    assert every.bit_count() == len(BY_TERM)
    assert all(value & ~every == 0 for value in compiled["BYTE_TERMS"])


def test_compiled_hex_values(compiled: dict[str, list[int]]) -> None:
    assert len(compiled["HEX_VALUE"]) == 256
    for byte, value in enumerate(compiled["HEX_VALUE"]):
        assert value == (b"0123456789ABCDEF".find(bytes([byte]).upper())), hex(byte)


def test_every_bit_in_the_header_is_swept() -> None:
    header = (ROOT / "src" / "kernel" / "chars.h").read_text()
    named = set(re.findall(r"\b((?:CLASS|TERM|URI)_[A-Z_]+) =", header))
    swept = {f"CLASS_{name}" for name in BY_CLASS} | {f"TERM_{name}" for name, _, _ in BY_TERM}
    assert named == swept | {f"URI_{name}" for name, _, _ in URI}


def test_the_header_needs_nothing_but_stdint() -> None:
    header = (ROOT / "src" / "kernel" / "chars.h").read_text()
    assert re.findall(r"#include.*", header) == ["#include <stdint.h>"]
    assert header.startswith("/* DO NOT EDIT")


def test_char_class_has_the_bits_of_the_table() -> None:
    assert [CharClass[name] for name in BY_CLASS] == [1 << bit for bit in range(8)]
    assert CharClass.HEX == 1 << 8
    members = set(CharClass.__members__)
    assert members == {*BY_CLASS, *UNIONS, "HEX"}


def test_a_char_class_prints_its_names() -> None:
    assert [str(CharClass(bits)) for bits in (0, 1, 0x101)] == ["none", "LOWALPHA", "LOWALPHA|HEX"]


@pytest.mark.parametrize("name", UNIONS)
def test_char_class_unions(name: str) -> None:
    held = b"".join(chars for part, chars in BY_CLASS.items() if CharClass[part] & CharClass[name])
    assert set(held) == set(UNIONS[name])
    assert CharClass[name] < CharClass.HEX


def test_grammar_gives_the_typed_sets(grammar: Grammar) -> None:
    for name in ("LOWALPHA", "HIALPHA", "DIGIT", "SAFE", "EXTRA", "RESERVED", "NATIONAL", "PUNCTUATION"):
        assert grammar.chars(name.lower()) == set(BY_CLASS[name])
    assert grammar.chars("uchar") == set(UNRESERVED)
    # To the letter the RFC's scheme is in lower case.
    assert grammar.repeated("scheme") == set(LOWER + DIGITS + b"+-.")
    assert len(grammar.repeated("scheme")) == 39


def test_grammar_has_every_production(grammar: Grammar) -> None:
    # In the order of the RFC's section 5.
    names = (
        "genericurl url otherurl scheme schemepart ip-schemepart login hostport host hostname domainlabel "
        "toplabel alphadigit hostnumber port user password urlpath ftpurl fpath fsegment ftptype fileurl "
        "httpurl hpath hsegment search gopherurl gtype selector gopher+_string mailtourl encoded822addr "
        "newsurl grouppart group article nntpurl telneturl waisurl waisdatabase waisindex waisdoc database "
        "wtype wpath prosperourl ppath psegment fieldspec fieldname fieldvalue lowalpha hialpha alpha digit "
        "safe extra national punctuation reserved hex escape unreserved uchar xchar digits"
    )
    assert " ".join(grammar) == names


def test_the_split_finds_the_same_sets_in_every_way(compiled: dict[str, list[int]]) -> None:
    """By a table of bytes, by nibbles and by ranges."""
    for name, chars in SPLIT.items():
        (bit,) = compiled[f"SPLIT_{name}"]
        assert {byte for byte in range(256) if compiled["BYTE_SPLIT"][byte] & bit} == set(chars), name
    for name in SPLIT_SETS:
        by_low = compiled[f"{name}_BY_LOW"]
        assert {byte for byte in range(128) if by_low[byte & 15] >> (byte >> 4) & 1} == set(SPLIT[name])
        ranges = compiled[f"{name}_RANGES"]
        found = [byte for at in range(0, len(ranges), 2) for byte in range(ranges[at], ranges[at + 1] + 1)]
        assert found == sorted(SPLIT[name])
