"""URLs of databases give the parts that the libraries which connect see, and are built again for these libraries."""

import json
import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus, unquote

import pytest

import fasturl
from fasturl import Finding
from fasturl.schemes import Generic, UnbuildableURL, decompose

CASES = [json.loads(line)
         for line in Path(__file__).with_name("database_urls.jsonl").read_text("utf-8").split("\n")[1:-1]]  # fmt: skip


def cases(*readers: str) -> list[tuple[str, Any]]:
    return [(case["url"], case["answer"]) for case in CASES if case["reader"] in readers]


SQLALCHEMY = cases("SQLAlchemy's tests", "make_url")
TEXTS = [case["url"] for case in CASES]
# The regular expression of sqlalchemy.engine.url._parse_url (MIT license), whose answers the file of cases holds too.
PATTERN = re.compile(
    r"(?P<name>[\w\+]+)://(?:(?P<user>[^:/]*)(?::(?P<password>[^@]*))?@)?"
    r"(?:(?:\[(?P<ipv6>[^/\?]+)\]|(?P<host>[^/:\?]+))?(?::(?P<port>[^/\?]*))?)?(?:/(?P<database>[^\?]*))?(?:\?(?P<query>.*))?"
)


def make_url(text: str) -> list[Any]:
    """Read a text as SQLAlchemy does: drivername, username, password, host, port, database, query."""
    found = PATTERN.match(text)
    assert found is not None
    user, password, database = (value and unquote(value) for value in found.group("user", "password", "database"))
    query: dict[str, Any] = {}
    for name, value in parse_qsl(found["query"] or ""):
        query[name] = (
            value if name not in query else [*([query[name]] if isinstance(query[name], str) else query[name]), value]
        )
    port = int(found["port"]) if found["port"] else None
    return [found["name"], user, password, found["host"] or found["ipv6"], port, database, query]


def answer(parts: Any) -> list[Any]:
    """Return what SQLAlchemy reads, by our arguments for its URL.create. It reads no pair without a value."""
    given = parts.kwargs("sqlalchemy")
    query = {
        name: value if isinstance(value, str) else [*value] for name, value in given.get("query", {}).items() if value
    }
    names = ("drivername", "username", "password", "host", "port", "database")
    return [*map(given.get, names), query]


@pytest.mark.parametrize(("text", "theirs"), SQLALCHEMY)
def test_a_url_is_read_and_built_again_as_sqlalchemy_reads_it(text: str, theirs: list[Any]) -> None:
    parts: Any = decompose(text, strict=False)
    assert make_url(text) == theirs  # or the copy above is wrong
    assert answer(parts) == theirs
    assert make_url(parts.geturl()) == theirs and answer(decompose(parts.geturl(), strict=False)) == theirs
    changed = parts.replace(password="n/@?#:é w").geturl()
    assert make_url(changed) == [theirs[0], theirs[1] or "", "n/@?#:é w", *theirs[3:]]


def test_all_urls_of_sqlalchemys_tests_are_there() -> None:
    assert len(cases("SQLAlchemy's tests")) == 78


def render(name: str, user: Any, password: Any, host: Any, port: Any, database: Any, query: dict[str, Any]) -> str:
    """Write a text as sqlalchemy.engine.URL.render_as_string does."""
    login = "" if user is None else quote(user, " +") + ("" if password is None else f":{quote(password, ' +')}") + "@"
    place = "" if host is None else f"[{host}]" if ":" in host else host
    text = f"{name}://{login}{place}{'' if port is None else f':{port}'}"
    text += "" if database is None else f"/{quote(database, ' +/')}"
    lists = {name: [value] if isinstance(value, str) else value for name, value in sorted(query.items())}
    pairs = [f"{quote_plus(name)}={quote_plus(value)}" for name, values in lists.items() for value in values]
    return text + ("?" if pairs else "") + "&".join(pairs)


def test_random_urls_survive_in_both_directions(tries: int) -> None:
    chosen = random.Random(tries)

    def text(least: int = 0) -> str:
        return "".join(chosen.choices("abAB09 +/@:?#&=%;,._-~!$'()*<>[]\\^`{|}\"é🐍\t\n", k=chosen.randrange(least, 8)))

    for _ in range(max(200, tries // 10)):
        user = chosen.choice([None, text()])
        password = None if user is None else chosen.choice([None, text()])  # URL.create leaves out a password alone
        host = chosen.choice([None, "h", "a.b.example", "my_db", "h-1", "127.0.0.1", "::1", "2001:db8::1",
                              "::ffff:1.2.3.4"])  # fmt: skip
        port, database = (
            chosen.choice([None, 1, 5432, 65535]), chosen.choice([None, "", text(), "/tmp/a.db", ":memory:"]),
        )  # fmt: skip
        query = {text(1): chosen.choice([text(1), [text(1), text(1)]]) for _ in range(chosen.randrange(3))}
        name = chosen.choice(["postgresql", "mysql+my_driver", "oracle+cx_oracle", "x_y", "sqlite", "a+b_c"])
        made = [name, user, password, host, port, database, query]
        written = render(*made)
        parts: Any = decompose(written, strict=False)
        assert make_url(written) == answer(parts) == make_url(parts.geturl()) == made, made
        built = Generic.create(*made)
        assert make_url(built.geturl()) == made and decompose(built.geturl(), strict=False) == built, made
        assert make_url(built.replace(password="n").geturl())[2] == "n", made


@pytest.mark.parametrize(("text", "theirs"), cases("parse_uri"))
def test_the_parts_are_those_of_parse_uri(text: str, theirs: list[Any]) -> None:
    ours: Any = decompose(text, strict=False)
    database, _, collection = (ours.path or "").partition(".")
    nodes = [[host, port or 27017] for host, port in ours.hosts]
    assert [nodes, ours.user, ours.password or "", database or None,
            collection or None] == [*theirs[:2], theirs[2] or "", *theirs[3:]]  # fmt: skip
    again: Any = decompose(ours.geturl(), strict=False)
    assert (again.hosts, again.user, again.password, again.path) == (ours.hosts, ours.user, ours.password, ours.path)


@pytest.mark.parametrize(("text", "theirs"), cases("psycopg"))
def test_the_arguments_are_those_of_psycopg(text: str, theirs: dict[str, str]) -> None:
    ours: Any = decompose(text, strict=False)
    assert {name: str(value) for name, value in ours.kwargs("psycopg").items()} == theirs


@pytest.mark.parametrize(("text", "theirs"), cases("redis"))
def test_the_arguments_are_those_of_redis(text: str, theirs: dict[str, Any]) -> None:
    ours: Any = decompose(text, strict=False)
    given = ours.kwargs("redis")
    assert given.pop("ssl", False) == text.startswith("rediss:")  # theirs is a class of connections
    given["path"] = given.pop("unix_socket_path", None)
    assert {name: value for name, value in given.items() if value not in (None, "")} == theirs


@pytest.mark.parametrize(("text", "theirs"), cases("kombu"))
def test_the_arguments_are_those_of_kombu(text: str, theirs: dict[str, Any]) -> None:
    ours: Any = decompose(text, strict=False)
    assert ours.kwargs("kombu") == theirs


def test_arguments_that_no_library_takes_are_refused() -> None:
    for url, library, why in [
        ("redis://h?db=x", "redis", "db: redis reads a number"), ("x://h1,h2", "kombu", "several hosts"),
        ("x://h?ssl_cert_reqs=x", "kombu", "ssl_cert_reqs"), ("x://h", "psycop", "did you mean psycopg"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=why):
            Generic.kwargs(decompose(url, strict=False), library)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", TEXTS)
def test_a_password_is_hidden_and_nothing_else(text: str) -> None:
    parts: Any = decompose(text, strict=False)
    written = None if parts.password is None else text.partition("@")[0].rpartition(":")[2]
    # The colon of an escape counts as one too, so that more than the password may be hidden.
    hidden = text.replace("ser:p%25ss%40w%2F@", "***@") if "%3Aser" in text else text.replace(f":{written}@", ":***@")
    hidden = hidden.replace("?key=value", "?key=***")
    assert fasturl.redact(text) == hidden
    if written and written != "***":
        assert f":{written}@" not in repr(parts) + repr(fasturl.parse(text)) + repr(parts.replace(path="x"))
        assert parts.password == parts.user or repr(parts.password) not in repr(parts)


@pytest.mark.parametrize("text", TEXTS)
def test_only_two_forms_are_built_although_programs_read_them_differently(text: str) -> None:
    parts: Any = decompose(text, strict=False)
    built = parts.geturl()
    if Finding.AMBIGUOUS_AUTHORITY in fasturl.parse(built).findings and len(parts.hosts) == 1:
        assert "_" in parts.scheme or parts.host == ""
        with pytest.raises(UnbuildableURL):
            Generic(
                parts.scheme, None, parts.user, parts.password, parts.host, parts.port, parts.path, parts.query
            ).geturl()
    # A form that the text does not have is not added, and a host or port that programs read differently never.
    for fields in ({"host": ""}, {"scheme": "x_y"}, {"host": "a%2fb"}, {"port": 0}, {"hosts": [("h", 1), ("", 2)]}):
        if "_" in parts.scheme or ("" in dict(parts.hosts) and (fields.get("host") == "" or "hosts" in fields)):
            continue
        changed = parts.replace(**fields)
        try:
            built = changed.geturl()
        except UnbuildableURL:
            continue
        assert Finding.AMBIGUOUS_AUTHORITY not in fasturl.parse(built).findings, (fields, built)


def test_a_replaced_part_leaves_the_others_as_written() -> None:
    parts: Any = decompose("amqp://u:p@h:1/%2Fa%20b?x=%41+b&y", strict=False)
    for fields, built in [
        ({"host": "g_"}, "amqp://u:p@g_:1/%2Fa%20b?x=%41+b&y"), ({"port": None}, "amqp://u:p@h/%2Fa%20b?x=%41+b&y"),
        ({"user": None, "password": None}, "amqp://h:1/%2Fa%20b?x=%41+b&y"), ({"path": "c?"}, "amqp://u:p@h:1/c%3F?x=A%20b&y="),
        ({"query": {"k": ["1", "2"]}}, "amqp://u:p@h:1//a%20b?k=1&k=2"), ({"query": None}, "amqp://u:p@h:1//a%20b"),
        ({"hosts": [("a", 1), ("::1", None)]}, "amqp://u:p@a:1,[::1]/%2Fa%20b?x=%41+b&y"), 
        ({"scheme": "B"}, "b:" + parts.part),
    ]:  # fmt: skip
        assert parts.replace(**fields).geturl() == built
    several: Any = decompose("mongodb://u:p@h1:1,h2:2/db", strict=False)
    assert several.replace(port=3).geturl() == "mongodb://u:p@h1:3,h2:2/db"
    assert decompose("foo:a").replace(scheme="bar").geturl() == "bar:a"  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="unexpected field name: 'paswort'"):
        parts.replace(paswort="x")


def test_an_underscore_belongs_to_a_scheme_before_two_slashes_alone() -> None:
    text = "oracle+cx_oracle://scott:tiger@h/db"
    parts = decompose(text, strict=False)
    assert parts == Generic("oracle+cx_oracle", text[17:], "scott", "tiger", "h", None, "db")
    assert fasturl.redact(text) == "oracle+cx_oracle://scott:***@h/db" and "tiger" not in repr(parts)
    for other in ("a_b:c", "a_b:/c", "_a://h", "a/b_c://h"):
        assert decompose(other, strict=False).scheme == ""


def test_create_checks_what_it_gets() -> None:
    for wrong in ({"user": 5}, {"port": "1"}, {"query": [("a",)]}, {"query": {"a": 1}}, {"hosts": ["h"]}):
        with pytest.raises(TypeError):
            Generic.create("x", **wrong)  # type: ignore[arg-type]
    for wrong in ({"host": "a b"}, {"host": "\u212a"}, {"host": "a/b"}, {"port": 65536}, {"user": "\ud800"}):
        with pytest.raises(UnbuildableURL):
            Generic.create("x", **wrong)  # type: ignore[arg-type]
    for scheme in ("", "a b", "http", "é"):
        with pytest.raises(UnbuildableURL):
            Generic.create(scheme, host="h")
