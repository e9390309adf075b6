"""The entry point: it only makes sure that what the command line needs is there."""

import gc
import sys

# How many objects more than before make the collector look at them all. The modules that a run loads have many more
# than Python's own number, 700, and stay; of its input a run makes few objects, of which none leads back to itself.
_OBJECTS = 50_000


def run() -> None:
    """Run `fasturl` on `sys.argv` and leave with its exit status."""
    gc.set_threshold(_OBJECTS)
    try:
        import click  # noqa: F401
    except ModuleNotFoundError:
        if sys.stderr is not None:
            print("fasturl: the command line needs click: pip install 'fasturl[cli]'", file=sys.stderr)
        sys.exit(2)
    try:
        from fasturl.cli.app import call
    except KeyboardInterrupt:
        sys.exit(130)
    status = call(sys.argv[1:])
    if "duckdb" not in sys.modules:  # which complains of objects that are not looked through
        gc.freeze()  # what is left at the end goes with the process, and need not be looked through
    sys.exit(status)


if __name__ == "__main__":
    run()
