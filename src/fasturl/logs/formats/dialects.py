"""Custom formats as people write them: goaccess's, Apache's LogFormat, nginx's log_format, each to pieces of a plan."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fasturl.logs.errors import LogError
from fasturl.logs.formats.catalog import LOG_NAMES, LogFormat
from fasturl.logs.formats.plans import Piece, bad_format, compile_plan
from fasturl.logs.formats.times import APACHE, APACHE_CLOCK, APACHE_DATE, ISO, time_program

# The characters of a format, each with its offset in what was given: quotes and backslashes are undone before.
_Text = list[tuple[str, int]]

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r"}


def line_format(text: str, *, date_format: str | None = None, time_format: str | None = None) -> LogFormat:
    """A custom format for `read` and `parse_lines`.

    text : a goaccess format (`%h %^[%d:%t %^] "%r" %s %b "%R" "%u"`), an Apache `LogFormat` or an nginx `log_format`,
        bare or as the directive stands in a configuration
    date_format, time_format : of a goaccess format the form of `%d` and `%t`, as strftime spells it, `%d/%b/%Y` and
        `%H:%M:%S` when not given; `date_format` is that of `%x`
    Raises LogError with the offset of the place, for a field that is not known, for two fields with nothing between
    them, and for a format with no request.

    >>> line_format('$remote_addr [$time_local] "$request" $status').name
    'CUSTOM'
    >>> line_format("%h%s %r")
    Traceback (most recent call last):
    fasturl.logs.errors.LogError: the log format: offset 2: %s: nothing stands between it and %h to tell the two apart
    """
    directive = re.match(r"\s*(LogFormat|CustomLog|log_format)\s", text)
    word = directive[1] if directive else ""
    if word == "log_format" or (not word and re.search(r"\$\{?[a-z]", text)):
        style, pieces = "nginx", list(_nginx(_nginx_text(text, bool(word))))
    elif word or not re.search(r"%[dx^~]", re.sub(r"\{[^}]*\}", "", text)):
        style, pieces = "apache", list(_apache(_apache_text(text, word)))
    else:
        style, pieces = "goaccess", list(_goaccess(_unescaped(text, 0), date_format, time_format))
    if style != "goaccess" and (date_format is not None or time_format is not None):
        raise LogError("a date and time format belong to a goaccess format: this one tells its own")
    own = style == "goaccess"
    escaping = _escaping(text, is_directive=bool(word)) if style == "nginx" else "server"
    make = compile_plan(pieces, has_more=own, rest=not own, escaping=escaping)
    return LogFormat("CUSTOM", "lines of a format that is given", make)


def named_format(name: str | LogFormat) -> str | LogFormat:
    """A format by one of its names, in any case, or as it is spelled. ValueError for a name that is none."""
    if isinstance(name, LogFormat):
        return name
    if "%" in name or "$" in name:
        return line_format(name)
    if name.upper() not in (*LOG_NAMES, "URLS"):
        raise ValueError(f"unknown format {name!r}: expected URLS or one of {', '.join(LOG_NAMES)}")
    return name.upper()


# --- the text of a format ---------------------------------------------------------------------------------------------


def _unescaped(text: str, start: int) -> _Text:
    r"""The characters, with \t and \" undone."""
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
    """What stands in the quotes of a directive: of a CustomLog the last such string."""
    if not directive:
        return _unescaped(text, 0)
    strings = list(re.finditer(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL))
    if not strings:
        raise LogError(f"the log format: {directive} needs its format in quotes")
    string = strings[-1] if directive == "CustomLog" else strings[0]
    return _unescaped(string[1], string.start(1))


_NGINX_WORD = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s;'"]+)""", re.DOTALL)


def _nginx_text(text: str, is_directive: bool) -> _Text:
    """The words of a log_format behind its name, quoted or not, put together."""
    if not is_directive and not text.lstrip().startswith("'"):
        return [(character, at) for at, character in enumerate(text)]
    words = list(_NGINX_WORD.finditer(text))
    if is_directive:
        words = [word for word in words[2:] if not (word[3] or "").startswith("escape=")]
    found: _Text = []
    for word in words:
        group = next(group for group in (1, 2, 3) if word[group] is not None)
        found += _unescaped(word[group], word.start(group))
    return found


def _escaping(text: str, *, is_directive: bool) -> str:
    """How nginx escapes the fields: as the directive says; by itself a format that looks like an object has JSON's."""
    words = _NGINX_WORD.finditer(text) if is_directive else iter(())
    named = next((word[3][len("escape=") :] for word in words if (word[3] or "").startswith("escape=")), None)
    if named is not None:
        return {"json": "json", "none": "none"}.get(named, "server")
    return "json" if not is_directive and text.lstrip(" '").startswith("{") else "server"


def _matches(text: _Text, fields: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str] | str]]:
    """Fields by their pattern and the characters between them, with their offsets."""
    whole = "".join(character for character, _ in text)
    at = 0
    while at < len(whole):
        found = fields.match(whole, at)
        yield text[at][1], found or whole[at]
        at = found.end() if found else at + 1


def _literal(at: int, character: str) -> Piece:
    if character in "\r\n":
        raise bad_format(at, repr(character), "a format is one line")
    return Piece(at, character, literal=character.encode("utf-8", "surrogateescape"))


# --- goaccess ---------------------------------------------------------------------------------------------------------

_GOACCESS_FIELD = re.compile(r"~h\{[^}]*\}|%([A-Za-z^~%])")
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
    **dict.fromkeys("^CTDLnKkM", ""),
}


def _goaccess(text: _Text, date_format: str | None, time_format: str | None) -> Iterator[Piece]:
    times = {"d": date_format or APACHE_DATE, "t": time_format or APACHE_CLOCK, "x": date_format or APACHE}
    for at, found in _matches(text, _GOACCESS_FIELD):
        if isinstance(found, str):
            yield _literal(at, found)
            continue
        token, letter = found[0], found[1]
        if letter is None:
            yield Piece(at, token, "client", how="first")
        elif letter == "%":
            yield _literal(at, "%")
        elif letter in times:
            yield Piece(at, token, "time", program=time_program(times[letter]))
        elif letter in _GOACCESS:
            yield Piece(at, token, _GOACCESS[letter], how="skip" if letter == "^" else "")
        else:
            raise bad_format(at, token, "goaccess has no such field")


# --- Apache -----------------------------------------------------------------------------------------------------------

_APACHE_FIELD = re.compile(r"%(?:!?[0-9]{3}(?:,[0-9]{3})*)?[<>]?(?:\{([^}]*)\})?[<>]?(\^[A-Za-z]{2}|[A-Za-z%])")
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
    **dict.fromkeys("ACDeEfIkLlnopPRSTXi", ""),
}
_APACHE_HEADERS = {"referer": "referer", "user-agent": "agent", "host": "vhost"}
_APACHE_TIMES = {"sec": "%s", "msec": "%*", "usec": "%f", "msec_frac": "f", "usec_frac": "f", "": APACHE}


def _apache(text: _Text) -> Iterator[Piece]:
    for at, found in _matches(text, _APACHE_FIELD):
        if isinstance(found, str):
            if found == "%":
                raise bad_format(at, "%", "no field of Apache's begins so")
            yield _literal(at, found)
            continue
        token, argument, letter = found[0], found[1], found[2]
        if letter == "%":
            yield _literal(at, "%")
        elif letter == "t":
            yield from _apache_time(at, token, argument)
        elif letter == "i" and argument is not None:
            how = "list" if argument.lower() == "x-forwarded-for" else ""
            yield Piece(at, token, _APACHE_HEADERS.get(argument.lower(), ""), how=how)
        elif letter in _APACHE or letter.startswith("^"):
            yield Piece(at, token, _APACHE.get(letter, ""))
        else:
            raise bad_format(at, token, "Apache has no such field")


def _apache_time(at: int, token: str, argument: str | None) -> Iterator[Piece]:
    """`%t` writes brackets itself, `%{form}t` does not."""
    form = re.sub(r"\A(?:begin|end):?", "", argument or "")
    program = time_program(_APACHE_TIMES.get(form, form)) if not form.endswith("_frac") else b"f"
    if form:
        yield Piece(at, token, "time", program=program)
        return
    yield Piece(at, "", literal=b"[")
    yield Piece(at, token, "time", program=program)
    yield Piece(at, "", literal=b"]")


# --- nginx ------------------------------------------------------------------------------------------------------------

_NGINX_FIELD = re.compile(r"\$(?:\{([a-z0-9_]+)\}|([a-z0-9_]+))", re.IGNORECASE)
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
    **dict.fromkeys(("host", "http_host", "server_name"), "vhost"),
}
_NGINX_TIMES = {"time_local": APACHE, "time_iso8601": ISO, "msec": "%s.%f"}


def _nginx(text: _Text) -> Iterator[Piece]:
    for at, found in _matches(text, _NGINX_FIELD):
        if isinstance(found, str):
            yield _literal(at, found)
            continue
        name = (found[1] or found[2]).lower()
        if name in _NGINX_TIMES:
            yield Piece(at, found[0], "time", program=time_program(_NGINX_TIMES[name]))
        else:
            how = "list" if name.startswith("upstream_") or name == "http_x_forwarded_for" else ""
            yield Piece(at, found[0], _NGINX.get(name, ""), how=how)
