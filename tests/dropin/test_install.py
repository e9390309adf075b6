"""install() and uninstall() change the listed names of urllib.parse, exactly, and nothing else."""

import pickle
import threading
import urllib.parse

import pytest

import fasturl
from fasturl import dropin

FUNCTIONS = sorted(name for name in urllib.parse.__all__ if "Result" not in name)


@pytest.fixture(autouse=True)
def _leave_urllib_as_it_was():
    before = dict(vars(urllib.parse))
    yield
    dropin.uninstall()
    assert all(value is before[name] for name, value in vars(urllib.parse).items() if name in FUNCTIONS)


def test_all_is_urllibs_and_the_two_of_our_own():
    assert sorted(dropin.__all__) == sorted([*urllib.parse.__all__, "install", "uninstall"])
    for name in urllib.parse.__all__:
        if name not in FUNCTIONS:
            assert getattr(dropin, name) is getattr(urllib.parse, name)


def test_install_changes_the_listed_names_only():
    before = dict(vars(urllib.parse))
    dropin.install()
    after = dict(vars(urllib.parse))
    assert sorted(name for name in after if after[name] is not before.get(name)) == FUNCTIONS
    from urllib.parse import quote, urlsplit

    assert quote is dropin.quote and urlsplit is dropin.urlsplit
    dropin.install()
    dropin.uninstall()
    assert dict(vars(urllib.parse)) == before
    dropin.uninstall()
    assert dict(vars(urllib.parse)) == before


def test_a_name_replaced_by_someone_else_is_left_to_them(monkeypatch):
    dropin.install()

    def theirs(url):
        return url

    original = dropin._replaced["urlsplit"]
    urllib.parse.urlsplit = theirs
    dropin.uninstall()
    assert urllib.parse.urlsplit is theirs
    urllib.parse.urlsplit = original


def test_what_stood_there_at_install_comes_back():
    original = urllib.parse.quote

    def traced(*args, **kwargs):
        return original(*args, **kwargs)

    urllib.parse.quote = traced
    try:
        dropin.install()
        assert urllib.parse.quote is dropin.quote
        dropin.uninstall()
        assert urllib.parse.quote is traced
    finally:
        urllib.parse.quote = original


def test_methods_and_helpers_of_urllib_use_the_installed_functions():
    dropin.install()
    assert urllib.parse.urlsplit("http://h/a?b#c").geturl() == "http://h/a?b#c"
    assert urllib.parse.urlparse(b"ftp://h/a;type=i").geturl() == b"ftp://h/a;type=i"
    urllib.parse.clear_cache()
    assert urllib.parse.urlsplit.cache_info().currsize == 0


ODD = ["http://h/\ta", "http://[::1]/é;x?#", "file:a", b"http://h/a#", "//////", "http://h/a?#", None, 0]


@pytest.mark.parametrize("url", ODD)
def test_what_is_handed_on_does_not_come_round(url):
    """Every original calls others of urllib.parse's functions, which are fasturl's then."""
    calls = [
        lambda module: module.urlparse(url),
        lambda module: module.urljoin(url, "../\tx"),
        lambda module: module.urljoin("http://h/é/", url),
        lambda module: module.urldefrag(url),
        lambda module: module.urlunparse([url or "", None, "//x", "p", None, None]),
        lambda module: module.parse_qs(url),
        lambda module: module.quote(url, encoding="utf-16"),
        lambda module: module.urlencode([(url, url)], quote_via=module.quote),
    ]

    def results():
        for call in calls:
            try:
                yield call(urllib.parse)
            except (TypeError, ValueError, AttributeError) as error:
                yield type(error)

    expected = list(results())
    dropin.install()
    assert list(results()) == expected


def test_pickles_made_while_installed_are_urllibs():
    dropin.install()
    assert b"fasturl" not in pickle.dumps([urllib.parse.urljoin, urllib.parse.quote])
    dropin.uninstall()
    for name in FUNCTIONS:
        assert pickle.loads(pickle.dumps(getattr(dropin, name))) is getattr(dropin, name)
        assert getattr(dropin, name).__module__.startswith("fasturl.")


def test_install_and_uninstall_from_many_threads():
    before = dict(vars(urllib.parse))
    start = threading.Barrier(8)
    wrong = []

    def work():
        start.wait()
        for _ in range(200):
            dropin.install()
            if urllib.parse.urlsplit("http://h/a").netloc != "h":
                wrong.append("urlsplit")
            dropin.uninstall()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    dropin.uninstall()
    assert not wrong
    assert dict(vars(urllib.parse)) == before


@pytest.mark.parametrize("module", [dropin, fasturl])
def test_names_outside_all_are_urllibs_own(module):
    names = "uses_relative uses_netloc uses_params scheme_chars unwrap clear_cache ResultBase _splitparams"
    for name in [*names.split(), "_hextobyte"]:
        assert getattr(module, name) is getattr(urllib.parse, name)
    for name in ("no_such_name", "__wrapped__", "re"):
        with pytest.raises(AttributeError, match=f"'{module.__name__}' has no attribute '{name}'"):
            getattr(module, name)


def test_deprecation_warnings_point_at_the_caller():
    with pytest.warns(DeprecationWarning, match="splittype") as caught:
        assert dropin.splittype("a:b") == ("a", "b")
    assert caught[0].filename == __file__
    if "Quoter" in vars(urllib.parse) or hasattr(urllib.parse, "_Quoter"):
        with pytest.warns(DeprecationWarning) as caught:
            assert dropin.Quoter is urllib.parse._Quoter
        assert caught[0].filename == __file__
