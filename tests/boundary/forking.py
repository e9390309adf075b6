"""Fork in a loop while threads call a function: ``forking.py NAME COUNT`` prints how many children failed. Each child
calls the function and checks its answer. An alarm ends a child that waits for a thread of its parent; that child counts
as failed. Tests run this script in its own process, because Python 3.12 and newer warn about such forks. A case imports
all modules first: in CPython itself a child may hang if a thread was importing during the fork."""

import os
import signal
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import fasturl
from fasturl import _columns, _installing, schemes

_SECONDS = 20
_THREADS = 2


class Case:
    """The work of the parent's threads, and the check in a child."""

    def work(self) -> None:
        raise NotImplementedError

    def child(self) -> bool:
        raise NotImplementedError


class Install(Case):
    def work(self) -> None:
        fasturl.install()
        fasturl.uninstall()

    def child(self) -> bool:
        before = _installing.reached()
        fasturl.install()
        after = _installing.reached()
        answer = urllib.parse.urlsplit("http://h/a").netloc, urllib.parse.quote("a b")
        fasturl.uninstall()
        names = set(_installing.COMPILED)
        return before in (set(), names) and after == names and answer == ("h", "a%20b")


class Halfway(Install):
    """Let other threads run between the changes of install(): a child has all of its functions or none."""

    def __init__(self) -> None:
        sys.addaudithook(lambda event, args: time.sleep(1e-4) if event == "object.__setattr__" else None)


class Register(Case):
    """Check that the scan's table and the classes have the same schemes in a child, then register another one."""

    def __init__(self) -> None:
        self.names = iter([f"x-{number}" for number in range(900)])

    def work(self) -> None:
        name = next(self.names, "http")
        try:
            schemes.register(name, shape="http", default_port=81)
        except ValueError:
            pass

    def child(self) -> bool:
        same = set(fasturl._fastparse.schemes()) == set(schemes.registered())
        schemes.register("x-child", shape="http", default_port=81)
        return same and schemes.decompose("x-child://h/a").port == 81


class Domains(Case):
    def __init__(self) -> None:
        from fasturl import domains

        self.domains, self.read = domains, domains.read
        self.domains.read = self.read_few  # the whole list takes too long

    def read_few(self, path: Any) -> Any:
        time.sleep(0.001)
        return self.domains.Suffixes(iter([(b"com", False, False, False)]))

    def work(self) -> None:
        self.domains._installed = None
        self.domains.installed()

    def child(self) -> bool:
        self.domains.read, self.domains._installed = self.read, None
        return fasturl.registrable_domain("http://a.b.co.uk/") == "b.co.uk"


class ArrowModule(Case):
    """Import the module again and again, since a finished import takes no time."""

    NAME = "pyarrow.interchange"

    def __init__(self) -> None:
        from fasturl.cli.imports import arrow_module

        self.module = arrow_module
        arrow_module("pyarrow")

    def work(self) -> None:
        sys.modules.pop(self.NAME, None)
        try:
            self.module(self.NAME)
        except (KeyError, ImportError):
            pass  # the other thread took the module away

    def child(self) -> bool:
        there = sys.modules.get("numpy", sys) is not None  # None hides a module while pyarrow looks for it
        return there and self.module(self.NAME).__name__ == self.NAME


class Columns(Case):
    def __init__(self) -> None:
        import pyarrow as pa

        self.parse = fasturl.arrow.parse
        self.column = pa.array(["http://h/a"] * (1 << 16))

    def work(self) -> None:
        self.parse(self.column, ["host"], threads=2)

    def child(self) -> bool:
        return self.parse(self.column, ["host"], threads=2)["host"].unique().to_pylist() == ["h"]


class Batches(Columns):
    def work(self) -> None:
        self.child()

    def child(self) -> bool:
        found = fasturl.arrow.parse_batches([self.column] * 2, ["host"], threads=2, batch_rows=1 << 14)
        return sum(batch.num_rows for batch in found) == 1 << 17


class Logs(Case):
    def __init__(self) -> None:
        from fasturl import logs

        line = b'h - - [17/May/2015:10:05:03 +0200] "GET /a?b HTTP/1.1" 200 12 "http://r/" "x"\n'
        self.data, self.logs = line * 40_000, logs
        self.child()

    def work(self) -> None:
        self.child()

    def child(self) -> bool:
        return self.logs.read([self.data], "COMBINED", ["path"], threads=2).read_all().num_rows == 40_000


class Rows(Case):
    """Threads take and release pooled buffers all the time, without the GIL."""

    def __init__(self) -> None:
        import ctypes
        import struct

        self.held = ctypes.create_string_buffer(struct.pack("<i12s", 12, b"twelve here.") * 64)
        where = ctypes.addressof(self.held)
        self.columns = _columns.Columns([(b'{"t":', "texts", 0, 0, where, (), ())])
        self.wanted = bytes(memoryview(self.columns.lines(end=64)))

    def work(self) -> None:
        self.columns.lines(end=64)

    def child(self) -> bool:
        return bytes(memoryview(self.columns.lines(end=64))) == self.wanted


class Extract(Case):
    """An iterator in use by a thread of the parent at the fork raises in the child."""

    def __init__(self) -> None:
        self.found: Iterator[Any] = iter(())

    def work(self) -> None:
        self.found = fasturl.find_urls(b"-" * (1 << 22))
        next(self.found, None)

    def child(self) -> bool:
        try:
            next(self.found, None)
        except RuntimeError as error:
            return "process" in str(error)
        return True


class Inherited(Case):
    """An iterator of the parent whose threads are working at the fork raises in the child, and does not wait."""

    def __init__(self) -> None:
        import pyarrow as pa

        import fasturl.arrow
        from fasturl import logs

        column = pa.array(["http://h/a"] * 10_000)
        block = b"http://h/a\n" * 200_000
        batches = fasturl.arrow.parse_batches([column] * 100, ["host"], threads=2, batch_rows=1 << 10)
        readers = [logs.read([block], "URLS", ["path"], threads=threads) for threads in (1, 2)]
        self.iterators = [batches, *map(iter, readers)]
        for iterator in self.iterators:
            next(iterator)

    def work(self) -> None:
        time.sleep(0.01)

    def child(self) -> bool:
        told = 0
        for iterator in self.iterators:
            try:
                next(iterator)
            except RuntimeError as error:
                told += "make another one after a fork" in str(error)
        self.iterators.clear()  # must not wait for the threads either
        del iterator
        return told == 3


CASES: dict[str, Callable[[], Case]] = {
    "install": Install, "halfway through install": Halfway, "register": Register, "domains": Domains,
    "arrow module": ArrowModule, "columns": Columns, "batches": Batches, "logs": Logs, "rows of text": Rows,
    "extract": Extract, "inherited": Inherited,
}  # fmt: skip


def main(name: str, count: int) -> int:
    """Return the number of children that failed or hung."""
    sys.setswitchinterval(1e-5)
    case = CASES[name]()
    stopping = False

    def work() -> None:
        while not stopping:
            case.work()

    threads = [threading.Thread(target=work) for _ in range(_THREADS)]
    for thread in threads:
        thread.start()
    failed = 0
    for _ in range(count):
        child = os.fork()
        if not child:
            signal.alarm(_SECONDS)
            try:
                os._exit(not case.child())
            finally:
                os._exit(3)
        failed += os.waitpid(child, 0)[1] != 0
        if failed > 2:
            break
    stopping = True
    for thread in threads:
        thread.join()
    return failed


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2])))
