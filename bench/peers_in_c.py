"""Parsers in C without Python: fasturl's kernel next to Ada's newest sources, which the sdist of ada-url has.

    python -m bench.peers_in_c FOLDER --urls FILE [--update bench/README.md]

Downloads the sdist into FOLDER and compiles both with GCC and -O3. Each figure is the median over 21 rounds, with the
loops in turns in one process.
"""

import re
import subprocess
import sys
import tarfile
from pathlib import Path

from bench import table

ROOT = Path(__file__).resolve().parent.parent
WHAT = {
    "split": "fasturl: all parts, as offsets",
    "valid_rfc3986": "fasturl: all parts, and is it valid by RFC 3986?",
    "valid_rfc1738": "fasturl: all parts, and each finding of RFC 1738",
    "ada_can_parse": "Ada {}: `can_parse`",
    "ada_parse": "Ada {}: `parse`, which also normalizes the URL",
}


def build(folder: Path) -> tuple[Path, str]:
    """Return the program with the loops, and Ada's version."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("ada_url-*.tar.gz")):
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "ada-url"]
        subprocess.run([*command, "-d", str(folder)], check=True)
    sdist = sorted(folder.glob("ada_url-*.tar.gz"))[-1]
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    source = folder / sdist.name.removesuffix(".tar.gz") / "ada_url"
    found = re.search(r'ADA_VERSION "([^"]+)"', (source / "ada.h").read_text())
    program, kernel = folder / "peers_in_c", ROOT / "src/kernel"
    objects = []
    for file in [*sorted(kernel.glob("*.c")), ROOT / "bench/peers_in_c.c", source / "ada.cpp"]:
        objects.append(folder / f"{file.stem}.o")
        language = ["g++", "-std=c++20"] if file.suffix == ".cpp" else ["gcc", "-std=gnu11"]
        subprocess.run(
            [*language, "-O3", f"-I{kernel}", f"-I{source}", "-c", str(file), "-o", str(objects[-1])], check=True
        )
    subprocess.run(["g++", *map(str, objects), "-o", str(program)], check=True)
    return program, found[1] if found else ""


def main() -> None:
    parser = table.arguments_of("bench.peers_in_c", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--urls", type=Path, required=True, help="a file with one URL per line")
    options = parser.parse_args()
    program, version = build(options.folder.resolve())
    shown = subprocess.run([str(program), str(options.urls)], capture_output=True, text=True, check=True).stdout
    rows = []
    for name, ns, accepted in (line.split() for line in shown.splitlines()):
        rows.append([WHAT[name].format(version), ns, "–" if name == "split" else table.share(float(accepted))])
    table.show(table.grid(["in C", "ns per URL", "accepted"], rows), "in-c", options.update)


if __name__ == "__main__":
    main()
