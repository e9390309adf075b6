/* Access to the runtime, which fasturl._fastparse owns and shares as a capsule. */
#ifndef FASTURL_PYRUNTIME_H
#define FASTURL_PYRUNTIME_H

#include <Python.h>

#include "runtime.h"

#define FU_RUNTIME_OWNER "fasturl._fastparse"
#define FU_RUNTIME_NAME "fasturl._fastparse._runtime"

/* 1 if this Python has the GIL, which keeps other threads from changing a list or a variable while C code reads it. */
#ifdef Py_GIL_DISABLED
#define FU_HAS_GIL 0
#else
#define FU_HAS_GIL 1
#endif

/* The runtime as this extension sees it; NULL until the extension calls fu_import_runtime. */
static const fu_runtime *fu_shared;

/* Set fu_shared. Return 0, or -1 with an exception set. */
static inline int fu_import_runtime(void) {
    PyObject *owner = PyImport_ImportModule(FU_RUNTIME_OWNER);
    PyObject *capsule = owner == NULL ? NULL : PyObject_GetAttrString(owner, "_runtime");
    if (capsule != NULL) fu_shared = (const fu_runtime *)PyCapsule_GetPointer(capsule, FU_RUNTIME_NAME);
    Py_XDECREF(capsule);
    Py_XDECREF(owner);
    return fu_shared == NULL ? -1 : 0;
}

/* Capsule names. An object lends its C data to other extensions by a capsule in its attribute "pointer". */
#define FU_FUNCTION_NAME "fasturl.fu_function"
#define FU_GATHER_NAME "fasturl.fu_gather_work"

/* Return the data of an object's capsule, which lives as long as the object. Return NULL with an exception set if the
 * object has no capsule or one of another name. */
static inline void *fu_borrow(PyObject *owner, const char *name) {
    PyObject *capsule = PyObject_GetAttrString(owner, "pointer");
    void *found = capsule == NULL ? NULL : PyCapsule_GetPointer(capsule, name);
    Py_XDECREF(capsule);
    return found;
}

static PyObject *fu_no_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    (void)arguments, (void)names;
    PyErr_Format(PyExc_TypeError, "cannot make a %s: fasturl's functions do", type->tp_name);
    return NULL;
}

/* Keep programs from creating objects of a type whose methods rely on fields that only our functions set. */
static inline void fu_refuse_new(PyObject *type) {
    ((PyTypeObject *)type)->tp_new = fu_no_new;
    ((PyTypeObject *)type)->tp_vectorcall = NULL;
}

#endif
