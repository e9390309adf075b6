"""Find the log format in a server's configuration: nginx, Apache, HAProxy, gunicorn or goaccess."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from glob import iglob

from fasturl._quoted import quoted
from fasturl.logs.errors import LogError, reason
from fasturl.logs.formats.times import FORMAT_MAX
from fasturl.logs.shown import visible

_FILE_MAX = 1 << 20
_DEPTH_MAX, _FILES_MAX = 8, 200  # of files that include others
_STRING = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')"""
# Each directive, with the name of the format.
_DIRECTIVES = re.compile(
    rf"""(?<![^\s;{{}}])\#[^\n]*
    | (?:^|(?<=[{{;}}]))[ \t]*+(?P<nginx>log_format\s+(?P<nginx_name>[^\s;'"]+)(?:\s+|{_STRING}|[^;'"\s]+){{0,500}}+;)
    | (?:^|(?<=[{{;}}]))[ \t]*+include\s+(?P<nginx_file>{_STRING}|[^\s;'"]+)\s*;
    | ^[ \t]*+(?:
    Include(?:Optional)?[ \t]+(?P<apache_file>{_STRING}|\S+)
    | (?P<apache>LogFormat\s+{_STRING})(?:[ \t]+(?P<apache_name>\S+))?
    | (?P<custom>CustomLog\s+(?P<custom_name>{_STRING}|\S+)\s+{_STRING})
    | (?P<section>frontend|backend|listen|defaults)\b[ \t]*+(?P<section_name>[^\s\#]*)
    | (?P<haproxy>log-format(?:-sd)?[ \t]+[^\n]*%[^\n]*)
    | access_log_format\s*=\s*(?P<gunicorn>{_STRING})
    )""",
    re.MULTILINE | re.VERBOSE,
)
_GOACCESS = re.compile(r"^[ \t]*(?:log|date|time)-format[ \t]+[^\s\"'].*$", re.MULTILINE)
_OPTIONS_OF_HAPROXY = re.compile(r"^[ \t]*(?:frontend|backend|listen|defaults|global)\b", re.MULTILINE)


def configured_format(place: str) -> str:
    """Return the only format in a file, or the format with a name, as in `nginx.conf:main`.

    Raise LogError if the file cannot be read, or if it does not define exactly one format.
    """
    path, name = place, None
    if not os.path.exists(path) and ":" in path:
        path, _, name = path.rpartition(":")
    try:
        found = _formats_of(path, os.path.dirname(path), 0, set())
    except OSError as error:
        raise LogError(f"{visible(path)}: {reason(error)}") from None
    if name is not None:
        found = {each: value for each, value in found.items() if each == name} or found
    elif len(set(found.values())) == 1:
        name = next(iter(found))
    if name not in found:
        names = ", ".join(f"{visible(path)}:{visible(each)}" for each in found)
        what = f"has the formats {names}: name one of them" if found else "has no log format"
        raise LogError(f"{visible(path)} {what if name is None else f'has no format {quoted(name)}; it {what}'}")
    return found[name]


def _formats_of(path: str, folder: str, depth: int, seen: set[tuple[int, int]]) -> dict[str, str]:
    """Return the formats in a file and in included files, by name. Each file is read once."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        status = os.fstat(file.fileno())
        if (status.st_dev, status.st_ino) in seen or len(seen) == _FILES_MAX:
            return {}
        seen.add((status.st_dev, status.st_ino))
        text = file.read(_FILE_MAX)
    found = _formats_in(text)
    for match in _DIRECTIVES.finditer(text) if depth < _DEPTH_MAX else ():
        pattern = (match["nginx_file"] or match["apache_file"] or "").strip("\"'")
        for included in sorted(iglob(os.path.join(folder, pattern))) if pattern else ():
            with suppress(OSError):  # what cannot be read is no file of the user
                if os.path.isfile(included):
                    found = {**_formats_of(included, folder, depth + 1, seen), **found}
    return found


def _formats_in(text: str) -> dict[str, str]:
    """Return the formats by name."""
    if not _OPTIONS_OF_HAPROXY.search(text) and (settings := _GOACCESS.findall(text)):
        return {"log-format": "\n".join(settings)[:FORMAT_MAX]}
    found: dict[str, str] = {}
    section = ""
    for match in _DIRECTIVES.finditer(text):
        if match["section"]:
            section = match["section_name"] or match["section"]
        elif match["gunicorn"]:
            found["access_log_format"] = match["gunicorn"][1:-1]
        elif match["haproxy"]:
            found[section or "log-format"] = match["haproxy"]
        elif match["nginx"]:
            found[match["nginx_name"]] = match["nginx"]
        elif match["apache"]:
            found[match["apache_name"] or "LogFormat"] = match["apache"]
        elif "%" in (match["custom"] or ""):
            found[match["custom_name"].strip("\"'")] = match["custom"]
    return found
