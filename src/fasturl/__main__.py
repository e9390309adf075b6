"""`python -m fasturl`: the same command as `fasturl`."""

from fasturl.cli.__main__ import run

if __name__ == "__main__":
    run()
