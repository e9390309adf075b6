"""Does `fasturl routes` print the routes of a log, and does `--routes` give each request its route?"""

import json
import re
from pathlib import Path

import pytest
from clihelpers import Run

PATHS = [*(f"/users/{number}" for number in range(20)), *(f"/tags/{word}-q" for word in "abcdefghijklmnop"), "/a.b"]

FORMAT = '$remote_addr [$time_local] "$request" $status $request_time'
MAP = ["-q", "--log-format", FORMAT]


def line(path: str, status: int, method: str, duration: float) -> str:
    return f'192.0.2.7 [17/May/2015:10:05:03 +0000] "{method} {path}?token=s3cr3t HTTP/1.1" {status} {duration}\n'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log with statuses, methods and durations."""
    lines = [
        line(path, 500 if number == 1 else 200, "GET" if number else "PUT", number / 10)
        for number, path in enumerate(PATHS)
    ]
    file = tmp_path / "app.log"
    file.write_text("".join([*lines, line("/.env", 404, "GET", 9)]))
    return file


def test_each_route_has_its_numbers(fasturl: Run, log: Path) -> None:
    assert fasturl("routes", *MAP, log).out.decode().splitlines() == [
        "route\trequests\tshare\tmethods\tstatuses\tp95\texample",
        "/users/{n}\t20\t52.63%\tGET PUT\t200:19 500:1\t1.8\t/users/0",
        "/tags/{name}\t16\t42.11%\tGET\t200:16\t3.5\t/tags/a-q",
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


def test_an_nginx_map_gives_the_routes(fasturl: Run, log: Path, tmp_path: Path) -> None:
    (tmp_path / "r").write_text("/a.b\n/users/{id}\n/users/{id}/in/{group}\n/{path}\n/a'$\\\n")
    log.write_text("".join([log.read_text(), line("/a'$\\\\", 200, "GET", 1), line("/users/1/in/2", 200, "GET", 1)]))
    text = fasturl("routes", *MAP, "--to", "nginx-map", "--routes", tmp_path / "r", log).out.decode()
    head, *lines, end = text.splitlines()
    assert (head, end, lines.pop(0)) == ("map $request_uri $route {", "}", '    default "";')
    pairs = [re.fullmatch(r'    "~(.*)" "([^"$\\]*)";', line) for line in lines]
    rules = [(re.compile(pair[1]), pair[2]) for pair in pairs if pair]
    assert len(rules) == len(lines) == 5
    for uri, route in (
        ("/a.b?x", "/a.b"),
        ("/axb", "/{path}"),
        ("/users/1", "/users/{id}"),
        ("/users/1/in/2?x", "/users/{id}/in/{group}"),
        ("/users/1/2?/", "/{path}"),
    ):
        assert next(value for pattern, value in rules if pattern.search(uri)) == route


def test_a_collector_sets_both_attributes(fasturl: Run, log: Path) -> None:
    text = fasturl("routes", *MAP, "--to", "otel", log).out.decode()
    assert text.startswith("processors:\n  transform/routes:\n    trace_statements:\n      - context: span\n")
    server = [line for line in text.splitlines() if 'set(attributes["http.route"], "/users/{n}")' in line]
    assert len(server) == 1 and "SPAN_KIND_SERVER" in server[0] and '"^/users/[^/]+$"' in server[0]
    assert 'set(attributes["url.template"], "/a.b")' in text and '"^/a[\\\\x{2E}]b$"' in text


def test_known_routes_are_a_column(fasturl: Run, log: Path, tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(b"# ours\n\n/users/:id\n/users/0\r\n")
    known = [*MAP, "--routes", tmp_path / "r", "--routes-syntax", "rails"]
    rows = fasturl("parse", *known, "-F", "route", log).out.splitlines()
    assert rows[:2] == [b'{"route":"/users/0"}', b'{"route":"/users/{id}"}'] and rows[-1] == b'{"route":null}'
    counted = json.loads(fasturl("stats", *known, "-t", "route", "--top", "99", "--json", log).out)["route"]
    # A path without a route keeps its template.
    assert next((key, row["count"]) for key, row in counted.items()) == ("/users/{id}", 19)
    assert counted["/users/0"]["count"] == counted["/.env"]["count"] == 1 and "/users/{n}" not in counted
    counted = "SELECT route, count(*) AS n FROM requests WHERE route IS NOT NULL GROUP BY 1 ORDER BY 2"
    assert fasturl("sql", *known, "--to", "csv", counted, log).out == b"route,n\n/users/0,1\n/users/{id},19\n"
    assert fasturl("sql", *known, "--to", "csv", "SELECT count(route) AS n FROM urls", log).out == b"n\n20\n"
    where = fasturl("stats", *known, "--where", "route = '/users/{id}'", "-t", "path", log).out
    assert len(where.splitlines()) == 11
    assert fasturl("routes", *known, log).out.splitlines()[2].startswith(b"/users/0\t1\t2.63%")
    assert b'"route"' not in fasturl("sql", *MAP, "SELECT * FROM requests LIMIT 1", log).out


def test_routes_that_are_not_given_are_refused(fasturl: Run, log: Path, tmp_path: Path) -> None:
    assert "unknown column 'route'" in fasturl("parse", *MAP, "-F", "route", log).err
    (tmp_path / "r").write_text("/users/{\n")
    run = fasturl("parse", *MAP, "--routes", tmp_path / "r", log)
    assert run.status == 2 and "'/users/{' is not a route such as /users/{id}" in run.err
    assert "missing" in fasturl("parse", *MAP, "--routes", tmp_path / "missing", log).err
