"""Is memory bounded for small Parquet and Arrow files that declare, or share, very much?"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_memory_limit import linux, read_apart

from fasturl import logs
from fasturl.cli.outputs.tablefiles import _CHUNK_META, _FILE_GROUPS, _GROUP_CHUNKS, _Reader, _Writer, split_part

LONG = 160 << 20
WORD = "http://h/" + "a" * (1 << 20)


def write_ipc(path: Path, table: "pa.Table", compression: str | None) -> None:
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema, options=options) as writer:
        writer.write_table(table)


def spread(kind: "pa.DataType", rows: int) -> "pa.Table":
    """Return a table of many rows that share one text."""
    if pa.types.is_dictionary(kind):
        return pa.table({"url": pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([WORD]))})
    [_, views, data] = pa.array([WORD], kind).buffers()
    return pa.table({"url": pa.Array.from_buffers(kind, rows, [None, pa.py_buffer(views.to_pybytes() * rows), data])})


@pytest.mark.long
@linux
@pytest.mark.parametrize("what", ["page", "dictionary", "lz4", "zstd", "dictionary zstd"])
def test_what_declares_more_than_the_limit_is_refused(what: str, tmp_path: Path) -> None:
    path = tmp_path / "log.table"
    words = pa.array(["http://h/" + "a" * LONG])
    column = words.dictionary_encode() if "dictionary" in what else words
    if what in ("page", "dictionary"):
        pq.write_table(pa.table({"url": column}), path, compression="zstd", use_dictionary=what == "dictionary")
        named = {"page": "a page", "dictionary": "the dictionary"}[what]
        said = f"{named} that the file declares for column url of 160 MiB"
    else:
        write_ipc(path, pa.table({"url": column}), what.split()[-1])
        said = "a buffer that the file declares of 160 MiB"
    assert path.stat().st_size < 1 << 20
    rows, took, error = read_apart(path)
    assert rows == 0 and took < 30, took
    assert error.startswith("MemoryLimitError ") and "log.table: " in error and said in error
    assert "above the memory limit of 128 MiB; raise memory_limit to read it" in error
    rows, _, error = read_apart(path, LONG + 100)
    assert (rows, error) == (1, "")


@pytest.mark.long
@linux
@pytest.mark.parametrize("kind", ["parquet", "dictionary", "view"])
def test_a_text_that_rows_share_is_spread_a_piece_at_a_time(kind: str, tmp_path: Path) -> None:
    """A file of some KiB whose rows take four gigabytes, each with its own octets."""
    path = tmp_path / "log.table"
    rows = 4000
    if kind == "parquet":
        pq.write_table(spread(pa.dictionary(pa.int32(), pa.string()), rows), path, compression="zstd")
    else:
        arrow = pa.string_view() if kind == "view" else pa.dictionary(pa.int32(), pa.string())
        write_ipc(path, spread(arrow, rows), "zstd")
    assert path.stat().st_size < 1 << 16
    found, took, error = read_apart(path)
    assert (found, error) == (rows, "") and took < 700, (took, error)


def test_a_large_column_in_pages_is_read(tmp_path: Path) -> None:
    """A column of a row group may be longer than the limit: its pages are read one after the other."""
    path = tmp_path / "log.parquet"
    urls = pa.array([f"http://h{n}/" + "a" * 5000 for n in range(4000)])
    pq.write_table(pa.table({"url": urls, "n": range(4000)}), path, row_group_size=4000, use_dictionary=False)
    assert logs.read(path, fields=["url"], memory_limit=8 << 20).read_all()["url"].to_pylist() == urls.to_pylist()
    with pytest.raises(logs.MemoryLimitError, match="a page that the file declares for column url"):
        logs.read(path, fields=["url"], memory_limit=1 << 10).read_all()


@pytest.mark.parametrize("kind", [0x18, 0x19, 0x1B, 0x1C, 0x16])
def test_sizes_that_are_no_numbers_are_an_error(kind: int, tmp_path: Path) -> None:
    """The first page says that its size is a text, a list, a map or a struct; its place is above 64 bits."""
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table({"url": ["http://h/"]}), path, compression="none", use_dictionary=False)
    whole = path.read_bytes()
    assert whole[4:7:2] == b"\x15\x15"
    if kind == 0x16:
        octets, places = split_part(whole)[1], (_FILE_GROUPS, 1, 1, 0, _GROUP_CHUNKS, 1, 1, 0, _CHUNK_META, 1)
        footer = found = _Reader(octets).struct()
        for place in places:
            found = found[place]
        found[9] = (6, 1 << 67)
        writer = _Writer()
        writer.struct(footer)
        octets = bytes(writer.octets)
        path.write_bytes(whole[: -8 - len(split_part(whole)[1])] + octets + len(octets).to_bytes(4, "little") + b"PAR1")
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
        for octet in (0xFF, 0x80, 0x00):
            path.write_bytes(whole[:at] + bytes((octet,)) + whole[at + 1 :])
            try:
                logs.read(path, "auto", fields=["url"], threads=1).read_all()
            except logs.LogError:
                pass
