"""Join Parquet files of one row group each to one file, so that several threads can encode row groups.

A Parquet file holds its row groups and a footer with their offsets, in Thrift's compact protocol. Joining the files
changes only the offsets in the footer. All other fields are copied unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Buffer

MAGIC = b"PAR1"

# Types of the compact protocol.
_TRUE, _FALSE, _I8, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT, _UUID = 1, 2, 3, 7, 8, 9, 10, 11, 12, 13
_INTEGERS = (4, 5, 6)

# A struct is a dict of field number → (type, value), a list is (type of its items, items).
Struct = dict[int, tuple[int, Any]]

# Field numbers in parquet.thrift.
_FILE_ROWS, _FILE_GROUPS = 3, 4
_GROUP_CHUNKS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 5, 7
_CHUNK_OFFSET, _CHUNK_META = 2, 3
_CHUNK_OFFSETS = (4, 6)  # of the offset index and the column index
_META_OFFSETS = (9, 10, 11, 14)  # of the first data page, index page, dictionary and Bloom filter


class _Reader:
    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self._at = 0

    def _octet(self) -> int:
        self._at += 1
        return self._octets[self._at - 1]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            octet = self._octet()
            value |= (octet & 0x7F) << shift
            if octet < 0x80:
                return value
            shift += 7

    def _integer(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)

    def _take(self, count: int) -> bytes:
        self._at += count
        return self._octets[self._at - count : self._at]

    def _value(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind in (_TRUE, _FALSE, _I8):
            return self._octet()
        if kind == _DOUBLE:
            return self._take(8)
        if kind == _UUID:
            return self._take(16)
        if kind == _BINARY:
            return self._take(self._varint())
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            head = self._octet()
            count = head >> 4
            if count == 15:
                count = self._varint()
            return head & 15, [self._value(head & 15) for _ in range(count)]
        raise ValueError(f"type {kind} in a Parquet footer")

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while True:
            head = self._octet()
            if head == 0:
                return fields
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            # The type of a boolean field is its value.
            fields[number] = (kind, None if kind in (_TRUE, _FALSE) else self._value(kind))


class _Writer:
    def __init__(self) -> None:
        self.octets = bytearray()

    def _varint(self, value: int) -> None:
        while value > 0x7F:
            self.octets.append(value & 0x7F | 0x80)
            value >>= 7
        self.octets.append(value)

    def _integer(self, value: int) -> None:
        self._varint(value << 1 if value >= 0 else (-value << 1) - 1)

    def _value(self, kind: int, value: Any) -> None:
        if kind in _INTEGERS:
            self._integer(value)
        elif kind in (_TRUE, _FALSE, _I8):
            self.octets.append(value)
        elif kind == _BINARY:
            self._varint(len(value))
            self.octets += value
        elif kind == _STRUCT:
            self.struct(value)
        elif kind in (_LIST, _SET):
            inner, items = value
            if len(items) < 15:
                self.octets.append(len(items) << 4 | inner)
            else:
                self.octets.append(0xF0 | inner)
                self._varint(len(items))
            for item in items:
                if isinstance(item, bytes) and inner == _STRUCT:  # encoded before
                    self.octets += item
                else:
                    self._value(inner, item)
        else:
            self.octets += value

    def struct(self, fields: Struct) -> None:
        last = 0
        for number in sorted(fields):
            kind, value = fields[number]
            if 0 < number - last < 16:
                self.octets.append(number - last << 4 | kind)
            else:
                self.octets.append(kind)
                self._integer(number)
            if kind not in (_TRUE, _FALSE):
                self._value(kind, value)
            last = number
        self.octets.append(0)


def _shift(struct: Struct, number: int, by: int) -> None:
    # Some writers put 0 for an unknown offset.
    if number in struct and struct[number][1] > 0:
        kind, place = struct[number]
        struct[number] = (kind, place + by)


def split_part(file: Buffer) -> tuple[memoryview, bytes]:
    """Return the row groups of a complete file, and its footer."""
    part = memoryview(file)
    if len(part) < 12 or part[:4] != MAGIC or part[-4:] != MAGIC:
        raise ValueError("not a Parquet file")
    end = len(part) - 8 - int.from_bytes(part[-8:-4], "little")
    return part[len(MAGIC) : end], bytes(part[end:-8])


class Footer:
    """The footer of a file to which parts are appended."""

    def __init__(self) -> None:
        self._struct: Struct = {}
        self._groups: list[bytes] = []  # encoded, because there may be thousands
        self._rows = 0

    def add(self, footer: bytes, start: int) -> None:
        """Add the row groups of a part whose first byte after the magic is at offset `start` of the file."""
        struct = _Reader(footer).struct()
        if not self._struct:
            self._struct = struct
        by = start - len(MAGIC)
        for group in struct[_FILE_GROUPS][1][1]:
            _shift(group, _GROUP_OFFSET, by)
            if _GROUP_ORDINAL in group:
                # The ordinal is optional, and its 16 bits may overflow.
                del group[_GROUP_ORDINAL]
            for chunk in group[_GROUP_CHUNKS][1][1]:
                _shift(chunk, _CHUNK_OFFSET, by)
                for number in _CHUNK_OFFSETS:
                    _shift(chunk, number, by)
                if _CHUNK_META in chunk:
                    for number in _META_OFFSETS:
                        _shift(chunk[_CHUNK_META][1], number, by)
            writer = _Writer()
            writer.struct(group)
            self._groups.append(bytes(writer.octets))
        self._rows += struct[_FILE_ROWS][1]

    def octets(self) -> bytes:
        """Return the end of the file: footer, length and magic."""
        kind, _ = self._struct[_FILE_ROWS]
        struct = {
            **self._struct,
            _FILE_ROWS: (kind, self._rows),
            _FILE_GROUPS: (_LIST, (_STRUCT, self._groups)),
        }
        writer = _Writer()
        writer.struct(struct)
        return bytes(writer.octets) + len(writer.octets).to_bytes(4, "little") + MAGIC
