"""Is a format inferred from lines that prove one, and from no others?"""

import pickle
import random
import re
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logsamples import PREFIXES, PROVEN, REFUSED

from fasturl import logs
from fasturl.logs.formats.inferred import infer
from fasturl.logs.formats.keyed import infer_keys
from fasturl.logs.formats.messages import Tally


def block(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def told(value: Any) -> Any:
    return value.isoformat().removesuffix("+00:00") if isinstance(value, datetime) else value


@pytest.mark.parametrize(("name", "lines", "want"), PROVEN, ids=[name for name, *_ in PROVEN])
def test_what_lines_prove_is_read(name: str, lines: list[str], want: dict[str, Any]) -> None:
    found = logs.detect([block(lines)])
    assert found.name not in ("UNKNOWN", "URLS")
    rows = logs.read([block(lines)], fields=[*want], allow_rejects=True).read_all().to_pylist()
    assert {column: told(value) for column, value in rows[-1].items()} == want
    if found.format_string:
        # The format that is shown reads the same.
        assert found.name.endswith("INFERRED") and f"'{found.format_string}'" in str(found)
        for fmt in (found.format_string, found, pickle.loads(pickle.dumps(found.log))):
            assert logs.read([block(lines)], fmt, [*want], allow_rejects=True).read_all().to_pylist() == rows


@pytest.mark.parametrize(("name", "lines"), REFUSED, ids=[name for name, _ in REFUSED])
@pytest.mark.parametrize("times", [1, 20])
def test_lines_without_a_proof_are_refused(name: str, lines: list[str], times: int) -> None:
    for some in (lines, *([line] for line in lines)):
        assert logs.detect([block(some * times)]).name in ("UNKNOWN", "JSONL"), some


@pytest.mark.parametrize("prefix", PREFIXES, ids=[start for _, start in PREFIXES])
def test_a_proven_line_behind_a_prefix(prefix: tuple[str, str]) -> None:
    lines = [f"{prefix[1]}{ip} GET /a{ip} -> 200 (12ms)" for ip in ("192.0.2.1", "192.0.2.77")]
    rows = logs.read([block(lines)], fields=["client", "url", "status", "duration"]).read_all().to_pylist()
    assert rows[1] == {"client": "192.0.2.77", "url": "/a192.0.2.77", "status": 200, "duration": 0.012}


def test_the_format_is_named_with_its_counts() -> None:
    lines = [f"2015-05-17 10:05:{at:02} 192.0.2.1 GET /{at} 200" for at in range(50)]
    spelled = "%{%Y-%m-%d %H:%M:%S%.}x %h %{words}r %s"
    log = block([*lines, "started"])
    with logs.read([log], fields=["url"]) as reader:
        assert reader.format == logs.Format("INFERRED", 51, 50, format_string=spelled)
        assert reader.read_all().num_rows == 50
    found = logs.detect([log])
    assert str(found) == f"INFERRED '{spelled}' (50 of the first 51 lines)"
    assert found.mismatch is not None and found.mismatch.line == 51 and found.rows[0]["status"] == 200
    assert str(Tally(found.log.make(), 51, 50)) == f"'{spelled}', 50 of 51 lines (inferred)"


# The keys for a protocol in https://github.com/zalando/skipper/blob/master/logging/access_test.go and in
# https://github.com/tower-rs/tower-http/blob/main/tower-http/src/trace/make_span.rs.
@pytest.mark.parametrize("key", ["proto", "version"])
def test_keys_of_a_protocol_are_inferred(key: str) -> None:
    line = block([f'{{"verb": "GET", "urlPath": "/a", "http_code": 200, "{key}": "HTTP/1.1"}}'])
    assert logs.detect([line]).format_string == f"JSON method=verb status=http_code target=urlPath protocol={key}"


def test_a_format_of_objects_is_given_by_its_keys() -> None:
    line = block(['{"verb": "GET", "at": {"page.path": "/a"}, "c": 200}'])
    spelled = "json method=verb target=at.page.path status=c"
    assert logs.read([line], spelled, ["url", "status"]).read_all().to_pylist() == [{"url": "/a", "status": 200}]
    with pytest.raises(logs.LogError, match="unknown column 'colour'; there are: method, "):
        logs.read([line], "JSON method=a target=b status=c colour=d")
    for bad in ("JSON target=a status=b", "LOGFMT method= target=b status=c"):
        with pytest.raises(logs.LogError, match=r"write (?:JSON|LOGFMT) method=KEY target=KEY status=KEY"):
            logs.read([line], bad)


def test_nine_of_ten_lines_with_a_request_must_fit() -> None:
    usual = [f"192.0.2.{at} GET /a 200" for at in range(90)]
    odd = [f"POST /b?{'x ' * at}status=404 in {at}ms" for at in range(1, 31)]
    assert infer([line.encode() for line in usual + odd[:9]]) is not None
    assert infer([line.encode() for line in usual + odd]) is None


def test_few_requests_among_other_lines_are_no_log() -> None:
    request = b"192.0.2.1 GET /a 200"
    assert infer([request, *[b"started"] * 9]) == ("%h %{words}r %s%~", 1)
    assert infer([request, *[b"started"] * 10]) is None


def test_a_slash_in_a_date_needs_a_day_above_twelve() -> None:
    lines = ["05/07/2015 10:05:03 GET /a 200", "05/08/2015 10:05:03 GET /a 200"]
    for more, time in (
        ([], None),
        (["05/17/2015 10:05:03 GET /a 200"], "2015-05-07"),
        (["17/05/2015 10:05:03 GET /a 200"], "2015-07-05"),
    ):
        row = logs.read([block([*lines, *more])], fields=["time", "url"]).read_all().to_pylist()[0]
        assert row["url"] == "/a" and (row["time"] and row["time"].date().isoformat()) == time


def test_numbers_that_are_no_status_are_none() -> None:
    """A number from 100 to 599 after a request may be its size, if it is not a code of HTTP."""
    lines = [f"2015-05-17T10:05:03Z 192.0.2.1 GET /{at} HTTP/1.1 {at}" for at in range(150, 590)]
    row = logs.read([block(lines)], fields=["url", "status", "client"]).read_all().to_pylist()[7]
    assert row == {"url": "/157", "status": None, "client": "192.0.2.1"}
    assert infer([line.replace("192.0.2.1", "h").encode() for line in lines]) is None


WORDS = [
    *("GET", "POST", "/a", "/b?c=d", "200", "404", "12ms", "-", "192.0.2.1", "192.0.2.1:80", "2015-05-17T10:05:03Z"),
    *"|\"'[]()\t,;=%\\{}\xe9",
    *("status=", "path=", "method=", "client=", "HTTP/1.1", "Mozilla/5.0 (X11)", "http://r.example/x", "->", "$a"),
    *("in", "user", "17/May/2015:10:05:03 +0000", "1.5 s", "7"),
]
KINDS = {
    "method": r"[A-Z-]+\Z", "url": r"/|\*|[a-z]+://|[^ ]+:\d+", "client": r"[0-9a-fA-F.:]+\Z", "status": r"[1-5]\d\d\Z",
    "protocol": r"HTTP/",
}  # fmt: skip


@given(st.data())
def test_each_value_of_random_lines_is_a_text_of_its_kind(data: st.DataObject) -> None:
    rng = random.Random(data.draw(st.integers()))
    shape = [rng.choice(WORDS) for _ in range(rng.randrange(3, 14))]
    glue = [rng.choice(["", " ", " ", "  "]) for _ in shape]
    lines = []
    for _ in range(rng.randrange(1, 6)):
        words = [rng.choice(WORDS) if rng.random() < 0.1 else word for word in shape]
        lines.append("".join(word + blank for word, blank in zip(words, glue, strict=True)))
    proven = infer([line.encode() for line in lines])
    if proven is None:
        return
    spelled, fits = proven
    rows = logs.parse_lines(lines, spelled, [*KINDS, "agent", "referer", "size"]).to_pylist()
    assert sum(not row["rejected"] for row in rows) == fits
    for line, row in zip(lines, rows, strict=True):
        for column, value in row.items():
            if value is not None and column != "rejected":
                assert str(value) in line.replace("%C3", "\xc3"), (lines, spelled, column)
                if column in KINDS and not row["rejected"] and fits == len(lines):
                    assert re.match(KINDS[column], str(value)) or value == "-", (lines, spelled, row)


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_any_bytes_are_looked_at(lines: list[bytes]) -> None:
    infer(lines)
    infer([b"GET /a 200 " + line for line in lines])
    for pairs in (
        b'{"verb":"%s","urlPath":"/a","code":200}', b"verb=%s urlPath=/a code=200", b"verb:%s\turlPath:/\tcode:200",
    ):  # fmt: skip
        infer_keys([pairs % line for line in lines])
        infer_keys([pairs % b"GET" + line for line in lines])
        infer_keys([line + pairs % b"GET" for line in lines])


@pytest.mark.parametrize(("key", "duration"), [
    *(("duration_milliseconds", 0.012), ("time_microseconds", 0.000012), ("took_nanoseconds", 0.000000012)),
    *(("elapsed_msec", 0.012), ("elapsedUsec", 0.000012), ("timeTakenInSeconds", 12.0), ("cost_s", 12.0)),
    *(("took_millis", 0.012), ("latencyMicros", 0.000012), ("latency-ns", 0.000000012), ("durations", None)),
    *(("timetakensec", 12.0), ("duration_in_seconds", 12.0), ("durationNs", 0.000000012), ("timeTakenInMs", 0.012)),
])  # fmt: skip
def test_the_word_at_the_end_of_a_key_is_the_unit(key: str, duration: float | None) -> None:
    line = '{"verb":"GET","urlPath":"/a","code":200,"%s":12}\n' % key
    log = logs.read([line.encode() * 3], fields=["duration"])
    assert log.read_all().to_pylist() == [{"duration": duration}] * 3
    text = f'2015-05-17 10:05:03 192.0.2.1 "GET /a HTTP/1.1" 200 {key}=12\n'
    assert logs.read([text.encode() * 3], fields=["duration"]).read_all().to_pylist() == [{"duration": duration}] * 3


def test_a_hostile_key_takes_linear_time() -> None:
    """The names of objects overlap: metadata, meta and data. Exponential time would never end."""
    for key in ("metadata" * 500 + "!.verb", "meta_data-" * 500 + ".verb", "request" * 500):
        line = '{"%s":"GET","verb":"GET","urlPath":"/a","code":200}\n' % key
        assert logs.read([line.encode() * 3], fields=["url"]).read_all().to_pylist() == [{"url": "/a"}] * 3
