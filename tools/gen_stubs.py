"""Write what type checkers see of the functions and methods that the package makes from tables.

    python tools/gen_stubs.py            write the stubs
    python tools/gen_stubs.py --check    write nothing; exit 1 if a stub is stale

The rows of src/fasturl/arrow/functions.py give the stub of fasturl.arrow, the overloads at the end of _functions.pyi,
and the methods of the engines. Needs fasturl itself, built, and pyarrow.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from gen_chars import ROOT, generator, write

sys.path.append(str(ROOT / "src"))  # last: an installed fasturl is built

from fasturl import _functions, arrow
from fasturl._docstrings import joined, sections
from fasturl.arrow import functions
from fasturl.engines import _shapes

COLUMNS = Path("src/fasturl/arrow/__init__.pyi")
URLS = Path("src/fasturl/_functions.pyi")
METHODS = Path("src/fasturl/engines/_methods.pyi")
NOTICE = "# DO NOT EDIT: written by tools/gen_stubs.py from the"
BY_HAND = "# DO NOT EDIT below: written by tools/gen_stubs.py from the rows of arrow/functions.py.\n"
# Closer types than those of the columns' functions, by which the engines know what to encode for a binary column.
HOSTS = {"_functions.HostList | str | Iterable[str]": "HostList | _Hosts"}
HOSTS |= {f"{kind} | None": f"{closer} | None" for kind, closer in HOSTS.items()}
CLOSER = {"parts": "_Part", "addresses": "_Addresses | Iterable[_Scope]"}
WIDTH = 120


def define(name: str, parameters: list[Parameter], answer: str, body: str = " ...\n", indent: str = "") -> str:
    """Return a definition, laid out as ruff does."""
    texts: list[str] = []
    for each in parameters:
        kind = "" if each.annotation is each.empty else f": {each.annotation}"
        default = "" if each.default is each.empty else " = " + repr(each.default).replace("'", '"')
        if each.kind is each.KEYWORD_ONLY and not any(text.startswith("*") for text in texts):
            texts.append("*")
        texts.append("*" * (each.kind is each.VAR_POSITIONAL) + each.name + kind + default)
    start, line, end = f"{indent}def {name}(", ", ".join(texts), f") -> {answer}:{body}"
    if len((start + line + end).partition("\n")[0]) <= WIDTH:
        return start + line + end
    lines = [line] if len(indent + line) <= WIDTH - 4 else [f"{text}," for text in texts]
    return f"{start}\n" + "".join(f"{indent}    {text}\n" for text in lines) + indent + end


def typed(function: Callable[..., Any]) -> list[Parameter]:
    """Return the parameters of a function of a column, with types as the stubs name them."""
    return [
        one.replace(annotation=HOSTS.get(one.annotation, one.annotation.replace("_functions.", "").replace("'", '"')))
        for one in signature(function).parameters.values()
    ]


def listed(names: list[str]) -> str:
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"


def columns() -> str:
    """Return the stub of fasturl.arrow: what its module imports, and the functions of the rows."""
    imports = []
    for node in ast.parse((ROOT / COLUMNS.with_suffix(".py")).read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(arrow.__name__):
            names = ["FUNCTIONS"] if node.names[0].name == "*" else [one.name for one in node.names]
            imports += [f"from {node.module} import {name} as {name}\n" for name in names]
            if node.names[0].name == "*":
                imports.append(f"from {node.module} import Column, Form, HostForm, Names, Otherwise\n")
    defined = []
    for _, function in functions._ROWS:
        parts = sections(function.__doc__)
        lines = f'"""{joined({title: parts[title] for title in ("", "Parameters", "Examples")})}"""'.splitlines()
        doc = "".join(f"    {line}".rstrip() + "\n" for line in lines)
        defined.append(define(function.__name__, typed(function), "Column", f"\n{doc}"))
    return f"""\
{NOTICE} imports of __init__.py and the rows of functions.py.
from collections.abc import Iterable
from typing import Any

from fasturl._functions import HostList, Suffixes, _Hosts
{"".join(imports)}
{listed(arrow.__all__)}
{chr(10).join(defined)}"""


def private(text: str) -> str:
    """Return a type with the names that _functions.pyi has for it."""
    return re.sub(r"\b(Form|HostForm|Otherwise|HostKind|Scope|Refusal|Name|Names|StrNames)\b", r"_\1", text)


def overloads() -> Iterator[str]:
    """Yield the functions of one URL: for a text and for bytes, if the answers differ."""
    for answer, function in functions._ROWS:
        types = {one.name: CLOSER.get(one.name, one.annotation) for one in typed(function)}
        url, *others = signature(getattr(_functions, function.__name__)).parameters.values()
        of_bytes = re.sub(r"\b(str|HostKind|Scope|Refusal)\b", "bytes", answer)
        names = "Name | Iterable[Name]" if "Name," in answer else "Names"
        kinds = [("_Text", answer.replace("Name,", "str,"), "StrNames"), ("_Bytes", of_bytes, names)]
        if answer == of_bytes:
            kinds = [("_Text | _Bytes", answer, names)]
        for of_url, result, own in kinds:
            given = [url.replace(annotation=of_url)]
            given += [one.replace(annotation=private(re.sub(r"\bNames\b", own, types[one.name]))) for one in others]
            yield "@overload\n" * (len(kinds) > 1) + define(function.__name__, given, private(result))


def urls() -> str:
    """Return the stub of fasturl._functions, with the part by hand as it is."""
    by_hand = (ROOT / URLS).read_text("utf-8").partition(BY_HAND)[0]
    return f"{by_hand}{BY_HAND}\n{listed(_functions.__all__)}\n{''.join(overloads())}"


def methods() -> str:
    """Return the methods of the engines, and those of an engine that takes threads."""
    itself = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    form = Parameter("form", Parameter.KEYWORD_ONLY, default="url", annotation="Form")
    threads = Parameter("threads", Parameter.KEYWORD_ONLY, default=1, annotation="int | None")
    found = {name: [form] for name in arrow.FIELDS}
    for name, function in _shapes.FUNCTIONS.items():
        parameters = typed(function)
        del parameters[_shapes.shape(name).own]
        found[name] = [one for one in parameters if one.name not in ("strings", "threads")]
    classes = []
    for head, more in (("Methods(Generic[Result])", []), ("ThreadedMethods(Methods[Result])", [threads])):
        defined = [define(name, [itself, *given, *more], "Result", indent="    ") for name, given in found.items()]
        classes.append(f"class {head}:\n" + "".join(defined))
    return f"""\
{NOTICE} functions of fasturl.arrow.
from collections.abc import Iterable
from typing import Any, Generic, Literal, TypeVar

from fasturl._functions import HostList, Suffixes, _Hosts
from fasturl.arrow.functions import Form, HostForm, Names, Otherwise

Result = TypeVar("Result")

{chr(10).join(classes)}"""


if __name__ == "__main__":
    options = generator("the stubs of functions and methods that are made from tables").parse_args()
    sys.exit(write({COLUMNS: columns(), URLS: urls(), METHODS: methods()}, "gen_stubs.py", options))
