"""Public docstrings have numpydoc's form. Each names every parameter, and can be read alone."""

import importlib
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest

NAMESPACES = [
    "fasturl", "fasturl.rfc1738", "fasturl.domains", "fasturl.arrow", "fasturl.schemes", "fasturl.logs",
    *(f"fasturl.engines.{name}" for name in ("duckdb", "pandas", "polars", "spark")),
]  # fmt: skip
SECTIONS = ["Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns", "See Also", "Notes", "Examples"]
TITLE = re.compile(r"^([A-Z][A-Za-z ]+)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"^(\*{0,2}\w+) : \S", re.MULTILINE)
# What is no text in a terminal: a role, a reference to another docstring, a shared paragraph that nobody filled in.
UNREADABLE = re.compile(rf":\w+:`|\b[Aa]s for\b|^ ?\$|^(?:{'|'.join(SECTIONS)})\n(?!-)", re.MULTILINE)


def parameters(value: Any) -> list[str] | None:
    """Return the names in a signature, with stars. None for a class that has none, or that users never call."""
    if inspect.isclass(value) and (issubclass(value, (Exception, Enum)) or hasattr(value, "n_fields")):
        return None
    try:
        signature = inspect.signature(value)
    except ValueError:
        return None
    return [re.split("[:=]", str(each))[0].strip() for each in signature.parameters.values() if each.name != "self"]


def faults(value: Any) -> Iterator[str]:
    """Yield what is wrong with the docstring of a function, a class, or a property."""
    text = inspect.getdoc(value) or ""
    head, *parts = TITLE.split(text)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    if not re.match(r"[A-Za-z][^\n]*[.:]\n*(\n\n|\Z)", head):
        yield "the first paragraph is no sentence on one line"
    if [*sections] != [title for title in SECTIONS if title in sections]:
        yield f"sections: {[*sections]}"
    yield from (f"not for a terminal: {found!r}" for found in UNREADABLE.findall(text))
    wanted = parameters(value) if callable(value) else None
    named = [name for title in ("Parameters", "Attributes") for name in ENTRY.findall(sections.get(title, ""))]
    if wanted is not None and named != wanted:
        yield f"parameters: {named} instead of {wanted}"
    if wanted is not None and not inspect.isclass(value):
        is_none = inspect.signature(value).return_annotation in (None, "None")
        if is_none == bool({"Returns", "Yields"} & sections.keys()):
            yield "a section Returns" if is_none else "no section Returns"


def public(namespace: str) -> Iterator[Any]:
    """Yield the functions and classes of a namespace, and the methods and documented properties of these classes."""
    try:
        module = importlib.import_module(namespace)
    except ModuleNotFoundError:  # an engine that is not installed
        return
    for name in module.__all__:
        value = getattr(module, name)
        home = getattr(value, "__module__", None) or ""
        if not callable(value) or not (home == namespace or home.rpartition(".")[0] in ("fasturl", namespace)):
            continue
        yield pytest.param(value, id=f"{namespace}.{name}")
        for member, held in vars(value).items() if inspect.isclass(value) else ():
            held = getattr(value, member) if isinstance(held, staticmethod | classmethod) else held
            is_property = isinstance(held, property) or (inspect.isgetsetdescriptor(held) and held.__doc__)
            if member[0] != "_" and (inspect.isroutine(held) or is_property):
                yield pytest.param(held, id=f"{namespace}.{name}.{member}")


@pytest.mark.parametrize("value", [each for namespace in NAMESPACES for each in public(namespace)])
def test_a_docstring_is_complete(value: Any) -> None:
    assert list(faults(value)) == []


GOOD = "Do it.\n\nParameters\n----------\na : str\n    A.\n*b : int\n    B.\n\nReturns\n-------\nstr\n    Text.\n"
WRONG = {"a : str": "x : str", "*b": "b", "Text.": "As for it.", "\n---": "", "Do it.": "$do", "A.": ":func:`a`"}


@pytest.mark.parametrize("old", ["", "\n\nReturns\n-------\nstr\n    Text.\n", *WRONG])
def test_a_wrong_docstring_has_faults(old: str) -> None:
    def do(a: str, *b: int) -> str:
        return a * len(b)

    do.__doc__ = GOOD.replace(old, WRONG.get(old, "")) if old else GOOD
    assert bool([*faults(do)]) == bool(old)
