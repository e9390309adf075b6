"""Write the characters above 7F that every reader of URLs maps alike in a host, from Python's Unicode data.

    python tools/gen_hosts.py            write src/kernel/validate/host_characters.h
    python tools/gen_hosts.py --check    write nothing; exit 1 if the file is stale

Only characters of Unicode 3.2 are considered: IDNA 2003 knows no others, and Unicode never changes how these are
normalized. Such a character is plain if it is a letter, a mark or a number that no case folding, normalization or
composition with its neighbors changes, and that no reader ignores.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

from gen_chars import generator, write

HEADER = Path("src/kernel/validate/host_characters.h")
OLD = unicodedata.ucd_3_2_0
# Default ignorable code points (Unicode section 5.21) that are letters or marks.
IGNORED = {
    0x34F,
    0x115F,
    0x1160,
    *range(0x17B4, 0x17B6),
    *range(0x180B, 0x180E),
    0x3164,
    *range(0xFE00, 0xFE10),
    0xFFA0,
}
# The vowels and final consonants that compose with the Hangul letter before them (Unicode section 3.12).
HANGUL = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}


def composing() -> set[int]:
    """Return the second character of each canonical composition."""
    pairs = (OLD.decomposition(chr(code)).split() for code in range(0x80, 0x110000))
    return HANGUL | {int(pair[1], 16) for pair in pairs if len(pair) == 2 and pair[0][0] != "<"}


def is_stable(char: str) -> bool:
    """Return True if no case folding, normalization or reordering changes the character."""
    forms = {char.lower(), char.casefold(), unicodedata.normalize("NFKC", char), OLD.normalize("NFKC", char)}
    return forms == {char} and not OLD.combining(char)


def ranges() -> list[tuple[int, int]]:
    """Return the plain characters as ranges in ascending order, both ends inclusive."""
    changing = composing() | IGNORED
    found: list[tuple[int, int]] = []
    for code in range(0x80, 0x110000):
        category = OLD.category(chr(code))
        if category[0] not in "LNM" or category == "Me" or code in changing or not is_stable(chr(code)):
            continue
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def header() -> str:
    """Return the text of the header."""
    pairs = [f"{{0x{start:X}, 0x{end:X}}}" for start, end in ranges()]
    rows = [", ".join(pairs[at : at + 6]) for at in range(0, len(pairs), 6)]
    lines = ",\n    ".join(rows)
    return f"""\
/* DO NOT EDIT: written by tools/gen_hosts.py from Python's unicodedata. */
#ifndef FASTURL_HOST_CHARACTERS_H
#define FASTURL_HOST_CHARACTERS_H

#include <stdint.h>

#define FU_HOST_RANGES {len(pairs)}

/* The characters above 7F that every reader maps alike in a host: first and last of each range, in ascending order. */
/* clang-format off */
static const uint32_t FU_HOST_CHARACTERS[FU_HOST_RANGES][2] = {{
    {lines},
}};
/* clang-format on */

#endif
"""


if __name__ == "__main__":
    options = generator("the host characters that every reader maps alike").parse_args()
    sys.exit(write({HEADER: header()}, "gen_hosts.py", options))
