"""Long texts are read whole, whatever their content, in linear memory (bench/growth.py counts the work)."""

import pytest
from support import measured, run_python

import fasturl

MILLION = 1_000_000
HEADS = ("", "http://", "http://h/", "http://h/?", "ftp://", "ftp://u:", "news:", "nntp://h/g/", "wais://h/", "file://",
         "prospero://h/", "telnet://h/", "gopher://h/", "mailto:", "x:", "//", "http://[")  # fmt: skip
UNITS = ("@", ":", "%", ";", ".", "/", "?", "#", "[", "]", "=", "&", "-", " ", "\\")
UNITS += ("%2", "%25", "%25%", "a", "a.", "a-", "0.")


@pytest.mark.parametrize("unit", UNITS)
def test_long_runs_are_read_whole(unit) -> None:
    for head in HEADS:
        text = head + unit * (MILLION // 10)
        url = fasturl.parse(text)
        assert url.text is text
        assert "".join(text[slice(*url.span(n))] for n in ("path",)) == url.path
        _ = url.findings, url.hostname, url.username, url.password, url.query
        fasturl.parse(text.encode(), form="request-target")


def test_a_hundred_megabytes() -> None:
    script = (
        "import fasturl\n"
        "from support import peak\n"
        "text = b'http://h/' + b'a' * 100_000_000\n"
        "before = peak()\n"
        "url = fasturl.parse(text)\n"
        "assert url.valid_rfc1738 and url.text is text\n"
        "assert fasturl.parse(text + b' ').error_offset == len(text)\n"
        "print(peak() - before)\n"
    )
    pytest.importorskip("resource")
    assert (
        int(run_python("-c", script, env=measured())) < 250_000
    )  # KiB: little more than the script's copy of its text
