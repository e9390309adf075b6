"""Objects with lying methods, misbehaving codecs and error handlers, re-entrant iterators, and buffers that change: an
answer or an exception, and afterwards the answer of the plain object."""

from __future__ import annotations

import codecs
import urllib.parse
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from common import EXPECTED, Input, fuzz

import fasturl
from fasturl import rfc1738, schemes

given: Input  # the current input, for callbacks


def answer(kind: int, itself: Any) -> Any:
    """Return the answer of a lying method."""
    if kind == 0:
        raise ZeroDivisionError
    data = given.data
    answers = [None, True, itself, [b"\xff", "\ud800", -1], 1 << 70, -1, given.text, data, bytearray(data)]
    return answers[kind]


METHODS = """__len__ __getitem__ __iter__ __str__ __bytes__ __eq__ __hash__ __contains__ encode decode lower find split
partition startswith replace isascii __bool__ __index__ __buffer__ __add__ __radd__ __mod__ rstrip lstrip strip items
__next__ keys __getattribute__""".split()


def ending(method: Callable[..., Any]) -> Callable[..., Any]:
    """End the iterator after 40 items: an endless one keeps urllib busy too, which is not a fault."""
    left = iter(range(40))

    def limited(self: Any, *args: Any) -> Any:
        if next(left, None) is None:
            raise StopIteration
        return method(self, *args)

    return limited


def lying(base: type, value: Any) -> Any:
    chance = given.chance
    names = chance.sample(METHODS, chance.randrange(1, 5))
    kinds = {name: chance.randrange(9) for name in names}
    methods = {name: lambda self, *a, _kind=kind, **k: answer(_kind, self) for name, kind in kinds.items()}
    if "__next__" in methods:
        methods["__next__"] = ending(methods["__next__"])
    return type("Lying", (base,), methods)(value)


def some_text() -> Any:
    chance = given.chance
    plain: Any = chance.choice([given.text, given.data, bytearray(given.data)])
    which = chance.randrange(6)
    if which == 0:
        return memoryview(bytes(given.data))[:: chance.choice([1, 2, -1])]
    return lying(type(plain), plain) if which < 4 else plain


def handler(error: UnicodeError) -> Any:
    """Call the package again, then return a wrong answer."""
    str(fasturl.parse(given.data).hostname)
    list(fasturl.unquote_many([given.text], errors="keep"))
    kind = given.two % 7
    if kind == 0:
        raise error
    end = getattr(error, "end", 0)  # an earlier offset would never end
    return [("?", end), ("", end), (b"\xff", end), ("\ud800", -(1 << 40)), ("?", 1 << 40), "?"][kind - 1]


class Codec(codecs.Codec):
    def encode(self, text: str, errors: str = "strict") -> tuple[Any, int]:
        return [(text.encode("utf-8", "replace"), len(text)), ("no bytes", 0), (bytearray(b"a"), -1)][given.two % 3]

    def decode(self, data: Any, errors: str = "strict") -> tuple[Any, int]:
        return [(bytes(data).decode("latin-1"), 0), (b"no text", 1), (None, 0)][given.two % 3]


codecs.register_error("fuzz", handler)
codecs.register(lambda name: codecs.CodecInfo(Codec().encode, Codec().decode, name="fuzz") if name == "fuzz" else None)


def coming_back(of: list[Any]) -> Iterator[Any]:
    """Yield items, while their container changes and their reader is read again."""
    for item in given.pieces():
        if of and given.chance.random() < 0.3:
            next(of[0], None)
        yield given.chance.choice([item, item.decode("latin-1"), None, 5, lying(bytes, item)])


def many(function: Callable[..., Any], **keywords: Any) -> None:
    readers: list[Any] = []
    items: Any = coming_back(readers) if given.two & 1 else list(coming_back([]))
    readers.append(function(items, **keywords))
    for one in readers[0]:
        if isinstance(items, list) and given.two & 2:
            items[:] = items[: len(items) // 2]
        str(one)


def codec_calls() -> None:
    codec, errors = given.chance.choice([("fuzz", "strict"), ("ascii", "fuzz"), ("utf-8", "fuzz"), ("utf-16", "fuzz")])
    text = given.text
    for call in (fasturl.quote, fasturl.quote_plus):
        attempt(lambda call=call: call(text, encoding=codec, errors=errors))
    for call in (fasturl.unquote, fasturl.unquote_plus):
        attempt(lambda call=call: call(text, codec, errors))
    attempt(lambda: fasturl.parse_qsl(text, encoding=codec, errors=errors))
    attempt(lambda: fasturl.unquote_safe(text, codec, errors))
    attempt(lambda: fasturl.urlencode({text: [text, 5]}, True, encoding=codec, errors=errors))


def changing_buffer() -> None:
    """Write to a buffer while the package holds it: the first content counts, or BufferError refuses the change."""
    data = bytearray(given.data)

    class Writer(str):
        def encode(self, *args: Any, **keywords: Any) -> Any:
            data[:] = b""
            return b"x" * 99

    attempt(lambda: fasturl.redact(data, [Writer("key"), "a"]))
    attempt(lambda: fasturl.query_value(data, Writer("key")))
    attempt(lambda: fasturl.drop_params(data, [Writer("key")]))


def attempt(call: Callable[[], Any]) -> None:
    try:
        call()
    except (*EXPECTED, BufferError, UnicodeError):
        pass


ONE: list[Callable[[Any], Any]] = [
    lambda text: tuple(fasturl.parse(text)), lambda text: fasturl.parse(text).port, fasturl.problems, fasturl.normalize,
    lambda text: fasturl.equivalent(text, text), lambda text: list(fasturl.find_urls(text, bare=True)),
    fasturl.wrap_url,
    rfc1738.classify_bytes, rfc1738.escape, rfc1738.escape_login, rfc1738.unescape, fasturl.unquote_safe,
    fasturl.redact, fasturl.quote, fasturl.quote_plus, fasturl.unquote, fasturl.unquote_to_bytes, fasturl.parse_qsl,
    fasturl.urlsplit, fasturl.urlparse, fasturl.urldefrag, fasturl.file_name, fasturl.path_template,
    fasturl.dedup_key, fasturl.dedup_hash, fasturl.canonicalize, fasturl.surt, fasturl.origin, fasturl.path_depth,
    fasturl.path_prefixes, fasturl.query_pairs, lambda text: fasturl.drop_parts(text, "www", "login"),
    lambda text: fasturl.urljoin(text, text), lambda text: fasturl.urlunsplit([text] * 5),
    lambda text: fasturl.urlencode({text: text}), lambda text: fasturl.query_values(text, [text, "a"]),
    lambda text: schemes.decompose(text, strict=False), fasturl.is_local_redirect,
    lambda text: fasturl.set_params(text, {"a": "b"}), lambda text: fasturl.keep_params(text, "a*"),
    lambda text: fasturl.parse(text).replace(host=None, path=None),
    lambda text: schemes.Generic.create("x", path=str(text)).replace(password="n").geturl(),
]  # fmt: skip


def test_one(at_hand: Input) -> None:
    global given
    given = at_hand
    before = fasturl.parse(given.data).findings, fasturl.quote_from_bytes(given.data)
    for _ in range(4):
        call = given.chance.choice(ONE)
        attempt(lambda call=call: call(some_text()))
    which = given.one % 6
    if which == 0:
        attempt(lambda: many(fasturl.parse_many, errors="keep", strict=bool(given.two & 4)))
    elif which == 1:
        attempt(lambda: many(fasturl.quote_many, errors=given.chance.choice(["keep", "raise", "null"])))
    elif which == 2:
        attempt(lambda: many(fasturl.unquote_many))
    elif which == 3:
        codec_calls()
    else:
        changing_buffer()
    assert before == (fasturl.parse(given.data).findings, fasturl.quote_from_bytes(given.data))
    assert before[1] == urllib.parse.quote_from_bytes(given.data)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    fuzz(test_one)
