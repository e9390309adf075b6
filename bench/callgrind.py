"""Instructions between two marks in a Python program, counted by valgrind's callgrind.

The program calls ``mark()`` before and after each piece of work. That is ``os.getppid()``, of which nobody asks for
anything else in these programs: callgrind writes what it counted whenever the C function is entered. So one process
measures many pieces, and start-up, imports and the making of inputs fall out.

valgrind shows the program a processor without AVX-512, so the widest kernel is ``avx2`` there. An instruction is not
a nanosecond: waiting for memory costs nothing in this count. But the same program gives the same count again, on a
busy machine, too.
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
    """What ``python ARGUMENTS...`` printed, and its instructions between marks; `given` is its standard input."""
    with tempfile.TemporaryDirectory() as directory:
        command = [
            "valgrind",
            "--tool=callgrind",
            "--dump-before=getppid",
            "--dump-line=no",
            "--callgrind-out-file=counted",
        ]
        # a fixed hash seed, so that two runs take the same steps
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        environment["PYTHONPATH"] = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
        done = subprocess.run(
            [*command, sys.executable, *arguments],
            cwd=directory,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"valgrind failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        # counted.1 ends at the first mark, counted.N at the N-th; what follows the last mark is in counted itself.
        files = sorted(Path(directory).glob("counted.*"), key=lambda file: int(file.suffix[1:]))
        found = [TOTAL.search(file.read_text()) for file in files[1:]]
        return done.stdout, [int(total[1]) for total in found if total is not None]
