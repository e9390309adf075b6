"""Each finding has an example, a place, a term, a section and a message without a secret."""

import random

import pytest

import fasturl
from fasturl import Finding, InvalidURL, parse, problems

pytestmark = pytest.mark.usefixtures("kernel")

EXAMPLES = [
    ("NO_SCHEME", "example.com/x", 0, 0, "scheme", "2.1"),    ("BAD_SCHEME", "ht_tp://h/", 2, 3, "scheme", "2.1"),
    ("CONTROL", "http://h/a\tb", 10, 11, "hpath", "2.2"),     ("NON_ASCII", "ftp://h/\xe9", 8, 9, "fpath", "2.2"),
    ("UNSAFE", "gopher://h/1{", 12, 13, "selector", "2.2"),   ("FRAGMENT", "http://h/#x", 9, 10, "fragment", "2.2"),
    ("BAD_ESCAPE", "http://h/?%4", 10, 11, "search", "2.2"),  ("RESERVED", "http://h/?a/b", 11, 12, "search", "3.3"),
    ("RESERVED", "ftp://a:b:c@h/", 9, 10, "password", "3.1"), ("RESERVED", "wais://h/d;x", 10, 11, "database", "3.9"),
    ("BAD_HOST", "http://a_b/", 8, 10, "host", "3.1"),        ("BAD_PORT", "http://h:8x/", 10, 11, "port", "3.1"),
    ("LOGIN", "http://u@h/", 7, 9, "login", "3.3"),           ("LOGIN", "prospero://u@h/n", 11, 13, "login", "3.11"),
    ("LOGIN", "gopher://u@h/", 9, 11, "login", "3.4"),
    ("BAD_PORT", "http://h:65536/", 9, 14, "port", "RFC 9293 section 3.1"),
    ("BAD_PORT", "file://localhost:80/x", 16, 19, "port", "3.10"),
    ("MISSING", "http:h", 5, 5, "schemepart", "3.1"),         ("MISSING", "nntp://h", 8, 8, "group", "3.7"),
    ("MISSING", "mailto:", 7, 7, "encoded822addr", "3.5"),
    ("BAD_PART", "ftp://h/a;type=x", 15, 16, "ftptype", "3.2"),
    ("BAD_PART", "telnet://h/x", 11, 12, "urlpath", "3.8"),
    ("BAD_PART", "prospero://h/a;b", 16, 16, "fieldspec", "3.11"),
    ("BAD_PART", "news:1.2", 5, 8, "group", "3.6"),           ("PASSWORD", "ftp://u:p@h/", 8, 9, "password", "6"),
    ("NONDEFAULT_PORT", "http://h:8080/", 9, 13, "port", "6"),
    ("RESERVED_PORT", "gopher://h:25/", 11, 13, "port", "6"), ("ENCODED_CONTROL", "http://h/%0a", 9, 12, "hpath", "6"),
    ("DOUBLE_ENCODED", "http://h/%2541", 9, 14, "hpath", "RFC 3986 section 2.4"),
    ("DOUBLE_ENCODED", "http://h/a%25%32e", 10, 17, "hpath", "RFC 3986 section 2.4"),
    ("DOUBLE_ENCODED", "http://h/%%341", 9, 14, "hpath", "RFC 3986 section 2.4"),
    ("OVERLONG_UTF8", "http://h/%c0%af", 9, 12, "hpath", "RFC 3629 section 3"),
    ("OVERLONG_UTF8", "http://h/%e0%80%af", 9, 15, "hpath", "RFC 3629 section 3"),
    ("BACKSLASH", "http://h/\\", 9, 10, "hpath", "WHATWG URL Standard section 4.4"),
    ("MULTIPLE_AT", "ftp://a@b@h/", 7, 10, "login", "fasturl's own finding"),
    ("AMBIGUOUS_AUTHORITY", "ftp://trusted.com?@evil.com/x", 6, 27, "login", "fasturl's own finding"),
    ("AMBIGUOUS_AUTHORITY", "http:\\\\evil.com/", 7, 15, "login", "fasturl's own finding"),
    ("TRAVERSAL", "http://h/a/../../b", 14, 16, "hpath", "RFC 3986 section 5.2.4"),
    ("HOST_AS_SCHEME", "example.com:8080/x", 0, 16, "scheme", "fasturl's own finding"),
    ("HOST_AS_SCHEME", "localhost:3000", 0, 14, "scheme", "fasturl's own finding"),
    ("LATE_AT", "postgresql://u:s3c/ret@h/db", 13, 23, "login", "fasturl's own finding"),
]  # fmt: skip
SECRET = "hunter2!"


@pytest.mark.parametrize("text", [
    "tel:112", "SMS:5550", "http:80", "x:65536", "x:80a", "x:", "x:80;y", "x://h:80", "news:7", "x:/80", "h:80:90",
])  # fmt: skip
def test_a_scheme_without_a_port_is_no_host(text: str) -> None:
    assert Finding.HOST_AS_SCHEME not in parse(text).findings


@pytest.mark.parametrize("text", [
    "http://h:8443/@user", "http://h/@user", "x://u:p@h/a@b", "http://[::1]:80/a@b", "x://u:12345?@", "mailto:a:b@h",
])  # fmt: skip
def test_an_at_behind_a_host_and_its_port_is_no_hazard(text: str) -> None:
    assert Finding.LATE_AT not in parse(text).findings


@pytest.mark.parametrize(("name", "text", "start", "end", "term", "section"), EXAMPLES)
def test_each_finding_has_its_place(name, text, start, end, term, section) -> None:
    finding = Finding[name]
    assert finding in parse(text).findings
    found = [problem for problem in problems(text) if problem.finding == finding]
    assert [(problem.start, problem.end) for problem in found] == [(start, end)]
    citation = section if " " in section else f"RFC 1738 section {section}"
    assert found[0].message.endswith(f"({citation})")
    assert f"offset {start}" in found[0].message
    assert found[0].message.startswith(f"{term}:")
    if finding & Finding.VIOLATIONS:
        with pytest.raises(InvalidURL) as caught:
            parse(text, strict=True)
        assert caught.value.offset == parse(text).error_offset
        if caught.value.finding == finding:
            assert (caught.value.term, caught.value.section) == (term, section)
    else:
        assert parse(text).valid_rfc1738 or any(p.finding & Finding.VIOLATIONS for p in problems(text))


def test_every_finding_has_an_example() -> None:
    assert {name for name, *_ in EXAMPLES} == {finding.name for finding in Finding}
    assert Finding.VIOLATIONS | Finding.HAZARDS == sum(Finding)
    assert not Finding.VIOLATIONS & Finding.HAZARDS


def test_problems_sum_to_the_findings(tries) -> None:
    rng = random.Random(6)
    pieces = ["http://", "ftp://", "u:p@", "@", "h", ":", "80", "/", "?", "#"]
    pieces += ["%", "%00", "%25", "41", "\\", " ", "\xe9"]
    for _ in range(tries // 4):
        text = "".join(rng.choices(pieces, k=rng.randint(0, 8)))
        url = parse(text)
        found = problems(text)
        assert sum({p.finding for p in found}) == url.findings
        violations = [p.start for p in found if p.finding & Finding.VIOLATIONS]
        assert url.error_offset == min(violations, default=None)
        assert url.valid_rfc1738 == (not violations)
        places = [(p.start, p.finding, p.end) for p in found]
        assert places == sorted(places)
        assert problems(url) == found


@pytest.mark.parametrize("text", ["//@u:p@\\@", "//u:p@\\\\h\\@", "//::@h\\u:p@", "foo://a:@?@", "ftp://u:p@\\@"])
def test_passwords_of_two_readings_are_sorted(text) -> None:
    found = [(p.start, p.end) for p in problems(text) if p.finding is Finding.PASSWORD]
    assert len(found) == 2 and found[0][0] == found[1][0] and found[0][1] < found[1][1]


def test_double_encoding_is_an_escaped_percent_and_two_hex_digits() -> None:
    digits = b"0123456789abcdefABCDEF"
    for byte in range(256):
        for first, second in ((byte, 0x34), (0x34, byte)):
            text = b"http://h/%25" + bytes((first, second))
            found = [(p.start, p.end) for p in problems(text) if p.finding is Finding.DOUBLE_ENCODED]
            assert found == ([(9, 14)] if first in digits and second in digits else []), text


@pytest.mark.parametrize("text", [
    f"http://u:{SECRET}@h/", f"ftp://u:{SECRET} x@h/", f"ftp://u:{SECRET}:y@h/", f"ftp://u:{SECRET}\\@h_/",
    f"ftp://{SECRET}\xe9@h:x/", f"http://u:{SECRET}/path@h/", f"http://u:{SECRET}", f"foo://u:{SECRET}%@h/",
])  # fmt: skip
def test_no_message_shows_a_password(text) -> None:
    for given in (text, text.encode()):
        for problem in problems(given):
            assert SECRET not in problem.message
            shown = problem.message.split(" at offset")[0]
            assert len(shown) <= len("encoded822addr: '\\x00'") + 2
        try:
            parse(given, strict=True)
        except InvalidURL as error:
            assert SECRET not in str(error)
        try:
            _ = parse(given).port
        except ValueError as error:
            assert SECRET not in str(error)


def test_a_million_problems_are_listed() -> None:
    found = problems("http://h/" + " " * 100_000)
    assert len(found) == 100_000
    assert fasturl.parse("http://h/" + "%" * 100_000).error_offset == 9


@pytest.mark.parametrize("reserved", ["/", "?"])
@pytest.mark.parametrize("path", [0, 1, 40, 44, 45, 46, 63, 64, 130])
def test_a_reserved_byte_in_a_search_is_found_in_any_block(reserved: str, path: int, kernel: str) -> None:
    before = "http://host.example/" + "a" * path + "?"
    for search in (0, 1, 20, 62, 63, 64, 65, 127, 128, 200):
        text = before + "b" * search + reserved + "c"
        url = fasturl.parse(text)
        assert url.findings == Finding.RESERVED and url.error_offset == len(text) - 2, text
        assert fasturl.parse(text[:-2] + "c").valid_rfc1738, text


def test_an_unknown_name_gets_the_nearest_finding() -> None:
    with pytest.raises(ValueError, match=r"'BAD_ESCAP' is not a valid Finding; did you mean Finding\.BAD_ESCAPE\?"):
        Finding("BAD_ESCAP")  # type: ignore[arg-type]
