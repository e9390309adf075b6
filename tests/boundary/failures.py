"""Fail each allocation of the calls that change shared state: ``failures.py NAME one|all``. Print how many calls
failed. `test_state_after_failures.py` imports the helpers."""

import gc
import os
import sys
import urllib.parse
from collections.abc import Callable
from typing import Any

import fasturl
from fasturl import _fastparse, _installing, schemes
from fasturl.schemes import base, productions

PRODUCTIONS = 'part = "//" hostport "/" 1*digit'
TEXTS = [*(f"{name}://u:p@h:8080/a;b?c#d" for name in ("http", "https", "ftp", "x-one", "x-two", "x-new", "x-none")),
         "x-new:abc", "x-new://h/12", "x-none:abc", "mailto:a@b", "//h/a", "X-NEW://h"]  # fmt: skip


def answer(call: Callable[..., Any], *args: Any) -> Any:
    try:
        return call(*args)
    except Exception as error:
        return type(error), str(error)


def state() -> dict[str, Any]:
    """Return all shared state that a program can see."""
    urls = [fasturl.parse(text) for text in TEXTS] + [fasturl.parse(text.encode()) for text in TEXTS]
    found: dict[str, Any] = {
        "scan": _fastparse.schemes(),                           "registered": dict(schemes.registered()),
        "readers": dict(base.readers),                          "productions": dict(base.productions),
        "parsed": [(url.scheme, url.findings, url.error_offset, url.hostname) for url in urls],
        "decomposed": [repr(answer(schemes.decompose, text)) for text in TEXTS],
        "problems": [fasturl.problems(text) for text in TEXTS],
        "equivalent": [fasturl.equivalent(text, text + "#") for text in TEXTS],
        "kernels": _fastparse._kernels(),                       "reached": _installing.reached(),
        "lists": [list(urllib.parse.uses_netloc), list(urllib.parse.uses_params), list(urllib.parse.uses_relative)],
    }  # fmt: skip
    for where in (urllib.parse, fasturl):
        found[where.__name__] = [repr(answer(getattr(where, name), text)) for text in TEXTS
                                 for name in ("urlsplit", "urlparse", "quote")]  # fmt: skip
        found[f"{where.__name__} classes"] = [type(where.urlsplit(text)) for text in (TEXTS[0], TEXTS[0].encode())]
    for name in ("urlsplit", "quote", "urlencode", "unquote"):
        found[f"code of {name}"] = getattr(_originals_of(name), "__code__", None)
    return found


def _originals_of(name: str) -> Any:
    value = vars(urllib.parse)[name]
    return getattr(value, "__wrapped__", value)


def differences(before: dict[str, Any]) -> list[str]:
    after = state()
    return [name for name in before if before[name] != after[name]]


def _appended() -> None:
    # No compiled function has looked this scheme up, so it copies urllib's list again.
    urllib.parse.uses_params.append("x-params")


def _taken_away() -> None:
    urllib.parse.uses_params.remove("x-params")


def nothing() -> None:
    pass


TABLE = productions.compile(PRODUCTIONS)

# The call, its preparation before each try, and its undoing.
CALLS: dict[str, tuple[Callable[[int], Any], Callable[[], Any], Callable[[], Any]]] = {
    "register_scheme": (lambda k: fasturl._fastparse.register_scheme(f"x-{k}", "http", 80), nothing, nothing),
    "register_scheme custom": (
        lambda k: fasturl._fastparse.register_scheme(f"x-{k}", "custom", None, TABLE), nothing, nothing,
    ),
    "register": (lambda k: schemes.register(f"x-{k}", shape="http", default_port=80), nothing, nothing),
    "register productions": (lambda k: schemes.register(f"x-{k}", productions=PRODUCTIONS), nothing, nothing),
    "install": (lambda k: fasturl.install(), nothing, fasturl.uninstall),
    "uninstall": (lambda k: fasturl.uninstall(), fasturl.install, nothing),
    "urlparse": (lambda k: fasturl.urlparse("x-params:a;b").params, _appended, _taken_away),
    "quote": (lambda k: fasturl.quote("a-\u20ac b", safe=chr(33 + k % 14)), nothing, nothing),
}  # fmt: skip
# These run compiled code only. In Python code, CPython 3.11 retries the allocation for a traceback for ever.
COMPILED = ("register_scheme", "register_scheme custom", "urlparse", "quote")
ALL = os.environ.get("FASTURL_ALL") == "1"
# These allocate so often that only every n-th allocation fails: n with --all, and without.
STEPS = {"register productions": (27, 135), "install": (1, 7)}
# These have the same result each time.
ANSWERS = {"urlparse": "b"}


def sweep(name: str, stop_after: int) -> int:
    """Fail the k-th allocation for growing k; with `stop_after` 0, all later ones too. Return how many calls failed.
    Stop when the call has made fewer than k allocations."""
    import _testcapi

    call, prepare, undo = CALLS[name]
    # The first call compiles code; there CPython 3.11 corrupts its own memory if an allocation fails.
    fasturl.install()
    fasturl.uninstall()
    unnoticed = failures = 0
    step = STEPS.get(name, (1, 1))[not ALL]
    for k in range(0, 30_000, step):
        prepare()
        before = state()
        gc.collect()
        failed = False
        _testcapi.set_nomemory(k, stop_after and k + stop_after)
        try:
            result = call(k)
        except MemoryError:
            failed = True
        finally:
            _testcapi.remove_mem_hooks()
        if failed:
            assert not (changed := differences(before)), (name, k, changed)
            failures += 1
            unnoticed = 0
            if failures % 40 != 1:  # the table of schemes is finite
                undo()
                continue
            # The failed call succeeds now, and no trace of the failure is left.
            result = call(k)
        else:
            unnoticed += 1
        assert name not in ANSWERS or result == ANSWERS[name], (k, result)
        if name.startswith("register"):
            assert fasturl.parse(f"x-{k}://h/12").scheme == f"x-{k}", k
            assert fasturl.parse(f"x-{k}://h/12".encode()).scheme == f"x-{k}".encode(), k
        undo()
        if unnoticed > 20:
            return failures
    raise AssertionError("it never ends")


if __name__ == "__main__":
    gc.disable()
    print(sweep(sys.argv[1], 1) if sys.argv[2] == "one" else sweep(sys.argv[1], 0))
