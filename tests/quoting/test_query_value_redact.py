"""query_value finds one value of a query; redact makes a URL fit to show."""

import re
import urllib.parse
from types import SimpleNamespace

import pytest
import quoting_strategies as given_by
from hypothesis import assume, given
from hypothesis import strategies as st

import fasturl
from fasturl._urllib import query_value, redact

pytestmark = pytest.mark.usefixtures("kernel")


@pytest.mark.parametrize(("url", "name", "expected"), [
    ("http://h/p?a=1&b=2&b=3", "b", "2"), ("http://h/p?a=1", "c", None), ("http://h/p?a=1#?b=2", "b", None),
    ("http://h/p#f?a=1", "a", None), ("?a=1?b=2&b=4", "b", "4"), ("/p?a", "a", ""), ("/p?a=&a=1", "a", ""),
    ("/p?=x&a=1", "", "x"), ("/p?&&a=1", "", None), ("/p?x+y=a+b%2Bc", "x y", "a b+c"),
    ("/p?%C3%A9=%e9", "é", "\ufffd"), ("/p?é=ü%C3%A9", "é", "üé"), ("/p?%66oo=a=b", "foo", "a=b"),
    ("/p?\ud800=\udfff", "\ud800", "\udfff"), ("", "a", None), ("/p?", "a", None),
    (b"/p?a=%FF+x&b=2", b"a", b"\xff x"), (b"/p?\xe9=1", "\udce9", b"1"), (bytearray(b"/p?a=1"), "a", b"1"),
    (memoryview(b"/p?a=1"), memoryview(b"a"), b"1"), (urllib.parse.urlsplit("http://h/?a=1#b"), "a", "1"),
    (urllib.parse.urlsplit(b"http://h/?a=1#b"), "a", b"1"), (SimpleNamespace(query="a=1#2"), "a", "1#2"),
    (SimpleNamespace(query=None), "a", None), (SimpleNamespace(query=""), "a", None),
])  # fmt: skip
def test_query_value_finds_the_first_value(url: object, name: object, expected: object) -> None:
    assert query_value(url, name) == expected
    assert type(query_value(url, name)) is type(expected)
    assert query_value(url, name, 5) == (5 if expected is None else expected)


@pytest.mark.parametrize("name", ["utm_*", b"*"])
def test_a_pattern_is_no_name_of_a_value(name: str | bytes) -> None:
    arrow = pytest.importorskip("fasturl.arrow")
    url = "/?utm_a=1" if isinstance(name, str) else b"/?utm_a=1"
    for call in (
        lambda: query_value(url, name),
        lambda: fasturl.query_values(url, [name]),
        lambda: arrow.query_value([url], name),
        lambda: arrow.query_values([url], [name]),
    ):
        with pytest.raises(ValueError, match=r"\*'? is a pattern, but a value is read by its exact name"):
            call()
    assert arrow.query_value(["/?a*=1"], ["a*"]).to_pylist() == ["1"]


@given(data=st.data())
def test_query_value_is_the_first_that_parse_qsl_gives(data: st.DataObject) -> None:
    query = data.draw(given_by.strings)
    pairs = urllib.parse.parse_qsl(query.partition("#")[0], keep_blank_values=True)
    names = [name for name, _ in pairs]
    name = data.draw(st.sampled_from([*names, "no such name"]))
    assume("*" not in name)
    expected = next((value for key, value in pairs if key == name), None)
    assert query_value("http://h/p?" + query, name) == expected
    assert query_value(SimpleNamespace(query=query.partition("#")[0]), name) == expected


@pytest.mark.parametrize("others", [0, 1, 20, 200])
def test_a_pair_behind_many_others_is_found_and_hidden(others: int) -> None:
    before = "b=1&" * others
    assert query_value(f"/?{before}a=2&{before}", "a") == "2"
    assert query_value(f"/?{before}", "a") is None
    assert redact(f"/?{before}a=2&{before}c", ["a"]) == f"/?{before}a=***&{before}c"


@given(query=given_by.data)
def test_query_value_of_bytes(query: bytes) -> None:
    query = query.partition(b"#")[0]
    seen: dict[bytes, bytes] = {}
    for pair in query.split(b"&"):
        if pair:
            name, _, value = (urllib.parse.unquote_to_bytes(part.replace(b"+", b" ")) for part in pair.partition(b"="))
            seen.setdefault(name, value)
    for name, value in seen.items():
        if b"*" not in name:
            assert query_value(b"/p?" + query, name) == value


@pytest.mark.parametrize("wrong", [None, 5, [], ("a",)])
def test_wrong_types_raise(wrong: object) -> None:
    with pytest.raises(TypeError):
        query_value(wrong, "a")
    with pytest.raises(TypeError):
        redact(wrong)
    with pytest.raises(TypeError):
        query_value("/p?a=1", wrong)
    with pytest.raises(TypeError):
        redact("/p?a=1", [wrong])
    with pytest.raises(TypeError):
        query_value("/p?a=1", b"a")
    with pytest.raises(TypeError):
        query_value(SimpleNamespace(query=5), "a")


@pytest.mark.parametrize(("url", "keys", "expected"), [
    ("http://u:p@h/x", (), "http://u:***@h/x"),
    ("http://u:p@q@h:80/x", (), "http://u:***@h:80/x"),
    ("http://u:p:q@h/", (), "http://u:***@h/"),
    ("http://:p@h", (), "http://:***@h"),
    ("http://u:@h", (), "http://u:***@h"),
    ("http://u@h:80/a:b@c", (), None),
    ("http://h:80/", (), None),
    ("http://h?u:p@q", (), None),
    ("http://u@h#x:y@z", (), None),
    ("//u:p@h", (), "//u:***@h"),
    ("no_scheme://u:p@h/", (), "no_scheme://u:***@h/"),
    (" \tht\ntp://u:p@h/", (), " \tht\ntp://u:***@h/"),
    ("/a//u:p@h/", (), None),
    ("a//u:p@h/", (), None),
    ("mailto:u:p@h", (), None),
    ("http://é:p\ud800@h/?é=1&b=ü", ["é"], "http://é:***@h/?é=***&b=ü"),
    ("/p?token=abc&x=1&token=", ["token"], "/p?token=***&x=1&token=***"),
    ("/p?token", ["token"], None),
    ("/p?to%6Ben=a=b&To-Ken=2&tokens=3", ["token"], "/p?to%6Ben=***&To-Ken=***&tokens=3"),
    ("/p?a+b=1&a%20b=2#a+b=3", ["a b"], "/p?a+b=***&a%20b=***#a+b=***"),
    ("/p?a=1&b=2", "ab", None),
    ("/p?a=1&b=2", "a", "/p?a=***&b=2"),
    ("/p?a=1&b=2", {"a", "b"}, "/p?a=***&b=***"),
    ("http://u:p@h?a=1", {"a": 1}.keys(), "http://u:***@h?a=***"),
    ("", ["a"], None),
    # A password and a value that overlap are hidden as one, whichever starts first.
    ("foo://a?key=secret:pw@h/", ["key"], "foo://a?key=***"),
    ("http://u:a?key=b@h/", ["key"], "http://u:***"),
    ("foo://u:a?key=b@h/", ["key"], "foo://u:***"),
    # A setting that ends inside a pair of the query hides that pair too.
    ("x://h;pw=a/?key=b;c&d=e#f", ["key", "pw"], "x://h;pw=***&d=e#f"),
    ("x://h;pw=a/?b=c#key=d;e&f=g", ["key", "pw"], "x://h;pw=***&f=g"),
    # The prefix "URL:" before a URL; and two readings that see two passwords.
    ("URL://u:p@h", (), "URL://u:***@h"),
    ("http:\\\\u:p@h://x:y@z/", (), "http:\\\\u:***@h://x:***@z/"),
    (b"http://u:\xff@h/?\xff=1&k=%FF", [b"\xff", "k"], b"http://u:***@h/?\xff=***&k=***"),
    (b"/p?%FF=1", ["\udcff"], b"/p?%FF=***"),
    (bytearray(b"ftp://u:p@h"), (), b"ftp://u:***@h"),
])  # fmt: skip
def test_redact_hides_passwords_and_keys(url: object, keys: object, expected: object) -> None:
    result = redact(url, keys)
    if expected is None:
        assert result is url
    else:
        assert result == expected
        assert type(result) is type(expected)


def test_redact_reads_any_iterable_of_keys_once() -> None:
    assert redact("http://u:p@h?a=1&b=2", iter(["a"])) == "http://u:***@h?a=***&b=2"


@pytest.mark.parametrize("query", ["a=4", "a=4&b=5", "key39=6#key0=7", "key99=8"])
def test_names_that_are_kept_answer_like_names_that_are_not(query: str) -> None:
    class Key(str):
        """A name that may change, and so is not kept."""

        __slots__ = ()
        __hash__ = None  # type: ignore[assignment]

    names = [*(f"key{at}" for at in range(40)), "\xe9", "a&b"]
    text = f"http://u:p@h/?key7=1&key99=2&%C3%A9=3&{query}"
    assert redact(text, names) != redact(text, tuple(names[1:8]))
    for url in (text, text.encode()):
        for keys in (names, names[:20]):
            expected = redact(url, keys)
            assert [redact(url, kind(keys)) for kind in (tuple, tuple, set)] == [expected] * 3
            assert redact(url, tuple(map(Key, keys))) == expected
    for wrong in (1, None, []):
        with pytest.raises(TypeError):
            redact(text, (*names, wrong))


def compared(name: str) -> str:
    """Return a name as names are compared: without case and these marks."""
    return re.sub("[_.-]", "", "".join(c.lower() if c.isascii() else c for c in name))


@given(login=st.text("abc:@%é", max_size=8), query=given_by.ascii_text, key=st.sampled_from(["a", "", "9", "+"]))
def test_redact_hides_and_keeps_the_rest(login: str, query: str, key: str) -> None:
    decoded = query
    for _ in range(query.count("%")):
        decoded = urllib.parse.unquote(decoded)
    assume("@" not in decoded)  # a login of a URL in the query is hidden too
    url = f"http://{login}@h/path?{query.partition('#')[0]}#f"
    shown = redact(url, [key])
    assert urllib.parse.urlsplit(shown).hostname == "h"
    password = urllib.parse.urlsplit(url).password
    assert urllib.parse.urlsplit(shown).password == (None if password is None else "***")
    before = urllib.parse.parse_qsl(url.partition("?")[2].rpartition("#")[0], keep_blank_values=True)
    after = urllib.parse.parse_qsl(shown.partition("?")[2].rpartition("#")[0], keep_blank_values=True)
    assert [name for name, _ in before] == [name for name, _ in after]
    for (name, value), (_, seen) in zip(before, after, strict=True):
        wanted, pair = re.escape(compared(key)), compared(f"{name}={value}")
        is_named = compared(name) == compared(key)
        if not is_named and re.search(f"[;?&=[/\"'#]{wanted}[]=\"'[]", "&" + pair):
            continue  # a name after another delimiter, as in a=token=x, may be hidden
        assert seen in ({"***", ""} if is_named else {value})
        assert not is_named or seen == "***" or value == ""
    assert redact(shown, [key]) == shown
    assert redact(url.encode(), [key]) == shown.encode()
