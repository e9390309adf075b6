# Part of _fastparse.pyx: locks that a fork waits for.

from _thread import RLock

cdef list fork_locks = []    # a thread that holds one of these locks takes none that comes later in the list
cdef list held_for_fork = []


def _fork_lock():
    """Return a new lock that os.fork() takes before it forks: a child never sees the guarded state half changed.

    The lock is free in the child. It is reentrant, so that a thread that holds it may fork; that thread goes on in the
    child and finishes the change there. Nothing that the lock guards may wait for a thread that forks.
    """
    lock = RLock()
    fork_locks.append(lock)
    return lock


# A signal handler may run while this compiled code waits for a lock, but never between the acquisition and the append.
def _before_fork():
    for lock in reversed(fork_locks):
        lock.acquire()
        held_for_fork.append(lock)


def _after_fork():
    while held_for_fork:
        held_for_fork.pop().release()


def _after_fork_in_child():
    own.forks += 1
    _after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)
