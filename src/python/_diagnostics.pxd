"""Memory for the problems that validation records."""

from libc.stdlib cimport realloc

from _scan cimport fu_diagnostics, fu_problem


cdef inline int grow_problems(fu_diagnostics *found) noexcept nogil:
    """Double the space for problems. If that fails, return 0 and keep no more problems."""
    cdef size_t capacity = 2 * found.capacity if found.capacity else 16
    cdef fu_problem *problems = NULL
    if capacity <= <size_t>-1 // sizeof(fu_problem):
        problems = <fu_problem *>realloc(found.problems, capacity * sizeof(fu_problem))
    if problems == NULL:
        found.grow = NULL
        return 0
    found.problems = problems
    found.capacity = capacity
    return 1
