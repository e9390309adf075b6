# Fork handling for each extension that uses the pool. Each extension has its own pool.

import os


def _after_fork():
    """Make the pool usable in a forked process, even if another thread of the parent was using it."""
    fu_pool_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
