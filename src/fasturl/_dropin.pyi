from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any
from urllib.parse import urldefrag as urldefrag
from urllib.parse import urljoin as urljoin
from urllib.parse import urlparse as urlparse
from urllib.parse import urlsplit as urlsplit
from urllib.parse import urlunparse as urlunparse
from urllib.parse import urlunsplit as urlunsplit

def compiled_here() -> frozenset[str]: ...
def new_trampoline(function: FunctionType, compiled: Callable[..., Any]) -> CodeType: ...
def exchange(changes: list[tuple[FunctionType, CodeType]], *, renews: bool = False) -> None: ...
def frames_between() -> int: ...
def names_of_urllib(module: str) -> Callable[[str], Any]: ...

PROPERTIES: dict[str, Callable[..., Any]]
