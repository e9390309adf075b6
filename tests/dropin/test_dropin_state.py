"""The compiled functions follow changes of urllib's lists of schemes, its alphabet and its functions."""

import contextlib
import inspect
import os
import shutil
import sys
import tracemalloc
import urllib.parse
from pathlib import Path

import pytest
from support import run_python

import fasturl
from fasturl import _urllib

NAMES = ("urldefrag", "urljoin", "urlparse", "urlsplit", "urlunparse", "urlunsplit")
LEAST, MOST = "http://", "http://h/" + "a" * 246


def same(name, *args):
    ours, theirs = getattr(_urllib, name)(*args), getattr(urllib.parse, name)(*args)
    assert ours == theirs and type(ours) is type(theirs)
    return ours


def test_lists_of_schemes_may_be_appended_to_and_changed_in_place(monkeypatch):
    for name in ("uses_relative", "uses_netloc", "uses_params"):
        monkeypatch.setattr(urllib.parse, name, list(getattr(urllib.parse, name)))
    assert same("urljoin", "s3://b/k/x", "y") == "y"
    urllib.parse.uses_relative.append("s3")
    assert same("urljoin", "s3://b/k/x", "/y") != "/y"
    urllib.parse.uses_netloc.append("s3")
    assert same("urljoin", "s3://b/k/x", "y") == "s3://b/k/y"
    urllib.parse.uses_relative[urllib.parse.uses_relative.index("s3")] = "s4"
    assert same("urljoin", "s3://b/k/x", "y") == "y"
    assert same("urljoin", "s4://b/k/x", "y") != "y"
    assert same("urlparse", "s3:a;b").params == ""
    urllib.parse.uses_params.append("s3")
    assert same("urlparse", "s3:a;b").params == "b"
    urllib.parse.uses_params.remove("s3")
    assert same("urlparse", "s3:a;b").params == ""
    assert same("urlunsplit", ("s3", "", "/a", "", "")) == "s3:///a"
    urllib.parse.uses_netloc.remove("s3")
    assert same("urlunsplit", ("s3", "", "/a", "", "")) == "s3:/a"
    urllib.parse.uses_relative.clear()
    assert same("urljoin", "http://h/a", "b") == "b"


def test_lists_of_schemes_may_be_replaced_by_any_container(monkeypatch):
    monkeypatch.setattr(urllib.parse, "uses_params", ("zz",))
    assert same("urlparse", "http://h/a;b").params == ""
    assert same("urlparse", "zz://h/a;b").params == "b"
    monkeypatch.setattr(urllib.parse, "uses_params", {"yy"})
    assert same("urlparse", "yy://h/a;b").params == "b"

    class Any(str):
        def __eq__(self, other):
            return True

        __hash__ = str.__hash__

    monkeypatch.setattr(urllib.parse, "uses_params", [[], Any("any")])
    assert same("urlparse", "xx://h/a;b").params == "b"


def test_the_alphabet_of_schemes_may_be_replaced(monkeypatch):
    urllib.parse.clear_cache()
    assert same("urlsplit", "a_b://h/").scheme == ""
    monkeypatch.setattr(urllib.parse, "scheme_chars", urllib.parse.scheme_chars + "_")
    urllib.parse.clear_cache()
    assert same("urlsplit", "a_b://h/").scheme == "a_b"
    assert same("urlsplit", "a_b:é").scheme == "a_b"
    urllib.parse.clear_cache()


@pytest.mark.parametrize("name", NAMES)
def test_signature_is_the_interpreters(name):
    assert inspect.signature(getattr(_urllib, name)) == inspect.signature(getattr(urllib.parse, name))
    assert getattr(_urllib, name).__name__ == getattr(_urllib, name).__qualname__ == name


def test_dir_has_the_public_names_of_urllib():
    public = [n for n, value in vars(urllib.parse).items() if n[0] != "_" and not inspect.ismodule(value)]
    public = [n for n in public if n != "namedtuple"]  # imported by urllib.parse, not defined by it
    assert {"uses_netloc", "unwrap", "clear_cache", "scheme_chars", *urllib.parse.__all__} <= set(public)
    assert set(public) <= set(dir(fasturl))
    assert all(hasattr(fasturl, name) for name in dir(fasturl))


def test_urlsplit_has_what_a_cached_function_has():
    for name in ("cache_info", "cache_clear", "cache_parameters"):
        assert hasattr(_urllib.urlsplit, name) == hasattr(urllib.parse.urlsplit, name)


def fresh(text):
    """Return another object with this text."""
    return text.encode().decode()


@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="nothing is kept without the GIL")
@pytest.mark.parametrize("text", ["h://", LEAST + "h", "https://h/a?b", MOST, MOST + "a", "ftp://h/aaaa", "//h/aaaa"])
def test_results_of_short_web_urls_are_kept_until_the_cache_is_cleared(text):
    _urllib.urlsplit.cache_clear()
    kept = _urllib.urlsplit(fresh(text))
    assert (_urllib.urlsplit(fresh(text)) is kept) == (text[:4] == "http" and len(text) <= 255)
    assert _urllib.urlsplit(fresh(text), "") is not kept
    _urllib.urlsplit.cache_clear()
    assert _urllib.urlsplit(fresh(text)) is not kept
    assert _urllib.urlsplit(text) == kept == urllib.parse.urlsplit(text)


@pytest.mark.parametrize("length", [7, 8, 9, 15, 16, 17, 40, 254, 255])
def test_texts_that_differ_in_one_character_are_told_apart(length):
    text = ("http://h/" + "abcdefgh" * 32)[:length]
    for at in range(length):
        for other in (text, text[:at] + "?" + text[at + 1 :], text[:at] + "é" + text[at + 1 :], text + "/"):
            _urllib.urlsplit(fresh(text))
            assert _urllib.urlsplit(fresh(other)) == urllib.parse.urlsplit(other)


def test_a_text_that_comes_again_replaces_another_one():
    _urllib.urlsplit.cache_clear()
    for i in range(3000):
        _urllib.urlsplit(f"http://h/{i}")
    hot = [f"http://h/hot/{i}" for i in range(8)]
    for _ in range(1500):
        split = [_urllib.urlsplit(fresh(text)) for text in hot]
    kept = sum(_urllib.urlsplit(fresh(text)) is before for text, before in zip(hot, split, strict=True))
    assert kept >= (4 if getattr(sys, "_is_gil_enabled", lambda: True)() else 0)  # two texts may need the same place
    _urllib.urlsplit.cache_clear()


def test_a_bounded_number_of_texts_is_kept():
    _urllib.urlsplit.cache_clear()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(3):
            for i in range(5000):
                _urllib.urlsplit(f"http://h/{i}".ljust(255, "a"))
        assert tracemalloc.get_traced_memory()[0] - before < 256 * 1500
        _urllib.urlsplit.cache_clear()
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()


def test_urlsplit_fills_no_cache_of_urllib():
    urllib.parse.clear_cache()
    for url in ("http://u:p@h/", "http://u:p@[::1]/", "http://u:p@h/é", "http://u:p@é/", b"x\ty"):
        _urllib.urlsplit(url)
    assert urllib.parse.urlsplit.cache_info().currsize == 0


COUNTING = """
import sys
from fasturl import _originals, _urllib
urls = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\\n")
references = ("../x/./y?z#f", "/a//b/../c", "?q", "#f", "https://i.example/", "mailto:a@b")
made = (
    lambda url: _urllib.urlsplit(url),
    lambda url: _urllib.urlsplit(url, "http", allow_fragments=False),
    lambda url: _urllib.urlsplit(url.encode("utf-8", "surrogateescape")),
    lambda url: _urllib.urlunsplit(_urllib.urlsplit(url)),
    lambda url: _urllib.urlunparse(_urllib.urlparse(url)),
    lambda url: _urllib.urldefrag(url + "#top"),
    *(lambda url, reference=reference: _urllib.urljoin(url, reference) for reference in references),
)
for url in urls:
    for call in made:
        try:
            call(url)
        except ValueError:
            pass
print(sum(_originals.handed_on().values()) / (12 * len(urls)))
"""


def handed_on(urls):
    """Return the share of calls that were delegated to the interpreter's functions."""
    text, environment = "\n".join(urls), {**os.environ, "FASTURL_COUNT": "1"}
    return float(run_python("-c", COUNTING, input=text, encoding="utf-8", errors="surrogateescape", env=environment))


def test_real_urls_are_not_delegated_to_urllib(real_urls):
    assert handed_on(real_urls) < 0.001


def test_hosts_that_urllib_may_refuse_are_delegated():
    assert handed_on(["http://[v]/", "http://[1.2.3.4]/", "http://x[::1]/"]) > 0.9


DIFFERENT = """

own_urlsplit = urlsplit


def urlsplit(url, scheme="", allow_fragments=True):
    if url == "//[":
        raise ValueError("another sentence")
    made = own_urlsplit(url, scheme, allow_fragments)
    return made._replace(path=made.path + made.path[:0])._replace(netloc=made.netloc.lower())


def urljoin(base, url, allow_fragments=True):
    return "joined"


def urldefrag(url):
    return "defragmented"
"""
ASKED = """
import urllib.parse as p
from fasturl import _installing, _urllib as d
def refusal(function):
    try:
        function("//[")
    except ValueError as error:
        return str(error)
for _ in range(2):
    assert d.compiled_here() == {"urlparse", "urlsplit", "urlunparse", "urlunsplit"}
    assert (d.urljoin("http://h/a", "b"), d.urldefrag("a#b")) == ("joined", "defragmented")
    assert refusal(d.urlsplit) == "another sentence"
    # Python 3.14's own urlparse does not call urlsplit any more.
    assert refusal(d.urlparse) == refusal(p.urlparse) is not None
    _installing.install()
"""


def test_functions_of_a_modified_interpreter_are_not_replaced(tmp_path):
    shutil.copytree(Path(urllib.parse.__file__).parent, tmp_path / "urllib")
    with open(tmp_path / "urllib" / "parse.py", "a", encoding="utf-8") as file:
        file.write(DIFFERENT)
    places = os.pathsep.join([str(tmp_path), str(Path(fasturl.__file__).parents[1])])
    run_python("-c", ASKED, env={**os.environ, "PYTHONPATH": places})


def test_repeated_calls_keep_no_memory():
    urls = ["http://u@h/a;b?c#d", "/a/b", "HTTP://h/é?ü#€", b"ftp://h/a#b", "http://[x/", "http://h/\t", 1]

    def arguments(name, url):
        if name == "urljoin":
            return url, "../c" * 300
        if name == "urlunsplit":
            return (("http", "h", "/a", "", url),)
        return (["x", "", "/a", "b", "", url],) if name == "urlunparse" else (url,)

    def work():
        for url in urls:
            for name in NAMES:
                with contextlib.suppress(TypeError, ValueError, AttributeError):
                    getattr(_urllib, name)(*arguments(name, url))

    urllib.parse.clear_cache()
    for _ in range(20):
        work()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(500):
            work()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 20_000
