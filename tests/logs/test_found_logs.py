"""Logs that people published, with the fields that a person sees in each line: found_logs.jsonl. A third of the
samples, chosen by a hash of their names, is left out. Nobody tunes the reader to it, so it can still tell how the
reader does with other logs."""

import hashlib
import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from logsamples import READ_AS

from fasturl import logs
from fasturl.logs.formats.catalog import LOGS
from fasturl.logs.formats.kernel_logs import PREFIXES
from fasturl.logs.formats.proven import DATES, OF_A_CLIENT
from fasturl.logs.formats.w3c import HEADERLESS

FIELDS = ("client", "forwarded", "user", "time", "method", "url", "protocol", "status", "size", "referer", "agent",
          "vhost", "duration")  # fmt: skip
# Samples with a field that a person reads in another way, by the reason.
WRONG = {
    "apache-xff-first-02", "apache-time-first-01", "gunicorn-custom-02",  # the client was forwarded, says the format
    "nginx-pipes-02",  # the label says msec, and nginx writes seconds
}  # fmt: skip
# Formats that read the lines of another one, whose name is detected.
_AS_ANOTHER = {
    "CLOUDFRONT": "W3C", "TRAEFIKCLF": "COMBINED", "NGINX": "NGINXMAIN", "APACHE": "VCOMBINED", "MIXED": "COMBINED",
}  # fmt: skip


ALL = [*map(json.loads, Path(__file__).with_name("found_logs.jsonl").read_text("utf-8").splitlines())]
SAMPLES = [sample for sample in ALL if int(hashlib.sha256(sample["id"].encode()).hexdigest(), 16) % 3 != 0]


def _rows(sample: dict[str, Any]) -> dict[int, dict[str, Any]]:
    text = "\n".join(sample["lines"]) + "\n"
    try:
        table = logs.read([text.encode()], fields=["line", *FIELDS], allow_rejects=True).read_all()
    except logs.LogError:
        return {}
    return {row["line"]: row for row in table.to_pylist()}


def _meaning(name: str, value: Any) -> Any:
    """Return what a value means: an empty text is none, a time is an instant, and a virtual host has no port."""
    if value in (None, ""):
        return None
    if name == "time":
        return (value if isinstance(value, datetime) else datetime.fromisoformat(value)).timestamp()
    if name == "duration":
        return round(float(value), 6)
    if name == "vhost":
        return str(value).rpartition(":")[0] if str(value).rpartition(":")[2].isdigit() else str(value)
    return str(value)


def differences(sample: dict[str, Any]) -> list[str]:
    """Return the fields with another value than a person sees. A null is no difference, because it is no claim."""
    rows = _rows(sample)
    found = []
    for number, expected in enumerate(sample["expect"], 1):
        row = rows.get(number)
        if row is None:
            continue
        if expected is None:
            found.append(f"line {number} is not a request")
            continue
        for name in FIELDS:
            if name in expected.get("ambiguous", ()) or (name == "time" and "time_local" in expected):
                continue
            value = _meaning(name, row[name])
            if value is not None and value != _meaning(name, expected.get(name)):
                found.append(f"line {number}: {name} is {row[name]!r}, not {expected.get(name)!r}")
    return found


def test_the_samples_have_an_address_and_a_row_per_line() -> None:
    assert len(SAMPLES) > 200 and len({sample["id"] for sample in SAMPLES}) == len(SAMPLES)
    assert all(sample["source"].startswith("https://") for sample in SAMPLES)
    assert all(len(sample["lines"]) == len(sample["expect"]) > 0 for sample in SAMPLES)


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["id"] for sample in SAMPLES])
def test_no_field_is_wrong(sample: dict[str, Any]) -> None:
    """A field has the value that a person sees, or none; and a line that is not a request gives no row."""
    assert bool(found := differences(sample)) == (sample["id"] in WRONG), found


def test_each_format_prefix_and_date_has_a_found_log() -> None:
    """Only the names of what is detected are compared, so the third that is left out counts too."""
    lines = [line.encode() for sample in ALL for line in sample["lines"]]
    found = [logs.detect(["\n".join(sample["lines"]).encode()]) for sample in ALL]
    names = {part for each in found for part in each.name.split("+")}
    assert {READ_AS.get(log.name, log.name) for log in LOGS} | {*PREFIXES} <= names
    spelled = " ".join(each.format_string for each in found)
    dates = {"%d/%m/%Y" if date == "/" else date for date in DATES.values()}
    assert all(date in spelled or (date == "%d/%b/%Y" and "%x" in spelled) for date in dates), dates
    for patterns in ([form for form, _ in HEADERLESS], [re.compile(b) for b in OF_A_CLIENT.pattern.split(b"|")]):
        assert all(any(pattern.search(line) for line in lines) for pattern in patterns)


@pytest.mark.parametrize("program", ["httpx-01", "urllib3-02", "scrapy-01", "scrapy-02", "k6-02", "wrk-02"])
def test_clients_and_benchmarks_write_no_requests(program: str) -> None:
    (sample,) = [sample for sample in SAMPLES if sample["id"] == f"no-{program}"]
    assert not any(sample["expect"]) and _rows(sample) == {}


def test_most_samples_are_read() -> None:
    requests = [sample for sample in SAMPLES if any(sample["expect"])]
    assert sum(bool(_rows(sample)) for sample in requests) >= 0.92 * len(requests)
