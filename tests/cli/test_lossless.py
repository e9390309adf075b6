"""Is nothing lost, whatever an output is called: an input, an open stream, a file that was there before?"""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-m", "fasturl"]
posix = pytest.mark.skipif(os.name != "posix", reason="links, descriptors and a shell of POSIX")
LINES = b"http://a/\nbad one\n"


def shell(line: str, folder: Path, environment: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
    """Run a line in which FASTURL is the command."""
    line = line.replace("FASTURL", f'"{sys.executable}" -m fasturl')
    return subprocess.run(["sh", "-c", line], capture_output=True, cwd=folder, env=environment, timeout=60)


@posix
@pytest.mark.parametrize(
    "line",
    [
        "FASTURL parse k.log --rejects k.log",
        "FASTURL parse k.log --rejects hard",
        "FASTURL parse hard -o soft --to csv",
        "FASTURL parse other soft -o ./k.log --to jsonl",
        "FASTURL parse -o k.log --to csv < hard",
        "FASTURL parse k.log >> soft",
        "FASTURL parse k.log -o /dev/stdout 1<> hard",
        "FASTURL parse k.log --rejects /dev/stderr 2>> hard; cat other >&2",
        "FASTURL check k.log >> k.log",
        "FASTURL stats k.log >> k.log",
        "FASTURL extract k.log >> k.log",
        "FASTURL quote -f k.log >> k.log",
        "FASTURL unquote < k.log >> k.log",
    ],
)
def test_an_output_that_is_an_input_is_refused(
    line: str, tmp_path: Path, fasturl_environment: dict[str, str]
) -> None:
    log = tmp_path / "k.log"
    log.write_bytes(LINES)
    os.link(log, tmp_path / "hard")
    (tmp_path / "soft").symlink_to("hard")
    (tmp_path / "other").write_bytes(b"http://b/\n")
    done = shell(line, tmp_path, fasturl_environment)
    kept = log.read_bytes()
    if "2>>" in line:
        # The refusal itself is written there.
        assert kept.startswith(LINES) and kept.count(b"\n") == 3 and b"is an input too" in kept
    else:
        assert kept == LINES and done.returncode == 2
        assert b"is an input too" in done.stderr and done.stderr.count(b"\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["hard", "k.log", "other", "soft"]


@posix
@pytest.mark.parametrize(
    ("name", "redirection"),
    [("/dev/stderr", "2> said"), ("link", "2> said"), ("said", "2> said"), ("/dev/fd/5", "5> said")],
)
def test_what_is_open_is_written_to_and_not_replaced(
    name: str, redirection: str, tmp_path: Path, fasturl_environment: dict[str, str]
) -> None:
    """The rejects stand behind what was there, and what follows stands behind the rejects."""
    (tmp_path / "link").symlink_to("/dev/stderr")
    (tmp_path / "urls").write_bytes(LINES)
    number = redirection[0]
    line = (
        f"(echo before >&{number}; FASTURL parse -q --log-format COMBINED --rejects {name} urls; echo after >&{number})"
        f" {redirection}"
    )
    done = shell(line, tmp_path, fasturl_environment)
    assert (tmp_path / "said").read_bytes() == b"before\n" + LINES + b"after\n", done.stderr
    assert sorted(os.listdir(tmp_path)) == ["link", "said", "urls"]


@posix
def test_descriptors_that_are_not_open(fasturl: Callable[..., Any]) -> None:
    ran = fasturl("parse", "-o", "/dev/fd/77", stdin=LINES)
    assert ran.status == 2 and ran.err.count("\n") == 1 and "/dev/fd/77" in ran.err


@posix
def test_two_outputs_that_are_one_file_are_refused(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"kept")
    os.link(one, two)
    for names in ((one, two), (one, f"{tmp_path}/./one"), (tmp_path / "new", tmp_path / "new"), ("-", "/dev/stdout")):
        ran = fasturl("parse", "-o", names[0], "--rejects", names[1], stdin=LINES)
        assert ran.status == 2 and "same file" in ran.err
    assert one.read_bytes() == b"kept" and sorted(os.listdir(tmp_path)) == ["one", "two"]


@posix
def test_a_named_pipe_is_written_to(tmp_path: Path, fasturl_environment: dict[str, str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    line = "cat pipe > got & FASTURL parse -q -F url -o pipe urls; wait"
    (tmp_path / "urls").write_bytes(b"http://a/\n")
    assert shell(line, tmp_path, fasturl_environment).returncode == 0
    assert (tmp_path / "got").read_bytes() == b'{"url":"http://a/"}\n'


@pytest.mark.parametrize("name", ["out.tsv", "out.csv.lz4", "out.txt.gz", "out.2024"])
def test_a_suffix_that_is_not_known_is_an_error(fasturl: Callable[..., Any], tmp_path: Path, name: str) -> None:
    ran = fasturl("parse", "-o", tmp_path / name, stdin=LINES)
    assert ran.status == 2 and ran.err.count("\n") == 1
    assert all(suffix in ran.err for suffix in (".jsonl", ".csv", ".parquet", ".arrow", ".gz", ".zst", "--to"))
    assert os.listdir(tmp_path) == []
    # Named with --to, any name will do.
    assert fasturl("parse", "-o", tmp_path / name, "--to", "csv", stdin=LINES).status == 0


UNPACK: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.decompress, "bz2": bz2.decompress, "xz": lzma.decompress}


def unpack_zstd(octets: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    text: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(octets)
    return text


@pytest.mark.parametrize("suffix", [*UNPACK, "zst"])
def test_compressed_outputs_of_text(fasturl: Callable[..., Any], tmp_path: Path, suffix: str) -> None:
    unpack = UNPACK.get(suffix, unpack_zstd)
    urls = b"".join(b"http://h/%d\n" % n for n in range(9000))
    for kind in ("csv", "jsonl"):
        out = tmp_path / f"out.{kind}.{suffix}"
        assert fasturl("parse", "-q", "-F", "url", "-o", out, stdin=urls).status == 0
        assert unpack(out.read_bytes()) == fasturl("parse", "-q", "-F", "url", "--to", kind, stdin=urls).out
    rejects = tmp_path / f"rejects.{suffix}"
    arguments = ["parse", "-q", "--log-format", "COMBINED", "--rejects", rejects]
    record = b'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "a"\n'
    assert fasturl(*arguments, stdin=record + urls).status == 0
    assert unpack(rejects.read_bytes()) == urls
    refused = fasturl("parse", "-o", tmp_path / f"out.parquet.{suffix}", stdin=urls)
    assert refused.status == 2 and "not compressed as a whole" in refused.err
    # What is kept of a run that failed can be read too.
    out = tmp_path / f"part.jsonl.{suffix}"
    assert fasturl("parse", "-F", "url", "--on-error", "fail", "-o", out, stdin=urls + b"bad one\n").status == 1
    assert unpack(Path(f"{out}.part").read_bytes()).count(b"\n") == 9000


def test_a_part_that_was_there_before_is_kept(fasturl: Callable[..., Any], tmp_path: Path) -> None:
    part = tmp_path / "out.jsonl.part"
    part.write_bytes(b"before\n")
    for number in (2, 3):
        ran = fasturl("parse", "-F", "url", "--on-error", "fail", "-o", tmp_path / "out.jsonl", stdin=LINES)
        assert ran.status == 1 and f"out.jsonl.part.{number}\n" in ran.err
        assert (tmp_path / f"out.jsonl.part.{number}").read_bytes() == b'{"url":"http://a/"}\n'
    assert part.read_bytes() == b"before\n"
    assert sorted(os.listdir(tmp_path)) == [part.name, part.name + ".2", part.name + ".3"]
