# Part of _fastparse.pyx: the table of schemes, and the tables of productions that schemes are registered with.

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.ref cimport Py_XINCREF, PyObject
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from _scan cimport fu_productions, fu_shape


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


# Not held by `with`, which needs memory to release a lock: without memory the lock would stay taken.
cdef object scheme_lock = _fork_lock()
# The names by index in the table, so that no URL builds the name of its scheme again. Entries past the table's count may
# be left from a failed registration; the next registration overwrites them.
cdef list scheme_names = []         # str
cdef list scheme_names_bytes = []


cdef int name_schemes() except -1:
    cdef uint32_t i
    for i in range(<uint32_t>len(scheme_names), own.schemes.count):
        name = own.schemes.entries[i].name[:own.schemes.entries[i].length]
        scheme_names_bytes.append(name)
        scheme_names.append(name.decode())
    return 0


name_schemes()
SHAPES = {_scan.fu_traits[shape].name.decode(): shape for shape in range(<int>_scan.FU_SHAPES)}


def schemes():
    """Return the schemes that parse knows: {name: (shape, default port or None)}.

    >>> schemes()["ftp"]
    ('ftp', 21)
    """
    cdef uint32_t i
    shape_names = list(SHAPES)
    known = {}
    for i in range(own.schemes.count):
        port = own.schemes.entries[i].port
        known[scheme_names[i]] = (shape_names[own.schemes.entries[i].shape], None if port == _scan.FU_NO_PORT else port)
    return known


def registered_port(str name not None):
    """Return the port that IANA or a scheme's document registers for a name (grammar/ports.csv), or None.

    >>> registered_port("ssh"), registered_port("WSS"), registered_port("x-any")
    (22, 443, None)
    """
    cdef bytes data = name.encode("ascii", "replace")
    cdef int32_t port = _scan.fu_registered_port(<const uint8_t *>data, <size_t>len(data))
    return None if port == _scan.FU_NO_PORT else port


cdef int put_at(list items, uint32_t index, item) except -1:
    """Set the item at an index, which is at most the length of the list."""
    if <uint32_t>len(items) == index:
        items.append(item)
    else:
        items[index] = item
    return 0


def register_scheme(str name not None, str shape not None, default_port=None,
                    Productions productions=None):
    """Register a scheme in the kernel's table. Users call ``fasturl.schemes.register``.

    name : in lower case. ValueError if it is not a scheme name or is taken, or if the table is full.
    shape : one of SHAPES; "custom" needs productions
    If an exception is raised, nothing is registered.
    """
    cdef bytes data = name.encode("ascii", "replace")
    cdef int32_t port = _scan.FU_NO_PORT
    cdef fu_shape kind
    cdef uint8_t byte
    if not 0 < len(data) <= _scan.FU_SCHEME_NAME_MAX or name != name.lower():
        from fasturl._quoted import quoted
        raise ValueError(f"{quoted(name)} is not a scheme name of 1 to {_scan.FU_SCHEME_NAME_MAX} lower-case characters")
    for byte in data:
        if not _scan.fu_is(byte, _scan.TERM_SCHEME):
            from fasturl._quoted import quoted
            raise ValueError(f"{quoted(name)} is not a scheme name: only a-z, 0-9, '+', '-' and '.' may stand in one")
    if default_port is not None:
        if not isinstance(default_port, int):  # the conversion to C would truncate a float
            raise TypeError(f"default_port: expected int, got {type(default_port).__name__}")
        port = default_port
    if default_port is not None and not 0 < port <= 65535:
        raise ValueError(f"{default_port} is not a port")
    if (shape == "custom") != (productions is not None):
        raise ValueError("productions go with the shape 'custom', and with no other")
    if shape not in SHAPES:
        from fasturl._quoted import quoted
        raise ValueError(f"{quoted(shape)} is not a shape: one of {', '.join(SHAPES)}")
    kind = <fu_shape><int>SHAPES[shape]
    scheme_lock.acquire()
    try:
        if _scan.fu_find_scheme(own.schemes, <const uint8_t *>PyBytes_AS_STRING(data), len(data)) != _scan.FU_NO_SCHEME:
            from fasturl._quoted import quoted
            raise ValueError(f"the scheme {quoted(name)} is taken")
        # The scan sees none of this until the table's count is raised, which cannot fail halfway.
        put_at(scheme_names, own.schemes.count, name)
        put_at(scheme_names_bytes, own.schemes.count, data)
        if _scan.fu_register_scheme(
            own.schemes, data, len(data), kind, port, NULL if productions is None else &productions.table
        ) == _scan.FU_NO_SCHEME:
            raise ValueError("the table of schemes is full")
        Py_XINCREF(<PyObject *>productions)  # the kernel reads its table as long as the process lives
    finally:
        scheme_lock.release()
