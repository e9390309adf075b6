"""Count the instructions between two marks in a Python program by valgrind's callgrind.

The program calls ``mark()`` before and after each piece of work. That is ``os.getppid()``, which nothing else calls in
these programs: callgrind writes its count whenever the C function is entered. So one process measures many pieces, and
start-up, imports and the making of inputs are not counted.

valgrind emulates a processor without AVX-512, so the widest kernel is ``avx2``. An instruction is not a nanosecond:
waiting for memory costs nothing here. But the same program gives the same count, on a busy machine too.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

mark = os.getppid
TOTAL = re.compile(r"^totals: (\d+)$", re.MULTILINE)


def is_there() -> bool:
    return shutil.which("valgrind") is not None


def count(arguments: Sequence[str], given: str = "") -> tuple[str, list[int]]:
    """Run ``python ARGUMENTS...`` with this input; return its output and the instructions between its marks."""
    with tempfile.TemporaryDirectory() as directory:
        options = ["--tool=callgrind", "--dump-before=getppid", "--dump-line=no", "--callgrind-out-file=counted"]
        # a fixed hash seed, so that two runs take the same steps
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        environment["PYTHONPATH"] = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
        done = subprocess.run(
            ["valgrind", *options, sys.executable, *arguments],
            cwd=directory,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"valgrind failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        # counted.N ends at the N-th mark. counted itself has the rest.
        files = sorted(Path(directory).glob("counted.*"), key=lambda file: int(file.suffix[1:]))
        found = [TOTAL.search(file.read_text()) for file in files[1:]]
        return done.stdout, [int(total[1]) for total in found if total is not None]
