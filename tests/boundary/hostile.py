"""Call public functions with arguments whose methods lie: ``hostile.py NAME ...``; ``arrow`` names all column
functions. Each argument in turn is replaced by an equal object of a subclass. All of its methods, or one, give the same
wrong answer: True, the object itself, an object of another type, or an exception. A crash ends a process by a signal.
So each NAME has its own process, forked where possible. Print a line of JSON per NAME: the name, the exit status (below
0: the signal) and the end of the process's output."""

import inspect
import os
import random
import subprocess
import sys
import urllib.parse
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from alone import run_in_a_fork, tell

import fasturl
import fasturl.schemes
from fasturl import rfc1738, schemes
from fasturl.rfc1738 import CharClass

BASES = (str, bytes, bytearray, int, list, dict, tuple)
KEPT = {"__class__", "__delattr__", "__dict__", "__dir__", "__doc__", "__getattribute__", "__init__",
        "__init_subclass__", "__new__", "__reduce__", "__reduce_ex__", "__setattr__", "__sizeof__", "__subclasshook__",
        "__release_buffer__"}  # fmt: skip


def _raises(*args: Any, **kwargs: Any) -> Any:
    raise ZeroDivisionError


ANSWERS: dict[str, Callable[..., Any]] = {
    "true": lambda *args, **kwargs: True,
    "itself": lambda *args, **kwargs: args[0],
    "list": lambda *args, **kwargs: [b"\xff", "\ud800", -1],
    "number": lambda *args, **kwargs: 1 << 70,
    "negative": lambda *args, **kwargs: -1,
    "text": lambda *args, **kwargs: "http://another.example/",
    "bytes": lambda *args, **kwargs: b"http://another.example/",
    "raises": _raises,
}

# Without --all, each argument meets every method once, with a random answer.
ALL = os.environ.get("FASTURL_ALL") == "1"
choices = random.Random(1738)


@cache
def hostile_class(base: type, which: str, how: str) -> type:
    return type("Hostile", (base,), dict.fromkeys(method_names(base) if which == "all" else [which], ANSWERS[how]))


@cache
def method_names(base: type) -> list[str]:
    return sorted(
        {*dir(base), "__bytes__", "__index__", "__int__", "__bool__", "__iter__", "__len__", "__str__"} - KEPT
    )


def hostile_classes(base: type) -> Iterator[tuple[str, type]]:
    for which in ("all", *method_names(base)):
        answers = [*ANSWERS]
        for how in answers if ALL or which == "all" else [choices.choice(answers)]:
            yield f"{base.__name__}, {which}: {how}", hostile_class(base, which, how)


def attributes(url: Any) -> Any:
    parts = [getattr(url, name) for name in ("scheme", "username", "password", "hostname", "host", "netloc", "path")]
    return [*parts, url.query, url.fragment, url.findings, url.error_offset, repr(url), str(url), hash(url)]


def part_of_url(name: str) -> Callable[..., Any]:
    return lambda *args, **kwargs: getattr(fasturl.parse("http://u:p@h:80/a?b=c"), name)(*args, **kwargs)


URL = "http://u:p@h:8080/a;b?c=%41&d#f"
BYTES = (URL.encode(), bytearray(URL.encode()))
TEXTS: list[tuple[Any, ...]] = [(URL,), ("http://h/\u20ac/é",), ("ftp://h/a",), *((data,) for data in BYTES)]
PAIRS = [("a", "b"), ("c", 1)]
PARTS = ("http", "h", "/a", "q", "f")

# Each public callable with the arguments to replace. The functions above stand for methods of classes.
CALLS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "parse": (lambda *a, **k: attributes(fasturl.parse(*a, **k)), TEXTS),
    "parse_many": (lambda *a: [attributes(u) for u in fasturl.parse_many(*a)], [([URL],), ((URL.encode(), URL),)]),
    "parse_many items": (lambda *a: [attributes(u) for u in fasturl.parse_many(a)], TEXTS),
    "problems": (fasturl.problems, TEXTS),
    "decompose": (lambda text, **k: repr(schemes.decompose(text, strict=False, **k)), TEXTS),
    "normalize": (fasturl.normalize, TEXTS),
    "readings": (fasturl.readings, TEXTS),
    "resolve": (fasturl.resolve, [("http://h/a/b", "../c"), (b"http://h/%41", b"//x/y")]),
    "equivalent": (fasturl.equivalent, [("http://h:80", "http://h/é"), (b"http://h/%41", b"HTTP://h/A")]),
    "find_urls": (lambda text: [*map(tuple, fasturl.find_urls(text))], [("a <URL:http://h/ a#b> c",), (b"<URL:x:y>",)]),
    "wrap_url": (fasturl.wrap_url, [("http://h/a", "f"), (b"http://h/a", b"f"), (bytearray(b"http://h/a"),)]),
    "classify": (rfc1738.classify, [(65,), (-5,), (1 << 20,), ("ab",), (b"",), ("~",), (b"/",), (bytearray(b"%"),)]),
    "classify_bytes": (rfc1738.classify_bytes, [(b"a/%",), (bytearray(b"a/%"),)]),
    "escape": (rfc1738.escape, [("a b/é",), (b"a b/\xff" * 400,), (bytearray(b"a"),)]),
    "escape classes": (rfc1738.escape, [("a/b", int(CharClass.XCHAR)), ("a", 1 << 20), ("a", -9)]),
    "escape_login": (rfc1738.escape_login, [("a@b:é",), (b"a@\xff",)]),
    "unescape": (rfc1738.unescape, [("%41é%",), (b"%41" * 400,), (bytearray(b"%41"),)]),
    "unquote_safe": (fasturl.unquote_safe, [("%41%00é",), (b"%41%00",), ("%E9", "latin-1", "strict")]),
    "query_value": (fasturl.query_value, [(URL, "c"), (URL.encode(), b"c"), (URL, "x")]),
    "redact": (fasturl.redact, [(URL, "c"), (URL, ["c", "d"]), (URL.encode(), (b"c",)), *TEXTS]),
    "quote_many": (lambda *a: list(fasturl.quote_many(*a)), [(["a b", b"\xff"], "/"), (("a b",),)]),
    "quote_many items": (lambda *a: list(fasturl.quote_many(a)), [("a b",), (b"\xff",)]),
    "unquote_many": (lambda *a: list(fasturl.unquote_many(*a)), [(["%41", b"%ff"],)]),
    "unquote_many items": (lambda *a: list(fasturl.unquote_many(a)), [("%41",), (b"%ff",)]),
    "URL.replace": (lambda host: fasturl.parse("http://h/").replace(host=host).text, [("g",)]),
    "URL._replace": (lambda path: str(fasturl.parse("http://h/")._replace(path=path)), [("/a",)]),
    "URL.span": (part_of_url("span"), [("host",)]),
    "URL.redact": (part_of_url("redact"), [(["b"],), ("b",)]),
    "URL.__getitem__": (part_of_url("__getitem__"), [(1,)]),
    "URL.__contains__": (part_of_url("__contains__"), [("h",)]),
    "URL.__eq__": (part_of_url("__eq__"), [(PARTS,)]),
    "_restore": (
        lambda *a: attributes(fasturl._fastparse._restore(*a)),
        [(URL, "url", 0, "rfc1738"), (b"x:y", "url", 1, "rfc3986")],
    ),
    "FoundURL": (lambda *a: repr(fasturl.FoundURL(*a)), [(("http://u:p@h/", 0, 1, None),)]),
    "Problem": (fasturl.Problem, [(1, 2, 3, "m")]),
    "InvalidURL": (fasturl.InvalidURL, [("m", 1, "host", 3, "3.1")]),
    "UnbuildableURL": (fasturl.UnbuildableURL, [("m", "host", 3, "3.1")]),
    "UnsafeURL": (fasturl.UnsafeURL, [("m", "host", 3, "3.1")]),
    "hpath": (schemes.hpath, [(["a", "b"],), (("a",),)]),
    "is_experimental": (schemes.is_experimental, [("x-a",)]),
    "register": (lambda *a: schemes.register(a[0], default_port=a[1]), [("x-taken", 5), ("http", 80)]),
    "Dict": (lambda *a: schemes.Dict(*a).geturl(), [("h", 2629, "m", "w", "d", "s", "1", "u", "a")]),
    "Ftp": (lambda *a: schemes.Ftp(*a).geturl(), [("u", "p", "h", 21, ("a",), "n", "i")]),
    "Http": (lambda *a: schemes.Http(*a).geturl(), [("h", 81, "a", "b")]),
    "Https": (lambda *a: schemes.Https(*a).geturl(), [("h", 81, "a", "b")]),
    "Gopher": (lambda *a: schemes.Gopher(*a).geturl(), [("h", 71, "1", "s", "t", "p")]),
    "Mailto": (lambda *a: schemes.Mailto(*a).geturl(), [("a@b",)]),
    "News": (lambda *a: schemes.News(*a).geturl(), [("a.b",), (None, "a@b")]),
    "Nntp": (lambda *a: schemes.Nntp(*a).geturl(), [("h", 120, "g", "5")]),
    "Telnet": (lambda *a: schemes.Telnet(*a).geturl(), [("u", "p", "h", 24)]),
    "Wais": (lambda *a: schemes.Wais(*a).geturl(), [("h", 211, "d", "s"), ("h", 211, "d", None, "t", "p")]),
    "File": (lambda *a: schemes.File(*a).geturl(), [("h", ("a", "b"))]),
    "Prospero": (lambda *a: schemes.Prospero(*a).geturl(), [("h", 1526, "o", (("a", "b"),))]),
    "Generic": (lambda *a: schemes.Generic(*a).geturl(), [("x", "//h/a")]),
    "PlusKind": (schemes.PlusKind, [("ask",)]),
    "Registered": (schemes.Registered, [("x", "generic", 5, schemes.Generic)]),
    "urlsplit": (fasturl.urlsplit, [(URL, "x", 1), *TEXTS]),
    "urlparse": (fasturl.urlparse, [(URL, "x", 1), *TEXTS]),
    "urldefrag": (fasturl.urldefrag, TEXTS),
    "urljoin": (fasturl.urljoin, [(URL, "../x"), (URL.encode(), b"../x")]),
    "urlunsplit": (fasturl.urlunsplit, [(PARTS,), (list(PARTS),)]),
    "urlunsplit parts": (lambda *a: fasturl.urlunsplit(a), [PARTS]),
    "urlunparse": (fasturl.urlunparse, [((*PARTS, "f"),)]),
    "urlunparse parts": (lambda *a: fasturl.urlunparse(a), [(*PARTS, "f")]),
    "quote": (fasturl.quote, [("a b/é", "/", "utf-8", "strict"), (b"a \xff", b"/")]),
    "quote_plus": (fasturl.quote_plus, [("a b/é", "/", "utf-8", "strict"), (b"a \xff", b"/")]),
    "quote_from_bytes": (fasturl.quote_from_bytes, [(b"a \xff", "/"), (bytearray(b"a \xff"),)]),
    "unquote": (fasturl.unquote, [("%41é", "utf-8", "replace"), (b"%41",)]),
    "unquote_plus": (fasturl.unquote_plus, [("%41+é", "utf-8", "replace")]),
    "unquote_to_bytes": (fasturl.unquote_to_bytes, [("%41é",), (b"%41",), (bytearray(b"%41"),)]),
    "parse_qsl": (fasturl.parse_qsl, [("a=%41&b=é", 1, 0, "utf-8", "replace", 9, "&"), (b"a=1&b", True)]),
    "parse_qs": (fasturl.parse_qs, [("a=%41&b=é", 1, 0, "utf-8", "replace", 9, "&"), (b"a=1&b", True)]),
    "urlencode": (fasturl.urlencode, [(PAIRS, 0, "/"), (dict(PAIRS),), (tuple(PAIRS), 1)]),
    "urlencode items": (lambda *a: fasturl.urlencode([a], doseq=True), [("k", "v"), (b"k", ["v"]), (1, ("v",))]),
}
CALLS |= {
    "fetch_refusal": (fasturl.fetch_refusal, [(URL, ["http"], [80], ["global"]), (URL.encode(), "ftp", (), "any")]),
    "is_fetchable": (fasturl.is_fetchable, [(URL, ["http"], [80], ["global"]), (URL.encode(), "ftp", None, ())]),
    "HostList": (lambda *a: len(fasturl.HostList(a[0], errors=a[1])), [(["h", b"i"], "raise"), (b"h\n/", "ignore")]),
    "blocks": (fasturl.blocks, [(URL, ["h"]), (URL.encode(), [b"h", "i"]), (URL, b"h\nx")]),
    "allows": (fasturl.allows, [(URL, ["h"]), (URL.encode(), [b"h", "i"]), (URL, b"h\nx")]),
    "surt": (fasturl.surt, TEXTS),
    "set_params": (fasturl.set_params, [(URL, {"c": "d"}), (URL.encode(), {b"d": [b"e"]})]),
    "keep_params": (fasturl.keep_params, [(URL, "c"), (URL.encode(), [b"d"])]),
    "is_local_redirect": (fasturl.is_local_redirect, [(URL, "h"), (URL.encode(), ["h"], True)]),
    "drop_params": (fasturl.drop_params, [(URL, "c"), (URL, ["c"]), (URL.encode(), b"d")]),
    "query_values": (lambda *a: [*fasturl.query_values(*a).values()], [(URL, ["c", "d"]), (URL.encode(), [b"c"])]),
    "drop_parts": (fasturl.drop_parts, [(URL, "query"), (URL.encode(), "fragment", "login")]),
    "path_template": (lambda url, keep=(): fasturl.path_template(url, keep=keep), [("/a/123/b", ["a"]), (b"/a/5",)]),
    "path_prefixes": (lambda url, limit: fasturl.path_prefixes(url, limit=limit), [("/a/b/c", 2), (b"/a/b", -5)]),
    "url_prefixes": (lambda url, limit: fasturl.url_prefixes(url, limit=limit), [(URL, 2), (URL.encode(), 1 << 40)]),
    "dedup_key": (lambda url, drop=None: fasturl.dedup_key(url, drop=drop), [(URL, ["c"]), *TEXTS]),
}
# The other functions that take only a URL.
for _name in fasturl.__all__:
    if str(getattr(getattr(fasturl, _name), "__text_signature__", "")).startswith("(url, *") and _name not in CALLS:
        CALLS[_name] = (getattr(fasturl, _name), TEXTS)


def _of_columns() -> dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]]:
    """Return a call for each setting of each column function, or nothing without pyarrow."""
    try:
        import pyarrow as pa

        from fasturl import arrow
    except ImportError:
        return {}
    texts, data = pa.array([URL, "/a/b?c=d", None]), pa.array([*BYTES[:1], b"%ff", None], pa.binary())
    settings: dict[str, list[Any]] = {
        "safe": ["/", b"/"], "name": ["c", b"c"], "default": ["x"], "keys": ["c", ["c"], (b"c",)],
        "names": ["c", ["c", "d*"]], "drop": ["c", ["c"]], "keep": [["a"]], "fields": [["path", "host"]],
        "form": ["request-target"], "strings": ["view", "string"], "threads": [1, -1], "limit": [2],
        "base": ["http://h/x"], "encoding": ["latin-1"], "errors": ["strict"], "scheme": ["http"],
    }  # fmt: skip
    needed = {"name": "c", "names": ["c"], "base": "http://h/x", "scheme": "http"}
    calls: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {}
    for name in sorted(arrow.__all__):
        function = getattr(arrow, name)
        if name in ("schema", "parse_batches", "Strings", "drop_parts") or not callable(function):
            continue
        parameters = inspect.signature(function).parameters
        others = {key: value for key, value in needed.items() if key in parameters}
        for key in settings.keys() & parameters.keys():

            def call(value: Any, function: Any = function, key: str = key, others: Any = others) -> Any:
                columns = (texts, texts) if "b" in inspect.signature(function).parameters else (texts,)
                found = function(*columns, **{**others, key: value})
                return found.to_pylist() if hasattr(found, "to_pylist") else found

            calls[f"arrow.{name} {key}"] = call, [(value,) for value in settings[key]]
    calls["arrow.drop_parts parts"] = lambda *parts: arrow.drop_parts(data, *parts).to_pylist(), [("query", "login")]
    calls["arrow.schema fields"] = lambda fields: str(arrow.schema(fields)), [(["path"],)]
    return calls


CALLS |= _of_columns()
# These are delegated to urllib if an argument's exact type is not str, bytes or bool.
DROPIN = {*(name for name in urllib.parse.__all__ if "Result" not in name), "quote_many", "unquote_many"}
# These store their arguments as given. Later results depend on the arguments' methods.
KEEPERS = {"FoundURL", "InvalidURL", "Problem", "Registered", "UnbuildableURL", "UnsafeURL", "PlusKind",
           "URL.__contains__", "URL.__eq__", "hpath", "is_experimental", "register",
           *(name for name in CALLS if isinstance(getattr(schemes, name, None), type))}  # fmt: skip


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, function(*args)
    except Exception as error:
        return False, type(error)


def variants(args: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for i, value in enumerate(args):
        if type(value) in BASES:
            for how, cls in hostile_classes(type(value)):
                yield f"argument {i}: {how}", (*args[:i], cls(value), *args[i + 1 :])
        if isinstance(value, (list, tuple)):
            for k, item in enumerate(value):
                if type(item) in BASES:
                    for how, cls in hostile_classes(type(item)):
                        changed = type(value)([*value[:k], cls(item), *value[k + 1 :]])
                        yield f"argument {i}[{k}]: {how}", (*args[:i], changed, *args[i + 1 :])


def lie_to(name: str) -> None:
    """Run one of CALLS with each argument replaced in turn."""
    function, cases = CALLS[name]
    theirs = getattr(urllib.parse, name, None) if name in DROPIN else None
    wrong = []
    for args in cases:
        plain = outcome(function, args)
        for label, changed in variants(args):
            print(name, label, file=sys.stderr)
            found = outcome(function, changed)
            if name.partition(" ")[0] in DROPIN | KEEPERS:
                if theirs is not None and found[0] != outcome(theirs, changed)[0]:
                    wrong.append((label, "ends as urllib's does not"))
            elif found[0] and (not plain[0] or type(found[1]) is not type(plain[1]) or found[1] != plain[1]):
                wrong.append((label, type(found[1])))
    assert not wrong, wrong


def run_alone(name: str) -> None:
    """Run the CALLS whose names start with `name`. The column functions share a process: pyarrow imports slowly."""
    for one in [one for one in CALLS if one == name or one.startswith(f"{name}.")]:
        lie_to(one)


def status_of(name: str, written: int) -> int:
    if hasattr(os, "fork"):
        return run_in_a_fork(partial(run_alone, name), written)
    return subprocess.run([sys.executable, __file__, "--alone", name], stderr=written).returncode


if __name__ == "__main__":
    if sys.argv[1] == "--alone":
        run_alone(sys.argv[2])
    else:
        for one in sys.argv[1:]:
            tell(one, partial(status_of, one))
