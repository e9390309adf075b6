"""Prove the scalar kernel's functions by abstract interpretation, with Frama-C's Eva: see proofs/README.md.

    python3 tools/prove_eva.py                  every proof at all its lengths, and that planted faults are caught
    python3 tools/prove_eva.py --short          texts of 24 octets alone, and a few of the faults: a minute
    python3 tools/prove_eva.py unquote quote    only these; --length N: with texts of exactly N octets
    python3 tools/prove_eva.py --list           the proofs, their lengths and the planted faults

The harnesses and the faults are those of tools/prove.py. Frama-C is a package of Debian and Ubuntu, `frama-c-base`;
without it the script says so and proves nothing. What was proved is kept in out/proved_eva.json until a source changes,
and told in out/proofs_eva.json. Exit status 1: Eva cannot show a proof, or a planted fault is not caught.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from faults import FAULTS, Fault
from prove import BY_NAME, KERNEL, OUT, PROOFS, SHRUNK, Run, given_names, let_be_given, state_of

# The texts of a run: of each length from the first to the last.
Span = tuple[int, int]
SPANS = ((0, 24), (64, 65), (128, 128))
FLAGS = (
    "-machdep gcc_x86_64 -c11 -no-unicode -eva -eva-precision 0 -eva-slevel 100000000 -eva-alloc-builtin fresh "
    "-eva-no-alloc-returns-null -eva-msg-key=-initial-state,-final-states -eva-no-print -eva-no-show-progress "
    "-warn-signed-overflow -warn-signed-downcast"
).split()
# An octet is any octet each time that it is read, and what is written is not kept: so what tells two states of the
# analysis apart are places alone, and there are few of them. A table's unit is not the text's.
OCTETS = re.compile(r"\b(uint8_t|uint16_t|uint32_t) \*(?!unit)")
# Calls that are put in their places: what they return stays bound to what they have written. These are of proof_eva.h.
STUBS = (
    "proof_any_length proof_buffer proof_any_size proof_any_choice proof_any_below proof_memchr proof_memcmp "
    "proof_strchr proof_told_apart"
).split()
# Where the analysis has to go on with each value by itself.
TOLD_APART = (("percent/quote.h", "out += unit[3];", "out += proof_told_apart(unit[3], 1, 3);"),)
ALL = ("@inline",)


@dataclass(frozen=True)
class Interpretation:
    """How one proof of tools/prove.py is run: the lengths of its runs, and the functions put in place."""

    spans: tuple[Span, ...] = SPANS
    inlined: tuple[str, ...] = ()


LIST = {
    "unquote": Interpretation(),
    "unquote_wide": Interpretation(((0, 24), (64, 65)), ALL),
    "quote": Interpretation(((0, 24), (64, 65)), ("fu_quote_write", "fu_quote_write_scalar")),
    "utf8": Interpretation(((0, 24), (64, 65)), ALL),
    "scheme": Interpretation(((0, 24), (63, 64)), ALL),
    "query": Interpretation(((0, 24),), ("fu_query_span", "fu_next_pair")),
    "log_request": Interpretation(((0, 24), (64, 65)), ALL),
    "log_time": Interpretation(((0, 40), (64, 65), (128, 128)), ALL),
    "log_escapes": Interpretation(((0, 24),), ALL),
    "find": Interpretation(((0, 24), (64, 65)), ALL),
    "quote_within": Interpretation(((0, 5),), ALL),
}  # fmt: skip
SHORT, REACHED = 24, 8
OF_EVA = [fault for fault in FAULTS if fault.proof in LIST]


def copied(folder: str, *changes: tuple[str, str, str]) -> Path:
    """A copy of the kernel and the harnesses as Eva is to read them; in a file of the kernel one text is another."""
    copy = Path(folder)
    shutil.copytree(KERNEL, copy / "kernel")
    shutil.copytree(PROOFS, copy / "proofs")
    for file, old, new in (*SHRUNK, *changes, *TOLD_APART):
        path = copy / "kernel" / file
        text = path.read_text(encoding="utf-8")
        if old not in text:
            raise LookupError(f"{file} has no {old!r}: what is to be changed in it is out of date")
        path.write_text(text.replace(old, new), encoding="utf-8")
    let_be_given(copy.joinpath("kernel").rglob("*.h"), given_names())
    for path in copy.rglob("*.[ch]"):
        if path.name != "proof_eva.h":
            text = path.read_text(encoding="utf-8")
            path.write_text(OCTETS.sub(r"volatile \1 *", text), encoding="utf-8")
    return copy


def verdict_of(said: str, status: int) -> str:
    """ "proved" only if nothing at all was warned of."""
    if status != 0 or "[eva] done for function main" not in said:
        return f"no answer, status {status}"
    if "[eva:alarm]" in said or "got status unknown" in said or "got status invalid" in said:
        return "failed"
    return "no answer: a warning" if "Warning" in said or "Error" in said else "proved"


def check(name: str, span: Span, seconds: int, copy: Path, more: str = "") -> Run:
    """Run one harness with texts of each of these lengths."""
    proof = BY_NAME[name]
    # Without `const`, as a call that is put in its place writes its result into a variable of the type that it returns.
    defines = ["const=", f"PROOF_FROM={span[0]}", f"PROOF_LENGTH={span[1]}", *proof.defines, *([more] if more else [])]
    flags = " ".join([f"-I{copy}/kernel", f"-I{copy}/proofs", *(f"-D{define}" for define in defines)])
    source = copy / "proofs" / f"{proof.source or name}.c"
    command = ["frama-c", f"-cpp-extra-args={flags}", *FLAGS]
    command += ["-inline-calls", ",".join([*STUBS, *LIST[name].inlined]), str(source)]
    with tempfile.TemporaryFile("w+") as output:
        started = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)),
        )
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read()
    return Run(verdict_of(said, started.returncode), used.ru_utime + used.ru_stime, said)


def explain(output: str) -> str:
    """The first places that Eva cannot show to be right."""
    found = re.findall(r"^\[.*Warning.*\n(?: .*\n)*", output, re.MULTILINE)
    return "".join(found[:4]) or output[-600:]


class Proved:
    """What was shown of these sources: for each proof the lengths of its runs and the seconds of each."""

    def __init__(self) -> None:
        digest = hashlib.sha256("".join(map(state_of, LIST)).encode())
        digest.update(repr((FLAGS, OCTETS.pattern, LIST)).encode())
        self.file, self.state = OUT / "proved_eva.json", digest.hexdigest()
        held = json.loads(self.file.read_text()) if self.file.is_file() else {}
        is_same = held.get("state") == self.state
        self.of: dict[str, dict[str, float]] = held.get("proved", {}) if is_same else {}
        self.caught: list[str] = held.get("caught", []) if is_same else []

    def keep(self) -> None:
        OUT.mkdir(exist_ok=True)
        held = {"state": self.state, "proved": self.of, "caught": self.caught}
        self.file.write_text(json.dumps(held, indent=1) + "\n")

    def report(self) -> None:
        """Write out/proofs_eva.json, which tools/trust.py reads."""
        rows = []
        for name in LIST:
            if seconds := self.of.get(name):
                how = f"`python3 tools/prove_eva.py {name}`, {sum(seconds.values()):.0f} s"
                rows.append([BY_NAME[name].what, f"every text of {in_words(list(seconds))} octets", how])
        if self.caught:
            figure = f"{len(self.caught)} of {len(OF_EVA)} caught"
            rows.append(["faults planted into these functions", figure, "`python3 tools/prove_eva.py --faults`"])
        day = datetime.date.today().isoformat()
        report = {"title": "The scalar kernel, by abstract interpretation", "date": day, "rows": rows}
        OUT.joinpath("proofs_eva.json").write_text(json.dumps(report, indent=2) + "\n")


def named(span: Span) -> str:
    return f"{span[0]} to {span[1]}" if span[0] < span[1] else f"{span[0]}"


def in_words(spans: list[str]) -> str:
    """0 to 24, 64 to 65 and 128"""
    spans = sorted(spans, key=lambda span: int(span.split()[0]))
    return " and ".join([", ".join(spans[:-1]), spans[-1]] if len(spans) > 1 else spans)


def spans_of(name: str, alone: int | None, is_short: bool) -> tuple[Span, ...]:
    """All its runs, or the one of a length; a short one is no longer than the first of all."""
    spans = LIST[name].spans
    if alone and is_short:
        alone = min(alone, spans[0][1])
    return ((alone, alone),) if alone else spans


def prove(name: str, spans: tuple[Span, ...], seconds: int, proved: Proved, copy: Path) -> bool:
    """Whether Eva warns of nothing at each length, and its analysis gets to the end."""
    spent = 0.0
    for span in spans:
        run = check(name, span, seconds, copy)
        spent += run.seconds
        if run.verdict != "proved":
            print(f"{name}: {run.verdict} with {named(span)} octets, {run.seconds:.0f} s")
            print(explain(run.output), flush=True)
            return False
        if span in LIST[name].spans:
            proved.of.setdefault(name, {})[named(span)] = round(run.seconds, 2)
    reached = check(name, (min(spans[0][1], REACHED), min(spans[0][1], REACHED)), seconds, copy, "PROOF_REACH")
    if reached.verdict != "failed":
        print(f"{name}: the analysis does not get to the end ({reached.verdict})")
        return False
    proved.keep()
    lengths = in_words([named(span) for span in spans])
    print(f"{name}: proved for every text of {lengths} octets, {spent:.1f} s", flush=True)
    return True


def is_caught(fault: Fault, seconds: int, proved: Proved) -> bool:
    """Whether Eva warns with the fault in a copy of the kernel, at the length at which a text breaks the promise."""
    span = (fault.length, fault.length)
    with tempfile.TemporaryDirectory() as folder:
        run = check(fault.proof, span, seconds, copied(folder, (fault.file, fault.old, fault.new)))
    if run.verdict != "failed":
        print(f"NOT CAUGHT: {fault.file}: {fault.new!r} by {fault.proof}: {run.verdict}", flush=True)
        return False
    proved.caught = sorted({*proved.caught, f"{fault.file}: {fault.new}"})
    proved.keep()
    print(f"caught by {fault.proof}, {run.seconds:.1f} s: {fault.file}: {fault.old!r} as {fault.new!r}", flush=True)
    return True


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prove the scalar kernel's functions by abstract interpretation.")
    parser.add_argument("names", nargs="*", help="the proofs; all of them if none is named")
    parser.add_argument("--list", action="store_true", help="show the proofs and the planted faults")
    parser.add_argument("--short", action="store_true", help=f"texts of {SHORT} octets")
    parser.add_argument("--faults", action="store_true", help="only whether the planted faults are caught")
    parser.add_argument("--length", type=int, help="texts of exactly so many octets, at least one")
    parser.add_argument("--seconds", type=int, default=900, help="of the processor's time for a run of Eva")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in LIST]
    if unknown:
        parser.error(f"no such proof: {', '.join(unknown)}")
    faults = OF_EVA
    if options.list:
        for name, how in LIST.items():
            print(f"{name:18} {BY_NAME[name].what}; {in_words([named(span) for span in how.spans])} octets")
        for fault in faults:
            print(f"fault for {fault.proof}: {fault.file}: {fault.old!r} as {fault.new!r}")
        return 0
    if shutil.which("frama-c") is None:
        print("skipped, nothing is proved: there is no frama-c; Debian and Ubuntu have it as frama-c-base")
        return 0
    names = [] if options.faults else options.names or list(LIST)
    if options.names:
        faults = [fault for fault in faults if fault.proof in options.names and options.faults]
    proved = Proved()
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(folder)
        alone = SHORT if options.short else options.length
        held = [prove(name, spans_of(name, alone, options.short), options.seconds, proved, copy) for name in names]
    caught = [is_caught(fault, options.seconds, proved) for fault in faults]
    proved.report()
    print(f"{sum(held)} of {len(held)} proofs, {sum(caught)} of {len(caught)} planted faults caught")
    return 0 if all(held) and all(caught) else 1


if __name__ == "__main__":
    sys.exit(main())
