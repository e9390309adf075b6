"""install() reaches urllib.parse's functions wherever they are referenced, changes nothing else, and can be undone."""

import cProfile
import functools
import importlib
import inspect
import multiprocessing
import os
import pickle
import pstats
import subprocess
import sys
import urllib.parse
import warnings
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from support import run_in_threads, run_python

import fasturl
from fasturl import _installing, _originals, _urllib

FUNCTIONS = sorted(name for name in urllib.parse.__all__ if "Result" not in name)
TAKEN_BEFORE = {name: getattr(urllib.parse, name) for name in FUNCTIONS}
PARTIAL = functools.partial(quote, safe="")
ODD = ["http://h/\ta", "http://[::1]/é;x?#", "file:a", b"http://h/a#", "//////", "http://h/a?#", None, 0]
CALLS = [
    lambda: quote("é /"), lambda: PARTIAL("a/b"), lambda: urlsplit("http://h/reached?"),
    lambda: parse_qs("a=1&a=%32"), lambda: urllib.parse.quote_plus("a b"), lambda: list(map(quote, ["a b"])),
]  # fmt: skip


def codes():
    return {name: _originals.own_function(name).__code__ for name in FUNCTIONS}


@pytest.fixture(autouse=True)
def _leave_urllib_as_it_was():
    before, code = dict(vars(urllib.parse)), codes()
    yield
    _installing.uninstall()
    assert all(value is before[name] for name, value in vars(urllib.parse).items() if name in FUNCTIONS)
    assert codes() == code


def test_the_package_exports_urllibs_names():
    assert {*urllib.parse.__all__, "install", "uninstall"} <= set(fasturl.__all__)
    for name in urllib.parse.__all__:
        if name not in FUNCTIONS:
            assert getattr(fasturl, name) is getattr(urllib.parse, name)


def test_every_parameter_of_every_function_is_known():
    """A parameter added by a new Python leaves its function to urllib until fasturl knows the parameter."""
    assert sorted(_installing.COMPILED) == FUNCTIONS == sorted(_originals.NAMES)
    for name, function in _installing.COMPILED.items():
        assert inspect.signature(function).parameters.keys() == inspect.signature(TAKEN_BEFORE[name]).parameters.keys()


def test_every_name_is_reached_and_no_object_of_urllib_changes():
    before = dict(vars(urllib.parse))
    assert not _installing.reached()
    _installing.install()
    _installing.install()
    assert sorted(_installing.reached()) == FUNCTIONS
    assert dict(vars(urllib.parse)) == before
    _installing.uninstall()
    assert not _installing.reached()
    _installing.uninstall()


def test_references_taken_before_call_the_compiled_functions(monkeypatch):
    seen = []

    def watched(name, compiled):
        def call(*args, **kwargs):
            seen.append(name)
            return compiled(*args, **kwargs)

        return call

    expected = [call() for call in CALLS]
    for name, compiled in _installing.COMPILED.items():
        monkeypatch.setitem(_installing._CALLED, name, watched(name, compiled))
    monkeypatch.setattr(_installing, "_exchanged", {})
    urllib.parse.clear_cache()
    _installing.install()
    try:
        assert [call() for call in CALLS] == expected
    finally:
        _installing.uninstall()
    assert seen == ["quote", "quote", "urlsplit", "parse_qs", "quote_plus", "quote"]
    assert [call() for call in CALLS] == expected
    assert len(seen) == 6


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_look_as_they_did(name):
    function = TAKEN_BEFORE[name]
    plain = inspect.unwrap(function)

    def looks():
        return (
            function is getattr(urllib.parse, name), inspect.isfunction(plain), inspect.signature(function),
            inspect.getsource(function), function.__module__, function.__qualname__, function.__doc__,
            plain.__defaults__, plain.__kwdefaults__, pickle.dumps(function),
            plain.__code__.co_varnames[: plain.__code__.co_argcount], plain.__code__.co_filename,
            plain.__code__.co_firstlineno, plain.__code__.co_name, hasattr(function, "cache_info"),
        )  # fmt: skip

    before = looks()
    _installing.install()
    assert looks() == before
    assert pickle.loads(pickle.dumps(function)) is function


def test_results_made_while_installed_pickle_as_urllibs():
    plain = [urllib.parse.urlparse("http://h/a;b?c#d"), urllib.parse.urldefrag(b"a#b"), urlsplit("//h")]
    _installing.install()
    urllib.parse.clear_cache()
    made = [urllib.parse.urlparse("http://h/a;b?c#d"), urllib.parse.urldefrag(b"a#b"), urlsplit("//h")]
    assert pickle.dumps(made) == pickle.dumps(plain)
    assert pickle.loads(pickle.dumps(made)) == plain


def test_the_functions_go_to_other_processes():
    _installing.install()
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # warns of forks in a process with threads
        with context.Pool(1) as pool:
            assert pool.map(quote, ["a b"]) == ["a%20b"]
            assert pool.map(urlsplit, ["//h"])[0].netloc == "h"


def test_mocks_check_arguments_as_before():
    _installing.install()
    with mock.patch("urllib.parse.quote", autospec=True) as made:
        urllib.parse.quote("a", safe="")
        with pytest.raises(TypeError):
            urllib.parse.quote("a", "b", "c", "d", "e")
    made.assert_called_once_with("a", safe="")


def test_profilers_show_the_functions():
    _installing.install()
    profile = cProfile.Profile()
    profile.runcall(lambda: [quote("a b"), urllib.parse.urldefrag("a#b")])
    names = {(key[0], key[2]) for key in pstats.Stats(profile).stats}
    assert {(urllib.parse.__file__, "quote"), (urllib.parse.__file__, "urldefrag")} <= names


def test_a_foreign_wrapper_stays_and_calls_compiled_functions(monkeypatch):
    def traced(*args, **kwargs):
        return quote(*args, **kwargs)

    monkeypatch.setattr(urllib.parse, "quote", traced)
    _installing.install()
    assert urllib.parse.quote is traced
    assert _installing._exchanged[id(quote)].is_installed()
    _installing.uninstall()
    assert urllib.parse.quote is traced
    assert urllib.parse.quote("a b") == "a%20b"


def test_code_replaced_after_install_is_left_alone():
    own = parse_qs.__code__
    _installing.install()
    try:
        parse_qs.__code__ = (lambda *args: "theirs").__code__
        _installing.uninstall()
        assert parse_qs("a=1") == "theirs"
    finally:
        parse_qs.__code__ = own


@pytest.mark.parametrize("theirs", [lambda *args: "theirs", lambda: "theirs", lambda qs, **rest: "theirs"])
@pytest.mark.parametrize("when", ["before install", "while installed", "between"])
def test_code_replaced_before_install_is_left_alone(theirs, when):
    """Tracers that rewrite bytecode replace a function's code, and expect to find theirs again."""
    own = parse_qs.__code__
    if when != "before install":
        _installing.install()
    if when == "between":
        _installing.uninstall()
    try:
        parse_qs.__code__ = theirs.__code__
        with pytest.warns(RuntimeWarning, match=r"cannot reach urllib\.parse\.parse_qs: not the functions"):
            _installing.install()
        assert parse_qs.__code__ is theirs.__code__
        assert sorted(_installing.reached()) == [name for name in FUNCTIONS if name != "parse_qs"]
        _installing.uninstall()
        assert parse_qs.__code__ is theirs.__code__
    finally:
        parse_qs.__code__ = own
    _installing.install()
    assert sorted(_installing.reached()) == FUNCTIONS


def test_patches_of_names_while_installed_come_and_go():
    _installing.install()
    with mock.patch("urllib.parse.urlsplit", return_value="patched") as patched:
        assert urllib.parse.urlsplit("http://h/") == "patched"
        assert urllib.parse.urlparse("http://h/").netloc == "h"  # docs/replace-urllib.md tells of it
        assert sorted(_installing.reached()) == [name for name in FUNCTIONS if name != "urlsplit"]
        _installing.uninstall()
        assert urllib.parse.urlsplit is patched and not _installing._exchanged[id(urlsplit.__wrapped__)].is_installed()
        _installing.install()
    assert urllib.parse.urlsplit is urlsplit and sorted(_installing.reached()) == FUNCTIONS


OUT_OF_REACH = """
import sys, urllib.parse, warnings
original = urllib.parse.quote
if sys.argv[1] == "wrapped":
    urllib.parse.quote = lambda *args: "wrapped"
elif sys.argv[1] == "parameter":
    urllib.parse.old_quote = original
    exec("def quote(string, safe='/', encoding=None, errors=None, *, style=None): "
         "return style or old_quote(string, safe, encoding, errors)", vars(urllib.parse))
elif sys.argv[1] == "cached":
    urllib.parse.old_urlsplit = urllib.parse.urlsplit
    exec("@functools.lru_cache(typed=True)\\ndef urlsplit(url, scheme='', allow_fragments=True, *, style=None): "
         "return style or old_urlsplit(url, scheme, allow_fragments)", vars(urllib.parse))
elif sys.argv[1] == "missing":
    import fasturl
    del urllib.parse.quote
    fasturl._originals.FUNCTIONS.pop("quote")
import fasturl
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    fasturl.install()
print(len(caught), caught[0].category.__name__, caught[0].filename, str(caught[0].message))
if sys.argv[1] == "parameter":
    assert urllib.parse.quote("a", style=5) == 5 == fasturl.quote("a", style=5)
elif sys.argv[1] == "cached":
    assert urllib.parse.urlsplit("//h", style=5) == 5 == fasturl.urlsplit("//h", style=5)
elif sys.argv[1] == "wrapped":
    assert urllib.parse.quote("a b") == "wrapped"
assert len(fasturl._installing.reached()) == 14
fasturl.uninstall()
assert not fasturl._installing.reached()
"""


@pytest.mark.parametrize("case", ["wrapped", "parameter", "missing", "cached"])
def test_a_warning_names_the_functions_that_install_cannot_reach(case):
    name = "urlsplit" if case == "cached" else "quote"
    warned = f"fasturl.install() cannot reach urllib.parse.{name}: not the functions it knows"
    assert run_python("-c", OUT_OF_REACH, case) == f"1 RuntimeWarning <string> {warned}\n"


HALF = """
import sys, urllib.parse, fasturl
from fasturl import _installing, _originals
codes = {name: function.__code__ for name, function in _originals.FUNCTIONS.items()}
left = [7]
def hook(event, args):
    if event == "object.__setattr__" and args[1] == "__code__" and left:
        left[0] -= 1
        if not left[0]:
            left.clear()
            raise MemoryError("no more")
sys.addaudithook(hook)
for change in (fasturl.install, fasturl.uninstall):
    before = _installing.reached()
    left[:] = [7]
    try:
        change()
    except MemoryError:
        print(len(before), before == _installing.reached())
    change()
    print(len(_installing.reached()))
assert codes == {name: function.__code__ for name, function in _originals.FUNCTIONS.items()}
"""


def test_a_failed_install_changes_nothing():
    assert run_python("-c", HALF) == "0 True\n15\n15 True\n0\n"


RELOADED = """
import importlib, urllib.parse, fasturl
from urllib.parse import quote, urlsplit
from fasturl._installing import reached
codes = quote.__code__, urlsplit.__wrapped__.__code__
fasturl.install()
fasturl.urlsplit("http://h/new")
importlib.reload(urllib.parse)
assert not reached() and quote.__code__ is not codes[0]
new = urllib.parse.quote.__code__
fasturl.install()
assert len(reached()) == 15
for one in (urllib.parse.urlsplit, urlsplit, fasturl.urlsplit):
    assert type(one("http://h/new")) is urllib.parse.SplitResult
assert type(urllib.parse.urlparse(b"http://h/a")) is urllib.parse.ParseResultBytes
assert urllib.parse.urlencode({"a b": 1}) == "a+b=1" and quote("a b") == "a%20b"
fasturl.uninstall()
assert not reached()
assert (quote.__code__, urlsplit.__wrapped__.__code__) == codes and urllib.parse.quote.__code__ is new
importlib.reload(urllib.parse)
fasturl.uninstall()
print("ok")
"""


def test_a_reload_of_urllib_parse_is_undone_and_reached_again():
    assert run_python("-c", RELOADED) == "ok\n"


def test_results_that_are_no_tuples_are_left_to_urllib(monkeypatch):
    expected = urllib.parse.urlparse("http://h/a;b")
    with monkeypatch.context() as patched:
        patched.setattr(_originals, "own_class", lambda name, names: mock.MagicMock())
        _installing.install()
    assert _urllib.compiled_here() == {"urljoin", "urlunparse", "urlunsplit"}
    assert fasturl.urlparse("http://h/a;b") == urllib.parse.urlparse("http://h/a;b") == expected
    _installing.install()
    assert {"urldefrag", "urlparse", "urlsplit"} < _urllib.compiled_here()


def test_methods_and_helpers_of_urllib_use_the_installed_functions():
    _installing.install()
    assert urllib.parse.urlsplit("http://h/a?b#c").geturl() == "http://h/a?b#c"
    assert urllib.parse.urlparse(b"ftp://h/a;type=i").geturl() == b"ftp://h/a;type=i"
    urllib.parse.clear_cache()
    assert urllib.parse.urlsplit.cache_info().currsize == 0


@pytest.mark.parametrize("url", ODD)
def test_delegated_calls_do_not_recurse(url):
    """Each original calls other functions of urllib.parse, which are fasturl's while installed."""
    calls = [
        lambda module: module.urlparse(url),                    lambda module: module.urljoin(url, "../\tx"),
        lambda module: module.urljoin("http://h/é/", url),      lambda module: module.urldefrag(url),
        lambda module: module.urlunparse([url or "", None, "//x", "p", None, None]),
        lambda module: module.parse_qs(url),                    lambda module: module.quote(url, encoding="utf-16"),
        lambda module: module.urlencode([(url, url)], quote_via=module.quote),
    ]  # fmt: skip

    def results():
        for call in calls:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    yield call(urllib.parse)
                except (TypeError, ValueError, AttributeError) as error:
                    yield type(error), str(error)
            yield [(one.category, str(one.message), one.filename, one.lineno) for one in caught]

    expected = list(results())
    _installing.install()
    assert list(results()) == expected


def test_the_drop_ins_own_functions_pickle_under_their_own_names():
    for name in FUNCTIONS:
        assert pickle.loads(pickle.dumps(getattr(fasturl, name))) is getattr(fasturl, name)
        assert getattr(fasturl, name).__module__.startswith("fasturl.")


def test_install_and_uninstall_are_safe_while_threads_call():
    wrong = []

    def install():
        for _ in range(200):
            _installing.install()
            _installing.uninstall()

    def call():
        for number in range(2000):
            if urlsplit(f"http://h{number}/a").netloc != f"h{number}" or quote("a b") != "a%20b":
                wrong.append(number)

    run_in_threads(*(install, call) * 4)
    assert not wrong
    assert not _installing.reached()


def test_names_outside_all_are_urllibs_own():
    names = "uses_relative uses_netloc uses_params scheme_chars unwrap clear_cache ResultBase _splitparams"
    for name in [*names.split(), "_hextobyte"]:
        assert getattr(fasturl, name) is getattr(urllib.parse, name)
    for name in ("no_such_name", "__wrapped__", "re"):
        with pytest.raises(AttributeError, match=f"'fasturl' has no attribute '{name}'"):
            getattr(fasturl, name)


def test_deprecation_warnings_point_at_the_caller():
    with pytest.warns(DeprecationWarning, match="splittype") as caught:
        assert fasturl.splittype("a:b") == ("a", "b")
    assert caught[0].filename == __file__
    if sys.version_info < (3, 14):
        with pytest.warns(DeprecationWarning) as caught:
            assert fasturl.Quoter is urllib.parse._Quoter
        assert caught[0].filename == __file__


PROGRAM = """
import sys, urllib.parse
from fasturl._installing import reached
print(__name__, len(reached()), sys.argv[1:], sys.path[0])
sys.exit(3)
"""


def test_the_install_command_runs_a_program_with_the_functions(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    start = [sys.executable, "-m", "fasturl.install"]
    environment = {**os.environ, "PYTHONPATH": str(Path(fasturl.__file__).parents[1])}
    for arguments, path in (([str(tmp_path / "program.py")], tmp_path), (["-m", "program"], tmp_path)):
        command = [*start, *arguments, "-a", "b"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert (done.stdout, done.returncode) == (f"__main__ 15 ['-a', 'b'] {path}\n", 3), done.stderr
    for arguments, status in (([], 2), (["-m"], 2), (["--help"], 0)):
        done = subprocess.run([*start, *arguments], capture_output=True, text=True)
        assert (done.stdout, done.stderr.split()[0], done.returncode) == ("", "usage:", status)


def test_importing_the_command_leaves_the_function():
    importlib.import_module("fasturl.install")
    assert fasturl.install is _installing.install
    assert not _installing.reached()


SUBINTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import fasturl
fasturl.install()
one = interpreters.create()
program = "import urllib.parse; assert urllib.parse.quote('a b') == 'a%20b'\\n" \\
    "try: import fasturl\\nexcept ImportError as error: assert 'interpreter' in str(error), error\\n" \\
    "else: raise SystemExit('imported')"
failed = (getattr(interpreters, "run_string"))(one, program)
print(failed)
interpreters.destroy(one)
"""


def test_a_subinterpreter_is_refused_and_keeps_its_own_urllib():
    assert run_python("-c", SUBINTERPRETER) == "None\n"
