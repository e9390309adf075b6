"""Inputs: compression, streams, CSV columns, JSON fields, and inputs of two formats."""

import contextlib
import gzip
import io
import json
import os
import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clihelpers import COMPRESSIONS, Make, Run, peak_memory

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.sink import open_output
from fasturl.logs.errors import LogError, MemoryLimitError, TruncatedInput
from fasturl.logs.inputs.decompress import decompress
from fasturl.logs.inputs.lines import LongLine, cut_lines

LINES = [b"http://h/%d" % n for n in range(3000)]
TEXT = b"\n".join(LINES) + b"\n"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is reset for a child on Linux only")


@pytest.mark.parametrize("suffix", [*COMPRESSIONS, "GZ"])
def test_compressed_files_are_read(fasturl: Run, tmp_path: Path, suffix: str) -> None:
    pack = COMPRESSIONS[suffix.lower()][1]
    source = tmp_path / f"list.txt.{suffix}"
    source.write_bytes(pack(TEXT))
    ran = fasturl("parse", "-F", "url", source)
    assert [row["url"].encode() for row in ran.rows] == LINES
    # The first bytes tell the compression of a stream and of a file without a suffix.
    assert fasturl("parse", "-F", "url", stdin=pack(TEXT)).out == ran.out
    renamed = tmp_path / "list.txt"
    renamed.write_bytes(pack(TEXT))
    assert fasturl("parse", "-F", "url", renamed).out == ran.out


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_members_and_blocks_are_one_file(suffix: str) -> None:
    """Concatenated files are one file, whatever the blocks in which they arrive."""
    kind, pack, _ = COMPRESSIONS[suffix]
    raw = pack(TEXT[:10000]) + pack(b"") + pack(TEXT[10000:])
    for size in (1, 7, 4096, 1 << 20):
        blocks = (raw[at : at + size] for at in range(0, len(raw), size))
        assert b"".join(decompress(kind, blocks, "name")) == TEXT
    if kind in ("gzip", "xz"):
        assert b"".join(decompress(kind, iter([raw, b"\0" * 16, b"\0" * 16]), "name")) == TEXT
    with pytest.raises(TruncatedInput, match="name"):
        list(decompress(kind, iter([raw, b"what is this"]), "name"))


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_tear_anywhere_yields_the_beginning(suffix: str) -> None:
    """A file that is cut anywhere yields a beginning of the text, then an error."""
    kind, pack, _ = COMPRESSIONS[suffix]
    text = TEXT[:600]
    raw = pack(text)
    for end in range(1, len(raw)):
        found = []
        with pytest.raises(TruncatedInput, match="is truncated"):
            for block in decompress(kind, iter([raw[:end]]), "name"):
                found.append(block)
        assert text.startswith(b"".join(found))


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_damage_anywhere_is_an_error_or_text(suffix: str) -> None:
    """A changed byte anywhere yields text or TruncatedInput, never another exception."""
    kind, pack, _ = COMPRESSIONS[suffix]
    raw = pack(TEXT[:300])
    for at in range(len(raw)):
        for change in (1, 0x80, 0xFF):
            damaged = raw[:at] + bytes((raw[at] ^ change,)) + raw[at + 1 :]
            try:
                b"".join(decompress(kind, iter([damaged]), "name"))
            except (TruncatedInput, MemoryLimitError) as error:
                assert str(error).startswith("name: ")


def test_gzip_yields_all_data_before_the_damage() -> None:
    raw = gzip.compress(TEXT * 20)
    for at in (20, 1000, len(raw) // 2, len(raw) - 20):
        damaged = raw[:at] + bytes(byte ^ 0xAA for byte in raw[at : at + 10]) + raw[at + 10 :]
        # The data that zlib yields when it is fed byte by byte.
        inflate, possible, found = zlib.decompressobj(wbits=31), [], []
        with contextlib.suppress(zlib.error):
            for byte in damaged:
                possible.append(inflate.decompress(bytes((byte,))))
        with pytest.raises(TruncatedInput, match=r"damaged|is truncated"):
            for block in decompress("gzip", iter([damaged[:100], damaged[100:]]), "name"):
                found.append(block)
        assert b"".join(found) == b"".join(possible)


def test_a_gzip_bomb_is_read_in_small_blocks() -> None:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9) as file:
        for _ in range(100):
            file.write(b"\n" * (1 << 20))
    sizes = [len(block) for block in decompress("gzip", iter([packed.getvalue()]), "name")]
    assert sum(sizes) == 100 << 20 and max(sizes) <= 4 << 20


@pytest.mark.parametrize("separator", [b"\n", b"\0"])
def test_lines_do_not_depend_on_blocks(separator: bytes) -> None:
    choose = random.Random(6)
    for _ in range(300):
        data = bytes(choose.choices(b"ab\r\n\0\xef\xbb\xbf", k=choose.randrange(40)))
        if choose.random() < 0.3:
            data = b"\xef\xbb\xbf" + data
        expected = data.split(separator)
        if expected[-1] == b"":
            expected.pop()
        cuts = sorted(choose.choices(range(len(data) + 1), k=choose.randrange(6)))
        blocks = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        raw: list[bytes] = []
        clean: list[bytes] = []
        for lines in cut_lines(blocks, separator):
            assert lines.first == len(raw) + 1
            raw += lines.raw
            clean += lines.stripped
        assert raw == expected
        wanted = list(expected)
        if wanted and data.startswith(b"\xef\xbb\xbf"):
            wanted[0] = wanted[0][3:]
        if separator == b"\n":
            wanted = [line[:-1] if line.endswith(b"\r") else line for line in wanted]
        assert clean == wanted


def test_lines_before_an_error_are_yielded() -> None:
    def blocks() -> Any:
        yield b"one\ntwo\nth"
        raise TruncatedInput("trouble")

    found: list[bytes] = []
    with pytest.raises(TruncatedInput, match="trouble"):
        for lines in cut_lines(blocks()):
            found += lines.stripped
    assert found == [b"one", b"two", b"th"]


@linux
def test_a_line_of_100_megabytes_is_read() -> None:
    size = 100 << 20

    def feed(stdin: Any) -> None:
        stdin.write(b"http://before/\nhttp://h/")
        for _ in range(100):
            stdin.write(b"a" * (1 << 20))
        stdin.write(b"\nhttp://after/\n")

    arguments = ["parse", "-q", "--max-line", "1G", "-g", "{line} {host} {error_offset}"]
    base, _, _ = peak_memory(arguments, lambda stdin: stdin.write(b"http://h/\n"))
    peak, out, status = peak_memory(arguments, feed)
    assert (out, status) == (b"1 before \n2 h \n3 after \n", 0)
    # The joined line, its copy, its path, and one block.
    assert peak - base < 6 * size >> 10
    peak, out, status = peak_memory(["parse", "-q", "--max-line", "1G", "-F", "line,path"], feed)
    assert status == 0 and len(out) > size and out.endswith(b'{"line":3,"path":"/"}\n')
    assert peak - base < 10 * size >> 10


@pytest.mark.long
@linux
@pytest.mark.parametrize("options", [[], ["--json", "--hazards"]], ids=str)
def test_the_faults_of_a_line_are_not_held(options: list[str]) -> None:
    """Each of half a million faults takes a hundred bytes of output."""
    size = 1 << 19

    def feed(stdin: Any) -> None:
        stdin.write(b"http://h/" + b"[" * size + b"\n")

    base, _, _ = peak_memory(["check", *options], lambda stdin: stdin.write(b"http://h/[\n"))
    peak, out, status = peak_memory(["check", *options], feed)
    assert out.count(b"\n") == size and status == 1
    assert peak - base < 24 << 10


@linux
def test_a_long_log_line_takes_linear_time(make_clf: Make) -> None:
    """The reader must not backtrack: the line is torn after all its quotes."""
    line = make_clf(b"GET /" + rb"\" " * (10 << 20))
    arguments = ["parse", "-q", "--max-line", "64M", "--log-format", "combined", "-g", "{line} {status}"]
    _, out, status = peak_memory(arguments, lambda stdin: stdin.write(line[:-10] + b"\n" + line + b"\n"))
    assert (out, status) == (b"2 200\n", 0)


@pytest.mark.long
@linux
@pytest.mark.parametrize(
    "arguments", [["parse"], ["check"], ["stats"], ["parse", "--log-format", "COMBINED"], ["quote"], ["extract"]]
)
def test_a_line_without_an_end_is_not_held(tmp_path: Path, arguments: list[str]) -> None:
    """A small compressed file holds a line of 256 MiB. The line is counted, and streamed to the rejects."""
    bomb = tmp_path / "bomb.gz"
    first = b'h - - [-] "GET / HTTP/1.1" 200 1 "-" "-"\n' if "COMBINED" in arguments else b"http://h/\n"
    with gzip.GzipFile(bomb, "wb", compresslevel=9) as file:
        file.write(first)
        for _ in range(256):
            file.write(bytes(1 << 20))
    rejects = tmp_path / "rejects"
    files = ["-f", str(bomb)] if arguments == ["quote"] else [str(bomb)]
    more = ["--rejects", str(rejects)] if arguments[0] == "parse" else []
    base, _, _ = peak_memory(arguments, lambda stdin: stdin.write(first))
    peak, out, status = peak_memory([*arguments, *files, *more], lambda stdin: None)
    assert peak - base < 150 << 10
    assert status == {"parse": 0, "check": 1, "stats": 0, "quote": 2, "extract": 0}[arguments[0]]
    if more:
        assert rejects.stat().st_size == (256 << 20) + 1
        with rejects.open("rb") as file:
            assert file.read(12) == bytes(12)
    if arguments[0] == "check":
        assert out.endswith(b":2:1: REJECTED: the line is longer than --max-line allows\n")
    if arguments[0] == "stats":
        assert out.startswith(b"1 URL: ") and out.endswith(b"\n1 of 2 lines rejected\n")


@pytest.mark.parametrize("most", [1, 5, 9, 30])
def test_lines_of_any_blocks_are_held_up_to_the_limit(most: int) -> None:
    choose = random.Random(most)
    for _ in range(300):
        raw = bytes(choose.choices(b"ab\n", [8, 8, choose.choice([1, 5])], k=choose.randrange(90)))
        cuts = sorted(choose.choices(range(len(raw) + 1), k=choose.randrange(6)))
        blocks = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
        found: dict[int, tuple[bytes, bool]] = {}
        for lines in cut_lines(blocks, b"\n", most):
            if isinstance(lines, LongLine):
                before = found.get(lines.number, (b"", True))[0]
                found[lines.number] = (before + lines.data, True)
            else:
                found.update((lines.first + at, (line, False)) for at, line in enumerate(lines.raw))
        expected = raw.split(b"\n")
        if expected[-1] == b"":
            expected.pop()
        assert found == {number: (line, len(line) > most) for number, line in enumerate(expected, 1)}


@linux
def test_memory_does_not_grow_with_the_input() -> None:
    def feed_times(count: int) -> Callable[[Any], None]:
        block = b"".join(b"http://h%d/path/%d?q=a%%20b#f\n" % (n, n) for n in range(20000))

        def feed(stdin: Any) -> None:
            for _ in range(count):
                stdin.write(block)

        return feed

    few, _, _ = peak_memory(["parse", "-q", "-F", "host"], feed_times(2))
    many, out, _ = peak_memory(["parse", "-q", "-F", "host"], feed_times(30))
    assert out.count(b"\n") == 600000
    assert many - few < 30 << 10  # 30 MiB: the input is 18 MiB larger, and its objects would take 1,000 MiB


@pytest.mark.skipif(os.name != "posix", reason="named pipes of POSIX")
def test_named_pipes_are_read_once(tmp_path: Path) -> None:
    """`fasturl parse <(...)` opens the pipe once."""
    line = f'"{sys.executable}" -m fasturl parse -q -F url <(echo http://a/) <(echo http://b/ | gzip)'
    try:
        done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("no bash here")
    assert done.stdout == b'{"url":"http://a/"}\n{"url":"http://b/"}\n', done.stderr


def test_inputs_of_two_formats_need_common_columns(fasturl: Run, make_clf: Make, tmp_path: Path) -> None:
    urls, log = tmp_path / "urls", tmp_path / "log"
    urls.write_bytes(b"http://a/\n")
    log.write_bytes(make_clf() + b"\n")
    rows = fasturl("parse", urls, log).rows
    assert "status" not in rows[0] and rows[1]["status"] == 200
    out = tmp_path / "out.csv"
    both = fasturl("parse", urls, log, "-o", out)
    assert both.status == 2 and "other columns" in both.err and not out.exists()
    chosen = fasturl("parse", urls, log, "-F", "url,status", "--to", "csv")
    assert chosen.lines == [b"url,status", b"http://a/,", b"/,200"]


def test_urls_are_read_from_a_json_field(fasturl: Run, tmp_path: Path) -> None:
    lines = [{"url": url} for url in ("http://a/", None, 7)] + [{"other": 1}, {"request": {"uri": "/x"}}]
    source = "\n".join(map(json.dumps, [*lines, {"url": "caf\udce9 \ud800"}])).encode()
    source += b'\n\nnonsense\n{"url": "raw\xff"}\n[1]\n'
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--invalid-bytes", "surrogate", "--field", "url", "--rejects", rejects, stdin=source)
    # A lone surrogate that stands for no byte is kept as the three bytes of its code point.
    odd = "caf\udce9 \ud800".encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    found = [(row["line"], row["field"], row["url"]) for row in ran.rows]
    assert found == [(1, "url", "http://a/"), (6, "url", odd), (9, "url", "raw\udcff")]
    assert rejects.read_bytes().splitlines() == [
        b'{"url": 7}', b'{"other": 1}', b'{"request": {"uri": "/x"}}', b"nonsense", b"[1]",
    ]  # fmt: skip
    assert "2 empty" in ran.err
    nested = fasturl("parse", "--field", "request.uri", "--form", "request-target", "--allow-rejects", stdin=source)
    assert [(row["field"], row["path"], row["valid_rfc1738"]) for row in nested.rows] == [("request.uri", "/x", True)]
    unnamed = fasturl("parse", stdin=source)
    assert unnamed.status == 2 and "--field" in unnamed.err and unnamed.err.count("\n") == 3


def test_urls_are_read_from_a_csv_column(fasturl: Run, tmp_path: Path) -> None:
    table = (
        b'id,"the ""url""",note\r\n1,http://a/,x\r\n2,"http://b/?a,b",y\r\n3,"http://c/\r\nd",z\r\nshort\r\n'
        b'4,,empty\r\n5,http://e/"quoted",\r\n\r\n6,caf\xe9\0,"open\r\nto the end'
    )
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "-c", 'the "url"', "--rejects", rejects, stdin=table)
    found = [(row["line"], row["url"]) for row in ran.rows]
    assert found == [(2, "http://a/"), (3, "http://b/?a,b"), (4, "http://c/\r\nd"), (8, 'http://e/"quoted"')]
    assert ran.rows[0]["field"] == 'the "url"'
    assert rejects.read_bytes() == b'short\r\n6,caf\xe9\0,"open\r\nto the end\n'
    assert len(fasturl("parse", "--column", "2", "-F", "url", stdin=table).rows) == 4
    tabs = fasturl("parse", "-c", "2", "-n", "-d", r"\t", "-F", "url", stdin=b"a\thttp://t/,x\tb\n")
    assert tabs.rows == [{"url": "http://t/,x"}]
    missing = fasturl("parse", "-c", "nope", stdin=table)
    assert missing.status == 2 and "nope" in missing.err and "note" in missing.err


def test_files_of_a_store(fasturl: Run, tmp_path: Path) -> None:
    (tmp_path / "dt=1").mkdir()
    (tmp_path / "dt=1" / "a b").write_bytes(TEXT)
    (tmp_path / "_SUCCESS").touch()
    urls = [line.decode() for line in LINES]
    assert [row["url"] for row in fasturl("parse", (tmp_path / "dt=1" / "a b").as_uri()).rows] == urls
    pytest.importorskip("fsspec")
    for path in (f"local://{tmp_path}", f"local://{tmp_path}/dt=*/*"):
        assert [row["url"] for row in fasturl("parse", path).rows] == urls
        assert fasturl("sql", "SELECT count(*) AS n FROM urls", path, "--to", "jsonl").row == {"n": 3000}
    assert "No such file" in fasturl("parse", f"local://{tmp_path}/none").err


def test_a_folder_is_its_files_and_many_inputs_have_one_line(fasturl: Run, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "a").mkdir(parents=True)
    for number in range(30):
        (folder / "a" / f"{number}.log").write_bytes(b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 12\n')
    (folder / "_temporary").write_bytes(b"x")
    ran = fasturl("parse", "-F", "path", folder)
    assert ran.status == 0 and len(ran.rows) == 30
    assert ran.err.splitlines()[1:] == ["30 files: COMMON, 30 of 30 lines"]


def test_an_output_of_a_store_appears_whole(tmp_path: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    sink = open_output("memory://bucket/out.jsonl.gz")
    sink.write(b"one\n")
    assert not memory.exists("/bucket/out.jsonl.gz")
    sink.commit()
    assert gzip.decompress(memory.cat_file("/bucket/out.jsonl.gz")) == b"one\n"
    for name in ("out.csv.part", "out.csv.part.2"):
        sink = open_output("memory://bucket/out.csv")
        sink.write(name.encode())
        sink.abandon()
        assert memory.cat_file(f"/bucket/{name}") == name.encode()
    assert not memory.exists("/bucket/out.csv")
    sink = open_output(f"local://{tmp_path}/missing/out.csv")
    sink.write(b"x")
    with pytest.raises((Failure, LogError), match="cannot write to"):
        sink.commit()
    sink.abandon()
    with pytest.raises(LogError, match="cannot write to nostore"):
        open_output("nostore://h/a")
