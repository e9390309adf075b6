"""Does `Routes` learn the routes of applications, and find the route of each path?"""

import random
import re
from typing import Any

import pyarrow as pa
import pytest
from applications import APPLICATIONS, agreement, requests

from fasturl.logs import Routes
from fasturl.logs import routes as module


@pytest.mark.parametrize("name", APPLICATIONS)
@pytest.mark.parametrize(("count", "seed"), [(4000, 1), (20000, 2)])
def test_the_routes_of_an_application_are_learned(name: str, count: int, seed: int) -> None:
    paths, statuses, truth = requests(APPLICATIONS[name], count, seed)
    routes = Routes.learn(paths, statuses)
    precision, recall = agreement(truth, routes.match(paths).to_pylist())
    assert precision >= 0.99 and recall >= 0.97, (precision, recall, list(routes))
    assert len(routes) <= 2 * len({each for each in truth if each})
    assert not routes.pruned


def test_parts_in_any_order_give_the_routes_of_the_whole() -> None:
    paths, statuses, _ = requests(APPLICATIONS["shop"], 6000, 3)
    whole = Routes.learn(paths, statuses)
    parts = [Routes.learn(paths[part::3], statuses[part::3]) for part in (2, 0, 1)]
    assert list(Routes.merge(parts)) == list(whole)
    both = [*zip(paths, statuses, strict=True)]
    random.Random(4).shuffle(both)
    chunks = pa.chunked_array([[path for path, _ in both[:50]], [path for path, _ in both[50:]]])
    assert list(Routes.learn(chunks, [status for _, status in both])) == list(whole)
    with pytest.raises(ValueError, match="were not learned"):
        Routes.merge([Routes(["/a"])])


def test_paths_that_are_never_found_create_no_route() -> None:
    paths, statuses = ["/a", "/.env", "/b", "/b", "/c"], [200, 404, 404, 500, None]
    assert list(Routes.learn(paths, statuses)) == ["/a", "/b", "/c"]
    assert list(Routes.learn(paths)) == ["/b", "/.env", "/a", "/c"]
    with pytest.raises(ValueError, match="differ in length"):
        Routes.learn(paths, statuses[1:])


def test_beyond_the_limit_the_result_says_that_it_is_pruned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NODE_LIMIT", 1000)
    monkeypatch.setattr(module, "_ROWS", 500)
    paths = [f"/wiki/{word}x/{part}" for word in map(str, range(3000)) for part in ("edit", "talk")] + ["/login"] * 2000
    routes = Routes.learn(paths)
    assert routes.pruned and repr(routes) == "<Routes: 3, pruned>"
    assert set(routes) == {"/wiki/{id}/edit", "/wiki/{id}/talk", "/login"}
    assert Routes.merge([routes]).pruned


def matched(routes: list[str], path: bytes) -> str | None:
    """Return the route of a path as a regular expression finds it."""
    path = re.sub(rb";[^/]*", b"", path)
    found = []
    for route in routes:
        pieces = re.split(r"(\{\w+\})", route)
        pattern = "".join(("(?s:.+)" if piece == "{path}" else "[^/]+") if piece[:1] == "{" else re.escape(piece)
                          for piece in pieces)  # fmt: skip
        if re.fullmatch(pattern.encode(), path):
            segments = route.split("/")
            letters = sum(len(re.sub(r"\{\w+\}", "", segment)) for segment in segments)
            literal = sum("{" not in segment for segment in segments)
            found.append((-literal, -letters, segments[-1] == "{path}", route))
    return min(found)[3] if found else None


def test_the_route_with_the_most_literal_segments_wins() -> None:
    rng = random.Random(5)
    for _ in range(300):
        segments = ["a", "b", "{x}", "a{x}", "{x}.b", "", "a.{x}b"]
        routes = ["/" + "/".join(rng.choices(segments, k=rng.randint(1, 4))) + rng.choice(["", "", "/{path}"])
                  for _ in range(rng.randint(0, 8))]  # fmt: skip
        paths = ["/" + "/".join(rng.choices(["a", "b", "ab", "a.b", "", "a;b", "c"], k=rng.randint(0, 5)))
                 for _ in range(30)]  # fmt: skip
        expected = [matched(routes, path.encode()) for path in paths]
        assert Routes(routes).match(paths).to_pylist() == expected, (routes, paths)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.string_view()])
def test_each_kind_of_column_is_matched(kind: Any) -> None:
    routes = Routes(["/{a}", "/a/{path}"])
    column = pa.array(["/x", None, "/a/b/c", "", "a", "/a/"], kind)
    expected = ["/{a}", None, "/a/{path}", None, None, None]
    assert routes.match(column).to_pylist() == expected
    assert routes.match(column[1:]).to_pylist() == expected[1:]
    assert routes.match(pa.chunked_array([column, column[:0]])).to_pylist() == expected
    assert routes.match(column[:0]).to_pylist() == [] and list(Routes.learn(column[:0])) == []


HOSTILE = [b"", b"/", b"//", b"/\0", b"/caf\xe9", b"/a\xff/\n", b"/{", b"/}{/{n}", b"*", b"h:443", b"/" * 100_000,
           b"/a" * 100_000, b"/" + b"a" * (1 << 20), b"/" + b"{" * 3000, b"/;" * 5000]  # fmt: skip


def test_hostile_paths_are_learned_and_matched() -> None:
    paths = pa.array([*HOSTILE, *HOSTILE, None], pa.binary())
    routes = Routes.learn(paths)
    assert list(routes) == ["/", "//", "/caf\udce9"]
    found = routes.match(paths).to_pylist()
    assert found[:5] == [None, "/", "//", None, "/caf%E9"]
    assert found[-1] is None and found[12] is None
    assert Routes(["/{x}", "/{path}"]).match(paths).to_pylist()[10:13] == ["/{path}", "/{path}", "/{x}"]
    assert list(Routes(routes)) == list(routes)


def test_offsets_outside_the_data_are_refused() -> None:
    for offsets in ([0, 2, 99], [0, 2, 1], [-1, 1, 2]):
        buffers = [None, pa.array(offsets, pa.int32()).buffers()[1], pa.py_buffer(b"/a/b")]
        with pytest.raises(ValueError, match="offset"):
            Routes(["/{x}"]).match(pa.Array.from_buffers(pa.binary(), 2, buffers))


@pytest.mark.long
def test_a_million_distinct_paths_take_bounded_memory() -> None:
    for start in ("/x/y", "/"):
        routes = Routes.learn(pa.array([f"{start}{number:x}z" for number in range(1_000_000)], pa.string()))
        assert routes.pruned and list(routes) == [start.removesuffix("y") + "{id}"]
        assert routes._nodes <= module.NODE_LIMIT


@pytest.mark.parametrize(("syntax", "written", "route"), [
    ("openapi", "/a/{id}", "/a/{id}"),                        ("openapi", "/a/{rest:path}", "/a/{path}"),
    ("openapi", "/a/{id:[0-9]+}", "/a/{id}"),                 ("rails", "/a/:id(.:format)", "/a/{id}"),
    ("rails", "/a/*rest", "/a/{path}"),                       ("express", "/a/:id(\\d+)/b", "/a/{id}/b"),
    ("express", "/a/*rest", "/a/{path}"),                     ("express", "/a{/*rest}", "/a/{path}"),
    ("express", "/f/:name.json", "/f/{name}.json"),           ("django", "a/<int:id>/", "/a/{id}/"),
    ("django", "a/<slug>/<path:rest>", "/a/{slug}/{path}"),
])  # fmt: skip
def test_the_spellings_of_frameworks_are_read(syntax: str, written: str, route: str) -> None:
    assert list(Routes([written], syntax=syntax)) == [route]


@pytest.mark.parametrize("text", ["a", "", "/{", "/a}", "/{a}{b}", "/{path}/a", "/a b", "/x{path}", "/" * 40])
def test_a_text_that_is_no_route_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a route such as"):
        Routes([text])
