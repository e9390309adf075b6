"""Settings that must precede the import of an engine."""

import os

import pytest

pytest.importorskip("pyarrow", reason="the extra fasturl[arrow] is not installed")

# Ray reads these when it is imported. Without a cluster beyond this machine, it listens on the loopback only.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
