"""Debuggers, profilers and coverage change no answer, and an exception of their callbacks has no later effect."""

import sys
import urllib.parse
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

import fasturl


def work() -> list[Any]:
    url = fasturl.parse("http://u:p@h:8080/a?b#c")
    found = [*url, url.span("host"), url._replace(path="/x").text, hash(url), repr(url),
             fasturl.problems("http://h:x/ #")]  # fmt: skip
    found += [one.path for one in fasturl.parse_many(["http://h/", b"/b"])]
    found += [tuple(one) for one in fasturl.find_urls("<URL:http://h/>")]
    found += [*fasturl.quote_many(["a b"]), fasturl.parse_qsl("a=%41"), urllib.parse.urlsplit("http://h/").hostname]
    for call in (lambda: fasturl.parse(" [", strict=True), lambda: url.span("no")):
        try:
            call()
        except (fasturl.InvalidURL, KeyError) as error:
            found.append(repr(error))
    return found


def stepping(frame: FrameType, event: str, argument: object) -> Any:
    frame.f_trace_opcodes = True
    return stepping


def refusing(*arguments: object) -> Any:
    raise ZeroDivisionError


@pytest.fixture(autouse=True)
def _as_it_was() -> Any:
    fasturl.install()
    before = sys.gettrace(), sys.getprofile()
    yield
    sys.settrace(before[0])
    sys.setprofile(before[1])
    fasturl.uninstall()


@pytest.mark.parametrize("setter", [sys.settrace, sys.setprofile])
def test_tracing_changes_no_answer(setter: Callable[[Any], None]) -> None:
    expected = work()
    setter(stepping)
    found = work()
    setter(None)
    assert found == expected
    refused = False
    try:  # no context manager: leaving it is an event, too
        setter(refusing)
        work()
    except ZeroDivisionError:
        refused = True
    setter(None)
    assert refused
    assert work() == expected


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is of 3.12")
def test_monitoring_changes_no_answer() -> None:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    events = {name: bit for name, bit in vars(monitoring.events).items() if isinstance(bit, int) and bit}
    local = ("PY_START", "PY_RETURN", "CALL", "LINE", "INSTRUCTION", "JUMP", "BRANCH")
    expected, seen = work(), []
    monitoring.use_tool_id(4, "tests")
    try:
        for name in local:
            monitoring.register_callback(4, events[name], lambda *arguments: seen.append(arguments[0]))
            monitoring.set_local_events(4, work.__code__, events[name])
            assert work() == expected, name
            monitoring.set_local_events(4, work.__code__, 0)
        assert len(seen) > 50
        for name in local[:5]:
            monitoring.register_callback(4, events[name], refusing)
            monitoring.set_local_events(4, work.__code__, events[name])
            with pytest.raises(ZeroDivisionError):
                work()
            monitoring.set_local_events(4, work.__code__, 0)
            assert work() == expected, name
    finally:
        monitoring.set_local_events(4, work.__code__, 0)
        monitoring.free_tool_id(4)
