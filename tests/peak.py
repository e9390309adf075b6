"""The most memory that this process has had."""

import os
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


def measured() -> dict[str, str]:
    """The environment of a program whose memory is measured: AddressSanitizer, if it is there, else holds back what
    was freed."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return {**os.environ, "ASAN_OPTIONS": f"{options}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}
