"""Lines read by a template stay inside their buffers, wherever they are cut."""

import random
import sys
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="formats of logs are read to columns")

from customjson import ALL
from customlogs import Custom
from guardpages import Guarded
from logmodel import LINES, Columns
from logsamples import PROVEN
from tries import TRIES

from fasturl import _accesslog
from fasturl.logs.formats.dialects import line_template
from fasturl.logs.formats.inferred import infer
from fasturl.logs.formats.kernel_logs import TemplateLog

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")

TEMPLATED = [custom for custom in ALL if isinstance(custom.make().make(), TemplateLog)]
PIECES = [b" ", b'"', b"\\", b"-", b"[", b"]", b"\\x41", b"\xe9", b"0", b"\t", b"{", b",", b" : ", b"x" * 30]


def template_of(custom: Custom) -> _accesslog.LineTemplate:
    reader = custom.make().make()
    assert isinstance(reader, TemplateLog) and reader.template is not None
    return reader.template


def cut(rng: random.Random, line: bytes) -> bytes:
    for _ in range(rng.choice([0, 1, 2])):
        at = rng.randrange(len(line))
        line = line[:at] + rng.choice(PIECES) + line[at + rng.randrange(3) :]
    return line[: rng.randrange(len(line) + 1)] if rng.randrange(2) else line


@pytest.mark.parametrize("custom", TEMPLATED, ids=lambda custom: custom.name)
def test_nothing_behind_a_line_is_read(custom: Custom) -> None:
    template, guarded = template_of(custom), Guarded()
    rng = random.Random(custom.name)
    cuts = [line[:end] for line in custom.lines for end in range(len(line) + 1)]
    for line in [*cuts, *(cut(rng, rng.choice(custom.lines)) for _ in range(TRIES // 4))]:
        # Cut the line to a length that bytes_at_end accepts.
        line = line[len(line) % 8 :]
        if line:
            whole = guarded.bytes_at_end(line)
            assert template.is_record(whole) == (custom.row(line) is not None)
            del whole


def test_nothing_behind_an_inferred_line_is_read() -> None:
    guarded, rng = Guarded(), random.Random(7)
    for _, lines, _ in PROVEN:
        proven = infer([line.encode() for line in lines])
        template = line_template(proven[0])[0] if proven else None
        for line in [line.encode() for line in lines] * (template is not None):
            for text in [line[:end] for end in range(len(line) + 1)] + [cut(rng, line) for _ in range(20)]:
                text = text[len(text) % 8 :]
                if text and template is not None:
                    whole = guarded.bytes_at_end(text)
                    assert template.fields(whole) == template.fields(text + b"")
                    assert template.is_record(whole) == (template.stop(whole) is None)
                    del whole


@pytest.mark.parametrize("custom", TEMPLATED, ids=lambda custom: custom.name)
def test_rows_stay_in_buffers_of_the_documented_size(custom: Custom, at_end: bool) -> None:
    template, columns = template_of(custom), Columns()
    rng = random.Random(custom.name)
    for _ in range(TRIES // 40):
        lines = [cut(rng, rng.choice(custom.lines)) for _ in range(rng.randrange(1, LINES))]
        blocks = [b"".join(line + b"\n" for line in lines)]
        said = [row for line in lines if line and (row := custom.row(line.removesuffix(b"\r"))) is not None]
        records, targets = len(said), sum(row["url"] is not None for row in said)
        for by_request in (False, True):
            given = columns.arguments(blocks, at_end)
            size = len(blocks[0]) + _accesslog.TEMPLATE_ARENA_A_LINE * len(lines)
            given |= {"arena": columns.arena.buffer(size, at_end), "arena_size": size}
            rows, *_, rejects = _accesslog.read_lines(
                blocks, first=1, vhost=False, combined=0, by_request=by_request, template=template, **given
            )
            columns.check()
            assert rows == records if by_request else rows >= targets
            assert len(rejects) == sum(bool(line) for line in lines) - records
            with pytest.raises(ValueError, match="arena"):
                given["arena_size"] -= 1
                _accesslog.read_lines(
                    blocks, first=1, vhost=False, combined=0, by_request=by_request, template=template, **given
                )


def test_a_template_has_a_maximum_size() -> None:
    step = ("word", "client", 32, b" " * 100, b"")
    for steps in ([step] * 41, [("word", "", 32, b" ", b"")] * 129):
        with pytest.raises(ValueError, match="too long"):
            _accesslog.LineTemplate(steps, has_more=False)
    with pytest.raises(ValueError):
        _accesslog.LineTemplate([("nothing", "color", 0, b"", b"")], has_more=False)
    empty = _accesslog.LineTemplate([], has_more=True)
    assert empty.is_record(b"") and not empty.is_record(b" x")


@pytest.mark.parametrize("step", [[], (), "word", b"w", None, 5, ("word", "client", 32), ["word"]])
def test_a_malformed_step_is_refused(step: Any) -> None:
    """A corrupted pickle may contain such a step."""
    with pytest.raises((TypeError, ValueError)):
        _accesslog.LineTemplate([step], has_more=False)


def test_a_step_that_changes_between_reads_stays_in_its_buffer() -> None:
    class Growing(list):
        def __iter__(self):
            return iter(("word", "client", 32, b"x" * 4000, b"y" * 4000))

    with pytest.raises(ValueError, match="too long"):
        _accesslog.LineTemplate([Growing(("word", "client", 32, b" ", b""))] * 100, has_more=False)
