/* Instances of subclasses of str that urllib reads as it reads an exact str of the same characters.
 *
 * urllib calls few methods of a text before it has an exact str. A subclass that has str's own code for these may be copied.
 * Nothing about a class is remembered, because classes change. No code of the program runs here. */
#ifndef FASTURL_PYSUBCLASS_H
#define FASTURL_PYSUBCLASS_H

#include <Python.h>

/* What urllib does with a text, beside the call of one method by its name. */
enum {
    FU_ASKS_TRUTH = 1, /* if text */
    FU_ASKS_HASH = 2, /* look it up in a cache */
    FU_ASKS_CONTAINS = 4, /* "%" in text */
    FU_ASKS_SLICE = 8, /* text[1:] */
    FU_ASKS_STR = 16, /* str(text) */
    FU_ASKS_EQUAL = 32, /* text == "http" */
    FU_ASKS_SUM = 64 /* "/" + text */
};

/* Return 1 if the truth of a text is that of its length. A base class that is written in C, as NumPy's, may define it, too. */
static inline int fu_has_plain_truth(PyObject *text, const PyTypeObject *base) {
    const PyTypeObject *type = Py_TYPE(text);
    if (type->tp_as_sequence->sq_length != PyUnicode_Type.tp_as_sequence->sq_length ||
        type->tp_as_mapping->mp_length != PyUnicode_Type.tp_as_mapping->mp_length)
        return 0;
    if (type->tp_as_number == NULL || type->tp_as_number->nb_bool == NULL) return 1;
    if (base->tp_as_number == NULL || type->tp_as_number->nb_bool != base->tp_as_number->nb_bool) return 0;
    const int truth = type->tp_as_number->nb_bool(text);
    if (truth < 0) PyErr_Clear(); /* urllib raises it */
    return truth == (PyUnicode_GET_LENGTH(text) != 0);
}

/* Return what instances of a type have under a name, unless their own attributes hide it: a borrowed reference for
 * comparisons, or NULL. */
static inline PyObject *fu_of_type(PyTypeObject *type, PyObject *name) {
    return type->tp_getattro == PyObject_GenericGetAttr ? _PyType_Lookup(type, name) : NULL;
}

/* Return 1 if `text.method` is str's own method of `text`. */
static inline int fu_has_plain_method(PyObject *text, PyObject *method) {
    PyObject *own = fu_of_type(&PyUnicode_Type, method), *found;
    int same;
    if (own == NULL || fu_of_type(Py_TYPE(text), method) != own) return 0;
    if (Py_TYPE(text)->tp_dictoffset == 0) return 1;
    /* An attribute of the instance hides the method. */
    found = PyObject_GenericGetAttr(text, method);
    if (found == NULL) {
        PyErr_Clear();
        return 0;
    }
    same = PyCFunction_Check(found) && PyCFunction_GET_SELF(found) == text &&
           PyCFunction_GET_FUNCTION(found) == ((PyMethodDescrObject *)own)->d_method->ml_meth;
    Py_DECREF(found);
    return same;
}

/* Return 1 if `text` is an instance of a subclass of str, and urllib gets from it what it gets from an exact str of the same
 * characters when it asks what `asks` has, and for its class, and calls `method`. class_name : "__class__" */
static inline int fu_acts_as_str(PyObject *text, unsigned asks, PyObject *method, PyObject *class_name) {
    const PyTypeObject *type = Py_TYPE(text), *str = &PyUnicode_Type, *base = type;
    if (!PyUnicode_Check(text) || PyUnicode_CheckExact(text)) return 0;
    while (base->tp_flags & Py_TPFLAGS_HEAPTYPE) base = base->tp_base;
    if (asks & FU_ASKS_TRUTH && !fu_has_plain_truth(text, base)) return 0;
    if (asks & FU_ASKS_HASH && type->tp_hash != str->tp_hash) return 0;
    if (asks & FU_ASKS_EQUAL && type->tp_richcompare != str->tp_richcompare) return 0;
    if (asks & FU_ASKS_CONTAINS && type->tp_as_sequence->sq_contains != str->tp_as_sequence->sq_contains) return 0;
    if (asks & FU_ASKS_SLICE && type->tp_as_mapping->mp_subscript != str->tp_as_mapping->mp_subscript) return 0;
    if (asks & FU_ASKS_STR && type->tp_str != str->tp_str) return 0;
    if (asks & FU_ASKS_SUM && type->tp_as_number != NULL && type->tp_as_number->nb_add != NULL) return 0;
    if (fu_of_type(Py_TYPE(text), class_name) != fu_of_type(&PyUnicode_Type, class_name)) return 0; /* isinstance() */
    return fu_has_plain_method(text, method);
}

#endif
