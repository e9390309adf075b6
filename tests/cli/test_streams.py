"""Streams: a signal ends a stream as its end would, and the output is complete up to there."""

import io
import os
import signal
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from clihelpers import COMMAND, Run, Start, posix, wait_for


@pytest.fixture
def follow(start: Start) -> Start:
    """A function that starts the command with lines on its standard input, which stays open."""

    def begin(*arguments: str, lines: bytes) -> "subprocess.Popen[bytes]":
        process = start(*arguments, **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE))
        assert process.stdin is not None
        process.stdin.write(lines)
        process.stdin.flush()
        return process

    return begin


def wait_until_idle(process: "subprocess.Popen[bytes]") -> None:
    """Wait until the process sleeps and has used no processor time for half a second."""
    stat = Path(f"/proc/{process.pid}/stat")
    before: list[str] = []
    while True:
        fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["S"] * 13
        now = [fields[0], *fields[11:13]]
        if now == before and now[0] == "S":
            return
        before = now
        time.sleep(0.5)


def waiting_bytes(pipe: Any) -> int:
    """Return the number of unread bytes in a pipe."""
    import fcntl
    import termios

    (count,) = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))
    return int(count)


@pytest.mark.long
@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_signal_finishes_the_table(follow: Start, tmp_path: Path, number: signal.Signals, kind: str) -> None:
    out, rejects = tmp_path / f"out.{kind}", tmp_path / "rejects"
    lines = b'h - - [17/May/2015:10:05:03 +0000] "GET /1 HTTP/1.1" 200 1\ntorn\n'
    half = b'h - - [17/May/2015:10:05:03 +0000] "GET /ha'
    process = follow("parse", "-o", str(out), "--rejects", str(rejects), lines=lines + lines + half)
    # Both temporary files exist and the input is read: the process waits.
    wait_for(lambda: len(os.listdir(tmp_path)) == 2)
    wait_until_idle(process)
    process.send_signal(number)
    assert process.wait(60) == 128 + number
    said = process.stderr.read().decode()
    table = pq.read_table(out) if kind == "parquet" else pa.ipc.open_file(out).read_all()
    assert table["path"].to_pylist() == ["/1", "/1"], said
    assert rejects.read_bytes() == b"torn\ntorn\n"
    assert (
        said.startswith("4 lines, 2 URLs: ")
        and f"after 4 lines: {number.name}; the {kind} output is complete up to this point" in said
    )
    assert sorted(os.listdir(tmp_path)) == sorted([out.name, "rejects"])


@posix
def test_a_signal_before_the_format_is_known_reads_no_urls(follow: Start, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    process = follow("parse", "-q", "-o", str(out), lines=b"not told yet\nnor now\n")
    wait_for(lambda: len(os.listdir(tmp_path)) == 1)
    wait_until_idle(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 2 and b"the format is unknown" in process.stderr.read()
    assert os.listdir(tmp_path) == []


@posix
def test_a_signal_during_a_file_leaves_the_output_alone(start: Start, tmp_path: Path) -> None:
    """A file can be read again, and a table of its beginning could be mistaken for the table of the file."""
    source = tmp_path / "list"
    source.write_bytes(b"http://h/path/of/some/length?a=b\n" * 4_000_000)
    process = start("parse", source, "-o", tmp_path / "out.parquet", stderr=subprocess.PIPE)
    wait_for(lambda: len(os.listdir(tmp_path)) == 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and b": SIGINT\n" in said and b"cut short at " in said
    assert os.listdir(tmp_path) == ["list"]


@pytest.mark.long
@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_stream_and_stats_shows_its_counts(follow: Start, number: signal.Signals) -> None:
    pytest.importorskip("duckdb", reason="stats counts by DuckDB")
    process = follow("stats", "-t", "total", lines=b"http://h/\n" * 2000)
    wait_for(lambda: not waiting_bytes(process.stdin))
    wait_until_idle(process)
    process.send_signal(number)
    assert process.wait(60) == 128 + number
    said = process.stderr.read().decode()
    assert process.stdout.read().startswith(b"total\n2000\tlines\n2000\turls\n"), said
    named, cut = said.splitlines()
    assert named == "-: URLS, 2,000 of 2,000 lines" and cut.startswith("cut short at ") and number.name in cut


@posix
def test_arrow_to_a_pipe_is_the_stream_format(fasturl: Run, tmp_path: Path) -> None:
    ran = fasturl("parse", "-q", "--to", "arrow", "-F", "url", stdin=b"http://a/\nhttp://b/\n")
    with pa.ipc.open_stream(io.BytesIO(ran.out)) as reader:
        assert reader.read_all().to_pylist() == [{"url": "http://a/"}, {"url": "http://b/"}]
    # A redirected file gets the file format too.
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([*COMMAND, "parse", "-q", "--to", "arrow"], input=b"http://a/\n", stdout=out, check=True)
    assert pa.ipc.open_file(tmp_path / "out").read_all()["url"].to_pylist() == ["http://a/"]


def test_on_error_fail_says_when_and_why(fasturl: Run) -> None:
    ran = fasturl("parse", "--on-error", "fail", stdin=b"http://a/\nbad one\nhttp://b/\n")
    assert ran.status == 1
    (said,) = [line for line in ran.err.splitlines() if line.startswith("cut short at ")]
    assert said.endswith(" after 3 lines: --on-error")


@posix
def test_a_signal_ends_a_query_over_a_stream_with_a_message(follow: Start, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="queries need duckdb")
    lines = b'h - - [17/May/2015:10:05:03 +0000] "GET /1 HTTP/1.1" 200 1\n' * 20
    # The query has no rows before the end, but its file exists as soon as it begins.
    process = follow("sql", "SELECT count(*) FROM requests", "-o", str(tmp_path / "out.csv"), lines=lines)
    wait_for(lambda: len(os.listdir(tmp_path)) == 1)
    wait_until_idle(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    said = process.stderr.read().decode()
    assert said.startswith("cut short at ") and said.endswith("20 lines: SIGINT\n")
    assert os.listdir(tmp_path) == []


@posix
@pytest.mark.parametrize("good", [4, 1])
def test_rows_of_a_stream_wait_two_seconds_for_enough_lines_that_fit(
    fasturl_environment: dict[str, str], good: int
) -> None:
    line = b'h - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12\n'
    run = [*COMMAND, "parse", "-q", "--log-format", "COMMON", "-F", "path"]
    with subprocess.Popen(run, stdin=-1, stdout=-1, stderr=-1, env=fasturl_environment) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"torn\n" * 3 + line)
        process.stdin.flush()
        time.sleep(0.5)
        process.stdin.write(line * (good - 1))
        process.stdin.flush()
        if good > 1:  # the stream goes on
            assert process.stdout.readline() == b'{"path":"/a"}\n' and process.poll() is None
            process.stdin.close()
        else:
            assert process.wait(20) == 2 and process.stdout.read() == b""
            assert b"3 of the first 4 lines are rejected" in process.stderr.read()
