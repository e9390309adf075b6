"""A URL's parts as keyword arguments for libraries that connect to a database or a broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fasturl._quoted import unknown

# The numbers and booleans among the parameters of a redis URL. Source: URL_QUERY_ARGUMENT_PARSERS of redis-py 8.1
# (https://github.com/redis/redis-py/blob/master/redis/connection.py).
_REDIS_INTEGERS = ("db", "health_check_interval", "max_connections", "protocol", "socket_read_size", "ssl_min_version")
_REDIS_SECONDS = ("socket_connect_timeout", "socket_timeout", "timeout")
_REDIS_BOOLEANS = ("retry_on_timeout", "socket_keepalive", "ssl_check_hostname")
_FALSE = ("0", "F", "FALSE", "N", "NO")
_REDIS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(_REDIS_INTEGERS, int),
    **dict.fromkeys(_REDIS_SECONDS, float),
    **dict.fromkeys(_REDIS_BOOLEANS, lambda value: value.upper() not in _FALSE),
}


def _psycopg(url: Any) -> dict[str, Any]:
    """Source: section 32.1.1.2 of PostgreSQL's manual: https://www.postgresql.org/docs/current/libpq-connect.html."""
    found: dict[str, Any] = {"user": url.user or None, "password": url.password or None}
    found["dbname"] = url.path or None
    found["host"] = ",".join([host for host, _ in url.hosts]) or None
    if any(port is not None for _, port in url.hosts):
        ports = ",".join(["" if port is None else str(port) for _, port in url.hosts])
        found["port"] = int(ports) if ports.isdigit() else ports
    for name, value in url.query or ():
        name, value = ("sslmode", "require") if (name, value) == ("ssl", "true") else (name, value)
        found[name] = value
    return found


def _redis(url: Any) -> dict[str, Any]:
    """Source: redis.connection.parse_url of redis-py 8.1."""
    found: dict[str, Any] = {"username": url.user, "password": url.password}
    path = url.path or ""
    if url.scheme == "unix":
        found["unix_socket_path"] = f"/{path}"
    else:
        found |= {"host": url.host or None, "port": url.port}
        found["db"] = int(path) if path.isascii() and path.isdigit() else None
        found["ssl"] = True if url.scheme == "rediss" else None
    for name, value in reversed(url.query or ()):  # The first value of a name counts.
        if value:
            try:
                found[name] = _REDIS.get(name, str)(value)
            except ValueError:
                raise ValueError(f"{name}: redis reads a number here") from None
    return found


def _kombu(url: Any) -> dict[str, Any]:
    """Source: kombu.utils.url.parse_url of kombu 5.7, whose empty parts are None."""
    found: dict[str, Any] = {"transport": url.scheme, "hostname": url.host or None, "port": url.port}
    found |= {"userid": url.user or None, "password": url.password or None, "virtual_host": url.path or None}
    query: dict[str, Any] = {name: value for name, value in url.query or () if value}
    if tls := {name: query.pop(name) for name in list(query) if name.startswith("ssl_")}:
        if "ssl_check_hostname" in tls:
            tls["ssl_check_hostname"] = tls["ssl_check_hostname"].lower() != "false"
        if "ssl_cert_reqs" in tls:
            import ssl

            try:
                tls["ssl_cert_reqs"] = ssl.VerifyMode[f"CERT_{tls['ssl_cert_reqs'].upper().removeprefix('CERT_')}"]
            except KeyError:
                raise ValueError("ssl_cert_reqs: expected required, optional or none") from None
        query["ssl"] = tls
    return found | query


def _sqlalchemy(url: Any) -> dict[str, Any]:
    """Source: sqlalchemy.engine.url.URL.create."""
    found = {"drivername": url.scheme, "username": url.user, "password": url.password, "host": url.host or None}
    several: dict[str, list[str]] = {}
    for name, value in url.query or ():
        several.setdefault(name, []).append(value)
    query = {name: values[0] if len(values) == 1 else tuple(values) for name, values in several.items()}
    return {**found, "port": url.port, "database": url.path, "query": query or None}


_LIBRARIES = {"psycopg": _psycopg, "redis": _redis, "kombu": _kombu, "sqlalchemy": _sqlalchemy}


def arguments(url: Any, library: str) -> dict[str, Any]:
    """Return what ``Generic.kwargs`` returns: the arguments that are not None. url : a Generic"""
    if library not in _LIBRARIES:
        raise unknown("library", library, _LIBRARIES)
    if len(url.hosts) > 1 and library != "psycopg":
        raise ValueError(f"{library} has no argument for several hosts")
    return {name: value for name, value in _LIBRARIES[library](url).items() if value is not None}
