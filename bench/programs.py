"""What a program gains: the time of unchanged programs with and without ``fasturl.install()``.

    python -m bench.programs FOLDER [--update docs/speed.md]

The first run makes FOLDER and installs the versions in PROGRAMS into an environment there. If pip cannot
install a program, its rows are left out, with a message. tools/dependents.py runs the programs' own tests. Each work
runs in processes that take turns: without fasturl, with install(), and with fasturl's own functions where a work has
such code. A figure is the least CPU time over the rounds. One more process counts, with FASTURL_COUNT, the calls of
compiled functions and the calls that fasturl delegates to urllib.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import types
from dataclasses import dataclass
from pathlib import Path

from bench import table

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 15
PROGRAMS = """
botocore==1.44.8 bottle==0.13.4 django==5.2.19 feedparser==6.0.14 httpx==0.28.1 lxml==6.1.3 oauthlib==4.0.1
requests==2.34.2 scrapy==2.19.0 sqlalchemy==2.1.9 starlette==1.10.0 tornado==6.6.1 urllib3==2.8.0 w3lib==2.5.0
webob==1.8.11 werkzeug==3.1.9 yarl==1.25.1
""".split()
Process = subprocess.Popen[str]


@dataclass(frozen=True)
class Work:
    """A work of a program.

    package : its name in PROGRAMS, or empty for the standard library
    own : the same work by fasturl's own functions, if there is such code
    """

    name: str
    package: str
    what: str
    setup: str
    call: str
    own: str = ""


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
settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF="work")
import django
django.setup()
from django.http import HttpResponse, QueryDict
from django.test import RequestFactory
from django.urls import path, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

def view(request, name):
    if not url_has_allowed_host_and_scheme(request.GET["next"], {request.get_host()}):
        raise ValueError
    query = urlencode({"page": int(request.GET["page"]) + 1, "q": request.GET["q"]})
    return HttpResponse(f"{reverse('view', args=[name])}?{query}")

urlpatterns = [path("shop/<str:name>/", view, name="view")]
factory = RequestFactory()
def serve():
    request = factory.get("/shop/caf%C3%A9/?page=3&q=a+b&next=/shop/")
    found = resolve(request.path_info)
    return found.func(request, *found.args, **found.kwargs)
"""
# A page with 500 links, each of which occurs twice, as on pages of a site.
CRAWL = """
import fasturl
from urllib.parse import urljoin, urlsplit
from w3lib.url import canonicalize_url
base = "http://www.example.com/shop/list.html?page=2"
links = [f"../item/{i % 250}/caf%C3%A9-{i % 250}.html?utm_source=x&b={i % 7}&a=1#top" for i in range(500)]
def crawl(canonicalize):
    seen = set()
    for link in links:
        url = urljoin(base, link)
        if urlsplit(url).hostname == "www.example.com":
            seen.add(canonicalize(url))
    return len(seen)
def own():
    seen = set()
    for link in links:
        url = fasturl.parse(fasturl.urljoin(base, link))
        if url.hostname == "www.example.com":
            seen.add(fasturl.canonicalize(url))
    return len(seen)
"""
LXML = """
from copy import deepcopy
from lxml import html
page = html.fromstring("".join(f'<a href="../item/{i}?page={i % 7}#top">x</a>' for i in range(500)))
"""
LOG = """
import re
import urllib.parse
import fasturl
lines = [f'192.0.2.{i % 250} - - [17/May/2015:10:05:{i % 60:02} +0000] "GET /shop/caf%C3%A9/{i}?page={i % 9}&q=a+b '
         f'HTTP/1.1" 200 {i} "https://www.example.com/list?page={i % 11}" "Mozilla/5.0"' for i in range(500)]
request = re.compile(r'(\\S+) \\S+ \\S+ \\[([^]]+)\\] "(\\S+) (\\S+) [^"]*" (\\d+) (\\d+) "([^"]*)"')
def read(parse):
    rows = []
    for line in lines:
        client, time, method, target, status, size, referer = request.match(line).groups()
        url, host = parse.urlsplit(target), parse.urlsplit(referer).hostname
        rows.append((client, parse.unquote(url.path), parse.parse_qsl(url.query), host, int(status), int(size)))
    return rows
"""

WORKS = (
    Work("Django", "django", "serve a request to a view", DJANGO, "serve()"),
    Work("requests", "requests", "prepare a request with parameters", "import requests",
         'requests.Request("GET", "http://www.example.com/a", params={"x": 1, "y": "caf\u00e9"}).prepare()'),
    Work("botocore", "botocore", "sign a request (SigV4)", SIGV4,
         'auth.add_auth(AWSRequest("GET", "https://b.s3.eu-west-1.amazonaws.com/k/caf%C3%A9", params={"a": "b c"}))'),
    Work("lxml", "lxml", "make 500 links absolute", LXML,
         'deepcopy(page).make_links_absolute("http://www.example.com/shop/")'),
    Work("w3lib", "w3lib", "crawl a page with 500 links", CRAWL, "crawl(canonicalize_url)", "own()"),
    Work("a log job", "", "read 500 lines with `re` and `urllib.parse`", LOG, "read(urllib.parse)", "read(fasturl)"),
    Work("Scrapy", "scrapy", "extract 100 links", LINKS, "extractor.extract_links(response)"),
    Work("robotparser", "", "may a page be fetched", ROBOTS, 'parser.can_fetch("me", "http://h/public/a.html?x=1")'),
    Work("urllib.request", "", "make a Request", "from urllib.request import Request", f"Request({WEB!r})"),
    Work("requests", "requests", "prepare a request without parameters", "import requests",
         f'requests.Request("GET", {WEB!r}).prepare()'),
    Work("werkzeug", "werkzeug", "the args of a request",
         "from werkzeug.test import create_environ\nfrom werkzeug.wrappers import Request\n"
         'environ = create_environ("/a?x=1&y=caf%C3%A9&z=3")', 'Request(dict(environ)).args["x"]'),
    Work("werkzeug", "werkzeug", "build a URL of a rule",
         "from werkzeug.routing import Map, Rule\n"
         'urls = Map([Rule("/u/<name>/<int:n>", endpoint="u")]).bind("h.example")',
         'urls.build("u", {"name": "caf\u00e9", "n": 3, "x": "a b"})'),
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
    if way in ("with", "counted"):
        fasturl.install()
    # Django looks up its URLs in a module of this name.
    names: dict[str, object] = vars(sys.modules.setdefault("work", types.ModuleType("work")))
    exec(f"{work.setup}\ndef once():\n    {work.own if way == 'own' else work.call}", names)
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
    """Return the cells of a work: microseconds without and with install(), the gains, and the counted calls."""
    ways = ("without", "with", *(["own"] if WORKS[at].own else []))
    each = {way: start(folder, at, way) for way in ways}
    count = max(1, int(20e6 / ask(each["without"], 20)))
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for way, process in each.items():
            best[way] = min(best.get(way, float("inf")), ask(process, count))
    for process in each.values():
        process.communicate()
    delegated = json.loads(start(folder, at, "counted").communicate("100\n")[0].splitlines()[-1])
    calls = delegated.pop("", 0)
    part = sum(delegated.values()) / calls if calls else 0.0
    gains = [table.times(best["without"] / best[way]) if way in best else "–" for way in ("with", "own")]
    shown = [f"{best['without'] / 1000:,.1f}", f"{best['with'] / 1000:,.1f}", *gains]
    return [*shown, f"{calls / 100:,.0f}", table.share(part)]


def install_programs(folder: Path) -> dict[str, str]:
    """Return the name with the version of each installed program, by its name."""
    python = folder / "env/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    found = {}
    for pinned in PROGRAMS:
        if subprocess.run([str(python), "-m", "pip", "install", "-q", pinned], capture_output=True).returncode:
            print(f"{pinned}: pip cannot install it", file=sys.stderr)
        name, _, version = pinned.partition("==")
        found[name] = version
    return found


def main() -> None:
    parser = table.arguments_of("bench.programs", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(int(options.child[0]), options.child[1])
    folder = options.folder.resolve()
    versions = install_programs(folder)
    rows = []
    for at, work in enumerate(WORKS):
        try:
            rows.append([f"{work.name} {versions.get(work.package, '')}".strip(), work.what, *gain(folder, at)])
        except (ValueError, IndexError, BrokenPipeError):
            print(f"{work.name}: it does not run here", file=sys.stderr)
            continue
        print(*rows[-1], sep="  ", file=sys.stderr)
    head = ["program", "work", "without, µs", "with, µs", "gain", "fasturl's own", "calls", "delegated"]
    lines = table.grid(head, rows)
    table.show(lines, "programs", options.update)


if __name__ == "__main__":
    main()
