"""Compile the fields and delimiters of a format to a template that the kernel runs (logs/template.h)."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import NamedTuple

from fasturl._accesslog import TEMPLATE_BYTES_MAX, TEMPLATE_FIELDS, TEMPLATE_STEPS_MAX, LineTemplate
from fasturl._patterns import lazy_pattern
from fasturl.logs.errors import LogError
from fasturl.logs.formats.times import excerpt, is_whole_time

# Delimiters that divide a whole line. Fields between them hold any other byte.
_DIVIDERS = b"\t|,;\x01\x1f"
_PAIRS = (b"[]", b"()", b"{}", b"<>", b"''")
# A request line has these fields too.
_OF_REQUEST = ("method", "target", "query", "protocol")
_NUMBERS = ("status", "size", "request_length")
_LISTS = ("list", "list first")
# Kinds of steps whose field is text.
_TEXTS = frozenset(
    (*_LISTS, "word", "last", "words", "until", "past", "enclosed", "quoted", "quoted first", "quoted word", "rest")
)
_PAST_MAX = 32  # bytes of a delimiter that a skipped field is searched for
_VARIABLE = lazy_pattern(r"\A\$\{?(\w+)\}?\Z")
_Step = tuple[str, str, int, bytes, bytes]


# Named tuples, because detection compiles all formats: they are made several times as fast as dataclasses.
class Piece(NamedTuple):
    """A field of a format, or a delimiter between two fields.

    at, token : the field's offset and text in the format
    field : in TEMPLATE_FIELDS, `status`, `size`, `spaces` or `scheme`, or empty for a skipped field and a delimiter
    literal : the bytes of a delimiter
    program : the form of a time
    how : `list` for items with commas, `list first` for the first item, `digits` for a number that is never
        a hyphen, `skip`, or else the kind of the step, which a format names by an argument
    words : the words in a `choice`, which `|` divides, or the exponent of a duration's unit
    """

    at: int
    token: str
    field: str = ""
    literal: bytes | None = None
    program: bytes = b""
    how: str = ""
    words: bytes = b""


def bad_format(at: int, token: str, what: str) -> LogError:
    """Return the error for a format that cannot be read at this offset."""
    return LogError(f"offset {at}: {excerpt(token)}: {what}", offset=at)


def _opens_line(pieces: list[Piece]) -> bool:
    """Return True if the format begins with a quote of the whole line: a blank stands before the next quote."""
    quoted = (piece.literal for piece in pieces[1:] if piece.literal is not None and b'"' in piece.literal)
    return pieces[0].literal == b'"' and next(quoted, b"").partition(b'"')[0].endswith(b" ")


def compile_template(
    pieces: list[Piece],
    *,
    has_more: bool,
    rest: bool = False,
    escaping: str = "server",
    is_exact: bool = False,
    is_known: bool = False,
) -> tuple[LineTemplate, dict[str, int]]:
    """Return a format's template, and the step for each field without a column.

    has_more : whether other fields may follow
    rest : whether an agent that ends the line may hold spaces
    escaping : how the server escapes fields, in ESCAPINGS
    is_exact : whether a server always writes the format in the same way
    is_known : True for a built-in format, which may have no request
    Raises LogError with the offset of a field that cannot be told from the next one.
    """
    pieces = _once(_merge(_join(_mark_blanks(pieces))), is_known)
    if not is_known and not {piece.field for piece in pieces} & {"request", "target"}:
        raise LogError("offset 0: no field is a request or a URL", offset=0)
    steps: list[_Step] = []
    at = quotes = used = 0
    before = b""
    after_time = False
    others: dict[str, int] = {}
    if pieces and pieces[0].literal is not None:
        before = pieces[0].literal
        steps.append(("nothing", "", 0, before, b""))
        used = len(before)
        quotes = before.count(b'"') * (not _opens_line(pieces))
        at = 1
    while at < len(pieces):
        piece = pieces[at]
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        _check_apart(piece, after)
        beyond = pieces[at + 2] if at + 2 < len(pieces) else None
        literal = (after.literal or b"") if after is not None else b""
        place = _Place(piece, before, literal, after, beyond, bool(quotes % 2), after_time, rest, is_known)
        steps.append(place.step())
        used += len(steps[-1][3]) + len(steps[-1][4])
        _check_size(piece, len(steps), used)
        # The text of a duration can be kept too.
        if steps[-1][0] in _TEXTS and steps[-1][1] in ("", "duration") and piece.how != "skip":
            others.setdefault(_VARIABLE.sub(r"\1", piece.token), len(steps) - 1)
        after_time = bool(piece.program) and literal in (b"", b" ", b".")
        quotes += literal.count(b'"')
        before = literal
        at += 2 if literal else 1
    has_more = has_more and steps[-1][0] not in ("until", "rest")
    return LineTemplate(steps, has_more, escaping, is_exact), others


def _check_size(piece: Piece, steps: int, size: int) -> None:
    """Raise LogError if this field makes the format too long for a template."""
    if steps > TEMPLATE_STEPS_MAX:
        raise bad_format(piece.at, piece.token, f"the format is too long: it has more than {TEMPLATE_STEPS_MAX} fields")
    if size > TEMPLATE_BYTES_MAX:
        what = f"the format is too long: up to here it has more than {TEMPLATE_BYTES_MAX:,} bytes between fields"
        raise bad_format(piece.at, piece.token, what)


def _mark_blanks(pieces: list[Piece]) -> list[Piece]:
    """Let several blanks stand for any number of them."""
    runs = [piece.literal == before.literal == b" " for before, piece in pairwise(pieces)]
    return [
        piece._replace(field="spaces", literal=None) if is_run else piece
        for is_run, piece in zip((False, *runs), pieces, strict=bool(pieces))
    ]


def _join(pieces: list[Piece]) -> list[Piece]:
    """Join neighbouring delimiters."""
    joined: list[Piece] = []
    for is_literal, group in groupby(pieces, lambda piece: piece.literal is not None):
        run = list(group)
        if is_literal:
            literal, token = b"".join(piece.literal or b"" for piece in run), "".join(piece.token for piece in run)
            run = [run[0]._replace(literal=literal, token=token)]
        joined += run
    return joined


def _comes_next(pieces: list[Piece], at: int, *words: str | bytes) -> bool:
    """Return True if these fields (str) and delimiters (bytes) come next."""
    found = pieces[at : at + len(words)]
    return len(found) == len(words) and all(
        piece.literal == word if isinstance(word, bytes) else piece.literal is None and piece.field == word
        for piece, word in zip(found, words, strict=True)
    )


# Fields that make one field: path and query of Apache and nginx, the parts of a URL, the parts of a request line.
_TOGETHER: tuple[tuple[tuple[str | bytes, ...], str], ...] = (
    (("target", "is_args", "query"), "target"),
    (("target", "query"), "target"),
    (("scheme", b"://", "vhost", "target"), "target"),
    (("method", b" ", "target", b" ", "protocol"), "request"),
)


def _merge(pieces: list[Piece]) -> list[Piece]:
    there = {piece.field for piece in pieces}
    for words, field in _TOGETHER:
        if not there.issuperset(word for word in words if isinstance(word, str)):
            continue
        merged: list[Piece] = []
        at = 0
        while at < len(pieces):
            end = at + 1
            if _comes_next(pieces, at, *words) and (field != "request" or _is_quoted(pieces, at, at + len(words))):
                end = at + len(words)
                merged.append(Piece(pieces[at].at, "".join(piece.token for piece in pieces[at:end]), field))
            else:
                merged.append(pieces[at])
            at = end
        pieces = merged
    return pieces


def _is_quoted(pieces: list[Piece], start: int, end: int) -> bool:
    before = pieces[start - 1].literal if start else None
    after = pieces[end].literal if end < len(pieces) else None
    return bool(before and after and before.endswith(b'"') and after.startswith(b'"'))


def _once(pieces: list[Piece], adds_durations: bool) -> list[Piece]:
    """Skip repeated fields, times after a whole one, and the parts of the request if there is a request line."""
    seen: set[str] = set()
    has_time = False
    whole = any(piece.field == "request" for piece in pieces)
    kept = []
    for piece in pieces:
        field = piece.field
        if field and not piece.program and field != "spaces":
            known = field in TEMPLATE_FIELDS or field in _NUMBERS
            if field in seen or not known or (whole and field in _OF_REQUEST):
                piece = piece._replace(field="")
            if not (adds_durations and field == "duration"):
                seen.add(field)
        elif is_whole_time(piece.program):
            piece = piece._replace(field="", program=b"") if has_time else piece
            has_time = True
        kept.append(piece)
    return kept


def _check_apart(piece: Piece, after: Piece | None) -> None:
    if after is None or after.literal is not None or "spaces" in (piece.field, after.field):
        return
    if after.how == "nothing optional" or piece.how == "captures":
        return
    if piece.field == "vhost" and after.field == "target":  # a target begins with a slash
        return
    raise bad_format(after.at, after.token, f"nothing separates it from {excerpt(piece.token)}")


class _Place(NamedTuple):
    """A field, the delimiters `before` and after it, and the next two pieces."""

    piece: Piece
    before: bytes
    literal: bytes
    after: Piece | None
    beyond: Piece | None
    in_quotes: bool
    after_time: bool
    rest: bool
    is_known: bool

    @property
    def _opening(self) -> bytes:
        return self.before[-1:]

    @property
    def _stop(self) -> bytes:
        if self.literal:
            return self.literal[:1]
        if self.after is not None and self.after.how == "nothing optional" and self.beyond is not None:
            return (self.beyond.literal or b" ")[:1]
        if self.after is not None:
            return b"/" if self.after.field == "target" else b" "
        if self.piece.how == "until":
            return b""
        return self._opening if self._opening and self._opening in _DIVIDERS else b""

    def step(self) -> _Step:
        kind = self._kind()
        literal = self.literal[{"user": 2, "time bracketed": 1}.get(kind, 0) :]
        field = self.piece.field if self.piece.field in TEMPLATE_FIELDS and kind != "time" else ""
        # A number may be empty only between dividers. A line holds no line feed, so a line feed never stops a field.
        stop = b"" if self._ends_line or (kind in _NUMBERS and not self._is_divided) else self._stop
        return kind, field, ord(stop or b"\n"), literal, self.piece.program or self.piece.words

    def _kind(self) -> str:
        piece = self.piece
        if piece.program:
            return "time"
        if piece.how not in ("", "digits", "skip", *_LISTS):
            return piece.how
        if piece.field in (*_NUMBERS, "spaces"):
            return f"{piece.field} digits" if piece.how == "digits" else piece.field
        if self.in_quotes:
            return self._kind_in_quotes()
        if self.after_time and not piece.field and piece.how == "skip":
            return "zone fraction" if self._opening == b"." else "zone"
        if self._is_divided or self._ends_line:
            return "until"
        if self._past_blanks:
            return "past"
        if piece.how == "skip" and not self.is_known and not self._may_be_user:
            is_word = self.literal in (b"", b" ") or len(self.literal) > _PAST_MAX
            return "word any" if is_word else "past"
        if (pair := self._pair) and piece.field == "agent":
            return "nested"
        if pair and self._opening == pair[:1]:
            return "enclosed"
        if piece.field == "user" and self.literal.startswith(b" ["):
            return "user"
        if piece.field in ("", "user") and self._may_be_user:
            return "words"
        if piece.field == "request":
            raise bad_format(piece.at, piece.token, "a request line has spaces, so put it in quotes")
        if piece.how in _LISTS:
            return piece.how
        if piece.field in ("client", "vhost") and self.literal == b":":
            return "last"
        return "rest" if self.rest and self.after is None and piece.field == "agent" else "word"

    @property
    def _pair(self) -> bytes | None:
        """Return the brackets around the field. Text may stand between the opening one and the field."""
        closing = (each for each in _PAIRS if each[1:] == self._stop)
        return next((each for each in closing if self.before.rfind(each[:1]) > self.before.rfind(each[1:])), None)

    @property
    def _may_be_user(self) -> bool:
        """Return True if a bracket follows: the field may be the user's name in front of a time."""
        return self._stop == b"[" and self._opening in (b" ", b"")

    @property
    def _is_divided(self) -> bool:
        """Return True if the field is between delimiters that divide the whole line."""
        return bool(self._stop) and self._stop in _DIVIDERS and (not self.before or self._opening == self._stop)

    @property
    def _bar(self) -> bytes:
        """The divider in front of the field, if blanks surround it."""
        bar = self.before[-2:-1]
        return bar if self.before.endswith(b" %s " % bar) and bar in _DIVIDERS else b""

    @property
    def _ends_line(self) -> bool:
        """Return True if the field takes the rest of the line, behind a divider with blanks."""
        return self.after is None and not self.is_known and bool(self._bar)

    @property
    def _past_blanks(self) -> bool:
        """Return True if the field holds blanks: an agent in front of a longer delimiter, or a field between bars."""
        if self.is_known or not 1 < len(self.literal) <= _PAST_MAX or self.literal[:1] not in b" " + _DIVIDERS:
            return False
        bar = self.literal.strip(b" ")
        is_divided = len(bar) == 1 and bar in _DIVIDERS and (not self.before or self._bar == bar)
        return self.piece.field == "agent" or (is_divided and self.piece.how not in _LISTS)

    def _kind_in_quotes(self) -> str:
        if self._stop == b'"':
            return "quoted first" if self.piece.how == "list first" else "quoted"
        if self.piece.field == "request":
            raise bad_format(self.piece.at, self.piece.token, "its quotes must contain only the request line")
        return "quoted word"
