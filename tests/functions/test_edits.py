"""Edits of a URL keep every other byte and add no reading with another host; redirects stay where Django says so."""

import random
import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest

import fasturl
from fasturl import URL, Finding, UnsafeURL, drop_params, is_local_redirect, keep_params, parse, set_params

CASES: list[tuple[str, dict[str, Any], str]] = [
    ("HTTP://u:p@H:/a//b?x=%7e&&#", {"host": "g"}, "HTTP://u:p@g:/a//b?x=%7e&&#"),
    ("HTTP://u:p@H:/a//b?x=%7e&&#", {"port": 8080, "username": None, "password": None}, "HTTP://H:8080/a//b?x=%7e&&#"),
    ("http://h:80?#", {"port": None}, "http://h?#"), ("http://h?#", {"query": None}, "http://h#"),
    ("http://h/%7e", {"scheme": "https", "host": "::1", "port": 1}, "https://[::1]:1/%7e"),
    ("http://u@h/", {"password": "a@b/é%41"}, "http://u:a%40b%2F%C3%A9%2541@h/"), ("x://h", {"password": ""}, "x://:@h"),
    ("http://h/a", {"path": "b c%20%zz?#[", "query": "a=b c?/#[", "fragment": "é#"},
     "http://h/b%20c%20%25zz%3F%23%5B?a=b%20c?/%23%5B#%C3%A9%23"),
    ("/a?b", {"path": "", "fragment": ""}, "?b#"), ("/a", {"host": "h"}, "//h/a"), ("//h/a", {"host": None}, "/a"),
]  # fmt: skip
PARTS = ("path", "query", "fragment", "username", "host")
# The differences that docs/guides/redirects.md lists: Django accepts these, fasturl does not.
REFUSED = re.compile(r"[\0-\x1f\x7f]|^[^!-~]|\s$|^[^/?#\\]*:|^[/\\]{2}(?:[?#]|$)")
CASES_OF_REDIRECTS = ["/a", "http://h.com/", "https://h.com:80/a?b@c", "//h.com", "/a\\b", "a/b:c", "http://[::1]/",
                      "?a", "#"]  # fmt: skip


@pytest.mark.parametrize(("text", "parts", "changed"), CASES)
def test_replace_changes_these_parts_alone(text: str, parts: dict[str, Any], changed: str) -> None:
    assert parse(text).replace(**parts) == parse(changed)
    data = {name: value.encode() if isinstance(value, str) else value for name, value in parts.items()}
    assert parse(text.encode()).replace(**data).text == changed.encode()


@pytest.mark.parametrize(("text", "parts"), [
    ("/a", {"path": "//evil/"}),           ("a", {"path": "b:c"}),                ("x:a", {"path": "//evil"}),
    ("http://h/", {"host": "evil/@"}),     ("http://h/", {"host": "a%2fb"}),      ("http://h/evil", {"host": None}),
    ("http://h/", {"scheme": "a/b"}),      ("x:/evil/", {"scheme": "http"}),      ("http://h/evil", {"host": ""}),
])  # fmt: skip
def test_an_edit_that_adds_a_reading_is_refused(text: str, parts: dict[str, Any]) -> None:
    with pytest.raises(UnsafeURL):
        parse(text).replace(**parts)


def test_wrong_parts_are_refused_and_a_strict_url_stays_strict() -> None:
    for wrong in ({"netloc": "h"}, {"port": "80"}, {"path": b"/"}, {"path": 5}, {"port": True}):
        with pytest.raises(TypeError):
            parse("http://h/").replace(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="port"):
        parse("http://h/").replace(port=65536)
    with pytest.raises(fasturl.InvalidURL):
        parse("http://h/", strict=True).replace(username="u")
    assert parse("/a?b", form="request-target").replace(query=None).form == "request-target"


def test_parameters_are_set_kept_and_escaped() -> None:
    url = "http://h/a?page=1&q=%7e&p%61ge=3&&b#top"
    assert (
        set_params(url, {"page": "2", "new": ["a b&é", ""]}) == "http://h/a?page=2&q=%7e&&b&new=a%20b%26%C3%A9&new=#top"
    )
    assert set_params(url.encode(), {b"page": None, b"q": b"\xff"}) == b"http://h/a?q=%FF&&b#top"
    assert set_params("http://h#f", {"a": "b"}) == "http://h?a=b#f" and set_params("/a?x", {"x": None}) == "/a"
    assert set_params("/a?", {}) == "/a?" and set_params("/a?b", {}) == "/a?b"
    assert keep_params(url, "p*") == "http://h/a?page=1&p%61ge=3#top" and keep_params(b"/a?b&c", [b"x"]) == b"/a"
    assert keep_params("/a#?b", ["b"]) == "/a#?b"
    for wrong in ({b"a": "b"}, {"a": b"b"}, {"a": 5}):
        with pytest.raises(TypeError):
            set_params("/a", wrong)  # type: ignore[call-overload]


def hostile(count: int, seed: int) -> Iterator[str]:
    chosen = random.Random(seed)
    starts = ["http:", "https://", "//", "/", "\\", "h.com", "evil", "@", ":80", "?", "#", "a", "x:", "[::1]", "é",
              "h%2f"]  # fmt: skip
    for _ in range(count):
        text = "".join(chosen.choices(starts, k=chosen.randrange(1, 6)))
        at = chosen.randrange(len(text) + 1)
        yield text[:at] + chosen.choice(["", "", *"/\\@:?#[]% &=;\t\n\0\x7f\u200b\u3000\uff0f"]) + text[at:]


def hosts_of(text: str | bytes) -> set[str | None]:
    return {reading.host for reading in fasturl.readings(text).values()}


def test_no_edit_of_a_random_text_adds_a_host(tries: int) -> None:
    values = [*hostile(300, 1)]
    for i, text in enumerate(hostile(tries, 2)):
        value, url = values[i % len(values)], parse(text)
        edits: list[Any] = [
            partial(set_params, text, {value: value, "a": None}), partial(keep_params, text, ["a*", "evil"]),
            partial(drop_params, text, ["a*", "x:"]), *(partial(url.replace, **{name: value}) for name in PARTS),
        ]  # fmt: skip
        for number, edit in enumerate(edits):
            try:
                made = edit()
            except UnsafeURL:
                continue
            new = made if isinstance(made, URL) else parse(made)
            if Finding.AMBIGUOUS_AUTHORITY in new.findings:
                assert Finding.AMBIGUOUS_AUTHORITY in url.findings, (text, value, new.text)
                assert hosts_of(new.text) <= hosts_of(text), (text, value, new.text)
            elif number < len(edits) - 1 and Finding.AMBIGUOUS_AUTHORITY not in url.findings:
                assert new.host == url.host, (text, value, new.text)


def django(url: str, hosts: set[str], require_https: bool) -> bool:
    """Answer as django.utils.http.url_has_allowed_host_and_scheme of Django 5.2 (BSD license)."""

    def one(url: str) -> bool:
        if url.startswith("///") or len(url) > 2048:
            return False
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        if (not parts.netloc and parts.scheme) or unicodedata.category(url[0])[0] == "C":
            return False
        scheme = parts.scheme or ("http" if parts.netloc else "")
        schemes = ["https"] if require_https else ["http", "https"]
        return (not parts.netloc or parts.netloc in hosts) and (not scheme or scheme in schemes)

    url = url.strip()
    return bool(url) and one(url) and one(url.replace("\\", "/"))


def test_a_redirect_is_local_where_django_says_so_but_for_the_listed_texts(tries: int) -> None:
    hosts = {"h.com", "h.com:80", "[::1]", "evil"}
    for text in (*hostile(tries * 5, 3), *CASES_OF_REDIRECTS):
        for require_https in (False, True):
            ours, theirs = is_local_redirect(text, hosts, require_https), django(text, hosts, require_https)
            if ours:
                assert theirs, text
            elif theirs:
                absolute = text if urlsplit(text).scheme else f"http:{text}"
                assert REFUSED.search(text) or Finding.AMBIGUOUS_AUTHORITY in parse(absolute).findings, text
            cleaned = re.sub("[\t\n\r]", "", text).strip("".join(map(chr, range(33)))).replace("\\", "/")
            if ours and re.match("//|[a-z]+:", cleaned):  # a browser leaves this site
                absolute = f"http:{text}" if cleaned.startswith("/") else text
                assert hosts_of(absolute) <= {"h.com", "::1", "evil", None}, text


@pytest.mark.parametrize("text", CASES_OF_REDIRECTS)
def test_benign_redirects_are_local(text: str) -> None:
    assert is_local_redirect(text, ["H.com", "h.com:80", "[::1]"]) and is_local_redirect(
        text.encode(), ["h.com", "h.com:80", "[::1]"]
    )
    assert is_local_redirect(parse(text)) == (text[0] not in "h" and text[:2] != "//")


@pytest.mark.parametrize(("text", "hosts"), [
    ("", ()), ("//h.com", ()), ("/\\h.com", ()), ("///h.com", "h.com"), ("http:h.com", "h.com"),
    ("http:///h.com", "h.com"), ("http://h.com:81/", "h.com"), ("http://a.h.com/", "h.com"),
    ("ftp://h.com/", "h.com"),
    ("http://u@h.com/", ["h.com", "u@h.com"]), ("javascript:alert(1)", ()), ("http://evil\\@h.com/", "h.com"),
    ("http://h.com\\@evil/", "h.com"), ("/a\t", ()), (" /a", ()),
])  # fmt: skip
def test_other_redirects_are_not_local(text: str, hosts: Any) -> None:
    assert not is_local_redirect(text, hosts)


def test_https_may_be_required() -> None:
    assert [is_local_redirect(text, "h", require_https=True)
            for text in ("https://h/", "http://h/", "//h/", "/a")] == [True, False, False, True]  # fmt: skip
