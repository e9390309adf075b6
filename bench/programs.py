"""The gain of programs under ``fasturl.install()``, without a change to them.

    python -m bench.programs FOLDER [--update docs/replace-urllib.md]

FOLDER is made on the first run and kept: an environment with the newest releases of the programs. A program that pip
cannot install is left out, with a message. tools/dependents.py runs the programs' own tests. Each work runs in two
processes, with install() and without, that take turns; a figure is the least of its rounds, in CPU time. A third
process counts, with FASTURL_COUNT, the calls of compiled functions and those that are delegated to urllib.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bench import table

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 15
Process = subprocess.Popen[str]


@dataclass(frozen=True)
class Work:
    """A work of a program. ``package``: the name for pip, or empty for the standard library."""

    name: str
    package: str
    what: str
    setup: str
    call: str


WEB = "http://www.example.com/a/b.html?x=1&y=caf%C3%A9"
ROBOTS = """
from urllib.robotparser import RobotFileParser
parser = RobotFileParser()
parser.parse(["User-agent: *", *(f"Disallow: /private/{i}/" for i in range(20))])
"""
SIGV4 = """
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
auth = SigV4Auth(Credentials("key", "secret"), "s3", "eu-west-1")
"""
LINKS = """
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
page = "".join(f'<a href="../item/{i}?page={i % 7}#top">x</a>' for i in range(100))
response = HtmlResponse("http://www.example.com/shop/list.html", body=page.encode(), encoding="utf-8")
extractor = LinkExtractor(canonicalize=True)
"""
DJANGO = """
from django.conf import settings
settings.configure(ALLOWED_HOSTS=["*"])
import django
django.setup()
from django.http import QueryDict
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
"""

WORKS = (
    Work("robotparser", "", "may a page be fetched", ROBOTS, 'parser.can_fetch("me", "http://h/public/a.html?x=1")'),
    Work("urllib.request", "", "make a Request", "from urllib.request import Request", f"Request({WEB!r})"),
    Work("requests", "requests", "prepare, without parameters", "import requests",
         f'requests.Request("GET", {WEB!r}).prepare()'),
    Work("requests", "requests", "prepare, with parameters", "import requests",
         'requests.Request("GET", "http://www.example.com/a", params={"x": 1, "y": "caf\u00e9"}).prepare()'),
    Work("werkzeug", "werkzeug", "the args of a request",
         "from werkzeug.test import create_environ\nfrom werkzeug.wrappers import Request\n"
         'environ = create_environ("/a?x=1&y=caf%C3%A9&z=3")', 'Request(dict(environ)).args["x"]'),
    Work("werkzeug", "werkzeug", "build a URL of a rule",
         "from werkzeug.routing import Map, Rule\n"
         'urls = Map([Rule("/u/<name>/<int:n>", endpoint="u")]).bind("h.example")',
         'urls.build("u", {"name": "caf\u00e9", "n": 3, "x": "a b"})'),
    Work("w3lib", "w3lib", "canonicalize_url", "from w3lib.url import canonicalize_url", f"canonicalize_url({WEB!r})"),
    Work("Scrapy", "scrapy", "extract 100 links", LINKS, "extractor.extract_links(response)"),
    Work("botocore", "botocore", "sign a request (SigV4)", SIGV4,
         'auth.add_auth(AWSRequest("GET", "https://b.s3.eu-west-1.amazonaws.com/k/caf%C3%A9", params={"a": "b c"}))'),
    Work("SQLAlchemy", "sqlalchemy", "make_url", "from sqlalchemy import make_url",
         'make_url("postgresql+psycopg://me:p%40ss@db.example:5432/app?sslmode=require&x=1")'),
    Work("Django", "django", "read a query", DJANGO, 'QueryDict("x=1&y=caf%C3%A9&z=3")'),
    Work("Django", "django", "urlencode", DJANGO, 'urlencode({"x": 1, "y": ["caf\u00e9", "b c"]}, doseq=True)'),
    Work("Django", "django", "is a redirect safe", DJANGO, 'url_has_allowed_host_and_scheme("/next/?a=b", {"h"})'),
    Work("oauthlib", "oauthlib", "read the parameters of a form", "from oauthlib.common import extract_params",
         'extract_params("a=1&b=caf%C3%A9&c=d%20e")'),
    Work("feedparser", "feedparser", "make a link absolute", "from feedparser.urls import make_safe_absolute_uri",
         'make_safe_absolute_uri("http://h.example/feed/", "../a?b=c")'),
    Work("starlette", "starlette", "replace a URL's query", "from starlette.datastructures import URL",
         f"URL({WEB!r}).include_query_params(page=2)"),
    Work("httpx", "httpx", "make a URL", "import httpx", f"httpx.URL({WEB!r})"),
    Work("yarl", "yarl", "make a URL", "import yarl", f"yarl.URL({WEB!r})"),
    Work("urllib3", "urllib3", "parse_url", "from urllib3.util import parse_url", f"parse_url({WEB!r})"),
    Work("tornado", "tornado", "the arguments of a request", "from tornado.httputil import HTTPServerRequest",
         'HTTPServerRequest("GET", "/a?x=1&y=caf%C3%A9", connection=None)'),
    Work("webob", "webob", "the parameters of a request", "from webob import Request",
         'Request.blank("/a?x=1&y=caf%C3%A9").GET["x"]'),
    Work("bottle", "bottle", "the parameters of a request", "from bottle import BaseRequest",
         'BaseRequest({"QUERY_STRING": "x=1&y=caf%C3%A9"}).query.x'),
)  # fmt: skip


def child(at: int, way: str) -> None:
    """Do a work as often as each line of standard input says."""
    import fasturl

    work = WORKS[at]
    if way != "without":
        fasturl.install()
    names: dict[str, object] = {}
    exec(f"{work.setup}\ndef once():\n    {work.call}", names)
    once = names["once"]
    once()  # type: ignore[operator]
    before = counts()
    for line in sys.stdin:
        count = int(line)
        start = time.thread_time_ns()
        for _ in range(count):
            once()  # type: ignore[operator]
        print((time.thread_time_ns() - start) / count, flush=True)
    if way == "counted":
        more = {name: count - before.get(name, 0) for name, count in counts().items()}
        print(json.dumps({name: count for name, count in more.items() if count}), flush=True)


def counts() -> dict[str, int]:
    """Return the calls of compiled functions ("") and the delegated calls by name, with those of fasturl's import."""
    from fasturl import _installing, _originals

    return {"": sum(_installing.called().values()), **_originals.handed_on()}


def start(folder: Path, at: int, way: str) -> Process:
    import fasturl

    paths = [str(ROOT), str(Path(fasturl.__file__ or "").parent.parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    environment |= {"FASTURL_COUNT": "1"} if way == "counted" else {}
    command = [str(folder / "env/bin/python"), "-m", "bench.programs", str(folder), "--child", str(at), way]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, text=True, env=environment, **pipes)


def ask(process: Process, count: int) -> float:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{count}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def gain(folder: Path, at: int) -> list[str]:
    """Return the cells of a work: microseconds without and with install(), their ratio, and the counted calls."""
    both = {way: start(folder, at, way) for way in ("without", "with")}
    count = max(1, int(20e6 / ask(both["without"], 20)))
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for way, process in both.items():
            best[way] = min(best.get(way, float("inf")), ask(process, count))
    for process in both.values():
        process.communicate()
    delegated = json.loads(start(folder, at, "counted").communicate("100\n")[0].splitlines()[-1])
    calls = delegated.pop("", 0)
    part = sum(delegated.values()) / calls if calls else 0.0
    shown = [f"{best['without'] / 1000:.1f}", f"{best['with'] / 1000:.1f}", table.times(best["without"] / best["with"])]
    return [*shown, f"{calls / 100:.1f}", table.share(part)]


def install_programs(folder: Path, packages: list[str]) -> None:
    python = folder / "env/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    for package in sorted({"pytest", *packages}):
        if subprocess.run([str(python), "-m", "pip", "install", "-q", package], capture_output=True).returncode:
            print(f"{package}: pip cannot install it", file=sys.stderr)


def main() -> None:
    parser = table.arguments_of("bench.programs", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(int(options.child[0]), options.child[1])
    folder = options.folder.resolve()
    install_programs(folder, [work.package for work in WORKS if work.package])
    rows = []
    for at, work in enumerate(WORKS):
        try:
            rows.append([work.name, work.what, *gain(folder, at)])
        except (ValueError, IndexError, BrokenPipeError):
            print(f"{work.name}: it does not run here", file=sys.stderr)
            continue
        print(*rows[-1], sep="  ", file=sys.stderr)
    lines = table.grid(["program", "work", "without, µs", "with, µs", "gain", "calls", "delegated"], rows)
    table.show(lines, "programs", options.update)


if __name__ == "__main__":
    main()
