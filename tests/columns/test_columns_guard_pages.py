"""Columns stay inside their buffers: bytes, offsets, views and validity, also beside a slice's neighbours."""

import functools
import subprocess
import sys
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import expected
import pyarrow as pa
import pytest
from guarded import GuardedColumn

import fasturl
from fasturl import arrow

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

TEXTS = [
    b"http://www.example.com/some/path/that/is/long?and=a&query=too#fragment-which-makes-it-longer",
    b"https://user:pass@host:8080/%41%4?key=%41%FF%",
    b"HTTP://EXAMPLE.COM:80/" + b"%" * 80,
    b"/" + b" " * 80,
    b"mailto:" + b"a+b" * 30,
    b"%C3%A9%FF%E2%82" * 9,
    b"http://0x7f.0%31.000000000000000000000000000000000177.%31%32.",
    b"http://[2001:db8::ffff:0123:127.0.0.1%25eth0]:8080/\xc2\x85\\x",
    bytes(range(128, 256)),
]
parsed = functools.cache(expected.parsed)
HOSTS = fasturl.HostList(["example.com", "h", "com"])
LAYOUTS = ["offsets32", "offsets64", "views"]
WORK: list[tuple[Callable[[Any], Any], Callable[[bytes], Any]]] = [
    (arrow.quote, lambda u: fasturl.quote_from_bytes(u).encode()),
    (arrow.unquote, fasturl.unquote_to_bytes),
    (arrow.normalize, fasturl.normalize),
    (lambda c: arrow.redact(c, ["key", "and"]), lambda u: fasturl.redact(u, ["key", "and"])),
    (lambda c: arrow.query_value(c, "key"), lambda u: fasturl.query_value(u, "key")),
]
FUNCTIONS: list[tuple[Callable[[Any], Any], Callable[[bytes], Any]]] = [
    (arrow.file_extension, fasturl.file_extension),           (arrow.origin, fasturl.origin),
    (arrow.path_template, fasturl.path_template),             (arrow.dedup_hash, fasturl.dedup_hash),
    (arrow.path_depth, fasturl.path_depth),                   (arrow.host_kind, fasturl.host_kind),
    (arrow.fetch_refusal, fasturl.fetch_refusal),             (arrow.canonicalize, fasturl.canonicalize),
    (arrow.surt, fasturl.surt),                               (lambda c: arrow.blocks(c, HOSTS), HOSTS.blocks),
    (arrow.query_names, fasturl.query_names),                 (arrow.url_prefixes, fasturl.url_prefixes),
    (arrow.path_prefixes, fasturl.path_prefixes),
    (lambda c: arrow.drop_params(c, ["k*", "a"]), lambda u: fasturl.drop_params(u, ["k*", "a"])),
    (lambda c: arrow.drop_parts(c, "www", "port", "query"), lambda u: fasturl.drop_parts(u, "www", "port", "query")),
    (lambda c: arrow.query_values(c, ["key"]), lambda u: fasturl.query_values(u, ["key"])),
]  # fmt: skip


@pytest.fixture(params=[(False, 0), (True, 0), (False, 64), (True, 64), (True, 8)], ids=str)
def column(request: pytest.FixtureRequest) -> GuardedColumn:
    return GuardedColumn(*request.param)


def rows(text: bytes) -> Iterator[list[bytes | None]]:
    """Yield columns with one text of every length up to 80, alone and among others."""
    for length in [*range(81), len(text)]:
        yield [text[:length]]
        if length % 7 == 0:
            yield [None, text[:length], b"", text[length:]]
            yield [text[:length], None]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", ["url", "request-target"])
def test_parse_stays_in_its_buffers(column: GuardedColumn, kernel: str, layout: str, form: str) -> None:
    for text in TEXTS:
        for texts in rows(text):
            found = arrow.parse(column.array(texts, layout), arrow.FIELDS, form=form)
            assert found.to_pylist() == [parsed(one, form) for one in texts]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_functions_stay_in_their_buffers(column: GuardedColumn, kernel: str, layout: str) -> None:
    for text in TEXTS:
        for texts in rows(text):
            given = column.array(texts, layout)
            for work, one in WORK:
                assert work(given).to_pylist() == [None if text is None else one(text) for text in texts]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_url_functions_stay_in_their_buffers(column: GuardedColumn, kernel: str, layout: str) -> None:
    for text in [*TEXTS[:3], b"http://h/1/%40b.co;x/2024-05-17T1/0a1b2c3d4e5f6a7b8?key=1&k=%4#f"]:
        for length in [*range(0, 40, 3), *range(40, 80, 9), len(text)]:
            texts = [text[:length], None, text[length:]]
            given = column.array(texts, layout)
            for work, one in FUNCTIONS:
                assert work(given).to_pylist() == [None if text is None else one(text) for text in texts]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_stay_in_their_buffers(column: GuardedColumn, kernel: str, layout: str) -> None:
    for text in TEXTS:
        for texts in rows(text):
            given = column.array(texts, layout)
            base = [b"http://h/a/b?c" for _ in texts]
            wanted = arrow.urljoin(base[0], pa.array(texts, pa.binary())).to_pylist()
            assert arrow.urljoin(base, given).to_pylist() == wanted
            urls = pa.array([b"?" + one + b"=1" if one is not None else b"?a" for one in texts], pa.binary())
            found = arrow.query_value(urls, given).to_pylist()
            one = [None if name is None else fasturl.query_value(url.as_py(), name)
                   for url, name in zip(urls, texts, strict=True)]  # fmt: skip
            assert found == one
            unguarded = pa.array(texts, pa.binary())
            assert arrow.urljoin(given, unguarded).to_pylist() == arrow.urljoin(unguarded, unguarded).to_pylist()


def test_normalize_stays_in_its_buffers(column: GuardedColumn, kernel: str) -> None:
    for text in TEXTS:
        for texts in rows(text):
            want = [None if text is None else fasturl.normalize(text) for text in texts]
            assert arrow.normalize(column.array(texts, "offsets32")).to_pylist() == want


DENSE = [b"&", b"a=1&", b"name01=val001&", b"a%62=%41&+b=+&ab&=&abc=&a&"]
NAMES = [["ab"], ["a", "", " b", "abc"], [f"name{i:02}" for i in range(2, 300)]]


def named(pair: bytes, names: list[str]) -> bool:
    name = urllib.parse.unquote_to_bytes(pair.partition(b"=")[0].replace(b"+", b" ")).decode()
    return pair != b"" and name in names


@pytest.mark.parametrize("names", NAMES, ids=len)
def test_queries_of_pairs_stay_in_their_buffers(column: GuardedColumn, kernel: str, names: list[str]) -> None:
    """Pairs are skipped by blocks, which need the next block; behind the last one there is none."""
    for unit in DENSE:
        for length in range(201):
            pairs = (unit * 202)[length % len(unit) :][:length].split(b"&")
            if pairs[-1].startswith(b"a%"):
                pairs[-1] = b"&" * len(pairs[-1])  # avoid a cut escape, whose meaning is not tested here
            given = column.array([b"?" + b"&".join(pairs)], "offsets32")
            pairs = b"&".join(pairs).split(b"&")
            hidden = [p.partition(b"=")[0] + b"=***" if b"=" in p and named(p, names) else p for p in pairs]
            assert arrow.redact(given, names).to_pylist() == [b"?" + b"&".join(hidden)]
            values = [p.partition(b"=")[2] for p in pairs if named(p, names[:1])]
            wanted = urllib.parse.unquote_to_bytes(values[0].replace(b"+", b" ")) if values else None
            assert arrow.query_value(given, names[0]).to_pylist() == [wanted]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [63, 64, 65, 129])
def test_many_rows_stay_in_their_buffers(column: GuardedColumn, layout: str, n: int) -> None:
    texts = [None if i % 9 == 0 else TEXTS[i % len(TEXTS)][: i % 40] for i in range(n)]
    given = column.array(texts, layout)
    assert arrow.parse(given, arrow.FIELDS).to_pylist() == [parsed(one) for one in texts]
    for work, one in WORK:
        assert work(given).to_pylist() == [None if text is None else one(text) for text in texts]


def test_a_read_past_the_guard_ends_the_process() -> None:
    """Without this, the tests above would prove nothing."""
    script = (
        f"import sys; sys.path[:0] = [{__file__.rsplit('/', 1)[0]!r}, {__file__.rsplit('/', 2)[0]!r}]\n"
        "from guarded import GuardedColumn\n"
        "array = GuardedColumn(True, 8).array([b'http://h/'], 'offsets32')\n"
        "print(array.to_pylist(), flush=True)\n"
        "array.buffers()[2].to_pybytes()\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "[b'http://h/']\n" and run.returncode < 0
