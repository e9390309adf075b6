# For each extension that takes buffers of the pool, of which each has one of its own.

import os


def _after_fork():
    """Let a forked process use the pool, whatever other threads of its parent were doing with it."""
    fu_pool_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
