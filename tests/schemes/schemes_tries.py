"""How many tries a property test gets: few by default, FASTURL_TRIES for a long run."""

import os


def number_of_tries(default: int) -> int:
    return int(os.environ.get("FASTURL_TRIES", default))
