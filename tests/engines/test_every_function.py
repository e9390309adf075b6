"""Columns, in every layout that an engine may use, give the answers of the function of one URL. Each engine's own file
tests the same lines of the table, which is made from the list of functions. A second column is aligned by its index
where the engine has one, and a str stands for all rows."""

import inspect
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cases
import pytest
from support import check_hostile_columns

from fasturl.engines._operations import Operation, Shortcuts, parse_spec, sentence
from fasturl.engines._shapes import FUNCTIONS


@pytest.mark.parametrize("layout", cases.LAYOUTS)
@pytest.mark.parametrize("binary", [False, True])
def test_columns_agree_with_one_url(binary: bool, layout: str) -> None:
    column = cases.laid_out(binary, layout)
    for call in cases.CALLS:
        wanted = cases.results(call, binary)
        work = Operation(call.name, call.arguments, call.options)
        for strings in ("string", "view"):
            found = work(column, strings=strings)
            found.validate(full=True)
            assert found.to_pylist() == wanted, (call, strings)
        assert found.type == work.kind(binary) or "view" in str(found.type)
    everything = parse_spec({str(number): call.field for number, call in enumerate(cases.CALLS)}).read(column)
    for number, call in enumerate(cases.CALLS):
        assert everything.column(number).to_pylist() == cases.results(call, binary), call


def test_every_promised_function_exists() -> None:
    """The table of cases is made from the functions that exist, so it misses no lost one."""
    page = Path(__file__).resolve().parents[2].joinpath("docs", "functions.md").read_text(encoding="utf-8")
    promised = set(re.findall(r"`([a-z_]+)`", "".join(re.findall(r"^\| .*$", page, re.MULTILINE))))
    promised |= {
        *"quote quote_plus unquote unquote_plus unquote_safe normalize urljoin equivalent problems decompose".split()
    }
    assert promised == {*FUNCTIONS, "host_kind", "address_scope"}
    assert {"hostname", "host_kind", "address_scope"} <= set(cases.FIELDS)


def test_every_function_is_in_the_table_and_is_a_method() -> None:
    asked = {call.name for call in cases.CALLS}
    assert set(FUNCTIONS) - asked in (set(), cases._BY_LIST)
    for name in (*FUNCTIONS, *cases.FIELDS):
        assert inspect.isfunction(getattr(Shortcuts, name)) and getattr(Shortcuts, name).__doc__
        assert sentence(name).endswith(".") and "\n" not in sentence(name)


def test_wrong_fields_are_refused_before_a_row_is_read() -> None:
    with pytest.raises(ValueError, match="unknown field 'hots'"):
        parse_spec(["hots"])
    with pytest.raises(ValueError, match="named twice"):
        parse_spec(["host", "host"])
    with pytest.raises(TypeError, match="not one str"):
        parse_spec("host")
    with pytest.raises(TypeError):
        parse_spec(["query_value"])  # the name is missing
    with pytest.raises(ValueError, match="form must be"):
        parse_spec(["host"], "log")


@pytest.mark.long
@pytest.mark.parametrize("engine", ["pandas", "polars", "spark"])
def test_hostile_columns_of_an_engine_are_answered_or_refused(engine: str) -> None:
    if find_spec({"spark": "pyspark"}.get(engine, engine)) is None:
        pytest.skip(f"needs {engine}")
    check_hostile_columns(Path(__file__).with_name("hostileseries.py"), engine, least=10)


# --- second columns --------------------------------------------------------------------------------------------------

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
    with pytest.raises(TypeError, match=r"host\(\) takes form= alone"):
        frame["u"].url.host("url")


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
