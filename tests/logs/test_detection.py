"""Is a format found by most of an input's beginning, and is an input in none of it told from one with rejects?"""

import sys
from pathlib import Path
from types import FrameType

import pytest
from logsamples import PREFIXES

from fasturl import logs
from fasturl.logs.formats.detection import Detector, detect_lines
from fasturl.logs.inputs.lines import MAX_LINE

COMMON = b'h - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12'
COMBINED = COMMON + b' "http://r.example/" "agent"'


def block(*lines: bytes) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_referers_after_a_hundred_lines_without_are_read() -> None:
    log = block(*[COMMON] * 100, *[COMBINED] * 900)
    assert logs.detect([log]) == logs.Format("COMMON", 1000, 1000)
    referers = logs.read([log], fields=["referer"]).read_all()["referer"].to_pylist()
    assert referers == [None] * 100 + ["http://r.example/"] * 900


def test_an_empty_log_of_a_named_format_has_its_columns() -> None:
    for name, line in (("COMBINED", COMBINED), ("COMMON", COMMON), ("URLS", b"http://h/")):
        assert logs.read([b""], name).schema == logs.read([block(line)], name).schema


@pytest.mark.parametrize("junk", [b"starting up", b"\x00\xff", b"{", b"[notice] /x y", b"#"])
def test_junk_at_the_beginning_does_not_hide_a_log(junk: bytes) -> None:
    log = block(*[junk] * 120, *[COMBINED] * 300)
    assert logs.detect([log]) == logs.Format("COMBINED", 420, 300)
    assert logs.read([log], fields=["referer_host"]).read_all().num_rows == 300


def test_a_torn_line_does_not_make_a_log_of_two_formats() -> None:
    assert detect_lines([COMMON, *[COMBINED] * 200]).name == "COMBINED"
    assert detect_lines([COMMON] * 200).name == "COMMON"
    assert detect_lines([b"v " + COMMON, b"v " + COMBINED]).name == "VCOMMON"


def test_lines_with_words_before_the_referer_and_without_are_read_by_one_format() -> None:
    timed = COMMON + b' 35 0.035 "http://r.example/b" "agent"'
    for lines in ([COMBINED, timed] * 50, [COMBINED] * 95 + [timed] * 5, [COMBINED] * 5 + [timed] * 95):
        found = logs.detect([block(*lines)])
        assert found == logs.Format("TIMED", 100, 100) and found.mismatch is None
        referers = logs.read([block(*lines)], fields=["referer"]).read_all()["referer"].to_pylist()
        assert referers == ["http://r.example/b" if line is timed else "http://r.example/" for line in lines]
    # One line in a hundred may be hostile text.
    assert detect_lines([COMBINED] * 99 + [timed]) == logs.Format("COMBINED", 100, 99)


@pytest.mark.parametrize(
    ("user", "is_user"),
    [("example.com", False), ("www.example.co.uk", False), ("HIT", False), ("0.003", False), ("192.0.2.1", False),
     ("ann 0.003", False), ("jane.doe", True), ("a@b.com", True), ("jane", True), (".com", True)],
)  # fmt: skip
def test_a_user_that_all_lines_show_to_be_something_else_is_none(user: str, is_user: bool) -> None:
    for line in (COMMON, COMBINED):
        lines = [line.replace(b"h - -", b"192.0.2.%d - %s" % (at, user.encode())) for at in range(9)]
        rows = logs.read([block(*lines)], fields=["user", "referer"]).read_all().to_pylist()
        referer = "http://r.example/" if line is COMBINED else None
        assert rows == [{"user": user if is_user else None, "referer": referer}] * 9
        # One other user shows that users are written here.
        found = detect_lines([*lines, line.replace(b"- -", b"- ann")]).name
        assert found == ("COMBINED" if line is COMBINED else "COMMON")


@pytest.mark.parametrize("first", ["198.51.100.%d", "10.0.0.%d", "192.0.2.9"])
def test_of_two_addresses_none_is_the_client(first: str) -> None:
    """One may be the forwarded one, and the lines do not tell which."""
    for line in (COMMON, COMBINED):
        lines = [line.replace(b"h - -", f"{first.replace('%d', str(at))} 192.0.2.{at} - me".encode()) for at in (1, 2)]
        rows = logs.read([block(*lines)], fields=["client", "vhost", "user", "status"]).read_all().to_pylist()
        assert rows == [{"client": None, "vhost": None, "user": "me", "status": 200}] * 2


def test_hostile_text_does_not_lose_the_referers() -> None:
    """A referer with quotes in it is none, and the line then is one of COMMON with more words."""
    hostile = COMMON + b' "http://r/"x" "agent"'
    for lines in ([COMMON + b" more", hostile, COMBINED] * 100, [*[COMMON + b" more"] * 90, *[COMBINED] * 10]):
        assert detect_lines(lines).name == "COMMON"
        rows = logs.read([block(*lines)], fields=["referer"]).read_all()
        assert len(rows) == len(lines) - lines.count(hostile)
        assert len(rows) - rows["referer"].null_count == lines.count(COMBINED)


def test_a_list_of_formats_reads_each_line_by_the_first_that_fits() -> None:
    entry = (
        b'{"remote_addr":"192.0.2.1","time_iso8601":"2015-05-17T10:05:03+02:00","request":"GET /j HTTP/1.1",'
        b'"status":"200","body_bytes_sent":"7"}'
    )
    lines = [COMBINED, entry, b"torn", COMMON, entry, b"", COMBINED]
    for rows, want in (("request", [1, 2, 4, 5, 7]), ("url", [1, 1, 2, 4, 5, 7, 7])):
        reader = logs.read([block(*lines)], "combined,NGINXJSON, common", ["line", "size", "referer"][:2], rows=rows)
        table = reader.read_all()
        assert table["line"].to_pylist() == want
        assert [size for line, size in zip(want, table["size"].to_pylist(), strict=True) if line in (2, 5)] == [7, 7]
    rejected = logs.parse_lines(lines, "COMBINED,NGINXJSON,COMMON", ["size"])["rejected"].to_pylist()
    assert rejected == [False, False, True, False, False, True, False]
    for bad, why in (
        ("COMBINED,W3C", "needs earlier lines"),
        ("COMBINED,URLS", "needs earlier lines"),
        ("COMBINED,x", "unknown"),
    ):
        with pytest.raises(ValueError, match=why):
            logs.read([COMBINED], bad)


def test_fields_are_named_after_junk() -> None:
    log = block(b"junk", b"#Fields: cs-uri sc-status", b"/a 200", b"/b 404")
    assert logs.detect([log]) == logs.Format("W3C", 4, 3)
    assert logs.read([log], fields=["path"]).read_all().num_rows == 2


def test_urls_and_objects_are_no_log() -> None:
    assert detect_lines([b"http://h/", b"x", b"/a"]) == logs.Format("URLS", 3, 2)
    assert detect_lines([b'{"a":1}', b"x"]) == logs.Format("JSONL", 2, 1)


def test_a_thousand_lines_are_looked_at_once() -> None:
    detector = Detector()
    for _ in range(30):
        detector.add([COMMON] * 50)
    assert detector.lines == 1000 and detector.result().matched_lines == 1000


def test_the_first_line_of_an_unknown_format_is_named_by_its_number() -> None:
    found = logs.detect([b"\n\nneither this\nnor that\n"])
    assert found.name == "UNKNOWN" and found.mismatch is not None and found.mismatch.line == 3


def test_what_was_found_can_be_read_by() -> None:
    found = logs.detect([block(COMBINED)])
    assert str(found) == "COMBINED (1 of the first 1 lines)"
    assert logs.read([block(COMBINED)], found).read_all().num_rows == 1


# --- an input in another format ---------------------------------------------------------------------------------------
def test_too_few_records_in_the_first_thousand_lines_end_the_run() -> None:
    log = block(*[COMMON] * 1000, *[COMBINED] * 9)
    with pytest.raises(logs.LogError, match="none of the first 1,000 lines is in the format COMBINED"):
        logs.read([log], "COMBINED").read_all()
    for fewer in (block(*[COMMON] * 999, *[COMBINED] * 9), block(COMBINED, *[COMMON] * 5000)):
        assert logs.read([fewer], "COMBINED", allow_rejects=True).read_all().num_rows in (9, 1)
        with pytest.raises(
            logs.LogError, match=r"99[19] of the first 1,000.*look like COMMON, and the format COMBINED,COMMON"
        ):
            logs.read([fewer], "COMBINED").read_all()
    half, rest = [COMMON] * 500 + [COMBINED] * 499, [COMMON] * 3000
    for enough in ([*half, COMBINED, *rest], [*[b""] * 998, COMBINED, COMMON, *rest], [COMMON, COMBINED]):
        assert logs.read([block(*enough)], "COMBINED").read_all().num_rows in (500, 1)
    for fewer in (block(*half, COMMON, COMBINED, *rest), block(COMMON, COMBINED, COMMON)):
        with pytest.raises(logs.LogError, match=r"(50[01]|2) of the first (1,000|3) lines are rejected"):
            logs.read([fewer], "COMBINED").read_all()
    for few in (999, 1):
        with pytest.raises(
            logs.LogError, match=r"is in the format COMBINED: line 1 does not fit at column \d+: referer"
        ):
            logs.read([block(*[COMMON] * few)], "COMBINED").read_all()
    assert logs.read([b"\n" * 5000], "COMBINED").read_all().num_rows == 0


def test_half_of_the_lines_do_not_make_a_list_of_urls() -> None:
    history = block(*[b"#+1162490366", b"ls -l"] * 40)
    assert logs.detect([history]).name == "UNKNOWN"
    assert logs.detect([history + b"http://h/\n"]).name == "URLS"
    assert logs.detect([b""]).name == "URLS"


def test_an_input_of_lines_that_are_too_long_has_no_format(tmp_path: Path) -> None:
    long = tmp_path / "long.log"
    long.write_bytes(b"a" * (MAX_LINE + 1))
    for log in ("auto", "COMBINED"):
        with pytest.raises(logs.LogError, match="every line is longer than 16,777,216 bytes"):
            logs.read(long, log).read_all()


@pytest.mark.parametrize("zeros", [1, 2, 100])
def test_zeros_are_no_utf16(zeros: int) -> None:
    with pytest.raises(logs.LogError, match="looks like a binary file"):
        logs.read([b"\0" * zeros])


# --- the cost ---------------------------------------------------------------------------------------------------------
def calls_to_detect(*lines: bytes) -> int:
    """Return the number of calls of Python and C functions, after a run that compiles the patterns."""
    detect_lines(lines)
    count = 0

    def profile(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        detect_lines(lines)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("prefix", [*(start for _, start in PREFIXES), "2015-05-17T10:05:03Z 2015-05-17T10:05:03Z a: "])
def test_prefixes_are_read_two_deep(prefix: str) -> None:
    few, many = (calls_to_detect(prefix.encode() * times) for times in (2, 8))
    assert many < few * 4
    assert detect_lines([prefix.encode() * 1000]).name == "UNKNOWN"
