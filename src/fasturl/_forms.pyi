from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

__all__ = ["parse_qs", "parse_qsl", "urlencode"]

@overload
def parse_qsl(
    qs: str | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
) -> list[tuple[str, str]]: ...
@overload
def parse_qsl(
    qs: bytes | bytearray,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str | bytes = "&",
) -> list[tuple[bytes, bytes]]: ...
@overload
def parse_qs(
    qs: str | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
) -> dict[str, list[str]]: ...
@overload
def parse_qs(
    qs: bytes | bytearray,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str | bytes = "&",
) -> dict[bytes, list[bytes]]: ...
def urlencode(
    query: Mapping[Any, Any] | Sequence[tuple[Any, Any]],
    doseq: bool = False,
    safe: str | bytes = "",
    encoding: str | None = None,
    errors: str | None = None,
    quote_via: Callable[..., str] = ...,
) -> str: ...
def _kernels() -> list[str]: ...
def _use_kernel(name: str | None = None) -> None: ...
