"""Make the page of urllib's functions. mkdocstrings would read urllib itself, because type checkers see urllib's own
functions."""

from __future__ import annotations

import inspect

import docstrings


def entry(name: str) -> str:
    import fasturl

    function = getattr(fasturl, name)
    parameters = [
        each.replace(annotation=inspect.Parameter.empty) for each in inspect.signature(function).parameters.values()
    ]
    written = ", ".join(
        str(each) if "<" not in str(each) else f"{each.name}={each.default.__name__}" for each in parameters
    )
    told = docstrings.as_markdown(function.__doc__)
    return f"## {name} {{ #fasturl.{name} }}\n\n```python\n{name}({written})\n```\n\n{told}\n"


def page() -> str:
    from fasturl import dropin

    names = [name for name in dropin.__all__ if not inspect.isclass(getattr(dropin, name))]
    return "\n".join(entry(name) for name in names)
