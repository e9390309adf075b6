"""Write the reference pages from the built package: `python3 docs/hooks/reference.py` (`--check` writes nothing).

On a page, this script writes everything between `<!-- made: NAME -->` and `<!-- end of NAME -->`. Edit the source that
the function for NAME reads, such as a docstring, and not the page. In docs/api, `<!-- ::: fasturl.NAME -->` starts the
description of a public name, which ends at the next such line. When you add a name, write `::: fasturl.NAME` on a new
line, and run this script.
"""

from __future__ import annotations

import ast
import functools
import html
import inspect
import pkgutil
import re
import sys
import textwrap
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "docs" / "api"
NEEDS_AN_ENGINE = ("fasturl.engines.", "fasturl.logs.polars.", "fasturl.logs.duckdb.", "fasturl.logs.spark.")
# The sections of numpydoc, in its order. Those of ENTRIES list names and types, each with an indented description.
ENTRIES = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")
SECTION = re.compile(rf"^({'|'.join(ENTRIES)}|See Also|Notes|Examples)\n-+\n", re.MULTILINE)
SIGNATURE = re.compile(r"\A\w+(?:\.\w+)*\([^\n]*\)(?: -> [^\n]*)?\n\n")


def plain(text: str) -> str:
    """Escape all markup of a text, except code between backquotes."""
    parts = re.split(r"(`[^`|]+`)", re.sub(r"\s+", " ", text).strip())
    escaped = [re.sub(r"([\\`*_{}\[\]#|])", r"\\\1", html.escape(part, quote=False)) for part in parts[::2]]
    return "".join(one for pair in zip(escaped, [*parts[1::2], ""], strict=True) for one in pair)


# --- docstrings ------------------------------------------------------------------------------------------------------


def entries(body: str) -> str:
    """Convert the entries of a section to a list. An entry is a name with a type, or a type alone."""
    lines = []
    for entry in re.split(r"\n+(?=\S)", body.strip()):
        first, _, rest = entry.partition("\n")
        name, colon, kind = first.partition(" : ")
        shown = f"`{name}` (*{plain(kind)}*)" if colon else f"*{plain(first)}*"
        lines.append(f"- {shown}: " + textwrap.indent(inspect.cleandoc(rest), "    ").lstrip())
    return "\n".join(lines)


def see_also(body: str) -> str:
    """Convert "name : description" lines to a list of links to the pages that describe the names."""
    lines = []
    for entry in re.split(r"\n+(?=\S)", body.strip()):
        names, colon, rest = entry.partition(" : ")
        links = ", ".join(
            f"[`{name}`]({page_of(name)})" if page_of(name) else f"`{name}`" for name in names.split(", ")
        )
        lines.append(f"- {links}{': ' * bool(colon)}" + re.sub(r"\s*\n\s*", " ", rest.strip()))
    return "\n".join(lines)


@functools.cache
def page_of(name: str) -> str:
    """Return the link to the description of a public name or of a member; empty without one."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(API.glob("*.md"))}
    for full in (f"fasturl.{name}", f"fasturl.{name.partition('.')[0]}"):
        for page, text in texts.items():
            if f"<!-- ::: {full} -->" in text:
                return f"{page}#{full}"
    return ""


def as_markdown(text: str) -> str:
    """Convert a docstring: a section gets a bold title, entries become lists, examples become fenced sessions."""
    text = SIGNATURE.sub("", inspect.cleandoc(text))
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    head, *sections = SECTION.split(text)
    blocks = prose(head)
    for name, body in zip(sections[::2], sections[1::2], strict=True):
        shown = [entries(body)] if name in ENTRIES else [see_also(body)] if name == "See Also" else prose(body)
        blocks += [f"**{name}**", *shown]
    return "\n\n".join(blocks)


def prose(text: str) -> list[str]:
    """Return paragraphs. A session becomes a fenced one."""
    blocks = []
    for block in re.split(r"\n{2,}", text.strip()):
        before, mark, session = block.partition(">>> ")
        if before.strip():
            blocks.append(before.rstrip())
        if mark:
            blocks.append(f"```pycon\n{inspect.cleandoc(mark + session)}\n```")
    return blocks


# --- signatures ------------------------------------------------------------------------------------------------------


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def aliases() -> dict[str, ast.expr]:
    """Return the aliases of types that the stubs and modules define, by name, and the types for type variables."""
    found: dict[str, ast.expr] = {}
    for path in sorted((ROOT / "src" / "fasturl").rglob("*.py*")):
        if path.suffix not in (".py", ".pyi"):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias" and node.value:
                found[ast.unparse(node.target)] = node.value
            elif isinstance(node, ast.Assign) and re.match(
                r"(typing\.)?(Literal\[|TypeVar\(|str \|)", ast.unparse(node.value)
            ):
                value = node.value
                if isinstance(value, ast.Call):
                    bounds = [*value.args[1:], *(each.value for each in value.keywords if each.arg == "bound")]
                    value = ast.parse(" | ".join(map(ast.unparse, bounds)) or "object", mode="eval").body
                found[ast.unparse(node.targets[0])] = value
    return found | {"AnyStr": ast.parse("str | bytes", mode="eval").body}


class Expand(ast.NodeTransformer):
    """Replaces aliases by what they stand for, and URL[str] by URL."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = aliases().get(node.id)
        return (
            ast.Name(node.id.lstrip("_"))
            if value is None
            else self.visit(ast.parse(ast.unparse(value), mode="eval").body)
        )

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return node if ast.unparse(node.value) == "pa" else self.visit(ast.Name(node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        base = ast.unparse(node.value)
        if base in ("URL", "FoundURL"):
            return node.value
        if base != "Literal":
            node.slice = self.visit(node.slice)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node


def members_of(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp):
        yield from members_of(node.left)
        yield from members_of(node.right)
    else:
        yield node


def union(annotations: Iterable[ast.expr]) -> str:
    """Return the union of types. Iterable[str] and Iterable[bytes] become Iterable[str | bytes]."""
    arguments: dict[str, list[list[ast.expr]]] = {}
    for annotation in annotations:
        for node in members_of(Expand().visit(ast.parse(ast.unparse(annotation), mode="eval").body)):
            is_merged = isinstance(node, ast.Subscript) and ast.unparse(node.value) not in ("dict", "list", "tuple")
            base = ast.unparse(node.value if isinstance(node, ast.Subscript) and is_merged else node)
            given = node.slice if isinstance(node, ast.Subscript) and is_merged else None
            several = given.elts if isinstance(given, ast.Tuple) else [given] if given else []
            arguments.setdefault(base, []).append(several)
    if "object" in arguments:
        return "object"
    if len(arguments) > 1:
        arguments.pop("Any", None)
    shown = []
    for base, lists in sorted(arguments.items(), key=lambda item: item[0] == "None"):
        if base == "Literal":
            inner = list(dict.fromkeys(ast.unparse(each).replace("'", '"') for given in lists for each in given))
            if inner[0] in ("True", "False") or len(inner) > 5:  # the docstring lists the texts
                base, inner = "bool" if inner[0] in ("True", "False") else "str", []
        elif "Callable" in base or len({len(given) for given in lists}) > 1:
            inner = [ast.unparse(each) for each in lists[0]]
        else:
            inner = [union(column) for column in zip(*lists, strict=True)]
        shown.append(f"{base}[{', '.join(inner)}]" if inner else base)
    return " | ".join(shown)


def definitions(value: Any, owner: Any = None) -> list[ast.FunctionDef]:
    """Return the definitions of a function in its stub or else its module: its overloads, or itself."""
    holder = owner or value
    path = ROOT / "src" / (getattr(holder, "__module__", None) or "").replace(".", "/")
    files = [path.with_suffix(".pyi"), path.with_suffix(".py"), path / "__init__.pyi", path / "__init__.py"]
    body = next((tree(file).body for file in files if file.is_file()), [])
    names = [getattr(value, "__name__", "")]
    if owner or inspect.isclass(value):
        body = next((node.body for node in body if isinstance(node, ast.ClassDef) and node.name == holder.__name__), [])
        names = names if owner else ["__new__", "__init__"]
    found = [node for node in body if isinstance(node, ast.FunctionDef) and node.name in names]
    overloads = [node for node in found if any(ast.unparse(each) == "overload" for each in node.decorator_list)]
    return overloads or found


def types_of(found: list[ast.FunctionDef]) -> dict[str, str]:
    """Return the types of parameters, and of "return", over all overloads."""
    types: dict[str, list[ast.expr]] = {}
    for node in found:
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg) and each.annotation:
                types.setdefault(each.arg, []).append(each.annotation)
        if node.returns:
            types.setdefault("return", []).append(node.returns)
    return {name: union(each) for name, each in types.items()}


def signature(shown: str, value: Any, owner: Any = None) -> str:
    """Return a fenced signature with the types of all overloads; empty if there is none."""
    found = definitions(value, owner)
    types = types_of(found)
    for name, annotation in {} if found else dict(getattr(value, "__annotations__", {})).items():
        text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        types[name] = union([ast.parse(text, mode="eval").body])
    if inspect.isclass(value):
        types.pop("return", None)
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        if not found or found[0].args.vararg:
            return ""
        parameters = parameters_of(found[0])
    return fenced(shown, parameters, types)


class Source(str):
    """A default value as the source has it."""

    __repr__ = str.__str__


def parameters_of(node: ast.FunctionDef) -> list[inspect.Parameter]:
    """Return the parameters of a function from its source."""
    given, kind, empty = node.args, inspect.Parameter, inspect.Parameter.empty
    defaults = [*[None] * (len(given.args) - len(given.defaults)), *given.defaults]
    rows: list[tuple[ast.arg, Any, ast.expr | None]]
    rows = [(each, kind.POSITIONAL_OR_KEYWORD, value) for each, value in zip(given.args, defaults, strict=True)]
    rows += [(given.vararg, kind.VAR_POSITIONAL, None)] if given.vararg else []
    rows += [(each, kind.KEYWORD_ONLY, value) for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    rows += [(given.kwarg, kind.VAR_KEYWORD, None)] if given.kwarg else []
    return [kind(each.arg, how, default=Source(ast.unparse(value)) if value else empty) for each, how, value in rows]


def fenced(shown: str, parameters: list[inspect.Parameter], types: dict[str, str]) -> str:
    written: list[str] = []
    for each in parameters:
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not any(one.startswith("*") for one in written):
            written.append("*")
        stars = "*" * (each.kind is each.VAR_POSITIONAL) + "**" * (each.kind is each.VAR_KEYWORD)
        kind = f": {types[each.name]}" if each.name in types else ""
        equals = " = " if kind else "="
        default = repr(each.default).replace("'", '"')
        if default.startswith("<") or len(default) > 40:
            default = getattr(each.default, "__name__", "…")
        written.append(stars + each.name + kind + ("" if each.default is each.empty else equals + default))
    answer = f" -> {types['return']}" if "return" in types else ""
    line = f"{shown}({', '.join(written)}){answer}"
    if len(line) > 100:
        line = f"{shown}(\n" + "".join(f"    {each},\n" for each in written) + f"){answer}"
    return f"```python\n{line}\n```\n"


def resolve(name: str) -> Any:
    return pkgutil.resolve_name(name)


def members(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public members that a class or module defines itself and documents."""
    for name, member in vars(value).items():
        if name.startswith("_") or isinstance(member, types.ModuleType):
            continue
        if isinstance(value, types.ModuleType) and getattr(member, "__module__", None) != value.__name__:
            continue
        told = getattr(member, "__doc__", None) or ""
        own = told and told != getattr(type(member), "__doc__", None) and not told.startswith("Alias for field")
        if own and (callable(member) or isinstance(member, classmethod | property) or inspect.isdatadescriptor(member)):
            yield name, getattr(value, name) if isinstance(member, classmethod | staticmethod) else member


def description(name: str) -> str:
    """Return the description of a public name."""
    return described_engine(name) if name.startswith(NEEDS_AN_ENGINE) else described(name)


def described(name: str) -> str:
    """Describe a name that can be imported."""
    value = resolve(name)
    title = name.rpartition(".")[2]
    lines = [f'<a id="{name}"></a>', "", f"## {title}", ""]
    is_class = inspect.isclass(value)
    if callable(value) and not (is_class and issubclass(value, BaseException)) and name != "fasturl.Finding":
        lines += [signature(title, value)]
    if callable(value) or isinstance(value, types.ModuleType):
        lines += [as_markdown(value.__doc__ or ""), ""]
    else:
        lines += [after_assignment(name), ""]
    if is_class or isinstance(value, types.ModuleType):
        for member, described_member in members(value):
            short = f"{title}.{member}" if is_class else member
            lines += [f"### {short}", ""]
            if callable(described_member):
                lines += [signature(member, described_member, value if is_class else None)]
            lines += [as_markdown(described_member.__doc__ or ""), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def after_assignment(name: str) -> str:
    """Describe a constant by the comment above it, or else by its module's first paragraph, and by its size."""
    value = resolve(name)
    short = name.rpartition(".")[2]
    for path in sorted((ROOT / "src" / "fasturl").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        match = re.search(rf"((?:^#.*\n)*)^{short}\b[^=\n]*= ", source, re.MULTILINE)
        if match:
            above = " ".join(line.lstrip("# ").strip() for line in match[1].splitlines())
            told = above or (re.match(r'"""(.*?)(?:\n\n|""")', source, re.DOTALL) or [""])[1]
            return f"{told}\n\nA {type(value).__name__} of {len(value)} items."
    raise LookupError(f"{name} is not a constant of the package")


def described_engine(name: str) -> str:
    """Describe an engine's module or function from the source, so that you do not have to install the engine."""
    _, folder, engine, *function = name.split(".")
    module = tree(ROOT / "src" / "fasturl" / folder / f"{engine}.py")
    lines = [f'<a id="{name}"></a>', "", f"## {name}", ""]
    if not function:
        lines += [as_markdown(ast.get_docstring(module) or ""), ""]
    for node in module.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or not ast.get_docstring(node):
            continue
        if node.name not in function if function else node.name.startswith("_"):
            continue
        lines += [] if function else [f"### {engine}.{node.name}", ""]
        if isinstance(node, ast.FunctionDef):
            lines += [fenced(node.name, parameters_of(node), types_of([node]))]
        lines += [as_markdown(ast.get_docstring(node) or ""), ""]
    return "\n".join(lines).strip() + "\n"


def api_page(text: str) -> str:
    """Return a page of docs/api with the current description for each name."""
    names = re.findall(r"^(?:<!-- )?::: (fasturl[\w.]*)", text, re.MULTILINE)
    head = re.split(r"^(?:<!-- )?::: ", text, maxsplit=1, flags=re.MULTILINE)[0]
    return head + "\n".join(f"<!-- ::: {name} -->\n\n{description(name)}" for name in names)


# --- commands, findings, formats -------------------------------------------------------------------------------------


def commands() -> str:
    """Describe each command and option as click's help does."""
    import click

    from fasturl.cli.app import main
    from fasturl.cli.options import Command

    parent = click.Context(main, info_name="fasturl", show_default=True)
    assert isinstance(main, click.Group)
    parts = []
    for name in main.list_commands(parent):
        command = main.get_command(parent, name)
        assert isinstance(command, Command)
        context = click.Context(command, info_name=name, parent=parent)
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        told = "\n\n".join(map(plain, inspect.cleandoc(command.help or "").split("\n\n")))
        lines = [f"## {name}", "", told, "", "```text", usage, "```"]
        fitting = [each if len(each) <= 88 else each.replace(" -o ", " \\\n    -o ") for each in command.examples]
        lines += ["", "```sh", *fitting, "```"]
        options = [one for one in command.get_params(context) if isinstance(one, click.Option) and not one.hidden]
        records = [record for record in (one.get_help_record(context) for one in options) if record is not None]
        lines += ["", "| option | effect |", "|---|---|"]
        lines += [f"| `{names.replace('|', chr(92) + '|')}` | {plain(told)} |" for names, told in records]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def findings() -> str:
    """Describe each finding. The texts are in fasturl._findings."""
    import fasturl
    from fasturl._terms import example_citation

    parts = []
    for kind, mask in (("violation", fasturl.Finding.VIOLATIONS), ("hazard", fasturl.Finding.HAZARDS)):
        parts.append(f"## {kind.capitalize()}s\n")
        for finding in mask:
            problem = next(found for found in fasturl.problems(finding.example) if found.finding == finding)
            carets = " " * problem.start + "^" * max(problem.end - problem.start, 1)
            what, *more = (part[0].upper() + part[1:].rstrip(":") + "." for part in finding.sentence.split("; "))
            source = f"{kind.capitalize()}, {example_citation(finding)}, bit {int(finding).bit_length() - 1}."
            lines = [f"### {finding.name}", "", " ".join([f"**{plain(what)}**", *map(plain, more)]), "", source, ""]
            lines += ["```text"]
            lines += [finding.example.replace("\t", "\u2409"), carets, "```", ""]
            lines += [f"**Why it matters.** {plain(finding.reason)}", ""]
            lines += [f"**What you can do.** {plain(finding.advice)}", ""]
            parts.append("\n".join(lines))
    return "\n".join(parts)


def formats() -> str:
    """List the log formats from the catalog, the most used ones first."""
    from fasturl.logs.formats.catalog import BY_USE

    lines = ["| name | what it reads |", "|---|---|"]
    lines += [f"| [`{log.name}`](#{log.name.lower()}) | {log.description} |" for log in BY_USE]
    return "\n".join(lines) + "\n"


# Formats with samples from several programs, and the program whose line is shown.
SHOWN = {"W3C": "IIS", "CLOUDFRONT": "CloudFront", "CADDY": "caddy", "NGINXJSON": "nginx json", "LOGFMT": "lograge"}


def samples() -> str:
    """Show a line of each log format from the tests, the columns that fasturl reads in it, and a command."""
    from logsamples import READ_AS, SAMPLES

    from fasturl import logs
    from fasturl.logs.columns import DETAILS, EXTRAS
    from fasturl.logs.formats.catalog import BY_USE

    columns = ["url", *DETAILS, *EXTRAS, "referer"]

    def columns_in(lines: str, name: str) -> list[str]:
        [row] = logs.read([f"{lines}\n".encode()], name, columns).read_all().to_pylist()
        return [column for column in columns if row[column] is not None]

    parts = []
    for log in BY_USE:
        own = [(source, lines) for source, name, lines, _ in SAMPLES if name == READ_AS.get(log.name, log.name)]
        chosen = [lines for source, lines in own if SHOWN.get(log.name, source) == source]
        line = max(chosen, key=lambda lines: len(columns_in(lines, log.name)))
        shown = "\n".join(map(wrapped, line.expandtabs(4).split("\n")))
        has = ", ".join(f"`{name}`" for name in columns_in(line, log.name))
        command = f"fasturl stats --log-format {log.name} access.log"
        parts.append(f"### {log.name}\n\n```text\n{shown}\n```\n\nColumns: {has}\n\n```sh\n{command}\n```\n")
    return "\n".join(parts)


def wrapped(line: str) -> str:
    """Break a line of a log at spaces and before keys of JSON, so that the site shows it without a scroll bar."""
    lines = textwrap.wrap(line.replace(',"', ',\v"'), 84, break_on_hyphens=False, replace_whitespace=False)
    return "\n    ".join(lines).replace("\v", "")


MADE = {"commands": commands, "findings": findings, "formats": formats, "samples": samples}
PART = re.compile(r"^(<!-- made: (\w+) -->\n).*?^(<!-- end of \2 -->)$", re.MULTILINE | re.DOTALL)


def pages() -> dict[Path, str]:
    """Return the current text for each page that has generated parts."""
    texts = {path: api_page(path.read_text(encoding="utf-8")) for path in sorted(API.glob("*.md"))}
    for path in sorted((ROOT / "docs").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if PART.search(text):
            texts[path] = PART.sub(lambda found: f"{found[1]}\n{MADE[found[2]]().strip()}\n\n{found[3]}", text)
    return texts


def main() -> int:
    stale = [path for path, text in pages().items() if path.read_text(encoding="utf-8") != text]
    if "--check" not in sys.argv:
        for path in stale:
            path.write_text(pages()[path], encoding="utf-8")
    for path in stale:
        print(f"{'stale' if '--check' in sys.argv else 'written'}: {path.relative_to(ROOT)}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.path += [str(ROOT / "src"), str(ROOT / "tests")]  # after a package that is installed
    sys.exit(main())
