"""A type checker knows the parameters of each function of fasturl.arrow and of each method of an engine."""

import ast
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

import fasturl  # noqa: E402
from fasturl import arrow  # noqa: E402

URLS = ["http://me@www.example.com:80/a/b.html?x=1&y=2#f", None]


def test_every_function_takes_its_parameters() -> None:
    pytest.importorskip("publicsuffixlist")
    found: list[Any] = [
        arrow.address_scope(URLS, form="request-target", threads=1, strings="view"),
        arrow.canonicalize(URLS, keep_blank_values=False, keep_fragments=True, threads=1, strings="view"),
        arrow.decompose(URLS, "http"),
        arrow.dedup_hash(URLS, normalize=False, sort=False, fragment=True, drop="x", threads=1),
        arrow.dedup_key(URLS, normalize=False, sort=False, fragment=True, drop=["x"], threads=1, strings="view"),
        arrow.drop_params(URLS, ["x"], form="url", threads=1, strings="view"),
        arrow.equivalent(URLS, URLS, threads=1),
        arrow.fetch_refusal(URLS, schemes="http", ports=[80], addresses="any", threads=1, strings="view"),
        arrow.file_extension(URLS, form="request-target", threads=1, strings="view"),
        arrow.file_name(URLS, form="request-target", threads=1, strings="view"),
        arrow.first_segment(URLS, form="request-target", threads=1, strings="view"),
        arrow.host_kind(URLS, form="request-target", threads=1, strings="view"),
        arrow.is_fetchable(URLS, schemes=["http"], ports=range(80), addresses=["global"], threads=1),
        arrow.urljoin("http://h/", URLS, threads=1, strings="view"),
        arrow.blocks(URLS, fasturl.HostList(["example.com"]), form="host", threads=1, strings="view"),
        arrow.allows(URLS, b"0.0.0.0 example.com", exact=True), arrow.normalize(URLS, threads=1, strings="view"),
        arrow.origin(URLS, form="request-target", threads=1, strings="view"),
        arrow.parse(URLS, ["host"], form="url", threads=1, strings="view").column(0),
        next(arrow.parse_batches([URLS], ["host"], threads=1, batch_rows=2)).column(0),
        arrow.path_and_query(URLS, form="request-target", threads=1, strings="view"),
        arrow.path_depth(URLS, form="request-target", threads=1),
        arrow.path_prefixes(URLS, limit=2, form="request-target", threads=1),
        arrow.path_template(URLS, keep=["a"], form="request-target", threads=1, strings="view"),
        arrow.problems(URLS, form="request-target", threads=1),
        arrow.public_suffix(URLS, private_suffixes=False, form="host", rules=None, threads=1, strings="view"),
        arrow.query_and_fragment(URLS, form="request-target", threads=1, strings="view"),
        arrow.query_names(URLS, decode=False, form="request-target", threads=1),
        arrow.query_pairs(URLS, decode=False, form="request-target", threads=1),
        arrow.query_value(URLS, "x", "none", threads=1, strings="view"),
        arrow.query_values(URLS, names=["x"], form="request-target", threads=1),
        arrow.quote(URLS, safe="", threads=1, strings="view"),
        arrow.quote_plus(URLS, safe="/", threads=1, strings="view"),
        arrow.redact(URLS, ["x"], threads=1, strings="view"),
        arrow.registrable_domain(URLS, private_suffixes=False, form="host", rules=None, threads=1, strings="view"),
        arrow.subdomain(URLS, private_suffixes=False, form="host", rules=None, threads=1, strings="view"),
        arrow.surt(URLS, threads=1, strings="view"),            arrow.unquote(URLS, threads=1, strings="view"),
        arrow.unquote_plus(URLS, threads=1, strings="view"),    arrow.unquote_safe(URLS, threads=1, strings="view"),
        arrow.url_prefixes(URLS, limit=2, form="request-target", threads=1),
        arrow.drop_parts(URLS, "login", "query", form="request-target", threads=1, strings="view"),
    ]  # fmt: skip
    assert {len(column) for column in found} == {2}
    assert arrow.schema(["host"], strings="view").names == ["host"]
    constants = (arrow.DEFAULT_FIELDS, arrow.FIELDS, arrow.FUNCTIONS, arrow.Strings)
    assert all(constants)


def test_every_name_of_columns_is_used_above() -> None:
    tree = ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
    names = {node.attr for node in tree if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "arrow"}
    assert names == {*arrow.__all__, "__all__", "forms"}


def test_other_parameters_are_errors() -> None:
    # If there is no error here, the type checker reports these comments as unused.
    with pytest.raises(TypeError):
        arrow.path_depth(URLS, strings="view")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        arrow.query_pairs(URLS, strings="view")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        arrow.drop_params(URLS)  # type: ignore[call-arg]
    with pytest.raises(ValueError):
        arrow.file_name(URLS, form="host")  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        arrow.forms  # type: ignore[attr-defined] # noqa: B018


def test_methods_of_polars() -> None:
    pl = pytest.importorskip("polars")
    from fasturl.engines.polars import ExprUrl, SeriesUrl

    series = SeriesUrl(pl.Series(URLS))
    assert series.query_value("x", default="none").to_list() == ["1", None]
    assert pl.select(ExprUrl(pl.lit("http://h/a/b")).path_prefixes(limit=1, form="url")).item().to_list() == ["/a/"]
    assert pl.DataFrame({"u": URLS}).select(ExprUrl(pl.col("u")).port()).rows() == [(80,), (None,)]
    with pytest.raises(TypeError):
        series.host(threads=1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        series.hots()  # type: ignore[attr-defined]


def test_methods_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    from fasturl.engines.pandas import IndexUrl, SeriesUrl

    assert SeriesUrl(pd.Series(URLS)).host(form="url", threads=2).tolist() == ["www.example.com", pd.NA]
    assert IndexUrl(pd.Index(["/?a=1&b"])).drop_params(["b"], threads=None).tolist() == ["/?a=1"]
    with pytest.raises(AttributeError):
        SeriesUrl(pd.Series(URLS)).hots()  # type: ignore[attr-defined]
