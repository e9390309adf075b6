"""Custom formats: from the fields and the octets between them to a plan that the kernel runs (logs/plan.h)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fasturl._accesslog import PLAN_FIELDS, Plan
from fasturl.logs.errors import LogError
from fasturl.logs.formats.clf import CommonLog
from fasturl.logs.formats.keeping import keep_columns
from fasturl.logs.formats.times import DATES
from fasturl.logs.shown import visible

# Octets that divide a whole line, so that fields between them hold anything else.
_DIVIDERS = b"\t|,;\x01\x1f"
_PAIRS = (b"[]", b"()", b"{}", b"<>", b"''")
# A request line says these too.
_OF_REQUEST = ("method", "target", "query", "protocol")
_NUMBERS = ("status", "size")
# Kinds of steps whose fields are texts.
_TEXTS = frozenset(
    ("word", "last", "list", "first", "words", "until", "enclosed", "quoted", "quoted first", "quoted word", "rest")
)
_VARIABLE = re.compile(r"\A\$\{?(\w+)\}?\Z")
_Step = tuple[str, str, int, bytes, bytes]


@dataclass(frozen=True)
class Piece:
    """A field of a format, or octets between two. `at` and `token` are its offset in the format and what stands there.

    `field` is one of PLAN_FIELDS, `status`, `size`, `spaces`, `scheme`, or empty: the field is skipped, or these are
    octets. `how`: `list` for addresses or times by commas, `first` for the first of these.
    """

    at: int
    token: str
    field: str = ""
    literal: bytes | None = None
    program: bytes = b""
    how: str = ""


def bad_format(at: int, token: str, what: str) -> LogError:
    """The error of a format that cannot be read, and where."""
    return LogError(f"the log format: offset {at}: {visible(token)}: {what}")


class PlanLog(CommonLog):
    """A log in a custom format."""

    def __init__(self, plan: Plan, others: tuple[tuple[str, int], ...] = ()) -> None:
        super().__init__("CUSTOM")
        self.plan = plan
        self._others = others

    def keep(self, wanted: tuple[str, ...]) -> None:
        """Each is read by a plan of its own, in which it stands where the agent does."""
        places = dict(self._others)
        self.kept = keep_columns(wanted, [*places], None)
        self.kept_by = tuple(self._with_agent(places[kept.source]) for kept in self.kept)

    def _with_agent(self, place: int) -> CommonLog:
        assert self.plan is not None
        given: Any = self.plan.__reduce__()[1]
        steps, has_more, escaping = given
        steps = [(kind, "" if field == "agent" else field, *rest) for kind, field, *rest in steps]
        kind, _, *rest = steps[place]
        steps[place] = (kind, "agent", *rest)
        return PlanLog(Plan(steps, has_more=has_more, escaping=escaping))

    @property
    def records(self) -> str:
        return "fits the format that was given"

    def matches(self, line: bytes) -> bool:
        assert self.plan is not None
        return self.plan.is_record(line)


def compile_plan(pieces: list[Piece], *, has_more: bool, rest: bool, escaping: str = "server") -> partial[PlanLog]:
    """What makes the reader of a format. LogError, with the place, for one whose fields cannot be told apart.

    has_more : whether other fields may follow; rest : whether an agent that ends the line may hold spaces; escaping :
        how fields were escaped, one of ESCAPINGS
    """
    pieces = _once(_merged(_joined(pieces)))
    _check_sense(pieces)
    steps: list[_Step] = []
    at = 0
    quotes = 0
    before: Piece | None = None
    time: Piece | None = None
    others: dict[str, int] = {}
    if pieces and pieces[0].literal is not None:
        steps.append(("nothing", "", 0, pieces[0].literal, b""))
        quotes += pieces[0].literal.count(b'"')
        before = pieces[0]
        at = 1
    while at < len(pieces):
        piece = pieces[at]
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        _check_apart(piece, after)
        place = _Place(piece, before, after, in_quotes=bool(quotes % 2), after_time=time is not None, rest=rest)
        steps.append(place.step())
        if steps[-1][0] in _TEXTS and not steps[-1][1] and piece.how != "skip":
            others.setdefault(_VARIABLE.sub(r"\1", piece.token), len(steps) - 1)
        time = piece if piece.program else None
        before = after if after is not None and after.literal is not None else None
        if before is not None and before.literal is not None:
            quotes += before.literal.count(b'"')
            if before.literal not in (b" ", b"."):
                time = None
        at += 1 if before is None else 2
    plan = Plan(steps, has_more=has_more and steps[-1][0] not in ("until", "rest"), escaping=escaping)
    return partial(PlanLog, plan, tuple(others.items()))


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Octets that follow each other as one piece."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if piece.literal is not None and last is not None and last.literal is not None:
            joined[-1] = replace(last, literal=last.literal + piece.literal, token=last.token + piece.token)
        else:
            joined.append(piece)
    return joined


def _spelled(pieces: list[Piece], at: int, *words: str | bytes) -> bool:
    """Whether these fields (by name) and octets stand there."""
    found = pieces[at : at + len(words)]
    return len(found) == len(words) and all(
        piece.literal == word if isinstance(word, bytes) else piece.literal is None and piece.field == word
        for piece, word in zip(found, words, strict=True)
    )


# Fields that give one together: Apache's and nginx's path and query, a URL by its parts, a request line by its parts.
_TOGETHER: tuple[tuple[tuple[str | bytes, ...], str], ...] = (
    (("target", "is_args", "query"), "target"),
    (("target", "query"), "target"),
    (("scheme", b"://", "vhost", "target"), "target"),
    (("method", b" ", "target", b" ", "protocol"), "request"),
)


def _merged(pieces: list[Piece]) -> list[Piece]:
    for words, field in _TOGETHER:
        at = 0
        while at < len(pieces):
            if _spelled(pieces, at, *words) and (field != "request" or _is_quoted(pieces, at, at + len(words))):
                token = "".join(piece.token for piece in pieces[at : at + len(words)])
                pieces = [*pieces[:at], Piece(pieces[at].at, token, field), *pieces[at + len(words) :]]
            at += 1
    return pieces


def _is_quoted(pieces: list[Piece], start: int, end: int) -> bool:
    before = pieces[start - 1].literal if start else None
    after = pieces[end].literal if end < len(pieces) else None
    return bool(before and after and before.endswith(b'"') and after.startswith(b'"'))


def _once(pieces: list[Piece]) -> list[Piece]:
    """Each field where it stands first; parts of the request where there is no request line."""
    seen: set[str] = set()
    whole = any(piece.field == "request" for piece in pieces)
    kept = []
    for piece in pieces:
        field = piece.field
        if field and not piece.program and field != "spaces":
            known = field in PLAN_FIELDS or field in _NUMBERS
            if field in seen or not known or (whole and field in _OF_REQUEST):
                piece = replace(piece, field="")
            seen.add(field)
        kept.append(piece)
    return kept


def _check_sense(pieces: list[Piece]) -> None:
    fields = {piece.field for piece in pieces}
    if not fields & {"request", "target"}:
        raise LogError("the log format: no field of it holds a request or a URL")
    times = [piece for piece in pieces if piece.program]
    if times and not any(DATES & set(piece.program) for piece in times):
        raise bad_format(times[0].at, times[0].token, "a time without a date")


def _check_apart(piece: Piece, after: Piece | None) -> None:
    if after is None or after.literal is not None or "spaces" in (piece.field, after.field):
        return
    if piece.field == "vhost" and after.field == "target":  # which begins with a slash
        return
    raise bad_format(
        after.at, after.token, f"nothing stands between it and {visible(piece.token)} to tell the two apart"
    )


@dataclass(frozen=True)
class _Place:
    """A field with what stands around it."""

    piece: Piece
    before: Piece | None
    after: Piece | None
    in_quotes: bool
    after_time: bool
    rest: bool

    @property
    def _literal(self) -> bytes:
        return (self.after.literal or b"") if self.after is not None else b""

    @property
    def _opened(self) -> bytes:
        return (self.before.literal or b"")[-1:] if self.before is not None else b""

    @property
    def _stop(self) -> bytes:
        if self._literal:
            return self._literal[:1]
        if self.after is not None:
            return b"/" if self.after.field == "target" else b" "
        return self._opened if self._opened and self._opened in _DIVIDERS else b""

    def step(self) -> _Step:
        kind = self._kind()
        literal = self._literal[2:] if kind == "user" else self._literal
        field = self.piece.field if self.piece.field in PLAN_FIELDS and kind != "time" else ""
        # Elsewhere a number that is empty is none. The end of a line is no octet in it.
        stop = b"" if kind in _NUMBERS and not self._divided else self._stop
        return kind, field, ord(stop or b"\n"), literal, self.piece.program

    def _kind(self) -> str:
        piece = self.piece
        if piece.program:
            return "time"
        if piece.field in (*_NUMBERS, "spaces"):
            return piece.field
        if self.in_quotes:
            return self._kind_in_quotes()
        if self.after_time and not piece.field and piece.how == "skip":
            return "fraction" if self._opened == b"." else "zone"
        if self._divided:
            return "until"
        if any(pair == self._opened + self._stop for pair in _PAIRS):
            return "enclosed"
        if piece.field == "user" and self._literal.startswith(b" ["):
            return "user"
        if piece.field in ("", "user") and self._stop == b"[" and self._opened in (b" ", b""):
            return "words"
        if piece.field == "request":
            raise bad_format(piece.at, piece.token, "a request line holds spaces: put it in quotes")
        if piece.how in ("list", "first"):
            return piece.how
        if piece.field in ("client", "vhost") and self._literal == b":":
            return "last"
        return "rest" if self.rest and self.after is None and piece.field == "agent" else "word"

    @property
    def _divided(self) -> bool:
        """Whether octets that divide the whole line stand around it."""
        return bool(self._stop) and self._stop in _DIVIDERS and (self.before is None or self._opened == self._stop)

    def _kind_in_quotes(self) -> str:
        if self._stop == b'"':
            return "quoted first" if self.piece.how == "first" else "quoted"
        if self.piece.field == "request":
            raise bad_format(self.piece.at, self.piece.token, "a request line must be all that stands in its quotes")
        return "quoted word"
