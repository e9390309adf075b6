"""Recognise by the first bytes that an input is not lines of text, and say in a line what it is."""

from __future__ import annotations

from collections.abc import Iterator

from fasturl.logs.errors import ENDS_INPUT, EndOfInput, LogError
from fasturl.logs.inputs.decompress import kind_by_start
from fasturl.logs.shown import input_name

_FILE_ONLY = "it must be read from its end, so name the file"
# The first bytes, what they are, and what to do.
_KINDS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x04\x22\x4d\x18", "lz4 data", "read it through `lz4 -dc`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "read it through `7z x -so`"),
    (b"PK\x03\x04", "a zip archive", "read it through `unzip -p`"),
    (b"PAR1\x15", "a Parquet file", _FILE_ONLY),
    (b"ARROW1\0\0", "an Arrow IPC file", _FILE_ONLY),
    (b"LPKSHHRH", "a journal of systemd", "read it through `journalctl -o json --file`"),
)
_TAR_AT = 257
# After `BZh` and a digit, which alone may be text: the start of a block, or the end of the data.
_BZIP2 = (b"1AY&SY", b"\x17rE8P\x90")


def foreign_kind(start: bytes) -> tuple[str, str] | None:
    """Return what an input with this start is, and what to do, or None if it may be lines of text.

    >>> foreign_kind(b"PK\\x03\\x04...")
    ('a zip archive', 'read it through `unzip -p`')
    >>> foreign_kind("http://h/".encode("utf-16"))[0]
    'UTF-16 text'
    """
    for magic, kind, advice in _KINDS:
        if start.startswith(magic):
            return kind, advice
    # Two bytes alone are ambiguous. So the first character must be ASCII.
    if len(start) >= 4 and (start[:2], start[2 + (start[0] == 0xFF)]) in ((b"\xff\xfe", 0), (b"\xfe\xff", 0)):
        return "UTF-16 text", "read it through `iconv -f UTF-16 -t UTF-8`"
    packed = kind_by_start(start) if start[:3] != b"BZh" or start[4:10] in _BZIP2 else None
    if packed is not None:
        return f"{packed} data that is compressed once more", "decompress it first"
    if start[_TAR_AT : _TAR_AT + 5] == b"ustar":
        return "a tar archive", "read it through `tar -xO`"
    return None


def _may_be_foreign(start: bytes) -> bool:
    """Return True if more bytes could show a foreign kind."""
    may_be_utf16 = len(start) < 4 and start[:1] in (b"\xff", b"\xfe")
    return may_be_utf16 or any(magic[:-1].startswith(start) for magic, _, _ in _KINDS)


def no_foreign(blocks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Yield the blocks. Raises LogError if they are not text. Reads only as many bytes as needed before the first."""
    start = b""
    torn: EndOfInput | None = None
    try:
        for block in blocks:
            start += block
            if not _may_be_foreign(start):
                break
    except ENDS_INPUT as error:
        torn = error
    found = foreign_kind(start)
    if found is not None:
        raise LogError(f"{input_name(name)} is {found[0]}, not lines of text: {found[1]}")
    if start:
        yield start
    if torn is not None:
        raise torn
    yield from blocks
