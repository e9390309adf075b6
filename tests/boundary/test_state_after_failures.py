"""A failed call leaves shared state as it was: the schemes, urllib's functions and how texts are read."""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import failures
import pytest
from failures import differences, state
from support import run_python

import fasturl
from fasturl import _extras, _fastparse, _installing, schemes

SCRIPT = Path(failures.__file__)
MODES = [(name, "one") for name in failures.CALLS] + [(name, "all") for name in failures.COMPILED]


class Word(str):
    """A str that equals every text and whose hash raises."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        raise ZeroDivisionError


@pytest.mark.parametrize("arguments", [
    ("x-one", "nonsense"), ("x-one", None), ("x-one", 5), ("x-one", []), ("x-one", Word("http")), ("x-one", "custom"),
    ("x-one", "http", 80, len), ("x-one", "custom", None, 5), ("x-one", "http", 0), ("x-one", "http", 65536),
    ("x-one", "http", -1), ("x-one", "http", 1 << 40), ("x-one", "http", "80"), ("x-one", "http", 1.5),
    (Word("x-one"), "http"), (None, "http"), (b"x-one", "http"), ("", "http"), ("X-One", "http"), ("é", "http"),
    ("x one", "http"), ("x" * 64, "http"), ("http", "http"), ("x-one",), ("x-one", "http", 80, None, None),
])  # fmt: skip
def test_a_refused_scheme_leaves_no_name(arguments: tuple[Any, ...]) -> None:
    before = state()
    with pytest.raises((TypeError, ValueError, OverflowError)):
        fasturl._fastparse.register_scheme(*arguments)
    assert not differences(before)


def test_a_scheme_after_a_refused_one_has_its_own_name() -> None:
    script = """
import fasturl
from fasturl.schemes import productions
own = productions.compile('part = "//h"')
for wrong in (("x-one", "nonsense"), ("x-one", "custom", None, 5)):
    try:
        fasturl._fastparse.register_scheme(*wrong)
    except (TypeError, ValueError):
        pass
fasturl._fastparse.register_scheme("x-two", "http", 80)
assert fasturl.parse("x-two:abc").scheme == "x-two"
assert fasturl.parse(b"x-two:abc").scheme == b"x-two"
assert fasturl.parse("x-one:abc").scheme == "x-one"
fasturl._fastparse.register_scheme("x-one", "http", 80)
assert fasturl.parse("x-one:abc").scheme == "x-one"
for i in range(2000):
    try:
        fasturl._fastparse.register_scheme(f"x-{i}-a", "custom", None, own)
    except ValueError as error:
        assert "full" in str(error)
        assert fasturl.parse(f"x-{i}-a://h").scheme == f"x-{i}-a" and fasturl.parse(f"x-{i}-a://h").valid_rfc1738
assert fasturl.parse("x-0-a:b").scheme == "x-0-a" and not fasturl.parse("x-0-a:b").valid_rfc1738
"""
    run_python("-c", script)


class Refusing(type):
    """A metaclass whose classes refuse attributes after a number of assignments."""

    left = 100

    def __setattr__(cls, name: str, value: object) -> None:
        type.__setattr__(Refusing, "left", Refusing.left - 1)
        if Refusing.left < 0:
            raise ZeroDivisionError
        super().__setattr__(name, value)


@dataclass(frozen=True, slots=True, repr=False)
class Part(schemes.SchemeParts, metaclass=Refusing):
    text: str = ""

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        return cls(part)

    def schemepart(self) -> str:
        return self.text


@pytest.mark.parametrize("settings", [
    {"shape": "nonsense"}, {"shape": Word("http"), "productions": "a = *digit"}, {"shape": 5}, {"shape": []},
    {"default_port": 0}, {"default_port": 65536}, {"default_port": 1 << 40}, {"default_port": "80"},
    {"shape": "http"}, {"shape": "mailto", "default_port": 5}, {"productions": "part = nowhere"}, {"productions": ""},
    {"productions": "part = part"}, {"dataclass": int}, {"dataclass": schemes.Http}, {"dataclass": schemes.Generic},
    {"dataclass": schemes.SchemeParts}, {"shape": "http", "default_port": 80, "dataclass": schemes.Https},
])  # fmt: skip
def test_a_refused_registration_changes_nothing(settings: dict[str, Any]) -> None:
    before = state()
    with pytest.raises((TypeError, ValueError, OverflowError)):
        schemes.register("x-new", **settings)
    assert not differences(before)


@pytest.mark.parametrize("allowed", [0, 1])
@pytest.mark.parametrize("productions", [None, failures.PRODUCTIONS])
def test_a_class_that_refuses_its_attributes_is_not_registered(
    allowed: int, productions: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, attributes = state(), dict(vars(Part))
    type.__setattr__(Refusing, "left", allowed)
    with pytest.raises(ZeroDivisionError):
        schemes.register("x-new", dataclass=Part, productions=productions)
    assert not differences(before)
    assert dict(vars(Part)) == attributes


def test_a_scheme_known_to_the_scan_is_not_half_registered() -> None:
    """register_scheme() is public. register() refuses a scheme that only the scan knows, and changes nothing."""
    script = """
import fasturl
from fasturl import schemes
from fasturl.schemes import base
schemes.registered()
fasturl._fastparse.register_scheme("x-new", "http", 80)
for settings in ({"shape": "http", "default_port": 81}, {"productions": "part = *digit"}):
    try:
        schemes.register("x-new", **settings)
    except ValueError as error:
        assert "taken" in str(error)
    else:
        raise AssertionError
    assert "x-new" not in {*schemes.registered(), *base.readers, *base.productions}
"""
    run_python("-c", script)


def test_a_str_subclass_as_a_name_counts_as_its_text() -> None:
    script = """
from fasturl import schemes
class Word(str):
    def __hash__(self): raise ZeroDivisionError
    def __eq__(self, other): return True
    def lower(self): return "http"
schemes.register(Word("x-word"), shape=Word("http"), default_port=80)
found = schemes.registered()["x-word"]
assert type(found.name) is str and type(found.shape) is str and found.shape == "http"
assert schemes.decompose("x-word://h/a").host == "h"
"""
    run_python("-c", script)


def test_the_package_can_be_imported_again() -> None:
    """After a reload, or after an import that failed when https was already registered."""
    script = "import importlib, sys, fasturl; importlib.reload(fasturl); del sys.modules['fasturl']; import fasturl"
    run_python("-c", script)


def test_selecting_an_unknown_kernel_changes_nothing() -> None:
    before = state()
    for name in ("nonsense", "", "é", "\ud800", None, 5):
        with pytest.raises((ValueError, TypeError)):
            _fastparse._use_kernel(name)
    assert not differences(before)


def test_install_whose_warning_is_raised_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_installing, "COMPILED", {k: v for k, v in _installing.COMPILED.items() if k != "quote"})
    before = state()
    with pytest.raises(RuntimeWarning, match=r"cannot reach urllib\.parse\.quote"):
        fasturl.install()
    assert not differences(before)


# An audit hook refuses the n-th change of a function, first in install(), then in uninstall(). Each n has a fork of its
# own.
REFUSED_INSTALL = f"""
import importlib, os, sys, traceback, urllib.parse
sys.path.insert(0, {str(SCRIPT.parent)!r})
from failures import differences, state
import fasturl
left = None
def hook(event, arguments):
    global left
    if event == "object.__setattr__" and arguments[1] == "__code__" and left is not None:
        left -= 1
        if left == -1:
            raise ZeroDivisionError
sys.addaudithook(hook)
importlib.reload(urllib.parse)
def refused(call, at):
    global left
    before = state()
    left = at
    try:
        call()
    except ZeroDivisionError:
        pass
    else:
        raise AssertionError
    assert not differences(before), differences(before)
    left = None
places = list(map(int, sys.argv[1:]))
for at in places:
    if len(places) > 1 and (child := os.fork()):
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        continue
    try:
        refused(fasturl.install, at)
        fasturl.install()
        refused(fasturl.uninstall, at)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
"""


def test_an_install_or_uninstall_refused_at_any_function_changes_nothing() -> None:
    """A reload makes new result classes; a refused install() must use none of them."""
    if hasattr(os, "fork"):
        assert run_python("-u", "-c", REFUSED_INSTALL, *range(19)) == "0\n" * 19
    else:
        for at in range(19):
            run_python("-c", REFUSED_INSTALL, at)


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_no_failed_allocation_changes_state(name: str, mode: str) -> None:
    pytest.importorskip("_testcapi")
    if sys.version_info >= (3, 12) and name.startswith("register") and mode == "one":
        pytest.skip("from 3.12 on CPython itself crashes where Python code, as that of productions, lacks memory")
    assert int(run_python(SCRIPT, name, mode, timeout=300)) > 0, "no allocation was made to fail"


def test_a_missing_package_hides_a_module_until_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """hasattr() is False, an import names the extra, and the next try succeeds if the package has come."""
    pytest.importorskip("pyarrow")
    monkeypatch.delattr(fasturl, "arrow")  # imports it first, if nothing has
    for name in [name for name in sys.modules if name.startswith("fasturl.arrow")]:
        monkeypatch.delitem(sys.modules, name)
    with monkeypatch.context() as missing:
        missing.setitem(sys.modules, "pyarrow", None)
        assert _extras.is_installed("pyarrow") is _extras.is_installed("pyarrow.nothing") is False
        assert not hasattr(fasturl, "arrow") and "arrow" not in dir(fasturl)
        said = f"fasturl.arrow needs pyarrow: {_extras.pip_install('arrow')}"
        with pytest.raises(
            AttributeError, match=f"^module 'fasturl' has no attribute 'arrow': {re.escape(said)}$"
        ) as told:
            fasturl.arrow  # noqa: B018
        assert (told.value.name, told.value.obj) == ("arrow", fasturl)
        assert isinstance(told.value.__cause__, ModuleNotFoundError) and told.value.__cause__.name == "pyarrow"
        with pytest.raises(ModuleNotFoundError, match=f"^{re.escape(said)}$"):
            from fasturl import arrow  # noqa: F401
    assert _extras.is_installed("pyarrow") is True
    assert fasturl.arrow.parse(["http://h/"], ["host"]).column(0).to_pylist() == ["h"]
