"""`fasturl check`: each fault of each URL with its place, a line each, as compilers show them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, Literal

import click

from fasturl import Finding, Problem, problems
from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TROUBLE
from fasturl.cli.inputs.reading import InputOptions, Reading
from fasturl.cli.options import input_options
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.rows import FIELD, FINDINGS, HAZARDS, LINE, TEXT, make_rows
from fasturl.cli.terminal import visible

Form = Literal["url", "request-target"]


def _as_json(file: str, number: int, field: str, problem: dict[str, object]) -> bytes:
    return json.dumps({"file": file, "line": number, "field": field, **problem}).encode() + b"\n"


@click.command()
@input_options
@click.option("--hazards", is_flag=True, help="Show hazards too: what is dangerous in a URL that may be valid.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a fault, for programs.")
@click.option("--first", is_flag=True, help="Only the first fault of each URL.")
def command(source: InputOptions, quiet: bool, hazards: bool, as_json: bool, first: bool) -> int:
    """Show what is wrong with each URL, and where.

    Prints FILE:LINE:OFFSET: FINDING: message; the offset counts octets of the URL from 0. Status 1 when any
    URL is invalid, or a line is in no format. FILES are read as `fasturl parse` reads them.
    """
    reading = Reading(source)
    counts = Counts()
    out = Standard()
    wanted = Finding.VIOLATIONS | Finding.HAZARDS if hazards else Finding.VIOLATIONS
    for source_, fmt, records in reading.records():
        rows = make_rows(os.fsencode(source_.name), fmt, records)
        counts.add_lines(records)
        counts.add_rows(rows)
        lines: list[tuple[int, bytes]] = []
        where = visible(source_.name)
        for row in rows:
            names: Any = row[FINDINGS]
            if not names or (not hazards and HAZARDS.issuperset(names)):
                continue
            number: Any = row[LINE]
            field = str(row[FIELD])
            url: Any = row[TEXT]
            form: Form = "request-target" if field in fmt.targets else "url"
            for problem in _problems(url, form, wanted, first):
                name = problem.finding.name or ""
                if as_json:
                    told: dict[str, object] = {
                        "offset": problem.start,
                        "end": problem.end,
                        "finding": name,
                        "message": problem.message,
                        "url": url.decode("utf-8", "surrogateescape"),
                    }
                    lines.append((number, _as_json(source_.name, number, field, told)))
                else:
                    which = f"{field}: " if field in ("target", "referer") else ""
                    line = f"{where}:{number}:{problem.start}: {name}: {which}{visible(problem.message)}\n"
                    lines.append((number, line.encode("utf-8", "surrogateescape")))
        for number, _ in records.rejects:
            message = f"the line is not in the format {fmt.name}"
            if as_json:
                lines.append((number, _as_json(source_.name, number, "", {"finding": "REJECTED", "message": message})))
            else:
                lines.append((number, f"{where}:{number}:0: REJECTED: {message}\n".encode("utf-8", "surrogateescape")))
        if lines:
            lines.sort(key=lambda item: item[0])
            out.write(b"".join([line for _, line in lines]))
    if not quiet:
        counts.say()
    if reading.torn:
        return TROUBLE
    return BAD_URLS if counts.bad else 0


def _problems(url: bytes, form: Form, wanted: Finding, first: bool) -> Iterator[Problem]:
    for problem in problems(url, form=form):
        if problem.finding & wanted:
            yield problem
            if first:
                return
