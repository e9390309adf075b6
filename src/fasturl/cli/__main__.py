"""The entry point. It checks that click is installed."""

import gc
import signal
import sys

# GC threshold. Raised because imports allocate many objects and free few; a run itself creates few, and no cycles.
_THRESHOLD = 50_000


def run() -> None:
    """Run `fasturl` on `sys.argv` and exit with its status."""
    gc.set_threshold(_THRESHOLD)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Ctrl-C ends the imports without a traceback. `signals.handling` then handles it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.argv[1:] in (["-V"], ["--version"]):
        from fasturl.cli import write_versions  # without click, whose import takes longer than all of this

        if write_versions():
            sys.exit(0)
    from fasturl.cli.imports import delayed

    try:
        with delayed("linecache", "tokenize"):  # inspect imports them, for the lines of a source file
            import click  # noqa: F401
    except ModuleNotFoundError:
        if sys.stderr is not None:
            from fasturl._extras import pip_install

            print(f"fasturl: the command line needs click: {pip_install('cli')}", file=sys.stderr)
        sys.exit(2)
    from fasturl.cli.app import call

    status = call(sys.argv[1:])
    if "duckdb" not in sys.modules:  # DuckDB complains about objects that are not collected
        gc.freeze()  # exempt the objects from the last collection: they end with the process
    sys.exit(status)


if __name__ == "__main__":
    run()
