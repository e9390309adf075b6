"""Make the page of findings from the table in fasturl.findings."""

from __future__ import annotations

from commands import plain


def carets(start: int, end: int) -> str:
    return " " * start + "^" * max(end - start, 1)


def entry(finding: object, kind: str) -> str:
    import fasturl
    from fasturl._terms import example_citation

    assert isinstance(finding, fasturl.Finding)
    problem = next(found for found in fasturl.problems(finding.example) if found.finding == finding)
    sentence = finding.sentence
    shown = finding.example.replace("\t", "\u2409")
    lines = [
        f"### {finding.name} {{ #{(finding.name or '').lower()} }}",
        "",
        f"**{plain(sentence[0].upper() + sentence[1:])}.** A {kind}; {example_citation(finding)}; bit "
        f"{int(finding).bit_length() - 1}.",
        "",
        "```text",
        shown,
        carets(problem.start, problem.end),
        "```",
        "",
        f"**Why it matters.** {plain(finding.reason)}",
        "",
        f"**What to do.** {plain(finding.advice)}",
    ]
    return "\n".join(lines) + "\n"


def page() -> str:
    import fasturl

    parts = []
    for kind, mask in (("violation", fasturl.Finding.VIOLATIONS), ("hazard", fasturl.Finding.HAZARDS)):
        parts.append(f"## {kind.capitalize()}s\n")
        parts += [entry(finding, kind) for finding in mask]
    return "\n".join(parts)
