"""Threads at work on the same objects: nothing crashes, and what no other thread changes has the answer of one thread.

With the GIL a thread gives way between bytecodes, and so inside of what calls back into Python; without it all of this
runs at once. Where one thread changes what another reads, an exception of Python is an answer, too.
"""

import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import hostile
import pytest

import fasturl

NAMES = [name for name in hostile.CALLS if not name.startswith("arrow.") and name != "register"]
ROUNDS = 30


@pytest.fixture(autouse=True)
def often() -> Iterator[None]:
    """Threads that take turns a thousand times as often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What each gave, or the exception that ended it; all start together."""
    gate = threading.Barrier(len(works))
    given: list[Any] = [None] * len(works)

    def run(index: int) -> None:
        gate.wait()
        try:
            given[index] = works[index]()
        except Exception as error:
            given[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return given


def answers(name: str) -> list[Any]:
    function, cases = hostile.CALLS[name]
    return [hostile.outcome(function, args) for args in cases]


def same(found: Any, wanted: Any) -> bool:
    """Exceptions and iterators are equal to themselves alone."""
    return repr(found) == repr(wanted) or found == wanted


@pytest.mark.parametrize(("one", "other"), [*zip(NAMES, NAMES, strict=True), *itertools.pairwise(NAMES)])
def test_two_functions_at_once_answer_as_alone(one: str, other: str) -> None:
    alone = {name: answers(name) for name in (one, other)}
    plain = {name: same(answers(name), alone[name]) for name in alone}

    def again(name: str) -> Callable[[], list[bool]]:
        return lambda: [same(answers(name), alone[name]) for _ in range(ROUNDS)]

    for name, given in zip((one, other), at_once(again(one), again(other)), strict=True):
        assert isinstance(given, list), given
        assert all(given) or not plain[name], name


def writer(change: Callable[[int], object], rounds: int = 2000) -> Callable[[], None]:
    return lambda: [change(i) for i in range(rounds)].clear()


@pytest.mark.parametrize(
    "many", [fasturl.parse_many, fasturl.quote_many, fasturl.unquote_many], ids=lambda many: many.__name__
)
def test_a_list_that_changes_while_it_is_read(many: Callable[..., Iterator[Any]]) -> None:
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

    for given in at_once(read, read, writer(change))[:2]:
        assert isinstance(given, (int, RuntimeError)), given


@pytest.mark.parametrize(
    "many", [fasturl.parse_many, fasturl.quote_many, fasturl.unquote_many], ids=lambda many: many.__name__
)
def test_one_iterator_for_two_threads(many: Callable[..., Iterator[Any]]) -> None:
    """Each item goes to one of them, or a thread is told that the iterator is in use; none is made of nothing."""
    texts = [f"http://h/{i}" for i in range(3000)]
    shared = many(texts)
    alone = {str(item) for item in many(texts)}
    for given in at_once(lambda: list(shared), lambda: list(shared)):
        if isinstance(given, list):
            assert {str(item) for item in given} <= alone
        else:
            assert isinstance(given, (RuntimeError, ValueError)), given


def test_a_dictionary_that_changes_while_it_is_encoded() -> None:
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

    for given in at_once(encode, encode, writer(change))[:2]:
        assert given == 0, given


def test_joins_and_fragments_by_three_threads() -> None:
    """Each asks which schemes urllib knows, and that list may change."""

    def join() -> set[str]:
        return {fasturl.urljoin("http://h/a/b", f"../{i % 9}") for i in range(3000)}

    def cut() -> set[str]:
        return {fasturl.urldefrag(f"http://h/{i % 9}#f")[0] for i in range(3000)}

    first, second, third = at_once(join, cut, join)
    assert first == third == {f"http://h/{i}" for i in range(9)} == second
