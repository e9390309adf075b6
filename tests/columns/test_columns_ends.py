"""Rare rows: joins delegated to Python, long texts, faults in second columns."""

import urllib.parse
from typing import Any

import pyarrow as pa
import pytest

import fasturl
from fasturl import _fastparse, arrow


def joined(base: str, references: list[str]) -> list[str]:
    return [urllib.parse.urljoin(base, reference) for reference in references]


@pytest.mark.parametrize("base", [
    "http://h/a/b?q#f", "http://h/a?", "http://h?", "http:///a/b", "http:/a", "/a/b", "a", "//h/a", "ftp://h/a;x", "",
])  # fmt: skip
def test_references_without_a_path_and_paths_of_two_slashes_join_as_urllib_does(base: str) -> None:
    references = ["http:", "#f", "?", "#", "?#", "ftp:", ".//b", "/.//b", "..//b", "//", "", "b", "http:b", "http:#x"]
    assert arrow.urljoin(base, pa.array(references)).to_pylist() == joined(base, references)


def test_a_scheme_that_is_relative_and_has_no_netloc_joins_as_urllib_does(monkeypatch: pytest.MonkeyPatch) -> None:
    without = [scheme for scheme in urllib.parse.uses_netloc if scheme != "gopher"]
    monkeypatch.setattr(urllib.parse, "uses_netloc", without)
    references = ["b", "/b", "//g/b", "gopher://g/b", "gopher:b", "http://g/b", "?b", "#b"]
    assert arrow.urljoin("gopher://h/a/b", pa.array(references)).to_pylist() == joined("gopher://h/a/b", references)


def test_no_scheme_that_is_not_relative_joins_as_urllib_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urllib.parse, "uses_relative", [s for s in urllib.parse.uses_relative if s])
    references = ["b", "/b", "//g/b", "?b", "#b", "http://g/b"]
    assert arrow.urljoin("/a/b", pa.array(references)).to_pylist() == joined("/a/b", references)


@pytest.mark.parametrize("n", [500, 512, 513, 600, 70_000])
def test_long_texts_are_quoted_and_unquoted_whole(n: int, kernel: str) -> None:
    texts = ["a" * n, "a" * n + " ", "+" * n, "%E9" * n, "%01" + "a" * n, "\u20ac" * n]
    column = pa.array(texts)
    assert arrow.quote_plus(column).to_pylist() == [urllib.parse.quote_plus(text) for text in texts]
    assert arrow.unquote_plus(column).to_pylist() == [urllib.parse.unquote_plus(text) for text in texts]
    assert arrow.unquote_safe(column).to_pylist() == [fasturl.unquote_safe(text) for text in texts]


def test_a_full_block_is_followed_by_another() -> None:
    texts = [f"%4{i % 8 + 1}" * 20_000 + "%E9" for i in range(200)]
    assert arrow.unquote_safe(pa.array(texts)).to_pylist() == [fasturl.unquote_safe(text) for text in texts]


def test_a_name_with_a_replacement_character_is_found() -> None:
    texts = ["/?a=1&\ufffd=2", "/?%FF=3", "/?b&%FFc=1&\ufffd", "/?&&%EF%BF%BD=4"]
    found = arrow.query_value(pa.array(texts), "\ufffd").to_pylist()
    assert found == [fasturl.query_value(text, "\ufffd") for text in texts] == ["2", "3", "", "4"]


def test_schemes_that_begin_and_end_alike_are_told_apart() -> None:
    texts = [f"scheme{'ab'[i % 2]}z://h/" for i in range(300)] + ["http://h/"]
    for dictionary in ((), ("scheme",)):
        found = arrow.parse(pa.array(texts), ["scheme"], dictionary=dictionary).column(0).to_pylist()
        assert found == [text.partition(":")[0] for text in texts]


@pytest.mark.parametrize("threads", [1, 2])
def test_schemes_are_found_among_urls_and_request_targets(threads: int) -> None:
    texts = ["http://h/a", "/a", "h:80", "ftp://h/"] * 40
    targets = pa.py_buffer(bytes([0b0110] * 20 + [0] * 4))
    bits = [targets[row >> 3] >> (row & 7) & 1 for row in range(len(texts))]
    found = arrow.parsing.parse_mixed(pa.array(texts), ["scheme"], targets).column(0).to_pylist()
    want = [
        fasturl.parse(text, form="request-target" if bit else "url").scheme
        for text, bit in zip(texts, bits, strict=True)
    ]
    assert found == [scheme or None for scheme in want]


def test_an_unknown_kernel_is_refused_and_changes_nothing() -> None:
    with pytest.raises(ValueError, match="'none-such' is not a kernel that runs here"):
        _fastparse._use_kernel("none-such")
    assert arrow.unquote(pa.array(["%41"])).to_pylist() == ["A"]


def test_a_dedup_key_keeps_fragments_on_request() -> None:
    texts = ["HTTP://h:80/a?b", "http://h/a#", "http://h/a?b#c", "http://h"]
    found = arrow.dedup_key(pa.array(texts), fragment=True).to_pylist()
    assert found == [fasturl.dedup_key(text, fragment=True) for text in texts]
    assert [key.endswith("#c") for key in found] == [False, False, True, False]


def backwards() -> Any:
    """Return two rows, of which the second ends before it starts."""
    offsets = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in (0, 9, 2)))
    return pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"http://h/")])


@pytest.mark.parametrize("call", [
    lambda column: arrow.equivalent(pa.array(["http://h/", "http://h/"]), column),
    lambda column: arrow.equivalent(column, pa.array(["http://h/", "http://h/"])),
    arrow.problems,                                           arrow.query_names,
    arrow.query_pairs,                                        lambda column: arrow.query_values(column, "a"),
], ids=["second", "first", "problems", "names", "pairs", "values"])  # fmt: skip
def test_offsets_that_go_back_are_refused(call: Any) -> None:
    with pytest.raises(ValueError, match="row 1"):
        call(backwards())


def test_lists_that_outgrow_their_space_keep_what_they_hold() -> None:
    texts = ["/?" + "&".join(f"name{i}=value{i}" for i in range(n)) for n in (1, 500, 0, 3000)]
    column = pa.array(texts)
    expected = [list(map(tuple, fasturl.query_pairs(text))) for text in texts]
    for decode in (False, True):
        pairs = arrow.query_pairs(column, decode=decode).to_pylist()
        assert [[(pair["name"], pair["value"]) for pair in row] for row in pairs] == expected
    names = arrow.query_names(column, decode=False).to_pylist()
    assert names == [[name for name, _ in row] for row in expected]
