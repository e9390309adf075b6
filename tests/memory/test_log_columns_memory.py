"""Columns of log lines stay inside their buffers for any lines, and agree with the slow reader."""

import random
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import slowlog
from guardpages import Guarded, Output
from logmodel import LINES, MODELS, NAMES, Columns, block_of, expected, mutated
from tries import ALL, TRIES

from fasturl import _accesslog
from fasturl.logs.inputs.lines import Lines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")


@pytest.fixture(scope="module")
def columns() -> Columns:
    return Columns()


def blocks_of(lines: list[bytes], most: int) -> list[bytes]:
    """Return blocks of at most `most` lines."""
    return [block_of(lines[at : at + most]) for at in range(0, len(lines), most)]


def compare(columns: Columns, name: str, lines: list[bytes], at_end: bool, first: int = 1) -> None:
    """Check that the columns and the slow reader give the same rows, rejects and empty lines."""
    blocks = blocks_of(lines, 1 + len(lines) * 7 % 30)
    start = 3 if first == 1 and lines and lines[0].startswith(b"\xef\xbb\xbf") else 0
    for by_request in (False, True):
        found = columns.read(name, blocks, first=first, start=start, at_end=at_end, by_request=by_request)
        assert found == expected(name, lines, first, by_request)


def batches(lines: list[bytes], size: int = LINES) -> Iterator[list[bytes]]:
    for at in range(0, len(lines), size):
        yield lines[at : at + size]


# --- lines to columns -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_random_lines_give_the_slow_readers_rows(columns: Columns, name: str, at_end: bool) -> None:
    rng = random.Random(f"{name} {at_end}")
    done = read = 0
    while done < TRIES // 4:
        lines = [mutated(rng, name) for _ in range(rng.choice([0, 1, 2, 3, 4, 5, LINES - 1, LINES]))]
        compare(columns, name, lines, at_end, first=rng.choice([1, 1 << 40]))
        done += len(lines)
        read += len(expected(name, lines, 1)[0])
    assert read > done // 8  # many of them are lines of the format


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_byte_at_every_place_gives_the_slow_readers_rows(columns: Columns, name: str, at_end: bool) -> None:
    model = MODELS[name]
    # Without --all, each place beside only one of the guards.
    for at in range(0 if ALL else at_end, len(model), 1 if ALL else 2):
        lines = [model[:at] + bytes([byte]) + model[at + 1 :] for byte in range(256) if byte != 10]
        for batch in batches([*lines, model[:at], model[at:], model[:at] + model[at + 1 :]]):
            compare(columns, name, batch, at_end)


def test_empty_lines_and_byte_order_marks_give_the_slow_readers_rows(columns: Columns, at_end: bool) -> None:
    for name in NAMES:
        compare(columns, name, [], at_end)
        data = [bytes([byte]) for byte in range(LINES) if byte != 10]
        mark = b"\xef\xbb\xbf"
        for lines in ([b""], [b"", b"", MODELS[name], b""], data, [b"\r", MODELS[name] + b"\r\r"]):
            compare(columns, name, lines, at_end)
        for lines in ([mark], [mark + MODELS[name]], [mark + b"torn\r"], [mark + mark]):
            compare(columns, name, lines, at_end)
            compare(columns, name, lines, at_end, first=2)


@pytest.mark.parametrize("name", NAMES)
def test_long_lines_give_the_slow_readers_rows(name: str, at_end: bool) -> None:
    size = 1 << 20 if ALL else 1 << 17
    columns = Columns(3 * size)
    long = MODELS[name].replace(b"/a", b"/" + b"a" * size)
    last = MODELS[name] + b" " + b"x" * size
    for line in (long, long.replace(b"aaa", b'a\\"', 1), long[:size], last, b"x" * size, b'"' * size, b"[" * size):
        compare(columns, name, [MODELS[name], line, MODELS[name]], at_end)


def test_a_first_time_of_nuls_is_read(columns: Columns, at_end: bool) -> None:
    """No time is cached yet when the first line comes."""
    line = MODELS["COMMON"].replace(b"17/May/2015:10:05:03 +0000", bytes(26))
    compare(columns, "COMMON", [line, MODELS["COMMON"]], at_end)
    assert columns.read("COMMON", [line + b"\n"])[0][0]["time"] == bytes(26)


@pytest.mark.parametrize("name", ["COMMON", "COMBINED"])
def test_a_list_of_clients_that_begins_with_its_comma_has_no_client(columns: Columns, name: str, at_end: bool) -> None:
    """The list stands in the place of the client, as it is written: its first field has no last byte to look at."""
    line = b", 192.0.2.9" + MODELS[name][MODELS[name].index(b" ") :]
    compare(columns, name, [line], at_end)
    row = columns.read(name, [line + b"\n"], at_end=at_end)[0][0]
    assert row["client"] is None and row["forwarded"] == b", 192.0.2.9"


def test_a_cached_time_is_not_used_for_another(columns: Columns, at_end: bool) -> None:
    """Times that differ in the day, the clock or the zone follow each other."""
    rng = random.Random(at_end)
    days = [b"17/May/2015:", b"18/May/2015:", b"17/may/2015:", b"17/Foo/2015:", b"7/May/2015:1", b" 7/May/2015:"]
    clocks = [b"10:05:03", b"23:59:60", b"10:05:0", b"10:05:0/", b"10-05-03", b"10:05::3", b"1\xb0:05:03", b"10;05:03"]
    zones = [b" +0000", b" -0130", b".12345", b" 00000", b""]
    for _ in range(TRIES // 100):
        times = [rng.choice(days) + rng.choice(clocks) + rng.choice(zones) for _ in range(LINES)]
        lines = [PLAIN_LINE.replace(b"17/May/2015:10:05:03 +0000", time) for time in times]
        compare(columns, "COMMON", lines, at_end)


def test_real_lines_give_the_slow_readers_rows(columns: Columns, access_log: Path, at_end: bool) -> None:
    lines = [line[:1200] for line in access_log.read_bytes().split(b"\n")[: TRIES // 4]]
    for batch in batches(lines):
        compare(columns, "COMBINED", batch, at_end)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_behind_a_line_is_read(columns: Columns, name: str) -> None:
    """Lines without the NUL that follows other bytes objects; also for the functions of single lines."""
    vhost, combined = slowlog.FORMATS[name]
    guarded = Guarded()
    rng = random.Random(name)
    model = MODELS[name]
    cuts = [model[cut % 8 : cut] for cut in range(len(model) + 1)] + [
        (b"h" * (-cut % 8)) + model[:cut] for cut in range(len(model) + 1)
    ]
    for line in [*cuts, *(mutated(rng, name) for _ in range(TRIES // 4))]:
        # The block, with its line end, has a length that bytes_at_end accepts.
        line = line[(len(line) + 1) % 8 :] if rng.randrange(2) else line[: ((len(line) + 1) & -8) - 1]
        if len(line) % 8 != 7:
            continue
        want = expected(name, [line], 1)
        given = [guarded.bytes_at_end(line + b"\n")]
        assert columns.read(name, given) == want
        given.clear()
        # Cut the line to a length that bytes_at_end accepts.
        line = line[7:]
        if line:
            whole = guarded.bytes_at_end(line)
            assert _accesslog.is_record(whole, vhost=vhost, combined=combined) == (slowlog.rows(name, line) is not None)
            assert _accesslog.unescape(whole) == slowlog.unescape(line)
            assert _accesslog.count_byte(whole, 45) == line.count(b"-")
            del whole


def test_times_are_converted_within_their_bytes() -> None:
    guarded = Guarded()
    shapes = [b"17/May/2015:10:05:03 +0000", b"7/dec/2015:10:05:03.123456789 -0130", b"7/May/2015:10:05:03"]
    shapes += [b"01/Jan/0001:00:59:59 +0100", b"31/Dec/9999:23:00:00 -0100", b"2015-05-17T10:05:03.5+01:30",
               b"2015-02-29"]  # fmt: skip
    shapes += [b"2015/05/17 10:05Z", b"0001-01-01t01:00:00+0100", b"9999-12-31 22:59:60-01",
               b"0001-01-01 00:00:00+01:00"]  # fmt: skip
    rng = random.Random(8)
    for _ in range(TRIES):
        time = bytearray(rng.choice(shapes))
        for _ in range(rng.choice([0, 1, 1, 2])):
            at = rng.randrange(len(time) + 1)
            time[at : at + rng.randrange(3)] = rng.choice(
                [b"", b"9", b"x", b":", b" ", b"+", b".", bytes([rng.randrange(256)])]
            )
        written = bytes(time)
        assert _accesslog.iso_time(written) == slowlog.iso_time(written)
        if len(written) >= 8:
            end = guarded.bytes_at_end(written[len(written) % 8 :])
            assert _accesslog.iso_time(end) == slowlog.iso_time(written[len(written) % 8 :])
            del end


@pytest.mark.parametrize("name", NAMES)
def test_two_torn_records_on_one_line_are_a_reject(columns: Columns, name: str) -> None:
    """Wherever the first record breaks off after its first field, the second one follows at once."""
    model = MODELS[name]
    for second in (
        model,
        model.replace(b" h ", b" 192.0.2.1 "),
        model.replace(b'"GET /', b'" /').replace(b"- [", b"ann b ["),
    ):
        assert slowlog.rows(name, second) is not None
        lines = [model[:at] + second for at in range(model.index(b" ") + 1, len(model) + 1)]
        lines += [first + second for first in (model + b" ", model + b" more ", model + b' "more" [x] ')]
        for batch in batches(lines):
            rows, rejects, empty = columns.read(name, [block_of(batch)])
            assert (rows, empty) == ([], 0) and [raw for _, raw in rejects] == batch


@pytest.mark.parametrize("most", [1, 3, LINES])
def test_lines_of_urls_give_the_expected_rows(at_end: bool, most: int) -> None:
    views, numbers = Output(1), Output(1)
    rng = random.Random(f"{at_end} {most}")
    for _ in range(TRIES // 50):
        pieces = [b"", b"\r", b"x", b"http://h/\xff", b"twelve bytes", b"thirteen byte", b"\xef\xbb\xbf", b"\0" * 30]
        lines = [b"".join(rng.choices(pieces, k=rng.randrange(4))) for _ in range(rng.randrange(LINES))]
        blocks = blocks_of(lines, most)
        first = rng.choice([1, 1 << 40])
        clean = [line for block in blocks for line in Lines(2, block).stripped]
        start = 3 if lines and lines[0].startswith(b"\xef\xbb\xbf") and rng.randrange(2) else 0
        if start:
            clean[0] = clean[0][3:]
        given = {
            "numbers": numbers.buffer(8 * len(lines), at_end), "views": views.buffer(16 * len(lines), at_end),
            "separator": 10, "strips": True, "start": start, "first": first, "count": len(lines),
        }  # fmt: skip
        rows = _accesslog.read_urls(blocks, **given)
        numbers.check()
        views.check()
        found = [Columns.text(views.data()[16 * row : 16 * row + 16], blocks) for row in range(rows)]
        places = struct.unpack_from(f"<{rows}q", numbers.data())
        want = [(first + at, line) for at, line in enumerate(clean) if line]
        assert list(zip(places, found, strict=True)) == want
        if lines:
            with pytest.raises(ValueError, match="more lines"):
                _accesslog.read_urls(blocks, **{**given, "count": len(lines) - 1})
            with pytest.raises(ValueError, match="behind"):
                _accesslog.read_urls(blocks, **{**given, "start": len(blocks[0]) + 1})
            with pytest.raises(ValueError, match="end with a separator"):
                _accesslog.read_urls([*blocks, b"x"], **given)


# --- wrong calls ------------------------------------------------------------------------------------------------------
PLAIN_LINE = MODELS["COMMON"]


@pytest.mark.parametrize("change", [
    lambda given: given.update(arena_size=given["arena_size"] - 1),
    lambda given: given.update(arena_size=0),
    *(lambda given, n=n: given.update(views=given["views"][:n]) for n in (0, 7)),
    lambda given: given.update(views=given["views"] * 2),
    lambda given: given.update(views=(0, *given["views"][1:])),
    *(lambda given, n=n: given.update(validity=given["validity"][:n]) for n in (0, 9)),
    lambda given: given.update(figures=given["figures"][:2]),
    lambda given: given.update(figures=(0, *given["figures"][1:])),
    lambda given: given.update(validity=(*given["validity"], 8)),
])  # fmt: skip
def test_wrong_counts_are_refused(columns: Columns, at_end: bool, change: Callable[[dict[str, Any]], None]) -> None:
    blocks = blocks_of([PLAIN_LINE] * 9, 4)
    given = columns.arguments(blocks, at_end)
    before = [output.data() for output in columns.everything]
    change(given)
    with pytest.raises(ValueError, match=r"arena|one for each|always wanted"):
        _accesslog.read_lines(blocks, first=1, vhost=False, combined=0, by_request=False, **given)
    assert [output.data() for output in columns.everything] == before
    columns.check()


def test_an_unselected_column_is_not_written(columns: Columns, at_end: bool) -> None:
    blocks = blocks_of([MODELS["COMBINED"]] * 9, 4)
    given = columns.arguments(blocks, at_end)
    time = columns.views["time"].data()
    views = tuple(0 if name == "time" else view for name, view in zip(columns.views, given["views"], strict=True))
    rows, *_ = _accesslog.read_lines(
        blocks, first=1, vhost=False, combined=1, by_request=False, **{**given, "views": views}
    )
    columns.check()
    assert rows == 18 and columns.views["time"].data() == time


def test_malformed_blocks_are_refused(columns: Columns) -> None:
    def read(blocks: list[Any], **change: Any) -> Any:
        given = {**columns.arguments([PLAIN_LINE + b"\n"], True), **change}
        try:
            return _accesslog.read_lines(blocks, first=1, vhost=False, combined=0, by_request=False, **given)
        finally:
            columns.check()

    for wrong in ("x", None, bytearray(b"x\n"), 7):
        with pytest.raises(TypeError):
            read([b"x\n", wrong])
    with pytest.raises(ValueError, match="end with a separator"):
        read([b"x"])
    for more in ([b"x\nx\n"], [b"\n", b"\n"], [PLAIN_LINE[:30] + b"\n"] * 2):
        with pytest.raises(ValueError, match="more lines than were counted"):
            read(more)
    for count in (-1, 1 << 31, 1 << 62):
        with pytest.raises(ValueError, match="out of range"):
            read([b"x\n"], count=count)
    with pytest.raises(ValueError, match="behind the first block"):
        read([b"x\n"], start=3)
    assert read([b"xyz\n"], start=4) == read([b""]) == read([]) == (0, 0, (0,) * len(columns.bitmaps), 0, [])
