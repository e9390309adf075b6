"""Count the instructions between two marks in a Python program by valgrind's callgrind.

The program calls ``mark()`` before and after each piece of work. That is ``os.getppid()``, which nothing else calls in
these programs: callgrind writes its count whenever the C function is entered. So one process measures many pieces, and
start-up, imports and the making of inputs are not counted.

valgrind emulates a processor without AVX-512, so the widest kernel is ``avx2``. An instruction is not a nanosecond:
waiting for memory costs nothing here. But the same program gives the same count, on a busy machine too.
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

mark = os.getppid
TOTAL = re.compile(r"^totals: (\d+)$", re.MULTILINE)
# A process may also read its own count: it asks callgrind for its status, which callgrind writes to its log.
STATUS = """
#include <valgrind/valgrind.h>
unsigned status(void) { return VALGRIND_MONITOR_COMMAND("status internal"); }
"""
EVENTS = re.compile(rb"^events-\d+: (\d+)$", re.MULTILINE)
# The C library copies long texts by an instruction that counts once per byte, and gives memory back to the system.
# Both make steps in a count. Without them, the count of a linear call is a line.
STEADY = {
    "PYTHONHASHSEED": "0",
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 40),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
}


def is_there() -> bool:
    return shutil.which("valgrind") is not None


def count(arguments: Sequence[str]) -> tuple[str, list[int]]:
    """Run ``python ARGUMENTS...``; return its output and the instructions between its marks."""
    with tempfile.TemporaryDirectory() as directory:
        options = ["--tool=callgrind", "--dump-before=getppid", "--dump-line=no", "--callgrind-out-file=counted"]
        # a fixed hash seed, so that two runs take the same steps
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        environment["PYTHONPATH"] = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
        done = subprocess.run(
            ["valgrind", *options, sys.executable, *arguments],
            cwd=directory,
            env=environment,
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


class Counter:
    """Counts the instructions of this process, which `counting` started. Reading the count takes microseconds."""

    def __init__(self, library: str, log: str) -> None:
        self._status = ctypes.CDLL(library).status
        self._log = open(log, "rb", buffering=0)  # noqa: SIM115 - open as long as the process

    def __call__(self) -> int:
        """Return the instructions of all threads until now."""
        self._log.seek(0, os.SEEK_END)
        self._status()
        counts = [int(count) for count in EVENTS.findall(self._log.read())]
        assert counts, "callgrind wrote no count"
        return sum(counts)


@contextmanager
def counting(arguments: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Start ``python ARGUMENTS... LIBRARY LOG`` under valgrind, for a program that makes a Counter of the last two.

    The program finds the modules that this one finds. Its output is a pipe. The end of the block ends the program.
    """
    with tempfile.TemporaryDirectory() as directory:
        source, library, log = (os.path.join(directory, name) for name in ("status.c", "status.so", "log"))
        Path(source).write_text(STATUS)
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
        environment = {**os.environ, **STEADY, "PYTHONPATH": os.pathsep.join([os.getcwd(), *filter(None, sys.path)])}
        options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]
        command = ["valgrind", *options, sys.executable, *arguments, library, log]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
