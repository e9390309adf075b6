"""The arguments `form`, `strict`, `standard` and `errors`, which several functions take."""

from _scan cimport FU_FORM_TARGET, FU_FORM_URL, fu_form

cdef extern from "Python.h":
    object PyUnicode_FromObject(object text)  # an exact str with the same characters


cdef inline fu_form form_of(object form) except *:
    """Return the kernel's form. ValueError for another name."""
    if isinstance(form, str):
        name = PyUnicode_FromObject(form)  # a subclass may define another __eq__
        if name == "url":
            return FU_FORM_URL
        if name == "request-target":
            return FU_FORM_TARGET
    from fasturl._quoted import quoted
    raise ValueError(f"form must be 'url' or 'request-target', not {quoted(form)}")


cdef enum Standard:
    RFC1738
    RFC3986


cdef enum Strictness:
    LENIENT
    STRICT_1738
    STRICT_3986


cdef inline Standard standard_of(object standard) except *:
    """Return the standard of this name. ValueError for another name."""
    if isinstance(standard, str):
        name = PyUnicode_FromObject(standard)
        if name == "rfc1738":
            return RFC1738
        if name == "rfc3986":
            return RFC3986
    from fasturl._quoted import quoted
    raise ValueError(f"standard must be 'rfc1738' or 'rfc3986', not {quoted(standard)}")


cdef enum ErrorPolicy:
    RAISE
    NULL_IN_PLACE
    KEEP


cdef inline ErrorPolicy policy_of(object errors) except *:
    """Return what to do with an item that is an error. ValueError for another name."""
    if errors == "raise":
        return RAISE
    if errors == "null":
        return NULL_IN_PLACE
    if errors == "keep":
        return KEEP
    from fasturl._quoted import quoted
    raise ValueError(f"errors must be 'raise', 'null' or 'keep', not {quoted(errors)}")


cdef inline Strictness strictness_of(object strict, object standard) except *:
    """Return the strictness of these arguments. TypeError for a str as `strict`, ValueError for another standard."""
    cdef Standard by = standard_of(standard)
    if isinstance(strict, str):
        raise TypeError("strict must be True or False, not a str: standard= takes the name of the standard")
    return LENIENT if not strict else STRICT_3986 if by == RFC3986 else STRICT_1738
