"""Section 2.2 of RFC 1738: classes, escapes, and decoding that is safe to print."""

import codecs
import re
import urllib.parse

import pytest
import quoting_strategies as given_by
from hypothesis import given
from hypothesis import strategies as st

from fasturl._chars import CharClass
from fasturl._urllib import classify, classify_bytes, escape, escape_login, unescape, unquote, unquote_safe

# Typed by hand from the RFC's section 5, not taken from the grammar file.
BY_HAND = {
    CharClass.LOWALPHA: "abcdefghijklmnopqrstuvwxyz", CharClass.HIALPHA: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    CharClass.DIGIT: "0123456789", CharClass.SAFE: "$-_.+", CharClass.EXTRA: "!*'(),", CharClass.RESERVED: ";/?:@&=",
    CharClass.NATIONAL: "{}|\\^~[]`", CharClass.PUNCTUATION: '<>#%"',
}  # fmt: skip
ALL_BYTES = bytes(range(256))
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def class_by_hand(byte: int) -> CharClass:
    return next((name for name, members in BY_HAND.items() if byte < 128 and chr(byte) in members), CharClass(0))


def test_classify_agrees_with_the_rfc_for_every_byte() -> None:
    for byte in ALL_BYTES:
        expected = class_by_hand(byte) | (CharClass.HEX if chr(byte) in "0123456789ABCDEFabcdef" else CharClass(0))
        assert classify(byte) == expected
        assert classify(bytes([byte])) == classify(bytearray([byte])) == classify(memoryview(bytes([byte]))) == expected
        assert classify(chr(byte)) == expected
        assert type(classify(byte)) is CharClass
    assert classify("é") == classify("€") == classify("\ud800") == CharClass(0)
    assert list(classify_bytes(ALL_BYTES)) == [class_by_hand(byte).value for byte in ALL_BYTES]
    assert classify_bytes(b"") == b""
    assert classify_bytes(memoryview(b"xaZ")[1:]) == b"\x01\x02"


@pytest.mark.parametrize("wrong", [-1, 256, 10**30, "", "ab", b"", b"ab"])
def test_classify_accepts_one_byte_only(wrong: object) -> None:
    with pytest.raises(ValueError):
        classify(wrong)


@pytest.mark.parametrize("wrong", [None, 1.0, [65], object()])
def test_classify_refuses_other_types(wrong: object) -> None:
    with pytest.raises(TypeError):
        classify(wrong)
    with pytest.raises(TypeError):
        classify_bytes(wrong)
    for function in (escape, escape_login, unescape, unquote_safe):
        with pytest.raises(TypeError):
            function(wrong)


def test_classify_bytes_refuses_str_and_strides() -> None:
    with pytest.raises(TypeError):
        classify_bytes("abc")
    with pytest.raises(BufferError):
        classify_bytes(memoryview(b"abcd")[::2])


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("allowed", [
    CharClass.UNRESERVED, CharClass.XCHAR, CharClass(0), CharClass.HEX, CharClass.DIGIT | CharClass.PUNCTUATION,
    CharClass(0x1FF),
])  # fmt: skip
def test_escape_every_byte(allowed: CharClass) -> None:
    for byte in ALL_BYTES:
        stays = bool(class_by_hand(byte) & allowed) or (CharClass.HEX in allowed and byte in b"0123456789abcdefABCDEF")
        if not allowed:
            stays = False
        written = chr(byte) if stays and byte != 0x25 else f"%{byte:02X}"
        for times in (1, 40):
            assert escape(bytes([byte]) * times, allowed) == written * times
            assert escape(bytearray([byte]) * times, allowed) == written * times
            if byte < 128:
                assert escape(chr(byte) * times, allowed) == written * times


def test_escape_every_set_of_classes() -> None:
    for mask in range(0x200):
        assert unescape(escape(ALL_BYTES, CharClass(mask))) == ALL_BYTES
    for wrong in (-1, 0x200, 10**20):
        with pytest.raises(ValueError):
            escape(b"a", wrong)
    for other in (None, "UNRESERVED", 1.5):
        with pytest.raises(TypeError):
            escape(b"a", other)


def test_escape_takes_text_as_utf8() -> None:
    assert escape("é/\udcff") == "%C3%A9%2F%FF"
    with pytest.raises(UnicodeEncodeError):
        escape("\ud800")
    text = "plain"
    assert escape(text) is text
    assert type(escape(given_by.Text("plain"))) is str


@pytest.mark.usefixtures("kernel")
def test_escape_login_is_the_production_user() -> None:
    """user = *[ uchar | ";" | "?" | "&" | "=" ], without the "?" at which other readers end a login."""
    allowed = "".join(BY_HAND[name] for name in list(BY_HAND)[:5]) + ";&="
    for byte in ALL_BYTES:
        expected = chr(byte) if byte < 128 and chr(byte) in allowed else f"%{byte:02X}"
        assert escape_login(bytes([byte])) == expected
    assert escape_login("a:b@c/d%41é") == "a%3Ab%40c%2Fd%2541%C3%A9"


@pytest.mark.usefixtures("kernel")
@given(data=given_by.data, allowed=st.integers(0, 0x1FF).map(CharClass))
def test_escape_and_unescape_lose_nothing(data: bytes, allowed: CharClass) -> None:
    text = escape(data, allowed)
    assert re.fullmatch(r"([!-$&-~]|%[0-9A-F]{2})*", text)
    assert unescape(text) == unescape(text.encode()) == unescape(bytearray(text.encode())) == data
    assert unescape(escape_login(data)) == data


@given(text=given_by.strings)
def test_unescape_decodes_byte_by_byte(text: str) -> None:
    data = text.encode("utf-8", "replace")
    expected = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes.fromhex(found[1].decode()), data)
    assert unescape(data) == unescape(memoryview(data)) == unescape(data.decode()) == expected


@given(text=given_by.strings.map(lambda text: CONTROL.sub("", text)),
       errors=st.sampled_from(["replace", "ignore", "surrogateescape", "backslashreplace"]))  # fmt: skip
def test_no_escape_becomes_a_control_character(text: str, errors: str) -> None:
    for encoding in ("utf-8", "latin-1", "cp1252", "utf-7", "ascii", "iso-8859-5", "shift_jis", "iso2022_jp"):
        try:
            printable = unquote_safe(text, encoding, errors)
        except UnicodeDecodeError:
            assert encoding == "utf-7"  # some error handlers cannot repair UTF-7
            continue
        assert not CONTROL.search(printable)
        if not CONTROL.search(unquote(text, encoding, errors)) and encoding in ("utf-8", "latin-1", "ascii"):
            assert printable == unquote(text, encoding, errors)


@given(data=given_by.data)
def test_no_escape_in_bytes_becomes_a_control_character(data: bytes) -> None:
    raw = len(CONTROL.findall(data.decode("utf-8", "replace")))
    assert len(CONTROL.findall(unquote_safe(data))) <= raw
    assert unquote_safe(data) == unquote_safe(bytearray(data)) == unquote_safe(memoryview(data))


@pytest.mark.parametrize(("given", "expected"), [
    ("a%0d%0aSet-Cookie:%20x", "a%0d%0aSet-Cookie: x"), ("%00%1B[31m%7f%7F%20", "%00%1B[31m%7f%7F "),
    ("%C2%85%c2%9f%C2%A0", "%C2%85%c2%9f\xa0"), ("%C2%C2%85", "\ufffd%C2%85"), ("%C2%c2", "\ufffd\ufffd"),
    ("%E9%2", "\ufffd%2"), ("%250a", "%0a"), ("é%0a%C3%A9", "é%0aé"), ("raw\nstays", "raw\nstays"),
    (b"%C2\x85", "%C2\ufffd"), (b"\xc2%85", "\ufffd%85"), (b"\xc2\x85%41", "\x85A"), ("", ""), (b"", ""),
])  # fmt: skip
def test_unquote_safe(given: str | bytes, expected: str) -> None:
    assert unquote_safe(given) == expected


def test_unquote_safe_in_other_encodings() -> None:
    assert unquote_safe("%E9%85", "latin-1") == "é%85"
    assert unquote_safe("%E9%85", "cp1252") == "é…"
    assert unquote_safe("%41+AAo-", "utf-7") == "%41+AAo-"
    assert unquote_safe("%E9", None, None) == "\ufffd"
    with pytest.raises(LookupError):
        unquote_safe("%41", "none such")
    with pytest.raises(UnicodeDecodeError):
        unquote_safe("%E9", "utf-8", "strict")
    text = "nothing to do é"
    assert unquote_safe(text) is text
    assert urllib.parse.unquote("%C2%A0") == unquote_safe("%C2%A0")


def test_an_encoding_whose_high_bytes_are_control_characters_keeps_their_escapes() -> None:
    class High(codecs.Codec):
        def decode(self, data: bytes, errors: str = "strict") -> tuple[str, int]:
            return "".join(chr(byte - 0x60 if byte >= 0xE0 else byte) for byte in bytes(data)), len(data)

    def find(name: str) -> codecs.CodecInfo | None:
        return codecs.CodecInfo(High().encode, High().decode, name=name) if name == "fasturl_high" else None

    codecs.register(find)
    try:
        assert unquote_safe("%41%e0%c1", encoding="fasturl_high") == "A%e0%c1"
        assert unquote_safe("%41%c1", encoding="fasturl_high") == "A\xc1"
    finally:
        codecs.unregister(find)
