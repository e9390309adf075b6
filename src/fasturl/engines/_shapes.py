"""The parameters of each function of ``fasturl.arrow``, read from its signature."""

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
    """The parameters of a function. A parameter that is annotated Any is a column.

    places : for each positional parameter, True if it is a column
    columns : the number of columns
    texts : the parameters that are str for a text column and bytes for a binary column
    named : the positional parameters that are not columns
    least, most : the bounds of the number of arguments in SQL, without the columns. None means no upper bound.
    listed, spread : True if the last parameter takes all remaining arguments of SQL, as a list or as ``*arguments``
    form, strings, threads : True if the function has this parameter
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
        """Return columns and arguments in the order of the parameters. Arguments take the place of missing columns."""
        given, rest = list(columns), list(arguments)
        values = []
        for is_column in self.places:
            if is_column:
                values.append(given.pop(0) if given else rest.pop(0))
            elif rest:
                values.append(rest.pop(0))
        return values + rest

    def constants(self, arguments: Sequence[Any]) -> int:
        """Return the number of arguments that replace columns after the first: one text for all rows."""
        return min(self.columns - 1, max(0, len(arguments) - len(self.named)))

    def divided(self, arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Divide the arguments after the first column into further columns and other arguments."""
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
    """Return the shape of a function.

    >>> shape("drop_query").least, shape("drop_query").most, shape("drop_query").texts
    (1, None, frozenset({'names'}))
    """
    if name not in FUNCTIONS:
        raise KeyError(without_secrets(name))
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
    """Return the arguments for a binary column, with bytes in place of str.

    >>> encoded("drop_query", ("utm_*",), {"form": "url"})
    ((b'utm_*',), {'form': 'url'})
    """
    how = shape(name)
    names = [*how.named, *[""] * len(arguments)]
    values = [_octets(value) if key in how.texts else value for key, value in zip(names, arguments, strict=False)]
    return tuple(values), {key: _octets(value) if key in how.texts else value for key, value in options.items()}


def holds_octets(value: Any) -> bool:
    """Return True if the arguments contain bytes. The operation then requires binary columns.

    >>> holds_octets((("a", b"b"),))
    True
    """
    return isinstance(value, bytes) or (isinstance(value, tuple) and any(map(holds_octets, value)))
