"""The columns of fasturl.arrow.parse agree with fasturl.parse row by row."""

from typing import Any

import pyarrow as pa
import pytest
from expected import bytes_of, parsed, rows
from hypothesis import given
from hypothesis import strategies as st
from layouts import LAYOUTS, all_layouts
from support import run_in_threads

import fasturl
from fasturl import schemes
from fasturl.arrow import DEFAULT_FIELDS, FIELDS, parse, parse_batches, schema, threads

PIECES = [
    "http", "HTTPS", "ftp", "x-own", "news", "mailto", ":", "//", "/", "?", "#", "@", "%", "%41", "%c3%a9", "%00",
    "%zz", "user", "pass", "Example.COM", "a.very.long.host.name.example", "[::1]", "[", "]", ":80", ":443", ":99999",
    "a=b&c", " ", "\t", "\x00", "é", "€", "\\", ";type=a", "long/path/segment/", "127.0.0.1", "*", "-",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
COLUMNS = st.lists(st.none() | TEXTS | st.text(max_size=20), max_size=12)
FORMS = ["url", "request-target"]
URLS = [
    "http://www.example.com/some/path?and=a&query#fragment", None, "", "HTTP://EXAMPLE.com:8080/%7e", "a:b",
    "ftp://me:secret@ftp.example.com/x", "//h/p", "/only/a/path", "https://a",
    "mailto:someone.with.a.long.name@example.org", "http://[::1]:x/", "é?é#é", "http://h/%",
    "news:comp.infosystems.www.misc", "http://u@H:070/",
]  # fmt: skip


def of_length(n: int) -> list[str | None]:
    return [URLS[(i * 7) % len(URLS)] for i in range(n)]


@pytest.mark.parametrize("form", FORMS)
@given(texts=COLUMNS)
def test_every_layout_agrees_with_parse(kernel: str, form: str, texts: list[str | None]) -> None:
    want = [parsed(bytes_of(text), form) for text in texts]
    for layout, column, binary in all_layouts(texts):
        found = parse(column, FIELDS, form=form)
        found.validate(full=True)
        assert found.schema == schema(FIELDS, binary=binary), layout
        assert_rows(rows(found), want, layout)


def assert_rows(found: list[dict[str, Any]], want: list[dict[str, Any]], layout: str) -> None:
    assert len(found) == len(want), layout
    for row, (one, other) in enumerate(zip(found, want, strict=True)):
        expected = {k: bytes_of(v) for k, v in other.items()}
        assert one == expected, (layout, row)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129])
def test_row_counts_around_a_block_agree_with_parse(kernel: str, layout: str, n: int) -> None:
    texts = of_length(n)
    found = parse(LAYOUTS[layout](texts, pa.string()), FIELDS)
    found.validate(full=True)
    assert_rows(rows(found), [parsed(bytes_of(text)) for text in texts], layout)


@pytest.mark.parametrize("n", [(1 << 15) - 1, 1 << 16, (1 << 16) + 1, (1 << 17) + 63])
def test_any_number_of_threads_gives_the_same(n: int) -> None:
    texts = of_length(n)
    want = [parsed(bytes_of(text)) for text in URLS]
    one = parse(texts, FIELDS, threads=1)
    one.validate(full=True)
    assert_rows(rows(one.slice(0, 500)), [want[URLS.index(text)] for text in texts[:500]], "one thread")
    for count in (2, 8, None):
        several = parse(texts, FIELDS, threads=count)
        several.validate(full=True)
        assert several.equals(one)


def test_real_urls_agree_with_parse(real_urls: list[str], kernel: str) -> None:
    texts = real_urls[:20000]
    found = parse(pa.array(texts, pa.large_string()), FIELDS)
    found.validate(full=True)
    assert_rows(rows(found), [parsed(bytes_of(text)) for text in texts], kernel)


def test_a_hostname_outside_ascii_is_in_lower_case_as_of_urlsplit() -> None:
    names = ["M\xdcNCHEN.Example", "\u039f\u0394\u039f\u03a3.GR", "\u0130.example", "[FE80::1%\xdc]", "\u4e2d", "H"]
    texts = [f"http://u@{name}:80/" for name in names]
    wanted = [fasturl.parse(text).hostname for text in texts]
    for strings in ("string", "view"):
        assert parse(texts, ["hostname"], strings=strings).column(0).to_pylist() == wanted
    assert parse(texts, ["hostname"], dictionary=["hostname"]).column(0).to_pylist() == wanted
    duckdb = pytest.importorskip("fasturl.engines.duckdb")
    with duckdb.connect() as connection:
        assert [connection.execute("SELECT url_hostname(?)", [text]).fetchone()[0] for text in texts] == wanted


def test_fields_have_the_requested_order() -> None:
    whole = parse(URLS, FIELDS)
    for fields in (
        [], ["port"], ["query", "host"], ["valid_rfc1738"], ["hostname", "finding_bits"], list(reversed(FIELDS)),
    ):  # fmt: skip
        found = parse(URLS, fields)
        assert found.schema.names == fields
        assert found.num_rows == len(URLS) or not fields
        assert all(found.column(name).equals(whole.column(name)) for name in fields)
    assert parse(URLS).schema.names == list(DEFAULT_FIELDS)


@pytest.mark.parametrize("form", FORMS)
@given(texts=COLUMNS, fields=st.lists(st.sampled_from(FIELDS), unique=True, min_size=1, max_size=3))
def test_a_field_is_the_same_alone_and_among_all(
    kernel: str, form: str, texts: list[str | None], fields: list[str]
) -> None:
    column = pa.array([*texts, "http://h/" + "a/" * 70 + "?b", *texts], pa.string())
    whole = parse(column, FIELDS, form=form)
    for strings in ("string", "view"):
        found = parse(column, fields, form=form, strings=strings)
        found.validate(full=True)
        assert found.to_pydict() == {name: whole.column(name).to_pylist() for name in fields}


def test_strings_are_views_on_request() -> None:
    found = parse(URLS, FIELDS, strings="view")
    found.validate(full=True)
    assert found.schema == schema(FIELDS, strings="view")
    assert found.to_pylist() == parse(URLS, FIELDS).to_pylist()
    assert parse([b"http://h"], ["host"], strings="view").schema.field("host").type == pa.binary_view()


@pytest.mark.parametrize(("call", "error"), [
    (lambda: parse("http://h"), TypeError),                   (lambda: parse(b"http://h"), TypeError),
    (lambda: parse([1, 2]), TypeError),
    (lambda: parse(pa.table({"a": ["x"], "b": ["y"]})), TypeError),
    (lambda: parse(7), Exception),                            (lambda: parse([], "host"), TypeError),
    (lambda: parse([], ["hots"]), ValueError),                (lambda: parse([], ["host", "host"]), ValueError),
    (lambda: parse([], form="uri"), ValueError),              (lambda: parse([], threads=0), ValueError),
    (lambda: parse([], strings="copy"), ValueError),
])  # fmt: skip
def test_wrong_arguments_raise(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_a_stream_is_cut_into_batches() -> None:
    given_ = [URLS, pa.array(URLS[:3], pa.string_view()), chunks(), []]
    batches = list(parse_batches(given_, FIELDS, batch_rows=4))
    assert all(0 < batch.num_rows <= 4 for batch in batches)
    texts = [*URLS, *URLS[:3], *URLS, *URLS]
    assert_rows(rows(pa.Table.from_batches(batches)), [parsed(bytes_of(text)) for text in texts], "stream")


def test_a_stream_is_one_table_for_other_libraries() -> None:
    pl = pytest.importorskip("polars", reason="a reader of streams")
    want = parse(URLS, ["host"])["host"].to_pylist()
    for threads_ in (1, 2):
        assert pl.DataFrame(parse_batches([URLS, URLS], ["host"], threads=threads_))["host"].to_list() == want * 2
        assert pa.table(parse_batches(chunks(), ["host"], threads=threads_))["host"].to_pylist() == want * 2
    assert pa.table(parse_batches([], FIELDS)).schema == schema(FIELDS)
    batches = parse_batches([URLS, URLS], ["host"])
    assert next(batches).num_rows == len(URLS)
    assert pa.table(batches).num_rows == len(URLS)
    batches.close()


def chunks() -> pa.ChunkedArray:
    return pa.chunked_array([URLS, URLS], pa.string())


OWN = "x-columns-test"  # a scheme stays for the process
OWN_URLS = [*(f"{OWN}:{part}" for part in ("12", "1a", "", "%31")), f"{OWN.upper()}:7#f", None]


@pytest.fixture(scope="module")
def own_scheme() -> str:
    if OWN not in schemes.registered():
        schemes.register(OWN, productions="number = 1*digit")
    return OWN


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "fields", [FIELDS, ["finding_bits"], ["valid_rfc1738"], ["error_offset"], ["error_offset", "valid_rfc1738"]]
)
def test_registered_productions_are_checked_in_every_layout(own_scheme: str, form: str, fields: list[str]) -> None:
    """The checks write into columns that the kernel left untouched, into columns that it wrote, and far apart."""
    clean: list[str | None] = ["http://example.com/", None] * 40
    broken: list[str | None] = ["http://h/%", "ftp://a b/"]
    for texts in (OWN_URLS, [*clean, *OWN_URLS], [*broken, *OWN_URLS, *clean, *OWN_URLS, *clean], clean + OWN_URLS[:1]):
        for layout, column, _ in all_layouts(texts):
            found = parse(column, fields, form=form)
            found.validate(full=True)
            want = [parsed(bytes_of(text), form) for text in texts]
            assert_rows(rows(found), [{name: row[name] for name in fields} for row in want], layout)
    valid = parse(OWN_URLS, ["valid_rfc1738"])["valid_rfc1738"].to_pylist()
    assert valid == [True, False, False, False, False, None]


def test_registered_productions_are_checked_across_threads(own_scheme: str) -> None:
    texts = [OWN_URLS[i % len(OWN_URLS)] if i % 9999 == 0 else "http://h/a" for i in range(1 << 17)]
    found = parse(texts, FIELDS, threads=4)
    found.validate(full=True)
    assert found.equals(parse(texts, FIELDS, threads=1))
    for row in range(0, 1 << 17, 9999):
        assert_rows(rows(found.slice(row, 2)), [parsed(bytes_of(text)) for text in texts[row : row + 2]], str(row))


def test_eight_threads_get_the_same_columns() -> None:
    texts = of_length(20000)
    want = parse(texts, FIELDS, threads=1)

    def work() -> None:
        for _ in range(3):
            assert parse(texts, FIELDS, threads=2).equals(want)

    run_in_threads(*[work] * 8)


@pytest.mark.parametrize("allowed", [0, 1, 2, 3])
def test_a_process_at_its_limit_of_threads_works_with_fewer(allowed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It works with one at least, and without any the error of Python comes at once."""
    asked = []

    def start(*arguments: Any) -> int:
        assert len(asked) <= allowed, "asked again after a refusal"
        asked.append(arguments)
        if len(asked) > allowed:
            raise RuntimeError("can't start new thread")
        return started(*arguments)

    started = threads.start_new_thread
    monkeypatch.setattr(threads, "start_new_thread", start)
    monkeypatch.setattr(threads, "_shared", None)
    texts = of_length(1 << 17)
    if not allowed:
        with pytest.raises(RuntimeError, match="can't start new thread"):
            threads.Workers(3)
        asked.clear()
        with pytest.raises(RuntimeError, match="can't start new thread"):
            parse(texts, ["host"], threads=4)
    else:
        assert parse(texts, ["host"], threads=4).equals(parse(texts, ["host"], threads=1))
        threads._shared.close()
        assert len(asked) == min(allowed + 1, 3)
        asked.clear()
        with threads.workers(3) as group:
            assert [group.submit(lambda: 1).result() for _ in range(9)] == [1] * 9
    assert len(asked) == min(allowed + 1, 3)
