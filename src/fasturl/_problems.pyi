from typing import Literal, TypeAlias

from typing_extensions import Buffer

from fasturl._fastparse import URL
from fasturl.findings import Problem

_Form: TypeAlias = Literal["url", "request-target"]

def problems(url: str | Buffer | URL, *, form: _Form = "url", strict: bool = False) -> list[Problem]: ...
def _scan_in_place(
    buffer: Buffer, *, strict: bool = False, form: _Form = "url"
) -> tuple[int, int, int, int, int, int, int, int | None]: ...
