"""How each function of a column is called, read from its signature: what is a column, a text, a list, a setting."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from fasturl import arrow

_TEXTS = (arrow.normalize, arrow.query_value, arrow.quote, arrow.redact, arrow.unquote)
# All of them by name.
FUNCTIONS: dict[str, Callable[..., Any]] = {function.__name__: function for function in _TEXTS} | arrow.FUNCTIONS


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of a function. A column is what is annotated Any.

    places, columns : whether each that can stand by its place is a column, and how many are
    texts : those whose value is text where the column is and octets where it is octets
    least, most : how many arguments beside the columns SQL may give, None without a bound
    listed, spread : whether the last takes all arguments of SQL that are left, as a list or one by one
    named : those that can stand by their place and are no column
    form, strings, threads : whether it has these
    """

    places: tuple[bool, ...]
    columns: int
    texts: frozenset[str]
    named: tuple[str, ...]
    least: int
    most: int | None
    listed: bool
    spread: bool
    form: bool
    strings: bool
    threads: bool

    def placed(self, columns: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
        """Columns and arguments in the order of the parameters; arguments stand for the columns that are missing."""
        given, rest = list(columns), list(arguments)
        values = []
        for is_column in self.places:
            if is_column:
                values.append(given.pop(0) if given else rest.pop(0))
            elif rest:
                values.append(rest.pop(0))
        return values + rest

    def constants(self, arguments: Sequence[Any]) -> int:
        """How many of the arguments stand for columns after the first, one text for all rows."""
        return min(self.columns - 1, max(0, len(arguments) - len(self.named)))

    def divided(self, arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Of the arguments after the first column: further columns, and the others."""
        places = list(self.places)
        places.remove(True)
        columns: list[Any] = []
        others: list[Any] = []
        for number, value in enumerate(arguments):
            (columns if number < len(places) and places[number] else others).append(value)
        return columns, others


def _parts(hint: Any) -> Iterator[Any]:
    yield get_origin(hint) or hint
    for part in get_args(hint):
        yield from _parts(part)


@cache
def shape(name: str) -> Shape:
    """The shape of a function.

    >>> shape("drop_query").least, shape("drop_query").most, shape("drop_query").texts
    (1, None, frozenset({'names'}))
    """
    function = FUNCTIONS[name]
    hints = get_type_hints(function)
    parameters = list(inspect.signature(function).parameters.values())
    positional = [one for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    columns = [hints[one.name] is Any for one in positional]
    given = [one for one in positional if hints[one.name] is not Any]
    spread = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    listed = bool(given) and Iterable in _parts(hints[given[-1].name])
    return Shape(
        places=tuple(columns),
        columns=sum(columns),
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


def _octets(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode()
    return tuple(map(_octets, value)) if isinstance(value, tuple) else value


def encoded(name: str, arguments: Sequence[Any], options: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments for a column of octets.

    >>> encoded("drop_query", ("utm_*",), {"form": "url"})
    ((b'utm_*',), {'form': 'url'})
    """
    how = shape(name)
    names = [*how.named, *[""] * len(arguments)]
    values = [_octets(value) if key in how.texts else value for key, value in zip(names, arguments, strict=False)]
    return tuple(values), {key: _octets(value) if key in how.texts else value for key, value in options.items()}


def holds_octets(value: Any) -> bool:
    """Whether octets are among the arguments, which then are for columns of octets.

    >>> holds_octets((("a", b"b"),))
    True
    """
    return isinstance(value, bytes) or (isinstance(value, tuple) and any(map(holds_octets, value)))
