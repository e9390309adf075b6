"""The parameters of each field and each function in ``fasturl.arrow``, read from the signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from fasturl import arrow
from fasturl._quoted import without_secrets

_TEXTS = (arrow.normalize, arrow.query_value, arrow.quote, arrow.redact, arrow.unquote)
# All functions by name, without those that are fields.
FUNCTIONS: dict[str, Callable[..., Any]] = {function.__name__: function for function in _TEXTS}
FUNCTIONS |= {name: function for name, function in arrow.FUNCTIONS.items() if name not in arrow.FIELDS}


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of a function. The defaults are those of a field.

    The URL column's annotation is ``Any``. The annotation ``str | bytes | Any`` means a text for all rows, or a second
    column.

    own : the URL column's position
    either : the first other parameter if it may be a second column, else None
    texts : the parameters that are str for a text column and bytes for a binary column
    named : the positional parameters without the URL column
    least, most : the range for the number of SQL arguments without the URL column. None means no upper bound.
    listed, spread : True if the last parameter takes all remaining SQL arguments, as a list or as ``*arguments``
    form, strings, threads : True if the function has this parameter
    """

    own: int = 0
    either: str | None = None
    texts: frozenset[str] = frozenset()
    named: tuple[str, ...] = ()
    least: int = 0
    most: int | None = 0
    listed: bool = False
    spread: bool = False
    form: bool = True
    strings: bool = True
    threads: bool = True

    def in_order(self, url: Any, arguments: Sequence[Any]) -> list[Any]:
        """Return the URL column and the arguments in parameter order."""
        return [*arguments[: self.own], url, *arguments[self.own :]]


def _parts(hint: Any) -> Iterator[Any]:
    yield get_origin(hint) or hint
    for part in get_args(hint):
        yield from _parts(part)


@cache
def shape(name: str) -> Shape:
    """Return the shape of a field, of a function, or of "parse" with its default fields.

    >>> shape("drop_params").least, shape("drop_params").most, shape("drop_params").texts
    (1, None, frozenset({'names'}))
    """
    if name == "parse" or name in arrow.FIELDS:
        return Shape()
    if name not in FUNCTIONS:
        raise KeyError(without_secrets(name))
    function = FUNCTIONS[name]
    hints = get_type_hints(function)
    parameters = list(inspect.signature(function).parameters.values())
    positional = [one for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    [own] = [place for place, one in enumerate(positional) if hints[one.name] is Any]
    given = [one for one in positional if hints[one.name] is not Any]
    either = next((one.name for one in given if Any in _parts(hints[one.name])), None)
    spread = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    listed = bool(given) and Iterable in _parts(hints[given[-1].name])
    return Shape(
        own=own,
        either=either,
        texts=frozenset(one.name for one in parameters if bytes in _parts(hints[one.name])),
        named=tuple(one.name for one in given),
        least=sum(one.default is one.empty for one in given),
        most=None if listed or spread else len(given),
        listed=listed,
        spread=spread,
        form="form" in hints,
        strings="strings" in hints,
        threads="threads" in hints,
    )


def _bytes(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode()
    return tuple(map(_bytes, value)) if isinstance(value, tuple) else value


def encode_arguments(
    name: str, arguments: Sequence[Any], options: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments for a binary column, with bytes instead of str.

    >>> encode_arguments("drop_params", ("utm_*",), {"form": "url"})
    ((b'utm_*',), {'form': 'url'})
    """
    how = shape(name)
    names = [*how.named, *[""] * len(arguments)]
    values = [_bytes(value) if key in how.texts else value for key, value in zip(names, arguments, strict=False)]
    return tuple(values), {key: _bytes(value) if key in how.texts else value for key, value in options.items()}


def holds_bytes(value: Any) -> bool:
    """Return True if the arguments contain bytes. The operation then requires binary columns.

    >>> holds_bytes((("a", b"b"),))
    True
    """
    return isinstance(value, bytes) or (isinstance(value, tuple) and any(map(holds_bytes, value)))
