"""The cost of each function of urllib.parse, of fasturl, and under ``install()``.

    python -m bench.dropin [--rounds 200] [--update docs/install.md]

Each call is repeated with the same arguments, which suits urllib best: its cache of the last 128 calls of ``urlsplit``
serves them. Each of the three has its own process, and the processes take turns by rounds. A figure is the least of its
rounds, in nanoseconds of the thread's CPU time.
"""

import argparse
import json
import subprocess
import sys
import time

from bench import table

WAYS = ("urllib", "fasturl", "install()")
CALLS = 400  # per round

# The arguments and the call. p is urllib.parse or its replacement, and u is a result of its urlsplit.
ROWS = (
    ("a plain URL", 'p.urlsplit("http://www.example.com/a/b.html?x=1&y=2")'),
    ("an address in brackets", 'p.urlsplit("http://[::1]:8080/a/b")'),
    ("a host that is not ASCII", 'p.urlsplit("http://b\\u00fccher.example/a/b")'),
    ("blanks around", 'p.urlsplit(" http://www.example.com/a/b\\n")'),
    ("bytes", 'p.urlsplit(b"http://www.example.com/a/b?x=1")'),
    ("an int for a flag", 'p.urlsplit("http://www.example.com/a#b", "", 0)'),
    ("a plain URL", 'p.urlparse("http://www.example.com/a/b.html?x=1&y=2")'),
    ("an address in brackets", 'p.urlparse("http://[::1]:8080/a/b")'),
    ("six str", 'p.urlunparse(("http", "h.example", "/a/b", "", "x=1", ""))'),
    ("None, as requests has it", 'p.urlunparse(["http", "h.example", "/a/b", None, "x=1", None])'),
    ("a result", "p.urlunsplit(u)"),
    ("a path that is not ASCII", 'p.urlunsplit(("http", "h.example", "/caf\\u00e9", "", ""))'),
    ("bytes", 'p.urlunsplit((b"http", b"h.example", b"/a/b", b"", b""))'),
    ("a path", 'p.urljoin("http://h.example/a/b/c.html", "../d/e.html")'),
    ("blanks around", 'p.urljoin("http://h.example/a/b/c.html", " d.html\\n")'),
    ("not ASCII", 'p.urljoin("http://h.example/a/b/c.html", "caf\\u00e9.html")'),
    ("a bare #", 'p.urljoin("http://h.example/a/b/c.html", "#")'),
    ("bytes", 'p.urljoin(b"http://h.example/a/b/c.html", b"../d")'),
    ("a fragment", 'p.urldefrag("http://h.example/a/b#c")'),
    ("a path", 'p.quote("/a b/c")'),
    ("errors", 'p.quote("/caf\\u00e9/c", errors="replace")'),
    ("encoding, any spelling", 'p.quote("/caf\\u00e9/c", encoding="UTF-8")'),
    ("another encoding", 'p.quote("/caf\\u00e9/c", encoding="latin-1")'),
    ("a bytearray", 'p.quote_from_bytes(bytearray(b"/a b/c"))'),
    ("a form's value", 'p.quote_plus("a b/c")'),
    ("UTF-8", 'p.unquote("caf%C3%A9%20x")'),
    ("errors", 'p.unquote("caf%C3%A9%20x", "UTF-8", "strict")'),
    ("another encoding", 'p.unquote("caf%E9%20x", "latin-1")'),
    ("three pairs", 'p.parse_qsl("a=1&b=%C3%A9+x&c=2")'),
    ("errors, as werkzeug has it", 'p.parse_qsl("a=1&b=%C3%A9+x&c=2", True, errors="surrogateescape")'),
    ("nothing, as Django has it", 'p.parse_qsl("", True, max_num_fields=1000)'),
    ("bytes", 'p.parse_qsl(b"a=1&b=x")'),
    ("an int for a flag", 'p.parse_qs("a=1&b=%C3%A9+x&c=2", 1)'),
    ("a dict", 'p.urlencode({"a": "b c", "d": 1})'),
    ("encoding and errors", 'p.urlencode({"a": "b c", "d": 1}, encoding="UTF-8", errors="replace")'),
    ("of a result", "u.hostname"),
    ("of a result", "u.port"),
    ("of a result", "u.username"),
)  # fmt: skip


def child(way: str) -> None:
    """Time every row once per line of standard input."""
    import urllib.parse as p

    if way == "fasturl":
        import fasturl as p  # type: ignore[no-redef]
    elif way == "install()":
        import fasturl

        fasturl.install()
    names = {"p": p, "u": p.urlsplit("http://me:secret@Host.example:8080/a/b?x=1#c")}
    loops = []
    for _, call in ROWS:
        scope: dict[str, object] = {}
        exec(f"def loop(times, p, u):\n for _ in times: {call}", scope)
        loops.append(scope["loop"])
    for _ in sys.stdin:
        figures = []
        for loop in (loops[0], *loops):  # the first run warms the caches of the processor
            start = time.thread_time_ns()
            loop(range(CALLS), **names)  # type: ignore[operator]
            figures.append((time.thread_time_ns() - start) / CALLS)
        print(json.dumps(figures[1:]), flush=True)


def measure(rounds: int) -> list[list[float]]:
    """Return the least time of each row for each of WAYS."""
    command = [sys.executable, "-m", "bench.dropin", "--child"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = {way: subprocess.Popen([*command, way], **pipes) for way in WAYS}  # type: ignore[call-overload]
    best: dict[str, list[float]] = {}
    for _ in range(rounds):
        for way, process in children.items():
            process.stdin.write("\n")
            process.stdin.flush()
            figures = json.loads(process.stdout.readline())
            best[way] = [min(pair) for pair in zip(figures, best.get(way, figures), strict=True)]
    for process in children.values():
        process.communicate()
    return [best[way] for way in WAYS]


def main() -> None:
    parser = table.arguments_of("bench.dropin", __doc__)
    parser.add_argument("--rounds", type=int, default=200, help="default: %(default)s")
    parser.add_argument("--child", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child)
    table.release_or_exit(parser)
    figures = zip(*measure(options.rounds), strict=True)
    rows = []
    for (what, call), ns in zip(ROWS, figures, strict=True):
        name = call.removeprefix("p.").partition("(")[0].replace("u.", ".")
        rows.append([f"`{name}`", what, *(f"{one:.0f}" for one in ns)])
    lines = table.grid(["call", "with", *(f"{way}, ns" for way in WAYS)], rows)
    table.show(lines, "drop-in", options.update)


if __name__ == "__main__":
    main()
