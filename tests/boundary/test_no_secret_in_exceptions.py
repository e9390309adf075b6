"""No exception of a public callable shows the secrets of a URL passed as any argument. Every callable is called with a
URL that has a password and a token: as str, as bytes and inside containers, for each parameter in turn and for all of
them. The same message as urllib's own function is allowed: that is the drop-in's contract."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import itertools
import types
import urllib.parse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fasturl
from fasturl import Finding
from fasturl._quoted import quoted
from fasturl.engines import ENGINES
from fasturl.rfc1738 import CharClass
from fasturl.schemes import decompose

SECRETS = ("S3CR3T", "T0K3N")
URL = "https://me:S3CR3T@h.example/a?x=1&token=T0K3N#access_token=T0K3N"
BYTES = URL.encode()
HOSTILE: tuple[Any, ...] = (
    URL, BYTES, bytearray(BYTES), memoryview(BYTES), [URL], (URL,), {URL}, {URL: URL}, {"format": URL}, [[URL]],
    [BYTES], {"url": {"field": URL}}, Path(URL), "x" + URL,
)  # fmt: skip
# Values for the parameters that are not tried.
BENIGN: tuple[Any, ...] = ("http://h.example/a?b=c", ["http://h.example/a?b=c"], b"http://h.example/", 1)
MODULES = ("fasturl", "fasturl.schemes", "fasturl.arrow", "fasturl.logs", "fasturl.domains",
           *(f"fasturl.engines.{name}" for name in ENGINES))  # fmt: skip
# These change the process, or start another one, with any argument.
LEFT_ALONE = {"install", "uninstall"}
INSTANCES: tuple[Any, ...] = (
    fasturl.parse("http://h.example:80/a?b=c#d"), fasturl.parse(b"http://h.example/", form="request-target"),
    CharClass.ALPHA, Finding.CONTROL, *(
        decompose(url) for url in (
            "ftp://u:p@h/a;type=i", "http://h/a?b", "gopher://h/1a", "mailto:a@h", "news:a.b", "nntp://h/a/1", "telnet://h",
            "wais://h/a", "file:///a", "prospero://h/a;b=c", "x-a://h/b",
        )
    ),
)  # fmt: skip


def test_quoted_hides_bounds_and_escapes() -> None:
    assert quoted(URL) == "'https://me:***@h.example/a?x=1&token=***'"
    assert quoted(BYTES) == "b'https://me:***@h.example/a?x=1&token=***'"
    assert quoted("\x1b[31m\u202ea\n") == "'\\x1b[31m\\u202ea\\n'"
    assert len(quoted("x" * 10**6)) < 200 and len(quoted("\x00" * 10**6)) < 500
    assert quoted([URL]) == "<list>" and quoted(10**100) == "<int>" and quoted(None) == "None"
    # A password is hidden before the text is cut to the quoted length.
    assert "S3CR3T" not in quoted("http://me:" + "S3CR3T" * 100 + "@h/")


def _told(error: BaseException | None, seen: set[int]) -> Iterator[str]:
    """Yield all text of an exception and of its causes."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield from (str(error), repr(error), repr(error.args), *getattr(error, "__notes__", ()))
    yield repr({name: value for name, value in vars(error).items() if isinstance(value, (str, bytes))})
    yield from _told(error.__cause__, seen)
    yield from _told(error.__context__, seen)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _told(each, seen)


def _raised(call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> BaseException | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call(*args, **kwargs)
            if isinstance(result, Iterator):
                list(itertools.islice(result, 3))
            elif hasattr(result, "read_all"):
                result.read_all()
    except Exception as error:
        return error
    return None


def _callables(holder: Any, names: list[str]) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in names:
        if name in LEFT_ALONE or (name.startswith("_") and name not in ("_replace", "_asdict")):
            continue
        try:
            value = getattr(holder, name)
        except (AttributeError, ValueError):
            continue
        if callable(value):
            yield name, value


def _all_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module_name in MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        names = list(getattr(module, "__all__", None) or dir(module))
        for name, function in _callables(module, names):
            home = str(getattr(function, "__module__", "fasturl"))
            if home.startswith("fasturl") and not isinstance(function, types.ModuleType):
                yield f"{module_name}.{name}", function
        if hasattr(module, "__getattr__"):
            yield f"{module_name}.__getattr__", module.__getattr__
    for instance in INSTANCES:
        for name, method in _callables(instance, dir(instance)):
            yield f"{type(instance).__name__}.{name}", method


CALLABLES = dict(_all_callables())


def _calls(function: Callable[..., Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Yield arguments: each hostile value for each parameter beside benign ones, and for all parameters."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        for value in HOSTILE:
            for count in (1, 2, 3):
                yield (value,) * count, {}
        return
    named = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    required = [each for each in named if each.default is each.empty]
    for value in HOSTILE:
        for tried in named:
            for benign in BENIGN if len(required) > (tried in required) else BENIGN[:1]:
                given = {each.name: benign for each in required if each is not tried}
                order = [each for each in named if each.name in given or each is tried]
                args = []
                for each in order:
                    if each.kind is each.KEYWORD_ONLY:
                        break
                    if named[len(args)] is not each:
                        break
                    args.append(value if each is tried else benign)
                rest = {each.name: value if each is tried else benign for each in order[len(args) :]}
                yield tuple(args), rest
        if any(each.kind is each.VAR_POSITIONAL for each in parameters):
            yield (BENIGN[0], value), {}
        if any(each.kind is each.VAR_KEYWORD for each in parameters):
            yield (BENIGN[0],) * len(required), {"other": value}
            if isinstance(value, str):
                yield (BENIGN[0],) * len(required), {value: value}
        yield (value,) * len(required), {}


def _is_urllibs(name: str, error: BaseException, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return True if the function is one of urllib.parse's and urllib raises the same exception."""
    short = name.removeprefix("fasturl.")
    if short not in urllib.parse.__all__:
        return False
    own = _raised(getattr(urllib.parse, short), args, kwargs)
    return type(own) is type(error) and str(own) == str(error)


@pytest.mark.parametrize("name", CALLABLES)
def test_no_exception_shows_a_secret(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function = CALLABLES[name]
    leaks = []
    for args, kwargs in _calls(function):
        error = _raised(function, args, kwargs)
        if error is None:
            continue
        told = "\n".join(_told(error, set()))
        if any(secret in told for secret in SECRETS) and not _is_urllibs(name, error, args, kwargs):
            leaks.append((args, kwargs, told[:300]))
    assert not leaks, f"{len(leaks)} calls: {leaks[0]}"


def test_callables_of_each_kind_are_tried() -> None:
    assert len(CALLABLES) > 150
    wanted = {"fasturl.parse", "URL.span", "Ftp.commands"}
    if importlib.util.find_spec("pyarrow"):
        wanted |= {"fasturl.arrow.parse", "fasturl.logs.read"}
    assert wanted <= set(CALLABLES)
