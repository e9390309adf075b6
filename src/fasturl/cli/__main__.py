"""The entry point. It checks that click is installed."""

import gc
import sys

# GC threshold. Raised because imports allocate many objects and free few; a run itself creates few, and no cycles.
_THRESHOLD = 50_000


def run() -> None:
    """Run `fasturl` on `sys.argv` and exit with its status."""
    gc.set_threshold(_THRESHOLD)
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
    if "duckdb" not in sys.modules:  # DuckDB complains about objects that are not collected
        gc.freeze()  # exempt the objects from the last collection: they end with the process
    sys.exit(status)


if __name__ == "__main__":
    run()
