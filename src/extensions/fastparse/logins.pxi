# Part of _fastparse.pyx: the ranges of a login's parts and the term of a finding, for the package's Python modules.

from libc.stdint cimport int32_t

from _pybytes cimport fu_substring
from _scan cimport fu_login, fu_netloc, fu_shape, fu_term, fu_terms


def _place(URL url not None, uint32_t finding, uint32_t term, size_t start, bint is_3986=False):
    """Return (term, shape of the scheme, is_secret) for a finding at an offset.

    term : index in fasturl._findings.TERMS, as in the result; len(TERMS) to find the term at `start`
    is_3986 : True if the finding is a violation of RFC 3986
    is_secret : True if a message must not show the character
    """
    cdef fu_bytes data
    cdef fu_spans spans
    cdef fu_terms terms
    cdef fu_netloc netloc
    url.fill(&spans)
    fu_bytes_of(url.text, &data)
    _scan.fu_read_terms(own.schemes, data.p, &spans, url.form_, &terms)
    if term == _scan.FU_TERM_BYTE and is_3986:
        _scan.fu_split_netloc(data.p, spans.netloc_start, spans.path_start, &netloc)
        term = _scan.fu_term_3986_at(&spans, &netloc, start)
    elif term == _scan.FU_TERM_BYTE:
        term = _scan.fu_term_at(&terms, start)
    fu_free_bytes(&data)
    return term, <int>terms.shape, bool(_scan.fu_is_secret(&terms, finding, <fu_term>term, start))


def _split_login(str part not None, int shape):
    """Split the RFC's login off a schemepart: (user, password, host, port, mark, rest, sure).

    shape : one of SHAPES
    user, password, host : as written; None if absent
    port : int; None if absent or not a number
    mark : the "/" or "?" that ended the login, or None
    rest : the text after the mark
    sure : True if the shape is "generic" and the part is an ip-schemepart by the grammar
    A part that does not start with "//" has no host. All of it is rest, without a leading "/".
    """
    cdef fu_bytes data
    cdef fu_login login
    cdef const fu_netloc *at = &login.parts
    cdef int32_t number = -1
    cdef bint sure = False
    cdef size_t n
    fu_bytes_of(part, &data)
    n = data.n
    if n < 2 or data.p[0] != c"/" or data.p[1] != c"/":
        sure = n > 0 and data.p[0] == c"/"
        fu_free_bytes(&data)
        return None, None, None, None, "/", part[1:] if sure else part, False
    _scan.fu_split_login(data.p, 2, _scan.fu_login_end(data.p, 2, n, <fu_shape>shape), &login)
    if shape == _scan.FU_SHAPE_GENERIC:
        sure = _scan.fu_is_ip_schemepart(data.p, &login, n)
    if at.port_start != _scan.FU_ABSENT:
        number = _scan.fu_port_number(data.p, at.port_start, at.port_end)
    mark = None if login.end == n else "/" if data.p[login.end] == c"/" else "?"
    fu_free_bytes(&data)
    return (
        None if at.user_start == _scan.FU_ABSENT else fu_substring(part, at.user_start, at.user_end),
        None if at.password_start == _scan.FU_ABSENT else fu_substring(part, at.password_start, at.password_end),
        fu_substring(part, at.host_start, at.host_end), None if number < 0 else number,
        mark, "" if mark is None else fu_substring(part, login.end + 1, n), sure,
    )


def _break(str text not None, bint group):
    """Return the offset of the first byte that fits neither a hostname nor a hostnumber; None for a valid host.

    The offset is the length if the text is truncated. With `group`, check a group instead.
    """
    cdef fu_bytes data
    cdef size_t at
    fu_bytes_of(text, &data)
    at = (_scan.fu_group_breaks_at if group else _scan.fu_host_breaks_at)(data.p, 0, data.n)
    fu_free_bytes(&data)
    return None if at == _scan.FU_ABSENT else at
