"""Output files: no input, open stream or existing file is lost, and a file appears complete or as a part."""

import gzip
import os
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest
from clihelpers import COMPRESSIONS, Run, posix

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.output import WriteBehind
from fasturl.cli.outputs.sink import CompressedSink, Replacement

LINES = b"http://a/\nbad one\n"


def shell(line: str, folder: Path, environment: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
    """Run a shell line in which FASTURL stands for the command."""
    line = line.replace("FASTURL", f'"{sys.executable}" -m fasturl')
    return subprocess.run(["sh", "-c", line], capture_output=True, cwd=folder, env=environment, timeout=60)


@posix
@pytest.mark.parametrize("line", [
    "FASTURL parse k.log --rejects k.log", "FASTURL parse k.log --rejects hard", "FASTURL parse hard -o soft --to csv",
    "FASTURL parse other soft -o ./k.log --to jsonl", "FASTURL parse -o k.log --to csv < hard",
    "FASTURL parse k.log >> soft", "FASTURL parse k.log -o /dev/stdout 1<> hard",
    "FASTURL parse k.log --rejects /dev/stderr 2>> hard; cat other >&2", "FASTURL check k.log >> k.log",
    "FASTURL stats k.log >> k.log", "FASTURL extract k.log >> k.log", "FASTURL quote -f k.log >> k.log",
    "FASTURL unquote < k.log >> k.log",
])  # fmt: skip
def test_an_output_that_is_an_input_is_refused(line: str, tmp_path: Path, fasturl_environment: dict[str, str]) -> None:
    log = tmp_path / "k.log"
    log.write_bytes(LINES)
    os.link(log, tmp_path / "hard")
    (tmp_path / "soft").symlink_to("hard")
    (tmp_path / "other").write_bytes(b"http://b/\n")
    done = shell(line, tmp_path, fasturl_environment)
    kept = log.read_bytes()
    if "2>>" in line:
        # It contains the message of the refusal.
        assert kept.startswith(LINES) and kept.count(b"\n") == 3 and b"is also an input" in kept
    else:
        assert kept == LINES and done.returncode == 2
        assert b"is also an input" in done.stderr and done.stderr.count(b"\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["hard", "k.log", "other", "soft"]


@posix
@pytest.mark.parametrize(
    ("name", "redirection"),
    [("/dev/stderr", "2> said"), ("link", "2> said"), ("said", "2> said"), ("/dev/fd/5", "5> said")],
)
def test_open_files_are_written_to_and_not_replaced(
    name: str, redirection: str, tmp_path: Path, fasturl_environment: dict[str, str]
) -> None:
    """The rejects are appended to the file, and later output follows them."""
    (tmp_path / "link").symlink_to("/dev/stderr")
    record = b'h - - [-] "GET / HTTP/1.1" 200 1 "-" "-"\n'
    (tmp_path / "urls").write_bytes(record + LINES)
    number, run = redirection[0], f"FASTURL parse -q --log-format COMBINED --rejects {name} urls"
    line = f"(echo before >&{number}; {run}; echo after >&{number}) {redirection}"
    done = shell(line, tmp_path, fasturl_environment)
    assert (tmp_path / "said").read_bytes() == b"before\n" + LINES + b"after\n", done.stderr
    assert sorted(os.listdir(tmp_path)) == ["link", "said", "urls"]


@posix
def test_closed_descriptors_are_refused(fasturl: Run) -> None:
    ran = fasturl("parse", "-o", "/dev/fd/77", stdin=LINES)
    assert ran.status == 2 and ran.err.count("\n") == 1 and "/dev/fd/77" in ran.err


@posix
def test_two_outputs_that_are_one_file_are_refused(fasturl: Run, tmp_path: Path) -> None:
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
def test_an_unknown_suffix_is_an_error(fasturl: Run, tmp_path: Path, name: str) -> None:
    ran = fasturl("parse", "-o", tmp_path / name, stdin=LINES)
    assert ran.status == 2 and ran.err.count("\n") == 1
    assert all(suffix in ran.err for suffix in (".jsonl", ".csv", ".parquet", ".arrow", ".gz", ".zst", "--to"))
    assert os.listdir(tmp_path) == []
    # --to allows any name.
    assert fasturl("parse", "-o", tmp_path / name, "--to", "csv", stdin=LINES).status == 0


@pytest.mark.long
@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_text_outputs_are_compressed_by_suffix(fasturl: Run, tmp_path: Path, suffix: str) -> None:
    unpack = COMPRESSIONS[suffix][2]
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
    assert refused.status == 2 and "cannot be compressed as a whole" in refused.err
    # The kept part of a failed run can be read too.
    out = tmp_path / f"part.jsonl.{suffix}"
    assert fasturl("parse", "-F", "url", "--on-error", "fail", "-o", out, stdin=urls + b"bad one\n").status == 1
    assert unpack(Path(f"{out}.part").read_bytes()).count(b"\n") == 9000


def test_an_existing_part_file_is_kept(fasturl: Run, tmp_path: Path) -> None:
    part = tmp_path / "out.jsonl.part"
    part.write_bytes(b"before\n")
    for number in (2, 3):
        ran = fasturl("parse", "-F", "url", "--on-error", "fail", "-o", tmp_path / "out.jsonl", stdin=LINES)
        assert ran.status == 1 and f"out.jsonl.part.{number}\n" in ran.err
        assert (tmp_path / f"out.jsonl.part.{number}").read_bytes() == b'{"url":"http://a/"}\n'
    assert part.read_bytes() == b"before\n"
    assert sorted(os.listdir(tmp_path)) == [part.name, part.name + ".2", part.name + ".3"]


@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_a_failed_commit_keeps_the_part_which_can_be_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    out = tmp_path / name
    sink: Any = Replacement(str(out))
    if name == "out.gz":
        sink = CompressedSink(sink, zlib.compressobj(wbits=31))
    sink.write(b"rows\n")
    out.mkdir()  # no file can replace a directory
    with pytest.raises(Failure):
        sink.commit()
    sink.abandon()
    if name == "out":
        sink.abandon()
    kept = (tmp_path / f"{name}.part").read_bytes()
    assert (gzip.decompress(kept) if name == "out.gz" else kept) == b"rows\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, f"{name}.part"]
    said = capfd.readouterr().err
    assert said.count("what was written so far is in") == 1 and f"{name}.part" in said


def test_an_output_that_cannot_be_kept_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    for name, call, keep in (("kept", "replace", True), ("left", "unlink", False)):
        sink = Replacement(str(tmp_path / name))
        sink.write(b"rows\n")
        with monkeypatch.context() as patched:
            patched.setattr(os, call, refuse)
            sink.abandon(keep)
        said = capfd.readouterr().err
        assert said.startswith("fasturl: what was written so far is in ") and said.count("\n") == 1
        assert Path(said.split(" is in ")[1].strip()).exists()


def test_abandon_after_commit_does_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    sink = Replacement(str(out))
    sink.write(b"rows\n")
    sink.commit()
    with (tmp_path / "other").open("wb", buffering=0) as other:  # it has the former descriptor of the output
        other.write(b"of another file\n")
        sink.abandon()
        assert other.write(b"more\n") == 5
    assert out.read_bytes() == b"rows\n" and capfd.readouterr().err == ""
    assert (tmp_path / "other").read_bytes() == b"of another file\nmore\n"


class Slow:
    """A sink that waits for `go`, and fails at its second write."""

    is_terminal, is_file = False, True

    def __init__(self) -> None:
        self.go, self.ended = threading.Event(), ""
        self.written: list[bytes] = []

    def write(self, data: bytes | memoryview) -> None:
        assert self.go.wait(60)
        if self.written:
            raise Failure("the disk is full")
        self.written.append(bytes(data))

    def commit(self) -> None:
        self.ended = "committed"

    def abandon(self, keep: bool = True) -> None:
        self.ended = f"abandoned, keep={keep}"


def test_nothing_is_written_after_a_failed_write() -> None:
    slow = Slow()
    sink = WriteBehind(slow)
    for data in (b"first\n", b"second\n"):
        sink.write(data)  # does not wait for the sink
    assert not slow.written
    slow.go.set()
    with pytest.raises(Failure, match="full"):
        sink.write(bytes(1 << 25))  # above the limit of waiting bytes
    assert not slow.ended
    sink.abandon()
    assert slow.written == [b"first\n"] and slow.ended == "abandoned, keep=True"


def test_commit_raises_the_failure_of_the_last_write() -> None:
    slow = Slow()
    slow.go.set()
    sink = WriteBehind(slow)
    sink.write(b"first\n")
    with pytest.raises(Failure, match="full"):
        sink.write(b"second\n")
        sink.commit()
    assert not slow.ended
    sink.abandon(keep=False)
    assert slow.ended == "abandoned, keep=False"


def test_abandon_writes_pending_data_first() -> None:
    slow = Slow()
    sink = WriteBehind(slow)
    sink.write(b"only\n")
    threading.Timer(0.05, slow.go.set).start()
    sink.commit()
    assert slow.written == [b"only\n"] and slow.ended == "committed"
