from typing import Any, Literal

from typing_extensions import Buffer

from fasturl._fastparse import URL
from fasturl.errors import InvalidURL
from fasturl.findings import Problem

def problems(
    url: str | Buffer | URL[Any], *, form: Literal["url", "request-target"] = "url", strict: bool = False
) -> list[Problem]: ...
def invalid(url: URL[Any]) -> InvalidURL: ...
def _scan_in_place(
    buffer: Buffer, *, strict: bool = False, form: Literal["url", "request-target"] = "url"
) -> tuple[int, int, int, int, int, int, int, int | None]: ...
def _use_kernel(name: str) -> None: ...
