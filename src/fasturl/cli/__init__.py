"""The command line: `fasturl parse | stats | report | sql | check | extract | explain | quote | unquote`.

`fasturl.logs` opens the inputs, decompresses them, and reads their lines. `commands` has one module per command, which
is imported on use. `pipeline` turns lines into columns on several threads, and `outputs` writes them. `summary` counts
for `stats` and `report`.
"""

from __future__ import annotations

import os
import re

from fasturl import __version__


def _installed_version(package: str) -> str:
    """Return the version of a package, from the name of its dist-info folder.

    importlib.metadata reads the same, but its import takes longer than the rest of `--version`.
    """
    from importlib.util import find_spec

    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return "not installed"
    names = os.listdir(os.path.dirname(os.path.dirname(spec.origin)))
    found = [name[len(package) + 1 : -10] for name in names if re.fullmatch(f"{package}-[^-]+[.]dist-info", name)]
    return found[0] if len(found) == 1 else "installed, its version is not known"


def versions() -> str:
    """Return the versions that a bug report needs, one per line."""
    import platform

    from fasturl._fastparse import _kernels

    built_for = platform.python_implementation(), platform.system(), platform.machine()
    lines = (
        f"fasturl {__version__}",
        f"Python {platform.python_version()} ({', '.join(built_for)})",
        f"pyarrow {_installed_version('pyarrow')}",
        # The widest kernel that runs here is the default.
        f"kernel {os.environ.get('FASTURL_KERNEL') or _kernels()[-1]}",
    )
    return "\n".join(lines)


def write_versions() -> bool:
    """Write the versions to standard output. Return False if that fails, so that the command reports the reason."""
    text = f"{versions()}\n".encode()
    try:
        return os.write(1, text) == len(text)
    except OSError:
        return False
