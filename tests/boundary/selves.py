"""Misuse the methods and functions of the extensions: ``selves.py JOB NAME ...``. JOB ``wrong``: call every method of
an extension type with a ``self`` of another type. ``raw``: make objects without their initialisation and use all their
attributes. ``functions``: call every function of a module with arguments of wrong types. Each NAME has its own process.
Print a line of JSON per NAME: the name, the exit status (below 0: the signal) and the end of the process's output. JOB
``types``: print the names of the types."""

import copy
import gc
import inspect
import itertools
import json
import os
import pickle
import struct
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from alone import run_in_a_fork, tell

import fasturl
from fasturl.schemes import productions

FILES = Path(fasturl.__file__).parent.glob("_*")
MODULES = sorted({path.name.partition(".")[0] for path in FILES if path.name.endswith(tuple(EXTENSION_SUFFIXES))})
EXTENSIONS = {name: import_module(f"fasturl.{name}") for name in MODULES}
_fastparse, _urllib, _functions = EXTENSIONS["_fastparse"], EXTENSIONS["_urllib"], EXTENSIONS["_functions"]
_columns, _accesslog = EXTENSIONS["_columns"], EXTENSIONS["_accesslog"]

# A column of short texts: offsets, then their bytes.
ROWS = 9
TEXTS = _columns.PooledBuffer(64 + 4 * ROWS)
memoryview(TEXTS)[:] = struct.pack("=10i24x", *range(0, 4 * (ROWS + 1), 4)) + b"a:b?" * ROWS

# One sound object per extension type, except private types and _Many, which only has subclasses.
SOUND: dict[str, Callable[[], Any]] = {
    "_accesslog.LineTemplate": lambda: _accesslog.LineTemplate([("word", "client", 32, b" ", b"")], False),
    "_accesslog.ObjectTemplate": lambda: _accesslog.ObjectTemplate([("target", b"a", 0)], [b"b"], "json", 0, True),
    "_accesslog.RouteTable": lambda: _accesslog.RouteTable([(0, b"b?", 1)], [], [-1, 0], [0]),
    "_columns.Columns": lambda: _columns.Columns([]),
    "_columns.CopiedTexts": lambda: _columns.CopiedTexts(ROWS),
    "_columns.Copies": lambda: _columns.Copies(["host"], ROWS, [0]),
    "_columns.InputColumn": lambda: _columns.InputColumn(
        "offsets32", 0, ROWS, (0, 0), (TEXTS.address, 4 * (ROWS + 1)), [(TEXTS.address + 64, 4 * ROWS)]
    ),
    "_columns.OutputColumns": lambda: _columns.OutputColumns(("host",), _columns.PooledBuffer(16 * ROWS, 8 * ROWS)),
    "_columns.PooledBuffer": lambda: _columns.PooledBuffer(4096),
    "_columns.Text": lambda: _columns.Columns([]).lines(end=3),
    "_columns.Views": lambda: _columns.Views(0, 0, [], 0),
    "_columns.Work": lambda: _columns.quoting("/"),
    "_fastparse.Findings": lambda: _fastparse.Findings("http://h:x/ #", "url", 0xFFFFFFFF),
    "_fastparse.Productions": lambda: productions.compile('part = "a"'),
    "_fastparse.URL": lambda: fasturl.parse("http://u:p@h:1/a?b#c"),
    "_fastparse._Counted": lambda: _fastparse._Counted(len),
    "_fastparse._ParseMany": lambda: fasturl.parse_many(["http://h/"]),
    "_functions.FoundURL": lambda: next(fasturl.find_urls("<URL:http://h/#f>")),
    "_functions.Function": lambda: _functions._plain_function("origin"),
    "_functions.Gather": lambda: _functions._values_of(["a"], text=True),
    "_functions.HostList": lambda: _functions.HostList(["a.b"]),
    "_functions.Names": lambda: _functions.Names(["a"], True),
    "_functions.Suffixes": lambda: _functions.Suffixes([(b"com", False, False, False)]),
    "_functions._Extract": lambda: fasturl.find_urls("<URL:http://h/>"),
    "_urllib._QuoteMany": lambda: fasturl.quote_many(["a b"]),
    "_urllib._SchemeList": lambda: _urllib._SchemeList("uses_netloc"),
    "_urllib._UnquoteMany": lambda: fasturl.unquote_many(["a%20b"]),
}


def _below(cls: type) -> Iterator[type]:
    for one in type.__subclasses__(cls):
        yield one
        yield from _below(one)


def extension_types() -> dict[str, type]:
    """Return every type of the extensions and of Cython's runtime by name."""
    found: dict[str, type] = {"_functions.FoundURL": fasturl.FoundURL}
    for cls in _below(object):
        module = str(cls.__module__)
        if module.removeprefix("fasturl.") in EXTENSIONS or module == type(fasturl.urlsplit).__module__:
            found[f"{module.removeprefix('fasturl.')}.{cls.__name__}"] = cls
    return dict(sorted(found.items()))


class Pretender:
    """Claims to be of every type."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    @property
    def __class__(self) -> Any:
        return self.cls


ARGUMENTS: list[tuple[Any, ...]] = [
    (), (None,), ("a",), (b"a",), (0,), (-1,), (1 << 70,), ((),), ([],), ({},), (object,), (None, None), ("a", "b"),
    (1, 2), ([None], "url"), (None, None, None), ("a", "url", 1), ([()], True), ((1, 2), {}),
]  # fmt: skip
ALL = os.environ.get("FASTURL_ALL") == "1"
calls = 0


def used(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return the result of a call, or its exception."""
    global calls
    calls += 1
    try:
        return call(*args, **kwargs)
    except Exception as error:
        return error


def unsound() -> Iterator[Any]:
    """Yield an uninitialised object of every extension type that allows one."""
    for cls in extension_types().values():
        made = used(cls.__new__, cls)
        if not isinstance(made, Exception):
            yield made


def call_with_wrong_selves(name: str) -> None:
    cls = extension_types()[name]
    selves = [None, object(), 1, "", b"", [], (), cls, Pretender(cls), *(make() for make in SOUND.values()), *unsound()]
    selves = [one for one in selves if not issubclass(type(one), cls)]
    for label, attribute in vars(cls).items():
        if label == "__new__":  # static: its argument is a class
            for one in selves:
                assert one is cls or isinstance(used(attribute, one), TypeError), (label, one)
        elif callable(attribute) and not isinstance(attribute, (type, classmethod, staticmethod)):
            for one, args in itertools.product(selves, ARGUMENTS):
                print(label, type(one), args, file=sys.stderr)
                error = used(attribute, one, *args)
                refused = isinstance(error, TypeError) and "descriptor" in str(error)
                # FoundURL's repr is a plain function and accepts any object that it can unpack.
                assert refused or (name, label) == ("_functions.FoundURL", "__repr__"), (label, type(one), args, error)
        elif hasattr(type(attribute), "__set__") and not isinstance(attribute, type):
            for one in selves[1:]:  # with None, a descriptor returns itself
                print(label, type(one), file=sys.stderr)
                assert isinstance(used(attribute.__get__, one, cls), TypeError), (label, one)
                assert isinstance(used(attribute.__set__, one, 1), (TypeError, AttributeError)), (label, one)
                assert isinstance(used(attribute.__delete__, one), (TypeError, AttributeError)), (label, one)


def use_everything(one: Any) -> None:
    """Read, write and call every attribute of an object, and pass the object to functions that take any object."""
    for label in dir(type(one)):
        if label in ("__class__", "__new__", "__init_subclass__", "__subclasshook__"):
            continue
        print(type(one), label, file=sys.stderr)
        value = used(getattr, one, label)
        if callable(value):
            for args in ARGUMENTS:
                # The methods of Views take numbers as addresses, for which the caller is responsible.
                if not (type(one) is _columns.Views and any(type(number) is int for number in args)):
                    used(value, *args)
        for wrong in (None, 1, -1, 1 << 70, "a"):
            used(setattr, one, label, wrong)
        used(delattr, one, label)
    plain: list[Callable[[Any], Any]] = [
        repr, str, bytes, len, bool, hash, iter, next, list, tuple, dict, sorted, abs, int, float, dir, vars,
        memoryview, bytearray, copy.copy, copy.deepcopy, gc.get_referents, sys.getsizeof, inspect.signature,
        lambda one: one == one, lambda one: one != None, lambda one: one < one, lambda one: one + one,  # noqa: E711
        lambda one: one[0], lambda one: one["a"], lambda one: 1 in one, lambda one: {one: 1}, lambda one: one(),
        lambda one: [*itertools.islice(one, 9)], lambda one: f"{one}", lambda one: one.__enter__(),
        lambda one: setattr(one, "__class__", object), lambda one: setattr(one, "other", 1),
        fasturl.parse, fasturl.problems, fasturl.find_urls, fasturl.urlsplit, fasturl.quote, fasturl.unquote,
    ]  # fmt: skip
    for call in plain:
        used(call, one)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        used(pickle.dumps, one, protocol)
    for cls in extension_types().values():
        used(setattr, one, "__class__", cls)


def use_raw_objects(name: str) -> None:
    cls = extension_types()[name]
    refusal = used(object.__new__, cls)
    assert isinstance(refusal, TypeError), refusal
    classes = [cls]
    try:
        classes.append(type("Derived", (cls,), {}))
        classes.append(type("Silent", (cls,), {"__init__": lambda self, *args: None}))
    except TypeError:
        pass  # it is final
    for one in classes:
        objects = 0
        for args in ARGUMENTS:
            print(one, args, file=sys.stderr)
            made = used(one.__new__, one, *args)
            if isinstance(made, Exception):
                continue
            objects += 1
            if ALL or objects <= 2:
                use_everything(made)
            del made
            gc.collect()
    if name in SOUND:
        use_everything(SOUND[name]())
    gc.collect()


# Arguments for the extensions' functions, by the parameter's name, or by the function's and the parameter's.
# Addresses point into this memory, which has room for ROWS rows.
MEMORY = _columns.PooledBuffer(1 << 20)
ADDRESSES = {"validity", "offsets", "views", "numbers", "findings", "values", "counts", "sums", "last", "group_of",
             "row_of", "sizes", "same", "data", "address", "fields", "targets", "status", "arena", "size",
             "columns bytes"}  # fmt: skip
VALUES: dict[str, Callable[[], Any]] = {
    **dict.fromkeys(("source", "other", "bases"), SOUND["_columns.InputColumn"]),
    **dict.fromkeys(("url", "text", "string", "a", "b", "byte_or_char"), lambda: "http://u:p@h/a?b=%41#d"),
    **dict.fromkeys(("keys", "names", "drop", "keep", "strings", "urls", "parts"), lambda: ["query"]),
    **dict.fromkeys(("line", "written", "bytes", "buffer", "base", "bs"), lambda: b"http://h/"),
    **dict.fromkeys(("end", "separator"), lambda: ROWS),
    "allocate": lambda: lambda count: (MEMORY.address,) * (3 if count == 66 else 2),
    "caller": lambda: "parse()",
    "components": lambda: ("http", "h", "/", "", ""),
    "data": lambda: b"a",
    "default": lambda: "",
    "function": SOUND["_functions.Function"],
    **dict.fromkeys(("hosts", "not_hosts"), SOUND["_functions.HostList"]),
    "join": lambda: fasturl.urljoin,
    "mark": lambda: "***",
    "module": lambda: "fasturl",
    "name": lambda: "query",
    "replace": lambda: lambda *given: b"*",
    "out": SOUND["_columns.OutputColumns"],
    "qs": lambda: "a=b",
    "query": lambda: {"a": "b"},
    "rules": SOUND["_functions.Suffixes"],
    "safe": lambda: "/",
    "standard": lambda: "rfc1738",
    "take": lambda: lambda needed, used: (MEMORY.address, 1 << 16, 0),
    "texts": SOUND["_columns.CopiedTexts"],
    "work": SOUND["_columns.Work"],
    "valuing_each names": SOUND["_columns.InputColumn"],
    "_break text": lambda: "h",
    "_domain_function name": lambda: "subdomain",
    "_fetch_refusal_function addresses": lambda: "global",
    "_fetch_refusal_function ports": lambda: [80],
    "_fetch_refusal_function schemes": lambda: ["http"],
    "gather_numbers work": lambda: _functions._depths(),
    "_list_function name": lambda: "blocks",
    "_name_bytes text": lambda: True,
    "_bytes_tell name": lambda: b"a",
    "_place url": SOUND["_fastparse.URL"],
    "_plain_function name": lambda: "origin",
    "_split_login part": lambda: "//h/",
    "_split_login shape": lambda: 0,
    "_shown self": SOUND["_functions.FoundURL"],
    "_restore form": lambda: "url",
    "behind_prefix prefix": lambda: "COMPOSE",
    "applying function": SOUND["_functions.Function"],
    "classify byte_or_char": lambda: "a",
    "finding_lists capacity": lambda: 64,
    "gather_lists names": SOUND["_columns.CopiedTexts"],
    "gather_lists values": SOUND["_columns.CopiedTexts"],
    "gather_lists work": lambda: _functions._listing("query"),
    "gather_values columns": lambda: [(SOUND["_columns.CopiedTexts"](), MEMORY.address)],
    "gather_values work": SOUND["_functions.Gather"],
    "is_ascii size": lambda: 64,
    "is_request_target form": lambda: "url",
    "join_lines count": lambda: ROWS,
    "encode_words data": lambda: MEMORY.address,
    "not_utf8 offsets": lambda: TEXTS.address,
    "not_utf8 data": lambda: TEXTS.address,
    "read_lines arena_size": lambda: 1 << 16,
    "read_lines blocks": lambda: [b"x\n"],
    "read_lines count": lambda: 9,
    "read_lines separator": lambda: 10,
    "read_lines figures": lambda: (MEMORY.address,) * len(_accesslog.NUMBER_NAMES),
    "read_lines validity": lambda: (MEMORY.address,) * len(_accesslog.VIEW_NAMES + _accesslog.NUMBER_NAMES),
    "read_lines views": lambda: (MEMORY.address,) * len(_accesslog.VIEW_NAMES),
    "read_urls blocks": lambda: [b"http://h/\n"],
    "read_urls count": lambda: 9,
    "read_urls separator": lambda: 10,
    "unescape text": lambda: b"a",
    "urlunparse components": lambda: ("http", "h", "/", "", "", ""),
    "shift_offsets base": lambda: 0,
    "urljoin base": lambda: "http://h/",
    "zero_rows name": lambda: "host",
}
# These change the process's state, or need an argument that nothing here makes.
NOT_CALLED = {"_let_texts_change", "_use_kernel", "exchange", "new_trampoline", "register_scheme", "take_results"}


def functions_of(module: Any) -> dict[str, Callable[..., Any]]:
    """Return the functions that an extension itself defines, public or private."""
    return {
        label: function
        for label, function in sorted(vars(module).items())
        if callable(function) and not isinstance(function, type) and function.__module__ == module.__name__
    }


def good_arguments(label: str, parameters: list[inspect.Parameter]) -> dict[str, Any]:
    good = {}
    for one in parameters:
        value = VALUES.get(f"{label} {one.name}") or VALUES.get(one.name)
        if value is not None and (one.default is one.empty or one.name == "rules"):
            good[one.name] = value()
        elif one.name in ADDRESSES and one.default is one.empty:
            good[one.name] = MEMORY.address
        else:
            good[one.name] = 0 if one.default is one.empty else one.default
    return good


def call_function(function: Callable[..., Any], parameters: list[inspect.Parameter], values: dict[str, Any]) -> Any:
    by_place = []
    for one in parameters:
        if one.kind is one.VAR_POSITIONAL:
            by_place += values[one.name] if isinstance(values[one.name], (list, tuple)) else [values[one.name]]
        elif one.kind is not one.KEYWORD_ONLY:
            by_place.append(values[one.name])
    by_name = {one.name: values[one.name] for one in parameters if one.kind is one.KEYWORD_ONLY}
    made = used(function, *by_place, **by_name)
    if hasattr(made, "__next__"):
        used(list, made)
    return made


def call_functions(name: str) -> None:
    module = EXTENSIONS[name]
    sound = [make() for make in SOUND.values()]
    plain = [None, object(), "", "\u20ac", b"", b"a", [], (), {}, [None], (None,), lambda *args: None]
    wrong = [*plain, *sound, *unsound()]
    for label, function in functions_of(module).items():
        if label in NOT_CALLED:
            continue
        parameters = list(inspect.signature(function).parameters.values())
        made = call_function(function, parameters, good_arguments(label, parameters))
        assert not isinstance(made, Exception), (label, made)
        for at, parameter in enumerate(parameters):
            good = good_arguments(label, parameters)[parameter.name]
            # A wrong number is an address or a size, for which the caller is responsible.
            numbers = [] if isinstance(good, int) else [-1, 5, 1 << 70, True]
            for value in [*wrong, *numbers]:
                print(label, parameter.name, at, type(value), file=sys.stderr)
                call_function(function, parameters, {**good_arguments(label, parameters), parameter.name: value})
        used(function)
        used(function, *[None] * 12)
        used(function, nonsense=1)


JOBS = {"wrong": call_with_wrong_selves, "raw": use_raw_objects, "functions": call_functions}


def run_alone(job: str, name: str) -> None:
    JOBS[job](name)
    assert calls > 10, "nothing was called"


if __name__ == "__main__":
    if sys.argv[1] == "types":
        print(json.dumps([*extension_types()]))
    for one in sys.argv[2:]:
        tell(one, partial(run_in_a_fork, partial(run_alone, sys.argv[1], one)))
