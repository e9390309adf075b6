"""Are the lines of AWS and Squid read to what these servers mean, up to the bounds of each field?"""

import gc
import weakref
from typing import Any

import pytest

from fasturl import logs
from fasturl.logs.formats.catalog import make_format
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.inputs.source_specs import Bytes
from fasturl.logs.jobs import Job

SQUID = b"1431857103.25   120 192.0.2.1 TCP_MISS/200 99 GET http://h/a - DIRECT/h text/html"
ELB = (
    b"2015-05-13T23:39:43.945958Z lb 192.0.2.1:2817 10.0.0.1:80 0.1 0.2 0.3 200 201 0 29 "
    b'"GET http://h:80/ HTTP/1.1" "curl/7" ECDHE TLSv1.2'
)
ALB = b"h2 " + ELB
S3 = (
    b"owner bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 user id REST.GET.OBJECT key "
    b'"GET /bucket?x HTTP/1.1" 200 - 113 - 7 - "http://r/" "S3Console" - host SigV4'
)
LINES = {"SQUID": SQUID, "AWSELB": ELB, "AWSALB": ALB, "AWSS3": S3}


def column(name: str, line: bytes, field: str) -> Any:
    """Return the value of a column before an output writes it as text."""
    job = Job(Bytes("", iter(())), make_format(name), (field,), True, diagnosed=False)
    job.add_lines(Lines(1, line + b"\n"))
    job.batches[0].start = 0
    unit = job.run()
    return unit.columns[field].to_pylist() if not unit.rejects else None


@pytest.mark.parametrize(("name", "old", "new", "field", "value"), [
    ("SQUID", b"", b"", "time", b"2015-05-17T10:05:03.250000+00:00"),
    ("SQUID", b".25 ", b".0 ", "time", b"2015-05-17T10:05:03+00:00"),
    ("SQUID", b".25 ", b".123456 ", "time", b"2015-05-17T10:05:03.123456+00:00"),
    ("SQUID", b"1431857103", b"143185710300", "time", b"143185710300.25"),
    ("SQUID", b"   120", b" -1", "status", 200),
    ("SQUID", b" 99 ", b" 18446744073709551616 ", "size", None),
    ("SQUID", b"http://h/a", rb"[::1]\x41:443", "url", rb"[::1]\x41:443"),
    ("SQUID", b" - DIRECT", rb" a\x41 DIRECT", "user", b"aA"),
    ("SQUID", b"192.0.2.1", b"-", "client", None),            ("SQUID", b"/200", b"/000", "status", None),
    ("AWSELB", b" 200 ", b" -1 ", "status", None),
    ("AWSELB", b"", b"", "time", b"2015-05-13T23:39:43.945958Z"),
    ("AWSELB", b"", b"", "client", b"192.0.2.1"),             ("AWSELB", b".1:2817", b".1", "client", b"192.0.2.1"),
    ("AWSELB", b"192.0.2.1:2817", b"::1:123456", "client", b"::1:123456"),
    ("AWSELB", b"192.0.2.1:2817", b":2817", "client", b":2817"),
    ("AWSELB", b"192.0.2.1:2817", b"h" * 255 + b":1", "client", b"h" * 255),
    ("AWSELB", b" 200 ", b" - ", "status", None),             ("AWSELB", b" 0 29", b" -1 -", "size", None),
    ("AWSELB", b' "curl/7" ECDHE', b"", "agent", None),       ("AWSELB", b' "curl/7"', b"", "agent", None),
    ("AWSELB", b"curl/7", rb"a \"b\"", "agent", b'a "b"'),    ("AWSALB", b"h2", b"https", "url", b"http://h:80/"),
    ("AWSALB", b"2015-05-13T23:39:43.945958Z", b"1431857103.25", "time", b"2015-05-17T10:05:03.250000+00:00"),
    ("AWSALB", b"2015-05-13T23:39:43.945958Z", b"1431857103", "time", b"2015-05-17T10:05:03+00:00"),
    ("AWSS3", b"06/Feb/2019:00:00:38 +0000", b"1431857103.", "time", b"1431857103."),
    ("AWSS3", b"", b"", "time", b"2019-02-06T00:00:38+00:00"),
    ("AWSS3", b"06/Feb/2019:00:00:38 +0000", b"yesterday", "time", b"yesterday"),
    ("AWSS3", b"06/Feb/2019:00:00:38 +0000", b"-", "time", None),
    ("AWSS3", b"bucket ", b"- ", "vhost", b"-"),              ("AWSS3", b" user ", rb" - ", "user", None),
    ("AWSS3", b"http://r/", b"-", "referer", None),
    ("AWSS3", b"GET /bucket?x HTTP/1.1", rb"\x16", "url", b"\x16"),
])  # fmt: skip
def test_fields(name: str, old: bytes, new: bytes, field: str, value: Any) -> None:
    assert column(name, LINES[name].replace(old, new, 1), field) == [value]


@pytest.mark.parametrize(("name", "old", "new"), [
    ("SQUID", b".25 ", b" "),                                 ("SQUID", b".25 ", b".1234567 "),
    ("SQUID", b"1431857103", b"1431857103000"),               ("SQUID", SQUID[10:], b""),
    ("SQUID", SQUID[12:], b""),                               ("SQUID", SQUID[SQUID.index(b"200") :], b""),
    ("SQUID", b"TCP_MISS/", b"/"),                            ("SQUID", b"1431857103", b""),
    ("SQUID", b"   120", b" x"),                              ("SQUID", b"   120", b""),
    ("SQUID", b"/200", b"/-"),                                ("SQUID", b"/200", b"/20"),
    ("SQUID", b" 99 ", b" - "),                               ("SQUID", b" GET", b' "GET'),
    ("SQUID", b" text/html", b""),                            ("SQUID", b" text/html", b" text/html more"),
    ("SQUID", b"DIRECT/h", b"DIRECT"),                        ("AWSELB", b"2015-05-13T23:39:43.945958Z", b"2015-05-1"),
    ("AWSELB", b"2015-05-13T23:39:43.945958Z", b"2015-05-13" * 5),
    ("AWSELB", b"2015-05-13T23:39:43.945958Z", b"T2015-05-13"),
    ("AWSELB", b"192.0.2.1:2817", b"h" * 256),                ("AWSELB", b"192.0.2.1:2817", b'"'),
    ("AWSELB", ELB, b"x"),                                    ("AWSELB", b" 200 ", b" 20 "),
    ("AWSELB", b" 200 ", b" -2 "),                            ("AWSELB", b" 200 ", b" 600 "),
    ("AWSELB", b" 0 29", b" 0 -2"),                           ("AWSELB", b" 0 29", b" x 29"),
    ("AWSELB", b"curl/7", b'curl"7'),                         ("AWSELB", b' "curl/7" ECDHE TLSv1.2', b" " + ELB),
    ("AWSALB", b"h2 ", b""),                                  ("AWSALB", b"h2", b"h"),
    ("AWSALB", b"h2", b"h22"),                                ("AWSALB", ALB[2:], b""),
    ("AWSALB", b' "curl/7"', b""),                            ("AWSS3", b"06/Feb/2019:00:00:38 +0000", b""),
    ("AWSS3", b"06/Feb/2019:00:00:38 +0000", b"x" * 65),
])  # fmt: skip
def test_lines_of_another_form_are_rejects(name: str, old: bytes, new: bytes) -> None:
    assert old in LINES[name] and column(name, LINES[name].replace(old, new, 1), "url") is None


@pytest.mark.parametrize(("more", "is_record"), [
    (b' [a] "b" [c][d]"e"', True), (rb' "a \" HTTP/1.1"', True), (b' "GET HTTP/1.1"', True), (b' "GET  HTTP/x"', True),
    (b' " GET / HTTP/1.1"', True), (b' "GET  HTTP/1"', False), (b' "a b HTTP/1 c"', False), (b' "a HTTP/1', False),
    (b" a]", False), (b' "a"b', False),
])  # fmt: skip
def test_fields_after_the_known_ones(more: bytes, is_record: bool) -> None:
    for name in ("AWSELB", "AWSALB", "AWSS3"):
        assert (column(name, LINES[name] + more, "url") is not None) is is_record


@pytest.mark.parametrize("name", LINES)
def test_a_record_torn_into_another_is_a_reject(name: str) -> None:
    line = LINES[name]
    first = line.index(b" ")
    for at in range(first + 1, line.rindex(b'"') if b'"' in line else len(line)):
        found = column(name, line[:at] + line, "url")
        assert found is None or at < 4 + first, line[:at]


def test_a_custom_format_with_arguments() -> None:
    chosen = logs.parse_lines([b"/a PUT", b"/a GET b", b"/a GETS", b"/a PU", b"/a "], "%U %{GET|PUT}^", ["url"])
    assert chosen["rejected"].to_pylist() == [False, False, True, True, True]
    made = logs.line_format('%{GET|PUT}^ %{port}h %{any}U%? "%u"')
    lines = [b'GET h:80 /a"[b] "x"', b"PUT h /a", b"POST h /a", b"GET h /a b"]
    found = logs.parse_lines(lines, made, ["client", "url", "agent"]).to_pylist()
    assert [(row["client"], row["url"], row["agent"]) for row in found] == [
        ("h", '/a"[b]', "x"), ("h", "/a", None), (None, None, None), ("h", "/a", None),
    ]  # fmt: skip


@pytest.mark.parametrize(("spelled", "message"), [
    ("%^ %{any}s %U", "offset 3: %{any}s: no field takes this argument"),
    ("%^ %{}h %U", "offset 3: %{}h: no field takes this argument"),
    ("%^ %{a|b}h %U", "no field takes this argument"),
])  # fmt: skip
def test_an_argument_that_no_field_takes_names_the_place(spelled: str, message: str) -> None:
    with pytest.raises(logs.LogError, match=message):
        logs.line_format(spelled)


@pytest.mark.parametrize("keep", [(), ("s-ip",)])
def test_a_log_with_many_directives_holds_no_earlier_fields(keep: tuple[str, ...]) -> None:
    fmt = make_format("W3C")
    if keep:
        fmt.keep(keep)
    alive = []
    for first in range(1, 100, 2):
        fields = b"#Fields: date time cs-uri-stem sc-status s-ip" + b" sc-bytes" * (first % 4 == 1)
        [(part, _)] = fmt.parts(Lines(first, fields + b"\n2015-05-17 10:05:03 /a 200 192.0.2.1 1\n"))
        alive.append(weakref.ref(part))
        del part
    gc.collect()
    assert sum(each() is not None for each in alive) == 1
