"""Write the bits of findings and the numbers of terms for the kernel, from the table in src/fasturl/_findings.py.

python tools/gen_findings.py            write src/kernel/validate/findings.h
python tools/gen_findings.py --check    write nothing; exit 1 if the file is stale
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from gen_chars import ROOT, generator, write

TABLE = Path("src/fasturl/_findings.py")
HEADER = Path("src/kernel/validate/findings.h")
# FU_NO_SCHEME is an index of the table of schemes.
RENAMED = {"NO_SCHEME": "NO_SCHEME_READ"}


def header() -> str:
    """Return the header's text. An unbuilt package cannot be imported, so the table runs by its path."""
    table = runpy.run_path(str(ROOT / TABLE))
    for name, row in table["Finding"].__members__.items():
        if row.bit_count() == 1 and row.name != name:
            sys.exit(f"{TABLE}: {row.name} and {name} have the same bit")
    bits = [f"    FU_{RENAMED.get(row.name, row.name)} = 1 << {row.bit_length() - 1}," for row in table["Finding"]]
    terms = [f"    FU_TERM_{term.upper().replace('-', '_')}," for term in table["TERMS"]]
    return f"""\
/* DO NOT EDIT: written by tools/gen_findings.py from {TABLE.as_posix()}. */
#ifndef FASTURL_FINDINGS_H
#define FASTURL_FINDINGS_H

/* One bit per finding. */
enum {{
{chr(10).join(bits)}

    FU_VIOLATIONS = 0x0000ffff
}};

/* The RFC's term for the part of a finding. FU_TERM_BYTE stands for any part: the reader looks it up by the offset. */
typedef enum {{
{chr(10).join(terms)}
    FU_TERMS
}} fu_term;

#endif
"""


if __name__ == "__main__":
    options = generator("the numbers of findings and terms").parse_args()
    sys.exit(write({HEADER: header()}, "gen_findings.py", options))
