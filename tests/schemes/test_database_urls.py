"""URLs of databases give the parts that SQLAlchemy's make_url and pymongo's parse_uri see."""

import dataclasses
from urllib.parse import unquote

import pytest

import fasturl
from fasturl.schemes import Generic, UnbuildableURL, decompose

SQLALCHEMY = """
    postgresql://scott:tiger@localhost/mydatabase
    postgresql+psycopg2://user:p%40ss@host:5432/db?sslmode=require
    postgresql+psycopg2://scott:tiger@localhost:5432/mydatabase
    postgresql+pg8000://dbuser:kx%40jj5%2Fg@pghost10/appdb
    postgresql+psycopg2://user:password@/dbname?host=hostA:port1&host=hostB:port2
    postgresql+asyncpg://user@host/db?prepared_statement_cache_size=500
    mysql://scott:tiger@localhost/foo
    mysql+mysqldb://scott:tiger@192.168.0.134/test?ssl_ca=/path/to/ca.pem&ssl_cert=/path/to/client-cert.pem
    mysql+pymysql://scott:tiger@localhost/foo?charset=utf8mb4
    mariadb+mariadbconnector://some_user:some_pass@some_host:3306/some_database?charset=utf8mb4
    oracle+oracledb://scott:tiger@127.0.0.1:1521/?service_name=freepdb1
    oracle://scott:tiger@tnsalias
    mssql+pyodbc://scott:tiger@mydsn
    mssql+pyodbc://scott:tiger@mssql2017:1433/test?driver=ODBC+Driver+17+for+SQL+Server&Encrypt=yes
    mssql+pymssql://scott:tiger@hostname:1433/dbname
    mssql+pyodbc:///?odbc_connect=DRIVER%3D%7BSQL+Server%7D
    sqlite:///foo.db
    sqlite:////absolute/path/to/foo.db
    sqlite:////abs
    sqlite:///C:/path/foo.db
    sqlite:///:memory:
    sqlite+aiosqlite:///file:path/to/database?mode=ro&uri=true
    redis://:p@h
    rediss://default:s%2Fcret@cache_1:6380/0
    amqp://guest:guest@rabbit:5672/%2Fvhost
    clickhouse+native://u:p%3Aw@h:9000/default
    cockroachdb://root@localhost:26257/defaultdb?sslmode=disable
    snowflake://u:0123456@account.region/db/schema?warehouse=w
    trino://user@host:8080/catalog/schema
    dialect://u:p@[2001:db8::1]:5432/db
    dialect://u%3Aser:p%25ss%40w%2F@h/a?b?c
    dialect://u:p@h/
    dialect://u:p@h
    dialect://u@h:1
    dialect://u:@h/db
""".split()
MONGODB = """
    mongodb://localhost
    mongodb://localhost/
    mongodb://localhost:27018/db
    mongodb://u:p@h1:27017,h2:27017/db
    mongodb://myDBReader:D1fficultP%40ssw0rd@mongodb0.example.com:27017/?authSource=admin
    mongodb://db1.example.net:27017,db2.example.net:2500/?replicaSet=test
    mongodb://u%40x:p%2F%3A@db1.example.net,db2.example.net:2500,db3.example.net/records?w=majority
    mongodb://[::1]:27017,h2/db
    mongodb://[::1]/db
    mongodb://u@h/db.collection?tls=true
    mongodb://fred:foobar@mongos0.example.com:27017,mongos1.example.com:27018/admin
    mongodb://a_b:1,c.d:2
""".split()


@pytest.mark.parametrize("text", SQLALCHEMY)
def test_the_parts_are_those_of_make_url(text: str) -> None:
    theirs = pytest.importorskip("sqlalchemy").make_url(text)
    ours = decompose(text, strict=False)
    assert isinstance(ours, Generic)
    assert (ours.scheme, ours.user, ours.password) == (theirs.drivername, theirs.username, theirs.password)
    assert ours.host == (theirs.host or "") and ours.port == theirs.port and len(ours.hosts) == 1
    assert unquote(ours.path or "") == (theirs.database or "")
    pairs: dict[str, object] = {}
    for name, values in fasturl.parse_qs(ours.query or "").items():
        pairs[name] = values[0] if len(values) == 1 else tuple(values)
    assert pairs == dict(theirs.query)


@pytest.mark.parametrize("text", MONGODB)
def test_the_parts_are_those_of_parse_uri(text: str) -> None:
    theirs = pytest.importorskip("pymongo.uri_parser").parse_uri(text)
    ours = decompose(text, strict=False)
    assert isinstance(ours, Generic)
    assert [(host, port or 27017) for host, port in ours.hosts] == theirs["nodelist"]
    assert (ours.user, ours.password or "") == (theirs["username"], theirs["password"] or "")
    database, _, collection = unquote(ours.path or "").partition(".")
    assert (database or None, collection or None) == (theirs["database"], theirs["collection"])


@pytest.mark.parametrize("text", SQLALCHEMY + MONGODB)
def test_a_password_is_hidden_and_nothing_else(text: str) -> None:
    parts = decompose(text, strict=False)
    assert isinstance(parts, Generic)
    written = None if parts.password is None else text.partition("@")[0].rpartition(":")[2]
    # The colon of an escape counts as one too, so that more than the password may be hidden.
    hidden = text.replace("ser:p%25ss%40w%2F@", "***@") if "%3Aser" in text else text.replace(f":{written}@", ":***@")
    assert fasturl.redact(text) == hidden
    if written:
        assert f":{written}@" not in repr(parts) + repr(fasturl.parse(text))
        assert parts.password == parts.user or repr(parts.password) not in repr(parts)


def test_an_underscore_ends_no_scheme() -> None:
    """SQLAlchemy names dialects like oracle+cx_oracle, which no RFC calls a scheme."""
    text = "oracle+cx_oracle://scott:tiger@h/db"
    assert decompose(text, strict=False) == Generic("", text)
    assert fasturl.redact(text) == "oracle+cx_oracle://scott:***@h/db" and "tiger" not in repr(
        decompose(text, strict=False)
    )


@pytest.mark.parametrize("text", SQLALCHEMY + MONGODB)
def test_a_url_is_built_again_or_refused(text: str) -> None:
    parts = decompose(text, strict=False)
    assert isinstance(parts, Generic)
    try:
        built = dataclasses.replace(parts, part=None).geturl()
    except UnbuildableURL:
        # Section 5 derives no such host, or programs read one where there is none.
        assert any("_" in host or ":" in host or not host for host, _ in parts.hosts), text
        return
    again = decompose(built, strict=False)
    assert again == dataclasses.replace(parts, part=again.part)  # type: ignore[attr-defined]
    ambiguous = fasturl.Finding.AMBIGUOUS_AUTHORITY in fasturl.parse(built).findings
    assert len(parts.hosts) > 1 or not ambiguous
