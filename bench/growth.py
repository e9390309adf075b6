"""Check that every public callable, command and log format does work linear in its input, by counting instructions.

    python -m bench.growth                    everything, with every shape: about an hour on one processor
    python -m bench.growth --every 6          every subject, with one shape in six; each subject has other shapes
    python -m bench.growth parse 'logs.*'     the subjects with these names (bench/growth_subjects.py), or patterns

Each subject gets texts of n, 4n and 16n characters. The instructions from 4n to 16n may be at most SLACK times four
times the instructions from n to 4n. For linear work they are four times as many, and for quadratic work sixteen times.
If they are more, the text is measured again at 16n, 64n and 256n, and that decides.
Exit status 1: a subject exceeds its bound, fails, or stops; 2: valgrind is not installed.
"""

from __future__ import annotations

import argparse
import gc
import os
import select
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase

from bench import callgrind
from bench.growth_subjects import Shape, Subject, subjects

SLACK = 1.5
# Buffers and tables that grow by doubling make steps in a count. The threads of a command vary by a part of its start.
NOISE, NOISY_PART = 100_000, 50
SIZES = (1 << 10, 1 << 12, 1 << 14)
# A step from a cache or a buffer is seen once. So what seems to grow is measured again, up to this size.
AGAIN = (1 << 14, 1 << 16, 1 << 18)
# A subject that takes longer for one text does not come to an end: exponential work.
SECONDS = 900


def text(shape: Shape, size: int) -> str:
    """Return the text of a shape with about this many characters."""
    before, unit, after = shape
    return before + unit * (size // len(unit)) + after


def is_linear(counts: list[int]) -> bool:
    """Return True if the counts of n, 4n and 16n grow linearly.

    >>> is_linear([1000, 2_001_000, 10_001_000]), is_linear([1000, 2_001_000, 34_001_000])
    (True, False)
    """
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    return second <= max(first, 0) * 4 * SLACK + max(NOISE, counts[0] // NOISY_PART)


def chosen(every: int, subject: Subject, first: int) -> tuple[Shape, ...]:
    """Return one shape in `every`. Subjects start with different shapes, so that all shapes are used."""
    step = min(every, len(subject.shapes))
    return subject.shapes[first % step :: step]


def called(subject: Subject, t: str, counter: callgrind.Counter | None = None) -> int:
    """Call a subject with a text, and return the instructions of the call. A hostile text may be refused."""
    try:
        call = subject.prepare(t)
    except (ValueError, OverflowError):
        return 0
    before = counter() if counter else 0
    try:
        call()
    except ValueError:
        pass
    return counter() - before if counter else 0


def child(indices: list[int], every: int, library: str, log: str) -> None:
    """Measure these subjects, and print a line before and after each text."""
    counter = callgrind.Counter(library, log)
    everything = list(subjects())
    gc.freeze()
    gc.disable()  # it visits all objects now and then, which is a step where a call makes many
    for i in indices:
        subject = everything[i]
        for shape in chosen(every, subject, i):
            print("trying", subject.name, shape, sep="\t", flush=True)
            try:
                called(subject, text(shape, 64))  # caches are filled here
                for sizes in (SIZES, AGAIN):
                    counts = [called(subject, text(shape, size), counter) for size in sizes]
                    if is_linear(counts):
                        break
            except Exception as error:
                print("failed", subject.name, shape, repr(error)[:200], sep="\t", flush=True)
                continue
            gc.collect()
            print("linear" if is_linear(counts) else "grows", subject.name, shape, counts, sep="\t", flush=True)


def measure(indices: list[int], every: int) -> list[str]:
    """Measure subjects in one process, and return what is wrong."""
    arguments = ["-m", "bench.growth", "--child", ",".join(map(str, indices)), "--every", str(every)]
    wrong: list[str] = []
    last, linear = "nothing", 0
    with callgrind.counting(arguments) as process:
        assert process.stdout is not None
        while True:
            if not select.select([process.stdout], [], [], SECONDS)[0]:
                return [*wrong, f"does not come to an end\t{last}"]
            line = process.stdout.readline().rstrip("\n")
            if not line:
                break
            if not line.startswith(("trying", "linear")):
                print(line, flush=True)
                wrong.append(line)
            last, linear = line, linear + line.startswith("linear")
        if process.wait():
            wrong.append(f"ended with status {process.returncode}\t{last}")
    print(f"{linear:,} texts of {len(indices)} subjects are read in linear time", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="names or patterns of subjects; default: all")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one shape in N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parallel processes")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    if options.child:
        library, log = options.names
        child([int(i) for i in options.child.split(",")], options.every, library, log)
        return 0
    if rest:
        parser.error(f"unknown: {' '.join(rest)}")
    everything = list(subjects())
    indices = [
        i for i, subject in enumerate(everything)
        if not options.names or any(fnmatchcase(subject.name, name) for name in options.names)
    ]  # fmt: skip
    if not indices:
        parser.error("no subject has such a name")
    if not callgrind.is_there():
        print("python -m bench.growth: valgrind is not installed", file=sys.stderr)
        return 2
    # Alternate subjects, so that each process has as much to do as the others.
    chunks = [indices[job :: options.jobs] for job in range(min(options.jobs, len(indices)))]
    with ThreadPoolExecutor(options.jobs) as pool:
        wrong = [line for lines in pool.map(lambda chunk: measure(chunk, options.every), chunks) for line in lines]
    print(f"{len(wrong)} findings", *wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
