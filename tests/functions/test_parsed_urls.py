"""Every function takes a parsed URL, answers as for its text, and is at least as fast."""

import inspect
import timeit
from collections.abc import Callable
from typing import Any

import pytest

import fasturl

ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "drop_parts": ("query", "www"), "drop_params": ("utm_*",), "listed": (["example.com"],), "query_values": (["id"],),
    "query_value": ("id",), "equivalent": ("http://h/",), "resolve": ("../b?c",), "urljoin": ("../b?c",),
    "set_params": ({},), "keep_params": ("utm_*",),
}  # fmt: skip
# These read a query, whose text is not that of a URL; the last ones read no URL.
OF_QUERIES = {"parse_qs": "parse_qs", "parse_qsl": "parse_qsl"}
OTHERS = {"quote_from_bytes", "urlencode", "urlunsplit", "urlunparse", "find_urls", "install", "uninstall"}
TEXTS = ["https://www.example.com/articles/2024/report.tar.gz;x?id=4%322&utm_source=mail&b=#top",
         "http://u:p@h:8080/a/../b?a&id=1", "ftp://h/%C3%A9;type=a", "x-any:a/b?id=é", "1x:a?b", "//h/a?id", "/a?id=1",
         "", "http://[::1]/🦊?id=é#x", "HTTP://0x7f.1\\@h/"]  # fmt: skip


def functions() -> dict[str, Callable[..., Any]]:
    public = {name: getattr(fasturl, name) for name in fasturl.__all__ if not name.endswith("_many")}
    return {
        name: one for name, one in public.items() if callable(one) and not inspect.isclass(one) and name not in OTHERS
    }


def result(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except (TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("name", functions())
def test_a_function_answers_for_a_url_as_for_its_text(name: str) -> None:
    if name in ("public_suffix", "registrable_domain", "subdomain"):
        pytest.importorskip("publicsuffixlist")
    function, arguments = functions()[name], ARGUMENTS.get(name, ())
    for text in TEXTS:
        given: Any = text
        for form in (text, text.encode("ascii", "replace")):
            data = isinstance(form, bytes)
            given = fasturl.parse(form).query if name in OF_QUERIES else form
            more = [one.encode() if data and isinstance(one, str) and name != "drop_parts" else one
                    for one in arguments]  # fmt: skip
            for strict in (False, True):
                try:
                    url = fasturl.parse(form, strict=strict)
                except fasturl.InvalidURL:
                    continue
                assert result(function, url, *more) == result(function, given, *more), (name, form)
    if name == "problems":  # has the URL's form
        return
    target = fasturl.parse("//a/b?id=1", form="request-target")  # is read again as a URL, as its text is
    found = result(function, target, *arguments)
    assert found == result(function, target.query if name in OF_QUERIES else target.text, *arguments)


def test_a_scheme_that_is_registered_after_the_parse_counts() -> None:
    url = fasturl.parse("x-later://h:77/a")
    assert fasturl.origin(url) == "x-later://h:77"
    fasturl.schemes.register("x-later", default_port=77)
    assert fasturl.origin(url) == fasturl.origin(url.text) == "x-later://h"


@pytest.mark.parametrize("name", ["query_pairs", "path_depth", "is_fetchable", "file_name", "drop_params"])
def test_a_function_is_at_least_as_fast_for_a_url(name: str) -> None:
    function, arguments = functions()[name], ARGUMENTS.get(name, ())
    url = fasturl.parse(TEXTS[0])
    times: list[list[float]] = [[], []]
    for _ in range(50):
        for one, given in zip(times, (url.text, url), strict=True):
            one.append(timeit.timeit(lambda given=given: function(given, *arguments), number=500))  # type: ignore[misc]
        if len(times[0]) >= 5 and min(times[1]) <= 1.1 * min(times[0]):  # 1.1: the clock and other programs
            return
    raise AssertionError((name, *map(min, times)))
