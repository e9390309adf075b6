"""Repeated calls keep no memory, whether they succeed or fail."""

import gc
import inspect
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from support import measured, run_python
from tries import ALL

import fasturl

pytest.importorskip("resource")

SCRIPT = """
import gc, sys
import fasturl
from support import peak
from fasturl import _columns, parse, parse_many, problems

def attempt(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except (ValueError, TypeError):
        pass

WIDE = "http://h/" + "\\u20ac" * 20
LONG = "http://h/#" + "\\u20ac" * 2000
WRONG = [1] * 1000 + ["no address"]
WORK = {
    "parse": lambda: parse("http://u:p@h:80/a?b#c"),
    "parse wide": lambda: parse(WIDE).hostname,
    "parse long wide": lambda: parse(LONG).hostname,
    "split long wide": lambda: (fasturl.urlsplit(LONG), fasturl.urldefrag(LONG), fasturl.urlsplit(" " + LONG)),
    "buffers": lambda: (parse(bytearray(b"/a" * 600)), fasturl.rfc1738.escape(memoryview(b"/ a" * 600)[::2])),
    "parts": lambda: tuple(parse(b"http://u:p@h:80/a?b#c")),
    "strict": lambda: attempt(parse, "http://u:p@h/", strict=True),
    "strict wide": lambda: attempt(parse, WIDE, strict=True),
    "type": lambda: attempt(parse, 5),
    "form": lambda: attempt(parse, "x", form="y"),
    "port": lambda: attempt(lambda: parse("http://h:x/").port),
    "many": lambda: list(parse_many(["/a", None, "b c"], strict=True, errors="keep")),
    "problems": lambda: problems("http://h:x/ %" + WIDE),
    "replace": lambda: attempt(parse("http://h/")._replace, path="?"),
    "views": lambda: attempt(_columns.Views, 0, 0, WRONG, 0),
    "columns": lambda: attempt(_columns.Columns, [(b"", "texts", 0, 0, 0, WRONG, ())]),
}
work = WORK[sys.argv[1]]
for _ in range(2000):
    work()
gc.collect()
before = peak()
for _ in range(int(sys.argv[2])):
    work()
print(peak() - before)
"""


@pytest.mark.long
@pytest.mark.parametrize(("name", "calls"), [
    ("parse", 1_000_000),        ("parse wide", 400_000),     ("parts", 300_000),          ("parse long wide", 30_000),
    ("split long wide", 10_000), ("buffers", 20_000),         ("strict", 60_000),          ("strict wide", 40_000),
    ("type", 400_000),           ("form", 400_000),           ("port", 400_000),           ("many", 40_000),
    ("problems", 20_000),        ("replace", 60_000),        ("views", 20_000),          ("columns", 20_000),
])  # fmt: skip
def test_a_million_calls_keep_no_memory(name, calls) -> None:
    grown = run_python("-c", SCRIPT, name, calls if ALL else min(calls, 60_000), env=measured())
    assert int(grown) < 1024  # KiB; one leaked byte string per call would be thousands


class NoText(str):
    """A str with a method that fails: no function may call it."""

    def encode(self, *arguments: Any, **options: Any) -> bytes:
        raise ZeroDivisionError


class Unreadable:
    """An object whose methods all fail."""

    def __iter__(self) -> Iterator[str]:
        raise ZeroDivisionError

    def __len__(self) -> int:
        raise ZeroDivisionError

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError


LONE = "http://u:p@h/\ud800?\udcff=" + "\ud800" * 40
WRONG = "http://[u:p@h:x/ %?a=%zz#" + "\u20ac" * 40
# Wrong arguments: of another type, not a URL, not encodable, too few, too many.
FIRST: tuple[Any, ...] = (5, None, Unreadable(), NoText("http://h/%"), LONE, WRONG, WRONG.encode(), [5], (), "")
MORE: tuple[tuple[Any, ...], ...] = ((), (5,), (Unreadable(),), ("http://h/", object()))
KEYWORDS: tuple[dict[str, Any], ...] = ({}, {"nonsense": 1}, {"form": "y"}, {"strict": True}, {"encoding": "no such"})
FUNCTIONS = [
    name for name in fasturl.__all__
    if name[0].islower() and inspect.isroutine(getattr(fasturl, name)) and name not in ("install", "uninstall")
]  # fmt: skip
CALLS = 50


def fails(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    try:
        found = function(*arguments, **keywords)
        if isinstance(found, Iterator):
            list(found)  # an iterator fails later
    except Exception:
        return True
    return False


@pytest.mark.parametrize("name", FUNCTIONS)
def test_calls_that_fail_keep_no_object(name: str) -> None:
    function = getattr(fasturl, name)
    given = [((first, *more), keywords) for first in FIRST for more in MORE for keywords in KEYWORDS]
    for arguments, keywords in given:
        if not all(fails(function, arguments, keywords) for _ in range(3)):
            continue
        # A free list of the interpreter may grow once. A leak grows each time.
        kept = min(blocks_kept(function, arguments, keywords) for _ in range(3))
        assert kept < CALLS // 2, (arguments, keywords, kept)


def blocks_kept(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> int:
    """Return how many blocks of memory the interpreter has more after CALLS calls that fail."""
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(CALLS):
        fails(function, arguments, keywords)
    gc.collect()
    return sys.getallocatedblocks() - before
