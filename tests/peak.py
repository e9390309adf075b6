"""The most memory that this process has had."""

import sys
from pathlib import Path


def peak() -> int:
    """In KiB.

    Not what getrusage says where there is another way: on Linux that starts with what the parent had before
    it ran this program, so that a child of a large test run may take as much again without a sign.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most
