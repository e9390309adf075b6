"""Write the lookup tables of bytes from the grammar, and the grammar by which fasturl.schemes builds and reads URLs.

    python tools/gen_chars.py            write src/kernel/chars.h, and _chars.py and schemes/_rfc1738.py of src/fasturl
    python tools/gen_chars.py --check    write nothing; exit 1 if a file is stale

The seven named sets of RFC 1738 must be disjoint and hold every graphic character. The sets of RFC 3986 must be related
to them as the kernel assumes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import abnf
from rfc1738_grammar import READINGS, RFC, Grammar, GrammarError, load

ROOT = Path(__file__).resolve().parent.parent
HEADER = Path("src/kernel/chars.h")
CHARS = Path("src/fasturl/_chars.py")
TERMS_MODULE = Path("src/fasturl/schemes/_rfc1738.py")
NOTICE = "DO NOT EDIT: written by tools/gen_chars.py from grammar/rfc1738.bnf."
BOTH = "DO NOT EDIT: written by tools/gen_chars.py from grammar/rfc1738.bnf and grammar/rfc3986.abnf."

NAMED = ("alpha", "digit", "safe", "extra", "national", "punctuation", "reserved")
GRAPHIC = frozenset(range(0x21, 0x7F))
# The bits of BYTE_CLASS and CharClass, in this order. Every graphic byte is in exactly one class.
CLASSES = ("lowalpha", "hialpha", "digit", "safe", "extra", "reserved", "national", "punctuation")
UNIONS = {
    "alpha": "LOWALPHA | HIALPHA",
    "alphadigit": "ALPHA | DIGIT",
    "unreserved": "ALPHADIGIT | SAFE | EXTRA",
    "uchar": "UNRESERVED",
    "xchar": "UNRESERVED | RESERVED",
}

# Escapes of these need a second look: controls, "%", ".", and first bytes of UTF-8 sequences that may be overlong.
ESCAPED_HAZARDS = frozenset({*range(0x20), 0x25, 0x2E, 0x7F, 0xC0, 0xC1, 0xE0, 0xF0})


class Term(NamedTuple):
    """A bit of BYTE_TERMS: its production, the productions with the same bytes, and the function that reads them."""

    production: str
    same: tuple[str, ...] = ()
    read: Callable[[Grammar, str], frozenset[int]] = Grammar.chars


def _case_folded(grammar: Grammar, name: str) -> frozenset[int]:
    chars = grammar.repeated(name)
    return chars | {ord(chr(byte).upper()) for byte in chars}


TERMS = (
    Term("alpha"),
    Term("digit", ("port", "digits")),
    Term("alphadigit"),
    Term("hex"),
    Term("scheme", read=_case_folded),
    Term("uchar", ("unreserved", "database", "wtype", "wpath")),
    Term("xchar", ("urlpath", "gtype", "selector", "gopher+_string", "encoded822addr")),
    Term("user", ("password",), Grammar.repeated),
    Term("fsegment", ("psegment",), Grammar.repeated),
    Term("hsegment", ("search",), Grammar.repeated),
    Term("article", read=Grammar.repeated),
    Term("fieldname", ("fieldvalue",), Grammar.repeated),
    Term("group", read=Grammar.repeated),
    Term("reserved"),
    Term("national"),
    Term("punctuation"),
    Term("host"),
)

# The bits of BYTE_3986: rules of RFC 3986, and a rule with the same bytes.
URI_TERMS = {"unreserved": "unreserved", "reg-name": "reg-name", "userinfo": "userinfo", "query": "fragment"}
# Rules of RFC 3986 with the bytes of a term of RFC 1738, whose bit the kernel tests.
URI_SAME = {"ALPHA": "alpha", "DIGIT": "digit", "HEXDIG": "hex", "port": "port"}

# The sets that the split tests: productions by the split's own names, and delimiters.
SPLIT_SETS = {"alnum": "alphadigit", "capital": "hialpha", "xchar": "xchar"}
SPLIT_DELIMITERS = {"dot": ".", "hyphen": "-", "colon": ":", "slash": "/", "qmark": "?"}


def check(grammar: Grammar) -> None:
    """Raise GrammarError unless the grammar's sets have the properties that the tables rely on."""
    owner: dict[int, str] = {}
    for name in NAMED:
        for byte in sorted(grammar.chars(name)):
            if byte in owner:
                raise GrammarError(f"{chr(byte)!r} is in both {owner[byte]} and {name}")
            owner[byte] = name
    if owner.keys() != GRAPHIC:
        wrong = ", ".join(repr(chr(byte)) for byte in sorted(owner.keys() ^ GRAPHIC))
        raise GrammarError(f"in no named set, or not graphic: {wrong}")
    by_class = [byte for name in CLASSES for byte in grammar.chars(name)]
    if len(by_class) != len(set(by_class)):
        raise GrammarError("lowalpha and hialpha overlap")
    for name, union in UNIONS.items():
        parts = (part.lower() for part in union.split(" | "))
        if grammar.chars(name) != frozenset().union(*(grammar.chars(part) for part in parts)):
            raise GrammarError(f"{name} is not {union}")
    seen: dict[frozenset[int], str] = {}
    for term in TERMS:
        chars = term.read(grammar, term.production)
        for name in term.same:
            if term.read is Grammar.chars and grammar.chars(name) != chars:
                raise GrammarError(f"{name} differs from {term.production}")
            if term.read is not Grammar.chars and term.read(grammar, name) != chars:
                raise GrammarError(f"{name} differs from {term.production}")
        if chars in seen:
            raise GrammarError(f"{term.production} and {seen[chars]} are the same bytes")
        seen[chars] = term.production


def check_uri(grammar: Grammar, uri: Grammar) -> None:
    """Raise GrammarError unless the sets of RFC 3986 are related to those of RFC 1738 as the kernel assumes."""
    pairs = [
        # The split's mask of the bytes outside xchar holds every byte that RFC 3986 forbids.
        ("query", uri.chars("query"), grammar.chars("xchar") | {ord("~")}),
        ("scheme", uri.chars("scheme"), _case_folded(grammar, "scheme")),
        ("pchar", uri.chars("pchar"), uri.chars("query") - set(b"/?")),
        ("userinfo", uri.chars("userinfo"), uri.chars("pchar") - set(b"@")),
        ("reg-name", uri.chars("reg-name"), uri.chars("userinfo") - set(b":")),
    ]
    pairs += [(name, uri.chars(name), grammar.chars(same)) for name, same in URI_SAME.items()]
    pairs += [(name, uri.chars(name), uri.chars(same)) for name, same in URI_TERMS.items()]
    for name, chars, expected in pairs:
        if chars != expected:
            wrong = ", ".join(repr(chr(byte)) for byte in sorted(chars ^ expected))
            raise GrammarError(f"{name} of RFC 3986 is not the set that the kernel assumes: {wrong}")


def _uri_table(uri: Grammar) -> str:
    """Return the table of the bytes that may be raw in a rule of RFC 3986."""
    lines = [f"    URI_{name.upper().replace('-', '_')} = 1 << {bit}," for bit, name in enumerate(URI_TERMS)]
    lines[-1] = lines[-1].replace(",", " /* = fragment */")
    sets = [uri.chars(name) for name in URI_TERMS]
    bits = [sum(1 << bit for bit, chars in enumerate(sets) if byte in chars) for byte in range(256)]
    return "\n".join(["enum {", *lines, "};", "", _array("uint8_t", "BYTE_3986", [f"0x{value:02x}" for value in bits])])


def _shown(row: range) -> str:
    return " ".join(chr(byte) if byte in GRAPHIC else f"{byte:02X}" for byte in row)


def _array(kind: str, name: str, values: list[str]) -> str:
    rows = (range(start, start + 16) for start in range(0, 256, 16))
    lines = [f"    {', '.join(values[byte] for byte in row)}, /* {_shown(row)} */" for row in rows]
    return "\n".join([f"static const {kind} {name}[256] FASTURL_UNUSED = {{", *lines, "};"])


def _ranges(chars: frozenset[int]) -> list[tuple[int, int]]:
    """Return the first and the last byte of each contiguous range."""
    firsts = sorted(byte for byte in chars if byte - 1 not in chars)
    lasts = sorted(byte for byte in chars if byte + 1 not in chars)
    return list(zip(firsts, lasts, strict=True))


def _split_sets(grammar: Grammar) -> str:
    """Return the split's sets in the three forms that its kernels use."""
    sets = {name: grammar.chars(production) for name, production in SPLIT_SETS.items()}
    members = {**sets, **{name: frozenset({ord(byte)}) for name, byte in SPLIT_DELIMITERS.items()}}
    bits = [sum(1 << bit for bit, chars in enumerate(members.values()) if byte in chars) for byte in range(256)]
    lines = [f"    SPLIT_{name.upper()} = 1 << {bit}," for bit, name in enumerate(members)]
    lines[-1] = lines[-1].replace(",", "")
    text = ["enum {", *lines, "};", "", _array("uint8_t", "BYTE_SPLIT", [f"0x{value:02x}" for value in bits]), ""]
    text.append("/* For look-ups by nibble: bit h of entry l says whether byte 16 * h + l is in the set. */")
    for name, chars in sets.items():
        by_low = [sum(1 << high for high in range(8) if 16 * high + low in chars) for low in range(16)]
        values = ", ".join(f"0x{value:02x}" for value in by_low)
        text.append(f"static const uint8_t SPLIT_{name.upper()}_BY_LOW[16] FASTURL_UNUSED = {{{values}}};")
    text += ["", "/* For comparisons: the first and the last byte of each range. */"]
    for name, chars in sets.items():
        calls = " ".join(f"RANGE(0x{first:02x}, 0x{last:02x})" for first, last in _ranges(chars))
        text.append(f"#define SPLIT_{name.upper()}_RANGES(RANGE) {calls}")
    return "\n".join(text)


def _escapes(hex_values: list[int]) -> str:
    """Return the hazards as a set of bytes, and as bits of two hex digits that share more than bit 0 for a hazard."""
    words = [sum(1 << bit for bit in range(64) if 64 * word + bit in ESCAPED_HAZARDS) for word in range(4)]
    seconds = [frozenset(byte & 15 for byte in ESCAPED_HAZARDS if byte >> 4 == first) for first in range(16)]
    kinds = [frozenset(), *sorted(filter(None, set(seconds)), key=seconds.index)]  # bit 0: a hex digit
    firsts = [1 | sum(1 << bit for bit, kind in enumerate(kinds) if bit and kind == row) for row in seconds]
    lasts = [1 | sum(1 << bit for bit, kind in enumerate(kinds) if digit in kind) for digit in range(16)]
    text = [
        f"static const uint64_t ESCAPED_HAZARDS[4] FASTURL_UNUSED = {{{', '.join(f'0x{word:x}' for word in words)}}};",
        "",
        "/* Bits of an escape's first and second digit. If they share bit 0 only, the byte is not one of these. */",
    ]
    for name, bits in ("ESCAPE_FIRST", firsts), ("ESCAPE_SECOND", lasts):
        text.append(_array("uint8_t", name, [f"0x{bits[value] if value >= 0 else 0:02x}" for value in hex_values]))
    return "\n".join(text)


def header(grammar: Grammar, uri: Grammar) -> str:
    """Return the text of src/kernel/chars.h."""
    classes = [0] * 256
    for bit, name in enumerate(CLASSES):
        for byte in grammar.chars(name):
            classes[byte] |= 1 << bit
    terms = [0] * 256
    for bit, term in enumerate(TERMS):
        for byte in term.read(grammar, term.production):
            terms[byte] |= 1 << bit
    hex_bytes = grammar.chars("hex")
    hex_values = [int(chr(byte), 16) if byte in hex_bytes else -1 for byte in range(256)]

    class_lines = [f"    CLASS_{name.upper()} = 1 << {bit}," for bit, name in enumerate(CLASSES)]
    term_lines = []
    for bit, term in enumerate(TERMS):
        same = f" /* = {', '.join(term.same)} */" if term.same else ""
        line = f"    TERM_{term.production.upper()} = 1 << {bit},{same}"
        if term.production == "scheme":
            line += " /* in any case */"
        term_lines.append(line)
    class_lines[-1] = class_lines[-1].replace(",", "")
    term_lines[-1] = term_lines[-1].replace(",", "")
    newline = "\n"
    return f"""\
/* {BOTH} */
#ifndef FASTURL_CHARS_H
#define FASTURL_CHARS_H

#include <stdint.h>

#ifndef FASTURL_UNUSED
#if defined(__GNUC__) || defined(__clang__)
#define FASTURL_UNUSED __attribute__((unused))
#else
#define FASTURL_UNUSED
#endif
#endif

/* RFC 1738 section 5, the named sets: a graphic byte is in exactly one, any other byte in none. */
enum {{
{newline.join(class_lines)}
}};

{_array("uint8_t", "BYTE_CLASS", [f"0x{value:02x}" for value in classes])}

/* The bytes that may be raw in a term of RFC 1738 section 5. The % of an escape is in none of them. */
enum {{
{newline.join(term_lines)}
}};

{_array("uint32_t", "BYTE_TERMS", [f"0x{value:05x}" for value in terms])}

/* The bytes that may be raw in a rule of RFC 3986 Appendix A. The % of an escape is in none of them. */
{_uri_table(uri)}

/* The sets that the split tests: some of the sets above, and its delimiters. All bytes are below 80. */
{_split_sets(grammar)}

/* The value of a hex digit; -1 for any other byte. */
{_array("int8_t", "HEX_VALUE", [f"{value:2d}" for value in hex_values])}

/* Escapes of these bytes need a second look: controls, '%', '.', first bytes of UTF-8 that may be overlong. */
{_escapes(hex_values)}

#endif /* FASTURL_CHARS_H */
"""


def python_module(grammar: Grammar) -> str:
    """Return the text of src/fasturl/_chars.py."""
    members = [f"    {name.upper()} = {1 << bit:#05x}" for bit, name in enumerate(CLASSES)]
    members.append(f"    HEX = {1 << len(CLASSES):#05x}")
    members += [f"    {name.upper()} = {union}" for name, union in UNIONS.items()]
    newline = "\n"
    return f'''\
# {NOTICE}
"""The classes of characters of RFC 1738 (section 2.2; section 5, the last productions)."""

import enum

__all__ = ["CharClass"]


class CharClass(enum.IntFlag):
    """A set of RFC 1738's character classes, with the names in the grammar (section 5).

    You can combine classes with ``|`` and ``&``. Every graphic byte is in exactly one class from ``LOWALPHA`` to
    ``PUNCTUATION``. A space, a control byte and a byte above 7E are in no class. ``HEX`` overlaps letters and digits.
    The other names are unions. For example, ``UCHAR`` and ``XCHAR`` contain the bytes that you can write without an
    escape where the grammar uses these names.

    Examples
    --------
    >>> CharClass.UNRESERVED == CharClass.ALPHA | CharClass.DIGIT | CharClass.SAFE | CharClass.EXTRA
    True
    >>> CharClass.RESERVED in CharClass.XCHAR, CharClass.RESERVED in CharClass.UCHAR
    (True, False)
    """

{newline.join(members)}

    @classmethod
    def _missing_(cls, value: object) -> "CharClass":
        if isinstance(value, int):
            member: CharClass = super()._missing_(value)
            return member
        from fasturl._quoted import no_member

        raise no_member(cls, value)

    def __str__(self) -> str:
        """Return the names, joined by "|", and "none" for the empty set."""
        return self.name or "none"
'''


def _productions(path: Path) -> dict[str, str]:
    lines = (line for line in path.read_text("ascii").splitlines() if line.strip() and line[0] != ";")
    return {name.strip(): right.strip() for name, _, right in (line.partition("=") for line in lines)}


def terms_module(grammar: Grammar) -> str:
    """Return the text of src/fasturl/schemes/_rfc1738.py."""
    raw = []
    for term in TERMS:
        data = bytes(sorted(term.read(grammar, term.production)))
        raw += [f"    {name!r}: {data!r}," for name in (term.production, *term.same)]
    productions = {**_productions(RFC), **_productions(READINGS)}
    text = "\n".join(f"{name} = {right}" for name, right in productions.items())
    newline = "\n"
    return f"""\
# DO NOT EDIT: written by tools/gen_chars.py from grammar/rfc1738.bnf and grammar/readings.bnf.
# ruff: noqa: E501
\"\"\"RFC 1738 section 5 for programs: what stands raw in a term, and the productions as read.\"\"\"

from typing import Final

# The bytes that may stand raw in a term, without the % of escapes.
RAW: Final[dict[str, bytes]] = {{
{newline.join(raw)}
}}

GRAMMAR: Final[str] = r'''
{text}
'''
"""


def files(grammar: Grammar) -> Mapping[Path, str]:
    """Return the files to write by path below the root. Raise GrammarError if the grammar is wrong."""
    uri = abnf.load()
    check(grammar)
    check_uri(grammar, uri)
    return {HEADER: header(grammar, uri), CHARS: python_module(grammar), TERMS_MODULE: terms_module(grammar)}


def generator(writes: str) -> argparse.ArgumentParser:
    """Return the options that all generators have."""
    parser = argparse.ArgumentParser(description=f"Write {writes}.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is stale")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder that holds src/")
    return parser


def write(texts: Mapping[Path, str], tool: str, options: argparse.Namespace) -> int:
    """Write the files that are stale. With --check, name them and return 1 instead."""
    status = 0
    for name, text in texts.items():
        path = options.root / name
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        if options.check:
            print(f"{name} is stale: run python tools/{tool}", file=sys.stderr)
            status = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
            print(f"wrote {name}")
    return status


def main(arguments: list[str] | None = None) -> int:
    parser = generator("the tables of bytes from the grammar")
    parser.add_argument("--grammar", type=Path, default=RFC, help="the grammar to read")
    options = parser.parse_args(arguments)
    try:
        return write(files(load(options.grammar)), "gen_chars.py", options)
    except GrammarError as error:
        print(f"{options.grammar}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
