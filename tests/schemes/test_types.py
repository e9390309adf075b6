"""A component of a wrong type is refused by name in every scheme; lists are stored as tuples."""

import dataclasses
import pickle

import pytest

# isort: off
from fasturl.schemes import (File, Ftp, Generic, Gopher, Http, Https, Mailto, News, Nntp, Prospero, Telnet,
                             UnbuildableURL, Wais, decompose)  # fmt: skip

GOOD = [
    Ftp("u", "p", "h", 21, ("a",), "b", "i"),                 Http("h", 80, "a", "b"),
    Https("h", 443, "a", "b"),                                Gopher("h", 70, "1", "a", "b", "+"),
    Mailto("a"),                                              News("a"),
    Nntp("h", 119, "a", 1),                                   Telnet("u", "p", "h", 23),
    Wais("h", 210, "a", "b"),                                 File("h", ("a",)),
    Prospero("h", 1525, "a", (("b", "c"),)),                  Generic("foo", None, "u", "p", "h", 1, "a"),
]  # fmt: skip
FIELDS = [(value, field.name) for value in GOOD for field in dataclasses.fields(value)]
# Typed by hand from section 5, or from the prose of section 3 where that names the component.
TERMS = {
    ("Ftp", "cwd"): "fsegment", ("Ftp", "name"): "fsegment", ("Gopher", "plus"): "gopher+_string",
    ("Mailto", "address"): "encoded822addr", ("News", "message_id"): "article", ("Nntp", "article"): "digits",
    ("File", "path"): "fpath", ("Prospero", "fields"): "fieldspec", ("Generic", "part"): "schemepart",
    ("Generic", "path"): "urlpath",
}  # fmt: skip
NUMBERS = ("port", "article")
WRONG = [
    7, True, 1.5, b"s3cret", bytearray(b"s3cret"), ["s3cret", 7], [b"s3cret"], ("s3cret", 7), {"s3cret": 7}, object(),
]  # fmt: skip


def uses(value):
    yield value.geturl
    if isinstance(value, Ftp):
        yield value.commands
    if isinstance(value, Gopher):
        yield value.request
        for name in ("plus_kind", "attributes", "view", "language", "form"):
            yield lambda name=name: getattr(value, name)
    if isinstance(value, File):
        yield lambda: value.is_local
    if isinstance(value, Http):
        yield lambda: value.segments


@pytest.mark.parametrize(
    ("good", "name"), FIELDS, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: repr(value).partition(" at 0x")[0])
def test_a_field_of_a_wrong_type_is_refused_by_the_rfcs_term(good, name, wrong):
    if wrong is WRONG[0] and name in NUMBERS:
        return
    value = dataclasses.replace(good, **{name: wrong})
    term = TERMS.get((type(good).__name__, name), name)
    shown = name if term == name else f"{name} ({term})"
    for use in uses(value):
        with pytest.raises(TypeError) as refused:
            use()
        message = str(refused.value)
        assert message.startswith(f"{shown}: expected ") and ", got " in message
        assert "s3cret" not in message and "7" not in message


@pytest.mark.parametrize("value", [*GOOD, Wais("h", 210, "a", None, "b", "c"), News(None, "a@b"), Generic("foo", "a")])
def test_every_field_holds_its_own_type(value):
    assert decompose(value.geturl()).geturl() == value.geturl()


@pytest.mark.parametrize(
    ("good", "name"), FIELDS, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_none_is_missing_where_a_component_is_needed(good, name):
    field = next(field for field in dataclasses.fields(good) if field.name == name)
    value = dataclasses.replace(good, **{name: None})
    if "None" in field.type or name == "port":
        return
    for use in uses(value):
        with pytest.raises(UnbuildableURL, match="missing") as refused:
            use()
        assert refused.value.term == TERMS.get((type(good).__name__, name), name)
        assert refused.value.section == good.section


def test_the_items_of_a_tuple_are_checked():
    for value, message in [
        (Ftp(host="h", cwd=("a", 1), name="b"), "cwd (fsegment): expected a tuple of str, got tuple of int, str"),
        (File("h", "abc"), "path (fpath): expected a tuple of str, got str"),
        (Prospero("h", fields=(("a", "b", "c"),)),
         "fields (fieldspec): expected a tuple of pairs of str, got tuple of tuple"),
        (Prospero("h", fields=("ab",)), "fields (fieldspec): expected a tuple of pairs of str, got tuple of str"),
    ]:  # fmt: skip
        with pytest.raises(TypeError) as refused:
            value.geturl()
        assert str(refused.value) == message


@pytest.mark.parametrize(("made", "same"), [
    (Ftp(host="h", cwd=["a", "b/c"], name="d"), Ftp(host="h", cwd=("a", "b/c"), name="d")),
    (File("h", ["a", ""]), File("h", ("a", ""))),
    (Prospero("h", fields=[["a", "b"], ("c", "d")]), Prospero("h", fields=(("a", "b"), ("c", "d")))),
])  # fmt: skip
def test_lists_are_stored_as_tuples(made, same):
    assert made == same == decompose(made.geturl()) and hash(made) == hash(same)
    assert pickle.loads(pickle.dumps(made)) == made
    assert dataclasses.replace(made) == made
