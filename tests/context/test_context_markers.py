"""URLs in text with less than the full wrapper."""

import array
import mmap

import pytest

from fasturl._fastparse import register_scheme
from fasturl._functions import find_urls


def urls(text, **options):
    return [found.url for found in find_urls(text, **options)]


@pytest.mark.parametrize(("text", "expected"), [
    ("<http://h/a>", ["http://h/a"]),
    ("<HTTP://h/a\n  /b>", ["HTTP://h/a/b"]),
    ("< http://h/a >", ["http://h/a"]),
    ("<mailto:a@b>", ["mailto:a@b"]),
    ("<NEWS:comp.lang.c>", ["NEWS:comp.lang.c"]),
    ("<x+y://h>", ["x+y://h"]),
    ("<http://h/путь>", ["http://h/путь"]),
    # a mail address, tags, comparisons, a message-id
    ("<a@b>", []),
    ("<p>text</p>", []),
    ("<xs:element>", []),
    ("<http:a>", []),
    ("<http://h/\x7fa>", []),
    ("<abé:c>", []),
    ("<ab\u20ac:c> <ab\U0001f600:c>", []),
    ("<" + "a" * 300 + ":b>", []),
    ('<http://h title="x">', []),
    ("<http://h\x00>", []),
    ("a < b and c://d", []),
    ("<19960101.AA123@h.com>", []),
    ("<http://>", []),
    ("<http://#x>", []),
    ("<mailto:>", []),
    ("<://h>", []),
    ("<1http://h>", []),
])  # fmt: skip
def test_plain_brackets_mark_urls(text, expected):
    assert urls(text) == expected
    assert [url.decode() for url in urls(text.encode())] == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("URL:http://h/a", ["http://h/a"]), ("URL: http://h/a", ["http://h/a"]), ("url:\n\thttp://h/a", ["http://h/a"]),
    ("URL:mailto:a@b.c.", ["mailto:a@b.c"]), ("URL:news:*", ["news:*"]), ("base_url: http://h/", ["http://h/"]),
    ("(URL:http://h/a)", ["http://h/a"]), ("curl:http://h", []), ("2url:http://h", []), ("URL:x:y", []),
    ("URL:http:/h", []), ("URL://h", []), ("URL:", []), ("URL:http://", []), ("URL:http://...", []),
    ("url: str", []), ("x < URL:http://h/a y", []),
])  # fmt: skip
def test_a_prefix_alone_marks_a_url(text, expected):
    assert urls(text) == expected
    assert [url.decode() for url in urls(text.encode())] == expected


@pytest.mark.parametrize(("tail", "expected"), [
    ("a. Next", "a"), ("a, b", "a"), ("a?!", "a"), ("a...", "a"), ("a;", "a"), ("a:", "a"), ("a.b", "a.b"),
    ("a/", "a/"), ("a?b=c;d", "a?b=c;d"), ("a_(b)", "a_(b)"), ("a_(b).", "a_(b)"), ("a)", "a"), ("a).", "a"),
    ("(a))", "(a)"), ("~me/%7E", "~me/%7E"), ('a"', "a"), ("a>b", "a"), ("a<b", "a"), ("a|b", "a"), ("a\\n", "a"),
    ("a`", "a"), ("a[1]", "a"), ("a{b}", "a"), ("aé", "a"), ("a。", "a"), ("a\x00", "a"), ("a'", "a"),
    ("a'b", "a'b"), ("a-", "a-"), ("a*", "a*"),
])  # fmt: skip
def test_a_url_in_a_sentence_ends_before_punctuation(tail, expected):
    for text, options in ((f"URL:http://h/{tail} x", {}), (f"x http://h/{tail} x", {"bare": True})):
        [found] = find_urls(text, **options)
        assert found.url == "http://h/" + expected
        assert text[found.start : found.end].endswith(found.url)
        [data] = find_urls(text.encode(), **options)
        assert data.url == found.url.encode() and data.start == found.start


def test_a_url_in_a_sentence_keeps_its_fragment_apart():
    assert [found[::3] for found in find_urls("URL:http://h/a#b, URL:http://h/a#. URL:http://h/#a#b")] == [
        ("http://h/a", "b"), ("http://h/a", ""), ("http://h/", "a#b"),
    ]  # fmt: skip


def test_a_hyphen_at_the_end_of_the_line_is_reported():
    """The URL may go on in the next line; the text does not say."""
    first, second = find_urls("URL:http://h/a-\nb URL:http://h/a- b")
    assert first.url == "http://h/a-" and first.hyphen
    assert second.url == "http://h/a-" and not second.hyphen


def test_quotation_marks_and_parentheses_stay_outside():
    assert urls("'http://a','http://b'", bare=True) == ["http://a", "http://b"]
    assert urls("(http://a)ftp://b", bare=True) == ["http://a", "ftp://b"]
    assert urls("[x](http://h/a_(b)) http://h/a)b", bare=True) == ["http://h/a_(b)", "http://h/a)b"]
    assert urls('<a href="http://h/a">http://h/b</a>', bare=True) == ["http://h/a", "http://h/b"]


def test_bare_urls_are_extracted_only_on_request():
    text = "see http://h/a or URL:ftp://h/b or <URL:http://h/c> or <http://h/d>"
    assert urls(text) == ["ftp://h/b", "http://h/c", "http://h/d"]
    assert urls(text, bare=True) == ["http://h/a", "ftp://h/b", "http://h/c", "http://h/d"]


def test_bare_urls_need_a_known_scheme():
    assert urls("-x.y+z-1://h 1http://h ://h a:/b a:// git+ssh://h 在http://h", bare=True) == [
        "x.y+z-1://h", "http://h", "git+ssh://h", "http://h",
    ]  # fmt: skip
    assert urls("url://h", bare=True) == ["url://h"]


def test_an_open_wrapper_leaves_a_bare_url():
    """The wrapper gives no URL; a bare URL needs no wrapper."""
    assert urls("<URL:http://h/a and", bare=True) == ["http://h/a"]
    assert urls("<http://h/a and", bare=True) == ["http://h/a"]


def test_registered_schemes_mark_bare_urls():
    assert urls("<x-fasturl-context:part>") == []
    register_scheme("x-fasturl-context", "generic")
    assert urls("<x-fasturl-context:a> URL:X-Fasturl-Context:b.") == ["x-fasturl-context:a", "X-Fasturl-Context:b"]


def test_every_kind_of_text_is_searched():
    text = b"x <URL:http://h/a b> y"
    expected = [(b"http://h/ab", 2, 20, None)]
    with mmap.mmap(-1, len(text)) as mapped:
        mapped[:] = text
        views = [memoryview(text), memoryview(b"." + text)[1:]]
        for given in (text, bytearray(text), *views, array.array("B", text), mapped):
            found = list(find_urls(given))
            assert found == expected and type(found[0].url) is bytes

    class Text(str):
        __slots__ = ()

    [found] = find_urls(Text("<URL:http://h>"))
    assert type(found.url) is str
    for other in (None, 1, ["<URL:x>"], object()):
        with pytest.raises(TypeError, match="must be str or a bytes-like object"):
            find_urls(other)
    with pytest.raises((BufferError, ValueError)):
        find_urls(memoryview(text)[::2])
    with pytest.raises(TypeError):
        find_urls("x", True)


def test_an_exhausted_iterator_stays_exhausted():
    found = find_urls("<URL:a> <URL:b>")
    assert iter(found) is found
    assert [next(found).url, next(found).url] == ["a", "b"]
    for _ in range(3):
        with pytest.raises(StopIteration):
            next(found)


def test_a_buffer_is_held_only_while_it_is_read():
    text = bytearray(b"<URL:a> <URL:b>")
    found = find_urls(text)
    next(found)
    with pytest.raises(BufferError):
        text.append(0)
    list(found)
    text.append(0)
    found = find_urls(text)
    next(found)
    del found
    text.append(0)
