"""Long texts are read whole, whatever their content, in linear memory (bench/growth.py counts the work). A text with
very many problems takes time linear in its length, and one exception takes no memory for the others."""

import subprocess
import sys
import tracemalloc

import pytest
from support import measured, run_python
from tries import ALL

import fasturl
from fasturl import InvalidURL, parse, problems
from fasturl._fastparse import Findings

STARTS = ("http://", "http://h/", "http://u:", "x://u:", "ftp://h?", "\u20ac", "http://\u20ac")


@pytest.mark.parametrize("start", ["http://u:", "\u20ac"], ids=ascii)
def test_a_million_problems_take_the_time_of_a_linear_pass(start: str) -> None:
    """A linear pass needs seconds. A quadratic one needs most of an hour with --all, minutes without."""
    resource = pytest.importorskip("resource")
    length = 1 << 20 if ALL else 1 << 18
    script = f"import fasturl; assert len(fasturl.problems({start!r} + '[' * {length})) > {length}"

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (300 if ALL else 20, 300))

    subprocess.run([sys.executable, "-c", script], check=True, preexec_fn=limited)


def calls(function, *args) -> int:
    """Return the number of calls, to Python or to C, that a call makes."""
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


@pytest.mark.long
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
    text = start + "[" * (100_000 if ALL else 30_000)
    narrowed = 0 if text.isascii() else len(text)  # a wide str is narrowed to one byte per character
    assert peak(strict, text) < narrowed + 20_000
    assert peak(problems, text) > 50 * len(text)


def test_the_exception_names_the_first_problem() -> None:
    texts = ("http://[bad/ x", "ftp://a:b:c@h_/~", "nntp://", "http://h:8x/\xff", "gopher://h?\\", "wais://h/d;x#")
    for text in texts:
        first = next(found for found in problems(text, strict=True) if found.finding & fasturl.Finding.VIOLATIONS)
        with pytest.raises(InvalidURL) as caught:
            parse(text, strict=True)
        error = caught.value
        assert (error.finding, error.offset, str(error)) == (first.finding, first.start, first.message)


@pytest.mark.long
@pytest.mark.parametrize("unit", ["[", "\\", "%zz", "%00a", "a[%", "%2541 ", "\xe9\x07"], ids=ascii)
def test_each_of_very_many_problems_is_found_once_and_in_order(unit: str) -> None:
    """A long text is scanned in windows."""
    start, times = "http://h/", 200_000 // len(unit)
    once = [(p.start, p.end, p.finding) for p in problems((start + unit + "x").encode("latin-1"))]
    text = (start + unit * times + "x").encode("latin-1")
    findings, told = Findings(text, "url", 0xFFFFFFFF), []
    while batch := findings.take(997):
        assert len(batch) <= 997
        told += [(first, end, 1 << bit) for first, end, bit, _ in batch]
    assert told == [(a + at, b + at, f) for at in range(0, times * len(unit), len(unit)) for a, b, f in once]


@pytest.mark.long
@pytest.mark.parametrize("before", [0, 70_000, 400_000])
@pytest.mark.parametrize("many", [70_000, 200_000])
def test_problems_that_stand_close_are_each_found_once(before: int, many: int) -> None:
    """The windows depend on the number of problems, wherever these stand."""
    text = "http://h/" + "a" * before + "[" * many + "b" * (600_000 - before) + "["
    places = [*range(9 + before, 9 + before + many), len(text) - 1]
    assert [p.start for p in problems(text)] == places
    assert len(problems("http://h/" + "a" * (before + 600_000) + "[")) == 1


def test_unselected_findings_are_left_out() -> None:
    text = "ftp://u:p@h:81/a b\\%00#"
    for wanted in (fasturl.Finding.VIOLATIONS, fasturl.Finding.HAZARDS, fasturl.Finding.PASSWORD):
        told = [(start, 1 << bit) for start, _, bit, _ in Findings(text, "url", int(wanted)).take(99)]
        assert told == [(p.start, p.finding) for p in problems(text) if p.finding & wanted] != []


@pytest.mark.parametrize(("text", "terms"), [
    ("9x:a b", ["login", "schemepart"]),
    ("9x:#", ["fragment", "login"]),
    ("9x://u:p@h:25/ ", ["login", "password", "port", "schemepart"]),
])  # fmt: skip
def test_a_scheme_that_starts_with_a_digit_has_the_same_problems_under_strict(text: str, terms: list[str]) -> None:
    """Validation reads such a scheme by section 2.1, although the attributes follow urllib, which reads none."""
    assert [one.message.partition(":")[0] for one in problems(text)] == terms
    assert problems(text) == problems(text, strict=True)


# --- long runs -------------------------------------------------------------------------------------------------------

MILLION = 1_000_000
HEADS = ("", "http://", "http://h/", "http://h/?", "ftp://", "ftp://u:", "news:", "nntp://h/g/", "wais://h/", "file://",
         "prospero://h/", "telnet://h/", "gopher://h/", "mailto:", "x:", "//", "http://[")  # fmt: skip
UNITS = ("@", ":", "%", ";", ".", "/", "?", "#", "[", "]", "=", "&", "-", " ", "\\")
UNITS += ("%2", "%25", "%25%", "a", "a.", "a-", "0.")


@pytest.mark.parametrize("unit", UNITS)
def test_long_runs_are_read_whole(unit) -> None:
    for head in HEADS:
        text = head + unit * (MILLION // 10)
        url = fasturl.parse(text)
        assert url.text is text
        assert "".join(text[slice(*url.span(n))] for n in ("path",)) == url.path
        _ = url.findings, url.hostname, url.username, url.password, url.query
        fasturl.parse(text.encode(), form="request-target")


def test_a_hundred_megabytes() -> None:
    script = (
        "import fasturl\n"
        "from support import peak\n"
        "text = b'http://h/' + b'a' * 100_000_000\n"
        "before = peak()\n"
        "url = fasturl.parse(text)\n"
        "assert url.valid_rfc1738 and url.text is text\n"
        "assert fasturl.parse(text + b' ').error_offset == len(text)\n"
        "print(peak() - before)\n"
    )
    pytest.importorskip("resource")
    assert (
        int(run_python("-c", script, env=measured())) < 250_000
    )  # KiB: little more than the script's copy of its text
