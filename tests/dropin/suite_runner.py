"""Run the interpreter's own tests of urllib.parse on fasturl; print the results as JSON. suite_runner.py swap: in the
tests' code, replace `urllib.parse` by fasturl. suite_runner.py install: leave the code alone and run it under
fasturl.install()."""

import ast
import collections
import importlib.util
import io
import json
import sys
import types
import unittest
import urllib.parse

SUITES = {"test.test_urlparse": None, "test.test_urllib": ("QuotingTests", "UnquotingTests", "urlencode_Tests")}
# Compares dir(urllib.parse) with its __all__; fasturl's names have their own homes. It runs under install().
NOT_FOR_SWAP = {"UrlParseTestCase.test_all"}


class Stand:
    """A proxy of fasturl that counts which functions are taken from it."""

    def __init__(self, module):
        self.module = module
        self.taken = collections.Counter()

    def __getattr__(self, name):
        self.taken[name] += 1
        return getattr(self.module, name)


class Swap(ast.NodeTransformer):
    """Replace `urllib.parse.x` by `_stand.x`, and `from urllib.parse import x` by `x = _stand.x`."""

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr == "parse" and isinstance(node.value, ast.Name) and node.value.id == "urllib":
            return ast.copy_location(ast.Name("_stand", node.ctx), node)
        return node

    def visit_ImportFrom(self, node):
        if node.module != "urllib.parse":
            return node
        lines = [f"{alias.asname or alias.name} = _stand.{alias.name}" for alias in node.names]
        return [ast.copy_location(statement, node) for statement in ast.parse("\n".join(lines)).body]


def load(name, stand):
    origin = importlib.util.find_spec(name).origin
    with open(origin, encoding="utf-8") as file:
        tree = ast.parse(file.read(), origin)
    if stand is not None:
        tree = ast.fix_missing_locations(Swap().visit(tree))
    module = types.ModuleType(f"{name.rpartition('.')[2]}_here")
    sys.modules[module.__name__] = module
    module.__file__ = origin  # a warning must point there
    module._stand = stand
    exec(compile(tree, origin, "exec"), module.__dict__)
    return module


def cases(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from cases(one)
        else:
            yield one


def main(mode):
    import fasturl
    from fasturl import _installing

    functions = {name for name in urllib.parse.__all__ if "Result" not in name}
    compiled = {name for name in functions if not isinstance(getattr(fasturl, name), types.FunctionType)}
    stand = Stand(fasturl) if mode == "swap" else None
    if mode == "install":
        _installing.install()
    suite, ran = unittest.TestSuite(), collections.Counter()
    for name, classes in SUITES.items():
        module = load(name, stand)
        for case in cases(unittest.defaultTestLoader.loadTestsFromModule(module)):
            if classes is not None and type(case).__name__ not in classes:
                continue
            if stand is not None and case.id().partition(".")[2] in NOT_FOR_SWAP:
                continue
            suite.addTest(case)
            ran[type(case).__name__] += 1
    result = unittest.TextTestRunner(io.StringIO()).run(suite)
    installed = _installing.reached()
    report = {
        "ran": result.testsRun,
        "classes": ran,
        "failures": [f"{case}\n{trace}" for case, trace in result.failures + result.errors],
        # Count whole tests only; newer Pythons also skip subtests.
        "skipped": [
            f"{case}: {why}"
            for case, why in result.skipped
            if isinstance(case, unittest.TestCase) and not hasattr(case, "test_case")
        ],
        "functions": sorted(functions),
        "compiled": sorted(compiled),
        "taken": stand.taken if stand else {},
        "installed": sorted(installed),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1])
