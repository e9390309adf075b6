/* A short way into a function that Cython has compiled, for the calls that programs make most: before its arguments are parsed,
 * which takes longer than a short text. */
#ifndef FASTURL_PYFRONT_H
#define FASTURL_PYFRONT_H

#include <Python.h>
#include <string.h>

/* What CPython calls for METH_FASTCALL | METH_KEYWORDS: `n` arguments by position, then those of `names` (NULL: none). */
typedef PyObject *(*fu_call)(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names);

/* Have the calls of a function go to `front`, and give what took them before, for what `front` hands on. The function stays
 * the object that it is, with its signature. NULL, and nothing is done, where it is of a kind that is not known. */
static inline fu_call fu_stand_before(PyObject *function, fu_call front) {
    /* Cython's own kind of function starts as CPython's does. */
    if (!PyCFunction_Check(function) && strstr(Py_TYPE(function)->tp_name, "cython_function_or_method") == NULL) return NULL;
    PyMethodDef *def = ((PyCFunctionObject *)function)->m_ml;
    if (def->ml_flags != (METH_FASTCALL | METH_KEYWORDS)) return NULL;
    const fu_call behind = (fu_call)(void (*)(void))def->ml_meth;
    def->ml_meth = (PyCFunction)(void (*)(void))front;
    return behind;
}

#endif
