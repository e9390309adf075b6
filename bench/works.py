"""What real programs do with URLs, for ``bench.programs``: a work each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """name, the package that pip installs for it (empty: the standard library), what is done, and how."""

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
