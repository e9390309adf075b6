"""Tampered pickles and states give an object that works, or an exception. Only globals of the package are allowed,
because a pickle can call anything."""

from __future__ import annotations

import copy
import io
import pickle
import struct
from typing import Any

from common import EXPECTED, Input, fuzz, outcome

import fasturl
from fasturl import _accesslog, _fastparse

STEPS = [("word", "client", 32, b" ", b""), ("quoted", "request", 34, b'"', b"")]
TEMPLATE = _accesslog.LineTemplate(STEPS, has_more=True)


class Unpickler(pickle._Unpickler):  # type: ignore[misc]
    """pickle's Unpickler in Python, because the one in C allocates gigabytes for a large memo index."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith("fasturl") or name.startswith("__"):
            raise pickle.UnpicklingError(f"{module}.{name} is none of the package's")
        found = super().find_class(module, name)
        if getattr(found, "__module__", "").startswith("fasturl") or isinstance(found, type):
            return found
        raise pickle.UnpicklingError("let in are the package's own")


def use(value: Any) -> None:
    """Use every attribute and method of a restored object."""
    repr(value)
    hash(value)
    if isinstance(value, fasturl.URL):
        tuple(value), value.findings, value.hostname, value.span("host"), str(value)
        assert pickle.loads(pickle.dumps(value)) == value == copy.copy(value)
    if isinstance(value, _accesslog.LineTemplate):
        value.is_record(b'h "GET / HTTP/1.1"')


def seeds(given: Input) -> list[bytes]:
    url = fasturl.parse(given.data if given.one & 1 else given.text)
    kinds: list[Any] = [url, outcome(lambda: fasturl.urlsplit(given.text)), *fasturl.find_urls(b"<URL:" + given.data)]
    kinds += [*fasturl.problems(given.data), TEMPLATE]
    return [pickle.dumps(kind, given.two % 6) for kind in kinds]


def changed(given: Input, data: bytes) -> bytes:
    value, chance = bytearray(data), given.chance
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(value) + 1)
        value[at : at + chance.randrange(4)] = chance.choice([b"", b"\x00", b"N", b"K\xff", b"]", b"\x88"])
    return bytes(value)


def attempt(call: Any) -> None:
    try:
        use(call())
    except (*EXPECTED, pickle.UnpicklingError, struct.error, EOFError, MemoryError, ImportError):
        pass


def some_value(given: Input) -> Any:
    values = [given.text, given.data, 5, -1, 1 << 70, None, (), [], {}, "url", b"word", True, 1.5, TEMPLATE]
    return given.chance.choice(values)


def test_one(given: Input) -> None:
    attempt(lambda: Unpickler(io.BytesIO(given.data)).load())
    for data in seeds(given):
        attempt(lambda data=data: Unpickler(io.BytesIO(changed(given, data))).load())
    attempt(lambda: _fastparse._restore(*(some_value(given) for _ in range(3))))
    sound = ("word", "client", given.one, given.data[:9], given.data[9:])
    steps = [tuple(some_value(given) for _ in range(5)), sound]
    attempt(lambda: _accesslog.LineTemplate(given.chance.sample(steps, 1) * given.two, has_more=bool(given.one & 1)))
    url = fasturl.parse(given.data)
    attempt(lambda: url._replace(**{given.chance.choice(["path", "query", "scheme", "port"]): some_value(given)}))


if __name__ == "__main__":
    fuzz(test_one)
