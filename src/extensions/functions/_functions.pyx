"""The functions that take a URL and return a part of it, a new text, or a list; see kernel/functions/.

The module also builds the settings with which fasturl.arrow runs these functions on columns. A str is read as UTF-8.
The result has the type of the input. An absent part is None; an empty part is empty.
"""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.list cimport PyList_GET_ITEM
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_New
from cpython.pythread cimport (
    NOWAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_get_thread_ident,
    PyThread_release_lock,
    PyThread_type_lock,
    WAIT_LOCK,
)
from cpython.ref cimport Py_INCREF
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

cimport _scan
from _docs cimport complete_docs
from _escaping cimport *
from _forms cimport RFC3986, form_of, standard_of
from _pybytes cimport fu_exact_text
from _pytext cimport *
from _runtime cimport FUNCTION_NAME, GATHER_NAME, import_runtime, refuse_new, runtime
from _scan cimport *
from _urlfunctions cimport *

from fasturl import _terms
from fasturl._fastparse import URL, parse
from fasturl._urllib import _name_bytes, _value_name
from fasturl._findings import Finding

import_runtime()


cdef class Names:
    """Names as bytes, for the kernel. patterns : whether a name may have a ``*``"""

    cdef fu_name *names
    cdef size_t count
    cdef tuple held

    def __cinit__(self, names, bint text, bint patterns=True):
        if isinstance(names, (str, bytes)):
            names = (names,)
        # No list comprehension, here and elsewhere: if memory runs out, Cython 3.3 releases one of its items twice.
        cdef list held = []
        for name in names:
            held.append(_name_bytes(name, not text) if patterns else _value_name(name, not text))
        self.held = tuple(held)
        self.count = len(self.held)
        set_names(&self.names, self.held, False)

    def __dealloc__(self):
        PyMem_Free(self.names)


include "suffixes.pxi"
include "hostlist.pxi"


# ---- a function with its settings

cdef dict KINDS = {fu_function_names[i].decode(): i for i in range(FU_FUNCTION_KINDS)}

cdef dict PARTS = {fu_part_names[i].name.decode(): fu_part_names[i].bit for i in range(FU_PART_NAMES)}
TRACKING = tuple([fu_tracking_names[i].decode() for i in range(FU_TRACKING_NAMES)])


cdef object url_class = URL


cdef inline object text_of(object url, fu_form form, bint any_first, const char *caller, fu_spans *spans, bint *is_split):
    """Return the exact text of a str, a bytes-like object or a URL. A URL has its spans."""
    cdef void *text
    is_split[0] = False
    if type(url) is not url_class:
        return fu_exact_text(url, url_class, caller)
    is_split[0] = runtime.read_url(<void *>url, form, any_first, &text, spans)
    return <object>text


cdef object split_of(object url, fu_form form, const char *caller, Bytes *data, fu_spans *spans):
    """Set the text and the spans of a str, a bytes-like object or a URL. Return the object that holds the text."""
    cdef bint is_split
    held = bytes_in(text_of(url, form, False, caller, spans, &is_split), data)
    if not is_split:
        runtime.kernel.split(runtime.schemes, data.p, data.n, form, False, spans)
    return held


@cython.final
cdef class Function:
    """A function from a URL to a text, with its settings. ``fasturl.arrow`` passes it to the kernel for each row."""

    cdef fu_function function
    cdef Names names
    cdef object rules
    cdef bytearray ports
    cdef Function final     # the function of a text that answer() has prepared
    cdef object prepare     # from a text that the kernel alone cannot read to a text that `final` reads, or to None

    @property
    def pointer(self):
        """A capsule of the fu_function, which lives as long as this object."""
        return PyCapsule_New(&self.function, FUNCTION_NAME, NULL)

    def answer(self, bytes text not None):
        """Return the result for a text that the kernel alone cannot read, as bytes or None."""
        if self.final is None:
            raise TypeError("the kernel reads every text for this function")
        prepared = self.prepare(text)
        found = None if prepared is None else self.final.of(prepared, b"fasturl")
        keeps = self.function.kind == FU_GIVES_CANONICALIZE and self.function.switches & FU_CANONICAL_KEEP
        return text if found is None and keeps else found

    cdef object of(self, object url, const char *caller):
        cdef uint8_t on_stack[ON_STACK]
        cdef uint8_t *to = on_stack
        cdef Bytes data
        cdef size_t capacity
        cdef fu_spans spans
        cdef fu_result result
        cdef bint is_split
        text = text_of(url, self.function.form, fu_function_any_first(&self.function), caller, &spans, &is_split)
        _held = bytes_in(text, &data)
        capacity = fu_function_capacity(&self.function, data.n)
        if capacity > ON_STACK:
            to = <uint8_t *>PyMem_Malloc(capacity)
            if to == NULL:
                raise MemoryError
        try:
            if self.function.is_host:
                result = fu_apply_to_host(&self.function, data.p, 0, data.n, to)
            else:
                if not is_split:
                    runtime.kernel.split(self.function.schemes, data.p, data.n, self.function.form,
                                         fu_function_any_first(&self.function), &spans)
                result = fu_apply(&self.function, data.p, &spans, to)
            if result.kind == FU_RESULT_NULL:
                return None
            if result.kind == FU_RESULT_ASKS:
                answer = self.answer(data.p[:data.n])
                return answer.decode("utf-8", "surrogatepass") if data.as_text and answer is not None else answer
            if result.kind == FU_RESULT_NEW_TEXT:
                return text_out(to, result.length, data.as_text)
            if result.length == data.n:
                return text
            return text_out(data.p + result.start, result.length, data.as_text)
        finally:
            if to != on_stack:
                PyMem_Free(to)


refuse_new(Function)


cdef Function new_function(fu_function_kind kind, fu_form form):
    cdef Function result = Function.__new__(Function)
    result.function.kind = kind
    result.function.form = form
    result.function.schemes = runtime.schemes
    return result


cdef Function function_of_names(fu_function_kind kind, fu_form form, names, bint text):
    cdef Function result = new_function(kind, form)
    result.names = Names(names, text)
    result.function.names = result.names.names
    result.function.count = result.names.count
    return result


def _plain_function(str name not None, form="url"):
    """Return a function whose only setting is the form."""
    return new_function(<fu_function_kind><int>KINDS[name], form_of(form))


def _drop_params_function(names, *, bint text, form="url"):
    return function_of_names(FU_GIVES_DROP_PARAMS, form_of(form), names, text)


def _path_template_function(keep, *, bint text, form="url"):
    return function_of_names(FU_GIVES_PATH_TEMPLATE, form_of(form), keep, text)


def _drop_parts_function(parts, form="url"):
    cdef Function result = new_function(FU_GIVES_DROP_PARTS, form_of(form))
    for part in parts:
        if part not in PARTS:
            from fasturl._quoted import quoted
            raise ValueError(f"{quoted(part)} is not a part to leave out: {', '.join(PARTS)}")
        result.function.switches |= <unsigned>PARTS[part]
    return result


cdef object DOMAINS = None  # fasturl.domains, when a rule was first needed


cdef Suffixes rules_of(rules):
    global DOMAINS
    if rules is None:
        if DOMAINS is None:
            from fasturl import domains
            DOMAINS = domains
        rules = DOMAINS._installed  # without the call, which takes a lock
        if rules is None:
            rules = DOMAINS.installed()
    return <Suffixes?>rules


cdef Function function_of_host(fu_function_kind kind, form):
    """Return a function that also takes the form "host"."""
    cdef bint is_host = isinstance(form, str) and str.__str__(form) == "host"  # a subclass may override __eq__
    cdef Function result = new_function(kind, _scan.FU_FORM_URL if is_host else form_of(form))
    result.function.is_host = is_host
    return result


cdef Function domain_function(fu_function_kind kind, bint private, form, rules):
    cdef Function result = function_of_host(kind, form)
    result.rules = rules_of(rules)
    result.function.switches = private
    result.function.suffixes = &(<Suffixes>result.rules).table
    return result


def _domain_function(str name not None, *, bint private, form="url", rules=None):
    return domain_function(<fu_function_kind><int>KINDS[name], private, form, rules)


cdef HostList host_list(hosts):
    return hosts if isinstance(hosts, HostList) else HostList(hosts)


def _list_function(str name not None, hosts, *, bint exact=False, form="url"):
    cdef fu_function_kind kind = <fu_function_kind><int>KINDS[name]
    cdef HostList entries = host_list(hosts)
    cdef Function result = function_of_host(kind, form)
    result.rules = entries
    result.function.hosts = &entries.list
    result.function.switches = FU_LIST_EXACT if exact else 0
    if kind == FU_GIVES_BLOCKS:
        result.final = new_function(kind, result.function.form)
        result.final.function = result.function
        result.final.function.switches |= FU_LIST_MAPPED
        result.prepare = _mapped
    return result


def _mapped(bytes data):
    """Return a text in which no character of a host is left to map. The import is expensive, and few texts need it."""
    from fasturl._readings import mapped
    return mapped(data)


def _dedup_key_function(*, bint normalize, bint sort, bint fragment, drop, bint text):
    cdef Function result = function_of_names(FU_GIVES_DEDUP_KEY, _scan.FU_FORM_URL, TRACKING if drop is None else drop, text)
    result.function.switches = (
        (FU_DEDUP_NORMALIZE if normalize else 0) | (FU_DEDUP_SORT if sort else 0)
        | (0 if fragment else FU_DEDUP_FRAGMENT) | (FU_DEDUP_DROP if result.names.count else 0))
    return result


def _canonicalize_function(*, bint keep_blank_values=True, bint keep_fragments=False, otherwise="null"):
    cdef Function result, final
    cdef unsigned switches = ((FU_CANONICAL_BLANKS if keep_blank_values else 0)
                              | (FU_CANONICAL_FRAGMENT if keep_fragments else 0))
    if otherwise not in ("null", "keep"):
        from fasturl._quoted import quoted
        raise ValueError(f"otherwise must be 'null' or 'keep', not {quoted(otherwise)}")
    from fasturl._canonical import final_text, schemes
    names, with_params = schemes()
    switches |= <unsigned>with_params << FU_CANONICAL_PARAMS
    final = function_of_names(FU_GIVES_CANONICALIZE, _scan.FU_FORM_URL, names, True)
    final.function.switches = switches | FU_CANONICAL_FINAL
    result = function_of_names(FU_GIVES_CANONICALIZE, _scan.FU_FORM_URL, names, True)
    result.function.switches = switches | (FU_CANONICAL_KEEP if otherwise == "keep" else 0)
    result.final, result.prepare = final, final_text
    return result


def _surt_function():
    cdef Function result = new_function(FU_GIVES_SURT, _scan.FU_FORM_URL)
    from fasturl._canonical import surt_text
    result.final, result.prepare = new_function(FU_GIVES_SURT, _scan.FU_FORM_URL), surt_text
    result.final.function.switches = 1
    return result


# ---- canonical, surt, domains and hosts outside ASCII for DuckDB's extension, which runs without the GIL

cdef fu_python provided
cdef dict PROVIDED = {}


def _provide_python():
    """Let DuckDB's extension compute canonical, surt, blocks and domains for every text. Without it, it refuses what needs Python."""
    if PROVIDED:
        return
    from fasturl.domains import installed
    try:
        rules = PROVIDED[KINDS["registrable_domain"]] = installed()
        provided.suffixes = &(<Suffixes>rules).table
    except ImportError:  # each call says what to install
        pass
    canonical = _canonicalize_function()
    PROVIDED.update({<int>FU_GIVES_CANONICALIZE: canonical, <int>FU_GIVES_SURT: _surt_function()})
    provided.canonical = &(<Function>canonical).function
    provided.answer = provided_answer
    (<_scan.fu_runtime *>runtime).python = &provided


cdef int provided_answer(int kind, const uint8_t *p, size_t n, uint8_t **answer, size_t *length) noexcept with gil:
    cdef bytes found
    answer[0] = NULL
    try:
        if kind == FU_FUNCTION_KINDS:
            from fasturl._readings import lowered
            found = lowered(p[:n])
        else:
            found = _mapped(p[:n]) if kind == FU_GIVES_BLOCKS else (<Function>PROVIDED[kind]).answer(p[:n])
    except Exception:  # no memory
        return False
    if found is not None:
        length[0] = PyBytes_GET_SIZE(found)
        answer[0] = <uint8_t *>malloc(length[0] + 1)
        if answer[0] == NULL:
            return False
        memcpy(answer[0], bytes_of(found), length[0])
    return True


cdef tuple SCOPES = tuple([fu_scope_words[i].text.decode() for i in range(1, FU_SCOPE_COUNT)])


def _fetch_refusal_function(schemes, ports, addresses, hosts=None, not_hosts=None, *, bint empty=False):
    """Return the function that explains why not to fetch a URL. empty : if nothing forbids it, the result is "", not None"""
    cdef HostList entries
    from fasturl._quoted import quoted
    cdef Function result = function_of_names(FU_GIVES_FETCH_REFUSAL, _scan.FU_FORM_URL, schemes, True)
    if ports is not None:
        result.ports = bytearray(1 << 13)
        for port in ports:
            if not 0 <= port < 1 << 16:
                raise ValueError(f"{quoted(port)} is not a port: expected numbers below 65536")
            result.ports[port >> 3] |= 1 << (port & 7)
        result.function.ports = <const uint8_t *>PyByteArray_AS_STRING(result.ports)
    for scope in SCOPES if addresses == "any" else [addresses] if isinstance(addresses, str) else addresses:
        if scope not in SCOPES:
            raise ValueError(f"{quoted(scope)} is not a scope of an address: expected 'any' or some of {', '.join(SCOPES)}")
        result.function.switches |= <unsigned>2 << SCOPES.index(scope)
    if not empty:
        result.function.switches |= <unsigned>FU_FETCH_NULL
    if hosts is not None:
        entries = host_list(hosts)
        result.function.hosts = &entries.list
        result.rules = entries
    if not_hosts is not None:
        entries = host_list(not_hosts)
        result.function.not_hosts = &entries.list
        result.rules = (result.rules, entries)
    return result


cdef bint is_text(object url):
    return PyUnicode_CheckExact(url) or isinstance(url, str) or (isinstance(url, URL) and isinstance(url.text, str))


include "texts.pxi"
include "lists.pxi"

# The functions from a URL to a part, a text or a list, which fasturl.arrow also runs on columns.
__all__ = sorted([name for name, value in globals().items()
                  if name[0] != "_" and getattr(value, "__module__", None) == __name__ and type(value) is type(file_name)])

include "gather.pxi"
include "context.pxi"

complete_docs(globals())
complete_docs(HostList.__dict__)
