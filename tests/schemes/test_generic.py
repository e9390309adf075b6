"""Any other scheme: genericurl, and the login of an ip-schemepart."""

import dataclasses

import pytest

import fasturl
from fasturl import InvalidURL
from fasturl.schemes import Generic, UnbuildableURL, decompose


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("foo:", Generic("foo", "")),
        ("foo:a/b;c?d:e@f&g=h", Generic("foo", "a/b;c?d:e@f&g=h")),
        ("FOO:%41", Generic("foo", "%41")),
        ("foo:/a", Generic("foo", "/a")),
        ("foo://", Generic("foo", "//")),
        ("foo:///a", Generic("foo", "///a")),
        ("foo://h_/a", Generic("foo", "//h_/a")),
        ("foo://a:b:c@h/", Generic("foo", "//a:b:c@h/")),
        ("foo://a@b@h/", Generic("foo", "//a@b@h/")),
        ("foo://h:/a", Generic("foo", "//h:/a")),
        ("foo://h:65536/a", Generic("foo", "//h:65536/a")),
        ("foo://h?a", Generic("foo", "//h?a")),
        ("1foo:a", Generic("1foo", "a")),
        ("foo://h", Generic("foo", "//h", None, None, "h", None, None)),
        ("foo://h/", Generic("foo", "//h/", None, None, "h", None, "")),
        ("foo://@h:1/a", Generic("foo", "//@h:1/a", "", None, "h", 1, "a")),
        (
            "foo://u%3Av:p%40w@1.2.3.4/a%2Fb?c",
            Generic("foo", "//u%3Av:p%40w@1.2.3.4/a%2Fb?c", "u:v", "p@w", "1.2.3.4", None, "a%2Fb?c"),
        ),
    ],
)
def test_an_ip_schemepart_gives_login_host_and_path(url, parts):
    assert decompose(url) == parts
    assert decompose(url).geturl() == url
    assert decompose(parts.geturl()) == parts


def test_a_value_is_made_from_the_part_or_from_the_fields():
    from_part = Generic("postgresql", "//u:p%2Fw@h:5432/db?a=b")
    from_fields = Generic("postgresql", user="u", password="p/w", host="h", port=5432, path="db?a=b")
    assert from_part == from_fields
    assert (from_part.user, from_part.password, from_part.path) == ("u", "p/w", "db?a=b")
    assert from_fields.geturl() == "postgresql://u:p%2Fw@h:5432/db?a=b"


@pytest.mark.parametrize(
    "text", ["", "p@ss:w/rd", "é", "\udcff", "a b", "%41", "?;&=", '#[]\\^`{|}~<>"', "\0\r\n", "🦊"]
)
def test_any_user_and_password_come_back_out(text):
    url = Generic("dialect+driver", user=text, password=text, host="h", port=1234, path="name?key=value").geturl()
    assert url.startswith("dialect+driver://")
    assert (decompose(url).user, decompose(url).password) == (text, text)
    assert (decompose(url).host, decompose(url).port, decompose(url).path) == ("h", 1234, "name?key=value")


@pytest.mark.parametrize(
    ("value", "term"),
    [
        (Generic("", "a"), "scheme"),
        (Generic("a_b", "a"), "scheme"),
        (Generic("é", "a"), "scheme"),
        (Generic("http", "//h/"), "scheme"),
        (Generic("HTTPS", "//h/"), "scheme"),
        (Generic("foo"), "schemepart"),
        (Generic("foo", "a b"), "schemepart"),
        (Generic("foo", "a%"), "schemepart"),
        (Generic("foo", host="h_"), "host"),
        (Generic("foo", host="h", path="a b"), "urlpath"),
        (Generic("foo", host="h", password="p"), "password"),
        (Generic("foo", host="h", port=70000), "port"),
        (Generic("foo", "a", user="u"), "schemepart"),
        (Generic("foo", "//h", None, None, "other"), "schemepart"),
    ],
)
def test_unbuildable_values_are_refused(value, term):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert refused.value.term == term


def test_a_replaced_field_wants_the_part_built_anew():
    url = decompose("redis://:secret@cache.dom/0")
    with pytest.raises(UnbuildableURL, match="None builds it") as refused:
        dataclasses.replace(url, password="n3w").geturl()
    assert "secret" not in str(refused.value) and "n3w" not in str(refused.value)
    assert dataclasses.replace(url, password="other", part=None).geturl() == "redis://:other@cache.dom/0"


@pytest.mark.parametrize(
    ("rest", "user", "password", "host", "port", "path"),
    [
        ("[::1]:80/a", None, None, "::1", 80, "a"),
        ("[::1]", None, None, "::1", None, None),
        ("u:p@my_redis:6379/0", "u", "p", "my_redis", 6379, "0"),
        ("u%40:p%2F@my_redis/0?a", "u@", "p/", "my_redis", None, "0?a"),
        ("a:b:c@h/", "a", "b:c", "h", None, ""),
        ("a@b@h:1", "a@b", None, "h", 1, None),
        ("h:/a", None, None, "h", None, "a"),
        ("h:x/a b", None, None, "h", None, "a b"),
        ("h:65536/a", None, None, "h", None, "a"),
        ("h?a", None, None, "h", None, None),
        ("u?v:p@h_?a", "u?v", "p", "h_", None, None),
        (":80/a", None, None, "", 80, "a"),
        ("@/a", "", None, "", None, "a"),
    ],
)
def test_without_strict_login_host_and_port_are_told_as_those_of_http(rest, user, password, host, port, path):
    parts = decompose(f"foo://{rest}", strict=False)
    assert parts == Generic("foo", f"//{rest}", user, password, host, port, path)
    http = decompose(f"http://{rest}", strict=False)
    if "?" not in rest:
        assert (parts.host, parts.port or 80, parts.path) == (http.host, http.port, http.path)
    assert "p@" not in repr(parts) and "p%2F" not in repr(parts)
    if not parts.findings:
        assert parts.geturl() == dataclasses.replace(parts).geturl() == f"foo://{rest}"
        assert decompose(parts.geturl()).host is None
    for given in (f"foo://{rest}".encode(), fasturl.parse(f"foo://{rest}")):
        assert decompose(given, strict=False) == parts


@pytest.mark.parametrize("rest", ["", "/", "/a", "/u:p@h", ":", ":/a"])
def test_an_empty_login_says_nothing_in_either_reading(rest):
    lenient = decompose(f"foo://{rest}", strict=False)
    assert lenient == decompose(f"foo://{rest}") == Generic("foo", f"//{rest}")
    assert (lenient.host, lenient.path) == (None, None) and fasturl.parse(f"foo://{rest}").host is None


@pytest.mark.parametrize(
    "url", ["", "a", "/a/b", "//h/a", "?q", ":a", "a_b:c", "é:a", "foo:a b", "foo:%", "foo:é", "foo:a#b"]
)
def test_an_invalid_url_gives_its_best_parts(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    parts = decompose(url, strict=False)
    assert parts.findings
    assert parts.part == (url.removeprefix("foo:") if url.startswith("foo:") else url).partition("#")[0]
    assert parts.scheme == ("foo" if url.startswith("foo:") else "")
