"""Learn a web application's routes from the paths in a log, and find each path's route."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import pyarrow as pa

from fasturl._accesslog import RouteTable
from fasturl._columns import PooledBuffer
from fasturl._patterns import lazy_pattern
from fasturl._quoted import quoted, unknown
from fasturl.arrow import compute as pc
from fasturl.arrow import path_template
from fasturl.arrow.columns_in import as_arrays
from fasturl.arrow.copies import used_buffer
from fasturl.logs.shown import escape_bytes

__all__ = ["SYNTAXES", "Routes"]

NODE_LIMIT = 1 << 19  # nodes of the trie, at the most: the segments of all distinct templates
_ROWS = 1 << 16  # counted at once
_LENGTH_MAX, _SEGMENTS_MAX = 2048, 32  # a longer path creates no route
_MANY, _MANY_AT_ROOT, _MANY_IDS = 16, 30, 6  # values of a parameter
_OUTLIER, _OUTLIER_COUNT = 4, 20  # how many times more requests a literal segment has than a value of its rank
_RARE = 1000  # beside a parameter with this many times more requests, a segment is one of its values
_FIRST = 10  # the most frequent segments, which show whether values lead on
_CANDIDATES = 40  # the most frequent segments, which may be literal among values
# Segments that name an action in many applications.
_ACTIONS = frozenset(
    b"add admin all api assets count create delete edit export feed health help import index list login logout me new "
    b"register search settings signup static status stats suggest upload".split()
)
_PARAMETER = lazy_pattern(rb"([^{}]*)\{([^{}/]+)\}([^{}]*)")
# Each segment has one parameter at the most. The bytes of a segment are neither spaces nor controls.
_ROUTE = lazy_pattern(rb"(?:/BYTE*(?:\{BYTE+\}BYTE*)?)+".replace(b"BYTE", rb"[^{}/\0-\x20\x7f]"))
_VERSION = lazy_pattern(rb"v\d+")
_EXTENSION = lazy_pattern(rb"\.[A-Za-z][A-Za-z0-9]{0,4}$")
_KIND = lazy_pattern(rb"\{\w+\}(?=\.|$)")
_PATH = b"{path}"
# The parameters in each framework's spelling, and what they become.
_AS_TAIL, _AS_SEGMENT = rb"{path}", rb"{\1}"
SYNTAXES: dict[str, tuple[tuple[bytes, bytes], ...]] = {
    "openapi": ((rb"\{[^{}:/]+:path\}", _AS_TAIL), (rb"\{([^{}:/]+):[^{}/]*\}", _AS_SEGMENT)),
    "rails": ((rb"\(\.:format\)$", rb""), (rb"\*\w+", _AS_TAIL), (rb":(\w+)", _AS_SEGMENT)),
    "express": ((rb"\{?/?\*\w*\}?$", rb"/{path}"), (rb":(\w+)(?:\([^()]*\))?", _AS_SEGMENT)),
    "django": ((rb"<path:\w+>", _AS_TAIL), (rb"<(?:\w+:)?(\w+)>", _AS_SEGMENT)),
}


@dataclass(eq=False, repr=False, slots=True)
class _Node:
    """A segment of the trie. `ends` counts the requests whose path ends here, and `total` those that pass it too."""

    ends: int = 0
    total: int = 0
    children: dict[bytes, _Node] = field(default_factory=dict)

    @property
    def is_leaf(self) -> bool:
        return not self.children or [*self.children] == [b""]

    def words(self) -> list[bytes]:
        """Return the literal segments that follow."""
        return [name for name in self.children if name and b"{" not in name]

    def add(self, other: _Node) -> None:
        """Add the counts of another node. Takes over its children."""
        pairs = [(self, other)]
        while pairs:
            here, there = pairs.pop()
            here.ends += there.ends
            here.total += there.total
            for name, child in there.children.items():
                if name in here.children:
                    pairs.append((here.children[name], child))
                else:
                    here.children[name] = child


def _trie(counts: dict[bytes, int]) -> _Node:
    root = _Node()
    for path, count in counts.items():
        node = root
        node.total += count
        for segment in path.split(b"/")[1:]:
            node = node.children.setdefault(segment, _Node())
            node.total += count
        node.ends += count
    return root


def _is_id(name: bytes) -> bool:
    """Return True for a segment that looks like a value: with a digit, an escape, mixed case or many hyphens."""
    has_cases = name != name.lower() and name[1:] != name[1:].lower()
    return any(48 <= c < 58 for c in name) or b"%" in name or has_cases or name.count(b"-") > 1


def _is_bare(name: bytes) -> bool:
    return name[:1] == b"{" and name[-1:] == b"}" and name != _PATH


def _extension(name: bytes) -> bytes:
    found = _EXTENSION.search(name)
    return found[0].lower() if found and found.start() else b""


def _outliers(pool: list[tuple[int, bytes]]) -> set[bytes]:
    """Return the segments that are literal among values, because they have more requests than their rank explains.

    pool : counts and segments, the largest first. Zipf's law gives the shares of values, at the most.
    """
    found: set[bytes] = set()
    ranks = range(max(1, len(pool) // 8), max(2, len(pool) // 2 + 1))
    usual = median(pool[rank - 1][0] * rank for rank in ranks)
    middle = pool[len(pool) // 2][0]
    extension = Counter(_extension(name) for _, name in pool).most_common(1)[0][0]
    mean = sum(count for count, _ in pool) / len(pool)
    for place, (count, name) in enumerate(pool[:_CANDIDATES]):
        following = pool[place + 1][0] if place + 1 < len(pool) else count
        times = _OUTLIER if not _is_id(name) and b"-" not in name else 3 * _OUTLIER
        if count >= _OUTLIER_COUNT and count >= times * following:
            found.update(each for _, each in pool[: place + 1])
        is_frequent = count >= _OUTLIER_COUNT and count * (place + 1) > times * usual
        is_action = name in _ACTIONS and count >= 2 * middle
        if is_frequent or is_action or (_extension(name) != extension and count >= max(5, mean)):
            found.add(name)
    return found


def _are_many(names: Iterable[bytes], least: int) -> bool:
    """Return True if there are enough segments to be values. Segments that look like values need be fewer."""
    names = [*names]
    ids = sum(map(_is_id, names))
    slugs = sum(b"-" in name or b"_" in name for name in names)
    if ids * 5 >= len(names) * 3:
        return len(names) >= (_MANY_IDS if ids < len(names) else _MANY_IDS - 2)
    return len(names) >= (least // 2 if (ids + slugs) * 2 >= len(names) else least)


def _passing(node: _Node, depth: int) -> dict[bytes, int]:
    """Return how many requests pass each literal segment after a node, or after its children."""
    found: dict[bytes, int] = {}
    for above in (node,) if depth == 1 else node.children.values():
        for name, child in above.children.items():
            if name and b"{" not in name:
                found[name] = found.get(name, 0) + child.total
    return found


def _like_each_other(inner: dict[bytes, _Node], depth: int) -> tuple[list[bytes], bool]:
    """Return the segments that lead to the same literal segments, as tenants or languages do.

    depth : 1 for the segments that follow at once, 2 for the segments after another segment
    The second value is True if this proves that they are values, because most requests go on to many shared segments.
    """
    passing = {name: _passing(child, depth) for name, child in inner.items()}
    shared = Counter(word for words in passing.values() for word in words)
    least = max(2, len(inner) // 50)
    common = {word for word, count in shared.items() if count >= least}
    through = {name: sum(words[word] for word in common & words.keys()) for name, words in passing.items()}
    # Few requests for common words among many for others are chance, as that of a tag and a category.
    alike = [
        name for name, count in through.items()
        if 2 * count >= max(1, sum(passing[name].values()) if depth == 1 else inner[name].total - inner[name].ends)
    ]  # fmt: skip
    if len(alike) < 3 or any(_VERSION.fullmatch(name) for name in alike):
        return [], False
    below: Counter[bytes] = Counter()  # the requests of the segments that lead to each word
    for name in alike:
        below.update(dict.fromkeys(common & passing[name].keys(), inner[name].total))
    total = sum(inner[name].total for name in alike)
    usual = {word for word, count in below.items() if 2 * count >= total}
    passed = sum(passing[name].get(word, 0) for name in alike for word in usual)
    return alike, 10 * passed >= 7 * total and len(usual) >= (2 if len(alike) >= _MANY_IDS else 4)


def _is_open(node: _Node) -> bool:
    """Return True if most requests that pass a node go on to literal segments."""
    return 2 * sum(node.children[word].total for word in node.words()) > node.total - node.ends


def _values(node: _Node, depth: int) -> set[bytes]:
    """Return the literal children of a node that are values of a parameter."""
    ordered = sorted(node.words(), key=lambda name: (-node.children[name].total, name))
    children = {name: node.children[name] for name in ordered}
    leaves = [name for name in ordered if children[name].is_leaf]
    inner = {name: child for name, child in children.items() if not child.is_leaf}
    least = _MANY if depth else _MANY_AT_ROOT
    alike, proven = _like_each_other(inner, 1)
    far, _ = _like_each_other(inner, 2)
    # Sections of a site have an open set of words below, and a word that most of them share.
    shared = Counter(word for child in inner.values() for word in child.words() if word not in _ACTIONS)
    common = {word for word, count in shared.items() if count >= max(_MANY, len(inner) // 2)}
    open_sets = (name for name in inner if common.intersection(children[name].children) and _is_open(children[name]))
    alike += [name for name in dict.fromkeys([*far, *open_sets]) if name not in alike]
    if common:
        least = _MANY
    known = max((child.total for name, child in node.children.items() if _is_bare(name)), default=0)
    found: set[bytes] = set()
    if proven:
        found.update(alike)
    # Some values lead on, and others do not.
    ends = sum(inner[name].ends for name in alike) * 10 >= sum(inner[name].total for name in alike)
    mixed = [name for name in ordered if name in alike or (ends and children[name].is_leaf)]
    are_alike = 2 * len(alike) >= len(inner)
    others = [name for name in inner if name in alike or not are_alike]
    # Few lead to anything but parameters.
    plain = [name for name in ordered if children[name].ends and not children[name].words()]
    many = False
    for pool, enough in ((leaves, least), (mixed, least), (plain, 2 * least), (others, 2 * _MANY_AT_ROOT)):
        if found.issuperset(pool):  # also if it is empty
            continue
        literal = _outliers([(children[name].total, name) for name in pool])
        first = pool[:_FIRST]
        if sum(name in inner for name in first) * 10 >= len(first) * 7:
            # So many requests to a value would lead on.
            literal.update(name for name in first if name not in inner)
        names = [name for name in pool if name not in literal]
        if _are_many(names, enough):
            found.update(names)
            many = True
    if found:
        words = {word for name in found for word in children[name].words()}
        usual = median(children[name].total for name in found)
        ending = any(children[name].ends for name in found)
        for name, child in children.items():
            through = sum(child.children[word].total for word in words.intersection(child.children))
            follows = 2 * through > child.total or (many and (ending if child.is_leaf else bool(words)))
            if name not in found and child.total <= 3 * usual and follows and name not in _ACTIONS:
                found.add(name)
        known += sum(children[name].total for name in found)
    if known >= _RARE // 5:
        rare = max(1, known // _RARE)
        for name in leaves:
            if children[name].total <= (5 * rare if _is_id(name) else rare) and name not in _ACTIONS:
                found.add(name)
    return found


def _merge(node: _Node, depth: int = 0) -> None:
    """Merge a node's children that are values, and then merge below each child."""
    names = _values(node, depth)
    # The extension of a value makes no difference.
    kinds_of = Counter(found[0] for name in node.children if (found := _KIND.match(name)))
    for name in sorted(node.children):
        kind = _KIND.match(name)
        if kind and kinds_of[kind[0]] > 1 and name != kind[0] and node.children[name].is_leaf:
            node.children.setdefault(kind[0], _Node()).add(node.children.pop(name))
    bare = [name for name in node.children if _is_bare(name)]
    if names or len(bare) > 1:
        parameter = _Node()
        extensions = {_extension(name) for name in names}
        suffix = extensions.pop() if len(extensions) == 1 and not bare else b""
        is_id = bool(bare) or sum(map(_is_id, names)) * 2 >= len(names)
        for name in sorted(names):
            parameter.add(node.children.pop(name))
        words = set(parameter.words())
        for name in sorted(bare, key=lambda name: (-node.children[name].total, name)):
            child = node.children[name]
            if not parameter.total or (parameter.ends and child.ends) or not words.isdisjoint(child.words()):
                parameter.add(node.children.pop(name))
                words.update(child.words())
        label = b"{id}" if is_id else b"{name}"
        label += suffix
        for name in sorted(node.children):
            if name == label or (suffix and name[:1] == b"{" and name.endswith(b"}" + suffix)):
                parameter.add(node.children.pop(name))
        node.children[label] = parameter
    for child in node.children.values():
        _merge(child, depth + 1)
    for name, child in [*node.children.items()]:
        if _is_bare(name) and _levels(child) > 2:
            end = node.children.setdefault(_PATH, _Node())
            end.ends, end.total = end.ends + child.total, end.total + child.total
            del node.children[name]


def _levels(node: _Node) -> int:
    """Return how many parameters follow each other at which paths end, if nothing else follows; else 0."""
    levels = 1
    while node.ends:
        below = [name for name in node.children if name]
        if not below:
            return levels
        if len(below) > 1 or not _is_bare(below[0]):
            return 0
        node = node.children[below[0]]
        levels += 1
    return 0


def _routes_of(node: _Node) -> dict[bytes, int]:
    """Return a trie's routes with numbers of requests, the most frequent first."""
    found: dict[bytes, int] = {}
    waiting = [(b"", node)]
    while waiting:
        before, here = waiting.pop()
        if here.ends and before:
            found[before] = here.ends
        waiting += [(before + b"/" + name, child) for name, child in here.children.items()]
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def rank(route: bytes) -> tuple[int, int, bool, bytes]:
    """Return a key by which the best route for a path sorts first.

    The most literal segments win, then the most literal bytes, then a parameter for a single segment.
    """
    segments = route.split(b"/")
    literal = sum(b"{" not in segment for segment in segments)
    raw = sum(len(_PARAMETER.sub(rb"\1\3", segment)) for segment in segments)
    return -literal, -raw, segments[-1] == _PATH, route


class Routes:
    """An application's routes, such as ``/users/{n}/orders``.

    A parameter, ``{name}``, matches a segment that is not empty. At the end, ``{path}`` matches the rest of the path.
    A segment can have text around the parameter, for example ``{n}.json``. You can use it on any thread.

    Parameters
    ----------
    routes : iterable of str or bytes
        Routes as OpenAPI writes them.
    syntax : str
        How the parameters are written: ``openapi``, ``rails``, ``express`` or ``django``.

    Raises
    ------
    ValueError
        If a route does not start with a slash, or has a parameter in no known form.

    Examples
    --------
    >>> routes = Routes(["/users/{id}", "/users/me"])
    >>> routes.match(["/users/7", "/users/me", "/about", None]).to_pylist()
    ['/users/{id}', '/users/me', None, None]
    """

    def __init__(self, routes: Iterable[str | bytes], *, syntax: str = "openapi") -> None:
        if syntax not in tuple(SYNTAXES):
            raise unknown("syntax", syntax, SYNTAXES)
        given = [route.encode("utf-8", "surrogateescape") if isinstance(route, str) else route for route in routes]
        self._routes = [*dict.fromkeys(_read(route, syntax) for route in given)]
        self._counts: dict[bytes, int] | None = None
        self._nodes = 0
        self.pruned = False
        self._table: RouteTable | None = None

    @classmethod
    def learn(cls, paths: Any, status: Any = None) -> Routes:
        """Learn routes from a column of paths, in a single pass.

        First, ``fasturl.path_template`` replaces numbers, UUIDs, dates, hashes, tokens and mail addresses. Then
        segments become ``{name}`` or ``{id}`` when they look like a parameter's values, because there are many of them
        with similar numbers of requests. When you pass the same paths in another order, you get the same routes.

        Parameters
        ----------
        paths : column of str or bytes
            The requested paths. A path above 2,048 bytes or 32 segments creates no route.
        status : column of int, optional
            Each request's status. A path creates no route when every request got 404.

        Returns
        -------
        Routes
            ``pruned`` is True if the distinct templates had more than 524,288 segments. Then rare routes may be lost.

        Raises
        ------
        ValueError
            If the columns differ in length.

        Examples
        --------
        >>> paths = [f"/users/{n}" for n in range(9)] + [f"/tags/{a}{b}ing" for a in "bcdrst" for b in "aeiou"]
        >>> list(Routes.learn([*paths, "/.env"], [200] * len(paths) + [404]))
        ['/tags/{name}', '/users/{n}']
        """
        learned = cls(())
        learned._counts = {}
        arrays, _, _ = as_arrays(paths)
        statuses = None if status is None else pa.chunked_array(as_arrays(status)[0])
        if statuses is not None and len(statuses) != sum(map(len, arrays)):
            raise ValueError("paths and status differ in length")
        start = 0
        for rows in (array.slice(at, _ROWS) for array in arrays for at in range(0, len(array), _ROWS)):
            count = len(rows)
            if statuses is not None:
                found = pc.fill_null(pc.not_equal(statuses.slice(start, count), 404), True)
                rows = rows.filter(found.combine_chunks())
            start += count
            counts = templates(rows).value_counts()
            learned._count(counts.field(0).to_pylist(), counts.field(1).to_pylist())
        return learned

    def _count(self, found: Sequence[bytes | None], counts: Sequence[int]) -> None:
        """Count the templates of paths."""
        held = self._counts
        assert held is not None
        self._routes, self._table = [], None
        for template, count in zip(found, counts, strict=True):
            if template in held:
                held[template] += count
            elif template is not None and _can_be_route(template):
                held[template] = count
                self._nodes += _nodes(template)
        if self._nodes > NODE_LIMIT:
            self._prune()

    def _prune(self) -> None:
        """Halve the templates. Routes replace templates, and then the rarest are lost."""
        assert self._counts is not None
        self.pruned = True
        routes = self._all()
        names = Routes(routes)._found(pa.array([*self._counts], pa.binary()))
        merged: Counter[bytes] = Counter()
        for place, count in zip(names.to_pylist(), self._counts.values(), strict=True):
            if place is not None:
                merged[routes[place]] += count
        self._counts, self._routes, self._nodes = {}, [], 0
        for route, count in sorted(merged.items(), key=lambda pair: (-pair[1], pair[0])):
            self._nodes += _nodes(route)
            if self._nodes > NODE_LIMIT // 2:
                break
            self._counts[route] = count

    @classmethod
    def merge(cls, parts: Iterable[Routes]) -> Routes:
        """Return routes as if you had learned them from all parts' paths together.

        Use it when several processes learn from different files.

        Parameters
        ----------
        parts : iterable of Routes
            Results of ``learn``.

        Returns
        -------
        Routes
            Routes that you can merge again.

        Raises
        ------
        ValueError
            If a part was not learned.

        Examples
        --------
        >>> parts = [Routes.learn([f"/t/{word}"] * 3) for word in "abcdefghijklmnopqrst"]
        >>> list(Routes.merge(parts))
        ['/t/{name}']
        """
        merged = cls(())
        merged._counts = {}
        for part in parts:
            if part._counts is None:
                raise ValueError("these routes were not learned: there is nothing to merge")
            merged.pruned |= part.pruned
            merged._count([*part._counts], [*part._counts.values()])
        return merged

    def _all(self) -> list[bytes]:
        if not self._routes and self._counts:
            root = _trie(dict(sorted(self._counts.items())))
            _merge(root)
            self._routes = [*_routes_of(root)]
        return self._routes

    def __iter__(self) -> Any:
        return (route.decode("utf-8", "surrogateescape") for route in self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return f"<Routes: {len(self)}{', pruned' if self.pruned else ''}>"

    def match(self, paths: Any) -> pa.Array | pa.ChunkedArray:
        """Return each path's route, or null if no route matches.

        When several routes match, the route with the most literal segments wins. Params, from a semicolon to the next
        slash, are skipped.

        Parameters
        ----------
        paths : column of str or bytes
            The paths. Null stays null.

        Returns
        -------
        pyarrow.DictionaryArray or pyarrow.ChunkedArray
            Routes as text. A byte that is not UTF-8 becomes an escape.

        Notes
        -----
        Time: linear, about 100 ns per path.

        Examples
        --------
        >>> Routes(["/{page}", "/files/{path}"]).match(["/a", "/files/a/b"]).to_pylist()
        ['/{page}', '/files/{path}']
        """
        arrays, _, chunked = as_arrays(paths)
        words = pa.array([escape_bytes(route).decode() for route in self._all()], pa.string())
        found = [pa.DictionaryArray.from_arrays(self._found(array), words) for array in arrays]
        return pa.chunked_array(found, pa.dictionary(pa.int32(), pa.string())) if chunked else found[0]

    def _found(self, paths: pa.Array) -> pa.Array:
        """Return the number of each path's route, or null."""
        if self._table is None:
            self._table = _compiled(self._all())
        raw = paths.cast(pa.binary())
        count = len(raw)
        numbers = PooledBuffer(4 * count)
        _, offsets, data = raw.buffers()
        if count:
            held = (data.address, data.size) if data else (0, 0)
            self._table.match(offsets.address + 4 * raw.offset, *held, count, numbers.address)
        found = pa.Array.from_buffers(pa.int32(), count, [None, used_buffer(numbers, 4 * count)])
        known = pc.greater_equal(found, pa.scalar(0, pa.int32()))
        if raw.null_count:
            known = pc.and_(known, raw.is_valid())
        return pc.if_else(known, found, pa.scalar(None, pa.int32()))


def learn_counts(counts: pa.Table) -> Routes:
    """Learn routes from a table with path templates and numbers of requests."""
    learned = Routes.learn(pa.array([], pa.binary()))
    for batch in counts.to_batches(_ROWS):
        learned._count(batch[0].to_pylist(), batch[1].to_pylist())
    return learned


def templates(paths: pa.Array) -> pa.Array:
    """Return each path's template as bytes, or null if the path does not start with a slash."""
    raw = paths.cast(pa.binary())
    found = path_template(raw, form="request-target", threads=1).cast(pa.binary())
    return pc.if_else(pc.starts_with(raw, "/"), found, pa.scalar(None, pa.binary()))


def _can_be_route(path: bytes) -> bool:
    return len(path) <= _LENGTH_MAX and path.count(b"/") <= _SEGMENTS_MAX and _ROUTE.fullmatch(path) is not None


def _nodes(path: bytes) -> int:
    """Return how many nodes a path may need. A long segment counts as several."""
    return path.count(b"/") + len(path) // 64


def _read(route: bytes, syntax: str) -> bytes:
    """Return a route as OpenAPI writes it. Raise ValueError for a text that is no route."""
    read = route
    for pattern, written in SYNTAXES[syntax]:
        read = re.sub(pattern, written, read)
    if syntax in ("django", "rails") and not read.startswith(b"/"):
        read = b"/" + read
    *others, last = read.split(b"/")
    if not _can_be_route(read) or (_PATH in others) or (_PATH in last and last != _PATH):
        text = route.decode("utf-8", "replace")
        raise ValueError(f"{quoted(text)} is not a route such as /users/{{id}}")
    return read


def _compiled(routes: list[bytes]) -> RouteTable:
    order = sorted(range(len(routes)), key=lambda place: rank(routes[place]))
    nodes: dict[tuple[int, bytes], int] = {}
    ends = [-1]
    literals: list[tuple[int, bytes, int]] = []
    parameters: list[tuple[int, bytes, bytes, int, bool]] = []
    for number, place in enumerate(order):
        node = 0
        for segment in routes[place].split(b"/")[1:]:
            found = _PARAMETER.fullmatch(segment)
            # The name of a parameter makes no difference.
            key = segment if found is None or segment == _PATH else found[1] + b"{}" + found[3]
            after = nodes.setdefault((node, key), len(ends))
            if after == len(ends):
                ends.append(-1)
                if found is None:
                    literals.append((node, segment, after))
                else:
                    parameters.append((node, found[1], found[3], after, segment == _PATH))
            node = after
        ends[node] = number if ends[node] < 0 else ends[node]
    return RouteTable(literals, parameters, ends, order)
