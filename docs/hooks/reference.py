"""Write the reference pages from the built package: `python3 docs/hooks/reference.py` (`--check` writes nothing).

On a page, `<!-- made: NAME -->` starts a part that a function of this file writes, up to `<!-- end of NAME -->`. On the
pages of docs/api, `<!-- ::: fasturl.NAME -->` starts the description of one public name, up to the next such line. To
add a name, write `::: fasturl.NAME` on a line of its own and run this script.
"""

from __future__ import annotations

import ast
import html
import inspect
import pkgutil
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "docs" / "api"
NEEDS_AN_ENGINE = ("fasturl.engines.", "fasturl.logs.polars.", "fasturl.logs.duckdb.", "fasturl.logs.spark.")
# "name, name : description", and the words that begin a docstring's last lines.
FIELD = re.compile(r"(\**\w+(?:, \**\w+)*) : |(Returns|Yields|Raises|Warns|Cost|Source|Time|Memory|Threads):? ")
SIGNATURE = re.compile(r"\A\w+(?:\.\w+)*\([^\n]*\)(?: -> [^\n]*)?\n\n")


def plain(text: str) -> str:
    """Escape all markup of a text."""
    return re.sub(r"([\\`*_{}\[\]#|])", r"\\\1", html.escape(re.sub(r"\s+", " ", text).strip(), quote=False))


# --- docstrings ------------------------------------------------------------------------------------------------------


def listed(block: str) -> str:
    """Convert a block of fields to a list. Further lines of a field belong to its item."""
    lines: list[str] = []
    in_list = False
    for line in block.split("\n"):
        found = FIELD.match(line)
        if not found:
            lines.append(("  " if in_list else "") + line.strip())
        else:
            if lines and not in_list:
                lines.append("")
            in_list = True
            name = ", ".join(f"`{one}`" for one in found[1].split(", ")) if found[1] else f"**{found[2]}**"
            lines.append(f"- {name}: {line[found.end() :]}")
    return "\n".join(lines)


def as_markdown(text: str) -> str:
    """Convert a docstring: examples become fenced sessions, fields become lists."""
    text = SIGNATURE.sub("", inspect.cleandoc(text))
    text = re.sub(r":(?:func|class|meth|mod|data|attr):`([^`]+)`", r"`\1`", text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    blocks = []
    for block in re.split(r"\n{2,}", text):
        if ">>> " in block:
            before, mark, session = block.partition(">>> ")
            fenced = f"```pycon\n{inspect.cleandoc(mark + session)}\n```"
            blocks.append(f"{listed(before.rstrip())}\n\n{fenced}" if before.strip() else fenced)
        else:
            blocks.append(listed(block))
    return "\n\n".join(blocks)


def signature(shown: str, value: Any) -> str:
    """Return a fenced signature without types, which the docstring describes; empty if there is none."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return ""
    written: list[str] = []
    keywords = False
    for each in parameters:
        if each.name == "self":
            continue
        if each.kind is each.KEYWORD_ONLY and not keywords and not any(one.startswith("*") for one in written):
            written.append("*")
            keywords = True
        each = each.replace(annotation=inspect.Parameter.empty)
        default = repr(each.default)
        if each.default is not inspect.Parameter.empty and (default.startswith("<") or len(default) > 40):
            name = getattr(each.default, "__name__", "…")
            written.append(f"{each.replace(default=inspect.Parameter.empty)}={name}")
        else:
            written.append(str(each))
    return f"```python\n{shown}({', '.join(written)})\n```\n"


def resolve(name: str) -> Any:
    return pkgutil.resolve_name(name)


def members(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the documented public members of a class or of a module that are defined there."""
    for name, member in vars(value).items():
        if name.startswith("_") or isinstance(member, types.ModuleType):
            continue
        if isinstance(value, types.ModuleType) and getattr(member, "__module__", None) != value.__name__:
            continue
        told = getattr(member, "__doc__", None) or ""
        own = told and told != getattr(type(member), "__doc__", None) and not told.startswith("Alias for field")
        if own and (callable(member) or isinstance(member, classmethod | property) or inspect.isdatadescriptor(member)):
            yield name, getattr(value, name) if isinstance(member, classmethod) else member


def description(name: str) -> str:
    """Return the description of one public name."""
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
                lines += [signature(member, described_member)]
            lines += [as_markdown(described_member.__doc__ or ""), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def after_assignment(name: str) -> str:
    """Describe a constant: the comment above it, or the first paragraph of its module, and its size."""
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
    """Describe a module of an engine, or a function of it, from its source: the engine need not be installed."""
    _, folder, engine, *function = name.split(".")
    tree = ast.parse((ROOT / "src" / "fasturl" / folder / f"{engine}.py").read_text(encoding="utf-8"))
    lines = [f'<a id="{name}"></a>', "", f"## {name}", ""]
    if not function:
        lines += [as_markdown(ast.get_docstring(tree) or ""), ""]
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or not ast.get_docstring(node):
            continue
        if node.name not in function if function else node.name.startswith("_"):
            continue
        lines += [] if function else [f"### {engine}.{node.name}", ""]
        if isinstance(node, ast.FunctionDef):
            for each in (
                *node.args.posonlyargs,
                *node.args.args,
                *node.args.kwonlyargs,
                node.args.vararg,
                node.args.kwarg,
            ):
                if each is not None:
                    each.annotation = None
            lines += [f"```python\n{node.name}({ast.unparse(node.args)})\n```\n"]
        lines += [as_markdown(ast.get_docstring(node) or ""), ""]
    return "\n".join(lines).strip() + "\n"


def api_page(text: str) -> str:
    """Write the names of a page again."""
    names = re.findall(r"^(?:<!-- )?::: (fasturl[\w.]*)", text, re.MULTILINE)
    head = re.split(r"^(?:<!-- )?::: ", text, maxsplit=1, flags=re.MULTILINE)[0]
    return head + "\n".join(f"<!-- ::: {name} -->\n\n{description(name)}" for name in names)


# --- commands, findings, formats -------------------------------------------------------------------------------------


def commands() -> str:
    """Describe each command and option once, in click's words."""
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
        lines += ["", "```sh", *command.examples, "```"]
        options = [one for one in command.get_params(context) if isinstance(one, click.Option) and not one.hidden]
        records = [record for record in (one.get_help_record(context) for one in options) if record is not None]
        lines += ["", "| option | effect |", "|---|---|"]
        lines += [f"| `{names.replace('|', chr(92) + '|')}` | {plain(told)} |" for names, told in records]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def findings() -> str:
    """Describe each finding from the table in fasturl._findings."""
    import fasturl
    from fasturl._terms import example_citation

    parts = []
    for kind, mask in (("violation", fasturl.Finding.VIOLATIONS), ("hazard", fasturl.Finding.HAZARDS)):
        parts.append(f"## {kind.capitalize()}s\n")
        for finding in mask:
            problem = next(found for found in fasturl.problems(finding.example) if found.finding == finding)
            carets = " " * problem.start + "^" * max(problem.end - problem.start, 1)
            sentence = finding.sentence[0].upper() + finding.sentence[1:]
            source = f"A {kind}; {example_citation(finding)}; bit {int(finding).bit_length() - 1}."
            lines = [f"### {finding.name}", "", f"**{plain(sentence)}.** {source}", "", "```text"]
            lines += [finding.example.replace("\t", "\u2409"), carets, "```", ""]
            lines += [f"**Why it matters.** {plain(finding.reason)}", ""]
            lines += [f"**What to do.** {plain(finding.advice)}", ""]
            parts.append("\n".join(lines))
    return "\n".join(parts)


def formats() -> str:
    """List the log formats from the catalog."""
    from fasturl.logs.formats.catalog import LOGS

    lines = ["| name | what it reads |", "|---|---|"]
    lines += [f"| `{log.name}` | {log.description} |" for log in LOGS]
    return "\n".join(lines) + "\n"


MADE = {"commands": commands, "findings": findings, "formats": formats}
PART = re.compile(r"^(<!-- made: (\w+) -->\n).*?^(<!-- end of \2 -->)$", re.MULTILINE | re.DOTALL)


def pages() -> dict[Path, str]:
    """Return each page that holds generated text, as it should be."""
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
    sys.path.append(str(ROOT / "src"))  # behind a package that is installed
    sys.exit(main())
