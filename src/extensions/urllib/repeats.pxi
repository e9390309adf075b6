# Part of _urllib.pyx: the fast path of urlsplit for one argument, with a small table of short texts and their results.

cdef extern from "pyrepeats.h":
    ctypedef struct fu_repeat:
        pass
    ctypedef struct fu_repeats:
        pass
    fu_repeat *fu_repeat_of(fu_repeats *known, object text, uint64_t *mark)
    object fu_find_repeat(const fu_repeat *entry, uint64_t mark, object text)
    void fu_keep_repeat(fu_repeats *known, fu_repeat *entry, uint64_t mark, object text, object result)
    void fu_forget_repeats(fu_repeats *known)

cdef fu_repeats repeats
cdef fu_call urlsplit_behind


cdef object urlsplit_in_front(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names):
    if names == NULL and splits_here:
        if n == 1 and result_state is None:
            result = split_again(<object>args[0])
        elif n == 3 and PyUnicode_CheckExact(<object>args[0]) and args[1] == <PyObject *>NOTHING and args[2] == <PyObject *>True:
            result = split(<object>args[0], NOTHING, True, False)  # as install() calls it
        else:
            result = None
        if result is not None:
            return result
    return urlsplit_behind(module, args, n, names)


cdef str HTTPS = "https", HTTP = "http"  # the objects that scheme_of() returns


cdef object split_again(object url):
    """Return the result of urlsplit for a str, perhaps that of an earlier call. Return None to fall back to urllib."""
    cdef uint64_t mark = 0
    cdef fu_repeat *entry
    if not PyUnicode_CheckExact(url) and not is_plain(url, FU_ASKS_HASH | FU_ASKS_EQUAL, CLEANED):
        return splitter_with_cache()(url) if PyUnicode_Check(url) else None
    FU_TEXT_READY(url)
    entry = fu_repeat_of(&repeats, url, &mark)
    if entry != NULL:
        result = fu_find_repeat(entry, mark, url)
        if result is not None:
            return result
    if not PyUnicode_CheckExact(url):
        url = PyUnicode_FromObject(url)
    result = split(url, NOTHING, True, False)
    # The scheme of another URL may change, because programs replace urllib.parse.scheme_chars.
    if entry != NULL and result is not None and ((<tuple>result)[0] is HTTPS or (<tuple>result)[0] is HTTP):
        fu_keep_repeat(&repeats, entry, mark, url, result)
    return result
