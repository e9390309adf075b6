"""The runtime that all extensions share: the kernel in use and the table of schemes. fasturl._fastparse owns it.

Every other extension calls import_runtime() first. Then it may call runtime.kernel.split(runtime.schemes, ...).
"""

from _scan cimport fu_runtime

cdef extern from "pyruntime.h":
    const bint FU_HAS_GIL
    const char *RUNTIME_NAME "FU_RUNTIME_NAME"
    const fu_runtime *runtime "fu_shared"
    int import_runtime "fu_import_runtime"() except -1
    const char *FUNCTION_NAME "FU_FUNCTION_NAME"
    const char *GATHER_NAME "FU_GATHER_NAME"
    void *borrow "fu_borrow"(object owner, const char *name) except NULL
    void refuse_new "fu_refuse_new"(object type)
