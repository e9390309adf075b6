"""The functions of one URL: the table of cases, slow versions of each function, and wrong arguments."""

import random
import re
from collections.abc import Callable

import pytest
import slow_functions as slow
from function_cases import CASES, call, data
from nasty import NASTY
from tries import ALL

import fasturl

pytestmark = pytest.mark.usefixtures("kernel")


@pytest.fixture(scope="module", autouse=True)
def rules() -> None:
    pytest.importorskip("publicsuffixlist")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[2][:40]}")
def test_the_table_of_cases_holds(case: tuple) -> None:
    name, arguments, url, expected = case
    assert call(name, url, arguments) == expected
    assert call(name, url.encode(), arguments) == data(expected)
    assert call(name, bytearray(url.encode()), arguments) == data(expected)
    if arguments.get("form", "url") == "url":
        assert call(name, fasturl.parse(url), arguments) == expected


DROPPED = [
    ("query", "fragment"), ("query",), ("fragment",), ("www",), ("login",), ("password", "port"), ("scheme", "path"),
    ("scheme", "login", "www", "port", "path", "query", "fragment"), ("www", "query"),
]  # fmt: skip
KEEP = ("2", "v1", "a")
NAMES = ("utm_*", "a", "*=*", "x*y", "caf\xe9")
# Functions that other tests compare with another program, or with functions that have a slow twin.
OTHERS = {
    *("canonicalize", "surt", "dedup_key", "dedup_hash", "blocks", "allows", "query_values", "fetch_refusal",
      "is_fetchable"),
    *("public_suffix", "registrable_domain", "subdomain"),
}  # fmt: skip
# Functions whose calls below have settings.
OTHER_CALLS = {"path_template", "drop_params", "drop_parts", "query_pairs"}
# name, the function of a text, the slow function of a str of bytes
PAIRS: list[tuple[str, Callable, Callable]] = [
    *(
        (name, lambda url, form, name=name: getattr(fasturl, name)(url, form=form), getattr(slow, name))
        for name in dict.fromkeys(name for name, *_ in CASES)
        if hasattr(slow, name) and name not in OTHER_CALLS
    ),
    (
        "path_template",
        lambda url, form: fasturl.path_template(url, form=form),
        lambda url, form: slow.path_template(url, (), form),
    ),
    (
        "path_template, keep",
        lambda url, form: fasturl.path_template(url, keep=KEEP, form=form),
        lambda url, form: slow.path_template(url, KEEP, form),
    ),
    (
        "drop_params",
        lambda url, form: fasturl.drop_params(url, NAMES, form=form),
        lambda url, form: slow.drop_params(url, tuple(name.encode().decode("latin-1") for name in NAMES), form),
    ),
    *(
        (
            f"drop_parts {' '.join(parts)}",
            lambda url, form, parts=parts: fasturl.drop_parts(url, *parts, form=form),
            lambda url, form, parts=parts: slow.drop_parts(url, parts, form),
        )
        for parts in DROPPED
    ),
    ("query_pairs", lambda url, form: fasturl.query_pairs(url, decode=False, form=form), slow.query_pairs),
    (
        "query_names",
        lambda url, form: fasturl.query_names(url, decode=False, form=form),
        lambda url, form: None if (found := slow.query_pairs(url, form)) is None else [name for name, _ in found],
    ),
    (
        "url_prefixes, limit",
        lambda url, form: fasturl.url_prefixes(url, limit=3, form=form),
        lambda url, form: slow.url_prefixes(url, form, 3),
    ),
]


def back(value: object, kind: type) -> object:
    """Convert a slow function's str of bytes to the kind that the function returns."""
    if isinstance(value, str):
        raw = value.encode("latin-1")
        return raw if kind is bytes else raw.decode("utf-8", "surrogatepass")
    if isinstance(value, (list, tuple)):
        return type(value)(back(item, kind) for item in value)
    return value


def check(url: str | bytes, form: str) -> None:
    raw = url if isinstance(url, bytes) else url.encode("utf-8", "surrogatepass")
    for name, function, second in PAIRS:
        expected = back(second(raw.decode("latin-1"), form), type(url))
        found = function(url, form)
        assert found == expected, (name, url, form)
        assert type(found) is type(expected)


def test_every_function_has_a_slow_twin() -> None:
    assert {name for name, *_ in CASES} == {re.split("[, ]", name)[0] for name, *_ in PAIRS} | OTHERS


def test_nasty_inputs_agree_with_the_slow_functions() -> None:
    for text, form, *_ in NASTY:
        check(text, form)
        check(text if isinstance(text, bytes) else text.encode("latin-1", "replace"), form)


def test_real_urls_agree_with_the_slow_functions(real_urls: list[str], tries: int) -> None:
    for url in real_urls[:: max(1, 20 * len(real_urls) // tries)]:
        check(url, "url")


PIECES = [
    "http://", "https:", "//", "/", "/", "?", "#", "&", "&", "=", "@", ":", ":80", "[", "]", ".", ";", "%40", "%",
    "%3a", "+", "~", "www.", "a.b", "WWW.x.y", "user", "a", "utm_x", "x%41y", "caf\xe9", "\u516c", "\udc80", "12",
    "2024-05-17", "T10:0", "0a1b2c3d", "8a6e0804-2bd0-4672-b79d-d97027f9071a", "0123456789abcdef", "a1b2c3d4e5f6g7h8",
    "m@b.co", "v1", "2", ".html", ".gz", "A", "Z9", "mailto:", "-", "_", " ", "\0", "\n", "z" * 61,
]  # fmt: skip


def test_random_texts_agree_with_the_slow_functions(tries: int) -> None:
    rng = random.Random("functions")
    for _ in range(tries // 4):
        url = "".join(rng.choices(PIECES, k=rng.randrange(14)))
        if rng.random() < 0.5:
            url = "http://h/" + url
        form = rng.choice(("url", "request-target"))
        check(url, form)
        check(url.encode("utf-8", "surrogatepass").replace(b"\xc3", b"\xff"), form)


def test_decoded_pairs_are_those_of_parse_qsl(tries: int) -> None:
    """Except where parse_qsl drops a pair, and for U+FFFD in bytes."""
    rng = random.Random("pairs")
    pieces = ["a", "b", "=", "=", "&", "&", "+", "%41", "%C3%A9", "%FF", "%", "%zz", "\xe9", "\u516c", "x" * 40]
    for _ in range(tries // 4):
        query = "".join(rng.choices(pieces, k=rng.randrange(12)))
        pairs = fasturl.parse_qsl(query, keep_blank_values=True)
        assert fasturl.query_pairs("/?" + query) == pairs
        assert fasturl.query_names("/?" + query) == [name for name, _ in pairs]
        names = ["a", "b", "A", "\xe9", "\ufffd", ""]
        want = {name: fasturl.query_value("/?" + query, name) for name in names}
        assert fasturl.query_values("/?" + query, names) == want


def test_bytes_that_are_not_utf_8_survive() -> None:
    url = b"http://h\xff/\xfe/caf\xe9.t\xe9?\xff=\xe9&b=%FF#\x80"
    assert fasturl.file_name(url) == b"caf\xe9.t\xe9"
    assert fasturl.file_extension(url) == b"t\xe9"
    assert fasturl.first_segment(url) == b"\xfe"
    assert fasturl.origin(url) == b"http://h\xff"
    assert fasturl.query_pairs(url) == [(b"\xff", b"\xe9"), (b"b", b"\xff")]
    assert fasturl.drop_params(url, [b"\xff"]) == b"http://h\xff/\xfe/caf\xe9.t\xe9?b=%FF#\x80"
    assert fasturl.path_template(b"/\xff/1") == b"/\xff/{n}"
    assert fasturl.drop_parts(url, "path", "query") == b"http://h\xff#\x80"
    assert fasturl.path_prefixes(url) == [b"/\xfe/", b"/\xfe/caf\xe9.t\xe9"]
    assert fasturl.registrable_domain(b"a.\xff.com", form="host") == b"\xff.com"


def test_an_unchanged_text_is_returned_itself() -> None:
    for url in ("http://example.com/a?x=1", b"http://example.com/a?x=1", "/caf\xe9"):
        assert fasturl.drop_parts(url, "fragment") is url
        assert fasturl.drop_params(url, "y") is url


@pytest.mark.parametrize(("wrong", "error"), [
    (lambda: fasturl.file_name(7), TypeError),                (lambda: fasturl.file_name("a", form="host"), ValueError),
    (lambda: fasturl.drop_parts("a", "netloc"), ValueError),  (lambda: fasturl.drop_params("a", [b"x"]), TypeError),
    (lambda: fasturl.drop_params("a", [7]), TypeError),       (lambda: fasturl.path_template("a", keep=7), TypeError),
    (lambda: fasturl.query_values("a?b", [b"x"]), TypeError), (lambda: fasturl.query_pairs(None), TypeError),
    (lambda: fasturl.path_prefixes("a", limit=-1), OverflowError),
    (lambda: fasturl.blocks(7, []), TypeError),
    (lambda: fasturl.allows("a", [], form="bare"), ValueError),
    (lambda: fasturl.public_suffix("a", rules=7), TypeError),
    (lambda: fasturl.public_suffix("a", form="bare"), ValueError),
])  # fmt: skip
def test_wrong_arguments_raise(wrong: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        wrong()


def test_time_is_linear_in_the_length() -> None:
    """By length alone: if a function read a part once per byte, each would take hours."""
    n = 1 << 21 if ALL else 1 << 18
    for unit in ("/", "/1", "&", "&a=1", "a.", "?", ";", "@", "%40", ".", "-", "a1", "*"):
        url = "http://h/?" + unit * (n // len(unit))
        path = "http://" + unit * (n // len(unit))
        for text in (url, path, "/" + unit * (n // len(unit))):
            fasturl.path_template(text)
            fasturl.drop_params(text, ["b*c", "x"])
            fasturl.file_extension(text)
            fasturl.dedup_key(text)
            fasturl.canonicalize(text)
            fasturl.surt(text)
            fasturl.url_prefixes(text)
            fasturl.query_values(text, ["x", "y"])
            fasturl.registrable_domain(text)
            fasturl.origin(text)
