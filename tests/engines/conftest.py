"""What must be so before an engine is imported."""

import os

# Ray reads it when it is imported: no cluster beyond this machine, so it listens on the loopback alone.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
