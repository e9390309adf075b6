"""Threads may work on the same objects: nothing crashes, and unchanged input gives the answer of one thread. With the
GIL a thread yields between bytecodes, and so also inside callbacks into Python. Without the GIL everything runs in
parallel. Where one thread changes another's input, a Python exception is an answer too."""

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import hostile
import pytest
from support import outcomes_of_threads

import fasturl

NAMES = [name for name in hostile.CALLS if not name.startswith("arrow.") and name != "register"]
ROUNDS = 30


@pytest.fixture(autouse=True)
def often() -> Iterator[None]:
    """Let threads switch a thousand times as often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def answers(name: str) -> list[Any]:
    function, cases = hostile.CALLS[name]
    return [hostile.outcome(function, args) for args in cases]


def same(found: Any, wanted: Any) -> bool:
    """Compare by repr too, since exceptions and iterators equal only themselves."""
    return repr(found) == repr(wanted) or found == wanted


@pytest.mark.parametrize(("one", "other"), [*zip(NAMES, NAMES, strict=True), *itertools.pairwise(NAMES)])
def test_two_functions_in_parallel_answer_as_alone(one: str, other: str) -> None:
    alone = {name: answers(name) for name in (one, other)}
    plain = {name: same(answers(name), alone[name]) for name in alone}

    def again(name: str) -> Callable[[], list[bool]]:
        return lambda: [same(answers(name), alone[name]) for _ in range(ROUNDS)]

    for name, given in zip((one, other), outcomes_of_threads(again(one), again(other)), strict=True):
        assert isinstance(given, list), given
        assert all(given) or not plain[name], name


def writer(change: Callable[[int], object], rounds: int = 2000) -> Callable[[], None]:
    return lambda: [change(i) for i in range(rounds)].clear()


@pytest.mark.parametrize(
    "many", [fasturl.parse_many, fasturl.quote_many, fasturl.unquote_many], ids=lambda many: many.__name__
)
def test_reading_a_list_that_changes_does_not_crash(many: Callable[..., Iterator[Any]]) -> None:
    texts = [f"http://h{i}/{'x' * (i % 50)}" for i in range(500)]

    def change(i: int) -> None:
        if i % 3:
            texts[i % len(texts)] = "http://new/" + "y" * (i % 70)
        elif i % 2:
            texts.pop()
        else:
            texts.append("z")

    def read() -> int:
        return sum(len(list(many(texts))) for _ in range(20))

    for given in outcomes_of_threads(read, read, writer(change))[:2]:
        assert isinstance(given, (int, RuntimeError)), given


@pytest.mark.parametrize(
    "many", [fasturl.parse_many, fasturl.quote_many, fasturl.unquote_many], ids=lambda many: many.__name__
)
def test_an_iterator_shared_by_two_threads_gives_each_item_once(many: Callable[..., Iterator[Any]]) -> None:
    """A thread may also get an error that the iterator is in use. No item appears that the source does not have."""
    texts = [f"http://h/{i}" for i in range(3000)]
    shared = many(texts)
    alone = {str(item) for item in many(texts)}
    for given in outcomes_of_threads(lambda: list(shared), lambda: list(shared)):
        if isinstance(given, list):
            assert {str(item) for item in given} <= alone
        else:
            assert isinstance(given, (RuntimeError, ValueError)), given


def test_urlencode_of_a_changing_dictionary_is_right_or_raises() -> None:
    values: dict[str, Any] = {f"k{i}": f"v{i}" for i in range(50)}

    def change(i: int) -> None:
        values[f"n{i % 90}"] = "x" * (i % 40)
        values.pop(f"n{(i + 7) % 90}", None)

    def encode() -> int:
        wrong = 0
        for _ in range(100):
            try:
                wrong += not fasturl.urlencode(values).startswith("k0=v0&")
            except RuntimeError as error:
                assert "changed size" in str(error) or "changed during" in str(error)
        return wrong

    for given in outcomes_of_threads(encode, encode, writer(change))[:2]:
        assert given == 0, given


def test_urljoin_and_urldefrag_answer_alike_in_three_threads() -> None:
    """Each call asks for urllib's lists of schemes, which may change."""

    def join() -> set[str]:
        return {fasturl.urljoin("http://h/a/b", f"../{i % 9}") for i in range(3000)}

    def cut() -> set[str]:
        return {fasturl.urldefrag(f"http://h/{i % 9}#f")[0] for i in range(3000)}

    first, second, third = outcomes_of_threads(join, cut, join)
    assert first == third == {f"http://h/{i}" for i in range(9)} == second
