"""A fork server: it has imported all modules, and forks one process per run of the command. Run as a program, this
module is the server; its arguments are more modules to import. It reads requests from the socket that is its standard
input: the arguments, environment and directory of a run, with its three standard streams. It answers with the process
id and the exit status."""

import atexit
import contextlib
import gc
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import warnings
from pathlib import Path

# Variables that imports or the interpreter read at start: a run that sets one needs a new process.
READ_AT_START = ("PYTHON", "FASTURL_", "LC_", "LANG", "ARROW_", "MALLOC_")
ANSWER = struct.Struct("=qq")


class ForkServer:
    """The client of the server. The first run starts the server, and the end of the tests closes its socket."""

    def __init__(self, environment: dict[str, str], *modules: str) -> None:
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(120)
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, __file__, *modules], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment,
        )  # fmt: skip
        theirs.close()

    def run(self, arguments: list[str], stdin: bytes, cwd: str, env: dict[str, str]) -> tuple[int, bytes, bytes]:
        """Return the exit status (a negative signal number), and the two outputs."""
        (in_read, in_write), (out_read, out_write), (err_read, err_write) = (os.pipe() for _ in range(3))
        caught = [b"", b""]

        def catch(index: int, number: int) -> None:
            with open(number, "rb") as stream:
                caught[index] = stream.read()

        def feed() -> None:
            try:
                with open(in_write, "wb", buffering=0) as stream:
                    rest = memoryview(stdin)
                    while rest:
                        rest = rest[stream.write(rest) :]
            except BrokenPipeError:
                pass

        threads = [threading.Thread(target=catch, args=pair) for pair in ((0, out_read), (1, err_read))]
        threads.append(threading.Thread(target=feed))
        with self.lock:
            theirs = [in_read, out_write, err_write]
            request = json.dumps([arguments, env, cwd]).encode()
            socket.send_fds(self.socket, [struct.pack("=q", len(request))], theirs)
            self.socket.sendall(request)
            for number in theirs:
                os.close(number)
            for thread in threads:
                thread.start()
            pid, status = 0, None
            try:
                pid, _ = ANSWER.unpack(received(self.socket, ANSWER.size))
                _, status = ANSWER.unpack(received(self.socket, ANSWER.size))
            finally:
                if pid and status is None:
                    os.kill(pid, signal.SIGKILL)
        for thread in threads:
            thread.join()
        return status, caught[0], caught[1]

    def close(self) -> None:
        self.socket.close()
        self.process.communicate()


def received(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def import_all() -> None:
    import importlib
    import pkgutil

    from fasturl.cli.imports import arrow_module

    for name in ("", ".compute", ".csv", ".dataset", ".json", ".parquet"):  # without NumPy, as a run imports them
        arrow_module(f"pyarrow{name}")

    import fasturl.arrow
    import fasturl.cli
    import fasturl.logs

    for name in ("duckdb", *sys.argv[1:]):  # for runs that need them
        with contextlib.suppress(ImportError):
            importlib.import_module(name)

    for package in (fasturl.arrow, fasturl.cli, fasturl.logs):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.endswith(("__main__", ".polars", ".spark")):  # no command uses these engines
                importlib.import_module(module.name)


def run_command() -> int:
    from fasturl.cli.__main__ import run

    try:
        run()
    except SystemExit as end:
        return end.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    raise AssertionError("run() returned")


def leave(status: int) -> None:
    """Exit as Python does, without the destruction of modules, which takes ten times as long as the rest."""
    atexit._run_exitfuncs()
    gc.collect()  # warns about files that are still open
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            try:
                stream.flush()
            except OSError:
                status = 120  # as Python does
    if "LLVM_PROFILE_FILE" in os.environ:  # a coverage build writes its counts at exit of the C library
        import ctypes

        ctypes.CDLL(None).exit(status)
    os._exit(status)


def serve() -> None:
    connection = socket.socket(fileno=os.dup(0))
    import_all()
    gc.freeze()  # else the last collection of each run would touch, and so copy, all pages
    while True:
        try:
            header, streams, _, _ = socket.recv_fds(connection, 8, 3)
            if not header:
                return
            request = received(connection, struct.unpack("=q", header)[0])
        except (EOFError, ConnectionError):
            return
        # Python warns about threads. They are those of pyarrow's memory pool and signal reader, which support fork.
        with warnings.catch_warnings(action="ignore"):
            pid = os.fork()
        if pid:
            for number in streams:
                os.close(number)
            connection.sendall(ANSWER.pack(pid, 0))
            _, ended = os.waitpid(pid, 0)
            connection.sendall(ANSWER.pack(pid, os.waitstatus_to_exitcode(ended)))
            continue
        connection.close()
        arguments, env, cwd = json.loads(request)
        for target, number in enumerate(streams):
            os.dup2(number, target)
            os.close(number)
        os.environ.clear()
        os.environ.update(env)
        os.chdir(cwd)
        sys.argv = ["fasturl", *arguments]
        leave(run_command())


def may_run(environment: dict[str, str]) -> bool:
    """Return True if a forked process equals a new one: no variable affects the start of the interpreter."""
    return sys.platform == "linux" and not any(name.startswith(READ_AT_START) for name in environment)


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())  # as for `python -m`
    serve()
