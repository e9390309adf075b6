"""Lines that are objects are read as Python's json reads them, stay inside their buffers, and cost linear work."""

import json
import random
import sys
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="formats of logs are read to columns")

import logsamples
from guardpages import Guarded
from logmodel import Columns
from tries import TRIES

from fasturl import _accesslog, logs
from fasturl.logs.formats.catalog import make_format
from fasturl.logs.formats.objects import OF_OBJECTS, ObjectLog

guarded_pages = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

OBJECTS = [(name, line.encode()) for _, name, line, _ in logsamples.SAMPLES if name in (*OF_OBJECTS, "LOGFMT")]
# Before a line, so that its length is a multiple of eight.
PADDING = {"LOGFMT": (b"x", b"=1 ")}
PIECES = [b'"', b"\\", b"\\u00e9", b"\\x", b"{", b"}", b"[", b"]", b",", b":", b" ", b"0", b"-", b"1e9", b"null",
          b"\x1f", b"\xe9", b'"a":', b"\t", b"=", b'\\"', b"tru", b".5", b"\\ud800", b"\\udce9"]  # fmt: skip


def template_of(name: str) -> _accesslog.ObjectTemplate:
    reader = make_format(name)
    assert isinstance(reader, ObjectLog) and reader.objects is not None
    return reader.objects


def changed(rng: random.Random, line: bytes) -> bytes:
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        at = rng.randrange(len(line))
        line = line[:at] + rng.choice(PIECES) + line[at + rng.randrange(4) :]
    return line[: rng.randrange(len(line) + 1)] if rng.randrange(3) == 0 else line


def padded(name: str, line: bytes) -> bytes:
    start, end = PADDING.get(name, (b"", b" "))
    return start * ((-len(line) - len(end)) % 8 or 8) + end + line if start else b" " * (-len(line) % 8) + line


@guarded_pages
@pytest.mark.parametrize(("name", "line"), OBJECTS, ids=[name for name, _ in OBJECTS])
def test_nothing_behind_an_object_is_read(name: str, line: bytes) -> None:
    template, guarded, rng = template_of(name), Guarded(), random.Random(line)
    cuts = [line[:end] for end in range(1, len(line) + 1)]
    for each in [*cuts, *(changed(rng, line) for _ in range(TRIES // 8))]:
        whole = padded(name, each)
        if whole:
            data = guarded.bytes_at_end(whole)
            assert template.is_record(data) == template.is_record(b"" + whole)
            del data


@guarded_pages
@pytest.mark.parametrize(("name", "line"), OBJECTS, ids=[name for name, _ in OBJECTS])
def test_rows_of_objects_stay_in_buffers_of_the_documented_size(name: str, line: bytes, at_end: bool) -> None:
    template, columns, rng = template_of(name), Columns(), random.Random(line)
    for _ in range(TRIES // 60):
        lines = [changed(rng, line).replace(b"\n", b"") for _ in range(rng.randrange(1, 8))]
        blocks = [b"".join(each + b"\n" for each in lines)]
        records = sum(template.is_record(each.removesuffix(b"\r")) for each in lines if each.removesuffix(b"\r"))
        for by_request in (False, True):
            given = columns.arguments(blocks, at_end)
            size = len(blocks[0]) + _accesslog.TEMPLATE_ARENA_A_LINE * len(lines)
            given |= {"arena": columns.arena.buffer(size, at_end), "arena_size": size}
            rows, *_ = _accesslog.read_lines(
                blocks, first=1, vhost=False, combined=0, by_request=by_request, objects=template, **given
            )
            columns.check()
            assert rows == records if by_request else rows <= 2 * records


def of_python(line: bytes) -> tuple[bool, Any]:
    """Return whether the line is an object with a text under `a` or `b.c`, and the text. The last of a key counts."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        entry = json.loads(line.decode("utf-8", "surrogateescape"), parse_constant=refuse)
    except (ValueError, RecursionError):
        return False, None
    if not isinstance(entry, dict):
        return False, None
    inner = entry.get("b")
    for value in (entry.get("a"), entry.get("b.c"), inner.get("c") if isinstance(inner, dict) else None):
        value = value[0] if isinstance(value, list) and value else value
        if type(value) in (str, int, float):
            return isinstance(value, str), value
    return False, None


SEEDS = [
    rb'{"a":"/x\"y","n":-1.5e+3,"l":[1,{"a":"no"},[2]],"o":{"p":null,"q":{}},"e":[],"t":true}',
    rb' { "b" : { "c" : "/\u00e9\ud83d\ude00\/" , "d" : [ "x" ] } , "z" : 0 } ',
    rb'{"a":["/first","second"],"b":{"c":"/other"}}',
    rb'{"a":[["no"]],"b.c":"/dotted","a":"/last"}',
]


def test_the_grammar_is_that_of_pythons_json() -> None:
    template = _accesslog.ObjectTemplate([("target", b"a", 0), ("target", b"b.c", 0)], [], "json", 0, True)
    mapped = logs.json_format({"target": "a"})
    rng, records = random.Random(1), 0
    for _ in range(TRIES):
        line = changed(rng, rng.choice(SEEDS))
        twice = any(line.count(key) > 1 for key in (b'"a"', b'"b"', b'"c"', b'"b.c"'))
        is_record, value = of_python(line)
        if not twice:  # an object and a text under one key differ: json drops the first whole
            assert template.is_record(line) == is_record, line
        records += is_record
        if is_record and value and not twice and b'"b' not in line and b"\\ud8" not in line:
            row = logs.parse_lines([line], mapped, ["url"]).to_pylist()[0]
            shown = value.encode("utf-8", "surrogateescape")
            want = (
                shown.decode("utf-8") if shown.isascii() or shown == shown.decode("utf-8", "ignore").encode() else None
            )
            assert want is None or row["url"] == want, line
    assert records > TRIES // 10


def test_a_template_of_objects_has_a_maximum_size() -> None:
    keys = [("target", b"key%d" % number, 0) for number in range(641)]
    for candidates in (keys, [("target", b"k" * 9000, 0)]):
        with pytest.raises(ValueError, match="too many keys"):
            _accesslog.ObjectTemplate(candidates, [], "json", 0, False)
    with pytest.raises(ValueError, match="too many keys"):
        _accesslog.ObjectTemplate([], [b"a"] * 9, "json", 0, False)
    with pytest.raises((KeyError, ValueError)):
        _accesslog.ObjectTemplate([("color", b"a", 0)], [], "json", 0, False)
    full = _accesslog.ObjectTemplate(keys[:640], [], "json", 0, False)
    assert full.is_record(b'{"key639":"/a"}') and not full.is_record(b'{"key640":"/a"}')


@pytest.mark.parametrize("depth", [255, 256, 257, 100_000])
def test_objects_are_nested_so_deep_and_no_deeper(depth: int) -> None:
    template = _accesslog.ObjectTemplate([("target", b"a", 0)], [], "json", 0, False)
    for opening, closing in ((b"[", b"]"), (b'{"x":', b"}")):
        line = b'{"a":"/","x":' + opening * depth + b"1" + closing * depth + b"}"
        assert template.is_record(line) == (depth <= 256)
