"""What all extensions share at run time: the kernel in use and the table of schemes. fasturl._fastparse owns it.

Every other extension calls import_runtime() in its first lines, and then, say, runtime.kernel.split(runtime.schemes, ...).
"""

from _scan cimport fu_runtime

cdef extern from "pyruntime.h":
    const bint FU_HAS_GIL
    const char *RUNTIME_NAME "FU_RUNTIME_NAME"
    const fu_runtime *runtime "fu_shared"
    int import_runtime "fu_import_runtime"() except -1
