"""Are files of a store, directories and patterns read in ranges as local files are, and is each failure an error?"""

import gzip
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

fsspec = pytest.importorskip("fsspec", reason="remote files need fasturl[remote]")

from fsspec.implementations.memory import MemoryFileSystem  # noqa: E402

from fasturl import logs  # noqa: E402
from fasturl._extras import pip_install  # noqa: E402
from fasturl.logs.errors import LogError, TruncatedInput  # noqa: E402
from fasturl.logs.inputs import source_specs as remote  # noqa: E402
from fasturl.logs.inputs.source import BLOCK, Source  # noqa: E402
from fasturl.logs.logtable import log_table  # noqa: E402

LINE = b'h - - [17/May/2015:10:05:03 +0200] "GET /%d HTTP/1.1" 200 12 "http://r/" "x"\n'
LOG = b"".join(LINE % n for n in range(5000))
FILES = {
    "dt=2026-01-01/host=a%3Ab/a.log": LOG,
    "dt=2026-01-02/host=__HIVE_DEFAULT_PARTITION__/b.log.gz": gzip.compress(LOG[: LOG.index(b"/9 ")]),
    "dt=2026-01-02/empty.log": b"", "_SUCCESS": b"no log", "dt=2026-01-01/.a.log.crc": b"\0\1",
}  # fmt: skip
FIELDS = ["path", "status", "dt", "host"]


class Shaky(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory. Some requests fail before they succeed; each one is noted."""

    protocol = "shaky"
    store: dict[str, Any] = {}  # noqa: RUF012 - as MemoryFileSystem has it
    failures: list[Exception | int] = []  # noqa: RUF012
    asked: list[tuple[int, int]] = []  # noqa: RUF012

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        stripped: str = super()._strip_protocol(path.replace("shaky://", "memory://"))
        return stripped

    def cat_file(self, path: str, start: Any = None, end: Any = None, **kwargs: Any) -> bytes:
        self.asked.append((start, end))
        failure = self.failures.pop(0) if self.failures else 0
        if isinstance(failure, Exception):
            raise failure
        data: bytes = super().cat_file(path, start=start, end=end, **kwargs)
        return data[: len(data) - failure]


@pytest.fixture
def shaky() -> Iterator[Any]:
    fsspec.register_implementation("shaky", Shaky, clobber=True)
    store = fsspec.filesystem("shaky")
    for name, data in FILES.items():
        store.pipe(f"/b/{name}", data)
    Shaky.asked.clear()
    yield store
    Shaky.store.clear()
    Shaky.failures.clear()


@pytest.fixture
def local(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        path = tmp_path / "b" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "b"


def rows(source: Any, fields: Any = FIELDS, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = logs.read(source, fields=fields, **options).read_all().to_pylist()
    return found


def test_directories_patterns_and_keys_are_the_same_on_a_store_and_on_a_disk(shaky: Any, local: Path) -> None:
    wanted = rows(local)
    assert len(wanted) == 5009
    assert wanted[0] == {"path": "/0", "status": 200, "dt": "2026-01-01", "host": "h"} | {"host": None}
    assert rows("shaky://b/") == rows(f"local://{local}") == rows(local.as_uri()) == wanted
    assert rows(["shaky://b/dt=2026-01-01", "shaky://b/dt=2026-01-02/"]) == wanted
    for pattern, count in (("dt=*/*/*.log", 5000), ("dt=*/*/*.gz", 9), ("dt=2026-01-0[2]", 9), ("**/b.*", 9)):
        found = rows(f"shaky://b/{pattern}")
        assert found == rows(str(local / pattern)) and len(found) == count


def test_keys_are_columns_behind_those_of_the_log(shaky: Any) -> None:
    with logs.read("shaky://b/") as reader:
        assert reader.schema.names[-2:] == ["referer", "dt"] and reader.schema.field("dt").type == pa.string()
        assert reader.schema.names.count("host") == 1, "a part of the URL keeps its name"
    shaky.pipe("/k/env=a%3Ab/x.log", LINE % 1)
    shaky.pipe("/k/env=__HIVE_DEFAULT_PARTITION__/x.log", LINE % 2)
    shaky.pipe("/k/x.log", LINE % 3)
    assert sorted(
        rows("shaky://k", ["path", "env"]), key=repr,
    ) == [{"path": "/1", "env": "a:b"}, {"path": "/2", "env": None}, {"path": "/3", "env": None}]  # fmt: skip
    with pytest.raises(ValueError, match="unknown field 'evn'"):
        rows("shaky://k", ["evn"])
    table, sources = log_table("shaky://k", "COMBINED", rejects="keep")
    shaky.pipe("/k/env=a%3Ab/x.log", b"torn one" + LINE[8:] % 1)
    found = [row for batch in table.read_files(sources, 1) for row in batch.to_pylist()]
    assert [(row["env"], row["rejected"]) for row in found] == [(None, False), ("a:b", True), (None, False)]
    assert Source("s3://b/x=1=2/=3/y=/z=4").keys == {"x": "1=2", "y": ""}, "a file name has no key"


@pytest.mark.parametrize("size", [1, BLOCK, 100_001, 8 << 20])
def test_a_file_is_read_in_ranges(shaky: Any, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(remote, "RANGE", size)
    log = LOG if size > 1 else LINE % 1
    shaky.pipe("/s/a.log", log)
    source = remote.RemoteSource("shaky://s/a.log")
    assert b"".join(source.raw_blocks()) == log
    ends = [end for _, end in Shaky.asked]
    assert Shaky.asked == [(start, min(start + size, len(log))) for start in range(0, len(log), size)] and ends[-1:]
    shaky.pipe("/s/a.log", b"")
    assert rows("shaky://s/a.log", ["path"]) == []


def test_a_failed_or_short_read_is_an_error(shaky: Any) -> None:
    path = "shaky://b/dt=2026-01-01/host=a%3Ab/a.log"
    name = r"shaky://b/dt=.*a\.log"
    for failure, kind, said in (
        (OSError("http://me:secret@h/ is down"), LogError, rf"cannot read {name}: http://me:\*\*\*@h/ is down"),
        (TimeoutError(), LogError, f"cannot read {name}: TimeoutError"),
        (1, LogError, f"cannot read {name}: the request was for bytes 0 to 6, and the answer has 5"),
    ):
        Shaky.failures[:] = [failure]
        with pytest.raises(kind, match=said):
            rows(path, ["path"])
        assert not Shaky.failures
    # What cannot be opened to look for a table is read as lines.
    Shaky.failures[:] = [PermissionError("denied")] * 2
    with pytest.raises(TruncatedInput, match=f"cannot read {name}: denied"):
        rows(path, ["path"])


def test_what_came_before_a_lasting_failure_is_read(shaky: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "RANGE", BLOCK)
    Shaky.failures[:] = [0, 0, OSError("gone")]
    found = []
    with pytest.raises(TruncatedInput, match="gone"):
        for batch in logs.read("shaky://b/dt=2026-01-01", "COMBINED", ["path"], threads=1):
            found += batch.to_pylist()
    Shaky.failures.clear()
    assert 0 < len(found) < 5000 and found == rows("shaky://b/dt=2026-01-01", ["path"])[: len(found)]


def test_a_file_that_became_shorter_is_an_error(shaky: Any) -> None:
    table, sources = log_table("shaky://b/dt=2026-01-01", fields=["path"])
    shaky.pipe("/b/dt=2026-01-01/host=a%3Ab/a.log", LOG[:1000])
    with pytest.raises(TruncatedInput, match="the request was for bytes"):
        list(table.read_files(sources, 1))


def test_a_table_on_a_store(shaky: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with shaky.open("/t/a.parquet", "wb") as file:
        parquet.write_table(pa.table({"u": ["http://h/a", "ftp://g/"], "n": [1, 2]}), file)
    assert [row["url"] for row in rows("shaky://t/", ["url"])] == ["http://h/a", "ftp://g/"]


def test_errors_name_the_path_and_the_reason(shaky: Any, tmp_path: Path) -> None:
    for source, kind, words in (
        ("shaky://b/none", FileNotFoundError, "No such file or directory: 'shaky://b/none'"),
        ("shaky://b/none*", FileNotFoundError, "no file matches"),
        ("nowhere://b", LogError, "Protocol not known: nowhere"),
        ("file://elsewhere/a.log", FileNotFoundError, "another machine"),
        ("http://127.0.0.1:9/a.log", FileNotFoundError,
         "fasturl fetches nothing from the web, so download the log first: 'http://127.0.0.1:9/a.log'"),
        (tmp_path, FileNotFoundError, "no file matches"),
    ):  # fmt: skip
        with pytest.raises(kind, match=words):
            logs.read(source)


def test_a_password_in_a_path_is_hidden(shaky: Any) -> None:
    assert remote.RemoteSource("sftp://me:secret@h/a.log").name == "sftp://me:***@h/a.log"
    shaky.pipe("/me:secret@b/a.log", LINE % 1)
    assert rows("shaky://me:secret@b/", ["file", "path"]) == [{"file": "shaky://me:***@b/a.log", "path": "/1"}]
    table, sources = log_table("shaky://me:secret@b/a.log", fields=["file"])
    [batch] = table.read_files(sources, 1)
    assert batch.to_pylist() == [{"file": "shaky://me:***@b/a.log"}]
    with pytest.raises(FileNotFoundError, match=r"shaky://me:\*\*\*@b/none"):
        logs.read("shaky://me:secret@b/none")


def test_without_fsspec_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['fsspec'] = None\n"
        "from fasturl import logs\n"
        "try: logs.read('s3://b/a.log')\n"
        "except logs.LogError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"reading s3:// needs fsspec: {pip_install('remote')}\n"


def test_s3(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, local: Path) -> None:
    pytest.importorskip("s3fs")
    boto3 = pytest.importorskip("boto3")
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        address = "http://%s:%s" % server.get_host_and_port()
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "test")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
        client = boto3.client("s3")
        client.create_bucket(Bucket="logs")
        for name, data in FILES.items():
            client.put_object(Bucket="logs", Key=name, Body=data)
        monkeypatch.setattr(remote, "RANGE", 100_000)
        assert rows("s3://logs/") == rows(local)
        assert rows("s3://logs/dt=*/*/*", ["path", "dt"]) == rows(local, ["path", "dt"])
        with pytest.raises(LogError, match="No such file"):
            logs.read("s3://logs/none.log")
    finally:
        server.stop()
