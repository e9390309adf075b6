"""Run a program, and write which calls under ``install()`` were delegated to urllib's own functions, and why.

    python -m fasturl.install tools/handed_on.py COUNTS.json (-m module | script.py) ...

Needs FASTURL_COUNT in the environment, or a build made with FASTURL_BUILD=debug. COUNTS.json has "calls", the number of
calls of compiled functions, and "handed_on", the delegated calls by function and reason. Without fasturl in the process
the program runs as usual.
"""

import atexit
import json
import os
import runpy
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

kinds: Counter[str] = Counter()


def reason(name: str, values: list[object]) -> str:
    """Return which of these arguments the compiled function does not support."""
    if name in ("hostname", "password", "port", "username"):
        return "a result whose netloc is not ASCII, or of a subclass"
    for value in values:
        parts = list(value) if type(value) in (list, tuple) and name.startswith("urlun") else [value]  # type: ignore[call-overload]
        for part in parts:
            if isinstance(part, (str, bytes)) and type(part) not in (str, bytes):
                return "a subclass of str or bytes"
            if type(part) is bytes and not part.isascii():
                return "bytes beyond ASCII"
    if name == "urlencode":
        return f"a query of the type {type(values[0]).__name__}, or its items"
    types = ", ".join(type(value).__name__ for value in values)
    return f"other arguments, of {types}"


def watched(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap urllib's own function so that it records why it was called."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            answer = own(*args, **kwargs)
        except Exception as error:
            kinds[f"{name}: {type(error).__name__}"] += 1
            raise
        kinds[f"{name}: {reason(name, [*args, *kwargs.values()])}"] += 1
        return answer

    return call


def watch(file: Path) -> None:
    """Count from now on, and write the figures when the process ends. Forked processes write none."""
    originals, installing = sys.modules["fasturl._originals"], sys.modules["fasturl._installing"]
    dropin = sys.modules["fasturl._urllib"]
    for name, counted in originals._ORIGINALS.items():
        copy = counted.__wrapped__
        if isinstance(copy, FunctionType):
            own = FunctionType(copy.__code__, copy.__globals__, name, copy.__defaults__)
            own.__kwdefaults__ = copy.__kwdefaults__
            copy.__code__ = dropin.new_trampoline(copy, watched(name, own))
    before = sum(installing.called().values())
    process = os.getpid()

    def write() -> None:
        if os.getpid() == process:
            calls = sum(installing.called().values()) - before
            file.write_text(json.dumps({"calls": calls, "handed_on": dict(kinds)}), encoding="utf-8")

    atexit.register(write)


def main() -> None:
    file, *program = sys.argv[1:]
    if "fasturl._installing" in sys.modules:
        watch(Path(file).resolve())
    as_module = program[0] == "-m"
    sys.argv[:] = program[as_module:]
    if as_module:
        sys.path[0] = os.getcwd()
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
