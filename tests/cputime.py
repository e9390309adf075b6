"""What a call costs, for tests of what grows with the text."""

import sys
import time
from collections.abc import Callable

# Other work on the machine takes no CPU time of this thread; but Windows counts it in steps of 16 ms.
clock = time.perf_counter if sys.platform == "win32" else time.thread_time


def cpu_seconds(call: Callable[[], object], rounds: int = 3) -> float:
    """The least that a call takes of some."""
    best = float("inf")
    for _ in range(rounds):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best
