"""Failures: each ends the run with one line and its status, and leaves no half-written output."""

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from clihelpers import COMMAND, COMPRESSIONS, Make, Run, Start, posix

from fasturl.cli.failure import Interrupted, Signals

LIST = b"".join(b"http://h%d/path?q=%d\n" % (n, n) for n in range(20000))
LONG_LIST = b"".join(b"http://h%d/path?q=%d\n" % (n, n * n) for n in range(100000))
OUTPUTS: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
PIPES: dict[str, Any] = {"stdin": subprocess.PIPE, **OUTPUTS}


def without(module: str, *arguments: str, stdin: bytes = b"http://h/\n") -> "subprocess.CompletedProcess[bytes]":
    """Run the command where this module cannot be imported."""
    program = f"import sys; sys.modules[{module!r}] = None; from fasturl.cli.__main__ import run; run()"
    return subprocess.run([sys.executable, "-c", program, *arguments], input=stdin, capture_output=True, timeout=60)


def one_line(ran: Any, *words: str) -> None:
    """Check that the run failed with one line that contains the words."""
    assert ran.status == 2
    assert ran.err.count("\n") == 1 and ran.err.startswith("fasturl: "), ran.err
    assert all(word in ran.err for word in words), ran.err


@pytest.mark.parametrize("command", ["parse", "stats", "check", "extract"])
def test_a_missing_input_is_one_line(fasturl: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "good").write_bytes(b"http://h/\n")
    ran = fasturl(command, "good", "missing", cwd=tmp_path)
    one_line(ran, "missing", os.strerror(errno.ENOENT))
    assert ran.out == b""  # inputs are checked before the run


@posix
def test_an_unreadable_input_is_one_line(fasturl: Run, tmp_path: Path) -> None:
    one_line(fasturl("parse", tmp_path), "no file matches")
    secret = tmp_path / "secret"
    secret.write_bytes(b"http://h/\n")
    secret.chmod(0)
    if os.access(secret, os.R_OK):
        pytest.skip("this user may read everything")
    one_line(fasturl("parse", secret), os.strerror(errno.EACCES))


@pytest.mark.parametrize("option", ["--output", "--rejects"])
def test_an_output_that_cannot_be_created_is_one_line(fasturl: Run, tmp_path: Path, option: str) -> None:
    one_line(fasturl("parse", option, tmp_path / "no" / "such", stdin=b"http://h/\n"), "such")
    one_line(fasturl("parse", option, tmp_path, stdin=b"http://h/\n"), str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_full_disk_is_one_line(fasturl: Run, kind: str) -> None:
    one_line(fasturl("parse", "--to", kind, "-o", "/dev/full", stdin=LIST), "/dev/full", os.strerror(errno.ENOSPC))
    for arguments in (
        ["parse", "-"], ["stats"], ["check", "-q", "--hazards"], ["quote", "a"], ["explain", "http://h/"], ["--help"],
        ["parse", "-h"],
    ):  # fmt: skip
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [*COMMAND, *arguments], input=LIST + b"http://h/ \n", stdout=full, stderr=subprocess.PIPE, timeout=60
            )
        assert done.returncode == 2, arguments
        assert done.stderr.count(b"\n") == 1 and b"Traceback" not in done.stderr, done.stderr
        assert os.strerror(errno.ENOSPC).encode() in done.stderr


@posix
def test_a_disk_that_fills_up_keeps_whole_rows(tmp_path: Path) -> None:
    """A limit on file sizes simulates the disk. The target is unchanged, and whole rows are kept beside it."""
    out = tmp_path / "out.jsonl"
    out.write_bytes(b"before\n")
    program = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000000, 3000000))\n"
        "from fasturl.cli.app import call\n"
        "sys.exit(call(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "parse", "-o", str(out)], input=LIST, capture_output=True, timeout=60
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr and os.strerror(errno.EFBIG).encode() in done.stderr
    assert out.read_bytes() == b"before\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "out.jsonl.part"]
    kept = (tmp_path / "out.jsonl.part").read_bytes()
    assert kept.endswith(b"}\n") and 0 < kept.count(b"\n") < 20000
    assert json.loads(kept.splitlines()[-1])["line"] == kept.count(b"\n")


@posix
@pytest.mark.parametrize("arguments", [["parse"], ["parse", "--to", "csv"], ["check"], ["parse", "-g", "{url}"]])
def test_a_closed_pipe_is_silent(arguments: list[str], tmp_path: Path, start: Start) -> None:
    source = tmp_path / "list"
    source.write_bytes(LIST.replace(b"/path", b"/pa<th") * 4)
    process = start(*arguments, source, **OUTPUTS)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert (process.stderr.read(), process.wait(60)) == (b"", 141)


@posix
def test_a_descriptor_that_select_does_not_take_is_read_without_a_wait() -> None:
    reading, writing = os.pipe()
    watch = Signals()
    watch.woken = reading
    try:
        watch.wait(100_000)
        watch.wait(-1)
    finally:
        os.close(reading)
        os.close(writing)


@posix
def test_a_closed_pipe_in_a_shell_is_silent(tmp_path: Path) -> None:
    source = tmp_path / "list"
    source.write_bytes(LIST * 4)
    line = f'"{sys.executable}" -m fasturl parse "{source}" | head -n 1'
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60)
    assert done.returncode == 0 and done.stderr == b"" and done.stdout.count(b"\n") == 1


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait_for_input(number: int, start: Start) -> None:
    process = start("parse", **PIPES)
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"http://a/\nhttp://b/\nhttp://c")
    process.stdin.flush()
    # Rows of complete lines are written without waiting for more input.
    assert json.loads(process.stdout.readline())["url"] == "http://a/"
    assert json.loads(process.stdout.readline())["url"] == "http://b/"
    process.send_signal(number)
    assert process.wait(60) == 128 + number
    assert process.stdout.read() == b""
    assert b"Traceback" not in process.stderr.read()


@posix
def test_a_signal_just_before_a_read_ends_the_wait() -> None:
    """Python calls no handler between two calls of C functions, so the read must not block after such a signal."""
    program = (
        "import ctypes, functools, operator, os, select, signal\n"
        "from fasturl.cli.failure import Interrupted, signals\n"
        "from fasturl.logs.inputs.source import Source\n"
        "interrupt = functools.partial(ctypes.PyDLL(None)['raise'], signal.SIGINT)\n"
        "def interrupted(function, *arguments):\n"
        "    return list(map(operator.call, (interrupt, functools.partial(function, *arguments))))[1]\n"
        "os.read = functools.partial(interrupted, os.read)\n"
        "select.select = functools.partial(interrupted, select.select)\n"
        "with signals.handling():\n"
        "    try:\n"
        "        print(next(Source('-', signals).raw_blocks()))\n"
        "    except Interrupted as signal:\n"
        "        print(signal.status)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    try:
        assert process.wait(60) == 0
        assert process.stdout.read() == b"130\n"
    finally:
        process.kill()
        process.stdin.close()
        process.stdout.close()


@posix
def test_a_signal_interrupts_a_call_of_a_library_until_it_ends() -> None:
    """Also after waits for input that have ended, and after one that a signal has ended."""
    signals, calls = Signals(), SimpleQueue[None]()

    def interrupt() -> None:
        calls.put(None)

    with signals.handling(), signals.calling(interrupt), open(os.devnull, "rb") as null:
        with signals.waiting():
            signals.wait(null.fileno())
        signal.raise_signal(signal.SIGINT)
        for _ in range(3):
            calls.get(timeout=30)
        with pytest.raises(Interrupted):
            signals.check()
    with signals.handling(), signals.calling(interrupt):
        with pytest.raises(Interrupted), signals.waiting():
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(Interrupted) as second:
            signal.raise_signal(signal.SIGINT)
        assert second.value.status == 130
        calls.get(timeout=30)
    with signals.handling(), signals.waiting():
        signals.check()  # an earlier signal does not end the next run


@posix
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(("function", "arguments"), [
    ("QueryInputs._scan", ["sql", "SELECT count(*) FROM requests, range(1000000000000) t(i) WHERE i + line < 0"]),
    ("Where.apply", ["parse", "--where", "sleep_ms(2000) IS NULL"]),
])  # fmt: skip
def test_a_signal_during_a_query_over_a_file_ends_it(
    function: str, arguments: list[str], threads: str, tmp_path: Path
) -> None:
    """The signal comes at the end of the scan, and before the condition: DuckDB works on."""
    pytest.importorskip("duckdb")
    program = f"""
import os, signal
from fasturl.cli import sqltables
from fasturl.cli.__main__ import run
def send():
    os.kill(os.getpid(), signal.SIGINT)
def scan(*given, **named):
    yield from function(*given, **named)
    send()
def apply(*given):
    send()
    return function(*given)
function = sqltables.{function}
sqltables.{function} = scan if {function!r} == "QueryInputs._scan" else apply
run()
"""
    source = tmp_path / "list"
    source.write_bytes(b"http://h/\n" * 100)
    command = [sys.executable, "-c", program, *arguments, "--threads", threads, str(source)]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (130, b"") and b"Traceback" not in done.stderr, done.stderr


@posix
def test_ctrl_c_leaves_whole_rows(tmp_path: Path, start: Start) -> None:
    """The pipe and the file beside the target get whole rows."""
    source = tmp_path / "list"
    source.write_bytes(LIST * 60)
    out = tmp_path / "out.csv"
    process = start("parse", source, "-o", out, **OUTPUTS)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        begun = [path for path in tmp_path.iterdir() if path.name.startswith(".out.csv.")]
        if begun and begun[0].stat().st_size:
            break
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130, complaint
    assert b"Traceback" not in complaint and b"out.csv.part" in complaint
    assert not out.exists()
    kept = (tmp_path / "out.csv.part").read_bytes()
    assert kept.endswith(b"\n") and 0 < kept.count(b"\n") < 1200000
    assert kept.splitlines()[-1].count(b",") == 15
    assert sorted(path.name for path in tmp_path.iterdir()) == ["list", "out.csv.part"]


@posix
def test_a_second_ctrl_c_ends_a_blocked_write(tmp_path: Path, start: Start) -> None:
    source = tmp_path / "list"
    source.write_bytes(LIST)
    process = start("parse", source, **OUTPUTS)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()  # the run has begun, and fills the pipe
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)  # the first signal waits for a whole row, the second one does not
    assert process.wait(60) == 130
    assert b"Traceback" not in process.stderr.read()


@posix
def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    """As for a background job: `nohup`, or `&` in a script."""
    line = f'trap "" INT; exec "{sys.executable}" -m fasturl parse -F url'
    process = subprocess.Popen(["sh", "-c", line], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    process.stdin.write(b"http://a/\n")
    process.stdin.flush()
    assert process.stdout.readline() == b'{"url":"http://a/"}\n'
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    out, _ = process.communicate(b"http://b/\n", timeout=60)
    assert process.returncode == 0 and out == b'{"url":"http://b/"}\n'


@pytest.mark.long
@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_a_torn_compressed_file_yields_the_data_before(fasturl: Run, tmp_path: Path, kind: str) -> None:
    data = COMPRESSIONS[kind][1](LONG_LIST)
    source, after, out = tmp_path / f"torn.{kind}", tmp_path / "after", tmp_path / "out.jsonl"
    source.write_bytes(data[: len(data) * 2 // 3])
    after.write_bytes(b"http://after/\n")
    ran = fasturl("parse", "-q", source, after, "-o", out)
    assert ran.status == 2 and f"torn.{kind}" in ran.err and "out.jsonl.part" in ran.err, ran.err
    rows = [json.loads(line) for line in Path(f"{out}.part").read_bytes().splitlines()]
    # The data before the tear and the other file are read.
    assert rows[-1]["url"] == "http://after/"
    lines = LONG_LIST.decode().splitlines()
    assert [row["url"] for row in rows[:-2]] == lines[: len(rows) - 2]
    assert lines[len(rows) - 2].startswith(rows[-2]["url"])
    # bzip2 yields complete blocks of 900 kB only.
    assert len(rows) > len(lines) // 3


def test_damaged_gzip_is_one_line(fasturl: Run, tmp_path: Path) -> None:
    """Bytes that cannot be decoded, a wrong checksum, and a file that is not gzip."""
    packed = gzip.compress(LIST, mtime=0)
    source = tmp_path / "damaged.gz"
    middle = len(packed) // 2
    source.write_bytes(packed[:middle] + b"\xff" * 64 + packed[middle + 64 :])
    ran = fasturl("parse", "-q", "-F", "url", source)
    one_line(ran, "damaged.gz")
    assert LIST.decode().splitlines()[:5000] == [row["url"] for row in ran.rows[:5000]]
    source.write_bytes(packed[:-8] + b"\0\0\0\0" + packed[-4:])
    ran = fasturl("parse", "-q", "-F", "url", source)
    one_line(ran, "damaged.gz")
    assert [row["url"] for row in ran.rows] == LIST.decode().splitlines()
    source.write_bytes(LIST)
    one_line(fasturl("parse", "-q", source), "damaged.gz")


def test_a_torn_file_fails_text_commands_too(fasturl: Run, tmp_path: Path) -> None:
    source = tmp_path / "torn.gz"
    source.write_bytes(gzip.compress(b"a%20b\n" * 9)[:-4])
    for command in (["unquote", "-f"], ["quote", "-f"], ["extract"], ["stats"], ["check", "-q"]):
        ran = fasturl(*command, source)
        assert ran.status == 2 and ran.err.count("is truncated") == 1
    assert fasturl("unquote", "-f", source).out == b"a b\n" * 9


def test_on_error_and_verify_set_rows_and_status(fasturl: Run, tmp_path: Path) -> None:
    data = b"http://a/\nhttp://b c/\nhttp://d/\nbad one\nhttp://e/\nbad two\nhttp://f/\n"
    keep = fasturl("parse", "-F", "url", stdin=data)
    assert keep.status == 0 and len(keep.rows) == 7
    skip = fasturl("parse", "-F", "url", "--on-error", "skip", stdin=data)
    assert skip.status == 0
    assert [row["url"] for row in skip.rows] == ["http://a/", "http://d/", "http://e/", "http://f/"]
    assert "7 URLs: 4 valid, 3 invalid" in skip.err
    fail = fasturl("parse", "-F", "url", "--on-error", "fail", stdin=data)
    assert fail.status == 1 and [row["url"] for row in fail.rows] == ["http://a/"]
    assert "fasturl: -:2: offset 8: UNSAFE, BAD_HOST" in fail.err
    good = data.replace(b"b c", b"b")
    later = fasturl("parse", "-F", "url", "--on-error", "fail", stdin=good)
    assert later.status == 1 and len(later.rows) == 3 and "-:4: offset 0" in later.err
    assert fasturl("parse", "--verify", stdin=data).status == 1
    assert fasturl("parse", "--verify", stdin=b"http://a/\n").status == 0
    assert len(fasturl("parse", "--verify", stdin=data).rows) == 7
    out = tmp_path / "out.jsonl"
    failed = fasturl("parse", "--on-error", "fail", "-o", out, stdin=data)
    assert failed.status == 1 and not out.exists() and (tmp_path / "out.jsonl.part").exists()


def test_on_error_fail_ends_at_a_rejected_line(fasturl: Run, make_clf: Make, tmp_path: Path) -> None:
    data = make_clf(b"GET /a HTTP/1.1") + b"\ntorn\n" + make_clf(b"GET /b HTTP/1.1") + b"\n"
    rejects = tmp_path / "rejects"
    ran = fasturl("parse", "--on-error", "fail", "--log-format", "COMBINED", "--rejects", rejects, stdin=data)
    assert ran.status == 1 and [row["url"] for row in ran.rows] == ["/a"]
    assert "-:2: not in the format COMBINED: word, column 5" in ran.err
    assert (tmp_path / "rejects.part").read_bytes() == b"torn\n"


@posix
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("arguments", "writes"), [
    ("parse FILE", True),        ("parse FILE -o OUT --rejects REJECTS", False),
    ("parse FILE -o OUT.parquet", False),                     ("stats FILE", True),        ("check FILE", True),
    ("extract FILE", True),      ("explain http://h/", True), ("quote a", True),           ("unquote -f FILE", True),
    ("", False),                 ("-h", False),               ("parse -h", False),         ("nope", False),
    ("parse --nope", False),
])  # fmt: skip
def test_closed_standard_streams_lose_no_file(
    tmp_path: Path, fasturl_environment: dict[str, str], closed: str, arguments: str, writes: bool
) -> None:
    """A closed stream is reported in one line or not at all, and no file gets its descriptor."""
    (tmp_path / "FILE").write_bytes(b"http://h/\n")
    line = f'"{sys.executable}" -m fasturl {arguments} {closed}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, cwd=tmp_path, env=fasturl_environment)
    fails = arguments in ("", "nope", "parse --nope") or (writes and ">&-" in closed.split())
    assert done.returncode == (2 if fails else 0), done.stderr
    assert b"Traceback" not in done.stderr and b"Error" not in done.stderr
    if writes and closed == ">&-":
        assert done.stderr == b"fasturl: standard output is closed\n"
    if "-o OUT " in arguments:
        assert (tmp_path / "OUT").read_bytes().count(b"\n") == 1 and (tmp_path / "REJECTS").read_bytes() == b""
    assert (tmp_path / "FILE").read_bytes() == b"http://h/\n"


@posix
def test_a_closed_standard_input_is_one_line(tmp_path: Path) -> None:
    line = f'"{sys.executable}" -m fasturl parse <&-'
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"fasturl: standard input is closed\n")


@pytest.mark.parametrize(("missing", "arguments", "told"), [
    ("click", [], b"[cli]'"),
    ("publicsuffixlist", ["sql", "SELECT URL_registrable_domain(url) FROM requests"],
     b"[domains]'"),
    ("duckdb", ["sql", "SELECT 1"], b"fasturl sql needs duckdb: "),
    ("zstandard", ["parse", "a.zst"], b"[cli]'"),
])  # fmt: skip
def test_what_is_missing_is_told_in_one_line(tmp_path: Path, missing: str, arguments: list[str], told: bytes) -> None:
    if missing == "publicsuffixlist":
        pytest.importorskip("duckdb", reason="queries need duckdb")
    (tmp_path / "a.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    done = without(missing, *(str(tmp_path / each) if each == "a.zst" else each for each in arguments))
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1) and told in done.stderr


@pytest.mark.parametrize("missing", ["rich", "zstandard"])
def test_commands_run_without_rich_or_zstandard(missing: str) -> None:
    assert without(missing, "parse", "-q").returncode == without(missing, "stats").returncode == 0
