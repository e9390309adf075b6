"""Parse formats as configurations have them: those of goaccess, Apache, Varnish, gunicorn, nginx and HAProxy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from fasturl._accesslog import LineTemplate
from fasturl._patterns import lazy_pattern
from fasturl.logs.errors import LogError
from fasturl.logs.formats.kernel_logs import CustomLog, TemplateLog
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.records import LogFormat
from fasturl.logs.formats.templates import Piece, bad_format, compile_template
from fasturl.logs.formats.times import APACHE, APACHE_CLOCK, APACHE_DATE, ISO, check_length, time_program

# The characters of a format with their offsets in the given text. Quotes and backslashes are already undone.
_Text = list[tuple[str, int]]

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "e": "\x1b"}


def line_format(text: str, *, date_format: str | None = None, time_format: str | None = None) -> LogFormat:
    """Return a custom format for `read` and `parse_lines`.

    text : a goaccess format (`%h %^[%d:%t %^] "%r" %s %b "%R" "%u"`), an Apache `LogFormat`, which varnishncsa and
        gunicorn have too, an nginx `log_format` or a HAProxy `log-format`, bare or with its directive, or the settings
        `log-format`, `date-format` and `time-format` of a goaccess.conf, one per line
    date_format, time_format : the forms of `%d` and `%t` of a goaccess format, as for strftime; by default `%d/%b/%Y`
        and `%H:%M:%S`. `date_format` is the form of `%x` too.
    Raises LogError with the offset for an unknown field, for two fields with nothing between them, for a format without
    a request, and for one of more than 64 Ki characters. Cost: O(characters).

    >>> line_format('$remote_addr [$time_local] "$request" $status').name
    'CUSTOM'
    >>> line_format("%h %s")
    Traceback (most recent call last):
    fasturl.logs.errors.LogError: the log format, read as Apache's: offset 0: no field of it holds a request or a URL
    """
    template, others, dialect = line_template(text, date_format, time_format)
    return LogFormat("CUSTOM", "lines of a format that is given", partial(CustomLog, template, others, dialect))


def line_template(
    text: str, date_format: str | None = None, time_format: str | None = None
) -> tuple[LineTemplate, dict[str, int], str]:
    """Return the template of a custom format, the steps of its fields without a column, and its dialect."""
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
    word = directive[1] if directive else ""
    own = dialect == "goaccess"
    if not own and (date_format is not None or time_format is not None):
        raise LogError("a date and time format belong to a goaccess format: this one tells its own")
    if own:
        pieces = list(_goaccess(_unescape(text, 0), date_format, time_format))
    elif dialect == "nginx":
        pieces = list(_nginx(_nginx_text(text, bool(word))))
    elif dialect == "HAProxy":
        pieces = list(_haproxy(_haproxy_text(text, directive.end() if directive else 0)))
    else:
        pieces = list(_apache(_apache_text(text, word), dialect))
    escaping = _escaping(text, is_directive=bool(word)) if dialect == "nginx" else "server"
    return compile_template(pieces, has_more=own, rest=not own, escaping=escaping)


@cache
def server_template(text: str, has_more: bool, is_exact: bool = False, date: str | None = None) -> LineTemplate:
    """Return the template of one server's format: see `server_format`."""
    pieces = list(_goaccess(_unescape(text, 0), date, None))
    return compile_template(pieces, has_more=has_more, is_exact=is_exact, is_known=True)[0]


def server_format(
    name: str, reads: str, text: str, *, has_more: bool = False, is_exact: bool = False, date: str | None = None
) -> LogFormat:
    """Return the format of one server from its goaccess string.

    is_exact : whether the server always writes it in the same way (logs/template.h); date : the form of `%x`
    """
    return LogFormat(name, reads, partial(_server_log, name, text, has_more, is_exact, date), text)


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
    found: _Text = []
    at = 0
    while at < len(text):
        place = start + at
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            found.append((_ESCAPES.get(text[at], text[at]), place))
        else:
            found.append((text[at], place))
        at += 1
    return found


def _apache_text(text: str, directive: str) -> _Text:
    """Return the quoted format of a directive. In a CustomLog it is the last quoted string."""
    if not directive:
        return _unescape(text, 0)
    # Linear: an unclosed string takes the rest of the text.
    strings = [string for string in _QUOTED.finditer(text) if string[2]]
    if not strings:
        raise bad_format(text.index(directive), directive, "it needs its format in quotes")
    string = strings[-1] if directive == "CustomLog" else strings[0]
    return _unescape(string[1], string.start(1))


_QUOTED = lazy_pattern(r'"((?:[^"\\]|\\.)*+)("?)', re.DOTALL)
_NGINX_WORD = lazy_pattern(
    r"""(?P<quote>['"])(?P<quoted>(?:(?!(?P=quote))[^\\]|\\.)*+)(?P<end>(?P=quote)?)|(?P<bare>[^\s;'"]+)""", re.DOTALL
)


def _nginx_text(text: str, is_directive: bool) -> _Text:
    """Return the words of a log_format after its name, quoted or not, joined."""
    if not is_directive and not text.lstrip().startswith("'"):
        return [(character, at) for at, character in enumerate(re.sub(r"(?:\\[rn])+\Z", "", text))]
    words = list(_NGINX_WORD.finditer(text))
    if is_directive:
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


def _haproxy_text(text: str, start: int) -> _Text:
    """Return the words after the directive, quoted or with a backslash before each space."""
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
    return Piece(at, character, literal=octets(character))


# --- goaccess ---------------------------------------------------------------------------------------------------------

# Directives that only goaccess has: a date, a time, blanks, a skipped field. Apache has `%^FB` and `%{}^ti`.
_GOACCESS_ONLY = lazy_pattern(r"~h\{|%(?:[dx~]|\^(?!FB)|\{!\}[x^]|\{\}\^(?!t[io]))")
# An unclosed brace takes the rest of the text and is an error.
_GOACCESS_FIELD = lazy_pattern(r"~h\{[^}]*(\}?)|%(?:\{([^}]*)\})?([A-Za-z^~%?])")
_GOACCESS = {
    "v": "vhost",
    "h": "client",
    "e": "user",
    "r": "request",
    "m": "method",
    "U": "target",
    "q": "query",
    "H": "protocol",
    "s": "status",
    "b": "size",
    "R": "referer",
    "u": "agent",
    "~": "spaces",
    "?": "",
    **dict.fromkeys("^CKkM", ""),
}
# The exponents of the units of durations: seconds, milliseconds, microseconds and nanoseconds.
GOACCESS_DURATIONS = {"T": b"0", "L": b"3", "D": b"6", "n": b"9"}
_UNIT_BESIDE = b"u"
# Arguments of `%{...}^` that name a column, and how it is read.
_GOACCESS_COLUMNS = {
    "length": ("request_length", ""),
    **{name: (name, "") for name in ("forwarded", "request_id", "cache_status")},
}
# Extensions of fasturl: each argument with its kind and the letters that take it.
_GOACCESS_ARGUMENTS = {
    "any": ("any", "^Uh"),
    "digits": ("digits", "sb"),
    "epoch": ("epoch time", "x"),
    "fields": ("fields", "^"),
    "iso": ("iso time", "x"),
    "number": ("number", "^L"),
    "port": ("host", "h"),
    "quotes": ("quotes", "rRu"),
    "unit": ("", "T"),
    "until": ("until", "^u"),
    "upper": ("upper", "m"),
    "words": ("request words", "r"),
    "written": ("bracketed time", "x"),
}


def _goaccess(text: _Text, date_format: str | None, time_format: str | None) -> Iterator[Piece]:
    times = {"d": date_format or APACHE_DATE, "t": time_format or APACHE_CLOCK, "x": date_format or APACHE}
    programs = {letter: time_program(form) for letter, form in times.items()}
    for at, found in _matches(text, _GOACCESS_FIELD):
        if isinstance(found, str):
            yield _literal(at, found)
            continue
        token, argument, letter = found[0], found[2], found[3]
        if found[1] == "":
            raise bad_format(at, token, "nothing closes this brace")
        if letter is None:
            yield Piece(at, token, "client", how="first")
        elif letter == "%" and argument is None:
            yield _literal(at, "%")
        elif argument is not None:
            yield _with_argument(at, token, argument, letter)
        elif letter in programs:
            yield Piece(at, token, "time", program=programs[letter])
        elif letter in GOACCESS_DURATIONS:
            yield Piece(at, token, "duration", words=GOACCESS_DURATIONS[letter])
        elif letter in _GOACCESS:
            yield Piece(at, token, _GOACCESS[letter], how={"^": "skip", "?": "optional"}.get(letter, ""))
        else:
            raise bad_format(at, token, "goaccess has no such field")


def _with_argument(at: int, token: str, argument: str, letter: str) -> Piece:
    if letter == "^" and "|" in argument:
        return Piece(at, token, how="choice", words=octets(argument))
    if letter == "^" and argument in _GOACCESS_COLUMNS:
        return Piece(at, token, *_GOACCESS_COLUMNS[argument][:1])
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


# --- Apache -----------------------------------------------------------------------------------------------------------

_APACHE_FIELD = lazy_pattern(r"%(?:!?[0-9]{3}(?:,[0-9]{3})*)?[<>]?(?:\{([^}]*)\})?[<>]?(\^[A-Za-z]{2}|[A-Za-z%])")
_GUNICORN_FIELD = lazy_pattern(r"%\((?:\{([^}]*)\})?([^)]*)\)s|%(())")
# A field that is not listed is skipped.
_APACHE = {
    "a": "client",
    "h": "client",
    "H": "protocol",
    "b": "size",
    "B": "size",
    "O": "size",
    "m": "method",
    "q": "query",
    "r": "request",
    "s": "status",
    "u": "user",
    "U": "target",
    "v": "vhost",
    "V": "vhost",
    "I": "request_length",
    "L": "request_id",
}
# gunicorn's own fields, before those of Apache.
_GUNICORN = {"f": "referer", "a": "agent", "h": "client", "L": "", "p": ""}
# Powers of ten: the units of `%D` and `%T`, of the arguments of `%T`, and of gunicorn's durations.
_APACHE_DURATIONS = {"D": b"6", "T": b"0", "s": b"0", "ms": b"3", "us": b"6"}
_GUNICORN_DURATIONS = {"D": b"6", "T": b"0", "M": b"3", "L": b"0"}
# Fields with an argument, in lower case: headers of the request (i) and the response (o), variables and Varnish's own.
_APACHE_ARGUMENTS = {
    ("i", "referer"): "referer",
    ("i", "referrer"): "referer",
    ("i", "user-agent"): "agent",
    ("i", "host"): "vhost",
    ("i", "x-forwarded-for"): "forwarded",
    ("i", "x-request-id"): "request_id",
    ("o", "x-request-id"): "request_id",
    ("e", "unique_id"): "request_id",
    ("o", "x-cache"): "cache_status",
    ("x", "varnish:hitmiss"): "cache_status",
    ("c", ""): "",
}
_APACHE_TIMES = {"sec": "%s", "msec": "%*", "usec": "%f", "msec_frac": "f", "usec_frac": "f", "": APACHE}


def _apache(text: _Text, dialect: str) -> Iterator[Piece]:
    is_gunicorn = dialect == "gunicorn"
    fields = {**_APACHE, **_GUNICORN} if is_gunicorn else _APACHE
    for at, found in _matches(text, _GUNICORN_FIELD if is_gunicorn else _APACHE_FIELD):
        if isinstance(found, str) or found[2] is None:
            if found == "%" or not isinstance(found, str):  # also an unclosed brace
                raise bad_format(at, "%", f"no field of {dialect}'s begins so")
            yield _literal(at, found)
            continue
        token, argument, letter = found[0], found[1], found[2]
        unit = (_GUNICORN_DURATIONS if is_gunicorn else _APACHE_DURATIONS).get(argument or letter)
        if letter == "%":
            yield _literal(at, "%")
        elif letter == "t":
            yield from _apache_time(at, token, argument)
        elif unit is not None and (is_gunicorn or letter in "DT"):
            yield Piece(at, token, "duration", words=unit)
        elif argument and letter not in "ahs":
            field = _APACHE_ARGUMENTS.get((letter, argument.lower()), "")
            yield Piece(at, token, field, how="list" if field == "forwarded" else "")
        else:
            yield Piece(at, token, fields.get(letter, ""))


def _apache_time(at: int, token: str, argument: str | None) -> Iterator[Piece]:
    """Yield the pieces of a time. `%t` writes brackets, `%{form}t` does not."""
    form = re.sub(r"\A(?:begin|end):?", "", argument or "")
    try:
        program = time_program(_APACHE_TIMES.get(form, form)) if not form.endswith("_frac") else b"f"
    except LogError as error:  # its offset counts in the time format, so name the field
        raise bad_format(at, token, str(error)) from None
    if form:
        yield Piece(at, token, "time", program=program)
        return
    yield Piece(at, "", literal=b"[")
    yield Piece(at, token, "time", program=program)
    yield Piece(at, "", literal=b"]")


# --- HAProxy ----------------------------------------------------------------------------------------------------------

_HAPROXY_FIELD = lazy_pattern(r"%(?:\{([^}]*)\})?(?:\[[^\]]*\]|([A-Za-z]+))")
# Directives that only HAProxy has: flags, expressions, and some names of two letters.
_HAPROXY_ONLY = lazy_pattern(r"%(?:\{[+-][^}]*\}|\[|(?:ci|ft|ST|HM|HU|HP|HV|TR|Ta)(?![a-z]))")
_HAPROXY = {
    "ci": "client",
    "HM": "method",
    "HU": "target",
    "HP": "target",
    "HPO": "target",
    "HQ": "query",
    "HV": "protocol",
    "r": "request",
    "ST": "status",
    "B": "size",
    "U": "request_length",
    "ID": "request_id",
    "Ta": "duration",
    "Tt": "duration",
}
_HAPROXY_TIME = "%d/%b/%Y:%H:%M:%S.%f"
_HAPROXY_TIMES = {
    **dict.fromkeys(("t", "tr"), time_program(_HAPROXY_TIME)),
    **dict.fromkeys(("T", "Tl", "trg", "trl"), time_program(APACHE)),
    "Ts": time_program("%s"),
}
_HAPROXY_CAPTURES = ("hr", "hs")  # nothing is written for no capture


def _haproxy(text: _Text) -> Iterator[Piece]:
    quotes_all = False
    skips_blank = False
    for at, found in _matches(text, _HAPROXY_FIELD):
        if isinstance(found, str):
            if not (skips_blank and found == " "):
                yield _literal(at, found)
            skips_blank = False
            continue
        name = found[2] or ""
        flags = found[1] or ""
        if name == "o":
            quotes_all = "+Q" in flags
            skips_blank = True
        elif name in _HAPROXY_CAPTURES:
            skips_blank = True
            yield Piece(at, found[0], "", how="captures")
        elif name in _HAPROXY_TIMES:
            yield Piece(at, found[0], "time", program=_HAPROXY_TIMES[name])
        else:
            field = _HAPROXY.get(name, "")
            is_text = field not in ("status", "size", "request_length", "duration") and not name.startswith("T")
            quote = (
                [Piece(at, "", literal=b'"')] if "+Q" in flags or (quotes_all and is_text and "-Q" not in flags) else []
            )
            how = "skip" if name == "ms" else ""  # the fraction of a time, if it stands behind one
            yield from (*quote, Piece(at, found[0], field, how=how, words=b"3" if field == "duration" else b""), *quote)


# --- nginx ------------------------------------------------------------------------------------------------------------

_NGINX_FIELD = lazy_pattern(r"\$(?:\{([a-z0-9_]+)\}|([a-z0-9_]+))", re.IGNORECASE)
_NGINX = {
    "remote_addr": "client",
    "remote_user": "user",
    "request": "request",
    "request_method": "method",
    "request_uri": "target",
    "uri": "target",
    "document_uri": "target",
    "args": "query",
    "query_string": "query",
    "is_args": "is_args",
    "status": "status",
    "body_bytes_sent": "size",
    "bytes_sent": "size",
    "scheme": "scheme",
    "http_referer": "referer",
    "http_user_agent": "agent",
    "server_protocol": "protocol",
    "request_length": "request_length",
    "request_id": "request_id",
    "http_x_request_id": "request_id",
    "upstream_cache_status": "cache_status",
    "http_x_forwarded_for": "forwarded",
    **dict.fromkeys(("host", "http_host", "server_name"), "vhost"),
}
_NGINX_PROGRAMS = {
    name: time_program(form) for name, form in (("time_local", APACHE), ("time_iso8601", ISO), ("msec", "%s.%f"))
}


def _nginx(text: _Text) -> Iterator[Piece]:
    has_own = "$request_time" in "".join(character for character, _ in text)
    for at, found in _matches(text, _NGINX_FIELD):
        if isinstance(found, str):
            yield _literal(at, found)
            continue
        name = (found[1] or found[2]).lower()
        if name in _NGINX_PROGRAMS:
            yield Piece(at, found[0], "time", program=_NGINX_PROGRAMS[name])
        elif name == "request_time" or (name == "upstream_response_time" and not has_own):
            how = "list" if name.startswith("upstream_") else ""
            yield Piece(at, found[0], "duration", how=how, words=b"0")
        else:
            how = "list" if name.startswith("upstream_") or name == "http_x_forwarded_for" else ""
            yield Piece(at, found[0], _NGINX.get(name, ""), how=how)
