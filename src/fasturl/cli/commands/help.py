"""`fasturl help`: explain a command completely, or a topic from the tables that the program itself uses."""

from __future__ import annotations

import click

from fasturl import SECRET_KEYS, Finding
from fasturl._quoted import unknown
from fasturl.cli import options
from fasturl.cli.failure import Failure
from fasturl.cli.outputs.sink import Standard
from fasturl.logs import columns
from fasturl.logs.formats.catalog import BY_USE
from fasturl.logs.formats.kernel_logs import PREFIXES

_FINDINGS = {str(finding.name): finding for finding in Finding}


@options.command("fasturl help parse", "fasturl help formats")
@click.argument("name", required=False, metavar="[NAME]")
@click.pass_context
def command(context: click.Context, name: str | None) -> int:
    """Explain a command, a topic or a finding.

    NAME can be a command, a topic (formats, fields, findings or redaction), or a finding such as BAD_ESCAPE. For a
    command, you see every option. Without NAME, you see the list of commands.
    """
    group, page = context.parent, context.make_formatter()
    assert group is not None and isinstance(group.command, click.Group)
    commands = group.command.list_commands(group)
    if name is None:
        page.write(group.get_help() + "\n")
    elif name in commands:
        found = _command(group, name)
        found.write_help(click.Context(found, group, name), page)
    elif name in TOPICS:
        TOPICS[name](page, group)
    elif finding := _FINDINGS.get(name.upper()):
        told = ((str(finding.name), f"{finding.sentence}."), ("For example", finding.example.expandtabs()))
        page.write_dl([*told, ("Why it matters", finding.reason), ("What to do", finding.advice)])
    else:
        shown = ", ".join((*commands, *TOPICS))
        raise Failure(str(unknown("topic", name, (*commands, *TOPICS, *_FINDINGS), f"there are: {shown}")))
    Standard().write(page.getvalue().encode())
    return 0


def _command(group: click.Context, name: str) -> options.Command:
    assert isinstance(group.command, click.Group)
    made = group.command.get_command(group, name)
    assert isinstance(made, options.Command)
    return made


def _options(group: click.Context, command: str, *wanted: str) -> list[tuple[str, str]]:
    """Return the options of a command that have one of these names or headings, with their complete help."""
    made = (each for each in _command(group, command).params if isinstance(each, options.Option))
    records = (each.get_help_record(group) for each in made if {*each.opts, each.heading} & {*wanted})
    return [record for record in records if record]


def _formats(page: click.HelpFormatter, group: click.Context) -> None:
    page.write_text("fasturl detects a log's format. If it cannot, name the format, in any case, or give your own.")
    with page.section("Names, the most used first"):
        page.write_dl([*((log.name, log.description) for log in BY_USE), ("URLS", "one URL per line")])
    with page.section("Prefixes before the lines, for example SYSLOG+NGINX"):
        page.write_text(", ".join(PREFIXES))
    with page.section("Your own format"):
        page.write_dl(_options(group, "parse", "--log-format", "--map", "--field", "--column"))
    with page.section("To see what is read by a format"):
        page.write("".join(f"  $ {example}\n" for example in _command(group, "detect").examples))


def _fields(page: click.HelpFormatter, group: click.Context) -> None:
    page.write_text(
        "These are the columns for `fasturl parse -F` and -g, for --where, and in the tables of `fasturl sql`. A value "
        "that is absent is null. In --where and sql, target is another name of url. --keep and sql also have the other "
        "fields of your log."
    )
    for heading, names in (
        ("Of each URL, or of the target of each request", (*columns.URL_COLUMNS, *columns.ON_REQUEST)),
        ("Of each request in a log", (*columns.DETAILS, *columns.EXTRAS, columns.REFERER)),
        ("Computed if you name them", (*columns.AGENT_COLUMNS, columns.VISITOR, columns.ROUTE)),
    ):
        with page.section(heading):
            page.write_dl([(name, columns.MEANINGS[name]) for name in names])
    with page.section("Of the referer, with the same meanings"):
        page.write_text(", ".join(columns.REFERER_COLUMNS))


def _findings(page: click.HelpFormatter, group: click.Context) -> None:
    page.write_text("`fasturl help NAME` explains a finding: why it matters, and what to do.")
    for heading, kind in (
        ("Violations, which make a URL invalid by RFC 1738", Finding.VIOLATIONS),
        ("Hazards, which warn of a URL that may be valid", Finding.HAZARDS),
    ):
        with page.section(heading):
            page.write_dl([(str(finding.name), finding.sentence) for finding in kind])


def _redaction(page: click.HelpFormatter, group: click.Context) -> None:
    page.write_text(
        "By default, messages and the commands check, explain, report, routes and stats write *** for secrets. The "
        "commands parse, sql and extract write what the input has, unless you use the options below."
    )
    for command, others in (("parse", ", which other commands share"), ("explain", "")):
        with page.section(f"Options of `fasturl {command}`{others}"):
            page.write_dl(_options(group, command, "Redaction"))
    with page.section("Secrets are passwords, tokens by their shape, and the values of these names"):
        page.write_text(", ".join(SECRET_KEYS))
    page.write_paragraph()
    page.write_text(
        "Case, -, _ and . do not matter. * matches any beginning, & a name that counts if the URL also has the other "
        "parameter, and : a header."
    )


TOPICS = {"formats": _formats, "fields": _fields, "findings": _findings, "redaction": _redaction}
