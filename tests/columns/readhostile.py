"""Read hostile columns with every kind of function: each is answered row by row, or refused by a typed exception. Print
the name of each column before it is read, so that a crash names its column. Print a line that starts with "wrong" for
each wrong answer."""

from collections.abc import Callable
from typing import Any

from expected import parsed, rows
from hostilecolumns import right, wrong

from fasturl import arrow, logs

CALLS: dict[str, Callable[[Any], Any]] = {
    "parse": lambda column: arrow.parse(column, arrow.FIELDS, threads=2),
    "views": lambda column: arrow.parse(column, strings="view"),
    "batches": lambda column: list(arrow.parse_batches([column], threads=2)),
    "lines": lambda column: logs.parse_lines(column, "COMBINED", ["path"]),
    "urljoin": lambda column: arrow.urljoin(b"http://h/", column),
    "problems": arrow.problems,                               "path_prefixes": arrow.path_prefixes,
    "query_pairs": arrow.query_pairs,                         "origin": arrow.origin,
    "redact": arrow.redact,
}  # fmt: skip


def tell(*words: object) -> None:
    print(*map(ascii, words), flush=True)


def main() -> None:
    for name, (make, texts) in right().items():
        tell(name)
        wanted = [parsed(text) for text in texts or []]
        for strings in ("string", "view"):
            if rows(arrow.parse(make(), arrow.FIELDS, strings=strings, threads=2)) != wanted:  # type: ignore[arg-type]
                print("wrong", name, strings)
        found = logs.parse_lines(make(), "URLS", ["url"])
        if len(found) != len(wanted):
            print("wrong", name, "lines")
    for name, make in wrong().items():
        tell(name)
        for call, function in CALLS.items():
            try:
                given = function(make())
            except (TypeError, ValueError, ZeroDivisionError) as error:
                told = repr(error) + repr(vars(error)) + repr(getattr(error, "object", ""))
                if "hidden-pw" in told:
                    print("wrong", name, call, "shows a text")
            except Exception as error:
                print("wrong", name, call, type(error))
            else:
                print("wrong", name, call, type(given))


if __name__ == "__main__":
    main()
