"""How often random tests try: one number, which scales the whole suite.

``FASTURL_TRIES`` is how many inputs a random test makes (some take a share of it); hypothesis, whose inputs
cost a hundred times as much to make, takes a hundredth of it.
"""

import os

TRIES = int(os.environ.get("FASTURL_TRIES", "20000"))
EXAMPLES = max(100, TRIES // 100)
