"""Make a corpus or a sample access log: a file of lines, or standard output.

python -m bench.corpora web --lines 1000 -o urls.txt
python -m bench.corpora log --lines 100000 -o access.log
"""

import argparse
import gzip
import os
import sys
from collections.abc import Iterable

from bench.accesslog import log_lines
from bench.madeup import CORPORA, SEED, lines


def write(chunks: Iterable[bytes], name: str) -> None:
    """Write to a file, gzipped if its name ends in .gz, or to standard output if it is ``-``."""
    if name == "-":
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.buffer.flush()
        return
    with open(name, "wb") as file:
        if name.endswith(".gz"):
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as zipped:
                zipped.writelines(chunks)
        else:
            file.writelines(chunks)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.corpora", description=__doc__.split("\n")[0])
    parser.add_argument("name", choices=["log", *CORPORA], help="what to make")
    parser.add_argument("-n", "--lines", type=int, default=10_000, help="how many lines (default 10000)")
    parser.add_argument("-s", "--seed", type=int, default=SEED, help=f"default {SEED}")
    parser.add_argument("-o", "--output", default="-", help="file, .gz for gzip; default standard output")
    parser.add_argument("--clean", action="store_true", help="log: no torn or foreign lines")
    options = parser.parse_args()
    if options.lines < 0:
        parser.error("--lines: a number from 0 up")
    if options.name == "log":
        chunks = log_lines(options.lines, options.seed, damaged=not options.clean)
    else:
        chunks = lines(options.name, options.lines, options.seed)
    try:
        write(chunks, options.output)
    except BrokenPipeError:
        # The reader has gone. Without this the interpreter prints another error at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"{parser.prog}: {error.filename or options.output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
