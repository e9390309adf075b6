"""Section 2.2: each of the 256 bytes in every kind of component, raw and escaped, read and built."""

import dataclasses

import pytest

from fasturl import InvalidURL
from fasturl.schemes import decompose

# Typed from the RFC: the bytes that are raw everywhere, and those that a component's production adds.
UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$-_.+!*'(),")
RESERVED = frozenset(b";/?:@&=")
GROUP = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.+_")

# The URL with {} for the varied byte; the field and the index within a tuple; the raw bytes.
COMPONENTS = {
    "ftp user": ("ftp://a{}b:p@h/x", "user", (), UNRESERVED | set(b";?&=")),
    "ftp password": ("ftp://u:a{}b@h/x", "password", (), UNRESERVED | set(b";?&=")),
    "ftp cwd": ("ftp://h/x/a{}b/y", "cwd", (1,), UNRESERVED | set(b"?:@&=")),
    "ftp name": ("ftp://h/x/a{}b", "name", (), UNRESERVED | set(b"?:@&=")),
    "ftp name, typed": ("ftp://h/a{}b;type=i", "name", (), UNRESERVED | set(b"?:@&=")),
    "gopher gtype": ("gopher://h/{}x", "gtype", (), UNRESERVED | RESERVED),
    "gopher selector": ("gopher://h/0a{}b", "selector", (), UNRESERVED | RESERVED),
    "gopher search": ("gopher://h/7s%09a{}b%09+", "search", (), UNRESERVED | RESERVED),
    "gopher string": ("gopher://h/1s%09%09a{}b", "plus", (), UNRESERVED | RESERVED),
    "mailto address": ("mailto:a{}b", "address", (), UNRESERVED | RESERVED),
    "news unique": ("news:a{}b@h", "message_id", (), UNRESERVED | set(b";/?:&=")),
    "telnet user": ("telnet://a{}b@h/", "user", (), UNRESERVED | set(b";?&=")),
    "telnet password": ("telnet://u:a{}b@h/", "password", (), UNRESERVED | set(b";?&=")),
    "wais database": ("wais://h/a{}b", "database", (), UNRESERVED),
    "wais search": ("wais://h/d?a{}b", "search", (), UNRESERVED | set(b";:@&=")),
    "wais wtype": ("wais://h/d/a{}b/p", "wtype", (), UNRESERVED),
    "wais wpath": ("wais://h/d/t/a{}b", "wpath", (), UNRESERVED),
    "file segment": ("file://h/x/a{}b", "path", (1,), UNRESERVED | set(b"?:@&=")),
    "prospero hsoname": ("prospero://h/a{}b;c=d", "hsoname", (), UNRESERVED | set(b"?:@&=/")),
    "prospero field": ("prospero://h/x;a{}b=c", "fields", (0, 0), UNRESERVED | set(b"?:@&")),
    "prospero value": ("prospero://h/x;c=a{}b", "fields", (0, 1), UNRESERVED | set(b"?:@&")),
    "generic user": ("foo://a{}b@h/x", "user", (), UNRESERVED | set(b";?&=")),
    "generic password": ("foo://u:a{}b@h/x", "password", (), UNRESERVED | set(b";?&=")),
    "generic path": ("foo://h/a{}b", "path", (), (UNRESERVED | RESERVED) - {ord("?")}),
    "generic query": ("foo://h/a?b=a{}b", "query", (0, 1), (UNRESERVED | RESERVED) - set(b"&+")),
}
# Components kept as written.
WRITTEN = {
    "http path": ("http://h/a{}b", "path", UNRESERVED | set(b";:@&=/")),
    "http search": ("http://h/x?a{}b", "search", UNRESERVED | set(b";:@&=")),
    "https path": ("https://h/a{}b", "path", UNRESERVED | set(b";:@&=/")),
    "generic part": ("foo:a{}b", "part", UNRESERVED | RESERVED),
}
# Components without escapes.
UNESCAPED = {"news group": ("news:a{}b", "group", GROUP), "nntp group": ("nntp://h/a{}b/1", "group", GROUP)}
NO_ESCAPES_AT_ALL = ("ftp://a{}b/", "ftp://h:1{}2/", "http://a{}b/", "http://h:1{}2/", "news:u@a{}b", "nntp://h/g/1{}2",
                     "ftp://h/x;type={}", "gopher://a{}b/", "telnet://a{}b/", "wais://a{}b/d", "file://a{}b/x",
                     "prospero://a{}b/x")  # fmt: skip


def value_at(parts, field, place):
    value = getattr(parts, field)
    for index in place:
        value = value[index]
    return value


def with_value(parts, field, place, value):
    def put(old, rest):
        if not rest:
            return value
        return tuple(put(item, rest[1:]) if index == rest[0] else item for index, item in enumerate(old))

    fresh = {field: put(getattr(parts, field), place)}
    if hasattr(parts, "part"):
        fresh["part"] = None
    return dataclasses.replace(parts, **fresh)


def wanted(url, byte):
    text = bytes((byte,)).decode("utf-8", "surrogateescape")
    if "a{}b" not in url:
        return text
    return f"a{text}b@h" if url.startswith("news:") else f"a{text}b"


@pytest.mark.parametrize("url, field, place, raw", COMPONENTS.values(), ids=COMPONENTS)
def test_an_escaped_byte_is_decoded_once_wherever_it_stands(url, field, place, raw):
    for byte in range(256):
        expected = wanted(url, byte)
        if byte == 9 and field in ("selector", "search") and url.startswith("gopher"):
            continue  # a delimiter there, see the test of section 3.4.1
        for escape in (f"%{byte:02X}", f"%{byte:02x}"):
            parts = decompose(url.format(escape))
            assert value_at(parts, field, place) == expected
            assert parts.geturl() == url.format(escape)


@pytest.mark.parametrize("url, field, place, raw", COMPONENTS.values(), ids=COMPONENTS)
def test_a_raw_byte_stands_where_the_production_has_it(url, field, place, raw):
    before, after = (text.encode() for text in url.split("{}"))
    for byte in range(256):
        given = before + bytes((byte,)) + after
        if byte in raw:
            assert value_at(decompose(given), field, place) == wanted(url, byte)
            continue
        try:
            parts = decompose(given)
        except InvalidURL:
            continue
        # Another byte is a delimiter, so that the URL is split elsewhere.
        assert byte in RESERVED or (field == "query" and byte == ord("+"))
        assert parts != decompose(url.format(f"%{byte:02X}"))


@pytest.mark.parametrize("url, field, place, raw", COMPONENTS.values(), ids=COMPONENTS)
def test_a_built_byte_is_escaped_exactly_where_it_may_not_stand_raw(url, field, place, raw):
    model = decompose(url.format("x"))
    for byte in range(256):
        if byte == 9 and field in ("selector", "search") and url.startswith("gopher"):
            continue
        fresh = with_value(model, field, place, wanted(url, byte))
        built = fresh.geturl()
        # A scheme without a production may reserve what the login of section 3.1 does not.
        raw = raw & (UNRESERVED | set(b"/:" if field == "path" else b"")) if url.startswith("foo:") else raw
        # In a login, "?" is escaped, because other readers end the login there.
        raw = raw - {ord("?")} if field in ("user", "password") else raw
        assert built == url.format(chr(byte) if byte in raw else f"%{byte:02X}")
        assert decompose(built) == fresh


@pytest.mark.parametrize("url, field, raw", WRITTEN.values(), ids=WRITTEN)
def test_undecoded_components_are_neither_decoded_nor_escaped(url, field, raw):
    for byte in range(256):
        escaped = f"a%{byte:02X}b"
        assert getattr(decompose(url.format(f"%{byte:02X}")), field) == escaped
        text = bytes((byte,)).decode("utf-8", "surrogateescape")
        model = decompose(url.format("x"))
        fresh = dataclasses.replace(
            model, **{"part": None, field: f"a{text}b"} if "foo" in url else {field: f"a{text}b"}
        )
        if "foo" in url and field == "path" and text == "?":
            assert (fresh.path, fresh.query) == ("a", "b")
        elif byte in raw:
            assert getattr(decompose(url.format(chr(byte))), field) == f"a{chr(byte)}b"
            assert decompose(fresh.geturl()) == fresh
        else:
            with pytest.raises(ValueError):
                fresh.geturl()


@pytest.mark.parametrize("url, field, raw", UNESCAPED.values(), ids=UNESCAPED)
def test_a_group_takes_no_escape(url, field, raw):
    for byte in range(256):
        with pytest.raises(InvalidURL):
            decompose(url.format(f"%{byte:02X}"))
        text = bytes((byte,)).decode("utf-8", "surrogateescape")
        fresh = dataclasses.replace(decompose(url.format("x")), **{field: f"a{text}b"})
        if "foo" in url and field == "path" and text == "?":
            assert (fresh.path, fresh.query) == ("a", "b")
        elif byte in raw:
            assert getattr(decompose(url.format(chr(byte))), field) == f"a{chr(byte)}b"
            assert fresh.geturl() == url.format(chr(byte))
        else:
            with pytest.raises(ValueError):
                fresh.geturl()


@pytest.mark.parametrize("url", NO_ESCAPES_AT_ALL)
def test_host_port_digits_and_typecode_take_no_escape(url):
    for byte in range(256):
        with pytest.raises(InvalidURL):
            decompose(url.format(f"%{byte:02X}"))
