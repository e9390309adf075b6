"""The peak memory of this process."""

import os
import sys
from pathlib import Path


def peak() -> int:
    """Return the peak memory in KiB.

    On Linux, getrusage starts with the parent's peak before exec, so that a child of a large test run could take as
    much unnoticed. So /proc is read where it exists.
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
    """Return an environment in which freed memory counts as free: AddressSanitizer's quarantine is off."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return {**os.environ, "ASAN_OPTIONS": f"{options}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}
