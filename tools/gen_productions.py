"""Compile the grammar of each scheme that has a file of its own in grammar/, for the kernel to run.

    python tools/gen_productions.py            write src/fasturl/_productions.py
    python tools/gen_productions.py --check    write nothing; exit 1 if the file is stale

The file's name is the scheme's. Needs fasturl itself, built.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from types import ModuleType

from gen_chars import ROOT, generator, write
from rfc1738_grammar import READINGS, RFC, Grammar, load_as_read, parse

sys.path.append(str(ROOT / "src"))  # last: an installed fasturl is built
# The compiler must start without the file that it writes, which may be missing or stale.
sys.modules["fasturl._productions"] = ModuleType("_productions")
vars(sys.modules["fasturl._productions"]).update(RAW={}, TABLES={})

from fasturl.schemes import productions  # noqa: E402

MODULE = Path("src/fasturl/_productions.py")


def _raw(text: str) -> list[str]:
    """Return a line for each production: the bytes that may stand raw in it."""
    own = parse(text)
    grammar = Grammar({**load_as_read().productions, **own})
    return [f"        {name!r}: {bytes(sorted(grammar.chars(name)))!r}," for name in own]


def module() -> str:
    """Return the text of src/fasturl/_productions.py."""
    raw, tables = [], []
    for path in sorted(path for path in RFC.parent.glob("*.bnf") if path not in (RFC, READINGS)):
        text = path.read_text("ascii")
        table = productions.compile(text)
        rows = struct.unpack(f"={len(table.rows) // 4}I", table.rows)
        raw += [f"    {path.stem!r}: {{", *_raw(text), "    },"]
        tables += [f"    {path.stem!r}: Productions(", f"        {table.columns!r},", f"        {table.width},"]
        swapped = struct.pack(f"<{len(rows)}I", *rows)
        tables += [f"        _native({swapped!r}),", f"        {table.accepting!r},", "    ),"]
    lines = "\n".join
    return f"""\
# DO NOT EDIT: written by tools/gen_productions.py from the grammars of single schemes in grammar/.
# ruff: noqa: E501
\"\"\"The schemes that have productions of their own: raw bytes and tables.\"\"\"

import sys

from fasturl._fastparse import Productions


def _native(rows: bytes) -> bytes:
    \"\"\"Return 32-bit numbers, stored with the low byte first, in the order of this machine.\"\"\"
    if sys.byteorder == "little":
        return rows
    return b"".join(rows[at : at + 4][::-1] for at in range(0, len(rows), 4))


# The bytes that may stand raw in a term; no escape's % is among them.
RAW: dict[str, dict[str, bytes]] = {{
{lines(raw)}
}}

TABLES: dict[str, Productions] = {{
{lines(tables)}
}}
"""


if __name__ == "__main__":
    options = generator("the tables of single schemes from their grammars").parse_args()
    sys.exit(write({MODULE: module()}, "gen_productions.py", options))
