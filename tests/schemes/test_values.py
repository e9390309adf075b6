"""All dataclasses of the schemes are immutable, comparable and picklable, and show no password."""

import copy
import dataclasses
import pickle

import pytest

import fasturl
from fasturl import Finding, InvalidURL, rfc1738

# isort: off
from fasturl.schemes import (File, Ftp, Generic, Gopher, Http, Https, Mailto, News, Nntp, Prospero, SchemeParts, Telnet,
                             UnbuildableURL, Wais, decompose)  # fmt: skip

FIELDS = {
    Ftp: "user password host port cwd name typecode", Http: "host port path search", Https: "host port path search",
    Gopher: "host port gtype selector search plus", Mailto: "address", News: "group message_id",
    Nntp: "host port group article", Telnet: "user password host port", Wais: "host port database search wtype wpath",
    File: "host path", Prospero: "host port hsoname fields",
    Generic: "scheme part user password host port path query hosts",
}  # fmt: skip
URLS = ["ftp://u:secret@h:2121/a%2Fb/c;type=i", "http://h/a%20b?c", "https://h", "gopher://h/7s%09q%09+", "mailto:a@b",
        "news:a", "news:a@b", "nntp://h/a/007", "telnet://u:secret@h", "wais://h/d/t/p", "file:///a/b",
        "prospero://h/a;b=c", "foo://u:secret@h:1/p", "foo:bar"]  # fmt: skip


@pytest.mark.parametrize("cls", FIELDS)
def test_the_fields_and_their_order(cls):
    assert [field.name for field in dataclasses.fields(cls)] == FIELDS[cls].split()
    assert cls.__match_args__ == tuple(FIELDS[cls].split())
    assert not hasattr(cls(), "__dict__")
    assert issubclass(cls, SchemeParts)


@pytest.mark.parametrize("url", URLS)
def test_values_are_immutable_hashable_and_equal_by_their_components(url):
    parts = decompose(url)
    fresh = dataclasses.replace(parts)
    assert parts == fresh and hash(parts) == hash(fresh)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(parts, dataclasses.fields(parts)[0].name, "x")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("url", URLS)
def test_values_pickle_and_copy_with_what_they_were_read_from(url, protocol):
    parts = decompose(url)
    for again in (pickle.loads(pickle.dumps(parts, protocol)), copy.copy(parts), copy.deepcopy(parts)):
        assert again == parts
        assert again.geturl() == url
    wrong = decompose(url + "#", strict=False)
    assert pickle.loads(pickle.dumps(wrong, protocol)).findings == Finding.FRAGMENT


@pytest.mark.parametrize("url", URLS)
def test_no_repr_shows_a_password(url):
    assert "secret" not in repr(decompose(url)) and "secret" not in repr(decompose(url + "#", strict=False))


@pytest.mark.parametrize(
    "url", ["db://u:secret@[::1/x", "db://u:secret@h_/x", "db://u:secret{@h/", "1db://u:secret@h_", "//u:secret@h/"]
)
def test_no_repr_of_an_opaque_part_shows_what_looks_like_a_password(url):
    parts = fasturl.decompose(url, strict=False)
    assert "secret" not in repr(parts)
    assert "secret" in parts.part


def test_a_repr_names_every_field():
    assert repr(decompose("telnet://u:p@h")) == "Telnet(user='u', password='***', host='h', port=23)"
    assert repr(decompose("telnet://u:@h")) == "Telnet(user='u', password='', host='h', port=23)"
    assert eval(repr(decompose("ftp://h/a/b"))) == decompose("ftp://h/a/b")


@pytest.mark.parametrize("url", URLS)
def test_bytes_bytes_likes_and_url_objects_read_as_str_does(url):
    parts = decompose(url)
    data = url.encode()
    for given in (data, bytearray(data), memoryview(data), fasturl.parse(url), fasturl.parse(data)):
        assert decompose(given) == parts
        assert decompose(given).geturl() == url
        assert decompose(given, strict=False) == parts
    assert fasturl.parse(url).decompose() == parts

    class Text(str):
        __slots__ = ()

    assert decompose(Text(url)) == parts


def test_offsets_count_as_what_was_given_does():
    with pytest.raises(InvalidURL) as refused:
        decompose("ftp://h/é/%")
    assert refused.value.offset == 8
    with pytest.raises(InvalidURL) as refused:
        decompose("ftp://h/a/é%4".encode()[:-1] + b"\xff")
    assert refused.value.offset == 10


def test_bytes_that_are_not_utf8_are_not_lost_and_lone_surrogates_harm_nothing():
    parts = decompose(b"ftp://h/caf\xe9/%E9", strict=False)
    assert (parts.cwd, parts.name) == (("caf\udce9",), "\udce9")
    assert parts.findings == Finding.NON_ASCII
    assert dataclasses.replace(parts).geturl() == "ftp://h/caf%E9/%E9"
    # Lone surrogates in invalid text harm nothing.
    parts = decompose("ftp://h/\ud800%41%C3%A9\udce9%zz", strict=False)
    assert parts.name == "\ud800Aé\udce9%zz"
    with pytest.raises(UnbuildableURL):
        parts.geturl()


def test_findings_say_what_is_wrong_and_are_no_field():
    assert decompose("http://h/").findings == Finding(0)
    assert Http("h").findings == Finding(0)
    wrong = decompose("http://u:p@h/a b#c", strict=False)
    assert wrong.findings == Finding.LOGIN | Finding.UNSAFE | Finding.FRAGMENT
    assert wrong == Http("h", 80, "a b")
    assert dataclasses.replace(wrong).findings == Finding(0)


@pytest.mark.parametrize("given", [None, 1, 1.5, ["http://h/"], object()])
def test_arguments_other_than_text_raise_type_error(given):
    for strict in (True, False):
        with pytest.raises(TypeError):
            decompose(given, strict=strict)


def test_a_type_error_names_the_function_and_the_types():
    for function in (fasturl.decompose, rfc1738.escape, rfc1738.escape_login, rfc1738.unescape, fasturl.unquote_safe):
        with pytest.raises(TypeError, match=f"^{function.__name__}.. argument must be str.* not int$"):
            function(5)


def test_wrong_types_in_what_would_be_sent_are_type_errors():
    for send in (
        Ftp(user=5, host="h").commands, Ftp(host="h", name=b"a").commands, Ftp(host="h", cwd="abc", name="a").commands,
        Ftp(host="h", name="a", typecode=1).commands, lambda: Ftp(host="h").commands(anonymous=b"me@h"),
        Gopher("h", selector=b"a").request, Gopher("h", search=7).request, lambda: Gopher.filled(None),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=r"expected .*str, got"):
            send()


def test_refusals_pickle_and_show_term_offset_and_section():
    with pytest.raises(UnbuildableURL) as refused:
        Http("a b").geturl()
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.term, again.offset, again.section, str(again)) == ("host", 1, "3.1", str(refused.value))
    assert isinstance(again, ValueError)
    for word in ("host", "offset 1", "section 3.1"):
        assert word in str(again)


def test_a_match_statement_reads_components():
    match decompose("ftp://u@h/a/b"):
        case Ftp(user="u", cwd=("a",), name=name):
            assert name == "b"
        case _:
            pytest.fail("no match")
