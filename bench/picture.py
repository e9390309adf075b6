"""Draw the README's picture: the head of a report of the sample log in Debian's chromium, light and dark.

python -m bench.picture          # writes docs/images/report-light.png and report-dark.png; needs the extra `report`
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
# In pixels: the totals and the first chart.
WIDTH, HEIGHT = 1000, 592
# The numbers that blink has for its preferred colour schemes.
THEMES = {"dark": 0, "light": 1}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.picture", description=__doc__.partition("\n")[0])
    parser.add_argument("-n", "--lines", type=int, default=100_000, help="of the sample log; default: %(default)s")
    lines = parser.parse_args().lines
    browser = shutil.which("chromium") or sys.exit("chromium is not installed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        log, page = Path(folder, "access.log"), Path(folder, "report.html")
        made = [sys.executable, "-m", "bench.corpora", "log", "-n", str(lines), "-o", str(log)]
        subprocess.run(made, check=True)
        subprocess.run([sys.executable, "-m", "fasturl", "report", "-q", str(log), "-o", str(page)], check=True)
        for theme, number in THEMES.items():
            command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            command += [f"--blink-settings=preferredColorScheme={number}", f"--user-data-dir={folder}/{theme}"]
            command += [f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={IMAGES / f'report-{theme}.png'}"]
            subprocess.run([*command, page.as_uri()], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    main()
