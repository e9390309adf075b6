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
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)


@lru_cache(maxsize=64)  # Many functions complete their docstrings from the same few.
def sections(docstring: str | None) -> dict[str, str]:
    """Return the sections by title. The text before the first section has an empty title.

    >>> sections("Run.\\n\\nNotes\\n-----\\nTime: linear.\\n")
    {'': 'Run.', 'Notes': 'Time: linear.'}
    """
    text = docstring or ""
    start, *rest = _TITLE.split(text if "\nParameters\n" in text else cleandoc(text))
    return {"": start.strip(), **{title: body.strip() for title, body in zip(rest[::2], rest[1::2], strict=True)}}


@lru_cache(maxsize=64)
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
    found = []
    for each in parameters:
        if each.name == "self":
            continue
        entry = known[each.name]
        if each.default is not each.empty:
            first, _, rest = entry.partition("\n")
            shown = "" if each.default is None else repr(each.default).replace("'", '"')
            default = f"default {shown}" if 0 < len(shown) < 30 else "optional"
            entry = f"{first.partition(', default ')[0].removesuffix(', optional')}, {default}\n{rest}"
        found.append(entry.rstrip())
    return "\n".join(found)


def joined(parts: dict[str, str]) -> str:
    """Return a docstring with these sections in numpydoc's order.

    >>> joined({"Notes": "Time: linear.", "": "Run."})
    'Run.\\n\\nNotes\\n-----\\nTime: linear.\\n'
    """
    pieces = [f"{title}\n{'-' * len(title)}\n{parts[title]}" for title in _ORDER[1:] if parts.get(title)]
    return "\n\n".join([parts[""], *pieces]) + "\n"


def complete(parts: dict[str, str], made: Callable[..., Any], *others: Any, ns: int = 0, source: str = "") -> str:
    """Return a docstring from its sections, completed from the docstrings of other functions or classes.

    The missing parameters, defaults, and the sections Returns and Raises are added, and the cost in ns per row with a
    source. If several docstrings describe a parameter, the first one wins.

    >>> complete({"": "Run.", "Parameters": "n : int"}, lambda n=2: n)
    'Run.\\n\\nParameters\\n----------\\nn : int, default 2\\n'
    """
    found, known = dict[str, str](), dict[str, str]()
    for part in (*(sections(other.__doc__) for other in reversed(others)), parts):
        found = {title: found[title] for title in ("Returns", "Raises") if title in found} | part
        known |= entries(part.get("Parameters", ""))
    found["Parameters"] = described(signature(made).parameters.values(), known)
    if ns:
        cost = f"Time: linear, about {ns} ns per row on a single thread." + f" Source: {source}." * bool(source)
        found["Notes"] = f"{cost}\n{found.get('Notes', '')}".strip()
    return joined(found)


def documented(*others: Any, ns: int = 0, source: str = "") -> Callable[[Documented], Documented]:
    """Return a decorator that completes a docstring as ``complete`` does. Under ``python -OO``, it changes nothing."""

    def decorate(made: Documented) -> Documented:
        if made.__doc__ and all(other.__doc__ for other in others):
            made.__doc__ = complete(sections(made.__doc__), made, *others, ns=ns, source=source)
        return made

    return decorate
