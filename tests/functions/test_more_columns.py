"""The columns of unquote_safe, quote_plus, unquote_plus, join, equivalent, problems and decompose. They give, for every
row and layout, the answer of the function of one URL."""

import random
from typing import Any

import pytest
from nasty import NASTY
from tries import TRIES

pa = pytest.importorskip("pyarrow")

from expected import decomposed, joined, of_pair, problems_of  # noqa: E402
from layouts import all_layouts  # noqa: E402

import fasturl  # noqa: E402
from fasturl import arrow, schemes  # noqa: E402

pytestmark = pytest.mark.usefixtures("kernel")

TEXTS = [text for text, *_ in NASTY if isinstance(text, str)]
ESCAPES = ["%C2\xe9%9b%C2%9B%1b%0d%0A", "a%C2%80%zz%", "%FF+%e9 %ff\xe9", "%E4%BD%A0%E4%BD", "a b/c+d~",
           "x" * 600 + " y", " " * 600, "", "%"]  # fmt: skip
REFERENCES = ["../c", "?q", "#f", "", "//x/y", "http:g", "HTTP://H/", "./../..//a/.", ";p", "a;b", "\xe9/\u516c", " x",
              "//[h"]  # fmt: skip
OF_SCHEMES = [
    "ftp://me:p%40ss@h:2121/a%2Fb//c%FF;type=i", "ftp://h", "http://h:8080/a%20b?c#d", "https://h/\xe9",
    "gopher://h/7a%09b%09+", "mailto:joe%25host@gateway.dom", "news:comp.infosystems", "NEWS:1994%2F5@host.dom",
    "nntp://h/g/00042", "nntp://h/g/" + "9" * 30, "telnet://u:p@h:99999/", "wais://h/db/t/p%2F", "wais://h/db?s",
    "file:///etc/motd", "file://localhost/%FF", "prospero://h/a/b;c=d;e=%3B", "redis://:a%2Fb@cache.dom/0",
    "postgresql+psycopg://anne:p%40ss@db.dom:5432/shop?x", "x", "",
]  # fmt: skip
NAMES = ("ftp", "http", "https", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero")
BASES = ["", "http://h/a/b?q", "/x/y", "x", "http://\xe9/\xfc", "x:y", "ftp://u@h/a;type=i", "//h", " http://h", "file:///a/b",
         "HTTPS://H", "http://h/a/;", "?q", "http://[h", "h" * 70_000]  # fmt: skip


def check(name: str, column: Any, expected: list[Any], *given: Any, **how: Any) -> None:
    found = (
        getattr(arrow, name)(*given, column, **how)
        if name == "urljoin"
        else getattr(arrow, name)(column, *given, **how)
    )
    found.validate(full=True)
    assert found.to_pylist() == expected, (name, given, how)


def check_all(column: Any, texts: list[Any], binary: bool) -> None:
    def each(function: Any) -> list[Any]:
        return [None if text is None else function(text) for text in texts]

    check(
        "unquote_safe", column,
        each(lambda text: fasturl.unquote_safe(text).encode() if binary else fasturl.unquote_safe(text)),
    )  # fmt: skip
    check(
        "quote_plus", column,
        each(lambda text: fasturl.quote_plus(text).encode() if binary else fasturl.quote_plus(text)),
    )  # fmt: skip
    check(
        "unquote_plus", column,
        each(lambda text: fasturl.unquote_to_bytes(text.replace(b"+", b" ")) if binary else fasturl.unquote_plus(text)),
    )  # fmt: skip
    check("problems", column, each(problems_of))
    check("problems", column, each(lambda text: problems_of(text, "request-target")), form="request-target")
    for base in ("http://h/a/b;p?q", "", "mailto:a@b"):
        given: Any = base.encode() if binary else base
        check("urljoin", column, [joined(text, base) for text in texts], given)
    for scheme in (*NAMES, "generic"):
        check("decompose", column, [decomposed(text, scheme) for text in texts], scheme)
    normal = each(fasturl.normalize)
    turned = normal[1:] + normal[:1]
    for others in (normal, turned):
        pairs = zip(texts, others, strict=True)
        expected = [None if a is None or b is None else fasturl.equivalent(a, b) for a, b in pairs]
        check("equivalent", column, expected, pa.array(others, pa.binary() if binary else pa.string()))


@pytest.mark.long
def test_every_layout_agrees_with_the_function() -> None:
    texts = [*TEXTS, None, *ESCAPES, *REFERENCES, *OF_SCHEMES, None, TEXTS[0]]
    for _, column, binary in all_layouts(texts):
        check_all(column, [text.encode() if text is not None and binary else text for text in texts], binary)


def test_bytes_that_are_not_utf_8_agree_with_the_function() -> None:
    texts = [b"\xff%41", b"%9b\x9b%C2%9b", b"\xff", b"http://h\xff/%FF", b"ftp://h/\xfe%FD", None, b"//\xc2\xa0/x",
             b"\x1b%1b"]  # fmt: skip
    check_all(pa.array(texts, pa.binary()), texts, True)
    check_all(pa.array([], pa.binary()), [], True)
    check_all(pa.array([], pa.string()), [], False)
    check_all(pa.nulls(3), [None] * 3, False)


@pytest.mark.parametrize(
    "base",
    [
        "http://h/a?\uff0e#\xe9",
        "ht\ntp://h/\xe9/b",
        "http://h\xe9/a/b",
        "http://h/a[b]/c?[",
        "http://[h/a",
        "\n",
        " http://h/a",
        "a\t/b",
    ],
)
def test_join_to_a_base_that_urllib_cleans_or_checks(base: str) -> None:
    texts = ["", "b", "../c", "?q", "#f", "//g", "\xe9", "/[", "http:d", "b\n/c", "ftp://h"]
    check("urljoin", pa.array(texts), [joined(text, base) for text in texts], base)


def test_join_agrees_with_urljoin_for_every_base(real_urls: list[str], tries: int) -> None:
    rng = random.Random("urljoin")
    pieces = ["..", ".", "/", "//", "a", ";", "?", "#", ":", "http:", "\xe9", "%41", "@", "[", " ", "\t", "b=c"]
    texts = ["".join(rng.choices(pieces, k=rng.randrange(8))) for _ in range(tries // 8)]
    texts += [*TEXTS, *REFERENCES, *real_urls[:: max(1, 20 * len(real_urls) // tries)]]
    for base in BASES:
        check("urljoin", pa.array(texts), [joined(text, base) for text in texts], base)


def test_two_columns_agree_with_the_functions_of_two_texts(real_urls: list[str], tries: int) -> None:
    rng = random.Random("pairs")
    urls = [*TEXTS, *REFERENCES, *real_urls[:: max(1, 20 * len(real_urls) // tries)], "?a=1&%62=2&\ufffd=3&%FF=4", ""]
    bases = [*BASES, *real_urls[:50], "HTTP://h/é", "http://h/a#b", "httpx://h/a", "http:a", "https:/a?b"]
    names = ["a", "b", "", "\ufffd", "utm_source", "q", "id", "é"]
    for others, name in ((bases, "urljoin"), (names, "query_value"), (urls, "equivalent")):
        pairs = [(rng.choice([*urls, None]), rng.choice([*others, None])) for _ in range(tries)]
        for binary in (False, True):
            kind = pa.binary() if binary else pa.string()
            column, other = (pa.array([side and side.encode() if binary else side for side in one], kind)
                             for one in zip(*pairs, strict=True))  # fmt: skip
            given = [(a.as_py(), b.as_py()) for a, b in zip(column, other, strict=True)]
            wanted = [of_pair(name, *pair) for pair in given]
            layouts = (column, column.dictionary_encode(), pa.chunked_array([column[:3], column[3:3], column[3:]]))
            for layout in layouts:
                for strings in ("string", "view") if name != "equivalent" else (None,):
                    options = {"strings": strings} if strings else {}
                    found = getattr(arrow, name)(
                        *((other, layout) if name == "urljoin" else (layout, other)), **options
                    )
                    found.validate(full=True)
                    assert found.to_pylist() == wanted


def test_a_second_column_is_checked() -> None:
    for call in (lambda a, b: arrow.urljoin(b, a), arrow.query_value, arrow.equivalent):
        with pytest.raises(ValueError, match="different lengths"):
            call(["a"], ["b", "c"])
        with pytest.raises(
            TypeError, match="one column is string, the other binary: both must be text, or both binary"
        ):
            call(["a"], [b"b"])
        assert call([], []).to_pylist() == [] and call(pa.nulls(2), ["a", "b"]).to_pylist() == [None, None]
        assert call(pa.chunked_array([], pa.string()), pa.chunked_array([], pa.string())).to_pylist() == []
        offsets = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in (0, 9, 2)))
        backwards = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"http://h/")])
        for pair in ((["a", "b"], backwards), (backwards, ["a", "b"])):
            with pytest.raises(ValueError, match="row 1 has offsets that run backwards"):
                call(*pair)


def test_join_reads_urllibs_current_lists_of_schemes(monkeypatch: pytest.MonkeyPatch) -> None:
    import urllib.parse

    monkeypatch.setattr(urllib.parse, "uses_relative", [*urllib.parse.uses_relative, "zz"])
    monkeypatch.setattr(urllib.parse, "uses_netloc", [*urllib.parse.uses_netloc, "zz"])
    check("urljoin", ["b", "zz:c"], ["zz://h/b", "zz://h/c"], "zz://h/a")


def test_problems_and_equivalent_apply_registered_productions() -> None:
    """Their URLs stand in the middle of the rows, and at the end of a word of the bitmap."""
    name = "x-more-column"
    if name not in schemes.registered():
        schemes.register(name, productions="part = *alpha")
    texts = [f"{name}:ab" if i % 3 else f"{name}:1 %" for i in range(129)] + ["http://h/ ", f"{name}:%61b"]
    check("problems", texts, [problems_of(text) for text in texts])
    others = [text.replace("a", "%61") for text in texts]
    check("equivalent", texts, [fasturl.equivalent(a, b) for a, b in zip(texts, others, strict=True)], others)


def test_places_count_characters_of_a_str_and_bytes_in_columns() -> None:
    [*_, problem] = fasturl.problems("http://é/%")
    assert (problem.start, problem.end) == (9, 10)
    for column in (["http://é/%"], ["http://é/%".encode()]):
        assert arrow.problems(column).to_pylist()[0][-1] == {"finding": int(problem.finding), "start": 10, "end": 11}


def test_many_problems_in_few_rows_are_all_listed() -> None:
    texts = ["http://h/" + " " * 5000, "http://h/", "http://h/" + "%" * 3000, None]
    check("problems", texts, [None if text is None else problems_of(text) for text in texts])


def test_four_threads_give_the_result_of_one(real_urls: list[str]) -> None:
    urls = pa.array([*(real_urls * 5)[:120_000], None, "http://h/ " * 50])
    for name in ("problems", "unquote_safe", "quote_plus"):
        assert getattr(arrow, name)(urls, threads=4).equals(getattr(arrow, name)(urls, threads=1))
    assert arrow.urljoin("http://h/", urls, threads=4).equals(arrow.urljoin("http://h/", urls, threads=1))
    turned = pa.concat_arrays([urls.slice(1), urls.slice(0, 1)])
    assert arrow.equivalent(urls, turned, threads=4).equals(arrow.equivalent(urls, turned, threads=1))


def test_columns_with_different_chunks_are_compared_row_by_row() -> None:
    texts = ["http://h", "a", None, "b%41", "c"]
    one = pa.chunked_array([texts[:1], [], texts[1:]])
    other = pa.chunked_array([["HTTP://h/"], ["a", "x"], [], ["bA", None]])
    assert arrow.equivalent(one, other).to_pylist() == [True, True, None, True, None]
    assert arrow.equivalent(one, other.combine_chunks()).to_pylist() == [True, True, None, True, None]


def test_python_is_not_called_for_each_row_of_a_long_base(monkeypatch: pytest.MonkeyPatch) -> None:
    from fasturl.arrow import texts

    calls: list[bytes] = []
    monkeypatch.setattr(texts, "join_row", lambda base, text: calls.append(text))
    base = "http://h/?" + "a" * (1 << 20)
    assert arrow.urljoin(base, ["//g/b", "/b", "b", "ftp://g/"] * 2).to_pylist() == [
        "http://g/b", "http://h/b", "http://h/b", "ftp://g/"
    ] * 2  # fmt: skip
    assert arrow.urljoin([base], ["/b"]).to_pylist() == ["http://h/b"]
    assert calls == []


def test_one_text_is_compared_with_all_rows_without_a_copy_for_each() -> None:
    texts = ["http://h/" + "a" * (1 << 12), None, "", "http://h"] * 1024
    before, pool = pa.default_memory_pool(), pa.proxy_memory_pool(pa.default_memory_pool())
    for one in ("HTTP://h:80/" + "%61" * (1 << 12), "", "http://h/"):
        columns = [pa.array(texts), pa.array(texts).dictionary_encode(), pa.chunked_array([texts[:3], texts[3:]])]
        want = [None if text is None else fasturl.equivalent(text, one) for text in texts[:4]] * 1024
        for column in columns:
            pa.set_memory_pool(pool)
            try:
                assert arrow.equivalent(column, one).to_pylist() == want
            finally:
                pa.set_memory_pool(before)
    assert pool.max_memory() < 2 * len("".join(filter(None, texts)))
    assert arrow.equivalent([], "http://h").to_pylist() == []


@pytest.mark.parametrize(("wrong", "error"), [
    (lambda: arrow.urljoin(b"http://h", ["a"]), TypeError),   (lambda: arrow.urljoin("http://h", [b"a"]), TypeError),
    (lambda: arrow.equivalent(["a"], [b"a"]), TypeError),     (lambda: arrow.equivalent(["a"], ["a", "b"]), ValueError),
    (lambda: arrow.problems(["a"], form="host"), ValueError), (lambda: arrow.problems([1]), TypeError),
    (lambda: arrow.decompose(["a"], "no-such-scheme"), ValueError),
    (lambda: arrow.quote_plus(["a"], 7), TypeError),          (lambda: arrow.unquote_safe("a"), TypeError),
])  # fmt: skip
def test_wrong_arguments_raise(wrong: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        wrong()


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_valid_and_invalid_http_urls_decompose_in_their_rows(scheme: str, binary: bool) -> None:
    """Valid rows are built from the fields of `parse`, the others one by one."""
    rng = random.Random(scheme)
    pieces = ["://", "h", ":", "80", "/", "?", "#", "@", "%", "%41", "a", "[::1]", ".", "http", "s", "\xe9", ";"]
    starts = ["", "http", "https", "HTTP", "http://h/", "https://h.x:8/"]
    texts: list[Any] = [None]
    for _ in range(TRIES // 4):
        texts.append(rng.choice(starts) + "".join(rng.choices(pieces, k=5)))
    texts = [text.encode() if binary and text is not None else text for text in texts]
    column = pa.array(texts, pa.binary() if binary else pa.string())
    wanted = [decomposed(text, scheme) for text in texts]
    assert sum(row is not None for row in wanted) > len(texts) // 20
    check("decompose", column, wanted, scheme)
    plain = [f"{scheme}://h:{n}/a%20{n}?q={n}" for n in range(70)] + [f"{scheme}://h"]
    check("decompose", pa.array(plain)[3:], [decomposed(text, scheme) for text in plain[3:]], scheme)
    check("decompose", pa.array([], pa.string()), [], scheme)
