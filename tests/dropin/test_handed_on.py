"""Everyday calls are compiled: none of them is delegated to urllib."""

import os

import pytest
from support import run_python

from fasturl import _fastparse

CALLS = r"""
urlsplit("http://[::1]:8080/a/b")
urlsplit("http://[::ffff:192.168.255.255]/a")
urlsplit("http://[::]/a")
urlsplit("http://[v1.a]/a")
urlsplit("http://b\u00fccher.example/a")
urlsplit(" http://h/a\n")
urlsplit("http://h/a#b", "", 0)
urlsplit(b"http://h/a%20b#c")
urlparse("http://[fe80::1%25eth0]/a;b?c")
urlparse("\thttp://h/\u00e9")
urlunparse(["http", "h", "/a", None, "b", None])
urlunparse(("http", None, "/a", None, None, None))
urlunsplit(("http", "h", "/\u00e9", None, None))
urlunsplit((b"http", b"h", b"/a", b"", b""))
urlunsplit(("", "", "//a/b", "", ""))
urlunsplit(("http", "", "a", "", ""))
urljoin("http://h/a/b", " c\n")
urljoin("http://h/a/b", "\u00e9")
urljoin("http://h/\u20ac/b", "c")
urljoin("http://h/a/b", "#")
urljoin("http://h/a/b", "?")
urljoin("http://[::1]/a", "b")
urljoin("file:///a/b", "c")
urljoin(b"http://h/a/b", b"../c")
urljoin("http://h/a#b", "c#d", False)
urldefrag("http://h/a?#b")
urldefrag("HTTP://h/a#b")
urldefrag(b"http://h/a#b")
quote("a b\u00e9", errors="replace")
quote("a b\u00e9", encoding="UTF-8")
quote("a b\u00e9", "", "latin-1", "ignore")
quote_plus("a b\u00e9", encoding="utf8")
quote_from_bytes(bytearray(b"a b"))
unquote("%e9", "latin-1")
unquote("\u00e9%e9", "latin-1")
unquote("%C3%A9", "UTF-8", "strict")
unquote_plus("a+b", errors="surrogateescape")
unquote(None)
parse_qsl("a=%C3%A9", errors="surrogateescape")
parse_qsl("a=%C3%A9", True, errors="fasturl.test")
parse_qsl("a=%e9&\u00e9=1", encoding="latin-1")
parse_qsl("a=1", encoding="UTF-8")
parse_qsl("", max_num_fields=1000)
parse_qsl("\u00e9=1", max_num_fields=1000)
parse_qsl(None)
parse_qsl(b"a=1&b=2")
parse_qs("a=1&b=2", 1)
parse_qs("a=1&b=2", strict_parsing=0, errors="strict")
urlencode({"a": "b\u00e9"}, encoding="UTF-8")
urlencode({"a": "b\u00e9 c", "d": 1}, True, "", "latin-1", "replace")
urlsplit(Text("http://h/a"))
urlparse(Text("http://h/a;b"), "x", False)
urlunsplit((Text("http"), "h", Text("a\u00e9"), "", ""))
urlunparse(("", "", Text("a"), "b", "", ""))
urljoin(Text("http://h/a/b"), Text("../c"))
urljoin("http://h/a/b", Text("x:c"))
urldefrag(Text("http://h/a"))
urldefrag(Text("http://h/a#b"))
quote(Text("a b\u00e9"))
quote_plus(Text("a b"))
unquote(Text("a"))
unquote(Text("a%20b"))
unquote_plus(Text("a+b"))
unquote_to_bytes(Text("a%20b"))
parse_qs(Text("a=1&b=2"))
parse_qsl(Text("a=1&b=2"), max_num_fields=3)
urlencode({Text("a"): Text("b c")}, True)
"""

COUNTING = r"""
import codecs, sys, urllib.parse
import fasturl
from fasturl import _originals
codecs.register_error("fasturl.test", lambda error: ("?", error.end))
class Text(str):
    pass
def answer(line, module):
    try:
        return repr(eval(line, {**vars(module), "Text": Text}))
    except Exception as error:
        return repr(error)
for line in sys.stdin.read().splitlines():
    if line:
        expected, before = answer(line, urllib.parse), _originals.handed_on()
        got = answer(line, fasturl)
        print(int(got == expected), int(_originals.handed_on() != before), line)
"""


def count(calls):
    return run_python("-c", COUNTING, input=calls, env={**os.environ, "FASTURL_COUNT": "1"})


@pytest.fixture(scope="module")
def counted():
    lines = [line.split(" ", 2) for line in count(CALLS).splitlines()]
    assert [line[2] for line in lines] == CALLS.split("\n")[1:-1]
    return lines


def test_compiled_answers_are_urllibs(counted):
    assert [call for equal, _, call in counted if equal == "0"] == []


def test_everyday_calls_are_not_delegated(counted):
    assert [call for _, handed_on, call in counted if handed_on == "1"] == []


def test_the_count_sees_a_delegated_call():
    for name in ("urlsplit", "urlparse"):
        call = f'{name}(type("T", (str,), {{"lstrip": lambda self, blanks: "x:y"}})("http://h/"))'
        assert count(call).startswith("1 1 ")


def test_a_counted_function_answers_and_raises_as_itself():
    counted = _fastparse._Counted(divmod)
    assert counted(7, 2) == (3, 1) and counted.__wrapped__ is divmod
    with pytest.raises(ZeroDivisionError):
        counted(1, 0)
    assert counted.calls == 2
