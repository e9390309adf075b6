# Part of _urllib.pyx: the functions behind the four properties of urllib's results that read the netloc, under
# install().

cdef object original_username = _originals.original("username")
cdef object original_password = _originals.original("password")
cdef object original_hostname = _originals.original("hostname")
cdef object original_port = _originals.original("port")


cdef enum:
    LONGEST_PORT = 100  # in digits; a longer port falls back, because a program may have limited the length for int()


cdef inline bint part_netloc(result, fu_slice *text, fu_netloc *parts) noexcept:
    """Split the netloc of a result of urllib. Return False for any other object."""
    cls = type(result)
    if cls is SplitResult or cls is ParseResult:
        if len(<tuple>result) < 2 or not fu_slice_of((<tuple>result)[1], text):
            return False
    elif cls is SplitResultBytes or cls is ParseResultBytes:
        if len(<tuple>result) < 2 or not fu_byte_slice((<tuple>result)[1], text):
            return False
    else:
        return False
    fu_split_netloc(text.p, 0, text.n, parts)
    return True


cdef inline object netloc_part(result, const fu_slice *text, size_t start, size_t end):
    if start == FU_ABSENT:
        return None
    if type(result) is SplitResult or type(result) is ParseResult:
        return fu_ascii_str(text.p + start, end - start)
    return PyBytes_FromStringAndSize(<const char *>text.p + start, <Py_ssize_t>(end - start))


@cython.binding(True)
def username(self):
    cdef fu_slice text
    cdef fu_netloc parts
    if not part_netloc(self, &text, &parts):
        return original_username(self)
    return netloc_part(self, &text, parts.user_start, parts.user_end)


@cython.binding(True)
def password(self):
    cdef fu_slice text
    cdef fu_netloc parts
    if not part_netloc(self, &text, &parts):
        return original_password(self)
    return netloc_part(self, &text, parts.password_start, parts.password_end)


@cython.binding(True)
def hostname(self):
    cdef fu_slice text
    cdef fu_netloc parts
    cdef size_t i
    cdef bint zone = False, lower = True
    if not part_netloc(self, &text, &parts):
        return original_hostname(self)
    if parts.host_start == parts.host_end:
        return None
    for i in range(parts.host_start, parts.host_end):
        zone = zone or text.p[i] == c"%"
        lower = lower and (zone or fu_lower(text.p[i]) == text.p[i])
    host = netloc_part(self, &text, parts.host_start, parts.host_end)
    if lower:
        return host
    if not zone:
        return host.lower()
    at = host.index("%" if type(host) is str else b"%")
    return host[:at].lower() + host[at:]


@cython.binding(True)
def port(self):
    cdef fu_slice text
    cdef fu_netloc parts
    cdef size_t i
    cdef long number = 0
    if not part_netloc(self, &text, &parts):
        return original_port(self)
    if parts.port_start == FU_ABSENT or parts.port_start == parts.port_end:
        return None
    if parts.port_end - parts.port_start > LONGEST_PORT:
        return original_port(self)
    for i in range(parts.port_start, parts.port_end):
        if not c"0" <= text.p[i] <= c"9" or number > 65535:
            return original_port(self)  # raises the ValueError
        number = 10 * number + (text.p[i] - c"0")
    return number if number <= 65535 else original_port(self)


PROPERTIES = {"hostname": hostname, "password": password, "port": port, "username": username}
del hostname, password, port, username
