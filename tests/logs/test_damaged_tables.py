"""Does a damaged Parquet or Arrow file end in the documented error, and are rows that share a text all read?"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fasturl import logs

# isort: off
from fasturl.cli.outputs.tablefiles import (_CHUNK_META, _FILE_GROUPS, _GROUP_CHUNKS, _FooterReader, _FooterWriter,
                                            split_part)  # fmt: skip
from fasturl.logs.formats import columnar

WORD = "http://h/" + "a" * 1000


def write_ipc(path: Path, table: "pa.Table", compression: str | None) -> None:
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema, options=options) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("kind", ["parquet", "dictionary", "view"])
def test_rows_that_share_a_text_are_all_read(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their units are divided by the bytes that the rows take, each with its own text."""
    path = tmp_path / "log.table"
    column = pa.array([WORD, None, "http://h/b"] * 50)
    if kind == "parquet":
        pq.write_table(pa.table({"url": column}), path, compression="zstd")
    else:
        shared = column.dictionary_encode() if kind == "dictionary" else column.cast(pa.string_view())
        write_ipc(path, pa.table({"url": shared}), "zstd")
    monkeypatch.setattr(columnar, "_BYTES", 1 << 12)
    batches = list(logs.read(path, fields=["url"], threads=1))
    assert [url for batch in batches for url in batch["url"].to_pylist()] == [url for url in column.to_pylist() if url]
    assert len(batches) > 10
    monkeypatch.setattr(columnar, "_TEXT_MAX", 1 << 9)
    monkeypatch.setattr(columnar, "_BYTES", 1 << 9)
    with pytest.raises(logs.TruncatedInput, match="a text is longer than 1 GiB"):
        logs.read(path, fields=["url"], threads=1).read_all()


def test_a_unit_above_its_bytes_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row is in one unit, a unit is no smaller than it must be, and one row may take more than a unit."""
    columns = [pa.array(range(7)), pa.array(range(7, 14))]  # 16 bytes per row
    for limit, rows in ((112, [7]), (111, [3, 4]), (64, [3, 4]), (63, [3, 2, 2]), (32, [1, 2, 2, 2]), (31, [1] * 7)):
        monkeypatch.setattr(columnar, "_BYTES", limit)
        units = list(columnar._halves(columns))
        assert [len(each) for each, _ in units] == rows
        for number, column in enumerate(columns):
            assert pa.concat_arrays([unit[number] for unit in units]) == column
    monkeypatch.setattr(columnar, "_BYTES", 15)
    monkeypatch.setattr(columnar, "_TEXT_MAX", 16)
    assert [len(each) for each, _ in columnar._halves(columns)] == [1] * 7
    monkeypatch.setattr(columnar, "_TEXT_MAX", 15)
    with pytest.raises(OSError, match=r"^a text is longer than 1 GiB$"):
        list(columnar._halves(columns))


@pytest.mark.parametrize("kind", [0x18, 0x19, 0x1B, 0x1C, 0x16])
def test_sizes_that_are_no_numbers_are_an_error(kind: int, tmp_path: Path) -> None:
    """The first page says that its size is a text, a list, a map or a struct; its place is above 64 bits."""
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table({"url": ["http://h/"]}), path, compression="none", use_dictionary=False)
    whole = path.read_bytes()
    assert whole[4:7:2] == b"\x15\x15"
    if kind == 0x16:
        raw, places = split_part(whole)[1], (_FILE_GROUPS, 1, 1, 0, _GROUP_CHUNKS, 1, 1, 0, _CHUNK_META, 1)
        footer = found = _FooterReader(raw).struct()
        for place in places:
            found = found[place]
        found[9] = (6, 1 << 67)
        writer = _FooterWriter()
        writer.struct(footer)
        raw = bytes(writer.data)
        path.write_bytes(whole[: -8 - len(split_part(whole)[1])] + raw + len(raw).to_bytes(4, "little") + b"PAR1")
    else:
        path.write_bytes(whole[:6] + bytes((kind,)) + whole[7:])
    with pytest.raises(logs.LogError, match="cannot read"):
        logs.read(path, fields=["url"], threads=1).read_all()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_damaged_headers_are_no_other_exception(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    table = pa.table({"url": ["http://h/a", None, "http://h/b"] * 20, "n": range(60)})
    if kind == "parquet":
        pq.write_table(table, path)
    else:
        write_ipc(path, table, "zstd")
    whole = path.read_bytes()
    for at in range(0, len(whole), 3):
        for byte in (0xFF, 0x80, 0x00):
            path.write_bytes(whole[:at] + bytes((byte,)) + whole[at + 1 :])
            try:
                logs.read(path, "auto", fields=["url"], threads=1).read_all()
            except logs.LogError:
                pass
