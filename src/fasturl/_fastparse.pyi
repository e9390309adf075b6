from collections.abc import Buffer, Callable, Iterable, Iterator
from typing import Any, Literal, final

from fasturl.findings import Finding, Problem
