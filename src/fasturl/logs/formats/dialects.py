"""Parse formats as configurations have them: goaccess, Apache, Varnish, gunicorn, nginx and HAProxy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple

from fasturl._accesslog import LineTemplate
from fasturl._patterns import lazy_pattern
from fasturl.logs.errors import LogError
from fasturl.logs.formats.kernel_logs import CustomLog, TemplateLog
from fasturl.logs.formats.records import LogFormat
from fasturl.logs.formats.templates import Piece, bad_format, compile_template
from fasturl.logs.formats.times import APACHE, APACHE_CLOCK, APACHE_DATE, ISO, check_length, time_program
from fasturl.logs.shown import as_bytes

# The characters of a format with their offsets in the given text. Quotes and backslashes are already undone.
_Text = list[tuple[str, int]]

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "e": "\x1b"}


def line_format(text: str, *, date_format: str | None = None, time_format: str | None = None) -> LogFormat:
    """Return a custom format, which you can pass to ``read`` and ``parse_lines``.

    Copy the format from your server's configuration.

    Parameters
    ----------
    text : str
        A goaccess format such as ``%h %^[%d:%t %^] "%r" %s %b``, an Apache ``LogFormat``, which varnishncsa and
        gunicorn also use, an nginx ``log_format``, or a HAProxy ``log-format``. The directive can stay. You can also
        pass the settings ``log-format``, ``date-format`` and ``time-format`` from a goaccess.conf, a line for each.
    date_format : str, optional
        When the format is goaccess's, the form for ``%d`` and ``%x``, as in strftime. By default, it is ``%d/%b/%Y``.
    time_format : str, optional
        When the format is goaccess's, the form for ``%t``. By default, it is ``%H:%M:%S``.

    Returns
    -------
    LogFormat
        The format with the name CUSTOM.

    Raises
    ------
    LogError
        If a field is unknown, if nothing separates two fields, if the format has no request, or if it has more than 64
        Ki characters. The error has the offset.

    Notes
    -----
    Time: linear.

    Examples
    --------
    >>> line_format('$remote_addr [$time_local] "$request" $status').name
    'CUSTOM'
    >>> line_format("%h %s")
    Traceback (most recent call last):
    fasturl.logs.errors.LogError: the log format, read as Apache's: offset 0: no field is a request or a URL
    """
    template, others, dialect = line_template(text, date_format, time_format)
    return LogFormat("CUSTOM", "lines of a format that is given", partial(CustomLog, template, others, dialect))


def line_template(
    text: str, date_format: str | None = None, time_format: str | None = None
) -> tuple[LineTemplate, dict[str, int], str]:
    """Return a custom format's template, the steps for fields without a column, and the dialect."""
    check_length("the log format", text)
    settings = [_SETTING.fullmatch(line) for line in text.splitlines() if line.strip()]
    if settings and all(settings):
        given = {setting[1]: setting[2] for setting in settings if setting}
        text = given.get("log", "")
        date_format, time_format = date_format or given.get("date"), time_format or given.get("time")
    dialect = dialect_of(text)
    try:
        return (*_compile(dialect, text, date_format, time_format), dialect)
    except LogError as error:
        raise LogError(f"the log format, read as {dialect}'s: {error}", offset=error.offset) from None


def dialect_of(text: str) -> str:
    """Return the program that has formats such as this one."""
    directive = _DIRECTIVE.match(text)
    word = directive[1] if directive else ""
    if word == "log_format" or (not word and re.search(r"\$\{?[a-z]", text)):
        return "nginx"
    if word.startswith("log-format") or (not word and _HAPROXY_ONLY.search(text)):
        return "HAProxy"
    if not word and "%(" in text:
        return "gunicorn"
    return "Apache" if word or not _GOACCESS_ONLY.search(_without_arguments(text)) else "goaccess"


def _compile(
    dialect: str, text: str, date_format: str | None, time_format: str | None
) -> tuple[LineTemplate, dict[str, int]]:
    directive = _DIRECTIVE.match(text)
    own = dialect == "goaccess"
    if own:
        pieces = list(_goaccess(text, date_format, time_format))
    elif date_format is not None or time_format is not None:
        raise LogError("only a goaccess format can have a date and time format next to it")
    else:
        text_of = {"nginx": _nginx_text, "HAProxy": _haproxy_text}.get(dialect, _apache_text)
        pieces = list(_read(text_of(text, directive), dialect))
    escaping = _escaping(text, is_directive=directive is not None) if dialect == "nginx" else "server"
    return compile_template(pieces, has_more=own, rest=not own, escaping=escaping)


@cache
def server_template(text: str, has_more: bool, is_exact: bool = False, date: str | None = None) -> LineTemplate:
    """Return the template for a server's format: see `server_format`."""
    pieces = list(_goaccess(text, date, None))
    return compile_template(pieces, has_more=has_more, is_exact=is_exact, is_known=True)[0]


def server_format(
    name: str, description: str, text: str, *, has_more: bool = False, is_exact: bool = False, date: str | None = None
) -> LogFormat:
    """Return a server's format from a goaccess string.

    is_exact : whether the server always writes it in the same way (logs/template.h); date : the form of `%x`
    """
    return LogFormat(name, description, partial(_server_log, name, text, has_more, is_exact, date), text)


def _server_log(name: str, text: str, has_more: bool, is_exact: bool, date: str | None) -> TemplateLog:
    return TemplateLog(name, server_template(text, has_more, is_exact, date))


_DIRECTIVE = lazy_pattern(r"\s*+(LogFormat|CustomLog|log_format|log-format(?:-sd)?)\s")
_SETTING = lazy_pattern(r"\s*(log|date|time)-format\s+(\S.*?)\s*")


# --- the text of a format ---------------------------------------------------------------------------------------------


def _without_arguments(text: str) -> str:
    """Return the text with empty braces, or `{!}` for an argument of goaccess's fields. An unclosed brace stays."""
    parts, at = [], 0
    # Linear: each search begins where the last one ended, and an unclosed brace ends the loop.
    while (start := text.find("{", at)) >= 0 and (end := text.find("}", start)) >= 0:
        argument = text[start + 1 : end]
        is_own = argument in _GOACCESS_ARGUMENTS or argument in _GOACCESS_COLUMNS or "%" in argument
        parts += [text[at:start], "{!}" if is_own else "{}"]
        at = end + 1
    return "".join([*parts, text[at:]])


def _unescape(text: str, start: int) -> _Text:
    r"""Return the characters with \t and \" undone."""
    if "\\" not in text:
        return [(character, at) for at, character in enumerate(text, start)]
    return [(_ESCAPES.get(each[1], each[1] or each[0]), start + each.start()) for each in _CHARACTER.finditer(text)]


_CHARACTER = lazy_pattern(r"\\(.)|.", re.DOTALL)
_Directive = re.Match[str] | None


def _apache_text(text: str, directive: _Directive) -> _Text:
    """Return the quoted format of a directive. In a CustomLog it is the last quoted string."""
    if directive is None:
        return _unescape(text, 0)
    # Linear: an unclosed string takes the rest of the text.
    strings = [string for string in _QUOTED.finditer(text) if string[2]]
    if not strings:
        raise bad_format(directive.start(1), directive[1], "the format after it must be in quotes")
    string = strings[-1 if directive[1] == "CustomLog" else 0]
    return _unescape(string[1], string.start(1))


_QUOTED = lazy_pattern(r'"((?:[^"\\]|\\.)*+)("?)', re.DOTALL)
_NGINX_WORD = lazy_pattern(
    r"""(?P<quote>['"])(?P<quoted>(?:(?!(?P=quote))[^\\]|\\.)*+)(?P<end>(?P=quote)?)|(?P<bare>[^\s;'"]+)""", re.DOTALL
)


def _nginx_text(text: str, directive: _Directive) -> _Text:
    """Return the words of a log_format after its name, quoted or not, joined."""
    if directive is None and not text.lstrip().startswith("'"):
        return [(character, at) for at, character in enumerate(re.sub(r"(?:\\[rn])+\Z", "", text))]
    words = list(_NGINX_WORD.finditer(text))
    if directive is not None:
        words = [word for word in words[2:] if not (word["bare"] or "").startswith("escape=")]
    found: _Text = []
    for word in words:
        if word["quote"] and not word["end"]:
            raise bad_format(word.start(), word["quote"], "nothing closes this quote")
        group = "quoted" if word["quote"] else "bare"
        found += _unescape(word[group], word.start(group))
    return found


def _escaping(text: str, *, is_directive: bool) -> str:
    """Return how nginx escapes fields: as the directive says, or as JSON in a bare format that begins with a brace."""
    words = _NGINX_WORD.finditer(text) if is_directive else iter(())
    bare = (word["bare"] or "" for word in words)
    named = next((word[len("escape=") :] for word in bare if word.startswith("escape=")), None)
    if named is not None:
        return {"json": "json", "none": "none"}.get(named, "server")
    return "json" if not is_directive and text.lstrip(" '").startswith("{") else "server"


def _haproxy_text(text: str, directive: _Directive) -> _Text:
    """Return the words after the directive, quoted or with a backslash before each space."""
    start = directive.end() if directive else 0
    inner = text[start:].strip()
    at = text.index(inner, start)
    is_quoted = len(inner) > 1 and inner[0] in "'\"" and inner[-1] == inner[0]
    return _unescape(inner[1:-1], at + 1) if is_quoted else _unescape(inner, at)


def _matches(text: _Text, fields: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str] | str]]:
    """Yield the matches of the field pattern and the characters between them, with their offsets."""
    # The end of a line, which some configurations write, ends a line that is there already.
    whole = "".join(character for character, _ in text).rstrip("\r\n")
    at = 0
    while at < len(whole):
        found = fields.match(whole, at)
        yield text[at][1], found or whole[at]
        at = found.end() if found else at + 1


def _literal(at: int, character: str) -> Piece:
    if character in "\r\n":
        raise bad_format(at, repr(character), "a format is one line")
    return Piece(at, character, literal=as_bytes(character))


def _columns(table: str) -> dict[str, str]:
    """Return each name's column in a table, whose rows are a column and names with commas between them.

    >>> _columns("client a h, status s")
    {'a': 'client', 'h': 'client', 's': 'status'}
    """
    rows = map(str.split, table.split(","))
    return {name: column for column, *names in rows for name in names}


# --- goaccess ---------------------------------------------------------------------------------------------------------

# Directives that only goaccess has: a date, a time, blanks, a skipped field. Apache has `%^FB` and `%{}^ti`.
_GOACCESS_ONLY = lazy_pattern(r"~h\{|%(?:[dx~]|\^(?!FB)|\{!\}[x^]|\{\}\^(?!t[io]))")
# An unclosed brace takes the rest of the text and is an error.
_GOACCESS_FIELD = lazy_pattern(r"~h\{[^}]*(\}?)|%(?:\{([^}]*)\})?([A-Za-z^~%?])")
_GOACCESS = _columns(
    "vhost v, client h, user e, request r, method m, target U, query q, protocol H, status s, size b, referer R, "
    "agent u, spaces ~"
)
_GOACCESS |= dict.fromkeys("?^CKkM", "")
# The exponents of the units of durations: seconds, milliseconds, microseconds and nanoseconds.
GOACCESS_DURATIONS = {"T": b"0", "L": b"3", "D": b"6", "n": b"9"}
_UNIT_BESIDE = b"u"
# Arguments of `%{...}^` that name a column.
_GOACCESS_COLUMNS = _columns(
    "request_length length, forwarded forwarded, request_id request_id, cache_status cache_status"
)
# Extensions of fasturl: each argument with its kind and the letters that take it.
_GOACCESS_ARGUMENTS = {
    "any": ("word any", "^Uh"), "digits": ("digits", "sb"), "epoch": ("time epoch", "x"),
    "fields": ("past fields", "^"), "iso": ("time iso", "x"), "number": ("number", "^L"), "port": ("host", "h"),
    "quotes": ("quotes", "rRu"), "unit": ("", "T"), "until": ("until", "^u"), "upper": ("upper", "m"),
    "words": ("request", "r"), "written": ("time bracketed", "x"),
}  # fmt: skip


def _goaccess(text: str, date_format: str | None, time_format: str | None) -> Iterator[Piece]:
    times = {"d": date_format or APACHE_DATE, "t": time_format or APACHE_CLOCK, "x": date_format or APACHE}
    programs = {letter: time_program(form) for letter, form in times.items()}
    for at, found in _matches(_unescape(text, 0), _GOACCESS_FIELD):
        if isinstance(found, str):
            yield _literal(at, found)
            continue
        token, argument, letter = found[0], found[2], found[3]
        if found[1] == "":
            raise bad_format(at, token, "nothing closes this brace")
        if letter is None:
            yield Piece(at, token, "client", how="list first")
        elif letter == "%" and argument is None:
            yield _literal(at, "%")
        elif argument is not None:
            yield _with_argument(at, token, argument, letter)
        elif letter in programs:
            yield Piece(at, token, "time", program=programs[letter])
        elif letter in GOACCESS_DURATIONS:
            yield Piece(at, token, "duration", words=GOACCESS_DURATIONS[letter])
        elif letter in _GOACCESS:
            yield Piece(at, token, _GOACCESS[letter], how={"^": "skip", "?": "nothing optional"}.get(letter, ""))
        else:
            raise bad_format(at, token, "goaccess has no such field")


def _with_argument(at: int, token: str, argument: str, letter: str) -> Piece:
    if letter == "^" and "|" in argument:
        return Piece(at, token, how="choice", words=as_bytes(argument))
    if letter == "^" and argument in _GOACCESS_COLUMNS:
        how = "list" if argument == "forwarded" else ""
        return Piece(at, token, _GOACCESS_COLUMNS[argument], how=how)
    if letter == "x" and "%" in argument:
        try:
            return Piece(at, token, "time", program=time_program(argument))
        except LogError as error:  # its offset counts in the time format, so name the field
            raise bad_format(at, token, str(error)) from None
    how, letters = _GOACCESS_ARGUMENTS.get(argument, ("", ""))
    if letter not in letters:
        raise bad_format(at, token, "no field takes this argument")
    if letter in GOACCESS_DURATIONS:
        unit = _UNIT_BESIDE if argument == "unit" else GOACCESS_DURATIONS[letter]
        return Piece(at, token, "duration", how=how, words=unit)
    return Piece(at, token, "time" if letter == "x" else _GOACCESS[letter], how=how)


# --- the other dialects -----------------------------------------------------------------------------------------------


class _Dialect(NamedTuple):
    """How a program writes formats. A field that no table has is skipped.

    field : a field's pattern, with argument and name
    columns, units, times : by name, the column, the exponent of a duration's unit, and the program for a time. A
        name with an argument is `argument}name`, in lower case.
    is_apache : whether an argument is a part of the name, and `t` is a time in brackets or in the form of its argument
    """

    field: re.Pattern[str]
    columns: dict[str, str]
    units: dict[str, bytes]
    times: dict[str, bytes]
    is_apache: bool = False


_APACHE_FIELD = lazy_pattern(r"%(?:!?[0-9]{3}(?:,[0-9]{3})*)?[<>]?(?:\{([^}]*)\})?[<>]?(\^[A-Za-z]{2}|[A-Za-z%])")
_APACHE = _columns(
    "client a h, protocol H, size b B O, method m, query q, request r, status s, user u, target U, request_length I, "
    "referer referer}i referrer}i, agent user-agent}i, vhost v V host}i, forwarded x-forwarded-for}i, "
    "request_id L x-request-id}i x-request-id}o unique_id}e, cache_status x-cache}o varnish:hitmiss}x"
)
_APACHE_UNITS = {f"{unit}}}{name}": digit for unit, digit in (("s", b"0"), ("ms", b"3"), ("us", b"6")) for name in "DT"}
_APACHE_TIMES = {"sec": "%s", "msec": "%*", "usec": "%f", "": APACHE}
_PEERS = "ahs"  # an argument of these fields only chooses between the peer and the client, or the first and last status
# Directives that only HAProxy has: flags, expressions, and some names of two letters.
_HAPROXY_ONLY = lazy_pattern(r"%(?:\{[+-][^}]*\}|\[|(?:ci|ft|ST|HM|HU|HP|HV|TR|Ta)(?![a-z]))")
_NUMBERS = ("status", "size", "request_length")
_DIALECTS = {
    "Apache": _Dialect(_APACHE_FIELD, _APACHE, {"D": b"6", "T": b"0", **_APACHE_UNITS}, {}, is_apache=True),
    "gunicorn": _Dialect(
        lazy_pattern(r"%\((?:\{([^}]*)\})?([^)]*)\)s"),
        {**_APACHE, **_columns("referer f, agent a, client h"), "L": "", "p": ""},
        {"D": b"6", "T": b"0", "M": b"3", "L": b"0"},
        {},
        is_apache=True,
    ),
    "HAProxy": _Dialect(
        lazy_pattern(r"%(?:\{([^}]*)\})?(?:\[[^\]]*\]|([A-Za-z]+))"),
        _columns(
            "client ci, method HM, target HU HP HPO, query HQ, protocol HV, request r, status ST, size B, "
            "request_length U, request_id ID"
        ),
        {"Ta": b"3", "Tt": b"3"},
        {
            **dict.fromkeys(("t", "tr"), time_program("%d/%b/%Y:%H:%M:%S.%f")),
            **dict.fromkeys(("T", "Tl", "trg", "trl"), time_program(APACHE)),
            "Ts": time_program("%s"),
        },
    ),
    "nginx": _Dialect(
        lazy_pattern(r"\$(\{)?([a-z0-9_]+)(?(1)\})", re.IGNORECASE),
        _columns(
            "client remote_addr, user remote_user, request request, method request_method, query args query_string, "
            "target request_uri uri document_uri, is_args is_args, status status, size body_bytes_sent bytes_sent, "
            "scheme scheme, referer http_referer, agent http_user_agent, protocol server_protocol, "
            "request_length request_length, request_id request_id http_x_request_id, "
            "cache_status upstream_cache_status, forwarded http_x_forwarded_for, vhost host http_host server_name"
        ),
        {"request_time": b"0", "upstream_response_time": b"0"},
        {"time_local": time_program(APACHE), "time_iso8601": time_program(ISO), "msec": time_program("%s.%f")},
    ),
}


def _read(text: _Text, program: str) -> Iterator[Piece]:
    dialect, is_haproxy, is_nginx = _DIALECTS[program], program == "HAProxy", program == "nginx"
    has_own_time = "$request_time" in "".join(character for character, _ in text)
    quotes_all = skips_blank = False
    for at, found in _matches(text, dialect.field):
        if isinstance(found, str) or found[2] == "%":
            if found == "%" and dialect.is_apache:  # also an unclosed brace
                raise bad_format(at, "%", f"{program} has no field that starts like this")
            if not (skips_blank and found == " "):
                yield _literal(at, found if isinstance(found, str) else "%")
            skips_blank = False
            continue
        argument, name = found[1] or "", found[2] or ""
        if dialect.is_apache and argument and name not in _PEERS:
            name = f"{argument.lower()}}}{name}"
        name = name.lower() if is_nginx else name
        time, unit, column = dialect.times.get(name, b""), dialect.units.get(name, b""), dialect.columns.get(name, "")
        how, around = "list" if column == "forwarded" or name.startswith("upstream_") else "", b""
        if is_haproxy:
            how = "captures" if name in ("hr", "hs") else "skip" if name == "ms" else ""
            skips_blank |= name in ("o", "hr", "hs")  # nothing is written for no capture
            if name == "o":
                quotes_all = "+Q" in argument
                continue
            is_text = not unit and column not in _NUMBERS and not name.startswith("T") and "-Q" not in argument
            is_quoted = not time and how != "captures" and ("+Q" in argument or (quotes_all and is_text))
            around = b'""' if is_quoted else b""
        elif dialect.is_apache and found[2] == "t":
            time, around = _apache_time(at, found[0], argument)
        elif name == "upstream_response_time" and has_own_time:
            unit = b""
        piece = Piece(at, found[0], "time" if time else "duration" if unit else column, None, time, how, unit)
        yield from [Piece(at, "", literal=around[:1]), piece, Piece(at, "", literal=around[1:])] if around else [piece]


def _apache_time(at: int, token: str, argument: str) -> tuple[bytes, bytes]:
    """Return the program of a time and what stands around it: `%t` writes brackets, `%{form}t` does not."""
    form = re.sub(r"\A(?:begin|end):?", "", argument)
    try:
        program = b"f" if form.endswith("_frac") else time_program(_APACHE_TIMES.get(form, form))
    except LogError as error:  # its offset counts in the time format, so name the field
        raise bad_format(at, token, str(error)) from None
    return program, b"" if form else b"[]"
