"""Time against length: nanoseconds an octet for inputs of one shape, from 64 octets to a million.

A function whose time is linear in its input has a flat row. The shapes are those that make a careless parser
quadratic: many ``@``, many ``..``, many escapes that are none.
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
    """Library to nanoseconds an octet, one for each of LENGTHS."""

    def growth(self, library: str) -> float:
        """How much an octet costs more at a million than at sixteen thousand."""
        return self.ns[library][-1] / self.ns[library][LENGTHS.index(2**14)]


def cases() -> list[Scaled]:
    path = fill("/segment", "http://www.example.com")
    at = fill("@", "http://", "host/")
    dots = fill("../", "http://www.example.com/")
    percent = fill("%", "http://www.example.com/")
    pairs = fill("key=value&")
    escapes = fill("%41")
    broken = fill("%4")
    text = fill("a b/")
    brackets = fill("[", "http://", "]/")
    return [
        Scaled("parse", "path", "f(x)", path),
        Scaled("parse", "@@@", "f(x)", at),
        Scaled("parse", "%%%", "f(x)", percent),
        Scaled("parse", "[[[", "f(x)", brackets),
        Scaled("urlsplit", "path", "f(x)", path),
        Scaled("urlsplit", "@@@", "f(x)", at),
        Scaled("urlparse", ";;;", "f(x)", fill(";", "ftp://www.example.com/")),
        Scaled("quote", "a b/", "f(x)", text),
        Scaled("quote", "nothing to do", "f(x)", fill("abc/")),
        Scaled("unquote", "%41", "f(x)", escapes),
        Scaled("unquote", "%4%4", "f(x)", broken),
        Scaled("unquote", "é%C3%A9", "f(x)", fill("é%C3%A9")),
        Scaled("parse_qsl", "key=value&", "f(x)", pairs),
        Scaled("parse_qsl", "&&&", "f(x)", fill("&")),
        Scaled("urlencode", "pairs", "f(x)", lambda n: [("key", "va lue")] * (n // 9)),
        Scaled("urljoin", "../../", "f('http://www.example.com/', x)", dots),
        Scaled("urljoin", "a/../", "f('http://www.example.com/', x)", fill("a/../")),
    ]


def time_one(call: str, function: Any, item: Any, clear: Callable[[], Any]) -> float:
    """Nanoseconds for one call on a fresh copy: the median of the quicker half, since others share the machine."""
    names = {"f": function}
    exec(f"def once(x, f=f):\n    {call}", names)
    once = names["once"]
    # CPU time, as elsewhere, where its clock (a system call) is quick enough beside what it measures
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
    """Measure all cases; those whose function is missing come as lines of text."""
    gc.collect()
    gc.disable()
    try:
        return measure_all()
    finally:
        gc.enable()


def measure_all() -> tuple[list[Scaled], list[str]]:
    clear = load("urllib.parse:clear_cache")
    done, skipped = [], []
    for case in cases():
        try:
            ours = load(f"fasturl:{case.function}")
        except (ImportError, AttributeError) as error:
            skipped.append(f"fasturl `{case.function}`: skipped, {error}")
            continue
        libraries = {"fasturl": ours}
        theirs = "urlsplit" if case.function == "parse" else case.function
        if case.shape != "[[[":  # urllib refuses it, so there is nothing to compare
            libraries["urllib"] = load(f"urllib.parse:{theirs}")
        for library, function in libraries.items():
            case.ns[library] = [time_one(case.call, function, case.make(length), clear) / length for length in LENGTHS]
        done.append(case)
    return done, skipped
