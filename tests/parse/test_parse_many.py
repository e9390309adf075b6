"""parse_many keeps the length and the order, whatever the stream contains."""

import itertools
import operator
import sys

import pytest
from support import run_in_threads

import fasturl
from fasturl import InvalidURL, parse, parse_many

TEXTS = ["http://h/a?b", b"/x\xff", "", "nonsense", "http://u:p@h/", "//h\u20ac/"]
SHARED_TEXTS = ["http://u:p@h:81/a?b#c", b"/x%00\xff", "ftp://h/a;type=x", "", "http://h\u20ac/ \U0001f600"] * 50


@pytest.mark.parametrize("make", [list, tuple, iter, lambda texts: (text for text in texts), dict.fromkeys])
def test_parse_many_equals_parse_one_by_one(make) -> None:
    assert list(parse_many(make(TEXTS))) == [parse(text) for text in TEXTS]
    many = list(parse_many(make(TEXTS), form="request-target"))
    assert many == [parse(text, form="request-target") for text in TEXTS]


def test_each_errors_mode_handles_invalid_urls() -> None:
    mixed = ["http://h/", None, "http://h/ x", 7, b"http://h/"]
    with pytest.raises(TypeError):
        list(parse_many(mixed))
    nulls = list(parse_many(mixed, strict=True, errors="null"))
    assert [url is None for url in nulls] == [False, True, True, True, False]
    kept = list(parse_many(mixed, strict=True, errors="keep"))
    assert [type(item) for item in kept] == [fasturl.URL, TypeError, InvalidURL, TypeError, fasturl.URL]
    assert [url is None for url in parse_many(mixed, errors="null")] == [False, True, False, True, False]
    with pytest.raises(ValueError, match="errors"):
        parse_many([], errors="ignore")
    with pytest.raises(ValueError, match="form"):
        parse_many([], form="ignore")
    with pytest.raises(TypeError, match="iterable"):
        parse_many("http://h/")
    with pytest.raises(TypeError):
        parse_many(None)


def test_after_raise_the_run_can_go_on() -> None:
    many = parse_many(["/a", None, "/b"])
    assert next(many).path == "/a"
    with pytest.raises(TypeError):
        next(many)
    assert next(many).path == "/b"
    with pytest.raises(StopIteration):
        next(many)


def test_an_error_of_the_source_comes_through() -> None:
    def source():
        yield "/a"
        raise OSError("torn")

    many = parse_many(source(), errors="null")
    assert next(many).path == "/a"
    with pytest.raises(OSError, match="torn"):
        next(many)


def test_parse_many_is_lazy_and_has_a_length_hint() -> None:
    taken = list(itertools.islice(parse_many(itertools.repeat("/a")), 3))
    assert [url.path for url in taken] == ["/a"] * 3
    assert operator.length_hint(parse_many(["a"] * 5)) == 5
    assert operator.length_hint(parse_many(iter(["a"] * 5))) == 5


def test_a_list_may_change_during_iteration() -> None:
    texts = ["/a", "/b", "/c"]
    many = parse_many(texts)
    next(many)
    del texts[1:]
    assert list(many) == []
    texts += ["/d", "/e"]
    assert list(many) == []


def test_kept_exceptions_hold_no_traceback() -> None:
    kept = list(parse_many(["no url", None], strict=True, errors="keep"))
    assert [(type(error), error.__traceback__) for error in kept] == [(InvalidURL, None), (TypeError, None)]


def test_eight_threads_get_the_same_answers() -> None:
    want = [(tuple(url), url.findings, url.error_offset) for url in fasturl.parse_many(SHARED_TEXTS)]
    wrong = []

    def work() -> None:
        for _ in range(20):
            got = [(tuple(url), url.findings, url.error_offset) for url in map(fasturl.parse, SHARED_TEXTS)]
            if got != want:
                wrong.append(got)
            for text in SHARED_TEXTS[:10]:
                fasturl.problems(text)

    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        run_in_threads(*[work] * 8)
    finally:
        sys.setswitchinterval(old)
    assert not wrong
