"""Messages: each names the character, its offset, and what would be right."""

import pytest

from fasturl import Finding, InvalidURL, parse, problems
from fasturl._findings import REASONS

MESSAGES = {
    "file://localhost:80/x": "port: ':' at offset 16: file has no port; remove it (RFC 1738 section 3.10)",
    "http://h:/": "port: at offset 9: empty port; write a number, or remove the ':' (RFC 1738 section 3.1)",
    "https:example.com": (
        "schemepart: at offset 6: `//` is missing; write it after the scheme's ':' (RFC 1738 section 3.1)"
    ),
    "http://a.1/": (
        "host: at offset 10: the last label starts with a digit; start it with a letter (RFC 1738 section 3.1)"
    ),
    "http://h:70000/": "port: '7' at offset 9: above 65535, the largest port (RFC 9293 section 3.1)",
    "http://h:8x/": "port: 'x' at offset 10: not a digit; a port is a number from 0 to 65535 (RFC 1738 section 3.1)",
    "http://h/a b": "hpath: ' ' at offset 10: an unsafe character; escape it as %20 (RFC 1738 section 2.2)",
    "http://h/\t": "hpath: '\\t' at offset 9: a raw control character; escape it as %09 (RFC 1738 section 2.2)",
    "http://h/é": "hpath: '\\xe9' at offset 9: a raw byte above 7E; escape it as %C3%A9 (RFC 1738 section 2.2)",
    "http://h/€": "hpath: '\\u20ac' at offset 9: a raw byte above 7E; escape it as %E2%82%AC (RFC 1738 section 2.2)",
    "http://h/?a/": (
        "search: '/' at offset 11: a reserved character that divides nothing here; escape it as %2F "
        "(RFC 1738 section 3.3)"
    ),
    "http://u@h/": (
        "login: at offset 7: this scheme allows no user or password; remove the text up to the '@' "
        "(RFC 1738 section 3.3)"
    ),
    "http://a-.b/": (
        "host: '.' at offset 9: a label ends with '-'; end it with a letter or digit (RFC 1738 section 3.1)"
    ),
    "http://a_b/": (
        "host: '_' at offset 8: not allowed in a host, which holds letters, digits, '-' and '.' (RFC 1738 section 3.1)"
    ),
    "http://1.2.3/": (
        "host: at offset 12: a hostnumber has four groups of digits; write four, or a name (RFC 1738 section 3.1)"
    ),
    "http://h./": "host: at offset 9: the host ends with '.'; remove it (RFC 1738 section 3.1)",
    "http://h\\/": (
        "host: '\\\\' at offset 8: an unsafe character, which a host does not allow; remove it (RFC 1738 section 2.2)"
    ),
    "news:1": (
        "group: '1' at offset 5: not a group's name: a letter, then letters, digits, '-', '.', '+' and '_' "
        "(RFC 1738 section 3.6)"
    ),
    "prospero://h/a;b": "fieldspec: at offset 16: a field without '='; write name=value (RFC 1738 section 3.11)",
    "x": "scheme: at offset 0: no scheme; a URL starts with one, such as http: (RFC 1738 section 2.1)",
}


@pytest.mark.parametrize("url", MESSAGES)
def test_a_message_names_the_character_its_offset_and_what_would_be_right(url: str) -> None:
    assert MESSAGES[url] in [problem.message for problem in problems(url)]
    with pytest.raises(InvalidURL) as caught:
        parse(url, strict=True)
    if caught.value.finding != Finding.AMBIGUOUS_AUTHORITY and url != "http://h\\/":
        assert str(caught.value) == MESSAGES[url]


def test_bytes_have_the_same_messages_but_for_bytes_above_7e() -> None:
    for url in MESSAGES:
        if url.isascii():
            assert [p.message for p in problems(url)] == [p.message for p in problems(url.encode())]
    (found,) = problems(b"http://h/\xe9")
    assert found.message == "hpath: '\\xe9' at offset 9: a raw byte above 7E; escape it as %E9 (RFC 1738 section 2.2)"


def test_an_escape_is_shown_whole_and_a_password_never() -> None:
    assert problems("http://h/%0d")[0].message.startswith("hpath: '%0d' at offset 9: ")
    for url in ("ftp://u:p%0dq@h/", "ftp://u:p q@h/", "ftp://u:p\xe9@h/"):
        for problem in problems(url):
            assert "'" not in problem.message.partition(" at offset")[0] and "%" not in problem.message


def test_every_special_sentence_has_a_url() -> None:
    """Each sentence of REASONS is some URL's message."""
    urls = [
        *MESSAGES,
        *["http://\t/", "http://\xe9/", "http://[::1]/", "http://%41/", "http://a..b/", "http://-a/", "http://a-/",
          "http:///"],
        *["file://h", "ftp://h/;type=", "ftp://h/;type=x", "mailto:", "news:", "news:@h", "nntp://h", "nntp://h/g/",
          "nntp://h/g/x"],
        *["wais://h", "wais://h/d/t", "prospero://h", "telnet://h/a"],
    ]  # fmt: skip
    told = {problem.message for url in urls
            for problem in problems(url)} | {p.message for p in problems("", form="request-target")}  # fmt: skip
    for name, reasons in REASONS.items():
        for reason, sentence in reasons.items():
            assert any(f": {sentence}" in message for message in told), (name, reason)


def test_findings_print_their_names() -> None:
    found = parse("http://u:p@h:8080/a b").findings
    assert str(found) == f"{found}" == "UNSAFE|LOGIN|PASSWORD|NONDEFAULT_PORT"
    assert str(Finding(0)) == "none" and f"{found:d}" == str(int(found)) and f"{found:#x}" == hex(found)
    assert f"{Finding.UNSAFE:>8}" == "  UNSAFE"
