"""Read the sizes that the pages of Parquet files and the buffers of Arrow IPC files declare, before decoding.

Both formats declare the decoded size of a compressed piece, and readers allocate that much memory at once.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

# Bytes of a page's header. It may hold the least and the greatest value of the page, so it may be long.
_HEADER = 1 << 12
_HEADER_MAX = 1 << 24
_READ_MAX = 1 << 30
_DEPTH_MAX = 64
_DICTIONARY_PAGE = 2


def _read(file: Any, size: int, at: int) -> bytes:
    """Return these bytes, fewer at the end of the file. Raises ValueError for an impossible range."""
    if not 0 <= size <= _READ_MAX or at < 0:
        raise ValueError
    return bytes(file.read_at(size, at))


def page_sizes(file: Any, names: list[str]) -> Iterator[tuple[str, bool, int]]:
    """Yield the column, whether it is a dictionary page, and the decoded size of each page of these columns.

    This reads the footer itself: Arrow's reader may crash on a damaged footer.
    """
    wanted = frozenset(name.encode() for name in names)
    end = file.size() - 8
    try:
        length = int.from_bytes(_read(file, 4, end), "little")
        footer, _ = _struct(_read(file, length, end - length), 0)
        for group in footer[4]:
            for chunk in group[1]:
                metadata = chunk[3]
                path = metadata[3]
                if path[0] in wanted or b".".join(path) in wanted:
                    name = b".".join(path).decode("utf-8", "surrogateescape")
                    yield from ((name, *page) for page in _pages_of_chunk(file, metadata))
    except (IndexError, KeyError, OverflowError, TypeError, ValueError):
        raise OSError("its footer does not say where its pages are") from None


def _pages_of_chunk(file: Any, metadata: dict[int, Any]) -> Iterator[tuple[bool, int]]:
    at, dictionary = metadata[9], metadata.get(11, 0)
    if 0 < dictionary < at:
        at = dictionary
    end = at + metadata[7]
    while 0 <= at < end:
        found = _page(file, at)
        if found is None:
            return
        kind, size, packed, length = found
        yield kind == _DICTIONARY_PAGE, max(size, 0)  # TypeError for a size that is no number
        if packed < 0:
            return
        at += length + packed


def _page(file: Any, at: int) -> tuple[int, int, int, int] | None:
    """Return the kind of a page, its decoded and stored sizes, and the length of its header."""
    size = _HEADER
    while size <= _HEADER_MAX:
        header = _read(file, size, at)
        try:
            fields, length = _struct(header, 0)
            return fields[1], fields[2], fields[3], length
        except IndexError:  # the header is longer
            if len(header) < size:
                return None
            size <<= 4
        except (KeyError, ValueError):
            return None
    return None


# --- Thrift's compact protocol ----------------------------------------------------------------------------------------


def _varint(octets: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while octets[at] & 0x80:
        value |= (octets[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if shift > 63:
            raise ValueError
    return value | octets[at] << shift, at + 1


def _struct(octets: bytes, at: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """Return the fields of a struct by number, and its end.

    Raises IndexError if it is truncated, ValueError if it is malformed.
    """
    if depth > _DEPTH_MAX:
        raise ValueError
    fields: dict[int, Any] = {}
    number = 0
    while octets[at]:
        delta, kind = divmod(octets[at], 16)
        at += 1
        if delta:
            number += delta
        else:
            number, at = _value(octets, at, 4, depth)
        if kind in (1, 2):  # the kind holds a boolean
            fields[number] = kind == 1
        else:
            fields[number], at = _value(octets, at, kind, depth)
    return fields, at + 1


def _value(octets: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in (4, 5, 6):
        coded, at = _varint(octets, at)
        return coded >> 1 ^ -(coded & 1), at
    if kind == 12:
        return _struct(octets, at, depth + 1)
    if kind in (9, 10):
        return _list(octets, at, depth + 1)
    if kind == 11:
        return _map(octets, at, depth + 1)
    length = {1: 1, 2: 1, 3: 1, 7: 8}.get(kind, 0)
    if kind == 8:
        length, at = _varint(octets, at)
    elif not length:
        raise ValueError
    if at + length > len(octets):
        raise IndexError
    return octets[at : at + length], at + length


def _list(octets: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    if depth > _DEPTH_MAX:
        raise ValueError
    count, kind = divmod(octets[at], 16)
    at += 1
    if count == 15:
        count, at = _varint(octets, at)
    found = []
    for _ in range(count):
        value, at = _value(octets, at, kind, depth)
        found.append(value)
    return found, at


def _map(octets: bytes, at: int, depth: int) -> tuple[None, int]:
    """Skip a map. No field that is needed is a map."""
    count, at = _varint(octets, at)
    kinds = divmod(octets[at], 16) if count else ()
    at += 1 if count else 0
    for _ in range(count):
        for kind in kinds:
            _, at = _value(octets, at, kind, depth)
    return None, at


# --- Arrow IPC --------------------------------------------------------------------------------------------------------

_MAGIC = b"ARROW1"
_BLOCK = struct.Struct("<qi4xq")
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3


def buffer_sizes(file: Any) -> Iterator[int]:
    """Yield the decoded size that each compressed buffer of an Arrow IPC file declares."""
    try:
        size = file.size()
        length = struct.unpack("<i", _read(file, 4, size - 10))[0]
        footer = _read(file, length, size - 10 - length)
        for field in (2, 3):
            for at in _structs(footer, _root(footer), field, _BLOCK.size):
                offset, header, _ = _BLOCK.unpack_from(footer, at)
                yield from _sizes_of_batch(file, offset, header)
    except (struct.error, ValueError, IndexError, OverflowError):
        raise OSError("it does not say how long its buffers are") from None


def _sizes_of_batch(file: Any, offset: int, header: int) -> Iterator[int]:
    message = _read(file, header, offset)
    message = message[8 if message[:4] == b"\xff\xff\xff\xff" else 4 :]
    root = _root(message)
    kind = _field(message, root, 1)
    batch = _table(message, root, 2)
    if kind is not None and message[kind] == _DICTIONARY_BATCH and batch is not None:
        batch = _table(message, batch, 1)
    if batch is None or _table(message, batch, 3) is None:  # not compressed
        return
    for at in _structs(message, batch, 2, 16):
        start, length = struct.unpack_from("<qq", message, at)
        if length >= 8:
            [size] = struct.unpack("<q", _read(file, 8, offset + header + start))
            yield max(size, length)


def _root(octets: bytes) -> int:
    return int(struct.unpack_from("<I", octets)[0])


def _field(octets: bytes, table: int, number: int) -> int | None:
    """Return the offset of a field of a FlatBuffers table, or None if it is absent."""
    names = table - struct.unpack_from("<i", octets, table)[0]
    if names < 0 or 6 + 2 * number > struct.unpack_from("<H", octets, names)[0]:
        return None
    place = struct.unpack_from("<H", octets, names + 4 + 2 * number)[0]
    return table + place if place else None


def _table(octets: bytes, table: int, number: int) -> int | None:
    at = _field(octets, table, number)
    return None if at is None else at + struct.unpack_from("<I", octets, at)[0]


def _structs(octets: bytes, table: int, number: int, size: int) -> range:
    """Return the offsets of the structs of a vector."""
    at = _table(octets, table, number)
    if at is None:
        return range(0)
    count = min(struct.unpack_from("<I", octets, at)[0], len(octets) // size)
    return range(at + 4, at + 4 + count * size, size)
