"""How often random tests try: one number, which scales the whole suite.

``FASTURL_TRIES`` is how many inputs a random test makes (some take a share of it); hypothesis, whose inputs
cost a hundred times as much to make, takes a hundredth of it, at least 100, or ``FASTURL_EXAMPLES``.
"""

import os

TRIES = int(os.environ.get("FASTURL_TRIES", "20000"))
EXAMPLES = int(os.environ.get("FASTURL_EXAMPLES", max(100, TRIES // 100)))
