"""Other engines' URL functions beside fasturl's on the inputs of tests/nasty.py: docs/differing-answers.md.

    python -m bench.coming_from [--update docs/differing-answers.md]

An engine that is not installed is left out, and its table stays as it is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import table
from bench.scale import spark_on_one_core

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from nasty import NASTY

import fasturl

TEXTS = [text for text, *_ in NASTY if isinstance(text, str) and "\0" not in text]
Answers = dict[str, list[Any]]
ERROR = object()


def part(name: str) -> Callable[[str], Any]:
    def of(url: str) -> Any:
        try:
            found = getattr(fasturl.parse(url), name)
        except ValueError:  # a wrong port, which is null in columns
            return None
        return str(found) if name == "port" and found is not None else found

    return of


def joined(function: Callable[[str], list[str] | None]) -> Callable[[str], str | None]:
    """Join the lists that a function returns, because the tables compare texts."""

    def of(url: str) -> str | None:
        values = function(url)
        return None if values is None else " ".join(values)

    return of


def pairs(url: str) -> str | None:
    found = fasturl.query_pairs(url, decode=False)
    return None if found is None else " ".join(f"{name}={value}" for name, value in found)


def less(*parts: str) -> tuple[str, Callable[[str], Any]]:
    label = ", ".join(f'"{name}"' for name in parts)
    return f"without(url, {label})", lambda url: fasturl.without(url, *parts)


# For each engine its functions, and fasturl's function for the same job. A word with arguments is an expression of u.
OURS: dict[str, dict[str, tuple[str, Callable[[str], Any]]]] = {
    "ClickHouse": {
        **{word: (name, part(name)) for word, name in (
            ("protocol", "scheme"), ("domain", "hostname"), ("port", "port"), ("path", "path"), ("queryString",
            "query"), ("fragment", "fragment"), ("netloc", "netloc"),
        )},
        "pathFull": ("path_and_query", fasturl.path_and_query),
        "queryStringAndFragment": ("query_and_fragment", fasturl.query_and_fragment),
        "cutWWW": less("www"),
        "cutQueryString": less("query"),
        "cutFragment": less("fragment"),
        "cutQueryStringAndFragment": less("query", "fragment"),
        "cutURLParameter(u, 'x')": ('drop_query(url, "x")', lambda url: fasturl.drop_query(url, "x")),
        "extractURLParameter(u, 'x')": ('query_value(url, "x")', lambda url: fasturl.query_value(url, "x")),
        "arrayStringConcat(extractURLParameters(u), ' ')": ("query_pairs", pairs),
        "arrayStringConcat(extractURLParameterNames(u), ' ')": ("query_names", joined(fasturl.query_names)),
        "arrayStringConcat(URLHierarchy(u), ' ')": ("url_prefixes", joined(fasturl.url_prefixes)),
        "arrayStringConcat(URLPathHierarchy(u), ' ')": ("path_prefixes", joined(fasturl.path_prefixes)),
        "topLevelDomain": ("public_suffix", fasturl.public_suffix),
        "cutToFirstSignificantSubdomain": ("registrable_domain", fasturl.registrable_domain),
        "decodeURLComponent": ("unquote", fasturl.unquote),
        "encodeURLComponent": ('quote(url, "")', lambda url: fasturl.quote(url, "")),
        "decodeURLFormComponent": ("unquote_plus", fasturl.unquote_plus),
        "encodeURLFormComponent": ("quote_plus", fasturl.quote_plus),
    },
    "Spark": {
        **{word: (name, part(name)) for word, name in (
            ("PROTOCOL", "scheme"), ("HOST", "hostname"), ("AUTHORITY", "netloc"),
        )},
        "USERINFO": ("username and password", lambda url: _userinfo(fasturl.parse(url))),
        **{word: (name, part(name)) for word, name in (("PATH", "path"), ("QUERY", "query"), ("REF", "fragment"))},
        "FILE": ("path_and_query", fasturl.path_and_query),
        "try_parse_url(u, 'QUERY', 'x')": ('query_value(url, "x")', lambda url: fasturl.query_value(url, "x")),
        "try_url_decode(u)": ("unquote_plus", fasturl.unquote_plus),
        "url_encode(u)": ("quote_plus", fasturl.quote_plus),
    },
    "DuckDB": {
        "url_decode": ("unquote", fasturl.unquote),
        "url_encode": ('quote(url, "")', lambda url: fasturl.quote(url, "")),
    },
}  # fmt: skip


def _userinfo(url: Any) -> str | None:
    if url.username is None:
        return None
    return str(url.username if url.password is None else f"{url.username}:{url.password}")


def of_clickhouse() -> Answers:
    import pyarrow as pa
    from chdb import session

    given = pa.table({"n": pa.array(range(len(TEXTS))), "u": pa.array(TEXTS)})  # noqa: F841 - found by its name
    click = session.Session()
    found = {}
    for word in OURS["ClickHouse"]:
        # A port is a number, 0 if absent. The others are texts, which need not be UTF-8.
        call = word if "(" in word else f"{word}(u)"
        text = click.query(f"select hex(toString({call})) from Python(given) order by n", "TSV")
        values = [bytes.fromhex(line).decode("utf-8", "replace") for line in str(text).split("\n")[: len(TEXTS)]]
        found[word] = [None if word == "port" and value == "0" else value for value in values]
    return found


def of_spark() -> Answers:
    with spark_on_one_core() as spark:
        frame = spark.createDataFrame(list(enumerate(TEXTS)), ["n", "u"])
        words = [word if "(" in word else f"try_parse_url(u, '{word}')" for word in OURS["Spark"]]
        rows = frame.selectExpr("n", *words).orderBy("n").collect()
        return {word: [row[at] for row in rows] for at, word in enumerate(OURS["Spark"], 1)}


def of_duckdb() -> Answers:
    import duckdb

    con = duckdb.connect()
    found: Answers = {}

    def ask(word: str, text: str) -> Any:
        try:
            return con.execute(f"select {word}(?)", [text]).fetchone()[0]  # type: ignore[index]
        except duckdb.Error:
            return ERROR

    for word in OURS["DuckDB"]:
        found[word] = [ask(word, text) for text in TEXTS]
    return found


ENGINES: dict[str, Callable[[], Answers]] = {"ClickHouse": of_clickhouse, "Spark": of_spark, "DuckDB": of_duckdb}


def shown(value: Any) -> str:
    """Return a value as code for a cell of a table."""
    if value is ERROR:
        return "an error"
    if value is None:
        return "null"
    if value == "":
        return "empty"
    text = str(value)
    text = text if len(text) <= 60 else f"{text[:24]}…{text[-8:]}"
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    fence = "``" if "`" in plain else "`"
    space = " " if "`" in plain else ""
    return f"{fence}{space}{plain.replace('|', chr(92) + '|')}{space}{fence}"


def shown_word(word: str) -> str:
    """
    >>> shown_word("arrayStringConcat(URLHierarchy(u), ' ')"), shown_word("cutURLParameter(u, 'x')")
    ('URLHierarchy', "cutURLParameter(u, 'x')")
    """
    inner = re.fullmatch(r"arrayStringConcat\((.*), ' '\)", word)
    return (inner[1] if inner else word).removesuffix("(u)")


def table_of(engine: str, theirs: Answers) -> list[str]:
    """Return the rows where the two differ. Empty and null are equal, because no other engine distinguishes them."""
    lines = ["| their word | ours | input | theirs | ours |", "|---|---|---|---|---|"]
    alike = total = 0
    for asked, (label, function) in OURS[engine].items():
        word = shown_word(asked)
        without: dict[str, list[str]] = {}  # inputs without an answer, by its form
        others = []
        for text, other in zip(TEXTS, theirs[asked], strict=True):
            own = function(text)
            total += 1
            if (own or "") == (other or ""):
                alike += 1
            elif other:
                others.append(f"| `{word}` | `{label}` | {shown(text)} | {shown(other)} | {shown(own)} |")
            else:
                without.setdefault(shown(other), []).append(shown(text))
        for what, texts in without.items():
            lines.append(f"| `{word}` | `{label}` | {', '.join(texts)} | {what} | what is there |")
        lines += others
    told = f"Of {total} answers {alike} are the same, but for null and empty. The others:"
    return [told, "", *lines]


def main() -> None:
    parser = table.arguments_of("bench.coming_from", __doc__)
    options = parser.parse_args()
    for engine, ask in ENGINES.items():
        try:
            lines = table_of(engine, ask())
        except ImportError as error:
            print(f"{engine}: left out, {error}", file=sys.stderr)
            continue
        if options.update:
            table.paste(options.update, engine, lines)
        else:
            table.show(["", f"## {engine}", "", *lines])


if __name__ == "__main__":
    main()
