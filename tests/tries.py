"""How much a run tries: little by default, everything with ``pytest --all``. ``--all`` raises the numbers below, tests
every text of up to three bytes instead of two, and runs every kernel and the tests marked ``long``. ``FASTURL_LONG=1``
adds these tests alone. ``FASTURL_TRIES`` sets how many inputs a random test makes (some tests take a share of it).
``FASTURL_EXAMPLES`` sets how many inputs hypothesis makes; one costs a hundred times as much. ``FASTURL_PROOF_LENGTH``
is the length of the short texts."""

import os
import sys

if "--all" in sys.argv:  # xdist's workers inherit the environment, not the command line
    os.environ["FASTURL_ALL"] = "1"
ALL = os.environ.get("FASTURL_ALL") == "1"
LONG = ALL or os.environ.get("FASTURL_LONG") == "1"
TRIES = int(os.environ.get("FASTURL_TRIES", 20_000 if ALL else 1_000))
EXAMPLES = int(os.environ.get("FASTURL_EXAMPLES", max(100 if ALL else 25, TRIES // 100)))
PROOF_LENGTH = int(os.environ.get("FASTURL_PROOF_LENGTH", 3 if ALL else 2))
