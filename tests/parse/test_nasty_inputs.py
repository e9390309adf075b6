"""Forty-two inputs that common parsers refuse, rewrite or misread: parse keeps each as written."""

import pytest
from nasty import NASTY, TARGET, URL

import fasturl
from fasturl import Finding

pytestmark = pytest.mark.usefixtures("kernel")


def test_there_are_forty_two() -> None:
    assert len(NASTY) == 42


@pytest.mark.parametrize(("text", "form", "parts", "names", "offset"), NASTY, ids=range(1, 43))
@pytest.mark.parametrize("kind", ["as written", "bytes"])
def test_each_nasty_input_has_its_parts_and_findings(text, form, parts, names, offset, kind) -> None:
    if kind == "bytes" and isinstance(text, str):
        text = text.encode()
        parts = tuple(part.encode() for part in parts)
    url = fasturl.parse(text, form=form)
    assert tuple(url) == parts
    assert url.text == text
    assert url.geturl() == text
    assert type(url.path) is type(text)
    expected = Finding(0)
    for name in names.split():
        expected |= Finding[name]
    assert url.findings == expected
    assert url.error_offset == offset
    assert url.valid_rfc1738 == (offset is None)


@pytest.mark.parametrize(("text", "form", "hostname", "port"), [
    ("example.com:443", TARGET, "example.com", 443), ("[::1]:443", TARGET, "::1", 443),
    ("//admin/x?y", TARGET, None, None), ("http://u:p:q@ex:8080/", URL, "ex", 8080),
    ("http://u:p@ss@EX/", URL, "ex", None), ("http://[::1]:80/x", URL, "::1", 80),
    ("http://[fe80::1%25eth0]/", URL, "fe80::1%25eth0", None), ("http://ex:/", URL, "ex", None),
    ("http://good.com\\@evil.com/", URL, "evil.com", None), ("HTTP://EX.com:80/", URL, "ex.com", 80),
    ("http://h:0080/", URL, "h", 80),
])  # fmt: skip
def test_nasty_inputs_have_their_host_and_port(text, form, hostname, port) -> None:
    url = fasturl.parse(text, form=form)
    assert (url.hostname, url.port) == (hostname, port)
    data = fasturl.parse(text.encode(), form=form)
    assert (data.hostname, data.port) == (hostname and hostname.encode(), port)


@pytest.mark.parametrize(
    "text", ["http://ex:99999/", "http://ex:8a/", "http://ex:\u0661/", "http://ex:+1/", "http://ex: 1/"]
)
def test_a_bad_port_raises_when_it_is_read(text) -> None:
    url = fasturl.parse(text)
    assert Finding.BAD_PORT in url.findings
    with pytest.raises(ValueError, match="Port"):
        _ = url.port


def test_empty_and_absent_differ() -> None:
    url = fasturl.parse("http://ex/?#")
    assert url.span("query") == (11, 11)
    assert url.span("fragment") == (12, 12)
    bare = fasturl.parse("http://ex/")
    assert bare.span("query") is None
    assert bare.span("fragment") is None
    assert str(url) == "http://ex/?#"
