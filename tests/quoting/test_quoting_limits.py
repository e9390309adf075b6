"""Quoting takes linear time, frees its memory, and works in threads."""

import sys
import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest
from support import run_in_threads, run_python
from tries import ALL

# isort: off
from fasturl._urllib import (escape, parse_qsl, quote, quote_plus, redact, unescape, unquote, unquote_plus,
                             unquote_safe, urlencode)  # fmt: skip

LEAKS = """
import sys
from fasturl._urllib import *
from fasturl._chars import CharClass

long, wide, bad = "a b%C3%A9+" * 100, "é%41+ü" * 100, "x\\ud800" * 100

def refused(call, *args, **options):
    try:
        call(*args, **options)
    except (TypeError, ValueError, LookupError, AttributeError):
        return
    raise AssertionError((call, args))

def once():
    for text in ("a", "a b%41+", long, wide, long.encode(), b"%C3%A9\\xff"):
        quote(text); unquote(text); unquote_to_bytes(text); unquote_safe(text); escape(text)
        escape_login(text); unescape(text)
        quote(text, "!abc"); quote(text, b"(")
        if isinstance(text, str):
            parse_qsl(text); parse_qs(text)
        query_value("?" if isinstance(text, str) else b"?", "a"); redact(text, ["a"])
        urlencode({"k": text, "n": 10**30, "i": -5, "x": None}); urlencode([("k", [text, text])], True)
    parse_qsl(b"a=%41&b=1"); unquote_plus(long); quote_plus(long); unquote(long, "latin-1")
    unquote(wide, "latin-1"); classify("a"); classify_bytes(b"abc")
    redact("http://u:p@h/?a=1", ["a"]); query_value("http://h/?a=%41", "a")
    list(quote_many([long, None, bad], errors="keep")); list(unquote_many([long, 3], errors="null"))
    for wrong in (None, 3, [], bad):
        refused(quote, wrong); refused(quote_plus, wrong); refused(urlencode, {"a" * 2000: bad})
        refused(escape, wrong); refused(unescape, wrong); refused(urlencode, {"a": ["b" * 3000, bad]}, True)
    for wrong in (None, 3, ["%"]):
        refused(unquote, wrong); refused(unquote_to_bytes, wrong); refused(unquote_safe, wrong)
        refused(redact, wrong)
        refused(query_value, wrong, "a"); refused(classify, wrong if wrong != 3 else 300)
    refused(unquote, "%FF" * 300, "utf-8", "strict"); refused(unquote, long, "none such")
    refused(unquote_safe, "%41", "none such")
    refused(parse_qsl, "a&b", strict_parsing=True); refused(parse_qsl, "a=1&b=2", max_num_fields=1)
    refused(parse_qsl, wide, separator="")
    refused(urlencode, [("a", object.__new__(object)), "bc" * 600, 3]); refused(escape, "a", -1)
    refused(quote_many, 3)

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

rounds = int(sys.argv[1])
for _ in range(50):
    once()
blocks, pages = sys.getallocatedblocks(), resident()
for _ in range(rounds):
    once()
print(sys.getallocatedblocks() - blocks, resident() - pages)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
def test_repeated_calls_free_their_memory() -> None:
    """With --all, over a million calls, some of which fail."""
    blocks, data = map(int, run_python("-c", LEAKS, 7000 if ALL else 3000).split())
    assert blocks < 2000  # the interpreter's own come and go by hundreds; one lost per round would make 3000 or more
    assert data < 2 << 20


def test_eight_threads_get_the_same_answers() -> None:
    texts = [f"é {number}%41&a={number}+/?" * (number % 50 + 1) for number in range(200)]
    work: list[Callable[[str], Any]] = [
        *(quote, quote_plus, unquote, unquote_plus, parse_qsl, escape, unescape, unquote_safe),
        lambda text: quote(text, text[:9]),
        lambda text: urlencode({text: text, "a": 1}),
        lambda text: redact("?" + text, ["a"]),
    ]
    expected = [[call(text) for text in texts] for call in work]
    wrong: list[str] = []

    def run() -> None:
        for _ in range(5):
            for call, results in zip(work, expected, strict=True):
                if [call(text) for text in texts] != results:
                    wrong.append(str(call))

    run_in_threads(*[run] * 8)
    assert wrong == []


@pytest.mark.parametrize("size", [200_000, 3_000_001 if ALL else 1_000_001])
def test_long_texts_round_trip(size: int) -> None:
    for text in ("a" * size, "%41" * (size // 3), " " * size, "é" * size, "é" + "%C3%A9" * (size // 6),
                 "a=b&" * (size // 4)):  # fmt: skip
        assert unquote(quote(text)) == text
        assert unquote(text) == urllib.parse.unquote(text)
        assert quote_plus(text) == urllib.parse.quote_plus(text)
        assert unescape(escape(text)).decode() == text
    data = b"\xff" * size
    assert quote(data) == "%FF" * size
