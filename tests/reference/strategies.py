"""The makers of reference_inputs as Hypothesis strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import reference_inputs as inputs
from hypothesis import strategies as st

T = TypeVar("T")


class _DrawnChoices:
    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def pick(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)]

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))


@st.composite
def _made(draw: st.DrawFn, make: Callable[[inputs.Choices], str]) -> str:
    return make(_DrawnChoices(draw))


def derived(production: str) -> st.SearchStrategy[str]:
    """Texts that one production derives."""
    return _made(inputs.derived(production))


valid_urls = _made(inputs.url)
mutated_urls = _made(inputs.mutated_url)
stretched_urls = _made(inputs.stretched_url)
hostile_texts = _made(inputs.hostile)
request_targets = _made(inputs.target)
made = st.one_of(valid_urls, mutated_urls, stretched_urls, hostile_texts, request_targets)
anything = st.one_of(made, st.text(max_size=30))
any_bytes = st.one_of(anything.map(inputs.bytes_of), st.binary(max_size=30))
