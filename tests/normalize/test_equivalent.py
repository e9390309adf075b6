"""Equivalence of URLs: section 2.2, the optional slashes of sections 3.3, 3.4 and 3.8, and the local host of 3.10."""

import pytest

from fasturl._fastparse import parse
from fasturl._functions import equivalent


@pytest.mark.parametrize(("a", "b"), [
    ("http://h/a", "HTTP://H/a"),                             ("http://h/a", "http://h:80/a"),
    ("http://h/%7Euser", "http://h/%7euser"),                 ("http://h/abc", "http://h/%61%62%63"),
    ("http://h", "http://h/"),                                ("http://h:80", "http://h/"),
    ("https://h", "https://h/"),                              ("http://h#f", "http://h/#f"),
    ("gopher://h", "gopher://h/"),                            ("gopher://h/", "gopher://H/"),
    ("telnet://u@h", "telnet://u@h/"),                        ("http://h:080", "http://h:80"),
    ("http://h/a%3Ab%40%26%3D", "http://h/a:b@&="),           ("http://h/?a%26b", "http://h/?a&b"),
    ("http://h/a%2f%3b%3F", "http://h/a%2F%3B%3f"),           ("ftp://h/a%3Fb", "ftp://h/a?b"),
    ("ftp://h/a%3A%40%26%3D;type=I", "ftp://h/a:@&=;type=i"), ("ftp://u%3F%3B:%26@h/", "ftp://u?;:&@h/"),
    ("gopher://h/1a%2Fb", "gopher://h/1a/b"),                 ("gopher://h/", "gopher://h/1"),
    ("gopher://h:70", "gopher://h/%31"),
    ("gopher://h/%31%3B%09a%3F%09%2B%09", "gopher://h/1;%09a?%09+%09"),
    ("mailto:a%40h%3F", "mailto:a@h?"),                       ("news:a%2Fb@HOST.dom", "news:a/b@host.DOM"),
    ("nntp://h:119/g/0042", "nntp://H/g/42"),                 ("nntp://h/g/000", "nntp://h/g/0"),
    ("telnet://u%3D@h", "telnet://u=@h/"),                    ("wais://h/d?a%3D", "wais://h/d?a="),
    ("wais://h/%64/t%2f/p", "wais://h/d/t%2F/p"),             ("file:///a%3A", "file:///a:"),
    ("file:///a", "file://localhost/a"),                      ("file:///a", "file://LOCALHOST/a"),
    ("http://h/?q=C%2B%2B", "http://h/?q=C++"),               ("http://h/?a=1%262", "http://h/?a=1&2"),
    ("x-any:%2b%28", "x-any:+("),                             ("http://h/~%2B", "http://h/~+"),
    ("prospero://h/a%2Fb%3D;c%3F=d", "prospero://h/a/b=;c?=d"),
    ("https://h/a%3Ab", "https://h:443/a:b"),                 ("http://h/a%3Ab#f", "http://h/a:b#f"),
    ("x-any:%2d", "x-any:-"),                                 ("9P:a", "9p:a"),
    ("9P:a#f", "9p:a#f"),                                     ("http://u@h/%41", "http://u@H/A"),
    ("http://h/%41%3a?b", "http://H:80/A:?b"),                ("http://h_x", "http://h_x/"),
    ("gopher://h_x", "gopher://h_x/"),                        ("telnet://h_x", "telnet://H_X/"),
    ("", ""),                                                 ("nonsense %", "nonsense %"),
])  # fmt: skip
def test_these_pairs_are_equivalent(a, b):
    assert equivalent(a, b) and equivalent(b, a)
    assert equivalent(a.encode(), b.encode())
    assert equivalent(parse(a), b) and equivalent(parse(a.encode()), parse(b.encode()))


@pytest.mark.parametrize(("a", "b"), [
    ("http://h_x", "http://h_x?"), ("ftp://h_x", "ftp://h_x/"), ("http://h/a", "http://h/A"),
    ("http://h/a", "http://h/a/"), ("http://h/a", "http://h//a"), ("http://h/a%2Fb", "http://h/a/b"),
    ("http://h/?a%3Bb", "http://h/?a;b"), ("http://h/?a%2Fb", "http://h/?a/b"), ("http://h/a%3Fb", "http://h/a?b"),
    ("http://h/a%2525", "http://h/a%25"), ("http://h/a%23b", "http://h/a#b"),
    ("http://h/a%23b#c", "http://h/a#b#c"), ("ftp://h/a%2Fb", "ftp://h/a/b"),
    ("ftp://h/a%3Btype=a", "ftp://h/a;type=a"), ("ftp://u%3Ap@h/", "ftp://u:p@h/"), ("ftp://u%40@h/", "ftp://u@h/"),
    ("gopher://h/1a%09b", "gopher://h/1ab"), ("gopher://h/2", "gopher://h/"), ("gopher://h/1%09", "gopher://h/1"),
    ("mailto:A@h", "mailto:a@h"), ("mailto:a%2540", "mailto:a%40"), ("news:A@h", "news:a@h"),
    ("nntp://h/g/1", "nntp://h/g/10"), ("nntp://h/g/0", "nntp://h/g"), ("wais://h/d%2Fa/b", "wais://h/d/a%2Fb"),
    ("wais://h/d%3Fa", "wais://h/d?a"), ("file:///a%2Fb", "file:///a/b"), ("file://localhost.a/a", "file:///a"),
    ("prospero://h/a%3Bb=c", "prospero://h/a;b=c"), ("prospero://h/a;b%3Dc=d", "prospero://h/a;b=c%3Dd"),
    ("x-any://h/a%3Ab", "x-any://h/a:b"), ("http://h/~a%3Ab", "http://h/~a:b"), ("http://u@h/%3A", "http://u@h/:"),
    ("http://h/a?b%2F", "http://h/a?b/"), ("http://h/?", "http://h/"), ("http://h/#", "http://h/"),
    ("http://h/~u", "http://h/%7Eu"), ("http://h/%41", "http://h/%2541"), ("http://h:8080/", "http://h/"),
    ("http://h:21/", "ftp://h:21/"), ("ftp://h", "ftp://h/"), ("ftp://h/etc", "ftp://h/%2Fetc"),
    ("ftp://h//etc", "ftp://h/%2Fetc"), ("ftp://@h/", "ftp://h/"), ("ftp://u:@h/", "ftp://u@h/"),
    ("wais://h/", "wais://h"), ("prospero://h/", "prospero://h"), ("nntp://h/", "nntp://h"),
    ("x-any://h/", "x-any://h"), ("file:///", "file://"), ("file://127.0.0.1/a", "file:///a"),
    ("ftp://localhost/a", "ftp:///a"),
    ("news:%2A", "news:*"), ("http:///", "http://"), ("é", "\xc3\xa9"), ("€", "é"),
])  # fmt: skip
def test_these_pairs_are_not_equivalent(a, b):
    assert not equivalent(a, b) and not equivalent(b, a)
    assert not equivalent(a.encode(), b.encode())


def test_wide_characters_are_compared_as_text():
    assert equivalent("HTTP://h/€%41", "http://h/€A")
    assert equivalent("HTTP://h/\ud800", "http://h/\ud800")
    assert not equivalent("http://h/€", "http://h/\U0001f600")
    # These two have the same bytes, one as Latin-1 and the other as UTF-8.
    assert not equivalent("€", "€".encode().decode("latin-1"))


def test_bytes_like_arguments_are_compared_and_mixed_kinds_raise():
    assert equivalent(bytearray(b"HTTP://h"), memoryview(b"http://h"))
    for mixed in (("x:y", b"x:y"), (parse("x:y"), b"x:y")):
        with pytest.raises(TypeError, match="mix"):
            equivalent(*mixed)
    for other in (None, 1, ["x"]):
        with pytest.raises(TypeError, match="equivalent"):
            equivalent("x", other)


@pytest.mark.parametrize("n", [1000, 2000, 2040, 2047, 2048, 2049, 4096, 100_000])
@pytest.mark.parametrize("m", [10, 1000, 2048])
def test_texts_of_any_length_are_compared(n, m):
    assert equivalent("HTTP://h/" + "a" * n, "http://h/" + "a" * n)
    assert not equivalent("HTTP://h/" + "a" * n, "http://h/" + "b" * m)
    assert equivalent("HTTP://h/" + "%61" * (n // 3) + "b" * m, "http://h/" + "a" * (n // 3) + "b" * m)
