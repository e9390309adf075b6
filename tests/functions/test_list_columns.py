"""List columns and several-value columns equal the functions of one URL. Texts are copied in the pass that finds the
items, into memory that grows."""

from typing import Any

import pytest
import slow_functions as slow
from function_cases import call

pa = pytest.importorskip("pyarrow")

from test_function_columns import as_columns_have_it  # noqa: E402

import fasturl  # noqa: E402
from fasturl import arrow  # noqa: E402

pytestmark = pytest.mark.usefixtures("kernel")

CALLS: list[tuple[str, dict[str, Any]]] = [
    *((name, {"decode": decode}) for name in ("query_names", "query_pairs") for decode in (True, False)),
    ("path_prefixes", {}),
    *(("url_prefixes", {"limit": limit}) for limit in (3, 32)),
    ("query_values", {"names": ["a", "b%", "\ufffd"]}),
]


def check(column: Any) -> None:
    urls = column.to_pylist()
    for name, how in CALLS:
        found = getattr(arrow, name)(column, **how)
        found.validate(full=True)
        wanted = [None if url is None else as_columns_have_it(name, call(name, url, how)) for url in urls]
        assert found.to_pylist() == wanted, (name, how)


def paths() -> list[str]:
    """Return paths whose ends, and whose runs of "/", stand at every place around the end of a block of 64 bytes."""
    found = []
    for length in [0, 1, 7, *range(60, 68), 200]:
        for run in (0, 1, 3):
            tail = "/" * run
            found += ["/" + "a" * length + tail, "/" * length + tail + "b", "/a" * (length // 2) + tail]
            found.append("/" + "a" * length + tail + "b" * 9 + "/c")
    return found


@pytest.mark.parametrize("before", ["", "http://h", "http://" + "h" * 70, "mailto:"])
def test_prefixes_end_at_every_place_of_a_block(before: str) -> None:
    urls = [before + path[before == "mailto:" :] + tail for path in paths() for tail in ("", "?x/y", "#z/")]
    for limit in (3, 100):
        for name in ("path_prefixes", "url_prefixes"):
            expected = [getattr(slow, name)(url, limit=limit) for url in urls]
            assert [getattr(fasturl, name)(url, limit=limit) for url in urls] == expected
            assert getattr(arrow, name)(urls, limit=limit).to_pylist() == expected


def test_list_columns_equal_the_functions_of_one_url() -> None:
    pairs = ["a=1&b=2", "a=%41+%C3%A9&b%25=%FF%fe&&=", "%FF=x&a", "&", "", "\xe9=\u516c&a=" + "%E4%BD" * 30, "x" * 200]
    urls = [None, "", *(f"{start}?{query}#f" for query in pairs for start in ("http://h/a//b/", "/", "x:y"))]
    check(pa.array(urls))
    check(pa.array([url and url.encode() + b"\xff=\xfe" for url in urls], pa.binary()))
    check(pa.array(urls * 3).dictionary_encode())
    check(pa.chunked_array([pa.array(urls, pa.large_string()).slice(1, 9), pa.array([], pa.large_string())]))


def test_decoded_copies_may_be_longer_than_what_they_were() -> None:
    """A byte that is not UTF-8 becomes three bytes."""
    wrong = "%FF" * 500
    urls = [f"/?{wrong}={wrong}&a={wrong}"] * 40
    expected = [("\ufffd" * 500, "\ufffd" * 500), ("a", "\ufffd" * 500)]
    assert arrow.query_pairs(urls).to_pylist() == [[{"name": n, "value": v} for n, v in expected]] * 40
    assert arrow.query_values(urls, ["a"]).to_pylist() == [{"a": "\ufffd" * 500}] * 40


@pytest.mark.parametrize("first", [0, 1, 64, 5000])
def test_memory_grows_within_a_row(first: int) -> None:
    """For items and for bytes, when earlier rows had few of both. The row's earlier items are written again."""
    rest = ["/?" + "&".join(f"n{i}={'v' * (i % 50)}" for i in range(9000)), "/a" * 3000, "/?a=" + "x" * 300_000, None]
    check(pa.array(["/?a"] * first + rest + ["/a/b?c=d"]))


def test_threads_list_pieces_and_empty_chunks() -> None:
    urls = pa.array(["http://h/a/b?a=1&b%25=%41", None, "/?", "x"] * 40_000)
    empty = urls.slice(0, 0)
    for column in (urls, pa.chunked_array([empty, urls, empty])):
        for name, how in CALLS:
            found = getattr(arrow, name)(column, threads=4, **how)
            found.validate(full=True)
            assert found.equals(getattr(arrow, name)(column, threads=1, **how))
    assert len(arrow.problems(pa.chunked_array([empty, urls]), threads=4)) == len(urls)


class Lying(str):
    """A str that claims to equal everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return str.__hash__(self)


@pytest.mark.parametrize("strings", ["string", "view"])
def test_a_lying_str_option_counts_as_its_text(strings: str) -> None:
    urls = pa.array(["http://h.example/a/b?x=1&y=a+b", None])
    other = Lying("view" if strings == "string" else "string")
    for option in (
        lambda how: arrow.unquote(urls, strings=how),
        lambda how: arrow.parse(urls, ["host", "path"], strings=how),
    ):
        lying, plain = option(Lying(strings)), option(strings)
        plain.validate(full=True)
        lying.validate(full=True)
        assert getattr(lying, "type", None) == getattr(plain, "type", None) and lying.equals(plain)
        assert option(other).to_pylist() == plain.to_pylist()
    assert arrow.parse(urls, [Lying("host")]).schema.names == ["host"]
    with pytest.raises(ValueError, match="unknown field 'no-field'"):
        arrow.parse(urls, [Lying("no-field")])
    with pytest.raises(ValueError, match="'path' cannot be a dictionary column"):
        arrow.parse(urls, ["host"], dictionary=[Lying("path")])
    assert arrow.parse(urls, ["path"]).schema == pa.schema({"path": pa.string()})
