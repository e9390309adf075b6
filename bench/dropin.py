"""``python -m bench.dropin``: what a call costs in urllib.parse as it is, in fasturl, and under ``install()``.

Each call is made again and again with the same arguments, so that urllib's cache of the last 128 calls of ``urlsplit``
serves it: no call could suit urllib better. Each of the three has a process of its own, and the processes take turns,
round by round; a figure is the least of a row's rounds, in nanoseconds of this thread's CPU time.

    python -m bench.dropin                          the table
    python -m bench.dropin --update docs/install.md     and put it between that page's markers
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from bench.measure import NotRelease, require_release
from bench.table import grid

BEGIN = "<!-- drop-in: begin (written by python -m bench.dropin --update) -->"
END = "<!-- drop-in: end -->"
WAYS = ("urllib", "fasturl", "install()")

# What is called, and how; p is the module that stands for urllib.parse, and u is a result of its urlsplit.
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
    """Time every row once; the parent asks for each round by a line."""
    import urllib.parse as p

    if way == "fasturl":
        import fasturl as p  # type: ignore[no-redef]
    elif way == "install()":
        import fasturl

        fasturl.install()
    names = {"p": p, "u": p.urlsplit("http://me:secret@Host.example:8080/a/b?x=1#c")}
    loops = []
    for _, call in ROWS:
        made: dict[str, object] = {}
        exec(f"def loop(times, p, u):\n for _ in times: {call}", made)
        loops.append(made["loop"])
    for _ in sys.stdin:
        figures = []
        for loop in (loops[0], *loops):  # the first time is for the caches of the processor
            count = 400
            start = time.thread_time_ns()
            loop(range(count), **names)  # type: ignore[operator]
            figures.append((time.thread_time_ns() - start) / count)
        print(json.dumps(figures[1:]), flush=True)


def measured(rounds: int) -> dict[str, list[float]]:
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
    return best


def table(best: dict[str, list[float]]) -> list[str]:
    head = ("call", "with", *(f"{way}, ns" for way in WAYS))
    names = [call.removeprefix("p.").partition("(")[0] for _, call in ROWS]
    rows = [
        (f"`{name.replace('u.', '.')}`", what, *(f"{best[way][at]:.0f}" for way in WAYS))
        for at, (name, (what, _)) in enumerate(zip(names, ROWS, strict=True))
    ]
    return grid(head, rows)


def main() -> None:
    description = (__doc__ or "").split("\n")[0].partition(": ")[2]
    parser = argparse.ArgumentParser(prog="python -m bench.dropin", description=description)
    parser.add_argument("--rounds", type=int, default=200, help="default: %(default)s")
    parser.add_argument("--update", type=Path, metavar="PAGE", help="put the table between a page's markers")
    parser.add_argument("--child", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child)
    try:
        require_release()
    except NotRelease as error:
        parser.exit(2, f"bench.dropin: {error}\n")
    lines = table(measured(options.rounds))
    print("\n".join(lines))
    if options.update:
        text = options.update.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        options.update.write_text("\n".join([before + BEGIN, "", *lines, "", END + after]), encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
