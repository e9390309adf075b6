"""The messages of refusals: the sentence, the term, the offset and the section of the RFC."""

import importlib
import pkgutil
import typing

import pytest

import fasturl
from fasturl import Finding, schemes
from fasturl.errors import UnsafeURL

# isort: off
from fasturl.schemes import (File, Ftp, Generic, Gopher, Http, Mailto, News, Nntp, SchemeParts, UnbuildableURL, Wais,
                             decompose, hpath, register)  # fmt: skip


@pytest.mark.parametrize(("value", "why", "term", "offset", "section"), [
    (Wais("h", 210, "d", None, "t", None), "wtype and wpath go together", "wtype", 0, "3.9"),
    (Nntp("h", 119, "g", -1), "not a number of up to 640 digits", "digits", 0, "3.7"),
    (Generic("a b", "x"), "no scheme's name", "scheme", 1, "2.1"),
    (Generic("a\ud800", "x"), "a surrogate that stands for no byte", "scheme", 1, "2.1"),
    (Generic("http", "x"), "a scheme with a class of its own", "scheme", 0, "5"),
    (News("g\ud800"), "a surrogate that stands for no byte", "group", 1, "3.6"),
    (Nntp("h", 119, "g\ud800", 1), "a surrogate that stands for no byte", "group", 1, "3.7"),
    (Ftp("h", cwd=(None,)), "missing", "fsegment", 0, "3.2.2"),
    (Http(None), "missing", "host", 0, "3.3"),                (Http("h", 65_536), "not in 0-65535", "port", 0, "3.1"),
    (Http("h", -1), "not in 0-65535", "port", 0, "3.1"),
    (Http("h-"), "neither a name nor a number", "host", 2, "3.1"),
    (Http("h", path="a b"), "a character that must be escaped", "path", 1, "3.3"),
    (Http("h", path="ab%4"), "% without two hex digits", "path", 2, "3.3"),
    (Http("h", path="a\udcc3\udca9"), "surrogates that together are UTF-8", "path", 1, "3.3"),
    (Http("h", search="a"), "a search without a path", "search", 0, "3.3"),
    (Ftp("a\ud800", host="h"), "a surrogate that stands for no byte", "user", 1, "3.1"),
    (Ftp("a", "b\ud800", "h"), "a surrogate that stands for no byte", "password", 1, "3.1"),
    (Ftp(host="h", password="p"), "a password without a user", "password", 0, "3.1"),
    (Ftp(host="h", cwd=("a",)), "a cwd without a name", "cwd", 0, "3.2.2"),
    (Ftp(host="h", name="a", typecode="x"), "none of a, i and d", "typecode", 0, "3.2.2"),
    (Gopher("h", gtype=""), "not one byte", "gtype", 0, "3.4"),
    (Gopher("h", gtype="123"), "not one byte", "gtype", 1, "3.4"),
    (Gopher("h", selector="a\tb"), "a tab, which divides", "selector", 1, "3.4"),
    (Gopher("h", search="ab\t"), "a tab, which divides", "search", 2, "3.4"),
    (Mailto(""), "an empty address", "encoded822addr", 0, "3.5"),
    (News(), "one of group and message-id is wanted", "grouppart", 0, "3.6"),
    (News("a b"), "no newsgroup name", "group", 1, "3.6"),
    (News(message_id="@h"), "not unique@host", "article", 0, "3.6"),
    (News(message_id="ab@h-"), "no host after the @", "article", 5, "3.6"),
    (File("h", ()), "no segment, not even an empty one", "fpath", 0, "3.10"),
    (Generic("x"), "neither a part nor a host", "schemepart", 0, "5"),
])  # fmt: skip
def test_unbuildable_values_say_why(value: SchemeParts, why: str, term: str, offset: int, section: str) -> None:
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    error = refused.value
    assert (error.why, error.term, error.offset, error.section) == (why, term, offset, section)


def test_a_repr_hides_possible_passwords_only() -> None:
    assert repr(decompose("ftp://u:secret@h/a b", strict=False)).endswith("name='a b', typecode=None)")
    assert "secret" not in repr(decompose("ftp://u:secret@h/a b", strict=False))
    assert repr(decompose("mailto:a b", strict=False)) == "Mailto(address='a b')"
    assert "secret" not in repr(decompose("mailto://u:secret@h/a b", strict=False))


def test_a_value_tells_whether_other_readers_find_another_password() -> None:
    for url, other in (("ftp://u:secret@h?dir@i/x", True), ("ftp://u:secret@h/x", False), ("ftp://u:p/w@h/", True)):
        assert decompose(url, strict=False).may_show_password_of(url) is other


@pytest.mark.parametrize("cls", [File, Ftp, Generic, Gopher, Http, Mailto, News, Nntp, Wais])
def test_the_types_of_each_class_can_be_looked_up(cls: type[SchemeParts]) -> None:
    for made in (cls, cls.from_schemepart, cls.schemepart):
        assert typing.get_type_hints(made)


def test_a_lone_period_would_end_a_gopher_form() -> None:
    with pytest.raises(UnsafeURL) as refused:
        Gopher.filled(".")
    assert str(refused.value).startswith("gopher+_string: a lone period ends the form at offset 0")
    assert str(refused.value).endswith("section 3.4.9)")


def test_a_segment_of_http_names_its_term_and_section() -> None:
    with pytest.raises(UnbuildableURL) as refused:
        hpath(["a", "b\ud800"])
    assert (refused.value.term, refused.value.offset, refused.value.section) == ("hsegment", 1, "3.3")


@pytest.mark.parametrize("name", ["", "A", "a b", "a_b", "\xe9"])
def test_an_ill_formed_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError) as refused:
        register(name)
    assert str(refused.value) == f"{name!r} is not a scheme's name (section 2.1): a-z, 0-9, '+', '-' and '.' make one"


def test_problems_of_registered_productions_reach_to_the_end_of_the_part() -> None:
    register("x-refusal", productions="part = 2*digit")
    found = [one for one in fasturl.problems("x-refusal:1a23#f") if one.finding == Finding.BAD_PART]
    assert [(one.start, one.end) for one in found] == [(11, 14)]
    found = [one.finding for one in fasturl.problems("x-refusal:1")]
    assert found == [Finding.AMBIGUOUS_AUTHORITY, Finding.MISSING]
    with pytest.raises(UnbuildableURL) as refused:
        Generic("x-refusal", "1\ud800").geturl()
    assert (refused.value.term, refused.value.offset) == ("schemepart", 1)
    assert decompose("x-refusal:12").geturl() == "x-refusal:12"


def test_a_registered_class_must_read_and_build() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class OnlyReads(SchemeParts):
        text: str = ""

        @classmethod
        def from_schemepart(cls, part: str) -> "OnlyReads":
            return cls(part)

    @dataclass(frozen=True)
    class OnlyBuilds(SchemeParts):
        text: str = ""

        def schemepart(self) -> str:
            return self.text

    for cls in (OnlyReads, OnlyBuilds):
        with pytest.raises(ValueError, match="needs from_schemepart and schemepart of its own"):
            register("x-half", dataclass=cls)


def test_a_class_that_names_another_scheme_is_refused() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Named(SchemeParts):
        text: str = ""
        scheme = "x-its-own"

        @classmethod
        def from_schemepart(cls, part: str) -> "Named":
            return cls(part)

        def schemepart(self) -> str:
            return self.text

    with pytest.raises(ValueError, match=r"^Named is the class of another scheme$"):
        register("x-not-its-own", dataclass=Named)
    # It may have its own scheme. The texts that it builds are still checked against the productions.
    assert register("x-its-own", dataclass=Named, productions='part = *"a"') is Named
    with pytest.raises(UnbuildableURL) as refused:
        Named("a\ud800").geturl()
    assert (refused.value.term, refused.value.offset, refused.value.section) == ("schemepart", 1, "4")


@pytest.mark.parametrize("name", [one.name for one in pkgutil.iter_modules(schemes.__path__)])
def test_each_class_of_a_module_is_among_its_names(name: str) -> None:
    module = importlib.import_module(f"fasturl.schemes.{name}")
    own = {cls.__name__ for cls in vars(schemes).values()
           if isinstance(cls, type) and issubclass(cls, SchemeParts) and cls.__module__ == module.__name__}  # fmt: skip
    assert own <= set(getattr(module, "__all__", ()))
