"""Reading, refusing and building, with the same tests for every scheme of section 3."""

import pytest

from fasturl import InvalidURL

# isort: off
from fasturl.schemes import (File, Ftp, Gopher, Http, Https, Mailto, News, Nntp, Prospero, Telnet, UnbuildableURL, Wais,
                             decompose)  # fmt: skip

READ = [
    ("http://h", Http("h", 80, None, None)), ("http://h/", Http("h", 80, "", None)),
    ("http://h/?", Http("h", 80, "", "")), ("http://h/?q", Http("h", 80, "", "q")),
    ("http://h/a/b;c?d=e&f", Http("h", 80, "a/b;c", "d=e&f")),
    ("http://h:8080/a%2Fb%20c", Http("h", 8080, "a%2Fb%20c", None)),
    ("HTTP://Host.Dom:080/a", Http("Host.Dom", 80, "a", None)), ("http://h//a", Http("h", 80, "/a", None)),
    ("https://h/a?b", Https("h", 443, "a", "b")), ("https://h:80/", Https("h", 80, "", None)),
    (
        "http://www.acl.lanl.gov/URI/archive/uri-archive.index.html",
        Http("www.acl.lanl.gov", 80, "URI/archive/uri-archive.index.html", None),
    ),
    ("nntp://news.dom/comp.lang.c/1234", Nntp("news.dom", 119, "comp.lang.c", 1234)),
    ("nntp://news.dom/comp.lang.c", Nntp("news.dom", 119, "comp.lang.c", None)),
    ("nntp://1.2.3.4:8119/a/0", Nntp("1.2.3.4", 8119, "a", 0)), ("nntp://h/a/007", Nntp("h", 119, "a", 7)),
    ("nntp://h/a/" + "9" * 640, Nntp("h", 119, "a", 10**640 - 1)),
    ("nntp://h/a/" + "0" * 5000 + "1", Nntp("h", 119, "a", 1)),
    ("telnet://u:p@h:2323/", Telnet("u", "p", "h", 2323)), ("telnet://u@h/", Telnet("u", None, "h", 23)),
    ("telnet://h", Telnet(None, None, "h", 23)), ("telnet://a;&=b:%0D%0A@h", Telnet("a;&=b", "\r\n", "h", 23)),
    ("mailto:uri@bunyip.com", Mailto("uri@bunyip.com")), ("mailto:joe%25host@gateway", Mailto("joe%host@gateway")),
    ("mailto:a@b?subject=x", Mailto("a@b?subject=x")), ("MAILTO:%22a%20b%22@c", Mailto('"a b"@c')),
    ("mailto:%E9", Mailto("\udce9")), ("mailto:/", Mailto("/")), ("prospero://h/", Prospero("h", 1525, "", ())),
    ("prospero://h/a;OBJECT-VERSION=2", Prospero("h", 1525, "a", (("OBJECT-VERSION", "2"),))),
    ("prospero://h/a;b=2;a=1;b=3", Prospero("h", 1525, "a", (("b", "2"), ("a", "1"), ("b", "3")))),
    ("prospero://h/a=b;=;c=", Prospero("h", 1525, "a=b", (("", ""), ("c", "")))),
    ("prospero://h/a%3Bb%2Fc;%3D=%3B", Prospero("h", 1525, "a;b/c", (("=", ";"),))),
    ("file:///etc/motd", File("", ("etc", "motd"))),
    ("file://localhost/etc/motd", File("localhost", ("etc", "motd"))),
    ("file://LocalHost/", File("LocalHost", ("",))), ("file://127.0.0.1/x", File("127.0.0.1", ("x",))),
    ("file:////x", File("", ("", "x"))), ("file:///a%2Fb/c%3Bd?e:@&=", File("", ("a/b", "c;d?e:@&="))),
    ("file:///%E9", File("", ("\udce9",))),
]  # fmt: skip
# The parts build the same text again.
BUILT_ALIKE = [
    ("news:comp.infosystems.www.misc", News("comp.infosystems.www.misc")), ("news:a", News("a")),
    ("news:a..b", News("a..b")), ("news:A.b+c_d-1", News("A.b+c_d-1")), ("news:a.", News("a.")),
    ("news:*", News("*")), ("news:1994Dec1.1234@host.dom", News(message_id="1994Dec1.1234@host.dom")),
    ("news:a/b?c;d:e&f=g@h", News(message_id="a/b?c;d:e&f=g@h")), ("news:a%40b@h", News(message_id="a@b@h")),
    ("news:%3C1%3E@1.2.3.4", News(message_id="<1>@1.2.3.4")), ("wais://h/db", Wais("h", 210, "db")),
    ("wais://h/", Wais("h", 210, "")), ("wais://h:2100/db?", Wais("h", 2100, "db", "")),
    ("wais://h/db?red%20fox;a=b", Wais("h", 210, "db", "red fox;a=b")),
    ("wais://h/db/TEXT/1%2F2", Wais("h", 210, "db", None, "TEXT", "1/2")),
    ("wais://h///", Wais("h", 210, "", None, "", "")),
]  # fmt: skip


@pytest.mark.parametrize(("url", "parts"), [*READ, *BUILT_ALIKE])
def test_a_url_is_read_and_built(url, parts):
    assert decompose(url) == parts
    assert decompose(url).geturl() == url
    assert decompose(parts.geturl()) == parts


@pytest.mark.parametrize(("url", "parts"), BUILT_ALIKE)
def test_the_parts_build_the_same_text(url, parts):
    assert parts.geturl() == url


@pytest.mark.parametrize("url", [
    "ftp:", "ftp:/", "ftp:h", "ftp:/h/a", "ftp://", "ftp:///", "ftp://h;type=a", "ftp://h/;type=", "ftp://h/f;type=x",
    "ftp://h/f;type=ai", "ftp://h/f;TYPE=a", "ftp://h/a;b/c", "ftp://h/f;type=a;type=i", "ftp://h/f;type=a/b",
    "ftp://h/f;type=%61", "ftp://a:b:c@h/", "ftp://h?a", "ftp://h/#f", "ftp://h/a b", "ftp://h/%4", "ftp://h/~u",
    "http:", "http:a", "http://", "http:///a", "http://h?q", "http://h/a?b/c", "http://h/a?b?c", "http://u@h/",
    "http://u:p@h/", "http://h/a b", "http://h/#f", "http://h/[", "http://h/%", "http://[::1]/", "gopher:", "gopher://",
    "gopher:///", "gopher://u@h/", "gopher://h?", "gopher://h/1 ", "gopher://h/1%0", "news:", "news:1a", "news:.a",
    "news:a%41", "news:**", "news:*a", "news:a/b", "news:@h", "news:a@", "news:a@h@h", "news:a@-", "news:a@h:1",
    "news:a@h/", "news:a@1.2", "news:a b", "news:%2A", "nntp:", "nntp://h", "nntp://h/", "nntp://h/a/", "nntp://h/a/x",
    "nntp://h/a/1/", "nntp://h/*", "nntp://h/1", "nntp://h//1", "nntp://u@h/a", "nntp://h/a/%31", "nntp://h/a%2Eb",
    "nntp:///a", "nntp://h/a/-1", "telnet:", "telnet:h", "telnet://", "telnet://h/a", "telnet://h//", "telnet://h?",
    "telnet://a:b:c@h", "wais:", "wais://h", "wais://h?s", "wais://h/d/t", "wais://h/d/t/p/q", "wais://h/d?a/b",
    "wais://h/d?a?b", "wais://h/d:e", "wais://h/d;e", "wais://h/d/t:/p", "wais://h/d/t/p?q", "wais://h/d/t?/p",
    "wais://u@h/d", "wais:///d", "file:", "file:/a", "file:a", "file://", "file://h", "file://h:80/a", "file://u@h/a",
    "file:///a;b", "file://h_/a", "prospero:", "prospero://h", "prospero://h/a;b", "prospero://h/a;b=c=d",
    "prospero://h/a;b=c/d", "prospero://u@h/", "prospero:///a",
])  # fmt: skip
def test_texts_that_the_production_does_not_derive_are_invalid(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    assert decompose(url, strict=False).findings


@pytest.mark.parametrize(("url", "parts"), [
    ("http://h?q/r", Http("h", 80, None, "q/r")), ("http://u:p@h:81/a b", Http("h", 81, "a b", None)),
    ("http://[::1]:81/a", Http("::1", 81, "a", None)), ("http://[::1]", Http("::1", 80, None, None)),
    ("http://h/a?b?c/d#e", Http("h", 80, "a", "b?c/d")), ("http://h#?x", Http("h", 80, None, None)),
    ("http:/a/b", Http("", 80, "a/b", None)), ("http:a", Http("", 80, "a", None)),
    ("http:///a", Http("", 80, "a", None)), ("http://h:x/a", Http("h", 80, "a", None)),
    ("http://h:/a", Http("h", 80, "a", None)), ("http://h/%zz", Http("h", 80, "%zz", None)),
    ("wais://h?s", Wais("h", 210, "", "s")), ("wais://h/d/t", Wais("h", 210, "d", None, "t", None)),
    ("file:/etc/motd", File("", ("etc", "motd"))), ("file://h", File("h", ())),
    ("file://u@h:80/a;b", File("h", ("a;b",))),
    ("prospero://h/a;b;c=d=e", Prospero("h", 1525, "a", (("b", ""), ("c", "d=e")))), ("mailto:", Mailto("")),
    ("gopher://h/%zz", Gopher("h", 70, "%", "zz")),
])  # fmt: skip
def test_an_invalid_url_gives_its_best_parts(url, parts):
    assert decompose(url, strict=False) == parts


# A value, and the term, offset and section of the refusal, as far as they are fixed.
UNBUILDABLE = [
    (Ftp(host="h", cwd=("a",)), "cwd"), (Ftp(host="h", typecode="a"), "typecode"),
    (Ftp(host="h", name="f", typecode="x"), "typecode"), (Ftp(host="h", name="f", typecode=""), "typecode"),
    (Ftp(host="h", name="f", typecode="ai"), "typecode"), (Ftp(host="h", name="\ud800"), "fsegment"),
    (Ftp(host="h", name="\udcc3\udca9"), "fsegment"), (Ftp(user="a\udfffb", host="h"), "user"),
    (Http("h", path="a?b"), "path", 1), (Http("h", path="a b"), "path", 1), (Http("h", path="é"), "path", 0),
    (Http("h", path="a%4"), "path", 1), (Http("h", path="a%zz"), "path", 1),
    (Http("h", path="a", search="b/c"), "search", 1), (Http("h", path="a", search="b#"), "search", 1),
    (Http("h", search="q"), "search", 0), (Http("", path=""), "host", 0), (Http(None, path=""), "host", 0),
    (News(), "grouppart", 0, "3.6"), (News("a", "b@c"), "grouppart", 0, "3.6"), (News(""), "group", 0, "3.6"),
    (News("1a"), "group", 0, "3.6"), (News("a b"), "group", 1, "3.6"), (News("*a"), "group", 0, "3.6"),
    (News(message_id="a"), "article", 0, "3.6"), (News(message_id="@h"), "article", 0, "3.6"),
    (News(message_id="a@"), "article", 2, "3.6"), (News(message_id="a@h_"), "article", 3, "3.6"),
    (Nntp("h", 119, ""), "group"), (Nntp("h", 119, "*"), "group"), (Nntp("h", 119, "a/b"), "group"),
    (Nntp("h", 119, "a", -1), "digits"), (Nntp("h", 119, "a", 10**640), "digits"), (Nntp("", 119, "a"), "host"),
    (Wais("h", 210, "d", None, "t", None), "wtype", 0, "3.9"),
    (Wais("h", 210, "d", None, None, "p"), "wtype", 0, "3.9"),
    (Wais("h", 210, "d", "s", "t", "p"), "search", 0, "3.9"), (Wais("h", 210, None), "database", 0, "3.9"),
    (File("h", ()), "fpath"), (File("h_", ("a",)), "host"), (File(None, ("a",)), "host"),
    (Prospero("h", 1525, "a", (("b", None),)), "fieldspec"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "refusal"), [(value, refusal) for value, *refusal in UNBUILDABLE])
def test_unbuildable_values_are_refused(value, refusal):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    found = [refused.value.term, refused.value.offset, refused.value.section]
    assert found[: len(refusal)] == refusal
