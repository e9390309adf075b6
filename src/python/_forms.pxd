"""The arguments `form`, `strict` and `standard`, which functions that parse a URL take."""

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


cdef inline Strictness strictness_of(object strict) except *:
    """Return the strictness that True, False or "rfc3986" asks for. ValueError for another str."""
    if not isinstance(strict, str):
        return STRICT_1738 if strict else LENIENT
    if PyUnicode_FromObject(strict) == "rfc3986":
        return STRICT_3986
    from fasturl._quoted import quoted
    raise ValueError(f"strict must be False, True or 'rfc3986', not {quoted(strict)}")


cdef inline object strictness_object(Strictness strict):
    return "rfc3986" if strict == STRICT_3986 else strict == STRICT_1738
