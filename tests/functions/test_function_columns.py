"""The column functions give, for every row and layout, the answer of the function of one URL."""

import inspect
import pickle
import random
from collections.abc import Callable
from itertools import groupby
from typing import Any, get_type_hints

import pytest
from function_cases import CASES, call, data
from nasty import NASTY

pa = pytest.importorskip("pyarrow")
pytest.importorskip("publicsuffixlist")

from layouts import all_layouts  # noqa: E402

import fasturl  # noqa: E402
from fasturl import arrow  # noqa: E402

pytestmark = pytest.mark.usefixtures("kernel")

FUNCTIONS = sorted(fasturl._functions.__all__)
# Tested in test_more_columns.py.
OTHERS = {"decompose", "equivalent", "urljoin", "problems", "quote_plus", "unquote_plus", "unquote_safe"}


def column_of(name: str, column: Any, arguments: dict[str, Any], **how: Any) -> Any:
    arguments = dict(arguments)
    parts = arguments.pop("parts", ())
    if name == "query_values":
        names = arguments["names"]
        arguments["names"] = list(dict.fromkeys([names] if isinstance(names, str) else names))
    found = arrow.FUNCTIONS[name](column, *parts, **arguments, **how)
    found.validate(full=True)
    return found


def of_column(name: str, column: Any, arguments: dict[str, Any], **how: Any) -> list[Any]:
    return column_of(name, column, arguments, **how).to_pylist()


def as_columns_have_it(name: str, value: Any) -> Any:
    """Convert pairs to structs with a name and a value."""
    if name == "query_pairs" and value is not None:
        return [{"name": first, "value": second} for first, second in value]
    return value


def test_every_function_is_in_the_table_and_has_its_column() -> None:
    assert set(arrow.FUNCTIONS) == {*FUNCTIONS, *OTHERS}
    assert FUNCTIONS == sorted({case[0] for case in CASES})
    assert set(arrow.FUNCTIONS) <= set(arrow.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_the_table_is_one_of_its_module(name: str) -> None:
    function = arrow.FUNCTIONS[name]
    assert function is getattr(arrow, name) is pickle.loads(pickle.dumps(function))
    assert (function.__doc__ or "").count(f">>> {name}(") == 1
    assert get_type_hints(function).keys() == {*inspect.signature(function).parameters, "return"}
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'other'"):
        function([], other=1)


GROUPS = [
    (name, cases[0][1], [(url, expected) for _, _, url, expected in cases])
    for name, cases in (
        (key[0], list(group))
        for key, group in groupby(
            sorted(CASES, key=lambda case: (case[0], repr(case[1]))), lambda case: (case[0], repr(case[1]))
        )
    )
]


@pytest.mark.parametrize(
    ("name", "arguments", "cases"), GROUPS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_table_of_cases_holds_in_every_layout(
    name: str, arguments: dict[str, Any], cases: list[tuple[str, Any]]
) -> None:
    texts = [*(url for url, _ in cases), None, cases[0][0]]
    results = [*(as_columns_have_it(name, expected) for _, expected in cases), None]
    results.append(results[0])
    for layout, column, binary in all_layouts(texts):
        expected = [data(result) if binary else result for result in results]
        has_strings = "strings" in inspect.signature(arrow.FUNCTIONS[name]).parameters
        for strings in ("view", "string") if has_strings else ("",):
            how = {"strings": strings} if strings else {}
            assert of_column(name, column, arguments, **how) == expected, (layout, strings)


ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "drop_params": [{"names": ["utm_*", "a", "x*y", "caf\xe9"]}],
    "drop_parts": [{"parts": ("query", "fragment")}, {"parts": ("login", "www", "query")},
                   {"parts": ("scheme", "port")}],
    "query_values": [{"names": ["a", "b", "x y"]}, {"names": ["a", "\ufffd"]}],
    "path_template": [{}, {"keep": ["1", "a"]}],
    "path_prefixes": [{}, {"limit": 2}],
    "is_fetchable": [{}, {"schemes": ["http", "ftp"], "ports": [80], "addresses": "any"}, {"hosts": ["a", "ex"]}],
    "query_pairs": [{}, {"decode": False}],
    "public_suffix": [{}, {"private_suffixes": False}, {"form": "host"}],
    "blocks": [{"hosts": ["a.co.uk", "example.com", "a", "h", "z" * 13]},
               {"hosts": ["co.uk", "1.2.3.4/8"], "form": "host"}],
    "allows": [{"hosts": ["a.co.uk", "\u516ca", "127.0.0.0/8"]}, {"hosts": ["a.co.uk"], "exact": True}],
    "canonicalize": [{}, {"keep_blank_values": False, "keep_fragments": True}],
    "dedup_key": [{}, {"normalize": False}, {"sort": False, "drop": ()}],
}  # fmt: skip


def check(urls: list[str | None] | list[bytes | None], form: str = "url", **how: Any) -> None:
    for name in FUNCTIONS:
        for arguments in ARGUMENTS.get(name, [{}]):
            if "form" in inspect.signature(arrow.FUNCTIONS[name]).parameters:
                arguments = {"form": form, **arguments}
            expected = [None if url is None else as_columns_have_it(name, call(name, url, arguments)) for url in urls]
            assert of_column(name, urls, arguments, **how) == expected, (name, arguments)


def test_nasty_inputs_agree_with_the_function() -> None:
    for form in ("url", "request-target"):
        texts = [text for text, _, *_ in NASTY if isinstance(text, str)]
        check([*texts, None], form)
        check(
            [text if isinstance(text, bytes) else text.encode() for text, *_ in NASTY]
            + [None, b"\xff/\xfe?\xfd=%FC&%fd"],
            form,
        )


def test_real_urls_agree_with_the_function(real_urls: list[str], tries: int) -> None:
    check(real_urls[:: max(1, 10 * len(real_urls) // tries)])


def test_random_rows_agree_with_the_function(tries: int) -> None:
    rng = random.Random("rows")
    pieces = ["http://", "//", "/", "/", "?", "#", "&", "&", "=", "a", "b", "x+y", "%41", "%FF", "%C3%A9", "\xe9",
              "\u516c", "www.", "a.co.uk", "1", "utm_x=1", "@", ":80", "[", "A", ".", ";", "z" * 13]  # fmt: skip
    urls: list[str | None] = [None if rng.random() < 0.05 else "".join(rng.choices(pieces, k=rng.randrange(16)))
                              for _ in range(tries // 8)]  # fmt: skip
    check(urls)
    check([None if url is None else url.encode().replace(b"\xc3", b"\xff") for url in urls])


@pytest.mark.long
def test_four_threads_give_the_result_of_one(real_urls: list[str]) -> None:
    """The pieces of a column are listed apart and joined."""
    urls = pa.array([*(real_urls * 5)[:150_000], None, "/?a=1&b=2" + "&c" * 5000])
    for name in FUNCTIONS:
        arguments = ARGUMENTS.get(name, [{}])[0]
        found = column_of(name, urls, arguments, threads=4)
        assert found.equals(column_of(name, urls, arguments, threads=1)), name


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 129])
def test_row_counts_around_a_bitmap_word_agree(length: int) -> None:
    urls = [None if i % 7 == 0 else f"http://h{i}.example.co.uk/{i}/a.b?x={i}&y=%41" for i in range(length)]
    column = pa.array(urls, pa.string())
    for name in FUNCTIONS:
        arguments = ARGUMENTS.get(name, [{}])[0]
        expected = [None if url is None else as_columns_have_it(name, call(name, url, arguments)) for url in urls]
        assert of_column(name, column, arguments) == expected


def test_a_row_with_more_items_than_reserved_is_complete() -> None:
    urls = ["/?a", "/?" + "&".join(f"{i}" for i in range(10_000)), None, "/?b&c"]
    assert arrow.query_names(urls).to_pylist() == [fasturl.query_names(url) if url else None for url in urls]


@pytest.mark.parametrize(("wrong", "error"), [
    (lambda: arrow.path_depth(["/"], form="host"), ValueError),
    (lambda: arrow.path_depth([1]), TypeError),               (lambda: arrow.file_name("a"), TypeError),
    (lambda: arrow.file_name(["a"], strings="copy"), ValueError),
    (lambda: arrow.drop_params(["a"], [b"x"]), TypeError),
    (lambda: arrow.query_values(["a"], ["x", "x"]), ValueError),
    (lambda: arrow.query_values(["a"], [7]), TypeError),      (lambda: arrow.drop_parts(["a"], "host"), ValueError),
    (lambda: arrow.path_prefixes(["a"], limit=-1), OverflowError),
])  # fmt: skip
def test_wrong_arguments_raise(wrong: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        wrong()
