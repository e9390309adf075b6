"""fasturl's functions have the outcome of the running interpreter's own. The outcome is the value, every type, the
exception and, for a ValueError, its message. tests/tries.py sets how often each function is tried."""

import os
import urllib.parse
from pathlib import Path

import differential
import pytest
from differential import same
from support import run_python

from fasturl import _fastparse, _urllib

HERE = Path(__file__).parent
SEED = os.environ.get("FASTURL_SEED", "1738")
# The kernels share the tries.
SHARES = len(_fastparse._kernels())


def test_every_function_is_compiled_for_this_interpreter():
    assert _urllib.compiled_here() == set(differential.NAMES)


@pytest.mark.parametrize("name", differential.NAMES)
def test_random_arguments_give_urllibs_outcome(name, kernel, tries):
    differential.compare(name, _urllib, urllib.parse, f"{SEED} {kernel}", tries // SHARES)


@pytest.mark.parametrize("name", differential.NAMES)
def test_mutated_real_urls_give_urllibs_outcome(name, kernel, tries, real_urls):
    differential.compare(name, _urllib, urllib.parse, f"{SEED} {kernel}", tries // SHARES, real_urls)


@pytest.mark.long
def test_real_urls_give_urllibs_results(kernel, real_urls):
    for url in real_urls:
        assert _urllib.urlsplit(url) == urllib.parse.urlsplit(url)
        assert _urllib.urlparse(url) == urllib.parse.urlparse(url)
        assert _urllib.urljoin(url, "../x?y#z") == urllib.parse.urljoin(url, "../x?y#z")
        assert _urllib.urldefrag(url) == urllib.parse.urldefrag(url)


def test_installed_functions_agree_with_a_pristine_urllib(tries):
    said = run_python(HERE / "differential.py", SEED, max(1000, tries // 4))
    assert said.splitlines() == [f"{name} agrees" for name in differential.NAMES]


def test_the_comparison_sees_a_difference():
    class Wrong:
        def urlsplit(url, scheme="", allow_fragments=True):
            return urllib.parse.urlsplit(url, scheme, allow_fragments)._replace(fragment="")

    with pytest.raises(AssertionError, match="urlsplit"):
        differential.compare("urlsplit", Wrong, urllib.parse, SEED, 1000)


CASES = r"""
http://h/a;b/c;d?q#f|;x  http://h/a/;p|x  http://h/a/;|x  http://h/a|;  http://h/a|..;x  http://h/a|./;x
a|./;x  ;p|x  http://h/a|.;  http:;p|x  http:a|b  http:/a|b  http:///a|b  file:///a/b|c  file:/a|b
file:a|/b  mailto:a|b  s3://b/k|x  http://h/a?|#f  http://h/a?q|#f  http://h/a#f|http:  http://h/a#f|?q
http://h/a|?  http://h/a|#  http://h|x  http://h|..  http://h/a//b///c|../d//e/  http://h//|x
http://h/a|//  http://h/a|///x  http://h/a|//i/..  http://h/a|/../../b  x|..  http://h/a/b/c|../../../../d
/a/b|../../c  a/b|c  a/b|../../../c  a/b|.  a/b|./  a|..  /|.  ?q|c  #f|c  //h|c  //h/a|c
HTTP://h/a|http:b  http://h/a|HTTP:b  http://h/a|HTTP://i/b  http://h/a|https:b  http://[::1]/a|b
http://h/a|//[x]/  http://h/a|\tb  http://h/a|b\n  http://h/a|\u00e9  http://\u00e9/a|b  http://h/a|b;
http://h/a;|?q  http://h/a;|#f  git+ssh://h/a|b  svn+ssh://h/a|b  itms-services://h/a|b  telnet://h/a|b
rsync://h/a|b  ws://h/a|/b  nntp:a|b  x:|x:
"""


@pytest.mark.parametrize("case", CASES.split())
def test_joins_that_differ_between_pythons_follow_this_one(case, kernel):
    base, url = case.encode().decode("unicode_escape").split("|")
    same("urljoin", base, url)
    for text in (base, url, base + url):
        for name in ("urldefrag", "urlsplit", "urlparse"):
            same(name, text)


# Latin-1, two and four bytes per character; each is FF, or becomes FF when narrowed.
@pytest.mark.parametrize("character", ["ÿ", "\u20ac", "\U0001d11e", "\u0100", "\u2523"])
@pytest.mark.parametrize(
    "shape", ["http://h/{}", "http://h{}/a", "{}://h/a", "H{}:x", "x?{}", "ftp://h/{};a#b", "//h/a?b#{}", "\n{}", " {}"]
)
def test_wide_text_is_split_as_urllib_splits_it(character: str, shape: str) -> None:
    for length in (1, 2, 31, 63, 64, 65, 500, 511, 512, 513, 1500):
        for pad in ("a" * length + character, character * length, character + "/?#;" * length):
            text = shape.format(pad)
            same("urlsplit", text)
            same("urlsplit", text, "x", False)
            same("urlparse", text)
            same("urldefrag", text)
            same("urljoin", text, "../c")
            same("urljoin", "http://h/a/b", text)


@pytest.mark.parametrize("how", ["", "installed"])
def test_texts_of_subclasses_give_urllibs_outcome(how, tries):
    assert run_python(HERE / "textkinds.py", SEED, tries * 5, how) == "agrees\n"
