"""What a text with very many problems costs: time in its length, and for one exception no memory."""

import subprocess
import sys
import tracemalloc

import pytest

import fasturl
from fasturl import InvalidURL, parse, problems

STARTS = ("http://", "http://h/", "http://u:", "x://u:", "ftp://h?", "\u20ac", "http://\u20ac")


@pytest.mark.parametrize("start", ["http://u:", "\u20ac"], ids=ascii)
def test_a_million_problems_end_within_the_time_of_a_linear_pass(start: str) -> None:
    """A pass that is linear needs seconds, one that is quadratic most of an hour."""
    resource = pytest.importorskip("resource")
    script = f"import fasturl; assert len(fasturl.problems({start!r} + '[' * (1 << 20))) > 1 << 20"

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (300, 300))

    subprocess.run([sys.executable, "-c", script], check=True, preexec_fn=limited)


def calls(function, *args) -> int:
    """How many calls, to Python or to C, a call makes."""
    count = 0

    def told(frame, event, argument) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(told)
    try:
        function(*args)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("start", STARTS, ids=ascii)
def test_each_problem_costs_the_same_number_of_calls(start: str) -> None:
    few, many = (calls(problems, start + "[" * n) for n in (500, 4_000))
    assert few > 500
    assert many < 8.5 * few


@pytest.mark.parametrize("start", STARTS, ids=ascii)
def test_one_exception_costs_no_memory_for_the_other_violations(start: str) -> None:
    def peak(read, text) -> int:
        tracemalloc.start()
        try:
            read(text)
        finally:
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return most

    def strict(text) -> None:
        with pytest.raises(InvalidURL):
            parse(text, strict=True)

    strict(start + "[")
    text = start + "[" * 100_000
    narrowed = 0 if text.isascii() else len(text)  # a wide str is read as octets, one a character
    assert peak(strict, text) < narrowed + 20_000
    assert peak(problems, text) > 50 * len(text)


def test_the_exception_tells_of_the_first_problem() -> None:
    texts = ("http://[bad/ x", "ftp://a:b:c@h_/~", "nntp://", "http://h:8x/\xff", "gopher://h?\\", "wais://h/d;x#")
    for text in texts:
        first = next(found for found in problems(text, strict=True) if found.finding & fasturl.Finding.VIOLATIONS)
        with pytest.raises(InvalidURL) as caught:
            parse(text, strict=True)
        error = caught.value
        assert (error.finding, error.offset, str(error)) == (first.finding, first.start, first.message)
