"""Common and combined logs: `fasturl._accesslog` reads their lines, whole blocks at a time."""

from __future__ import annotations

from fasturl._accesslog import Plan, is_record
from fasturl.logs.formats.records import DETAILS, TARGET, LineFormat


class CommonLog(LineFormat):
    """`vhost` is whether a line starts with the virtual host, `combined` whether referer and agent
    follow: 0 in no line, 1 in each, 2 in some. A `plan` tells all that of a custom format."""

    details = DETAILS
    targets = frozenset({TARGET})
    reads_blocks = True
    plan: Plan | None = None
    # What reads the columns that are kept, each as the agent.
    kept_by: tuple[CommonLog, ...] = ()

    def __init__(self, name: str, *, vhost: bool = False, combined: int = 0) -> None:
        self.name = name
        self.vhost = vhost
        self.combined = combined

    def matches(self, line: bytes) -> bool:
        return is_record(line, vhost=self.vhost, combined=self.combined)
