"""Does `fasturl routes` print the routes of a log, and does `--routes` give each request its route?"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PATHS = [*(f"/users/{number}" for number in range(20)), *(f"/tags/{word}-q" for word in "abcdefghijklmnop"), "/a.b"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A JSON log with methods, statuses and durations."""
    lines = [
        {"target": f"{path}?token=s3cr3t", "method": "GET" if number else "PUT", "status": 500 if number == 1 else 200,
         "duration": number / 10}
        for number, path in enumerate(PATHS)
    ]  # fmt: skip
    lines.append({"target": "/.env", "method": "GET", "status": 404, "duration": 9})
    file = tmp_path / "app.log"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


MAP = ["-q", *(word for name in ("target", "method", "status", "duration") for word in ("--map", f"{name}={name}"))]


def test_each_route_has_its_numbers(fasturl: Callable[..., Any], log: Path) -> None:
    assert fasturl("routes", *MAP, log).out.decode().splitlines() == [
        "route\trequests\tshare\tmethods\tstatuses\tp95\texample",
        "/users/{n}\t20\t52.63%\tGET PUT\t200:19 500:1\t1.8\t/users/0",
        "/tags/{name}\t16\t42.11%\tGET\t200:16\t3.5\t/tags/p-q",
        "/a.b\t1\t2.63%\tGET\t200:1\t3.6\t/a.b",
    ]
    [first, *_] = json.loads(fasturl("routes", *MAP, "--to", "json", log).out)
    assert first == {
        "route": "/users/{n}", "requests": 20, "share": 0.5263, "methods": {"GET": 19, "PUT": 1},
        "statuses": {"200": 19, "500": 1}, "p95": 1.8, "example": "/users/0",
    }  # fmt: skip
    some = fasturl("routes", *MAP, "--where", "status = 500", log).out
    assert some.splitlines()[1:] == [b"/users/{n}\t1\t100.00%\tGET\t500:1\t0.1\t/users/1"]
    assert fasturl("routes", *MAP, stdin=log.read_bytes()).out == fasturl("routes", *MAP, log).out


def test_an_nginx_map_gives_the_routes(fasturl: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    (tmp_path / "r").write_text('/a.b\n/users/{id}\n/{path}\n/a"$\\\n')
    log.write_bytes(log.read_bytes() + b'{"target":"/a\\"$\\\\","method":"GET","status":200,"duration":1}\n')
    text = fasturl("routes", *MAP, "--to", "nginx-map", "--routes", tmp_path / "r", log).out.decode()
    head, *lines, end = text.splitlines()
    assert (head, end, lines.pop(0)) == ("map $request_uri $route {", "}", '    default "";')
    pairs = [re.fullmatch(r'    "~(.*)" "([^"$\\]*)";', line) for line in lines]
    rules = [(re.compile(pair[1]), pair[2]) for pair in pairs if pair]
    assert len(rules) == len(lines) == 4
    for uri, route in (("/a.b?x", "/a.b"), ("/axb", "/{path}"), ("/users/1", "/users/{id}"), ("/users/1/2?/", "/{path}")):
        assert next(value for pattern, value in rules if pattern.search(re.sub(r"\\x\{(..)\}", r"\\x\1", uri))) == route


def test_a_collector_sets_both_attributes(fasturl: Callable[..., Any], log: Path) -> None:
    text = fasturl("routes", *MAP, "--to", "otel", log).out.decode()
    assert text.startswith("processors:\n  transform/routes:\n    trace_statements:\n      - context: span\n")
    server = [line for line in text.splitlines() if 'set(attributes["http.route"], "/users/{n}")' in line]
    assert len(server) == 1 and "SPAN_KIND_SERVER" in server[0] and '"^/users/[^/]+$"' in server[0]
    assert 'set(attributes["url.template"], "/a.b")' in text and '"^/a[\\\\x{2E}]b$"' in text


def test_known_routes_are_a_column(fasturl: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(b"# ours\n\n/users/:id\n/users/0\r\n")
    known = [*MAP, "--routes", tmp_path / "r", "--routes-syntax", "rails"]
    rows = fasturl("parse", *known, "-F", "route", log).out.splitlines()
    assert rows[:2] == [b'{"route":"/users/0"}', b'{"route":"/users/{id}"}'] and rows[-1] == b'{"route":null}'
    assert fasturl("stats", *known, "-t", "route", log).out == b"route\n19\t/users/{id}\n1\t/users/0\n"
    counted = "SELECT route, count(*) AS n FROM requests WHERE route IS NOT NULL GROUP BY 1 ORDER BY 2"
    assert fasturl("sql", *known, "--to", "csv", counted, log).out == b"route,n\r\n/users/0,1\r\n/users/{id},19\r\n"
    assert fasturl("sql", *known, "--to", "csv", "SELECT count(route) AS n FROM urls", log).out == b"n\r\n20\r\n"
    where = fasturl("stats", *known, "--where", "route = '/users/{id}'", "-t", "path", log).out
    assert len(where.splitlines()) == 11
    assert fasturl("routes", *known, log).out.splitlines()[2].startswith(b"/users/0\t1\t2.63%")
    assert b'"route"' not in fasturl("sql", *MAP, "SELECT * FROM requests LIMIT 1", log).out


def test_routes_that_are_not_given_are_refused(fasturl: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    assert "-t route: name the routes with --routes FILE" in fasturl("stats", *MAP, "-t", "route", log).err
    assert "there is no 'route'" in fasturl("parse", *MAP, "-F", "route", log).err
    (tmp_path / "r").write_text("/users/{\n")
    run = fasturl("parse", *MAP, "--routes", tmp_path / "r", log)
    assert run.status == 2 and "'/users/{' is not a route such as /users/{id}" in run.err
    assert "missing" in fasturl("parse", *MAP, "--routes", tmp_path / "missing", log).err
