# Part of _fastparse.pyx: the table of schemes.

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t

from _scan cimport fu_shape

from _thread import allocate_lock

cdef object scheme_lock = allocate_lock()
cdef list scheme_names = []         # str, by index in the table: the schemes of web URLs are never built anew
cdef list scheme_names_bytes = []
cdef dict custom_validators = {}        # index in the table -> callable


cdef int name_schemes() except -1:
    cdef uint32_t i
    for i in range(<uint32_t>len(scheme_names), own.schemes.count):
        name = own.schemes.entries[i].name[:own.schemes.entries[i].length]
        scheme_names_bytes.append(name)
        scheme_names.append(name.decode())
    return 0


name_schemes()
SHAPES = {_scan.fu_shape_names[shape].decode(): shape for shape in range(<int>_scan.FU_SHAPES)}


def schemes():
    """The schemes that parse knows: {name: (shape, default port or None)}.

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


def register_scheme(str name not None, str shape not None, default_port=None, validator=None):
    """Make a scheme known to the scan; :func:`fasturl.schemes.register` is the door for users.

    name : in lower case. ValueError when it is not a scheme's name, is taken, or the table is full.
    shape : one of SHAPES; "custom" needs validator, called with (octets of the whole URL, start of the schemepart) and
        returning an iterable of (finding, term, start, end)
    """
    cdef bytes octets = name.encode("ascii", "replace")
    cdef int32_t port = _scan.FU_NO_PORT if default_port is None else default_port
    cdef uint32_t index
    cdef uint8_t octet
    if not 0 < len(octets) <= _scan.FU_SCHEME_NAME_MAX or name != name.lower():
        raise ValueError(f"{name!r} is no scheme name of 1 to {_scan.FU_SCHEME_NAME_MAX} lower-case characters")
    for octet in octets:
        if not _scan.fu_is(octet, _scan.TERM_SCHEME):
            raise ValueError(f"{name!r} is no scheme name: only a-z, 0-9, '+', '-' and '.' may stand in one")
    if default_port is not None and not 0 < port <= 65535:
        raise ValueError(f"{default_port} is no port")
    if (shape == "custom") != (validator is not None):
        raise ValueError("a validator goes with the shape 'custom', and with no other")
    with scheme_lock:
        if _scan.fu_find_scheme(own.schemes, <const uint8_t *>PyBytes_AS_STRING(octets), len(octets)) != _scan.FU_NO_SCHEME:
            raise ValueError(f"the scheme {name!r} is taken")
        scheme_names.append(name)
        scheme_names_bytes.append(octets)
        if validator is not None:
            custom_validators[own.schemes.count] = validator
        index = _scan.fu_register_scheme(own.schemes, octets, len(octets), <fu_shape><int>SHAPES[shape], port)
        if index == _scan.FU_NO_SCHEME:
            custom_validators.pop(own.schemes.count, None)
            scheme_names.pop()
            scheme_names_bytes.pop()
            raise ValueError("the table of schemes is full")
