"""A URL with some of its parts replaced."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fasturl._fastparse import URL


def replace(url: "URL[Any]", parts: dict[str, Any]) -> "URL[Any]":
    """Return the result of ``URL._replace``. Parts that are not replaced stay as written, absent or empty."""
    from fasturl._fastparse import parse

    text = url.text
    kind = type(text)
    delimiters: tuple[Any, ...] = (b"", b":", b"/", b"?", b"#") if kind is bytes else ("", ":", "/", "?", "#")
    empty, colon, slash, qmark, number_sign = delimiters
    for name, value in parts.items():
        if name not in url._fields:
            from fasturl._quoted import quoted

            raise TypeError(f"_replace() got an unexpected field name: {quoted(name)}")
        if type(value) is not kind:
            raise TypeError(f"{name} must be {kind.__name__}, not {type(value).__name__}")

    def part(name: str) -> tuple[Any, bool]:
        """Return the part, and True if the URL has its delimiter."""
        if name in parts:
            return parts[name], bool(parts[name])
        span = url.span(name)
        return (empty, False) if span is None else (text[slice(*span)], True)

    (scheme, has_scheme), (netloc, has_netloc) = part("scheme"), part("netloc")
    (path, _), (query, has_query), (fragment, has_fragment) = part("path"), part("query"), part("fragment")
    if has_netloc and path and not path.startswith(slash):
        path = slash + path
    text = (
        (scheme + colon if has_scheme else empty)
        + (slash + slash + netloc if has_netloc else empty)
        + path
        + (qmark + query if has_query else empty)
        + (number_sign + fragment if has_fragment else empty)
    )
    new = parse(text, form=url.form, strict=url.strict, standard=url.standard)
    if tuple(new) != (scheme.lower(), netloc, path, query, fragment):
        raise ValueError(f"{', '.join(parts)}: together these parts would read back as others")
    return new
