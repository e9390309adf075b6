"""Time rows side by side: with the same loop, in turns, on texts that no cache has seen."""

import gc
import time
import urllib.parse
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from bench.operations import Operation, Row
from bench.peers import PEERS, load
from bench.views import SAME, Answer, guarded, raised

LEAST_ITEMS, LEAST_SIZE = 20_000, 2_000_000
"""A round makes enough passes for so many calls, or for so many characters if that is fewer."""
MOST_REFUSED = 0.05
"""A peer that rejects a greater share of the inputs is not timed on them."""

consume = deque[Any](maxlen=0).extend

# The share of urllib's answers that a peer needs to count as the best.
MOSTLY = 0.75


def source(operation: Operation, row: Row) -> str:
    """Return the source of the timed function, so that the table shows exactly what is timed."""
    lines = ["def loop(xs):"]
    if row.whole:
        lines.append(f"    consume({row.call})")
        return "\n".join(lines)
    body = [f"r = {row.call}", *(f"r.{name}" for name in row.reads)] if row.reads else [row.call]
    lines.append(f"    for {operation.variables} in xs:")
    if operation.caught:
        lines.append("        try:")
        lines.extend(f"            {line}" for line in body)
        lines.extend(["        except Exception:", "            pass"])
    else:
        lines.extend(f"        {line}" for line in body)
    return "\n".join(lines)


def names_of(row: Row) -> dict[str, Any]:
    """Return the objects that the call names. Raise ImportError or AttributeError if one is missing."""
    return {spec.rpartition(":")[2]: load(spec) for spec in row.uses}


def compile_loop(operation: Operation, row: Row) -> Callable[[list[Any]], None]:
    """Compile the timed function. Its names are locals, as in a program that cares about speed."""
    names = {**names_of(row), "consume": consume}
    text = source(operation, row).replace("(xs)", f"(xs, {', '.join(f'{n}={n}' for n in names)})", 1)
    exec(compile(text, f"<{operation.name}>", "exec"), names)
    loop: Callable[[list[Any]], None] = names["loop"]
    return loop


def compile_one(operation: Operation, row: Row) -> Callable[[Any], Any]:
    """Compile the same call on one input. It also reads the attributes, because that may raise."""
    names = names_of(row)
    body = f"r = next(iter({row.call}))" if row.whole else f"r = {row.call}"
    unpack = "xs = [item]" if row.whole else f"{operation.variables} = item"
    reads = "".join(f"\n    r.{name}" for name in row.reads)
    exec(f"def one(item):\n    {unpack}\n    {body}{reads}\n    return r", names)
    one: Callable[[Any], Any] = names["one"]
    return one


def fresh(value: Any) -> Any:
    """Return a copy that shares no str or bytes with the value: no cached hash, no cached UTF-8, no identity."""
    if type(value) is str:
        # "surrogatepass" keeps any str. Short ones stay CPython's singletons.
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    if type(value) is bytes:
        return bytes(bytearray(value))
    if type(value) in (tuple, list):
        return type(value)(map(fresh, value))
    return value


def size_of(item: Any) -> int:
    """Return the number of characters or bytes of an input."""
    if isinstance(item, str | bytes):
        return len(item)
    return sum(map(size_of, item))


@dataclass
class Timed:
    """A row and its nanoseconds per call in each round."""

    row: Row
    agreement: float
    loop: Callable[[list[Any]], None]
    inputs: list[Any] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    differs_on: Any = None
    """The first input, if any, with another answer than urllib's."""

    @property
    def ns(self) -> float:
        return median(self.rounds)

    @property
    def spread(self) -> float:
        """Return half the distance between the quartiles, as a share of the median."""
        if len(self.rounds) < 2:
            return 0.0
        low, _, high = quantiles(self.rounds, n=4, method="inclusive")
        return (high - low) / 2 / self.ns

    def times_as_fast_as(self, other: "Timed") -> float:
        """Return the median over the rounds of the ratio within a round, because a slow minute slows both sides."""
        return median(theirs / ours for ours, theirs in zip(self.rounds, other.rounds, strict=True))


@dataclass
class Measured:
    """An operation with its rows, and what was left out."""

    operation: Operation
    rows: list[Timed]
    skipped: list[str]
    count: int
    left_out: int
    mean_size: float
    unique_share: float

    def first(self, peer: str) -> Timed | None:
        return next((timed for timed in self.rows if timed.row.peer == peer), None)

    def quickest_peer(self) -> Timed | None:
        """Return the fastest peer besides urllib that gives most of urllib's answers."""
        peers = (timed for timed in self.rows if timed.row.peer not in ("urllib", "fasturl"))
        return min((timed for timed in peers if timed.agreement >= MOSTLY), key=lambda timed: timed.ns, default=None)


def borrowed(row: Row) -> bool:
    """Return True if fasturl's function is urllib's own, so that there is nothing to measure."""
    ours = (spec for spec in row.uses if spec.startswith("fasturl:"))
    return any(load(spec) is getattr(urllib.parse, spec.rpartition(":")[2], None) for spec in ours)


def agree(operation: Operation, row: Row, mine: Answer, theirs: Answer) -> bool:
    """Return True if two guarded results, each in a tuple of one, are the same answer in the row's view."""
    if operation.caught:
        return raised(mine) == raised(theirs)
    answer = mine if raised(mine) else guarded(row.view[0], mine[0])
    wanted = theirs if raised(theirs) else guarded(row.view[1], theirs[0])
    if raised(answer) and raised(wanted):
        return row.view is not SAME or bool(answer == wanted)
    return bool(answer == wanted)


def prepare(operation: Operation, corpus: Sequence[str]) -> Measured:
    """Prepare the inputs, the rows that can run here, and the share of equal answers.

    Unless exceptions are part of the operation, inputs that some timed row rejects are left out for all rows, and peers
    that reject more than one in twenty are not timed.
    """
    items = operation.inputs(corpus)
    skipped: list[str] = []
    rows: list[Timed] = []
    refused_by_any: set[int] = set()
    call_reference = compile_one(operation, operation.rows[0])
    reference = [guarded(lambda item: (call_reference(item),), item) for item in items]
    for row in operation.rows:
        try:
            loop, one = compile_loop(operation, row), compile_one(operation, row)
        except (ImportError, AttributeError) as error:
            skipped.append(f"{row.peer} `{row.call}`: skipped, {error}")
            continue
        if borrowed(row):
            skipped.append(f"fasturl `{row.call}`: this function is urllib's own here, not a compiled one")
            continue
        agreed = 0
        differs_on: Any = None
        refused: set[int] = set()
        for index, (item, theirs) in enumerate(zip(items, reference, strict=True)):
            mine = guarded(lambda item, one=one: (one(item),), row.prepare(item))  # type: ignore[misc]
            if raised(mine):
                refused.add(index)
            if agree(operation, row, mine, theirs):
                agreed += 1
            elif differs_on is None:
                differs_on = item
        spared = operation.caught or row.peer in ("urllib", "fasturl")
        if not spared and len(refused) > MOST_REFUSED * len(items):
            share = len(refused) / len(items)
            skipped.append(f"{row.peer} `{row.call}`: not timed here, it refuses {share:.0%} of the inputs")
            continue
        if not operation.caught:
            refused_by_any |= refused
        rows.append(Timed(row, agreed / len(items) if items else 1.0, loop, differs_on=differs_on))
    kept = [item for index, item in enumerate(items) if index not in refused_by_any]
    for timed in rows:
        timed.inputs = [timed.row.prepare(item) for item in kept] if timed.row.data else kept
    keys = {item if isinstance(item, str | bytes) else repr(item) for item in kept}
    mean_size, unique_share = sum(map(size_of, kept)) / max(1, len(kept)), len(keys) / max(1, len(kept))
    return Measured(operation, rows, skipped, len(kept), len(items) - len(kept), mean_size, unique_share)


def timed_pass(timed: Timed) -> int:
    """Return nanoseconds of the thread's CPU time for one pass, on fresh texts and with empty caches."""
    xs = fresh(timed.inputs)
    PEERS[timed.row.peer].clear()
    began = time.thread_time_ns()
    timed.loop(xs)
    return time.thread_time_ns() - began


def run(measured: Measured, repeat: int) -> None:
    """Time the rows in turns: a round gives each row its passes, and each round starts with another row."""
    if not measured.count or not measured.rows:
        measured.rows.clear()
        return
    size = max(1, int(measured.mean_size * measured.count))
    passes = min(-(-LEAST_ITEMS // measured.count), -(-LEAST_SIZE // size))
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for timed in measured.rows:
            timed.loop(fresh(timed.inputs[:1000]))
        for turn in range(repeat):
            at = turn % len(measured.rows)
            for timed in (*measured.rows[at:], *measured.rows[:at]):
                total = sum(timed_pass(timed) for _ in range(passes))
                timed.rounds.append(total / passes / measured.count)
    finally:
        gc.enable()
        gc.unfreeze()
