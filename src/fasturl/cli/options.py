"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import partial, wraps
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fasturl import SECRET_KEYS, unquote_to_bytes
from fasturl._extras import pip_install
from fasturl._patterns import lazy_pattern
from fasturl._quoted import quoted, unknown
from fasturl._urllib import checked_mark
from fasturl.cli.failure import Failure
from fasturl.cli.imports import arrow_module
from fasturl.logs.errors import LogError, reason
from fasturl.logs.formats.catalog import LOG_NAMES, USUAL, json_format, named_format
from fasturl.logs.formats.records import LogFormat
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.decompress import MEMORY_LIMIT
from fasturl.logs.redaction import Redaction
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.cli.inputs import CommandInputs
    from fasturl.cli.outputs.output import Step
    from fasturl.logs.addresses import Anonymizer
    from fasturl.logs.changes import Changes
    from fasturl.logs.routes import Routes


_KEY_MIN, _KEY_MAX = 16, 1 << 12
_SECRETS = "secrets"  # the key that stands for all of SECRET_KEYS


# Times that count from the last request, -1h, or mean its day, 14:00.
_BEFORE_END = lazy_pattern(r"(?a)-(\d{1,6})([smhd])")
_OF_DAY = lazy_pattern(r"(?a)(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def _is_relative(text: str | None) -> bool:
    return text is not None and (_BEFORE_END.fullmatch(text) or _OF_DAY.fullmatch(text)) is not None


def _instant(option: str, text: str, last: datetime | None = None) -> datetime:
    """Return the time that an option names. A time without a zone is UTC, a date is its midnight.

    last : the time of the last request, in the zone of a time of its day

    >>> _instant("--time-from", "2015-05-17T10:05+02:00").isoformat()
    '2015-05-17T08:05:00+00:00'
    >>> _instant("--time-from", "-90m", datetime(2015, 5, 17, 10, tzinfo=UTC)).isoformat()
    '2015-05-17T08:30:00+00:00'
    """
    try:
        if last is not None and (before := _BEFORE_END.fullmatch(text)):
            return (last - timedelta(**{_UNITS[before[2]]: int(before[1])})).astimezone(UTC)
        if last is not None and _OF_DAY.fullmatch(text):
            return datetime.combine(last.date(), time.fromisoformat(text), last.tzinfo).astimezone(UTC)
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        message = f"{option}: {quoted(text)} is not a time such as 2015-05-17T10:05:03+02:00, 2015-05-17, 14:00 or -1h"
        raise Failure(message) from None


@dataclass(frozen=True, eq=False, repr=False)
class Hiding:
    """What a command hides.

    redact : names of parameters whose values are hidden
    redact_as : the value of `--redact-as`
    redact_user : hides users too
    """

    redact: tuple[str, ...] = ()
    redact_as: str | None = None
    redact_user: bool = False

    @property
    def hides(self) -> bool:
        return bool(self.redact or self.redact_as or self.redact_user)

    def redaction(self, always: tuple[str, ...] = ()) -> Redaction | None:
        """Return the redaction, or None if there is none; `always` are further keys to redact.

        `--redact-as` and `--redact-user` alone hide what `--redact secrets` hides.
        """
        if "" in self.redact:
            raise Failure("--redact: the parameter has no name")
        names = self.redact or ((_SECRETS,) if self.hides else ())
        named = (key for name in names for key in (SECRET_KEYS if name == _SECRETS else (name,)))
        keys = tuple(dict.fromkeys((*always, *named)))
        if not keys:
            return None
        how, _, value = (self.redact_as or "mark:***").partition(":")
        if how == "otel" and not value:
            return Redaction(keys, user=True, alias=lambda _: b"REDACTED")
        if how == "hash" and value:
            return Redaction(keys, user=True, alias=partial(_pseudonym, _key_in("--redact-as", value)))
        if how != "mark":
            raise Failure(f"--redact-as: expected mark:TEXT, otel or hash:FILE, not {quoted(self.redact_as)}")
        try:
            return Redaction(keys, checked_mark(value), user=self.redact_user)
        except ValueError as error:
            raise Failure(f"--redact-as: {error}") from None


@dataclass(frozen=True, eq=False, repr=False)
class Selection(Hiding):
    """The rows of a command and the changes to their texts.

    where : an SQL expression over the columns, or None
    time_from, time_to : the first time, and the time before which rows end; None for no limit
    drop : names of query parameters to remove
    """

    where: str | None = None
    time_from: str | None = None
    time_to: str | None = None
    drop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if "" in self.drop:
            raise Failure("--drop: the parameter has no name")
        self._times()

    def _times(self) -> dict[str, datetime]:
        """Return the limits by their operators."""
        given = (("--time-from", ">=", self.time_from), ("--time-to", "<", self.time_to))
        named = (each for each in given if each[2] is not None and not _is_relative(each[2]))
        return {operator: _instant(option, text) for option, operator, text in named if text is not None}

    @property
    def _relative(self) -> list[tuple[str, str]]:
        """The names of the limits that count from the last request, each with its option and value as written."""
        limits = ((name, getattr(self, name)) for name in ("time_from", "time_to"))
        return [(name, f"--{name.replace('_', '-')} {text}") for name, text in limits if _is_relative(text)]

    def last_time(self, source: InputOptions, zone: tzinfo | None, anonymize: str | None) -> datetime | None:
        """Return the time of the last request, which takes a pass over the inputs, or None if no limit needs it."""
        if not self._relative:
            return None
        option = self._relative[0][1]
        with needing_pyarrow(option, "pyarrow.compute"):
            from fasturl.cli.pipeline import last_time
        changes = self.changes(always=SECRET_KEYS, anonymize=anonymize)
        return last_time(source, option, changes).astimezone(zone or UTC)

    def resolved(self, last: datetime | None) -> Selection:
        """Return the selection with the limits that count from the last request, whose time is `last`."""
        times: dict[str, Any] = {
            name: _instant(option, getattr(self, name), last).isoformat() for name, option in self._relative
        }
        return replace(self, **times) if times else self

    @property
    def condition(self) -> str | None:
        """Return the condition on a row in SQL, or None if all rows are wanted. `--where` must have been checked."""
        parts = [] if self.where is None else [f"({self.where}\n)"]  # a line feed ends a comment
        parts += [f"time {operator} TIMESTAMPTZ '{time.isoformat()}'" for operator, time in self._times().items()]
        return " AND ".join(parts) or None

    def steps(self, stack: ExitStack, command: str, reading: CommandInputs, *, by_request: bool = True) -> list[Step]:
        """Return the step that takes the rows, which `stack` closes, or nothing if all rows are wanted."""
        condition = self.condition
        if condition is None:
            return []
        from fasturl.cli.sqltables import Where

        step = Where(self.where, condition, command, reading, by_request=by_request)
        stack.callback(step.close)
        return [step]

    def changes(
        self, *, always: tuple[str, ...] = (), anonymize: str | None = None, keeps_findings: bool = False
    ) -> Changes | None:
        """Return the changes to the texts, or None if there are none; `always` are further keys to redact.

        anonymize : the value of `--anonymize-client`
        """
        from fasturl.logs.changes import Changes

        redaction = self.redaction(always)
        anonymizer = None if anonymize is None else _anonymizer(anonymize)
        if redaction is None and not self.drop and anonymizer is None:
            return None
        return Changes(self.drop, redaction, anonymizer, keeps_findings=keeps_findings)


def compared_parts(
    source: InputOptions,
    selection: Selection,
    compared: tuple[str, str],
    zone: tzinfo | None,
    anonymize: str | None,
) -> list[tuple[InputOptions, Selection]]:
    """Return the inputs and rows of both values of `--compare`: windows of the inputs, or files if there are none."""
    from fasturl.cli.inputs import CommandInputs

    if not source.paths:
        return [(replace(source, paths=(path,)), selection) for path in compared]
    windows = [text.partition("..") for text in compared]
    if not all(separator for _, separator, _ in windows):
        raise Failure("--compare: give two files without FILES, or two windows such as 13:00..14:00 14:00..15:00")
    if not all(each.can_be_read_again for each in CommandInputs(source).sources):
        raise Failure("--compare: two windows need two passes, so name a file instead of a pipe")
    limited = [
        replace(selection, time_from=start or selection.time_from, time_to=end or selection.time_to)
        for start, _, end in windows
    ]
    last_times = (each.last_time(source, zone, anonymize) for each in limited)
    last = next(filter(None, last_times), None)  # one pass serves both
    return [(source, each.resolved(last)) for each in limited]


def _anonymizer(text: str) -> Anonymizer:
    from fasturl.logs.addresses import Anonymizer

    if text.removeprefix("/") in ("16", "24"):
        return Anonymizer(int(text.removeprefix("/")))
    name, _, path = text.partition(":")
    if name != "hash" or not path:
        raise Failure(f"--anonymize-client: expected /16, /24 or hash:FILE, not {quoted(text)}")
    return Anonymizer(key=_key_in("--anonymize-client", path))


def _key_in(option: str, path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            key = file.read(_KEY_MAX).strip()
    except OSError as error:
        raise Failure(f"{option}: {visible(path)}: {reason(error)}") from None
    if len(key) < _KEY_MIN:
        raise Failure(f"{option}: {visible(path)}: the key must have at least {_KEY_MIN} bytes")
    return key


def _pseudonym(key: bytes, secret: bytes) -> bytes:
    """Return the keyed hash of a secret, which is the same in every spelling with percent escapes."""
    import hmac  # loads OpenSSL, which takes milliseconds

    return hmac.digest(key, unquote_to_bytes(secret), "sha256")[:16].hex().encode()


F = TypeVar("F", bound=Callable[..., Any])
Made = TypeVar("Made")


class Option(click.Option):
    """An option with the heading under which its command lists it."""

    def __init__(self, *names: Any, heading: str, **given: Any) -> None:
        super().__init__(*names, **given)
        self.heading = heading

    def brief(self) -> tuple[str, str] | None:
        """Return the names and the first sentence of the help, or None for an option that the short help only names."""
        if self.opts[-1].removeprefix("--") in _RARE:
            return None
        value = "" if self.is_flag else f" {self.metavar or 'WORD'}"
        return ", ".join(self.opts) + value, (self.help or "").partition(". ")[0].removesuffix(".")


class _Choice(click.Choice):  # type: ignore[type-arg, unused-ignore]
    """One of several words. The error for another word suggests a similar one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in self.choices:
            self.fail(str(unknown("value", value, self.choices)), param, ctx)
        return value


def option(heading: str, said: str, help: str, **given: Any) -> Callable[[F], F]:
    """Return an option. `said` are its names, that of the parameter if it is another one, and the name of its value.

    type : of the value; a list of the values that it may have
    """
    if isinstance(given.get("type"), list):
        given["type"] = _Choice(given["type"])
    given |= {"cls": Option, "heading": heading, "help": help}
    *names, last = said.split()
    if last[0] == "-" or last[0].islower():
        return click.option(*names, last, **given)
    return click.option(*names, metavar=last, **given)


# Options that few people use. The short help only names them.
_RARE = frozenset(
    "map delimiter no-headers form trusted-proxies max-line memory-limit allow-rejects allow-truncated threads quiet "
    "rows redact-user redact-as routes-syntax key standard memory invalid-bytes docs null".split()
)
# The headings under which a command lists its options, in this order.
_HEADINGS = ("Input", "Which rows", "Redaction", "Output", "Errors")
of_input, of_rows, of_redaction, of_output, of_errors = (partial(option, heading) for heading in _HEADINGS)


class Command(click.Command):
    """A command with a short help, which shows what people use most, and a complete one. Both begin with examples."""

    examples: tuple[str, ...] = ()  # the tests run them

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.write_help(ctx, formatter, (self.help or "").partition("\n\n")[0])

    def write_help(self, ctx: click.Context, formatter: click.HelpFormatter, about: str = "") -> None:
        """Write the short help, which begins with `about`, or else the complete one."""
        self.format_usage(ctx, formatter)
        if about:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(about)
        else:
            self.format_help_text(ctx, formatter)
        with formatter.section("Examples"):
            formatter.write("".join(f"  $ {example}\n" for example in self.examples))
        groups: dict[str, list[tuple[str, str]]] = {}
        rest = []
        for each in sorted(self.get_params(ctx), key=lambda param: param.name in ("quiet", "help")):
            if not isinstance(each, click.Option):
                continue
            brief = each.brief() if isinstance(each, Option) else None
            if record := brief if about else each.get_help_record(ctx):
                groups.setdefault(getattr(each, "heading", "Output"), []).append(record)
            else:
                rest.append(max(each.opts, key=len))
        for heading in _HEADINGS:
            if heading in groups:
                with formatter.section(heading):
                    formatter.write_dl(groups[heading])
        if about:
            with formatter.section(f"More options (`fasturl help {ctx.info_name}` explains all)"):
                lines = wrap(" ".join(rest), formatter.width - 2, break_on_hyphens=False)
                formatter.write("".join(f"  {line}\n" for line in lines))


def command(*examples: str, name: str | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator of a command. Its help shows the examples."""
    return click.command(name, type("Command", (Command,), {"examples": examples}))


_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30}


def _size_up_to(limit: int) -> Callable[[str], int]:
    """Return the type of a number of bytes from 1 to `limit`. The suffixes K, M and G mean 2^10, 2^20 and 2^30."""

    def size(text: str) -> int:
        found = re.fullmatch(r"([0-9]{1,10})([KMG]?)", text.upper(), re.ASCII)
        value = int(found[1]) << _SHIFTS[found[2]] if found else 0
        if not 1 <= value <= limit:
            raise click.BadParameter(f"{quoted(text)} is not a size from 1 to {limit >> 30}G, such as 512K or 16M")
        return value

    return size


max_line_option = of_input(
    "--max-line SIZE",
    "Reject longer lines. They are not held in memory. K, M and G are units.",
    type=_size_up_to(1 << 30),
    default="16M",
)


def _networks(text: str) -> str:
    """Return a list of networks, which must be valid."""
    from fasturl.logs.addresses import networks_of

    try:
        networks_of(text)
    except ValueError:
        raise click.BadParameter(f"{quoted(text)} is not a list of networks such as 10.0.0.0/8,2001:db8::/32") from None
    return text


trusted_proxies_option = of_input(
    "--trusted-proxies NETWORKS",
    "Networks of proxies (10.0.0.0/8,2001:db8::/32). For a client in them, the visitor is the last forwarded address "
    "outside them. Any other client is the visitor itself. By default the private networks.",
    type=_networks,
)

memory_limit_option = of_input(
    "--memory-limit SIZE",
    "Refuse a compressed input that declares that it needs more memory.",
    type=_size_up_to(1 << 40),
    default=f"{MEMORY_LIMIT >> 20}M",
)


def memory_option(holder: str) -> Callable[[F], F]:
    """Return the option for the memory of DuckDB; `holder` is the subject of its help."""
    return of_output(
        "--memory SIZE",
        f"Memory that {holder} may use. More data goes to a temporary directory. K, M and G are units.",
        type=_size_up_to(1 << 40),
        default="1G",
    )


def output_option(what: str) -> Callable[[F], F]:
    """Return the option for the output file; `what` is the subject of its help."""
    return of_output(
        "-o --output FILE",
        f"Write {what} to FILE. The file appears when it is complete. The default, -, is standard output.",
        type=click.Path(allow_dash=True),
    )


def _time_zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo, available_timezones

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, malformed, or a folder
        message = str(unknown("time zone", name, available_timezones(), "an example is Europe/Berlin"))
        raise click.BadParameter(message) from None


timezone_option = of_output(
    "--timezone zone NAME", "Use this time zone, such as Europe/Berlin. The default is UTC.", type=_time_zone
)

top_option = of_output("--top N", "Show N rows per table.", type=click.IntRange(min=1), default=10)

standard_option = of_output(
    "--standard",
    "The standard that says whether a URL is valid, or a request target (by RFC 9112).",
    type=["rfc1738", "rfc3986"],
    default="rfc1738",
)

_HIDING = (
    of_redaction(
        "--redact KEY",
        "Hide passwords, and this parameter or all secrets. Writes *** for passwords and for the values of parameters "
        "with this name. The name secrets stands for well-known parameters (`fasturl help redaction` lists them).",
        multiple=True,
    ),
    of_redaction("--redact-user", "Also hide users: those in URLs, and those who sent requests.", is_flag=True),
    of_redaction(
        "--redact-as HOW",
        "Write another text instead of ***: mark:TEXT for TEXT, otel for REDACTED as OpenTelemetry writes it, or "
        "hash:FILE for pseudonyms with the key in FILE. otel and hash also hide users.",
    ),
)

_SELECTION = (
    of_rows(
        "--where EXPR",
        "Take rows for which this SQL is true: 'status >= 500'. The expression can use every column (`fasturl help "
        "fields`), for example \"path LIKE '/api/%'\".",
    ),
    of_rows(
        "--time-from TIME",
        "Take rows from this time on: 2015-05-17, 14:00 or -1h. A date means midnight. You can also write "
        "2015-05-17T10:05:03+02:00. Without a zone, the time is UTC. In files, 14:00 is on the last day, and -1h means "
        "an hour before the last request.",
    ),
    of_rows("--time-to TIME", "Take rows before this time. It is written as for --time-from."),
    of_redaction(
        "--drop NAME",
        "Remove this query parameter, such as 'utm_*'. It is removed before the URLs are parsed. * matches any "
        "characters.",
        multiple=True,
    ),
    *_HIDING,
)


def made_of(kind: type[Made], given: dict[str, Any]) -> Made:
    """Return an object of a data class from the options that are its fields, which are removed."""
    return kind(**{field.name: given.pop(field.name) for field in fields(kind) if field.name in given})  # type: ignore[arg-type]


def add_options(command: F, *options: Callable[[F], F]) -> F:
    """Add the options to a command, so that its help lists them in this order."""
    for add in reversed(options):
        command = add(command)
    return command


def as_one(name: str, kind: type[Any], *given_by: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator that adds options, which the command gets as one object of a data class."""

    def decorate(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def wrapper(**given: Any) -> Any:
            made = made_of(kind, given)
            if isinstance(made, Selection):
                made = made.resolved(made.last_time(given["source"], given.get("zone"), given.get("anonymize")))
            return command(**{name: made}, **given)

        return add_options(wrapper, *given_by)

    return decorate


# The options that choose rows and change texts, as `selection`, and those that hide secrets, as `hiding`.
selection_options = as_one("selection", Selection, *_SELECTION)
hiding_options = as_one("hiding", Hiding, *_HIDING)


def _routes_in(path: str, syntax: str) -> Routes:
    """Return the routes in a file: one per line. Empty lines and comments, which start with "#", are skipped."""
    with needing_pyarrow("--routes", "pyarrow.compute"):
        from fasturl.logs.routes import Routes
    try:
        with open(path, "rb") as file:
            lines = [line.strip() for line in file.read().splitlines()]
        return Routes([line for line in lines if line and not line.startswith(b"#")], syntax=syntax)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise Failure(f"--routes: {visible(path)}: {why}") from None


def routes_options(command: F) -> F:
    """Add to a command the options for known routes, which become `source.routes`."""
    return add_options(
        command,
        of_output(
            "--routes FILE",
            "Give each path its route in FILE, such as /users/{id}. FILE has one route per line. The column is route.",
            type=click.Path(),
        ),
        of_output(
            "--routes-syntax",
            "How the routes in FILE are written.",
            type=["openapi", "rails", "express", "django"],
            default="openapi",
        ),
    )


anonymize_option = of_redaction(
    "--anonymize-client anonymize HOW",
    "Write addresses as networks or keyed hashes. HOW is /16 or /24 for networks (/48 in IPv6), or hash:FILE for "
    "hashes with the secret key in FILE.",
)

compare_option = of_output(
    "--compare compared",
    "Show the routes that got worse from OLD to NEW. These are two files, or two windows of FILES, for example "
    "13:00..14:00 14:00..15:00.",
    nargs=2,
    metavar="OLD NEW",
)

invalid_bytes_option = of_output(
    "--invalid-bytes",
    "Write bytes that are not UTF-8 as %E9 (escape), or so that they can be read back (surrogate).",
    type=["escape", "surrogate"],
    default="escape",
)

null_lines_option = of_input("-0 --null null_separated", "Lines end in NUL instead of line feed.", is_flag=True)

files_argument = click.argument("paths", metavar="[FILES]...", nargs=-1, type=click.Path(allow_dash=True))


def _complete_format(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Return the format names that a shell offers."""
    return [name for name in (*LOG_NAMES, "URLS") if name.startswith(begun.upper())]


def format_option(names: str) -> Callable[[F], F]:
    return of_input(
        f"{names} log_format FORMAT",
        f"The input's format, by default detected. You can give a name ({', '.join(USUAL[:4])} and others, which "
        "`fasturl help formats` lists), URLS for one URL per line, SYSLOG+NAME for lines after a prefix, several names "
        "with commas, the format from the configuration of Apache, nginx, HAProxy, gunicorn or goaccess, or @FILE for "
        "the configuration itself, such as @/etc/nginx/nginx.conf (@FILE:NAME if it has several formats).",
        shell_complete=_complete_format,
    )


_INPUT = (
    of_input(
        "--map mapping NAME=FIELD",
        "Read JSON lines, one request per object. NAME is the column, such as target or status, and FIELD is the JSON "
        "field (a.b for a nested field). NAME can also be request, for a whole request line, or line, for a line of a "
        "log.",
        multiple=True,
    ),
    of_input("--field json_field NAME", "Take the URLs from this field of JSON lines. Write a.b for a nested field."),
    of_input(
        "-c --column NAME",
        "Take the URLs from this column of a table. The table is CSV, Parquet or Arrow, and NAME is the column's name, "
        "or its number from 1.",
    ),
    of_input("-d --delimiter CHAR", r"Delimiter of CSV columns; \t for tab.", default=","),
    of_input("-n --no-headers", "The CSV has no header line.", is_flag=True),
    null_lines_option,
    of_input(
        "--form",
        "How to read each URL of an input that is not a log. request-target also allows /path and host:port.",
        type=["url", "request-target"],
    ),
    trusted_proxies_option,
    max_line_option,
    memory_limit_option,
    of_input(
        "--allow-rejects",
        "Read an input even if more than half of the first 1,000 lines are rejected. By default, such an input ends "
        "the run with status 2.",
        is_flag=True,
    ),
    of_input(
        "--allow-truncated",
        "Take the rows of an input that breaks off or becomes shorter. By default, they go to FILE.part, and the "
        "status is 2.",
        is_flag=True,
    ),
    of_input(
        "--threads N",
        "Threads that read and parse. The default is the number of processors.",
        type=click.IntRange(min=1),
    ),
    of_output("-q --quiet", "Show no counts and no progress.", is_flag=True),
)


def log_format_of(text: str | None, mapping: tuple[str, ...]) -> str | LogFormat | None:
    """Return the format that `--log-format` and `--map` describe."""
    log: str | LogFormat | None = None
    if text is not None:
        try:
            log = named_format(text)
        except ValueError as error:
            raise Failure(f"--log-format: {error}") from None
    if not mapping:
        return log
    fields = dict(each.partition("=")[::2] for each in mapping)
    if not all(fields.values()) or len(fields) < len(mapping):
        raise Failure("--map: give each NAME=FIELD once, such as --map target=request.uri")
    try:
        return json_format(fields, line=log)
    except LogError as error:
        raise Failure(f"--map: {str(error).removeprefix('the mapping: ')}") from None


def input_options(command: F, *, names: str = "--log-format --format") -> F:
    """Add to a command FILES and the options of reading. It gets them as `source: InputOptions` and `quiet`.

    `names` are the names of the option for the input's format.
    """

    @wraps(command)
    def wrapper(log_format: str | None, mapping: tuple[str, ...], no_headers: bool, **given: Any) -> Any:
        routes, syntax = given.pop("routes", None), given.pop("routes_syntax", "")
        source = made_of(InputOptions, given)
        source.routes = None if routes is None else _routes_in(routes, syntax)
        source.headers = not no_headers
        named = log_format is not None or bool(mapping), source.json_field is not None, source.column is not None
        if sum(named) > 1:
            raise Failure("give only one of --log-format, --map, --field and --column")
        if source.null_separated and source.column is not None:
            raise Failure("-0 cannot be used with --column, because CSV has its own line ends")
        source.log_format = log_format_of(log_format, mapping)
        return command(source=source, **given)

    return add_options(wrapper, files_argument, format_option(names), *_INPUT)  # type: ignore[return-value]


@contextmanager
def needing_pyarrow(command: str, *modules: str) -> Iterator[None]:
    """Import pyarrow and its `modules`. If pyarrow is missing, here or in the block, say how to install it."""
    try:
        for name in ("pyarrow", *modules):
            arrow_module(name)
        yield
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("pyarrow"):
            raise
        raise Failure(f"fasturl {command} needs pyarrow: {pip_install('cli')}") from None
