"""Do columns of log lines stay inside their buffers, whatever the lines; and are they what the row reader says?"""

import random
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from guardpages import Guarded, Output
from logmodel import LINES, MODELS, NAMES, Columns, Reader, block_of, expected, mutated, rows_of
from peak import measured
from tries import TRIES

from fasturl import _clf, _logcolumns
from fasturl.cli.formats.patterns import PLAIN
from fasturl.cli.formats.records import Records
from fasturl.cli.inputs.lines import Lines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")


@pytest.fixture(scope="module")
def columns() -> Columns:
    return Columns()


@pytest.fixture(params=[True, False], ids=["before a guard", "after a guard"])
def at_end(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def blocks_of(lines: list[bytes], most: int) -> list[bytes]:
    """At most so many lines in each, but for the last one."""
    return [block_of(lines[at : at + most]) for at in range(0, len(lines), most)]


def compare(columns: Columns, name: str, lines: list[bytes], at_end: bool, first: int = 1) -> None:
    """The same rows, rejects and empty lines by columns, by rows and by the pattern alone."""
    slow = Reader(name, lines, first)
    blocks = blocks_of(lines, 1 + len(lines) * 7 % 30)
    start = 3 if first == 1 and lines and lines[0].startswith(b"\xef\xbb\xbf") else 0
    rows = columns.read(name, blocks, slow, first=first, start=start, at_end=at_end)
    for by_pattern in (False, True):
        assert (rows, slow.rejects, slow.empty) == expected(name, lines, first, by_pattern=by_pattern)


def batches(lines: list[bytes], size: int = LINES) -> Iterator[list[bytes]]:
    for at in range(0, len(lines), size):
        yield lines[at : at + size]


# --- lines to columns -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_random_lines(columns: Columns, name: str, at_end: bool) -> None:
    rng = random.Random(f"{name} {at_end}")
    done = read = 0
    while done < TRIES // 4:
        lines = [mutated(rng, name) for _ in range(rng.choice([0, 1, 2, 3, 4, 5, LINES - 1, LINES]))]
        compare(columns, name, lines, at_end, first=rng.choice([1, 1 << 40]))
        done += len(lines)
        read += len(expected(name, lines, 1, by_pattern=False)[0])
    assert read > done // 8  # many of them are lines of the format


@pytest.mark.parametrize("name", NAMES)
def test_every_octet_in_every_place(columns: Columns, name: str, at_end: bool) -> None:
    model = MODELS[name]
    for at in range(len(model)):
        lines = [model[:at] + bytes([octet]) + model[at + 1 :] for octet in range(256) if octet != 10]
        for batch in batches([*lines, model[:at], model[at:], model[:at] + model[at + 1 :]]):
            compare(columns, name, batch, at_end)


def test_no_lines(columns: Columns, at_end: bool) -> None:
    for name in NAMES:
        compare(columns, name, [], at_end)
        octets = [bytes([octet]) for octet in range(LINES) if octet != 10]
        mark = b"\xef\xbb\xbf"
        for lines in ([b""], [b"", b"", MODELS[name], b""], octets, [b"\r", MODELS[name] + b"\r\r"]):
            compare(columns, name, lines, at_end)
        for lines in ([mark], [mark + MODELS[name]], [mark + b"torn\r"], [mark + mark]):
            compare(columns, name, lines, at_end)
            compare(columns, name, lines, at_end, first=2)


@pytest.mark.parametrize("name", NAMES)
def test_long_lines(name: str, at_end: bool) -> None:
    size = 1 << 20
    columns = Columns(3 * size)
    long = MODELS[name].replace(b"/a", b"/" + b"a" * size)
    last = MODELS[name] + b" " + b"x" * size
    for line in (long, long.replace(b"aaa", b'a\\"', 1), long[:size], last, b"x" * size, b'"' * size, b"[" * size):
        compare(columns, name, [MODELS[name], line, MODELS[name]], at_end)


def test_a_first_time_of_nuls(columns: Columns, at_end: bool) -> None:
    """No time has been converted yet when the first line comes."""
    line = MODELS["COMMON"].replace(b"17/May/2015:10:05:03 +0000", bytes(26))
    compare(columns, "COMMON", [line, MODELS["COMMON"]], at_end)
    assert columns.read("COMMON", [line + b"\n"], Reader("COMMON", [line], 1))[0]["time"] == bytes(26)


def test_real_lines(columns: Columns, access_log: Path, at_end: bool) -> None:
    lines = [line[:1200] for line in access_log.read_bytes().split(b"\n")[: TRIES // 4]]
    for batch in batches(lines):
        compare(columns, "COMBINED", batch, at_end)


@pytest.mark.parametrize("name", NAMES)
def test_no_load_behind_a_line(columns: Columns, name: str) -> None:
    """Lines without the NUL that follows all other bytes objects; also for rows, and for what undoes escapes."""
    vhost, combined = PLAIN[name]
    guarded = Guarded()
    rng = random.Random(name)
    model = MODELS[name]
    cuts = [model[cut % 8 : cut] for cut in range(len(model) + 1)] + [
        (b"h" * (-cut % 8)) + model[:cut] for cut in range(len(model) + 1)
    ]
    for line in [*cuts, *(mutated(rng, name) for _ in range(TRIES // 4))]:
        # A block is as long as an object may be that has no NUL behind it, its line end included.
        line = line[(len(line) + 1) % 8 :] if rng.randrange(2) else line[: ((len(line) + 1) & -8) - 1]
        if len(line) % 8 != 7:
            continue
        # As the row reader's own lists: it must not see the guarded line, which stands no longer than a round.
        records, slow = Records(), Reader(name, [line], 1)
        want = expected(name, [line], 1, by_pattern=True)
        given = [guarded.bytes_at_end(line + b"\n")]
        rows = columns.read(name, given, slow)
        assert (rows, slow.rejects, slow.empty) == want
        given.clear()
        # One octet less, to be as long as such an object may be again.
        line = line[7:]
        rows = expected(name, [line], 1, by_pattern=True)[0]
        escaped = _clf.unescape(line)
        given = [guarded.bytes_at_end(line)] if line else [line]
        _clf.read_plain(
            given, 1, vhost=vhost, combined=combined, numbers=records.numbers, fields=records.fields,
            urls=records.urls, details=records.details, log_time=bytes, slow=lambda at, text: None,
        )  # fmt: skip
        assert [(row["number"], row["url"]) for row in rows_of(records)] in (
            [],
            [(row["number"], row["url"]) for row in rows],
        )
        assert _clf.unescape(given[0]) == escaped
        given.clear()


@pytest.mark.parametrize("most", [1, 3, LINES])
def test_lines_that_are_urls(at_end: bool, most: int) -> None:
    views, numbers = Output(1), Output(1)
    rng = random.Random(f"{at_end} {most}")
    for _ in range(TRIES // 50):
        pieces = [b"", b"\r", b"x", b"http://h/\xff", b"twelve octet", b"thirteen octe", b"\xef\xbb\xbf", b"\0" * 30]
        lines = [b"".join(rng.choices(pieces, k=rng.randrange(4))) for _ in range(rng.randrange(LINES))]
        blocks = blocks_of(lines, most)
        first = rng.choice([1, 1 << 40])
        clean = [line for block in blocks for line in Lines(2, block).clean]
        start = 3 if lines and lines[0].startswith(b"\xef\xbb\xbf") and rng.randrange(2) else 0
        if start:
            clean[0] = clean[0][3:]
        given = {
            "numbers": numbers.room(8 * len(lines), at_end),
            "views": views.room(16 * len(lines), at_end),
            "separator": 10, "strips": True, "start": start, "first": first, "count": len(lines),
        }
        rows = _logcolumns.read_urls(blocks, **given)
        numbers.check()
        views.check()
        found = [Columns.text(views.octets()[16 * row : 16 * row + 16], blocks) for row in range(rows)]
        places = struct.unpack_from(f"<{rows}q", numbers.octets())
        want = [(first + at, line) for at, line in enumerate(clean) if line]
        assert list(zip(places, found, strict=True)) == want
        if lines:
            with pytest.raises(ValueError, match="more lines"):
                _logcolumns.read_urls(blocks, **{**given, "count": len(lines) - 1})
            with pytest.raises(ValueError, match="behind"):
                _logcolumns.read_urls(blocks, **{**given, "start": len(blocks[0]) + 1})
            with pytest.raises(ValueError, match="end with a separator"):
                _logcolumns.read_urls([*blocks, b"x"], **given)


# --- wrong calls ------------------------------------------------------------------------------------------------------

PLAIN_LINE = MODELS["COMMON"]
NINE: tuple[Any, ...] = (None,) * 9


def nothing(at: int, line: bytes, raw: bytes) -> None:
    return None


@pytest.mark.parametrize(
    "change",
    [
        lambda given: given.update(arena_room=given["arena_room"] - 1),
        lambda given: given.update(arena_room=0),
        *(lambda given, n=n: given.update(views=given["views"][:n]) for n in (0, 7)),
        lambda given: given.update(views=given["views"] * 2),
        *(lambda given, n=n: given.update(bitmaps=given["bitmaps"][:n]) for n in (0, 9)),
        lambda given: given.update(bitmaps=(*given["bitmaps"], 8)),
    ],
)
def test_wrong_counts(columns: Columns, at_end: bool, change: Callable[[dict[str, Any]], None]) -> None:
    blocks = blocks_of([PLAIN_LINE] * 9, 4)
    given = columns.arguments(blocks, at_end)
    before = [output.octets() for output in columns.everything]
    change(given)
    with pytest.raises(ValueError, match=r"arena|one for each"):
        _logcolumns.read_lines(blocks, first=1, vhost=False, combined=False, slow=nothing, **given)
    assert [output.octets() for output in columns.everything] == before
    columns.check()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (([b"u"] * 3, [False] * 3, NINE), ValueError),
        (([b"u"] * 2, [False], NINE), ValueError),
        (([], [False], NINE), ValueError),
        (([b"u"], [False], NINE[:8]), ValueError),
        (([b"u"], [False], (*NINE, None)), ValueError),
        (([b"u"], [False]), ValueError),
        (([7], [False], NINE), TypeError),
        (((b"u",), [False], NINE), TypeError),
        (([bytearray(b"u")], [False], NINE), TypeError),
        (([b"u"], [False], (*NINE[:5], "200", *NINE[6:])), TypeError),
        (([b"u"], [False], ("\udce9", *NINE[1:])), UnicodeEncodeError),
        (([b"u", b"x" * 99], [False, True], NINE), ValueError),
        (([b"u"], [False], (*NINE[:8], b"x" * 99)), ValueError),
        (7, TypeError),
    ],
)
def test_wrong_answers(columns: Columns, at_end: bool, answer: Any, error: type[Exception]) -> None:
    for lines in ([b"torn"], [PLAIN_LINE, b"torn", PLAIN_LINE]):
        with pytest.raises(error):
            columns.read("COMMON", [block_of(lines)], lambda at, line, raw: answer, at_end=at_end)


def test_each_line_has_its_share(columns: Columns, at_end: bool) -> None:
    """What one line takes of the arena is not another one's, however much room there is in all."""
    line = b"torn"
    most = len(line) + _logcolumns.TIME_ROOM
    lines = [line, *[PLAIN_LINE] * 8, line]
    for length in (most, most + 1, 8 * len(PLAIN_LINE), _logcolumns.arena_size([block_of(lines)], len(lines), 10)):
        parts = ([b"u" * (length - 3), b"r"], [False, True], (b"c", None, "t", *NINE[3:]))
        if length == most:
            rows = columns.read("COMMON", [block_of(lines)], lambda at, line, raw, p=parts: p, at_end=at_end)
            assert [row["url"] for row in rows] == [*parts[0], *[b"/a?b"] * 8, *parts[0]]
        else:
            with pytest.raises(ValueError, match="longer than the line"):
                columns.read("COMMON", [block_of(lines)], lambda at, line, raw, p=parts: p, at_end=at_end)


def test_statuses_and_sizes_that_no_column_holds(columns: Columns, at_end: bool) -> None:
    for status, size in ((1 << 15, 1 << 64), (-1, -1), ((1 << 15) - 1, (1 << 64) - 1)):
        fits = status > 0 and status < 1 << 15
        detail = (*NINE[:5], status, size, None, None)
        (row,) = columns.read("COMMON", [b"torn\n"], lambda at, line, raw, d=detail: ([b"u"], [True], d), at_end=at_end)
        assert (row["status"], row["size"]) == ((status, size) if fits else (None, None))


def test_a_list_that_changes_under_way(columns: Columns, at_end: bool) -> None:
    """The blocks are those of the call, whatever slow does to the list."""
    lines = [b"torn", *[PLAIN_LINE] * 20, b"torn too", *[PLAIN_LINE] * 20]
    want = columns.read("COMMON", blocks_of(lines, 5), nothing)
    changes: list[Callable[[list[Any]], Any]] = [
        list.clear,
        list.reverse,
        lambda given: given.extend([b"x" * 9] * 9),
        lambda given: given.__setitem__(slice(1, None), [5] * 41),
    ]
    for change in changes:
        blocks: list[Any] = [bytes(bytearray(block)) for block in blocks_of(lines, 5)]
        seen: list[bytes] = []

        def slow(at: int, line: bytes, raw: bytes, seen: Any = seen, change: Any = change, given: Any = blocks) -> None:
            if not seen:
                change(given)
            seen.append(line)

        assert columns.read("COMMON", blocks, slow, at_end=at_end) == want
        assert seen == [b"torn", b"torn too"]


def test_blocks_that_are_none(columns: Columns) -> None:
    def read(blocks: list[Any], **change: Any) -> Any:
        given = {**columns.arguments([PLAIN_LINE + b"\n"], True), **change}
        try:
            return _logcolumns.read_lines(blocks, first=1, vhost=False, combined=False, slow=nothing, **given)
        finally:
            columns.check()

    for wrong in ("x", None, bytearray(b"x\n"), 7):
        with pytest.raises(TypeError):
            _logcolumns.arena_size([b"x\n", wrong], 1, 10)
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
    assert read([b"xyz\n"], start=4) == read([b""]) == read([]) == (0, 0, (0,) * 10)


# --- what columns say -------------------------------------------------------------------------------------------------


def test_findings(at_end: bool) -> None:
    bits, offsets, values = Guarded(), Output(), Output()
    rng = random.Random(5)
    for rows in [*range(20), *(rng.randrange(300) for _ in range(TRIES // 400))]:
        sets = [rng.getrandbits(32) & rng.choice([0, 0, 1, 0xFF, 1 << 31, 0xFFFFFFFF]) for _ in range(rows)]
        lists = [[bit for bit in range(32) if each >> bit & 1] for each in sets]
        total = sum(map(len, lists))
        address = bits.put(struct.pack(f"<{rows}I", *sets), at_end)
        for room in {total, total + 1, max(total - 1, 0), 0}:
            if room > values.guard.size:
                continue
            starts, out = offsets.room(4 * (rows + 1), at_end), values.room(room, at_end)
            used = _logcolumns.finding_lists(address, rows, starts, out, room)
            offsets.check()
            values.check()
            assert used == (total if room >= total else -1)
            if used >= 0:
                places = struct.unpack(f"<{rows + 1}i", offsets.octets())
                got = values.octets()
                assert [list(got[places[row] : places[row + 1]]) for row in range(rows)] == lists
        counts = Counter(bit for each in lists for bit in each)
        firsts = {bit: next(row for row, each in enumerate(lists) if bit in each) for bit in counts}
        want = sorted((firsts[bit], bit, count) for bit, count in counts.items())
        assert _logcolumns.count_findings(address, rows) == want
    starts, out = offsets.room(0, at_end), values.room(0, at_end)
    for rows, room in ((-1, 0), (0, 1 << 31), (-(1 << 62), 0)):
        with pytest.raises(ValueError, match="out of range"):
            _logcolumns.finding_lists(address, rows, starts, out, room)
        offsets.check()
        values.check()
    assert _logcolumns.count_findings(address, -1) == []


def test_is_ascii(at_end: bool) -> None:
    place = Output()  # whose canaries are not ASCII
    for size in [*range(80), 1000]:
        address = place.room(size, at_end, fill=0x7F)
        assert _logcolumns.is_ascii(address, size)
        for at in range(min(size, 80)):
            octet = 0x80 | at
            octets = bytearray(b"\x7f" * size)
            octets[at] = octet
            assert not _logcolumns.is_ascii(place.guard.put(bytes(octets), at_end), size)


def is_text(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


PIECES = [b"a", b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xf4\x8f\xbf\xbf", b"\xef\xbf\xbf", b"\x7f"]
BROKEN = [b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xff", b"\x80"]


def test_not_utf8(at_end: bool) -> None:
    data, places = Guarded(8), Guarded(8)
    rng = random.Random(7)

    def check(texts: list[bytes], before: int = 0) -> None:
        starts = [before]
        for text in texts:
            starts.append(starts[-1] + len(text))
        address = data.put(b"".join(texts), at_end) - before
        offsets = places.put(struct.pack(f"<{len(starts)}i", *starts), at_end)
        want = [row for row, text in enumerate(texts) if not is_text(text)]
        assert _logcolumns.not_utf8(offsets, address, len(texts)) == want

    check([])
    for whole in PIECES + BROKEN:
        for cut in range(len(whole) + 1):
            check([whole[:cut]])
            check([b"x", whole[:cut], b"\x80\x80\x80", whole[cut:]], before=rng.randrange(1000))
            check([bytes([*whole[:cut], 0x41, *whole[cut + 1 :]])])
    for lead in range(256):
        for second in range(256):
            check([bytes([lead, second]), bytes([lead, second, 0x80]), bytes([lead, second, 0xBF, 0x80])])
    for _ in range(TRIES // 20):
        texts = [b"".join(rng.choices(PIECES * 9 + BROKEN, k=rng.randrange(20))) for _ in range(rng.randrange(20))]
        check([text[: rng.randrange(60)] for text in texts])
    with pytest.raises(ValueError, match="go back"):
        _logcolumns.not_utf8(places.put(struct.pack("<3i", 0, 5, 4), at_end), data.put(b"x" * 5, at_end), 2)


# --- nothing is kept --------------------------------------------------------------------------------------------------

LEAKS = """
import sys
sys.path[:0] = {places!r}
from peak import peak
from logmodel import MODELS, Columns, LINES, block_of
from fasturl import _logcolumns

columns = Columns()
line = MODELS["COMMON"]
ends = [
    lambda at, text, raw: 1 / 0,
    lambda at, text, raw: ([b"u", b"x" * 99], [False, True], (b"c",) * 9),
    lambda at, text, raw: ([b"u"], [False], ("\\udce9",) * 9),
    lambda at, text, raw: 7,
]
lines = [line] * (LINES - 2)
lines.insert(LINES // 2, b"torn")
blocks = [block_of(lines)]
given = columns.arguments(blocks, True)

def work(times):
    for i in range(times):
        try:
            _logcolumns.read_lines(blocks, first=1, vhost=False, combined=False, slow=ends[i % 4], **given)
        except (ZeroDivisionError, ValueError, TypeError):
            continue
        raise AssertionError("no error")

def counts():
    return [sys.getrefcount(each) for each in (blocks, *blocks, *ends, *given.values())]

before = counts()
work(2000)
after_few = peak()
work({times})
assert counts() == before, (counts(), before)
print(peak() - after_few)
"""


def test_nothing_is_kept_when_slow_fails() -> None:
    pytest.importorskip("resource")
    import fasturl

    here = Path(__file__).resolve().parent
    places = [str(here), str(here.parent), str(Path(fasturl.__file__).resolve().parent.parent)]
    script = LEAKS.format(places=places, times=20_000)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=measured())
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 1024  # KiB; a table of the lines' places that is left a call would be twenty thousand
