"""Run the command `fasturl` as `python -m fasturl`."""

from fasturl.cli.__main__ import run

if __name__ == "__main__":
    run()
