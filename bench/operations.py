"""The measured operations: the inputs, and one row per peer.

A row's call is timed literally, in a plain ``for`` loop. All rows of an operation have the same loop, inputs and reads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench import inputs, views
from bench.madeup import to_bytes
from bench.views import View


@dataclass(frozen=True)
class Row:
    """One peer in one operation.

    kind     the class of the work, see bench/peers.py
    call     the timed expression, over the operation's variables, or over ``xs`` if ``whole``
    uses     the names in the call, each as ``module:name``
    reads    attributes to read from the result
    view     how the answer is compared with urllib's
    data     the input is bytes, encoded before the clock starts
    whole    the call is an iterator over all inputs
    """

    peer: str
    kind: str
    call: str
    uses: tuple[str, ...]
    reads: tuple[str, ...] = ()
    view: View = views.PLAIN
    data: bool = False
    whole: bool = False

    @property
    def label(self) -> str:
        return f"{self.call} .{' .'.join(self.reads)}" if self.reads else self.call

    def prepare(self, item: Any) -> Any:
        return to_bytes(item) if self.data else item


@dataclass(frozen=True)
class Operation:
    """Inputs and rows. The first row is urllib's; the other answers are compared with its answers.

    caught   the timed loop catches exceptions, and no input is left out
    goals    for fasturl's first row: (peer, how many times as fast)
    per_second  the goal in inputs per second
    """

    name: str
    title: str
    inputs: Callable[[Sequence[str]], list[Any]]
    rows: tuple[Row, ...]
    variables: str = "x"
    unit: str = "URL"
    caught: bool = False
    goals: tuple[tuple[str, float], ...] = ()
    per_second: float = 0


def row(peer: str, kind: str, call: str, *uses: str, **more: Any) -> Row:
    return Row(peer, kind, call, uses, **more)


def drop_in(function: str, call: str, kind: str, *uses: str) -> tuple[Row, Row]:
    """The same call of urllib.parse and of fasturl; the answers must agree in value and type."""
    return (
        Row("urllib", kind, call, (f"urllib.parse:{function}", *uses), view=views.SAME),
        Row("fasturl", kind, call, (f"fasturl:{function}", *uses), view=views.SAME),
    )


READ_URLLIB = ("scheme", "hostname", "port", "path", "query")
READ_WHATWG = ("protocol", "hostname", "port", "pathname", "search")
READ_HTTPTOOLS = ("schema", "host", "port", "path", "query")
READ_LIBURLPARSER = ("protocol", "host_text", "port", "abspath", "query")
READ_YARL = ("scheme", "raw_host", "port", "raw_path", "raw_query_string")


def urllib_split(view: View = views.SAME, **more: Any) -> Row:
    return row("urllib", "split", "urlsplit(x)", "urllib.parse:urlsplit", view=view, **more)


def ours(call: str = "parse(x)", kind: str = "split", view: View = views.NINE, **more: Any) -> Row:
    return row("fasturl", kind, call, f"fasturl:{call.partition('(')[0]}", view=view, **more)


def httptools(**more: Any) -> Row:
    return row("httptools", "validate", "parse_url(x)", "httptools:parse_url", view=views.SIX_OF_HTTPTOOLS, **more)


def yarl_url(**more: Any) -> Row:
    return row("yarl", "normalise", "URL(x)", "yarl:URL", view=views.SIX_OF_YARL, **more)


def splitters(read: bool) -> tuple[Row, ...]:
    """All splitters, one URL per call; with ``read``, five parts of the result are read as well."""

    def reads(names: tuple[str, ...]) -> tuple[str, ...]:
        return names if read else ()

    whatwg: dict[str, Any] = {"reads": reads(READ_WHATWG), "view": views.SIX_OF_WHATWG}
    return (
        urllib_split(reads=reads(READ_URLLIB)),
        ours(reads=reads(READ_URLLIB)),
        ours("urlsplit(x)", view=views.SAME, reads=reads(READ_URLLIB)),
        row("can_ada", "normalise", "parse(x)", "can_ada:parse", **whatwg),
        row("ada_url", "normalise", "URL(x)", "ada_url:URL", **whatwg),
        httptools(reads=reads(READ_HTTPTOOLS), data=True),
        yarl_url(reads=reads(READ_YARL)),
        row("crup", "normalise", "parse(x)", "crup:parse", reads=reads(READ_URLLIB), view=views.SIX),
        row("liburlparser", "normalise", "Url(x)", "liburlparser:Url", reads=reads(READ_LIBURLPARSER),
            view=views.SIX_OF_LIBURLPARSER),
    )  # fmt: skip


QUOTER = "bench.peers:quoter"
UNQUOTER = "bench.peers:unquoter"
QUOTE_ROWS = (
    *drop_in("quote", "quote(x)", "quote"),
    row("yarl", "quote", "quoter(x)", QUOTER),
    row("pyurlc", "quote", "quote(x)", "pyurlc:quote"),
)
UNQUOTE_ROWS = (
    *drop_in("unquote", "unquote(x)", "quote"),
    row("yarl", "quote", "unquoter(x)", UNQUOTER),
    row("pyurlc", "quote", "unquote(x)", "pyurlc:unquote"),
)
QUOTE_GOALS = (("urllib", 25.0), ("yarl", 2.5))

SINGLE = (
    Operation("parse", "one URL in, one object out", list, splitters(read=False),
              goals=(("urllib", 20.0), ("can_ada", 2.5))),
    Operation("parse-read", "one URL in, five of its parts read", list, splitters(read=True),
              goals=(("httptools", 2.0),)),
    Operation("urlsplit", "urllib's own SplitResult", list, (
        *drop_in("urlsplit", "urlsplit(x)", "split"),
        row("yarl", "split", "split_url(x)", "yarl._parse:split_url", view=(tuple, tuple)),
    ), goals=(("urllib", 10.0),)),
    Operation("urlparse", "urllib's own ParseResult", list, drop_in("urlparse", "urlparse(x)", "split")),
    Operation("bytes", "bytes in, an object of bytes out (ASCII: urllib takes no other)", inputs.ascii_bytes,
              (urllib_split(), ours(), ours("urlsplit(x)", view=views.SAME), httptools())),
    Operation("bytes-read", "bytes in, five parts read as bytes", inputs.ascii_bytes,
              (urllib_split(reads=READ_URLLIB), ours(reads=READ_URLLIB), httptools(reads=READ_HTTPTOOLS)),
              goals=(("httptools", 2.0),)),
    Operation("target", "request targets of an access log, made up, all forms", inputs.targets, (
        urllib_split(views.SIX), ours("parse(x, form='request-target')", view=views.SIX),
        httptools(data=True), yarl_url(),
    )),
    Operation("repeats", "in a log's proportions: 6 of 7 URLs seen before, the caches at work", inputs.repeats,
              (*drop_in("urlsplit", "urlsplit(x)", "split"), ours())),
)  # fmt: skip

QUOTING = (
    Operation("quote", "work to do: a whole URL, so at least its colon", list, QUOTE_ROWS, goals=QUOTE_GOALS),
    Operation("quote-nothing", "nothing to do: host and path", inputs.paths, QUOTE_ROWS, goals=(("urllib", 10.0),)),
    Operation("quote-url", "escape what may not stand in a URL, keep what is reserved or escaped", list, (
        *drop_in("quote", "quote(x, REQUESTS_SAFE)", "quote", "bench.inputs:REQUESTS_SAFE"),
        row("yarl", "quote", "url_quoter(x)", "bench.peers:url_quoter"),
        row("w3lib", "normalise", "safe_url_string(x)", "w3lib.url:safe_url_string"),
    )),
    Operation("quote-plus", "of a whole URL", list, drop_in("quote_plus", "quote_plus(x)", "quote")),
    Operation("unquote", "work to do: a quoted whole URL", inputs.quoted, UNQUOTE_ROWS, goals=QUOTE_GOALS),
    Operation("unquote-nothing", "nothing to do: URLs without a %", inputs.without_escapes, UNQUOTE_ROWS,
              goals=(("urllib", 10.0),)),
)  # fmt: skip

QUERY_AND_JOIN = (
    Operation("parse-qsl", "a query into pairs, empty values kept", inputs.queries, (
        *drop_in("parse_qsl", "parse_qsl(x, True)", "split"),
        row("yarl", "split", "query_to_pairs(x)", "yarl._parse:query_to_pairs", view=views.PAIRS),
        row("ada_url", "normalise", "list(URLSearchParams(x).items())", "ada_url:URLSearchParams", view=views.PAIRS),
    ), unit="query", goals=(("urllib", 8.0),)),
    Operation("urlencode", "pairs into a query", inputs.query_pairs, (
        *drop_in("urlencode", "urlencode(x)", "quote"),
        row("yarl", "quote", "get_str_query_from_sequence_iterable(x)",
            "yarl._query:get_str_query_from_sequence_iterable"),
    ), unit="query", goals=(("urllib", 8.0),)),
    Operation("query-value", "one parameter of a URL: the first `id`, or None", inputs.with_query, (
        row("urllib", "split", "dict(parse_qsl(urlsplit(x).query, True)[::-1]).get('id')", "urllib.parse:parse_qsl",
            "urllib.parse:urlsplit"),
        ours("query_value(x, 'id')", view=views.PLAIN),
        row("can_ada", "normalise", "URLSearchParams(parse(x).search).get('id')", "can_ada:URLSearchParams",
            "can_ada:parse"),
        row("yarl", "normalise", "URL(x).query.get('id')", "yarl:URL"),
    )),
    Operation("urljoin", "a reference against a base, a new base each time", inputs.references, (
        *drop_in("urljoin", "urljoin(base, ref)", "split"),
        row("ada_url", "normalise", "join_url(base, ref)", "ada_url:join_url"),
        row("yarl", "normalise", "str(URL(base).join(URL(ref)))", "yarl:URL"),
    ), variables="base, ref", goals=(("urllib", 8.0),)),
    Operation("urljoin-page", "fifty references to each base, the caches at work", inputs.page_references,
              drop_in("urljoin", "urljoin(base, ref)", "split"), variables="base, ref"),
)  # fmt: skip


def in_bulk(name: str, peer: str, peer_kind: str, peer_call: str, peer_uses: str, *views_of: View) -> tuple[Row, ...]:
    """A function over all inputs: urllib's, fasturl's bulk function, fasturl's function, and a peer's."""
    kind, theirs = ("split", "urlsplit") if name == "parse" else ("quote", name)
    first, own, other = views_of or (views.PLAIN,) * 3
    return (
        row("urllib", kind, f"map({theirs}, xs)", f"urllib.parse:{theirs}", whole=True, view=first),
        row("fasturl", kind, f"{name}_many(xs)", f"fasturl:{name}_many", whole=True, view=own),
        row("fasturl", kind, f"map({name}, xs)", f"fasturl:{name}", whole=True, view=own),
        row(peer, peer_kind, peer_call, peer_uses, whole=True, view=other),
    )


BATCH = (
    Operation("parse-many", "an iterator over all, each result dropped", list,
              in_bulk("parse", "can_ada", "normalise", "map(parse, xs)", "can_ada:parse",
                      views.SAME, views.NINE, views.SIX_OF_WHATWG), per_second=12e6),
    Operation("quote-many", "quote over all, work to do", list,
              in_bulk("quote", "yarl", "quote", "map(quoter, xs)", QUOTER)),
    Operation("unquote-many", "unquote over all, work to do", inputs.quoted,
              in_bulk("unquote", "yarl", "quote", "map(unquoter, xs)", UNQUOTER)),
)  # fmt: skip

REFUSERS = (
    urllib_split(views.PLAIN),
    ours("urlsplit(x)", view=views.PLAIN),
    ours("parse(x, strict=True)", "validate", view=views.PLAIN),
    ours(view=views.PLAIN),
    row("can_ada", "normalise", "parse(x)", "can_ada:parse"),
    row("ada_url", "normalise", "URL(x)", "ada_url:URL"),
    row("httptools", "validate", "parse_url(x)", "httptools:parse_url", data=True),
    row("yarl", "normalise", "URL(x)", "yarl:URL"),
)
ERRORS = (
    Operation("validate", "is this a URL? 20,000 made up, all valid by RFC 1738", inputs.valid, (
        urllib_split(views.VALID), ours("parse(x, strict=True)", "validate"),
        row("can_ada", "validate", "can_parse(x)", "can_ada:can_parse", view=views.TRUE),
        row("ada_url", "validate", "check_url(x)", "ada_url:check_url", view=views.TRUE),
    )),
    Operation("errors-10", "one URL in ten malformed, each exception caught", inputs.with_malformed(1), REFUSERS,
              caught=True),
    Operation("errors-100", "every URL malformed, each exception caught", inputs.with_malformed(10), REFUSERS,
              caught=True),
)  # fmt: skip

OPERATIONS = {operation.name: operation for operation in (*SINGLE, *BATCH, *QUOTING, *QUERY_AND_JOIN, *ERRORS)}
