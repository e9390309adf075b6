"""The slow validator: docs/validity.md in plain Python, with sets, hosts, groups and numbers from the grammar file.

It shares no code with the package; property tests compare the two.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from reference_authority import plain
from reference_grammar import GRAMMAR, OPENINGS, derives, goes_on

VIOLATIONS = (
    *("NO_SCHEME", "BAD_SCHEME", "CONTROL", "NON_ASCII", "UNSAFE", "FRAGMENT", "BAD_ESCAPE", "RESERVED"),
    *("BAD_HOST", "BAD_PORT", "LOGIN", "MISSING", "BAD_PART"),
)
HAZARDS = (
    *("PASSWORD", "NONDEFAULT_PORT", "RESERVED_PORT", "ENCODED_CONTROL", "DOUBLE_ENCODED", "OVERLONG_UTF8"),
    *("BACKSLASH", "MULTIPLE_AT", "AMBIGUOUS_AUTHORITY", "TRAVERSAL", "HOST_AS_SCHEME", "LATE_AT"),
)
BIT = {name: bit for bit, name in (*enumerate(VIOLATIONS), *enumerate(HAZARDS, 16))}
PORTS = {"ftp": 21, "http": 80, "https": 443, "gopher": 70, "nntp": 119, "telnet": 23, "wais": 210, "prospero": 1525}
"""The default ports of the schemes that the package knows. `REGISTERED` has those of other schemes too."""
ROWS = (Path(__file__).parents[2] / "grammar" / "ports.csv").read_text("ascii").splitlines()[2:]
REGISTERED = {name: int(port) for name, port, _ in (row.split(",") for row in ROWS)}


@cache
def chars(name: str) -> frozenset[str]:
    return frozenset(map(chr, GRAMMAR.chars(name)))


HEX = chars("hex")
SCHEME = frozenset(map(chr, GRAMMAR.repeated("scheme")))
RESERVED = chars("reserved")
UNSAFE = (chars("national") | chars("punctuation") | {" "}) - {"#", "%"}


BROWSERS = {"http", "https", "ftp", "ws", "wss", "file"}


class Login(NamedTuple):
    """The parts of a login in one reading: (start, end), or None for an absent part."""

    start: int
    end: int
    user: tuple[int, int] | None
    password: tuple[int, int] | None
    host: tuple[int, int]
    port: tuple[int, int] | None


def divided(text: str, start: int, end: int) -> Login:
    """Split a login: the last at-sign ends user and password, the first colon the user; brackets hold a host."""
    user = password = port = None
    hostport = start
    if "@" in text[start:end]:
        hostport = text.rindex("@", start, end) + 1
        name, colon, _ = text[start : hostport - 1].partition(":")
        user = (start, start + len(name))
        password = (start + len(name) + 1, hostport - 1) if colon else None
    before, bracket, after = text[hostport:end].partition("[")
    if bracket:
        inside, _, behind = after.partition("]")
        host = (hostport + len(before) + 1, hostport + len(before) + 1 + len(inside))
        _, colon, digits = behind.partition(":")
    else:
        name, colon, digits = before.partition(":")
        host = (hostport, hostport + len(name))
    if colon:
        port = (end - len(digits), end)
    return Login(start, end, user, password, host, port)


class RefProblem(NamedTuple):
    """A finding and its span: in bytes for bytes, in characters for str."""

    finding: str
    start: int
    end: int


def validate(text: str | bytes, *, strict: bool = False, form: str = "url") -> list[RefProblem]:
    """Return every problem in order of its start, then of its finding's bit."""
    return _Validator(text, strict, form).problems()


def logins(text: str | bytes, *, strict: bool = False) -> dict[str, Login | None]:
    """Return the login in each reading that has one (urllib, the RFC, a browser), None where a reading sees none."""
    return _Validator(text, strict, "url").logins()


def valid(text: str | bytes, *, strict: bool = False, form: str = "url") -> bool:
    return error_offset(text, strict=strict, form=form) is None


def error_offset(text: str | bytes, *, strict: bool = False, form: str = "url") -> int | None:
    found = validate(text, strict=strict, form=form)
    return min((problem.start for problem in found if problem.finding in VIOLATIONS), default=None)


Char = tuple[str, int, int]
"""A character of a decoded text, and its range in the text as written."""


def decoded(text: list[Char]) -> list[Char]:
    """Decode the escapes of a text once."""
    out, at = [], 0
    while at < len(text):
        digits = [char for char, _, _ in text[at + 1 : at + 3]] if text[at][0] == "%" else []
        if len(digits) == 2 and set(digits) <= HEX:
            out.append((chr(int("".join(digits), 16)), text[at][1], text[at + 2][2]))
            at += 3
        else:
            out.append(text[at])
            at += 1
    return out


def first_climb(path: list[Char], *, is_cut_at_qmark: bool) -> tuple[int, int] | None:
    """Return the range of the first ".." with no segment to remove. A "?" ends the path in only one of two readings, if
    it is data in the scheme: then both are checked."""
    if not path:
        return None
    end = path[-1][2]
    depth, segment = 0, []
    for char, start, stop in [*path, ("/", end, end)]:
        is_qmark = is_cut_at_qmark and (char, stop - start) == ("?", 1)
        if char in "/\\" or is_qmark:
            names = "".join(one for one, _, _ in segment)
            if names == ".." and depth == 0:
                return segment[0][1], segment[-1][2]
        if char not in "/\\":
            segment.append((char, start, stop))
            continue
        depth += {"": 0, ".": 0, "..": -1}.get(names, 1)
        segment = []
    return None


class _Validator:
    def __init__(self, text: str | bytes, strict: bool, form: str) -> None:
        # One character per unit of offset. All characters above 7F are alike.
        self.characters = text
        if isinstance(text, bytes):
            self.text = text.decode("latin-1")
        else:
            self.text = "".join(char if char <= "\x7f" else "\x80" for char in text)
        self.strict = strict
        self.form = form
        self.end = self.text.find("#") if "#" in self.text else len(self.text)
        self.found: list[RefProblem] = []

    def problems(self) -> list[RefProblem]:
        self.data()
        self.traversal()
        if self.form == "url":
            self.url()
        else:
            self.request_target()
        return sorted(self.found, key=lambda problem: (problem.start, BIT[problem.finding], problem.end))

    def add(self, finding: str, start: int, end: int | None = None) -> None:
        self.found.append(RefProblem(finding, start, start if end is None else end))

    def find(self, wanted: str, start: int, end: int) -> int:
        """Return the offset of the first wanted character in [start, end), or end."""
        return next((at for at in range(start, end) if self.text[at] in wanted), end)

    def reserved(self, term: str, start: int, end: int, but: str = "") -> None:
        """Report RESERVED for each reserved character that the term does not hold raw."""
        wrong = RESERVED - chars(term) - set(but)
        for at in range(start, end):
            if self.text[at] in wrong:
                self.add("RESERVED", at, at + 1)

    def broken_from(self, term: str, start: int, end: int) -> int | None:
        """Return the offset at which [start, end) stops matching the term, or None if it matches."""
        data = self.text[start:end].encode("latin-1")
        return None if derives(term, data) else start + goes_on(term, data)

    # The bytes, anywhere in the text.

    def two_hex(self, at: int) -> bool:
        digits = self.text[at : at + 2]
        return len(digits) == 2 and set(digits) <= HEX

    def escaped(self, at: int) -> int | None:
        """Return the byte that the escape at this offset stands for."""
        return int(self.text[at + 1 : at + 3], 16) if self.text[at : at + 1] == "%" and self.two_hex(at + 1) else None

    def data(self) -> None:
        for at, char in enumerate(self.text):
            if char < " " or char == "\x7f":
                self.add("CONTROL", at, at + 1)
            elif char > "\x7f":
                self.add("NON_ASCII", at, at + 1)
            elif char == "#":
                self.add("FRAGMENT", at, at + 1)
            elif char == "%":
                byte = self.escaped(at)
                if byte is None:
                    self.add("BAD_ESCAPE", at, at + 1)
                    self.nested(at, at + 1)
                else:
                    self.escape(at, byte)
            elif char in UNSAFE:
                self.add("UNSAFE", at, at + 1)
            if char == "\\":
                self.add("BACKSLASH", at, at + 1)

    def escape(self, at: int, byte: int) -> None:
        if byte < 0x20 or byte == 0x7F:
            self.add("ENCODED_CONTROL", at, at + 3)
        if byte == 0x25:
            self.nested(at, at + 3)
        following = self.escaped(at + 3)
        if byte in (0xC0, 0xC1):
            self.add("OVERLONG_UTF8", at, at + 3)
        elif following is not None and (
            (byte == 0xE0 and 0x80 <= following <= 0x9F) or (byte == 0xF0 and 0x80 <= following <= 0x8F)
        ):
            self.add("OVERLONG_UTF8", at, at + 6)

    def nested(self, start: int, at: int) -> None:
        """Report DOUBLE_ENCODED if two hex digits follow, raw or escaped."""
        for _ in range(2):
            byte = self.escaped(at)
            if (chr(byte) if byte is not None else self.text[at : at + 1] or "-") not in HEX:
                return
            at += 1 if byte is None else 3
        self.add("DOUBLE_ENCODED", start, at)

    # Dot segments.

    def traversal(self) -> None:
        """Report the first dot segment that climbs above the root of the path, after the fewest decodings."""
        scheme = self.scheme()
        start = 0 if scheme is None or self.is_target_path() else self.find(":", 0, len(self.text)) + 1
        if scheme in ("mailto", "news") and start:
            return
        has_login = self.text.startswith("//", start) and not self.is_target_path()
        authority = self.form != "url" and self.is_authority()
        ends = "#" if start and scheme in OPENINGS and scheme not in ("http", "https", "wais") else "?#"
        end = self.find(ends, start + 2 if has_login else start, len(self.text))
        if authority:
            return
        if has_login:
            start = self.find("/\\", start + 2, end)
        elif self.text[start : start + 1] not in ("/", "\\") and (self.form == "url" or start):
            return
        path = [(self.text[at], at, at + 1) for at in range(start, end)]
        for _ in range(4):
            found = first_climb(path, is_cut_at_qmark=ends == "#")
            if found:
                self.add("TRAVERSAL", *found)
                return
            path = decoded(path)

    def is_target_path(self) -> bool:
        return self.form != "url" and self.text.startswith("/")

    # The form and the scheme.

    def scheme(self) -> str | None:
        """Return the scheme in lower case."""
        colon = self.find(":/?#", 0, len(self.text))
        name = self.text[:colon]
        if self.text[colon : colon + 1] != ":" or not name or not set(name) <= SCHEME:
            return None
        return name.lower() if self.strict or self.form == "url" or name[0] in chars("alpha") else None

    def url(self) -> None:
        scheme = self.scheme()
        colon = self.find(":/?#", 0, len(self.text))
        if scheme is None:
            wrong = next((at for at in range(colon) if self.text[at] not in SCHEME), None)
            if self.text[colon : colon + 1] == ":" and wrong is not None:
                self.add("BAD_SCHEME", wrong, wrong + 1)
            else:
                self.add("NO_SCHEME", 0)
        self.login_hazards(scheme)
        if scheme is not None:
            self.host_as_scheme(scheme)
            self.schemepart(scheme, colon + 1)

    def request_target(self) -> None:
        text = self.text
        if text in ("*", "-"):
            return
        if text.startswith("/"):
            self.path_and_search(1)
        elif self.is_authority():
            self.hostport(divided(text, 0, len(text)))
            self.authority(None, "authority")
        elif not text:
            self.add("MISSING", 0)
        elif self.scheme() is not None:
            self.url()
        else:
            self.login_hazards(None, "target")

    def is_authority(self) -> bool:
        before, _, after = self.text.rpartition(":")
        bracketed = before.startswith("[") and before.endswith("]")
        return (
            before != ""
            and not set(before) & set("/?#@")
            and (":" not in before or bracketed)
            and after != ""
            and set(after) <= chars("digit")
        )

    # The parts that schemes share.

    def schemepart(self, scheme: str, start: int) -> None:
        if scheme not in OPENINGS:
            return
        if scheme in ("mailto", "news"):
            if start == self.end:
                self.add("MISSING", start)
            elif scheme == "news":
                self.news(start)
            return
        if not self.text.startswith("//", start, self.end):
            self.add("MISSING", start)
            return
        login = divided(self.text, start + 2, self.login_end(scheme, start + 2))
        stop = login.end
        self.login(scheme, login)
        self.hostport(login, file=scheme == "file")
        if scheme in ("nntp", "wais", "prospero", "file") and self.text[stop : stop + 1] != "/":
            self.add("MISSING", stop)
            return
        if stop < self.end:
            getattr(self, scheme)(stop)

    def login_end(self, scheme: str, start: int) -> int:
        """Return the end of the login by section 5."""
        if scheme in ("http", "https", "wais"):
            return self.find("/?", start, self.end)
        slash = self.find("/", start, self.end)
        user = self.text.rfind("@", start, slash)
        return slash if scheme in OPENINGS else self.find("?", max(start, user), slash)

    def login(self, scheme: str, login: Login) -> None:
        """Validate the text before the last at-sign."""
        if scheme in ("ftp", "telnet"):
            self.reserved("user", *(login.user or (0, 0)))
            self.reserved("password", *(login.password or (0, 0)))
        elif login.user:
            self.add("LOGIN", login.start, (login.password or login.user)[1] + 1)

    def hostport(self, login: Login, file: bool = False) -> None:
        start, end = (login.password or login.user)[1] + 1 if login.user else login.start, login.end
        bracket = self.text.find("]", start, end) if self.text[start:end].startswith("[") else -1
        colon = self.find(":", max(start, bracket), end)
        if start < colon:
            self.host(start, colon)
        elif not file:
            self.add("MISSING", start)
        if colon == end:
            return
        if file:
            self.add("BAD_PORT", colon, end)
            return
        wrong = self.broken_from("port", colon + 1, end)
        if wrong is not None:
            self.add("BAD_PORT", wrong, end)
        elif self.number((colon + 1, end)) > 65535:
            self.add("BAD_PORT", colon + 1, end)

    def number(self, place: tuple[int, int]) -> int:
        """Return the number that these digits spell, or a number above 65535 if there are too many of them."""
        return int(self.text[slice(*place)].lstrip("0")[:6] or 0)

    def host(self, start: int, end: int) -> None:
        wrong = self.broken_from("host", start, end)
        if wrong is not None:
            self.add("BAD_HOST", wrong, end)

    def path_and_search(self, start: int) -> None:
        question = self.find("?", start, self.end)
        self.reserved("hpath", start, question)
        self.reserved("search", question + 1, self.end)

    # The rest after the login, scheme by scheme; `slash` is the end of the login.

    def ftp(self, slash: int) -> None:
        last = self.text.rfind(";", slash, self.end)
        if last < 0 or not self.text.startswith(";type=", last, self.end):
            self.reserved("fpath", slash + 1, self.end)
            return
        self.reserved("fpath", slash + 1, last)
        code = last + len(";type=")
        if code == self.end:
            self.add("MISSING", code)
            return
        wrong = self.broken_from("ftptype", code, self.end)
        if wrong is not None:
            self.add("BAD_PART", wrong, self.end)

    def http(self, stop: int) -> None:
        if self.text[stop] == "?":
            self.add("RESERVED", stop, stop + 1)
            self.reserved("search", stop + 1, self.end)
        else:
            self.path_and_search(stop + 1)

    https = http

    def gopher(self, slash: int) -> None:
        self.reserved("selector", slash + 1, self.end)
        # The two tabs that divide selector, search and gopher+ string are not hazards.
        start = slash + (2 if self.escaped(slash + 1) is None else 4)
        tabs = [at for at in range(start, self.end) if self.text.startswith("%09", at, self.end)][:2]
        self.found = [one for one in self.found if one.finding != "ENCODED_CONTROL" or one.start not in tabs]

    def telnet(self, slash: int) -> None:
        if slash + 1 < self.end:
            self.add("BAD_PART", slash + 1, self.end)

    def nntp(self, slash: int) -> None:
        group = slash + 1
        stop = self.find("/", group, self.end)
        if group == stop:
            self.add("MISSING", group)
        else:
            self.group(group, stop)
        if stop == self.end:
            return
        if stop + 1 == self.end:
            self.add("MISSING", self.end)
            return
        wrong = self.broken_from("digits", stop + 1, self.end)
        if wrong is not None:
            self.add("BAD_PART", wrong, self.end)

    def group(self, start: int, end: int) -> None:
        wrong = self.broken_from("group", start, end)
        if wrong is not None:
            self.add("BAD_PART", wrong, end)

    def wais(self, slash: int) -> None:
        start = slash + 1
        stop = self.find("/?", start, self.end)
        self.reserved("database", start, stop)
        if stop == self.end:
            return
        if self.text[stop] == "?":
            self.reserved("search", stop + 1, self.end)
            return
        divider = self.find("/", stop + 1, self.end)
        self.reserved("wtype", stop + 1, divider)
        if divider == self.end:
            self.add("MISSING", self.end)
        else:
            self.reserved("wpath", divider + 1, self.end)

    def prospero(self, slash: int) -> None:
        stop = self.find(";", slash + 1, self.end)
        self.reserved("ppath", slash + 1, stop)
        while stop < self.end:
            start = stop + 1
            stop = self.find(";", start, self.end)
            equals = self.find("=", start, stop)
            self.reserved("fieldname", start, equals)
            if equals == stop:
                self.add("BAD_PART", stop)
            else:
                self.reserved("fieldvalue", equals + 1, stop)

    def file(self, slash: int) -> None:
        self.reserved("fpath", slash + 1, self.end)

    def news(self, start: int) -> None:
        at = self.find("@", start, self.end)
        if at < self.end:
            if at == start:
                self.add("MISSING", start)
            if at + 1 == self.end:
                self.add("MISSING", self.end)
            else:
                self.host(at + 1, self.end)
        elif self.text[start : self.end] != "*":
            self.group(start, self.end)

    # Hazards of the login, in each reading.

    def urllibs(self, start: int) -> Login | None:
        if not self.text.startswith("//", start):
            return None
        return divided(self.text, start + 2, self.find("/?#", start + 2, len(self.text)))

    def browsers(self, scheme: str | None, start: int) -> Login | None:
        """Return the browsers' reading: urllib's, with every backslash read as a slash, and a run of both as two."""
        if scheme is not None and scheme not in BROWSERS:
            return None
        run = start
        while self.text[run : run + 1] in ("/", "\\") and run < self.end:
            run += 1
        if "\\" not in self.text[start:run]:
            if run - start < 2:
                return None
            run = start + 2
        elif scheme in (None, "file"):
            if run - start < 2:
                return None
            run = start + 2 if scheme == "file" else run
        return divided(self.text, run, self.find("/\\?#", run, len(self.text)))

    def logins(self) -> dict[str, Login | None]:
        """Return the login in the reading of urllib, of the RFC and of a browser."""
        scheme = self.scheme()
        start = 0 if scheme is None else self.find(":", 0, len(self.text)) + 1
        own = self.urllibs(start)
        # urllib reads no scheme that starts with anything but a letter, and so no login after it.
        is_path = self.form == "url" and scheme is not None and scheme[0] not in chars("alpha")
        read = {"urllib": None if is_path else own}
        if scheme is not None and own is not None and scheme not in ("mailto", "news"):
            read["rfc"] = divided(self.text, own.start, self.login_end(scheme, own.start))
        if "\\" in self.text and (scheme is None or scheme in BROWSERS):
            read["browser"] = self.browsers(scheme, start)
        return read

    def login_hazards(self, scheme: str | None, form: str = "url") -> None:
        read = self.logins().values()
        self.authority(scheme, form, len({login and login[2:] for login in read}) > 1)
        seen = [login for login in read if login is not None]
        told: set[tuple[str, int, int]] = set()
        for login in seen:
            first = self.text.find("@", login.start, login.end)
            last = self.text.rfind("@", login.start, login.end)
            if login.password:
                told.add(("PASSWORD", *login.password))
            if first < last:
                told.add(("MULTIPLE_AT", first, last + 1))
            digits = self.text[slice(*login.port)] if login.port else ""
            if scheme is None or login.port is None or not digits or not set(digits) <= chars("digit"):
                continue
            port = self.number(login.port)
            if port > 65535 or port == REGISTERED.get(scheme):
                continue
            if scheme in REGISTERED:
                told.add(("NONDEFAULT_PORT", *login.port))
            if port < 1024:
                told.add(("RESERVED_PORT", *login.port))
        own = self.logins()["urllib"]
        last = self.text.rfind("@")
        if own and own.user is None and own.port and last >= own.end:
            digits = self.text[slice(*own.port)]
            if not (digits and len(digits) <= 5 and set(digits) <= chars("digit")):
                told.add(("LATE_AT", own.start, last + 1))
        for finding, start, end in told:
            self.add(finding, start, end)

    def host_as_scheme(self, scheme: str) -> None:
        start = end = self.text.index(":") + 1
        while self.text[end : end + 1] and self.text[end] in chars("digit"):
            end += 1
        known = {*PORTS, "mailto", "news", "file", "dict", "tel", "sms"}
        is_port = start < end and self.number((start, end)) <= 65535
        if is_port and self.text[end : end + 1] in ("", "/", "?", "#") and scheme not in known:
            self.add("HOST_AS_SCHEME", 0, end)

    def authority(self, scheme: str | None, form: str, differ: bool = False) -> None:
        """Report AMBIGUOUS_AUTHORITY: over every login that is read, or over the part that may hold one."""
        text = self.characters
        if isinstance(text, bytes):
            text = text.decode("utf-8", "surrogateescape")
        if plain(text, scheme, form) and not differ:
            return
        if form == "authority":
            seen = [divided(self.text, 0, len(self.text))]
        else:
            seen = [login for login in self.logins().values() if login is not None]
        if seen:
            self.add("AMBIGUOUS_AUTHORITY", min(one.start for one in seen), max(one.end for one in seen))
        else:
            start = 0 if scheme is None else self.find(":", 0, len(self.text)) + 1
            self.add("AMBIGUOUS_AUTHORITY", start, self.find("?#", start, len(self.text)))
