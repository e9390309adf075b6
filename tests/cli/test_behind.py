"""Writing on a thread of its own: is the order kept, and is a failure told?"""

import threading

import pytest

pytest.importorskip("click", reason="the command line needs click")

from fasturl.cli.failure import Failure
from fasturl.cli.outputs.behind import Behind


class Slow:
    """A sink that fails at its second write, once it is let go."""

    is_terminal, is_file = False, True

    def __init__(self) -> None:
        self.go, self.ended = threading.Event(), ""
        self.written: list[bytes] = []

    def write(self, octets: bytes | memoryview) -> None:
        assert self.go.wait(60)
        if self.written:
            raise Failure("the disk is full")
        self.written.append(bytes(octets))

    def commit(self) -> None:
        self.ended = "committed"

    def abandon(self, keep: bool = True) -> None:
        self.ended = f"abandoned, keep={keep}"


def test_nothing_is_written_behind_a_write_that_failed() -> None:
    slow = Slow()
    sink = Behind(slow)
    for octets in (b"first\n", b"second\n"):
        sink.write(octets)  # nobody waits for it
    assert not slow.written
    slow.go.set()
    with pytest.raises(Failure, match="full"):
        sink.write(bytes(1 << 25))  # more than may wait
    assert not slow.ended
    sink.abandon()
    assert slow.written == [b"first\n"] and slow.ended == "abandoned, keep=True"


def test_a_failure_of_the_last_write_is_told_at_the_end() -> None:
    slow = Slow()
    slow.go.set()
    sink = Behind(slow)
    sink.write(b"first\n")
    with pytest.raises(Failure, match="full"):
        sink.write(b"second\n")
        sink.commit()
    assert not slow.ended
    sink.abandon(keep=False)
    assert slow.ended == "abandoned, keep=False"


def test_what_was_handed_over_is_written_before_the_end() -> None:
    slow = Slow()
    sink = Behind(slow)
    sink.write(b"only\n")
    threading.Timer(0.05, slow.go.set).start()
    sink.commit()
    assert slow.written == [b"only\n"] and slow.ended == "committed"
