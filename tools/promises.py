"""Is each claim of docs/trust.md held by a check that can fail? Break it on purpose, and see which check says so.

    python3 tools/promises.py                    every fault
    python3 tools/promises.py markup passwords   only these
    python3 tools/promises.py --list             the faults

A fault is one edit of a copy of the checkout, which is built once (out/mutation/promises). The check runs before with
the copy as it is: there it must pass, and with the fault fail. All together write out/promises.json. Exit status 1: a
check fails without a fault, or passes with one. Needs what the tests need, and valgrind for the one about time.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from mutate import build, tree

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Break:
    """In `file`, `old`, which stands there once, becomes `new`; `check` fails: words for pytest, a script or a module.

    claim : the claim of docs/trust.md, its first words
    """

    name: str
    claim: str
    file: str
    old: str
    new: str
    check: str
    kernel: str = "scalar"


BREAKS = (
    Break("drop-in", "The drop-in answers", "src/dropin/netlocs.pxi",
          "return host[:at].lower() + host[at:]", "return host.lower()", "tests/dropin"),
    Break("grammar", "A URL is valid when", "src/kernel/validate/validate.h", "n == 0) fu_add", "n == 1) fu_add",
          "tests/reference"),
    Break("places", "Findings stand where", "src/kernel/validate/validate.h", "FU_TERM_SCHEME, bad, bad + 1",
          "FU_TERM_SCHEME, bad, bad + 2", "tests/parse"),
    Break("kernels", "One kernel answers as another", "src/kernel/vector_sse2.h", "_mm_min_epu8(above, span), above)",
          "_mm_min_epu8(above, span), span)", "tests/quoting", "sse2"),
    Break("dependents", "Programs that use", "src/queries/pairs.pxi",
          "query.keep_blank = keep\n    query.strict = strict", "query.keep_blank = 0\n    query.strict = strict",
          "tools/dependents.py oauthlib"),
    Break("rows", "Columns, engines, logs", "src/fasturl/arrow/parsing.py", "values.cast(code)[row] = value or 0",
          "values.cast(code)[row] = 0", "tests/columns/test_columns_parse.py"),
    Break("octets", "No octet is lost", "src/fasturl/logs/inputs/lines.py", "RETURN.sub(b\"\\n\", octets)",
          "RETURN.sub(b\"\", octets)", "tests/logs tests/cli/test_lossless.py"),
    Break("loads", "No load outside the text", "src/kernel/percent/escape_value.h", "n < 3 ||", "n < 2 ||",
          "tests/memory tests/quoting"),
    Break("time", "Time grows with the input", "src/kernel/percent/unquote.h", "bits |= (uint8_t)octet;",
          "for (uint8_t *q = start; q <= out - 1; q++) bits |= *q;",
          "bench.linear unquote_to_bytes --least 8 --most 12 --jobs 1"),
    Break("passwords", "No password is shown", "src/fastparse/url.pxi", "return redact(self.text, keys)",
          "return self.text", "tests/parse"),
    Break("markup", "No log brings markup", "src/fasturl/cli/report/markup.py", "return escape(seen",
          "return '{}'.format(seen", "tests/cli/test_report.py"),
    Break("pages", "The pages are true", "README.md", "(False, 7, (25, 29))", "(False, 8, (25, 29))",
          "tests/packaging/test_doctests.py -k README"),
    Break("bill", "A release says what it is made of", "tools/sbom.py", "endswith(COMPILED)", "endswith(COMPILED[1:])",
          "tests/packaging/test_sbom.py"),
)  # fmt: skip


def run(check: str, kernel: str, folder: Path) -> tuple[int, str]:
    """The status of a check, and what it says: of pytest the first test that fails."""
    environment = {**os.environ, "PYTHONPATH": "src", "FASTURL_TRIES": "300", "CI": "1", "FASTURL_PROOF_LENGTH": "2"}
    environment |= {"FASTURL_KERNEL": kernel, "PYTHONDONTWRITEBYTECODE": "1"}
    words = check.split()
    if words[0].startswith("tests/"):
        words = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *words]
    elif not words[0].endswith(".py"):
        words = ["-m", *words]
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace")
    said = done.stdout + done.stderr
    failed = re.search(r"^(?:FAILED|ERROR|  only with fasturl:) (\S+?)(?:\[| |$)", said, re.MULTILINE)
    if failed:
        return done.returncode, failed[1].rpartition("archive.")[2]
    if done.returncode < 0:
        at = re.search(r'File "(?:[^"]*/)?(tests/[^"]+)", line \d+ in (test_\w+)', said)
        where = "::".join(at.groups()) if at else check.split()[0]
        return done.returncode, f"{where}, by {signal.Signals(-done.returncode).name}"
    return done.returncode, said.strip().splitlines()[-1].split(":")[0] if said.strip() else ""


def tried(one: Break, folder: Path) -> str:
    """What caught the fault. Raises SystemExit where nothing did, or where the check fails without a fault."""
    status, said = run(one.check, one.kernel, folder)
    if status != 0:
        raise SystemExit(f"promises: {one.name}: the check fails without a fault: {said}")
    path = folder / one.file
    held = path.read_text(encoding="utf-8")
    if held.count(one.old) != 1:
        raise SystemExit(f"promises: {one.file} does not hold {one.old!r} once")
    is_built = path.suffix not in (".py", ".md")
    try:
        path.write_text(held.replace(one.old, one.new), encoding="utf-8")
        if is_built and not build(folder):
            raise SystemExit(f"promises: {one.name}: the fault does not compile")
        status, said = run(one.check, one.kernel, folder)
    finally:
        path.write_text(held, encoding="utf-8")
        if is_built:
            build(folder)
    if status == 0:
        raise SystemExit(f"promises: {one.name}: {one.check} does not notice the fault")
    return said


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Break each promise on purpose, and see which check says so.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(one.name for one in BREAKS)}")
    parser.add_argument("--list", action="store_true", help="show the faults; try none")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - {one.name for one in BREAKS}:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    chosen = [one for one in BREAKS if not options.names or one.name in options.names]
    if options.list:
        print(*(f"{one.name}: {one.file}: {one.old} -> {one.new}: {one.check}" for one in chosen), sep="\n")
        return 0
    folder = tree("promises")
    rows, sound = [], True
    for one in chosen:
        try:
            caught = tried(one, folder)
        except SystemExit as error:
            print(error, file=sys.stderr)
            sound = False
            continue
        print(f"{one.name}: {caught}", flush=True)
        what = f"{one.claim} …: one edit of `{one.file}`"
        command = f"{'python3' if one.check.split()[0].endswith('.py') else 'python -m'} {one.check}"
        says = f"`{caught}` fails" if one.check.startswith("tests/") else f"`{command}` fails: {caught}"
        rows.append([what, says, f"`python3 tools/promises.py {one.name}`"])
    if sound and len(chosen) == len(BREAKS):
        made = {"title": "Each claim broken on purpose, and what said so", "date": datetime.date.today().isoformat()}
        ROOT.joinpath("out").mkdir(exist_ok=True)
        ROOT.joinpath("out/promises.json").write_text(json.dumps({**made, "rows": rows}, indent=2) + "\n")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
