"""Do lines that are read by a plan stay inside their buffers, wherever they are cut?"""

import random
import sys
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="formats of logs are read to columns")

from customjson import ALL
from customlogs import Custom
from guardpages import Guarded
from logmodel import LINES, Columns
from tries import TRIES

from fasturl import _accesslog
from fasturl.logs.formats.plans import PlanLog

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

PLANNED = [custom for custom in ALL if isinstance(custom.make().make(), PlanLog)]
PIECES = [b" ", b'"', b"\\", b"-", b"[", b"]", b"\\x41", b"\xe9", b"0", b"\t", b"{", b",", b" : ", b"x" * 30]


def plan_of(custom: Custom) -> _accesslog.Plan:
    reader = custom.make().make()
    assert isinstance(reader, PlanLog) and reader.plan is not None
    return reader.plan


def cut(rng: random.Random, line: bytes) -> bytes:
    for _ in range(rng.choice([0, 1, 2])):
        at = rng.randrange(len(line))
        line = line[:at] + rng.choice(PIECES) + line[at + rng.randrange(3) :]
    return line[: rng.randrange(len(line) + 1)] if rng.randrange(2) else line


@pytest.mark.parametrize("custom", PLANNED, ids=lambda custom: custom.name)
def test_no_load_behind_a_line(custom: Custom) -> None:
    plan, guarded = plan_of(custom), Guarded()
    rng = random.Random(custom.name)
    cuts = [line[:end] for line in custom.lines for end in range(len(line) + 1)]
    for line in [*cuts, *(cut(rng, rng.choice(custom.lines)) for _ in range(TRIES // 4))]:
        # As long as an object may be that has no NUL behind it.
        line = line[len(line) % 8 :]
        if line:
            whole = guarded.bytes_at_end(line)
            assert plan.is_record(whole) == (custom.row(line) is not None)
            del whole


@pytest.mark.parametrize("at_end", [True, False], ids=["before a guard", "after a guard"])
@pytest.mark.parametrize("custom", PLANNED, ids=lambda custom: custom.name)
def test_rows_stay_in_rooms_of_their_documented_size(custom: Custom, at_end: bool) -> None:
    plan, columns = plan_of(custom), Columns()
    rng = random.Random(custom.name)
    for _ in range(TRIES // 40):
        lines = [cut(rng, rng.choice(custom.lines)) for _ in range(rng.randrange(1, LINES))]
        blocks = [b"".join(line + b"\n" for line in lines)]
        records = sum(custom.row(line.removesuffix(b"\r")) is not None for line in lines if line)
        for by_request in (False, True):
            given = columns.arguments(blocks, at_end)
            size = len(blocks[0]) + _accesslog.PLAN_ARENA_A_LINE * len(lines)
            given |= {"arena": columns.arena.buffer(size, at_end), "arena_size": size}
            rows, *_, rejects = _accesslog.read_lines(
                blocks, first=1, vhost=False, combined=0, by_request=by_request, plan=plan, **given
            )
            columns.check()
            assert rows >= records if not by_request else rows == records
            assert len(rejects) == sum(bool(line) for line in lines) - records
            with pytest.raises(ValueError, match="arena"):
                given["arena_size"] -= 1
                _accesslog.read_lines(
                    blocks, first=1, vhost=False, combined=0, by_request=by_request, plan=plan, **given
                )


def test_a_plan_holds_so_much() -> None:
    step = ("word", "client", 32, b" " * 100, b"")
    for steps in ([step] * 41, [("word", "", 32, b" ", b"")] * 129):
        with pytest.raises(ValueError, match="too long"):
            _accesslog.Plan(steps, has_more=False)
    with pytest.raises(ValueError):
        _accesslog.Plan([("nothing", "color", 0, b"", b"")], has_more=False)
    assert _accesslog.Plan([], has_more=True).is_record(b"") and not _accesslog.Plan([], has_more=True).is_record(b" x")


@pytest.mark.parametrize("step", [[], (), "word", b"w", None, 5, ("word", "client", 32), ["word"]])
def test_a_step_that_is_none_is_refused(step: Any) -> None:
    """As a pickle that was tampered with may bring it."""
    with pytest.raises((TypeError, ValueError)):
        _accesslog.Plan([step], has_more=False)


def test_a_step_that_gives_other_octets_each_time_stays_inside() -> None:
    class Growing(list):
        def __iter__(self):
            return iter(("word", "client", 32, b"x" * 4000, b"y" * 4000))

    with pytest.raises(ValueError, match="too long"):
        _accesslog.Plan([Growing(("word", "client", 32, b" ", b""))] * 100, has_more=False)
