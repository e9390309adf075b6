"""Read docstrings in numpydoc form, and complete them with what other functions have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from inspect import Parameter, cleandoc, signature
from typing import Any, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])
_ORDER = ("", "Parameters", "Returns", "Raises", "See Also", "Notes", "Examples")
_TITLE = re.compile(r"^([A-Z]\w+(?: \w+)*)\n-+\n", re.MULTILINE)
_DEFAULT = re.compile(", (default .*|optional)$")
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)


@lru_cache(maxsize=8)  # Many functions complete their docstrings from the same few.
def sections(docstring: str | None) -> dict[str, str]:
    """Return the sections by title. The text before the first section has an empty title.

    >>> sections("Run.\\n\\nNotes\\n-----\\nTime: linear.\\n")
    {'': 'Run.', 'Notes': 'Time: linear.'}
    """
    start, *rest = _TITLE.split(cleandoc(docstring or ""))
    return {"": start.strip(), **{title: body.strip() for title, body in zip(rest[::2], rest[1::2], strict=True)}}


def entries(section: str) -> dict[str, str]:
    """Return the entries of a section, for example its parameters, by name.

    >>> entries("a : int\\n    A number.\\n*b : str")
    {'a': 'a : int\\n    A number.', 'b': '*b : str'}
    """
    return {entry.partition(" : ")[0].lstrip("*"): entry.strip() for entry in _ENTRY.split(section) if entry.strip()}


def described(parameters: Iterable[Parameter], known: dict[str, str]) -> str:
    """Return the entries of these parameters, with the defaults in the signature.

    >>> described([Parameter("n", Parameter.KEYWORD_ONLY, default=2)], {"n": "n : int, optional\\n    A number."})
    'n : int, default 2\\n    A number.'
    """
    lines = []
    for each in parameters:
        first, _, rest = known[each.name].partition("\n")
        if each.default is not each.empty:
            shown = repr(each.default).replace("'", '"')
            is_short = each.default is not None and len(shown) < 30
            first = _DEFAULT.sub("", first) + (f", default {shown}" if is_short else ", optional")
        lines.append(f"{first}\n{rest}")
    return "\n".join(lines)


def joined(found: dict[str, str]) -> str:
    """Return a docstring with these sections in numpydoc's order.

    >>> joined({"Notes": "Time: linear.", "": "Run."})
    'Run.\\n\\nNotes\\n-----\\nTime: linear.\\n'
    """
    pieces = [f"{title}\n{'-' * len(title)}\n{found[title]}" for title in _ORDER[1:] if found.get(title)]
    return "\n\n".join([found[""], *pieces]) + "\n"


def documented(*others: Any, ns: int = 0, source: str = "") -> Callable[[Documented], Documented]:
    """Return a decorator that completes the docstring of a function or class from other docstrings.

    The decorator adds missing parameters, defaults, the sections Returns and Raises, and the cost in ns per row with a
    source. If several docstrings describe a parameter, the first one wins. Under ``python -OO`` there is no docstring.
    """

    def complete(made: Documented) -> Documented:
        if made.__doc__:
            parts = [sections(other.__doc__) for other in others]
            found, known = dict[str, str](), dict[str, str]()
            for part in (*reversed(parts), sections(made.__doc__)):
                found = {title: found[title] for title in ("Returns", "Raises") if title in found} | part
                known |= entries(part.get("Parameters", ""))
            found["Parameters"] = described(signature(made).parameters.values(), known)
            if ns:
                cost = f"Time: linear, about {ns} ns per row on a single thread." + f" Source: {source}." * bool(source)
                found["Notes"] = f"{cost} {found.get('Notes', '')}".strip()
            made.__doc__ = joined(found)
        return made

    return complete
