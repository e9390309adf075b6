"""What bench.growth measures: every public callable, command and log format, and the texts that attackers repeat.

Everything is found by its name or its signature. A new function, method, command or format is measured without an edit
here. A new parameter or class needs a row in REQUIRED, OPTIONAL or INSTANCES. `subjects` raises until it has one.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import json
import os
import tempfile
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import fasturl

Shape = tuple[str, str, str]  # beginning, repeated part, end
Prepared = Callable[[], object]
Maker = Callable[[str], Any]  # of an argument, from a hostile text


@dataclass(frozen=True)
class Subject:
    """A call to measure. `prepare` makes its arguments from a text and returns the call, which is counted alone."""

    name: str
    prepare: Callable[[str], Prepared]
    shapes: tuple[Shape, ...]


def _shapes(head: str, units: Iterable[str], tail: str = "") -> Iterator[Shape]:
    return ((head, unit, tail) for unit in units)


_QUERY = ("@", "%", ":;", "[]", ".&=", "<", "\\", "\t", "%25%", "a=%4", "&;=", "%C2%80", "\u00e9%41", "=a//x:@")
# Texts of URLs: what a query, a host, a login, running text, a path and each scheme can repeat.
URLS: tuple[Shape, ...] = (
    *_shapes("http://h/?", _QUERY),
    *_shapes("http://", ("^", "@", "%", ":", "[", ".", "a.", "\\", "0", "%41", "\u00e9.", "\uff0e")),
    *_shapes("http://u:", ("@", "%zz", "@:/", "a")),
    *_shapes("", ("/../", "?#", "//", "URL:x://#", "<http://", "(x://)", "'x://'", "-\n", "<URL:", "\udc80")),
    *_shapes("<URL:", ("URL:", "<URL:x>", "x://.", "a://", "< ", "-\n")),
    *_shapes("http://h/", ("a/../", ";a=1", "%2F/", "\u00e9/", " ", "%e2%80%ae")),
    ("gopher://h/1%09%09+%091%0D%0A+-1%0D%0A", "a%0D%0A", ".%0D%0A"),
    ("ftp://h/", "a/", ";type=a"),
    ("mailto:", "%E9@", ""),
    ("news:", "a@", "h"),
    ("nntp://h/a/", "9", ""),
    ("wais://h/", "a/", ""),
    ("prospero://h/;", "a=b;", ""),
    ("dict://h/d:", "a:", ""),
    ("foo://", "a:1,", "b/"),
    ("foo://", "a", "@h/?b@c"),
    ("telnet://", "a:", "@h/"),
    ("http://[", ":", "]/"),
    ("http://h:", "0", "80/"),
)
_CLF = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /'
# Texts of logs: prefixes, objects, delimiters and quotes, pieces of lines, whole lines, and what one field repeats.
LOGS: tuple[Shape, ...] = tuple(
    chain(
        _shapes("", ("2015-05-17T10:05:03Z ", "2015-05-17T10:05:03Z 2015-05-17T10:05:03Z a: ", "web_1  | ", "a: ")),
        _shapes("", ("May  7 10:05:03 web1 nginx: ", "2016-10-06T00:17:09.669794202Z stdout F ", "<13>", "\x1b[31m")),
        _shapes("", ('{"log":', '{"a":1,', "[[", '"', '\\"', '" ', "\\x22", "\x00", "\u00e9", "\udcff", "\t", " ")),
        _shapes("", ("k=v ", 'k="v" ', "a:b\t", "a,b;", ",", "|", "#Fields: a ", "#Fields: a\n", "\n", "\r", "a\n")),
        _shapes("", ("192.0.2.1 ", "192.0.2.1, ", "2001:db8::1 ", "192.0.2.1 - - [", '"GET / HTTP/1.1" 200 ')),
        _shapes("", ("[17/May/2015:10:05:03 +0000] ", "17/May/2015 ", "10:05:03 ", "GET ", "/a ", "http://h/ ")),
        _shapes("", ("5", "-", "[", "1 ", "0.001 ", "x ", "a.b.c ")),
        _shapes("", (f'{_CLF} HTTP/1.1" 200 1 "-" "-"\n', '{"a":1}\n', "a\tb\n", "http://h/\n")),
        _shapes('{"url":"', ("\\u0025", "\\", "\\ud83d", "%5C", "[", "{"), '","status":200,"method":"GET"}'),
        _shapes('{"a":', ("[", '{"a":')),
        _shapes(_CLF, ("^", '\\"', "%zz", "a=1&", "\\x22", "@"), ' HTTP/1.1" 200 1'),
    )
)
# What an address may begin with, and what may hide it.
ADDRESSES: tuple[Shape, ...] = tuple(
    chain(
        _shapes(
            "", ("1:", "a:", "::", ":", "1.", "1.1 ", "1.2.3.4", "0:0:0:0:0:0:0:0:", "ab:", "1", "%31:", "::1%25", " 1")
        ),
        _shapes("1", ("%25", "%2525:", "\\", "\\.", "%5C", "%5C%5Cu", "%u003", "\\u0025", "%", "%253A", "\\u003a")),
    )
)
# Texts of formats of logs.
FORMATS: tuple[Shape, ...] = (
    *_shapes("LogFormat ", ('\\"', '"', '" ', "\\", "{")),
    *_shapes("log_format a ", ("\\'", "'", "' ", '\\"', "a ", "'$uri' ")),
    *_shapes("%U ", ("%{", "{", "a", "%h ", "%!200,200,200", "%{a}i ", "%{%Y}t ", "%%", "\\t")),
    *_shapes('%d %r "', ("~h{", "~h{} ", "%^ ", "~", "%U%q ")),
    *_shapes("$uri ", ("${", "${a", "$uri$args ", "$a ", "$scheme://$host$uri ", "{")),
    *_shapes("%{", ("%Y", "T"), "}t %U"),
    (" ", " ", "%U"),
)
# Texts of a grammar with a production: the URLs of a registered scheme.
PRODUCTIONS: tuple[Shape, ...] = tuple(_shapes("ftp://", ("a", "a.", "/", "%41", "%", "-", "@", ";=", "\xff")))


def encoded(t: str) -> bytes:
    return t.encode(errors="surrogatepass")


def lines(t: str) -> list[bytes]:
    return encoded(t).splitlines()


def _constant(value: Any) -> Maker:
    return lambda t: value


# How to make the argument of a required parameter. `owner.function.parameter` comes before `parameter`.
REQUIRED: dict[str, Maker] = {
    **dict.fromkeys(("a", "b", "base", "ref", "url", "text", "string", "qs", "name"), str),
    **dict.fromkeys(("fragment", "message", "scheme", "netloc", "path", "params", "query", "username"), str),
    **dict.fromkeys(("host", "why", "refusal", "reads"), str),
    **dict.fromkeys(("buffer", "bs", "bytes", "data"), encoded),
    **dict.fromkeys(("names", "segments"), lambda t: [t, "a*b*c"]),
    **dict.fromkeys(("query_values.names", "arrow.query_values.names"), lambda t: [t.replace("*", "a"), "b"]),
    **dict.fromkeys(("query_value.name", "arrow.query_value.name"), lambda t: t.replace("*", "a")),
    "hosts": lambda t: fasturl.HostList([t, "a.b"], errors="ignore"),
    "is_local_redirect.hosts": lambda t: [t, "a*b*c"],
    "set_params.params": lambda t: {t: [t, "a"], "b": None},
    **dict.fromkeys(("urls", "strings"), lambda t: [t, t]),
    **dict.fromkeys(("column", "arrow.equivalent.a", "arrow.equivalent.b"), lambda t: [t, None, t]),
    "source": lines,
    "arrow.parse_batches.source": lambda t: [[t, t]],
    "logs.parse_lines.column": lines,
    "logs.parse_lines.format": _constant("COMBINED"),
    "logs.json_format.fields": lambda t: {"url": t, "client": "a"},
    "components": lambda t: ("http", "h", t, t, t),
    "urlunparse.components": lambda t: ("http", "h", t, t, t, t),
    "urlencode.query": lambda t: {"a": t, t: [t, 1]},
    "arrow.urljoin.base": lambda t: f"http://h/{t}",
    "arrow.decompose.scheme": _constant("http"),
    "classify.byte_or_char": _constant("a"),
    "schemes.register.name": _constant("http"),  # is refused, as http is known
}
# Alternatives of optional parameters. Each one is measured with every text.
OPTIONAL: dict[str, tuple[Maker, ...]] = {
    "form": (_constant("request-target"),),
    "standard": (_constant("rfc3986"),),
    "mark": (_constant("X"),),
    "user": (_constant(True),),
    "encoding": (_constant("latin-1"),),
    "errors": (_constant("ignore"),),
    **dict.fromkeys(("parse_many.errors", "quote_many.errors", "unquote_many.errors"), (_constant("null"),)),
    "strings": (_constant("view"),),
    "otherwise": (_constant("keep"),),
    "addresses": (_constant("any"),),
    **dict.fromkeys(("schemes", "keys", "drop", "keep", "is_local_redirect.hosts"), (lambda t: [t, "a"],)),
    **dict.fromkeys(("safe", "default", "separator", "fragment", "scheme"), (str,)),
    **dict.fromkeys(("time_format", "date_format", "productions"), (str,)),
    "ports": (_constant([80]),),
    **dict.fromkeys(("hosts", "not_hosts"), (lambda t: fasturl.HostList([t, "a.b"], errors="ignore"),)),
    **dict.fromkeys(("exact", "private_suffixes"), (_constant(True),)),
    "limit": (_constant(64),),  # each prefix is a copy
    "width": (_constant(60),),
    "max_num_fields": (_constant(1 << 30),),
    "threads": (_constant(1),),
    "rows": (_constant("url"),),
    "parts": (_constant("login"),),
    "fields": (_constant(["url"]),),
    **dict.fromkeys(
        ("arrow.parse.fields", "arrow.parse_batches.fields", "arrow.schema.fields"),
        (lambda t: list(fasturl.arrow.FIELDS),),
    ),
    "allowed": (_constant(fasturl.rfc1738.CharClass.SAFE),),
}
# These choose how rows are grouped, or have a value that is looked up.
_NO_ALTERNATIVE = {"args", "batch_rows", "dataclass", "default_port", "dictionary", "format", "kwargs", "line",
                   "memory_limit", "quote_via", "rules", "shape"}  # fmt: skip
# Objects whose methods and properties are measured. Dataclasses are filled field by field.
INSTANCES: dict[str, Maker] = {
    "URL": lambda t: fasturl.parse(t),
    "HostList": lambda t: fasturl.HostList([t, "a.b"], errors="ignore"),
    "DefragResult": lambda t: fasturl.urldefrag(t),
    "SplitResult": lambda t: fasturl.urlsplit(t),
    "ParseResult": lambda t: fasturl.urlparse(t),
    "logs.Format": lambda t: fasturl.logs.detect(lines(t)),
    "logs.LogReader": lambda t: fasturl.logs.read([b"http://h/" + encoded(t)], format="URLS"),
    "logs.Routes": lambda t: fasturl.logs.Routes.learn(["/" + t, *("/" + part for part in t.split("/"))]),
    "logs.LogFormat": lambda t: fasturl.logs.line_format("%U " + t),
}
_ABSTRACT = {"schemes.SchemeParts"}
_ARGUMENTS_OF_METHODS: dict[str, tuple[Any, ...]] = {
    "span": ("path",),
    "kwargs": ("sqlalchemy",),
    "match": (["/a/b"],),
    "may_show_password_of": ("http://u:p@h/",),
    **dict.fromkeys(("blocks", "allows"), (r"http://h\@www.a.b/",)),
}
# Classes that only keep what they are given.
_KEEPERS = (tuple, enum.Enum, Exception)
_NOT_OF_A_TEXT = {"install", "uninstall"}
MODULES = ("", "arrow", "logs", "schemes")
_SHORT = "http://h.example/a?b=c"


def shapes_of(name: str) -> tuple[Shape, ...]:
    if name.startswith("logs.line_format"):
        return FORMATS
    return LOGS if name.startswith("logs.") else URLS


def _use(value: object) -> object:
    """Do what a caller does with a result: read an iterator, build the rows."""
    if isinstance(value, Iterator):
        return list(value)
    return value.read_all() if hasattr(value, "read_all") else value


def _row(table: dict[str, Any], kind: str, name: str, parameter: str) -> Any:
    """Return the row of a parameter. Raise LookupError if the table has none."""
    row = table.get(f"{name}.{parameter}", table.get(parameter))
    if row is None:
        raise LookupError(f"{name}: the parameter {parameter} has no row in {kind} of bench/growth_subjects.py")
    return row


def _prepare(
    function: Callable[..., object],
    makers: dict[str, Maker],
    hostile: frozenset[str],
    stars: tuple[Maker, ...],
    named: dict[str, Maker],
    is_bytes: bool,
    t: str,
) -> Prepared:
    arguments = [make(t if key in hostile else _SHORT) for key, make in makers.items()]
    if is_bytes:
        arguments = [encoded(each) if isinstance(each, str) else each for each in arguments]
    arguments += [make(t) for make in stars]
    more = {key: make(t) for key, make in named.items()}
    return lambda: _use(function(*arguments, **more))


def _function_subjects(name: str, function: Callable[..., object]) -> Iterator[Subject]:
    """Yield a function with a hostile text in all parameters, in one of them, as bytes, and with each alternative."""
    makers: dict[str, Maker] = {}
    alternatives: list[tuple[str, Maker]] = []
    stars: tuple[Maker, ...] = ()
    for parameter in inspect.signature(function).parameters.values():
        key = parameter.name
        if key in _NO_ALTERNATIVE and parameter.default is not parameter.empty:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            stars = _row(OPTIONAL, "OPTIONAL", name, key)
        elif parameter.default is parameter.empty:
            makers[key] = _row(REQUIRED, "REQUIRED", name, key)
        elif isinstance(parameter.default, bool):
            alternatives.append((key, _constant(not parameter.default)))
        else:
            alternatives += [(key, row) for row in _row(OPTIONAL, "OPTIONAL", name, key)]
    whole, shapes = frozenset(makers), shapes_of(name)

    def subject(
        label: str, hostile: frozenset[str] = whole, is_bytes: bool = False, named: dict[str, Maker] | None = None
    ) -> Subject:
        return Subject(label, partial(_prepare, function, makers, hostile, stars, named or {}, is_bytes), shapes)

    yield subject(name)
    if len(makers) > 1:
        for key in makers:
            yield subject(f"{name}: hostile {key}", frozenset((key,)))
    for number, (key, make) in enumerate(alternatives):
        yield subject(f"{name}: {key} {number}", named={key: make})
    raw = subject(f"{name}: bytes", is_bytes=True)
    if "." not in name and str in makers.values() and _accepts(raw):
        yield raw


def _accepts(subject: Subject) -> bool:
    """Return False for a function that takes no bytes, as unquote_plus of urllib does."""
    try:
        subject.prepare("a=b")()
    except TypeError:
        return False
    except ValueError:
        pass
    return True


def _members(cls: type) -> Iterator[str]:
    """Yield the methods and properties of a class that do something: no stored values and no constructors."""
    for name in dir(cls):
        static = inspect.getattr_static(cls, name)
        if name.startswith("_") or isinstance(static, (classmethod, staticmethod)) or name in ("count", "index"):
            continue
        if inspect.isroutine(static) or isinstance(static, property) or inspect.isgetsetdescriptor(static):
            yield name


def _prepare_member(make: Maker, name: str, t: str) -> Prepared:
    instance = make(t)

    def read() -> object:
        value = getattr(instance, name)
        return _use(value(*_ARGUMENTS_OF_METHODS.get(name, ()))) if callable(value) else value

    return read


def _class_subjects(name: str, cls: type) -> Iterator[Subject]:
    """Yield the construction of an object and each of its methods and properties."""
    make = INSTANCES.get(name, partial(_filled, cls) if dataclasses.is_dataclass(cls) else None)
    if make is None:
        if not (issubclass(cls, _KEEPERS) or name in _ABSTRACT):
            raise LookupError(f"{name}: the class has no row in INSTANCES of bench/growth_subjects.py")
        return
    yield Subject(name, partial(partial, make), shapes_of(name))
    for member in ("__repr__", *_members(cls)):
        yield Subject(f"{name}.{member}", partial(_prepare_member, make, member), shapes_of(name))


def _filled(cls: Callable[..., object], t: str) -> object:
    """Return an object of a dataclass with the text in each field that holds text."""
    kinds = typing.get_type_hints(cls)
    values: dict[str, object] = {}
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        kind = str(kinds[field.name])
        if "tuple[tuple[str, int" in kind:
            values[field.name] = tuple((part, 1) for part in t.split("/"))
        elif "tuple[tuple[str, str" in kind:
            values[field.name] = tuple((part, part) for part in t.split("/"))
        elif "tuple[str" in kind:
            values[field.name] = tuple(t.split("/"))
        elif "bytes" in kind:
            values[field.name] = encoded(t)
        elif field.name == "scheme":
            values[field.name] = "foo"
        elif "str" in kind:
            values[field.name] = t
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            values[field.name] = len(t)
    return cls(**values)


def _log_subjects() -> Iterator[Subject]:
    """Yield the reading of hostile lines as each format, and what several functions use with texts of their own."""
    from fasturl import arrow, logs
    from fasturl._accesslog import find_addresses
    from fasturl.cli.outputs.located import Place
    from fasturl.logs.addresses import Anonymizer
    from fasturl.logs.redaction import Redaction
    from fasturl.logs.routes import Routes
    from fasturl.schemes.productions import compile

    def parse_lines(log: str, t: str) -> Prepared:
        return partial(logs.parse_lines, lines(t), log)

    for log in logs.LOG_NAMES:
        yield Subject(f"logs.parse_lines: {log}", partial(parse_lines, log), LOGS)
    recogniser, redaction, anonymizer = compile("p = ftpurl"), Redaction(("token",)), Anonymizer(key=b"k" * 16)

    def edit(t: str) -> Prepared:
        """Change what stands before and after many different escapes."""
        url = "/?a=1&b=%s&a=2" % "".join(chr(0x100 + i % 0x8000) for i in range(len(t) >> 3))
        place = Place(json.dumps({"u": url}).encode(), url.encode(), "url")
        return partial(place.edit, url.replace("a=", "a=x").encode())

    def rows(t: str) -> list[str]:
        return [f"http://h/{i}" for i in range(len(t) >> 6)]

    def route(t: str) -> Prepared:
        """Learn routes from a path and its parts, and match them, and two routes with many ways, to the path."""
        paths = [encoded("/" + t), *(b"/" + part for part in encoded(t).split(b"/"))]
        several = Routes(["/a/{b}/{path}", "/{a}" * 30, "/{a}/b" * 15])

        def work() -> None:
            Routes.learn(paths).match(paths)
            several.match(paths)

        return work

    yield Subject("logs.routes.Routes", route, URLS)
    yield Subject("cli.outputs.located.Place.edit", edit, URLS)
    yield Subject("_accesslog.find_addresses", lambda t: partial(find_addresses, encoded(t)), (*ADDRESSES, *LOGS))
    yield Subject("logs.addresses.Anonymizer.line", lambda t: partial(anonymizer.line, encoded(t), b"a.b"), LOGS)
    yield Subject("arrow.equivalent: one text", lambda t: partial(arrow.equivalent, rows(t), t), URLS)
    yield Subject("arrow.urljoin: one base", lambda t: partial(arrow.urljoin, "http://h/a?" + t, rows(t)), URLS)
    yield Subject("schemes.productions.compile", lambda t: partial(recogniser.stop, t.encode("latin-1")), PRODUCTIONS)
    yield Subject("logs.changes.Redaction.text", lambda t: partial(redaction.text, encoded(t)), LOGS)


_URLS, _COMBINED = ("--log-format", "URLS"), ("--log-format", "COMBINED")
# Options of the commands, and arguments before the input. A command that is not here has no option.
COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "parse": (
        (),
        (*_URLS, "--to", "csv"),
        (*_COMBINED, "-o", "out.parquet"),
        (*_COMBINED, "--to", "log", "--redact", "secrets", "--anonymize-client", "/24"),
    ),
    "stats": (_COMBINED, (*_COMBINED, "-t", "all", "--key", "path")),
    "check": (_URLS, (*_URLS, "--standard", "rfc3986")),
    "sql": (("SELECT count(*) FROM requests",),),
    "report": ((*_COMBINED, "-o", "out.html"),),
}
_TEXTS = {"explain", "help", "quote", "unquote"}  # commands whose argument is a text, not a file


def _command_subjects() -> Iterator[Subject]:
    import click

    from fasturl.cli.app import call, main

    folder = tempfile.mkdtemp(prefix="growth")
    null = os.open(os.devnull, os.O_WRONLY)

    def run(arguments: list[str]) -> int:
        kept = os.dup(1), os.dup(2)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            status = call(arguments)
        finally:
            for number, copy in enumerate(kept, 1):
                os.dup2(copy, number)
                os.close(copy)
        if status not in (0, 1, 2):
            raise RuntimeError(f"exit status {status}")
        return status

    def prepare(words: tuple[str, ...], t: str) -> Prepared:
        words = tuple(os.path.join(folder, word) if word.startswith("out.") else word for word in words)
        if words[0] in _TEXTS:
            given = encoded(t.replace("\0", "")).decode(errors="surrogateescape")
        else:
            given = os.path.join(folder, "input")
            with open(given, "wb") as file:
                file.write(encoded(t))
        return partial(run, [*words, "--", given])

    for name in main.list_commands(click.Context(main)):
        for options in COMMANDS.get(name, ((),)):
            shapes = URLS if name in _TEXTS | {"extract"} or "URLS" in options else LOGS
            yield Subject(" ".join(("fasturl", name, *options)), partial(prepare, (name, *options)), shapes)


def subjects() -> Iterator[Subject]:
    """Yield everything that is measured. Raise LookupError for a parameter or class that nobody has described."""
    for owner in MODULES:
        module = importlib.import_module(f"fasturl.{owner}".rstrip("."))
        for word in sorted(module.__all__):
            value, name = getattr(module, word), f"{owner}.{word}".lstrip(".")
            if word in _NOT_OF_A_TEXT or (owner and getattr(fasturl, word, None) is value):
                continue
            if isinstance(value, type):
                yield from _class_subjects(name, value)
            elif inspect.isroutine(value):
                yield from _function_subjects(name, value)
    yield from _log_subjects()
    yield from _command_subjects()
