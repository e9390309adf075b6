"""Break each claim of docs/trust.md on purpose, and report which check notices.

    python3 tools/promises.py                    every fault
    python3 tools/promises.py markup passwords   only these

A fault is one edit of a copy of the checkout, which is built once (out/mutation/promises). The check must pass on the
copy as it is, and fail with the fault. Exit status 1: a check fails without a fault, or passes with one. Needs what the
tests need, valgrind for the fault "time", uv for "lowest versions", and PyInstaller for "frozen".
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from mutate import build, tree


@dataclass(frozen=True)
class Break:
    """A fault: `old`, which occurs once in `file`, becomes `new`.

    claim : the first words of the claim in docs/trust.md
    check : arguments of pytest, a script or a module, which must fail
    """

    name: str
    claim: str
    file: str
    old: str
    new: str
    check: str
    kernel: str = "scalar"


BREAKS = (
    Break("drop-in", "The drop-in answers", "src/extensions/urllib/netlocs.pxi",
          "return host[:at].lower() + host[at:]", "return host.lower()", "tests/dropin"),
    Break("grammar", "A URL is valid when", "src/kernel/validate/validate.h", "n == 0) fu_add", "n == 1) fu_add",
          "tests/reference"),
    Break("places", "Findings stand where", "src/kernel/validate/validate.h", "FU_TERM_SCHEME, bad, bad + 1",
          "FU_TERM_SCHEME, bad, bad + 2", "tests/parse"),
    Break("kernels", "One kernel answers as another", "src/kernel/vector_sse2.h", "_mm_min_epu8(above, span), above)",
          "_mm_min_epu8(above, span), span)", "tests/quoting", "sse2"),
    Break("dependents", "Programs that use", "src/extensions/urllib/pairs.pxi",
          "query.keep_blank = keep\n    query.strict = strict", "query.keep_blank = 0\n    query.strict = strict",
          "tools/dependents.py oauthlib"),
    Break("rows", "Columns, engines, logs", "src/kernel/columns/columns_body.h",
          "[row] = found.findings;", "[row] = 0;", "tests/columns/test_columns_parse.py"),
    Break("bytes", "No byte is lost", "src/fasturl/logs/inputs/lines.py", 'part.replace(b"\\r", b"\\n")',
          'part.replace(b"\\r", b"")', "tests/logs tests/cli/test_lossless.py"),
    Break("addresses", "No output of `parse --anonymize-client`", "src/kernel/escapes/addresses.h",
          "if (p[at] == '%' || p[at] == '\\\\') return fu_read_any_escape(p, n, at);", "",
          "tests/cli/test_anonymized_addresses.py"),
    Break("loads", "No load outside the text", "src/kernel/ascii.h", "n < 3 ||", "n < 2 ||",
          "tests/memory tests/quoting"),
    Break("time", "Time grows linearly", "src/kernel/escapes/unquote.h", "bits |= (uint8_t)byte;",
          "for (uint8_t *q = start; q <= out - 1; q++) bits |= *q;",
          "bench.growth unquote_to_bytes --jobs 1"),
    Break("passwords", "No password is shown", "src/extensions/fastparse/url.pxi",
          "return redact(self.text, keys, mark, user=user)", "return self.text", "tests/parse"),
    Break("markup", "No log brings markup", "src/fasturl/cli/report/markup.py", "return escape(seen",
          "return '{}'.format(seen", "tests/cli/test_report.py"),
    Break("pages", "The pages are true", "README.md", "20 UNSAFE an unsafe", "21 UNSAFE an unsafe",
          "tests/packaging/test_doctests.py -k README"),
    Break("wrong self", "No call crashes", "src/_fastparse.pyx", "# distutils: language = c",
          "# cython: binding=True", "tests/boundary/test_wrong_selves.py"),
    Break("state", "A call that fails leaves", "src/fasturl/schemes/registry.py", "            _detach(scheme, before)",
          "            pass", "tests/boundary/test_state_after_failures.py"),
    Break("forks", "After a fork, the child", "src/extensions/fastparse/forks.pxi", "    fork_locks.append(lock)",
          "    pass", "tests/boundary/test_forks.py"),
    Break("hostile columns", "A hostile column", "src/fasturl/arrow/columns_in.py",
          'if hasattr(kind, "__iter__") and not issubclass(kind, TEXTS):', "if False:",
          "tests/columns/test_columns_malformed.py"),
    Break("memory", "Memory does not grow", "src/fasturl/logs/inputs/decompress.py", "memlimit=limit + _XZ_DECODER",
          "memlimit=None", "tests/logs/test_memory_limit.py"),
    Break("secrets", "One redactor hides", "src/kernel/escapes/redaction.h", "case '#':\n    case '=':", "case '=':",
          "tests/cli/test_every_secret_is_hidden.py"),
    Break("shapes", "Tokens are hidden by", "src/kernel/escapes/secrets.h",
          """X('g', 'h', "p_",""", """X('g', 'h', "q_",""", "tests/quoting/test_secret_shapes.py"),
    Break("marks", "A mark for secrets", "src/extensions/urllib/queries.pxi", '0123456789-._~*"', '0123456789-._~*/@"',
          "tests/quoting/test_secret_shapes.py"),
    Break("given away", "One command makes", "src/fasturl/cli/outputs/loglines.py", "edits.append(edit)", "pass",
          "tests/cli/test_give_a_log_away.py"),
    Break("local names", "Local names and", "src/kernel/functions/fetch.h", 'FU_METADATA("metadata.goog")',
          'FU_METADATA("metadata.gooq")', "tests/functions/test_functions.py"),
    Break("messages", "No exception quotes", "src/fasturl/_quoted.py", "else without_secrets(str.__str__(value))",
          "else str.__str__(value)", "tests/boundary/test_no_secret_in_exceptions.py"),
    Break("formats", "The text of a format", "src/fasturl/logs/formats/times.py", "FORMAT_MAX = 1 << 16",
          "FORMAT_MAX = 1 << 26", "tests/logs/test_format_text.py"),
    Break("network", "A query reaches", "src/fasturl/cli/database.py", 'os.path.join(os.devnull, "none")', "directory",
          "tests/cli/test_hostile_queries.py"),
    Break("expressions", "A query reaches", "src/fasturl/cli/database.py",
          "if count == 1 and around == around_one:", "if count == 1:", "tests/cli/test_hostile_queries.py"),
    Break("frames", "A compressed log", "src/fasturl/logs/inputs/decompress.py",
          '_SKIPPABLE = b"\\x2a', '_SKIPPABLE = b"\\x2b', "tests/logs/test_compressed_starts.py"),
    Break("first lines", "A line that fits no format", "src/fasturl/cli/outputs/output.py",
          "if self.kept is None:", "if False:", "tests/cli/test_parse_keep.py"),
    Break("leftovers", "A killed run", "src/fasturl/cli/temporary.py",
          "_remove_abandoned(os.path.join(tempfile.gettempdir(), name), folder=True)", "pass",
          "tests/cli/test_leftovers.py"),
    Break("formulas", "No cell that", "src/kernel/columns/rowtext.h",
          "const int formula = out->csv_safe && fu_is_formula(p, n);", "const int formula = 0;",
          "tests/cli/test_csv_safe.py"),
    Break("release", "A release is built", ".github/workflows/wheels.yml", "needs: [tests, floors, sdist",
          "needs: [floors, sdist", "tests/packaging/test_workflows.py"),
    Break("lowest versions", "The lowest versions", "src/fasturl/logs/units.py", "column.nbytes for column in columns",
          "column.cast(_BYTES).nbytes for column in columns",
          "uv run --no-project --quiet --with pyarrow==19.0.1 --with numpy --with pytest --with hypothesis "
          "python -m pytest -q -x -p no:cacheprovider tests/logs"),
    Break("introspection", "Introspection by", "src/fasturl/_extras.py",
          "raise AttributeError(why", "raise ImportError(why", "tests/packaging/test_introspection.py"),
    Break("frozen", "A frozen program", "src/fasturl/cli/app.py", "check, detect, explain,", "detect, explain,",
          "tests/packaging/test_frozen.py"),
    Break("findings", "Findings are one table", "src/fasturl/_findings.py", "1 << 20,", "1 << 25,",
          "tests/parse/test_findings.py"),
)  # fmt: skip


def run(check: str, kernel: str, folder: Path) -> tuple[int, str]:
    """Return the exit status of a check, and the first test that fails or the check's last message."""
    environment = {**os.environ, "PYTHONPATH": "src", "FASTURL_TRIES": "300", "CI": "1", "FASTURL_LONG": "1"}
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


def try_fault(one: Break, folder: Path) -> str:
    """Return the test that fails. Raise SystemExit if none does, or if the check fails without a fault."""
    status, said = run(one.check, one.kernel, folder)
    if status != 0:
        raise SystemExit(f"promises: {one.name}: the check fails without a fault: {said}")
    path = folder / one.file
    held = path.read_text(encoding="utf-8")
    if held.count(one.old) != 1:
        raise SystemExit(f"promises: {one.file} does not contain {one.old!r} exactly once")
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(one.name for one in BREAKS)}")
    options = parser.parse_args()
    if unknown := set(options.names) - {one.name for one in BREAKS}:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    chosen = [one for one in BREAKS if not options.names or one.name in options.names]
    folder = tree("promises")
    status = 0
    for one in chosen:
        try:
            print(f"{one.name}: {try_fault(one, folder)} fails", flush=True)
        except SystemExit as error:
            print(error, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
