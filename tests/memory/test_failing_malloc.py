"""If a C allocation of the extensions fails, once or from then on, the call raises MemoryError or answers right.

It holds no more memory than before, and the next call works. test_failed_allocations.py fails Python's own allocations.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import run_python

HERE = Path(__file__).resolve().parent

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="a library is put before glibc's"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler"),
    pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer has its own malloc"),
]


def test_no_failed_allocation_of_c_is_overlooked(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    library = tmp_path / "failing_malloc.so"
    built = subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", HERE / "failing_malloc.c", "-o", library], capture_output=True
    )
    if b"__libc_" in built.stderr:
        pytest.skip("another C library than glibc")
    assert built.returncode == 0, built.stderr
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    lines = run_python(HERE / "failing.py", library, env=environment).splitlines()
    failed = {name: int(count.split()[0]) for name, _, count in (line.rpartition(": ") for line in lines)}
    assert len(failed) > 25
    without = {name for name, count in failed.items() if not count}
    assert without <= {"strict"}, f"nothing was made to fail: {without}"
