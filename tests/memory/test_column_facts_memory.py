"""Facts about columns (findings, ASCII, UTF-8, sums) are right and computed inside the buffers."""

import random
import struct
import sys
from collections import Counter

import pytest
from guardpages import Guarded, Output
from tries import TRIES

from fasturl import _columns

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")


def test_finding_lists_and_counts_stay_in_their_buffers(at_end: bool) -> None:
    bits, offsets, values = Guarded(), Output(), Output(4)
    rng = random.Random(5)
    for rows in [*range(20), *(rng.randrange(600) for _ in range(TRIES // 400))]:
        sets = [rng.getrandbits(32) & rng.choice([0, 0, 1, 0xFF, 1 << 31, 0xFFFFFFFF]) for _ in range(rows)]
        lists = [[bit for bit in range(32) if each >> bit & 1] for each in sets]
        total = sum(map(len, lists))
        address = bits.put(struct.pack(f"<{rows}I", *sets), at_end)
        for capacity in {total, total + 1, max(total - 1, 0), 0}:
            if capacity > values.guard.size:
                continue
            starts, out = offsets.buffer(4 * (rows + 1), at_end), values.buffer(capacity, at_end)
            used = _columns.finding_lists(address, rows, starts, out, capacity)
            offsets.check()
            values.check()
            assert used == (total if capacity >= total else -1)
            if used >= 0:
                places = struct.unpack(f"<{rows + 1}i", offsets.data())
                got = values.data()
                assert [list(got[places[row] : places[row + 1]]) for row in range(rows)] == lists
        counts = Counter(bit for each in lists for bit in each)
        firsts = {bit: next(row for row, each in enumerate(lists) if bit in each) for bit in counts}
        want = sorted((firsts[bit], bit, count) for bit, count in counts.items())
        assert _columns.count_findings(address, rows) == want
        wanted = rng.getrandbits(32) & rng.getrandbits(32) & rng.getrandbits(32)
        with_wanted = [row for row, each in enumerate(sets) if each & wanted]
        assert _columns.rows_with_findings(address, rows, wanted) == with_wanted
    starts, out = offsets.buffer(0, at_end), values.buffer(0, at_end)
    for rows, capacity in ((-1, 0), (0, 1 << 31), (-(1 << 62), 0)):
        with pytest.raises(ValueError, match="out of range"):
            _columns.finding_lists(address, rows, starts, out, capacity)
        offsets.check()
        values.check()
    assert _columns.count_findings(address, -1) == []


def test_is_ascii_finds_a_high_byte_at_any_place(at_end: bool) -> None:
    place = Output()  # its canaries are not ASCII
    for size in [*range(80), 1000]:
        address = place.buffer(size, at_end, fill=0x7F)
        assert _columns.is_ascii(address, size)
        for at in range(min(size, 80)):
            byte = 0x80 | at
            data = bytearray(b"\x7f" * size)
            data[at] = byte
            assert not _columns.is_ascii(place.guard.put(bytes(data), at_end), size)


def is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


PIECES = [b"a", b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xf4\x8f\xbf\xbf", b"\xef\xbf\xbf", b"\x7f"]
BROKEN = [b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xff", b"\x80"]


def test_not_utf8_names_the_rows_that_are_not_utf8(at_end: bool) -> None:
    data, places = Guarded(8), Guarded(8)
    rng = random.Random(7)

    def check(texts: list[bytes], before: int = 0) -> None:
        starts = [before]
        for text in texts:
            starts.append(starts[-1] + len(text))
        address = data.put(b"".join(texts), at_end) - before
        offsets = places.put(struct.pack(f"<{len(starts)}i", *starts), at_end)
        want = [row for row, text in enumerate(texts) if not is_text(text)]
        assert _columns.not_utf8(offsets, address, len(texts)) == want

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
        _columns.not_utf8(places.put(struct.pack("<3i", 0, 5, 4), at_end), data.put(b"x" * 5, at_end), 2)


def test_group_sums_are_right_and_overflow_is_reported(at_end: bool) -> None:
    group_of, row_of, sizes = Guarded(), Guarded(), Guarded()
    counts, sums, last = Output(), Output(), Output()
    rng = random.Random(11)

    def added(places: list[int], rows: list[int] | None, groups: int, data: list[int]) -> bool:
        fit = _columns.add_up(
            group_of.put(struct.pack(f"<{len(places)}i", *places), at_end),
            0 if rows is None else row_of.put(struct.pack(f"<{len(rows)}q", *rows), at_end),
            sizes.put(struct.pack(f"<{len(data)}Q", *data), at_end),
            len(places),                                          len(data),
            groups,
            *(each.buffer(8 * groups, at_end) for each in (counts, sums, last)),
        )  # fmt: skip
        for each in (counts, sums, last):
            each.check()
        return fit

    for items in [*range(20), *(rng.randrange(300) for _ in range(TRIES // 400))]:
        groups = rng.randrange(1, 40)
        places = [rng.randrange(groups) for _ in range(items)]
        rows = rng.choice([None, sorted(rng.randrange(items) for _ in range(items))])
        data = [rng.randrange(1 << 50) for _ in range(items)]
        assert added(places, rows, groups, data)
        pairs = set(zip(range(items) if rows is None else rows, places, strict=True))
        want = [[data[row] for row, place in pairs if place == group] for group in range(groups)]
        assert list(struct.unpack(f"<{groups}Q", counts.data())) == [len(each) for each in want]
        assert list(struct.unpack(f"<{groups}Q", sums.data())) == [sum(each) for each in want]
    most = (1 << 64) - 1
    assert added([0, 1, 0], None, 2, [most, 1, 0]) and added([], None, 0, []) and added([0, 0], [0, 0], 1, [most])
    assert not added([0, 0], None, 1, [most, 1])
    for places, rows in (([0, 2], None), ([-1], None), ([0], [1]), ([0], [-1])):
        assert not added(places, rows, 2, [0])
