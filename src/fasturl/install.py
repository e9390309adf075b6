"""Run a program under install(), as profilers run one: it is not changed, and neither is the environment.

    python -m fasturl.install script.py ...
    python -m fasturl.install -m module ...

Processes that the program starts are not reached, but those that it forks; see docs/install.md for servers.
"""

import os
import runpy
import sys

from fasturl._installing import install

USAGE = "usage: python -m fasturl.install (script.py | -m module) [argument ...]"


def main(arguments: list[str]) -> None:
    """Install, then run as ``__main__`` what the arguments name; what it raises, and its exit status, are ours."""
    as_module = arguments[:1] == ["-m"]
    program = arguments[as_module:]
    if not program or (program[0].startswith("-") and not as_module):
        print(USAGE, file=sys.stderr)
        raise SystemExit(0 if program and program[0] in ("-h", "--help") else 2)
    install()
    sys.argv[:] = program
    if as_module:
        runpy.run_module(program[0], run_name="__main__", alter_sys=True)
        return
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.abspath(program[0]))
    runpy.run_path(program[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
else:
    # An import of this module binds "install" in the package, where the function of that name has to stay.
    sys.modules[__name__] = install  # type: ignore[assignment]
