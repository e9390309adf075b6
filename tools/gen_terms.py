"""Write the grammar that fasturl.schemes builds and reads URLs by, from the grammar files.

    python tools/gen_terms.py            write src/fasturl/schemes/_rfc1738.py
    python tools/gen_terms.py --check    write nothing; exit 1 when it is not what would be written
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gen_octets import ROOT, TERMS
from rfc1738_grammar import READINGS, RFC, load

MODULE = Path("src/fasturl/schemes/_rfc1738.py")


def _productions(path: Path) -> dict[str, str]:
    lines = (line for line in path.read_text("ascii").splitlines() if line.strip() and line[0] != ";")
    return {name.strip(): right.strip() for name, _, right in (line.partition("=") for line in lines)}


def module() -> str:
    """The text of src/fasturl/schemes/_rfc1738.py."""
    grammar = load()
    raw = []
    for term in TERMS:
        octets = bytes(sorted(term.read(grammar, term.production)))
        raw += [f"    {name!r}: {octets!r}," for name in (term.production, *term.same)]
    productions = {**_productions(RFC), **_productions(READINGS)}
    text = "\n".join(f"{name} = {right}" for name, right in productions.items())
    return f"""\
# DO NOT EDIT: written by tools/gen_terms.py from grammar/rfc1738.bnf and grammar/readings.bnf.
# ruff: noqa: E501
\"\"\"RFC 1738 section 5 for programs: what stands raw in a term, and the productions as read.\"\"\"

from typing import Final

# The octets that may stand raw in a term; no escape's % is among them.
RAW: Final[dict[str, bytes]] = {{
{chr(10).join(raw)}
}}

GRAMMAR: Final[str] = r'''
{text}
'''
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the terms of the schemes from the grammar.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the file is stale")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder that holds src/")
    options = parser.parse_args(arguments)
    path, text = options.root / MODULE, module()
    if path.is_file() and path.read_text("utf-8") == text:
        return 0
    if options.check:
        print(f"{MODULE} is stale: run python tools/gen_terms.py", file=sys.stderr)
        return 1
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")
    print(f"wrote {MODULE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
