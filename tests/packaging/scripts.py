"""Load the scripts of tools/ as modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def script_of_tools(name: str) -> ModuleType:
    """Return tools/NAME.py as a new module, so that a test may change its names."""
    if (tools := str(ROOT / "tools")) not in sys.path:
        sys.path.append(tools)  # scripts import each other
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their types up there
    spec.loader.exec_module(module)
    return module
