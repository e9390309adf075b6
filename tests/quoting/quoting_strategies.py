"""Texts and arguments for quoting and queries, mostly nasty ones."""

from collections import OrderedDict, UserDict
from typing import Any

from hypothesis import strategies as st


class Text(str):
    pass


class Bytes(bytes):
    pass


class Loud:
    """Truthy, printable, and neither str nor bytes."""

    def __str__(self) -> str:
        return "lo ud&é"


# A piece is something a decoder may cut in two: half an escape, half a UTF-8 sequence, a surrogate.
PIECES = [
    "%", "%%", "%2", "%zz", "%41", "%2B", "%2f", "%25", "%00", "%0a", "%7f", "%c3%a9", "%C3", "%a9", "%E2%82%AC",
    "%e2%82", "%F0%9F%98%80", "%c0%af", "%ed%a0%80", "%C2%85", "%FF", "%u0041", "+", "&", "=", ";", "/", "?", "#", ":",
    "@", " ", "~", "'", '"', "\x00", "\x7f", "\x85", "\n", "a", "Z", "9", "abcdefghijklmnop", "é", "ÿ", "Ā", "€", "𝄞",
    "\ud800", "\udce9", "\uffff",
]  # fmt: skip
ascii_pieces = st.sampled_from([piece for piece in PIECES if piece.isascii()])
pieces = st.sampled_from(PIECES)
ascii_text = st.lists(ascii_pieces, max_size=40).map("".join)
text = st.one_of(ascii_text, st.lists(pieces, max_size=40).map("".join), st.text(max_size=80))
# Around the sizes at which a kernel, a stack buffer or an encoder changes its method.
long_text = st.builds(
    lambda start, middle, times: start + middle * times,
    ascii_text,
    pieces,
    st.sampled_from([15, 16, 17, 61, 62, 63, 64, 65, 127, 128, 129, 170, 511, 512, 513, 1500]),
)
data = st.one_of(
    st.binary(max_size=80), st.one_of(ascii_text, text).map(lambda value: value.encode("utf-8", "surrogatepass")),
    long_text.map(lambda value: value.encode("utf-8", "surrogatepass")),
)  # fmt: skip
strings = st.one_of(text, long_text)

odd = st.one_of(
    st.none(),             st.booleans(),         st.integers(-5, 5),    st.floats(allow_nan=False),
    st.just(b""),          st.just(""),           st.just(()),           data.map(bytearray),   data.map(memoryview),
    data.map(Bytes),       strings.map(Text),     st.lists(st.integers(0, 300), max_size=3),    st.just(Loud()),
)  # fmt: skip
anything = st.one_of(strings, strings, data, odd)

safe = st.one_of(
    st.sampled_from(["", "/", "+/", "%", " ", "é/", "\ud800/", "/:?#[]@!$&'()*+,;=", b"", b"/", b" +", b"\xff/", "~",
                     Text("/")]),
    st.text(max_size=6),                                      st.binary(max_size=6),
    st.none(),                                                st.integers(0, 3),
    st.lists(st.integers(0, 255), max_size=3),                st.binary(max_size=3).map(bytearray),
    st.text("".join(map(chr, range(33, 127))), max_size=90),
)  # fmt: skip
encoding = st.sampled_from([
    "utf-8", "utf-8", None, "UTF-8", "utf8", "latin-1", "ascii", "utf-16", "utf-7", "cp1252", "shift_jis", "idna",
    "rot13", "none such", "ut\0f", "é", b"utf-8", 7, Text("utf-8"),
])  # fmt: skip
errors = st.sampled_from([
    "replace", "strict", None, "ignore", "surrogateescape", "surrogatepass", "backslashreplace", "none such", "é", 3,
    Text("replace"),
])  # fmt: skip


def some(**choices: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return keyword arguments, each present or absent."""
    return st.fixed_dictionaries({}, optional=choices)


scalars = st.one_of(
    text, data, st.integers(-(10**25), 10**25), st.integers(-20, 20), st.floats(), st.none(), st.booleans(), odd
)
values = st.one_of(
    scalars,                               st.lists(scalars, max_size=3),         st.tuples(scalars, scalars),
    st.sets(st.integers(), max_size=1),    st.dictionaries(st.text(max_size=2), scalars, max_size=1),
)  # fmt: skip
keys = st.one_of(text, st.binary(max_size=5), st.integers(), st.none(), st.tuples(st.integers()), st.booleans())
plain_queries = st.dictionaries(text, st.one_of(text, st.integers(), st.binary(max_size=9)), max_size=5)
queries = st.one_of(
    plain_queries,                                            st.dictionaries(keys, values, max_size=4),
    st.lists(st.tuples(keys, values), max_size=4),            st.lists(st.tuples(text, scalars), max_size=4).map(tuple),
    st.lists(st.one_of(st.tuples(keys, values), st.tuples(keys), st.lists(scalars, max_size=3), text), max_size=3),
    plain_queries.map(UserDict),                              plain_queries.map(OrderedDict),
    anything,
)  # fmt: skip
