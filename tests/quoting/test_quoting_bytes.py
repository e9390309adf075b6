"""Quoting handles every byte at every place in a block, and keeps identities, signatures and caches as promised."""

import inspect
import urllib.parse

import pytest

from fasturl import _urllib

NAMES = ["quote", "quote_plus", "quote_from_bytes", "unquote", "unquote_plus", "unquote_to_bytes"]
NAMES += ["parse_qs", "parse_qsl", "urlencode"]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    "safe", ["/", "", "+/", "%", b" ", "!#$%&'()*+,/:;=?@[]", "".join(map(chr, range(33, 127, 2)))]
)
def test_quote_agrees_with_urllib_for_every_byte(safe: str | bytes) -> None:
    for byte in range(256):
        for filled in (b"", b"a" * 7, b"a" * 16, b"a" * 70):
            given = filled + bytes([byte]) + filled
            for name in ("quote", "quote_plus"):
                own, theirs = getattr(_urllib, name), getattr(urllib.parse, name)
                assert own(given, safe) == theirs(given, safe)
                assert own(given.decode("latin-1"), safe) == theirs(given.decode("latin-1"), safe)


@pytest.mark.usefixtures("kernel")
def test_unquote_agrees_with_urllib_for_every_two_bytes_after_a_percent() -> None:
    for first in range(256):
        for second in (*b"09afAFgG@/:`%+ ", 0, first, 255 - first):
            given = bytes([37, first, second])
            for text in (given, given * 30, b"x" * 61 + given, given + b"x" * 20):
                assert _urllib.unquote(text) == urllib.parse.unquote(text)
                assert _urllib.unquote_to_bytes(text) == urllib.parse.unquote_to_bytes(text)
                characters = text.decode("latin-1")
                assert _urllib.unquote(characters) == urllib.parse.unquote(characters)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("escape", ["%41", "%C3%A9", "%4", "%", "+", "%zz", "%%41", "é", "%e2%82"])
def test_escapes_are_found_at_every_place_of_every_length(escape: str) -> None:
    for length in [*range(140), 511, 512, 513, 514]:
        for before in range(length + 1) if length < 70 else (0, 1, length // 2, length - 3, length - 1, length):
            text = "a" * before + escape + "b" * (length - before)
            assert _urllib.unquote(text) == urllib.parse.unquote(text)
            assert _urllib.unquote_plus(text) == urllib.parse.unquote_plus(text)
            assert _urllib.quote(text) == urllib.parse.quote(text)
            assert _urllib.quote_plus(text) == urllib.parse.quote_plus(text)


@pytest.mark.parametrize("length", [1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200, 5000])
def test_the_same_object_when_nothing_needs_doing(length: int) -> None:
    text = "Az9_.-~/"[:1] * length
    assert _urllib.quote(text) is text
    assert _urllib.quote_plus(text) is text
    assert _urllib.unquote(text) is text
    assert _urllib.unquote_plus(text) is text
    assert _urllib.unquote("é" + text) == "é" + text
    wide = "é" + text
    assert _urllib.unquote(wide) is wide
    assert _urllib.unquote_plus(wide) is wide
    data = text.encode()
    assert _urllib.unquote_to_bytes(data) is data


@pytest.mark.parametrize("name", NAMES)
def test_signature_is_urllibs(name: str) -> None:
    own, theirs = (inspect.signature(getattr(where, name)).parameters.values() for where in (_urllib, urllib.parse))
    assert [(p.name, p.kind) for p in own] == [(p.name, p.kind) for p in theirs]
    own, theirs = (inspect.signature(getattr(where, name)).parameters.values() for where in (_urllib, urllib.parse))
    assert [p.default for p in own if p.name != "quote_via"] == [p.default for p in theirs if p.name != "quote_via"]


@pytest.mark.parametrize("name", NAMES)
def test_keywords_work_and_wrong_counts_raise(name: str) -> None:
    own, theirs = getattr(_urllib, name), getattr(urllib.parse, name)
    first = next(iter(inspect.signature(theirs).parameters))
    given = {"a": "b"} if name == "urlencode" else b"a b" if name == "quote_from_bytes" else "a=b%20c+"
    assert own(**{first: given}) == theirs(**{first: given})
    for args, options in [((), {}), ((given,), {"none_such": 1}), ((given,) * 12, {}), ((given,), {first: given})]:
        with pytest.raises(TypeError):
            own(*args, **options)


def test_many_safe_sets_do_not_pile_up() -> None:
    for number in range(2000):
        safe = "".join(chr(33 + (number >> bit & 1) * (bit + 1)) for bit in range(11))
        assert _urllib.quote("a!b\"c#$%&'()*+,-", safe) == urllib.parse.quote("a!b\"c#$%&'()*+,-", safe)
        assert _urllib.quote("a b", "x" * number) == "a%20b"


def test_functions_in_urllibs_place_do_not_call_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls delegated to urllib must not come back through urllib's patched names."""
    calls = [
        ("quote", ("é b",), {"encoding": "latin-1"}),           ("quote_plus", (bytearray(b"a b"),), {}),
        ("quote_from_bytes", (bytearray(b"\xff"),), {}),        ("unquote", ("%e9é",), {"encoding": "latin-1"}),
        ("unquote_plus", ("%e9é+",), {"errors": "ignore"}),     ("parse_qsl", ("a=%e9&é=1",), {"encoding": "latin-1"}),
        ("parse_qs", ("a=1;b=2",), {"separator": ";", "max_num_fields": 5.5}),
        ("urlencode", ({"a": [1, (2,)], "b": object},), {"doseq": True}),
        ("unquote_to_bytes", (b"%41",), {}),
    ]  # fmt: skip
    expected = [getattr(urllib.parse, name)(*args, **options) for name, args, options in calls]
    for name in NAMES:
        monkeypatch.setattr(urllib.parse, name, getattr(_urllib, name))
    assert [getattr(urllib.parse, name)(*args, **options) for name, args, options in calls] == expected
