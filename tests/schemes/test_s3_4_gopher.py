"""Section 3.4: Gopher and Gopher+, with the strings that the section itself shows."""

import pytest

import fasturl
from fasturl import Finding, UnsafeURL
from fasturl.schemes import Gopher, PlusKind, UnbuildableURL, decompose

FORM = "+%091%0D%0A+-1%0D%0Ared%0D%0Afox%0D%0A.%0D%0A"


@pytest.mark.parametrize(("url", "gtype", "selector", "search", "plus"), [
    ("gopher://h", "1", "", None, None),                      ("gopher://h/", "1", "", None, None),
    ("gopher://h/1", "1", "", None, None),                    ("gopher://h/0", "0", "", None, None),
    ("gopher://h/00/about", "0", "0/about", None, None),      ("gopher://h/11/x", "1", "1/x", None, None),
    ("gopher://h/1/dir", "1", "/dir", None, None),            ("gopher://h/7/find%09", "7", "/find", "", None),
    ("gopher://h/7/find%09red%20fox", "7", "/find", "red fox", None),
    ("gopher://h/7s%09a/b?c", "7", "s", "a/b?c", None),       ("gopher://h/1s%09%09+", "1", "s", "", "+"),
    ("gopher://h/1s%09q%09", "1", "s", "q", ""),              ("gopher://h/1s%09q%09a%09b%09", "1", "s", "q", "a\tb\t"),
    ("gopher://h/1%09%09%09", "1", "", "", "\t"),             ("gopher://h/%09s", "\t", "s", None, None),
    ("gopher://h/%09%09q", "\t", "", "q", None),              ("gopher://h/%31s", "1", "s", None, None),
    ("gopher://h/%C3%A9", "\udcc3", "\udca9", None, None),    ("gopher://h/1%E9", "1", "\udce9", None, None),
    ("gopher://h//", "/", "", None, None),                    ("gopher://h/?", "?", "", None, None),
])  # fmt: skip
def test_s3_4_1_the_parts_of_a_gopher_path(url, gtype, selector, search, plus):
    parts = decompose(url)
    assert parts == Gopher("h", 70, gtype, selector, search, plus)
    assert parts.geturl() == url
    assert decompose(Gopher("h", 70, gtype, selector, search, plus).geturl()) == parts


@pytest.mark.parametrize(("url", "request_"), [
    ("gopher://h", b"\r\n"),                                  ("gopher://h/", b"\r\n"),
    ("gopher://h/1", b"\r\n"),                                ("gopher://h/00/about", b"0/about\r\n"),
    ("gopher://h/1%E9%FF", b"\xe9\xff\r\n"),                  ("gopher://h/7/find%09red%20fox", b"/find\tred fox\r\n"),
    ("gopher://h/7/find%09", b"/find\t\r\n"),                 ("gopher://h/1s%09%09+", b"s\t\t+\r\n"),
    ("gopher://h/1s%09q%09!+ABSTRACT%20+SMELL", b"s\tq\t!+ABSTRACT +SMELL\r\n"),
    ("gopher://h/1s%09%09" + FORM, b"s\t\t+\t1\r\n+-1\r\nred\r\nfox\r\n.\r\n"),
])  # fmt: skip
def test_s3_4_1_to_3_4_3_the_request(url, request_):
    assert decompose(url).request() == request_


def test_s3_4_3_a_gopher_string_brings_an_empty_search():
    assert Gopher("h", selector="s", plus="+") == Gopher("h", selector="s", search="", plus="+")
    assert Gopher("h", selector="s", plus="+").request() == b"s\t\t+\r\n"
    assert Gopher("h", selector="s", plus="+").geturl() == "gopher://h/1s%09%09+"


@pytest.mark.parametrize(("plus", "kind", "attributes", "view", "language", "form"), [
    ("+", PlusKind.DEFAULT, None, None, None, None),          ("?", PlusKind.ASK, None, None, None, None),
    ("!", PlusKind.ATTRIBUTES, (), None, None, None),         ("$", PlusKind.DIRECTORY, (), None, None, None),
    ("!+ABSTRACT", PlusKind.ATTRIBUTES, ("+ABSTRACT",), None, None, None),
    ("$+ABSTRACT", PlusKind.DIRECTORY, ("+ABSTRACT",), None, None, None),
    ("!+ABSTRACT%20+SMELL", PlusKind.ATTRIBUTES, ("+ABSTRACT", "+SMELL"), None, None, None),
    ("+application/postscript%20Es_ES", PlusKind.VIEW, None, "application/postscript", "Es_ES", None),
    ("+text/plain", PlusKind.VIEW, None, "text/plain", None, None),
    (FORM, PlusKind.FORM, None, None, None, ("red", "fox")),
    ("+%091%0D%0A+-1%0D%0A.%0D%0A", PlusKind.FORM, None, None, None, ()),
    ("+%091%0D%0A+-1%0D%0A%0D%0A.%0D%0A", PlusKind.FORM, None, None, None, ("",)),
    ("", PlusKind.OTHER, None, None, None, None),             ("x", PlusKind.OTHER, None, None, None, None),
    ("+%091", PlusKind.OTHER, None, None, None, None),
])  # fmt: skip
def test_s3_4_4_to_3_4_9_every_form_of_the_gopher_string(plus, kind, attributes, view, language, form):
    parts = decompose(f"gopher://h/0s%09%09{plus}")
    assert (parts.plus_kind, parts.attributes, parts.view, parts.language,
            parts.form) == (kind, attributes, view, language, form)  # fmt: skip


def test_without_a_gopher_string_its_parts_are_none():
    parts = decompose("gopher://h/1s%09q")
    assert (parts.plus_kind, parts.attributes, parts.view, parts.language, parts.form) == (None,) * 5


def test_s3_4_9_a_form_is_filled_and_read_back():
    values = ("red fox", "", "é", "..", "a\tb")
    url = Gopher("h", gtype="0", selector="ask", plus=Gopher.filled(*values)).geturl()
    assert decompose(url).form == values
    assert Gopher.filled("red", "fox") == "+\t1\r\n+-1\r\nred\r\nfox\r\n.\r\n"
    assert decompose(url).request().endswith(b"\r\n.\r\n")


@pytest.mark.parametrize("value", ["a\rb", "a\nb", "a\0b", "a\r\nb", "."])
def test_s3_4_9_no_value_ends_the_form(value):
    with pytest.raises(UnsafeURL):
        Gopher.filled("x", value)


@pytest.mark.parametrize("path", [
    "0a%0Db", "0a%0Ab", "0a%0D%0Ab", "7s%09q%0D%0Ab", "7s%09q%00", "1s%09%09+%0D%0A", "1s%09%09+%0A", "1s%09%09!%00",
    "1s%09%09+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0ADELE%0D%0A.%0D%0A",  # a lone period ends the form too soon
    "1s%09%09+%091%0D%0A+-1%0D%0Aa%0D%0A.%0D%0AQUIT%0D%0A",  # something after the form
    "1s%09%09+%091%0D%0A+-1%0D%0Aa%0Db%0D%0A.%0D%0A",  # a bare CR, LF or NUL within a value
    "1s%09%09+%091%0D%0A+-1%0D%0Aa%0Ab%0D%0A.%0D%0A", "1s%09%09+%091%0D%0A+-1%0D%0Aa%00b%0D%0A.%0D%0A",
    "1s%09%09+%091%0D%0A+-1%0D%0Aa%0D%0A",  # no end
    "1s%09%09+%091%0D%0A+-2%0D%0Aa%0D%0A.%0D%0A", "1s%0D%0A%09%09" + FORM,
])  # fmt: skip
def test_s6_no_cr_lf_or_nul_but_a_forms_own_reaches_the_request(path):
    parts = decompose(f"gopher://h/{path}")
    with pytest.raises(UnsafeURL) as refused:
        parts.request()
    assert refused.value.section == "6"


def test_s3_4_1_a_selector_holds_any_byte_but_tab_lf_and_cr():
    for byte in set(range(256)) - {0x09, 0x0A, 0x0D}:
        assert decompose(f"gopher://h/0a%{byte:02X}b").request() == b"a" + bytes([byte]) + b"b\r\n"


def test_s3_4_9_a_filled_form_is_sent_as_the_section_prints_it_on_request():
    form = b"+\t1\r\n+-1\r\nred\r\nfox\r\n.\r\n"
    assert decompose("gopher://h/0s%09%09" + FORM).request(literal_form=True) == b"s\t" + form
    assert decompose("gopher://h/0s%09%09" + FORM).request() == b"s\t\t" + form
    # Other strings are unchanged: a search, and a gopher+ string that is not a form.
    assert decompose("gopher://h/0s%09q%09" + FORM).request(literal_form=True) == b"s\tq\t" + form
    assert decompose("gopher://h/0s%09%09+").request(literal_form=True) == b"s\t\t+\r\n"
    assert decompose("gopher://h/0s%09").request(literal_form=True) == b"s\t\r\n"
    with pytest.raises(TypeError, match="positional"):
        decompose("gopher://h/0s").request(True)


@pytest.mark.parametrize("value", [Gopher("h", selector="a\tb"), Gopher("h", selector="s", search="a\tb")])
def test_a_tab_in_selector_or_search_would_divide(value):
    with pytest.raises(UnbuildableURL, match="tab"):
        value.geturl()
    with pytest.raises(UnsafeURL):
        value.request()


@pytest.mark.parametrize("gtype", ["", "12", "é"])
def test_a_gtype_is_one_byte(gtype):
    with pytest.raises(UnbuildableURL) as refused:
        Gopher("h", gtype=gtype).geturl()
    assert refused.value.term == "gtype"


@pytest.mark.parametrize(("url", "offsets"), [
    ("gopher://h/7s%09q", []),
    ("gopher://h/7s%09q%09+", []),
    ("gopher://u@h:71/7%09%09", []),
    ("gopher://h/%37s%09q%09+", []),
    ("gopher://h/7s%09q%09+%091", [21]),  # part of the gopher+ string
    ("gopher://h/%09s%09q", [11]),  # the type
    ("gopher://h/7s%0D%09q%00", [13, 20]),
    ("gopher://h/7s#%09", [14]),
    ("gopher:7s%09q", [9]),
    ("gopher://h%09", [10]),
    ("gopher://h/7%0", []),
    ("http://h/7s%09q", [11]),
    ("ftp://h/7s%09q", [10]),
])  # fmt: skip
def test_the_tabs_that_divide_are_no_hazard(url, offsets):
    found = [one.start for one in fasturl.problems(url) if one.finding == Finding.ENCODED_CONTROL]
    assert found == offsets
    assert bool(fasturl.parse(url).findings & Finding.ENCODED_CONTROL) == bool(offsets)
