"""Time by length: nanoseconds per byte for inputs of one shape, from 64 bytes to a million.

A function whose time is linear in its input has a flat row. The shapes make a careless parser quadratic: many ``@``,
many ``..``, many incomplete escapes.
"""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bench.measure import fresh
from bench.peers import load

LENGTHS = (2**6, 2**10, 2**14, 2**17, 2**20)
LEAST_NS = 2_000_000


def fill(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    def make(length: int) -> str:
        space = length - len(head) - len(tail)
        return head + (unit * (space // len(unit) + 1))[:space] + tail

    return make


@dataclass
class Scaled:
    function: str
    shape: str
    call: str
    make: Callable[[int], Any]
    ns: dict[str, list[float]] = field(default_factory=dict)
    """Nanoseconds per byte by library, one for each of LENGTHS."""

    def growth(self, library: str) -> float:
        """Return the time per byte of a million bytes, divided by that of sixteen thousand."""
        return self.ns[library][-1] / self.ns[library][LENGTHS.index(2**14)]


def cases() -> list[Scaled]:
    site = "http://www.example.com"
    path, at, text = fill("/segment", site), fill("@", "http://", "host/"), "f(x)"
    join = "f('http://www.example.com/', x)"
    return [
        Scaled("parse", "path", text, path),
        Scaled("parse", "@@@", text, at),
        Scaled("parse", "%%%", text, fill("%", f"{site}/")),
        Scaled("parse", "[[[", text, fill("[", "http://", "]/")),
        Scaled("urlsplit", "path", text, path),
        Scaled("urlsplit", "@@@", text, at),
        Scaled("urlparse", ";;;", text, fill(";", "ftp://www.example.com/")),
        Scaled("quote", "a b/", text, fill("a b/")),
        Scaled("quote", "nothing to do", text, fill("abc/")),
        Scaled("unquote", "%41", text, fill("%41")),
        Scaled("unquote", "%4%4", text, fill("%4")),
        Scaled("unquote", "é%C3%A9", text, fill("é%C3%A9")),
        Scaled("parse_qsl", "key=value&", text, fill("key=value&")),
        Scaled("parse_qsl", "&&&", text, fill("&")),
        Scaled("urlencode", "pairs", text, lambda n: [("key", "va lue")] * (n // 9)),
        Scaled("urljoin", "../../", join, fill("../", f"{site}/")),
        Scaled("urljoin", "a/../", join, fill("a/../")),
    ]


def time_one(call: str, function: Any, item: Any, clear: Callable[[], Any]) -> float:
    """Return nanoseconds per call on a fresh copy: the median of the faster half, because others share the machine."""
    names = {"f": function}
    exec(f"def once(x, f=f):\n    {call}", names)
    once = names["once"]
    # The clock of CPU time is a system call, which is too slow for short inputs.
    clock = time.thread_time_ns if len(item) >= 2**14 else time.perf_counter_ns
    taken: list[int] = []
    while len(taken) < 5 or (sum(taken) < LEAST_NS and len(taken) < 200):
        x = fresh(item)
        clear()
        began = clock()
        once(x)
        taken.append(clock() - began)
    return median(sorted(taken)[: 1 + len(taken) // 2])


def run() -> tuple[list[Scaled], list[str]]:
    """Measure all cases; return a message for each case without a function."""
    gc.collect()
    gc.disable()
    try:
        return measure_all(load("urllib.parse:clear_cache"))
    finally:
        gc.enable()


def measure_all(clear: Callable[[], Any]) -> tuple[list[Scaled], list[str]]:
    done, skipped = [], []
    for case in cases():
        try:
            ours = load(f"fasturl:{case.function}")
        except (ImportError, AttributeError) as error:
            skipped.append(f"fasturl `{case.function}`: skipped, {error}")
            continue
        libraries = {"fasturl": ours}
        theirs = "urlsplit" if case.function == "parse" else case.function
        if case.shape != "[[[":  # urllib rejects it
            libraries["urllib"] = load(f"urllib.parse:{theirs}")
        for library, function in libraries.items():
            case.ns[library] = [time_one(case.call, function, case.make(length), clear) / length for length in LENGTHS]
        done.append(case)
    return done, skipped
