"""The entry point: it only makes sure that what the command line needs is there."""

import sys


def run() -> None:
    """Run `fasturl` on `sys.argv` and leave with its exit status."""
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
    sys.exit(call(sys.argv[1:]))


if __name__ == "__main__":
    run()
