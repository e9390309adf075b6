# Part of _fastparse.pyx: the tables of productions that schemes are registered with.

cimport cython
from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from _scan cimport fu_productions


@cython.final
cdef class Productions:
    """Productions as a lookup table for the kernel, which reads each byte once, without the GIL.

    State 0 derives nothing; state 1 is the start. Column 0 is for bytes that no URL contains raw: they are a finding of
    their own and are read as an escape.

    columns : bytes, the column of each of the 256 bytes
    width : int, the number of columns
    rows : bytes, for each state and column the offset of the next state's row: a multiple of width, as an unsigned
        32-bit number in native byte order
    accepting : bytes, for each state 1 if a text may end there, else 0
    Raises: ValueError for sizes or numbers that do not fit together. Cost: O(states * width), once.
    """

    cdef fu_productions table
    cdef readonly bytes columns, rows, accepting
    cdef readonly Py_ssize_t width

    def __cinit__(self, bytes columns not None, Py_ssize_t width, bytes rows not None, bytes accepting not None):
        cdef size_t states = <size_t>len(accepting)
        if len(columns) != 256 or not 1 <= width <= 256 or len(rows) != 4 * <Py_ssize_t>states * width:
            raise ValueError("the sizes of the table do not fit together")
        self.columns, self.width, self.rows, self.accepting = columns, width, rows, accepting
        memcpy(self.table.columns, PyBytes_AS_STRING(columns), 256)
        self.table.width, self.table.states = <size_t>width, states
        self.table.rows = <const uint32_t *>PyBytes_AS_STRING(rows)  # aligned: whole words precede the bytes
        self.table.accepting = <const uint8_t *>PyBytes_AS_STRING(accepting)
        if not _scan.fu_are_productions(&self.table):
            raise ValueError("a number in the table is too large")

    def stop(self, bytes part not None):
        """Return the offset of the first invalid byte of a schemepart, its length if it is truncated, else None.

        The part has one byte per character; any byte above 7E stands for a character outside US-ASCII. Cost: O(n).
        """
        cdef size_t n = <size_t>len(part)
        cdef size_t stop = _scan.fu_productions_stop(&self.table, <const uint8_t *>PyBytes_AS_STRING(part), 0, n)
        return None if stop == _scan.FU_ABSENT else stop
