"""How an output file ends: as the file that was asked for or as a part of it, and told of once."""

import gzip
import zlib
from pathlib import Path

import pytest

pytest.importorskip("click", reason="the command line needs click")

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.compress import Compressed
from fasturl.cli.outputs.sink import Replacement


def test_a_commit_that_fails_leaves_the_part_to_its_caller(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    sink = Replacement(str(out))
    sink.write(b"rows\n")
    out.mkdir()  # a file cannot take its place
    with pytest.raises(Failure):
        sink.commit()
    sink.abandon()
    sink.abandon()
    assert (tmp_path / "out.part").read_bytes() == b"rows\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.part"]
    said = capfd.readouterr().err
    assert said.count("what was written so far is in") == 1 and "out.part" in said


def test_what_is_committed_is_not_abandoned(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    sink = Replacement(str(out))
    sink.write(b"rows\n")
    sink.commit()
    with (tmp_path / "other").open("wb", buffering=0) as other:  # it has the number that the output had
        other.write(b"of another file\n")
        sink.abandon()
        assert other.write(b"more\n") == 5
    assert out.read_bytes() == b"rows\n" and capfd.readouterr().err == ""
    assert (tmp_path / "other").read_bytes() == b"of another file\nmore\n"


def test_a_compressed_part_is_whole(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.gz"
    sink = Compressed(Replacement(str(out)), zlib.compressobj(wbits=31))
    sink.write(b"rows\n")
    out.mkdir()
    with pytest.raises(Failure):
        sink.commit()
    sink.abandon()
    assert gzip.decompress((tmp_path / "out.gz.part").read_bytes()) == b"rows\n"
    assert capfd.readouterr().err.count("what was written so far is in") == 1
