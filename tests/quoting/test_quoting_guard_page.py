"""No kernel reads or writes outside its buffers, which touch a page that faults."""

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from guardpages import Guarded
from tries import ALL

from fasturl._urllib import classify_bytes, escape, unescape, unquote_safe

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs mprotect")
ROOT = Path(__file__).resolve().parents[2]
MIXES = [b"a", b"%", b"%41", b"%4", b"+", b"a&b=%C3%A9", b"\xc3\xa9 ", b"%C2%85", b"http://u:p@h/?a=", b":", b"?",
         b"abcdefghijklmnopqrstuvw "]  # fmt: skip

UTF16 = f"utf-16-{sys.byteorder[0]}e"
UTF32 = f"utf-32-{sys.byteorder[0]}e"


@pytest.fixture(scope="module")
def guarded() -> Guarded:
    return Guarded()


def texts(lengths: range) -> Iterator[bytes]:
    for length in lengths:
        for mix in MIXES:
            for turn in range(min(3, len(mix))):
                yield ((mix * (length // len(mix) + 2))[turn:])[:length]


@pytest.mark.usefixtures("kernel")
def test_functions_stay_in_the_buffer(guarded: Guarded) -> None:
    for data in texts(range(8, 81, 8)):
        text = guarded.bytes_at_end(data)  # nothing may refer to it when the next one is put there
        assert unescape(text) == urllib.parse.unquote_to_bytes(data)
        assert unescape(escape(text)) == data
        assert unquote_safe(text) == unquote_safe(data)
        del text
    for data in texts(range(81)):
        for offset in (guarded.size - len(data), 0):
            assert len(classify_bytes(guarded.view(offset, data))) == len(data)


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"no C compiler ({compiler[0]})")
    library = tmp_path_factory.mktemp("probe") / "kernel_probe.so"
    source = Path(__file__).with_name("kernel_probe.c")
    command = [
        *compiler,
        "-O0",  # the same loads and stores, without a minute and a half of optimisation
        "-shared", "-fPIC", "-I", str(ROOT / "src" / "kernel"), str(source),
        *map(str, sorted((ROOT / "src" / "kernel").glob("*.c"))), "-o", str(library),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    found = ctypes.CDLL(str(library))
    for name in ("quote_find", "quote_length", "unquote_find"):
        getattr(found, f"probe_{name}").argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    for name in ("quote_write", "unquote_write", "unquote_safe_write"):
        getattr(found, f"probe_{name}").argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    found.probe_quote_write_within.argtypes = [*found.probe_quote_write.argtypes, ctypes.c_size_t]
    found.probe_utf8_decode.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    found.probe_utf8_encode.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
    found.probe_unquote_wide.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_void_p]
    found.probe_pairs.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    found.probe_pairs_agree.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint8, ctypes.c_size_t]
    for name in ("kernels", "quote_find", "quote_length", "unquote_find", "quote_write", "quote_write_within",
                 "unquote_write", "unquote_safe_write", "pairs", "pairs_agree", "utf8_decode", "utf8_encode",
                 "unquote_wide"):  # fmt: skip
        getattr(found, f"probe_{name}").restype = ctypes.c_size_t
    keep = bytes(char in b"abcdefghijklmnopqrstuvwxyz/" for char in range(128))
    found.probe_keep(keep)
    found.probe_kernels()  # starts the runtime, which every other call needs
    return found


def kernels(probe: ctypes.CDLL) -> list[int]:
    """Return the numbers of all kernels with --all, else of the scalar and the widest one."""
    count = probe.probe_kernels()
    return list(range(count)) if ALL else [0, count - 1]


@pytest.mark.long
def test_kernels_stay_in_both_buffers(probe: ctypes.CDLL, guarded: Guarded) -> None:
    """At every length and alignment; the output buffer also ends at a page that faults."""
    out = Guarded()
    slack = probe.probe_quote_slack()
    for kernel in kernels(probe):
        probe.probe_use(kernel)
        for data in texts(range(81)):
            n = len(data)
            decoded = urllib.parse.unquote_to_bytes(data)
            for at_end, shift in [(True, 0), *((False, shift) for shift in range(0, 16, 5))]:
                place = guarded.put_at(guarded.size - n - shift if at_end else shift, data)
                for plus in (0, 1):
                    quoted = "".join(
                        "+" if plus and c == 32 else chr(c) if c in b"abcdefghijklmnopqrstuvwxyz/" else f"%{c:02X}"
                        for c in data
                    ).encode()
                    assert probe.probe_quote_length(plus, place, n) == len(quoted)
                    first = next((i for i, c in enumerate(data) if c not in b"abcdefghijklmnopqrstuvwxyz/"), n)
                    assert probe.probe_quote_find(plus, place, n) == first
                    buffer = out.start + out.size - (3 * n + slack)
                    assert ctypes.string_at(buffer, probe.probe_quote_write(plus, place, n, buffer)) == quoted
                    marks = b"%+" if plus else b"%"
                    found = probe.probe_unquote_find(plus, place, n)
                    assert found == next((i for i, c in enumerate(data) if c in marks), n)
                    buffer = out.start + out.size - n
                    length = probe.probe_unquote_write(plus, place, n, buffer)
                    expected = urllib.parse.unquote_to_bytes(data.replace(b"+", b" ")) if plus else decoded
                    assert ctypes.string_at(buffer, length) == expected
                for keep in range(5):
                    buffer = out.start + out.size - n
                    length = probe.probe_unquote_safe_write(keep, place, n, buffer)
                    assert urllib.parse.unquote_to_bytes(ctypes.string_at(buffer, length)) == decoded or b"%25" in data
                assert probe.probe_pairs(place, n) >= (data.strip(b"&") != b"")


def test_kernels_at_every_alignment_and_length(probe: ctypes.CDLL, guarded: Guarded) -> None:
    """From either guard on, up to 200 bytes. Every kernel must agree with the scalar one. Mixes take turns."""
    out = Guarded()
    slack, longest = probe.probe_quote_slack(), 200
    long = [(mix * longest)[:longest] for mix in MIXES]

    def said(place: int, n: int) -> list[int | bytes]:
        found: list[int | bytes] = [probe.probe_quote_find(0, place, n), probe.probe_unquote_find(1, place, n)]
        length = probe.probe_quote_length(0, place, n)
        buffer = out.start + out.size - 3 * n - slack
        found.append(ctypes.string_at(buffer, probe.probe_quote_write(0, place, n, buffer)))
        buffer = out.start + out.size - n
        found.append(ctypes.string_at(buffer, probe.probe_unquote_write(0, place, n, buffer)))
        return [*found, length]

    for length in range(longest + 1):
        data = [text[:length] for text in long]
        probe.probe_use(0)
        wanted = [said(guarded.put(text, True), length) for text in data]
        assert [one[3] for one in wanted] == [urllib.parse.unquote_to_bytes(text) for text in data]
        for kernel in kernels(probe):
            probe.probe_use(kernel)
            for alignment in range(64):
                turn = (length + alignment) % len(long)
                # Take turns between the two guard pages.
                offset = alignment if (length + alignment // len(long)) % 2 else guarded.size - length - alignment
                assert said(guarded.put_at(offset, data[turn]), length) == wanted[turn]


def queries(length: int, random: Random) -> Iterator[bytes]:
    """Yield texts of that length whose delimiters stand apart, close together, or anywhere."""
    for data in (b"abc&=%+", b"a" * 40 + b"&=%+;\0", b"&=", b"a=", bytes(range(256))):
        yield bytes(random.choices(data, k=length))
    yield (b"name=value&" * (length // 11 + 1))[:length]


def test_every_kernel_cuts_a_query_into_the_same_pairs(probe: ctypes.CDLL, guarded: Guarded) -> None:
    """The plain loop is the reference, for every length and any separator. Nothing outside the text is read."""
    random = Random(1738)
    for kernel in kernels(probe):
        probe.probe_use(kernel)
        for length in (*range(82), 127, 128, 129, 192, 200, 321):
            for data in queries(length, random):
                for at_end in (True, False):
                    place = guarded.put(data, at_end)
                    for separator in b"&=%+;\0\x61":
                        for most in (1, 8):
                            assert probe.probe_pairs_agree(place, length, separator, most), (kernel, data, separator)


def test_a_writer_stops_at_its_capacity(probe: ctypes.CDLL, guarded: Guarded) -> None:
    """The text may change after it was counted. The writer fills its buffer, which ends at a page that faults."""
    out = Guarded()
    data = b"a %/" * 250
    place = guarded.put(data, True)
    for kernel in kernels(probe):
        probe.probe_use(kernel)
        whole = ctypes.create_string_buffer(3 * len(data) + probe.probe_quote_slack())
        length = probe.probe_quote_write(0, place, len(data), ctypes.addressof(whole))
        for capacity in (0, 1, 2, 3, 63, 64, 511, 512, 1535, 1536, 1537, length - 1, length, length + 1):
            buffer = out.start + out.size - capacity
            used = probe.probe_quote_write_within(0, place, len(data), buffer, capacity)
            assert used == min(capacity, length)
            assert ctypes.string_at(buffer, used) == whole.raw[:used]


def test_utf8_stays_in_both_buffers(probe: ctypes.CDLL, guarded: Guarded) -> None:
    """Every lead byte with every kind of follower, cut at every place; the first and last of each length."""
    out = Guarded()
    failed = ctypes.c_size_t(-1).value
    followers = [b"", b"\x7f", b"\x80", b"\x8f", b"\x90", b"\x9f", b"\xa0", b"\xbf", b"\xc0", b"\xff"]
    for lead in range(256):
        for first in followers:
            for second in followers:
                for data in (bytes([lead]) + first + second, bytes([lead]) + first + second + b"\x80"):
                    n = len(data)
                    buffer = out.start + out.size - 4 * n
                    length = probe.probe_utf8_decode(guarded.put(data, True), n, buffer)
                    try:
                        expected = data.decode()
                    except UnicodeDecodeError:
                        assert length == failed
                        continue
                    assert ctypes.string_at(buffer, 4 * length) == expected.encode(UTF32)


@pytest.mark.parametrize(
    ("width", "codec", "text"), [(1, "latin-1", "a%41é%2B+%"), (2, UTF16, "€%41+%4"), (4, UTF32, "𝄞%zz+%7f%")]
)
def test_wide_text_stays_in_both_buffers(
    probe: ctypes.CDLL, guarded: Guarded, width: int, codec: str, text: str
) -> None:
    out = Guarded()
    for length in range(40):
        for turn in range(len(text)):
            given = (text * 9)[turn : turn + length]
            place = guarded.put(given.encode(codec), True)
            for plus in (0, 1):
                buffer = out.start + out.size - 4 * length
                made = probe.probe_unquote_wide(place, length, width, plus, buffer)
                expected = urllib.parse.unquote(given.replace("+", " ") if plus else given)
                assert ctypes.string_at(buffer, 4 * made) == expected.encode(UTF32)
            encoded = given.encode()
            buffer = out.start + out.size - len(encoded)
            assert ctypes.string_at(buffer, probe.probe_utf8_encode(place, length, width, buffer)) == encoded
