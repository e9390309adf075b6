"""Is the work of every public function linear in the text? Counted in instructions, on which other work has no effect.

    python3 tools/linear.py                       every function, every hostile family, texts of 2^12 to 2^16 octets
    python3 tools/linear.py --long                to 2^22: hours
    python3 tools/linear.py parse quote --most 20 these functions, to 2^20
    python3 tools/linear.py --list                the functions and the families

Works with the fasturl built in this checkout. Python runs under callgrind, which writes what it has counted whenever
the program calls getppid (bench/callgrind.py), so before and after each call. A text sixteen times as long may take
SLACK times sixteen times the instructions: what sorts a list needs a little more than sixteen, what is quadratic 256.
Writes out/linear.json; exit status 1 when a function is over that or fasturl has one that is not in CALLS, 2 without
valgrind.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench import callgrind  # noqa: E402

SLACK = 1.5
# What attackers repeat: behind each head, each unit again and again.
UNITS = (
    "@",
    "%",
    ":",
    ";",
    "/",
    "[",
    "]",
    ".",
    "&",
    "=",
    "<",
    "%25%",
    "a=%4",
    "@:/",
    "/../",
    "&;=",
    "\\",
    "?#",
    "%C2%80",
)
HEADS = ("", "http://", "http://h/?", "ftp://u:")
# Each is called with `t`, the text, in a process where all of fasturl's names are known.
CALLS = {
    "classify_bytes": "classify_bytes(t.encode())",
    "decompose": "decompose(t, strict=False)",
    "dedup_hash": "dedup_hash(t)",
    "dedup_key": "dedup_key(t)",
    "drop_query": "drop_query(t, ['a*b*c', 'utm_*'])",
    "equivalent": "equivalent(t, t + 'x')",
    "escape": "escape(t.encode())",
    "escape_login": "escape_login(t)",
    "extract": "list(extract(t, bare=True))",
    "file_extension": "file_extension(t)",
    "file_name": "file_name(t)",
    "first_segment": "first_segment(t)",
    "normalize": "normalize(t)",
    "origin": "origin(t)",
    "parse": "(u := parse(t)).findings, u.hostname, u.port, u.username, u.password, u.path, u.query, repr(u)",
    "parse_many": "list(parse_many([t, t]))",
    "parse_qs": "parse_qs(t)",
    "parse_qsl": "parse_qsl(t, keep_blank_values=True)",
    "path_and_query": "path_and_query(t)",
    "path_depth": "path_depth(t)",
    "path_prefixes": "path_prefixes(t)",
    "path_template": "path_template(t)",
    "problems": "list(problems(t))",
    "public_suffix": "public_suffix(t)",
    "query_and_fragment": "query_and_fragment(t)",
    "query_names": "query_names(t)",
    "query_pairs": "query_pairs(t)",
    "query_value": "query_value(t, 'a')",
    "query_values": "query_values(t, ['a', 'b'])",
    "quote": "quote(t)",
    "quote_from_bytes": "quote_from_bytes(t.encode())",
    "quote_many": "quote_many([t, t])",
    "quote_plus": "quote_plus(t)",
    "redact": "redact(t, ['a', 'b'])",
    "registrable_domain": "registrable_domain(t)",
    "subdomain": "subdomain(t)",
    "unescape": "unescape(t)",
    "unquote": "unquote(t)",
    "unquote_many": "unquote_many([t, t])",
    "unquote_plus": "unquote_plus(t)",
    "unquote_safe": "unquote_safe(t)",
    "unquote_to_bytes": "unquote_to_bytes(t)",
    "url_prefixes": "url_prefixes(t)",
    "urldefrag": "urldefrag(t)",
    "urlencode": "urlencode({'a': t, 'b': [t]}, doseq=True)",
    "urljoin": "urljoin('http://h/a/b/c', t), urljoin(t, 'x/../y')",
    "urlparse": "(r := urlparse(t)).hostname, r.username",
    "urlsplit": "(r := urlsplit(t)).hostname, r.password",
    "urlunparse": "urlunparse(('', '', t, t, t, t))",
    "urlunsplit": "urlunsplit(('http', 'h', t, t, t))",
    "without": "without(t, 'login', 'www', 'query')",
    "wrap": "wrap(t, width=60)",
    "logs.parse_lines": "logs.parse_lines(arrow_array([line(t), t]), 'combined')",
}
NOT_OF_A_TEXT = {"classify", "install", "uninstall"}
CHILD = """
import json, os, sys
import fasturl
from fasturl import *
calls, families, sizes, outside = json.loads(sys.stdin.read())
missing = {n for n in fasturl.__all__ if n[0].islower() and callable(getattr(fasturl, n))} - set(calls) - set(outside)
assert not missing, f'not in CALLS: {sorted(missing)}'
chosen = [name for name, source in calls.items() if source]
if any(name.startswith('logs.') for name in chosen):
    from fasturl import logs
    import pyarrow as pa
    arrow_array = lambda lines: pa.array(lines, pa.string())
    line = lambda t: f'1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET {t} HTTP/1.1" 200 7 "{t}" "a"'
for name in chosen:
    call = eval('lambda t: (' + calls[name] + ')')
    def run(t):
        try:
            return call(t)
        except ValueError as error: # a hostile text may be refused
            return type(error)
    for head, unit in families:
        run(head + unit * 50)
        for size in sizes:
            t = (head + unit * (size // len(unit) + 1))[:size]
            os.getppid()
            run(t)
            os.getppid()
            print(name, flush=True)
"""


def measure(calls: dict[str, str], families: list[tuple[str, str]], sizes: list[int]) -> list[int]:
    """The instructions of each call, by function, family and size, in this order."""
    given = json.dumps([{**dict.fromkeys(CALLS, ""), **calls}, families, sizes, sorted(NOT_OF_A_TEXT)])
    _, totals = callgrind.count(["-c", CHILD], given)
    return totals[: 2 * len(calls) * len(families) * len(sizes) : 2]  # what lies between two calls is counted, too


def growth(sizes: list[int], counts: list[int]) -> float:
    """The greatest growth of the instructions from one size to the next, divided by that of the text: 1 is linear."""
    steps = zip(pairwise(sizes), pairwise(counts), strict=True)
    return max(more / less / (longer / shorter) for (shorter, longer), (less, more) in steps)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Is the work of every public function linear in the text?")
    parser.add_argument("names", nargs="*", help="the functions; all of them if none is named")
    parser.add_argument("--most", type=int, default=16, help="the greatest length, as a power of two")
    parser.add_argument("--least", type=int, default=12, help="the least one")
    parser.add_argument("--long", action="store_true", help="from 2^14 to 2^22")
    parser.add_argument("--list", action="store_true", help="show the functions and the families")
    options = parser.parse_args(arguments)
    unknown = set(options.names) - set(CALLS)
    if unknown:
        parser.error(f"no such function: {', '.join(sorted(unknown))}")
    families = [(head, unit) for head in HEADS for unit in UNITS]
    if options.list:
        print(f"functions: {' '.join(CALLS)}\nheads: {HEADS}\nunits: {UNITS}")
        return 0
    if not callgrind.is_there():
        print("linear.py: valgrind is not there", file=sys.stderr)
        return 2
    least, most = (14, 22) if options.long else (options.least, options.most)
    sizes = [2**power for power in range(least, most + 1, 4)]
    worst: dict[str, tuple[float, str]] = {}
    for name in options.names or CALLS:
        counts = measure({name: CALLS[name]}, families, sizes)
        for i, (head, unit) in enumerate(families):
            grown = growth(sizes, counts[i * len(sizes) : (i + 1) * len(sizes)])
            worst[name] = max(worst.get(name, (0.0, "")), (grown, f"{head!r} and {unit!r} repeated"))
        print(f"{name}: at most {worst[name][0]:.3f} times linear, with {worst[name][1]}", flush=True)
    over = {name: grown for name, (grown, _) in worst.items() if grown > SLACK}
    greatest = max(worst, key=lambda name: worst[name])
    row = [
        f"instructions of {len(worst)} functions on {len(families)} hostile families, 2^{least} to 2^{most} octets",
        f"at most {worst[greatest][0]:.2f} times what grows with the text (`{greatest}`)",
        f"`python3 tools/linear.py --least {least} --most {most}`",
    ]
    report = {"title": "Linear work", "date": datetime.date.today().isoformat(), "rows": [row]}
    ROOT.joinpath("out").mkdir(exist_ok=True)
    ROOT.joinpath("out/linear.json").write_text(json.dumps(report, indent=2) + "\n")
    if over:
        print(f"over {SLACK} times linear: {over}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
