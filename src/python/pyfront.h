/* A fast path into a function that Cython has compiled. It takes the most frequent calls before Cython parses their
 * arguments, which costs more than the work on a short text. */
#ifndef FASTURL_PYFRONT_H
#define FASTURL_PYFRONT_H

#include <Python.h>
#include <string.h>

/* The C function behind METH_FASTCALL | METH_KEYWORDS: `n` positional arguments, then the keyword arguments that `names`
 * lists (NULL: none). */
typedef PyObject *(*fu_call)(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names);

/* Route the calls of a function to `front`. Return the C function that took them before; `front` delegates to it. The
 * function object and its signature stay the same. Return NULL and change nothing if its type or its flags are unknown. */
static inline fu_call fu_install_fast_call(PyObject *function, fu_call front) {
    /* The struct of Cython's function type starts with CPython's. */
    if (!PyCFunction_Check(function) && strstr(Py_TYPE(function)->tp_name, "cython_function_or_method") == NULL) return NULL;
    PyMethodDef *def = ((PyCFunctionObject *)function)->m_ml;
    if (def->ml_flags != (METH_FASTCALL | METH_KEYWORDS)) return NULL;
    const fu_call behind = (fu_call)(void (*)(void))def->ml_meth;
    def->ml_meth = (PyCFunction)(void (*)(void))front;
    return behind;
}

#endif
