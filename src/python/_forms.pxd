"""The argument `form`, which every function that parses a URL takes."""

from _scan cimport FU_FORM_TARGET, FU_FORM_URL, fu_form

cdef extern from "Python.h":
    object PyUnicode_FromObject(object text)  # an exact str with the same characters


cdef inline fu_form form_named(object form) except *:
    """Return the kernel's form. ValueError for another name."""
    if isinstance(form, str):
        name = PyUnicode_FromObject(form)  # a subclass may define another __eq__
        if name == "url":
            return FU_FORM_URL
        if name == "request-target":
            return FU_FORM_TARGET
    from fasturl._quoted import quoted
    raise ValueError(f"form must be 'url' or 'request-target', not {quoted(form)}")
