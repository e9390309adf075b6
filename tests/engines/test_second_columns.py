"""A second column is aligned by its index where the engine has one, and a str stands for all rows."""

import inspect
from typing import Any

import pytest

URLS = ["http://h/a", "http://h/b", "http://h/c", None]
SAME = "HTTP://H:80/b"


def test_pandas_aligns_by_index() -> None:
    pd = pytest.importorskip("pandas")
    import fasturl.engines.pandas  # noqa: F401

    series = pd.Series(URLS, index=[3, 5, 7, 9])
    reverse = series.sort_index(ascending=False)
    assert series.url.equivalent(reverse).tolist() == [True, True, True, pd.NA]
    assert series.url.equivalent(reverse.iloc[1:2]).tolist() == [pd.NA, pd.NA, True, pd.NA]
    assert series.url.equivalent(SAME).tolist() == [False, True, False, pd.NA]
    assert series.url.equivalent(b=URLS[::-1], threads=1).tolist() == [pd.NA, False, False, pd.NA]
    assert pd.Index(URLS[:3]).url.equivalent(SAME).tolist() == [False, True, False]
    with pytest.raises(ValueError, match="a label twice"):
        series.url.equivalent(pd.Series(URLS, index=[3, 3, 7, 9]))


def test_polars_takes_a_str_as_one_text() -> None:
    pl = pytest.importorskip("polars")
    import fasturl.engines.polars  # noqa: F401

    frame = pl.DataFrame({"u": URLS, "v": URLS[::-1]})
    assert frame["u"].url.equivalent(SAME).to_list() == [False, True, False, None]
    found = frame.select(one=pl.col("u").url.equivalent(SAME), two=pl.col("u").url.equivalent(pl.col("v")))
    assert found.rows() == [(False, None), (True, False), (False, False), (None, None)]
    with pytest.raises(TypeError, match="takes no threads here"):
        frame["u"].url.host(threads=1)


def test_methods_have_the_parameters_of_their_function() -> None:
    from fasturl.engines._operations import Shortcuts, ThreadedShortcuts

    def parameters(name: str, of: type[Any] = Shortcuts) -> list[Any]:
        return list(inspect.signature(getattr(of, name)).parameters)

    assert parameters("host") == ["self", "form"]
    assert parameters("query_value") == ["self", "name", "default"]
    assert parameters("drop_params") == ["self", "names", "form"]
    assert parameters("urljoin") == ["self", "base"]
    assert parameters("equivalent") == ["self", "b"]
    assert parameters("host", ThreadedShortcuts) == ["self", "form", "threads"]
    assert parameters("urljoin", ThreadedShortcuts) == ["self", "base", "threads"]


def test_an_unknown_field_suggests_a_known_one() -> None:
    from fasturl import arrow
    from fasturl.engines._operations import parse_spec

    for read in (lambda names: arrow.parse([""], names), parse_spec):
        with pytest.raises(ValueError, match=r"unknown field 'hots'; did you mean host\?"):
            read(["hots"])
        with pytest.raises(ValueError, match=r"unknown field 'x+'\.\.\.; there are: scheme"):
            read(["x" * 1_000_000])
