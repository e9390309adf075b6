"""Recognise inputs that are not lines of text by their first bytes, and say in one line what they are."""

from __future__ import annotations

from collections.abc import Iterator

from fasturl.logs.errors import LogError, TornInput
from fasturl.logs.inputs.decompress import kind_by_start
from fasturl.logs.shown import visible

_AS_UTF8 = "read it through `iconv -f {} -t UTF-8`"
_FILE_ONLY = "it is read from its end: name the file"
_PCAP = "a capture of packets (pcap)"
_PACKETS = "read it through `tshark -r`"
# The first bytes, what they are, and what to do.
_KINDS: tuple[tuple[bytes, str, str], ...] = (
    (b"\xff\xfe\0\0", "UTF-32 text", _AS_UTF8.format("UTF-32")),
    (b"\0\0\xfe\xff", "UTF-32 text", _AS_UTF8.format("UTF-32")),
    (b"\x04\x22\x4d\x18", "lz4 data", "read it through `lz4 -dc`"),
    (b"\x02\x21\x4c\x18", "lz4 data (legacy)", "read it through `lz4 -dc`"),
    (b"\xff\x06\0\0sNaPpY", "Snappy data", "read it through `snzip -dc`"),
    (b"\xff\x06\0\0S2sTwO", "S2 data", "read it through `s2d -c`"),
    (b"]\0\0", "lzma data (.lzma)", "read it through `xz -dc`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "read it through `7z x -so`"),
    (b"PK\x03\x04", "a zip archive", "read it through `unzip -p`"),
    (b"PK\x05\x06", "a zip archive without files", "it holds nothing"),
    (b"Rar!\x1a\x07", "a rar archive", "unpack it first"),
    (b"LZIP\x01", "lzip data", "read it through `lzip -dc`"),
    (b"\x89LZO\0\r\n\x1a\n", "lzop data", "read it through `lzop -dc`"),
    (b"\x1f\x9d", "compress data (.Z)", "read it through `uncompress -c`"),
    (b"PAR1\x15", "a Parquet file", _FILE_ONLY),
    (b"ARROW1\0\0", "an Arrow IPC file", _FILE_ONLY),
    (b"Obj\x01", "an Avro file", "convert it to JSON lines or Parquet first"),
    (b"SQLite format 3\0", "an SQLite database", "query it first"),
    (b"\xd4\xc3\xb2\xa1", _PCAP, _PACKETS),
    (b"\xa1\xb2\xc3\xd4", _PCAP, _PACKETS),
    (b"\x4d\x3c\xb2\xa1", _PCAP, _PACKETS),
    (b"\xa1\xb2\x3c\x4d", _PCAP, _PACKETS),
    (b"ElfFile\0", "an event log of Windows", "export it as text first"),
    (b"!<arch>\n", "an ar archive", "read it through `ar p`"),
    (b"xar!\0", "a xar archive", "unpack it first"),
    (b"MSCF\0\0\0\0", "a cabinet archive", "unpack it first"),
    (b"LPKSHHRH", "a journal of systemd", "read it through `journalctl -o json --file`"),
    (b"%PDF-", "a PDF document", "it holds no lines"),
    (b"\x7fELF", "a program", "it holds no lines"),
)
_STARTS = tuple(start for start, _, _ in _KINDS)
_LONGEST = max(map(len, _STARTS))
_TAR_AT = 257
_PCAPNG = (b"\x1a\x2b\x3c\x4d", b"\x4d\x3c\x2b\x1a")
# After `BZh` and a digit, which alone may be text: the start of a block, or the end of the data.
_BZIP2 = (b"1AY&SY", b"\x17rE8P\x90")


def foreign_kind(start: bytes) -> tuple[str, str] | None:
    """Return what an input with this start is, and what to do, or None if it may be lines of text.

    >>> foreign_kind(b"PK\\x03\\x04...")
    ('a zip archive', 'read it through `unzip -p`')
    >>> foreign_kind("http://h/".encode("utf-16"))[0]
    'UTF-16 text'
    """
    if start.startswith(_STARTS):
        return next((kind, advice) for magic, kind, advice in _KINDS if start.startswith(magic))
    # Two bytes alone are ambiguous. So the first character must be ASCII.
    if len(start) >= 4 and (start[:2], start[2 + (start[0] == 0xFF)]) in ((b"\xff\xfe", 0), (b"\xfe\xff", 0)):
        return "UTF-16 text", _AS_UTF8.format("UTF-16")
    if start[:4] == b"\x0a\x0d\x0d\x0a" and start[8:12] in _PCAPNG:
        return "a capture of packets (pcapng)", _PACKETS
    packed = kind_by_start(start) if start[:3] != b"BZh" or start[4:10] in _BZIP2 else None
    if packed is not None:
        return f"{packed} data that is compressed once more", "decompress it first"
    if start[_TAR_AT : _TAR_AT + 5] == b"ustar":
        return "a tar archive", "read it through `tar -xO`"
    return None


def _may_be_foreign(start: bytes) -> bool:
    """Return True if more bytes could show a foreign kind."""
    if len(start) < 4:
        return start[:1] in (b"\xff", b"\xfe") or any(magic.startswith(start) for magic in _STARTS)
    return len(start) < _LONGEST and any(magic.startswith(start) for magic in _STARTS)


def no_foreign(blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Yield the blocks. Raises LogError if they are not text. Reads only as many bytes as needed before the first."""
    start = b""
    torn: TornInput | None = None
    try:
        for block in blocks:
            start += block
            if not _may_be_foreign(start):
                break
    except TornInput as error:
        torn = error
    found = foreign_kind(start)
    if found is not None:
        raise LogError(f"{visible(name)} is {found[0]}, no lines of text: {found[1]}")
    if start:
        yield start
    if torn is not None:
        raise torn
    yield from blocks
