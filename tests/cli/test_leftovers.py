"""The next run removes the temporary files and folders of killed processes, and nothing else."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from clihelpers import Run, Start, wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open cannot be removed")

LINE = b'192.0.2.1 - - [17/May/2015:10:05:03 +0200] "GET /%d HTTP/1.1" 200 %d "-" "agent"\n'
LOG = b"".join(LINE % (n, n) for n in range(60))
SPILLS = "CREATE TABLE large AS SELECT i, hash(i)::VARCHAR AS h FROM range(500000000) r(i)"
PREFIX = "fasturl-spill-"


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    (tmp_path / "spool").mkdir()
    return tmp_path / "spool"


def folders(spool: Path) -> set[str]:
    return {name for name in os.listdir(spool) if name.startswith(PREFIX)}


def spilling(start: Start, log: Path, spool: Path) -> "tuple[subprocess.Popen[bytes], str]":
    """Return a running process, and its folder, which is not empty."""
    pytest.importorskip("duckdb", reason="queries need duckdb")
    before = folders(spool)
    process = start(
        "sql", SPILLS, log, "--memory", "64M", "--threads", "1", env={"TMPDIR": str(spool)}, stdout=subprocess.DEVNULL
    )
    (name,) = wait_for(lambda: folders(spool) - before)
    wait_for(lambda: os.listdir(spool / name))
    return process, name


def kill(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_run_removes_abandoned_folders_only(
    fasturl: Run, start: Start, log: Path, spool: Path, tmp_path: Path
) -> None:
    dead, of_dead = spilling(start, log, spool)
    _, of_living = spilling(start, log, spool)
    kill(dead)
    assert folders(spool) == {of_dead, of_living}
    # Not spill folders: a link, a file, and folders with other names.
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("mine")
    (spool / f"{PREFIX}abcdefgh").symlink_to(kept)
    (spool / f"{PREFIX}abcdefgi").write_text("mine")
    (spool / "fasturl-abcdefgh").mkdir()
    (spool / f"{PREFIX}abc.old").mkdir()
    (spool / of_dead / "link").symlink_to(kept)
    ran = fasturl("sql", "SELECT count(*) AS n FROM requests", log, TMPDIR=str(spool))
    assert ran.rows == [{"n": 60}], ran.err
    left = {of_living, f"{PREFIX}abcdefgh", f"{PREFIX}abcdefgi", f"{PREFIX}abc.old"}
    assert folders(spool) == left and (spool / "fasturl-abcdefgh").is_dir()
    assert (kept / "file").read_text() == "mine" and (spool / f"{PREFIX}abcdefgi").read_text() == "mine"
    assert os.listdir(spool / of_living)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="another owner takes root")
def test_a_folder_of_another_user_stays(fasturl: Run, log: Path, spool: Path) -> None:
    other = spool / f"{PREFIX}abcdefgh"
    other.mkdir()
    os.chown(other, 12345, 12345)
    assert fasturl("sql", "SELECT 1 AS n", log, TMPDIR=str(spool)).rows == [{"n": 1}]
    assert other.is_dir()


def test_a_run_removes_its_own_folder(fasturl: Run, log: Path, spool: Path) -> None:
    for arguments in (("sql", "SELECT 1"), ("sql", "SELECT nothing"), ("parse", "--where", "true"), ("stats",)):
        fasturl(*arguments, log, TMPDIR=str(spool))
        assert os.listdir(spool) == []


def test_eight_processes_at_once_keep_their_folders(start: Start, log: Path, spool: Path) -> None:
    for name in "abcdefgh":
        (spool / f"{PREFIX}aaaaaaa{name}").mkdir()  # as left by eight killed runs
    query = "SELECT count(DISTINCT a.line * 1000 + b.i) AS n FROM requests a, range(2000) b(i)"
    many = [
        start(
            "sql", query, log, "--memory", "64M", "--threads", "1", env={"TMPDIR": str(spool)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(8)
    ]  # fmt: skip
    for process in many:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0 and out == b'{"n":61000}\n', err
    assert os.listdir(spool) == []


def parts(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(".part"))


@pytest.mark.parametrize("name", ["o.jsonl", "o.csv.gz", "o.parquet", "o.arrow"])
def test_a_run_removes_abandoned_files_of_its_target(
    fasturl: Run, start: Start, log: Path, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / name

    def following() -> "subprocess.Popen[bytes]":
        process = start("parse", "-q", "--rejects", folder / "rejects", "-o", target, stdin=subprocess.PIPE)
        process.stdin.write(log.read_bytes())
        process.stdin.flush()
        return process

    dead = following()
    wait_for(lambda: len(parts(folder)) == 2)
    living = following()
    wait_for(lambda: len(parts(folder)) == 4)
    before = parts(folder)
    kill(dead)
    assert parts(folder) == before  # as left by SIGKILL
    mine = folder / f".{name}.part"
    mine.write_text("mine")
    ran = fasturl("parse", "-q", "--rejects", folder / "rejects", "-o", target, stdin=log.read_bytes())
    assert ran.status == 0, ran.err
    whole = target.read_bytes()
    left = parts(folder)
    assert len(left) == 3 and mine.name in left and mine.read_text() == "mine"
    living.communicate(timeout=60)
    assert living.returncode == 0 and target.read_bytes() == whole
    assert parts(folder) == [mine.name]


def test_many_writers_of_one_file_leave_it_complete(start: Start, fasturl: Run, log: Path, tmp_path: Path) -> None:
    """Each process replaces the file with a complete one, in any order."""
    folder = tmp_path / "out"
    folder.mkdir()
    many = [start("parse", "-q", "-o", folder / "o.jsonl", log, stderr=subprocess.PIPE) for _ in range(12)]
    for process in many:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    assert os.listdir(folder) == ["o.jsonl"]
    assert (folder / "o.jsonl").read_bytes() == fasturl("parse", "-q", log).out


def test_a_link_named_as_a_temporary_file_is_not_followed(fasturl: Run, log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    mine = tmp_path / "mine"
    mine.write_text("mine")
    assert fasturl("parse", "-q", "-o", folder / "o.jsonl", log).status == 0
    for number in range(1, 12):
        (folder / f".o.jsonl.fasturl{number}.part").symlink_to(mine)
    assert fasturl("parse", "-q", "-o", folder / "o.jsonl", log).status == 0
    assert mine.read_text() == "mine" and len(parts(folder)) == 11
    shutil.rmtree(folder)
