"""Is each sample of a server's log detected by itself and read to what the server means?"""

import json
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="reading logs needs pyarrow")

from logsamples import PREFIXES, REFUSED, SAMPLES, SOURCES

from fasturl import logs


def found(lines: list[str], want: dict[str, Any], name: str) -> None:
    octets = "".join(f"{line}\n" for line in lines).encode()
    assert logs.detect([octets]).name == name
    rows = logs.read([octets], fields=[*want]).read_all().to_pylist()
    assert rows == [want] * len(lines)


def test_there_are_a_hundred_samples_and_each_has_a_source() -> None:
    assert len(SAMPLES) + len(REFUSED) >= 100
    assert all(address.startswith("https://") for address in SOURCES.values()) and len(SOURCES) >= 40


@pytest.mark.parametrize("line", REFUSED)
def test_a_line_of_another_log_is_no_request(line: str) -> None:
    octets = f"{line}\n".encode() * 3
    assert logs.detect([octets]).name in ("UNKNOWN", "JSONL")
    with pytest.raises(logs.LogError):
        logs.read([octets])


@pytest.mark.parametrize(("source", "name", "line", "want"), SAMPLES, ids=[sample[0] for sample in SAMPLES])
def test_a_sample_is_detected_and_read(source: str, name: str, line: str, want: dict[str, Any]) -> None:
    found([line] * 3, want, name)


@pytest.mark.parametrize("prefix", PREFIXES, ids=[start for _, start in PREFIXES])
@pytest.mark.parametrize("source", ["httpd", "haproxy http", "envoy", "nginx json", "uvicorn"])
def test_a_sample_behind_a_prefix(prefix: tuple[str, str], source: str) -> None:
    name, line, want = next(sample[1:] for sample in SAMPLES[::-1] if sample[0] == source)
    found([prefix[1] + line] * 3, want, f"{prefix[0]}+{name}")


def test_a_sample_in_the_objects_of_docker() -> None:
    _, name, line, want = SAMPLES[1]
    found([json.dumps({"log": line + "\n", "stream": "stdout"})] * 3, want, f"DOCKER+{name}")


def test_a_reject_behind_a_prefix_keeps_its_prefix() -> None:
    lines = [PREFIXES[0][1] + SAMPLES[1][2], PREFIXES[0][1] + "started"]
    first = logs.detect(["".join(f"{line}\n" for line in lines).encode()]).mismatch
    assert first is not None and first.text == lines[1].encode() and first.column > len(PREFIXES[0][1])
