"""Compare a program's hosts with those of the readers in readers.jsonl.

    python run_readers.py readers.jsonl -- PROGRAM ARGUMENT...

PROGRAM reads one text per line from stdin, as a JSON string in ASCII. For each, it writes one line: the host that it
would connect to as a JSON string, "" for none, or null if it refuses the text or its port. A host is in lower case, an
IPv6 address without brackets in its shortest form, and a label outside ASCII is in Punycode, unmapped.
"""

import json
import subprocess
import sys
from typing import Any


def read_cases(path: str) -> list[dict[str, Any]]:
    """Return the cases, each checked against the fields that readers.schema.json declares."""
    with open(path, encoding="ascii") as file:
        versions, *cases = map(json.loads, file)
    for case in cases:
        if not isinstance(case["text"], str) or case["hosts"].keys() - versions["versions"].keys():
            raise ValueError(f"not a case: {case}")
        if not all(host is None or isinstance(host, str) for host in case["hosts"].values()):
            raise ValueError(f"a host is neither a string nor null: {case}")
    return cases


def answers_of(program: list[str], cases: list[dict[str, Any]]) -> list[str | None]:
    """Return the program's host for each case."""
    texts = "".join(json.dumps(case["text"]) + "\n" for case in cases)
    output = subprocess.run(program, input=texts, capture_output=True, text=True, check=True).stdout
    answers = [json.loads(line) for line in output.splitlines()]
    if len(answers) != len(cases):
        raise ValueError(f"{len(answers)} answers to {len(cases)} texts")
    return answers


def main(path: str, program: list[str]) -> None:
    cases = read_cases(path)
    answers = answers_of(program, cases)
    for reader in cases[0]["hosts"]:
        asked = [
            (case["hosts"][reader], ours) for case, ours in zip(cases, answers, strict=True) if reader in case["hosts"]
        ]
        print(f"{reader}: {sum(theirs == ours for theirs, ours in asked)} of {len(asked)} alike")
    for case, ours in zip(cases, answers, strict=True):
        if ours not in case["hosts"].values():
            print(f"alone: {json.dumps(case['text'])} has the host {json.dumps(ours)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3:])
