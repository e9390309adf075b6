"""Are compressed inputs known by what they begin with, frames without data among them, and other formats named?"""

import gzip
import io
import lzma
import re
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

zstandard = pytest.importorskip("zstandard", reason="the samples are made by zstandard")

from fasturl import logs  # noqa: E402
from fasturl.logs.inputs import decompress as module  # noqa: E402
from fasturl.logs.inputs.decompress import decompress, kind_by_start  # noqa: E402

LINES = b"".join(b"http://h/%d\n" % n for n in range(2000))
FRAME = zstandard.ZstdCompressor().compress(LINES[:9000])
REST = zstandard.ZstdCompressor().compress(LINES[9000:])
WANT = LINES.decode().split()


def skippable(data: bytes, number: int = 0) -> bytes:
    return struct.pack("<II", 0x184D2A50 + number, len(data)) + data


def urls(data: bytes) -> list[str]:
    return logs.read([data], "URLS", fields=["url"]).read_all()["url"].to_pylist()


@pytest.mark.parametrize("number", range(16))
def test_frames_without_data_may_stand_anywhere(number: int, tmp_path: Path) -> None:
    empty, one = skippable(b"", number), skippable(b"http://no/\n" * 9, number)
    for data in (
        *(one + FRAME + REST, empty + FRAME + REST, FRAME + one + REST, FRAME + REST + one, FRAME + REST + empty),
        one + empty + FRAME + empty + one + REST + one,
    ):
        assert urls(data) == WANT
        path = tmp_path / "list"
        path.write_bytes(data)
        assert logs.read(path, fields=["url"]).read_all()["url"].to_pylist() == WANT
        for size in (1, 3, 1000):
            blocks = (data[at : at + size] for at in range(0, len(data), size))
            assert b"".join(decompress("zstd", blocks, "name")) == LINES
    assert urls(one) == [] == urls(empty)


def test_pzstd_writes_the_size_of_each_frame_before_it() -> None:
    data = b"".join(skippable(struct.pack("<I", len(frame))) + frame for frame in (FRAME, REST))
    assert data[:4] == b"\x50\x2a\x4d\x18" and urls(data) == WANT
    assert str(logs.detect([data])) == "URLS (1,000 of the first 1,000 lines)"


def test_a_frame_without_data_that_breaks_off() -> None:
    data = FRAME + REST + skippable(b"abc" * 9)
    for end in range(len(FRAME + REST) + 1, len(data)):
        with pytest.raises(logs.TruncatedInput, match="is truncated"):
            urls(data[:end])
    for end in range(4, 20):
        with pytest.raises(logs.TruncatedInput, match="is truncated"):
            urls(skippable(b"abc" * 9)[:end])


def test_what_may_become_a_frame_without_data_is_waited_for() -> None:
    for start in (b"\x50", b"\x5f\x2a", b"\x55\x2a\x4d"):
        assert kind_by_start(start, partial=True) == "zstd" and kind_by_start(start) is None
    # P to Z, [, \, ], ^ and _ begin lines, too.
    assert kind_by_start(b"PUT", partial=True) is kind_by_start(b"O*M\x18") is kind_by_start(b"`*M\x18") is None
    assert urls(b"P") == ["P"] and urls(b"_*M") == ["_*M"] and urls(b"PUT /a\n") == ["PUT /a"]


def tar() -> bytes:
    found = io.BytesIO()
    with tarfile.open(fileobj=found, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("access.log"))
    return found.getvalue()


def zipped() -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr("access.log", LINES)
    return found.getvalue()


FOREIGN = {
    "lz4": (b"\x04\x22\x4d\x18\x64\x40\xa7" + LINES, "lz4 -dc"),
    "zip": (zipped(), "unzip -p"),                            "7z": (b"7z\xbc\xaf\x27\x1c\0\4", "7z x -so"),
    "tar": (tar(), "tar -xO"),                                "journal": (b"LPKSHHRH" + bytes(200), "journalctl"),
    "gzip data that is compressed once more": (gzip.compress(gzip.compress(LINES)), "decompress it first"),
    "zstd data that is compressed once more": (gzip.compress(FRAME), "decompress it first"),
    "xz data that is compressed once more": (zstandard.compress(lzma.compress(LINES)), "decompress it first"),
}  # fmt: skip


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_not_read_is_named_with_what_to_do(what: str, tmp_path: Path) -> None:
    data, advice = FOREIGN[what]
    path = tmp_path / "access.log"
    path.write_bytes(data)
    for format in ("auto", "COMBINED", "URLS", "$request_uri"):
        with pytest.raises(logs.LogError, match=re.escape(what)) as told:
            logs.read(path, format, fields=["url"]).read_all()
        assert advice in str(told.value) and "access.log" in str(told.value)


def test_text_that_begins_as_they_do_is_text() -> None:
    for line in (b"BZh is no host", b"\n\n\nhttp://h/", b"]", b"]\x00", b"PK", b"7z", b"LPK", b"P*"):
        if line.startswith(b"BZh"):
            line = gzip.compress(line)
        got = urls(line)
        assert len(got) == 1, line


@pytest.mark.long
@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_a_block_of_many_members_is_read_in_one_pass(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decoder copies the bytes behind a member, so it must not copy the whole block each time."""
    pack = {"gzip": gzip.compress, "zstd": zstandard.compress}[kind]
    data = pack(b"") * 5000 + pack(b"http://h/\n")
    made = []
    make = module._DECODERS[kind]
    monkeypatch.setitem(module._DECODERS, kind, lambda name, limit: made.append(make(name, limit)) or made[-1])
    assert b"".join(decompress(kind, iter([data]), "name")) == b"http://h/\n"
    assert len(made) == 5001 and max(len(decoder.unused_data) for decoder in made) <= 1 << 16
