"""Answer "1" for each text that is AMBIGUOUS_AUTHORITY, else "0": the protocol of tools/readers.py."""

import sys

from fasturl import Finding, parse

for line in sys.stdin:
    print(int(Finding.AMBIGUOUS_AUTHORITY in parse(bytes.fromhex(line[1:]).decode()).findings))
