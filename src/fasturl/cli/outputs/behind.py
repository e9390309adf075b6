"""A sink whose writing is done on a thread of its own: the thread that orders the units need not wait for the disk."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait

from fasturl.cli.outputs.sink import Sink

# How many octets may wait for the write under way: the text of some units, or the many buffers of a record batch.
_AHEAD = 16 << 20


class Behind:
    """A sink in front of another one. What is written is handed on in its order, and must not be changed afterwards.

    A write that fails is told by a later one, or by `commit`; nothing is written behind it. For files: what a pipe's
    reader does not take would be waited for at the end of the run.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.is_terminal = sink.is_terminal
        self.is_file = sink.is_file
        self._thread = ThreadPoolExecutor(1)
        self._waiting: deque[tuple[Future[None], int]] = deque()
        self._octets = 0
        self._failed = False

    def _write(self, octets: bytes | memoryview) -> None:
        if self._failed:
            return
        try:
            self._sink.write(octets)
        except BaseException:
            self._failed = True
            raise

    def write(self, octets: bytes | memoryview) -> None:
        self._waiting.append((self._thread.submit(self._write, octets), len(octets)))
        self._octets += len(octets)
        while self._waiting and (self._waiting[0][0].done() or (self._octets > _AHEAD and len(self._waiting) > 1)):
            done, length = self._waiting.popleft()
            self._octets -= length
            done.result()

    def commit(self) -> None:
        for done, _ in self._waiting:
            done.result()
        self._thread.shutdown()
        self._sink.commit()

    def abandon(self, keep: bool = True) -> None:
        """What was handed over is written before the sink is abandoned: it is whole rows, which are kept."""
        wait([done for done, _ in self._waiting])
        self._thread.shutdown()
        self._sink.abandon(keep)
