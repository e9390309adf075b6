"""Write the grammar with which fasturl.schemes builds and reads URLs, from the grammar files.

python tools/gen_terms.py            write src/fasturl/schemes/_rfc1738.py
python tools/gen_terms.py --check    write nothing; exit 1 if the file is stale
"""

from __future__ import annotations

import sys
from pathlib import Path

from gen_chars import TERMS, generator, write
from rfc1738_grammar import READINGS, RFC, load

MODULE = Path("src/fasturl/schemes/_rfc1738.py")


def _productions(path: Path) -> dict[str, str]:
    lines = (line for line in path.read_text("ascii").splitlines() if line.strip() and line[0] != ";")
    return {name.strip(): right.strip() for name, _, right in (line.partition("=") for line in lines)}


def module() -> str:
    """Return the text of src/fasturl/schemes/_rfc1738.py."""
    grammar = load()
    raw = []
    for term in TERMS:
        data = bytes(sorted(term.read(grammar, term.production)))
        raw += [f"    {name!r}: {data!r}," for name in (term.production, *term.same)]
    productions = {**_productions(RFC), **_productions(READINGS)}
    text = "\n".join(f"{name} = {right}" for name, right in productions.items())
    return f"""\
# DO NOT EDIT: written by tools/gen_terms.py from grammar/rfc1738.bnf and grammar/readings.bnf.
# ruff: noqa: E501
\"\"\"RFC 1738 section 5 for programs: what stands raw in a term, and the productions as read.\"\"\"

from typing import Final

# The bytes that may stand raw in a term, without the % of escapes.
RAW: Final[dict[str, bytes]] = {{
{chr(10).join(raw)}
}}

GRAMMAR: Final[str] = r'''
{text}
'''
"""


if __name__ == "__main__":
    options = generator("the terms of the schemes from the grammar").parse_args()
    sys.exit(write({MODULE: module()}, "gen_terms.py", options))
