"""Any other scheme: genericurl, and the login of an ip-schemepart."""

import dataclasses

import pytest

import fasturl
from fasturl import InvalidURL
from fasturl.schemes import Generic, UnbuildableURL, decompose


@pytest.mark.parametrize(("url", "parts"), [
    ("foo:", Generic("foo", "")),
    ("foo:a/b;c?d:e@f&g=h", Generic("foo", "a/b;c?d:e@f&g=h")),
    ("FOO:%41", Generic("foo", "%41")),                       ("foo:/a", Generic("foo", "/a")),
    ("foo://", Generic("foo", "//")),                         ("foo:///a", Generic("foo", "///a")),
    ("foo://h_/a", Generic("foo", "//h_/a")),                 ("foo://a:b:c@h/", Generic("foo", "//a:b:c@h/")),
    ("foo://a@b@h/", Generic("foo", "//a@b@h/")),             ("foo://h:/a", Generic("foo", "//h:/a")),
    ("foo://h:65536/a", Generic("foo", "//h:65536/a")),       ("foo://h?a", Generic("foo", "//h?a")),
    ("1foo:a", Generic("1foo", "a")),
    ("foo://h", Generic("foo", "//h", None, None, "h", None, None)),
    ("foo://h/", Generic("foo", "//h/", None, None, "h", None, "")),
    ("foo://@h:1/a", Generic("foo", "//@h:1/a", "", None, "h", 1, "a")),
    ("foo://u%3Av:p%40w@1.2.3.4/a%2Fb?c",
     Generic("foo", "//u%3Av:p%40w@1.2.3.4/a%2Fb?c", "u:v", "p@w", "1.2.3.4", None, "a/b", (("c", ""),))),
])  # fmt: skip
def test_an_ip_schemepart_gives_login_host_and_path(url, parts):
    assert decompose(url) == parts
    assert decompose(url).geturl() == url
    assert decompose(parts.geturl()) == parts


def test_a_value_is_made_from_the_part_or_from_the_fields():
    from_part = Generic("postgresql", "//u:p%2Fw@h:5432/db?a=b")
    from_fields = Generic("postgresql", user="u", password="p/w", host="h", port=5432, path="db", query=[("a", "b")])
    assert from_part == from_fields
    assert from_part == Generic(
        "postgresql", user="u", password="p/w", hosts=[("h", 5432)], path="db", query=[["a", "b"]]
    )
    assert (from_part.user, from_part.password, from_part.path, from_part.query) == ("u", "p/w", "db", (("a", "b"),))
    assert from_fields.geturl() == "postgresql://u:p%2Fw@h:5432/db?a=b"


def test_path_and_query_are_data():
    value = Generic("foo", host="h", path="a?b c@d/e%2F", query=[("k&", "v=+ "), ("", ""), ("n", "\udcff")])
    assert value.geturl() == "foo://h/a%3Fb%20c%40d/e%252F?k%26=v%3D%2B%20&=&n=%FF"
    assert decompose(value.geturl()) == value
    assert decompose("foo://h?a+b=%2B&c&&d=", strict=False).query == (("a b", "+"), ("c", ""), ("d", ""))


@pytest.mark.parametrize(
    "text", ["", "p@ss:w/rd", "é", "\udcff", "a b", "%41", "?;&=", '#[]\\^`{|}~<>"', "\0\r\n", "🦊"]
)
def test_any_user_and_password_come_back_out(text):
    url = Generic(
        "dialect+driver", user=text, password=text, host="h", port=1234, path="name", query=[("key", text)]
    ).geturl()
    assert url.startswith("dialect+driver://")
    assert (decompose(url).user, decompose(url).password) == (text, text)
    assert (decompose(url).host, decompose(url).port, decompose(url).path) == ("h", 1234, "name")
    assert decompose(url).query == (("key", text),)


@pytest.mark.parametrize(("value", "term"), [
    (Generic("", "a"), "scheme"),                             (Generic("a_b", "a"), "scheme"),
    (Generic("é", "a"), "scheme"),                            (Generic("http", "//h/"), "scheme"),
    (Generic("HTTPS", "//h/"), "scheme"),                     (Generic("foo"), "schemepart"),
    (Generic("foo", "a b"), "schemepart"),                    (Generic("foo", "a%"), "schemepart"),
    (Generic("foo", host="h_"), "host"),                      (Generic("foo", host="h", path="\ud800"), "urlpath"),
    (Generic("foo", host="h", password="p"), "password"),     (Generic("foo", host="h", port=70000), "port"),
    (Generic("foo", "a", user="u"), "schemepart"),
    (Generic("foo", "//h", None, None, "other"), "schemepart"),
])  # fmt: skip
def test_unbuildable_values_are_refused(value, term):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert refused.value.term == term


def test_a_replaced_field_wants_the_part_built_anew():
    url = decompose("redis://:secret@cache.dom/0")
    with pytest.raises(UnbuildableURL, match=r"replace\(\) builds it") as refused:
        dataclasses.replace(url, password="n3w").geturl()
    assert "secret" not in str(refused.value) and "n3w" not in str(refused.value)
    assert (
        url.replace(password="other").geturl()
        == dataclasses.replace(url, password="other", part=None).geturl()
        == "redis://:other@cache.dom/0"
    )


@pytest.mark.parametrize(("rest", "user", "password", "host", "port", "path"), [
    ("[::1]:80/a", None, None, "::1", 80, "a"),               ("[::1]", None, None, "::1", None, None),
    ("u:p@my_redis:6379/0", "u", "p", "my_redis", 6379, "0"),
    ("u%40:p%2F@my_redis/0?a", "u@", "p/", "my_redis", None, "0"),
    ("a:b:c@h/", "a", "b:c", "h", None, ""),                  ("a@b@h:1", "a@b", None, "h", 1, None),
    ("h:/a", None, None, "h", None, "a"),                     ("h:x/a b", None, None, "h", None, "a b"),
    ("h:65536/a", None, None, "h", None, "a"),                ("h", None, None, "h", None, None),
    ("h_", None, None, "h_", None, None),                     (":80/a", None, None, "", 80, "a"),
    ("@/a", "", None, "", None, "a"),
])  # fmt: skip
def test_without_strict_login_host_and_port_are_told_as_those_of_http(rest, user, password, host, port, path):
    parts = decompose(f"foo://{rest}", strict=False)
    query = (("a", ""),) if rest.endswith("?a") else None
    assert parts == Generic("foo", f"//{rest}", user, password, host, port, path, query)
    http = decompose(f"http://{rest}", strict=False)
    if "?" not in rest:
        assert (parts.host, parts.port or 80, parts.path) == (http.host, http.port, http.path)
    assert "p@" not in repr(parts) and "p%2F" not in repr(parts)
    if not parts.findings and fasturl.Finding.AMBIGUOUS_AUTHORITY not in fasturl.parse(f"foo://{rest}").findings:
        assert parts.geturl() == dataclasses.replace(parts).geturl() == f"foo://{rest}"
        assert (decompose(parts.geturl()).host is None) == (rest != "h")
    if rest != "h:x/a b":
        again = decompose(parts.geturl(), strict=False)
        assert dataclasses.replace(again, part=parts.part) == parts
    for given in (f"foo://{rest}".encode(), fasturl.parse(f"foo://{rest}")):
        assert decompose(given, strict=False) == parts


@pytest.mark.parametrize(
    ("rest", "host", "path"),
    [("", "", None), ("/", "", ""), ("/a", "", "a"), ("/u:p@h", "", "u:p@h"), (":", "", None), (":/a", "", "a")],
)
def test_an_empty_host_has_a_path_in_the_lenient_reading(rest, host, path):
    lenient = decompose(f"foo://{rest}", strict=False)
    assert decompose(f"foo://{rest}") == Generic("foo", f"//{rest}") == dataclasses.replace(decompose(f"foo://{rest}"))
    assert (lenient.host, lenient.path) == (host, path) and fasturl.parse(f"foo://{rest}").host is None


def test_a_query_behind_a_host_is_told_without_strict():
    parts = decompose("foo://u:p@h_?a=b@c", strict=False)
    assert (parts.user, parts.password, parts.host, parts.path, parts.query) == ("u", "p", "h_", None, (("a", "b@c"),))
    assert decompose("foo://h?a", strict=False).query == (("a", ""),) and decompose("foo://h?a").query is None


def test_only_a_login_of_the_grammar_holds_a_question_mark():
    for strict in (True, False):
        parts = decompose("foo://u?v:p@h/?a", strict=strict)
        assert (parts.user, parts.password, parts.host, parts.path, parts.query) == ("u?v", "p", "h", "", (("a", ""),))
    for text in ("foo://u?v:p@h_/", "foo://u?v:p@h/ ", "foo://u?v:p@h/#f", "foo://u?v:p@q@h/", "foo://u?v:p@h?a"):
        parts = decompose(text, strict=False)
        query = ((text.partition("#")[0].partition("?")[2], ""),)
        assert (parts.user, parts.password, parts.host, parts.path, parts.query) == (None, None, "u", None, query)
        assert "p@" not in repr(parts)


@pytest.mark.parametrize(("login", "strict"), [
    ("h1,h2", True), ("u:p%40@h1:1,h2:2,h3", True), ("@1.2.3.4:1,h2", True), ("h1,,h2", False), ("h1:x,h2", False),
    ("a:b:c@h1,h2", False), ("h_,h2", False), ("[::1]:1,h2:2", False), ("a@b@h1,h2", False), (",", False),
])  # fmt: skip
def test_several_hosts_are_told_with_their_ports(login, strict):
    text = f"foo://{login}/db?x=1,2"
    parts = decompose(text, strict=False)
    places = login.rpartition("@")[2].split(",")
    assert len(parts.hosts) == len(places) and parts.hosts[0] == (parts.host, parts.port)
    for place, (host, port) in zip(places, parts.hosts, strict=True):
        alone = decompose(f"foo://{place}/db", strict=False)
        assert (host, port) == (alone.host, alone.port)
    assert (parts.path, parts.query) == ("db", (("x", "1,2"),))
    read = decompose(text) if fasturl.parse(text).valid_rfc1738 else None
    assert (read is not None and read.hosts == parts.hosts) == strict
    if strict:
        assert parts.replace(user=parts.user).geturl() == dataclasses.replace(parts).geturl() == text


def test_several_hosts_are_built_and_each_is_checked():
    value = Generic(
        "mongodb", user="u", password="p@?/", hosts=[("h1", 27017), ("h2", None)], path="db", query=[("w", "1")]
    )
    assert value.geturl() == "mongodb://u:p%40%3F%2F@h1:27017,h2/db?w=1"
    assert decompose(value.geturl()) == value and (value.host, value.port) == ("h1", 27017)
    for hosts in ([("h1", 1), ("h_", 2)], [("h1", 1), ("", 2)], [("h1", 1), ("h2", 70000)]):
        with pytest.raises(UnbuildableURL):
            Generic("mongodb", hosts=hosts).geturl()
    with pytest.raises(UnbuildableURL, match="not the first"):
        Generic("mongodb", host="other", hosts=[("h1", 1), ("h2", 2)]).geturl()
    for wrong in ("h1", [("h1",)], [("h1", "1")], 5):
        with pytest.raises(TypeError, match="hosts"):
            Generic("mongodb", host="h", hosts=wrong).geturl()


def test_one_host_may_be_replaced_alone():
    url = decompose("mongodb://h1:1/db")
    assert dataclasses.replace(url, host="h2", part=None).geturl() == "mongodb://h2:1/db"


def test_an_absent_host_is_built_only_before_a_path():
    assert Generic("sqlite", host="", path="/abs").geturl() == "sqlite:////abs"
    assert decompose("sqlite:////abs", strict=False) == Generic("sqlite", host="", path="/abs")
    with pytest.raises(UnbuildableURL):
        Generic("sqlite", host="").geturl()


@pytest.mark.parametrize(("value", "term"), [
    (Generic("foo", host="h", query=[("a", "")]), "urlpath"),
    (Generic("foo", host="h", path="a", query=[("\ud800", "")]), "urlpath"),
    (Generic("foo", "//h/a", query=(("b", ""),)), "schemepart"),
])  # fmt: skip
def test_unbuildable_queries_are_refused(value, term):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert refused.value.term == term


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


NOTHING = "user=None, password=None, host=None, port=None, path=None, query=None, hosts=()"


@pytest.mark.parametrize(("url", "shown"), [
    ("foo:a", f"part='a', {NOTHING}"),
    ("foo:a?token=abc", f"part='a?token=***', {NOTHING}"),
    ("foo://u@h:1/a?token=abc", "part='//u@h:1/a?token=***', user='u', password=None, host='h', port=1, "
     "path='a', query=(('token', '***'),), hosts=(('h', 1),)"),
    ("foo://u:p@h:1/a?b", "part='***', user='u', password='***', host='h', port=1, path='a', query=(('b', ''),), "
     "hosts=(('h', 1),)"),
    ("foo://user:p/w@h/?b", "part='***', user=None, password=None, host='user', port=None, path='***', "
     "query='***', hosts='***'"),
    ("foo://:@\\h/", "part='***', user='', password='', host='\\\\h', port=None, path='', query=None, hosts='***'"),
    # Not only the password of one of several readings is hidden, because its user may be another's password.
    ("ws://user:pw@h\\x/", "part='***', user='***', password='***', host='h\\\\x', port=None, path='', query=None, "
     "hosts='***'"),
    ("ws://user@h\\x/", "part='//user@h\\\\x/', user='user', password=None, host='h\\\\x', port=None, path='', "
     "query=None, hosts=(('h\\\\x', None),)"),
    ("ws://user:pw@h#x", "part='***', user='user', password='***', host='h', port=None, path=None, query=None, "
     "hosts=(('h', None),)"),
])  # fmt: skip
def test_a_repr_hides_what_may_be_a_password_and_nothing_else(url, shown):
    assert repr(decompose(url, strict=False)) == f"Generic(scheme={url.partition(':')[0]!r}, {shown})"


def test_a_repr_of_wrong_values_shows_their_types_at_least():
    assert repr(Generic("foo", 5, query=6)) == (
        "Generic(scheme='foo', part=5, user=None, password=None, host=None, port=None, path=None, query=6, hosts=())"
    )
    assert ", part='//u:***@h_/'" in repr(Generic("foo", "//u:pw@h_/"))
    assert ", port=<int>, " in repr(Generic("foo", "//h", port=10**5000))
    assert ", user='u', " in repr(Generic("foo", user="u", host="h"))
