/* Where an extension finds the runtime, which fasturl._fastparse owns and hands out as a capsule. */
#ifndef FASTURL_PYRUNTIME_H
#define FASTURL_PYRUNTIME_H

#include <Python.h>

#include "runtime.h"

#define FU_RUNTIME_OWNER "fasturl._fastparse"
#define FU_RUNTIME_NAME "fasturl._fastparse._runtime"

/* Whether this Python has a lock that keeps other threads from changing a list, or a variable, while C code reads it. */
#ifdef Py_GIL_DISABLED
#define FU_HAS_GIL 0
#else
#define FU_HAS_GIL 1
#endif

/* This extension's; NULL until its first lines have run. */
static const fu_runtime *fu_shared;

/* -1 and an exception, or 0. */
static inline int fu_import_runtime(void) {
    PyObject *owner = PyImport_ImportModule(FU_RUNTIME_OWNER);
    PyObject *capsule = owner == NULL ? NULL : PyObject_GetAttrString(owner, "_runtime");
    if (capsule != NULL) fu_shared = (const fu_runtime *)PyCapsule_GetPointer(capsule, FU_RUNTIME_NAME);
    Py_XDECREF(capsule);
    Py_XDECREF(owner);
    return fu_shared == NULL ? -1 : 0;
}

#endif
