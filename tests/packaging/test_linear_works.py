"""Every public function is counted by bench.linear, and a step that grows too fast, or takes more, is reported."""

from typing import Any

import pytest

from bench import instructions, linear
from bench.linear_works import WORKS, Work


def test_more_instructions_than_kept_are_told() -> None:
    kept = {"parse": 1000.0, "quote": 100.0, "gone": 1.0}
    counted = {"parse": 1020.0, "quote": 102.1, "new": 1.0}
    assert instructions.compare(kept, counted) == [
        "gone: not counted",
        "new: not kept",
        "quote: 102.1 instructions, 100.0 are kept (+2.1%)",
    ]


def names(work: Work) -> dict[str, Any]:
    """Return the names of the counted process."""
    known: dict[str, Any] = {}
    exec("from fasturl import *", known)
    exec(work.setup, known)
    return known


@pytest.mark.parametrize("name", WORKS)
def test_every_call_takes_every_text(name: str) -> None:
    """No call fails on short texts, except by a ValueError."""
    work = WORKS[name]
    if "arrow" in work.call or "pyarrow" in work.setup or "fasturl.logs" in work.setup:
        pytest.importorskip("pyarrow")
    if name in ("public_suffix", "registrable_domain", "subdomain"):
        pytest.importorskip("publicsuffixlist")
    call = eval(f"lambda t: ({work.call})", names(work))
    for before, unit, after in work.families:
        try:
            call(before + unit * 3 + after)
        except ValueError:  # a hostile text may be refused
            continue
        except Exception as error:
            pytest.fail(f"{error!r} for {before!r} {unit!r} {after!r}")


def test_a_quadratic_step_is_over_the_bound() -> None:
    sizes = [1 << 10, 1 << 16]
    assert linear.growth(sizes, [10_000 + 5 * n for n in sizes]) < linear.SLACK
    assert linear.growth(sizes, [100_000 + n * n // 64 for n in sizes]) > linear.SLACK
