"""Lines of custom formats that end, or go on, where a reader may run too far or stop too soon."""

from datetime import UTC, datetime
from typing import Any

import pytest
from customjson import ALL
from customlogs import NAMES, Custom

from fasturl import logs

MAY = datetime(2015, 5, 17, 10, 5, 3, tzinfo=UTC)


def row_of(line: str | bytes, spelled: str, names: tuple[str, ...], **forms: str) -> dict[str, Any]:
    row: dict[str, Any] = logs.parse_lines([line], logs.line_format(spelled, **forms), list(names)).to_pylist()[0]
    return row


@pytest.mark.parametrize("custom", ALL, ids=lambda custom: custom.name)
def test_a_line_cut_anywhere_is_what_a_slow_pattern_says(custom: Custom) -> None:
    line = custom.lines[0]
    cut = [line[:end] for end in range(1, len(line))]
    want = [custom.row(part) is None for part in cut]
    found = logs.parse_lines(cut, custom.make(), list(NAMES)).to_pylist()
    assert [row["rejected"] for row in found] == want


@pytest.mark.parametrize(("line", "spelled", "forms"), [
    ("/a 05/17/15 11:05:03 pM", "%U %x", {"date_format": "%D %I:%M:%S %p"}),
    ("/a Sun, 17 May 2015 10:05:03.25 GMT", "%U %x", {"date_format": "%a, %d %B %Y %T.%f %Z"}),
    ("/a 2015-05- 7 10:05:03", "%U %x", {"date_format": "%Y-%m-%e %T"}),
    ('"host.dom /a\\"b" 200', '"$host $request_uri" $status', {}),
    ("a   7", "%U%~%b", {}),
])  # fmt: skip
def test_no_beginning_without_the_last_field_is_a_record(line: str, spelled: str, forms: dict[str, str]) -> None:
    assert not row_of(line, spelled, ("url",), **forms)["rejected"]
    last = max(line.rfind(" "), line.rfind(":")) + 1
    rows = logs.parse_lines([line[:end] for end in range(1, last + 1)], logs.line_format(spelled, **forms), ["url"])
    assert all(row["rejected"] for row in rows.to_pylist())


@pytest.mark.parametrize(("written", "form", "found"), [
    ("2015-05-17T10:05:03z", "%FT%T%z", MAY),                 ("2015-05-17T12:05:03+02", "%FT%T%z", MAY),
    ("2015-05-17T10:05:03+x2", "%FT%T%z", None),              ("2015-05-17T10:05:03+0x", "%FT%T%z", None),
    ("2015-05-17T10:05:03+02:x0", "%FT%T%z", None),           ("2015-05-17T10:05:03+02:0x", "%FT%T%z", None),
    ("2015-05-17T10:05:03+02:", "%FT%T%z", None),             ("1un, 17 May 2015 10:05:03", "%a, %d %B %Y %T", None),
    ("1424167503", "%s", datetime(2015, 2, 17, 10, 5, 3, tzinfo=UTC)),
    ("1419847503", "%s", datetime(2014, 12, 29, 10, 5, 3, tzinfo=UTC)),
])  # fmt: skip
def test_zones_days_and_months_at_their_ends(written: str, form: str, found: datetime | None) -> None:
    for line, spelled in ((f'[{written}] "GET /"', '[%x] "%r"'), (f"/a {written}", "%U %x")):
        assert row_of(line, spelled, ("time",), date_format=form).get("time") == found


def test_seconds_since_1970_may_end_a_line() -> None:
    for letter, digits in (("sec", ""), ("msec", "000"), ("usec", "000000")):
        assert row_of(f"/a 1431857103{digits}", f"%U %{{{letter}}}t", ("time",))["time"] == MAY
    assert row_of("/a -", "%U %{sec}t", ("url", "time")) == {"url": "/a", "time": None, "rejected": False}


def test_a_time_that_a_line_does_not_name_takes_no_fraction_and_no_zone() -> None:
    spelled = "%{%Y-%m-%d %H:%M:%S}t.%{usec_frac}t %{%z}t %U"
    row = row_of("-.000250 +0200 /a", spelled, ("time", "url"))
    assert (row["time"], row["url"], row["rejected"]) == (None, "/a", False)


@pytest.mark.parametrize(("written", "found"), [
    ("17/May/2015 10:05:03.25", MAY.replace(microsecond=250_000)),
    ("17/May/2015 10:05:03.x", MAY),
    ("- 10:05:03.25", None),
    ("- -.25", None),
])  # fmt: skip
def test_a_date_that_a_line_does_not_name_takes_nothing_behind_its_dot(written: str, found: datetime | None) -> None:
    row = row_of(f"[{written}] /a", "[%d %t.%^] %U", ("time", "url"), date_format="%d/%b/%Y", time_format="%T")
    assert (row["time"], row["url"], row["rejected"]) == (found, "/a", False)


@pytest.mark.parametrize(("line", "spelled", "names", "found"), [
    ('"h\\"x /a" 200', '"$host $request_uri" $status', ("vhost", "url"), ('h\\"x', "/a")),
    ('"h,/a" 200', '"$host,$request_uri" $status', ("vhost", "url"), ("h", "/a")),
    ("/a -", "%U %b", ("url", "size"), ("/a", None)),
    ("/a -12", "%U %b", ("url", "size"), ("/a", None)),
    ("/a -12 200", "%U %b %>s", ("url", "status"), ("/a", 200)),
    ("/a ?b=1 200", "%U %q %>s", ("url",), ("/a?b=1",)),
    ("192.0.2.7 :x /a", "~h{, } %^ %U", ("client", "url"), ("192.0.2.7", "/a")),
    ('h - frank [17/May/2015:10:05:03 +0000] "GET /a"', '%h %^[%d:%t %^] "%r"', ("client", "url"), ("h", "/a")),
    ('h - - [17/May/2015:10:05:03 +0000] "GET /a"', '%h %^[%d:%t %^] "%r"', ("client", "url"), ("h", "/a")),
])  # fmt: skip
def test_fields_at_their_ends(line: str, spelled: str, names: tuple[str, ...], found: tuple[Any, ...]) -> None:
    forms = {"date_format": "%d/%b/%Y", "time_format": "%H:%M:%S"} if "%d:%t" in spelled else {}
    row = row_of(line, spelled, names, **forms)
    assert tuple(row.get(name) for name in names) == found


@pytest.mark.parametrize(("line", "spelled"), [
    ('"h"x /a" 200', '"$host $request_uri" $status'),         ('"h"x,/a" 200', '"$host,$request_uri" $status'),
    ("/a -: 200", "%U %b %>s"),                               ("/a -x", "%U %b"),
    ('h a b - [17/May/2015:10:05:03 +0000] "GET /a"', '%h %l %u %t "%r"'),
])  # fmt: skip
def test_what_a_field_does_not_end_with(line: str, spelled: str) -> None:
    assert row_of(line, spelled, ("url",))["rejected"]


@pytest.mark.parametrize(("more", "is_record"), [
    (b" [abc", False), (b" [abc]", True), (b" [a bc]", False), (b" [a[b]", False), (b' [a"b]', False), (b" [", False),
    (b" a]b", False),
])  # fmt: skip
def test_brackets_behind_a_combined_line_come_in_pairs_without_a_space(more: bytes, is_record: bool) -> None:
    line = b'h - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 7 "-" "agent"' + more
    assert logs.parse_lines([line], "COMBINED", ["url"]).to_pylist()[0]["rejected"] is not is_record


@pytest.mark.parametrize(("written", "agent"), [
    ("x\\", "x\\"),                        ("x\\u", "x\\u"),                      ("x\\u00", "x\\u00"),
    ("x\\u0041", "xA"),                    ("x\\ud83d\\uffff", "x\\ud83d\uffff"),
    ("x\\ud83d\\nabcdefg", "x\\ud83d\nabcdefg"),                                  ("x\\ud83d\\n", "x\\ud83d\n"),
])  # fmt: skip
def test_escapes_of_json_at_the_end_of_a_line(written: str, agent: str) -> None:
    row = row_of(f"/a {written}", "log_format a escape=json '$request_uri $http_user_agent';", ("url", "agent"))
    assert (row["url"], row["agent"]) == ("/a", agent)


def test_versions_of_http_that_take_turns() -> None:
    lines = [f'h - - [17/May/2015:10:05:03 +0000] "GET /{i} HTTP/1.{i % 2}" 200 7' for i in range(200)]
    found = logs.parse_lines(lines, "COMMON", ["url", "protocol"]).to_pylist()
    assert [row["protocol"] for row in found] == [f"HTTP/1.{i % 2}" for i in range(200)]


def test_an_object_without_a_target_is_a_reject_and_an_empty_target_is_one() -> None:
    lines = [b'{"s":200}', b'{"u":"/a","s":201}', b'{"u":"","s":202}']
    made = logs.json_format({"target": "u", "status": "s"})
    by_request = logs.parse_lines(lines, made, ["url", "status"]).to_pylist()
    assert [(row["url"], row["rejected"]) for row in by_request] == [(None, True), ("/a", False), ("", False)]
    by_url = logs.read([b"\n".join(lines)], made, ["line", "url", "status"], rows="url").read_all().to_pylist()
    assert by_url == [{"line": 2, "url": "/a", "status": 201}, {"line": 3, "url": "", "status": 202}]


def test_a_record_whose_target_is_a_hyphen_is_a_row_by_request_and_none_by_url() -> None:
    log = b"- - http://r/ 200\n/a b=1 - 200\n"
    made = logs.line_format("$uri $args $http_referer $status")
    by_request = logs.read([log], made, ["line", "url", "referer"], rows="request").read_all().to_pylist()
    assert by_request == [
        {"line": 1, "url": None, "referer": "http://r/"},
        {"line": 2, "url": "/a?b=1", "referer": None},
    ]
    by_url = logs.read([log], made, ["line", "url"], rows="url").read_all().to_pylist()
    assert by_url == [{"line": 1, "url": "http://r/"}, {"line": 2, "url": "/a?b=1"}]
