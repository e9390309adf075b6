"""Run a program under install(), as profilers do. The program and the environment stay unchanged.

    python -m fasturl.install script.py ...
    python -m fasturl.install -m module ...

Processes that the program forks run under install() too. New processes that it starts do not. docs/replace-urllib.md
explains servers.
"""

import os
import runpy
import sys

from fasturl._installing import install

USAGE = "usage: python -m fasturl.install (script.py | -m module) [argument ...]"


def main(arguments: list[str]) -> None:
    """Call install(), then run the named program as ``__main__``. Pass on its exceptions and its exit status."""
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
    # Importing this module binds "install" in the package, where the function of that name must stay.
    sys.modules[__name__] = install  # type: ignore[assignment]
