"""Repeated calls keep no memory, whether they succeed or fail."""

import pytest
from support import measured, run_python
from tries import ALL

pytest.importorskip("resource")

SCRIPT = """
import gc, sys
import fasturl
from support import peak
from fasturl import parse, parse_many, problems

def attempt(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except (ValueError, TypeError):
        pass

WIDE = "http://h/" + "\\u20ac" * 20
LONG = "http://h/#" + "\\u20ac" * 2000
WORK = {
    "parse": lambda: parse("http://u:p@h:80/a?b#c"),
    "parse wide": lambda: parse(WIDE).hostname,
    "parse long wide": lambda: parse(LONG).hostname,
    "split long wide": lambda: (fasturl.urlsplit(LONG), fasturl.urldefrag(LONG), fasturl.urlsplit(" " + LONG)),
    "buffers": lambda: (parse(bytearray(b"/a" * 600)), fasturl.escape(memoryview(b"/ a" * 600)[::2])),
    "parts": lambda: tuple(parse(b"http://u:p@h:80/a?b#c")),
    "strict": lambda: attempt(parse, "http://u:p@h/", strict=True),
    "strict wide": lambda: attempt(parse, WIDE, strict=True),
    "type": lambda: attempt(parse, 5),
    "form": lambda: attempt(parse, "x", form="y"),
    "port": lambda: attempt(lambda: parse("http://h:x/").port),
    "many": lambda: list(parse_many(["/a", None, "b c"], strict=True, errors="keep")),
    "problems": lambda: problems("http://h:x/ %" + WIDE),
    "replace": lambda: attempt(parse("http://h/")._replace, path="?"),
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
@pytest.mark.parametrize(
    ("name", "calls"),
    [("parse", 1_000_000), ("parse wide", 400_000), ("parts", 300_000),
     ("parse long wide", 30_000), ("split long wide", 10_000), ("buffers", 20_000),
     ("strict", 60_000),
     ("strict wide", 40_000), ("type", 400_000), ("form", 400_000), ("port", 400_000), ("many", 40_000),
     ("problems", 20_000), ("replace", 60_000)],
)  # fmt: skip
def test_a_million_calls_keep_no_memory(name, calls) -> None:
    grown = run_python("-c", SCRIPT, name, calls if ALL else min(calls, 60_000), env=measured())
    assert int(grown) < 1024  # KiB; one leaked byte string per call would be thousands
