"""The page of findings, made from what the package says of each: its advice, its sentence, its section."""

from __future__ import annotations

from commands import plain


def carets(start: int, end: int) -> str:
    return " " * start + "^" * max(end - start, 1)


def entry(finding: object, kind: str) -> str:
    import fasturl
    from fasturl._advice import advice_on, meaning

    assert isinstance(finding, fasturl.Finding)
    advice = advice_on(finding)
    problem = next(found for found in fasturl.problems(advice.example) if found.finding == finding)
    sentence, section = meaning(finding)
    shown = advice.example.replace("\t", "\u2409")
    lines = [
        f"### {finding.name} {{ #{(finding.name or '').lower()} }}",
        "",
        f"**{plain(sentence[0].upper() + sentence[1:])}.** A {kind}; RFC 1738 section {section}; bit "
        f"{int(finding).bit_length() - 1}.",
        "",
        "```text",
        shown,
        carets(problem.start, problem.end),
        "```",
        "",
        f"**Why it matters.** {plain(advice.why)}",
        "",
        f"**What to do.** {plain(advice.do)}",
    ]
    return "\n".join(lines) + "\n"


def page() -> str:
    import fasturl

    parts = []
    for kind, mask in (("violation", fasturl.Finding.VIOLATIONS), ("hazard", fasturl.Finding.HAZARDS)):
        parts.append(f"## {kind.capitalize()}s\n")
        parts += [entry(finding, kind) for finding in mask]
    return "\n".join(parts)
